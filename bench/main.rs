//! Measures the release binary against the floor of this machine, and beside its peers: `make bench`.
//!
//! A speed claim is a ratio to the floor measured in the same run: bare answers of axum with as many bytes, and
//! axum with the same statements. Express and `PocketBase` do the same work in the same run, in turns. What is
//! compared is processor time: the load comes from the same machine, so rates understate the distance.
//! Deliberately absent: any assertion about time. `bench BINARY --write` puts the tables into
//! `docs/performance.md`, `--alone` leaves the peers out. Other measurements: `slow` (visitors beside 2,000 slow
//! connections), `guess` (owners beside a flood of guesses), `growth` (what ten times the data costs) and `day`
//! (the busiest day of a school).

mod client;
mod contender;
mod day;
mod floor;
mod growth;
mod guess;
mod report;
mod rows;
mod school;
mod slow;

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Context;

use client::{Connection, Load, request};
use school::{Process, School};

/// Readers during the login flood: 800 requests a second together, what a school never sees.
const CALM_READERS: usize = 16;
const CALM_PAUSE: Duration = Duration::from_millis(20);
const CALM_TIME: Duration = Duration::from_secs(3);
const FLOOD: usize = 64;
const STARTS: usize = 7;
/// Where a program that is not in a target folder is measured.
const DISK: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/target");
/// Their scripts; `fetch` there makes what they need.
const PEERS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/bench/peers");

/// A number, its floor's where it has one, and what it must not exceed.
pub struct Figure {
    /// What it is of, with its unit.
    pub name: &'static str,
    /// The server's.
    pub subject: f64,
    /// That of a bare server, or of the machine.
    pub floor: Option<f64>,
    /// At most so much.
    pub must: Option<f64>,
}

fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let argument = arguments.next().context(
        "usage: bench RELEASE_BINARY [slow | guess | growth | day [MINUTES] | [--write] [--alone]]",
    )?;
    let runtime = schoolhouse::testing::start_runtime()?;
    if argument == floor::ARGUMENT {
        let folder = arguments.next().map(PathBuf::from);
        return runtime.block_on(floor::serve(folder.as_deref()));
    }
    let binary = PathBuf::from(argument);
    let arguments: Vec<String> = arguments.collect();
    match arguments.first().map(String::as_str) {
        Some("slow") => runtime.block_on(measure_slow(&binary)),
        Some("guess") => runtime.block_on(measure_guess(&binary)),
        Some("growth") => runtime.block_on(measure_growth(&binary)),
        Some("day") => {
            let minutes = arguments.get(1).map_or(Ok(60), |minutes| minutes.parse()).context("minutes")?;
            runtime.block_on(measure_day(&binary, minutes))
        }
        _ => runtime.block_on(measure(&binary, &arguments)),
    }
}

/// Visitors beside strangers who hold connections.
async fn measure_slow(binary: &Path) -> anyhow::Result<()> {
    let folder = tempfile::Builder::new().prefix("slow-").tempdir()?;
    slow::measure(binary, folder.path()).await
}

/// Owners who log in beside strangers who guess.
async fn measure_guess(binary: &Path) -> anyhow::Result<()> {
    let folder = tempfile::Builder::new().prefix("guess-").tempdir()?;
    guess::measure(binary, folder.path()).await
}

/// The same requests on ten times the data.
async fn measure_growth(binary: &Path) -> anyhow::Result<()> {
    let beside = binary.parent().context("the binary's folder")?;
    let folder = tempfile::Builder::new().prefix("growth-").tempdir_in(beside)?;
    growth::measure(binary, folder.path()).await
}

/// The busiest day of a school.
async fn measure_day(binary: &Path, minutes: u32) -> anyhow::Result<()> {
    let folder = tempfile::Builder::new().prefix("day-").tempdir_in(Path::new(DISK))?;
    day::measure(binary, folder.path(), minutes).await
}

