//! The same work of every contender, in turns: what it costs each, and how long each lets its callers wait.

use std::net::TcpListener;
use std::path::Path;
use std::time::Duration;

use anyhow::Context;
use schoolhouse::testing::Clock;

use crate::client::{Connection, Load, Outcome, Requests, request_of};
use crate::contender::{Contender, Interface};
use crate::floor::statements;
use crate::growth;
use crate::school::{Process, School};

/// Connections that ask again as soon as they are answered.
pub const LEVELS: [usize; 3] = [1, 16, 64];
/// The places of the contenders; behind them stand the peers.
pub const BARE: usize = 0;
const STATEMENTS: usize = 1;
/// The server on a school of 5,000 students.
pub const SERVER: usize = 2;
/// The server on ten times as many.
const LARGE: usize = 3;
/// The level whose processor time is compared: a busy server, not one that is swamped.
pub const COMPARED: usize = 16;
/// Each is measured so many times, in turns with the others; the median counts.
const ROUNDS: usize = 3;
const WARM_UP: Duration = Duration::from_millis(150);
const TIME: Duration = Duration::from_millis(700);
const STEADY_TIME: Duration = Duration::from_secs(4);

/// One kind of work.
pub struct Work {
    /// What the tables call it.
    pub name: &'static str,
    /// What contenders call it.
    operation: &'static str,
    headers: &'static [(&'static str, &'static str)],
    /// At most so many times what a bare answer costs.
    pub must: f64,
    /// Requests a second, when it comes at an even pace.
    pub rate: u32,
    /// Whether it is more than bytes that lie ready: otherwise the statements' floor is the bare answer.
    has_statements: bool,
}

/// The kinds of work, in an order in which none makes the next one larger: what is added comes last.
pub const WORK: [Work; 10] = [
    Work::new("course list, plain", "courses", &[], 1.5, 1000, false),
    Work::new("course list, compressed", "courses", &[("accept-encoding", "br, gzip")], 1.6, 1000, false),
    Work::new("home page", "home", &[("accept-encoding", "br, gzip")], 1.6, 1000, false),
    Work::new("own enrollments, signed in", "own", &[], 5.5, 500, true),
    Work::new("pending page of 25 rows", "pending", &[], 8.0, 200, true),
    Work::new("balances of 5,000 students, a page", "balances", &[], 8.0, 200, true),
    Work::new("contact message, durable", "contact", &[], 10.0, 100, true),
    Work::new("request for a course, durable", "enroll", &[], 9.0, 100, true),
    Work::new("record a payment, durable", "payment", &[], 9.0, 100, true),
    Work::new("upload of 2 MiB", "upload", &[], 2.0, 10, true),
];

impl Work {
    const fn new(
        name: &'static str,
        operation: &'static str,
        headers: &'static [(&'static str, &'static str)],
        must: f64,
        rate: u32,
        has_statements: bool,
    ) -> Self {
        Self { name, operation, headers, must, rate, has_statements }
    }
}

/// What one contender did with one kind of work.
#[derive(Default)]
pub struct Cells {
    /// By [`LEVELS`]; the median of the rounds.
    pub levels: Vec<Outcome>,
    /// At an even pace.
    pub steady: Option<Outcome>,
}

/// What was measured.
pub struct Measured {
    /// The contenders, in the order of the columns.
    pub names: Vec<&'static str>,
    /// By kind of work, then by contender; none where a contender has no part in it.
    pub cells: Vec<Vec<Option<Cells>>>,
    /// Memory after all of it (VmRSS, MiB), by contender.
    pub memory: Vec<f64>,
}

impl Measured {
    /// The most that the server did of something.
    pub fn most_per_second(&self, operation: &str) -> Option<f64> {
        let place = WORK.iter().position(|work| work.operation == operation)?;
        let levels = &self.cells[place][SERVER].as_ref()?.levels;
        levels.iter().map(|outcome| outcome.per_second).reduce(f64::max)
    }
}

/// All contenders, each with its own data: axum bare, axum with the same statements, the server on a school of 5,000
/// students and on one of ten times as many, Express and `PocketBase`. Emails wait in the queue of each: the server's
/// mail server is one that accepts a connection and never says a word.
pub async fn contenders(
    binary: &Path,
    folder: &Path,
    peers: Option<&Path>,
    silent: &TcpListener,
) -> anyhow::Result<Vec<Contender>> {
    let mail = [
        ("SCHOOLHOUSE_MAIL_SMTP_HOST", "127.0.0.1".to_owned()),
        ("SCHOOLHOUSE_MAIL_SMTP_PORT", silent.local_addr()?.port().to_string()),
        ("SCHOOLHOUSE_MAIL_SECURITY", "none".to_owned()),
    ];
    let mut all = Vec::new();
    let (school, interface) = school(binary, &folder.join("times-1"), 1).await?;
    let copy = folder.join("statements");
    std::fs::create_dir_all(&copy)?;
    std::fs::copy(school.folder().join("schoolhouse.db"), copy.join("schoolhouse.db"))?;
    let students = (interface.students.iter().zip(1_000_001..)).map(|(_, id)| statements::student(id));
    let bare = Interface { students: students.collect(), ..interface.clone() };
    let with_statements = Interface { operations: statements::operations(&bare.operations), ..bare.clone() };
    all.push(Contender::new("bare axum", Process::floor(None)?, bare));
    all.push(Contender::new("axum + SQL", Process::floor(Some(&copy))?, with_statements));
    all.push(Contender::new("schoolhouse", school.serve_with(&mail)?, interface));
    let (large, interface) = self::school(binary, &folder.join("times-10"), 10).await?;
    all.push(Contender::new("10 × data", large.serve_with(&mail)?, interface));
    if let Some(peers) = peers {
        for (name, kind) in [("Express", "express"), ("PocketBase", "pocketbase")] {
            let data = folder.join(kind);
            std::fs::create_dir_all(&data)?;
            all.push(Contender::peer(name, &peers.join(kind).join("run"), &data)?);
        }
    }
    for contender in &all[SERVER..=LARGE] {
        growth::until_settled(&contender.process).await?;
    }
    Ok(all)
}

