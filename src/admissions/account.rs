//! The student's account of an accepted application. The family's documents become the account's once a mailbox of the
//! application has opened it, or the family has confirmed its address: an address that was mistyped is a stranger's.

use jiff::Timestamp;
use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;

use super::AdmissionRequest;
use super::status::AdmissionRequestStatus;
use crate::base::error::Result;
use crate::documents::of_applications;
use crate::storage::statements::{Statements, from_row, params};

/// The student's account, as the family of an accepted application reads it. It is the same whether the account was
/// made, was there, or is still to be linked by the office.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ApplicationAccount {
    /// The address that the family gave for it.
    pub email: String,
    /// Whether a mailbox of the application has this address, or the family confirmed it.
    pub is_confirmed: bool,
    /// Whether the family said that it is not theirs.
    pub is_disowned: bool,
}

from_row!(ApplicationAccount { email, is_confirmed, is_disowned });

impl ApplicationAccount {
    /// Reads it; `None` before an acceptance.
    pub fn read(connection: &Connection, request: &AdmissionRequest) -> Result<Option<Self>> {
        if request.status != AdmissionRequestStatus::Accepted {
            return Ok(None);
        }
        let sql = "select q.account_email as email, q.disowned_email is q.account_email as is_disowned,
                q.account_confirmed_at is not null or exists (select 1 from admission_openings o
                    where o.request_id = q.id and o.email = q.account_email) as is_confirmed
            from admission_requests q where q.id = :id and q.account_email is not null";
        connection.find(sql, params![id = request.id])
    }
}

/// Keeps the address that the family gave for the account.
pub fn keep_address(connection: &Connection, id: i64, email: &str) -> Result<()> {
    let sql = "update admission_requests set account_email = :email where id = :id";
    connection.run(sql, params![id, email])
}

/// SQL: an application `q` whose student `s` may have its documents. The account is open, and is that of a mailbox that
/// opened a link of the application or of an address that the family confirmed.
const MAY_HAVE: &str = "s.status in ('active', 'suspended') and (q.account_confirmed_at is not null
        and s.email = q.account_email
    or exists (select 1 from admission_openings o where o.request_id = q.id and o.email = s.email))";

/// Hands over the documents of the applications that were noted: an account or a link was opened. Runs before each
/// commit.
///
/// # Errors
/// Database errors.
pub fn settle(connection: &Connection) -> Result<()> {
    let sql = "select request_id, at from document_handovers";
    let noted: Vec<(i64, i64)> = connection.list(sql, params![])?;
    for (id, at) in noted {
        connection.run("delete from document_handovers where request_id = :id", params![id])?;
        let at = Timestamp::from_second(at).map_err(anyhow::Error::from)?;
        hand_over(connection, id, at)?;
    }
    Ok(())
}

/// Hands the documents of an application over, if its student may have them.
pub fn hand_over(connection: &Connection, id: i64, now: Timestamp) -> Result<()> {
    let sql = format!(
        "select q.student_id from admission_requests q cross join students s on s.id = q.student_id
         where q.id = :id and {MAY_HAVE}"
    );
    match connection.find(&sql, params![id])? {
        Some(student_id) => of_applications::hand_over(connection, id, student_id, now).map(drop),
        None => Ok(()),
    }
}
