//! The `outbox` table: e-mails from the moment they are written until they are delivered or dead.
//!
//! An attempt is claimed before it is made: counted, and the next one scheduled, in one committed
//! write. A crash in the middle of an attempt, or a disk too full to record its end, therefore
//! costs a repeat after the pause and never a flood of copies.

use anyhow::anyhow;
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, named_params};

use super::budget::{self, Cause, Charge, Outcome};
use super::kind::Urgency;
use super::message::{Bodies, EmailMessage};
use crate::base::clock::from_seconds;
use crate::base::error::Result;
use crate::base::random;
use crate::config::Config;
use crate::config::School;

/// The pause after the first failure, in seconds; it doubles with each further one.
const FIRST_PAUSE: i64 = 60;
const MAX_PAUSE: i64 = 4 * 3600;
/// An attempt that fails this long after the e-mail was written, or began anew, was the last, in
/// seconds.
const GIVE_UP_AFTER: i64 = 48 * 3600;

/// An e-mail that waits for longer than its pause was scheduled by a clock that has been put back
/// since, and by years in the worst case: it is due now. In terms of [`next_attempt`]; before the
/// first attempt an e-mail waits for a day at most, until its budget has room.
const FROM_A_FASTER_CLOCK: &str = "next_attempt_at > :now + case
         when attempts > 0 then min(60 << min(attempts - 1, 16), 14400)
         when created_at > :now then 0
         else 86400 end";

/// Queues an e-mail, if the budget of whoever causes it allows. Call it in the write transaction of the
/// change that the e-mail reports.
///
/// # Errors
/// When the e-mail would break a header (see [`EmailMessage`]), or the row cannot be written.
pub fn enqueue(
    connection: &Connection,
    message: &EmailMessage,
    cause: Cause,
    config: &Config,
    now: Timestamp,
) -> Result<Outcome> {
    let bodies = message.render(&config.school)?;
    let charge = Charge::new(message.kind(), message.recipient(), message.about(), cause);
    if replace_waiting(connection, message, &bodies, &charge, now)? {
        return Ok(Outcome::Accepted);
    }
    let at = match charge.weigh(connection, config, now)? {
        Ok(at) => at,
        Err(limit) => {
            budget::count_refused(connection, message.kind(), limit, now)?;
            return Ok(Outcome::OverBudget);
        }
    };
    connection
        .prepare_cached(
            "insert into outbox (message_id, recipient, reply_to, subject, text_body, html_body, kind,
                 urgency, mailbox, caused_by, charged_at, topic, next_attempt_at, renewed_at, created_at)
             values (:message_id, :recipient, :reply_to, :subject, :text_body, :html_body, :kind,
                 :urgency, :mailbox, :caused_by, :charged_at, :topic, :at, nullif(:at, :now), :now)",
        )?
        .execute(named_params! {
            ":message_id": draw_message_id(&config.school)?,
            ":recipient": message.recipient().as_str(),
            ":reply_to": message.answers_to().map(|address| address.as_str()),
            ":subject": message.subject(),
            ":text_body": bodies.text,
            ":html_body": bodies.html,
            ":kind": message.kind(),
            ":urgency": message.kind().urgency().number(),
            ":mailbox": charge.is_limited().then_some(&charge.mailbox),
            ":caused_by": charge.account(),
            ":charged_at": charge.is_limited().then_some(at),
            ":topic": charge.topic,
            ":at": at,
            ":now": now.as_second(),
        })?;
    budget::count_accepted(connection, &charge, at)?;
    Ok(Outcome::Accepted)
}

/// Puts an e-mail in the place of one on the same topic that waits its turn; returns whether there was
/// one.
fn replace_waiting(
    connection: &Connection,
    message: &EmailMessage,
    bodies: &Bodies,
    charge: &Charge<'_>,
    now: Timestamp,
) -> Result<bool> {
    if !charge.is_limited() || !message.kind().budget().delays() {
        return Ok(false);
    }
    let replaced = connection
        .prepare_cached(
            "update outbox set recipient = :recipient, subject = :subject, text_body = :text_body,
                 html_body = :html_body
             where mailbox = :mailbox and kind = :kind and topic = :topic and charged_at > :now
                 and state = 'queued' and attempts = 0 and created_at <= :now",
        )?
        .execute(named_params! {
            ":recipient": message.recipient().as_str(),
            ":subject": message.subject(),
            ":text_body": bodies.text,
            ":html_body": bodies.html,
            ":mailbox": charge.mailbox,
            ":kind": message.kind(),
            ":topic": charge.topic,
            ":now": now.as_second(),
        })?;
    Ok(replaced > 0)
}

