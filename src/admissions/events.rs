//! The table `admission_events`: what happened to every application. Rows are only added.

use jiff::Timestamp;
use rusqlite::Connection;
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;

use super::status::{AdmissionActor, AdmissionRequestStatus, AdmissionVerb};
use crate::base::error::{Error, Result};
use crate::mail::outbox;
use crate::storage::columns::Columns;
use crate::storage::statements::{FromRow, Statements, from_row, params};

/// What happened to an application, not recorded yet.
#[derive(Debug, Clone)]
pub struct Event<'a> {
    /// Who did it.
    pub actor: AdmissionActor,
    /// Who of the staff.
    pub user_id: Option<i64>,
    /// What was done.
    pub verb: AdmissionVerb,
    /// The state before; none for a new application.
    pub from: Option<AdmissionRequestStatus>,
    /// The state after.
    pub to: AdmissionRequestStatus,
    /// Why, or what was changed.
    pub reason: Option<&'a str>,
    /// Why it was declined, in a word.
    pub code: Option<&'a str>,
    /// What the office asked.
    pub asked: Option<&'a str>,
    /// Which documents it wants.
    pub wants: Option<&'a [String]>,
    /// What the family answered.
    pub answer: Option<&'a str>,
    /// The offer that it is about.
    pub offer_id: Option<i64>,
    /// The decision that made it.
    pub decision: Option<&'a str>,
    /// The event that it takes back.
    pub undoes_id: Option<i64>,
    /// Since when the state before had lasted.
    pub since_before: Option<Timestamp>,
}

impl Event<'_> {
    /// The family did something.
    pub fn family(
        verb: AdmissionVerb,
        from: impl Into<Option<AdmissionRequestStatus>>,
        to: AdmissionRequestStatus,
    ) -> Self {
        Self {
            actor: AdmissionActor::Family,
            user_id: None,
            verb,
            from: from.into(),
            to,
            reason: None,
            code: None,
            asked: None,
            wants: None,
            answer: None,
            offer_id: None,
            decision: None,
            undoes_id: None,
            since_before: None,
        }
    }

    /// A member of the staff did something.
    pub fn staff(
        user_id: i64,
        verb: AdmissionVerb,
        from: impl Into<Option<AdmissionRequestStatus>>,
        to: AdmissionRequestStatus,
    ) -> Self {
        Self { actor: AdmissionActor::Staff, user_id: Some(user_id), ..Self::family(verb, from, to) }
    }

    /// Adds the row, in the transaction of the change.
    pub fn record(&self, connection: &Connection, request_id: i64, now: Timestamp) -> Result<()> {
        let sql = "insert into admission_events (request_id, at, actor_kind, user_id, verb, from_status, to_status,
                reason, code, asked, wants, answer, offer_id, decision_id, undoes_id, since_before)
            values (:request_id, :now, :actor, :user_id, :verb, :from, :to, :reason, :code, :asked, :wants, :answer,
                :offer_id, :decision, :undoes_id, :since_before)";
        let values = params! {
            request_id, now = now.as_second(), actor = self.actor, user_id = self.user_id, verb = self.verb,
            from = self.from, to = self.to, reason = self.reason, code = self.code, asked = self.asked,
            wants = self.wants.map(|wants| json!(wants).to_string()), answer = self.answer,
            offer_id = self.offer_id, decision = self.decision, undoes_id = self.undoes_id,
            since_before = self.since_before.map(Timestamp::as_second),
        };
        connection.run(sql, values)?;
        let has_moved =
            self.from.is_some_and(|from| from == AdmissionRequestStatus::InfoRequested && from != self.to);
        if has_moved { withdraw_reminders(connection, request_id) } else { Ok(()) }
    }
}

/// Withdraws reminders of a question that wait for the end of their undo: the application has moved.
fn withdraw_reminders(connection: &Connection, request_id: i64) -> Result<()> {
    let sql = "select decision_id from admission_events
        where request_id = :request_id and verb = 'remind' and +decision_id is not null order by id desc limit 1";
    if let Some(decision) = connection.find::<String>(sql, params![request_id])? {
        outbox::withdraw_held(connection, &decision)?;
    }
    Ok(())
}

/// Corrections that a family can make in a day; the office reads each.
const EDITS_PER_DAY: i64 = 100;
const HOUR: i64 = 3600;
const DAY: i64 = 24 * HOUR;
/// Newest events of an application that are listed.
const LISTED: i64 = 200;

/// Records which fields a family corrected. A correction of the same fields within the hour is part of the last one; another
/// address is always a row of its own.
///
/// # Errors
/// 429 after too many in a day.
pub fn note_own_edit(
    connection: &Connection,
    request_id: i64,
    status: AdmissionRequestStatus,
    changed: &[&str],
    now: Timestamp,
) -> Result<()> {
    let sql = "select at, reason from admission_events
        where request_id = :request_id and verb = 'edit' and actor_kind = 'family' and at > :since
        order by id desc limit :max";
    let since = now.as_second() - DAY;
    let earlier: Vec<(i64, String)> =
        connection.list(sql, params![request_id, since, max = EDITS_PER_DAY])?;
    let recent = earlier.iter().filter(|(at, _)| *at > now.as_second() - HOUR);
    let recent: Vec<&str> = recent.flat_map(|(_, reason)| reason.split(", ")).collect();
    if !changed.contains(&"email") && changed.iter().all(|field| recent.contains(field)) {
        return Ok(());
    }
    if let Some((oldest, _)) = earlier.get(EDITS_PER_DAY as usize - 1) {
        return Err(Error::TooMany((oldest - since).unsigned_abs()));
    }
    let reason = changed.join(", ");
    let event = Event::family(AdmissionVerb::Edit, status, status);
    Event { reason: Some(&reason), ..event }.record(connection, request_id, now)
}

