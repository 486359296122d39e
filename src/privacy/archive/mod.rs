//! Everything that the school holds of one student, as a ZIP: a page to read, the same as JSON, the files.
//!
//! It leaves as it is made: while it is sent, memory holds the rows of one student, compressed, and a piece of one
//! file, and the disk nothing; between two pieces no thread and no transaction waits. A ZIP opens on any system
//! without a program to install.

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

/// One at a time of the same for the same, until it is sent. What it takes is read twice: once before, so that its
/// length is known and what cannot be read is named, and once as it leaves.
const DOWNLOADS: Capacity = Capacity {
    name: "archives",
    at_once: 1,
    places: 256,
    each: 1,
    busy: "Many people are downloading what the school holds about them right now. Please try again in a moment.",
    own: "This download is under way already. Please wait until it has ended, or cancel it, then try again.",
};

/// By who asks, and of which student.
type Downloads = Turns<(Portal, i64, i64)>;

/// What a day is, for a limit.
const DAY: SignedDuration = SignedDuration::from_hours(24);
const WAY_OUT: &str = "What you downloaded last holds the same, and the office can send you a copy.";
/// What the history of a student calls a download.
const FIELD: &str = "archive";

/// Everything that the school holds of the signed-in student, as a ZIP with a page to read
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
    // A link leads here: where it is refused, there is no screen around it.
    send_own(&app, &downloads, student.id).await.unwrap_or_else(|error| website.refuse(&headers, error))
}

async fn send_own(app: &App, downloads: &Arc<Downloads>, id: i64) -> Result<Response> {
    let (place, now) = (downloads.place((Portal::Student, id, id))?, app.clock.now());
    let max = app.config.limits.data_downloads_per_day;
    app.db.read(|connection| check_day(connection, id, max, now)).await?;
    let answer = respond(app, place, id).await?;
    let change = HistoryChange { field: FIELD, before: None, after: Some("downloaded"), reason: None };
    app.db.write(move |connection| history::add(connection, id, By::Student, change, now)).await?;
    Ok(answer)
}

/// Refuses one download more than there may be in a day.
fn check_day(connection: &Connection, id: i64, max: u32, now: Timestamp) -> Result<()> {
    let made = history::own_changes(connection, id, FIELD, now - DAY)?;
    // The one whose day has to end before another may begin.
    let Some(first) = made.len().checked_sub(max as usize).and_then(|first| made.get(first)) else {
        return Ok(());
    };
    let seconds = (*first + DAY).duration_since(now).as_secs().max(1);
    Err(Error::HeldUp { seconds: seconds.cast_unsigned(), way_out: WAY_OUT })
}

/// The same for the office, which hands it to whoever asked on paper; the audit notes it
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
    let (now, actor) = (app.clock.now(), staff.actor());
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
    let (shared, now) = (app.clone(), app.clock.now());
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
