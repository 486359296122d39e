//! `/healthz` and `/readyz`: liveness and readiness.

use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use axum::http::StatusCode;
use jiff::Timestamp;
use serde::Serialize;
use tokio::sync::Mutex;
use tokio::time::{Duration, Instant};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use crate::base::error::Result;
use crate::base::json::Json;
use crate::base::meters;
use crate::mail;
use crate::operations::maintenance;
use crate::storage::db::{self, Db, Integrity};
use crate::web::access::{AnyCaller, endpoints};
use crate::web::app::App;

/// Mail that waits longer than this makes the server not ready.
const OLDEST_MAIL_SECONDS: i64 = 3600;

/// Routes of this module.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![get_health, get_readiness].layer(Extension(Arc::new(WriteProbe::default())))
}

/// Alive: the server accepts requests
#[utoipa::path(get, path = "/healthz", tag = "health", responses((status = 200, body = String)))]
async fn get_health(_: AnyCaller) -> &'static str {
    "ok\n"
}

/// Result of `/readyz`; each part is true when it is in order.
#[derive(Debug, Serialize, ToSchema)]
pub struct Readiness {
    /// The database answers a query.
    pub database_read: bool,
    /// The database takes a write and commits it, as of a few seconds ago; false as soon as it is known to
    /// be damaged.
    pub database_write: bool,
    /// Integrity of the database. It is checked after each start, while it serves.
    pub integrity: Integrity,
    /// The schema is the one this program was written for.
    pub schema: bool,
    /// More disk is free than the reserve.
    pub disk: bool,
    /// No mail has been waiting for more than an hour.
    pub mail: bool,
    /// The nightly backup and the weekly restore drill succeed, or are turned off.
    pub backup: bool,
}

/// Ready: database, disk, schema and mail are in order
#[utoipa::path(get, path = "/readyz", tag = "health",
    responses((status = 200, body = Readiness), (status = 503, body = Readiness)))]
async fn get_readiness(
    _: AnyCaller,
    State(app): State<App>,
    Extension(probe): Extension<Arc<WriteProbe>>,
) -> (StatusCode, Json<Readiness>) {
    let now = app.clock.now();
    let schema = app.db.read(|connection| Ok(db::schema_version(connection)?)).await;
    let database_write = probe.takes_writes(&app.db).await;
    let oldest = app.db.read(|connection| mail::oldest_due_age(connection, now)).await;
    let backup = maintenance_is_done(&app, now).await;
    let readiness = Readiness {
        database_read: schema.is_ok(),
        database_write,
        integrity: app.db.integrity(),
        schema: schema.is_ok_and(|version| version == db::newest_schema()),
        disk: app.disk.has_room().unwrap_or(false),
        mail: oldest.is_ok_and(|age| age.is_none_or(|age| age < OLDEST_MAIL_SECONDS)),
        backup: backup.unwrap_or(false),
    };
    let Readiness { database_read, database_write, integrity: _, schema, disk, mail, backup } = readiness;
    let ready = database_read && database_write && schema && disk && mail && backup;
    let status = if ready { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    (status, Json(readiness))
}

/// Cached probe of whether the database accepts writes: the endpoint is public and must not cause a disk write per
/// request.
#[derive(Default)]
struct WriteProbe(Mutex<Option<ProbeResult>>);

struct ProbeResult {
    at: Instant,
    is_well: bool,
    /// Total failed commits at that time.
    failed_commits: u64,
}

/// How long a success is cached, unless a commit fails; and a failure.
const WELL_FOR: Duration = Duration::from_secs(5);
const UNWELL_FOR: Duration = Duration::from_millis(500);

impl WriteProbe {
    async fn takes_writes(&self, db: &Db) -> bool {
        if db.damage().is_some() {
            return false;
        }
        // Concurrent requests wait for the same probe.
        let mut probed = self.0.lock().await;
        if let Some(probed) = probed.as_ref().filter(|probed| probed.is_fresh()) {
            return probed.is_well;
        }
        // Rewrites a header field with its value: a real page through the log to the disk.
        let write = db.write(|connection| Ok(connection.pragma_update(None, "user_version", 0)?)).await;
        let is_well = write.is_ok();
        *probed =
            Some(ProbeResult { at: Instant::now(), is_well, failed_commits: meters::FAILED_COMMITS.get() });
        is_well
    }
}

impl ProbeResult {
    fn is_fresh(&self) -> bool {
        let is_news = self.is_well && meters::FAILED_COMMITS.get() != self.failed_commits;
        !is_news && self.at.elapsed() < if self.is_well { WELL_FOR } else { UNWELL_FOR }
    }
}

/// Whether no nightly task is late.
async fn maintenance_is_done(app: &App, now: Timestamp) -> Result<bool> {
    app.db
        .read(|connection| {
            for task in maintenance::TASKS {
                let last = maintenance::last(connection, task.name)?;
                if maintenance::is_watched(&app.config, last.as_ref())
                    && maintenance::is_late(task, last.as_ref(), now)
                {
                    return Ok(false);
                }
            }
            Ok(true)
        })
        .await
}
