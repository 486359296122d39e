//! Countries, provinces and postal codes as people type them: one reading for every form and file.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::choices::Province;
use crate::base::closed_set::ClosedSet as _;
use crate::base::text::collapse_whitespace;
use crate::storage::search::fold;

/// The country with the 13 provinces, where a postal code is required.
pub const CANADA: &str = "CA";
/// The interface's names of the countries, by the codes of ISO 3166-1 and XK; a test compares them with the interface's codes.
pub static COUNTRY_NAMES: LazyLock<BTreeMap<String, String>> =
    LazyLock::new(|| serde_json::from_str(include_str!("country_names.json")).unwrap_or_default());

/// Names of countries that the Unicode CLDR does not have.
const COUNTRY_WORDS: [(&str, &str); 26] = [
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
    ("southkorea", "KR"),
    ("northkorea", "KP"),
    ("russianfederation", "RU"),
    ("uae", "AE"),
    ("holland", "NL"),
    ("capeverde", "CV"),
    ("swaziland", "SZ"),
    ("easttimor", "TL"),
    ("stateofpalestine", "PS"),
    ("turkey", "TR"),
    ("ivorycoast", "CI"),
    ("burma", "MM"),
    ("czechrepublic", "CZ"),
];

/// Other names in the Unicode CLDR 48, English and French, long and short, by code.
static OTHER_NAMES: LazyLock<BTreeMap<String, Vec<String>>> =
    LazyLock::new(|| serde_json::from_str(include_str!("country_words.json")).unwrap_or_default());

/// Countries that are one city: an address there names none.
const CITIES: [&str; 6] = ["GI", "HK", "MC", "MO", "SG", "VA"];

/// The code of a country by its code or a name, in English or French.
pub fn country(text: &str) -> Option<&'static str> {
    let letters = letters(text);
    if letters.is_empty() {
        return None;
    }
    let by_word = COUNTRY_WORDS.iter().find(|(word, _)| *word == letters).map(|(_, code)| *code);
    by_word.or_else(|| {
        let is_meant = |(code, name): &(&String, &String)| {
            let others = OTHER_NAMES.get(*code).into_iter().flatten();
            code.eq_ignore_ascii_case(&letters)
                || others.chain([*name]).any(|name| self::letters(name) == letters)
        };
        COUNTRY_NAMES.iter().find(is_meant).map(|(code, _)| code.as_str())
    })
}

/// Whether an address in a country names a city.
pub fn has_cities(country: Option<&str>) -> bool {
    country.is_none_or(|country| !CITIES.contains(&country))
}

/// The province of an address: in Canada its two letters, elsewhere as typed.
///
/// # Errors
/// When it is none of Canada's.
pub fn province(text: &str, country: Option<&str>) -> Result<String, String> {
    if !is_canada(country) {
        return Ok(collapse_whitespace(text));
    }
    let known = Province::from_words(text).map(|province| province.as_str().to_owned());
    known.ok_or_else(|| "Must be a province or territory of Canada, such as ON or Ontario".into())
}

/// The postal code of an address: in Canada `M5V 0A0`, with digits for letters that were typed in their places; elsewhere as
/// typed.
///
/// # Errors
/// When it is no Canadian one (Canada Post: letters and digits by turns; D, F, I, O, Q and U are not among the letters).
pub fn postal_code(text: &str, country: Option<&str>) -> Result<String, String> {
    if !is_canada(country) {
        return Ok(collapse_whitespace(text));
    }
    let typed: Vec<char> = text.to_uppercase().chars().filter(|c| c.is_alphanumeric()).collect();
    let meant = typed.iter().enumerate().map(|(place, c)| match (place % 2, c) {
        (1, 'O') => '0',
        (1, 'I' | 'L') => '1',
        _ => *c,
    });
    let code: String = meant.collect();
    let is_one = |(place, c): (usize, char)| match place % 2 {
        0 => c.is_ascii_uppercase() && !"DFIOQU".contains(c),
        _ => c.is_ascii_digit(),
    };
    match code.split_at_checked(3) {
        Some((area, unit)) if code.chars().count() == 6 && code.chars().enumerate().all(is_one) => {
            Ok(format!("{area} {unit}"))
        }
        _ => Err("Must be a Canadian postal code, such as M5V 0A0".into()),
    }
}

/// An invalid country is treated as Canada.
fn is_canada(country: Option<&str>) -> bool {
    country.is_none_or(|country| country == CANADA)
}

