//! `--keep`: retention of archives.

use std::collections::HashSet;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use jiff::civil::DateTime;

use super::{ENCRYPTED, PLAIN};

/// Deletes the archives in the folder of `newest` that are no longer needed, and returns their paths.
///
/// Of each of the last `keep` days, weeks and months that have an archive, the newest one stays; so does `newest`,
/// which was just verified, whatever the names say. Files with other names are ignored. Nothing is deleted when `keep`
/// is 0.
pub fn thin(newest: &Path, keep: usize) -> anyhow::Result<Vec<PathBuf>> {
    let folder = newest.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let archives = archives(folder)?;
    let names = unwanted(&archives, keep);
    let mut deleted = Vec::new();
    for name in names.into_iter().filter(|name| Some(name.as_os_str()) != newest.file_name()) {
        let path = folder.join(name);
        fs::remove_file(&path).with_context(|| format!("deleting {}", path.display()))?;
        deleted.push(path);
    }
    Ok(deleted)
}

/// The newest archive of a folder; with `is_with_key` also an encrypted one.
pub(super) fn newest(folder: &Path, is_with_key: bool) -> anyhow::Result<Option<PathBuf>> {
    let plain = |name: &OsString| is_with_key || name.to_str().is_some_and(|name| name.ends_with(PLAIN));
    Ok(archives(folder)?.into_iter().rfind(|(_, name)| plain(name)).map(|(_, name)| folder.join(name)))
}

/// The archives of a folder with their times, in ascending order.
fn archives(folder: &Path) -> anyhow::Result<Vec<((DateTime, u32), OsString)>> {
    let context = || format!("reading the folder {}", folder.display());
    let mut archives = Vec::new();
    for entry in fs::read_dir(folder).with_context(context)? {
        let entry = entry.with_context(context)?;
        let taken = entry.file_name().to_str().and_then(taken_at);
        if let Some(taken) = taken.filter(|_| entry.file_type().is_ok_and(|kind| kind.is_file())) {
            archives.push((taken, entry.file_name()));
        }
    }
    archives.sort();
    Ok(archives)
}

/// Time of an archive and its number within that second, from its name; `None` for other files.
fn taken_at(name: &str) -> Option<(DateTime, u32)> {
    let stem = name.strip_suffix(PLAIN).or_else(|| name.strip_suffix(ENCRYPTED))?;
    let digits = stem.strip_prefix("schoolhouse-")?;
    let (instant, count) = match digits.match_indices('-').nth(1) {
        None => (digits, 1),
        Some((at, _)) => (digits.get(..at)?, digits.get(at + 1..)?.parse().ok()?),
    };
    // Exactly the digits that are written: the parser would accept fewer.
    let taken = DateTime::strptime("%Y%m%d-%H%M%S", instant).ok()?;
    (taken.strftime("%Y%m%d-%H%M%S").to_string() == instant).then_some((taken, count))
}

/// The archives to delete, from a list in ascending order.
fn unwanted<N: Clone>(archives: &[((DateTime, u32), N)], keep: usize) -> Vec<N> {
    if keep == 0 {
        return Vec::new();
    }
    let mut wanted = HashSet::new();
    let mut keep_newest = |period: &dyn Fn(DateTime) -> (i16, i16)| {
        let mut seen = Vec::new();
        for (index, ((taken, _), _)) in archives.iter().enumerate().rev() {
            let period = period(*taken);
            if seen.last() != Some(&period) && seen.len() < keep {
                seen.push(period);
                wanted.insert(index);
            }
        }
    };
    keep_newest(&|taken| (taken.year(), taken.date().day_of_year()));
    keep_newest(&|taken| {
        let week = taken.date().iso_week_date();
        (week.year(), week.week().into())
    });
    keep_newest(&|taken| (taken.year(), taken.month().into()));
    let indexed = archives.iter().enumerate();
    indexed.filter(|(index, _)| !wanted.contains(index)).map(|(_, (_, name))| name.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(texts: &[&str]) -> Vec<((DateTime, u32), String)> {
        let mut archives: Vec<_> =
            texts.iter().map(|text| (taken_at(text).unwrap(), (*text).to_owned())).collect();
        archives.sort();
        archives
    }

    #[test]
    fn only_our_own_names_are_archives() {
        for ours in [
            "schoolhouse-20261121-120000.tar.zst",
            "schoolhouse-20261121-120000-2.tar.zst",
            "schoolhouse-20261121-120000.tar.zst.age",
        ] {
            assert!(taken_at(ours).is_some(), "{ours}");
        }
        for other in [
            "schoolhouse-20261121-120000.tar.zst.partial",
            "schoolhouse-20261121-1200.tar.zst",
            "schoolhouse-20261321-120000.tar.zst",
            "schoolhouse-20261121-120000-x.tar.zst",
            "schoolhouse-20261121-120000.tar.gz",
            "before-20261121-120000.tar.zst",
            "monday.tar.zst",
            "schoolhouse.db",
        ] {
            assert!(taken_at(other).is_none(), "{other}");
        }
    }

    #[test]
    fn a_year_of_nights_is_thinned_to_days_weeks_and_months() {
        let first = jiff::civil::date(2026, 1, 1);
        let mut kept: Vec<String> = Vec::new();
        for day in 0..365 {
            let date = first.checked_add(jiff::Span::new().days(day)).unwrap();
            for hour in ["0130", "1330"] {
                kept.push(format!("schoolhouse-{}-{hour}00.tar.zst", date.strftime("%Y%m%d")));
                let all = names(&kept.iter().map(String::as_str).collect::<Vec<_>>());
                let gone = unwanted(&all, 3);
                assert!(!gone.contains(kept.last().unwrap()), "the newest one stays");
                kept.retain(|name| !gone.contains(name));
            }
        }
        let days: Vec<&str> = kept.iter().map(|name| &name["schoolhouse-".len()..][..13]).collect();
        // The last of October, November and December; of the weeks that end on the 20th, the 27th
        // and now; of the last three days.
        let expected = [
            "20261031-1330",
            "20261130-1330",
            "20261220-1330",
            "20261227-1330",
            "20261229-1330",
            "20261230-1330",
            "20261231-1330",
        ];
        assert_eq!(days, expected);
    }

    #[test]
    fn other_files_and_the_archive_just_verified_are_never_deleted() {
        let folder = tempfile::tempdir().unwrap();
        let ours = [
            "schoolhouse-20250101-000000.tar.zst",
            "schoolhouse-20261120-120000.tar.zst",
            "schoolhouse-20261121-120000.tar.zst",
            // The clock was wrong once.
            "schoolhouse-20361121-120000.tar.zst",
        ];
        for name in ours.iter().chain(&["schoolhouse-20200101-000000.tar.zst.partial", "notes.txt"]) {
            fs::write(folder.path().join(name), b"").unwrap();
        }
        let newest = folder.path().join(ours[2]);
        assert_eq!(thin(&newest, 0).unwrap(), Vec::<PathBuf>::new());
        assert_eq!(thin(&newest, 1).unwrap(), [folder.path().join(ours[0]), folder.path().join(ours[1])]);
        let left = fs::read_dir(folder.path()).unwrap().count();
        assert_eq!(left, 4);
    }
}
