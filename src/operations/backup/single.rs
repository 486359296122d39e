//! Restores a single document from an archive, in place or to a separate file.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use anyhow::{Context, ensure};
use rusqlite::{Connection, OpenFlags, OptionalExtension};

use super::reader::Unpack;
use super::{DATABASE, document_path, private_folder, verify};
use crate::base::age::Identities;
use crate::base::file_encryption::Keys;
use crate::documents::file::{Encryption, StoredFile};
use crate::storage::columns::Columns;
use crate::storage::data_dir::DataDir;
use crate::storage::db;
use crate::storage::statements::params;

/// An archive with its keys.
pub struct ArchiveFile<'a> {
    /// The file.
    pub path: &'a Path,
    /// Keys, for an encrypted archive.
    pub identities: Option<&'a Identities>,
}

impl ArchiveFile<'_> {
    /// Restores a lost document file of the data folder, and returns its SHA-256.
    ///
    /// # Errors
    /// When there is no such document, or the archive lacks this file or is invalid.
    pub fn put_back(
        &self,
        data_dir: &DataDir,
        id: i64,
        progress: &mut dyn FnMut(u64, u64),
    ) -> anyhow::Result<String> {
        let stored = find(&db::connect_to_inspect(&data_dir.database())?, id)?
            .with_context(|| format!("{} has no document {id}", data_dir.display()))?;
        let sha256 = stored.sha256;
        let folder = temporary_folder(data_dir)?;
        let name = document_path(&sha256);
        self.unpack(folder.path(), Unpack::Document(&sha256), progress)?;
        let unpacked = folder.path().join(&name);
        ensure!(
            unpacked.exists(),
            "the archive does not hold the file that document {id} has now; with --to FILE what it holds of the document is \
             written into a file, which the office can put in its place"
        );
        let path = data_dir.join(&name);
        let parent = path.parent().context("a document has a folder")?;
        private_folder(parent)?;
        super::belong(parent, data_dir);
        super::belong(&unpacked, data_dir);
        File::open(&unpacked)
            .and_then(|file| file.sync_all())
            .and_then(|()| fs::rename(&unpacked, &path))
            .and_then(|()| File::open(parent)?.sync_all())
            .with_context(|| format!("putting {name} in its place"))?;
        Ok(sha256)
    }

    /// Writes the archive's version of the document to a new file; `keys` decrypt it if necessary.
    ///
    /// # Errors
    /// When the archive has no such document, lacks its file or is invalid, or the new file exists already.
    pub fn write_to(
        &self,
        file: &Path,
        data_dir: &DataDir,
        id: i64,
        keys: &Keys,
        progress: &mut dyn FnMut(u64, u64),
    ) -> anyhow::Result<()> {
        let folder = temporary_folder(data_dir)?;
        self.unpack(folder.path(), Unpack::Database, progress)?;
        let database = folder.path().join(DATABASE);
        let stored = find(&db::connect_alongside(&database, OpenFlags::SQLITE_OPEN_READ_ONLY)?, id)?
            .with_context(|| format!("the archive has no document {id}"))?;
        self.unpack(folder.path(), Unpack::Document(&stored.sha256), progress)?;
        let content = stored.read(&DataDir::new(folder.path()), keys)?;
        let written = OpenOptions::new().write(true).create_new(true).mode(0o600).open(file);
        written
            .and_then(|mut to| to.write_all(&content))
            .with_context(|| format!("writing {}", file.display()))
    }

    fn unpack(
        &self,
        folder: &Path,
        unpack: Unpack<'_>,
        progress: &mut dyn FnMut(u64, u64),
    ) -> anyhow::Result<()> {
        verify::unpack(self.path, self.identities, unpack, progress, |manifest| {
            verify::ensure_room(folder, verify::needed(manifest))?;
            Ok(folder.to_owned())
        })?;
        Ok(())
    }
}

/// On the same file system as the documents, so that a file can be renamed into place.
fn temporary_folder(data_dir: &DataDir) -> anyhow::Result<tempfile::TempDir> {
    private_folder(&data_dir.tmp())?;
    tempfile::Builder::new()
        .prefix(verify::TEMPORARY)
        .tempdir_in(data_dir.tmp())
        .context("making a temporary folder")
}

/// Databases of older versions have no keys.
fn find(connection: &Connection, id: i64) -> anyhow::Result<Option<StoredFile>> {
    let found = connection
        .query_row("select * from student_documents where id = :id", params![id], |row| {
            Ok(StoredFile {
                document_path: row.get("document_path")?,
                sha256: row.get("sha256")?,
                encryption: match row.as_ref().column_index("key_id") {
                    Ok(_) => Encryption::of(&Columns::of(row))?,
                    Err(_) => None,
                },
                size_bytes: row.get::<_, i64>("size_bytes")?.cast_unsigned(),
            })
        })
        .optional()?;
    Ok(found)
}
