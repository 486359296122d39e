//! Network listener with limits on everything that a client can hold up.
//!
//! `axum::serve` has no header timeout, so hyper is driven directly. The `registry` limits connections per client and
//! in total, makes room by closing idle ones, and closes slow ones; [`Timeouts`] defines slow, `activity` measures it.
//! [`Sockets`] come from the configuration or from systemd.

mod activity;
mod body;
mod connection;
mod host;
mod registry;
mod sockets;
mod stream;
mod timeouts;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use socket2::SockRef;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::Instant;
use tokio_rustls::TlsAcceptor;

use activity::Phase;
pub use body::{TooSlow, is_upload};
pub use registry::ConnectionLimits;
use registry::{FullLimit, Registry, Slot};
pub use sockets::{InheritedSockets, Sockets, bind, reachable};
use stream::{CountedSocket, Stream};
pub use timeouts::Timeouts;

use crate::base::meters;
use crate::base::rare_log::RareLog;

/// ALPN protocol of a TLS-ALPN challenge (RFC 8737).
pub const CHALLENGE_PROTOCOL: &[u8] = b"acme-tls/1";
/// Send buffer of the kernel. With the default of some megabytes a slow client could not be distinguished from one that
/// reads nothing, and 1,000 of these would take gigabytes.
const UNSENT: u32 = 32 * 1024;
/// How long the kernel keeps unacknowledged data of a closed connection.
const UNACKNOWLEDGED: Duration = Duration::from_secs(30);
/// Limit of concurrent refusal responses, in total and per client.
const MAX_REFUSALS: usize = 16;
const MAX_REFUSALS_PER_CLIENT: usize = 4;

/// A listening socket, its protocol and its router.
pub struct Listener {
    socket: TcpListener,
    tls: Option<TlsAcceptor>,
    router: Router,
}

impl Listener {
    /// Plain HTTP.
    pub fn plain(socket: TcpListener, router: Router) -> Self {
        Self { socket, tls: None, router }
    }

    /// HTTPS.
    pub fn tls(socket: TcpListener, acceptor: TlsAcceptor, router: Router) -> Self {
        Self { socket, tls: Some(acceptor), router }
    }
}

/// Serves until `stop` turns true, then lets running requests finish for a while.
pub async fn serve(listeners: Vec<Listener>, capacity: ConnectionLimits, stop: watch::Receiver<bool>) {
    let timeouts = capacity.timeouts;
    let refusing = ConnectionLimits {
        connections: MAX_REFUSALS,
        per_client: MAX_REFUSALS_PER_CLIENT,
        ..capacity.clone()
    };
    let shared =
        Arc::new(ListenerState { open: Registry::new(capacity), turned_away: Registry::new(refusing) });
    let accepting: JoinSet<()> =
        listeners.into_iter().map(|listener| accept(listener, shared.clone(), stop.clone())).collect();
    let finish = async {
        accepting.join_all().await;
        shared.open.close_all();
        shared.turned_away.close_all();
        let emptied = async { tokio::join!(shared.open.emptied(), shared.turned_away.emptied()) };
        if tokio::time::timeout(timeouts.drain, emptied).await.is_err() {
            tracing::warn!("some requests did not finish within {} s", timeouts.drain.as_secs());
        }
    };
    tokio::select! {
        () = finish => {}
        () = shared.sweep() => {}
    }
}

/// What the listeners share.
struct ListenerState {
    open: Arc<Registry>,
    /// Connections that are being sent a refusal.
    turned_away: Arc<Registry>,
}

impl ListenerState {
    async fn sweep(&self) {
        let mut ticks = tokio::time::interval(self.open.timeouts().tick);
        loop {
            let now = ticks.tick().await;
            self.open.sweep(now);
            self.turned_away.sweep(now);
        }
    }
}

fn log_refusal(log: &mut RareLog, why: FullLimit, now: Instant) {
    meters::REFUSED_CONNECTIONS.add(1);
    let Some(count) = log.is_due(now) else { return };
    let reason = match why {
        FullLimit::Server => "all that server.max_connections allows are in use",
        FullLimit::Client => "one client has all that server.max_connections_per_client allows",
    };
    tracing::warn!(event = "connection.refused", count, "turned away connections: {reason}");
}

