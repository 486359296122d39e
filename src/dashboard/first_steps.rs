//! First steps of a new school, each completed by its fact, until all are done or an administrator hides them.

use axum::extract::State;
use axum::http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::state;
use crate::audit;
use crate::base::closed_set::closed_set;
use crate::base::error::Result;
use crate::base::json::Json;
use crate::settings::versions;
use crate::staff::{CurrentStaff, Staff, may};
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::{courses, staff};

/// The endpoints.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![list_first_steps, hide_first_steps, show_first_steps]
}

closed_set! {
    /// What a new school sets up, in the order in which it is listed.
    pub enum FirstStepKind {
        /// Name, address, numbers: what the pages say of the school.
        School = "school",
        /// A mail server.
        Mail = "mail",
        /// Semesters that are published.
        Semesters = "semesters",
        /// Courses.
        Catalogue = "catalogue",
        /// What is refunded and how to pay, in the school's own words.
        Texts = "texts",
        /// A second person who can log in.
        Colleagues = "colleagues",
    }
}

/// A step, and whether it is done.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FirstStep {
    /// Which one.
    pub step: FirstStepKind,
    /// Whether it is done.
    pub is_done: bool,
    /// The page of the office where it is done.
    pub href: &'static str,
}

/// What a new school sets up first
#[utoipa::path(get, path = "/api/admin/first-steps", tag = "dashboard")]
async fn list_first_steps(_: Staff<may::Settings>, State(app): State<App>) -> Result<Json<Vec<FirstStep>>> {
    let is_named = !app.config.school().is_sample();
    let is_mail_delivered = !app.is_mail_spooled();
    let says_how_to_pay = app.config.money.written_how_to_pay().is_some();
    let read = move |connection: &rusqlite::Connection| {
        let settings = versions::published(connection)?;
        let texts = &settings.texts;
        let are_texts_written = texts.refunds.is_some() && (texts.how_to_pay.is_some() || says_how_to_pay);
        let step = |step, is_done, href| FirstStep { step, is_done, href };
        Ok(Json(vec![
            step(FirstStepKind::School, is_named, "/admin/settings#facts"),
            step(FirstStepKind::Mail, is_mail_delivered, "/admin/mail"),
            step(FirstStepKind::Semesters, !settings.semesters.is_empty(), "/admin/settings#semesters"),
            step(FirstStepKind::Catalogue, courses::store::has_any(connection)?, "/admin/courses"),
            step(FirstStepKind::Texts, are_texts_written, "/admin/settings#texts"),
            step(FirstStepKind::Colleagues, staff::store::count_enabled(connection)? > 1, "/admin/staff"),
        ]))
    };
    app.db.query(read).await
}

/// Hide the first steps from the dashboard; repeating it changes nothing
#[utoipa::path(post, path = "/api/admin/first-steps/hide", tag = "dashboard")]
async fn hide_first_steps(staff: Staff<may::Settings>, State(app): State<App>) -> Result<StatusCode> {
    set_hidden(&app, &staff, true).await
}

/// Show the first steps on the dashboard again; repeating it changes nothing
#[utoipa::path(post, path = "/api/admin/first-steps/show", tag = "dashboard")]
async fn show_first_steps(staff: Staff<may::Settings>, State(app): State<App>) -> Result<StatusCode> {
    set_hidden(&app, &staff, false).await
}

async fn set_hidden(app: &App, staff: &CurrentStaff, is_hidden: bool) -> Result<StatusCode> {
    let actor = staff.actor();
    let now = app.clock.now();
    app.db
        .write(move |connection| {
            if state::are_steps_hidden(connection)? != is_hidden {
                state::hide_steps(connection, is_hidden.then_some(now))?;
                let action = if is_hidden { "hide" } else { "show" };
                audit::record(connection, &actor, action, "first_steps", 1, serde_json::json!({}), now)?;
            }
            Ok(StatusCode::NO_CONTENT)
        })
        .await
}