async fn measure(binary: &Path, flags: &[String]) -> anyhow::Result<()> {
    let is_set = |name: &str| flags.iter().any(|flag| flag == name);
    let start = Instant::now();
    // Beside the binary: the temporary folder of many machines is memory, where a sync is free.
    let beside = binary.parent().context("the binary's folder")?;
    let folder = tempfile::Builder::new().prefix("bench-").tempdir_in(beside)?;
    let peers = (!is_set("--alone")).then_some(Path::new(PEERS));
    let silent = TcpListener::bind("127.0.0.1:0")?;
    let contenders = rows::contenders(binary, folder.path(), peers, &silent).await?;
    let syncs = floor::sync_records(folder.path(), Duration::from_secs(2))?;
    let measured = rows::measure(&contenders).await?;
    drop(contenders);
    let school = School::at(binary, &folder.path().join("times-1"));
    let mut figures = starts(&school).await?;
    figures.push(Figure {
        name: "memory after the load (VmRSS), MiB",
        subject: measured.memory[rows::SERVER],
        floor: Some(measured.memory[rows::BARE]),
        must: Some(50.0),
    });
    figures.push(Figure {
        name: "contact messages from 64 connections, per second (floor: disk syncs)",
        subject: measured.most_per_second("contact").unwrap_or(f64::NAN),
        floor: Some(syncs.per_second),
        must: None,
    });
    figures.extend(flood(binary, &folder.path().join("flood")).await?);
    figures.push(Figure {
        name: "size of the binary, MB",
        subject: std::fs::metadata(binary)?.len() as f64 / 1e6,
        floor: None,
        must: Some(32.0),
    });
    let page = report::page(&measured, &figures);
    println!("{page}");
    if is_set("--write") {
        report::write(&page)?;
    }
    eprintln!("measured in {:.0} s", start.elapsed().as_secs_f64());
    Ok(())
}

/// From exec to the home page, on a database that exists; then the memory of the idle process.
async fn starts(school: &School) -> anyhow::Result<Vec<Figure>> {
    let page = request("GET /", &[("accept-encoding", "br")], None);
    let blank = request("GET /bytes/1000", &[], None);
    let (mut subject, mut floor) = (Vec::new(), Vec::new());
    for _ in 0..STARTS {
        subject.push(time_start(|| school.serve(), &page).await?);
        floor.push(time_start(|| Process::floor(None), &blank).await?);
    }
    let (program, bare) = (school.serve()?, Process::floor(None)?);
    for (process, request) in [(&program, &page), (&bare, &blank)] {
        Connection::open(process.address).await?.exchange(request).await?;
    }
    growth::until_settled(&program).await?;
    Ok(vec![
        Figure {
            name: "start to the first home page, 5,000 students, ms",
            subject: median(subject),
            floor: Some(median(floor)),
            must: Some(50.0),
        },
        Figure {
            name: "idle memory (VmRSS), MiB",
            subject: program.memory_mib()?,
            floor: Some(bare.memory_mib()?),
            must: None,
        },
    ])
}

/// Milliseconds from exec to the first answer.
async fn time_start(start: impl FnOnce() -> anyhow::Result<Process>, request: &[u8]) -> anyhow::Result<f64> {
    let begin = Instant::now();
    let process = start()?;
    let status = Connection::open(process.address).await?.exchange(request).await?;
    let taken = begin.elapsed();
    anyhow::ensure!(status == 200, "the first answer had status {status}");
    process.end()?;
    Ok(taken.as_secs_f64() * 1000.0)
}

/// Logins from 64 connections, while others read at an even pace.
async fn flood(binary: &Path, folder: &Path) -> anyhow::Result<Vec<Figure>> {
    let school = School::prepare(binary, folder).await?;
    let program = school.serve()?;
    let courses = request("GET /api/courses", &[("accept-encoding", "br")], None);
    let calm = Load { pause: CALM_PAUSE, ..Load::new(program.address, courses, CALM_READERS) };
    let warm_up = Duration::from_millis(300);
    let alone = calm.run(warm_up, CALM_TIME).await?;
    let hashes = floor::hash_passwords(Duration::from_secs(1))?;
    let flood = Load::new(program.address, School::login_request(), FLOOD);
    // The queue of 64 needs about two seconds to fill and to answer its first.
    let flood = tokio::spawn(async move { flood.run(Duration::from_secs(2), Duration::from_secs(5)).await });
    tokio::time::sleep(Duration::from_secs(1)).await;
    let mut peak_mib = 0.0;
    let beside = tokio::select! {
        outcome = calm.run(warm_up, CALM_TIME) => outcome?,
        error = watch_memory(&program, &mut peak_mib) => return Err(error),
    };
    let logins = flood.await.context("the login flood")??;
    anyhow::ensure!(logins.refused == 0, "{} logins were refused", logins.refused);
    let figure = |name, subject, floor| Figure { name, subject, floor, must: None };
    Ok(vec![
        figure(
            "logins from 64 connections, per second (floor: hashes)",
            logins.per_second,
            Some(hashes.per_second),
        ),
        figure(
            "reads at 800/s beside them, p99, ms (floor: alone)",
            milliseconds(beside.p99),
            Some(milliseconds(alone.p99)),
        ),
        figure("most memory beside them (VmRSS), MiB", peak_mib, None),
    ])
}

/// Keeps the most memory that it sees; ends only with an error.
async fn watch_memory(process: &Process, peak_mib: &mut f64) -> anyhow::Error {
    loop {
        match process.memory_mib() {
            Ok(now) => *peak_mib = f64::max(*peak_mib, now),
            Err(error) => return error,
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn microseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}
