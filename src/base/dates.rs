//! Calendar dates as people write them.

use jiff::civil::Date;

/// A date in a sentence: `September 8, 2026`.
pub fn date_in_words(date: Date) -> String {
    date.strftime("%B %-d, %Y").to_string()
}
