//! Calendar dates as people write them.

use jiff::civil::Date;

/// A date in a sentence: `September 8, 2026`.
pub fn date_in_words(date: Date) -> String {
    date.strftime("%B %-d, %Y").to_string()
}

/// Days from a first to a last one, both included.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DateRange {
    /// The first day.
    pub first: Date,
    /// The last day; the range is empty when it is before the first.
    pub last: Date,
}
