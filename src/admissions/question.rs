//! The office's question to a family: whether it is open, how it was answered, and when the family may be reminded.
//!
//! A family is reminded at most once a day at the school, and not on the day of the question.

use jiff::Timestamp;
use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;

use super::events::{self, AskedOfFamily};
use super::status::{AdmissionRequestStatus, AdmissionVerb};
use super::{AdmissionRequest, AdmissionsReading};
use crate::base::closed_set::closed_set;
use crate::base::error::Result;
use crate::storage::statements::{Statements, params};

closed_set! {
    /// How a family answered a question.
    pub enum AnswerKind {
        /// In words.
        Text = "text",
        /// By a document alone.
        Document = "document",
    }
}

/// The last question to a family, from asking until the office decides.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FamilyQuestion {
    /// When it was asked.
    pub asked_at: Timestamp,
    /// When the family was last reminded.
    #[schema(required)]
    pub reminded_at: Option<Timestamp>,
    /// How it was answered; null while it is open.
    #[schema(required)]
    pub answered: Option<AnswerKind>,
    /// Whether a reminder can leave today.
    pub can_be_reminded: bool,
}

impl FamilyQuestion {
    /// Reads it; `None` in states that wait for no answer and follow none.
    pub fn read(
        connection: &Connection,
        request: &AdmissionRequest,
        reading: &AdmissionsReading,
    ) -> Result<Option<Self>> {
        let answered = match request.status {
            AdmissionRequestStatus::InfoRequested => None,
            AdmissionRequestStatus::InReview => match last_turn(connection, request.id)? {
                Some(AdmissionVerb::Answer) => Some(AnswerKind::Text),
                Some(AdmissionVerb::Upload) => Some(AnswerKind::Document),
                _ => return Ok(None),
            },
            _ => return Ok(None),
        };
        let Some(asked) = events::asked(connection, request.id)? else { return Ok(None) };
        let reminded_at = reminded_at(connection, request.id, asked.at)?;
        let last = reminded_at.unwrap_or(asked.at);
        let can_be_reminded = answered.is_none() && last < reading.midnight;
        Ok(Some(Self { asked_at: asked.at, reminded_at, answered, can_be_reminded }))
    }
}

/// The question that the family can still answer. After a document alone it stays open until the office acts: the family
/// may add words.
pub fn open(connection: &Connection, request: &AdmissionRequest) -> Result<Option<AskedOfFamily>> {
    let is_open = match request.status {
        AdmissionRequestStatus::InfoRequested => true,
        AdmissionRequestStatus::InReview => last_turn(connection, request.id)? == Some(AdmissionVerb::Upload),
        _ => false,
    };
    if is_open { events::asked(connection, request.id) } else { Ok(None) }
}

/// The last act that moved an application, or answered the office.
fn last_turn(connection: &Connection, request_id: i64) -> Result<Option<AdmissionVerb>> {
    let sql = "select verb from admission_events
        where request_id = :request_id and (verb = 'answer' or from_status <> to_status) order by id desc limit 1";
    connection.find(sql, params![request_id])
}

/// When a family was last reminded of a question, without reminders that were undone.
fn reminded_at(connection: &Connection, request_id: i64, asked_at: Timestamp) -> Result<Option<Timestamp>> {
    let sql = "select e.at from admission_events e
        where e.request_id = :request_id and e.verb = 'remind' and e.at >= :asked_at
            and not exists (select 1 from admission_events u where u.undoes_id = e.id)
        order by e.id desc limit 1";
    connection.find(sql, params![request_id, asked_at = asked_at.as_second()])
}
