//! What waits for the office: the one list that the dashboard, the navigation and the weekday email read.
//!
//! Promises: a kind is listed only for a role that may act on it, and only while an act of today's program can
//! bring it to zero; its page shows the rows that it counts.

use axum::extract::State;
use jiff::civil::Date;
use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use crate::admissions::store as applications;
use crate::admissions::waiting::AdmissionWait;
use crate::base::closed_set::closed_set;
use crate::base::error::Result;
use crate::base::json::Json;
use crate::config::{Demand, Office};
use crate::documents::{faults, store as documents};
use crate::enrollments::waiting as enrollments;
use crate::mail;
use crate::messages::status::MessageStatus;
use crate::messages::store as messages;
use crate::money::bank;
use crate::money::charges::on_account;
use crate::money::refunds::tasks;
use crate::records::StudentFlag;
use crate::records::identity;
use crate::staff::{Duty, Staff, may};
use crate::storage::waiting::{Since, Waits};
use crate::terms;
use crate::web::access::endpoints;
use crate::web::app::App;

/// The endpoint.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![list_waiting]
}

closed_set! {
    /// What can wait for the office, in the order in which it is listed.
    pub enum WaitingKind {
        /// Requests for courses.
        Requests = "requests",
        /// Requests that were not decided before the course ended.
        EndedRequests = "ended_requests",
        /// Students who asked to leave a course: the day may count for a refund.
        LeaveRequests = "leave_requests",
        /// Students whose section was cancelled, and who need another one.
        Transfers = "transfers",
        /// Courses that have ended without a final mark.
        MarksDue = "marks_due",
        /// Documents that were uploaded and not looked at.
        Documents = "documents",
        /// Documents whose file is lost.
        LostDocuments = "lost_documents",
        /// Students under 18 whose request waits without a guardian's confirmation.
        Guardians = "guardians",
        /// Students whose name, birth date or status in Canada changed after it was checked.
        IdentityChanges = "identity_changes",
        /// Messages that have not been read.
        Messages = "messages",
        /// Messages that have been read but not answered.
        OpenMessages = "open_messages",
        /// Applications for a place that are new or in review.
        Applications = "applications",
        /// Applications whose families were asked something, and have not answered.
        Questions = "questions",
        /// Accepted students who have not opened their account.
        Invitations = "invitations",
        /// Accepted applications that no student is linked to.
        ApplicationsToLink = "applications_to_link",
        /// Deposits that offers asked for, from their day on.
        Deposits = "deposits",
        /// No term that is open for requests, now or ahead.
        NoOpenTerm = "no_open_term",
        /// Planned sections of published terms.
        PlannedSections = "planned_sections",
        /// Enrollments that were never charged.
        Charges = "charges",
        /// Money that is to be paid back to families by a day.
        RefundsDue = "refunds_due",
        /// Families whose money on account is neither applied, refunded nor set aside.
        MoneyOnAccount = "money_on_account",
        /// Lines of the bank's files that were neither recorded nor ignored.
        BankLines = "bank_lines",
        /// Emails that could not be delivered.
        Mail = "mail",
    }
}

closed_set! {
    /// Whose turn it is.
    pub enum WaitingGroup {
        /// The office acts next.
        Us = "us",
        /// A family acts next; the office can remind it.
        Them = "them",
    }
}

impl WaitingKind {
    /// Whose turn it is.
    pub fn group(self) -> WaitingGroup {
        match self {
            Self::Guardians | Self::Questions | Self::Invitations | Self::Deposits => WaitingGroup::Them,
            Self::Requests
            | Self::EndedRequests
            | Self::LeaveRequests
            | Self::Transfers
            | Self::MarksDue
            | Self::Documents
            | Self::LostDocuments
            | Self::IdentityChanges
            | Self::Messages
            | Self::OpenMessages
            | Self::Applications
            | Self::ApplicationsToLink
            | Self::NoOpenTerm
            | Self::PlannedSections
            | Self::Charges
            | Self::RefundsDue
            | Self::MoneyOnAccount
            | Self::BankLines
            | Self::Mail => WaitingGroup::Us,
        }
    }
}

/// One kind of what waits.
#[derive(Debug, Serialize, ToSchema)]
pub struct WaitingLine {
    /// What waits.
    pub kind: WaitingKind,
    /// Whose turn it is.
    pub group: WaitingGroup,
    /// How much of it.
    pub count: i64,
    /// Since when the oldest waits: an instant, or a date for courses that have ended and of the refund that is due
    /// first; null at zero.
    #[schema(value_type = Option<String>, required)]
    pub oldest: Option<Since>,
    /// The page of the office that lists exactly these.
    pub href: &'static str,
}

/// A kind: the duties that a role needs to list and to change it, its page, and how it is counted.
struct WaitingSource {
    kind: WaitingKind,
    duties: &'static [Duty],
    href: &'static str,
    count: fn(&Connection, &Office, Date) -> Result<Waits>,
}

