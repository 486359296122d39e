//! Import of courses from CSV: `import-courses FILE`, the office's import, and the built-in sample.
//!
//! Adds the codes that are new and updates the ones that are known. It deletes nothing and does not touch unchanged
//! courses. Cells are validated like the form, by `NewCourse`.

use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{DefaultBodyLimit, State};
use jiff::Timestamp;
use rusqlite::Connection;
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;

use super::rules::{CourseInput, CourseUpdate, NewCourse};
use super::values::CourseCode;
use super::{Course, change, create, store};
use crate::audit::Actor;
use crate::base::error::{FieldErrors, Result};
use crate::base::json::Json;
use crate::staff::{Recent, Staff, may};
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::form::Field;
use crate::web::price::PriceInput;
use crate::web::query::Query;
use crate::web::sheet::request::{self, Imported, MAX_BYTES};
use crate::web::sheet::{Column, Import, ImportAction, Row, yes_or_no};

/// A sample of 158 Ontario courses.
pub const SAMPLE: &[u8] = include_bytes!("../../examples/ontario-courses.csv");

/// The endpoint of this part.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![import_courses].layer(DefaultBodyLimit::max(MAX_BYTES))
}

/// Query parameters.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default, rename_all = "camelCase")]
struct ImportQuery {
    /// `1` for a dry run.
    #[param(value_type = Option<String>)]
    dry_run: String,
    /// `1` to import the sample of 158 courses instead of a file.
    #[param(value_type = Option<String>)]
    sample: String,
}

/// Import courses from a CSV file, or the sample; with a single mistake in it, nothing is imported
#[utoipa::path(post, path = "/api/admin/courses/import", tag = "courses", params(ImportQuery),
    request_body(content = String, content_type = "text/csv"))]
async fn import_courses(
    staff: Staff<may::Courses, Recent>,
    State(app): State<App>,
    Query(query): Query<ImportQuery>,
    body: Result<Bytes, BytesRejection>,
) -> Result<Json<Imported>> {
    let file = if request::is_on(&query.sample) { SAMPLE.to_vec() } else { request::file(body)? };
    let import = CourseImport { actor: staff.actor(), now: app.clock.now() };
    let answer = request::import(&app, import, file.into(), request::is_on(&query.dry_run)).await?;
    // A larger class has seats for the next of its waiting list.
    app.seats_wakeup.notify_one();
    Ok(Json(answer))
}

/// Courses of a file.
pub struct CourseImport {
    /// Actor for the audit trail.
    pub actor: Actor,
    /// Now.
    pub now: Timestamp,
}

/// A validated line.
pub enum PlannedCourse {
    /// A new code.
    Add(Box<NewCourse>),
    /// A known course as it is, and as the line has it.
    Update(Box<(Course, Course)>),
    /// A known course without changes.
    Unchanged,
}

impl Import for CourseImport {
    const THING: &'static str = "course";
    const KEY: (&'static str, &'static str) = ("code", "code");
    type Plan = PlannedCourse;

    fn columns() -> Vec<Column> {
        vec![
            Column::required("code"),
            Column::required("name"),
            Column::required("description"),
            Column::required("grade").of_numbers(),
            Column::required("courseType"),
            Column::optional("isCompulsory"),
            Column::optional("prerequisite"),
            Column::optional("price").of_numbers(),
            Column::optional("credits").of_numbers(),
            Column::optional("capacity").of_numbers(),
            Column::optional("isOpen"),
        ]
    }

    fn key(row: &Row) -> Option<String> {
        let code = Field::Value(row.cell("code")?.to_owned());
        CourseCode::parse(&code).ok().map(|code| code.to_string())
    }

    fn validate(&self, connection: &Connection, row: &Row) -> Result<Result<PlannedCourse, FieldErrors>> {
        let new = match NewCourse::parse(&input(row)) {
            Ok(new) => new,
            Err(errors) => return Ok(Err(errors)),
        };
        Ok(Ok(match store::find_by_code(connection, &new.code)? {
            None => PlannedCourse::Add(Box::new(new)),
            Some(before) => match CourseUpdate::from(new).applied_to(&before) {
                after if after == before => PlannedCourse::Unchanged,
                after => PlannedCourse::Update(Box::new((before, after))),
            },
        }))
    }

    fn action(plan: &PlannedCourse) -> Option<ImportAction> {
        match plan {
            PlannedCourse::Add(_) => Some(ImportAction::Add),
            PlannedCourse::Update(_) => Some(ImportAction::Update),
            PlannedCourse::Unchanged => None,
        }
    }

    fn carry_out(&self, connection: &Connection, plan: PlannedCourse) -> Result<()> {
        match plan {
            PlannedCourse::Add(new) => create(connection, &new, &self.actor, self.now).map(drop),
            PlannedCourse::Update(course) => {
                change(connection, &course.0, &course.1, &self.actor, self.now).map(drop)
            }
            PlannedCourse::Unchanged => Ok(()),
        }
    }
}

/// Converts a row to the form's input, so that both are validated by the same rules.
fn input(row: &Row) -> CourseInput {
    let text = |name: &str| row.cell(name).map_or(Field::Absent, |text| Field::Value(text.to_owned()));
    // No number: a grade is then missing, and credits are as if they had no column.
    let number = |name: &str| match row.cell(name) {
        None | Some("") => Field::Absent,
        Some(text) => text.parse().map_or(Field::Wrong, Field::Value),
    };
    let capacity = row.cell("capacity").map_or(Field::Absent, |text| match text {
        "" => Field::Null,
        _ => text.parse().map_or(Field::Wrong, Field::Value),
    });
    CourseInput {
        code: text("code"),
        name: text("name"),
        description: text("description"),
        grade: number("grade"),
        course_type: text("courseType"),
        is_compulsory: row.cell("isCompulsory").map_or(Field::Absent, |text| match text {
            "" => Field::Value(false),
            _ => yes_or_no(text),
        }),
        prerequisite: text("prerequisite"),
        price: row
            .cell("price")
            .map_or(Field::Absent, |text| Field::Value(PriceInput::Text(text.to_owned()))),
        credits: number("credits"),
        capacity,
        // An empty cell says nothing: a course is open unless the office closed it.
        is_open: row.cell("isOpen").filter(|text| !text.is_empty()).map_or(Field::Absent, yes_or_no),
    }
}

#[cfg(test)]
mod tests;
