//! `doctor`: self-checks, reported as text or JSON.
//!
//! Promises: it works with the server running or stopped, and with a database that is damaged, missing or newer than
//! the program; it changes nothing; a check that fails is reported as a finding. To add a check, write a function and
//! list it in `CHECKS`.

mod database;
mod documents;
mod folder;
mod machine;
mod network;
mod school;

use std::cell::OnceCell;
use std::fmt::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use anyhow::Context;
use jiff::Timestamp;
use rusqlite::Connection;
use serde::Serialize;

use crate::base::clock::Clock;
use crate::base::release;
use crate::base::runtime;
use crate::base::zone_rules;
use crate::config::Config;
use crate::storage::data_dir::DataDir;
use crate::storage::db;
use crate::storage::db::integrity::Depth;

/// A check: its name and its function.
type Check = (&'static str, fn(&CheckContext<'_>) -> anyhow::Result<CheckOutcome>);

/// Every check, in the order of the report.
const CHECKS: &[Check] = &[
    ("Program", machine::program),
    ("Configuration", folder::secrets),
    ("Named files", folder::named_files),
    ("Backup folder", folder::backups),
    ("Data folder", folder::data_folder),
    ("Permissions", folder::permissions),
    ("Disk", machine::disk),
    ("Clock", machine::clock),
    ("Time zones", machine::zone_rules),
    ("Names", network::names),
    ("Public address", network::public_address),
    ("Certificate", network::certificate),
    ("Server", network::server),
    ("Service", machine::service),
    ("Database", database::integrity),
    ("References", database::references),
    ("Schema", database::schema),
    ("Total due", database::total_due),
    ("Audit trail", database::audit_trail),
    ("Write-ahead log", database::write_ahead_log),
    ("Documents", documents::named),
    ("Documents' key", documents::key),
    ("Documents' room", documents::room),
    ("Stray files", documents::stray),
    ("Backup", school::backup),
    ("Drill", school::drill),
    ("School facts", school::facts),
    ("Browsers", school::browsers),
    ("Mail server", network::mail_server),
    ("Outbox", school::outbox),
];

/// Status of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Everything is fine.
    Ok,
    /// Works, but the operator should look at it.
    Warning,
    /// Broken, or about to be.
    Problem,
}

/// Result of a check.
#[derive(Debug, Serialize)]
pub struct Finding {
    /// Name of the check.
    pub name: &'static str,
    /// Status.
    pub status: Status,
    /// Description of the state.
    pub found: String,
    /// What to do; empty if nothing.
    pub advice: String,
}

/// A finding without the name of its check.
#[derive(Debug)]
struct CheckOutcome {
    status: Status,
    found: String,
    advice: String,
}

fn ok(found: impl Into<String>) -> CheckOutcome {
    CheckOutcome { status: Status::Ok, found: found.into(), advice: String::new() }
}

fn warning(found: impl Into<String>, advice: impl Into<String>) -> CheckOutcome {
    CheckOutcome { status: Status::Warning, found: found.into(), advice: advice.into() }
}

fn problem(found: impl Into<String>, advice: impl Into<String>) -> CheckOutcome {
    CheckOutcome { status: Status::Problem, found: found.into(), advice: advice.into() }
}

/// Input of the checks.
struct CheckContext<'a> {
    data_dir: &'a DataDir,
    config: &'a Config,
    config_file: Option<&'a Path>,
    depth: Depth,
    now: Timestamp,
    runtime: tokio::runtime::Runtime,
    connection: OnceCell<Result<Connection, String>>,
}

impl CheckContext<'_> {
    fn database_file(&self) -> PathBuf {
        self.data_dir.database()
    }

    /// The database, opened once, read-only.
    fn connection(&self) -> Result<&Connection, &str> {
        let opened = self.connection.get_or_init(|| {
            db::connect_to_inspect(&self.database_file()).map_err(|error| format!("{error:#}"))
        });
        opened.as_ref().map_err(String::as_str)
    }
}

/// The database, or returns that the check needs it.
macro_rules! database_of {
    ($context:expr) => {
        match $context.connection() {
            Ok(connection) => connection,
            Err(_) => return Ok($crate::operations::doctor::unread()),
        }
    };
}
use database_of;

/// The database check reports the reason; the others do not repeat it.
fn unread() -> CheckOutcome {
    warning("not checked, because the database cannot be read", "See Database.")
}

/// Runs every check.
pub fn examine(
    data_dir: &DataDir,
    config: &Config,
    config_file: Option<&Path>,
    depth: Depth,
    clock: &Clock,
) -> anyhow::Result<Vec<Finding>> {
    let context = CheckContext {
        data_dir,
        config,
        config_file,
        depth,
        now: clock.now(),
        runtime: runtime::start().context("starting the doctor")?,
        connection: OnceCell::new(),
    };
    Ok(CHECKS.iter().map(|(name, check)| run_check(name, *check, &context)).collect())
}

fn run_check(
    name: &'static str,
    check: fn(&CheckContext<'_>) -> anyhow::Result<CheckOutcome>,
    context: &CheckContext<'_>,
) -> Finding {
    let verdict = match catch_unwind(AssertUnwindSafe(|| check(context))) {
        Ok(Ok(verdict)) => verdict,
        Ok(Err(error)) => problem(format!("could not be checked: {error:#}"), "Try again as root."),
        Err(_) => problem("the check itself failed", "Please report this, with the lines before it."),
    };
    Finding { name, status: verdict.status, found: verdict.found, advice: verdict.advice }
}

/// The findings as text, with a summary.
pub fn report(findings: &[Finding]) -> String {
    let mut text = String::new();
    for Finding { name, status, found, advice } in findings {
        let status = match status {
            Status::Ok => "ok",
            Status::Warning => "warning",
            Status::Problem => "PROBLEM",
        };
        let _ = writeln!(text, "{status:<8} {name:<15} {found}");
        if !advice.is_empty() {
            let advice = advice.replace('\n', &format!("\n{:27}", ""));
            let _ = writeln!(text, "{:<8} {:<15} -> {advice}", "", "");
        }
    }
    let _ = writeln!(text, "\n{}", summary(findings));
    text
}

/// The findings as JSON.
pub fn json(findings: &[Finding]) -> anyhow::Result<String> {
    let status = findings.iter().map(|finding| finding.status).max().unwrap_or(Status::Ok);
    Ok(serde_json::to_string_pretty(&serde_json::json!({
        "status": status,
        "version": release::NUMBER,
        "commit": release::COMMIT,
        "date": release::DATE,
        "timeZoneRules": zone_rules::IN_FORCE.release(),
        "checks": findings,
    }))?)
}

/// A one-sentence summary.
pub fn summary(findings: &[Finding]) -> String {
    let count = |status| findings.iter().filter(|finding| finding.status == status).count();
    let several = |count: usize, word: &str| format!("{count} {word}{}", if count == 1 { "" } else { "s" });
    match (count(Status::Problem), count(Status::Warning)) {
        (0, 0) => "Everything is in order.".into(),
        (0, warnings) => format!("Nothing is broken; {}.", several(warnings, "warning")),
        (problems, warnings) => {
            format!("{}, {}.", several(problems, "problem"), several(warnings, "warning"))
        }
    }
}

#[cfg(test)]
mod tests;
