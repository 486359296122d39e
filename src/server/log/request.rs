//! Request ids and the log line of each request.
//!
//! The id is on every line logged while the request is served, in `X-Request-Id`, and in the message of a 500, so that
//! a report can name the lines.

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

/// Assigns the id, serves the request, and logs one line: method, route, status, time. No address, query or personal
/// identifier.
pub async fn log(app: &App, request: Request, serve: impl AsyncFnOnce(Request) -> Response) -> Response {
    let current = Current {
        id: number(app, &request),
        method: request.method().clone(),
        route: request.extensions().get::<MatchedPath>().cloned(),
    };
    let header = HeaderValue::from_str(&current.id).ok();
    let client = ClientAddr::from_parts(request.extensions(), request.headers(), &app.config);
    let client = LoggedClient {
        network: client.network(),
        address: client.address().filter(|_| app.config.log.security_addresses),
    };
    let mut response = request_id::scope(current, async {
        let start = Instant::now();
        let response = serve(request).await;
        note(&response, start, client);
        response
    })
    .await;
    if let Some(header) = header {
        response.headers_mut().insert(HEADER, header);
    }
    response
}

/// What the log may know of a client.
#[derive(Clone, Copy)]
struct LoggedClient {
    /// Its network.
    network: Option<IpAddr>,
    /// Its address, where the school logs addresses.
    address: Option<IpAddr>,
}

fn note(response: &Response, start: Instant, client: LoggedClient) {
    let status = response.status().as_u16();
    request_id::with_current(|current| {
        request_counts::count(current.route(), current.method.as_str(), status, start);
    });
    if let Some(event) = response.extensions().get::<SecurityEvent>() {
        security_log::note(*event, client.network, client.address);
    }
    let ms = (start.elapsed().as_secs_f64() * 10_000.0).round() / 10.0;
    // A lack of capacity is logged separately, once a minute.
    if status >= 500 && response.status() != StatusCode::SERVICE_UNAVAILABLE {
        tracing::warn!(status, ms, "request failed");
    } else {
        tracing::debug!(status, ms, "request");
    }
}

/// The id from a trusted proxy, so that both logs agree; otherwise a new one.
fn number(app: &App, request: &Request) -> String {
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|info| info.0.ip().to_canonical());
    let is_trusted =
        peer.is_some_and(|peer| app.config.server.trusted_proxies.iter().any(|net| net.contains(&peer)));
    let given = request.headers().get(HEADER).and_then(|value| value.to_str().ok());
    match given {
        Some(given) if is_trusted && is_well_formed(given) => given.to_owned(),
        // Without randomness nothing else works either; log the line without an id.
        _ => random::bytes::<8>().map(|bytes| random::hex(&bytes)).unwrap_or_default(),
    }
}

/// The format of nginx's `$request_id` and caddy's UUIDs, which cannot contain an address or a line break.
fn is_well_formed(id: &str) -> bool {
    (8..=64).contains(&id.len()) && id.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
}
