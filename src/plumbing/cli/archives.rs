//! `backup`, `verify` and `restore`: archives of the whole school.

use std::io::{BufRead, IsTerminal, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use clap::Args;

use super::progress_of_bytes;
use crate::plumbing::backup::restore::Closed;
use crate::plumbing::backup::{self, Stage};
use crate::plumbing::clock::Clock;
use crate::plumbing::config::Config;

/// Writes an archive and prints its path.
///
/// # Errors
/// When this is no school's folder, or the backup fails.
pub(super) fn make_backup(data_dir: &Path, dest: Option<&Path>, clock: &Clock) -> anyhow::Result<()> {
    backup::settle(data_dir)?;
    ensure!(
        data_dir.join("schoolhouse.db").exists(),
        "{} is not the data folder of a school (schoolhouse.db is missing)",
        data_dir.display()
    );
    let bar = progress_of_bytes();
    let path = backup::backup(data_dir, dest, clock, &mut |stage, done, total| {
        bar.set_message(match stage {
            Stage::Pack => "packing",
            Stage::Check => "checking",
        });
        bar.set_length(total);
        bar.set_position(done);
    });
    bar.finish_and_clear();
    println!("{}", path?.display());
    Ok(())
}

/// Checks an archive and prints what is in it.
///
/// # Errors
/// The first thing that is wrong with it.
pub(super) fn verify(data_dir: &Path, archive: &Path, config: &Config) -> anyhow::Result<()> {
    // The data folder's disk has room for a school; the system's temporary folder may be memory.
    let beside = archive.canonicalize().ok().and_then(|archive| archive.parent().map(Path::to_owned));
    let own = Some(data_dir.join("tmp")).filter(|tmp| tmp.is_dir());
    let places: Vec<_> = [own, Some(std::env::temp_dir()), beside].into_iter().flatten().collect();
    let contents = watched("checking", |tell| backup::verify(archive, &places, tell))?;
    println!("{} is whole:\n{}", archive.display(), contents.in_words(&config.school.zone()));
    Ok(())
}

#[derive(Args)]
pub(super) struct Restore {
    /// The archive
    archive: PathBuf,
    /// Set aside the school that is there without asking
    #[arg(long)]
    yes: bool,
}

/// Puts an archive's school in place of what is in the data folder.
///
/// # Errors
/// While a school is served from it; when it is not empty and nobody agrees; when the archive is
/// damaged or there is no room.
pub(super) fn restore(
    data_dir: &Path,
    restore: &Restore,
    config: &Config,
    clock: &Clock,
) -> anyhow::Result<()> {
    let folder = Closed::lock(data_dir)?;
    let is_confirmed = restore.yes || folder.is_empty()?;
    ensure!(
        is_confirmed || std::io::stdin().is_terminal(),
        "{} is not empty; with --yes the school in it is set aside and the archive's takes its place",
        data_dir.display()
    );
    let restored = watched("restoring", |tell| folder.restore(&restore.archive, clock, tell))?;
    let words = restored.contents().in_words(&config.school.zone());
    if !is_confirmed {
        eprintln!("{} is whole:\n{words}", restore.archive.display());
        ensure!(agrees(data_dir)?, "nothing was changed");
    }
    let aside = restored.put_in_place()?;
    println!("{} holds\n{words}", data_dir.display());
    if let Some(aside) = aside {
        println!("what was there before is in {}; delete it when it is no longer needed", aside.display());
    }
    Ok(())
}

fn agrees(data_dir: &Path) -> anyhow::Result<bool> {
    eprint!(
        "It will take the place of what is in {}, which is kept in a folder beside it. Everybody is \
         signed out. Go on? [y/N] ",
        data_dir.display()
    );
    std::io::stderr().flush()?;
    let mut answer = String::new();
    std::io::stdin().lock().read_line(&mut answer).context("reading the answer")?;
    Ok(matches!(answer.trim().to_lowercase().as_str(), "y" | "yes"))
}

/// Does something with a bar that shows the bytes.
fn watched<T>(
    what: &'static str,
    work: impl FnOnce(&mut dyn FnMut(u64, u64)) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    let bar = progress_of_bytes().with_message(what);
    let outcome = work(&mut |done, total| {
        bar.set_length(total);
        bar.set_position(done);
    });
    bar.finish_and_clear();
    outcome
}
