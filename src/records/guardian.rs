//! Recording and revoking a guardian's confirmation by the office, the list of a student's guardians, and stopping
//! disclosure to one of them.

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use jiff::Timestamp;
use rusqlite::Connection;
use serde_json::json;
use utoipa_axum::router::OpenApiRouter;

use super::account::{WithReason, reason};
use super::{StudentRecord, read};
use crate::admissions::mailboxes::{self, StopContext};
use crate::audit::{self, ActingStaff, By};
use crate::base::error::{Error, ErrorBody, FieldErrors, Result};
use crate::base::json::Json;
use crate::config::Config;
use crate::enrollments::requests::guardian_emails::{self, AskContext};
use crate::staff::{CurrentStaff, Recent, Staff, may};
use crate::students::confirmations::{self, GuardianHow, is_changed, is_outstanding, newest, take_back};
use crate::students::guardians::{
    Guardian, GuardianContext, GuardianInput, GuardianStop, store as guardians,
};
use crate::students::{Student, age, store};
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::form::{Field, JsonList, form};
use crate::web::id::{Id, Numbered};

/// The endpoints of this part.
pub fn routes() -> OpenApiRouter<App> {
    endpoints! {
        confirm_guardian, unconfirm_guardian, replace_student_guardians, stop_guardian, resume_guardian,
    }
}

form! {
    /// `POST /api/admin/students/{id}/guardian-confirmed`'s body.
    pub struct GuardianConfirmed {
        /// How they confirmed; the office cannot confirm on the family page.
        how: GuardianHow,
        /// Which guardian; otherwise the primary one.
        guardian_id: Option<i64>,
    }
}

impl GuardianConfirmed {
    fn parse(&self) -> Result<(GuardianHow, Option<i64>), FieldErrors> {
        let mut errors = FieldErrors::default();
        let how = self.how.one_of().and_then(|how| match how {
            GuardianHow::Link => Err("Must be phone, paper, in_person or email".to_owned()),
            how => Ok(how),
        });
        let how = errors.take("how", how);
        let guardian_id = match self.guardian_id {
            Field::Absent | Field::Null => Ok(None),
            Field::Value(id) => Ok(Some(id)),
            Field::Wrong => Err("Must be a number"),
        };
        let guardian_id = errors.take("guardianId", guardian_id);
        let both = || Some((how?, guardian_id?));
        errors.finish(both())
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
    let now = app.clock.now();
    let today = app.today();
    let config = app.config.clone();
    app.carry_out(move |connection| {
        let student = store::find(connection, id)?.ok_or_else(Student::not_found)?;
        let (how, named) = form.parse()?;
        if !age::is_minor(student.profile.date_of_birth, today) {
            let message = "This student is not under 18, so no parent or guardian needs to confirm.";
            return Err(Error::conflict(message, &read(connection, id, today)?));
        }
        let all = guardians::list(connection, id)?;
        let guardian = all.iter().find(|one| named.map_or(one.is_primary, |named| one.id == named));
        if guardian.is_none_or(|one| one.stopped_at.is_some()) && (named.is_some() || guardian.is_some()) {
            return Err(Error::field("guardianId", "Choose a guardian of this student who may confirm."));
        }
        let guardian_id = guardian.map(|one| one.id);
        let before = match guardian_id {
            Some(guardian_id) => confirmations::newest_of(connection, guardian_id)?,
            None => newest(connection, id)?,
        };
        let is_same = before.is_some_and(|before| before.how == how);
        if !is_same || is_outstanding(connection, id, &config.office)? {
            let by = ActingStaff { id: staff.id, actor: &staff.actor() };
            confirmations::record(connection, id, how, guardian_id, by, now)?;
        }
        read(connection, id, today)
    })
    .await
}

/// Revoke the guardians' confirmations, or acknowledge a changed guardian who has not confirmed; repeating it changes
/// nothing
#[utoipa::path(delete, path = "/api/admin/students/{id}/guardian-confirmed", tag = "students")]
async fn unconfirm_guardian(
    staff: Staff<may::Students>,
    State(app): State<App>,
    Id(id, ..): Id<Student>,
) -> Result<Json<StudentRecord>> {
    let now = app.clock.now();
    let today = app.today();
    app.carry_out(move |connection| {
        store::find(connection, id)?.ok_or_else(Student::not_found)?;
        if newest(connection, id)?.is_some() || is_changed(connection, id)? {
            let by = ActingStaff { id: staff.id, actor: &staff.actor() };
            take_back(connection, id, by, now)?;
        }
        read(connection, id, today)
    })
    .await
}

/// Replace a student's parents or guardians
#[utoipa::path(put, path = "/api/admin/students/{id}/guardians", tag = "students",
    request_body = Vec<GuardianInput>)]
