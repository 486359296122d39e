//! References of applications, such as `A-26-7QK4`.

use jiff::civil::Date;
use rusqlite::Connection;

use crate::base::error::Result;
use crate::base::random;
use crate::storage::statements::{Statements, params};

/// Crockford's base 32 without 0 and 1, which a reader takes for O and I.
const LETTERS: [char; 30] = [
    '2', '3', '4', '5', '6', '7', '8', '9', 'A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'J', 'K', 'M', 'N', 'P',
    'Q', 'R', 'S', 'T', 'V', 'W', 'X', 'Y', 'Z',
];

/// Draws a reference of this year: `A`, the year, four letters.
pub fn draw(today: Date) -> Result<String> {
    let mut number = u64::from_le_bytes(random::bytes::<8>()?);
    let mut letters = String::new();
    for _ in 0..4 {
        // The remainder of a number of 64 bits is as good as even.
        letters.push(LETTERS[usize::try_from(number % 30).unwrap_or(0)]);
        number /= 30;
    }
    Ok(format!("A-{:02}-{letters}", today.year().rem_euclid(100)))
}

/// Draws one that no application has.
pub fn draw_free(connection: &Connection, today: Date) -> Result<String> {
    loop {
        let reference = draw(today)?;
        let sql = "select exists (select 1 from admission_requests where reference = :reference)";
        let is_taken: bool = connection.one(sql, params![reference])?;
        if !is_taken {
            return Ok(reference);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reference_has_the_year_and_four_letters_without_look_alikes() {
        let drawn: std::collections::BTreeSet<_> =
            (0..200).map(|_| draw(jiff::civil::date(2026, 11, 21)).unwrap()).collect();
        assert!(drawn.len() > 190, "they differ");
        for reference in drawn {
            let letters = reference.strip_prefix("A-26-").unwrap();
            assert!(letters.len() == 4 && letters.chars().all(|c| LETTERS.contains(&c)), "{reference}");
        }
    }
}
