//! What was measured, as the tables of the README.

use std::fmt::Write;
use std::path::Path;

use anyhow::Context;
use schoolhouse::testing::Clock;

use crate::client::Outcome;
use crate::rows::{BARE, COMPARED, Cells, LEVELS, Measured, SERVER, WORK};
use crate::{Figure, microseconds, milliseconds};

const README: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");
/// Between these the README has what `--write` writes.
const BEGIN: &str = "<!-- What `make bench` measured: -->\n";
const END: &str = "<!-- The end of what `make bench` measured. -->\n";

/// The page in Markdown.
pub fn page(measured: &Measured, figures: &[Figure]) -> String {
    let mut page = format!("Measured on {}.\n\n", machine());
    page += &costs(measured);
    page += &waits(measured);
    page += &others(figures);
    page
}

/// Puts the page into the README.
///
/// # Errors
/// When the README has no place for it.
pub fn write(page: &str) -> anyhow::Result<()> {
    let readme = std::fs::read_to_string(README).context("reading the README")?;
    let (before, rest) = readme.split_once(BEGIN).context("the README has no place for the tables")?;
    let (_, after) = rest.split_once(END).context("the README has no end of the tables")?;
    std::fs::write(Path::new(README), format!("{before}{BEGIN}\n{page}\n{END}{after}"))
        .context("writing the README")
}

fn machine() -> String {
    let cores = std::thread::available_parallelism().map_or(0, std::num::NonZero::get);
    let model = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = model.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let day = Clock::System.now().strftime("%B %-d, %Y").to_string();
    format!("{cores} cores of an {}, {day}", model.map_or("unknown processor", |(_, model)| model.trim()))
}

/// Processor time for an answer, as so many times that of a bare one.
fn costs(measured: &Measured) -> String {
    let names: Vec<_> = measured.names.iter().skip(1).copied().collect();
    let mut page = format!(
        "Processor time for an answer at {COMPARED} connections, as so many times that of bare axum which takes and \
         answers as many bytes; in brackets the microseconds.\n\n| | bare axum | {} | must |\n|---|{}---|\n",
        names.join(" | "),
        "---|".repeat(names.len() + 1)
    );
    for (work, cells) in WORK.iter().zip(&measured.cells) {
        let bare = cells[BARE].as_ref().and_then(compared).unwrap_or(f64::NAN);
        let _ = write!(page, "| {} | 1 ({bare:.0}) |", work.name);
        for cell in &cells[1..] {
            match cell.as_ref().and_then(compared) {
                Some(cost) => drop(write!(page, " {:.1} ({cost:.0}) |", cost / bare)),
                None => page += " |",
            }
        }
        let _ = writeln!(page, " {} |", work.must);
    }
    page + "\n"
}

fn compared(cells: &Cells) -> Option<f64> {
    let place = LEVELS.iter().position(|level| *level == COMPARED)?;
    cells.levels.get(place)?.cpu.map(microseconds)
}

/// Rates and waits: of the server at each level, of everybody at an even pace.
fn waits(measured: &Measured) -> String {
    let mut page = String::from(
        "The server: answers a second, and milliseconds in which half and 99 % of them came.\n\n|",
    );
    for level in LEVELS {
        let _ = write!(page, " | {level} at once");
    }
    page += " | at an even pace |\n|---|---|---|---|---|\n";
    for (work, cells) in WORK.iter().zip(&measured.cells) {
        let Some(subject) = &cells[SERVER] else { continue };
        let _ = write!(page, "| {} |", work.name);
        for outcome in &subject.levels {
            let _ = write!(page, " {:.0}/s: {} |", outcome.per_second, wait(outcome));
        }
        let steady = subject.steady.as_ref().map(wait).unwrap_or_default();
        let _ = writeln!(page, " {}/s: {steady} |", work.rate);
    }
    page += "\nThe others at the same even pace:\n\n|";
    let others: Vec<usize> = (0..measured.names.len()).filter(|place| *place != SERVER).collect();
    for place in &others {
        let _ = write!(page, " | {}", measured.names[*place]);
    }
    let _ = writeln!(page, " |\n|---|{}", "---|".repeat(others.len()));
    for (work, cells) in WORK.iter().zip(&measured.cells) {
        let _ = write!(page, "| {} |", work.name);
        for place in &others {
            let steady = cells[*place].as_ref().and_then(|cells| cells.steady.as_ref());
            let _ = write!(page, " {} |", steady.map(wait).unwrap_or_default());
        }
        page += "\n";
    }
    page + "\n"
}

fn wait(outcome: &Outcome) -> String {
    format!("{:.2}, {:.2} ms", milliseconds(outcome.p50), milliseconds(outcome.p99))
}

fn others(figures: &[Figure]) -> String {
    let mut page = String::from("| | server | floor | must |\n|---|---|---|---|\n");
    for Figure { name, subject, floor, must } in figures {
        let number = |number: &Option<f64>| number.map(|number| format!("{number:.1}")).unwrap_or_default();
        let _ = writeln!(page, "| {name} | {subject:.1} | {} | {} |", number(floor), number(must));
    }
    page
}