async fn replace_student_guardians(
    staff: Staff<may::Students, Recent>,
    State(app): State<App>,
    Id(id, ..): Id<Student>,
    JsonList(rows): JsonList<GuardianInput>,
) -> Result<Json<Vec<Guardian>>> {
    let now = app.clock.now();
    let config = app.config.clone();
    app.carry_out_and_notify(move |connection| {
        let student = store::find(connection, id)?.ok_or_else(Student::not_found)?;
        let by = By::Staff(staff.id);
        let context = GuardianContext { connection, student: &student, by, config: &config, now };
        let before = guardians::list(connection, id)?;
        let (after, is_changed) = context.replace(&rows)?;
        if is_changed {
            let detail = json!({ "guardians": { "from": words(&before), "to": words(&after) } });
            audit::record(connection, &staff.actor(), "change", "student", id, detail, now)?;
            guardian_emails::ask(connection, &AskContext { config: &config, now }, Some(id))?;
        }
        Ok(after)
    })
    .await
}

fn words(guardians: &[Guardian]) -> String {
    guardians.iter().map(Guardian::words).collect::<Vec<_>>().join("; ")
}

/// Disclose nothing more to a guardian, for example for custody; the reason is for the office, and repeating it
/// changes nothing
#[utoipa::path(post, path = "/api/admin/students/{id}/guardians/{guardianId}/stop", tag = "students",
    params(("id" = i64, Path, description = "The student"), ("guardianId" = i64, Path, description = "The guardian")),
    responses((status = 404, body = ErrorBody)))]
async fn stop_guardian(
    staff: Staff<may::Students>,
    State(app): State<App>,
    numbers: Result<Path<(i64, i64)>, PathRejection>,
    Json(form): Json<WithReason>,
) -> Result<Json<Vec<Guardian>>> {
    let Path((id, guardian_id)) = numbers.map_err(|_| Student::not_found())?;
    let now = app.clock.now();
    let config = app.config.clone();
    app.carry_out(move |connection| {
        let student = store::find(connection, id)?.ok_or_else(Student::not_found)?;
        let reason = reason(&form.reason)?;
        set_stopped(connection, &staff, &student, guardian_id, Some(&reason), &config, now)
    })
    .await
}

/// Disclose to a stopped guardian again; repeating it changes nothing
#[utoipa::path(post, path = "/api/admin/students/{id}/guardians/{guardianId}/resume", tag = "students",
    params(("id" = i64, Path, description = "The student"), ("guardianId" = i64, Path, description = "The guardian")),
    responses((status = 404, body = ErrorBody)))]
async fn resume_guardian(
    staff: Staff<may::Students, Recent>,
    State(app): State<App>,
    numbers: Result<Path<(i64, i64)>, PathRejection>,
) -> Result<Json<Vec<Guardian>>> {
    let Path((id, guardian_id)) = numbers.map_err(|_| Student::not_found())?;
    let now = app.clock.now();
    let config = app.config.clone();
    app.carry_out_and_notify(move |connection| {
        let student = store::find(connection, id)?.ok_or_else(Student::not_found)?;
        let after = set_stopped(connection, &staff, &student, guardian_id, None, &config, now)?;
        guardian_emails::ask(connection, &AskContext { config: &config, now }, Some(id))?;
        Ok(after)
    })
    .await
}

fn set_stopped(
    connection: &Connection,
    staff: &CurrentStaff,
    student: &Student,
    guardian_id: i64,
    reason: Option<&str>,
    config: &Config,
    now: Timestamp,
) -> Result<Vec<Guardian>> {
    let by = By::Staff(staff.id);
    let context = GuardianContext { connection, student, by, config, now };
    if context
        .set_stopped(guardian_id, reason.map(|reason| GuardianStop { reason, user_id: Some(staff.id) }))?
    {
        let stops = StopContext { by, config, now };
        match guardians::find(connection, student.id, guardian_id)?.and_then(|one| one.email) {
            Some(email) if reason.is_none() => {
                mailboxes::resume_for_student(connection, stops, student.id, &email)?;
            }
            _ => mailboxes::settle_stops(connection, student.id, stops)?,
        }
        let action = if reason.is_some() { "stop guardian" } else { "resume guardian" };
        let detail = json!({ "guardianId": guardian_id, "reason": reason });
        audit::record(connection, &staff.actor(), action, "student", student.id, detail, now)?;
    }
    guardians::list(connection, student.id)
}
