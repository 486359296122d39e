//! List search, as one SQL function for every room.
//!
//! A row matches when each typed word occurs somewhere in its text, ignoring case, accents, apostrophes and hyphens:
//! "zoe mull" finds "Zoë Müller", "obrien" finds "O’Brien". A telephone number is found by the digits that it shows, however
//! it is typed and stored. Input is never a pattern. There is no full-text index: the
//! lists of one school are scanned in imperceptible time.

use icu_normalizer::DecomposingNormalizerBorrowed;
use icu_normalizer::properties::CanonicalCombiningClassMapBorrowed;
use rusqlite::Connection;
use rusqlite::functions::FunctionFlags;
use rusqlite::types::{ToSql, ToSqlOutput};

/// Maximum length of a search, in characters.
const MAX_CHARACTERS: usize = 200;

/// Search terms, folded like the texts they are matched against.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Terms(String);

impl Terms {
    /// Parses a search; characters after the first 200 are ignored.
    pub fn new(typed: &str) -> Self {
        let typed: String = typed.chars().take(MAX_CHARACTERS).collect();
        if let Some(number) = telephone(&typed) {
            return Self(number);
        }
        Self(fold(&typed).split_whitespace().collect::<Vec<_>>().join(" "))
    }

    /// Whether this is long enough for a search over everything: two characters, or one Chinese, Japanese or Korean
    /// character, which can be a name.
    pub fn is_enough(&self) -> bool {
        self.0.chars().nth(1).is_some() || self.0.chars().any(|c| c >= '\u{2E80}')
    }

    /// Whether there is no search term, so that every row matches.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a text contains every term.
    pub fn are_in(&self, text: &str) -> bool {
        holds(text, &self.0)
    }
}

impl ToSql for Terms {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        self.0.to_sql()
    }
}

/// Registers `matches_terms(text, terms)`: whether a text contains all of the [`Terms`]. Join fields with a space
/// (`concat_ws`), so that no word matches across two of them.
pub fn register(connection: &Connection) -> rusqlite::Result<()> {
    // Only direct statements may call it, so that no view or index makes the file depend on it.
    let flags =
        FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC | FunctionFlags::SQLITE_DIRECTONLY;
    connection.create_scalar_function("matches_terms", 2, flags, |context| {
        let words = context.get_raw(1).as_str()?;
        if words.is_empty() {
            return Ok(true);
        }
        Ok(holds(context.get_raw(0).as_str_or_null()?.unwrap_or(""), words))
    })?;
    register_names(connection, flags)
}

/// Registers `may_be_same_name(first, last, other, is_strict)`: whether two names may be one person's. See
/// [`may_be_same_name`].
fn register_names(connection: &Connection, flags: FunctionFlags) -> rusqlite::Result<()> {
    connection.create_scalar_function("may_be_same_name", 4, flags, |context| {
        let text = |index| context.get_raw(index).as_str_or_null().map(Option::unwrap_or_default);
        Ok(may_be_same_name(text(0)?, text(1)?, text(2)?, context.get::<bool>(3)?))
    })
}

/// Whether a first and a last name may be those of a full name: a part of the last name is there, in whatever case,
/// order and spelling of accents, hyphens and blanks. With `is_strict` a part of the first name is there, too.
fn may_be_same_name(first: &str, last: &str, other: &str, is_strict: bool) -> bool {
    let first = parts(first);
    let last = parts(last);
    let other = parts(other);
    let whole = other.concat();
    let has = |name: &[String]| {
        let joined = name.concat();
        // Particles such as "de" and "al" are parts of many names.
        let is_part = |part: &&String| part.chars().nth(2).is_some() || **part == joined;
        name.iter().filter(is_part).any(|part| other.contains(part))
            || joined.chars().nth(2).is_some() && whole.contains(&joined)
    };
    has(&last) && (!is_strict || has(&first))
}

/// The parts of a name, folded: words, and what hyphens join.
fn parts(name: &str) -> Vec<String> {
    let is_joint = |c: char| c.is_whitespace() || matches!(c, '-' | '‐' | '‑' | '‒' | '–' | '−');
    name.split(is_joint).map(fold).filter(|part| !part.is_empty()).collect()
}

fn holds(text: &str, words: &str) -> bool {
    let text = fold(text);
    words.split(' ').all(|word| text.contains(word))
        || (is_number(words) && joined_digits(&text).contains(words))
}

