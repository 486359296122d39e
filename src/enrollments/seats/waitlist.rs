//! The waiting list of a course, in the order of its entries. A free seat is offered to the next student by email for
//! some days, because it costs money; a student who does not accept in time leaves the list, and the next one gets an
//! offer.
//!
//! Seats depend on dates, so the next student is the first on the list with a free seat for their dates. A request for
//! a longer period may be overtaken by a shorter one, so that seats are not left empty.

use std::time::Duration;

use jiff::{Timestamp, ToSpan as _};
use rusqlite::Connection;
use tokio::sync::watch;
use tokio::time::sleep;

use crate::audit::By;
use crate::base::error::Result;
use crate::config::Config;
use crate::decisions::Decision;
use crate::enrollments::events::Event;
use crate::enrollments::requests::guardian_emails::{AskContext, SendTime, send_with_copies};
use crate::enrollments::requests::prices::QuoteTerms;
use crate::enrollments::status::EnrollmentStatus;
use crate::enrollments::verb::Verb;
use crate::enrollments::{emails, quote_terms, seats, store};
use crate::storage::statements::{Statements, params};
use crate::students::lacks;
use crate::web::app::App;
use crate::web::listener::shutdown_requested;

/// Poll interval when nothing wakes the task; offers end at midnight.
const INTERVAL: Duration = Duration::from_mins(1);

/// Context for offering seats.
#[derive(Debug, Clone, Copy)]
pub struct WaitlistContext<'a> {
    /// The configuration.
    pub config: &'a Config,
    /// Date at the school, and validity of quotes.
    pub terms: &'a QuoteTerms,
    /// Now.
    pub now: Timestamp,
}

impl WaitlistContext<'_> {
    /// For emails that guardians get a copy of.
    pub fn asking(&self) -> AskContext<'_> {
        AskContext { config: self.config, now: self.now }
    }

    /// When an offer made now expires.
    fn offer_until(&self) -> Result<Timestamp> {
        let last = self.terms.today.saturating_add(i64::from(self.config.office.place_days).days());
        let end = last.at(23, 59, 59, 0).to_zoned(self.terms.zone.clone());
        Ok(end.map_err(|error| anyhow::Error::new(error).context("the end of an offer"))?.timestamp())
    }
}

/// Offers the free seats of a course to the next students; called whenever a seat may be free. Emails of an offer
/// caused by a decision are held and undone with the decision.
pub fn promote(
    connection: &Connection,
    course_id: i64,
    context: &WaitlistContext<'_>,
    decision: Option<&Decision>,
) -> Result<()> {
    while let Some(id) = next(connection, course_id, context)? {
        offer(connection, id, context, decision)?;
    }
    Ok(())
}

/// The first request on a course's waiting list that has no offer and for whose dates a seat is free. Skips requests
/// whose dates have passed, sections that are cancelled or can no longer be joined, and suspended and closed accounts, which cannot take a seat.
fn next(connection: &Connection, course_id: i64, context: &WaitlistContext<'_>) -> Result<Option<i64>> {
    let sql = format!(
        "select e.id from enrollments e indexed by enrollments_seats
                 cross join students s on s.id = e.student_id cross join courses c on c.id = e.course_id and c.archived_at is null
             where e.course_id = :course_id and e.status = 'waitlisted' and e.offered_until is null
                 and e.end_date >= :today and s.status in ('unverified', 'active')
                 and {} is not null and not {}
                 and not exists (select 1 from sections x left join terms t on t.id = x.term_id
                     where x.id = e.section_id and (x.status = 'cancelled' or max(t.join_until, x.starts_on) < :today))
             order by e.waitlisted_at, e.id limit 1",
        seats::CAPACITY,
        *seats::FULL
    );
    let values = params! {
        course_id, today = context.terms.today.to_string(), now = context.now.as_second(),
    };
    connection.find(&sql, values)
}

