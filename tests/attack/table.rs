//! How much is tried, and the table of results.

use std::fmt;
use std::time::{Duration, Instant};

/// How much is tried.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    is_full: bool,
}

impl Plan {
    pub fn of_environment() -> Self {
        Self { is_full: std::env::var("ATTACK").is_ok_and(|how| how == "full") }
    }

    /// The number for the full form or for the short one.
    pub fn pick<T>(self, full: T, short: T) -> T {
        if self.is_full { full } else { short }
    }

    /// All of them, or every so many-th: a short form that comes by every kind of thing.
    pub fn some<T>(self, all: Vec<T>, every: usize) -> Vec<T> {
        let step = self.pick(1, every);
        all.into_iter().step_by(step).collect()
    }
}

/// What came of one kind of attack.
#[derive(Debug)]
pub struct Row {
    attack: String,
    tries: u64,
    /// What got through, the first few of it.
    broken: Vec<String>,
    note: String,
    begun: Instant,
    took: Duration,
}

impl Row {
    pub fn new(attack: &str) -> Self {
        Self {
            attack: attack.to_owned(),
            tries: 0,
            broken: Vec::new(),
            note: String::new(),
            begun: Instant::now(),
            took: Duration::ZERO,
        }
    }

    /// Counts a try; `what` is said when it got through.
    pub fn tried(&mut self, held: bool, what: impl FnOnce() -> String) {
        self.tries += 1;
        self.took = self.begun.elapsed();
        self.check(held, what);
    }

    /// Something that has to be so after the tries.
    pub fn check(&mut self, held: bool, what: impl FnOnce() -> String) {
        if !held {
            let what = what();
            eprintln!("BROKEN  {}: {what}", self.attack);
            self.broken.push(what);
        }
    }

    /// Notes for readers of the table; said at once as well, should the table not come.
    pub fn noted(mut self, note: impl Into<String>) -> Self {
        self.note = note.into();
        eprintln!("{}: {}", self.attack, self.note);
        self
    }
}

pub struct Table {
    plan: Plan,
    rows: Vec<Row>,
    surprises: Vec<String>,
}

impl Table {
    pub fn new(plan: Plan) -> Self {
        Self { plan, rows: Vec::new(), surprises: Vec::new() }
    }

    pub fn add(&mut self, rows: Vec<Row>) {
        self.rows.extend(rows);
    }

    /// An attack that could not be carried through.
    pub fn surprise(&mut self, attack: &str, what: &str) {
        self.surprises.push(format!("{attack}: {what}"));
    }

    /// An attack that was never made has not been held off.
    pub fn everything_held(&self) -> bool {
        self.surprises.is_empty() && self.rows.iter().all(|row| row.broken.is_empty() && row.tries > 0)
    }
}

impl fmt::Display for Table {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "\n{} form", if self.plan.is_full { "full" } else { "short" })?;
        writeln!(out, "{:58} {:>7} {:>6}  {:4}", "attack", "tries", "s", "held")?;
        for Row { attack, tries, broken, note, took, .. } in &self.rows {
            let held = if broken.is_empty() && *tries > 0 { "yes" } else { "NO" };
            writeln!(out, "{attack:58} {tries:7} {:6.1}  {held:4} {note}", took.as_secs_f64())?;
            broken.iter().take(5).try_for_each(|what| writeln!(out, "    {what}"))?;
        }
        let tries: u64 = self.rows.iter().map(|row| row.tries).sum();
        let held = self.rows.iter().filter(|row| row.broken.is_empty()).count();
        writeln!(out, "{} attacks, {held} held, {tries} tries", self.rows.len())?;
        self.surprises.iter().try_for_each(|surprise| writeln!(out, "SURPRISE  {surprise}"))
    }
}
