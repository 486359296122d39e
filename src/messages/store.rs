//! The `contact_messages` table.

use jiff::Timestamp;
use rusqlite::{Connection, ToSql};

use super::ContactMessage;
use super::query::MessagesFilter;
use super::rules::NewMessage;
use super::status::MessageStatus;
use crate::base::error::Result;
use crate::staff::{Assignee, HeldItem};
use crate::storage::statements::{Statements, from_row, params};
use crate::storage::waiting::Waits;
use crate::web::pagination::{List, Listed, PageRequest};

const SELECT: &str = "select m.id, m.name, m.email, m.phone, m.subject, m.message, m.status, m.created_at,
        reference('M', m.id, m.created_at) as reference,
        m.assignee_id, u.username as assignee, m.request_id, m.first_reply_at
    from contact_messages m left join users u on u.id = m.assignee_id";

/// Keeps a message as new and returns its number. Of the email that confirms it, the Message-ID is kept: replies refer to
/// it for as long as there is the message.
pub fn insert(
    connection: &Connection,
    new: &NewMessage,
    confirmation: Option<i64>,
    now: Timestamp,
) -> Result<i64> {
    let sql = "insert into contact_messages (name, email, phone, subject, message, status, created_at, confirmation_id)
        values (:name, :email, :phone, :subject, :message, 'new', :now,
            (select message_id from outbox where id = :confirmation))";
    let values = params! {
        name = new.name, email = new.email.as_str(), phone = new.phone, subject = new.subject,
        message = new.message, now = now.as_second(), confirmation,
    };
    connection.insert(sql, values)
}

/// The messages of a page, newest first.
pub fn list(
    connection: &Connection,
    page: &PageRequest,
    filter: &MessagesFilter,
) -> Result<Listed<ContactMessage>> {
    let assignee = filter.assignee.and_then(Assignee::user_id);
    let values: [(&str, &dyn ToSql); 2] = [(":status", &filter.status), (":assignee", &assignee)];
    page.read(connection, &statements(filter, &values))
}

fn statements<'a>(filter: &MessagesFilter, values: &'a [(&'a str, &'a dyn ToSql)]) -> List<'a> {
    let assignee = match filter.assignee {
        None => "",
        Some(Assignee::None) => "m.assignee_id is null and",
        Some(Assignee::Colleague(_)) => "m.assignee_id = :assignee and",
    };
    let conditions = match filter.status {
        None => assignee.to_owned(),
        Some(_) => format!("{assignee} m.status = :status and"),
    };
    let found = "(matches_terms(concat_ws(' ', m.name, m.email, m.phone, m.message), :words)
            or matches_terms(reference('M', m.id, m.created_at), :words))";
    List {
        rows: format!(
            "{SELECT} where {conditions} {found}
             order by m.created_at desc, m.id desc limit :limit offset :offset"
        ),
        count: format!("select count(*) from contact_messages m where {conditions} true"),
        filter: values,
    }
}

/// One message.
pub fn find(connection: &Connection, id: i64) -> Result<Option<ContactMessage>> {
    connection.find(&format!("{SELECT} where m.id = :id"), params![id])
}

/// What came from an address, the newest first.
pub fn list_from(connection: &Connection, email: &str, max: i64) -> Result<Vec<ContactMessage>> {
    let sql = format!("{SELECT} where m.email = :email order by m.created_at desc, m.id desc limit :limit");
    connection.list(&sql, params![email, limit = max])
}

/// The Message-ID of the confirmation; `None` if none was sent.
pub fn confirmation(connection: &Connection, id: i64) -> Result<Option<String>> {
    connection.one("select confirmation_id from contact_messages where id = :id", params![id])
}

/// Notes when the office first replied, after a reply was added or taken back.
pub fn note_first_reply(connection: &Connection, id: i64) -> Result<()> {
    let sql = "update contact_messages set first_reply_at =
            (select min(at) from message_replies where message_id = :id and kind = 'reply')
        where id = :id";
    connection.run(sql, params![id])
}

/// Puts a message into another state.
pub fn set_status(connection: &Connection, id: i64, status: MessageStatus) -> Result<()> {
    connection.run("update contact_messages set status = :status where id = :id", params![id, status])
}

/// Assigns a message to a staff member, or to none.
pub fn set_assignee(connection: &Connection, id: i64, user_id: Option<i64>) -> Result<()> {
    connection.run("update contact_messages set assignee_id = :user_id where id = :id", params![id, user_id])
}

/// The messages in progress that a member of the staff works on, the oldest first.
pub fn held_by(connection: &Connection, user_id: i64) -> Result<Vec<HeldItem>> {
    let sql = "select id, reference('M', id, created_at) as reference, name, created_at as since
        from contact_messages indexed by contact_messages_assignee_status
        where assignee_id = :user_id and status in ('new', 'open', 'replied') order by created_at, id";
    connection.list(sql, params![user_id])
}

/// Notes the application that was made of a message; false if there is no such message.
pub fn set_request(connection: &Connection, id: i64, request_id: i64) -> Result<bool> {
    let sql = "update contact_messages set request_id = :request_id where id = :id";
    Ok(connection.change(sql, params![id, request_id])? > 0)
}

/// Deletes a message, and what was agreed to with it.
pub fn delete(connection: &Connection, id: i64) -> Result<()> {
    connection.run("delete from contact_messages where id = :id", params![id])
}

/// Messages in a state: those that have not been read, or not been answered.
pub fn waiting(connection: &Connection, status: MessageStatus) -> Result<Waits> {
    const SQL: &str = "select count(*) as count, min(created_at) as oldest
         from contact_messages where status = :status";
    Waits::read(connection, SQL, params![status])
}

from_row!(ContactMessage {
    id,
    name,
    email,
    phone,
    subject,
    message,
    status,
    created_at,
    reference,
    assignee_id,
    assignee,
    request_id,
    first_reply_at,
});

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::db;
    use crate::web::pagination::testing::assert_comes_from_index;

    #[test]
    fn the_first_page_of_messages_comes_from_an_index() {
        let folder = tempfile::tempdir().unwrap();
        let connection = db::open(&folder.path().join("school.db")).unwrap();
        for (assignee, [all, in_state]) in [
            (None, ["contact_messages_created", "contact_messages_status"]),
            (Some(Assignee::None), ["contact_messages_assignee", "contact_messages_assignee_status"]),
            (Some(Assignee::Colleague(1)), ["contact_messages_assignee", "contact_messages_assignee_status"]),
        ] {
            let list = |status| statements(&MessagesFilter { status, assignee }, &[]);
            assert_comes_from_index(&connection, &list(None), all);
            assert_comes_from_index(&connection, &list(Some(MessageStatus::New)), in_state);
        }
    }
}