async fn school(binary: &Path, folder: &Path, times: u32) -> anyhow::Result<(School, Interface)> {
    let school = School::prepare(binary, folder).await?;
    growth::fill(folder, times)?;
    let interface = school.interface(&Clock::System)?;
    rustix::fs::sync();
    Ok((school, interface))
}

/// Measures all of it.
pub async fn measure(contenders: &[Contender]) -> anyhow::Result<Measured> {
    let mut cells = Vec::new();
    for work in &WORK {
        eprintln!("measuring: {}", work.name);
        cells.push(measure_work(work, contenders).await.with_context(|| work.name)?);
    }
    let memory = contenders.iter().map(|contender| contender.process.memory_mib());
    Ok(Measured {
        names: contenders.iter().map(|contender| contender.name).collect(),
        cells,
        memory: memory.collect::<anyhow::Result<_>>()?,
    })
}

async fn measure_work(work: &Work, contenders: &[Contender]) -> anyhow::Result<Vec<Option<Cells>>> {
    let mut loads = Vec::new();
    for (place, contender) in contenders.iter().enumerate() {
        loads.push(match place {
            BARE => Some(bare(work, contender, &contenders[SERVER]).await?),
            STATEMENTS if !work.has_statements => None,
            // The peers have no money.
            _ if !contender.interface.operations.contains_key(work.operation) => None,
            _ => {
                let (requests, status) = contender.requests(work.operation, work.headers)?;
                let load = Load::new(contender.process.address, Vec::new(), COMPARED);
                Some(Load { requests, status, ..load })
            }
        });
    }
    let mut all: Vec<Option<Cells>> =
        loads.iter().map(|load| load.as_ref().map(|_| Cells::default())).collect();
    for connections in LEVELS {
        let mut rounds: Vec<Vec<Outcome>> = loads.iter().map(|_| Vec::new()).collect();
        for _ in 0..ROUNDS {
            for ((load, contender), outcomes) in loads.iter().zip(contenders).zip(&mut rounds) {
                let Some(load) = load else { continue };
                let load = Load { connections, ..load.clone() };
                let outcome = load.run_on(&contender.process, WARM_UP, TIME).await;
                outcomes.push(outcome.with_context(|| contender.name)?);
            }
        }
        for (cells, outcomes) in all.iter_mut().zip(rounds) {
            if let (Some(cells), Some(median)) = (cells, median(outcomes)) {
                cells.levels.push(median);
            }
        }
    }
    for ((cells, load), contender) in all.iter_mut().zip(&loads).zip(contenders) {
        if let (Some(cells), Some(load)) = (cells, load) {
            let load = Load { per_hour: Some(work.rate * 3600), ..load.clone() };
            cells.steady = Some(load.run_on(&contender.process, WARM_UP, STEADY_TIME).await?);
        }
    }
    Ok(all)
}

/// As many bytes there and back as the server takes and answers.
async fn bare(work: &Work, bare: &Contender, subject: &Contender) -> anyhow::Result<Load> {
    let (requests, _) = subject.requests(work.operation, work.headers)?;
    let request = requests.next().context("no request")?;
    let mut connection = Connection::open(subject.process.address).await?;
    connection.exchange(&request).await?;
    let answer = connection.body().len();
    let head = request.windows(4).position(|four| four == b"\r\n\r\n").context("no head")? + 4;
    let body = request.len() - head;
    let method = if body > 0 { "POST" } else { "GET" };
    let body = (body > 0).then(|| ("application/octet-stream", vec![b'x'; body]));
    let request = request_of(&format!("{method} /bytes/{answer}"), &[], body);
    let load = Load::new(bare.process.address, Vec::new(), COMPARED);
    Ok(Load { requests: Requests::Same(request.into()), ..load })
}

/// The outcome in the middle, by what it cost.
fn median(mut outcomes: Vec<Outcome>) -> Option<Outcome> {
    outcomes.sort_by_key(|outcome| outcome.cpu);
    let middle = outcomes.len() / 2;
    outcomes.into_iter().nth(middle)
}
