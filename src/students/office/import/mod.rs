//! Students from a spreadsheet, whole or not at all: `import-students FILE` and the office's import.
//!
//! Two steps: [`sheet::read`] turns the file into lines whose columns are known; `import` judges each
//! against what is stored, and changes something only if every line is right. New addresses become
//! accounts, known ones are updated, an empty cell leaves what is there; nothing is deleted.

mod sheet;
#[cfg(test)]
mod tests;

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

use self::sheet::Line;
use super::create::{Making, NewAccount};
use super::store;
use crate::audit::{self, Actor, By};
use crate::base::closed_set::closed_set;
use crate::base::email::Email;
use crate::base::error::{Error, ErrorBody, FieldErrors, Result};
use crate::base::json::Json;
use crate::config::Config;
use crate::courses::import::Problem;
use crate::courses::import::sheet::broken_rules;
use crate::staff::{Staff, may};
use crate::students::profile::Profile;
use crate::students::status::StudentStatus;
use crate::students::{Student, identity};
use crate::web::access::endpoint;
use crate::web::app::App;
use crate::web::listener::TooSlow;

/// 5,000 students with every column filled are a fifth of it.
const MAX_BYTES: usize = 5 * 1024 * 1024;

/// The endpoint of this part.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(endpoint!(import_students)).layer(DefaultBodyLimit::max(MAX_BYTES))
}

closed_set! {
    /// What becomes of a line.
    pub enum ImportAction {
        /// A new account.
        Add = "add",
        /// A known student of whom the line says something else.
        Update = "update",
        /// A known student who already is as the line says.
        Unchanged = "unchanged",
        /// The line is wrong.
        Error = "error",
    }
}

/// A line of an import.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct ImportedLine {
    /// The line in the file, from 1.
    pub line: u64,
    /// What becomes of it.
    pub action: ImportAction,
    /// The address that it names.
    pub email: String,
    /// What is wrong with it.
    pub errors: Vec<String>,
}

/// What an import did, or would do. With a single problem it does nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct ImportedStudents {
    /// Every line of the file.
    pub rows: Vec<ImportedLine>,
    /// New accounts.
    pub added: usize,
    /// Students who were changed.
    pub updated: usize,
    /// Students who already were as the file says.
    pub unchanged: usize,
    /// Everything that is wrong with the file, by line and column.
    pub problems: Vec<String>,
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

/// Import students from a CSV file: the whole file or, with a single mistake in it, nothing
#[utoipa::path(post, path = "/api/admin/students/import", tag = "students", params(ImportQuery),
    request_body(content = String, content_type = "text/csv"),
    responses((status = 200, body = ImportedStudents), (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody), (status = 403, body = ErrorBody), (status = 413, body = ErrorBody)))]
async fn import_students(
    staff: Staff<may::Students>,
    State(app): State<App>,
    Query(query): Query<ImportQuery>,
    body: Result<Bytes, BytesRejection>,
) -> Result<Json<ImportedStudents>> {
    let body = body.map_err(|rejection| not_read(&rejection))?;
    let is_wanted = |word: &str| matches!(word, "1" | "true" | "yes");
    let options = Options { is_dry_run: is_wanted(&query.dry_run), is_invited: is_wanted(&query.invite) };
    let (now, today) = (app.clock.now(), app.today());
    let (config, actor, user_id) = (app.config.clone(), staff.actor(), Some(staff.id));
    app.write_and_post(move |connection| {
        let by = Importer { connection, config: &config, actor: &actor, user_id, today, now };
        by.import(&body, options)
    })
    .await
    .map(Json)
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

/// What is done with a file.
#[derive(Debug, Clone, Copy, Default)]
pub struct Options {
    /// Nothing is changed.
    pub is_dry_run: bool,
    /// New students are invited.
    pub is_invited: bool,
}

/// Who imports, and when.
pub struct Importer<'a> {
    /// The database, in a transaction of its caller's.
    pub connection: &'a Connection,
    /// The configuration.
    pub config: &'a Config,
    /// As whom it is recorded.
    pub actor: &'a Actor,
    /// The same as a number; none for the command line.
    pub user_id: Option<i64>,
    /// Today at the school.
    pub today: Date,
    /// Now.
    pub now: Timestamp,
}

/// What a line means, once it is judged.
enum Plan {
    Add(NewAccount),
    Update(Box<Student>, Profile),
    Unchanged,
}

