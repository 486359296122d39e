//! The email on weekday mornings to the office's address and to the staff who chose it: what waits, each with its number,
//! since when, and a link.
//!
//! Promises: one look a day, at 07:30 at the school or as soon after as the server runs, across restarts and changes
//! of the clock; nothing is sent when nothing waits; no name leaves the office. Site Settings turn off the office's, and each
//! staff member the own one, which lists what the role can act on.

use jiff::civil::{Date, Time, Weekday, time};
use jiff::tz::TimeZone;
use jiff::{ToSpan, Zoned};
use rusqlite::Connection;

use super::state;
use super::waiting::{self, WaitingGroup, WaitingKind, WaitingLine};
use crate::base::dates::date_in_words;
use crate::base::email::Email;
use crate::base::error::Result;
use crate::config::Config;
use crate::mail::{self, Cause, EmailMessage, Kind};
use crate::settings::versions;
use crate::staff::{self, Role, digest};
use crate::storage::waiting::Since;
use crate::web::app::App;

/// Half an hour or more before an office opens.
const AT: Time = time(7, 30, 0, 0);

/// Writes to the office when it is time and something waits.
///
/// # Errors
/// Database errors.
pub async fn send_if_due(app: &App) -> Result<()> {
    let zone = app.config.school().zone();
    let now = app.clock.now().to_zoned(zone);
    if app.db.damage().is_some() {
        return Ok(());
    }
    let told_on = app.db.read(state::told_on).await?;
    if told_on.is_some_and(|day| !is_due(day, &now)) {
        return Ok(());
    }
    let config = app.config.clone();
    if app.db.write(move |connection| queue_if_due(connection, &config, &now)).await? {
        app.mailer_wakeup.notify_one();
    }
    Ok(())
}

/// Runs once a day; returns whether an email was queued.
fn queue_if_due(connection: &Connection, config: &Config, now: &Zoned) -> Result<bool> {
    let today = now.date();
    let Some(told_on) = state::told_on(connection)? else {
        // A school that has just begun, or an upgrade: from the next morning on.
        let is_early = now.time() < AT;
        state::record_notified(connection, if is_early { today.saturating_sub(1.day()) } else { today })?;
        return Ok(false);
    };
    if !is_due(told_on, now) {
        return Ok(false);
    }
    state::record_notified(connection, today)?;
    let mut recipients = Vec::new();
    if versions::published(connection)?.waiting_email.0 {
        let all = Role::Admin.duties(&config.office);
        let office = staff::store::office_emails(connection, config)?.into_iter();
        recipients.extend(office.map(|address| (address, all, "Site Settings turn it off.")));
    }
    for (user, address) in digest::recipients(connection, &config.office)? {
        if !recipients.iter().any(|(to, ..)| *to == address) {
            recipients.push((address, user.duties, "Your account page turns it off."));
        }
    }
    let mut is_queued = false;
    for (to, duties, off) in recipients {
        let mut lines = waiting::list(connection, duties, &config.office, today)?;
        lines.retain(|line| line.count > 0);
        if !lines.is_empty() {
            let email = email(&to, &lines, off, config);
            mail::outbox::enqueue(connection, &email, Cause::Office, config, now.timestamp())?;
            is_queued = true;
        }
    }
    Ok(is_queued)
}

fn is_due(told_on: Date, now: &Zoned) -> bool {
    let today = now.date();
    let is_weekend = matches!(today.weekday(), Weekday::Saturday | Weekday::Sunday);
    // What lies further ahead was noted while the clock was wrong.
    let is_told = (today..=today.saturating_add(1.day())).contains(&told_on);
    !is_weekend && now.time() >= AT && !is_told
}

fn email(to: &Email, lines: &[WaitingLine], off: &str, config: &Config) -> EmailMessage {
    let of = |group| lines.iter().filter(move |line| line.group == group);
    let total = |group| of(group).map(|line| line.count).sum::<i64>();
    let things = |count| if count == 1 { "1 thing waits".to_owned() } else { format!("{count} things wait") };
    let subject = match (total(WaitingGroup::Us), total(WaitingGroup::Them)) {
        (0, them) => format!("{} for families", things(them)),
        (us, _) => format!("{} for the office", things(us)),
    };
    let zone = config.school().zone();
    let message = EmailMessage::to(Kind::Waiting, to, &subject).greeting(None);
    let groups = [
        (WaitingGroup::Us, "This waits for the office this morning:"),
        (WaitingGroup::Them, "This waits for families. The office can remind them:"),
    ];
    let message =
        groups.into_iter().filter(|(group, _)| total(*group) > 0).fold(message, |message, (group, words)| {
            of(group).fold(message.paragraph(words), |message, line| {
                message.link(&in_words(line, &zone), &format!("{}{}", config.public_url(), line.href))
            })
        });
    message.paragraph(&format!("This email comes on weekday mornings when something waits. {off}"))
}

