//! The table `school_letters`: what stands before payment codes. A new name of the school brings new letters, and codes
//! given to families before stay valid.

use rusqlite::Connection;

use crate::base::error::Result;
use crate::storage::search::fold;
use crate::storage::statements::{Statements, params};

/// The capitals of a school's words without accents, at most four; `NA` if they are fewer than two.
pub fn of(school: &str) -> String {
    let first = |word: &str| {
        fold(&word.chars().next().filter(|first| first.is_uppercase())?.to_string()).chars().next()
    };
    let letters = school.split_whitespace().filter_map(first).filter(char::is_ascii_lowercase).take(4);
    let letters: String = letters.map(|letter| letter.to_ascii_uppercase()).collect();
    if letters.len() < 2 { "NA".to_owned() } else { letters }
}

/// What the database drew for a student: `7QK4D`.
///
/// # Errors
/// Database errors.
pub fn code(connection: &Connection, student_id: i64) -> Result<String> {
    connection.one("select code from payment_codes where student_id = :student_id", params![student_id])
}

/// A payment code as families write it: `MA-7QK4D`.
pub fn with(school: &str, code: &str) -> String {
    format!("{}-{code}", of(school))
}

/// The letters of a name and those of earlier names.
///
/// # Errors
/// Database errors.
pub fn known(connection: &Connection, school: &str) -> Result<Vec<String>> {
    let now = of(school);
    let sql = "select letters from school_letters where letters <> :now order by letters";
    let earlier: Vec<String> = connection.list(sql, params![now])?;
    Ok([now].into_iter().chain(earlier).collect())
}

/// Keeps the letters of a name.
///
/// # Errors
/// Database errors.
pub fn keep(connection: &Connection, school: &str) -> Result<()> {
    connection.run(
        "insert or ignore into school_letters (letters) values (:letters)",
        params![letters = of(school)],
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schools_letters_are_the_capitals_of_its_words() {
        for (school, expected) in [
            ("Northern Gate Academy", "NGA"),
            ("Academy", "NA"),
            ("École de la Rive", "ER"),
            ("École Élémentaire", "EE"),
            ("école Élémentaire", "NA"),
            ("Ærø Skole", "AS"),
            ("Αθήνα Σχολή", "NA"),
            ("The Great School of All Things", "TGSA"),
        ] {
            assert_eq!(of(school), expected);
        }
    }
}
