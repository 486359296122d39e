//! Reads requests off the network with a limit on everything a stranger can hold up.
//!
//! `axum::serve` has no header timeout, so hyper is driven directly: first byte within 5 s, the
//! whole header within 10 s, a cap on connections, 30 s between two pieces of a body.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use axum::Router;
use axum::extract::connect_info::ConnectInfo;
use axum::http::Request;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tower::{ServiceBuilder, ServiceExt};
use tower_http::timeout::RequestBodyTimeoutLayer;

use super::metrics::meters;

const FIRST_BYTE: Duration = Duration::from_secs(5);
const HEADER: Duration = Duration::from_secs(10);
const BODY_PAUSE: Duration = Duration::from_secs(30);
const DRAIN: Duration = Duration::from_secs(20);

/// Binds the address.
///
/// # Errors
/// When the address is taken or not ours, saying which and what to do.
pub async fn bind(address: SocketAddr) -> anyhow::Result<TcpListener> {
    TcpListener::bind(address).await.with_context(|| {
        format!("listening on {address} (is another program using it? choose one with --listen)")
    })
}

/// Serves until `stop` turns true, then lets running requests finish for at most 20 s.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    most_connections: usize,
    mut stop: watch::Receiver<bool>,
) {
    let permits = Arc::new(Semaphore::new(most_connections));
    let graceful = GracefulShutdown::new();
    loop {
        let (stream, peer) = tokio::select! {
            () = told_to_stop(&mut stop) => break,
            accepted = listener.accept() => match accepted {
                Ok(connection) => connection,
                Err(error) => {
                    // Out of file descriptors, most likely: wait for one instead of spinning.
                    tracing::warn!("accepting a connection: {error}");
                    tokio::time::sleep(Duration::from_millis(100)).await;
                    continue;
                }
            },
        };
        let Ok(permit) = permits.clone().try_acquire_owned() else {
            tracing::warn!("refused a connection: {most_connections} are open");
            meters::REFUSED_CONNECTIONS.add(1);
            continue;
        };
        let service =
            ServiceBuilder::new().layer(RequestBodyTimeoutLayer::new(BODY_PAUSE)).service(router.clone());
        let watcher = graceful.watcher();
        let open = meters::CONNECTIONS.hold();
        tokio::spawn(async move {
            if speaks(&stream).await {
                let service = service.map_request(move |mut request: Request<_>| {
                    request.extensions_mut().insert(ConnectInfo(peer));
                    request
                });
                converse(stream, service, watcher).await;
            }
            drop((permit, open));
        });
    }
    drop(listener);
    if tokio::time::timeout(DRAIN, graceful.shutdown()).await.is_err() {
        tracing::warn!("some requests did not finish within {} s", DRAIN.as_secs());
    }
}

/// Returns once `stop` is true, or nobody is left to say so.
pub async fn told_to_stop(stop: &mut watch::Receiver<bool>) {
    let _ = stop.wait_for(|stop| *stop).await;
}

/// Whether the client says anything at all in time.
async fn speaks(stream: &TcpStream) -> bool {
    let _ = stream.set_nodelay(true);
    matches!(tokio::time::timeout(FIRST_BYTE, stream.readable()).await, Ok(Ok(())))
}

async fn converse<S, B>(stream: TcpStream, service: S, watcher: hyper_util::server::graceful::Watcher)
where
    S: tower::Service<Request<hyper::body::Incoming>, Response = axum::http::Response<B>, Error = Infallible>
        + Clone
        + Send
        + 'static,
    S::Future: Send,
    B: axum::body::HttpBody + Send + 'static,
    B::Data: Send,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADER)
        .max_headers(64)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(service));
    if let Err(error) = watcher.watch(connection).await {
        tracing::trace!("connection ended: {error}");
    }
}
