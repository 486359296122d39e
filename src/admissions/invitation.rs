//! The invitation of an accepted student to the own account, and renewing it from the list of applications.

use axum::extract::State;
use jiff::Timestamp;
use rusqlite::Connection;
use serde_json::json;
use utoipa_axum::router::OpenApiRouter;

use super::desk::{AdmissionDesk, conflict};
use super::{AdmissionRequest, ListedAdmissionRequest, store};
use crate::base::error::{Error, ErrorBody, FieldErrors, Result};
use crate::base::json::Json;
use crate::decisions::{BulkDone, BulkResult};
use crate::mail::Cause;
use crate::staff::{Staff, may};
use crate::students;
use crate::students::Student;
use crate::students::requests::AccountLinks;
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::bulk;
use crate::web::form::{Field, OptionalJson, form};
use crate::web::id::{Id, Numbered as _};

/// The endpoints.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![renew_invitation, renew_invitations]
}

form! {
    /// The body of a renewed invitation, which may be left out.
    pub struct InvitationForm {
        /// `invitedAt` of the row as the office saw it: after a newer invitation nothing is sent.
        last_invited_at: Option<String>,
    }
}

form! {
    /// The body of renewing many invitations.
    pub struct BulkInvitationForm {
        /// 1 to 200 applications.
        ids: Vec<i64>,
        /// The newest `invitedAt` of the rows as the office saw them: a row with a newer invitation gets none.
        last_invited_at: Option<String>,
    }
}

/// An instant that may be left out.
fn instant(field: &Field<String>) -> Result<Option<Timestamp>, &'static str> {
    match field {
        Field::Absent | Field::Null => Ok(None),
        Field::Value(text) => text.parse().map(Some).map_err(|_| "Must be an instant"),
        Field::Wrong => Err("Must be an instant"),
    }
}

impl AdmissionDesk {
    /// Sends the student of an accepted application a new invitation; earlier links keep working until they expire.
    ///
    /// # Errors
    /// 409 when the account is open, or a colleague has sent a newer invitation than the office saw.
    fn invite(
        &self,
        connection: &Connection,
        id: i64,
        seen: Option<Timestamp>,
    ) -> Result<ListedAdmissionRequest> {
        let request = store::get(connection, id)?;
        let listed = store::as_listed(connection, request.clone(), &self.reading())?;
        let (Some(account), Some(student_id)) = (&listed.account, request.student_id) else {
            let words = "No account waits to be opened: the application is not accepted, or the student has opened it.";
            return Err(conflict(words, &request));
        };
        if seen.is_some() && account.invited_at > seen {
            return Err(Error::conflict("A colleague has just sent a new invitation.", &listed));
        }
        let student = students::store::find(connection, student_id)?.ok_or_else(Student::not_found)?;
        let links = AccountLinks {
            connection,
            config: &self.config,
            cause: Cause::Office,
            next: None,
            now: self.now,
        };
        links.send_verification(&student.address()?, &student)?;
        self.audit(connection, "renew invitation", id, json!({ "student": student_id }))?;
        store::as_listed(connection, request, &self.reading())
    }
}

/// Send an accepted student a new invitation to the own account, valid for seven days
#[utoipa::path(post, path = "/api/admin/admission-requests/{id}/invite", tag = "admissions",
    request_body = Option<InvitationForm>,
    responses((status = 409, body = ErrorBody, description = "The account is open, or a colleague has sent one; \
            `current` is the application")))]
async fn renew_invitation(
    staff: Staff<may::Enrollments>,
    State(app): State<App>,
    Id(id, ..): Id<AdmissionRequest>,
    OptionalJson(form): OptionalJson<InvitationForm>,
) -> Result<Json<ListedAdmissionRequest>> {
    let seen = instant(&form.last_invited_at).map_err(|message| Error::field("lastInvitedAt", message))?;
    let desk = AdmissionDesk::new(&app, &staff);
    app.carry_out_and_notify(move |connection| desk.invite(connection, id, seen)).await
}

/// Send many accepted students a new invitation, independently
#[utoipa::path(post, path = "/api/admin/admission-requests/invite", tag = "admissions")]
async fn renew_invitations(
    staff: Staff<may::Enrollments>,
    State(app): State<App>,
    Json(form): Json<BulkInvitationForm>,
) -> Result<Json<BulkDone<ListedAdmissionRequest>>> {
    let mut errors = FieldErrors::default();
    let ids = errors.take("ids", bulk::ids(&form.ids, "applications"));
    let seen = errors.take("lastInvitedAt", instant(&form.last_invited_at));
    let (ids, seen) = errors.finish(ids.zip(seen))?;
    let desk = AdmissionDesk::new(&app, &staff);
    app.carry_out_and_notify(move |connection| {
        let done = bulk::each(connection, &ids, |connection, id| desk.invite(connection, id, seen))?;
        Ok(BulkDone { results: done.into_iter().map(|(id, result)| BulkResult::of(id, result)).collect() })
    })
    .await
}
