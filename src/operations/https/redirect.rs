//! Plain HTTP while HTTPS is on: challenges, and redirects to HTTPS.
//!
//! Redirects go to the configured address, never to the request's host.

use std::net::IpAddr;
use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use super::keyring::Keyring;
use crate::config::Config;

/// State of the handlers.
#[derive(Clone)]
struct RedirectState {
    keyring: Arc<Keyring>,
    config: Arc<Config>,
}

/// Routes of plain HTTP.
pub fn router(keyring: Arc<Keyring>, config: Arc<Config>) -> Router {
    Router::new()
        .route("/.well-known/acme-challenge/{token}", get(answer_challenge))
        .fallback(redirect)
        .with_state(RedirectState { keyring, config })
}

/// The server's own router, redirecting aliases to the domain.
pub fn from_aliases(router: Router, config: Arc<Config>) -> Router {
    if config.https.aliases.is_empty() {
        return router;
    }
    router.layer(middleware::from_fn_with_state(config, redirect_alias))
}

async fn answer_challenge(State(state): State<RedirectState>, Path(token): Path<String>) -> Response {
    state.keyring.http_challenge(&token).map_or_else(
        || (StatusCode::NOT_FOUND, "There is no such challenge.\n").into_response(),
        |text| ([(header::CONTENT_TYPE, "application/octet-stream")], text).into_response(),
    )
}

async fn redirect(State(state): State<RedirectState>, headers: HeaderMap, uri: Uri) -> Response {
    let RedirectState { keyring, config } = state;
    let host = host(&headers);
    if !config.https.names().iter().any(|name| name == host) && !is_address(host) {
        let text = format!("This server is {}.\n", config.public_url());
        return (StatusCode::MISDIRECTED_REQUEST, text).into_response();
    }
    if !keyring.has_certificate() {
        return not_yet();
    }
    redirect_to(&config, &uri)
}

async fn redirect_alias(State(config): State<Arc<Config>>, request: Request, next: Next) -> Response {
    let host = host(request.headers());
    if config.https.aliases.iter().any(|alias| alias == host) {
        return redirect_to(&config, request.uri());
    }
    next.run(request).await
}

/// 308 keeps the method, so that nothing is posted twice or turned into a GET.
fn redirect_to(config: &Config, uri: &Uri) -> Response {
    let path = uri.path_and_query().map_or("/", |path| path.as_str());
    HeaderValue::from_str(&format!("{}{path}", config.public_url())).map_or_else(
        |_| StatusCode::BAD_REQUEST.into_response(),
        |location| (StatusCode::PERMANENT_REDIRECT, [(header::LOCATION, location)]).into_response(),
    )
}

/// The only page before the first certificate: logins over plain HTTP could be intercepted, and a self-signed
/// certificate would teach visitors to ignore warnings.
fn not_yet() -> Response {
    const PAGE: &str = "This website is being set up: it is waiting for its certificate.\n\
        Please try again in a few minutes.\n\n\
        If you run this server: its log and `schoolhouse doctor` say what it is waiting for.\n";
    (StatusCode::SERVICE_UNAVAILABLE, [(header::RETRY_AFTER, "60")], PAGE).into_response()
}

/// The requested host, without its port.
fn host(headers: &HeaderMap) -> &str {
    let host = headers.get(header::HOST).and_then(|value| value.to_str().ok()).unwrap_or("");
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    }
}

/// Whether the host is an IP address, or empty as in old health checks.
fn is_address(host: &str) -> bool {
    let bare = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(host);
    bare.is_empty() || bare.parse::<IpAddr>().is_ok()
}
