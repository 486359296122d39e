//! Suspending and reinstating accounts by the office, and sending links.

use axum::Extension;
use axum::extract::State;
use jiff::Timestamp;
use rusqlite::Connection;
use serde_json::json;
use utoipa_axum::router::OpenApiRouter;

use super::{StudentRecord, account_emails, read};
use crate::audit::{self, By};
use crate::base::closed_set::ClosedSet;
use crate::base::error::{Error, ErrorBody, FieldErrors, Result};
use crate::base::json::Json;
use crate::base::security_log::SecurityEvent;
use crate::config::Config;
use crate::enrollments::requests::guardian_emails::{AskContext, SendTime, send_with_copies};
use crate::enrollments::store::Addressee;
use crate::mail::Cause;
use crate::staff::{CurrentStaff, Recent, Staff, may};
use crate::students::history::{self, HistoryChange};
use crate::students::requests::AccountLinks;
use crate::students::status::StudentStatus;
use crate::students::{self, Student, owner};
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::form::{Field, OptionalJson, form};
use crate::web::id::Id;
use crate::web::portal::Portal;
use crate::web::session;

/// The endpoints of this part.
pub fn routes() -> OpenApiRouter<App> {
    endpoints! {
        suspend_student, reinstate_student, resend_student_verification,
        send_student_password_link, reset_student_factor,
    }
}

form! {
    /// A request body with a reason.
    pub struct WithReason {
        /// 3 to 500 characters.
        pub reason: String,
    }
}

/// Validates a reason.
pub(super) fn reason(field: &Field<String>) -> Result<String, FieldErrors> {
    let reason = field.between(3, 500, "Please say why: the office reads it later");
    reason.map_err(|message| FieldErrors::one("reason", message))
}

/// Validates what the family reads about it.
pub(super) fn message(field: &Field<String>) -> Result<Option<String>, FieldErrors> {
    field.optional(2000).map_err(|message| FieldErrors::one("message", message))
}

/// Compares the state with the one that the office saw.
///
/// # Errors
/// 409 with the student if it has changed.
pub(super) fn check_expected(field: &Field<String>, before: &StudentRecord) -> Result<()> {
    let expected: Option<StudentStatus> =
        field.optional_one_of().map_err(|words| FieldErrors::one("expected", words))?;
    match expected {
        Some(expected) if expected != before.status => {
            let words = format!("This account is {} now.", before.status.as_str());
            Err(Error::conflict(words, before))
        }
        _ => Ok(()),
    }
}

form! {
    /// `POST /api/admin/students/{id}/suspend`'s body.
    pub struct SuspendForm {
        /// Why, for the office: 3 to 500 characters.
        reason: String,
        /// What the student and the guardians read about it in the email; at most 2,000 characters.
        message: Option<String>,
        /// Expected state; refused if it has changed.
        expected: Option<StudentStatus>,
    }
}

form! {
    /// `POST /api/admin/students/{id}/reinstate`'s body, which is optional.
    pub struct ReinstateForm {
        /// What the student and the guardians read about it in the email; at most 2,000 characters.
        message: Option<String>,
        /// Expected state; refused if it has changed.
        expected: Option<StudentStatus>,
    }
}

/// Suspend a student: ends every session at once, and the student and the guardians get an email; repeating it changes
/// nothing
#[utoipa::path(post, path = "/api/admin/students/{id}/suspend", tag = "students",
    responses((status = 409, body = ErrorBody)))]
async fn suspend_student(
    staff: Staff<may::Students, Recent>,
    State(app): State<App>,
    Id(id, ..): Id<Student>,
    Json(form): Json<SuspendForm>,
) -> Result<Json<StudentRecord>> {
    let now = app.clock.now();
    let today = app.today();
    let config = app.config.clone();
    app.carry_out_and_notify(move |connection| {
        let before = read(connection, id, today)?;
        let reason = reason(&form.reason)?;
        let message = message(&form.message)?;
        check_expected(&form.expected, &before)?;
        before.status.suspend().map_err(|words| Error::conflict(words, &before))?;
        if before.status == StudentStatus::Suspended {
            return Ok(before);
        }
        let change = StatusChange { to: StudentStatus::Suspended, verb: "suspend", reason: Some(&reason) };
        change.apply(connection, &staff, &before, now)?;
        let to = Addressee::new(connection, &before.student)?;
        let email = account_emails::suspended(&to, message.as_deref(), &config);
        send_with_copies(connection, &to, &email, SendTime::Now, &AskContext { config: &config, now })?;
        read(connection, id, today)
    })
    .await
}

/// Reinstate a suspended student, or an account closed by mistake: the student and the guardians get an email; repeating it
/// changes nothing
#[utoipa::path(post, path = "/api/admin/students/{id}/reinstate", tag = "students",
    request_body = Option<ReinstateForm>, responses((status = 409, body = ErrorBody)))]
