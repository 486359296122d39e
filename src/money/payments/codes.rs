//! The table `payment_codes`: what a family writes into the message of a transfer, so that the school knows whose it is.
//!
//! The database draws a code with each account (migration V72). The school's letters stand before it.

use rusqlite::Connection;

use crate::base::error::Result;
use crate::school::letters;
use crate::storage::statements::{Statements, params};

/// A student's code: `MA-7QK4D`.
///
/// # Errors
/// Database errors.
pub fn of_student(connection: &Connection, school: &str, student_id: i64) -> Result<String> {
    Ok(letters::with(school, &letters::code(connection, student_id)?))
}

/// The students whose codes are in a text, as people type and banks print them: in any case, with any punctuation or nothing
/// behind the school's letters, those of its earlier names too, the letters O, I and L for the digits that they resemble, and
/// with other words glued to its end, which its check character tells from it.
/// A code with a wrong character is in no account, so that it names no student; an account that was merged goes on as another.
///
/// # Errors
/// Database errors.
pub fn owners(connection: &Connection, school: &str, text: &str) -> Result<Vec<i64>> {
    let sql = "select coalesce(s.merged_into, s.id) from payment_codes c cross join students s on s.id = c.student_id
        where c.code = :code";
    let mut owners = Vec::new();
    let known = letters::known(connection, school)?;
    let text = as_digits(text);
    for rest in known.iter().flat_map(|letters| behind(&as_digits(letters), &text)) {
        // Alone it is whole; with something glued to it, it may be either length.
        let lengths = if rest.len() <= 6 { rest.len()..=rest.len() } else { 5..=6 };
        for length in lengths.filter(|length| (5..=6).contains(length)) {
            let found: Option<i64> = connection.find(sql, params![code = &rest[..length]])?;
            owners.extend(found.filter(|id| !owners.contains(id)));
        }
    }
    Ok(owners)
}

/// In capitals, with the letters that the alphabet of codes leaves out as the digits that they resemble.
fn as_digits(text: &str) -> String {
    let digit = |c: char| match c.to_ascii_uppercase() {
        'O' => '0',
        'I' | 'L' => '1',
        other => other,
    };
    text.chars().map(digit).collect()
}

/// Most that stands between the school's letters and a code.
const PUNCTUATION: usize = 3;

/// The letters and digits that stand behind the school's letters.
fn behind(letters: &str, text: &str) -> Vec<String> {
    let candidate = |(at, _): (usize, &str)| {
        let rest = &text[at + letters.len()..];
        // The end of a word and another word are no code: "CHINA PETER".
        if rest.starts_with(' ') && text[..at].ends_with(char::is_alphanumeric) {
            return None;
        }
        let between = rest.chars().take_while(|c| !c.is_alphanumeric()).count();
        let code = rest.chars().skip(between).take_while(char::is_ascii_alphanumeric);
        (between <= PUNCTUATION).then(|| code.collect())
    };
    text.match_indices(letters).filter_map(candidate).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::storage::db;

    #[test]
    fn a_code_differs_from_every_other_and_its_check_finds_each_wrong_character() {
        const DIGITS: &str = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
        let folder = tempfile::tempdir().unwrap();
        let connection = db::open(&folder.path().join("school.db")).unwrap();
        let code = |id: i64| -> String {
            let sql = "insert into payment_codes (id) values (:id) returning code";
            connection.one(sql, params![id]).unwrap()
        };
        let ids = (1..400).chain([1_048_575, 1_048_576, 1_048_577, 33_554_431]);
        let codes: BTreeSet<_> = ids.map(code).collect();
        assert_eq!(codes.len(), 403);
        // The highest would be drawn again.
        connection.run("delete from payment_codes where id = 33554431", []).unwrap_err();
        let is_right = |code: &str| {
            let values: Vec<usize> = code.chars().map(|c| DIGITS.find(c).unwrap()).collect();
            let (check, digits) = values.split_last().unwrap();
            let weights = [9, 7, 5, 3, 11];
            let sum: usize = digits.iter().rev().zip(weights).map(|(digit, weight)| digit * weight).sum();
            sum % 32 == *check
        };
        for code in &codes {
            assert!(is_right(code) && (5..=6).contains(&code.len()), "{code}");
            for at in 0..code.len() {
                let wrong = DIGITS.chars().filter(|digit| !code[at..].starts_with(*digit));
                for digit in wrong {
                    let wrong = format!("{}{digit}{}", &code[..at], &code[at + 1..]);
                    assert!(!is_right(&wrong), "{code} and {wrong}");
                }
            }
        }
    }
}
