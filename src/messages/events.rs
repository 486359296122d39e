//! The table `message_events`: decisions of the office about messages, append-only.

use jiff::Timestamp;
use rusqlite::Connection;

use super::status::{MessageStatus, MessageVerb};
use super::store;
use crate::base::error::Result;
use crate::storage::statements::{Statements, from_row, params};

/// A new event.
#[derive(Debug)]
pub(super) struct Event<'a> {
    pub(super) message_id: i64,
    pub(super) user_id: i64,
    pub(super) verb: MessageVerb,
    pub(super) from: MessageStatus,
    pub(super) to: MessageStatus,
    pub(super) decision: Option<&'a str>,
    /// The reply or answer of the decision.
    pub(super) reply_id: Option<i64>,
    pub(super) undoes_id: Option<i64>,
}

impl Event<'_> {
    /// Stores the event, and sets the message's state.
    pub(super) fn record(&self, connection: &Connection, now: Timestamp) -> Result<()> {
        let Self { message_id, user_id, verb, from, to, decision, reply_id, undoes_id } = self;
        store::set_status(connection, *message_id, *to)?;
        let sql =
            "insert into message_events (message_id, at, user_id, verb, from_status, to_status, decision_id,
                reply_id, undoes_id)
            values (:message_id, :now, :user_id, :verb, :from, :to, :decision, :reply_id, :undoes_id)";
        let values = params! {
            message_id, now = now.as_second(), user_id, verb, from, to, decision, reply_id, undoes_id,
        };
        connection.run(sql, values)
    }
}

/// A stored event, for undo.
#[derive(Debug)]
pub(super) struct Stored {
    pub(super) id: i64,
    pub(super) message_id: i64,
    pub(super) verb: MessageVerb,
    pub(super) from: MessageStatus,
    pub(super) to: MessageStatus,
    pub(super) reply_id: Option<i64>,
}

/// The event of a decision; `None` if the decision is not about a message.
pub(super) fn of_decision(connection: &Connection, decision: &str) -> Result<Option<Stored>> {
    let sql = "select id, message_id, verb, from_status, to_status, reply_id
        from message_events where decision_id = :decision";
    connection.find(sql, params![decision])
}

/// Id of a message's newest event.
pub(super) fn last(connection: &Connection, message_id: i64) -> Result<Option<i64>> {
    connection.one("select max(id) from message_events where message_id = :message_id", params![message_id])
}

from_row!(Stored { id, message_id, verb, from = "from_status", to = "to_status", reply_id });
