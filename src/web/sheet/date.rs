//! Reads a date as people and banks write it, in English and French: the one way for every file.

use jiff::civil::Date;

use crate::base::dates::date_in_words;
use crate::storage::search::fold;

/// In English and French, without accents.
const MONTHS: [[&str; 2]; 12] = [
    ["january", "janvier"],
    ["february", "fevrier"],
    ["march", "mars"],
    ["april", "avril"],
    ["may", "mai"],
    ["june", "juin"],
    ["july", "juillet"],
    ["august", "aout"],
    ["september", "septembre"],
    ["october", "octobre"],
    ["november", "novembre"],
    ["december", "decembre"],
];

/// Years that a date can have: others are numbers of something else.
const YEARS: std::ops::RangeInclusive<i16> = 1900..=2200;

/// A date as it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WrittenDate {
    /// One day.
    Day(Date),
    /// Three numbers with the year at their end: the day if the month stands first, and if the day does.
    Numbers {
        /// Month first.
        month_first: Option<Date>,
        /// Day first.
        day_first: Option<Date>,
    },
    /// No date.
    None,
}

impl WrittenDate {
    /// Reads a date: `2026-11-26`, `20261126`, `November 26, 2026`, `1er nov. 2026`, `26.11.2026` (with points the day stands
    /// first), `11/26/2026`; a time of day may stand behind it.
    pub fn read(text: &str) -> Self {
        Self::parse(text, false)
    }

    /// The same, with years of two digits in this century.
    pub fn read_recent(text: &str) -> Self {
        Self::parse(text, true)
    }

    fn parse(text: &str, is_recent: bool) -> Self {
        let text = without_time(text.trim());
        let folded = fold(&text.replace('-', "/"));
        let words: Vec<_> =
            folded.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
        let day = |year: &str, month: Option<i8>, day: &str| {
            let number = year.parse::<i16>().ok()?;
            let year = match year.len() {
                4 if YEARS.contains(&number) => number,
                2 if is_recent => 2000 + number,
                _ => return None,
            };
            Date::new(year, month?, ordinal(day)?).ok()
        };
        let numbers = |first: &str, second: &str, year: &str| {
            let month_first = day(year, first.parse().ok(), second);
            let day_first = day(year, second.parse().ok(), first);
            match (month_first, day_first) {
                (None, None) => Self::None,
                _ if text.contains('.') => day_first.map_or(Self::None, Self::Day),
                _ => Self::Numbers { month_first, day_first },
            }
        };
        let found = match words.as_slice() {
            [one] if one.len() == 8 && one.bytes().all(|byte| byte.is_ascii_digit()) => {
                match day(&one[..4], one[4..6].parse().ok(), &one[6..]) {
                    None => return numbers(&one[..2], &one[2..4], &one[4..]),
                    found => found,
                }
            }
            &[first, second, third] => match (month(first), month(second)) {
                (Some(month), _) => day(third, Some(month), second),
                (_, Some(month)) if first.len() == 4 => day(first, Some(month), third),
                (_, Some(month)) => day(third, Some(month), first),
                _ if first.len() == 4 => day(first, second.parse().ok(), third),
                _ => return numbers(first, second, third),
            },
            _ => None,
        };
        found.map_or(Self::None, Self::Day)
    }

    /// The one day.
    ///
    /// # Errors
    /// What to write instead of a date that can be two days; `None` for what is no date.
    pub fn one(self) -> Result<Date, Option<String>> {
        match self {
            Self::Numbers { month_first: Some(one), day_first: Some(other) } if one != other => {
                let long = date_in_words;
                Err(Some(format!("This can be {} or {}. Write {one} or {other}", long(one), long(other))))
            }
            written => written.certain().ok_or(None),
        }
    }

    /// The day, unless it can be two.
    pub fn certain(self) -> Option<Date> {
        match self {
            Self::Day(day) => Some(day),
            Self::Numbers { month_first: Some(one), day_first: Some(other) } if one != other => None,
            Self::Numbers { month_first, day_first } => month_first.or(day_first),
            Self::None => None,
        }
    }
}

/// Which orders of day and month the dates of a file prove: a number above 12 is no month.
#[derive(Debug, Clone, Copy, Default)]
pub struct DateOrders {
    is_month_first: bool,
    is_day_first: bool,
}

impl DateOrders {
    /// Takes in what a cell proves.
    pub fn note(&mut self, text: &str) {
        if let WrittenDate::Numbers { month_first, day_first } = WrittenDate::read(text) {
            self.is_month_first |= day_first.is_none();
            self.is_day_first |= month_first.is_none();
        }
    }