impl Importer<'_> {
    /// Imports a file.
    ///
    /// # Errors
    /// When the database refuses; mistakes in the file are part of the answer.
    pub fn import(&self, bytes: &[u8], options: Options) -> Result<ImportedStudents> {
        let read = sheet::read(bytes);
        let (mut problems, mut rows, mut plans) = (read.problems, Vec::new(), Vec::new());
        for line in read.lines {
            let judged = if line.problems.is_empty() {
                self.judge(&line, options.is_invited)?
            } else {
                Err(Vec::new())
            };
            let (plan, found) = judged.map_or_else(|found| (None, found), |plan| (Some(plan), Vec::new()));
            let wrong: Vec<Problem> = line.problems.iter().cloned().chain(found).collect();
            let action = plan.as_ref().map_or(ImportAction::Error, Plan::action);
            let errors = wrong.iter().map(ToString::to_string).collect();
            rows.push(ImportedLine { line: line.row.line, action, email: line.email_text(), errors });
            problems.extend(wrong);
            plans.extend(plan);
        }
        problems.sort_by_key(|problem| problem.line);
        let count = |action| rows.iter().filter(|row| row.action == action).count();
        let outcome = ImportedStudents {
            added: count(ImportAction::Add),
            updated: count(ImportAction::Update),
            unchanged: count(ImportAction::Unchanged),
            problems: problems.iter().map(ToString::to_string).collect(),
            rows,
        };
        if !options.is_dry_run && outcome.problems.is_empty() {
            self.carry_out(plans)?;
        }
        Ok(outcome)
    }

    fn judge(&self, line: &Line, is_invited: bool) -> Result<Result<Plan, Vec<Problem>>> {
        let Some(email) = &line.email else { return Ok(Err(Vec::new())) };
        let known = crate::students::store::find_by_email(self.connection, email)?;
        let broken = |errors: &FieldErrors| broken_rules(errors, &line.row, &line.columns);
        let Some(student) = known else { return Ok(self.judge_new(line, email, is_invited)) };
        if student.status == StudentStatus::Closed {
            return Ok(Err(broken(&FieldErrors::one("email", "This address belongs to a closed account"))));
        }
        Ok(match line.change.parse(&student.profile, self.today) {
            Err(errors) => Err(broken(&errors)),
            Ok(profile) if profile.facts() == student.profile.facts() => Ok(Plan::Unchanged),
            Ok(profile) => Ok(Plan::Update(Box::new(student), profile)),
        })
    }

    fn judge_new(&self, line: &Line, email: &Email, is_invited: bool) -> Result<Plan, Vec<Problem>> {
        let nobody = Profile { country: "CA".to_owned(), ..Profile::default() };
        let mut errors = FieldErrors::default();
        let profile = match line.change.parse(&nobody, self.today) {
            Ok(profile) => Some(profile),
            Err(found) => {
                for (name, message) in found.iter() {
                    errors.add(name.to_owned(), message);
                }
                None
            }
        };
        if profile.as_ref().is_some_and(|profile| profile.full_name.is_none()) {
            errors.add("fullName", "Full name is required");
        }
        let new = profile.map(|profile| Plan::Add(NewAccount { email: email.clone(), profile, is_invited }));
        errors.finish(new).map_err(|errors| broken_rules(&errors, &line.row, &line.columns))
    }

    fn carry_out(&self, plans: Vec<Plan>) -> Result<()> {
        let Self { connection, config, actor, user_id, today, now } = *self;
        let making = Making { connection, config, today, now };
        let by = user_id.map_or(By::System, By::Staff);
        for plan in plans {
            match plan {
                Plan::Unchanged => {}
                Plan::Add(new) => drop(making.create(&new, user_id, actor)?),
                Plan::Update(before, profile) => {
                    store::update_profile(connection, before.id, &profile, now)?;
                    let after = Student { profile, ..(*before).clone() };
                    identity::record_changes(connection, by, &before, &after, Some("Imported"), now)?;
                    let mut detail = identity::audited(&before, &after);
                    detail.insert("reason".into(), json!("Imported"));
                    audit::record(connection, actor, "change", "student", before.id, detail.into(), now)?;
                }
            }
        }
        Ok(())
    }
}

impl Plan {
    fn action(&self) -> ImportAction {
        match self {
            Self::Add(_) => ImportAction::Add,
            Self::Update(..) => ImportAction::Update,
            Self::Unchanged => ImportAction::Unchanged,
        }
    }
}
