//! The busiest day of a school of 5,000, the first of the courses, in an hour: who comes, logs in, asks for a course,
//! sends papers, and an office that decides, each at its own even pace, whatever the server takes. Then it is killed
//! in the middle of it, and everything that it had acknowledged has to be there.
//!
//! `make day` runs it on one core with 1 GB of memory (see `small`).

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::time::Duration;

use anyhow::{Context, ensure};
use rusqlite::Connection;
use schoolhouse::testing::{Clock, db};

use crate::client::{Load, Outcome, Requests, request};
use crate::contender::Contender;
use crate::school::School;
use crate::{growth, milliseconds};

const WARM_UP: Duration = Duration::from_secs(5);
/// Connections of each kind of caller: all together fewer than one address may have.
const CALLERS: usize = 8;
/// Decisions that an office of six takes in a day.
const DECISIONS: usize = 400;

/// Of documents replaced before the office has seen them, only the last stays, with a record of the others.
const DOCUMENTS: &str =
    "select (select count(*) from student_documents) + (select count(*) from document_removals)";

/// A kind of caller.
struct Stream {
    name: &'static str,
    /// Requests in the hour.
    per_hour: u32,
    requests: Requests,
    status: u16,
    /// How many rows say what was acknowledged.
    kept: Option<&'static str>,
}

/// Measures so many minutes of it.
pub async fn measure(binary: &Path, folder: &Path, minutes: u32) -> anyhow::Result<()> {
    let school = School::prepare(binary, &folder.join("school")).await?;
    growth::fill(school.folder(), 1)?;
    school.serve()?.end()?;
    let interface = school.interface(&Clock::System)?;
    let path = school.folder().join("schoolhouse.db");
    let undecided = undecided(&path)?;
    let staff = ("cookie".to_owned(), school.staff_cookie.clone());
    let before_bytes = size_of(school.folder())?;
    let subject = Contender::new("schoolhouse", school.serve()?, interface);
    growth::until_settled(&subject.process).await?;
    let streams = streams(&subject, &undecided, &staff)?;
    let mut kept_before = Vec::new();
    for stream in &streams {
        kept_before.push(stream.kept.map(|sql| count(&path, sql)).transpose()?);
    }

    let time = Duration::from_mins(u64::from(minutes));
    let begun = subject.process.cpu()?;
    let mut running = Vec::new();
    for stream in &streams {
        let load = Load {
            requests: stream.requests.clone(),
            status: stream.status,
            per_hour: Some(stream.per_hour),
            ..Load::new(subject.process.address, Vec::new(), CALLERS)
        };
        running.push(tokio::spawn(async move { load.run(WARM_UP, time).await }));
    }
    let mut most_mib = 0.0;
    let mut outcomes = Vec::new();
    for one in running {
        let outcome = tokio::select! {
            outcome = one => outcome.context("a caller panicked")??,
            error = crate::watch_memory(&subject.process, &mut most_mib) => return Err(error),
        };
        outcomes.push(outcome);
    }
    let processor = subject.process.cpu()?.saturating_sub(begun);
    // Killed, not stopped.
    drop(subject);
    let mut page =
        String::from("| | an hour | p50 ms | p99 ms | longest | refused |\n|---|---|---|---|---|---|\n");
    for (stream, outcome) in streams.iter().zip(&outcomes) {
        page += &row(stream, outcome);
    }
    println!("{page}");
    let grown = (size_of(school.folder())? as f64 - before_bytes as f64) / 1e6;
    println!(
        "{minutes} minutes: {:.1} % of a core, at most {most_mib:.0} MiB of memory, {grown:.0} MB of disk",
        processor.as_secs_f64() / (time + WARM_UP).as_secs_f64() * 100.0
    );

    // It starts again by itself.
    let again = school.serve()?;
    growth::until_settled(&again).await?;
    again.end()?;
    for ((stream, outcome), before) in streams.iter().zip(&outcomes).zip(kept_before) {
        if let (Some(sql), Some(before)) = (stream.kept, before) {
            let kept = count(&path, sql)? - before;
            let acknowledged = outcome.answers - outcome.refused;
            println!("{}: {acknowledged} acknowledged, {kept} kept", stream.name);
            ensure!(kept >= acknowledged, "{}: something is lost", stream.name);
            ensure!(kept <= acknowledged + CALLERS, "{}: something was done twice", stream.name);
        }
    }
    Ok(())
}

