//! References that people quote, such as M-26-7QK4, as one SQL function for every room.
//!
//! A reference is the year, and the row's id in Crockford's base 32, scrambled by an odd factor modulo 32^4, so that the
//! first million ids have distinct references. Nothing is stored: it costs nothing where it is not read.

use rusqlite::Connection;
use rusqlite::functions::FunctionFlags;

use crate::base::clock::from_seconds;

/// Without I, L, O and U, which look like others.
const LETTERS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/// Registers `reference(prefix, id, created_at)`.
pub fn register(connection: &Connection) -> rusqlite::Result<()> {
    // Only direct statements may call it, so that no view or index makes the file depend on it.
    let flags =
        FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC | FunctionFlags::SQLITE_DIRECTONLY;
    connection.create_scalar_function("reference", 3, flags, |context| {
        Ok(reference(context.get_raw(0).as_str()?, context.get(1)?, context.get(2)?))
    })
}

fn reference(prefix: &str, id: i64, created_at: i64) -> String {
    let scrambled = id.wrapping_mul(736_847).wrapping_add(271_829);
    let letters = [15, 10, 5, 0].map(|shift| {
        let place = usize::try_from((scrambled >> shift) & 31).unwrap_or(0);
        char::from(LETTERS[place])
    });
    let letters: String = letters.iter().collect();
    format!("{prefix}-{}-{letters}", from_seconds(created_at).strftime("%y"))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn ids_have_distinct_references() {
        let at = 1_795_273_200; // November 21, 2026
        let all: BTreeSet<String> = (1..=100_000).map(|id| reference("M", id, at)).collect();
        assert_eq!(all.len(), 100_000);
        assert!(all.iter().all(|one| one.len() == 9 && one.starts_with("M-26-")));
        assert_eq!(reference("M", 1, at), "M-26-YS14");
    }
}
