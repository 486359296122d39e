//! `[documents]`: how much students may upload.

use std::fmt::Write;

use serde::{Deserialize, Serialize};

/// `[documents]`
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Documents {
    /// Documents of one student.
    pub files_per_student: u32,
    /// Megabytes of one student.
    pub mb_per_student: u32,
    /// The share of the disk that all documents together may take up, in percent.
    pub disk_percent: u32,
}

impl Default for Documents {
    fn default() -> Self {
        Self { files_per_student: 50, mb_per_student: 100, disk_percent: 50 }
    }
}

impl Documents {
    /// The size of one document (specification, section 3).
    pub const MAX_FILE_BYTES: u64 = 10 * 1024 * 1024;

    /// Adds a line to `wrong` for each value that is not right.
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
    }
}
