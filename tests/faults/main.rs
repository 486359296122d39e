//! Faults, injected into the real binary, with figures: what was tried, what survived, what was lost.
//!
//! `FAULTS=full` tries everything (`make faults`); otherwise a short form of each kind runs. A word
//! on the command line runs only the faults whose name holds it. There is no test harness, so that the
//! table is the last thing said. Anything lost, and any surprise, ends it with status 1.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test stops at the first surprise"
)]

mod archive;
mod calls;
mod clock;
mod commands;
mod crowd;
mod decisions;
mod disk;
mod emails;
mod errors;
mod figures;
mod flips;
mod inspection;
mod kills;
mod money;
mod neighbours;
mod order;
mod pairs;
mod people;
mod plan;
mod room;
mod stage;
#[path = "../support/mod.rs"]
#[expect(dead_code, unused_imports, reason = "shared with the tests over HTTP, which use all of it")]
mod support;
mod tracer;

use std::pin::Pin;
use std::process::ExitCode;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use figures::{Figures, Row};
use plan::Plan;

/// A kind of fault: injects it as often as the plan says and returns what came of it.
type Fault = fn(Plan) -> Pin<Box<dyn Future<Output = Vec<Row>> + Send>>;

/// Faults at once: most of their time they wait for the disk or for a clock.
const LANES: usize = 4;

const FAULTS: &[(&str, Fault)] = &[
    // The longest first.
    ("kill migrations", |plan| Box::pin(commands::migrations_struck(plan))),
    ("errors of writes", |plan| Box::pin(errors::injected(plan))),
    ("kill writes", |plan| Box::pin(kills::writes_struck(plan))),
    ("kill calls", |plan| Box::pin(kills::calls_struck(plan))),
    ("kill money", |plan| Box::pin(kills::money_struck(plan))),
    ("kill decisions", |plan| Box::pin(decisions::struck(plan))),
    ("kill uploads", |plan| Box::pin(kills::uploads_struck(plan))),
    ("kill encrypted uploads", |plan| Box::pin(kills::encrypted_uploads_struck(plan))),
    ("kill backups", |plan| Box::pin(commands::backups_struck(plan))),
    ("kill restores", |plan| Box::pin(commands::restores_struck(plan))),
    ("errors of uploads", |plan| Box::pin(errors::uploads_injected(plan))),
    ("order of answers", |plan| Box::pin(order::responses_wait(plan))),
    ("full disk", |plan| Box::pin(disk::full(plan))),
    ("read-only disk", |plan| Box::pin(disk::read_only(plan))),
    ("flipped pages", |plan| Box::pin(flips::pages(plan))),
    ("flipped files", |plan| Box::pin(flips::files(plan))),
    ("mail servers", |plan| Box::pin(emails::servers(plan))),
    ("clock", |plan| Box::pin(clock::jumps(plan))),
    ("neighbours", |plan| Box::pin(neighbours::on_one_folder(plan))),
    ("file descriptors", |plan| Box::pin(neighbours::hold_every_file(plan))),
    ("kill at random", |plan| Box::pin(kills::at_random(plan))),
];

fn main() -> ExitCode {
    let plan = Plan::of_environment();
    if let Some(status) = room::enter(&plan) {
        return status;
    }
    let wanted: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    // A fault blocks its thread while it copies a folder or runs a command; the crowds of the others go on.
    let threads = 2 * LANES;
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(threads).enable_all().build().unwrap();
    let figures = runtime.block_on(async {
        tokio::select! {
            figures = inject_all(plan, &wanted) => figures,
            _ = tokio::signal::ctrl_c() => std::process::exit(130),
        }
    });
    stage::clear_away();
    print!("{figures}");
    if figures.nothing_lost() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

async fn inject_all(plan: Plan, wanted: &[String]) -> Figures {
    let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|word| name.contains(word.as_str()));
    let waiting = FAULTS.iter().enumerate().filter(|(_, (name, _))| is_wanted(name));
    let waiting = Arc::new(Mutex::new(waiting.collect::<Vec<_>>().into_iter()));
    let figures = Arc::new(Mutex::new(Figures::new(plan)));
    let lanes: Vec<_> = (0..LANES)
        .map(|_| {
            let (waiting, figures) = (waiting.clone(), figures.clone());
            tokio::spawn(async move {
                let next = || waiting.lock().unwrap().next();
                while let Some((place, (name, fault))) = next() {
                    let begun = Instant::now();
                    // A task of its own, so that a surprise ends this fault and no other.
                    let outcome = tokio::spawn(fault(plan)).await;
                    eprintln!("{name}: {:.1} s", begun.elapsed().as_secs_f64());
                    let mut figures = figures.lock().unwrap();
                    match outcome {
                        Ok(rows) => figures.add(place, rows),
                        Err(surprise) => figures.surprise(name, &surprise.to_string()),
                    }
                }
            })
        })
        .collect();
    for lane in lanes {
        lane.await.unwrap();
    }
    Arc::into_inner(figures).unwrap().into_inner().unwrap()
}
