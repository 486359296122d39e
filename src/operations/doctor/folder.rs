//! The data folder and the secrets: who may read them.

use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::{CheckContext, Verdict, ok, problem, warning};

const OTHERS: u32 = 0o077;

pub(super) fn data_folder(context: &CheckContext<'_>) -> anyhow::Result<Verdict> {
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

pub(super) fn permissions(context: &CheckContext<'_>) -> anyhow::Result<Verdict> {
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

/// Shows everything under a folder; what cannot be looked at is passed over, and links are not followed.
fn walk(folder: &Path, show: &mut dyn FnMut(&Path, &Metadata)) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let Ok(found) = entry.metadata() else { continue };
        show(&entry.path(), &found);
        if found.is_dir() {
            walk(&entry.path(), show);
        }
    }
}

pub(super) fn secrets(context: &CheckContext<'_>) -> anyhow::Result<Verdict> {
    if let Err(error) = context.config.mail_password() {
        return Ok(problem(error.to_string(), "Correct the path, or its permissions."));
    }
    let documents_key = context.config.documents.key_path();
    let holds_password = !context.config.mail.password.is_empty();
    let files = context
        .config_file
        .filter(|_| holds_password)
        .into_iter()
        .chain(context.config.mail.password_file.as_deref())
        .chain(context.config.https.key_file.as_deref())
        .chain(documents_key.as_deref());
    for file in files {
        if file.metadata().is_ok_and(|found| found.mode() & 0o007 != 0) {
            return Ok(problem(
                format!("everybody on this machine can read the secret in {}", file.display()),
                format!("Run `chmod o= {}`.", file.display()),
            ));
        }
    }
    Ok(match context.config_file {
        Some(file) => ok(file.display().to_string()),
        None => ok("no file; only defaults and variables"),
    })
}
