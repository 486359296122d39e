//! The measurements as the tables of `docs/performance.md`.

use std::fmt::Write;

use anyhow::Context;
use schoolhouse::testing::Clock;

use crate::client::Outcome;
use crate::rows::{BARE, COMPARED, Cells, LEVELS, Measured, SERVER, WORK};
use crate::{Figure, microseconds, milliseconds};

const DOCUMENT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/performance.md");
/// `--write` replaces what stands between these.
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

/// Puts the page into the document.
///
/// # Errors
/// When the document has no place for it.
pub fn write(page: &str) -> anyhow::Result<()> {
    let document = std::fs::read_to_string(DOCUMENT).context("reading docs/performance.md")?;
    let (before, rest) =
        document.split_once(BEGIN).context("docs/performance.md has no place for the tables")?;
    let (_, after) = rest.split_once(END).context("docs/performance.md has no end of the tables")?;
    std::fs::write(DOCUMENT, format!("{before}{BEGIN}\n{page}\n{END}{after}"))
        .context("writing docs/performance.md")
}

fn machine() -> String {
    let cores = std::thread::available_parallelism().map_or(0, std::num::NonZero::get);
    let model = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = model.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let day = Clock::System.now().strftime("%B %-d, %Y").to_string();
    format!("{cores} cores of an {}, {day}", model.map_or("unknown processor", |(_, model)| model.trim()))
}

/// Processor time for an answer, as a multiple of a bare one.
fn costs(measured: &Measured) -> String {
    let names: Vec<_> = measured.names.iter().skip(1).copied().collect();
    let mut page = format!(
        "Processor time per answer at {COMPARED} connections, as a multiple of bare axum, which takes and answers the \
         same number of bytes; microseconds in brackets.\n\n| | bare axum | {} | goal |\n|---|{}---|\n",
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

/// Rates and latencies: of the server at each level, of all contenders at an even rate.
fn waits(measured: &Measured) -> String {
    let mut page = String::from(
        "The server: answers per second, and the milliseconds within which half and 99 % of them arrived.\n\n|",
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
    let mut page = String::from("| | server | floor | goal |\n|---|---|---|---|\n");
    for Figure { name, subject, floor, must } in figures {
        let number = |number: &Option<f64>| number.map(|number| format!("{number:.1}")).unwrap_or_default();
        let _ = writeln!(page, "| {name} | {subject:.1} | {} | {} |", number(floor), number(must));
    }
    page
}
