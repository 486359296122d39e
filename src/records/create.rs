//! Creation of student accounts by the office, with an invitation to choose a password.

use axum::extract::State;
use axum::http::StatusCode;
use jiff::Timestamp;
use jiff::civil::Date;
use rusqlite::Connection;
use utoipa_axum::router::OpenApiRouter;

use super::{StudentRecord, check_not_reserved, read, store, taken};
use crate::audit::{Actor, By};
use crate::base::contact;
use crate::base::email::Email;
use crate::base::error::{ErrorBody, FieldErrors, Result};
use crate::base::json::Json;
use crate::config::Config;
use crate::staff::{Staff, may};
use crate::students::opening::{self, NewAccount};
use crate::students::profile::Profile;
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::form::{Field, form};

/// The endpoint of this part.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![create_student]
}

form! {
    /// `POST /api/admin/students`' body.
    pub struct NewStudentForm {
        full_name: String,
        email: String,
        /// Whether to email the student a link to choose the password; default true.
        #[schema(required = false)]
        invite: bool,
        /// A parent's or guardian's name.
        parent_name: Option<String>,
        /// Contact of the parent or guardian.
        parent_contact: Option<String>,
    }
}

impl NewStudentForm {
    fn parse(&self) -> Result<NewAccount, FieldErrors> {
        let form = self;
        let mut errors = FieldErrors::default();
        let email = errors.take("email", Email::parse(form.email.text()));
        let full_name = form.full_name.person(2, 200, "Full name is required");
        let full_name = errors.take("fullName", full_name);
        let is_invited = match form.invite {
            Field::Absent | Field::Null => Ok(true),
            Field::Value(value) => Ok(value),
            Field::Wrong => Err("Must be yes or no"),
        };
        let is_invited = errors.take("invite", is_invited);
        let parent_name = errors.take("parentName", form.parent_name.optional_person(200)).flatten();
        let parent_contact =
            errors.take("parentContact", form.parent_contact.optional(contact::MAX_CHARACTERS)).flatten();
        let country = "CA".to_owned();
        let profile = Profile { full_name, country, parent_name, parent_contact, ..Profile::default() };
        let new = || Some(NewAccount { email: email?, profile, is_invited: is_invited? });
        errors.finish(new())
    }
}

/// Create a student's account; the student chooses the password by a link that is valid for seven days
#[utoipa::path(post, path = "/api/admin/students", tag = "students",
    responses((status = 409, body = ErrorBody, description = "`current` names the student who has the \
            address")))]
async fn create_student(
    staff: Staff<may::Students>,
    State(app): State<App>,
    Json(form): Json<NewStudentForm>,
) -> Result<(StatusCode, Json<StudentRecord>)> {
    let new = form.parse()?;
    let now = app.clock.now();
    let today = app.today();
    let config = app.config.clone();
    app.write_and_notify(move |connection| {
        if let Some(other) = store::name_by_email(connection, &new.email)? {
            return Err(taken(&other));
        }
        check_not_reserved(connection, &new.email, None, now)?;
        let making = AccountCreation { connection, config: &config, today, now };
        making.create(&new, Some(staff.id), &staff.actor())
    })
    .await
    .map(|record| (StatusCode::CREATED, Json(record)))
}

/// Context for creating an account.
pub(super) struct AccountCreation<'a> {
    pub(super) connection: &'a Connection,
    pub(super) config: &'a Config,
    pub(super) today: Date,
    pub(super) now: Timestamp,
}

impl AccountCreation<'_> {
    /// Creates an account with an unused address.
    pub(super) fn create(
        &self,
        new: &NewAccount,
        user_id: Option<i64>,
        actor: &Actor,
    ) -> Result<StudentRecord> {
        let Self { connection, config, today, now } = *self;
        let by = user_id.map_or(By::System, By::Staff);
        let student = opening::open(connection, new, by, actor, config, now)?;
        read(connection, student.id, today)
    }
}
