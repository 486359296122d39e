//! Letters as files in `mail/`, where no mail server is configured.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io::Write;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use anyhow::Context;
use jiff::Timestamp;

/// The file's name: the letter's own instant, so that a repeat replaces its file.
pub(super) fn file_name(created_at: Timestamp, mark: &str) -> String {
    format!("{}-{mark}.eml", created_at.strftime("%Y%m%dT%H%M%SZ"))
}

/// Writes a whole message under its name or not at all; it is on the disk when this answers.
///
/// # Errors
/// When the folder cannot be made, or the file cannot be written.
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

fn write_and_sync(path: &Path, message: &[u8]) -> std::io::Result<()> {
    // Readable to the owner alone: the links in it are secrets.
    let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(path)?;
    file.write_all(message)?;
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::super::message::{compose, tests::outgoing};
    use super::*;
    use crate::plumbing::config::Config;

    #[test]
    fn a_spooled_letter_is_one_private_complete_file() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("mail");
        let letter = outgoing();
        let name = file_name(letter.created_at, &letter.id.to_string());
        assert_eq!(name, "20261121T050000Z-12.eml");
        let message = compose(&letter, &Config::default()).unwrap().formatted();
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
}
