//! The `contact_messages` table.

use jiff::Timestamp;
use rusqlite::{Connection, ToSql};

use super::ContactMessage;
use super::rules::NewMessage;
use super::status::MessageStatus;
use crate::base::error::Result;
use crate::storage::statements::{Statements, from_row, params};
use crate::storage::waiting::Waits;
use crate::web::pagination::{List, Listed, PageRequest};

const COLUMNS: &str = "id, name, email, phone, subject, message, status, created_at";

/// Keeps a message as new and returns its number.
pub fn insert(connection: &Connection, new: &NewMessage, now: Timestamp) -> Result<i64> {
    let sql = "insert into contact_messages (name, email, phone, subject, message, status, created_at)
        values (:name, :email, :phone, :subject, :message, 'new', :now)";
    let values = params! {
        name = new.name, email = new.email.as_str(), phone = new.phone, subject = new.subject,
        message = new.message, now = now.as_second(),
    };
    connection.insert(sql, values)
}

/// The messages of a page, newest first: all of them, or those in one state.
pub fn list(
    connection: &Connection,
    page: &PageRequest,
    status: Option<MessageStatus>,
) -> Result<Listed<ContactMessage>> {
    match status {
        None => page.read(connection, &all()),
        Some(status) => page.read(connection, &in_state(&[(":status", &status)])),
    }
}

const FOUND: &str = "matches_terms(concat_ws(' ', name, email, message), :words)";
const ORDER: &str = "order by created_at desc, id desc limit :limit offset :offset";

fn all() -> List<'static> {
    List {
        rows: format!("select {COLUMNS} from contact_messages where {FOUND} {ORDER}"),
        count: "select count(*) from contact_messages".into(),
        filter: &[],
    }
}

fn in_state<'a>(filter: &'a [(&'a str, &'a dyn ToSql)]) -> List<'a> {
    List {
        rows: format!("select {COLUMNS} from contact_messages where status = :status and {FOUND} {ORDER}"),
        count: "select count(*) from contact_messages where status = :status".into(),
        filter,
    }
}

/// One message.
pub fn find(connection: &Connection, id: i64) -> Result<Option<ContactMessage>> {
    connection.find(&format!("select {COLUMNS} from contact_messages where id = :id"), params![id])
}

/// What came from an address, the newest first.
pub fn list_from(connection: &Connection, email: &str, max: i64) -> Result<Vec<ContactMessage>> {
    let sql = format!(
        "select {COLUMNS} from contact_messages where email = :email
             order by created_at desc, id desc limit :limit"
    );
    connection.list(&sql, params![email, limit = max])
}

/// Puts a message into another state.
pub fn set_status(connection: &Connection, id: i64, status: MessageStatus) -> Result<()> {
    connection.run("update contact_messages set status = :status where id = :id", params![id, status])
}

/// Deletes a message, and what was agreed to with it.
pub fn delete(connection: &Connection, id: i64) -> Result<()> {
    connection.run("delete from contact_messages where id = :id", params![id])
}

/// Messages that have not been read.
pub fn waiting(connection: &Connection) -> Result<Waits> {
    const SQL: &str = "select count(*) as count, min(created_at) as oldest
         from contact_messages where status = 'new'";
    Waits::read(connection, SQL, [])
}

from_row!(ContactMessage { id, name, email, phone, subject, message, status, created_at });

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::db;
    use crate::web::pagination::testing::assert_comes_from_index;

    #[test]
    fn the_first_page_of_messages_comes_from_an_index() {
        let folder = tempfile::tempdir().unwrap();
        let connection = db::open(&folder.path().join("school.db")).unwrap();
        assert_comes_from_index(&connection, &all(), "contact_messages_created");
        assert_comes_from_index(&connection, &in_state(&[]), "contact_messages_status");
    }
}
