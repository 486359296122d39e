//! A student's new password, and what ends with the one before.

use jiff::Timestamp;
use rusqlite::Connection;

use super::{links, store};
use crate::base::error::Result;
use crate::web::portal::Portal;
use crate::web::session;

/// Gives a student a new password and ends whatever was opened under the old one: every link, an
/// address that waits for its confirmation, every session. The browser that asked goes on by
/// [`session::renew`].
pub fn replace_password(connection: &Connection, student_id: i64, hash: &str, now: Timestamp) -> Result<()> {
    store::set_password(connection, student_id, hash, now)?;
    links::end_all(connection, student_id)?;
    session::end_all(connection, Portal::Student, student_id).map(drop)
}
