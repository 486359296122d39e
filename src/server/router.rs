//! The router: every room's endpoints behind the same middleware.
//!
//! One request: `listener` reads it → middleware (request id, time limit, cross-site check, panics; sessions) → the
//! room's handler, whose parameters check access → `Db` → the response, with security headers.

use std::net::IpAddr;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Router};
use futures_util::FutureExt;
use tower::ServiceBuilder;
use utoipa_axum::router::OpenApiRouter;

use super::{headers, health, log};
use crate::base::error::Error;
use crate::base::json::Json;
use crate::base::security_log::SecurityEvent;
use crate::base::turns::Place;
use crate::config::Config;
use crate::courses::catalogue::Catalogue;
use crate::operations::metrics::request_counts;
use crate::settings::site::Site;
use crate::students::Student;
use crate::web::app::App;
use crate::web::compression;
use crate::web::listener;
use crate::web::portal::Portal;
use crate::web::rate_limit::{self, ClientAddr};
use crate::web::session::{self, Accounts};
use crate::website::Website;
use crate::{
    admissions, audit_log, classes, courses, dashboard, documents, email_log, enrollments, family, handover,
    messages, money, portals, privacy, records, schedule, settings, staff, students, terms, website,
};

/// Endpoints without sessions.
pub(super) fn open_endpoints() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .merge(website::school::routes())
        .merge(courses::public_routes())
        .merge(terms::public_routes())
        .merge(messages::public_routes())
        .merge(admissions::public_routes())
        .merge(schedule::public_routes())
        .merge(health::routes())
}

/// Endpoints with the sessions of both portals.
pub(super) fn signed_in_endpoints() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .merge(courses::routes())
        .merge(terms::routes())
        .merge(settings::routes())
        .merge(students::routes())
        .merge(records::routes())
        .merge(privacy::routes())
        .merge(documents::routes())
        .merge(enrollments::routes())
        .merge(money::routes())
        .merge(family::routes())
        .merge(schedule::routes())
        .merge(classes::routes())
        .merge(messages::routes())
        .merge(admissions::routes())
        .merge(email_log::routes())
        .merge(audit_log::routes())
        .merge(staff::routes())
        .merge(handover::routes())
        .merge(dashboard::routes())
}

/// The router with all middleware.
pub fn router(app: App) -> anyhow::Result<Router> {
    let https = app.config.is_https();
    let portal = |portal| session::layer(portal, &app, https);
    let site = Site::new(app.config.clone(), app.today());
    let website = Arc::new(Website::new(&app.config, site.clone())?);
    // One layer, like the guard, because the router boxes every route for each layer.
    let sessions = ServiceBuilder::new()
        .layer(portal(Portal::Student))
        .map_request(session::keep_student)
        .layer(portal(Portal::Staff))
        .map_request(session::keep_staff)
        .layer(Extension(Accounts::<Student>::default()))
        .layer(Extension(Accounts::<staff::StaffAccount>::default()))
        .layer(middleware::from_fn(compression::compress));
    let portal_pages = portals::routes(&app).layer(sessions.clone());
    let (endpoints, known) = open_endpoints().merge(signed_in_endpoints().layer(sessions)).split_for_parts();
    let paths = known.paths.paths.into_keys();
    request_counts::know(paths.chain(["/api/openapi.json".to_owned(), "/api/{*rest}".to_owned()]));
    let document =
        Arc::new(website::api_document().context("the interface was built without its openapi.json")?);
    let get_openapi = async move |headers: HeaderMap| document.respond(&headers);
    let around_every_request = ServiceBuilder::new()
        .layer(middleware::from_fn_with_state(app.clone(), guard))
        .layer(Extension(website))
        .layer(Extension(site))
        .layer(Extension(Catalogue::default()));
    let router = endpoints
        .merge(portal_pages)
        .route("/contact", axum::routing::get(website::get_page).post(messages::page::post))
        .route("/apply", axum::routing::get(website::get_page).post(admissions::page::post))
        .route("/application", axum::routing::get(website::get_page).post(admissions::page::post_link))
        .route("/api/openapi.json", axum::routing::get(get_openapi))
        .route("/api/{*rest}", axum::routing::any(unknown_endpoint))
        .method_not_allowed_fallback(wrong_method)
        .fallback(website::get_page)
        .layer(around_every_request)
        .with_state(app);
    Ok(router)
}

