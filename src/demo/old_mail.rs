//! Removes old emails: otherwise all decisions of the past months would be written into `mail/` when the demo starts;
//! only those of the last ten days stay.

use jiff::{SignedDuration, Timestamp};
use rusqlite::Connection;

use crate::base::error::Result;
use crate::mail::outbox;

const KEPT: SignedDuration = SignedDuration::from_hours(24 * 10);

/// Deletes older emails, none of which has left.
pub fn forget(connection: &Connection, now: Timestamp) -> Result<()> {
    outbox::delete_unsent_before(connection, now - KEPT)
}
