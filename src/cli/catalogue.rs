//! `import-courses`: the catalogue from a spreadsheet.

use std::path::Path;

use anyhow::{Context, anyhow};

use super::{open_database, progress};
use crate::base::clock::Clock;
use crate::courses::import;
use crate::storage::data_dir::DataDir;

/// Reads a CSV file and adds or updates its courses, all or none.
///
/// # Errors
/// Every mistake in the file by line and column; or a database that cannot be written.
pub(super) fn import_courses(
    data_dir: &DataDir,
    file: &Path,
    dry_run: bool,
    clock: &Clock,
) -> anyhow::Result<()> {
    let bytes = std::fs::read(file).with_context(|| format!("reading {}", file.display()))?;
    let sheet = import::read(&bytes)
        .map_err(|problems| anyhow!("{} was not imported:\n{}", file.display(), import::report(&problems)))?;
    let mut connection = open_database(data_dir)?;
    let bar = progress("courses");
    let outcome = import::apply(&mut connection, &sheet, dry_run, clock.now(), &mut |done, total| {
        bar.set_length(total as u64);
        bar.set_position(done as u64);
    });
    bar.finish_and_clear();
    let outcome = outcome?;
    let would = if dry_run { "would be " } else { "" };
    println!(
        "{} {would}added, {} {would}updated, {} unchanged",
        outcome.added, outcome.updated, outcome.unchanged
    );
    Ok(())
}
