//! Decisions of the office about messages: reply, enter the visitor's answer, close, reopen, mark as spam, undo.
//!
//! A decision is one write transaction: check the state, change the row, leave an event and an audit row, and queue the
//! email of a reply, which waits for ten seconds at most.

use rusqlite::Connection;
use serde_json::{Value, json};

use super::events::{self, Event};
use super::status::{MessageStatus, MessageVerb};
use super::thread::{self, MessageThread, ReplyKind};
use super::{emails, store};
use crate::audit::{self};
use crate::base::closed_set::ClosedSet;
use crate::base::error::{Error, Result};
use crate::config::Office;
use crate::decisions::{self, Decision, Stored};
use crate::mail::outbox;
use crate::staff::context::staff_context;
use crate::staff::{Assignable, Colleague};

/// Seconds that the email of a reply waits at most: enough to notice a slip.
const UNDO_SECONDS: u32 = 10;

/// A validated reply.
#[derive(Debug, Default)]
pub struct Reply {
    /// Text, with placeholders.
    pub body: String,
    /// Subject of the email, with placeholders; by default that of the confirmation.
    pub subject: Option<String>,
    /// Whether the message is closed with it.
    pub closes: bool,
    /// Number of replies and answers that the author has seen.
    pub expected_replies: Option<i64>,
}

staff_context! {
    /// Context of a decision: user, time and configuration.
    MessageContext
}

/// A conflict error with the current message.
fn conflict(words: impl Into<String>, current: &MessageThread) -> Error {
    Error::conflict(words, current)
}

impl MessageContext {
    /// Sends a reply.
    ///
    /// # Errors
    /// 409 when the message is marked as spam, or has replies that the author has not seen.
    pub fn reply(&self, connection: &Connection, id: i64, reply: &Reply) -> Result<MessageThread> {
        let before = thread::find(connection, id)?;
        let count = i64::try_from(before.replies.len()).unwrap_or(i64::MAX);
        if reply.expected_replies.is_some_and(|expected| expected != count) {
            let words = "There is a newer reply. Read it first; what you wrote is still here.".to_owned();
            return Err(Error::Lacking("new_reply", words, Box::new(json!(before))));
        }
        let Some(to) = Self::after(&before, MessageVerb::Reply, None)? else { return Ok(before) };
        let to = if reply.closes { MessageStatus::Closed } else { to };
        let office = &self.config.office;
        let office = Office { undo_seconds: office.undo_seconds.min(UNDO_SECONDS), ..office.clone() };
        let verb = MessageVerb::Reply.as_str();
        let decision = Decision::begin(connection, verb, self.user_id, None, &office, self.now)?;
        let school = self.config.school();
        let fill_in = |text: &str| emails::fill_in(text, &before.message, &school.name);
        let body = fill_in(&reply.body);
        let subject = reply.subject.as_deref().map(fill_in);
        let confirmation = store::confirmation(connection, id)?;
        let words = emails::ReplyWords { subject: subject.as_deref(), body: &body };
        let email = emails::reply(&before.message, &words, confirmation.as_deref(), &self.config)?;
        outbox::enqueue_held(connection, &email, decision.hold(), &self.config, self.now)?;
        let kind = ReplyKind::Reply;
        let reply_id = thread::insert_reply(connection, id, kind, &body, self.user_id, self.now)?;
        self.finish(connection, &before, MessageVerb::Reply, to, &decision, Some(reply_id))
    }

    /// Enters an answer that the visitor gave by telephone or email; sends nothing.
    ///
    /// # Errors
    /// 409 when the message is marked as spam.
    pub fn answer(&self, connection: &Connection, id: i64, body: &str) -> Result<MessageThread> {
        let before = thread::find(connection, id)?;
        let Some(to) = Self::after(&before, MessageVerb::Answer, None)? else { return Ok(before) };
        let decision = self.begin(connection, MessageVerb::Answer, None)?;
        let kind = ReplyKind::Answer;
        let reply_id = thread::insert_reply(connection, id, kind, body, self.user_id, self.now)?;
        self.finish(connection, &before, MessageVerb::Answer, to, &decision, Some(reply_id))
    }

    /// Changes the state of a message, alone or as part of a bulk; repeating it changes nothing.
    ///
    /// # Errors
    /// 404 when there is no such message; 409 when its state does not allow it, or differs from the expected one.
    pub fn change(
        &self,
        connection: &Connection,
        id: i64,
        verb: MessageVerb,
        expected: Option<MessageStatus>,
        bulk: Option<&str>,
    ) -> Result<MessageThread> {
        let before = thread::find(connection, id)?;
        let Some(to) = Self::after(&before, verb, expected)? else { return Ok(before) };
        let decision = self.begin(connection, verb, bulk)?;
        self.finish(connection, &before, verb, to, &decision, None)
    }

