//! Delivery records for the office: listing, retrying and deleting emails.
//!
//! Rows never include an email's text: its links are secrets, also from the office's own staff.

use jiff::Timestamp;
use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;

use super::budget;
use crate::base::clock::from_seconds;
use crate::base::closed_set::{ClosedSet, closed_set};
use crate::base::error::Result;
use crate::storage::columns::Columns;
use crate::storage::statements::{FromRow, Statements, params};
use crate::storage::waiting::Waits;

closed_set! {
    /// The state of an email.
    pub enum EmailStatus {
        /// Waiting to be sent.
        Queued = "queued",
        /// Accepted by the mail server.
        Sent = "sent",
        /// Given up.
        Dead = "dead",
    }
}

/// Seconds to keep a delivered email: 90 days, long enough for "I never got it" and no longer, because its address and
/// subject are personal data.
const SENT_KEPT: i64 = 90 * DAY;
/// Seconds to keep an email that was given up: a year, as the office may still have to write to these people.
const DEAD_KEPT: i64 = 365 * DAY;
const DAY: i64 = 24 * 3600;
/// Rows deleted per sweep, so that the first one after years does not delay other writes.
const SWEPT: i64 = 2000;

/// State of one email.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MailRecord {
    /// Id of the email.
    pub id: i64,
    /// Recipient's address.
    pub recipient: String,
    /// Subject.
    pub subject: String,
    /// State.
    pub status: EmailStatus,
    /// Attempts since it was created or renewed.
    pub attempts: i64,
    /// Time of the next attempt, while it waits.
    #[schema(required)]
    pub next_attempt_at: Option<Timestamp>,
    /// Why the last attempt failed, without addresses.
    #[schema(required)]
    pub last_error: Option<String>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When the mail server accepted it, or when it was written as a file.
    #[schema(required)]
    pub sent_at: Option<Timestamp>,
    /// Whether it was only written as a file, because no mail server was configured.
    pub is_in_file: bool,
    /// When the office marked it as settled; it is not sent then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub settled_at: Option<Timestamp>,
}

/// The columns of a [`MailRecord`].
pub const COLUMNS: &str =
    "id, recipient, subject, state, attempts, next_attempt_at, last_error, created_at, sent_at,
     is_in_file, settled_at";

/// Finds an email.
pub fn find(connection: &Connection, id: i64) -> Result<Option<MailRecord>> {
    connection.find(&format!("select {COLUMNS} from outbox where id = :id"), params![id])
}

/// Emails to an address, newest first.
pub fn list_to(connection: &Connection, recipient: &str, max: i64) -> Result<Vec<MailRecord>> {
    let sql = format!(
        "select {COLUMNS} from outbox where recipient = :recipient
         order by created_at desc, id desc limit :max"
    );
    connection.list(&sql, params![recipient, max])
}

/// An address during the time in which it was a reader's.
#[derive(Debug, Clone, Copy)]
pub struct DatedAddress<'a> {
    /// The address.
    pub recipient: &'a str,
    /// First moment.
    pub since: Timestamp,
    /// Last moment.
    pub until: Timestamp,
}

/// Emails to an address during its time, newest first.
pub fn list_between(
    connection: &Connection,
    address: &DatedAddress<'_>,
    max: i64,
) -> Result<Vec<MailRecord>> {
    let sql = format!(
        "select {COLUMNS} from outbox
         where recipient = :recipient and created_at between :since and :until
         order by created_at desc, id desc limit :max"
    );
    let since = address.since.as_second();
    let until = address.until.as_second();
    connection.list(&sql, params![recipient = address.recipient, since, until, max])
}

/// Condition: the email was given up, and the office has not settled it.
pub const UNSETTLED: &str = "state = 'dead' and settled_at is null";

/// Counts emails that were given up and neither resent nor settled.
pub fn waiting(connection: &Connection) -> Result<Waits> {
    let sql = format!(
        "select count(*) as count, min(created_at) as oldest from outbox indexed by outbox_unsettled
         where {UNSETTLED}"
    );
    Waits::read(connection, &sql, [])
}

/// Marks an email that was given up as settled.
pub fn settle(connection: &Connection, id: i64, now: Timestamp) -> Result<()> {
    let sql = format!("update outbox set settled_at = :now where id = :id and {UNSETTLED}");
    connection.run(&sql, params![id, now = now.as_second()])
}

/// The emails that [`waiting`] counts, oldest first.
pub fn list_dead(connection: &Connection) -> Result<Vec<MailRecord>> {
    connection.list(&format!("select {COLUMNS} from outbox where {UNSETTLED} order by created_at, id"), [])
}

/// Renews an unsent email: due now, with no attempts counted and full time.
pub fn renew(connection: &Connection, id: i64, now: Timestamp) -> Result<()> {
    let sql = "update outbox set state = 'queued', attempts = 0, next_attempt_at = :now, renewed_at = :now,
            settled_at = null
        where id = :id and state != 'sent'";
    connection.run(sql, params![id, now = now.as_second()])
}

