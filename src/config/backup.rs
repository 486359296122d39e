//! `[backup]`: when, where, how many, and for whom.

use std::path::{Path, PathBuf};

use jiff::civil::time;
use serde::{Deserialize, Serialize};

use super::values::{self, TimeOfDay};
use crate::base::age::Recipient;

/// `[backup]`
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Backup {
    /// When the nightly backup begins, in the school's time zone; without a time, never.
    #[serde(with = "values::optional")]
    pub nightly_at: Option<TimeOfDay>,
    /// Where it goes. Empty: `backups/` in the data folder.
    pub folder: PathBuf,
    /// The days, weeks and months of which an archive is kept; 0 deletes none.
    pub keep: usize,
    /// Who alone can read the archives; nobody named: they are not encrypted.
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
    /// The folder for the nightly archives, if not the one within the data folder.
    pub fn folder(&self) -> Option<&Path> {
        Some(&*self.folder).filter(|folder| !folder.as_os_str().is_empty())
    }
}
