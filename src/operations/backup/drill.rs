//! Restore drill: restores the newest archive into a temporary folder and reads from it.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, ensure};
use rusqlite::OpenFlags;

use super::archive::digest;
use super::snapshot::StagingDir;
use super::verify::{self, Contents, TEMPORARY};
use super::{BackupInput, DATABASE, Manifest, Progress, Stage, keep, settle};
use crate::base::age::Identities;
use crate::base::clock::Clock;
use crate::config::Config;
use crate::storage::data_dir::DataDir;
use crate::storage::db;

/// Age at which a temporary folder is abandoned.
const GRACE: Duration = Duration::from_hours(24);

/// What a drill restored.
pub struct Drilled {
    /// The contents.
    pub contents: Contents,
    /// The encrypted archive that was opened with its key.
    pub opened: Option<PathBuf>,
}

/// Restores the newest archive of `folder` (default: `backups/`) and returns its contents.
///
/// Without their key, encrypted archives cannot be read here; instead one is created for the drill and restored.
///
/// # Errors
/// When there is no archive, or its first problem.
pub fn drill(
    data_dir: &DataDir,
    folder: Option<&Path>,
    config: &Config,
    clock: &Clock,
    progress: Progress<'_>,
) -> anyhow::Result<Drilled> {
    settle(data_dir)?;
    let places = [data_dir.tmp(), std::env::temp_dir()];
    let folder = folder.map_or_else(|| data_dir.backups(), Path::to_owned);
    let identities = config.backup.identities()?;
    let key = identities.as_ref();
    if let Some(archive) = keep::newest(&folder, key.is_some())?.filter(|newest| verify::is_encrypted(newest))
    {
        let contents = restore(&archive, key, &places, progress)?;
        return Ok(Drilled { contents, opened: Some(archive) });
    }
    if !config.backup.age_recipient.is_empty() {
        let staging = StagingDir::open(data_dir)?;
        let (plain, _) =
            BackupInput { data_dir, staging: &staging, config, now: clock.now() }.make_plain(progress)?;
        return Ok(Drilled { contents: restore(&plain, None, &places, progress)?, opened: None });
    }
    let newest = keep::newest(&folder, false)?
        .with_context(|| format!("there is no archive in {}", folder.display()))?;
    Ok(Drilled { contents: restore(&newest, None, &places, progress)?, opened: None })
}

fn restore(
    archive: &Path,
    identities: Option<&Identities>,
    places: &[PathBuf],
    progress: Progress<'_>,
) -> anyhow::Result<Contents> {
    let mut report = |done, total| progress(Stage::Check, done, total);
    let (folder, manifest) = verify::restore_aside(archive, identities, places, &mut report)?;
    read_a_document(folder.path(), &manifest).context("reading a document of the restored school")?;
    Ok(Contents::new(manifest))
}

/// Reads the newest document of the archive through the database, as the server does.
fn read_a_document(folder: &Path, manifest: &Manifest) -> anyhow::Result<()> {
    let connection = db::connect_alongside(&folder.join(DATABASE), OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    let mut select = connection.prepare(
        "select d.document_path, d.sha256 from student_documents d join students s on s.id = d.student_id
         order by d.id desc",
    )?;
    let mut rows = select.query([])?;
    while let Some(row) = rows.next()? {
        let path: String = row.get(0)?;
        let sha256: String = row.get(1)?;
        if manifest.documents.binary_search_by(|entry| entry.sha256.cmp(&sha256)).is_err() {
            continue;
        }
        let found = digest(File::open(folder.join(&path)).with_context(|| path.clone())?)?;
        ensure!(found.sha256 == sha256, "{path} is not what was uploaded");
        break;
    }
    Ok(())
}

/// Deletes folders that killed drills and checks left in `tmp/`, after a day.
pub fn sweep(data_dir: &DataDir) {
    for entry in fs::read_dir(data_dir.tmp()).into_iter().flatten().flatten() {
        let is_ours = entry.file_name().to_string_lossy().starts_with(TEMPORARY);
        let age = entry.metadata().and_then(|metadata| metadata.modified()).map(|at| at.elapsed());
        if is_ours && age.is_ok_and(|age| age.is_ok_and(|age| age > GRACE)) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}
