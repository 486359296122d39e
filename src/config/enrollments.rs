//! `[enrollments]`: which dates a student may request.

use std::fmt::Write;

use jiff::ToSpan as _;
use jiff::civil::Date;

section! {
    /// `[enrollments]` in the configuration.
    pub struct Enrollments {
        /// Weeks since the start of a course that may still be joined.
        pub max_weeks_back: u32 = 8,
        /// Months ahead that a course may start.
        pub max_months_ahead: u32 = 18,
        /// Most months that a course may last.
        pub max_months_long: u32 = 24,
    }
}

impl Enrollments {
    /// Earliest start date for a request made today.
    pub fn earliest_start(&self, today: Date) -> Date {
        today.saturating_sub(i64::from(self.max_weeks_back).weeks())
    }

    /// Latest start date for a request made today.
    pub fn latest_start(&self, today: Date) -> Date {
        today.saturating_add(i64::from(self.max_months_ahead).months())
    }

    /// Latest end date of a course that starts on `start`.
    pub fn latest_end(&self, start: Date) -> Date {
        start.saturating_add(i64::from(self.max_months_long).months())
    }

    /// Adds a line to `wrong` for each invalid value.
    pub(super) fn check(&self, wrong: &mut String) {
        for (key, value, min, max) in [
            ("max_weeks_back", self.max_weeks_back, 0, 104),
            ("max_months_ahead", self.max_months_ahead, 1, 60),
            ("max_months_long", self.max_months_long, 1, 60),
        ] {
            if !(min..=max).contains(&value) {
                let _ = writeln!(wrong, "enrollments.{key}: must be {min} to {max} (found {value})");
            }
        }
    }
}
