//! Correction of a student's email address by the office: confirmed by a link to the new one, or by the staff member,
//! for example after a call.

use axum::extract::State;
use jiff::Timestamp;
use rusqlite::Connection;
use serde_json::json;
use utoipa_axum::router::OpenApiRouter;

use super::{StudentRecord, check_not_reserved, read, store, taken};
use crate::accounts::links::{end, end_all};
use crate::audit::{self, By};
use crate::base::email::Email;
use crate::base::error::{Error, ErrorBody, FieldErrors, Result};
use crate::base::json::Json;
use crate::config::Config;
use crate::mail::{Cause, outbox};
use crate::staff::{Recent, Staff, may};
use crate::students::history::{self, HistoryChange};
use crate::students::links::LinkPurpose;
use crate::students::requests::AccountLinks;
use crate::students::status::StudentStatus;
use crate::students::{self, Student, address, emails};
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::form::{Field, form};
use crate::web::id::Id;

/// The endpoint of this part.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![correct_student_email]
}

form! {
    /// `POST /api/admin/students/{id}/email`'s body.
    pub struct EmailCorrection {
        /// The new address.
        email: String,
        /// Whether the staff member has confirmed that it is the student's; otherwise a link is sent.
        #[schema(required = false)]
        confirmed: bool,
        /// Reason; required with `confirmed`.
        reason: Option<String>,
    }
}

/// A validated correction.
struct Correction {
    email: Email,
    is_confirmed: bool,
    reason: Option<String>,
}

impl Correction {
    fn parse(form: &EmailCorrection) -> Result<Self, FieldErrors> {
        let mut errors = FieldErrors::default();
        let email = errors.take("email", Email::parse(form.email.text()));
        let is_confirmed = match form.confirmed {
            Field::Absent | Field::Null => Ok(false),
            Field::Value(value) => Ok(value),
            Field::Wrong => Err("Must be yes or no"),
        };
        let is_confirmed = errors.take("confirmed", is_confirmed);
        let reason = if is_confirmed == Some(true) {
            form.reason
                .between(3, 500, "Please say how you made sure that the address is the student’s")
                .map(Some)
        } else {
            form.reason.optional(500)
        };
        let reason = errors.take("reason", reason);
        let correction = || Some(Self { email: email?, is_confirmed: is_confirmed?, reason: reason? });
        errors.finish(correction())
    }
}

/// Correct a student's email address. The old address is notified; sessions stay, and password links sent to the old
/// address become invalid.
#[utoipa::path(post, path = "/api/admin/students/{id}/email", tag = "students",
    responses((status = 409, body = ErrorBody, description = "`current` names the student who has the \
            address")))]
async fn correct_student_email(
    staff: Staff<may::Students, Recent>,
    State(app): State<App>,
    Id(id, ..): Id<Student>,
    Json(form): Json<EmailCorrection>,
) -> Result<Json<StudentRecord>> {
    let now = app.clock.now();
    let today = app.today();
    let config = app.config.clone();
    app.carry_out_and_notify(move |connection| {
        let before = read(connection, id, today)?;
        let correction = Correction::parse(&form)?;
        check(connection, &before, &correction, now)?;
        let office = EmailChange { connection, config: &config, staff: &staff, now };
        if before.status == StudentStatus::Unverified {
            office.replace_unverified(&before.student, &correction)?;
        } else if correction.is_confirmed {
            office.replace(&before.student, &correction)?;
        } else {
            office.ask(&before.student, &correction)?;
        }
        let detail = json!({ "confirmed": correction.is_confirmed, "reason": correction.reason });
        audit::record(connection, &staff.actor(), "correct email", "student", id, detail, now)?;
        read(connection, id, today)
    })
    .await
}

/// Checks that the student can get this address.
fn check(connection: &Connection, before: &StudentRecord, new: &Correction, now: Timestamp) -> Result<()> {
    let id = before.student.id;
    if before.student.email.eq_ignore_ascii_case(new.email.as_str()) {
        return Err(Error::field("email", "This is the address in use"));
    }
    if let Some(other) = store::name_by_email(connection, &new.email)? {
        return Err(taken(&other));
    }
    check_not_reserved(connection, &new.email, Some(id), now)?;
    match before.status {
        StudentStatus::Closed => Err(Error::conflict("This account is closed.", before)),
        StudentStatus::Suspended if !new.is_confirmed => {
            let message = "A suspended student cannot confirm an address. Reinstate the student first, or confirm the \
                address yourself.";
            Err(Error::conflict(message, before))
        }
        StudentStatus::Suspended | StudentStatus::Active | StudentStatus::Unverified => Ok(()),
    }
}

struct EmailChange<'a> {
    connection: &'a Connection,
    config: &'a Config,
    staff: &'a Staff<may::Students, Recent>,
    now: Timestamp,
}

impl EmailChange<'_> {
    /// Sends a confirmation link to the new mailbox; the old address stays in use until then.
    fn ask(&self, student: &Student, new: &Correction) -> Result<()> {
        address::ask_new_mailbox(self.connection, self.config, student, &new.email, self.now)?;
        let message = emails::correction_begun(&student.address()?, name(student), self.config);
        outbox::enqueue(self.connection, &message, Cause::Office, self.config, self.now)?;
        self.note("pendingEmail", student.pending_email.as_deref(), student.id, new)
    }

    /// Changes the address at once.
    fn replace(&self, student: &Student, new: &Correction) -> Result<()> {
        let old = student.address()?;
        students::store::change_email(self.connection, student.id, &new.email, self.now)?;
        for purpose in [LinkPurpose::ResetPassword, LinkPurpose::ChoosePassword, LinkPurpose::ChangeEmail] {
            end(self.connection, student.id, purpose)?;
        }
        for to in [&old, &new.email] {
            let message = emails::address_corrected(to, self.config);
            outbox::enqueue(self.connection, &message, Cause::Office, self.config, self.now)?;
        }
        self.note("email", Some(old.as_str()), student.id, new)
    }

    /// Replaces an unverified address, and asks the new mailbox for verification.
    fn replace_unverified(&self, student: &Student, new: &Correction) -> Result<()> {
        let old = student.address()?;
        students::store::change_email(self.connection, student.id, &new.email, self.now)?;
        end_all::<LinkPurpose>(self.connection, student.id)?;
        self.note("email", Some(old.as_str()), student.id, new)?;
        let Self { connection, config, now, .. } = *self;
        AccountLinks { connection, config, cause: Cause::Office, next: None, now }
            .send_verification(&new.email, student)
    }

    fn note(&self, field: &str, before: Option<&str>, id: i64, new: &Correction) -> Result<()> {
        let change =
            HistoryChange { field, before, after: Some(new.email.as_str()), reason: new.reason.as_deref() };
        history::add(self.connection, id, By::Staff(self.staff.id), change, self.now)
    }
}

fn name(student: &Student) -> Option<&str> {
    student.profile.full_name.as_deref()
}
