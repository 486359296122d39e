//! HTTP/2 and TLS abuse: slow handshakes, many streams, and streams that are reset.

use std::sync::Arc;

use axum::body::Body;
use axum::http::Request;
use hyper::client::conn::http2;
use hyper_util::rt::{TokioExecutor, TokioIo};
use reqwest::{StatusCode, Version};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::pki_types::{ServerName, pem::PemObject};
use tokio_rustls::rustls::version::{TLS12, TLS13};
use tokio_rustls::rustls::{ClientConfig, DEFAULT_VERSIONS, RootCertStore, SupportedProtocolVersion};

use crate::operations::https::Files;
use crate::support::pebble::DOMAIN;
use crate::support::{School, TIMEOUT};

async fn open(files: &Files) -> School {
    School::open_with(|config| config.https = files.settings()).await
}

async fn connect(files: &Files) -> TcpStream {
    TcpStream::connect(("127.0.0.1", files.port)).await.unwrap()
}

/// A finished handshake for one protocol, and nothing after it.
async fn shake_hands(files: &Files, protocol: &[u8]) -> TlsStream<TcpStream> {
    shake_hands_in(DEFAULT_VERSIONS, files, protocol).await
}

async fn shake_hands_in(
    versions: &[&'static SupportedProtocolVersion],
    files: &Files,
    protocol: &[u8],
) -> TlsStream<TcpStream> {
    let mut roots = RootCertStore::empty();
    let pem = files.certificate();
    roots.add(tokio_rustls::rustls::pki_types::CertificateDer::from_pem_file(pem).unwrap()).unwrap();
    let mut config = ClientConfig::builder_with_protocol_versions(versions)
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = vec![protocol.to_vec()];
    let name = ServerName::try_from(DOMAIN).unwrap();
    let connector = tokio_rustls::TlsConnector::from(Arc::new(config));
    connector.connect(name, connect(files).await).await.unwrap()
}

async fn speak(files: &Files) -> http2::SendRequest<Body> {
    let stream = TokioIo::new(shake_hands(files, b"h2").await);
    let (sender, connection) = http2::handshake(TokioExecutor::new(), stream).await.unwrap();
    tokio::spawn(connection);
    sender
}

async fn ends(mut stream: impl AsyncReadExt + Unpin) {
    let mut answer = Vec::new();
    let ended = tokio::time::timeout(TIMEOUT, stream.read_to_end(&mut answer)).await;
    assert!(ended.is_ok(), "the connection stays open");
}

#[tokio::test]
async fn silence_is_cut_off_before_within_and_after_the_handshake() {
    let files = Files::write();
    let _school = open(&files).await;
    let silent = connect(&files).await;
    let mut halting = connect(&files).await;
    // The head of a record, which promises a greeting of 512 bytes.
    halting.write_all(&[22, 3, 1, 2, 0, 1, 0, 1, 252]).await.unwrap();
    let unprefaced = shake_hands(&files, b"h2").await;
    let mut half_header = shake_hands(&files, b"http/1.1").await;
    half_header.write_all(b"GET / HTTP/1.1\r\nhost: x\r\n").await.unwrap();
    tokio::join!(ends(silent), ends(halting), ends(unprefaced), ends(half_header));
}

#[tokio::test]
async fn both_versions_of_tls_that_are_not_outdated_are_spoken() {
    let files = Files::write();
    let school = open(&files).await;
    for version in [&TLS12, &TLS13] {
        let mut stream = shake_hands_in(&[version], &files, b"http/1.1").await;
        assert_eq!(stream.get_ref().1.protocol_version(), Some(version.version));
        stream.write_all(b"GET /healthz HTTP/1.1\r\nhost: school.example\r\n\r\n").await.unwrap();
        let mut answer = [0; 15];
        stream.read_exact(&mut answer).await.unwrap();
        assert_eq!(&answer, b"HTTP/1.1 200 OK");
    }
    drop(school);
}

#[tokio::test]
async fn a_thousand_requests_share_one_connection() {
    let files = Files::write();
    let school = School::open_with(|config| {
        config.https = files.settings();
        // A second connection would be turned away.
        config.server.max_connections = 1;
    })
    .await;
    let (visitor, url) = (files.visitor(&files.root()), files.url("/healthz"));
    assert_eq!(visitor.get(&url).send().await.unwrap().version(), Version::HTTP_2);
    let mut asking = JoinSet::new();
    for _ in 0..1000 {
        asking.spawn(visitor.get(&url).send());
    }
    while let Some(answer) = asking.join_next().await {
        assert_eq!(answer.unwrap().unwrap().status(), StatusCode::OK);
    }
    drop(school);
}

#[tokio::test]
async fn thousands_of_reset_streams_delay_no_other_client() {
    let files = Files::write();
    let school = open(&files).await;
    let mut sender = speak(&files).await;
    for _ in 0..10_000 {
        if sender.ready().await.is_err() {
            break; // It was hung up on.
        }
        let request = Request::get(files.url("/")).body(Body::empty()).unwrap();
        let asked = sender.send_request(request);
        tokio::task::yield_now().await;
        drop(asked);
    }
    let answer = files.visitor(&files.root()).get(files.url("/healthz")).send();
    let answer = tokio::time::timeout(TIMEOUT, answer).await.expect("no client is held up");
    assert_eq!(answer.unwrap().status(), StatusCode::OK);
    drop(school);
}

#[tokio::test]
async fn a_request_that_runs_at_the_end_is_answered() {
    let files = Files::write();
    let school = open(&files).await;
    let mut sender = speak(&files).await;
    let (mut rest, body) = tokio::io::duplex(1024);
    let request = Request::post(files.url("/api/contact"))
        .header("content-type", "application/json")
        .body(Body::from_stream(tokio_util::io::ReaderStream::new(body)))
        .unwrap();
    rest.write_all(br#"{ "name": "Mei", "email": "mei@mail.example", "#).await.unwrap();
    let answer = tokio::spawn(sender.send_request(request));
    // Once the next request on the same connection is answered, the first one is under way.
    sender.send_request(Request::get(files.url("/healthz")).body(Body::empty()).unwrap()).await.unwrap();
    let reopening = tokio::spawn(school.reopen());
    tokio::time::timeout(TIMEOUT, async {
        // A new connection is refused as soon as the end has begun.
        while TcpStream::connect(("127.0.0.1", files.port)).await.is_ok() {
            tokio::task::yield_now().await;
        }
    })
    .await
    .expect("it goes on accepting");
    rest.write_all(br#""subject": "general", "message": "Is it still there?" }"#).await.unwrap();
    drop(rest);
    let answer = answer.await.unwrap().unwrap();
    assert_eq!(answer.status(), StatusCode::OK);
    let school = reopening.await.unwrap();
    assert_eq!(school.count("select count(*) from contact_messages"), 1);
}
