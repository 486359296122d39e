//! The running school: what every handler shares, and the router with its guards.
//!
//! One request: `listener` reads it → guards (cross-site check, sessions, time limit, panics) →
//! the room's handler, whose parameters say who may call → `Db` → the answer, with the strict
//! headers that nothing may forget.

use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context;
use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::{Json, Router};
use tokio::sync::Notify;
use tower_http::catch_panic::CatchPanicLayer;
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;

use super::clock::Clock;
use super::config::Config;
use super::db::{self, Db, Writer};
use super::encoding::Encoded;
use super::error::{Error, Result};
use super::limits::Limits;
use super::passwords::Passwords;
use super::{health, mail, session};
use crate::courses::catalogue::Catalogue;
use crate::website::Website;
use crate::{courses, dashboard, documents, enrollments, messages, school, staff, students, website};

/// What every handler shares. Cheap to clone.
#[derive(Clone)]
pub struct App(Arc<Shared>);

/// The contents of an [`App`].
pub struct Shared {
    /// The configuration, as loaded.
    pub config: Arc<Config>,
    /// The data folder.
    pub data_dir: PathBuf,
    /// The database.
    pub db: Db,
    /// The time.
    pub clock: Clock,
    /// Hashes and verifies passwords.
    pub passwords: Passwords,
    /// Rates per client address.
    pub limits: Limits,
    /// The catalogue as compressed bytes.
    pub catalogue: Catalogue,
    /// The public pages.
    pub website: Website,
    /// `/api/school` as compressed bytes.
    pub school_json: Encoded,
    /// Rings when a letter was queued.
    pub mail_bell: Arc<Notify>,
    /// `/api/openapi.json` as compressed bytes.
    openapi: Encoded,
}

impl Deref for App {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}

/// A school whose database is open; [`Opened::finish`] ends it cleanly.
pub struct Opened {
    /// What handlers share.
    pub app: App,
    writer: Writer,
}

impl Opened {
    /// Opens the data folder, brings the schema up to date and starts the writer and password threads.
    ///
    /// # Errors
    /// Whatever keeps the folder or the database from being opened.
    pub fn open(data_dir: &Path, config: Config, clock: Clock) -> anyhow::Result<Self> {
        make_folders(data_dir)?;
        let path = data_dir.join("schoolhouse.db");
        drop(db::open(&path)?);
        let (db, writer) = Db::start(&path)?;
        let config = Arc::new(config);
        let app = App(Arc::new(Shared {
            data_dir: data_dir.to_owned(),
            db,
            clock,
            passwords: Passwords::start()?,
            limits: Limits::new(&config.limits),
            catalogue: Catalogue::new(),
            website: Website::new(&config)?,
            school_json: school::encode(&config.school)?,
            mail_bell: Arc::new(Notify::new()),
            openapi: Encoded::new("application/json", "no-cache", openapi().to_json()?.into_bytes()),
            config,
        }));
        Ok(Self { app, writer })
    }

    /// Waits for the last write and empties the write-ahead log. Every clone of the app must be gone.
    pub fn finish(self) {
        drop(self.app);
        self.writer.finish();
    }
}

/// Makes the data folder and its parts, readable by their owner alone.
///
/// # Errors
/// When a folder cannot be made or closed to others.
pub fn make_folders(data_dir: &Path) -> anyhow::Result<()> {
    use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
    for folder in ["", "documents", "mail", "backups", "tmp"] {
        let path = if folder.is_empty() { data_dir.to_owned() } else { data_dir.join(folder) };
        std::fs::DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(&path)
            .and_then(|()| std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o700)))
            .with_context(|| format!("making the folder {}", path.display()))?;
    }
    Ok(())
}

#[derive(OpenApi)]
#[openapi(info(
    title = "schoolhouse",
    description = "Every call of the school's website, student portal and office."
))]
struct Document;

fn api() -> OpenApiRouter<App> {
    OpenApiRouter::with_openapi(Document::openapi())
        .merge(school::routes())
        .merge(courses::routes())
        .merge(messages::routes())
        .merge(students::routes())
        .merge(documents::routes())
        .merge(enrollments::routes())
        .merge(staff::routes())
        .merge(dashboard::routes())
        .merge(health::routes())
}

/// The OpenAPI document of every call.
pub fn openapi() -> utoipa::openapi::OpenApi {
    api().split_for_parts().1
}

/// The router with all of its guards.
pub fn router(app: App) -> Router {
    let https = app.config.is_https();
    let door = |door| session::layer(door, app.db.clone(), app.clock.clone(), https);
    let (api, _) = api().split_for_parts();
    api.route("/api/openapi.json", axum::routing::get(get_openapi))
        .route("/api/{*rest}", axum::routing::any(unknown_call))
        .method_not_allowed_fallback(wrong_method)
        .layer(middleware::from_fn(session::keep_staff))
        .layer(door(session::Door::Staff))
        .layer(middleware::from_fn(session::keep_student))
        .layer(door(session::Door::Student))
        .layer(middleware::from_fn_with_state(app.clone(), refuse_cross_site))
        .fallback(website::get_page)
        .layer(CatchPanicLayer::custom(panicked))
        .layer(middleware::from_fn(limit_time))
        .layer(middleware::from_fn_with_state(app.clone(), add_headers))
        .layer(middleware::from_fn(log))
        .with_state(app)
}

