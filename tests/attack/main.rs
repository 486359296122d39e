//! What an attacker would try, against the real binary on a fresh school: each attack with how often it was tried and
//! whether the school held.
//!
//! `ATTACK=full` tries everything (`make attack`); otherwise each attack is made a few times. A word on the
//! command line makes only the attacks whose name holds it. There is no test harness, so that the table is
//! the last thing said; anything that did not hold ends it with status 1. The rules themselves are held by
//! the tests over HTTP, one case each and by name; here is the number.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test stops at the first surprise"
)]

mod access;
mod files;
mod flood;
mod guessing;
mod injection;
mod many;
mod sessions;
#[path = "../support/mod.rs"]
#[expect(dead_code, unused_imports, reason = "shared with the tests over HTTP, which use all of it")]
mod support;
mod table;
mod target;
mod wire;

use std::pin::Pin;
use std::process::ExitCode;
use std::time::Instant;

use table::{Plan, Row, Table};

/// A kind of attack: makes it as often as the plan says and returns what came of it.
type Attack = fn(Plan) -> Pin<Box<dyn Future<Output = Vec<Row>> + Send>>;

const ATTACKS: &[(&str, Attack)] = &[
    ("guessing", |plan| Box::pin(guessing::attack(plan))),
    ("sessions", |plan| Box::pin(sessions::attack(plan))),
    ("access", |plan| Box::pin(access::attack(plan))),
    ("injection", |plan| Box::pin(injection::attack(plan))),
    ("files", |plan| Box::pin(files::attack(plan))),
    ("wire", |plan| Box::pin(wire::attack(plan))),
    ("many", |plan| Box::pin(many::attack(plan))),
    ("flood", |plan| Box::pin(flood::attack(plan))),
];

fn main() -> ExitCode {
    let plan = Plan::of_environment();
    let wanted: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|word| name.contains(word.as_str()));
    // Making browsers and schools blocks a thread; the connections of the others go on.
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(12).enable_all().build().unwrap();
    let begun = Instant::now();
    let mut table = Table::new(plan);
    runtime.block_on(async {
        // Side by side: each has a school of its own, and most of the time they wait.
        let attacks: Vec<_> = ATTACKS
            .iter()
            .filter(|(name, _)| is_wanted(name))
            .map(|(name, attack)| {
                let attack = async move {
                    let begun = Instant::now();
                    let rows = attack(plan).await;
                    eprintln!("{name}: {:.1} s", begun.elapsed().as_secs_f64());
                    rows
                };
                (name, tokio::spawn(attack))
            })
            .collect();
        for (name, attack) in attacks {
            match attack.await {
                Ok(rows) => table.add(rows),
                Err(surprise) => table.surprise(name, &surprise.to_string()),
            }
        }
    });
    print!("{table}");
    println!("{} s", begun.elapsed().as_secs());
    if table.everything_held() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
