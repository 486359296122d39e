//! The load: connections that repeat one request over HTTP/1.1 and plain TCP.
//!
//! It reads answers that carry a `content-length`, come in chunks, or have no body at all, and nothing else:
//! the less it does itself, the more of the machine is left for what is measured.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::{Context, ensure};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::{Instant, sleep, sleep_until, timeout_at};

use crate::school::Process;

/// A server may close a connection on which nothing was asked for so long.
const KEPT: Duration = Duration::from_secs(2);

/// Where an answer ends.
enum Length {
    Bytes(usize),
    Chunks,
}

/// A connection, and the last answer that came over it.
pub struct Connection {
    stream: TcpStream,
    received: Vec<u8>,
    head_bytes: usize,
}

impl Connection {
    /// Connects.
    pub async fn open(address: SocketAddr) -> anyhow::Result<Self> {
        let stream = TcpStream::connect(address).await.context("connecting")?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, received: Vec::with_capacity(256 * 1024), head_bytes: 0 })
    }

    /// The same from an address of this machine's: all of 127.0.0.0/8 is, on Linux.
    pub async fn open_from(from: Ipv4Addr, to: SocketAddr) -> anyhow::Result<Self> {
        let socket = TcpSocket::new_v4()?;
        socket.bind(SocketAddr::from((from, 0)))?;
        let stream = socket.connect(to).await.context("connecting")?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, received: Vec::new(), head_bytes: 0 })
    }

    /// Sends a request, waits for the whole answer and returns its status.
    pub async fn exchange(&mut self, request: &[u8]) -> anyhow::Result<u16> {
        self.stream.write_all(request).await.context("sending")?;
        self.received.clear();
        self.head_bytes = 0;
        let (mut status, mut length) = (0, Length::Chunks);
        while !self.is_whole(&length) {
            let read = self.stream.read_buf(&mut self.received).await.context("receiving")?;
            ensure!(read > 0, "the server closed the connection");
            if self.head_bytes == 0
                && let Some(end) = self.received.windows(4).position(|four| four == b"\r\n\r\n")
            {
                self.head_bytes = end + 4;
                status = self.head().get(9..12).and_then(|text| text.parse().ok()).context("no status")?;
                length = self.length(status)?;
            }
        }
        Ok(status)
    }

    fn is_whole(&self, length: &Length) -> bool {
        match length {
            _ if self.head_bytes == 0 => false,
            Length::Bytes(bytes) => self.received.len() >= self.head_bytes + bytes,
            // The end of the last line of the head precedes the first chunk.
            Length::Chunks => self.received[self.head_bytes - 2..].ends_with(b"\r\n0\r\n\r\n"),
        }
    }

    fn length(&self, status: u16) -> anyhow::Result<Length> {
        if matches!(status, 204 | 304) {
            return Ok(Length::Bytes(0));
        }
        match self.header("content-length") {
            Some(length) => Ok(Length::Bytes(length.parse().context("content-length")?)),
            None if self.header("transfer-encoding") == Some("chunked") => Ok(Length::Chunks),
            None => anyhow::bail!("the answer has no length"),
        }
    }

    fn head(&self) -> &str {
        std::str::from_utf8(&self.received[..self.head_bytes]).unwrap_or("")
    }

    /// A header of the last answer.
    pub fn header(&self, name: &str) -> Option<&str> {
        let lines = self.head().lines().filter_map(|line| line.split_once(": "));
        lines.into_iter().find(|(found, _)| found.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }

    /// The body of the last answer.
    pub fn body(&self) -> &[u8] {
        &self.received[self.head_bytes..]
    }
}

/// A request as it goes over the wire; `line` is method and path.
pub fn request(line: &str, headers: &[(&str, &str)], body: Option<&serde_json::Value>) -> Vec<u8> {
    let body = body.map(|body| ("application/json", body.to_string().into_bytes()));
    request_of(line, headers, body)
}

/// The same with a body of any type.
pub fn request_of(line: &str, headers: &[(&str, &str)], body: Option<(&str, Vec<u8>)>) -> Vec<u8> {
    let mut head = format!("{line} HTTP/1.1\r\nhost: localhost\r\n");
    for (name, value) in headers {
        head += &format!("{name}: {value}\r\n");
    }
    let (kind, body) = body.unwrap_or_default();
    if !body.is_empty() {
        head += &format!("content-type: {kind}\r\ncontent-length: {}\r\n", body.len());
    }
    [head.as_bytes(), b"\r\n", &body].concat()
}

/// What is asked.
#[derive(Clone)]
pub enum Requests {
    /// The same again and again.
    Same(Arc<[u8]>),
    /// By the number of the request, from 0; none once there are no more.
    Each(Arc<dyn Fn(usize) -> Option<Arc<[u8]>> + Send + Sync>, Arc<AtomicUsize>),
}

impl Requests {
    /// The next request, if there is one more.
    pub fn next(&self) -> Option<Arc<[u8]>> {
        match self {
            Self::Same(request) => Some(request.clone()),
            Self::Each(make, next) => make(next.fetch_add(1, Ordering::Relaxed)),
        }
    }
}

