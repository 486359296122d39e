//! The same decision about many applications: a result for each, and one undo for all.

use axum::extract::State;
use utoipa_axum::router::OpenApiRouter;

use super::DecidedApplication;
use super::acts::{Act, AskForm, DeclineApplicationForm};
use crate::admissions::desk::AdmissionDesk;
use crate::base::error::{FieldErrors, Result};
use crate::base::json::Json;
use crate::decisions::{self, BulkDecided};
use crate::enrollments::decisions::decline::DeclineCode;
use crate::staff::{CurrentStaff, Staff, may};
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::bulk;
use crate::web::form::{Field, form};

/// The endpoints.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![ask_families, remind_families, waitlist_applications, decline_applications]
}

form! {
    /// The body of a question to many families.
    pub struct BulkAskForm {
        /// 1 to 200 applications.
        ids: Vec<i64>,
        /// What the office asks, which each family reads: 1 to 4,000 characters.
        text: String,
        /// Types of documents that it wants.
        wants: Option<Vec<String>>,
    }
}

form! {
    /// The body of a decision about many without words.
    pub struct BulkWaitForm {
        /// 1 to 200 applications.
        ids: Vec<i64>,
    }
}

form! {
    /// The body of declining many.
    pub struct BulkRefuseForm {
        /// 1 to 200 applications.
        ids: Vec<i64>,
        /// Why, which each family reads: 1 to 1,000 characters.
        reason: String,
        /// Why, in a word for the school's figures; otherwise `other`.
        code: Option<DeclineCode>,
    }
}

/// Ask many families the same
#[utoipa::path(post, path = "/api/admin/admission-requests/ask", tag = "admissions")]
async fn ask_families(
    staff: Staff<may::Enrollments>,
    State(app): State<App>,
    Json(form): Json<BulkAskForm>,
) -> Result<Json<BulkDecided<DecidedApplication>>> {
    let BulkAskForm { ids, text, wants } = form;
    let parsed = AskForm { text, wants, ..AskForm::default() }.parse().map(|(act, _)| act);
    decide_each(&app, &staff, &ids, parsed).await
}

/// Remind many families of what the office asked each, at most once a day
#[utoipa::path(post, path = "/api/admin/admission-requests/remind", tag = "admissions")]
async fn remind_families(
    staff: Staff<may::Enrollments>,
    State(app): State<App>,
    Json(form): Json<BulkWaitForm>,
) -> Result<Json<BulkDecided<DecidedApplication>>> {
    decide_each(&app, &staff, &form.ids, Ok(Act::Remind)).await
}

/// Put many applications on the waiting list
#[utoipa::path(post, path = "/api/admin/admission-requests/waitlist", tag = "admissions")]
async fn waitlist_applications(
    staff: Staff<may::Enrollments>,
    State(app): State<App>,
    Json(form): Json<BulkWaitForm>,
) -> Result<Json<BulkDecided<DecidedApplication>>> {
    decide_each(&app, &staff, &form.ids, Ok(Act::Waitlist)).await
}

/// Decline many applications for one reason
#[utoipa::path(post, path = "/api/admin/admission-requests/decline", tag = "admissions")]
async fn decline_applications(
    staff: Staff<may::Enrollments>,
    State(app): State<App>,
    Json(form): Json<BulkRefuseForm>,
) -> Result<Json<BulkDecided<DecidedApplication>>> {
    let BulkRefuseForm { ids, reason, code } = form;
    let parsed = DeclineApplicationForm { reason, code, ..DeclineApplicationForm::default() }
        .parse()
        .map(|(act, _)| act);
    decide_each(&app, &staff, &ids, parsed).await
}

/// The ids of a call with what else it says, or the errors of both.
pub fn with_ids<T>(
    ids: &Field<Vec<i64>>,
    parsed: Result<T, FieldErrors>,
) -> Result<(Vec<i64>, T), FieldErrors> {
    match (bulk::ids(ids, "applications"), parsed) {
        (Ok(ids), parsed) => parsed.map(|parsed| (ids, parsed)),
        (Err(message), parsed) => {
            let mut errors = parsed.err().unwrap_or_default();
            errors.add("ids", message);
            Err(errors)
        }
    }
}

async fn decide_each(
    app: &App,
    staff: &CurrentStaff,
    ids: &Field<Vec<i64>>,
    act: Result<Act, FieldErrors>,
) -> Result<Json<BulkDecided<DecidedApplication>>> {
    let (ids, act) = with_ids(ids, act)?;
    let desk = AdmissionDesk::new(app, staff);
    app.carry_out_and_notify(move |connection| {
        decisions::decide_each(connection, &ids, |connection, id, bulk| {
            desk.act(connection, id, &act, None, Some(bulk))
        })
    })
    .await
}