/// How long the oldest e-mail that still has to leave has been waiting since it was written, or
/// began anew, in seconds; none when nothing waits.
pub fn oldest_due_age(connection: &Connection, now: Timestamp) -> Result<Option<i64>> {
    let oldest: Option<i64> = connection
        .prepare_cached("select min(coalesce(renewed_at, created_at)) from outbox where state = 'queued'")?
        .query_row([], |row| row.get(0))?;
    Ok(oldest.map(|begun_at| now.as_second().saturating_sub(begun_at).max(0)))
}

/// An e-mail as it leaves.
#[derive(Debug, Clone)]
pub(super) struct Outgoing {
    pub(super) id: i64,
    pub(super) message_id: String,
    pub(super) recipient: String,
    pub(super) reply_to: Option<String>,
    pub(super) subject: String,
    pub(super) text: String,
    pub(super) html: String,
    pub(super) created_at: Timestamp,
}

/// Takes up to `max` due e-mails for an attempt: the urgent ones first, and of those the longest due.
pub(super) fn claim(connection: &Connection, now: Timestamp, max: u32) -> Result<Vec<Outgoing>> {
    let mut emails = Vec::new();
    for urgency in Urgency::ALL {
        for condition in [DUE, FROM_A_FASTER_CLOCK] {
            let room = max.saturating_sub(u32::try_from(emails.len()).unwrap_or(max));
            if room > 0 {
                emails.extend(claim_some(connection, urgency, condition, now, room)?);
            }
        }
    }
    Ok(emails)
}

const DUE: &str = "next_attempt_at <= :now";

fn claimable(condition: &str) -> String {
    format!(
        "select id, message_id, recipient, reply_to, subject, text_body, html_body, created_at, attempts,
             coalesce(renewed_at, created_at) as begun_at
         from outbox
         where state = 'queued' and urgency = :urgency and {condition}
         order by next_attempt_at, id limit :limit"
    )
}

fn claim_some(
    connection: &Connection,
    urgency: Urgency,
    condition: &str,
    now: Timestamp,
    max: u32,
) -> Result<Vec<Outgoing>> {
    let mut select = connection.prepare_cached(&claimable(condition))?;
    let due = select
        .query_map(
            named_params! { ":urgency": urgency.number(), ":now": now.as_second(), ":limit": max },
            |row| {
                let email = Outgoing {
                    id: row.get("id")?,
                    message_id: row.get("message_id")?,
                    recipient: row.get("recipient")?,
                    reply_to: row.get("reply_to")?,
                    subject: row.get("subject")?,
                    text: row.get("text_body")?,
                    html: row.get("html_body")?,
                    created_at: from_seconds(row.get("created_at")?),
                };
                Ok((email, row.get("begun_at")?, row.get("attempts")?))
            },
        )?
        .collect::<rusqlite::Result<Vec<(Outgoing, i64, i64)>>>()?;
    let mut update = connection.prepare_cached(
        "update outbox set attempts = attempts + 1, next_attempt_at = :next_attempt_at where id = :id",
    )?;
    for (email, begun_at, attempts) in &due {
        update.execute(named_params! {
            ":id": email.id,
            ":next_attempt_at": next_attempt(*begun_at, *attempts, now),
        })?;
    }
    Ok(due.into_iter().map(|(email, ..)| email).collect())
}

/// When the next e-mail is due, `now` at the earliest; none when nothing waits.
pub(super) fn next_due(connection: &Connection, now: Timestamp) -> Result<Option<i64>> {
    let next = connection
        .prepare_cached(&format!(
            "select min(iif({FROM_A_FASTER_CLOCK}, :now, max(next_attempt_at, :now)))
             from outbox where state = 'queued'"
        ))?
        .query_row(named_params! { ":now": now.as_second() }, |row| row.get(0))
        .optional()?;
    Ok(next.flatten())
}

/// Notes a delivery, to a mail server or only into a file, and forgets the text, whose links are
/// secrets.
pub(super) fn mark_sent(connection: &Connection, id: i64, is_in_file: bool, now: Timestamp) -> Result<()> {
    connection
        .prepare_cached(
            "update outbox set state = 'sent', sent_at = :now, is_in_file = :is_in_file, text_body = null,
                 html_body = null, last_error = null where id = :id",
        )?
        .execute(named_params! { ":id": id, ":is_in_file": is_in_file, ":now": now.as_second() })?;
    Ok(())
}

/// Notes a failed attempt; the e-mail is dead if the failure is final or its time is up. Returns
/// whether it is dead.
pub(super) fn mark_failed(
    connection: &Connection,
    id: i64,
    reason: &str,
    is_final: bool,
    now: Timestamp,
) -> Result<bool> {
    let dead = connection
        .prepare_cached(
            "update outbox set last_error = :reason,
                 state = iif(:is_final or coalesce(renewed_at, created_at) + :give_up_after <= :now, 'dead', state)
             where id = :id and state = 'queued' returning state = 'dead'",
        )?
        .query_row(
            named_params! {
                ":id": id,
                ":reason": reason,
                ":is_final": is_final,
                ":give_up_after": GIVE_UP_AFTER,
                ":now": now.as_second(),
            },
            |row| row.get(0),
        )
        .optional()?;
    Ok(dead.unwrap_or(false))
}

