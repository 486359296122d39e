//! The last days of offers: a reminder when three days or fewer are left, then the state `expired`. Days end in the
//! school's time zone.

use jiff::civil::Date;
use jiff::{Timestamp, ToSpan as _};
use rusqlite::Connection;

use super::events::Event;
use super::links::FamilyMail;
use super::offers::{self, AdmissionOffer};
use super::status::{AdmissionActor, AdmissionRequestStatus, AdmissionVerb};
use super::{emails, store};
use crate::base::error::Result;
use crate::config::Config;
use crate::mail::Cause;
use crate::storage::statements::{Statements, params};
use crate::web::app::App;

/// Days before the end on which the family is reminded.
const REMINDER: i64 = 3;

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
    let midnight = today.to_zoned(config.school().zone()).map_or(now, |midnight| midnight.timestamp());
    let day = BegunDay { today, midnight };
    if app.db.read(|connection| due(connection, day)).await?.is_empty() {
        return Ok(());
    }
    app.write_and_notify(move |connection| carry_out(connection, &config, day, now)).await
}

/// A day at the school that has begun.
#[derive(Debug, Clone, Copy)]
pub struct BegunDay {
    /// Its date.
    pub today: Date,
    /// When it began.
    pub midnight: Timestamp,
}

/// Carries out what is due on a day.
///
/// # Errors
/// Database errors.
pub fn carry_out(connection: &Connection, config: &Config, day: BegunDay, now: Timestamp) -> Result<()> {
    for id in due(connection, day)? {
        let Some(offer) = offers::find(connection, id)? else { continue };
        let request_id = offers::request_of(connection, id)?;
        if offer.expires_on < day.today {
            expire(connection, request_id, &offer, config, now)?;
        } else {
            remind(connection, request_id, &offer, config, now)?;
        }
    }
    Ok(())
}

/// Standing offers that have ended, or whose families are due a reminder. On the day of an offer there is none.
fn due(connection: &Connection, day: BegunDay) -> Result<Vec<i64>> {
    let BegunDay { today, midnight } = day;
    let soon = today.saturating_add(REMINDER.days());
    let sql = "select id from admission_offers indexed by admission_offers_expiry
        where ended_at is null and accepted_at is null and expires_on <= :soon
            and (expires_on < :today or reminded_at is null and sent_at < :midnight)
        order by expires_on, id limit 200";
    let values = params! {
        soon = soon.to_string(), today = today.to_string(), midnight = midnight.as_second(),
    };
    connection.list(sql, values)
}

fn expire(
    connection: &Connection,
    request_id: i64,
    offer: &AdmissionOffer,
    config: &Config,
    now: Timestamp,
) -> Result<()> {
    let request = store::get(connection, request_id)?;
    offers::end(connection, request_id, now)?;
    let to = AdmissionRequestStatus::Expired;
    let event = Event::family(AdmissionVerb::Expire, request.status, to);
    Event { actor: AdmissionActor::System, offer_id: Some(offer.id), ..event }
        .record(connection, request_id, now)?;
    store::set_status(connection, request_id, to, now)?;
    let mail = FamilyMail { connection, config, cause: Cause::Office, hold: None, now };
    mail.send(&request, |to, url| emails::offer_expired(to, &request, url, config))
}

fn remind(
    connection: &Connection,
    request_id: i64,
    offer: &AdmissionOffer,
    config: &Config,
    now: Timestamp,
) -> Result<()> {
    offers::note_reminded(connection, offer.id, now)?;
    let request = store::get(connection, request_id)?;
    let mail = FamilyMail { connection, config, cause: Cause::Office, hold: None, now };
    mail.send(&request, |to, url| emails::offer_reminder(to, &request, url, offer.expires_on, config))
}