fn row(stream: &Stream, outcome: &Outcome) -> String {
    format!(
        "| {} | {} | {:.2} | {:.2} | {:.0} | {} |\n",
        stream.name,
        stream.per_hour,
        milliseconds(outcome.p50),
        milliseconds(outcome.p99),
        milliseconds(outcome.longest),
        outcome.refused
    )
}

fn streams(subject: &Contender, undecided: &[i64], staff: &(String, String)) -> anyhow::Result<Vec<Stream>> {
    let of = |name: &'static str, operation: &str, per_hour, kept| {
        let (requests, status) = subject.requests(operation, &[("accept-encoding", "br, gzip")])?;
        anyhow::Ok(Stream { name, per_hour, requests, status, kept })
    };
    let header = [(&*staff.0, &*staff.1)];
    let same = |name, line: &str, headers: &[(&str, &str)], per_hour| Stream {
        name,
        per_hour,
        requests: Requests::Same(request(line, headers, None).into()),
        status: 200,
        kept: None,
    };
    let login = Stream {
        requests: Requests::Same(School::login_request().into()),
        ..same("logins", "GET /", &[], 3_600)
    };
    let decisions: Vec<Arc<[u8]>> = undecided
        .iter()
        .map(|id| request(&format!("POST /api/admin/enrollments/{id}/approve"), &header, None).into())
        .collect();
    let one = move |number: usize| decisions.get(number).cloned();
    let decide = Stream {
        requests: Requests::Each(Arc::new(one), Arc::new(AtomicUsize::new(0))),
        kept: Some("select count(*) from enrollments where status = 'active' and decided_by is not null"),
        ..same("the office approves", "GET /", &[], u32::try_from(DECISIONS)?)
    };
    let br = [("accept-encoding", "br, gzip")];
    Ok(vec![
        same("home page", "GET /", &br, 36_000),
        same("a grade of the catalogue", "GET /courses?grade=12", &br, 36_000),
        of("course list", "courses", 36_000, None)?,
        of("own enrollments", "own", 72_000, None)?,
        login,
        of("request for a course", "enroll", 7_200, Some("select count(*) from enrollments"))?,
        of("document of 2 MiB", "upload", 1_800, Some(DOCUMENTS))?,
        of("contact message", "contact", 720, Some("select count(*) from contact_messages"))?,
        same("the office opens what is waiting", "GET /api/admin/enrollments/pending?page=1", &header, 3_600),
        same("the office's dashboard figures", "GET /api/admin/dashboard", &header, 3_600),
        decide,
    ])
}

fn undecided(path: &Path) -> anyhow::Result<Vec<i64>> {
    let connection = db::connect(path)?;
    let mut select = connection.prepare("select id from enrollments where status = 'pending' order by id")?;
    let ids = select.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    Ok(ids)
}

fn count(path: &Path, sql: &str) -> anyhow::Result<usize> {
    let connection = Connection::open(path)?;
    let rows: i64 = connection.query_row(sql, [], |row| row.get(0))?;
    Ok(usize::try_from(rows)?)
}

fn size_of(folder: &Path) -> anyhow::Result<u64> {
    let mut bytes = 0;
    let mut folders: Vec<PathBuf> = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder)? {
            let entry = entry?;
            let Ok(facts) = entry.metadata() else { continue };
            if facts.is_dir() {
                folders.push(entry.path());
            } else {
                bytes += facts.len();
            }
        }
    }
    Ok(bytes)
}
