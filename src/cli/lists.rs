//! `import-students` and `export`: students from a spreadsheet, and every list as one.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, anyhow};
use rusqlite::TransactionBehavior;

use super::{open_database, open_existing_database};
use crate::audit::{self, Actor};
use crate::base::clock::Clock;
use crate::base::closed_set::ClosedSet;
use crate::config::Config;
use crate::records::sheets::{self, ExportList};
use crate::storage::data_dir::DataDir;
use crate::students::office::import::{Importer, Options};

/// Reads a CSV file and adds or updates its students, all or none.
///
/// # Errors
/// Every mistake in the file by line and column; or a database that cannot be written.
pub(super) fn import_students(
    data_dir: &DataDir,
    config: &Config,
    file: &Path,
    options: Options,
    clock: &Clock,
) -> anyhow::Result<()> {
    const PRINTED: usize = 100;
    let bytes = std::fs::read(file).with_context(|| format!("reading {}", file.display()))?;
    let mut connection = open_database(data_dir)?;
    // Immediate: a deferred one fails when a running school writes between its reading and writing.
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let (actor, today) = (Actor::command_line(), clock.today(&config.school.zone()));
    let importer =
        Importer { connection: &transaction, config, actor: &actor, user_id: None, today, now: clock.now() };
    let outcome = importer.import(&bytes, options)?;
    transaction.commit()?;
    if !outcome.problems.is_empty() {
        let mut lines: Vec<_> = outcome.problems.iter().take(PRINTED).cloned().collect();
        if outcome.problems.len() > PRINTED {
            lines.push(format!("and {} more", outcome.problems.len() - PRINTED));
        }
        return Err(anyhow!("{} was not imported:\n{}", file.display(), lines.join("\n")));
    }
    let would = if options.is_dry_run { "would be " } else { "" };
    println!(
        "{} {would}added, {} {would}updated, {} unchanged",
        outcome.added, outcome.updated, outcome.unchanged
    );
    Ok(())
}

/// Writes a list to a file that is not there yet, or to stdout; an audit row says that it left.
///
/// # Errors
/// When there is no such data folder, or the file cannot be written.
pub(super) fn export(
    data_dir: &DataDir,
    config: Config,
    list: ExportList,
    file: Option<&Path>,
    clock: &Clock,
) -> anyhow::Result<()> {
    let connection = open_existing_database(data_dir)?;
    let (now, config) = (clock.now(), Arc::new(config));
    let sheet = sheets::export(&connection, &config, list, now)?;
    let detail = serde_json::json!({ "rows": sheet.rows });
    audit::record(&connection, &Actor::command_line(), "export", list.as_str(), None, detail, now)?;
    match file {
        None => std::io::stdout().write_all(&sheet.bytes).context("writing to stdout"),
        Some(path) => {
            let write = || -> std::io::Result<()> {
                let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
                file.write_all(&sheet.bytes)?;
                file.sync_all()
            };
            write().with_context(|| format!("writing {}", path.display()))?;
            eprintln!("{} rows written to {}", sheet.rows, path.display());
            Ok(())
        }
    }
}
