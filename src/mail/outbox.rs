//! The `outbox` table: emails from creation until they are delivered or given up.
//!
//! An attempt is claimed before it is made: it is counted and the next one scheduled in one committed write. So a crash
//! during an attempt, or a disk too full to record it, leads to one repeat after the pause, never to a flood of copies.

use std::borrow::Cow;

use anyhow::{Context, anyhow};
use jiff::Timestamp;
use rusqlite::Connection;

use super::blocks::Block;
use super::budget::{self, BudgetRequest, Cause, QueueOutcome};
use super::kind::{Kind, Urgency};
use super::message::{Bodies, EmailMessage};
use crate::base::email::Email;
use crate::base::error::Result;
use crate::base::random;
use crate::config::Config;
use crate::config::School;
use crate::paper::Paper;
use crate::storage::columns::{Columns, stored_as_json};
use crate::storage::statements::{FromRow, Statements, from_row, params};

/// The pause after the first failure, in seconds; it doubles with each further one.
const FIRST_PAUSE: i64 = 60;
const MAX_PAUSE: i64 = 4 * 3600;
/// Seconds after creation or renewal after which a failed attempt is the last.
const GIVE_UP_AFTER: i64 = 48 * 3600;

/// Condition for emails scheduled further ahead than their pause, by a clock that was set back since. Corresponds to
/// [`next_attempt`]; before the first attempt an email waits for its budget for at most a day.
const FROM_A_FASTER_CLOCK: &str = "next_attempt_at > :now + case
         when attempts > 0 then min(60 << min(attempts - 1, 16), 14400)
         when created_at > :now then 0
         else 86400 end";

/// Queues an email, if the budget of its cause allows. Call it in the write transaction of the change that the email
/// reports.
///
/// # Errors
/// When the email would break a header (see [`EmailMessage`]), or the row cannot be written.
pub fn enqueue(
    connection: &Connection,
    message: &EmailMessage,
    cause: Cause,
    config: &Config,
    now: Timestamp,
) -> Result<QueueOutcome> {
    let content = content(message)?;
    let charge = BudgetRequest::new(message.kind(), message.recipient(), message.about(), cause);
    let earlier = charge.earlier(connection, now)?;
    if let Some(waiting) = earlier.iter().find(|one| one.waits) {
        replace_waiting(connection, waiting.id, message, &content)?;
        return Ok(QueueOutcome::Accepted(waiting.id));
    }
    let at = match charge.weigh(connection, &earlier, config, now)? {
        Ok(at) => at,
        Err(limit) => {
            budget::count_refused(connection, message.kind(), limit, now)?;
            return Ok(QueueOutcome::OverBudget);
        }
    };
    let id = insert(connection, message, &content, &charge, Departure { at, decision: None }, config, now)?;
    budget::count_accepted(connection, &charge, at)?;
    Ok(QueueOutcome::Accepted(id))
}

/// Holds emails of a decision back.
#[derive(Debug, Clone, Copy)]
pub struct Hold<'a> {
    /// The decision, by its name in the table `decisions`.
    pub decision: &'a str,
    /// When they are sent, unless the decision is undone.
    pub until: Timestamp,
}

/// Queues an email of the office to be sent once its decision can no longer be undone. Call it in the write transaction
/// of the decision.
///
/// # Errors
/// As [`enqueue`].
pub fn enqueue_held(
    connection: &Connection,
    message: &EmailMessage,
    hold: Hold<'_>,
    config: &Config,
    now: Timestamp,
) -> Result<()> {
    let content = content(message)?;
    let charge = BudgetRequest::new(message.kind(), message.recipient(), message.about(), Cause::Office);
    let at = hold.until.as_second();
    let departure = Departure { at, decision: Some(hold.decision) };
    insert(connection, message, &content, &charge, departure, config, now)?;
    budget::count_accepted(connection, &charge, at)
}

/// Topic of emails of one kind to an address.
#[derive(Debug, Clone, Copy)]
pub struct EmailTopic<'a> {
    /// Recipient.
    pub to: &'a Email,
    /// Kind.
    pub kind: Kind,
    /// Topic.
    pub topic: &'a str,
}

