//! `[admissions]`: applications for a place.

use std::fmt::Write;

section! {
    /// `[admissions]` in the configuration.
    pub struct Admissions {
        /// Days within which a family should have an answer; the office's list marks what waits longer.
        pub first_answer_days: u32 = 5,
    }
}

impl Admissions {
    pub(super) fn check(&self, wrong: &mut String) {
        let found = self.first_answer_days;
        if !(1..=365).contains(&found) {
            let _ = writeln!(wrong, "admissions.first_answer_days: must be 1 to 365 (found {found})");
        }
    }
}
