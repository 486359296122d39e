//! What strangers can hold up with connections: by saying little, reading nothing, and being many.
//!
//! Every address of 127.0.0.0/8 is this machine, so a test has as many clients as it wants.

use std::convert::Infallible;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::http::{Request, StatusCode};
use axum::response::IntoResponse;
use axum::routing::{get, post};
use hyper::body::{Body as _, Frame};
use hyper::client::conn::http2;
use hyper_util::rt::{TokioExecutor, TokioIo};
use schoolhouse::testing::{
    Json,
    listener::{self, ConnectionLimits, Listener, Timeouts, TooSlow},
};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::{mpsc, watch};
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, pem::PemObject};
use tokio_rustls::rustls::{ClientConfig, RootCertStore, ServerConfig};
use tokio_rustls::{TlsAcceptor, TlsConnector};

use crate::operations::https::Files;
use crate::support::pebble::DOMAIN;
use crate::support::{School, TIMEOUT};

const ATTACKER: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 2);
const OTHER: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 3);
const HEALTH: &str = "GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n";

async fn connect(from: Ipv4Addr, to: SocketAddr) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind(SocketAddr::from((from, 0))).unwrap();
    socket.connect(to).await.unwrap()
}

async fn say(from: Ipv4Addr, to: SocketAddr, words: &str) -> TcpStream {
    let mut stream = connect(from, to).await;
    stream.write_all(words.as_bytes()).await.unwrap();
    stream
}

/// Everything until the connection ends, which it has to.
async fn rest(mut stream: impl AsyncReadExt + Unpin) -> String {
    let mut answer = Vec::new();
    let ended = tokio::time::timeout(TIMEOUT, stream.read_to_end(&mut answer)).await;
    ended.expect("the connection stays open").unwrap_or(0);
    String::from_utf8_lossy(&answer).into_owned()
}

/// The beginning of an answer on a connection that stays open.
async fn beginning(stream: &mut (impl AsyncReadExt + Unpin)) -> String {
    let mut answer = [0; 12];
    let read = tokio::time::timeout(TIMEOUT, stream.read_exact(&mut answer)).await;
    read.expect("nothing is answered").unwrap();
    String::from_utf8_lossy(&answer).into_owned()
}

fn address(school: &School) -> SocketAddr {
    school.url("").replace("http://", "").parse().unwrap()
}

/// Times that a test can wait for, and that a busy machine keeps.
fn short() -> Timeouts {
    Timeouts {
        handshake: Duration::from_secs(1),
        first_byte: Duration::from_secs(1),
        header: Duration::from_secs(2),
        idle: Duration::from_secs(3),
        body: Duration::from_secs(2),
        window: Duration::from_secs(2),
        bytes_per_second: 20_000,
        tick: Duration::from_millis(50),
        ..Timeouts::default()
    }
}

/// A listener of its own, in front of a few plain answers.
struct Server {
    address: SocketAddr,
    /// Says how every large answer ended: how many bytes of it had been handed on.
    ended: mpsc::UnboundedReceiver<usize>,
    _stop: watch::Sender<bool>,
}

const LARGE: usize = 8 * 1024 * 1024;

/// A large response that reports how much was sent when it is dropped.
struct Large {
    sent: usize,
    ended: mpsc::UnboundedSender<usize>,
}

impl Drop for Large {
    fn drop(&mut self) {
        let _ = self.ended.send(self.sent);
    }
}

impl hyper::body::Body for Large {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: std::pin::Pin<&mut Self>,
        _: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        if self.is_end_stream() {
            return std::task::Poll::Ready(None);
        }
        let piece = Bytes::from(vec![b'x'; 64 * 1024]);
        self.sent += piece.len();
        std::task::Poll::Ready(Some(Ok(Frame::data(piece))))
    }

    fn is_end_stream(&self) -> bool {
        self.sent >= LARGE
    }
}

impl Server {
    async fn open(capacity: ConnectionLimits, files: Option<&Files>) -> Self {
        let socket = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = socket.local_addr().unwrap();
        let (sender, ended) = mpsc::unbounded_channel();
        let large = move || {
            let ended = sender.clone();
            async move { Body::new(Large { sent: 0, ended }) }
        };
        // It has begun, and takes its time.
        let begun = large.clone();
        let thought = async move || {
            drop(begun().await);
            std::future::pending::<()>().await;
        };
        let upload = async |body: Body| match axum::body::to_bytes(body, usize::MAX).await {
            Ok(bytes) => bytes.len().to_string().into_response(),
            Err(error) if TooSlow::is_cause_of(&error) => StatusCode::REQUEST_TIMEOUT.into_response(),
            Err(_) => StatusCode::BAD_REQUEST.into_response(),
        };
        let router = Router::new()
            .route("/healthz", get(async || "ok"))
            .route("/large", get(large))
            .route("/thought", get(thought))
            .route("/upload", post(upload))
            .route("/json", post(async |Json(body): Json<serde_json::Value>| body.to_string()));
        let listener = match files {
            None => Listener::plain(socket, router),
            Some(files) => Listener::tls(socket, acceptor(files), router),
        };
        let (stop, stopped) = watch::channel(false);
        tokio::spawn(listener::serve(vec![listener], capacity, stopped));
        Self { address, ended, _stop: stop }
    }

