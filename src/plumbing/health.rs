//! `/healthz` and `/readyz`: is it alive, and can it do its work.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use jiff::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::app::App;
use super::error::Result;
use super::{db, mail, upkeep};

/// Mail that waits longer than this is a fault somebody should hear of.
const OLDEST_MAIL_SECONDS: i64 = 3600;

/// The calls of this room.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(get_health)).routes(routes!(get_readiness))
}

/// Alive: the server accepts requests
#[utoipa::path(get, path = "/healthz", tag = "health", responses((status = 200, body = String)))]
async fn get_health() -> &'static str {
    "ok\n"
}

/// What `/readyz` found; each part is true when it is in order.
#[derive(Debug, Serialize, ToSchema)]
pub struct Readiness {
    /// The database answers a query.
    pub database_read: bool,
    /// The database takes a write and commits it; false as soon as it is known to be damaged.
    pub database_write: bool,
    /// The schema is the one this program was written for.
    pub schema: bool,
    /// More disk is free than the reserve.
    pub disk: bool,
    /// No mail has been waiting for more than an hour.
    pub mail: bool,
    /// The nightly backup and the weekly restore drill get done, or are not wanted.
    pub backup: bool,
}

/// Ready: database, disk, schema and mail are in order
#[utoipa::path(get, path = "/readyz", tag = "health",
    responses((status = 200, body = Readiness), (status = 503, body = Readiness)))]
async fn get_readiness(State(app): State<App>) -> (StatusCode, Json<Readiness>) {
    let now = app.clock.now();
    let schema = app.db.read(|connection| Ok(db::schema_version(connection)?)).await;
    // Sets a header field to what it is: a real page through the log and the disk.
    let write = app.db.write(|connection| Ok(connection.pragma_update(None, "user_version", 0)?)).await;
    let oldest = app.db.read(|connection| mail::oldest_due_age(connection, now)).await;
    let backup = upkeep_is_done(&app, now).await;
    let readiness = Readiness {
        database_read: schema.is_ok(),
        database_write: write.is_ok(),
        schema: schema.is_ok_and(|version| version == db::newest_schema()),
        disk: app.disk.has_room().unwrap_or(false),
        mail: oldest.is_ok_and(|age| age.is_none_or(|age| age < OLDEST_MAIL_SECONDS)),
        backup: backup.unwrap_or(false),
    };
    let Readiness { database_read, database_write, schema, disk, mail, backup } = readiness;
    let ready = database_read && database_write && schema && disk && mail && backup;
    let status = if ready { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    (status, Json(readiness))
}

/// Whether no nightly task is late.
async fn upkeep_is_done(app: &App, now: Timestamp) -> Result<bool> {
    app.db
        .read(|connection| {
            for task in upkeep::TASKS {
                let last = upkeep::last(connection, task.name)?;
                if upkeep::is_watched(&app.config, last.as_ref()) && upkeep::is_late(task, last.as_ref(), now)
                {
                    return Ok(false);
                }
            }
            Ok(true)
        })
        .await
}
