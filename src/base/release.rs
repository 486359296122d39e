//! Which release this program is: number, commit, and the commit's day.
//!
//! `build.rs` knows the commit of a release build; a development build has none.

/// Number.
pub const NUMBER: &str = env!("CARGO_PKG_VERSION");
/// The first digits of the commit; empty where it is not known.
pub const COMMIT: &str = env!("BUILD_COMMIT");
/// The day of the commit, as 2026-11-26; empty where it is not known.
pub const DATE: &str = env!("BUILD_DATE");

/// "0.3.0 (1a2b3c4d5e6f, 2026-11-26)".
pub const RELEASE: &str = if COMMIT.is_empty() {
    concat!(env!("CARGO_PKG_VERSION"), " (commit unknown)")
} else {
    concat!(env!("CARGO_PKG_VERSION"), " (", env!("BUILD_COMMIT"), ", ", env!("BUILD_DATE"), ")")
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_entry_of_the_changelog_is_of_this_number_and_has_a_day() {
        let changelog = include_str!("../../CHANGELOG.md");
        let newest = changelog.lines().find_map(|line| line.strip_prefix("## ")).unwrap();
        let (number, day) = newest.split_once(", ").unwrap();
        assert_eq!(number, NUMBER);
        day.parse::<jiff::civil::Date>().unwrap();
    }
}