async fn accept(listener: Listener, shared: Arc<ListenerState>, mut stop: watch::Receiver<bool>) {
    if let Err(error) = prepare(&listener.socket) {
        tracing::warn!("the socket keeps its own settings: {error}");
    }
    let mut refused = RareLog::default();
    let mut failures = RareLog::default();
    loop {
        let (stream, peer) = tokio::select! {
            () = shutdown_requested(&mut stop) => return,
            accepted = listener.socket.accept() => match accepted {
                Ok(connection) => connection,
                Err(error) => {
                    // Probably out of file descriptors: wait instead of spinning.
                    let now = Instant::now();
                    if let Some(count) = failures.is_due(now) {
                        tracing::warn!(event = "connection.failed", count, "accepting a connection: {error}");
                    }
                    shared.open.make_room(now);
                    tokio::time::sleep(Duration::from_millis(100)).await;
                    continue;
                }
            },
        };
        let now = Instant::now();
        let (slot, router) = match shared.open.admit(peer.ip(), now) {
            Ok(place) => (place, listener.router.clone()),
            Err(why) => {
                log_refusal(&mut refused, why, now);
                let Ok(slot) = shared.turned_away.admit(peer.ip(), now) else { continue };
                (slot, Router::new().fallback(async move || refusal(why)))
            }
        };
        let tls = listener.tls.clone();
        let timeouts = *shared.open.timeouts();
        let open = meters::CONNECTIONS.hold();
        tokio::spawn(async move {
            receive(stream, peer, tls, router, timeouts, slot).await;
            drop(open);
        });
    }
}

/// Sets the options that connections inherit from the listening socket.
fn prepare(socket: &TcpListener) -> std::io::Result<()> {
    let socket = SockRef::from(socket);
    socket.set_tcp_nodelay(true)?;
    socket.set_tcp_notsent_lowat(UNSENT)?;
    socket.set_tcp_user_timeout(Some(UNACKNOWLEDGED))
}

fn refusal(why: FullLimit) -> Response {
    let (status, words) = match why {
        FullLimit::Server => (
            StatusCode::SERVICE_UNAVAILABLE,
            "The school's website is very busy. Please try again in a moment.\n",
        ),
        FullLimit::Client => (
            StatusCode::TOO_MANY_REQUESTS,
            "Too many connections from your network are in use. Please try again in a moment.\n",
        ),
    };
    (status, [(header::RETRY_AFTER, "5"), (header::CONNECTION, "close")], words).into_response()
}

/// Returns once `stop` is true, or its sender is gone.
pub async fn shutdown_requested(stop: &mut watch::Receiver<bool>) {
    let _ = stop.wait_for(|stop| *stop).await;
}

async fn receive(
    stream: TcpStream,
    peer: SocketAddr,
    tls: Option<TlsAcceptor>,
    router: Router,
    timeouts: Timeouts,
    mut slot: Slot,
) {
    let wire = CountedSocket::new(stream, slot.activity.clone());
    let (stream, phase) = match tls {
        None => (Stream::plain(wire), Phase::Http1),
        Some(tls) => {
            let stream = tokio::select! {
                stream = tls.accept(wire) => stream,
                _ = &mut slot.close => return,
            };
            let Ok(stream) = stream else { return };
            let phase = match stream.get_ref().1.alpn_protocol() {
                // A challenge consists of the handshake only.
                Some(protocol) if protocol == CHALLENGE_PROTOCOL => return,
                Some(b"h2") => Phase::Http2,
                _ => Phase::Http1,
            };
            (Stream::tls(stream), phase)
        }
    };
    connection::serve(stream, phase, peer, router, timeouts, &mut slot).await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn connections_inherit_the_options_of_the_listening_socket() {
        let socket = TcpListener::bind("127.0.0.1:0").await.unwrap();
        prepare(&socket).unwrap();
        let _client = TcpStream::connect(socket.local_addr().unwrap()).await.unwrap();
        let (accepted, _) = socket.accept().await.unwrap();
        let accepted = SockRef::from(&accepted);
        assert!(accepted.tcp_nodelay().unwrap());
        assert_eq!(accepted.tcp_notsent_lowat().unwrap(), UNSENT);
        assert_eq!(accepted.tcp_user_timeout().unwrap(), Some(UNACKNOWLEDGED));
    }
}