/// Puts an email of the office that leaves at `at` in the place of one that waits on this topic; without an email only
/// that one is deleted. Call it in the write transaction of what it reports.
///
/// # Errors
/// As [`enqueue`].
pub fn replace_on_topic(
    connection: &Connection,
    waiting: &EmailTopic<'_>,
    message: Option<&EmailMessage>,
    at: Timestamp,
    config: &Config,
    now: Timestamp,
) -> Result<()> {
    let sql =
        "delete from outbox where recipient = :to and kind = :kind and topic = :topic and state = 'queued'
            and attempts = 0 and decision_id is null";
    connection.run(sql, params![to = waiting.to.as_str(), kind = waiting.kind, topic = waiting.topic])?;
    let Some(message) = message else { return Ok(()) };
    let content = content(message)?;
    let charge = BudgetRequest::new(message.kind(), message.recipient(), message.about(), Cause::Office);
    let at = at.as_second();
    insert(connection, message, &content, &charge, Departure { at, decision: None }, config, now)?;
    budget::count_accepted(connection, &charge, at)
}

/// Deletes the emails that were queued before an instant and have not begun to leave.
pub fn delete_unsent_before(connection: &Connection, at: Timestamp) -> Result<()> {
    let sql = "delete from outbox where created_at < :at and state = 'queued' and attempts = 0";
    connection.run(sql, params![at = at.as_second()])
}

/// Deletes the emails on a topic to an address that have not begun to leave.
pub fn delete_unsent_about(connection: &Connection, to: &str, topic: &str) -> Result<()> {
    let sql =
        "delete from outbox where recipient = :to and topic = :topic and state = 'queued' and attempts = 0";
    connection.run(sql, params![to, topic])
}

/// Deletes the unsent emails of a decision; returns false, and deletes none, if one of them has begun to leave.
pub fn delete_held(connection: &Connection, decision: &str) -> Result<bool> {
    let sql = "select exists (select 1 from outbox
            where decision_id = :decision and (state <> 'queued' or attempts > 0))";
    let has_begun: bool = connection.one(sql, params![decision])?;
    if !has_begun {
        connection.run("delete from outbox where decision_id = :decision", params![decision])?;
    }
    Ok(!has_begun)
}

/// Number of emails about a decision, or about those of a bulk.
pub fn count_about(connection: &Connection, decision: &str) -> Result<i64> {
    let sql = "select count(*) from decisions d
            cross join outbox o indexed by outbox_decision on o.decision_id = d.id
        where d.id = :decision or d.bulk_id = :decision";
    connection.one(sql, params![decision])
}

/// Deletes the emails of a decision that have not begun to leave, and returns their addresses.
pub fn withdraw_held(connection: &Connection, decision: &str) -> Result<Vec<String>> {
    let sql = "delete from outbox where decision_id = :decision and state = 'queued' and attempts = 0
        returning recipient";
    connection.list(sql, params![decision])
}

/// When an email leaves.
#[derive(Clone, Copy)]
struct Departure<'a> {
    /// Time, in Unix seconds.
    at: i64,
    /// The decision that holds it back until then.
    decision: Option<&'a str>,
}

fn insert(
    connection: &Connection,
    message: &EmailMessage,
    content: &str,
    charge: &BudgetRequest<'_>,
    departure: Departure<'_>,
    config: &Config,
    now: Timestamp,
) -> Result<i64> {
    let Departure { at, decision } = departure;
    let message_id = message.own_id().map_or_else(|| draw_message_id(config, now), |id| Ok(id.to_owned()))?;
    let sql = "insert into outbox (message_id, recipient, reply_to, subject, content, text_body, html_body,
            kind, urgency, mailbox, caused_by, asker, charged_at, topic, next_attempt_at, renewed_at, created_at,
            decision_id, in_reply_to, is_strangers)
        values (:message_id, :recipient, :reply_to, :subject, :content, '', '', :kind, :urgency,
            :mailbox, :caused_by, :asker, :charged_at, :topic, :at, nullif(:at, :now), :now,
            :decision_id, :in_reply_to, :is_strangers)";
    let values = params! {
        message_id, recipient = message.recipient().as_str(),
        reply_to = message.answers_to().map(|address| address.as_str()), subject = message.subject(), content,
        kind = message.kind(), urgency = message.kind().urgency().number(),
        mailbox = charge.is_limited().then_some(&charge.mailbox), caused_by = charge.account(),
        asker = charge.asker().key, charged_at = charge.is_limited().then_some(at), topic = charge.topic, at,
        now = now.as_second(), decision_id = decision, in_reply_to = message.replied_to(),
        is_strangers = charge.is_strangers(),
    };
    connection.insert(sql, values)
}