/// Requests, their target, and the number of concurrent clients.
#[derive(Clone)]
pub struct Load {
    /// The server.
    pub address: SocketAddr,
    /// What is asked.
    pub requests: Requests,
    /// How many ask.
    pub connections: usize,
    /// How long each waits after an answer before it asks again.
    pub pause: Duration,
    /// The status that counts; any other is an answer refused.
    pub status: u16,
    /// Requests an hour that are due however long the answers take; an answer's time counts from then. Without
    /// it each connection asks again once it is answered.
    pub per_hour: Option<u32>,
}

/// What came of a load.
#[derive(Clone)]
pub struct Outcome {
    /// Answers with the right status per second.
    pub per_second: f64,
    /// The time that half of the answers took at most.
    pub p50: Duration,
    /// The time that 99 % of the answers took at most.
    pub p99: Duration,
    /// The time that the slowest took.
    pub longest: Duration,
    /// Answers with another status.
    pub refused: usize,
    /// All answers, those of the warm-up among them.
    pub answers: usize,
    /// Processor time of the serving process for each answer.
    pub cpu: Option<Duration>,
}

impl Outcome {
    /// Sums up how long each answer took.
    pub fn new(mut latencies: Vec<Duration>, time: Duration) -> anyhow::Result<Self> {
        ensure!(!latencies.is_empty(), "nothing was answered in {time:?}");
        latencies.sort_unstable();
        let at = |percent: usize| latencies[(latencies.len() - 1) * percent / 100];
        Ok(Self {
            per_second: latencies.len() as f64 / time.as_secs_f64(),
            p50: at(50),
            p99: at(99),
            longest: at(100),
            refused: 0,
            answers: latencies.len(),
            cpu: None,
        })
    }
}

/// What one connection saw.
#[derive(Default)]
struct Seen {
    latencies: Vec<Duration>,
    refused: usize,
    answers: usize,
}

impl Load {
    /// A request that is answered 200, asked without a pause.
    pub fn new(address: SocketAddr, request: Vec<u8>, connections: usize) -> Self {
        Self {
            address,
            requests: Requests::Same(request.into()),
            connections,
            pause: Duration::ZERO,
            status: 200,
            per_hour: None,
        }
    }

    /// Runs it on a process, counting the processor time that it takes.
    pub async fn run_on(
        &self,
        process: &Process,
        warm_up: Duration,
        time: Duration,
    ) -> anyhow::Result<Outcome> {
        let before = process.cpu()?;
        let mut outcome = self.run(warm_up, time).await?;
        let used = process.cpu()?.saturating_sub(before);
        ensure!(outcome.refused == 0, "{} answers had not status {}", outcome.refused, self.status);
        outcome.cpu = Some(used.div_f64(outcome.answers as f64));
        Ok(outcome)
    }

    /// Asks for `warm_up`, then counts for `time`, or until there is nothing more to ask.
    pub async fn run(&self, warm_up: Duration, time: Duration) -> anyhow::Result<Outcome> {
        let start = Instant::now();
        let (begin, end) = (start + warm_up, start + warm_up + time);
        let turns = Arc::<AtomicUsize>::default();
        let workers: Vec<_> = (0..self.connections)
            .map(|_| {
                let (load, turns) = (self.clone(), turns.clone());
                tokio::spawn(async move {
                    let mut seen = Seen::default();
                    // Running out of time is how it is meant to end.
                    timeout_at(end, load.ask((start, begin), &turns, &mut seen)).await.unwrap_or(Ok(()))?;
                    anyhow::Ok(seen)
                })
            })
            .collect();
        let mut all = Seen::default();
        for worker in workers {
            let seen = worker.await.context("a worker panicked")??;
            all.latencies.extend(seen.latencies);
            all.refused += seen.refused;
            all.answers += seen.answers;
        }
        let time = Instant::now().min(end) - begin;
        Ok(Outcome { refused: all.refused, answers: all.answers, ..Outcome::new(all.latencies, time)? })
    }

    async fn ask(
        &self,
        (start, begin): (Instant, Instant),
        turns: &AtomicUsize,
        seen: &mut Seen,
    ) -> anyhow::Result<()> {
        let mut connection = Connection::open(self.address).await?;
        let mut used = Instant::now();
        while let Some(request) = self.requests.next() {
            let due = match self.per_hour {
                Some(per_hour) => {
                    let turn = u32::try_from(turns.fetch_add(1, Ordering::Relaxed))?;
                    let due = start + Duration::from_hours(1).mul_f64(f64::from(turn) / f64::from(per_hour));
                    sleep_until(due).await;
                    due
                }
                None => Instant::now(),
            };
            if used.elapsed() > KEPT {
                connection = Connection::open(self.address).await?;
            }
            let status = connection.exchange(&request).await?;
            let done = Instant::now();
            used = done;
            seen.answers += 1;
            if status != self.status {
                seen.refused += 1;
            } else if done >= begin {
                seen.latencies.push(done - due);
            }
            if !self.pause.is_zero() {
                sleep(self.pause).await;
            }
        }
        Ok(())
    }
}
