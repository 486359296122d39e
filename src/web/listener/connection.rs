//! Serves one connection, HTTP/1 or HTTP/2.
//!
//! The [`Registry`](super::registry::Registry), which knows every connection and its [`Activity`], decides when it
//! ends; hyper's own per-header timers are not used. Here it is closed: gracefully, after running requests, or at once.

use std::convert::Infallible;
use std::future::Future;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::connect_info::ConnectInfo;
use axum::http::{HeaderValue, Request, Response, header};
use axum::response::IntoResponse;
use hyper::body::Incoming;
use hyper::server::conn::{http1, http2};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulConnection;
use tower::ServiceExt;

use super::activity::{Activity, Phase, WaitingOn};
use super::body::{ActiveRequest, RequestBody, ResponseBody};
use super::host;
use super::registry::{CloseMode, Slot};
use super::stream::Stream;
use super::timeouts::Timeouts;
use crate::base::error::Error;

/// Size limit of a header, and of the read and write buffers.
const BUFFER: usize = 32 * 1024;

/// Serves every request of a connection.
pub(super) async fn serve(
    stream: Stream,
    phase: Phase,
    peer: SocketAddr,
    router: Router,
    timeouts: Timeouts,
    slot: &mut Slot,
) {
    let activity = slot.activity.clone();
    activity.enter(phase);
    let service = ConnectionService { router, peer, activity, timeouts, is_cut: phase == Phase::Http2 };
    let stream = TokioIo::new(stream);
    let ended = match phase {
        Phase::Http2 => end_in_time(http2().serve_connection(stream, service), slot, &timeouts).await,
        _ => end_in_time(http1().serve_connection(stream, service), slot, &timeouts).await,
    };
    if let Err(error) = ended {
        tracing::trace!("connection ended: {error}");
    }
}

/// HTTP/1 with small buffers.
fn http1() -> http1::Builder {
    let mut builder = http1::Builder::new();
    builder.header_read_timeout(None).max_headers(64).max_buf_size(BUFFER);
    builder
}

/// HTTP/2 with limits that fit a page and its pictures: 100 concurrent requests (as RFC 9113 advises), headers of 16
/// KiB, windows that bound the memory of an upload, and a close after 20 requests cancelled before they were read
/// (CVE-2023-44487).
fn http2() -> http2::Builder<TokioExecutor> {
    let mut builder = http2::Builder::new(TokioExecutor::new());
    builder
        .timer(TokioTimer::new())
        .max_concurrent_streams(100)
        .max_header_list_size(16 * 1024)
        .initial_stream_window_size(256 * 1024)
        .initial_connection_window_size(512 * 1024)
        .max_send_buf_size(64 * 1024)
        .max_pending_accept_reset_streams(20)
        .max_local_error_reset_streams(128)
        .keep_alive_interval(Duration::from_secs(20))
        .keep_alive_timeout(Duration::from_secs(10));
    builder
}

async fn end_in_time<C: GracefulConnection>(
    connection: C,
    slot: &mut Slot,
    timeouts: &Timeouts,
) -> Result<(), C::Error> {
    let mut connection = pin!(connection);
    tokio::select! {
        biased;
        ended = connection.as_mut() => return ended,
        close = &mut slot.close => if close != Ok(CloseMode::Gracefully) {
            return Ok(());
        }
    }
    connection.as_mut().graceful_shutdown();
    tokio::select! {
        biased;
        ended = connection.as_mut() => ended,
        () = drained(&slot.activity, timeouts) => Ok(()),
    }
}

/// Returns a grace period after the last request, but before the server's shutdown deadline.
async fn drained(activity: &Activity, timeouts: &Timeouts) {
    let until_idle = async {
        loop {
            tokio::time::sleep(timeouts.linger).await;
            if activity.read().turn() == WaitingOn::Idle {
                return;
            }
        }
    };
    let _ = tokio::time::timeout(timeouts.drain, until_idle).await;
}

#[derive(Clone)]
struct ConnectionService {
    router: Router,
    peer: SocketAddr,
    activity: Arc<Activity>,
    timeouts: Timeouts,
    is_cut: bool,
}

impl hyper::service::Service<Request<Incoming>> for ConnectionService {
    type Response = Response<ResponseBody>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Infallible>> + Send>>;

    fn call(&self, mut request: Request<Incoming>) -> Self::Future {
        let running = ActiveRequest::begin(self.activity.clone());
        let is_cut = self.is_cut;
        if let Err(reason) = host::settle(&mut request) {
            return Box::pin(async move {
                Ok(refuse(reason).map(|body| ResponseBody::new(body, running, is_cut)))
            });
        }
        request.extensions_mut().insert(ConnectInfo(self.peer));
        let (head, incoming) = request.into_parts();
        let body = RequestBody::new(incoming, &head.headers, self.activity.clone(), self.timeouts);
        let answer = self.router.clone().oneshot(Request::from_parts(head, Body::new(body)));
        Box::pin(async move { Ok(answer.await?.map(|body| ResponseBody::new(body, running, is_cut))) })
    }
}

/// Closes the connection: what follows such a request cannot be parsed reliably.
fn refuse(reason: &'static str) -> Response<Body> {
    let mut response = Error::BadRequest(reason.into()).into_response();
    response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    response
}
