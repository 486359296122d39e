//! Parses dates and countries in common notations.

use jiff::civil::Date;

use crate::storage::search::fold;
use crate::students::profile::COUNTRY_NAMES;
use crate::students::profile::places;

/// Other spellings of countries.
const COUNTRY_WORDS: [(&str, &str); 18] = [
    ("can", "CA"),
    ("usa", "US"),
    ("unitedstatesofamerica", "US"),
    ("uk", "GB"),
    ("greatbritain", "GB"),
    ("england", "GB"),
    ("scotland", "GB"),
    ("hongkong", "HK"),
    ("macao", "MO"),
    ("macau", "MO"),
    ("peoplesrepublicofchina", "CN"),
    ("mainlandchina", "CN"),
    ("republicofkorea", "KR"),
    ("turkey", "TR"),
    ("ivorycoast", "CI"),
    ("myanmar", "MM"),
    ("burma", "MM"),
    ("czechrepublic", "CZ"),
];

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

/// A parsed date.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum WrittenDate {
    /// One day.
    Day(Date),
    /// Ambiguous: month first, or day first.
    Either(Date, Date),
    /// None.
    None,
}

/// Parses a date: `2009-03-01`, `March 1, 2009`, `1 Mar 2009`, `13/1/2009`.
pub(super) fn date(text: &str) -> WrittenDate {
    let folded = fold(&text.replace('-', "/"));
    let words: Vec<_> =
        folded.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let &[first, second, third] = words.as_slice() else { return WrittenDate::None };
    let day = |year: &str, month: Option<i8>, day: &str| {
        let year = Some(year).filter(|year| year.len() == 4).and_then(|year| year.parse().ok())?;
        Date::new(year, month?, ordinal(day)?).ok()
    };
    let found = match (month(first), month(second)) {
        (Some(month), _) => day(third, Some(month), second),
        (_, Some(month)) if first.len() == 4 => day(first, Some(month), third),
        (_, Some(month)) => day(third, Some(month), first),
        _ if first.len() == 4 => day(first, second.parse().ok(), third),
        _ => {
            let month_first = day(third, first.parse().ok(), second);
            let day_first = day(third, second.parse().ok(), first);
            match (month_first, day_first) {
                (Some(one), Some(other)) if one != other => return WrittenDate::Either(one, other),
                _ => month_first.or(day_first),
            }
        }
    };
    found.map_or(WrittenDate::None, WrittenDate::Day)
}

/// Message for an ambiguous date.
pub(super) fn either_day(month_first: Date, day_first: Date) -> String {
    let long = |date: Date| date.strftime("%B %-d, %Y");
    format!("This can be {} or {}. Write {month_first} or {day_first}", long(month_first), long(day_first))
}

/// `1`, `1st`, `1er`.
fn ordinal(word: &str) -> Option<i8> {
    let number = word.trim_end_matches(|c: char| c.is_alphabetic());
    matches!(&word[number.len()..], "" | "st" | "nd" | "rd" | "th" | "er")
        .then(|| number.parse().ok())
        .flatten()
}

/// `march`, `mar`, `mars`; at least three letters, and unambiguous.
fn month(word: &str) -> Option<i8> {
    let is_begun = |names: &[&str; 2]| names.iter().any(|name| name.starts_with(word));
    let mut begun = (1..).zip(&MONTHS).filter(|(_, names)| word.len() >= 3 && is_begun(names));
    match (begun.next(), begun.next()) {
        (Some((number, _)), None) => Some(number),
        _ => None,
    }
}

/// The code of a country.
pub(super) fn country(text: &str) -> Option<&'static str> {
    let letters = places::letters(text);
    let by_word = COUNTRY_WORDS.iter().find(|(word, _)| *word == letters).map(|(_, code)| *code);
    by_word.or_else(|| {
        let is_meant = |(code, name): &(&String, &String)| {
            code.eq_ignore_ascii_case(&letters) || places::letters(name) == letters
        };
        COUNTRY_NAMES.iter().find(is_meant).map(|(code, _)| code.as_str())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::students::profile::COUNTRIES;

    #[test]
    fn dates_are_read_in_common_notations_and_ambiguous_ones_are_refused() {
        let day = |text: &str| text.parse::<Date>().unwrap();
        for text in [
            "2009-03-01",
            "2009/3/1",
            "March 1, 2009",
            "march 1 2009",
            "Mar. 1st, 2009",
            "1 Mar 2009",
            "1-Mar-2009",
            "1 March, 2009",
            "1er mars 2009",
            "2009 Mar 01",
        ] {
            assert_eq!(date(text), WrittenDate::Day(day("2009-03-01")), "{text}");
        }
        for (text, wanted) in [
            ("13/1/2009", "2009-01-13"),
            ("1/13/2009", "2009-01-13"),
            ("31.12.2009", "2009-12-31"),
            ("3/3/2009", "2009-03-03"),
            ("5 août 2009", "2009-08-05"),
            ("Sept 5 2009", "2009-09-05"),
        ] {
            assert_eq!(date(text), WrittenDate::Day(day(wanted)), "{text}");
        }
        for text in ["3/1/2009", "03-01-2009", "3.1.2009"] {
            assert_eq!(date(text), WrittenDate::Either(day("2009-03-01"), day("2009-01-03")), "{text}");
        }
        let asked = either_day(day("2009-03-01"), day("2009-01-03"));
        assert_eq!(asked, "This can be March 1, 2009 or January 3, 2009. Write 2009-03-01 or 2009-01-03");
        for text in [
            "",
            "2009-02-30",
            "3/1/09",
            "39873",
            "Ju 3 2009",
            "juil 2009",
            "1xx Mar 2009",
            "13/13/2009",
            "1/2/3/2009",
        ] {
            assert_eq!(date(text), WrittenDate::None, "{text}");
        }
    }

    #[test]
    fn countries_are_known_by_their_names() {
        for (text, code) in [
            ("Canada", "CA"),
            ("ca", "CA"),
            ("U.S.A.", "US"),
            ("United Kingdom", "GB"),
            ("Hong Kong", "HK"),
            ("Côte d'Ivoire", "CI"),
            ("Türkiye", "TR"),
            ("nigeria", "NG"),
        ] {
            assert_eq!(country(text), Some(code), "{text}");
        }
        assert_eq!((country("Atlantis"), country("")), (None, None));
        let codes: Vec<_> = COUNTRY_NAMES.keys().collect();
        let mut known: Vec<_> = COUNTRIES.iter().collect();
        known.sort();
        assert_eq!(codes, known);
        for (code, name) in COUNTRY_NAMES.iter() {
            assert_eq!(country(name), Some(code.as_str()), "{name}");
        }
    }
}
