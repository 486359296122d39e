//! Faults, injected into the real binary, with figures: what was tried, what survived, what was lost.
//!
//! `FAULTS=full` tries everything (`make faults`); otherwise a short form of each kind runs. A word
//! on the command line runs only the faults whose name holds it. It has no test harness of its
//! own: faults come one after the other, so that they do not slow each other's recovery, and the
//! table is the last thing said. Anything lost, and any surprise, ends it with status 1.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test stops at the first surprise"
)]

mod archive;
mod commands;
mod crowd;
mod disk;
mod errors;
mod figures;
mod inspection;
mod kills;
mod order;
mod plan;
mod room;
mod stage;
#[path = "../http/support.rs"]
#[expect(dead_code, reason = "shared with the tests over HTTP, which use all of it")]
mod support;
mod tracer;

use std::pin::Pin;
use std::process::ExitCode;
use std::time::Instant;

use figures::{Figures, Row};
use plan::Plan;

/// A kind of fault: injects it as often as the plan says and answers what came of it.
type Fault = fn(Plan) -> Pin<Box<dyn Future<Output = Vec<Row>> + Send>>;

const FAULTS: &[(&str, Fault)] = &[
    ("kill writes", |plan| Box::pin(kills::writes_struck(plan))),
    ("kill uploads", |plan| Box::pin(kills::uploads_struck(plan))),
    ("kill backups", |plan| Box::pin(commands::backups_struck(plan))),
    ("kill restores", |plan| Box::pin(commands::restores_struck(plan))),
    ("kill migrations", |plan| Box::pin(commands::migrations_struck(plan))),
    ("errors of writes", |plan| Box::pin(errors::injected(plan))),
    ("errors of uploads", |plan| Box::pin(errors::uploads_injected(plan))),
    ("order of answers", |plan| Box::pin(order::answers_wait(plan))),
    ("full disk", |plan| Box::pin(disk::full(plan))),
    ("read-only disk", |plan| Box::pin(disk::read_only(plan))),
    ("kill at random", |plan| Box::pin(kills::at_random(plan))),
];

fn main() -> ExitCode {
    let plan = Plan::of_environment();
    if let Some(status) = room::enter(&plan) {
        return status;
    }
    let wanted: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let figures = runtime.block_on(async {
        tokio::select! {
            figures = inject_all(plan, &wanted) => figures,
            _ = tokio::signal::ctrl_c() => std::process::exit(130),
        }
    });
    print!("{figures}");
    if figures.nothing_lost() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

async fn inject_all(plan: Plan, wanted: &[String]) -> Figures {
    let mut figures = Figures::of(plan);
    for (name, fault) in FAULTS {
        if !wanted.is_empty() && !wanted.iter().any(|word| name.contains(word.as_str())) {
            continue;
        }
        let begun = Instant::now();
        // A task of its own, so that a surprise ends this fault and no other.
        match tokio::spawn(fault(plan)).await {
            Ok(rows) => figures.add(rows),
            Err(surprise) => figures.surprise(name, &surprise.to_string()),
        }
        eprintln!("{name}: {:.1} s", begun.elapsed().as_secs_f64());
    }
    figures
}
