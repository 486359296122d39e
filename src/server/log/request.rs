//! The request that is being served: its number, and the line that it leaves.
//!
//! The number is known to every line that is written while the request is served, goes back as
//! `X-Request-Id`, and stands in the words of a 500: whoever reports a fault can name the lines.

use std::net::{IpAddr, SocketAddr};
use std::time::Instant;

use axum::extract::{ConnectInfo, MatchedPath, Request};
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::Response;

use crate::base::random;
use crate::base::request_id::{self, Current};
use crate::base::security_log::{self, SecurityEvent};
use crate::operations::metrics::request_counts;
use crate::web::app::App;
use crate::web::rate_limit::ClientAddr;

const HEADER: HeaderName = HeaderName::from_static("x-request-id");

/// Numbers the request, serves it, and leaves one line: method, route, status, time. No address, no query, no
/// identifier of anybody.
pub async fn log(app: &App, request: Request, serve: impl AsyncFnOnce(Request) -> Response) -> Response {
    let current = Current {
        id: number(app, &request),
        method: request.method().clone(),
        route: request.extensions().get::<MatchedPath>().cloned(),
    };
    let header = HeaderValue::from_str(&current.id).ok();
    let client = ClientAddr::from_parts(request.extensions(), request.headers(), &app.config);
    let asked = (client.network(), client.address().filter(|_| app.config.log.security_addresses));
    let mut response = request_id::scope(current, async {
        let start = Instant::now();
        let response = serve(request).await;
        note(&response, start, asked);
        response
    })
    .await;
    if let Some(header) = header {
        response.headers_mut().insert(HEADER, header);
    }
    response
}

fn note(response: &Response, start: Instant, (network, address): (Option<IpAddr>, Option<IpAddr>)) {
    let status = response.status().as_u16();
    request_id::with_current(|current| {
        request_counts::count(current.route(), current.method.as_str(), status, start);
    });
    if let Some(event) = response.extensions().get::<SecurityEvent>() {
        security_log::note(*event, network, address);
    }
    let ms = (start.elapsed().as_secs_f64() * 10_000.0).round() / 10.0;
    // What there was no room for says so itself, once a minute in a flood.
    if status >= 500 && response.status() != StatusCode::SERVICE_UNAVAILABLE {
        tracing::warn!(status, ms, "request failed");
    } else {
        tracing::debug!(status, ms, "request");
    }
}

/// The number that a trusted proxy gave the request, so that both logs agree; else a new one.
fn number(app: &App, request: &Request) -> String {
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|info| info.0.ip().to_canonical());
    let is_trusted =
        peer.is_some_and(|peer| app.config.server.trusted_proxies.iter().any(|net| net.contains(&peer)));
    let given = request.headers().get(HEADER).and_then(|value| value.to_str().ok());
    match given {
        Some(given) if is_trusted && is_well_formed(given) => given.to_owned(),
        // Without randomness nothing else works either; the line matters more than its number.
        _ => random::bytes::<8>().map(|bytes| random::hex(&bytes)).unwrap_or_default(),
    }
}

/// What nginx's `$request_id` and caddy's UUIDs are; no room for an address or a second line.
fn is_well_formed(id: &str) -> bool {
    (8..=64).contains(&id.len()) && id.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
}
