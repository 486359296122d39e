//! One connection, from its first request to its last.
//!
//! HTTP/1 and HTTP/2 alike: a connection on which nothing runs is ended after a while, one on which
//! a request makes no end is dropped, and at the end of the server both finish what runs. hyper
//! limits HTTP/1's header itself; its HTTP/2 waits for ever, for a first frame as well as between
//! requests, so the watch is kept here for both.

use std::convert::Infallible;
use std::future::Future;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes, HttpBody};
use axum::extract::connect_info::ConnectInfo;
use axum::http::{HeaderValue, Request, Response, header};
use hyper::body::{Frame, Incoming, SizeHint};
use hyper::server::conn::{http1, http2};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulConnection;
use tokio::sync::watch;
use tokio::time::Instant;
use tower::{Layer, ServiceExt};
use tower_http::timeout::{RequestBodyTimeout, RequestBodyTimeoutLayer};

use super::stream::Stream;
use super::told_to_stop;

const HEADER: Duration = Duration::from_secs(10);
const BODY_PAUSE: Duration = Duration::from_secs(30);
/// Between two requests.
const IDLE: Duration = Duration::from_secs(60);
/// Nothing begins and nothing ends: more than an upload may take (10 minutes), with its answer.
const STUCK: Duration = Duration::from_secs(15 * 60);
/// For a client to take note of the end and hang up.
const FAREWELL: Duration = Duration::from_secs(5);

/// What was agreed on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Version {
    Http1,
    Http2,
}

/// Answers every request of a connection.
pub(super) async fn hold(
    stream: Stream,
    version: Version,
    peer: SocketAddr,
    router: Router,
    stop: watch::Receiver<bool>,
) {
    let tally = Tally::new();
    let router = RequestBodyTimeoutLayer::new(BODY_PAUSE).layer(router);
    let service = Answering { router, peer, tally: tally.clone() };
    let stream = TokioIo::new(stream);
    let ended = match version {
        Version::Http1 => {
            let connection = http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(HEADER)
                .max_headers(64)
                .serve_connection(stream, service);
            watch_over(connection, &tally, stop).await
        }
        Version::Http2 => watch_over(http2().serve_connection(stream, service), &tally, stop).await,
    };
    if let Err(error) = ended {
        tracing::trace!("connection ended: {error}");
    }
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

async fn watch_over<C: GracefulConnection>(
    connection: C,
    tally: &Tally,
    mut stop: watch::Receiver<bool>,
) -> Result<(), C::Error> {
    let mut connection = pin!(connection);
    tokio::select! {
        ended = connection.as_mut() => return ended,
        () = told_to_stop(&mut stop) => {}
        () = tally.outlasts(|tally| if tally.has_begun { IDLE } else { HEADER }) => {}
    }
    connection.as_mut().graceful_shutdown();
    tokio::select! {
        ended = connection.as_mut() => ended,
        () = tally.outlasts(|_| FAREWELL) => Ok(()),
    }
}

/// How many requests run, and since when nothing has changed.
#[derive(Clone)]
struct Tally(Arc<Mutex<Count>>);

struct Count {
    running: usize,
    has_begun: bool,
    since: Instant,
}

impl Tally {
    fn new() -> Self {
        Self(Arc::new(Mutex::new(Count { running: 0, has_begun: false, since: Instant::now() })))
    }

    fn change(&self, change: impl FnOnce(&mut Count)) {
        let mut count = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut count);
        count.since = Instant::now();
    }

    fn begin(&self) -> Running {
        self.change(|count| {
            count.running += 1;
            count.has_begun = true;
        });
        Running(self.clone())
    }

    /// Returns once nothing has begun or ended for as long as `patience` says while no request runs,
    /// or for [`STUCK`] while one does.
    async fn outlasts(&self, patience: impl Fn(&Count) -> Duration) {
        let called_at = Instant::now();
        loop {
            let end = {
                let count = self.0.lock().unwrap_or_else(PoisonError::into_inner);
                if count.running == 0 {
                    count.since.max(called_at) + patience(&count)
                } else {
                    count.since + STUCK
                }
            };
            if end <= Instant::now() {
                return;
            }
            tokio::time::sleep_until(end).await;
        }
    }
}

/// A request that is being answered, until the last piece of its answer has left.
struct Running(Tally);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.change(|count| count.running -= 1);
    }
}

#[derive(Clone)]
struct Answering {
    router: RequestBodyTimeout<Router>,
    peer: SocketAddr,
    tally: Tally,
}

impl hyper::service::Service<Request<Incoming>> for Answering {
    type Response = Response<Counted>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Infallible>> + Send>>;

    fn call(&self, mut request: Request<Incoming>) -> Self::Future {
        let running = self.tally.begin();
        request.extensions_mut().insert(ConnectInfo(self.peer));
        name_host(&mut request);
        let answer = self.router.clone().oneshot(request);
        Box::pin(async move { Ok(answer.await?.map(|body| Counted { body, _running: running })) })
    }
}

/// HTTP/2 names the host in `:authority`; whoever answers looks for it where HTTP/1 has it.
fn name_host(request: &mut Request<Incoming>) {
    if !request.headers().contains_key(header::HOST)
        && let Some(authority) = request.uri().authority()
        && let Ok(host) = HeaderValue::from_str(authority.as_str())
    {
        request.headers_mut().insert(header::HOST, host);
    }
}

/// The body of an answer, which counts as running until it is gone.
struct Counted {
    body: Body,
    _running: Running,
}

impl HttpBody for Counted {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