    async fn with(timeouts: Timeouts) -> Self {
        Self::open(capacity(timeouts), None).await
    }

    /// How much of a large answer had been handed on when it was given up.
    async fn gave_up(&mut self) -> usize {
        let ended = tokio::time::timeout(TIMEOUT, self.ended.recv()).await;
        ended.expect("the answer is held for ever").unwrap()
    }
}

fn capacity(timeouts: Timeouts) -> ConnectionLimits {
    ConnectionLimits { connections: 64, per_client: 16, trusted_proxies: Vec::new(), timeouts }
}

fn acceptor(files: &Files) -> TlsAcceptor {
    let chain = vec![CertificateDer::from_pem_file(files.certificate()).unwrap()];
    let key = PrivateKeyDer::from_pem_file(files.key()).unwrap();
    let mut config = ServerConfig::builder().with_no_client_auth().with_single_cert(chain, key).unwrap();
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    TlsAcceptor::from(Arc::new(config))
}

async fn shake_hands(
    files: &Files,
    from: Ipv4Addr,
    to: SocketAddr,
    protocol: &[u8],
) -> tokio_rustls::client::TlsStream<TcpStream> {
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_file(files.certificate()).unwrap()).unwrap();
    let mut config = ClientConfig::builder().with_root_certificates(roots).with_no_client_auth();
    config.alpn_protocols = vec![protocol.to_vec()];
    let name = ServerName::try_from(DOMAIN).unwrap();
    TlsConnector::from(Arc::new(config)).connect(name, connect(from, to).await).await.unwrap()
}

/// What one address does with each of its connections.
const KINDS: [&str; 4] = [
    "",
    "GET / HTTP/1.1\r\nhost: x\r\nx-slow: ",
    "POST /api/contact HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 900\r\n\r\n{",
    "POST /api/students/documents HTTP/1.1\r\nhost: x\r\ncontent-type: multipart/form-data; boundary=x\r\n\
     content-length: 9000000\r\n\r\n--x",
];

#[tokio::test]
async fn one_address_with_hundreds_of_slow_connections_delays_no_other() {
    let school = School::open_with(|config| {
        config.server.max_connections = 96;
        config.server.max_connections_per_client = 24;
    })
    .await;
    let address = address(&school);
    for kind in KINDS {
        let mut held = Vec::new();
        for _ in 0..200 {
            held.push(say(ATTACKER, address, kind).await);
        }
        for _ in 0..10 {
            let mut stream = say(OTHER, address, HEALTH).await;
            assert_eq!(beginning(&mut stream).await, "HTTP/1.1 200", "{kind}");
        }
        drop(held);
    }
}

#[tokio::test]
async fn many_addresses_with_slow_connections_fill_the_server_and_delay_no_other() {
    let school = School::open_with(|config| {
        config.server.max_connections = 96;
        config.server.max_connections_per_client = 24;
    })
    .await;
    let address = address(&school);
    let mut held = Vec::new();
    for number in 0..400_u16 {
        let from = Ipv4Addr::new(127, 0, 1, (number % 10) as u8 + 1);
        held.push(say(from, address, KINDS[usize::from(number) % KINDS.len()]).await);
    }
    for _ in 0..10 {
        let mut stream = say(OTHER, address, HEALTH).await;
        assert_eq!(beginning(&mut stream).await, "HTTP/1.1 200");
    }
    drop(held);
}

#[tokio::test]
async fn unread_responses_make_room_for_others() {
    let mut server = Server::with(Timeouts::default()).await;
    let mut held = Vec::new();
    for number in 0..64 {
        let from = Ipv4Addr::new(127, 0, 1, number / 16 + 1);
        let mut stream = say(from, server.address, "GET /large HTTP/1.1\r\nhost: x\r\n\r\n").await;
        assert_eq!(beginning(&mut stream).await, "HTTP/1.1 200");
        held.push(stream);
    }
    for _ in 0..10 {
        let mut stream = say(OTHER, server.address, HEALTH).await;
        assert_eq!(beginning(&mut stream).await, "HTTP/1.1 200");
        held.push(stream);
    }
    assert!(server.gave_up().await < LARGE);
}

