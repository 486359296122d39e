//! Students from a spreadsheet: `import-students FILE` and the office's import.
//!
//! New addresses become accounts, known ones are updated, an empty cell leaves what is there; nothing is deleted.
//! How a file is read, judged and written is [`Importing`]'s; what a line means is [`Importer`]'s.

mod line;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use anyhow::Context;
use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{DefaultBodyLimit, Query, State};
use axum::http::StatusCode;
use jiff::Timestamp;
use jiff::civil::Date;
use rusqlite::Connection;
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;

use super::create::{Making, NewAccount};
use super::store;
use crate::audit::{self, Actor, By};
use crate::base::email::Email;
use crate::base::error::{Error, ErrorBody, FieldErrors, Result};
use crate::base::json::Json;
use crate::config::Config;
use crate::staff::{Recent, Staff, may};
use crate::students::profile::{Profile, StudentChange};
use crate::students::status::StudentStatus;
use crate::students::{Student, identity, links};
use crate::web::access::endpoint;
use crate::web::app::App;
use crate::web::listener::TooSlow;
use crate::web::sheet::{Column, Import, ImportAction, Importing, Outcome, Row};

/// 5,000 students with every column filled are a fifth of it.
const MAX_BYTES: usize = 5 * 1024 * 1024;

/// The endpoint of this part.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(endpoint!(import_students)).layer(DefaultBodyLimit::max(MAX_BYTES))
}

/// A line of an import that adds or updates a student.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct ImportedLine {
    /// The line in the file, from 1.
    pub line: u64,
    /// What becomes of it.
    pub action: ImportAction,
    /// The address that it names.
    pub email: String,
}

/// What an import did, or would do. A single problem in the file keeps all of it out.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImportedStudents {
    /// The first lines that add or update a student, 50 of them at most.
    pub rows: Vec<ImportedLine>,
    /// New accounts.
    pub added: usize,
    /// Students who were changed.
    pub updated: usize,
    /// Students who already were as the file says.
    pub unchanged: usize,
    /// What is wrong with the file, by line and column, the first 20 problems at most. With students among those
    /// added or updated: lines that were left out, because something else changed these students meanwhile.
    pub problems: Vec<String>,
    /// How many further problems there are.
    pub more_problems: usize,
}

impl From<&Outcome> for ImportedStudents {
    fn from(outcome: &Outcome) -> Self {
        let row = |(line, action, email): &(u64, ImportAction, String)| ImportedLine {
            line: *line,
            action: *action,
            email: email.clone(),
        };
        Self {
            rows: outcome.rows.iter().map(row).collect(),
            added: outcome.added,
            updated: outcome.updated,
            unchanged: outcome.unchanged,
            problems: outcome.problems.first().iter().map(ToString::to_string).collect(),
            more_problems: outcome.problems.more(),
        }
    }
}

/// What stands behind the question mark.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default, rename_all = "camelCase")]
struct ImportQuery {
    /// With `1` it is said what would happen, and nothing happens.
    #[param(value_type = Option<String>)]
    dry_run: String,
    /// With `1` every new student gets an invitation.
    #[param(value_type = Option<String>)]
    invite: String,
}

/// Import students from a CSV file; with a single mistake in it, nothing is imported
#[utoipa::path(post, path = "/api/admin/students/import", tag = "students", params(ImportQuery),
    request_body(content = String, content_type = "text/csv"),
    responses((status = 200, body = ImportedStudents), (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody), (status = 403, body = ErrorBody), (status = 413, body = ErrorBody)))]
async fn import_students(
    staff: Staff<may::Students, Recent>,
    State(app): State<App>,
    Query(query): Query<ImportQuery>,
    body: Result<Bytes, BytesRejection>,
) -> Result<Json<ImportedStudents>> {
    let body = body.map_err(|rejection| not_read(&rejection))?;
    let is_wanted = |word: &str| matches!(word, "1" | "true" | "yes");
    let importer = Importer {
        config: app.config.clone(),
        actor: staff.actor(),
        user_id: Some(staff.id),
        is_invited: is_wanted(&query.invite),
        today: app.today(),
        now: app.clock.now(),
    };
    // The writer goes on for the others while the file is read.
    let judged = app.db.query(move |connection| {
        let mut importing = Importing::open(importer, body.into());
        importing.judge(connection)?;
        Ok(importing)
    });
    let importing = judged.await?;
    if is_wanted(&query.dry_run) || !importing.announced().problems.is_empty() {
        return Ok(Json(importing.announced().into()));
    }
    // Once begun, it is finished, though the browser is closed meanwhile.
    let outcome = tokio::spawn(async move { write(&app, importing).await });
    outcome.await.context("an import panicked")?.map(Json)
}

