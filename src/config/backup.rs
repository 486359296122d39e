//! `[backup]`: time, folder, retention and encryption of backups.

use std::path::{Path, PathBuf};

use jiff::civil::time;
use serde::{Deserialize, Serialize};

use super::values::{self, TimeOfDay};
use crate::base::age::Recipient;

/// `[backup]`
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Backup {
    /// Start time of the nightly backup, in the school's time zone; `None` turns it off.
    #[serde(with = "values::optional")]
    pub nightly_at: Option<TimeOfDay>,
    /// Destination folder. Empty: `backups/` in the data folder.
    pub folder: PathBuf,
    /// Number of days, weeks and months to keep an archive of; 0 keeps all.
    pub keep: usize,
    /// Recipients that the archives are encrypted for; without any, they are not encrypted.
    #[serde(with = "values::list")]
    pub age_recipient: Vec<Recipient>,
}

impl Default for Backup {
    fn default() -> Self {
        Self {
            nightly_at: Some(TimeOfDay(time(2, 30, 0, 0))),
            folder: PathBuf::new(),
            keep: 7,
            age_recipient: Vec::new(),
        }
    }
}

impl Backup {
    /// The folder for the nightly archives, if it is not the one in the data folder.
    pub fn folder(&self) -> Option<&Path> {
        Some(&*self.folder).filter(|folder| !folder.as_os_str().is_empty())
    }
}
