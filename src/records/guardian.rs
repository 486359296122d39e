//! Recording and revoking a guardian's confirmation.

use axum::extract::State;
use utoipa_axum::router::OpenApiRouter;

use super::{StudentRecord, read};
use crate::base::error::{Error, ErrorBody, FieldErrors, Result};
use crate::base::json::Json;
use crate::staff::{Staff, may};
use crate::students::guardian::{GuardianHow, confirm, confirmation, is_changed, is_outstanding, take_back};
use crate::students::{Student, age, store};
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::form::form;
use crate::web::id::{Id, Numbered};

/// The endpoints of this part.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![confirm_guardian, unconfirm_guardian]
}

form! {
    /// `POST /api/admin/students/{id}/guardian-confirmed`'s body.
    pub struct GuardianConfirmed {
        /// How they confirmed.
        how: GuardianHow,
    }
}

impl GuardianConfirmed {
    fn parse(&self) -> Result<GuardianHow, FieldErrors> {
        self.how.one_of().map_err(|message| FieldErrors::one("how", message))
    }
}

/// Record a guardian's confirmation, which applies to the current requests; repeating it changes nothing
#[utoipa::path(post, path = "/api/admin/students/{id}/guardian-confirmed", tag = "students",
    responses((status = 409, body = ErrorBody)))]
async fn confirm_guardian(
    staff: Staff<may::Students>,
    State(app): State<App>,
    Id(id, ..): Id<Student>,
    Json(form): Json<GuardianConfirmed>,
) -> Result<Json<StudentRecord>> {
    let (now, today) = (app.clock.now(), app.today());
    app.carry_out(move |connection| {
        let student = store::find(connection, id)?.ok_or_else(Student::not_found)?;
        let how = form.parse()?;
        if !age::is_minor(student.profile.date_of_birth, today) {
            let message = "This student is not under 18, so no parent or guardian needs to confirm.";
            return Err(Error::Conflict(message.into()));
        }
        let is_same = confirmation(connection, id)?.is_some_and(|before| before.how == how);
        if !is_same || is_outstanding(connection, id)? {
            confirm(connection, id, how, (staff.id, &staff.actor()), now)?;
        }
        read(connection, id, today)
    })
    .await
}

/// Revoke a guardian's confirmation, or acknowledge a changed guardian who has not confirmed; repeating it changes
/// nothing
#[utoipa::path(delete, path = "/api/admin/students/{id}/guardian-confirmed", tag = "students")]
async fn unconfirm_guardian(
    staff: Staff<may::Students>,
    State(app): State<App>,
    Id(id, ..): Id<Student>,
) -> Result<Json<StudentRecord>> {
    let (now, today) = (app.clock.now(), app.today());
    app.carry_out(move |connection| {
        store::find(connection, id)?.ok_or_else(Student::not_found)?;
        if confirmation(connection, id)?.is_some() || is_changed(connection, id)? {
            take_back(connection, id, (staff.id, &staff.actor()), now)?;
        }
        read(connection, id, today)
    })
    .await
}
