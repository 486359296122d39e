//! Expiry of accepted documents: a reminder when 30 days or fewer are left, another at 7, then the state `expired`. Days
//! end in the school's time zone. A document accepted with fewer than 30 days left gets a single reminder.

use jiff::civil::Date;
use jiff::{Timestamp, ToSpan as _};
use rusqlite::Connection;

use super::events::{Event, RowBefore};
use super::transitions::DocumentVerb;
use crate::audit::By;
use crate::base::closed_set::ClosedSet as _;
use crate::base::error::Result;
use crate::config::Config;
use crate::documents::rules::DocumentStatus;
use crate::documents::{Document, emails, store};
use crate::mail::{self, Cause};
use crate::storage::statements::{Statements, params};
use crate::students::history::{self, HistoryChange};
use crate::students::{self, lacks};
use crate::web::app::App;

/// Days before the end on which its student is reminded.
const REMINDERS: [i64; 2] = [30, 7];

/// Carries out what is due today.
///
/// # Errors
/// Database errors.
pub async fn run_due(app: &App) -> Result<()> {
    if app.db.damage().is_some() {
        return Ok(());
    }
    let today = app.today();
    let now = app.clock.now();
    let config = app.config.clone();
    if app.db.read(|connection| due(connection, today)).await?.is_empty() {
        return Ok(());
    }
    app.write_and_notify(move |connection| {
        for id in due(connection, today)? {
            let Some(document) = store::find(connection, id)? else { continue };
            match document.expires_on {
                Some(day) if day < today => expire(connection, &document, today, &config, now)?,
                Some(day) => remind(connection, &document, day, today, &config, now)?,
                None => {}
            }
        }
        Ok(())
    })
    .await
}

/// Accepted documents that have expired, or whose students are due a reminder. No reminder is sent while a newer
/// document waits for the office.
fn due(connection: &Connection, today: Date) -> Result<Vec<i64>> {
    let days = |days: i64| today.checked_add(days.days()).map_or(String::new(), |day| day.to_string());
    let [first, second] = REMINDERS;
    let sql = "select d.id from student_documents d indexed by student_documents_expiring
        where d.status = 'accepted' and d.expires_on is not null and d.expires_on <= :first
            and (d.expires_on < :today or (d.reminded_days is null
                    or d.reminded_days > :second_days and d.expires_on <= :second)
                and not exists (select 1 from student_documents w indexed by student_documents_student
                    where w.student_id = d.student_id
                    and w.document_type = d.document_type and w.status = 'pending_review'))
        order by d.expires_on, d.id limit 200";
    let values = params![today, first = days(first), second = days(second), second_days = second];
    connection.list(sql, values)
}

fn expire(
    connection: &Connection,
    document: &Document,
    today: Date,
    config: &Config,
    now: Timestamp,
) -> Result<()> {
    let row = RowBefore::of(connection, document.id)?;
    let sql = "update student_documents set status = 'expired' where id = :id";
    connection.run(sql, params![id = document.id])?;
    let mut event = Event::new(document, By::System, DocumentVerb::Expire, DocumentStatus::Expired);
    event.expires_on = document.expires_on;
    event.record(connection, &row, now)?;
    let change =
        HistoryChange { field: "documentExpired", before: None, after: Some(document.name()), reason: None };
    history::add(connection, document.student_id, By::System, change, now)?;
    let Some(student) = students::store::find(connection, document.student_id)? else { return Ok(()) };
    // A document that is still required is requested again; others just expire.
    let wanted = lacks::wanted(connection, student.id, &config.office, today)?;
    let is_wanted = wanted.iter().any(|one| {
        one.document_type.is_some_and(|wanted| wanted.as_str() == document.document_type.as_str())
    });
    if is_wanted {
        let to = (&student.address()?, student.profile.full_name.as_deref());
        let email = emails::expired(to, document, config);
        mail::outbox::enqueue(connection, &email, Cause::Office, config, now)?;
    }
    Ok(())
}

fn remind(
    connection: &Connection,
    document: &Document,
    day: Date,
    today: Date,
    config: &Config,
    now: Timestamp,
) -> Result<()> {
    let left = i64::from((day - today).get_days());
    let reached = REMINDERS.into_iter().filter(|days| left <= *days).min().unwrap_or(REMINDERS[0]);
    let sql = "update student_documents set reminded_days = :days, reminder_sent_at = :now where id = :id";
    connection.run(sql, params![id = document.id, days = reached, now = now.as_second()])?;
    let Some(student) = students::store::find(connection, document.student_id)? else { return Ok(()) };
    let to = (&student.address()?, student.profile.full_name.as_deref());
    let email = emails::expires(to, document, day, config);
    mail::outbox::enqueue(connection, &email, Cause::Office, config, now).map(drop)
}
