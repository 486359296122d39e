//! What this machine can do at best: bare HTTP answers, disk syncs, password hashes.

use std::convert::Infallible;
use std::io::Write;
use std::path::Path;
use std::pin::Pin;
use std::task::{Context as TaskContext, Poll};
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow};
use argon2::{Algorithm, Argon2, Block, Params, Version};
use bytes::Bytes;
use hyper::body::{Body, Frame, Incoming, SizeHint};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use tokio::net::TcpListener;

use crate::client::Outcome;

/// Makes this program the floor's server, in a process of its own like the subject's.
pub const ARGUMENT: &str = "--floor";

/// The largest answer that the floor can give.
const MAX: usize = 1 << 20;
/// A record of the disk floor: about what the smallest write of the server needs.
const RECORD: [u8; 128] = [b'x'; 128];

/// A body that is one piece of bytes.
struct Whole(Option<Bytes>);

impl Body for Whole {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut TaskContext<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Poll::Ready(self.0.take().map(|bytes| Ok(Frame::data(bytes))))
    }

    fn is_end_stream(&self) -> bool {
        self.0.is_none()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.0.as_ref().map_or(0, Bytes::len) as u64)
    }
}

/// Answers `GET /N` with N bytes, until it is killed.
pub async fn serve() -> anyhow::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    eprintln!("floor on http://{}", listener.local_addr()?);
    let bytes = Bytes::from(vec![b'x'; MAX]);
    loop {
        let (stream, _) = listener.accept().await?;
        stream.set_nodelay(true)?;
        let bytes = bytes.clone();
        tokio::spawn(async move {
            let answer = service_fn(move |request: Request<Incoming>| {
                let size = request.uri().path()[1..].parse().unwrap_or(0).min(MAX);
                let body = Whole((size > 0).then(|| bytes.slice(..size)));
                std::future::ready(Ok::<_, Infallible>(Response::new(body)))
            });
            // A connection that breaks is the other side's end of the measurement.
            let _ = http1::Builder::new().serve_connection(TokioIo::new(stream), answer).await;
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