    /// Undoes a decision; returns the current message, or `None` if the decision is not about a message. Repeating it
    /// changes nothing.
    ///
    /// # Errors
    /// 409 when the reply has left, or the message has changed since.
    pub fn undo(&self, connection: &Connection, decision: &Stored) -> Result<Option<MessageThread>> {
        let Some(event) = events::of_decision(connection, &decision.id)? else { return Ok(None) };
        let id = event.message_id;
        let before = thread::find(connection, id)?;
        if decision.is_undone {
            return Ok(Some(before));
        }
        if !decision.take_back_emails(connection, self.now)? {
            let words = match event.verb {
                MessageVerb::Reply => "The reply has left, so it can no longer be undone.",
                _ => "The time to undo this is over.",
            };
            return Err(conflict(words, &before));
        }
        if events::last(connection, id)? != Some(event.id) || before.message.status != event.to {
            let words = "This message has changed since, so the decision can no longer be undone.";
            return Err(conflict(words, &before));
        }
        if let Some(reply) = event.reply_id {
            thread::delete_reply(connection, id, reply)?;
        }
        decisions::mark_undone(connection, &decision.id, self.now)?;
        let undoing = Event {
            message_id: id,
            user_id: self.user_id,
            verb: MessageVerb::Undo,
            from: event.to,
            to: event.from,
            decision: None,
            reply_id: None,
            undoes_id: Some(event.id),
        };
        undoing.record(connection, self.now)?;
        let detail = json!({ "decision": event.verb.action(), "status": event.from });
        self.audit(connection, MessageVerb::Undo.action(), id, detail)?;
        thread::find(connection, id).map(Some)
    }

    /// Assigns a message to a colleague, or to none; repeating it changes nothing.
    ///
    /// # Errors
    /// 404 when there is no such message; a field error if that colleague cannot answer messages.
    pub fn assign(&self, connection: &Connection, id: i64, user_id: Option<i64>) -> Result<MessageThread> {
        let before = thread::find(connection, id)?;
        let assignee = before.message.assignee_id;
        if assignee == user_id {
            return Ok(before);
        }
        Colleague::check(connection, user_id, Assignable::Messages, &self.config.office, "userId")?;
        store::set_assignee(connection, id, user_id)?;
        self.audit(connection, "assign", id, json!({ "from": assignee, "to": user_id }))?;
        thread::find(connection, id)
    }

    /// Writes a note.
    ///
    /// # Errors
    /// 404 when there is no such message.
    pub fn note(&self, connection: &Connection, id: i64, body: &str) -> Result<MessageThread> {
        thread::find(connection, id)?;
        thread::insert_note(connection, id, body, self.user_id, self.now)?;
        self.audit(connection, "write note", id, json!({}))?;
        thread::find(connection, id)
    }

    fn after(
        before: &MessageThread,
        verb: MessageVerb,
        expected: Option<MessageStatus>,
    ) -> Result<Option<MessageStatus>> {
        let status = before.message.status;
        let after = status.after(verb).map_err(|words| conflict(words, before))?;
        if after.is_some() && expected.is_some_and(|expected| expected != status) {
            return Err(conflict(format!("This message {} now.", status.in_words()), before));
        }
        Ok(after)
    }

    fn begin(&self, connection: &Connection, verb: MessageVerb, bulk: Option<&str>) -> Result<Decision> {
        Decision::begin(connection, verb.as_str(), self.user_id, bulk, &self.config.office, self.now)
    }

    fn finish(
        &self,
        connection: &Connection,
        before: &MessageThread,
        verb: MessageVerb,
        to: MessageStatus,
        decision: &Decision,
        reply_id: Option<i64>,
    ) -> Result<MessageThread> {
        let message_id = before.message.id;
        let from = before.message.status;
        let decision_id = Some(decision.id());
        let event = Event {
            message_id,
            user_id: self.user_id,
            verb,
            from,
            to,
            decision: decision_id,
            reply_id,
            undoes_id: None,
        };
        event.record(connection, self.now)?;
        self.audit(connection, verb.action(), message_id, json!({ "from": from, "to": to }))?;
        let decided = thread::find(connection, message_id)?;
        Ok(MessageThread { decided_at: Some(self.now), undo: decision.undo(), ..decided })
    }

    fn audit(&self, connection: &Connection, verb: &str, id: i64, detail: Value) -> Result<()> {
        audit::record(connection, &self.actor, verb, "message", id, detail, self.now)
    }
}
