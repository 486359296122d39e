//! What people ask about what the school holds of them: to see it, to have it corrected or deleted, to take
//! their consent back. The law gives 30 days (PIPEDA, section 8(3)).
//!
//! A student asks in the portal and may take it back until the office has decided; the office notes what
//! came by telephone or on paper. Granting a deletion or a withdrawal of consent closes the account, and
//! proposes what may be deleted; what a school must keep stays.

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
use crate::base::error::{Error, Result};
use crate::records::StudentName;
use crate::web::app::App;
use crate::web::id::Numbered;

/// The endpoints of students and of the office.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().merge(own::routes()).merge(decisions::routes())
}

/// Days that the law gives.
const DAYS: i64 = 30;

closed_set! {
    /// What is asked for.
    pub enum PrivacyRequestKind {
        /// To see what is held.
        Access = "access" => "to see what we hold about you",
        /// To have it corrected.
        Correction = "correction" => "to have what we hold about you corrected",
        /// To have the account closed, and deleted what need not be kept.
        Deletion = "deletion" => "to close your account and delete what we need not keep",
        /// To take back the consent.
        ConsentWithdrawal = "consent_withdrawal" => "to withdraw your consent",
    }
}

impl PrivacyRequestKind {
    /// Whether granting it ends the account.
    fn closes(self) -> bool {
        match self {
            Self::Access | Self::Correction => false,
            Self::Deletion | Self::ConsentWithdrawal => true,
        }
    }
}

closed_set! {
    /// Who asks.
    pub enum AskedBy {
        /// The student.
        Student = "student",
        /// A parent or guardian.
        Guardian = "guardian",
    }
}

closed_set! {
    /// Where a request stands.
    pub enum PrivacyRequestStatus {
        /// Waits for the office.
        Open = "open",
        /// Taken back by whoever asked.
        Withdrawn = "withdrawn",
        /// Done as it was asked for.
        Granted = "granted",
        /// Not done, with a reason.
        Refused = "refused",
    }
}

impl PrivacyRequestStatus {
    /// Whether something can still be done about it.
    ///
    /// # Errors
    /// 409 with where it stands.
    fn check_open(self) -> Result<()> {
        let message = match self {
            Self::Open => return Ok(()),
            Self::Withdrawn => "This request was taken back.",
            Self::Granted => "This request has been granted already.",
            Self::Refused => "This request has been refused already.",
        };
        Err(Error::Conflict(message.into()))
    }
}

/// A request, as whoever asked sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PrivacyRequest {
    /// Number of the request.
    pub id: i64,
    /// What is asked for.
    pub kind: PrivacyRequestKind,
    /// Who asks.
    pub asked_by: AskedBy,
    /// In their words.
    #[schema(required)]
    pub details: Option<String>,
    /// The day on which it came.
    pub received_on: Date,
    /// The day by which the law wants an answer.
    pub due_on: Date,
    /// Where it stands.
    pub status: PrivacyRequestStatus,
    /// When it was noted.
    pub created_at: Timestamp,
    /// When it was decided or taken back.
    #[schema(required)]
    pub decided_at: Option<Timestamp>,
    /// What the person was told.
    #[schema(required)]
    pub decision: Option<String>,
}

impl Numbered for PrivacyRequest {
    const NAME: &'static str = "Request";
}

/// A request in the office's list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListedPrivacyRequest {
    /// The request.
    #[serde(flatten)]
    pub request: PrivacyRequest,
    /// Whom it is about.
    pub student: StudentName,
    /// Days that are left; less than none once it is late, and none at all once it is decided.
    #[schema(required)]
    pub days_left: Option<i32>,
    /// Who of the office noted it, by username, where it did not come through the portal.
    #[schema(required)]
    pub noted_by: Option<String>,
    /// Who of the office decided it, by username.
    #[schema(required)]
    pub decided_by: Option<String>,
}

fn due(received_on: Date) -> Date {
    received_on.saturating_add(DAYS.days())
}
