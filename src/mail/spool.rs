//! Writes emails as files in `mail/` when no mail server is configured.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io::Write;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use anyhow::Context;
use jiff::{SignedDuration, Timestamp};

/// Time prefix of file names, so that they sort by time.
const STAMP: &str = "%Y%m%dT%H%M%SZ";

/// File name from the email's own time, so that a repeat replaces its file.
pub(super) fn file_name(created_at: Timestamp, mark: &str) -> String {
    format!("{}-{mark}.eml", created_at.strftime(STAMP))
}

/// Writes a message atomically and durably.
pub(super) fn write(folder: &Path, name: &str, message: &[u8]) -> anyhow::Result<PathBuf> {
    DirBuilder::new().recursive(true).mode(0o700).create(folder).context("making the mail folder")?;
    let path = folder.join(name);
    let partial = folder.join(format!("{name}.partial"));
    let written = write_and_sync(&partial, message).and_then(|()| std::fs::rename(&partial, &path));
    if written.is_err() {
        let _ = std::fs::remove_file(&partial);
    }
    written.with_context(|| format!("writing {}", path.display()))?;
    File::open(folder).and_then(|folder| folder.sync_all()).context("syncing the mail folder")?;
    Ok(path)
}

/// Deletes files after 90 days, like sent emails in the outbox, as they contain addresses and links.
pub fn sweep_spool(folder: &Path, now: Timestamp) {
    let oldest_kept = (now - SignedDuration::from_hours(90 * 24)).strftime(STAMP).to_string();
    for file in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = file.file_name();
        let is_old = name.to_str().is_some_and(|name| name.contains(".eml") && *name < *oldest_kept);
        if is_old && let Err(error) = std::fs::remove_file(file.path()) {
            tracing::warn!("deleting an old email: {error}");
        }
    }
}

fn write_and_sync(path: &Path, message: &[u8]) -> std::io::Result<()> {
    // Readable only by the owner, as links are secrets.
    let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(path)?;
    file.write_all(message)?;
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::super::mime::{compose, tests::outgoing};
    use super::*;
    use crate::config::Config;

    #[test]
    fn a_spooled_email_is_one_private_complete_file() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("mail");
        let email = outgoing();
        let name = file_name(email.created_at, &email.id.to_string());
        assert_eq!(name, "20261121T050000Z-12.eml");
        let message = compose(&email, None, &Config::default()).unwrap().formatted();
        for _ in 0..2 {
            write(&folder, &name, &message).unwrap();
        }
        let names: Vec<_> =
            std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(names, [name.as_str()], "a repeat replaces the file and nothing else is left");
        let path = folder.join(&name);
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        let text = String::from_utf8(std::fs::read(&path).unwrap()).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        let boundary = head.split_once("boundary=\"").unwrap().1.split('"').next().unwrap();
        let parts: Vec<_> = body.split(&format!("--{boundary}")).collect();
        assert_eq!((parts.len(), parts[3]), (4, "--\r\n"), "two parts between three boundaries");
        assert!(parts[1].contains("text/plain") && parts[1].contains("https://school.example/verify?token"));
        assert!(parts[2].contains("text/html"));
    }

    #[test]
    fn emails_of_last_season_are_deleted() {
        let folder = tempfile::tempdir().unwrap();
        let kept = ["20260823T120000Z-k.eml", "20261120T090000Z-n.eml", "2020 a note.txt"];
        let gone = ["20260823T115959Z-o.eml", "20250101T000000Z-t.eml.partial"];
        for name in kept.iter().chain(&gone) {
            File::create(folder.path().join(name)).unwrap();
        }
        sweep_spool(folder.path(), "2026-11-21T12:00:00Z".parse().unwrap());
        let left = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
        let left: std::collections::BTreeSet<_> = left.collect();
        assert_eq!(left, kept.iter().map(Into::into).collect());
    }
}