/// A new Message-ID, drawn once for each e-mail.
pub(super) fn draw_message_id(school: &School) -> Result<String> {
    let host = school.email.domain();
    super::message::one_line(host)?;
    if host.contains(['<', '>', ' ']) {
        return Err(anyhow!("school.email has no usable host").into());
    }
    Ok(format!("<{}@{host}>", random::hex(&random::bytes::<16>()?)))
}

/// When to try again should the attempt that begins now fail, after `failed` earlier failures; the
/// last attempt falls on the moment the e-mail's time is up.
fn next_attempt(begun_at: i64, failed: i64, now: Timestamp) -> i64 {
    let doublings = u32::try_from(failed.clamp(0, 16)).unwrap_or(16);
    let pause = (FIRST_PAUSE << doublings).min(MAX_PAUSE);
    let last = begun_at + GIVE_UP_AFTER;
    (now.as_second() + pause).min(last.max(now.as_second() + FIRST_PAUSE))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::base::email::Email;
    use crate::mail::Kind;

    const HOUR: i64 = 3600;

    pub(in crate::mail) fn table() -> Connection {
        let connection = Connection::open_in_memory().unwrap();
        connection
            .execute_batch("create table students (id integer primary key); insert into students values (1)")
            .unwrap();
        for migration in [
            include_str!("../../migrations/V10__mail.sql"),
            include_str!("../../migrations/V13__mail_office.sql"),
            include_str!("../../migrations/V17__mail_budget.sql"),
        ] {
            connection.execute_batch(migration).unwrap();
        }
        connection
    }

    pub(in crate::mail) fn sample() -> EmailMessage {
        EmailMessage::to(Kind::Verification, &Email::parse("mei@example.org").unwrap(), "Verify")
            .greeting(None)
            .button("Verify", "https://school.example/verify?token=secret")
    }

    fn at(seconds: i64) -> Timestamp {
        from_seconds(seconds)
    }

    fn state(connection: &Connection) -> (String, i64, Option<String>, Option<String>) {
        connection
            .query_row("select state, attempts, text_body, last_error from outbox", [], |row| {
                Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
            })
            .unwrap()
    }

    #[test]
    fn the_pause_doubles_from_a_minute_to_four_hours_and_ends_after_two_days() {
        let minutes =
            |failed, at_minute: i64| (next_attempt(0, failed, at(at_minute * 60)) - at_minute * 60) / 60;
        let table =
            [(0, 1), (1, 2), (2, 4), (3, 8), (4, 16), (5, 32), (6, 64), (7, 128), (8, 240), (99, 240)];
        for (failed, pause) in table {
            assert_eq!(minutes(failed, 300), pause, "after {failed} failures");
        }
        assert_eq!(minutes(15, 47 * 60), 60, "the last attempt falls on the 48th hour");
        assert_eq!(minutes(15, 49 * 60), 1, "an attempt that was cut off is repeated soon");
    }

    #[test]
    fn a_failing_email_makes_its_attempts_and_dies_in_the_48th_hour() {
        let connection = table();
        enqueue(&connection, &sample(), Cause::Office, &Config::default(), at(0)).unwrap();
        let (mut now, mut attempts) = (0, 0);
        loop {
            assert_eq!(claim(&connection, at(now), 16).unwrap().len(), 1);
            assert!(claim(&connection, at(now), 16).unwrap().is_empty(), "claimed twice");
            attempts += 1;
            if mark_failed(&connection, 1, "no answer", false, at(now)).unwrap() {
                break;
            }
            now = next_due(&connection, at(now)).unwrap().unwrap();
        }
        assert_eq!((now, attempts), (48 * HOUR, 20));
        let (state, counted, text, error) = state(&connection);
        assert_eq!((state.as_str(), counted, error.as_deref()), ("dead", attempts, Some("no answer")));
        assert!(text.is_some(), "a dead e-mail can be sent again");
        assert_eq!(next_due(&connection, at(0)).unwrap(), None);
    }

    #[test]
    fn an_email_of_a_clock_that_was_put_back_is_due_at_once_and_no_other_is() {
        let connection = table();
        enqueue(&connection, &sample(), Cause::Office, &Config::default(), at(9 * HOUR)).unwrap();
        assert_eq!(next_due(&connection, at(HOUR)).unwrap(), Some(HOUR), "it was never tried");
        assert_eq!(claim(&connection, at(HOUR), 16).unwrap().len(), 1);
        let mut now = HOUR;
        for failed in 0..20 {
            let next = next_due(&connection, at(now)).unwrap().unwrap();
            assert!(claim(&connection, at(next - 1), 16).unwrap().is_empty(), "early after {failed}");
            assert_eq!(next_due(&connection, at(now - 1)).unwrap(), Some(now - 1), "put back by a second");
            now = next;
            assert_eq!(claim(&connection, at(now), 16).unwrap().len(), 1);
        }
    }

    #[test]
    fn a_final_failure_kills_at_once() {
        let connection = table();
        enqueue(&connection, &sample(), Cause::Office, &Config::default(), at(0)).unwrap();
        claim(&connection, at(0), 16).unwrap();
        assert!(mark_failed(&connection, 1, "no such mailbox", true, at(1)).unwrap());
        assert_eq!(oldest_due_age(&connection, at(100)).unwrap(), None);
    }

    #[test]
    fn a_sent_email_keeps_no_secret() {
        let connection = table();
        enqueue(&connection, &sample(), Cause::Office, &Config::default(), at(0)).unwrap();
        assert_eq!(oldest_due_age(&connection, at(90)).unwrap(), Some(90));
        let claimed = claim(&connection, at(90), 16).unwrap();
        assert!(claimed[0].text.contains("token=secret") && claimed[0].html.contains("token=secret"));
        assert_eq!(oldest_due_age(&connection, at(120)).unwrap(), Some(120), "still waiting");
        mark_sent(&connection, 1, false, at(121)).unwrap();
        assert_eq!(state(&connection), ("sent".into(), 1, None, None));
        let html: Option<String> =
            connection.query_row("select html_body from outbox", [], |row| row.get(0)).unwrap();
        assert_eq!((html, oldest_due_age(&connection, at(200)).unwrap()), (None, None));
    }

    #[test]
    fn every_email_has_a_message_id_of_its_own() {
        let connection = table();
        for _ in 0..2 {
            enqueue(&connection, &sample(), Cause::Office, &Config::default(), at(0)).unwrap();
        }
        let claimed = claim(&connection, at(0), 16).unwrap();
        assert_ne!(claimed[0].message_id, claimed[1].message_id);
        assert!(claimed.iter().all(|one| one.message_id.ends_with("@northgate.example>")));
    }

    #[test]
    fn a_refused_email_leaves_no_row() {
        let connection = table();
        let message = EmailMessage::to(
            Kind::Verification,
            &Email::parse("mei@example.org").unwrap(),
            "Hi\r\nBcc: all@example.org",
        );
        assert!(enqueue(&connection, &message, Cause::Office, &Config::default(), at(0)).is_err());
        assert_eq!(next_due(&connection, at(0)).unwrap(), None);
    }

    #[test]
    fn an_urgent_email_does_not_wait_behind_eighteen_hundred_others() {
        let connection = table();
        let notice =
            EmailMessage::to(Kind::EnrollmentDecision, &Email::parse("li@example.org").unwrap(), "Approved");
        for second in 0..1800 {
            enqueue(&connection, &notice, Cause::Office, &Config::default(), at(second)).unwrap();
        }
        enqueue(&connection, &sample(), Cause::Visitor, &Config::default(), at(1800)).unwrap();
        let batch = claim(&connection, at(1800), 16).unwrap();
        assert_eq!((batch.len(), batch[0].recipient.as_str()), (16, "mei@example.org"));
        assert_eq!((batch[1].id, batch[15].id), (1, 15), "then the longest due");
    }

    #[test]
    fn what_is_due_and_what_was_charged_comes_from_an_index_in_its_order() {
        let connection = table();
        let charged = |what: &str| {
            format!(
                "select charged_at from outbox where {what} order by charged_at desc limit 1 offset :skip"
            )
        };
        for (sql, index) in [
            (claimable(DUE), "outbox_queue (urgency=? AND next_attempt_at<?)"),
            (claimable(FROM_A_FASTER_CLOCK), "outbox_queue (urgency=?)"),
            (
                charged(
                    "mailbox = :m and kind = :k and topic = :t and charged_at > :s and created_at <= :now",
                ),
                "outbox_mailbox (mailbox=? AND kind=? AND topic=? AND charged_at>?)",
            ),
            (
                charged("caused_by = :account and charged_at > :since and created_at <= :now"),
                "outbox_account (caused_by=? AND charged_at>?)",
            ),
        ] {
            let mut explain = connection.prepare(&format!("explain query plan {sql}")).unwrap();
            let unbound: &[(&str, &dyn rusqlite::ToSql)] = &[];
            let plan: Vec<String> =
                explain.query_map(unbound, |row| row.get("detail")).unwrap().map(Result::unwrap).collect();
            assert!(plan.len() == 1 && plan[0].ends_with(index), "{sql}: {plan:#?}");
        }
    }
}