/// Middleware of every request, as one function: with separate layers the router would clone the inner service once
/// more per request for each.
async fn guard(State(app): State<App>, request: Request, next: Next) -> Response {
    log::request::log(&app, request, async |request| {
        let is_call = request.uri().path().starts_with("/api/");
        let is_upload = listener::is_upload(request.headers());
        let answer = async {
            if is_cross_site(&request, &app.config) {
                let refusal =
                    Error::Forbidden("This request came from another website and was refused.".into());
                return (Extension(SecurityEvent::CsrfRefused), refusal).into_response();
            }
            let _place = match place(&app, &request, is_upload) {
                Ok(place) => place,
                Err(busy) => return busy.into_response(),
            };
            AssertUnwindSafe(next.run(request)).catch_unwind().await.unwrap_or_else(panicked)
        };
        let mut answer = limit_time(answer, is_upload).await;
        rate_limit::device::send_cookie(&mut answer, &app.config);
        headers::add(&mut answer, is_call, &app.config);
        answer
    })
    .await
}

/// A place for a request with a body. Uploads go to disk and have separate limits; without a known client address there
/// is no limit, so that visitors do not share one.
fn place(app: &App, request: &Request, is_upload: bool) -> Result<Option<Place<IpAddr>>, Error> {
    if is_upload || is_safe(request.method()) {
        return Ok(None);
    }
    let client = ClientAddr::from_parts(request.extensions(), request.headers(), &app.config);
    client.network().map(|network| app.bodies.place(network)).transpose()
}

fn is_safe(method: &Method) -> bool {
    matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS)
}

async fn unknown_endpoint() -> Error {
    Error::NotFound("There is no such endpoint.".into())
}

async fn wrong_method() -> Response {
    let body = Json(serde_json::json!({ "message": "This endpoint does not support that method." }));
    (StatusCode::METHOD_NOT_ALLOWED, body).into_response()
}

/// The panic message may quote user input, so the hook logs only the location.
fn panicked(_: Box<dyn std::any::Any + Send>) -> Response {
    Error::Internal(anyhow::anyhow!("a handler panicked")).into_response()
}

/// Debug builds are several times slower, and their tests run beside compilers, so their time limits are longer.
const SLOWNESS: u32 = if cfg!(debug_assertions) { 4 } else { 1 };

/// A handler has 30 s, an upload 10 minutes: 10 MB over a poor connection (17 kB/s). The `listener` enforces the
/// minimum rate.
async fn limit_time(answer: impl Future<Output = Response>, is_upload: bool) -> Response {
    let max = Duration::from_secs(if is_upload { 600 } else { 30 }) * SLOWNESS;
    let mut answer = tokio::time::timeout(max, answer).await.unwrap_or_else(|_| {
        let slow = Error::Busy("The request took too long. Please try again.");
        if is_upload { Error::TooSlow } else { slow }.into_response()
    });
    if (is_upload && !answer.status().is_success()) || answer.status() == StatusCode::REQUEST_TIMEOUT {
        // The rest of the body is not read, so the connection cannot be reused; without this header the client would
        // send its next request on it. HTTP/2 has no such header, and hyper omits it.
        answer.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    answer
}

/// Whether another site made a browser send an unsafe request.
///
/// `Sec-Fetch-Site` decides if present (every browser since 2023, over HTTPS or localhost); otherwise `Origin` must
/// match. Clients that are not browsers send neither.
fn is_cross_site(request: &Request, config: &Config) -> bool {
    !is_safe(request.method()) && !is_same_site(request.headers(), config)
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
