//! The final table: what was tried, what survived, what was lost.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use crate::plan::Plan;
use crate::stage;

/// What came of one kind of fault.
#[derive(Debug, Default)]
pub struct Row {
    pub fault: String,
    /// How the attempts are counted in the sums.
    pub kind: Kind,
    pub tried: u64,
    pub survived: u64,
    /// Acknowledged and gone, half done, or not what the fault should leave.
    pub lost: u64,
    /// From the start of the program, or the end of the fault, until it is ready.
    pub worst_recovery: Duration,
    /// Observations for readers of the table.
    pub note: String,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Kill,
    Error,
    #[default]
    Other,
}

impl Row {
    pub fn new(fault: &str, kind: Kind) -> Self {
        Self { fault: fault.to_owned(), kind, ..Self::default() }
    }

    /// Counts one attempt; `problems` are printed at once.
    pub fn count(&mut self, occasion: &str, problems: &[String]) {
        self.tried += 1;
        self.lost += problems.len() as u64;
        if problems.is_empty() {
            self.survived += 1;
        }
        for problem in problems {
            eprintln!("LOST  {}, {occasion}: {problem}", self.fault);
        }
    }

    pub fn recovered(&mut self, after: Duration) {
        self.worst_recovery = self.worst_recovery.max(after);
    }
}

pub struct Figures {
    plan: Plan,
    /// By the place of their fault in the list.
    rows: BTreeMap<usize, Vec<Row>>,
    surprises: Vec<String>,
}

impl Figures {
    pub fn new(plan: Plan) -> Self {
        Self { plan, rows: BTreeMap::new(), surprises: Vec::new() }
    }

    pub fn add(&mut self, place: usize, rows: Vec<Row>) {
        self.rows.insert(place, rows);
    }

    fn rows(&self) -> impl Iterator<Item = &Row> {
        self.rows.values().flatten()
    }

    /// A fault that could not be carried through.
    pub fn surprise(&mut self, fault: &str, what: &str) {
        self.surprises.push(format!("{fault}: {what}"));
    }

    pub fn nothing_lost(&self) -> bool {
        self.surprises.is_empty() && self.rows().all(|row| row.lost == 0)
    }

    fn sum(&self, kind: Kind) -> u64 {
        self.rows().filter(|row| row.kind == kind).map(|row| row.tried).sum()
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Plan { is_full, seed, .. } = self.plan;
        writeln!(out, "\n{} form, seed {seed}", if is_full { "full" } else { "short" })?;
        writeln!(out, "{:52} {:>6} {:>8} {:>5} {:>11}", "fault", "tried", "survived", "lost", "recovery ms")?;
        for row in self.rows() {
            let recovery = row.worst_recovery.as_millis();
            let recovery = if recovery == 0 { "-".to_owned() } else { recovery.to_string() };
            let Row { fault, tried, survived, lost, note, .. } = row;
            writeln!(out, "{fault:52} {tried:6} {survived:8} {lost:5} {recovery:>11}  {note}")?;
        }
        let lost: u64 = self.rows().map(|row| row.lost).sum();
        let (kills, errors) = (self.sum(Kind::Kill), self.sum(Kind::Error));
        let undisturbed = stage::undisturbed_start().as_millis();
        writeln!(out, "a start where nothing had happened before took {undisturbed} ms at most")?;
        writeln!(out, "{kills} kills, {errors} injected errors, {lost} lost")?;
        self.surprises.iter().try_for_each(|surprise| writeln!(out, "SURPRISE  {surprise}"))
    }
}
