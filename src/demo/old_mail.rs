//! Removes old emails: otherwise all decisions of the past months would be written into `mail/` when the demo starts;
//! only those of the last two weeks stay.

use jiff::{SignedDuration, Timestamp};
use rusqlite::Connection;

use crate::base::error::Result;
use crate::mail::outbox;
use crate::storage::statements::{Statements, params};

const KEPT: SignedDuration = SignedDuration::from_hours(24 * 14);

/// Deletes the unsent emails of older decisions.
pub fn forget(connection: &Connection, now: Timestamp) -> Result<()> {
    let sql = "select distinct decision_id from outbox
        where decision_id is not null and created_at < :before order by decision_id";
    let decisions: Vec<String> = connection.list(sql, params![before = (now - KEPT).as_second()])?;
    for decision in decisions {
        outbox::delete_held(connection, &decision)?;
    }
    Ok(())
}