/// Names and abbreviations in English and French, besides the code.
const PROVINCE_WORDS: [(Province, &str); 13] = [
    (Province::Alberta, "alberta alta"),
    (Province::BritishColumbia, "britishcolumbia colombiebritannique"),
    (Province::Manitoba, "manitoba man"),
    (Province::NewBrunswick, "newbrunswick nouveaubrunswick"),
    (Province::Newfoundland, "newfoundlandandlabrador newfoundland nfld nf terreneuveetlabrador"),
    (Province::NovaScotia, "novascotia nouvelleecosse"),
    (Province::NorthwestTerritories, "northwestterritories nwt"),
    (Province::Nunavut, "nunavut"),
    (Province::Ontario, "ontario ont"),
    (Province::PrinceEdwardIsland, "princeedwardisland pei"),
    (Province::Quebec, "quebec que pq"),
    (Province::Saskatchewan, "saskatchewan sask"),
    (Province::Yukon, "yukon yukonterritory"),
];

impl Province {
    /// A province by its code, its name or an abbreviation, in English or French.
    pub fn from_words(text: &str) -> Option<Self> {
        let letters = letters(text);
        let is_meant = |(known, words): &&(Self, &str)| {
            known.as_str().eq_ignore_ascii_case(&letters) || words.split(' ').any(|word| word == letters)
        };
        PROVINCE_WORDS.iter().find(is_meant).map(|(known, _)| *known)
    }
}

/// The letters and digits of a text, lower-case and without accents.
pub fn letters(text: &str) -> String {
    fold(&text.replace('&', "and")).chars().filter(|c| c.is_alphanumeric()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn provinces_are_known_by_their_names() {
        for text in ["ON", "on", "Ontario", "ontario", "Ont.", " ONTARIO "] {
            assert_eq!(Province::from_words(text), Some(Province::Ontario), "{text}");
        }
        for (text, code) in [
            ("B.C.", "BC"),
            ("Québec", "QC"),
            ("P.E.I.", "PE"),
            ("Newfoundland & Labrador", "NL"),
            ("N.W.T.", "NT"),
        ] {
            assert_eq!(Province::from_words(text).map(Province::as_str), Some(code), "{text}");
        }
        assert_eq!((Province::from_words("Greater London"), Province::from_words("")), (None, None));
        for known in Province::ALL {
            assert_eq!(Province::from_words(known.as_str()), Some(*known));
        }
    }

    #[test]
    fn countries_are_known_by_their_names() {
        for (text, code) in [
            ("Canada", "CA"),
            ("ca", "CA"),
            ("U.S.A.", "US"),
            ("États-Unis", "US"),
            ("United Kingdom", "GB"),
            ("Royaume-Uni", "GB"),
            ("Hong Kong", "HK"),
            ("Côte d'Ivoire", "CI"),
            ("Ivory Coast", "CI"),
            ("Türkiye", "TR"),
            ("Turkey", "TR"),
            ("nigeria", "NG"),
            ("Viet Nam", "VN"),
            ("Corée du Sud", "KR"),
            ("Kosovo", "XK"),
        ] {
            assert_eq!(country(text), Some(code), "{text}");
        }
        assert_eq!((country("Atlantis"), country(""), country("-")), (None, None, None));
        let codes: Vec<_> = COUNTRY_NAMES.keys().collect();
        let offered = include_str!("../../../ui/src/school/countries.json");
        let offered: String = serde_json::from_str(offered).unwrap();
        let mut known: Vec<_> = offered.split(' ').collect();
        known.sort_unstable();
        assert_eq!(codes, known);
        let others = OTHER_NAMES.iter().flat_map(|(code, names)| names.iter().map(move |name| (code, name)));
        for (code, name) in COUNTRY_NAMES.iter().chain(others) {
            assert_eq!(country(name), Some(code.as_str()), "{name}");
        }
    }

    #[test]
    fn canadian_postal_codes_are_mended_or_refused() {
        for (typed, code) in [
            ("m5v0a0", Some("M5V 0A0")),
            (" M5V-0A0 ", Some("M5V 0A0")),
            ("K1AOB1", Some("K1A 0B1")),
            ("kla 0bI", Some("K1A 0B1")),
            ("K1A 0B", None),
            ("K1A 0B1 2", None),
            ("D1A 0B1", None),
            ("90210", None),
            ("é1A 0B1", None),
            ("", None),
        ] {
            assert_eq!(postal_code(typed, None).ok().as_deref(), code, "{typed}");
            assert_eq!(postal_code(typed, Some(CANADA)).ok().as_deref(), code, "{typed}");
        }
        assert_eq!(postal_code(" 90210  1234", Some("US")).as_deref(), Ok("90210 1234"));
    }
}