/// Each kind with its duties, its page, and how it is counted.
macro_rules! sources {
    ($($kind:ident [$($duty:ident)+] $href:literal => $count:expr;)+) => {
        &[$(WaitingSource { kind: WaitingKind::$kind, duties: &[$(Duty::$duty),+], href: $href, count: $count }),+]
    };
}

const SOURCES: &[WaitingSource] = sources! {
    Requests [Enrollments] "/admin/enrollments?tab=waiting" => |connection, _, _| enrollments::requests(connection);
    EndedRequests [Enrollments] "/admin/enrollments?tab=over" =>
        |connection, _, today| enrollments::ended_requests(connection, today);
    LeaveRequests [Enrollments] "/admin/enrollments?tab=leaving" =>
        |connection, _, _| enrollments::leave_requests(connection);
    Transfers [Enrollments] "/admin/enrollments?tab=transfer" => |connection, _, _| enrollments::transfers(connection);
    MarksDue [Enrollments] "/admin/enrollments?tab=mark" => |connection, _, today| enrollments::marks_due(connection, today);
    Documents [Documents Students] "/admin/documents?status=pending_review" =>
        |connection, _, _| documents::waiting(connection);
    LostDocuments [Documents Students] "/admin/documents?status=lost" => |connection, _, _| faults::waiting(connection);
    Guardians [Students Records] "/admin/students?flags=request_waiting%2Cguardian_not_confirmed" =>
        StudentFlag::guardians_waiting;
    IdentityChanges [Enrollments] "/admin/identity-changes" => |connection, _, _| identity::waiting(connection);
    Messages [Messages] "/admin/messages?status=new" => |connection, _, _| messages::waiting(connection, MessageStatus::New);
    OpenMessages [Messages] "/admin/messages?status=open" =>
        |connection, _, _| messages::waiting(connection, MessageStatus::Open);
    Applications [Admissions Enrollments] "/admin/admission-requests?status=pending%2Cin_review" =>
        |connection, _, _| applications::waiting(connection);
    Questions [Admissions Enrollments] "/admin/admission-requests?status=info_requested" =>
        |connection, _, _| applications::asked(connection);
    Invitations [Admissions Enrollments] "/admin/admission-requests?waits=account" =>
        |connection, _, today| AdmissionWait::Account.waiting(connection, today);
    ApplicationsToLink [Admissions Enrollments] "/admin/admission-requests?waits=student" =>
        |connection, _, today| AdmissionWait::Student.waiting(connection, today);
    Deposits [Admissions Money] "/admin/admission-requests?waits=deposit" =>
        |connection, _, today| AdmissionWait::Deposit.waiting(connection, today);
    NoOpenTerm [Courses] "/admin/terms" => |connection, _, today| terms::store::no_open_term(connection, today);
    PlannedSections [Courses] "/admin/terms?show=planned" =>
        |connection, _, today| terms::store::planned_waiting(connection, today);
    Charges [Money] "/admin/charges" => |connection, _, _| enrollments::charges(connection);
    RefundsDue [Money] "/admin/money?show=refunds" => |connection, _, _| tasks::waiting(connection);
    MoneyOnAccount [Money] "/admin/money?filter=free" => |connection, _, today| on_account::waiting(connection, today);
    BankLines [Money] "/admin/money/bank" => |connection, _, _| bank::waiting(connection);
    Mail [Mail] "/admin/mail?status=dead" => |connection, _, _| mail::records::waiting(connection);
};

impl WaitingSource {
    /// Whether a role with these duties can act on it in a school with these settings.
    fn is_for(&self, duties: &[Duty], office: &Office) -> bool {
        let is_asked = self.kind != WaitingKind::Guardians || office.guardian_confirmation != Demand::Off;
        is_asked && self.duties.iter().all(|duty| duties.contains(duty))
    }
}

/// What waits, of the kinds that a role with these duties can act on, with those of which nothing waits.
///
/// # Errors
/// Database errors.
pub fn list(
    connection: &Connection,
    duties: &[Duty],
    office: &Office,
    today: Date,
) -> Result<Vec<WaitingLine>> {
    let lines = SOURCES.iter().filter(|line| line.is_for(duties, office));
    lines
        .map(|line| {
            let Waits { count, oldest } = (line.count)(connection, office, today)?;
            Ok(WaitingLine { kind: line.kind, group: line.kind.group(), count, oldest, href: line.href })
        })
        .collect()
}

/// What waits for the office, of the kinds that the caller's role can act on
#[utoipa::path(get, path = "/api/admin/waiting", tag = "dashboard")]
async fn list_waiting(staff: Staff<may::AnyRole>, State(app): State<App>) -> Result<Json<Vec<WaitingLine>>> {
    let duties = staff.user.duties;
    let config = app.config.clone();
    let today = app.today();
    app.db.query(move |connection| list(connection, duties, &config.office, today)).await.map(Json)
}
