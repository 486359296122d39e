//! What is asked about a date that can be two, and countries in common notations.

use jiff::civil::Date;

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

/// Message for an ambiguous date.
pub(super) fn either_day(month_first: Date, day_first: Date) -> String {
    let long = |date: Date| date.strftime("%B %-d, %Y");
    format!("This can be {} or {}. Write {month_first} or {day_first}", long(month_first), long(day_first))
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
