//! Replaces the old data with the restored data so that a kill at any point leaves one of them intact.
//!
//! The data folder itself is not renamed: it may be a mount point or belong to systemd. The data is built in
//! `restore.partial/` and synced, and the folder is renamed to `restore.ready/`. That rename is the commit point:
//! before it the old data is valid and the partial folder is garbage; after it the new data is valid, wherever its
//! parts are.
//!
//! [`complete`] moves the parts, and can be restarted after any of its steps: as long as a part is in `restore.ready/`,
//! the one in place is the old one. The old parts go into `before-restore-<date>-<time>/`, whose name is in the plan,
//! `restore.ready/restore.json`, so that a second run uses the same folder. The plan is deleted last.
//!
//! Call [`settle`] or [`complete`] before opening the database, so that parts of two states are never mixed. Mail,
//! backups and certificates are not parts and stay where they are.

use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::Path;

use anyhow::{Context, ensure};
use serde::{Deserialize, Serialize};

use super::{DATABASE, DOCUMENTS, private_folder};
use crate::storage::data_dir::DataDir;

/// Folder of the new data while it is unpacked.
pub(super) const PARTIAL: &str = "restore.partial";
const READY: &str = "restore.ready";
const PLAN: &str = "restore.json";
/// SQLite's files beside the old database; the new one has none. They are moved before the database: a log must never
/// be applied to another database.
const COMPANIONS: [&str; 3] = ["schoolhouse.db-wal", "schoolhouse.db-shm", "schoolhouse.db-journal"];
const PARTS: [&str; 2] = [DATABASE, DOCUMENTS];

/// The plan stored at the commit point.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct SwapPlan {
    /// The folder for the old data, within the data folder.
    pub(super) aside: String,
}

/// Commits the data in `restore.partial/` and moves it in. The caller holds the lock.
///
/// # Errors
/// Before the commit point nothing has changed; after it, [`complete`] continues where this stopped.
pub(super) fn decide(data_dir: &DataDir, plan: &SwapPlan) -> anyhow::Result<()> {
    let partial = data_dir.join(PARTIAL);
    ensure_movable(data_dir)?;
    let path = partial.join(PLAN);
    fs::write(&path, serde_json::to_vec(plan)?).context("writing the plan")?;
    super::belong(&path, data_dir);
    let folder = File::open(&partial).context("opening restore.partial")?;
    // Syncs the file system at once: a hundred thousand documents would take minutes one by one.
    rustix::fs::syncfs(&folder).context("bringing the restored school to the disk")?;
    fs::rename(&partial, data_dir.join(READY)).context("committing the restored school")?;
    sync(data_dir)?;
    complete(data_dir)
}

/// Completes a killed `restore` that had committed, and deletes the data of one that had not. The caller holds the lock
/// of the data folder.
///
/// # Errors
/// When a part cannot be moved; the next call continues from there.
pub fn complete(data_dir: &DataDir) -> anyhow::Result<()> {
    let partial = data_dir.join(PARTIAL);
    if partial.exists() {
        fs::remove_dir_all(&partial).with_context(|| format!("clearing {}", partial.display()))?;
    }
    let ready = data_dir.join(READY);
    if !ready.exists() {
        return Ok(());
    }
    let context = || format!("moving the restored school out of {}", ready.display());
    match fs::read(ready.join(PLAN)) {
        Ok(text) => {
            let plan: SwapPlan = serde_json::from_slice(&text).with_context(context)?;
            move_in(data_dir, &ready, &plan).with_context(context)?;
        }
        // The plan is deleted last, when all parts are in place.
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(error) => return Err(error).with_context(context),
    }
    fs::remove_dir(&ready).with_context(context)?;
    sync(data_dir)
}

/// Whether a data folder holds a school, or a restored one that is not moved in yet.
pub fn has_school(data_dir: &DataDir) -> std::io::Result<bool> {
    Ok(data_dir.database().try_exists()? || data_dir.join(READY).exists())
}

/// [`complete`] for a caller without the lock: a command beside a server that may be running.
///
/// # Errors
/// When a restore is in progress, or see [`complete`].
pub fn settle(data_dir: &DataDir) -> anyhow::Result<()> {
    if !data_dir.join(READY).exists() {
        return Ok(());
    }
    let _lock = data_dir.lock().context("a restore is under way; try again when it is done")?;
    complete(data_dir)
}

fn move_in(data_dir: &DataDir, ready: &Path, plan: &SwapPlan) -> anyhow::Result<()> {
    // It becomes part of a path.
    let is_name = !plan.aside.starts_with('.') && !plan.aside.contains('/');
    ensure!(is_name, "{PLAN} names an impossible folder");
    let aside = data_dir.join(&plan.aside);
    let has_old = |name: &&str| data_dir.join(name).exists();
    for part in PARTS {
        if !ready.join(part).exists() {
            continue;
        }
        let companions = if part == DATABASE { &COMPANIONS[..] } else { &[] };
        for name in companions.iter().copied().chain([part]).filter(has_old) {
            set_aside(data_dir, name, &aside).with_context(|| format!("setting {name} aside"))?;
        }
        // The old part is moved aside before the new one takes its place.
        if aside.exists() {
            sync(&aside)?;
        }
        sync(data_dir)?;
        fs::rename(ready.join(part), data_dir.join(part)).with_context(|| format!("moving {part} in"))?;
    }
    sync(data_dir)?;
    fs::remove_file(ready.join(PLAN))?;
    sync(ready)
}

fn set_aside(data_dir: &DataDir, name: &str, aside: &Path) -> anyhow::Result<()> {
    let old = data_dir.join(name);
    // Empty folders are not kept. Every start creates them, even between two steps of this.
    if old.is_dir() && fs::remove_dir(&old).is_ok() {
        return Ok(());
    }
    private_folder(aside)?;
    super::belong(aside, data_dir);
    fs::rename(&old, aside.join(name))?;
    Ok(())
}

/// A mount point or a link cannot be renamed, so this is checked first.
fn ensure_movable(data_dir: &DataDir) -> anyhow::Result<()> {
    use rustix::fs::{AtFlags, CWD, StatxFlags, statx};
    let mount = |path: &Path| {
        statx(CWD, path, AtFlags::SYMLINK_NOFOLLOW, StatxFlags::BASIC_STATS | StatxFlags::MNT_ID)
            .map(|stat| (stat.stx_dev_major, stat.stx_dev_minor, stat.stx_mnt_id))
    };
    let here = mount(&data_dir.join(PARTIAL)).context("looking at the data folder")?;
    for part in PARTS.into_iter().chain(COMPANIONS) {
        let path = data_dir.join(part);
        let Ok(metadata) = path.symlink_metadata() else { continue };
        ensure!(
            !metadata.is_symlink() && mount(&path).is_ok_and(|there| there == here),
            "{} is a link or a mount point and cannot be set aside; restore into a new data folder and \
             move the files by hand",
            path.display()
        );
    }
    Ok(())
}

fn sync(folder: &Path) -> anyhow::Result<()> {
    File::open(folder)
        .and_then(|folder| folder.sync_all())
        .with_context(|| format!("syncing the folder {}", folder.display()))
}