/// Replaces a delayed email with another on the same topic.
fn replace_waiting(connection: &Connection, id: i64, message: &EmailMessage, content: &str) -> Result<()> {
    let sql = "update outbox set recipient = :recipient, subject = :subject, content = :content,
            text_body = '', html_body = ''
        where id = :id";
    let values = params![id, recipient = message.recipient().as_str(), subject = message.subject(), content];
    connection.run(sql, values)
}

/// Age in seconds of the oldest due email since creation or renewal; `None` when there is none.
pub fn oldest_due_age(connection: &Connection, now: Timestamp) -> Result<Option<i64>> {
    let sql = "select min(coalesce(renewed_at, created_at)) from outbox where state = 'queued'";
    let oldest: Option<i64> = connection.one(sql, [])?;
    Ok(oldest.map(|begun_at| now.as_second().saturating_sub(begun_at).max(0)))
}

/// An email to deliver.
#[derive(Debug, Clone)]
pub(super) struct Outgoing {
    pub(super) id: i64,
    pub(super) message_id: String,
    pub(super) recipient: String,
    pub(super) reply_to: Option<String>,
    pub(super) in_reply_to: Option<String>,
    pub(super) subject: String,
    pub(super) content: EmailContent,
    pub(super) created_at: Timestamp,
}

/// Content of an email.
#[derive(Debug, Clone)]
pub(super) enum EmailContent {
    /// To be rendered.
    Blocks(Vec<Block>),
    /// Rendered when queued, by an older program.
    Bodies(Bodies),
}

impl Outgoing {
    /// An email to send at once, without the outbox.
    ///
    /// # Errors
    /// As [`enqueue`].
    pub fn unqueued(message: &EmailMessage, config: &Config, now: Timestamp) -> Result<Self> {
        Ok(Self {
            id: 0,
            message_id: draw_message_id(config, now)?,
            recipient: message.recipient().as_str().to_owned(),
            reply_to: None,
            in_reply_to: None,
            subject: message.subject().to_owned(),
            content: EmailContent::Blocks(message.blocks()?.to_vec()),
            created_at: now,
        })
    }

    /// The document to attach.
    pub fn attachment(&self) -> Option<&Paper> {
        let EmailContent::Blocks(blocks) = &self.content else { return None };
        blocks.iter().find_map(|block| match block {
            Block::Attachment(paper) => Some(&**paper),
            _ => None,
        })
    }

    /// Both bodies.
    pub fn bodies(&self, school: &School) -> Cow<'_, Bodies> {
        match &self.content {
            EmailContent::Blocks(blocks) => Cow::Owned(Bodies::render(&self.subject, blocks, school)),
            EmailContent::Bodies(bodies) => Cow::Borrowed(bodies),
        }
    }
}

fn content(message: &EmailMessage) -> Result<String> {
    Ok(serde_json::to_string(message.blocks()?).context("an email's parts as JSON")?)
}

stored_as_json!(Vec<Block>);

impl FromRow for EmailContent {
    fn read(row: &Columns<'_, '_>) -> rusqlite::Result<Self> {
        Ok(match row.read("content")? {
            Some(blocks) => Self::Blocks(blocks),
            None => Self::Bodies(Bodies { text: row.read("text_body")?, html: row.read("html_body")? }),
        })
    }
}

from_row!(Outgoing { id, message_id, recipient, reply_to, in_reply_to, subject, created_at } and content);

/// An email to claim, with what its next attempt depends on.
struct Due {
    email: Outgoing,
    begun_at: i64,
    attempts: i64,
}

from_row!(Due { attempts, begun_at } and email);

/// Claims up to `max` due emails for an attempt: urgent ones first, then the longest due.
pub(super) fn claim(connection: &Connection, now: Timestamp, max: u32) -> Result<Vec<Outgoing>> {
    let mut emails = Vec::new();
    for urgency in Urgency::ALL {
        let room = max.saturating_sub(u32::try_from(emails.len()).unwrap_or(max));
        if room > 0 {
            emails.extend(claim_some(connection, urgency, now, room)?);
        }
    }
    Ok(emails)
}

