//! `documents-key` and `decrypt-documents`: the key of the documents on disk.

use std::fs::OpenOptions;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use anyhow::{Context, ensure};

use super::{Machine, open_database};
use crate::audit::{self, Actor};
use crate::base::file_encryption::Key;
use crate::documents::encryption;
use crate::storage::data_dir::DataDir;

/// Path of stdout, if it is a file.
const STDOUT: &str = "/proc/self/fd/1";

/// Generates a key and writes it to a private file, or to stdout.
///
/// # Errors
/// When the file exists already, cannot be written, or is in the data folder.
pub(super) fn make_key(data_dir: &DataDir, file: Option<&Path>) -> anyhow::Result<()> {
    let place = file.unwrap_or(Path::new(STDOUT));
    ensure!(
        !data_dir.holds(place),
        "the key must not be in the data folder {}: a thief who takes that folder would have the key, too",
        data_dir.display()
    );
    let key = Key::generate()?;
    let text = format!("# schoolhouse, the key of documents {}\n{}\n", key.id(), key.to_line()?);
    match file {
        None => std::io::stdout().write_all(text.as_bytes()).context("writing to stdout")?,
        Some(path) => {
            let write = || -> std::io::Result<()> {
                let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
                file.write_all(text.as_bytes())?;
                file.sync_all()
            };
            write().with_context(|| format!("writing {}", path.display()))?;
        }
    }
    eprintln!(
        "the key {} was created. Keep a copy on paper or in a password safe, away from this machine and from the \
         backups: without it the documents cannot be opened.",
        key.id()
    );
    Ok(())
}

/// Decrypts all stored documents.
///
/// # Errors
/// While a server uses the folder; when a document cannot be decrypted, which is named.
pub(super) fn decrypt(Machine { data_dir, config, clock }: Machine<'_>) -> anyhow::Result<()> {
    let keys = config.documents.keys(data_dir)?;
    let connection = open_database(data_dir)?;
    let _lock = data_dir.lock()?;
    let done = encryption::decrypt_stored(data_dir, &connection, &keys)?;
    if done > 0 {
        let detail = serde_json::json!({ "files": done });
        audit::record(&connection, &Actor::command_line(), "decrypt", "document", None, detail, clock.now())?;
    }
    println!("{done} files were decrypted");
    eprintln!(
        "Take documents.key_file out of the configuration before the server starts: it would encrypt them again. \
         Backups of before need the key; keep it for as long as you keep them."
    );
    Ok(())
}