#[tokio::test]
async fn silence_and_half_a_header_end_in_time() {
    let server = Server::with(short()).await;
    let silent = connect(ATTACKER, server.address).await;
    let half = say(ATTACKER, server.address, "GET / HTTP/1.1\r\nhost: x\r\n").await;
    let mut dripping = say(ATTACKER, server.address, "GET / HTTP/1.1\r\nhost: x\r\nx-slow: ").await;
    let drip = async {
        while dripping.write_all(b"x").await.is_ok() {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    let (silent, half, drip) = tokio::join!(rest(silent), rest(half), tokio::time::timeout(TIMEOUT, drip));
    assert!(silent.is_empty() && half.is_empty());
    drip.expect("the connection stays open");
}

#[tokio::test]
async fn a_body_that_drips_is_answered_in_words() {
    let server = Server::with(short()).await;
    for (path, kind, status) in
        [("/json", "application/json", "408 Request Timeout"), ("/upload", "multipart/form-data", "408")]
    {
        let head = format!(
            "POST {path} HTTP/1.1\r\nhost: x\r\ncontent-type: {kind}\r\ncontent-length: 9000\r\n\r\n{{"
        );
        let stream = say(ATTACKER, server.address, &head).await;
        let (reading, mut writing) = stream.into_split();
        let drip = tokio::spawn(async move {
            while writing.write_all(b" ").await.is_ok() {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        });
        let answer = rest(reading).await;
        drip.abort();
        assert!(answer.starts_with(&format!("HTTP/1.1 {status}")), "{answer}");
        if path == "/json" {
            assert!(answer.contains("Your request took too long to arrive."), "{answer}");
        }
    }
}

#[tokio::test]
async fn a_slow_upload_that_keeps_the_pace_may_last() {
    let server = Server::with(short()).await;
    let length = 60 * 4096;
    let head = format!(
        "POST /upload HTTP/1.1\r\nhost: x\r\ncontent-type: multipart/form-data\r\ncontent-length: {length}\r\n\r\n"
    );
    let mut stream = say(OTHER, server.address, &head).await;
    for _ in 0..60 {
        stream.write_all(&[b'x'; 4096]).await.unwrap();
        tokio::time::sleep(Duration::from_millis(75)).await;
    }
    assert_eq!(beginning(&mut stream).await, "HTTP/1.1 200");
}

#[tokio::test]
async fn an_unread_response_is_given_up() {
    let mut server = Server::with(short()).await;
    let mut stream = say(ATTACKER, server.address, "GET /large HTTP/1.1\r\nhost: x\r\n\r\n").await;
    beginning(&mut stream).await;
    let handed_on = server.gave_up().await;
    assert!(handed_on < LARGE / 2, "{handed_on}");
}

#[tokio::test]
async fn an_answer_that_is_read_slowly_arrives_whole() {
    let server = Server::with(Timeouts { bytes_per_second: 50_000, ..short() }).await;
    let ask = "GET /large HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";
    let mut stream = say(OTHER, server.address, ask).await;
    let (mut read, mut buffer) = (0, vec![0; 256 * 1024]);
    loop {
        match stream.read(&mut buffer).await.unwrap() {
            0 => break,
            some => read += some,
        }
        // Longer in all than anything else is allowed to take.
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert!(read > LARGE, "{read}");
}

#[tokio::test]
async fn an_answer_over_http2_that_the_client_makes_no_room_for_is_given_up() {
    let files = Files::write();
    let mut server = Server::open(capacity(short()), Some(&files)).await;
    let stream = shake_hands(&files, ATTACKER, server.address, b"h2").await;
    let (mut sender, connection) =
        http2::handshake(TokioExecutor::new(), TokioIo::new(stream)).await.unwrap();
    // It answers pings and reads what comes; only its window is never opened again.
    tokio::spawn(connection);
    let request = Request::get("https://school.example/large").body(Body::empty()).unwrap();
    let answer = sender.send_request(request).await.unwrap();
    assert_eq!(answer.status(), StatusCode::OK);
    assert!(server.gave_up().await < LARGE);
    drop(answer);
}

#[tokio::test]
async fn an_answer_over_http2_that_is_read_slowly_arrives_whole() {
    let files = Files::write();
    let server = Server::open(capacity(short()), Some(&files)).await;
    let stream = shake_hands(&files, OTHER, server.address, b"h2").await;
    let (mut sender, connection) =
        http2::handshake(TokioExecutor::new(), TokioIo::new(stream)).await.unwrap();
    tokio::spawn(connection);
    let request = Request::get("https://school.example/large").body(Body::empty()).unwrap();
    let mut body = std::pin::pin!(sender.send_request(request).await.unwrap().into_body());
    let mut read = 0;
    while let Some(frame) = std::future::poll_fn(|context| body.as_mut().poll_frame(context)).await {
        read += frame.unwrap().data_ref().map_or(0, Bytes::len);
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    assert_eq!(read, LARGE);
}

#[tokio::test]
async fn refused_connections_get_an_answer_and_others_are_served() {
    let files = Files::write();
    for files in [None, Some(&files)] {
        let mut server = Server::open(capacity(Timeouts::default()), files).await;
        let to = server.address;
        let ask = |from, path: &'static str| async move {
            let words = format!("GET {path} HTTP/1.1\r\nhost: x\r\n\r\n");
            match files {
                None => Box::new(say(from, to, &words).await) as Box<dyn ReadWrite>,
                Some(files) => {
                    let mut stream = shake_hands(files, from, to, b"http/1.1").await;
                    stream.write_all(words.as_bytes()).await.unwrap();
                    Box::new(stream)
                }
            }
        };
        // Sixteen that are waiting for the server.
        let mut held = Vec::new();
        for _ in 0..16 {
            held.push(ask(ATTACKER, "/thought").await);
            server.gave_up().await;
        }
        let answer = rest(ask(ATTACKER, "/healthz").await).await;
        assert!(answer.starts_with("HTTP/1.1 429 "), "{answer}");
        assert!(answer.contains("retry-after: 5"), "{answer}");
        assert!(answer.contains("Too many connections from your network are in use."), "{answer}");
        assert_eq!(beginning(&mut ask(OTHER, "/healthz").await).await, "HTTP/1.1 200");
        drop(held);
    }
}

trait ReadWrite: tokio::io::AsyncRead + tokio::io::AsyncWrite + Send + Unpin {}
impl<T: tokio::io::AsyncRead + tokio::io::AsyncWrite + Send + Unpin> ReadWrite for T {}

#[tokio::test]
async fn a_trusted_proxy_has_as_many_connections_as_it_wants() {
    let school = School::open_with(|config| {
        config.server.max_connections = 64;
        config.server.max_connections_per_client = 2;
        config.server.trusted_proxies = vec!["127.0.0.2/32".parse().unwrap()];
    })
    .await;
    let mut held = Vec::new();
    for _ in 0..32 {
        held.push(say(ATTACKER, address(&school), HEALTH).await);
    }
    for stream in &mut held {
        assert_eq!(beginning(stream).await, "HTTP/1.1 200");
        stream.write_all(HEALTH.as_bytes()).await.unwrap();
    }
}

#[tokio::test]
async fn a_request_names_exactly_one_host() {
    let school = School::open().await;
    for (head, status, words) in [
        ("GET /healthz HTTP/1.1\r\n", "400 Bad Request", "The request names no host."),
        ("GET /healthz HTTP/1.1\r\nhost: a\r\nhost: a\r\n", "400 Bad Request", "more than one host"),
        ("GET /healthz HTTP/1.1\r\nhost: a\r\nHost: b\r\n", "400 Bad Request", "more than one host"),
        ("GET http://a/healthz HTTP/1.1\r\nhost: b\r\n", "400 Bad Request", "more than one host"),
        ("GET /healthz HTTP/1.1\r\nhost: a/b\r\n", "400 Bad Request", "no name and no address"),
        ("GET /healthz HTTP/1.1\r\nhost: a\r\nconnection: close\r\n", "200 OK", "ok"),
        ("GET http://a/healthz HTTP/1.1\r\nhost: a\r\nconnection: close\r\n", "200 OK", "ok"),
        // Health checks of old load balancers.
        ("GET /healthz HTTP/1.0\r\n", "200 OK", "ok"),
        ("GET /healthz HTTP/1.0\r\nhost: a\r\nhost: b\r\n", "400 Bad Request", "more than one host"),
    ] {
        let answer = rest(say(OTHER, address(&school), &format!("{head}\r\n")).await).await;
        let version = if head.contains("HTTP/1.0") { "HTTP/1.0" } else { "HTTP/1.1" };
        assert!(answer.starts_with(&format!("{version} {status}")), "{head}: {answer}");
        assert!(answer.contains(words), "{head}: {answer}");
    }
}

#[tokio::test]
async fn a_request_over_http2_names_exactly_one_host() {
    let files = Files::write();
    let server = Server::open(capacity(Timeouts::default()), Some(&files)).await;
    for (host, status) in [
        (None, StatusCode::OK),
        (Some(DOMAIN), StatusCode::OK),
        (Some("other.example"), StatusCode::BAD_REQUEST),
    ] {
        let stream = shake_hands(&files, OTHER, server.address, b"h2").await;
        let (mut sender, connection) =
            http2::handshake(TokioExecutor::new(), TokioIo::new(stream)).await.unwrap();
        tokio::spawn(connection);
        let mut request = Request::get(format!("https://{DOMAIN}/healthz"));
        if let Some(host) = host {
            request = request.header("host", host);
        }
        let answer = sender.send_request(request.body(Body::empty()).unwrap()).await.unwrap();
        assert_eq!(answer.status(), status, "{host:?}");
    }
}
