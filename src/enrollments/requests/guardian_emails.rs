//! Emails to the guardians of students under 18: the question whether they confirm a request, its reminders after 3 and
//! 7 days, and copies of what the office decided. The table `confirmation_asks` holds who was asked about which request.
//!
//! One email goes to each address, whatever it asks about. Days are counted in the school's time zone.

use std::collections::BTreeMap;

use jiff::civil::Date;
use jiff::{SignedDuration, Timestamp};
use rusqlite::Connection;
use serde_json::json;

use crate::accounts::mailed::{MailedLinkPurpose, NewMailedLink};
use crate::base::email::Email;
use crate::base::error::{Error, Result};
use crate::config::Config;
use crate::enrollments::emails::{self, AskedRequest};
use crate::enrollments::store;
use crate::mail::outbox::{self, Hold};
use crate::mail::{Cause, EmailMessage};
use crate::storage::statements::{Statements, from_row, params};
use crate::students::guardians::store as guardians;
use crate::students::{age, confirmations, lacks, names};
use crate::web::app::App;

/// Days after the question on which a guardian is reminded; after the last one the office asks.
const REMINDERS: [i64; 2] = [3, 7];

/// Lifetime of a link in an email about a request.
const LINK_FOR: SignedDuration = SignedDuration::from_hours(7 * 24);

/// Configuration and time of emails to guardians.
#[derive(Debug, Clone, Copy)]
pub struct AskContext<'a> {
    /// The configuration.
    pub config: &'a Config,
    /// Now.
    pub now: Timestamp,
}

impl AskContext<'_> {
    fn today(&self) -> Date {
        self.now.to_zoned(self.config.school().zone()).date()
    }
}

/// A question to a guardian about a request that is open and not confirmed.
struct GuardianQuestion {
    enrollment_id: i64,
    student_id: i64,
    guardian_id: i64,
    email: String,
    /// When it was first put; `None` before that.
    asked_at: Option<Timestamp>,
    reminded_days: Option<i64>,
    /// When the guardian was last written to about it.
    sent_at: Option<Timestamp>,
}

from_row!(GuardianQuestion {
    enrollment_id,
    student_id,
    guardian_id,
    email,
    asked_at,
    reminded_days,
    sent_at
});

impl GuardianQuestion {
    /// The reminder of the office: as [`Self::due`], on any day but the one on which the guardian was written to.
    fn by_hand(&self, context: &AskContext<'_>) -> Option<i64> {
        let zone = context.config.school().zone();
        let was_sent_today = self.sent_at.is_some_and(|at| at.to_zoned(zone).date() == context.today());
        (!was_sent_today).then(|| self.due(context).or(self.reminded_days).unwrap_or(0))
    }

    /// The reminder that is due: in days after the question, 0 for the question itself.
    fn due(&self, context: &AskContext<'_>) -> Option<i64> {
        let Some(asked_at) = self.asked_at else { return Some(0) };
        let asked_on = asked_at.to_zoned(context.config.school().zone()).date();
        let days = i64::from((context.today() - asked_on).get_days());
        let reached = REMINDERS.into_iter().filter(|reminder| days >= *reminder).max()?;
        (reached > self.reminded_days.unwrap_or(0)).then_some(reached)
    }
}

/// Asks and reminds the guardians of one student, or of all.
///
/// # Errors
/// Database errors.
pub fn ask(connection: &Connection, context: &AskContext<'_>, student_id: Option<i64>) -> Result<()> {
    let asks = open(connection, context, student_id)?.into_iter();
    let due = asks.filter_map(|ask| ask.due(context).map(|days| DueQuestion { ask, days }));
    send_all(connection, context, due.collect())
}

/// Writes to the guardians of a student once more, for the office: once a day.
///
/// # Errors
/// 409 when nothing waits for a guardian with an address, or each was written to today.
pub fn remind(connection: &Connection, context: &AskContext<'_>, student_id: i64) -> Result<()> {
    let asks = open(connection, context, Some(student_id))?;
    let refused = |words: &str| Error::conflict(words, &json!({ "studentId": student_id }));
    if asks.is_empty() {
        let words =
            "No request of this student waits for a guardian who can be written to. Look at the address.";
        return Err(refused(words));
    }
    let asks = asks.into_iter().filter_map(|ask| ask.by_hand(context).map(|days| DueQuestion { ask, days }));
    let asks: Vec<_> = asks.collect();
    if asks.is_empty() {
        return Err(refused("The guardian was written to today, and can be reminded tomorrow."));
    }
    send_all(connection, context, asks)
}

/// A question or a reminder that is sent now.
struct DueQuestion {
    ask: GuardianQuestion,
    /// Of a reminder: how many days after the question; 0 for the question itself.
    days: i64,
}

/// Sends questions, one email to each address, and notes them.
fn send_all(connection: &Connection, context: &AskContext<'_>, asks: Vec<DueQuestion>) -> Result<()> {
    let mut by_address: BTreeMap<String, Vec<DueQuestion>> = BTreeMap::new();
    for due in asks {
        by_address.entry(due.ask.email.clone()).or_default().push(due);
    }
    for (address, asks) in by_address {
        if let Ok(email) = Email::parse(&address) {
            send(connection, context, &email, &asks)?;
        }
        for DueQuestion { ask, days } in &asks {
            guardians::note_asked(connection, ask.enrollment_id, ask.guardian_id, *days, context.now)?;
        }
    }
    Ok(())
}

