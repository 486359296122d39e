//! What this machine can do at best: bare answers of axum, the same with nothing but SQL, disk syncs, password
//! hashes.

pub mod statements;

use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow};
use argon2::{Algorithm, Argon2, Block, Params, Version};
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{DefaultBodyLimit, Path as PathPart};
use axum::routing::get;
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::net::TcpListener;
use tower::ServiceExt;

use crate::client::Outcome;

/// Makes this program the floor's server, in a process of its own like the subject's.
pub const ARGUMENT: &str = "--floor";

/// The largest answer that the floor can give.
const MAX: usize = 1 << 20;
/// A record of the disk floor: about what the smallest write of the server needs.
const RECORD: [u8; 128] = [b'x'; 128];

/// Answers `/bytes/N` with N bytes, and with a folder the operations on its database, until it is killed.
pub async fn serve(folder: Option<&Path>) -> anyhow::Result<()> {
    let bytes = Bytes::from(vec![b'x'; MAX]);
    let some =
        move |PathPart(size): PathPart<usize>, _: Bytes| std::future::ready(bytes.slice(..size.min(MAX)));
    let mut router = Router::new().route("/bytes/{size}", get(some.clone()).post(some));
    if let Some(folder) = folder {
        router = router.merge(statements::router(folder)?);
    }
    let router = router.layer(DefaultBodyLimit::disable());
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    eprintln!("floor on http://{}", listener.local_addr()?);
    loop {
        let (stream, _) = listener.accept().await?;
        stream.set_nodelay(true)?;
        let router = router.clone();
        tokio::spawn(async move {
            let answer =
                service_fn(move |request: Request<Incoming>| router.clone().oneshot(request.map(Body::new)));
            // A connection that breaks is the other side's end of the measurement.
            let _: Result<(), _> = http1::Builder::new().serve_connection(TokioIo::new(stream), answer).await;
        });
    }
}

/// Appends records to a file, each synced to the disk before the next.
pub fn sync_records(folder: &Path, time: Duration) -> anyhow::Result<Outcome> {
    let mut file = tempfile::tempfile_in(folder).context("making a file for the disk floor")?;
    // What the subject left to be written behind it is not the floor's to pay.
    rustix::fs::syncfs(&file).context("syncing the file system")?;
    repeat(time, || {
        file.write_all(&RECORD)?;
        file.sync_data().context("syncing")
    })
}

/// Hashes a password with the server's parameters, again and again, on one core and in one block.
pub fn hash_passwords(time: Duration) -> anyhow::Result<Outcome> {
    let params = Params::new(19_456, 2, 1, Some(32)).map_err(|error| anyhow!("argon2: {error}"))?;
    let mut memory = vec![Block::default(); params.block_count()];
    let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
    let mut out = [0; 32];
    repeat(time, || {
        argon2
            .hash_password_into_with_memory(b"correct horse", b"sixteen bytes ok", &mut out, &mut memory)
            .map_err(|error| anyhow!("argon2: {error}"))
    })
}

fn repeat(time: Duration, mut work: impl FnMut() -> anyhow::Result<()>) -> anyhow::Result<Outcome> {
    let begin = Instant::now();
    let mut latencies = Vec::new();
    while begin.elapsed() < time {
        let start = Instant::now();
        work()?;
        latencies.push(start.elapsed());
    }
    Outcome::new(latencies, begin.elapsed())
}
