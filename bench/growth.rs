//! What ten times the school costs: the same start and the same requests, on data times 1 and 10.
//!
//! Times 1 is the design load (5,000 students, 50,000 enrollments, 100,000 documents), which the test of
//! the statements fills, too. One connection asks, one thing after the other; the median is printed.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::ensure;
use jiff::ToSpan;
use jiff::tz::TimeZone;
use schoolhouse::testing::Clock;
use serde_json::{Value, json};

use crate::client::{Connection, request};
use crate::school::{Process, School};
use crate::{STARTS, median};

#[path = "../tests/http/statements/school.rs"]
#[expect(dead_code, reason = "shared with the test of the statements, which uses all of it")]
mod large;

const TIMES: [u32; 2] = [1, 10];
/// Requests for a course, of which the catalogue has 158.
const REQUESTS: i64 = 60;

/// Measures and prints; the folder is filled with some gigabytes.
pub async fn measure(binary: &Path, folder: &Path) -> anyhow::Result<()> {
    let mut curves: Vec<(String, Vec<f64>)> = Vec::new();
    for times in TIMES {
        let folder = folder.join(format!("times-{times}"));
        let school = School::prepare(binary, &folder).await?;
        fill(&folder, times)?;
        // What was filled in is still on its way to the disk, and would be measured with what follows.
        rustix::fs::sync();
        let size = folder.join("schoolhouse.db").metadata()?.len() as f64 / 1e6;
        let mut column = vec![("database, MB".to_owned(), size)];
        column.extend(starts(&school).await?);
        let program = school.serve()?;
        column.extend(requests(&school, &program).await?);
        program.end()?;
        for (name, value) in column {
            eprintln!("data × {times}: {name} {value:.2}");
            match curves.iter_mut().find(|(known, _)| *known == name) {
                Some((_, values)) => values.push(value),
                None => curves.push((name, vec![value])),
            }
        }
    }
    println!("\n{:46}{:>9}{:>9}{:>7}", "in ms, the median", "data × 1", "× 10", "ratio");
    for (name, values) in curves {
        if let [one, ten] = values.as_slice() {
            println!("{name:46}{one:>9.2}{ten:>9.2}{:>7.1}", ten / one);
        }
    }
    Ok(())
}

/// Fills a folder with so many times the design load.
///
/// # Errors
/// When a statement does not fit the schema.
pub fn fill(folder: &Path, times: u32) -> anyhow::Result<()> {
    large::fill(folder, Clock::System.now().as_second(), times)
}

/// Waits until a server that was just started has nothing to do by itself any more.
pub async fn until_settled(program: &Process) -> anyhow::Result<()> {
    until_looked_over(&mut Connection::open(program.address).await?).await?;
    until_idle(program).await
}

async fn starts(school: &School) -> anyhow::Result<[(String, f64); 2]> {
    let page = request("GET /", &[], None);
    let (mut first, mut inspected) = (Vec::new(), Vec::new());
    for _ in 0..STARTS {
        let begun = Instant::now();
        let process = school.serve()?;
        let mut connection = Connection::open(process.address).await?;
        ensure!(connection.exchange(&page).await? == 200, "the home page is not served");
        first.push(ms(begun.elapsed()));
        until_looked_over(&mut connection).await?;
        inspected.push(ms(begun.elapsed()));
        process.end()?;
    }
    Ok([
        ("exec to the first home page".to_owned(), median(first)),
        ("exec to the end of the look at the database".to_owned(), median(inspected)),
    ])
}

/// Waits for the end of the look at the database, which costs what the disk and a processor give.
async fn until_looked_over(connection: &mut Connection) -> anyhow::Result<()> {
    let ready = request("GET /readyz", &[], None);
    loop {
        connection.exchange(&ready).await?;
        let ready: Value = serde_json::from_slice(connection.body())?;
        if ready["integrity"] != "checking" {
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// Waits until the server does nothing by itself any more: its first maintenance, which follows the look at
/// the database, would take one of the processors from the requests.
async fn until_idle(program: &Process) -> anyhow::Result<()> {
    const PAUSE: Duration = Duration::from_millis(300);
    // One tick of the clock that counts it.
    const IDLE: Duration = Duration::from_millis(10);
    loop {
        let before = program.cpu()?;
        tokio::time::sleep(PAUSE).await;
        if program.cpu()?.saturating_sub(before) <= IDLE {
            return Ok(());
        }
    }
}

async fn requests(school: &School, program: &Process) -> anyhow::Result<Vec<(String, f64)>> {
    until_settled(program).await?;
    let mut connection = Connection::open(program.address).await?;
    let mut column = vec![enrollments(school, &mut connection).await?];
    let staff = [("cookie", school.staff_cookie.as_str())];
    for path in [
        "/api/admin/dashboard",
        "/api/admin/waiting",
        "/api/admin/enrollments/pending?page=1",
        "/api/admin/documents?page=1",
        "/api/admin/documents?status=pending_review&sort=uploaded&page=1",
        "/api/admin/messages?page=1",
        "/api/admin/messages?status=new&page=1",
        "/api/admin/mail?page=1",
        "/api/admin/enrollments?page=1",
        "/api/admin/students?page=1",
        "/api/admin/admission-requests?page=1",
        "/api/admin/admission-requests?status=pending,in_review&sort=created&page=1",
        "/api/admin/payments?page=1",
        "/api/admin/money/balances?page=1",
        "/api/admin/money/summary",
        "/api/admin/audit?page=1",
        "/api/admin/search?q=renee+77",
    ] {
        let line = format!("GET {path}");
        let request = request(&line, &staff, None);
        let mut times = Vec::new();
        for _ in 0..15 {
            let begun = Instant::now();
            ensure!(connection.exchange(&request).await? == 200, "{path} is not served");
            times.push(ms(begun.elapsed()));
        }
        column.push((line, median(times)));
    }
    Ok(column)
}

async fn enrollments(school: &School, connection: &mut Connection) -> anyhow::Result<(String, f64)> {
    let student = [("cookie", school.student_cookie.as_str())];
    let today = Clock::System.now().to_zoned(TimeZone::UTC).date();
    let mut times = Vec::new();
    for course in 1..=REQUESTS {
        let body = json!({ "courseId": course, "startDate": today.saturating_add(7.days()),
            "endDate": today.saturating_add(100.days()) });
        let request = request("POST /api/students/enrollments", &student, Some(&body));
        let begun = Instant::now();
        // 409 where the student's history has the course.
        if connection.exchange(&request).await? == 201 {
            times.push(ms(begun.elapsed()));
        }
    }
    ensure!(times.len() > 20, "only {} requests for a course were taken", times.len());
    Ok(("POST /api/students/enrollments".to_owned(), median(times)))
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