/// Whether a question or a reminder is due.
fn is_due(connection: &Connection, context: &AskContext<'_>) -> Result<bool> {
    Ok(open(connection, context, None)?.iter().any(|ask| ask.due(context).is_some()))
}

/// Requests and the guardians who still have to confirm them.
fn open(
    connection: &Connection,
    context: &AskContext<'_>,
    student_id: Option<i64>,
) -> Result<Vec<GuardianQuestion>> {
    let office = &context.config.office;
    let (of_student, to_remind) = match student_id {
        Some(_) => ("e.student_id = :student_id", ""),
        None => (":student_id is null", "and coalesce(a.reminded_days, 0) < 7"),
    };
    let sql = format!(
        "select e.id as enrollment_id, e.student_id, u.id as guardian_id, u.email, a.asked_at, a.reminded_days,
             coalesce(a.sent_at, a.asked_at) as sent_at
         from enrollments e cross join students s on s.id = e.student_id
             cross join guardians u indexed by guardians_student on u.student_id = s.id
             left join confirmation_asks a on a.enrollment_id = e.id and a.guardian_id = u.id
         where {of_student} and (e.status in ('pending', 'waitlisted') or e.status = 'active' and e.transferred_from is not null)
             and e.end_date >= :today and u.gets_mail = 1
             {to_remind} and {} and {} and not {}
         order by e.id, u.id",
        guardians::MAY_SEE,
        lacks::no_guardian_of_request(office),
        confirmations::is_by_guardian("e")
    );
    let of_age = age::last_birth_of_age(context.today());
    connection.list(&sql, params![student_id, of_age, today = context.today().to_string()])
}

fn send(connection: &Connection, context: &AskContext<'_>, to: &Email, asks: &[DueQuestion]) -> Result<()> {
    let Some(DueQuestion { ask: first, .. }) = asks.first() else { return Ok(()) };
    let link = NewMailedLink::generate(MailedLinkPurpose::Family, LINK_FOR)?;
    let guardian = guardians::find(connection, first.student_id, first.guardian_id)?;
    let mut requests = Vec::with_capacity(asks.len());
    let mut seen = Vec::new();
    let are_names_seen = names::are_seen(connection, first.student_id)?;
    for DueQuestion { ask, .. } in asks {
        if !seen.contains(&ask.enrollment_id) {
            seen.push(ask.enrollment_id);
            let mut student = store::student_of(connection, ask.enrollment_id)?;
            if !names::are_seen(connection, ask.student_id)? {
                student.full_name = None;
            }
            let enrollment = store::find(connection, ask.enrollment_id)?;
            requests.push(AskedRequest { student, enrollment });
        }
    }
    let is_reminder = asks.iter().all(|due| due.ask.asked_at.is_some());
    let guardian = guardian.map(|guardian| guardian.name).filter(|_| are_names_seen);
    let url = link.url(context.config);
    let email = emails::asks_guardian(to, guardian.as_deref(), &requests, &url, is_reminder, context.config);
    let cause = Cause::Student(first.student_id);
    if outbox::enqueue(connection, &email, cause, context.config, context.now)?.is_accepted() {
        link.keep(connection, None, to, context.now)?;
    }
    Ok(())
}

/// When copies of an email leave.
#[derive(Debug, Clone, Copy)]
pub enum SendTime<'a> {
    /// With the email of a decision.
    Held(Hold<'a>),
    /// At once.
    Now,
}

/// Queues an email about a decision to a student, and copies to the guardians of one under 18.
///
/// # Errors
/// As [`outbox::enqueue`].
pub fn send_with_copies(
    connection: &Connection,
    student: &store::Addressee,
    email: &EmailMessage,
    leaves: SendTime<'_>,
    context: &AskContext<'_>,
) -> Result<()> {
    let AskContext { config, now } = *context;
    let copies = guardians::mailed(connection, student.id, context.today())?;
    let is_seen = names::are_seen(connection, student.id)?;
    let copies = copies.iter().filter_map(|guardian| {
        let to = Email::parse(guardian.email.as_deref()?).ok()?;
        Some(emails::copy_to_guardian(email, &to, &guardian.name, student, is_seen, config))
    });
    for email in [email.clone()].into_iter().chain(copies) {
        match leaves {
            SendTime::Held(hold) => outbox::enqueue_held(connection, &email, hold, config, now)?,
            SendTime::Now => drop(outbox::enqueue(connection, &email, Cause::Office, config, now)?),
        }
    }
    Ok(())
}

/// Asks and reminds the guardians who are due; writes only when there is something to send.
///
/// # Errors
/// Database errors.
pub async fn run_due(app: &App) -> Result<()> {
    if app.db.damage().is_some() {
        return Ok(());
    }
    let now = app.clock.now();
    let config = app.config.clone();
    let reading = config.clone();
    let is_due =
        app.db.read(move |connection| is_due(connection, &AskContext { config: &reading, now })).await?;
    if !is_due {
        return Ok(());
    }
    app.write_and_notify(move |connection| ask(connection, &AskContext { config: &config, now }, None)).await
}
