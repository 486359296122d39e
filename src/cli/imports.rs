//! `import-courses` and `import-students`: imports of the catalogue and of students from CSV files, also beside a
//! running server.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, bail};

use super::{Machine, open_database, progress};
use crate::audit::Actor;
use crate::courses::import::CourseImport;
use crate::records::import::Importer;
use crate::storage::data_dir::DataDir;
use crate::students::profile::Profile;
use crate::web::sheet::{DateOrders, Import, Importing};

/// Pause between two transactions; a server that waits for the lock polls every 10 ms.
const PAUSE: Duration = Duration::from_millis(25);

/// Reads a CSV file and adds or updates its courses.
///
/// # Errors
/// Problems of the file by line and column, or database errors.
pub(super) fn import_courses(machine: Machine<'_>, file: &Path, is_dry_run: bool) -> anyhow::Result<()> {
    let import = CourseImport { actor: Actor::command_line(), now: machine.clock.now() };
    run(machine.data_dir, import, file, is_dry_run)
}

/// Reads a CSV file and adds or updates its students.
///
/// # Errors
/// Problems of the file by line and column, or database errors.
pub(super) fn import_students(
    Machine { data_dir, config, clock }: Machine<'_>,
    file: &Path,
    is_dry_run: bool,
    is_invited: bool,
) -> anyhow::Result<()> {
    let actor = Actor::command_line();
    let today = clock.today(&config.school().zone());
    let config = Arc::new(config.clone());
    let orders = DateOrders::default();
    let import = Importer { config, actor, user_id: None, is_invited, today, now: clock.now(), orders };
    run(data_dir, import, file, is_dry_run)
}

fn run<I: Import>(data_dir: &DataDir, import: I, file: &Path, is_dry_run: bool) -> anyhow::Result<()> {
    let bytes = std::fs::read(file).with_context(|| format!("reading {}", file.display()))?;
    let mut connection = open_database(data_dir)?;
    let mut importing = Importing::open(import, bytes);
    let problems = &importing.validate(&connection)?.problems;
    if !problems.is_empty() {
        bail!("{} was not imported:\n{problems}", file.display());
    }
    if is_dry_run {
        let would = importing.announced();
        println!(
            "{} would be added, {} would be updated, {} unchanged",
            would.added, would.updated, would.unchanged
        );
        return Ok(());
    }
    let bar = progress("lines");
    let written = importing.write(&mut connection, &mut |done, rows| {
        bar.set_length(rows as u64);
        bar.set_position(done as u64);
        std::thread::sleep(PAUSE);
    });
    bar.finish_and_clear();
    written.with_context(|| {
        format!(
            "{} of {} lines were imported; import the same file again to do the rest",
            importing.rows_done(),
            importing.rows()
        )
    })?;
    let done = importing.done();
    println!("{} added, {} updated, {} unchanged", done.added, done.updated, done.unchanged);
    if !done.problems.is_empty() {
        bail!(
            "these lines were skipped, because their data was changed by others meanwhile:\n{}",
            done.problems
        );
    }
    Ok(())
}

/// Help text for the file of students.
pub(super) fn student_file() -> String {
    let (last, others) = Profile::WIRE[1..].split_last().unwrap_or((&"", &[]));
    format!(
        "The file, with the columns email and fullName, and optionally those of the profile: {} and {last}",
        others.join(", ")
    )
}
