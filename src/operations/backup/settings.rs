//! `[backup]`: when, where, how many, and for whom.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use jiff::civil::Time;
use serde::{Deserialize, Serialize};

use crate::base::age::Recipient;

/// `[backup]`
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// When the nightly backup begins, in the school's time zone. Empty: never.
    pub nightly_at: String,
    /// Where it goes. Empty: `backups/` in the data folder.
    pub folder: PathBuf,
    /// The days, weeks and months of which an archive is kept; 0 deletes none.
    pub keep: usize,
    /// Who alone can read the archives: age recipients, separated by spaces. Empty: not encrypted.
    pub age_recipient: String,
}

impl Default for Settings {
    fn default() -> Self {
        Self { nightly_at: "02:30".into(), folder: PathBuf::new(), keep: 7, age_recipient: String::new() }
    }
}

impl Settings {
    /// When the nightly backup begins; none when there is none.
    pub fn time(&self) -> Option<Time> {
        Time::strptime("%H:%M", &self.nightly_at).ok()
    }

    /// The folder for the nightly archives, if not the one within the data folder.
    pub fn folder(&self) -> Option<&Path> {
        Some(&*self.folder).filter(|folder| !folder.as_os_str().is_empty())
    }

    /// Whom archives are encrypted to; checked when the configuration is loaded.
    pub fn recipients(&self) -> Vec<Recipient> {
        self.age_recipient.split_whitespace().filter_map(|text| text.parse().ok()).collect()
    }

    /// Adds a line to `wrong` for each value that is not right.
    pub fn check(&self, wrong: &mut String) {
        if !self.nightly_at.is_empty() && self.time().is_none() {
            let _ = writeln!(
                wrong,
                "backup.nightly_at: must be like \"02:30\", or \"\" (found {:?})",
                self.nightly_at
            );
        }
        for text in self.age_recipient.split_whitespace() {
            if let Err(message) = text.parse::<Recipient>() {
                let _ = writeln!(wrong, "backup.age_recipient: {message}");
            }
        }
    }
}
