//! Applications for a place: the family's form and its private page, the office's pipeline, the offer, and the
//! admission that follows from accepting it.
//!
//! Promises: the family reads what it may know and nothing of the office's own notes; a decision is one write
//! transaction with its event, its audit row and its emails, which wait while it can be undone; accepting is one
//! transaction, too, and happens once.

mod accept;
pub mod account;
mod account_answer;
mod address;
pub mod admitted;
pub mod agreements;
pub mod apply;
pub mod by_hand;
pub mod clock;
pub mod decisions;
pub mod deposits;
pub mod desk;
mod documents;
pub mod duplicates;
mod emails;
pub mod events;
mod invitation;
pub mod links;
mod look_twice;
pub mod mailboxes;
mod offers;
pub mod own;
pub mod page;
mod query;
mod question;
pub mod record;
mod reference;
pub mod rules;
pub mod status;
pub mod store;
mod unopened;
pub mod waiting;

use std::ops::Deref;

use axum::extract::State;
use axum::response::Response;
use jiff::civil::Date;
use jiff::{SignedDuration, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use self::query::AdmissionsQuery;
use self::question::FamilyQuestion;
pub use self::status::AdmissionRequestStatus;
use self::status::{AdmissionSource, FamilyLanguage};
use self::unopened::UnopenedAccount;
use self::waiting::AdmissionCounts;
use crate::audit;
use crate::base::error::Result;
use crate::base::json::Json;
use crate::config::Config;
use crate::courses::values::Grade;
use crate::staff::{Colleague, Staff, may};
use crate::students::guardians::Relationship;
use crate::students::profile::choices::Gender;
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::id::numbered;
use crate::web::pagination::{ListQuery, SheetQuery, SheetRequest};
use crate::web::sheet::sheet_row;

/// An application that became a student, with what it leaves to do: the courses that were wanted, the message.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StudentApplication {
    /// The application.
    #[serde(flatten)]
    pub request: AdmissionRequest,
    /// What else the family wrote.
    #[serde(flatten)]
    pub details: ApplicationDetails,
}

/// The public endpoints.
pub fn public_routes() -> OpenApiRouter<App> {
    apply::routes()
        .merge(links::routes())
        .merge(own::routes())
        .merge(accept::routes())
        .merge(account_answer::routes())
        .merge(address::routes())
        .merge(documents::public_routes())
}

/// The office's endpoints.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![list_admission_requests, count_admission_requests]
        .merge(agreements::routes())
        .merge(by_hand::routes())
        .merge(decisions::routes())
        .merge(documents::routes())
        .merge(invitation::routes())
        .merge(look_twice::routes())
        .merge(record::routes())
}

/// A family's request for a place, as the family and the office read it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Application {
    /// What the family and the office call it, such as `A-26-7QK4`.
    pub reference: String,
    /// Status.
    pub status: AdmissionRequestStatus,
    /// Since when it has this status.
    pub state_since: Timestamp,
    /// The student's first name.
    pub first_name: String,
    /// The student's last name.
    pub last_name: String,
    /// The student's date of birth; null for requests from before it was asked.
    #[schema(required)]
    pub date_of_birth: Option<Date>,
    /// Where the family is reached.
    pub email: String,
    /// Telephone number.
    pub phone: String,
    /// Two letters of ISO 3166-1.
    pub country: String,
    /// Postal address.
    pub address: String,
    /// The grade asked for.
    pub grade: Grade,
    /// The school attended so far.
    #[schema(required)]
    pub previous_school: Option<String>,
    /// A parent's or guardian's name.
    #[schema(required)]
    pub guardian_name: Option<String>,
    /// Where the parent or guardian is reached.
    #[schema(required)]
    pub guardian_email: Option<String>,
    /// When it arrived.
    pub created_at: Timestamp,
}

/// An application in the office.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AdmissionRequest {
    /// Number of the request.
    pub id: i64,
    /// What the family reads, too.
    #[serde(flatten)]
    pub application: Application,
    /// How it reached the school.
    pub source: AdmissionSource,
    /// Who of the office works on it.
    #[schema(required)]
    pub assignee_id: Option<i64>,
    /// The student who came of it.
    #[schema(required)]
    pub student_id: Option<i64>,
    /// Grows with every change of what was typed.
    pub version: i64,
    /// Whether the field that people do not see was filled in: by a program, or by a password manager.
    pub look_twice: bool,
}

impl Deref for AdmissionRequest {
    type Target = Application;

    fn deref(&self) -> &Application {
        &self.application
    }
}

numbered!(AdmissionRequest, "Application");

impl Application {
    /// The student's full name.
    pub fn full_name(&self) -> String {
        format!("{} {}", self.first_name, self.last_name)
    }
}