/// "3 course requests, the oldest since November 3, 2026".
fn in_words(line: &WaitingLine, zone: &TimeZone) -> String {
    let day = match line.oldest {
        Some(Since::At(at)) => Some(at.to_zoned(zone.clone()).date()),
        Some(Since::On(day)) => Some(day),
        None => None,
    };
    let since = day.map(date_in_words);
    let what = noun(line.kind, line.count == 1);
    match since {
        Some(day) if line.count == 1 => format!("1 {what}, since {day}"),
        Some(day) => format!("{} {what}, the oldest since {day}", line.count),
        None => format!("{} {what}", line.count),
    }
}

fn noun(kind: WaitingKind, is_one: bool) -> &'static str {
    let (one, many) = match kind {
        WaitingKind::Requests => ("course request", "course requests"),
        WaitingKind::EndedRequests => {
            ("request for a course that has ended", "requests for courses that have ended")
        }
        WaitingKind::LeaveRequests => ("request to leave a course", "requests to leave a course"),
        WaitingKind::Transfers => ("student of a cancelled section", "students of cancelled sections"),
        WaitingKind::MarksDue => ("course ended without a final mark", "courses ended without a final mark"),
        WaitingKind::Documents => ("document to review", "documents to review"),
        WaitingKind::LostDocuments => ("document with a lost file", "documents with a lost file"),
        WaitingKind::Guardians => {
            ("guardian’s confirmation missing for a request", "guardians’ confirmations missing for requests")
        }
        WaitingKind::IdentityChanges => {
            ("student with changed personal details", "students with changed personal details")
        }
        WaitingKind::Messages => ("unread message", "unread messages"),
        WaitingKind::OpenMessages => ("message to answer", "messages to answer"),
        WaitingKind::Applications => ("request for admission", "requests for admission"),
        WaitingKind::Questions => (
            "application without an answer to your question",
            "applications without an answer to your question",
        ),
        WaitingKind::Invitations => ("account not opened", "accounts not opened"),
        WaitingKind::NoOpenTerm => ("term to open for requests", "terms to open for requests"),
        WaitingKind::PlannedSections => {
            ("planned section in a published term", "planned sections in published terms")
        }
        WaitingKind::ApplicationsToLink => {
            ("accepted application without a student", "accepted applications without a student")
        }
        WaitingKind::Deposits => ("deposit due", "deposits due"),
        WaitingKind::Charges => ("unpriced enrollment", "unpriced enrollments"),
        WaitingKind::MoneyOnAccount => ("family with money on account", "families with money on account"),
        WaitingKind::RefundsDue => ("refund due", "refunds due"),
        WaitingKind::BankLines => ("bank line to review", "bank lines to review"),
        WaitingKind::Mail => ("undelivered email", "undelivered emails"),
    };
    if is_one { one } else { many }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::zone_rules;

    #[test]
    fn a_weekday_is_notified_once_whatever_the_clock_does() {
        let toronto = zone_rules::IN_FORCE.zone("America/Toronto").unwrap();
        // The clocks go back on Sunday, November 1, and forward on Sunday, March 8.
        for (told_on, now, expected) in [
            ("2026-11-19", "2026-11-20T07:29:59", false),
            ("2026-11-19", "2026-11-20T07:30:00", true),
            ("2026-11-19", "2026-11-20T23:59:59", true),
            ("2026-11-20", "2026-11-20T07:30:00", false),
            ("2026-11-20", "2026-11-21T07:30:00", false),
            ("2026-11-20", "2026-11-22T12:00:00", false),
            ("2026-11-20", "2026-11-23T07:30:00", true),
            ("2026-10-30", "2026-11-02T07:29:59", false),
            ("2026-10-30", "2026-11-02T07:30:00", true),
            ("2026-03-06", "2026-03-09T07:30:00", true),
            // The clock was a day ahead, and years ahead.
            ("2026-11-20", "2026-11-19T08:00:00", false),
            ("2036-11-20", "2026-11-20T08:00:00", true),
        ] {
            let now: jiff::civil::DateTime = now.parse().unwrap();
            let now = now.to_zoned(toronto.clone()).unwrap();
            assert_eq!(is_due(told_on.parse().unwrap(), &now), expected, "{told_on} {now}");
        }
    }
}
