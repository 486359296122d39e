//! Prerequisites as the catalogue writes them: one text, read by a small grammar.
//!
//! A code, codes joined by "or" and "and" ("and" binds first), a star behind a code that may be taken at the same
//! time. Any other text is a sentence: codes in it are found, but what it asks is for the office to judge.

use super::values::CourseCode;
use crate::web::form::Field;

/// Codes that the ministry replaced, each with its successor: the de-streamed grade 9 courses of 2021 to 2024,
/// and computer studies of 2023.
pub const REPLACED: [(&str, &str); 9] = [
    ("MPM1D", "MTH1W"),
    ("MFM1P", "MTH1W"),
    ("SNC1D", "SNC1W"),
    ("SNC1P", "SNC1W"),
    ("ENG1D", "ENL1W"),
    ("ENG1P", "ENL1W"),
    ("CGC1D", "CGC1W"),
    ("CGC1P", "CGC1W"),
    ("ICS2O", "ICD2O"),
];

/// A code in a prerequisite, and whether a star follows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodePattern {
    /// As the text has it.
    pub code: CourseCode,
    /// Whether it may be taken at the same time.
    pub is_concurrent: bool,
}

impl CodePattern {
    /// A word that is a course code of the ministry's form, with or without a star.
    pub fn parse(word: &str) -> Option<Self> {
        let bare = word.strip_suffix('*').unwrap_or(word);
        let code = CourseCode::parse(&Field::Value(bare.to_owned())).ok()?;
        let is_code = code.as_str() == bare && code.parts().is_some();
        is_code.then_some(Self { code, is_concurrent: bare.len() < word.len() })
    }
}

/// The codes of a prerequisite, and what stands around them.
pub fn named(text: &str) -> (Vec<CodePattern>, String) {
    let is_part = |sign: char| sign.is_ascii_alphanumeric() || sign == '*';
    let mut all = Vec::new();
    let mut rest = String::new();
    for word in text.split_inclusive(|sign| !is_part(sign)) {
        let bare = word.trim_end_matches(|sign| !is_part(sign));
        match CodePattern::parse(bare) {
            Some(one) => {
                rest.push_str(&word[bare.len()..]);
                all.push(one);
            }
            None => rest.push_str(word),
        }
    }
    (all, rest)
}

/// What a prerequisite asks for: all the courses of any one of these lists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expression(pub Vec<Vec<CodePattern>>);

impl Expression {
    /// Reads a prerequisite; none if it is a sentence.
    pub fn parse(text: &str) -> Option<Self> {
        let mut any = vec![Vec::new()];
        let mut words = text.trim().trim_end_matches('.').split_whitespace();
        loop {
            any.last_mut()?.push(CodePattern::parse(words.next()?)?);
            match words.next() {
                None => return Some(Self(any)),
                Some(join) if join.eq_ignore_ascii_case("and") => {}
                Some(join) if join.eq_ignore_ascii_case("or") => any.push(Vec::new()),
                Some(_) => return None,
            }
        }
    }
}

/// The characters by which a code counts as a prerequisite: its first five, and of a replaced code those of its
/// successor. A code of another form counts as a whole.
pub fn counted_as(code: &CourseCode) -> &str {
    let stem = stem(code);
    REPLACED.iter().find(|(old, _)| *old == stem).map_or(stem, |(_, new)| new)
}

/// The characters by which a course is known: five, whatever a school or a catalogue's row adds ("ENG4U-2"); a code
/// of another form as a whole.
pub fn stem(code: &CourseCode) -> &str {
    let text = code.as_str();
    let is_course = |head: &&str| CodePattern::parse(head).is_some();
    text.get(..5).filter(is_course).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<Vec<Vec<String>>> {
        let word = |one: &CodePattern| format!("{}{}", one.code, if one.is_concurrent { "*" } else { "" });
        Expression::parse(text).map(|read| read.0.iter().map(|all| all.iter().map(word).collect()).collect())
    }

    #[test]
    fn codes_are_joined_by_or_and_and() {
        type Case = (&'static str, &'static [&'static [&'static str]]);
        let table: [Case; 6] = [
            ("ENG3U", &[&["ENG3U"]]),
            (" MCR3U or MCT4C. ", &[&["MCR3U"], &["MCT4C"]]),
            ("MHF4U*", &[&["MHF4U*"]]),
            ("SPH3U and MCR3U*", &[&["SPH3U", "MCR3U*"]]),
            ("SPH3U and MCR3U OR SCH3U", &[&["SPH3U", "MCR3U"], &["SCH3U"]]),
            ("ESLAO or LKBBD", &[&["ESLAO"], &["LKBBD"]]),
        ];
        for (text, expected) in table {
            let expected: Vec<Vec<String>> =
                expected.iter().map(|all| all.iter().map(|one| (*one).to_owned()).collect()).collect();
            assert_eq!(read(text), Some(expected), "{text}");
        }
    }

    #[test]
    fn a_sentence_is_not_understood() {
        for text in [
            "",
            "Any university course in science",
            "ENG3U, ENG3C",
            "ENG3U or",
            "or ENG3U",
            "ENG3U or equivalent",
            "(SPH3U or SCH3U) and MCR3U",
            "eng3u",
            "ENG3U**",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn a_course_is_its_first_five_characters_and_counts_as_its_successor() {
        let code = |text: &str| CourseCode::parse(&Field::Value(text.to_owned())).unwrap();
        for (text, known, counted) in [
            ("ENG4U", "ENG4U", "ENG4U"),
            ("ENG4UX", "ENG4U", "ENG4U"),
            ("ENG4U-2", "ENG4U", "ENG4U"),
            ("MPM1D", "MPM1D", "MTH1W"),
            ("EQUIV10", "EQUIV10", "EQUIV10"),
            ("SCIENCE9", "SCIENCE9", "SCIENCE9"),
        ] {
            assert_eq!((stem(&code(text)), counted_as(&code(text))), (known, counted), "{text}");
        }
    }
}
