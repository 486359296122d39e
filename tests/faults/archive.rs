//! An independent check of a backup, by its manifest alone.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use rusqlite::Connection;
use schoolhouse::testing::{
    backup::{CONFIGURATION, DATABASE, MANIFEST, Manifest, document_path},
    hex,
};
use sha2::{Digest, Sha256};

use crate::inspection::check_database;

/// What is wrong with an archive that has its final name.
pub fn check(path: &Path) -> Vec<String> {
    let name = path.file_name().unwrap().to_string_lossy();
    match read(path) {
        Ok(problems) => problems.into_iter().map(|problem| format!("{name}: {problem}")).collect(),
        Err(error) => vec![format!("{name} cannot be read: {error}")],
    }
}

fn read(path: &Path) -> std::io::Result<Vec<String>> {
    let mut archive = tar::Archive::new(zstd::Decoder::new(File::open(path)?)?);
    let mut found = BTreeMap::new();
    for entry in archive.entries()? {
        let mut entry = entry?;
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes)?;
        found.insert(entry.path()?.to_string_lossy().into_owned(), bytes);
    }
    let manifest: Manifest = serde_json::from_slice(&found.remove(MANIFEST).unwrap_or_default())?;
    let mut problems = Vec::new();
    let database = found.get(DATABASE).cloned().unwrap_or_default();
    let named = manifest.documents.into_iter().map(|entry| (document_path(&entry.sha256), entry));
    let configuration = manifest.configuration.map(|entry| (CONFIGURATION.to_owned(), entry));
    for (name, entry) in named.chain(configuration).chain([(DATABASE.to_owned(), manifest.database)]) {
        match found.remove(&name) {
            Some(bytes) if hex(&Sha256::digest(&bytes)) == entry.sha256 => {}
            Some(_) => problems.push(format!("{name} is another")),
            None => problems.push(format!("{name} is missing")),
        }
    }
    problems.extend(found.into_keys().map(|name| format!("{name} is too much")));
    let copy = tempfile::NamedTempFile::new()?;
    std::fs::write(copy.path(), database)?;
    problems.extend(check_database(&Connection::open(copy.path()).unwrap()));
    Ok(problems)
}
