//! `[backup]`: time, folder, retention and encryption of backups.

use std::path::{Path, PathBuf};

use jiff::civil::time;

use super::values::{self, TimeOfDay};
use super::{ConfigError, secret};
use crate::base::age::{Identities, Recipient};

section! {
    /// `[backup]`
    pub struct Backup {
        /// Start time of the nightly backup, in the school's time zone; `None` turns it off.
        #[serde(with = "values::optional")]
        pub nightly_at: Option<TimeOfDay> = Some(TimeOfDay(time(2, 30, 0, 0))),
        /// Destination folder. Empty: `backups/` in the data folder.
        pub folder: PathBuf = PathBuf::new(),
        /// Number of days, weeks and months to keep an archive of; 0 keeps all.
        pub keep: usize = 7,
        /// Recipients that the archives are encrypted for; without any, they are not encrypted.
        #[serde(with = "values::list")]
        pub age_recipient: Vec<Recipient> = Vec::new(),
        /// File with their secret key, with which the weekly drill opens an archive; systemd's credential
        /// `backup_identity` precedes it.
        pub identity_file: Option<PathBuf> = None,
    }
}

impl Backup {
    /// The folder for the nightly archives, if it is not the one in the data folder.
    pub fn folder(&self) -> Option<&Path> {
        Some(&*self.folder).filter(|folder| !folder.as_os_str().is_empty())
    }

    /// The archives' secret keys, where the operator keeps them on this machine.
    ///
    /// # Errors
    /// When the file cannot be read or holds no key.
    pub fn identities(&self) -> Result<Option<Identities>, ConfigError> {
        let path = secret(self.identity_file.as_deref(), "backup_identity");
        let read = |path: PathBuf| Identities::load(&path);
        path.map(read).transpose().map_err(|error| ConfigError(format!("backup.identity_file: {error:#}")))
    }
}
