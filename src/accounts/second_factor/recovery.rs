//! Recovery codes: each works once, for owners who lost the app.
//!
//! A code has 24 characters, which are 120 bits: enough to be stored as a plain hash (OWASP ASVS 5.0, 6.5.2).

use crate::base::error::Result;
use crate::base::random;

/// Number of codes in a set.
pub const COUNT: usize = 10;
const CHARS: usize = 24;
const GROUP: usize = 6;

/// Generates a set of codes, displayed in groups with dashes.
pub fn generate() -> Result<Vec<String>> {
    (0..COUNT).map(|_| Ok(grouped(&random::letters::<CHARS>()?))).collect()
}

fn grouped(code: &str) -> String {
    let groups = code.as_bytes().chunks(GROUP).map(|group| String::from_utf8_lossy(group).into_owned());
    groups.collect::<Vec<_>>().join("-")
}

/// Hash of a code, ignoring case, dashes and spaces.
pub fn hash(code: &str) -> [u8; 32] {
    let typed: String = code.chars().filter(char::is_ascii_alphanumeric).collect();
    random::hash(&typed.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn ten_codes_differ_and_are_accepted_in_any_notation() {
        let codes = generate().unwrap();
        assert_eq!(codes.iter().collect::<BTreeSet<_>>().len(), COUNT);
        for code in &codes {
            assert_eq!(code.len(), CHARS + 3, "{code}");
            for typed in [code.to_uppercase(), code.replace('-', ""), format!(" {} ", code.replace('-', " "))]
            {
                assert_eq!(hash(&typed), hash(code), "{typed}");
            }
        }
        assert_ne!(hash(&codes[0]), hash(&codes[1]));
    }
}
