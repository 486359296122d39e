//! The signed-in student's own list of guardians, and whether they keep the family page from 18 on.

use axum::extract::State;
use jiff::civil::Date;
use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use crate::audit::By;
use crate::base::error::{Error, ErrorBody, Result};
use crate::base::json::Json;
use crate::enrollments::requests::guardian_emails::{self, AskContext};
use crate::students::guardians::{Guardian, GuardianContext, GuardianInput, store as guardians};
use crate::students::history::{self, HistoryChange};
use crate::students::{CurrentStudent, age, store};
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::form::{Field, JsonList, form};

/// The endpoints.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![list_guardians, replace_guardians, get_family_page, keep_family_page]
}

/// The signed-in student's parents or guardians, the primary one first
#[utoipa::path(get, path = "/api/students/guardians", tag = "students")]
async fn list_guardians(student: CurrentStudent, State(app): State<App>) -> Result<Json<Vec<Guardian>>> {
    app.db.read(|connection| guardians::list(connection, student.id)).await.map(Json)
}

/// Replace the signed-in student's parents or guardians; a student under 18 cannot remove the last one
#[utoipa::path(put, path = "/api/students/guardians", tag = "students", request_body = Vec<GuardianInput>)]
async fn replace_guardians(
    owner: CurrentStudent,
    State(app): State<App>,
    JsonList(rows): JsonList<GuardianInput>,
) -> Result<Json<Vec<Guardian>>> {
    let id = owner.id;
    let now = app.clock.now();
    let config = app.config.clone();
    app.carry_out_and_notify(move |connection| {
        let student = store::find(connection, id)?.ok_or_else(Error::signed_out)?;
        let context =
            GuardianContext { connection, student: &student, by: By::Student, config: &config, now };
        let (after, is_changed) = context.replace(&rows)?;
        if is_changed {
            guardian_emails::ask(connection, &AskContext { config: &config, now }, Some(id))?;
        }
        Ok(after)
    })
    .await
}

/// Whether the guardians of a student see the family page.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FamilyPageChoice {
    /// Whether the student is 18: before, the guardians see it in any case.
    is_of_age: bool,
    /// Whether the student wants them to keep it from 18 on.
    is_kept: bool,
}

form! {
    /// `PUT /api/students/family-page`'s body.
    pub struct FamilyPageForm {
        /// Whether the guardians keep the family page and copies of emails.
        is_kept: bool,
    }
}

/// Whether the signed-in student's guardians keep the family page from 18 on
#[utoipa::path(get, path = "/api/students/family-page", tag = "students")]
async fn get_family_page(student: CurrentStudent, State(app): State<App>) -> Result<Json<FamilyPageChoice>> {
    let today = app.today();
    app.db.read(move |connection| choice(connection, student.id, today)).await.map(Json)
}

/// Have the guardians keep the family page and copies of emails from 18 on, or end both; repeating it changes nothing
#[utoipa::path(put, path = "/api/students/family-page", tag = "students",
    responses((status = 409, body = ErrorBody, description = "The student is under 18")))]
async fn keep_family_page(
    owner: CurrentStudent,
    State(app): State<App>,
    Json(form): Json<FamilyPageForm>,
) -> Result<Json<FamilyPageChoice>> {
    let Field::Value(is_kept) = form.is_kept else {
        return Err(Error::field("isKept", "Must be true or false"));
    };
    let id = owner.id;
    let now = app.clock.now();
    let today = app.today();
    app.carry_out(move |connection| {
        let before = choice(connection, id, today)?;
        if !before.is_of_age {
            let words = "Until you are 18, your parents or guardians see the family page in any case.";
            return Err(Error::conflict(words, &before));
        }
        if before.is_kept != is_kept {
            store::keep_family_page(connection, id, is_kept.then_some(now))?;
            let (before, after) = if is_kept { (None, Some("kept")) } else { (Some("kept"), None) };
            let change = HistoryChange { field: "familyPage", before, after, reason: None };
            history::add(connection, id, By::Student, change, now)?;
        }
        choice(connection, id, today)
    })
    .await
}

fn choice(connection: &Connection, id: i64, today: Date) -> Result<FamilyPageChoice> {
    let student = store::find(connection, id)?.ok_or_else(Error::signed_out)?;
    Ok(FamilyPageChoice {
        is_of_age: !age::is_minor(student.profile.date_of_birth, today),
        is_kept: store::family_page_since(connection, id)?.is_some(),
    })
}
