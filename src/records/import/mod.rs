//! Students from a spreadsheet: `import-students FILE` and the office's import.
//!
//! New addresses become accounts, known ones are updated, empty cells keep the stored value; nothing is deleted.
//! [`crate::web::sheet`] reads, validates and writes files; [`Importer`] interprets lines.

mod line;
#[cfg(test)]
mod tests;

pub use self::line::cells;

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{DefaultBodyLimit, State};
use jiff::Timestamp;
use jiff::civil::Date;
use rusqlite::Connection;
use serde::Deserialize;
use serde_json::json;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;

use super::create::AccountCreation;
use crate::audit::{self, Actor, By};
use crate::base::change::Change;
use crate::base::email::Email;
use crate::base::error::{Error, FieldErrors, Result};
use crate::base::json::Json;
use crate::config::Config;
use crate::staff::{Recent, Staff, may};
use crate::students::opening::NewAccount;
use crate::students::profile::{Profile, StudentChange};
use crate::students::status::StudentStatus;
use crate::students::{self, Student, identity, links};
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::query::Query;
use crate::web::sheet::request::{self, Imported, MAX_BYTES, SentSheet};
use crate::web::sheet::{Column, ColumnChoice, DateOrders, Import, ImportAction, Row};

/// The endpoint of this part.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![import_students].layer(DefaultBodyLimit::max(MAX_BYTES))
}

/// Query parameters.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default, rename_all = "camelCase")]
struct ImportQuery {
    /// `1` for a dry run.
    #[param(value_type = Option<String>)]
    dry_run: String,
    /// `1` to invite every new student.
    #[param(value_type = Option<String>)]
    invite: String,
    /// Columns of headings that are not known: a JSON object of the file's headings and the names of `columns`, empty for those
    /// to leave out.
    #[param(value_type = Option<String>)]
    columns: String,
}

/// Import students from a CSV file; with a single mistake in it, nothing is imported
#[utoipa::path(post, path = "/api/admin/students/import", tag = "students", params(ImportQuery),
    request_body(content = String, content_type = "text/csv"))]
async fn import_students(
    staff: Staff<may::Students, Recent>,
    State(app): State<App>,
    Query(query): Query<ImportQuery>,
    body: Result<Bytes, BytesRejection>,
) -> Result<Json<Imported>> {
    let importer = Importer {
        config: app.config.clone(),
        actor: staff.actor(),
        user_id: Some(staff.id),
        is_invited: request::is_on(&query.invite),
        today: app.today(),
        now: app.clock.now(),
        orders: DateOrders::default(),
    };
    let chosen = ColumnChoice::parse(&query.columns).map_err(|rule| Error::field("columns", rule))?;
    let file = SentSheet { bytes: request::file(body)?, chosen };
    request::import(&app, importer, file, request::is_on(&query.dry_run)).await.map(Json)
}

/// Import of students.
pub struct Importer {
    /// The configuration.
    pub config: Arc<Config>,
    /// Actor for the audit trail.
    pub actor: Actor,
    /// User id of the actor; `None` for the command line.
    pub user_id: Option<i64>,
    /// Whether new students are invited.
    pub is_invited: bool,
    /// Today at the school.
    pub today: Date,
    /// Current time.
    pub now: Timestamp,
    /// What the dates of the file prove.
    pub orders: DateOrders,
}

/// A validated line.
pub enum PlannedStudent {
    /// A new account.
    Add(Box<NewAccount>),
    /// A known student, with the changed profile.
    Update(Box<(Student, Profile)>),
    /// A known student without changes.
    Unchanged,
}

impl Import for Importer {
    const THING: &'static str = "student";
    const KEY: (&'static str, &'static str) = ("email", "address");
    type Plan = PlannedStudent;

    fn columns() -> Vec<Column> {
        line::columns()
    }

    fn look_ahead(&mut self, rows: &mut dyn Iterator<Item = Row>) {
        for row in rows {
            self.orders.note(row.cell("dateOfBirth").unwrap_or_default());
        }
    }