/// Digits from which on a number can be one of a telephone.
const TELEPHONE: usize = 7;

fn is_number(word: &str) -> bool {
    word.len() >= TELEPHONE && word.bytes().all(|byte| byte.is_ascii_digit())
}

/// What divides the digits of a telephone number.
fn is_divider(c: char) -> bool {
    c.is_whitespace() || "+-.()/\u{2010}\u{2011}\u{2012}\u{2013}".contains(c)
}

/// The digits of a text that is nothing but a telephone number, as they are searched: of eleven that begin with 1 the last
/// ten, and without leading zeros, which are dialled or left out.
fn telephone(text: &str) -> Option<String> {
    if !text.chars().all(|c| c.is_ascii_digit() || is_divider(c)) {
        return None;
    }
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    let digits = digits.trim_start_matches('0');
    let digits = digits.strip_prefix('1').filter(|rest| rest.len() == 10).unwrap_or(digits);
    is_number(digits).then(|| digits.to_owned())
}

/// A folded text with the digits of each number joined.
fn joined_digits(text: &str) -> String {
    let mut joined = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let is_within = is_divider(letter)
            && joined.ends_with(|c: char| c.is_ascii_digit())
            && letters.clone().find(|c| !is_divider(*c)).is_some_and(|c| c.is_ascii_digit());
        if !is_within {
            joined.push(letter);
        }
    }
    joined
}

const DECOMPOSED: DecomposingNormalizerBorrowed<'static> = DecomposingNormalizerBorrowed::new_nfkd();
const CLASSES: CanonicalCombiningClassMapBorrowed<'static> = CanonicalCombiningClassMapBorrowed::new();

/// Lower case, without diacritics, with special letters replaced by plain ones, and without apostrophes and hyphens.
/// Idempotent.
pub fn fold(text: &str) -> String {
    if text.is_ascii() {
        let mut folded = text.to_ascii_lowercase();
        folded.retain(|c| !matches!(c, '\'' | '-' | '`'));
        return folded;
    }
    let mut folded = String::with_capacity(text.len());
    // Combining marks have a class other than 0. A stand-alone acute accent is used as an apostrophe; decomposed it
    // would become a space.
    let text = text.chars().filter(|c| *c != '´');
    for letter in DECOMPOSED.normalize_iter(text).filter(|c| CLASSES.get_u8(*c) == 0) {
        for small in letter.to_lowercase() {
            match plain(small) {
                Some(letters) => folded.push_str(letters),
                None => folded.push(small),
            }
        }
    }
    folded
}

