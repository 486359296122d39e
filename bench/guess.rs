//! Connections that guess passwords without a pause, owners who log in beside them, and visitors who read.
//!
//! The guesses come from twenty addresses and name other accounts: an account that is guessed at has
//! limits of its own, which the tests try. Once the limits are the configuration's defaults, and once
//! none holds and only the queue before the password threads keeps the owners' turns.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::time::Duration;

use serde_json::json;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout, timeout_at};

use crate::client::{Connection, Load, Outcome, request};
use crate::school::{PASSWORD, Process, School};
use crate::{CALM_PAUSE, CALM_READERS};

const OWNERS: u8 = 12;
const ADDRESSES: u8 = 20;
/// Until the guesses have filled every queue.
const BEFORE: Duration = Duration::from_secs(2);
const TIME: Duration = Duration::from_secs(10);
/// Until an owner logs in again.
const PAUSE: Duration = Duration::from_millis(250);
/// As long as the portal's own calls wait.
const TIMEOUT: Duration = Duration::from_secs(20);

/// Every limit on guesses, as the environment names it.
const LIMITS: [&str; 5] = [
    "LOGINS_PER_MINUTE",
    "FAILED_LOGINS_PER_SITE_PER_HOUR",
    "FAILED_LOGINS_IN_ALL_PER_HOUR",
    "WRONG_PASSWORDS_PER_ACCOUNT_PER_HOUR",
    "WRONG_PASSWORDS",
];

/// Measures owners and readers alone, then beside 64 and 96 connections that guess.
pub async fn measure(binary: &Path, folder: &Path) -> anyhow::Result<()> {
    let school = School::at(binary, folder);
    school.import_courses()?;
    for number in 1..=OWNERS {
        school.create_admin(&owner(number))?;
    }
    println!(
        "{:38}{:>10}{:>10}{:>8}{:>9}{:>13}{:>12}{:>8}",
        "", "owners p50", "p99 ms", "logins", "refused", "readers p99", "guesses/s", "MiB"
    );
    for (connections, has_limits) in [(0, true), (64, true), (96, true), (64, false), (96, false)] {
        let program = if has_limits {
            school.serve_with_limits(&[])?
        } else {
            school.serve_with_limits(&LIMITS.map(|limit| (limit, "10000000")))?
        };
        let row = measure_beside(&program, connections).await?;
        let name = match (connections, has_limits) {
            (0, _) => "no guesses".to_owned(),
            (_, true) => format!("{connections} connections guess, usual limits"),
            (_, false) => format!("{connections} connections guess, no limit"),
        };
        println!(
            "{name:38}{:>10.0}{:>10.0}{:>8}{:>9}{:>13.1}{:>12.0}{:>8.1}",
            crate::milliseconds(row.owners.p50),
            crate::milliseconds(row.owners.p99),
            row.owners.answers,
            row.owners.refused,
            crate::milliseconds(row.readers.p99),
            row.guesses_per_second,
            row.peak_mib
        );
        program.end()?;
    }
    Ok(())
}

struct Row {
    owners: Outcome,
    readers: Outcome,
    guesses_per_second: f64,
    peak_mib: f64,
}

async fn measure_beside(program: &Process, connections: usize) -> anyhow::Result<Row> {
    let address = program.address;
    let begin = Instant::now() + BEFORE;
    let end = begin + TIME;
    let mut guesses = JoinSet::new();
    for number in 0..connections {
        guesses.spawn(async move {
            let mut count = 0;
            // A connection that the server ends is opened again.
            while Instant::now() < end {
                let _ = timeout_at(end, guess(number, address, begin, &mut count)).await;
            }
            count
        });
    }
    let readers = Load {
        pause: CALM_PAUSE,
        ..Load::new(address, request("GET /api/courses", &[("accept-encoding", "br")], None), CALM_READERS)
    };
    let mut peak_mib = 0.0;
    let both = async { tokio::try_join!(log_in(address, begin, end), readers.run(BEFORE, TIME)) };
    let (owners, readers) = tokio::select! {
        both = both => both?,
        error = crate::watch_memory(program, &mut peak_mib) => return Err(error),
    };
    let count: usize = guesses.join_all().await.into_iter().sum();
    Ok(Row { owners, readers, guesses_per_second: count as f64 / TIME.as_secs_f64(), peak_mib })
}

async fn guess(number: usize, to: SocketAddr, begin: Instant, count: &mut usize) -> anyhow::Result<()> {
    let from = Ipv4Addr::new(127, 1, 0, u8::try_from(number % usize::from(ADDRESSES))? + 1);
    let mut connection = Connection::open_from(from, to).await?;
    for try_number in 0.. {
        let body = json!({ "username": format!("unknown.{number}.{try_number}"), "password": "a guess" });
        connection.exchange(&request("POST /api/login", &[], Some(&body))).await?;
        *count += usize::from(Instant::now() >= begin);
    }
    Ok(())
}

/// The owners' logins, each over a connection of its own, as one does who opens the page.
async fn log_in(to: SocketAddr, begin: Instant, end: Instant) -> anyhow::Result<Outcome> {
    let mut owners = JoinSet::new();
    for number in 1..=OWNERS {
        owners.spawn(async move {
            let (mut latencies, mut refused) = (Vec::new(), 0);
            sleep(begin - Instant::now()).await;
            let body = json!({ "username": owner(number), "password": PASSWORD });
            let login = request("POST /api/login", &[], Some(&body));
            while Instant::now() < end {
                let begin = Instant::now();
                let answer = async {
                    Connection::open_from(Ipv4Addr::new(127, 2, 0, number), to).await?.exchange(&login).await
                };
                match timeout(TIMEOUT, answer).await {
                    Ok(Ok(200)) => latencies.push(begin.elapsed()),
                    _ => refused += 1,
                }
                sleep(PAUSE).await;
            }
            (latencies, refused)
        });
    }
    let (mut latencies, mut refused) = (Vec::new(), 0);
    for (some, more) in owners.join_all().await {
        latencies.extend(some);
        refused += more;
    }
    Ok(Outcome { refused, ..Outcome::new(latencies, TIME)? })
}

fn owner(number: u8) -> String {
    format!("owner{number}")
}
