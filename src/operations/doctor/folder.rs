//! Checks of the data folder and secrets: permissions and ownership.

use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use anyhow::anyhow;

use super::{CheckContext, CheckOutcome, network, ok, problem, warning};
use crate::config::{self, ServerProcess};
use crate::operations::age;
use crate::operations::backup::places::{self, LastArchive, Place};
use crate::operations::backup::restored;

const OTHERS: u32 = 0o077;

pub(super) fn data_folder(context: &CheckContext<'_>) -> anyhow::Result<CheckOutcome> {
    let path = context.data_dir;
    let Ok(found) = path.metadata() else {
        return Ok(problem(
            format!("{} is not there", path.display()),
            "Is --data-dir right? The folder is created by the first `schoolhouse serve`.",
        ));
    };
    if !found.is_dir() {
        return Ok(problem(format!("{} is not a folder", path.display()), "Is --data-dir right?"));
    }
    if found.mode() & OTHERS != 0 {
        return Ok(problem(
            format!("others can open {} (mode {:o})", path.display(), found.mode() & 0o777),
            format!("Run `chmod 700 {}`.", path.display()),
        ));
    }
    Ok(ok(format!("{}, mode 700, user {}", path.display(), found.uid())))
}

pub(super) fn permissions(context: &CheckContext<'_>) -> anyhow::Result<CheckOutcome> {
    let Ok(folder) = context.data_dir.metadata() else {
        return Ok(warning("not checked, because there is no data folder", "See Data folder."));
    };
    let mut files = 0_usize;
    let mut open: Vec<PathBuf> = Vec::new();
    let mut foreign: Vec<PathBuf> = Vec::new();
    walk(context.data_dir, &mut |path, found| {
        files += 1;
        if found.mode() & OTHERS != 0 {
            open.push(path.to_owned());
        }
        if found.uid() != folder.uid() {
            foreign.push(path.to_owned());
        }
    });
    let folder = context.data_dir.display();
    if let Some(first) = foreign.first() {
        return Ok(problem(
            format!("{} of {files} belong to another user, {} among them", foreign.len(), first.display()),
            format!("Stop the server, run `chown -R --reference={folder} {folder}/`, and start it again."),
        ));
    }
    if let Some(first) = open.first() {
        return Ok(problem(
            format!("{} of {files} can be read by others, {} among them", open.len(), first.display()),
            format!("Run `chmod -R go= {folder}/`."),
        ));
    }
    Ok(ok(format!("{files} files and folders, accessible to their owner only")))
}

/// Visits everything under a folder; unreadable entries are skipped, and links are not followed.
fn walk(folder: &Path, show: &mut dyn FnMut(&Path, &Metadata)) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let Ok(found) = entry.metadata() else { continue };
        show(&entry.path(), &found);
        if found.is_dir() {
            walk(&entry.path(), show);
        }
    }
}

pub(super) fn secrets(context: &CheckContext<'_>) -> anyhow::Result<CheckOutcome> {
    if let Err(error) = context.config.mail_password() {
        return Ok(problem(error.to_string(), "Correct the path, or its permissions."));
    }
    let config = context.config;
    let holds_password = !config.mail.password.is_empty();
    let key_file = config.https.files().map(|(_, key)| key);
    let documents_key = config.documents.key_path();
    let files = [
        ("config.toml", context.config_file.filter(|_| holds_password)),
        ("smtp_password", config.mail.password_file.as_deref()),
        ("tls_key", key_file.as_deref()),
        ("documents_key", documents_key.as_deref()),
        ("backup_identity", config.backup.identity_file.as_deref()),
    ];
    for (name, file) in files.into_iter().filter_map(|(name, file)| Some((name, file?))) {
        if file.metadata().is_ok_and(|found| found.mode() & 0o007 != 0) {
            return Ok(problem(
                format!("every user on this machine can read the secret in {}", file.display()),
                config::protection(file, name, context.data_dir),
            ));
        }
    }
    if let Some(found) = restored::obstacle(context.data_dir, config) {
        return Ok(problem(found, "Until then the server does not start."));
    }
    Ok(match context.config_file {
        Some(file) => ok(file.display().to_string()),
        None => ok("no file; only defaults and variables"),
    })
}

/// Checks that the server can read the configured files.
pub(super) fn named_files(context: &CheckContext<'_>) -> anyhow::Result<CheckOutcome> {
    let obstacles = config::obstacles_to_files(context.config, context.config_file, context.data_dir);
    if obstacles.is_empty() {
        return Ok(ok("the server can read every file that the configuration names"));
    }
    let found: Vec<_> = obstacles.iter().map(|obstacle| obstacle.found.as_str()).collect();
    Ok(problem(found.join("; "), config::advice(&obstacles)))
}

/// Checks that the server can write archives into the configured folder.
pub(super) fn backups(context: &CheckContext<'_>) -> anyhow::Result<CheckOutcome> {
    let process = network::holder(context).map_or(ServerProcess::Next, ServerProcess::Running);
    Ok(match config::obstacle_to_backups(context.config, context.data_dir, process) {
        Some(obstacle) => problem(obstacle.found.clone(), config::advice(&[obstacle])),
        None => backup_disk(context)?,
    })
}

/// Whether the folder's disk is mounted, and whether any archive went to another disk or machine.
fn backup_disk(context: &CheckContext<'_>) -> anyhow::Result<CheckOutcome> {
    let own = context.data_dir.backups();
    let folder = context.config.backup.folder().unwrap_or(&own);
    let shown = folder.display();
    let (Ok(place), Ok(connection)) = (Place::look(context.data_dir, folder), context.connection()) else {
        return Ok(ok(shown.to_string()));
    };
    let wrong = |error| anyhow!("{error}");
    if let Some(found) = place.obstacle(connection).map_err(wrong)? {
        return Ok(problem(found, Place::advice()));
    }
    if place.is_separate {
        return Ok(ok(format!("{shown}, on a disk of its own")));
    }
    Ok(match places::newest_elsewhere(connection, context.now).map_err(wrong)? {
        Some(LastArchive { folder, last_at }) => {
            let elsewhere = if folder == "-" { "another machine" } else { &folder };
            let ago = age(context.now.duration_since(last_at));
            ok(format!("{shown}; the last archive went to {elsewhere} {ago} ago"))
        }
        None => warning(
            format!("{shown} is on the system's disk, and no archive of the last week went elsewhere"),
            "A disk that fails takes the school and its backups. The guide's section 6 has three ways to another \
             disk or machine.",
        ),
    })
}
