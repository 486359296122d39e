//! Measures the release binary against the floor of this machine: `make bench`.
//!
//! A speed claim is a ratio to the floor measured in the same run: a bare hyper server that
//! answers as many bytes, a record appended and synced to the same disk, one password hash on an
//! idle core. Each floor is measured before and after its subject, so the drift of a shared
//! machine shows. The load comes from the same machine, so a ratio of rates understates the
//! distance to the floor; the processor time per request does not. Deliberately absent: any
//! assertion about time. `make slow` measures visitors beside 2,000 slow connections instead,
//! `make guess` owners beside a flood of guesses, and `bench BINARY growth` only what ten times the data costs.

mod client;
mod floor;
mod growth;
mod guess;
mod school;
mod slow;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Context;

use client::{Connection, Load, Outcome, request};
use school::{Process, School};

const SUBJECT_TIME: Duration = Duration::from_secs(3);
const FLOOR_TIME: Duration = Duration::from_millis(1200);
/// A disk is less even than a processor.
const DISK_TIME: Duration = Duration::from_secs(2);
const WARM_UP: Duration = Duration::from_millis(300);
/// Readers that ask again as soon as they are answered.
const READERS: usize = 32;
/// Readers during the login flood: 800 requests a second together, what a school never sees.
const CALM_READERS: usize = 16;
const CALM_PAUSE: Duration = Duration::from_millis(20);
const FLOOD: usize = 64;
const STARTS: usize = 7;

/// One measurement: the floor before, the subject, the floor after.
struct Row {
    name: String,
    before: Outcome,
    subject: Outcome,
    after: Outcome,
}

/// What is one number: its value, its floor's, and their unit.
struct Figure {
    name: &'static str,
    subject: f64,
    floor: Option<f64>,
    unit: &'static str,
}

fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let argument = arguments.next().context("usage: bench RELEASE_BINARY [slow | guess | growth]")?;
    let runtime = schoolhouse::testing::start_runtime()?;
    if argument == floor::ARGUMENT {
        return runtime.block_on(floor::serve());
    }
    let binary = PathBuf::from(argument);
    match arguments.next().as_deref() {
        Some("slow") => runtime.block_on(measure_slow(&binary)),
        Some("guess") => runtime.block_on(measure_guess(&binary)),
        Some("growth") => runtime.block_on(measure_growth(&binary)),
        _ => runtime.block_on(measure(&binary)),
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

async fn measure(binary: &Path) -> anyhow::Result<()> {
    let start = Instant::now();
    // Beside the binary: the temporary folder of many machines is memory, where a sync is free.
    let beside = binary.parent().context("the binary's folder")?;
    let folder = tempfile::Builder::new().prefix("bench-").tempdir_in(beside)?;
    let school = School::prepare(binary, &folder.path().join("read")).await?;
    let (mut figures, program, floor) = measure_starts(&school).await?;
    let mut rows = measure_reads(&school, &program, &floor).await?;
    rows.extend(measure_flood(&program, &floor, &mut figures).await?);
    drop(program);
    rows.extend(measure_writes(binary, folder.path(), &mut figures).await?);
    figures.push(Figure {
        name: "size of the binary",
        subject: std::fs::metadata(binary)?.len() as f64 / 1e6,
        floor: None,
        unit: "MB",
    });
    print_rows(&rows);
    println!("Each ratio is to the floor on its left. CPU: of the serving process, for each answer; for the");
    println!("messages it includes the mailer's, who writes two e-mails for each into files meanwhile.");
    print_figures(&figures);
    growth::measure(binary, folder.path()).await?;
    println!("\nmeasured in {:.0} s", start.elapsed().as_secs_f64());
    Ok(())
}

/// From exec to the home page, on a database that exists; then the memory of the idle process.
async fn measure_starts(school: &School) -> anyhow::Result<(Vec<Figure>, Process, Process)> {
    let page = request("GET /", &[("accept-encoding", "br")], None);
    let blank = request(&format!("GET /{}", answer_size(school, &page).await?), &[], None);
    let (mut subject, mut floor) = (Vec::new(), Vec::new());
    for _ in 0..STARTS {
        subject.push(time_start(|| school.serve(), &page).await?);
        floor.push(time_start(Process::floor, &blank).await?);
    }
    let (program, bare) = (school.serve()?, Process::floor()?);
    for (process, request) in [(&program, &page), (&bare, &blank)] {
        Connection::open(process.address).await?.exchange(request).await?;
    }
    tokio::time::sleep(Duration::from_secs(1)).await;
    let figures = vec![
        Figure {
            name: "exec to the first home page, median",
            subject: median(subject),
            floor: Some(median(floor)),
            unit: "ms",
        },
        Figure {
            name: "idle memory (VmRSS)",
            subject: program.memory_mib()?,
            floor: Some(bare.memory_mib()?),
            unit: "MiB",
        },
    ];
    Ok((figures, program, bare))
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

async fn answer_size(school: &School, request: &[u8]) -> anyhow::Result<usize> {
    let process = school.serve()?;
    let mut connection = Connection::open(process.address).await?;
    connection.exchange(request).await?;
    process.end()?;
    Ok(connection.body().len())
}

async fn measure_reads(school: &School, program: &Process, floor: &Process) -> anyhow::Result<Vec<Row>> {
    let brotli = ("accept-encoding", "br");
    let mut asker = Connection::open(program.address).await?;
    asker.exchange(&request("GET /api/courses", &[brotli], None)).await?;
    let tag = asker.header("etag").context("the catalogue has no ETag")?.to_owned();
    asker.exchange(&request("GET /", &[], None)).await?;
    let script = school::script_of(asker.body())?;
    let student = ("cookie", school.student_cookie.as_str());
    let staff = ("cookie", school.staff_cookie.as_str());
    let table = [
        ("GET /api/courses, br", "GET /api/courses", vec![brotli], 200),
        ("GET /api/courses, 304", "GET /api/courses", vec![brotli, ("if-none-match", &tag)], 304),
        ("GET /, br", "GET /", vec![brotli], 200),
        ("GET a script, br", &format!("GET {script}"), vec![brotli], 200),
        ("GET /api/students/me", "GET /api/students/me", vec![student], 200),
        ("GET /api/admin/dashboard", "GET /api/admin/dashboard", vec![staff], 200),
    ];
    let mut rows = Vec::new();
    for (name, line, headers, status) in table {
        let request = request(line, &headers, None);
        asker.exchange(&request).await?;
        let size = asker.body().len();
        let load = Load { status, ..Load::new(program.address, request, READERS) };
        rows.push(compare(&format!("{name} ({size} B)"), load, program, floor, size).await?);
    }
    Ok(rows)
}

/// Floor, subject, floor, with the processor time that each took.
async fn compare(
    name: &str,
    load: Load,
    program: &Process,
    floor: &Process,
    size: usize,
) -> anyhow::Result<Row> {
    let bare = load.like(floor.address, request(&format!("GET /{size}"), &[], None));
    let before = bare.run_on(floor, WARM_UP, FLOOR_TIME).await?;
    let subject = load.run_on(program, WARM_UP, SUBJECT_TIME).await?;
    let after = bare.run_on(floor, WARM_UP, FLOOR_TIME).await?;
    Ok(Row { name: name.into(), before, subject, after })
}

/// Logins from 64 connections, while others read at an even pace.
async fn measure_flood(
    program: &Process,
    floor: &Process,
    figures: &mut Vec<Figure>,
) -> anyhow::Result<Vec<Row>> {
    let courses = request("GET /api/courses", &[("accept-encoding", "br")], None);
    let mut asker = Connection::open(program.address).await?;
    asker.exchange(&courses).await?;
    let size = asker.body().len();
    let calm = Load { pause: CALM_PAUSE, ..Load::new(program.address, courses, CALM_READERS) };
    let flood = Load::new(program.address, School::login_request(), FLOOD);

    let hashes_before = floor::hash_passwords(Duration::from_secs(1))?;
    // The queue of 64 needs about two seconds to fill and to answer its first.
    let flood = tokio::spawn(async move { flood.run(Duration::from_secs(2), Duration::from_secs(5)).await });
    tokio::time::sleep(Duration::from_secs(1)).await;
    let mut peak_mib = 0.0;
    let mut row = tokio::select! {
        row = compare("  reads at 800/s during the logins", calm, program, floor, size) => row?,
        error = watch_memory(program, &mut peak_mib) => return Err(error),
    };
    let logins = flood.await.context("the login flood")??;
    let hashes_after = floor::hash_passwords(Duration::from_secs(1))?;
    anyhow::ensure!(logins.refused == 0, "{} logins were refused", logins.refused);
    // The process hashes meanwhile: its processor time is not the reads'.
    row.subject.cpu = None;
    figures.push(Figure {
        name: "most memory during the logins (VmRSS)",
        subject: peak_mib,
        floor: None,
        unit: "MiB",
    });
    let name = format!("logins, {FLOOD} conn. (floor: hashes)");
    Ok(vec![Row { name, before: hashes_before, subject: logins, after: hashes_after }, row])
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

/// Contact messages, each durable before its answer, in a new folder for each number of
/// connections: the mailer of the one before would still be writing its e-mails.
async fn measure_writes(binary: &Path, folder: &Path, figures: &mut Vec<Figure>) -> anyhow::Result<Vec<Row>> {
    let body = serde_json::json!({ "name": "Li Wei", "email": "li.0000000@mail.example", "subject": "general",
        "message": "When does the next course begin?" });
    let message = request("POST /api/contact", &[], Some(&body));
    let mut rows = Vec::new();
    let mut before = floor::sync_records(folder, DISK_TIME)?;
    for connections in [1, 64] {
        let school = School::empty(binary, &folder.join(format!("write-{connections}")));
        let program = school.serve()?;
        let load = Load::new(program.address, message.clone(), connections).numbered("0000000")?;
        let subject = load.run_on(&program, WARM_UP, SUBJECT_TIME).await?;
        drop(program);
        let after = floor::sync_records(folder, DISK_TIME)?;
        let name = format!("POST /api/contact, {connections} conn. (floor: syncs)");
        rows.push(Row { name, before, subject, after: after.clone() });
        before = after;
    }
    if let [one, many] = rows.as_slice() {
        figures.push(Figure {
            name: "messages/s, 64 connections (floor: 1)",
            subject: many.subject.per_second,
            floor: Some(one.subject.per_second),
            unit: "/s",
        });
    }
    Ok(rows)
}

fn print_rows(rows: &[Row]) {
    println!(
        "{:46}{:>9}{:>9}{:>7}{:>7}  {:>8}{:>8}{:>8}{:>7}  {:>7}{:>7}{:>7}",
        "",
        "/s",
        "floor/s",
        "drift",
        "ratio",
        "p50 ms",
        "p99 ms",
        "floor",
        "ratio",
        "CPU µs",
        "floor",
        "ratio"
    );
    for Row { name, before, subject, after } in rows {
        let floor = f64::midpoint(before.per_second, after.per_second);
        let drift = (after.per_second - before.per_second) / before.per_second * 100.0;
        let (p50, p99) = (milliseconds(subject.p50), milliseconds(subject.p99));
        let floor_p99 = f64::midpoint(milliseconds(before.p99), milliseconds(after.p99));
        print!(
            "{name:46}{:>9.0}{floor:>9.0}{drift:>+6.0}%{:>7.2}  {p50:>8.2}{p99:>8.2}{floor_p99:>8.2}{:>7.1}",
            subject.per_second,
            subject.per_second / floor,
            p99 / floor_p99,
        );
        if let (Some(before), Some(cpu), Some(after)) = (before.cpu, subject.cpu, after.cpu) {
            let (cpu, floor) = (microseconds(cpu), f64::midpoint(microseconds(before), microseconds(after)));
            print!("  {cpu:>7.1}{floor:>7.1}{:>7.1}", cpu / floor);
        } else if let Some(cpu) = subject.cpu {
            print!("  {:>7.1}", microseconds(cpu));
        }
        println!();
    }
}

fn print_figures(figures: &[Figure]) {
    println!();
    for Figure { name, subject, floor, unit } in figures {
        print!("{name:46}{subject:>9.1} {unit:3}");
        if let Some(floor) = floor {
            print!("   floor {floor:.1}, ratio {:.1}", subject / floor);
        }
        println!();
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
