//! An account that an accepted student has not opened yet.

use jiff::Timestamp;
use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;

use super::AdmissionRequest;
use super::status::AdmissionRequestStatus;
use crate::base::error::Result;
use crate::storage::statements::{Statements, from_row, params};

/// An account that an accepted student has not opened yet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UnopenedAccount {
    /// Where the invitation is sent.
    pub email: String,
    /// When the last invitation was sent; null once it has expired and its link is gone.
    #[schema(required)]
    pub invited_at: Option<Timestamp>,
    /// Until when its link works; null once it has expired and its link is gone.
    #[schema(required)]
    pub expires_at: Option<Timestamp>,
}

from_row!(UnopenedAccount { email, invited_at, expires_at });

/// SQL: an account `s` of an application `q` waits for its student to open it. One that the family does not know waits
/// for the office.
pub const IS_UNOPENED: &str = "s.status = 'unverified' and q.disowned_email is not s.email";

impl UnopenedAccount {
    /// Reads it; `None` before an acceptance, and once the account is open.
    pub fn read(connection: &Connection, request: &AdmissionRequest) -> Result<Option<Self>> {
        if request.status != AdmissionRequestStatus::Accepted || request.student_id.is_none() {
            return Ok(None);
        }
        let sql = format!(
            "select s.email, t.created_at as invited_at, t.expires_at
             from admission_requests q cross join students s on s.id = q.student_id
                 left join student_tokens t on t.student_id = s.id and t.purpose in ('verify', 'choose_password')
             where q.id = :id and {IS_UNOPENED} order by t.expires_at desc limit 1"
        );
        connection.find(&sql, params![id = request.id])
    }
}
