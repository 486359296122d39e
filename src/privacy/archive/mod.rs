//! Download of all data of one student as a ZIP: an HTML page, the same data as JSON, and the files.
//!
//! It is streamed: memory holds only the student's compressed rows and a piece of one file, and nothing is written to
//! disk; no thread or transaction is held between two pieces. Every system can open a ZIP without additional software.

mod collect;
mod page;
mod sections;
mod zip;

use std::sync::Arc;

use anyhow::Context;
use axum::Extension;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use jiff::{SignedDuration, Timestamp};
use rusqlite::Connection;
use serde_json::json;
use utoipa_axum::router::OpenApiRouter;

use self::zip::PreparedZip;
use crate::audit::{self, By};
use crate::base::error::{Error, ErrorBody, Result, TooManyAttempts};
use crate::base::turns::{Capacity, Place, Turns};
use crate::staff::{Recent, Staff, may};
use crate::students::history::{self, HistoryChange};
use crate::students::{CurrentStudent, Student};
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::id::Id;
use crate::web::portal::Portal;
use crate::website::Website;

/// The endpoints.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![download_own_archive, download_student_archive]
        .layer(Extension::<Arc<Downloads>>(Turns::new(DOWNLOADS)))
}

/// One download at a time per requester and student, until it is sent. Files are read twice: first to determine the
/// length and find unreadable files, then while sending.
const DOWNLOADS: Capacity = Capacity {
    name: "archives",
    at_once: 1,
    places: 256,
    each: 1,
    busy: "Many people are downloading what the school holds about them right now. Please try again in a moment.",
    own: "This download is under way already. Please wait until it has ended, or cancel it, then try again.",
};

/// Downloads by portal, requester and student.
type Downloads = Turns<(Portal, i64, i64)>;

/// Period of the daily limit.
const DAY: SignedDuration = SignedDuration::from_hours(24);
const WAY_OUT: &str = "What you downloaded last holds the same, and the office can send you a copy.";
/// Field name of a download in a student's history.
const FIELD: &str = "archive";

/// All data of the signed-in student, as a ZIP with an HTML page
#[utoipa::path(get, path = "/api/students/archive", tag = "privacy",
    responses((status = 200, body = Vec<u8>, content_type = "application/zip"),
        (status = 429, response = inline(TooManyAttempts)),
        (status = 503, body = ErrorBody, headers(("Retry-After" = i64, description = "Seconds to wait")),
            description = "It is on its way already, or to many others")))]
async fn download_own_archive(
    student: CurrentStudent,
    State(app): State<App>,
    Extension(downloads): Extension<Arc<Downloads>>,
    Extension(website): Extension<Arc<Website>>,
    headers: HeaderMap,
) -> Response {
    // Opened by a link, so errors need a full page.
    send_own(&app, &downloads, student.id).await.unwrap_or_else(|error| website.refuse(&headers, error))
}

async fn send_own(app: &App, downloads: &Arc<Downloads>, id: i64) -> Result<Response> {
    let place = downloads.place((Portal::Student, id, id))?;
    let now = app.clock.now();
    let max = app.config.limits.data_downloads_per_day;
    app.db.read(|connection| check_day(connection, id, max, now)).await?;
    let answer = respond(app, place, id).await?;
    let change = HistoryChange { field: FIELD, before: None, after: Some("downloaded"), reason: None };
    app.db.write(move |connection| history::add(connection, id, By::Student, change, now)).await?;
    Ok(answer)
}

/// Enforces the daily limit of downloads.
fn check_day(connection: &Connection, id: i64, max: u32, now: Timestamp) -> Result<()> {
    let made = history::own_changes(connection, id, FIELD, now - DAY)?;
    // The download that must be a day old before another is allowed.
    let Some(first) = made.len().checked_sub(max as usize).and_then(|first| made.get(first)) else {
        return Ok(());
    };
    let seconds = (*first + DAY).duration_since(now).as_secs().max(1);
    Err(Error::HeldUp { seconds: seconds.cast_unsigned(), way_out: WAY_OUT })
}

/// The same for the office, to answer a request on paper; recorded in the audit trail
#[utoipa::path(get, path = "/api/admin/students/{id}/archive", tag = "privacy",
    responses((status = 200, body = Vec<u8>, content_type = "application/zip"),
        (status = 503, body = ErrorBody, headers(("Retry-After" = i64, description = "Seconds to wait")),
            description = "It is on its way already, or to many others")))]
async fn download_student_archive(
    staff: Staff<may::Privacy, Recent>,
    State(app): State<App>,
    Extension(downloads): Extension<Arc<Downloads>>,
    Id(id, ..): Id<Student>,
) -> Result<Response> {
    let now = app.clock.now();
    let actor = staff.actor();
    let place = downloads.place((Portal::Staff, staff.id, id))?;
    let answer = respond(&app, place, id).await?;
    let write = move |connection: &Connection| {
        audit::record(connection, &actor, "export", "student", id, json!({}), now)
    };
    app.db.write(write).await?;
    Ok(answer)
}

async fn respond(app: &App, place: Place<(Portal, i64, i64)>, id: i64) -> Result<Response> {
    let turn = place.turn().await?;
    let collected = app.db.query(move |connection| collect::collect(connection, id)).await?;
    let shared = app.clone();
    let now = app.clock.now();
    let prepared = turn.work(move || Ok(PreparedZip::new(collected, &shared, now)?)).await?;
    let length = prepared.length();
    let mut response = place.keep_body(prepared.into_body(app)).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/zip"));
    headers.insert(header::CONTENT_LENGTH, HeaderValue::from(length));
    let name = format!("attachment; filename=\"my-data-{}.zip\"", app.today());
    headers.insert(header::CONTENT_DISPOSITION, HeaderValue::from_str(&name).context("the file's name")?);
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
    Ok(response)
}