async fn reinstate_student(
    staff: Staff<may::Students, Recent>,
    State(app): State<App>,
    Id(id, ..): Id<Student>,
    OptionalJson(form): OptionalJson<ReinstateForm>,
) -> Result<Json<StudentRecord>> {
    let now = app.clock.now();
    let today = app.today();
    let config = app.config.clone();
    let record = app
        .write_and_notify(move |connection| {
            let before = read(connection, id, today)?;
            let message = message(&form.message)?;
            check_expected(&form.expected, &before)?;
            if before.merged_into.is_some() {
                let message = "This account was merged into another one, which goes on in its place.";
                return Err(Error::conflict(message, &before));
            }
            // A student with a number has verified the mailbox before.
            let to = match before.status {
                StudentStatus::Active | StudentStatus::Unverified => return Ok(before),
                StudentStatus::Suspended | StudentStatus::Closed if before.number.is_some() => {
                    StudentStatus::Active
                }
                StudentStatus::Suspended | StudentStatus::Closed => StudentStatus::Unverified,
            };
            let change = StatusChange { to, verb: "reinstate", reason: None };
            change.apply(connection, &staff, &before, now)?;
            // An address that was never confirmed may be a stranger's.
            if to == StudentStatus::Active {
                let to = Addressee::new(connection, &before.student)?;
                let email = account_emails::reinstated(&to, message.as_deref(), &config);
                send_with_copies(
                    connection,
                    &to,
                    &email,
                    SendTime::Now,
                    &AskContext { config: &config, now },
                )?;
            }
            read(connection, id, today)
        })
        .await?;
    // Seats that were reserved may be offered again.
    app.seats_wakeup.notify_one();
    Ok(Json(record))
}

/// A change of an account's state.
pub(super) struct StatusChange<'a> {
    pub(super) to: StudentStatus,
    pub(super) verb: &'a str,
    pub(super) reason: Option<&'a str>,
}

impl StatusChange<'_> {
    /// Changes the state, records it, and ends every session unless the account stays active.
    pub(super) fn apply(
        &self,
        connection: &Connection,
        staff: &CurrentStaff,
        before: &StudentRecord,
        now: Timestamp,
    ) -> Result<()> {
        let id = before.student.id;
        students::store::set_status(connection, id, self.to, self.reason, now)?;
        if self.to != StudentStatus::Active {
            session::end_all(connection, Portal::Student, id)?;
        }
        let old = Some(before.status.as_str());
        let new = Some(self.to.as_str());
        let change = HistoryChange { field: "status", before: old, after: new, reason: self.reason };
        history::add(connection, id, By::Staff(staff.id), change, now)?;
        let detail = json!({ "from": before.status, "to": self.to, "reason": self.reason });
        audit::record(connection, &staff.actor(), self.verb, "student", id, detail, now)
    }
}

/// Send a new verification link, or a new invitation, to an unverified address
#[utoipa::path(post, path = "/api/admin/students/{id}/resend-verification", tag = "students",
    responses((status = 409, body = ErrorBody)))]
async fn resend_student_verification(
    staff: Staff<may::Students>,
    State(app): State<App>,
    Id(id, ..): Id<Student>,
) -> Result<Json<StudentRecord>> {
    send(staff, app, id, RESEND, resend_verification).await
}

/// Action in the audit trail.
pub(super) const RESEND: &str = "resend verification";

/// Sends a new link to an unverified address.
///
/// # Errors
/// 409 when it is verified already.
pub(super) fn resend_verification(desk: &AccountLinks<'_>, record: &StudentRecord) -> Result<()> {
    let student = &record.student;
    if student.status != StudentStatus::Unverified {
        return Err(Error::conflict("This student’s email address is verified already.", record));
    }
    desk.send_verification(&student.address()?, student)
}

/// Send a link to choose a new password
#[utoipa::path(post, path = "/api/admin/students/{id}/send-password-link", tag = "students",
    responses((status = 409, body = ErrorBody)))]
async fn send_student_password_link(
    staff: Staff<may::Students, Recent>,
    State(app): State<App>,
    Id(id, ..): Id<Student>,
) -> Result<Json<StudentRecord>> {
    send(staff, app, id, "send password link", |desk, record| {
        let student = &record.student;
        if !student.status.may_reset_password() {
            let message = "This account is not open. Reinstate the student first.";
            return Err(Error::conflict(message, record));
        }
        desk.send_reset(&student.address()?, student)
    })
    .await
}

/// Reset a student's lost second factor: ends every session, and the password alone is enough until a new one is set
/// up; repeating it changes nothing
#[utoipa::path(post, path = "/api/admin/students/{id}/reset-second-factor", tag = "students")]
async fn reset_student_factor(
    staff: Staff<may::Students, Recent>,
    State(app): State<App>,
    Id(id, ..): Id<Student>,
) -> Result<(Extension<SecurityEvent>, Json<StudentRecord>)> {
    let now = app.clock.now();
    let today = app.today();
    let config = app.config.clone();
    let record = app.write_and_notify(move |connection| {
        let before = read(connection, id, today)?;
        let by = By::Staff(staff.id);
        owner::reset_second_factor(connection, &before.student, by, &staff.actor(), &config, now)?;
        read(connection, id, today)
    });
    Ok((Extension(SecurityEvent::FactorReset), Json(record.await?)))
}

async fn send<P: Send + Sync + 'static>(
    staff: Staff<may::Students, P>,
    app: App,
    id: i64,
    action: &'static str,
    work: fn(&AccountLinks<'_>, &StudentRecord) -> Result<()>,
) -> Result<Json<StudentRecord>> {
    let now = app.clock.now();
    let today = app.today();
    let config = app.config.clone();
    app.carry_out_and_notify(move |connection| {
        let record = read(connection, id, today)?;
        let config: &Config = &config;
        work(&AccountLinks { connection, config, cause: Cause::Office, next: None, now }, &record)?;
        audit::record(connection, &staff.actor(), action, "student", id, json!({}), now)?;
        Ok(record)
    })
    .await
}