    /// Reads a date of the file: in the order that its dates prove, where all prove the same.
    pub fn read(self, text: &str) -> WrittenDate {
        let written = WrittenDate::read(text);
        let day = match (written, self) {
            (
                WrittenDate::Numbers { month_first, .. },
                Self { is_month_first: true, is_day_first: false },
            ) => month_first,
            (WrittenDate::Numbers { day_first, .. }, Self { is_day_first: true, is_month_first: false }) => {
                day_first
            }
            _ => None,
        };
        day.map_or(written, WrittenDate::Day)
    }
}

/// Without what begins with a time of day: `T08:00`, ` 08:00 AM`.
fn without_time(text: &str) -> &str {
    let at = match text.find(':') {
        Some(colon) => text[..colon].trim_end_matches(|c: char| c.is_ascii_digit()).len(),
        None => return text,
    };
    text[..at].trim_end_matches(['T', ' ', ','])
}

/// `1`, `1st`, `1er`.
fn ordinal(word: &str) -> Option<i8> {
    let number = word.trim_end_matches(|c: char| c.is_alphabetic());
    matches!(&word[number.len()..], "" | "st" | "nd" | "rd" | "th" | "er")
        .then(|| number.parse().ok())
        .flatten()
}

/// `march`, `mar`, `mars`; at least three letters, and of one month alone.
fn month(word: &str) -> Option<i8> {
    let is_begun = |names: &[&str; 2]| names.iter().any(|name| name.starts_with(word));
    let mut begun = (1..).zip(&MONTHS).filter(|(_, names)| word.len() >= 3 && is_begun(names));
    match (begun.next(), begun.next()) {
        (Some((number, _)), None) => Some(number),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn on(text: &str) -> Date {
        text.parse().unwrap()
    }

    #[test]
    fn dates_are_read_in_common_notations() {
        for text in [
            "2009-03-01",
            "2009/3/1",
            "2009.03.01",
            "20090301",
            "2009-03-01T08:00:00",
            "2009-03-01 08:00",
            "March 1, 2009",
            "march 1 2009",
            "Mar. 1st, 2009",
            "1 Mar 2009",
            "1-Mar-2009",
            "1 March, 2009",
            "1er mars 2009",
            "2009 Mar 01",
            "1.3.2009",
        ] {
            assert_eq!(WrittenDate::read(text).certain(), Some(on("2009-03-01")), "{text}");
        }
        for (text, wanted) in [
            ("13/1/2009", "2009-01-13"),
            ("1/13/2009", "2009-01-13"),
            ("01132009", "2009-01-13"),
            ("31.12.2009", "2009-12-31"),
            ("3/3/2009", "2009-03-03"),
            ("5 ao\u{fb}t 2009", "2009-08-05"),
            ("4 juil. 2009", "2009-07-04"),
            ("15 d\u{e9}c. 2009", "2009-12-15"),
            ("3 f\u{e9}vr. 2009", "2009-02-03"),
            ("Sept 5 2009", "2009-09-05"),
            ("11/26/2009 08:00 AM", "2009-11-26"),
        ] {
            assert_eq!(WrittenDate::read(text).certain(), Some(on(wanted)), "{text}");
        }
    }

    #[test]
    fn one_date_of_a_file_decides_the_others_and_two_that_differ_none() {
        for (cells, day) in [
            (&["13/1/2009"][..], Some("2009-01-03")),
            (&["1/13/2009", "March 1, 2009"], Some("2009-03-01")),
            (&["1/13/2009", "13/1/2009"], None),
            (&["3/3/2009", "1.13.2009", ""], None),
        ] {
            let mut orders = DateOrders::default();
            for cell in cells {
                orders.note(cell);
            }
            assert_eq!(orders.read("3/1/2009").certain(), day.map(on), "{cells:?}");
        }
    }

    #[test]
    fn what_can_be_two_days_is_left_to_the_reader() {
        let both =
            WrittenDate::Numbers { month_first: Some(on("2009-03-01")), day_first: Some(on("2009-01-03")) };
        for text in ["3/1/2009", "03-01-2009", "03012009"] {
            assert_eq!(WrittenDate::read(text), both, "{text}");
        }
        let one = WrittenDate::Numbers { month_first: None, day_first: Some(on("2009-01-13")) };
        assert_eq!(WrittenDate::read("13/1/2009"), one);
        assert_eq!(WrittenDate::read("3/1/09"), WrittenDate::None, "of which century?");
        assert_eq!(WrittenDate::read_recent("3/1/09"), both);
        for text in [
            "",
            "2009-02-30",
            "39873",
            "Ju 3 2009",
            "juil 2009",
            "1xx Mar 2009",
            "13/13/2009",
            "31.13.2009",
            "1/2/3/2009",
            "00000000",
            "Transaction Date",
        ] {
            assert_eq!(WrittenDate::read(text), WrittenDate::None, "{text}");
        }
    }
}