/// What else the family wrote.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ApplicationDetails {
    /// City, where it is not part of the address.
    #[schema(required)]
    pub city: Option<String>,
    /// Province.
    #[schema(required)]
    pub province: Option<String>,
    /// Postal code.
    #[schema(required)]
    pub postal_code: Option<String>,
    /// The student's gender.
    #[schema(required)]
    pub gender: Option<Gender>,
    /// The parent's or guardian's telephone number.
    #[schema(required)]
    pub guardian_phone: Option<String>,
    /// What the parent or guardian is to the student.
    #[schema(required)]
    pub relationship: Option<Relationship>,
    /// When the student would like to begin.
    #[schema(required)]
    pub start_term: Option<String>,
    /// Codes of courses that the student would like to take.
    pub wanted_courses: Vec<String>,
    /// What the family wrote beside.
    #[schema(required)]
    pub message: Option<String>,
    /// In which the family wants to be written to.
    pub language: FamilyLanguage,
}

/// A request in the office's list.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListedAdmissionRequest {
    /// The request.
    #[serde(flatten)]
    pub request: AdmissionRequest,
    /// Whether a student or another request has the same birth date and the same last name or email address.
    pub is_duplicate: bool,
    /// Whether it has waited for the office longer than a family should.
    pub is_late: bool,
    /// Who works on it.
    #[schema(required)]
    pub assignee: Option<Colleague>,
    /// The office's last question, until it decides.
    #[schema(required)]
    pub question: Option<FamilyQuestion>,
    /// The account that the accepted student has not opened; null otherwise.
    #[schema(required)]
    pub account: Option<UnopenedAccount>,
}

/// When a list is read, and by which rule an application is late.
#[derive(Debug, Clone, Copy)]
pub struct AdmissionsReading {
    /// Current time.
    pub now: Timestamp,
    /// The date at the school.
    pub today: Date,
    /// When that day began.
    pub midnight: Timestamp,
    /// Days within which a family should have an answer.
    pub answer_days: u32,
}

impl AdmissionsReading {
    /// Now, by the configuration.
    pub fn new(app: &App) -> Self {
        Self::at(&app.config, app.clock.now())
    }

    /// At a given time.
    pub fn at(config: &Config, now: Timestamp) -> Self {
        let zone = config.school().zone();
        let today = now.to_zoned(zone.clone()).date();
        let midnight = today.to_zoned(zone).map_or(now, |midnight| midnight.timestamp());
        Self { now, today, midnight, answer_days: config.admissions.first_answer_days }
    }

    /// Whether it is the office's turn, and has been for too long.
    fn is_late(&self, request: &AdmissionRequest) -> bool {
        let limit = SignedDuration::from_hours(24 * i64::from(self.answer_days));
        matches!(request.status, AdmissionRequestStatus::Pending | AdmissionRequestStatus::InReview)
            && self.now.duration_since(request.state_since) > limit
    }
}

/// Families who ask for a place, newest first; searched by name, address and reference
#[utoipa::path(get, path = "/api/admin/admission-requests", tag = "admissions",
    params(ListQuery, AdmissionsQuery,
        ("status" = Option<String>, Query, description = "Only requests in these states, separated by commas"),
        ("sort" = Option<String>, Query, description = "`created` for the oldest first"),
        SheetQuery),
    responses((status = 200, content((Vec<ListedAdmissionRequest> = "application/json"), (String = "text/csv")),
        headers(("X-Total-Count" = i64, description = "Rows that match, on every page")))))]
async fn list_admission_requests(
    staff: Staff<may::Admissions>,
    State(app): State<App>,
    SheetRequest(page): SheetRequest,
    narrowed: AdmissionsQuery,
) -> Result<Response> {
    let page = staff.may_take(page)?;
    let filter = narrowed.parse(&page)?;
    let reading = AdmissionsReading::new(&app);
    let listed =
        page.clone().ask(&app.db, move |page, connection| store::list(connection, page, &filter, &reading));
    audit::respond(&app, staff.actor(), &page, listed.await?).await
}

/// Number of applications that each filter of the list finds
#[utoipa::path(get, path = "/api/admin/admission-requests/counts", tag = "admissions")]
async fn count_admission_requests(
    _: Staff<may::Admissions>,
    State(app): State<App>,
) -> Result<Json<AdmissionCounts>> {
    let today = app.today();
    app.db.query(move |connection| AdmissionCounts::read(connection, today)).await.map(Json)
}

sheet_row! { ListedAdmissionRequest, "admission-requests", |row|
    "Id": row.request.id,
    "Reference": row.request.reference,
    "First name": row.request.first_name,
    "Last name": row.request.last_name,
    "Date of birth": row.request.date_of_birth,
    "Email": row.request.email,
    "Phone": row.request.phone,
    "Country": row.request.country,
    "Address": row.request.address,
    "Grade": row.request.grade.number(),
    "Previous school": row.request.previous_school,
    "Guardian": row.request.guardian_name,
    "Guardian email": row.request.guardian_email,
    "Source": row.request.source,
    "Status": row.request.status,
    "Status since": row.request.state_since,
    "Reminded": row.question.as_ref().and_then(|question| question.reminded_at),
    "Invitation expires": row.account.as_ref().and_then(|account| account.expires_at),
    "Assigned to": row.assignee.as_ref().map(|colleague| &*colleague.username),
    "Possible duplicate": if row.is_duplicate { "yes" } else { "" },
    "Look twice": if row.request.look_twice { "yes" } else { "" },
    "Created": row.request.created_at,
}
