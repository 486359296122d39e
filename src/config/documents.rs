//! `[documents]`: upload limits, and the encryption key.

use std::fmt::Write;
use std::path::PathBuf;
use std::time::Duration;

use super::{ConfigError, secret};
use crate::base::budget::DecodeLimits;
use crate::base::file_encryption::Keys;
use crate::storage::data_dir::DataDir;

section! {
    /// `[documents]`
    pub struct Documents {
        /// Maximum number of documents per student.
        pub files_per_student: u32 = 50,
        /// Maximum megabytes per student.
        pub mb_per_student: u32 = 100,
        /// Maximum share of the disk for all documents, in percent.
        pub disk_percent: u32 = 50,
        /// Memory limit for checking one document, in megabytes.
        pub check_mb: u32 = 128,
        /// Processor time limit for checking one document, in seconds.
        pub check_seconds: u32 = 10,
        /// File with the key that encrypts documents on disk; systemd's credential `documents_key` is used automatically.
        /// Without a key they are not encrypted.
        pub key_file: Option<PathBuf> = None,
    }
}

impl Documents {
    /// Maximum size of one document (specification, section 3).
    pub const MAX_FILE_BYTES: u64 = 10 * 1024 * 1024;

    /// Limits for examining one file; `stored_bytes` is the limit of the stored result.
    pub fn limits(&self, stored_bytes: u64) -> DecodeLimits {
        DecodeLimits {
            memory_bytes: u64::from(self.check_mb) * 1024 * 1024,
            time: Duration::from_secs(self.check_seconds.into()),
            stored_bytes,
        }
    }

    /// Path of the key; `None` when documents are not encrypted.
    pub fn key_path(&self) -> Option<PathBuf> {
        secret(self.key_file.as_deref(), "documents_key")
    }

    /// The keys that encrypt and decrypt documents; empty when no file is configured.
    ///
    /// # Errors
    /// When the file cannot be read, holds no keys, or is in the data folder that it protects.
    pub fn keys(&self, data_dir: &DataDir) -> Result<Keys, ConfigError> {
        let Some(path) = self.key_path() else { return Ok(Keys::default()) };
        let wrong = |what: String| ConfigError(format!("documents.key_file {}: {what}", path.display()));
        if data_dir.holds(&path) {
            return Err(wrong(format!(
                "must not be in the data folder {}: a thief who takes that folder would have the key, too",
                data_dir.display()
            )));
        }
        let text = std::fs::read_to_string(&path).map_err(|error| wrong(error.to_string()))?;
        Keys::parse(&text).map_err(|error| wrong(error.to_string()))
    }

    /// Adds a line to `wrong` for each invalid value.
    pub(super) fn check(&self, wrong: &mut String) {
        if self.files_per_student == 0 {
            let _ = writeln!(wrong, "documents.files_per_student: must be at least 1 (found 0)");
        }
        if u64::from(self.mb_per_student) * 1024 * 1024 < Self::MAX_FILE_BYTES {
            let _ = writeln!(
                wrong,
                "documents.mb_per_student: must be at least 10, the size of one file (found {})",
                self.mb_per_student
            );
        }
        if !(1..=100).contains(&self.disk_percent) {
            let _ = writeln!(
                wrong,
                "documents.disk_percent: must be between 1 and 100 (found {})",
                self.disk_percent
            );
        }
        if !(16..=4096).contains(&self.check_mb) {
            let _ =
                writeln!(wrong, "documents.check_mb: must be between 16 and 4096 (found {})", self.check_mb);
        }
        if !(1..=20).contains(&self.check_seconds) {
            let _ = writeln!(
                wrong,
                "documents.check_seconds: must be between 1 and 20 (found {})",
                self.check_seconds
            );
        }
    }
}