/// Letters that Unicode does not decompose, as typed on keyboards without them.
fn plain(letter: char) -> Option<&'static str> {
    Some(match letter {
        'ß' => "ss",
        'æ' => "ae",
        'œ' => "oe",
        'ø' => "o",
        'đ' | 'ð' => "d",
        'ħ' => "h",
        'ı' => "i",
        'ł' => "l",
        'ŧ' => "t",
        'þ' => "th",
        'ς' => "σ",
        // Apostrophes and hyphens, as keyboards, phones and word processors write them.
        '\'' | '`' | '‘' | '’' | 'ʹ' | 'ʻ' | 'ʼ' | '′' | '-' | '‐' | '‑' | '‒' | '–' | '−' | '­' => {
            ""
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_one_person_are_spelled_in_many_ways() {
        for (first, last, other, is_strict, expected) in [
            ("Lucía", "Núñez-Ortiz", "Lucia Nunez Ortiz", false, true),
            ("Lucía", "Núñez-Ortiz", "Lucía Núñez", false, true),
            ("Lucía", "Núñez", "LUCIA NUNEZ-ORTIZ", true, true),
            ("Wei", "Chen", "Chen Wei", true, true),
            ("Omar", "Al Farsi", "Omar Alfarsi", false, true),
            ("Omar", "Alfarsi", "Omar al-Farsi", false, true),
            ("Yu", "Li", "Li Yu", true, true),
            ("Maria", "de Souza", "Ana de Lima", false, false),
            ("Mei", "Tanaka", "Hana Tanaka", false, true),
            ("Mei", "Tanaka", "Hana Tanaka", true, false),
            ("Mei", "Tanaka", "", false, false),
        ] {
            let found = may_be_same_name(first, last, other, is_strict);
            assert_eq!(found, expected, "{first} {last} / {other}");
        }
    }

    #[test]
    fn case_and_accents_do_not_matter() {
        let table = [
            ("Zoë", "zoe"),
            ("MÜLLER", "muller"),
            ("Zoe\u{308}", "zoe"),
            ("Søren Łukasz Đặng", "soren lukasz dang"),
            ("Straße", "strasse"),
            ("İstanbul ıI", "istanbul ii"),
            ("O’Connor", "oconnor"),
            ("O'Brien-Nuñez", "obriennunez"),
            ("d`Arcy – d´Arcy", "darcy  darcy"),
            ("ΟΔΥΣΣΕΥΣ", "οδυσσευσ"),
            ("ＡＢＣ１２", "abc12"),
            ("王小明 Иван", "王小明 иван"),
        ];
        for (text, expected) in table {
            assert_eq!(fold(text), expected);
            assert_eq!(fold(&fold(text)), expected, "folded twice");
        }
    }

    fn finds(text: Option<&str>, typed: &str) -> bool {
        let connection = Connection::open_in_memory().unwrap();
        register(&connection).unwrap();
        connection
            .query_row("select matches_terms(?, ?)", (text, Terms::new(typed)), |row| row.get(0))
            .unwrap()
    }

    #[test]
    fn every_word_must_occur_and_input_is_never_a_pattern() {
        let row = "Zoë Müller-Okafor zoe_m@mail.example 100% d'accord";
        for typed in [
            "",
            "  ",
            "zoe",
            "MULL",
            "okafor  zoë",
            "\tMüller\n",
            "_m@",
            "100%",
            "’accord",
            "daccord",
            "mullerokafor",
        ] {
            assert!(finds(Some(row), typed), "{typed:?}");
        }
        for typed in ["zoe miller", "z_e", "zoe%", "zo*", "okafor.", "example100"] {
            assert!(!finds(Some(row), typed), "{typed:?}");
        }
        assert!(!finds(None, "zoe") && finds(None, ""));
    }

    #[test]
    fn a_name_is_found_however_its_apostrophe_and_its_hyphen_are_typed() {
        for name in ["Seán O'Brien-Nuñez", "Sean O’Brien‐Nunez", "Sean OʼBrien‑Nuñez", "sean obrien nunez"]
        {
            for typed in ["obrien", "o'brien", "O’BRIEN", "oʼbrien", "nunez sean", "O`Brien"] {
                assert!(finds(Some(name), typed), "{typed} in {name}");
            }
        }
        assert!(finds(Some("Fitzwilliam D'Arcy"), "darcy") && finds(Some("2026-0042"), "2026-0042"));
    }

    #[test]
    fn a_telephone_number_is_found_in_every_notation() {
        const NOTATIONS: [&str; 7] = [
            "(416) 555-7777",
            "416-555-7777",
            "416.555.7777",
            "416 555 7777",
            "4165557777",
            "+1 416 555 7777",
            "1-416-555-7777",
        ];
        for stored in NOTATIONS {
            for typed in NOTATIONS.into_iter().chain(["555-7777", "001 416 555 7777"]) {
                assert!(
                    finds(Some(&format!("Ada Lovelace {stored} ada@mail.example")), typed),
                    "{typed} in {stored}"
                );
            }
            assert!(!finds(Some(stored), "416-555-7778"));
        }
        assert!(finds(Some("+44 20 7946 0958"), "020 7946 0958"));
        assert!(finds(Some("2026-0042"), "2026-0042") && finds(Some("416-555-0100 ext. 2"), "416 555 0100"));
        assert!(!finds(Some("room 41 655 and 57777"), "4165557777"));
    }

    #[test]
    fn one_character_is_enough_where_it_is_a_name() {
        for (typed, is_enough) in [
            ("王", true),
            ("한", true),
            ("R", false),
            ("é", false),
            ("'-", false),
            ("o'", false),
            ("ab", true),
            ("И", false),
        ] {
            assert_eq!(Terms::new(typed).is_enough(), is_enough, "{typed}");
        }
    }

    #[test]
    fn input_is_cut_at_200_characters() {
        assert_eq!(Terms::new(&"é".repeat(100_000)), Terms("e".repeat(200)));
        assert!(finds(Some(&"x".repeat(200)), &"x".repeat(5000)));
    }
}
