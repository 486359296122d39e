//! What became of each e-mail: read for the office, begun anew, and forgotten.
//!
//! No row that leaves here holds an e-mail's text: the links in it are secrets, the office's own
//! staff included.

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
    /// The state of an e-mail.
    pub enum EmailStatus {
        /// Waits to be sent.
        Queued = "queued",
        /// The mail server took it.
        Sent = "sent",
        /// It was given up.
        Dead = "dead",
    }
}

/// A delivered e-mail is remembered for 90 days: long enough for "I never got it", and no longer
/// than that, because its address and subject are personal data.
const SENT_KEPT: i64 = 90 * DAY;
/// A dead e-mail is kept for a year: somebody may still have to write to these people.
const DEAD_KEPT: i64 = 365 * DAY;
const DAY: i64 = 24 * 3600;
/// Rows deleted at once, so that a first sweep after years holds up no other write.
const SWEPT: i64 = 2000;

/// What became of one e-mail.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MailRecord {
    /// Number of the e-mail.
    pub id: i64,
    /// Whom it is for.
    pub recipient: String,
    /// What it is about.
    pub subject: String,
    /// What became of it.
    pub status: EmailStatus,
    /// Attempts since it was written, or since the office had it begin anew.
    pub attempts: i64,
    /// When it is tried next, while it waits.
    #[schema(required)]
    pub next_attempt_at: Option<Timestamp>,
    /// Why the last attempt failed, without anybody's address.
    #[schema(required)]
    pub last_error: Option<String>,
    /// When it was written.
    pub created_at: Timestamp,
    /// When the mail server took it, or when it was written as a file.
    #[schema(required)]
    pub sent_at: Option<Timestamp>,
    /// Whether it was only written as a file then, because no mail server was configured.
    pub is_in_file: bool,
    /// When the office settled it in another way; it is not sent then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub settled_at: Option<Timestamp>,
}

/// The columns of [`record`].
pub const COLUMNS: &str =
    "id, recipient, subject, state, attempts, next_attempt_at, last_error, created_at, sent_at,
     is_in_file, settled_at";
/// One e-mail.
pub fn find(connection: &Connection, id: i64) -> Result<Option<MailRecord>> {
    connection.find(&format!("select {COLUMNS} from outbox where id = :id"), params![id])
}

/// What was written to an address, the newest first.
pub fn list_to(connection: &Connection, recipient: &str, max: i64) -> Result<Vec<MailRecord>> {
    let sql = format!(
        "select {COLUMNS} from outbox where recipient = :recipient
         order by created_at desc, id desc limit :max"
    );
    connection.list(&sql, params![recipient, max])
}

/// What was written to an address between two moments, both included, the newest first.
pub fn list_between(
    connection: &Connection,
    recipient: &str,
    (since, until): (Timestamp, Timestamp),
    max: i64,
) -> Result<Vec<MailRecord>> {
    let sql = format!(
        "select {COLUMNS} from outbox
         where recipient = :recipient and created_at between :since and :until
         order by created_at desc, id desc limit :max"
    );
    let (since, until) = (since.as_second(), until.as_second());
    connection.list(&sql, params![recipient, since, until, max])
}

/// A condition: the email was given up, and the office has not settled it.
pub const UNSETTLED: &str = "state = 'dead' and settled_at is null";

/// Emails that were given up, and that the office has neither sent again nor settled.
pub fn waiting(connection: &Connection) -> Result<Waits> {
    let sql = format!(
        "select count(*) as count, min(created_at) as oldest from outbox indexed by outbox_unsettled
         where {UNSETTLED}"
    );
    Waits::read(connection, &sql, [])
}

/// Notes that the office has settled an email that was given up.
pub fn settle(connection: &Connection, id: i64, now: Timestamp) -> Result<()> {
    let sql = format!("update outbox set settled_at = :now where id = :id and {UNSETTLED}");
    connection.run(&sql, params![id, now = now.as_second()])
}

/// The emails that [`waiting`] counts, the oldest first.
pub fn list_dead(connection: &Connection) -> Result<Vec<MailRecord>> {
    connection.list(&format!("select {COLUMNS} from outbox where {UNSETTLED} order by created_at, id"), [])
}

/// Lets an e-mail that was not sent begin anew: due now, no attempt counted, its time not yet up.
pub fn renew(connection: &Connection, id: i64, now: Timestamp) -> Result<()> {
    let sql = "update outbox set state = 'queued', attempts = 0, next_attempt_at = :now, renewed_at = :now,
            settled_at = null
        where id = :id and state != 'sent'";
    connection.run(sql, params![id, now = now.as_second()])
}

/// Forgets what was sent 90 days ago or given up a year ago. Returns how many e-mails; more may be
/// left for the next time.
pub fn sweep(connection: &Connection, now: Timestamp) -> Result<usize> {
    let old = |state: EmailStatus, since: &str, kept: i64| {
        // No e-mail is sent, or begins anew, before it was written: the index on created_at narrows.
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

    /// An e-mail that was written and given up at this instant.
    fn dead(connection: &Connection, at: i64) -> i64 {
        enqueue(connection, &sample(), Cause::Office, &Config::default(), from_seconds(at)).unwrap();
        let id = connection.last_insert_rowid();
        assert!(mark_failed(connection, id, "no such mailbox", true, from_seconds(at)).unwrap());
        id
    }

    #[test]
    fn a_dead_email_that_begins_anew_has_its_time_again() {
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
        assert_eq!(found.next_attempt_at.unwrap().as_second(), now + 60, "the pauses begin anew too");
        let end = from_seconds(now + 2 * DAY);
        assert!(mark_failed(&connection, id, "no answer", false, end).unwrap());
    }

    #[test]
    fn an_email_that_was_sent_never_begins_anew() {
        let (_folder, connection) = database();
        enqueue(&connection, &sample(), Cause::Office, &Config::default(), from_seconds(0)).unwrap();
        mark_sent(&connection, 1, false, from_seconds(5)).unwrap();
        renew(&connection, 1, from_seconds(9)).unwrap();
        assert!(claim(&connection, from_seconds(9), 16).unwrap().is_empty());
    }

    #[test]
    fn sent_emails_are_forgotten_after_90_days_and_dead_ones_after_a_year() {
        let (_folder, connection) = database();
        let ids = || -> Vec<i64> {
            let mut select = connection.prepare("select id from outbox order by id").unwrap();
            select.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
        };
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
