//! Reads requests off the network with a limit on everything a stranger can hold up.
//!
//! `axum::serve` has no header timeout, so hyper is driven directly: first byte or TLS handshake
//! within 5 s, the whole header within 10 s, a cap on connections, 30 s between two pieces of a
//! body; `conversation` holds what HTTP/2 needs beside. Where the sockets come from, from
//! the configuration or from systemd, is the affair of [`Sockets`].

mod conversation;
mod sockets;
mod stream;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;
use tokio_rustls::TlsAcceptor;

use conversation::Version;
pub use sockets::{Inherited, Sockets, bind};

use super::https;
use super::metrics::meters;
use stream::Stream;

const FIRST_BYTE: Duration = Duration::from_secs(5);
const HANDSHAKE: Duration = Duration::from_secs(5);
const DRAIN: Duration = Duration::from_secs(20);

/// A socket, what is spoken there, and who answers.
pub struct Door {
    socket: TcpListener,
    tls: Option<TlsAcceptor>,
    router: Router,
}

impl Door {
    /// Plain HTTP.
    pub fn plain(socket: TcpListener, router: Router) -> Self {
        Self { socket, tls: None, router }
    }

    /// HTTPS.
    pub fn tls(socket: TcpListener, acceptor: TlsAcceptor, router: Router) -> Self {
        Self { socket, tls: Some(acceptor), router }
    }
}

/// Serves until `stop` turns true, then lets running requests finish for at most 20 s.
pub async fn serve(doors: Vec<Door>, most_connections: usize, stop: watch::Receiver<bool>) {
    let permits = Arc::new(Semaphore::new(most_connections));
    let accepting: JoinSet<()> =
        doors.into_iter().map(|door| accept(door, permits.clone(), most_connections, stop.clone())).collect();
    accepting.join_all().await;
    // Every connection holds a permit until its end.
    let all = u32::try_from(most_connections).unwrap_or(u32::MAX);
    if tokio::time::timeout(DRAIN, permits.acquire_many(all)).await.is_err() {
        tracing::warn!("some requests did not finish within {} s", DRAIN.as_secs());
    }
}

async fn accept(door: Door, permits: Arc<Semaphore>, most: usize, mut stop: watch::Receiver<bool>) {
    loop {
        let (stream, peer) = tokio::select! {
            () = told_to_stop(&mut stop) => return,
            accepted = door.socket.accept() => match accepted {
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
            tracing::warn!("refused a connection: {most} are open");
            meters::REFUSED_CONNECTIONS.add(1);
            continue;
        };
        let (router, tls, stop) = (door.router.clone(), door.tls.clone(), stop.clone());
        let open = meters::CONNECTIONS.hold();
        tokio::spawn(async move {
            receive(stream, peer, tls, router, stop).await;
            drop((permit, open));
        });
    }
}

/// Returns once `stop` is true, or nobody is left to say so.
pub async fn told_to_stop(stop: &mut watch::Receiver<bool>) {
    let _ = stop.wait_for(|stop| *stop).await;
}

async fn receive(
    stream: TcpStream,
    peer: SocketAddr,
    tls: Option<TlsAcceptor>,
    router: Router,
    stop: watch::Receiver<bool>,
) {
    let _ = stream.set_nodelay(true);
    let Some(tls) = tls else {
        if matches!(tokio::time::timeout(FIRST_BYTE, stream.readable()).await, Ok(Ok(()))) {
            conversation::hold(Stream::Plain(stream), Version::Http1, peer, router, stop).await;
        }
        return;
    };
    let Ok(Ok(stream)) = tokio::time::timeout(HANDSHAKE, tls.accept(stream)).await else { return };
    let version = match stream.get_ref().1.alpn_protocol() {
        // The handshake was the whole conversation.
        Some(protocol) if protocol == https::CHALLENGE_PROTOCOL => return,
        Some(b"h2") => Version::Http2,
        _ => Version::Http1,
    };
    conversation::hold(Stream::Tls(Box::new(stream)), version, peer, router, stop).await;
}
