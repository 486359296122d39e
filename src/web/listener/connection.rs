//! One connection, from its first request to its last, HTTP/1 and HTTP/2 alike.
//!
//! When it has to end is the affair of the [`Registry`](super::registry::Registry), which sees every
//! connection and their [`Activity`]; hyper's own timers, one for each header, are not used. Here it
//! is ended: gracefully, so that what runs is finished, or at once.

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

/// A header, and what is read of a body and written of an answer ahead of their use.
const BUFFER: usize = 32 * 1024;

/// Answers every request of a connection.
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

/// HTTP/1 with little for a stranger to pile up.
fn http1() -> http1::Builder {
    let mut builder = http1::Builder::new();
    builder.header_read_timeout(None).max_headers(64).max_buf_size(BUFFER);
    builder
}

/// HTTP/2 with what a page and its pictures need, and little for a stranger to pile up: 100
/// requests at once (RFC 9113's advice), headers of 16 KiB, windows that bound what an upload
/// leaves in memory, and an end after 20 requests that were cancelled before they were read
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

/// A while after the last request has ended, and in any case before the server gives up waiting.
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

/// Nothing that follows such a request can be trusted to be one.
fn refuse(reason: &'static str) -> Response<Body> {
    let mut response = Error::BadRequest(reason.into()).into_response();
    response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    response
}
