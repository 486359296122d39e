//! The tables `message_replies` and `message_notes`: a message with its replies, the visitor's answers and the office's
//! notes.

use jiff::Timestamp;
use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;

use super::{ContactMessage, store};
use crate::base::closed_set::closed_set;
use crate::base::error::Result;
use crate::decisions::{DecidedRow, Undo};
use crate::storage::statements::{Statements, from_row, params};
use crate::web::id::Numbered;

closed_set! {
    /// Direction of what follows a message.
    pub enum ReplyKind {
        /// Sent by the office.
        Reply = "reply",
        /// Answer of the visitor, entered by the office.
        Answer = "answer",
    }
}

/// A reply or an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct MessageReply {
    /// Number of the reply.
    pub id: i64,
    /// Whether the office sent it or the visitor answered.
    pub kind: ReplyKind,
    /// Text, as sent or entered.
    pub body: String,
    /// Username of the staff member who sent or entered it.
    pub by: String,
    /// When.
    pub at: Timestamp,
}

/// An internal note, which visitors never see.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MessageNote {
    /// Number of the note.
    pub id: i64,
    /// Text.
    pub body: String,
    /// Username of the author.
    pub by: String,
    /// When it was written.
    pub created_at: Timestamp,
}

/// A message with its conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MessageThread {
    /// The message.
    #[serde(flatten)]
    pub message: ContactMessage,
    /// Number of the student with the visitor's address; not proof of the sender, as any address can be typed.
    #[schema(required)]
    pub student_id: Option<i64>,
    /// That student's number for people.
    #[schema(required)]
    pub student_number: Option<String>,
    /// Replies and answers, oldest first.
    pub replies: Vec<MessageReply>,
    /// Notes, oldest first.
    pub notes: Vec<MessageNote>,
    /// When the decision of this answer was made; null if nothing was decided.
    #[schema(required)]
    pub decided_at: Option<Timestamp>,
    /// Its undo; null if nothing was decided, or emails are sent at once.
    #[schema(required)]
    pub undo: Option<Undo>,
}

impl DecidedRow for MessageThread {
    fn undo(&self) -> Option<&Undo> {
        self.undo.as_ref()
    }
}

/// A message with its conversation.
///
/// # Errors
/// 404 when there is none.
pub fn find(connection: &Connection, id: i64) -> Result<MessageThread> {
    let message = store::find(connection, id)?.ok_or_else(ContactMessage::not_found)?;
    let sql = "select id, student_number from students where email = :email and status <> 'unverified'";
    let student: Option<(i64, Option<String>)> = connection.find(sql, params![email = message.email])?;
    let (student_id, student_number) = student.unzip();
    Ok(MessageThread {
        student_id,
        student_number: student_number.flatten(),
        replies: list_replies(connection, id)?,
        notes: list_notes(connection, id)?,
        decided_at: None,
        undo: None,
        message,
    })
}

fn list_replies(connection: &Connection, id: i64) -> Result<Vec<MessageReply>> {
    let sql = "select r.id, r.kind, r.body, u.username, r.at
        from message_replies r join users u on u.id = r.user_id
        where r.message_id = :id order by r.at, r.id";
    connection.list(sql, params![id])
}

fn list_notes(connection: &Connection, id: i64) -> Result<Vec<MessageNote>> {
    let sql = "select n.id, n.body, u.username, n.created_at
        from message_notes n join users u on u.id = n.user_id
        where n.message_id = :id order by n.created_at, n.id";
    connection.list(sql, params![id])
}

/// Stores a reply or an answer; returns its id.
pub(super) fn insert_reply(
    connection: &Connection,
    message_id: i64,
    kind: ReplyKind,
    body: &str,
    user_id: i64,
    now: Timestamp,
) -> Result<i64> {
    let sql = "insert into message_replies (message_id, kind, user_id, body, at)
        values (:message_id, :kind, :user_id, :body, :now)";
    let id = connection.insert(sql, params![message_id, kind, user_id, body, now = now.as_second()])?;
    store::note_first_reply(connection, message_id)?;
    Ok(id)
}

/// Deletes a reply that was not sent, or an answer that was entered by mistake.
pub(super) fn delete_reply(connection: &Connection, message_id: i64, id: i64) -> Result<()> {
    connection.run("delete from message_replies where id = :id", params![id])?;
    store::note_first_reply(connection, message_id)
}

/// Stores a note.
pub(super) fn insert_note(
    connection: &Connection,
    message_id: i64,
    body: &str,
    user_id: i64,
    now: Timestamp,
) -> Result<()> {
    let sql = "insert into message_notes (message_id, user_id, body, created_at)
        values (:message_id, :user_id, :body, :now)";
    connection.run(sql, params![message_id, user_id, body, now = now.as_second()])
}

from_row!(MessageReply { id, kind, body, by = "username", at });
from_row!(MessageNote { id, body, by = "username", created_at });