/// The price of an offer is a new quote, so that it holds at least as long as the offer does.
fn offer(
    connection: &Connection,
    id: i64,
    context: &WaitlistContext<'_>,
    decision: Option<&Decision>,
) -> Result<()> {
    let waitlisted = EnrollmentStatus::Waitlisted;
    let event = Event::new(id, By::System, Verb::OfferPlace, Some(waitlisted), waitlisted);
    let event = Event { decision: decision.map(Decision::id), ..event };
    let price = store::prices(connection, id)?.usual(context.terms);
    store::offer_place(connection, event, context.offer_until()?, price, context.now)?;
    let student = store::student_of(connection, id)?;
    let enrollment = store::find(connection, id)?;
    let wanted = lacks::wanted(connection, student.id, &context.config.office, context.terms.today)?;
    let email = emails::place_free(&student, &enrollment, &wanted, context.terms, context.config);
    let leaves = decision.map_or(SendTime::Now, |decision| SendTime::Held(decision.hold()));
    send_with_copies(connection, &student, &email, leaves, &context.asking())
}

/// Processes expired offers and seats from a larger capacity until `stopped` turns true.
pub async fn run(app: App, mut stopped: watch::Receiver<bool>) {
    app.db.inspected().await;
    loop {
        if let Err(error) = move_on(&app).await {
            tracing::warn!("the waiting lists could not be processed: {error:?}");
        }
        tokio::select! {
            () = app.seats_wakeup.notified() => {}
            () = sleep(INTERVAL) => {}
            () = shutdown_requested(&mut stopped) => return,
        }
    }
}

/// Writes only when there is something to do.
async fn move_on(app: &App) -> Result<()> {
    let config = app.config.clone();
    let terms = quote_terms(app);
    let now = app.clock.now();
    let read_config = config.clone();
    let read_terms = terms.clone();
    let is_to_move = app
        .db
        .read(move |connection| {
            is_to_move(connection, &WaitlistContext { config: &read_config, terms: &read_terms, now })
        })
        .await?;
    if !is_to_move {
        return Ok(());
    }
    app.write_and_notify(move |connection| {
        move_on_with(connection, &WaitlistContext { config: &config, terms: &terms, now })
    })
    .await
}

/// Whether an offer has expired, or a free seat can be offered.
pub fn is_to_move(connection: &Connection, context: &WaitlistContext<'_>) -> Result<bool> {
    if !lapsed(connection, context)?.is_empty() {
        return Ok(true);
    }
    for course_id in courses_with_a_line(connection)? {
        if next(connection, course_id, context)?.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Ends expired offers, and offers every free seat.
pub fn move_on_with(connection: &Connection, context: &WaitlistContext<'_>) -> Result<()> {
    lapse(connection, context)?;
    for course_id in courses_with_a_line(connection)? {
        promote(connection, course_id, context, None)?;
    }
    Ok(())
}

fn courses_with_a_line(connection: &Connection) -> Result<Vec<i64>> {
    connection.list("select distinct course_id from enrollments where status = 'waitlisted'", [])
}

/// Expired offers.
fn lapsed(connection: &Connection, context: &WaitlistContext<'_>) -> Result<Vec<i64>> {
    let sql = "select id from enrollments indexed by enrollments_offered
        where offered_until <= :now and status = 'waitlisted' order by id";
    connection.list(sql, params![now = context.now.as_second()])
}

/// Removes students with expired offers from the list.
fn lapse(connection: &Connection, context: &WaitlistContext<'_>) -> Result<()> {
    for id in lapsed(connection, context)? {
        let reason = "A place was kept for you, and you did not take it in time.";
        let from = EnrollmentStatus::Waitlisted;
        let to = EnrollmentStatus::Withdrawn;
        let event = Event::new(id, By::System, Verb::Lapse, Some(from), to);
        let event = Event { reason: Some(reason), ..event };
        store::close(connection, event, context.terms.today, context.now)?;
        let student = store::student_of(connection, id)?;
        let enrollment = store::find(connection, id)?;
        let email = emails::place_lapsed(&student, &enrollment, context.config);
        send_with_copies(connection, &student, &email, SendTime::Now, &context.asking())?;
    }
    Ok(())
}