/// Writes what was judged, and lets others write in between.
async fn write(app: &App, mut importing: Importing<Importer>) -> Result<ImportedStudents> {
    loop {
        let is_begun = importing.rows_done() > 0;
        let step = app.write_and_post(move |connection| {
            let is_more = importing.write_step(connection)?;
            Ok((importing, is_more))
        });
        let is_more;
        (importing, is_more) = step.await.map_err(|error| match error {
            Error::Busy(_) | Error::Full(_) if is_begun => Error::Busy(
                "The import broke off: the first lines are saved, the others are not. Import the same file again \
                 in a moment; what is saved stays as it is.",
            ),
            error => error,
        })?;
        if !is_more {
            return Ok(importing.done().into());
        }
    }
}

/// Why a file did not come to be read.
fn not_read(rejection: &BytesRejection) -> Error {
    if TooSlow::is_cause_of(rejection) {
        Error::TooSlow
    } else if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE {
        Error::TooLarge(
            "The file must be at most 5 MB. Please divide it, and import one part after the other.".into(),
        )
    } else {
        Error::BadRequest("The file did not arrive whole. Please try again.".into())
    }
}

/// Students of a file.
pub struct Importer {
    /// The configuration.
    pub config: Arc<Config>,
    /// As whom it is recorded.
    pub actor: Actor,
    /// The same as a number; none for the command line.
    pub user_id: Option<i64>,
    /// Whether new students are invited.
    pub is_invited: bool,
    /// Today at the school.
    pub today: Date,
    /// Now.
    pub now: Timestamp,
}

/// What a line means, once it is judged.
pub enum Plan {
    /// A new account.
    Add(Box<NewAccount>),
    /// A known student, and what the line makes of the profile.
    Update(Box<(Student, Profile)>),
    /// A known student who already is as the line says.
    Unchanged,
}

impl Import for Importer {
    const THING: &'static str = "student";
    const COLUMNS: &'static [Column] = line::COLUMNS;
    const KEY: (&'static str, &'static str) = ("email", "address");
    type Plan = Plan;

    fn key(row: &Row) -> Option<String> {
        Email::parse(row.cell("email")?).ok().map(|email| email.to_string())
    }

    fn judge(&self, connection: &Connection, row: &Row) -> Result<Result<Plan, FieldErrors>> {
        let email = match Email::parse(row.cell("email").unwrap_or_default()) {
            Ok(email) => email,
            Err(rule) => return Ok(Err(FieldErrors::one("email", rule))),
        };
        let change = line::change(row);
        let known = crate::students::store::find_by_email(connection, &email)?;
        let Some(student) = known else { return self.judge_new(connection, email, &change) };
        if student.status == StudentStatus::Closed {
            return Ok(Err(FieldErrors::one("email", "This address belongs to a closed account")));
        }
        Ok(change.parse(&student.profile, self.today).map(|profile| {
            if profile.facts() == student.profile.facts() {
                Plan::Unchanged
            } else {
                Plan::Update(Box::new((student, profile)))
            }
        }))
    }

    fn action(plan: &Plan) -> Option<ImportAction> {
        match plan {
            Plan::Add(_) => Some(ImportAction::Add),
            Plan::Update(_) => Some(ImportAction::Update),
            Plan::Unchanged => None,
        }
    }

    fn carry_out(&self, connection: &Connection, plan: Plan) -> Result<()> {
        let Self { config, actor, user_id, today, now, .. } = self;
        match plan {
            Plan::Unchanged => Ok(()),
            Plan::Add(new) => {
                let making = Making { connection, config, today: *today, now: *now };
                making.create(&new, *user_id, actor).map(drop)
            }
            Plan::Update(planned) => {
                let (before, profile) = *planned;
                store::update_profile(connection, before.id, &profile, *now)?;
                let after = Student { profile, ..before.clone() };
                let by = user_id.map_or(By::System, By::Staff);
                identity::record_changes(connection, by, &before, &after, Some("Imported"), *now)?;
                let mut detail = identity::audited(&before, &after);
                detail.insert("reason".into(), json!("Imported"));
                audit::record(connection, actor, "change", "student", before.id, detail.into(), *now)
            }
        }
    }
}

impl Importer {
    fn judge_new(
        &self,
        connection: &Connection,
        email: Email,
        change: &StudentChange,
    ) -> Result<Result<Plan, FieldErrors>> {
        let blank = Profile { country: "CA".to_owned(), ..Profile::default() };
        let mut errors = FieldErrors::default();
        if links::is_reserved(connection, &email, None, self.now)? {
            errors.add(
                "email",
                "Another student gave this address up a few days ago and can still take it back",
            );
        }
        let profile = match change.parse(&blank, self.today) {
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
        let plan = profile.map(|profile| Plan::Add(Box::new(NewAccount { email, profile, is_invited })));
        Ok(errors.finish(plan))
    }
}