/// The last question of the office that still stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct AskedOfFamily {
    /// In the office's words.
    pub text: String,
    /// Types of documents that it wants.
    pub wants: Vec<String>,
    /// When it was asked.
    pub at: Timestamp,
}

impl FromRow for AskedOfFamily {
    fn read(row: &Columns<'_, '_>) -> rusqlite::Result<Self> {
        let wants: Option<String> = row.read("wants")?;
        Ok(Self {
            text: row.read("asked")?,
            wants: wants.and_then(|wants| serde_json::from_str(&wants).ok()).unwrap_or_default(),
            at: row.read("at")?,
        })
    }
}

/// What the office asked last, unless it took the question back.
pub fn asked(connection: &Connection, request_id: i64) -> Result<Option<AskedOfFamily>> {
    let sql = "select e.asked, e.wants, e.at from admission_events e
        where e.request_id = :request_id and e.verb = 'ask'
            and not exists (select 1 from admission_events u where u.undoes_id = e.id)
        order by e.id desc limit 1";
    connection.find(sql, params![request_id])
}

/// An event as the office reads it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AdmissionEvent {
    /// Number of the event.
    pub id: i64,
    /// When.
    pub at: Timestamp,
    /// What was done.
    pub verb: AdmissionVerb,
    /// Who did it.
    pub actor_kind: AdmissionActor,
    /// Who of the staff, by username.
    #[schema(required)]
    pub by: Option<String>,
    /// The state before; null for a new application.
    #[schema(required)]
    pub from: Option<AdmissionRequestStatus>,
    /// The state after.
    pub to: AdmissionRequestStatus,
    /// Why, or what was changed.
    #[schema(required)]
    pub reason: Option<String>,
    /// What the office asked.
    #[schema(required)]
    pub asked: Option<String>,
    /// Types of documents that it wants; null where it asked nothing.
    #[schema(required)]
    pub wants: Option<Vec<String>>,
    /// What the family answered.
    #[schema(required)]
    pub answer: Option<String>,
    /// Whether it takes another event back.
    pub is_undo: bool,
}

impl FromRow for AdmissionEvent {
    fn read(row: &Columns<'_, '_>) -> rusqlite::Result<Self> {
        let wants: Option<String> = row.read("wants")?;
        Ok(Self {
            id: row.read("id")?,
            at: row.read("at")?,
            verb: row.read("verb")?,
            actor_kind: row.read("actor_kind")?,
            by: row.read("username")?,
            from: row.read("from_status")?,
            to: row.read("to_status")?,
            reason: row.read("reason")?,
            asked: row.read("asked")?,
            wants: wants.and_then(|wants| serde_json::from_str(&wants).ok()),
            answer: row.read("answer")?,
            is_undo: row.read("is_undo")?,
        })
    }
}

/// The newest events of an application, oldest first.
pub fn list(connection: &Connection, request_id: i64) -> Result<Vec<AdmissionEvent>> {
    let sql =
        "select e.id, e.at, e.verb, e.actor_kind, u.username, e.from_status, e.to_status, e.reason, e.asked,
            e.wants, e.answer, e.undoes_id is not null as is_undo
        from admission_events e left join users u on u.id = e.user_id
        where e.request_id = :request_id order by e.id desc limit :max";
    let mut events: Vec<AdmissionEvent> = connection.list(sql, params![request_id, max = LISTED])?;
    events.reverse();
    Ok(events)
}

/// A stored event, for undo.
#[derive(Debug)]
pub struct StoredEvent {
    /// Number of the event.
    pub id: i64,
    /// The application.
    pub request_id: i64,
    /// What was done.
    pub verb: AdmissionVerb,
    /// The state before.
    pub from: Option<AdmissionRequestStatus>,
    /// The offer that it is about.
    pub offer_id: Option<i64>,
    /// Since when the state before had lasted.
    pub since_before: Option<Timestamp>,
}

from_row!(StoredEvent { id, request_id, verb, from = "from_status", offer_id, since_before });

/// The event of a decision; `None` if the decision is not about an application.
pub fn of_decision(connection: &Connection, decision: &str) -> Result<Option<StoredEvent>> {
    let sql = "select id, request_id, verb, from_status, offer_id, since_before from admission_events
        where decision_id = :decision and undoes_id is null";
    connection.find(sql, params![decision])
}

/// Number of the newest event that is a step of an application; what comes beside does not stand in the way of undoing.
pub fn last_step(connection: &Connection, request_id: i64) -> Result<Option<i64>> {
    let sql = "select id from admission_events
        where request_id = :request_id
            and (verb not in ('edit', 'upload', 'link', 'stop', 'resume', 'disown') or from_status <> to_status)
        order by id desc limit 1";
    connection.find(sql, params![request_id])
}
