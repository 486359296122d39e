//! The `contact_messages` table.

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, ToSql, named_params};

use super::ContactMessage;
use super::rules::NewMessage;
use super::status::MessageStatus;
use crate::base::clock::from_seconds;
use crate::base::error::Result;
use crate::storage::columns::{ColumnPositions, Columns};
use crate::storage::waiting::Waits;
use crate::web::pagination::{List, Listed, PageRequest};

const COLUMNS: &str = "id, name, email, phone, subject, message, status, created_at";

/// Keeps a message as new and returns its number.
pub fn insert(connection: &Connection, new: &NewMessage, now: Timestamp) -> Result<i64> {
    connection
        .prepare_cached(
            "insert into contact_messages (name, email, phone, subject, message, status, created_at)
             values (:name, :email, :phone, :subject, :message, 'new', :now)",
        )?
        .execute(named_params! {
            ":name": new.name, ":email": new.email.as_str(), ":phone": new.phone,
            ":subject": new.subject, ":message": new.message, ":now": now.as_second(),
        })?;
    Ok(connection.last_insert_rowid())
}

/// The messages of a page, newest first: all of them, or those in one state.
pub fn list(
    connection: &Connection,
    page: &PageRequest,
    status: Option<MessageStatus>,
) -> Result<Listed<ContactMessage>> {
    match status {
        None => page.read(connection, &all(), message),
        Some(status) => page.read(connection, &in_state(&[(":status", &status)]), message),
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
    Ok(connection
        .prepare_cached(&format!("select {COLUMNS} from contact_messages where id = :id"))?
        .query_row(named_params! { ":id": id }, |row| message(&Columns::of(row)))
        .optional()?)
}

/// What came from an address, the newest first.
pub fn list_from(connection: &Connection, email: &str, max: i64) -> Result<Vec<ContactMessage>> {
    let places = ColumnPositions::default();
    let rows = connection
        .prepare_cached(&format!(
            "select {COLUMNS} from contact_messages where email = :email
             order by created_at desc, id desc limit :limit"
        ))?
        .query_map(named_params! { ":email": email, ":limit": max }, |row| message(&places.of(row)))?
        .collect::<rusqlite::Result<_>>()?;
    Ok(rows)
}

/// Puts a message into another state.
pub fn set_status(connection: &Connection, id: i64, status: MessageStatus) -> Result<()> {
    connection
        .prepare_cached("update contact_messages set status = :status where id = :id")?
        .execute(named_params! { ":id": id, ":status": status })?;
    Ok(())
}

/// Deletes a message, and what was agreed to with it.
pub fn delete(connection: &Connection, id: i64) -> Result<()> {
    connection
        .prepare_cached("delete from contact_messages where id = :id")?
        .execute(named_params! { ":id": id })?;
    Ok(())
}

/// Messages that have not been read.
pub fn waiting(connection: &Connection) -> Result<Waits> {
    const SQL: &str = "select count(*) as count, min(created_at) as oldest
         from contact_messages where status = 'new'";
    Waits::read(connection, SQL, [])
}

fn message(row: &Columns<'_, '_>) -> rusqlite::Result<ContactMessage> {
    Ok(ContactMessage {
        id: row.get("id")?,
        name: row.get("name")?,
        email: row.get("email")?,
        phone: row.get("phone")?,
        subject: row.get("subject")?,
        message: row.get("message")?,
        status: row.get("status")?,
        created_at: from_seconds(row.get("created_at")?),
    })
}

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
