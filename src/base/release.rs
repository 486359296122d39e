//! Release of this program: version number, commit, and date of the commit.
//!
//! `build.rs` knows the commit of a release build; a development build has none.

/// Version number.
pub const NUMBER: &str = env!("CARGO_PKG_VERSION");
/// Abbreviated commit hash; empty if unknown.
pub const COMMIT: &str = env!("BUILD_COMMIT");
/// Date of the commit, as 2026-11-26; empty if unknown.
pub const DATE: &str = env!("BUILD_DATE");

/// "0.4.0 (1a2b3c4d5e6f, 2026-11-29)".
pub const RELEASE: &str = if COMMIT.is_empty() {
    concat!(env!("CARGO_PKG_VERSION"), " (commit unknown)")
} else {
    concat!(env!("CARGO_PKG_VERSION"), " (", env!("BUILD_COMMIT"), ", ", env!("BUILD_DATE"), ")")
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_changelog_entry_has_this_version_and_a_date() {
        let changelog = include_str!("../../CHANGELOG.md");
        let newest = changelog.lines().find_map(|line| line.strip_prefix("## ")).unwrap();
        let (number, day) = newest.split_once(", ").unwrap();
        assert_eq!(number, NUMBER);
        day.parse::<jiff::civil::Date>().unwrap();
    }
}