const CLAIMABLE: &str =
    "select id, message_id, recipient, reply_to, in_reply_to, subject, content, text_body, html_body, created_at,
         attempts, coalesce(renewed_at, created_at) as begun_at
     from outbox
     where state = 'queued' and urgency = :urgency and next_attempt_at <= :now
     order by next_attempt_at, id limit :limit";

fn claim_some(connection: &Connection, urgency: Urgency, now: Timestamp, max: u32) -> Result<Vec<Outgoing>> {
    let due: Vec<Due> = connection
        .list(CLAIMABLE, params![urgency = urgency.number(), now = now.as_second(), limit = max])?;
    let sql = "update outbox set attempts = attempts + 1, next_attempt_at = :next_attempt_at where id = :id";
    for Due { email, begun_at, attempts } in &due {
        let next_attempt_at = next_attempt(*begun_at, *attempts, now);
        connection.run(sql, params![id = email.id, next_attempt_at])?;
    }
    Ok(due.into_iter().map(|due| due.email).collect())
}

/// When the next email is due, at the earliest `now`; `None` when nothing waits.
pub(super) fn next_due(connection: &Connection, now: Timestamp) -> Result<Option<i64>> {
    let sql = "select min(at) from (
            select min(next_attempt_at) as at from outbox where state = 'queued' and urgency = 0
            union all select min(next_attempt_at) from outbox where state = 'queued' and urgency = 1)";
    let next: Option<i64> = connection.one(sql, [])?;
    Ok(next.map(|at| at.max(now.as_second())))
}

/// Whether an email waits that was scheduled by a clock that was set back since. Visits all that wait.
pub(super) fn has_stragglers(connection: &Connection, now: Timestamp) -> Result<bool> {
    let sql =
        format!("select exists (select 1 from outbox where state = 'queued' and {FROM_A_FASTER_CLOCK})");
    connection.one(&sql, params![now = now.as_second()])
}

/// Makes the emails due that [`has_stragglers`] finds.
pub(super) fn bring_forward(connection: &Connection, now: Timestamp) -> Result<()> {
    let sql =
        format!("update outbox set next_attempt_at = :now where state = 'queued' and {FROM_A_FASTER_CLOCK}");
    connection.run(&sql, params![now = now.as_second()])
}

/// Records a delivery to a mail server or into a file, and deletes the text, as its links are secrets.
pub(super) fn mark_sent(connection: &Connection, id: i64, is_in_file: bool, now: Timestamp) -> Result<()> {
    let sql = "update outbox set state = 'sent', sent_at = :now, is_in_file = :is_in_file, content = null,
            text_body = null, html_body = null, last_error = null where id = :id";
    connection.run(sql, params![id, is_in_file, now = now.as_second()])
}

/// Records a failed attempt; gives the email up if the failure is final or its time is over, and returns whether it
/// did.
pub(super) fn mark_failed(
    connection: &Connection,
    id: i64,
    reason: &str,
    is_final: bool,
    now: Timestamp,
) -> Result<bool> {
    let sql = "update outbox set last_error = :reason,
            state = iif(:is_final or coalesce(renewed_at, created_at) + :give_up_after <= :now, 'dead', state)
        where id = :id and state = 'queued' returning state = 'dead'";
    let values = params![id, reason, is_final, give_up_after = GIVE_UP_AFTER, now = now.as_second()];
    let dead = connection.find(sql, values)?;
    Ok(dead.unwrap_or(false))
}

/// Generates the Message-ID of an email. It begins with the time, so that the index grows only at its end.
fn draw_message_id(config: &Config, now: Timestamp) -> Result<String> {
    let sender = config.mail_from();
    let host = sender.domain();
    super::message::one_line(host)?;
    if host.contains(['<', '>', ' ']) {
        return Err(anyhow!("the sender's address has no usable host").into());
    }
    Ok(format!("<{:08x}{}@{host}>", now.as_second(), random::hex(&random::bytes::<12>()?)))
}

/// When to retry if the current attempt fails, after `failed` earlier failures; the last attempt is at the end of the
/// email's time.
fn next_attempt(begun_at: i64, failed: i64, now: Timestamp) -> i64 {
    let doublings = u32::try_from(failed.clamp(0, 16)).unwrap_or(16);
    let pause = (FIRST_PAUSE << doublings).min(MAX_PAUSE);
    let last = begun_at + GIVE_UP_AFTER;
    (now.as_second() + pause).min(last.max(now.as_second() + FIRST_PAUSE))
}

#[cfg(test)]
pub(super) mod tests;