    fn is_left_out(row: &Row) -> bool {
        line::is_left_out(row)
    }

    fn key(row: &Row) -> Option<String> {
        Email::parse(row.cell("email")?).ok().map(|email| email.to_string())
    }

    fn validate(&self, connection: &Connection, row: &Row) -> Result<Result<PlannedStudent, FieldErrors>> {
        let email = match Email::parse(row.cell("email").unwrap_or_default()) {
            Ok(email) => email,
            Err(rule) => return Ok(Err(FieldErrors::one("email", rule))),
        };
        let known = students::store::find_by_email(connection, &email)?;
        let Some(student) = known else { return self.judge_new(connection, email, row) };
        let Some(said) = line::change(row, &student.profile, self.orders) else {
            return Ok(Ok(PlannedStudent::Unchanged));
        };
        if student.status == StudentStatus::Closed {
            return Ok(Err(FieldErrors::one("email", "This address belongs to a closed account")));
        }
        Ok(self.parse(said, &student.profile).map(|profile| {
            if profile.facts() == student.profile.facts() {
                PlannedStudent::Unchanged
            } else {
                PlannedStudent::Update(Box::new((student, profile)))
            }
        }))
    }

    fn action(plan: &PlannedStudent) -> Option<ImportAction> {
        match plan {
            PlannedStudent::Add(_) => Some(ImportAction::Add),
            PlannedStudent::Update(_) => Some(ImportAction::Update),
            PlannedStudent::Unchanged => None,
        }
    }

    fn carry_out(&self, connection: &Connection, plan: PlannedStudent) -> Result<()> {
        let Self { config, actor, user_id, today, now, .. } = self;
        match plan {
            PlannedStudent::Unchanged => Ok(()),
            PlannedStudent::Add(new) => {
                let making = AccountCreation { connection, config, today: *today, now: *now };
                making.create(&new, *user_id, actor).map(drop)
            }
            PlannedStudent::Update(planned) => {
                let (before, profile) = *planned;
                students::store::write_profile(connection, before.id, &profile, *now)?;
                let after = Student { profile, ..before.clone() };
                let by = user_id.map_or(By::System, By::Staff);
                let change = Change { before: &before, after: &after };
                identity::record_changes(connection, by, change, Some("Imported"), config, *now)?;
                let mut detail = identity::audited(&before, &after);
                detail.insert("reason".into(), json!("Imported"));
                audit::record(connection, actor, "change", "student", before.id, detail.into(), *now)
            }
        }
    }
}

impl Importer {
    /// The profile with a line's changes.
    fn parse(
        &self,
        (change, mut errors): (StudentChange, FieldErrors),
        before: &Profile,
    ) -> Result<Profile, FieldErrors> {
        let profile = change.parse(before, self.today);
        let profile = profile.map_err(|found| {
            found.iter().for_each(|(name, message)| errors.add(name.to_owned(), message));
        });
        errors.finish(profile.ok())
    }

    fn judge_new(
        &self,
        connection: &Connection,
        email: Email,
        row: &Row,
    ) -> Result<Result<PlannedStudent, FieldErrors>> {
        let blank = Profile { country: "CA".to_owned(), ..Profile::default() };
        let mut errors = FieldErrors::default();
        if links::is_reserved(connection, &email, None, self.now)? {
            errors.add(
                "email",
                "Another student gave this address up a few days ago and can still take it back",
            );
        }
        let said = line::change(row, &blank, self.orders).unwrap_or_default();
        let profile = match self.parse(said, &blank) {
            Ok(profile) => Some(profile),
            Err(found) => {
                found.iter().for_each(|(name, message)| errors.add(name.to_owned(), message));
                None
            }
        };
        if profile.as_ref().is_some_and(|profile| profile.full_name.is_none()) {
            errors.add("fullName", "Full name is required");
        }
        let is_invited = self.is_invited;
        let plan =
            profile.map(|profile| PlannedStudent::Add(Box::new(NewAccount { email, profile, is_invited })));
        Ok(errors.finish(plan))
    }
}