async fn get_openapi(State(app): State<App>, headers: HeaderMap) -> Response {
    app.openapi.respond(&headers)
}

async fn unknown_call() -> Error {
    Error::NotFound("There is no such call.".into())
}

async fn wrong_method() -> Response {
    let body = Json(serde_json::json!({ "message": "This call does not support that method." }));
    (StatusCode::METHOD_NOT_ALLOWED, body).into_response()
}

fn panicked(cause: Box<dyn std::any::Any + Send>) -> Response {
    let text = cause
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| cause.downcast_ref::<String>().cloned())
        .unwrap_or_default();
    Error::Internal(anyhow::anyhow!("a handler panicked: {text}")).into_response()
}

/// A handler has 30 s, an upload 10 minutes: 10 MB at the pace of a poor connection (17 kB/s).
async fn limit_time(request: Request, next: Next) -> Response {
    let is_upload = request
        .headers()
        .get(header::CONTENT_TYPE)
        .is_some_and(|value| value.as_bytes().starts_with(b"multipart/"));
    let most = Duration::from_secs(if is_upload { 600 } else { 30 });
    tokio::time::timeout(most, next.run(request))
        .await
        .unwrap_or_else(|_| Error::Busy("The request took too long. Please try again.").into_response())
}

/// Refuses an unsafe request that another site made a browser send.
///
/// `Sec-Fetch-Site` decides where the browser sends it (every browser since 2023, over HTTPS or on
/// this machine); else `Origin` must be ours. A client that is no browser carries neither.
async fn refuse_cross_site(State(app): State<App>, request: Request, next: Next) -> Response {
    let unsafe_method = !matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    if unsafe_method && !is_same_site(request.headers(), &app.config) {
        return Error::Forbidden("This request came from another website and was refused.".into())
            .into_response();
    }
    next.run(request).await
}

fn is_same_site(headers: &HeaderMap, config: &Config) -> bool {
    let text = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    if let Some(site) = text(HeaderName::from_static("sec-fetch-site")) {
        return matches!(site, "same-origin" | "none");
    }
    if let Some(origin) = text(header::ORIGIN) {
        let host = text(header::HOST).unwrap_or("");
        let authority = origin.split_once("://").map_or("", |(_, authority)| authority);
        return origin == config.public_url() || (!authority.is_empty() && authority == host);
    }
    !text(header::USER_AGENT).is_some_and(|agent| agent.starts_with("Mozilla/"))
}

/// Pages load from here and nowhere else, run no inline script, and are framed by nobody.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; manifest-src 'self'; \
    form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

async fn add_headers(State(app): State<App>, request: Request, next: Next) -> Response {
    let is_call = request.uri().path().starts_with("/api/");
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    let mut add = |name: HeaderName, value: &'static str| {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    };
    add(header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY);
    add(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    add(header::REFERRER_POLICY, "strict-origin-when-cross-origin");
    add(HeaderName::from_static("cross-origin-opener-policy"), "same-origin");
    add(HeaderName::from_static("cross-origin-resource-policy"), "same-origin");
    add(
        HeaderName::from_static("permissions-policy"),
        "camera=(), geolocation=(), microphone=(), payment=()",
    );
    add(header::X_FRAME_OPTIONS, "DENY");
    if is_call {
        // Whatever did not say otherwise is private.
        add(header::CACHE_CONTROL, "private, no-store");
    }
    if app.config.is_https() {
        add(header::STRICT_TRANSPORT_SECURITY, "max-age=31536000");
    }
    response
}

/// One line per call: method, route, status, time. No address, no query, no identifier.
async fn log(request: Request, next: Next) -> Response {
    let method = request.method().clone();
    let route = request
        .extensions()
        .get::<MatchedPath>()
        .map_or_else(|| "(page)".to_owned(), |path| path.as_str().to_owned());
    let start = Instant::now();
    let response = next.run(request).await;
    let status = response.status().as_u16();
    let milliseconds = start.elapsed().as_secs_f64() * 1000.0;
    if status >= 500 {
        tracing::warn!("{method} {route} {status} {milliseconds:.1} ms");
    } else {
        tracing::debug!("{method} {route} {status} {milliseconds:.1} ms");
    }
    response
}

impl App {
    /// Carries out a write that may queue letters, and rings for the postman.
    ///
    /// # Errors
    /// What the write answered.
    pub async fn write_and_post<T, F>(&self, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&rusqlite::Connection) -> Result<T> + Send + 'static,
    {
        let answer = self.db.write(work).await?;
        self.mail_bell.notify_one();
        Ok(answer)
    }

    /// Whether mail is written into files instead of being delivered.
    pub fn is_mail_spooled(&self) -> bool {
        mail::is_spooled(&self.config)
    }
}