/// Deletes emails sent 90 days ago or given up a year ago. Returns the number; more may be left for the next sweep.
pub fn sweep(connection: &Connection, now: Timestamp) -> Result<usize> {
    let old = |state: EmailStatus, since: &str, kept: i64| {
        // Sending and renewal are never before creation, so the index on created_at limits the scan.
        let sql = format!(
            "delete from outbox where id in (select id from outbox
                 where state = '{}' and created_at <= :before and {since} <= :before limit :limit)",
            state.as_str()
        );
        let before = now.as_second() - kept;
        connection.change(&sql, params![before, limit = SWEPT])
    };
    budget::sweep(connection, now)?;
    Ok(old(EmailStatus::Sent, "sent_at", SENT_KEPT)?
        + old(EmailStatus::Dead, "coalesce(renewed_at, created_at)", DEAD_KEPT)?)
}

impl FromRow for MailRecord {
    fn read(row: &Columns<'_, '_>) -> rusqlite::Result<Self> {
        let status = row.read("state")?;
        let next = row.read("next_attempt_at")?;
        Ok(MailRecord {
            id: row.read("id")?,
            recipient: row.read("recipient")?,
            subject: row.read("subject")?,
            next_attempt_at: (status == EmailStatus::Queued).then(|| from_seconds(next)),
            status,
            attempts: row.read("attempts")?,
            last_error: row.read("last_error")?,
            created_at: row.read("created_at")?,
            sent_at: row.read("sent_at")?,
            is_in_file: row.read("is_in_file")?,
            settled_at: row.read("settled_at")?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::budget::Cause;
    use super::super::outbox::tests::sample;
    use super::super::outbox::{claim, enqueue, mark_failed, mark_sent};
    use super::*;
    use crate::config::{Config, School};
    use crate::storage::db;

    fn database() -> (tempfile::TempDir, Connection) {
        let folder = tempfile::tempdir().unwrap();
        let connection = db::open(&folder.path().join("school.db")).unwrap();
        (folder, connection)
    }

    /// An email created and given up at this time.
    fn dead(connection: &Connection, at: i64) -> i64 {
        enqueue(connection, &sample(), Cause::Office, &Config::default(), from_seconds(at)).unwrap();
        let id = connection.last_insert_rowid();
        assert!(mark_failed(connection, id, "no such mailbox", true, from_seconds(at)).unwrap());
        id
    }

    #[test]
    fn a_renewed_email_has_its_full_time_again() {
        let (_folder, connection) = database();
        let id = dead(&connection, 0);
        let now = 30 * DAY;
        renew(&connection, id, from_seconds(now)).unwrap();
        assert_eq!(waiting(&connection).unwrap().count, 0);
        let claimed = claim(&connection, from_seconds(now), 16).unwrap();
        let bodies = claimed[0].bodies(&School::default());
        assert!(bodies.text.contains("token=secret"), "its text was kept");
        assert!(!mark_failed(&connection, id, "no answer", false, from_seconds(now)).unwrap());
        let found = find(&connection, id).unwrap().unwrap();
        assert_eq!((found.status, found.attempts), (EmailStatus::Queued, 1));
        assert_eq!(found.next_attempt_at.unwrap().as_second(), now + 60, "the pauses start over, too");
        let end = from_seconds(now + 2 * DAY);
        assert!(mark_failed(&connection, id, "no answer", false, end).unwrap());
    }

    #[test]
    fn a_sent_email_cannot_be_renewed() {
        let (_folder, connection) = database();
        enqueue(&connection, &sample(), Cause::Office, &Config::default(), from_seconds(0)).unwrap();
        mark_sent(&connection, 1, false, from_seconds(5)).unwrap();
        renew(&connection, 1, from_seconds(9)).unwrap();
        assert!(claim(&connection, from_seconds(9), 16).unwrap().is_empty());
    }

    #[test]
    fn sent_emails_are_forgotten_after_90_days_and_dead_ones_after_a_year() {
        let (_folder, connection) = database();
        let ids = || -> Vec<i64> { connection.list("select id from outbox order by id", []).unwrap() };
        for id in [1, 2] {
            enqueue(&connection, &sample(), Cause::Office, &Config::default(), from_seconds(0)).unwrap();
            mark_sent(&connection, id, false, from_seconds(id)).unwrap();
        }
        enqueue(&connection, &sample(), Cause::Office, &Config::default(), from_seconds(0)).unwrap();
        dead(&connection, 1);
        let renewed = dead(&connection, 0);
        renew(&connection, renewed, from_seconds(40 * DAY)).unwrap();
        mark_failed(&connection, renewed, "no such mailbox", true, from_seconds(40 * DAY)).unwrap();
        for (now, left) in [
            (90 * DAY, vec![1, 2, 3, 4, 5]),
            (90 * DAY + 1, vec![2, 3, 4, 5]),
            (365 * DAY, vec![3, 4, 5]),
            (365 * DAY + 1, vec![3, 5]),
            (405 * DAY, vec![3]),
            (9999 * DAY, vec![3]),
        ] {
            sweep(&connection, from_seconds(now)).unwrap();
            assert_eq!(ids(), left, "after {now} seconds; what waits is never forgotten");
        }
    }
}
