//! Requests about personal data: access, correction, deletion, withdrawal of consent. The law allows 30 days (PIPEDA,
//! section 8(3)).
//!
//! A student makes a request in the portal and may withdraw it until the office has decided; the office records
//! requests received by telephone or on paper. Granting a deletion or a withdrawal of consent closes the account and
//! proposes deletable data; what a school must keep stays.

pub mod decisions;
mod emails;
mod own;
mod store;

use jiff::civil::Date;
use jiff::{Timestamp, ToSpan};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use crate::base::closed_set::closed_set;
use crate::records::StudentName;
use crate::web::app::App;
use crate::web::id::numbered;

/// The endpoints of students and of the office.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().merge(own::routes()).merge(decisions::routes())
}

/// Legal time limit in days.
const DAYS: i64 = 30;

closed_set! {
    /// Kind of request.
    pub enum PrivacyRequestKind {
        /// Access to personal data.
        Access = "access" => "to see what we hold about you",
        /// Correction.
        Correction = "correction" => "to have what we hold about you corrected",
        /// Closing the account and deleting what need not be kept.
        Deletion = "deletion" => "to close your account and delete what we need not keep",
        /// Withdrawal of consent.
        ConsentWithdrawal = "consent_withdrawal" => "to withdraw your consent",
    }
}

impl PrivacyRequestKind {
    /// Whether granting it closes the account.
    fn closes(self) -> bool {
        match self {
            Self::Access | Self::Correction => false,
            Self::Deletion | Self::ConsentWithdrawal => true,
        }
    }
}

closed_set! {
    /// Requester.
    pub enum AskedBy {
        /// The student.
        Student = "student",
        /// A parent or guardian.
        Guardian = "guardian",
    }
}

closed_set! {
    /// Status of a request.
    pub enum PrivacyRequestStatus {
        /// Waits for the office.
        Open = "open",
        /// Withdrawn by the requester.
        Withdrawn = "withdrawn",
        /// Granted.
        Granted = "granted",
        /// Refused, with a reason.
        Refused = "refused",
    }
}

impl PrivacyRequestStatus {
    /// Checks that the request is still open.
    ///
    /// # Errors
    /// A sentence otherwise.
    fn check_open(self) -> Result<(), &'static str> {
        Err(match self {
            Self::Open => return Ok(()),
            Self::Withdrawn => "This request was withdrawn.",
            Self::Granted => "This request has been granted already.",
            Self::Refused => "This request has been refused already.",
        })
    }
}

/// A request, as shown to the requester.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PrivacyRequest {
    /// Id of the request.
    pub id: i64,
    /// Kind of request.
    pub kind: PrivacyRequestKind,
    /// Requester.
    pub asked_by: AskedBy,
    /// Details in their words.
    #[schema(required)]
    pub details: Option<String>,
    /// Date received.
    pub received_on: Date,
    /// Legal deadline.
    pub due_on: Date,
    /// Status.
    pub status: PrivacyRequestStatus,
    /// When it was recorded.
    pub created_at: Timestamp,
    /// When it was decided or withdrawn.
    #[schema(required)]
    pub decided_at: Option<Timestamp>,
    /// Explanation given to the requester.
    #[schema(required)]
    pub decision: Option<String>,
}

numbered!(PrivacyRequest, "Request");

/// A request in the office's list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListedPrivacyRequest {
    /// The request.
    #[serde(flatten)]
    pub request: PrivacyRequest,
    /// The student.
    pub student: StudentName,
    /// Days left, negative if late; null once decided.
    #[schema(required)]
    pub days_left: Option<i32>,
    /// Username of the staff member who recorded it, if it did not come through the portal.
    #[schema(required)]
    pub noted_by: Option<String>,
    /// Username of the staff member who decided it.
    #[schema(required)]
    pub decided_by: Option<String>,
}

fn due(received_on: Date) -> Date {
    received_on.saturating_add(DAYS.days())
}
