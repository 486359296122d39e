//! The table of what OWASP's ASVS asks for (`tests/asvs.md`) says only what is there.
//!
//! Reads table and sources as text: it has no need of the program. Whether a test proves what its row
//! says is for people to judge.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on ends")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

const TABLE: &str = include_str!("asvs.md");
/// Requirements of the levels 1 and 2 in version 5.0.0.
const REQUIREMENTS: usize = 253;
/// How a row begins that says what is missing.
const OPEN: &str = "**open**: ";
/// How a row begins that says why it does not apply.
const FOREIGN: &str = "does not apply: ";
/// What ends the name of a file that a row may name.
const ENDINGS: [&str; 11] =
    ["conf", "json", "lock", "md", "mjs", "rs", "service", "sql", "toml", "ts", "tsx"];
/// What declares a name in Rust.
const DECLARED_BY: [&str; 8] = ["fn", "struct", "enum", "trait", "const", "static", "type", "macro_rules!"];

struct Row {
    id: &'static str,
    asked: &'static str,
    held: &'static str,
}

fn rows() -> Vec<Row> {
    let row = |line: &'static str| {
        let cells: Vec<_> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        assert_eq!(cells.len(), 3, "{line}");
        Row { id: cells[0], asked: cells[1], held: cells[2] }
    };
    TABLE.lines().filter(|line| line.starts_with("| V")).map(row).collect()
}

impl Row {
    fn is_open(&self) -> bool {
        self.held.starts_with(OPEN)
    }

    fn does_not_apply(&self) -> bool {
        self.held.starts_with(FOREIGN)
    }

    /// What is missing, or why it does not apply.
    fn reason(&self) -> Option<&'static str> {
        self.held.strip_prefix(OPEN).or_else(|| self.held.strip_prefix(FOREIGN))
    }

    /// The files that it names, each with the name inside of it, if there is one.
    fn references(&self) -> Vec<(&'static str, Option<&'static str>)> {
        // Every second piece stands between two backticks.
        let quoted = self.held.split('`').skip(1).step_by(2);
        let parts =
            quoted.map(|text| text.split_once("::").map_or((text, None), |(file, name)| (file, Some(name))));
        let is_file = |file: &str| {
            !file.contains(' ') && file.rsplit_once('.').is_some_and(|(_, ending)| ENDINGS.contains(&ending))
        };
        parts.filter(|(file, _)| is_file(file)).collect()
    }
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Why a reference leads nowhere, if it does.
fn broken(file: &str, name: Option<&str>) -> Option<&'static str> {
    let Ok(text) = fs::read_to_string(root().join(file)) else { return Some("there is no such file") };
    let name = name?;
    if file.ends_with(".spec.ts") {
        let is_title =
            ['\'', '`', '"'].iter().any(|quote| text.contains(&format!("test({quote}{name}{quote}")));
        return (!is_title).then_some("there is no test of that title");
    }
    if !file.ends_with(".rs") {
        return (!text.contains(name)).then_some("the file does not say so");
    }
    let Some(at) = declaration(&text, name) else { return Some("nothing of that name is declared") };
    // Everything in tests/ is a test, not an unused helper.
    let line = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let above = text[..line].lines().rev();
    let attributes: Vec<_> = above.take_while(|line| line.trim_start().starts_with("#[")).collect();
    let says = |word: &str| attributes.iter().any(|line| line.contains(word));
    if says("ignore") {
        return Some("the test is ignored");
    }
    (file.starts_with("tests/") && !says("test")).then_some("it is no test")
}

/// The byte at which a name is declared.
fn declaration(text: &str, name: &str) -> Option<usize> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    DECLARED_BY.iter().find_map(|keyword| {
        let declared = format!("{keyword} {name}");
        let mut found = text.match_indices(&declared);
        found.find(|(at, _)| !text[at + declared.len()..].starts_with(is_part)).map(|(at, _)| at)
    })
}

#[test]
fn every_requirement_has_one_row_that_says_something() {
    let rows = rows();
    let ids: BTreeSet<_> = rows.iter().map(|row| row.id).collect();
    assert_eq!((rows.len(), ids.len()), (REQUIREMENTS, REQUIREMENTS), "each has one row");
    for row in &rows {
        assert!(row.asked.len() > 3, "{} does not say what is asked", row.id);
        // One word is no reason.
        let is_reasoned = row.reason().is_some_and(|reason| reason.split_whitespace().count() >= 3);
        assert!(is_reasoned || !row.references().is_empty(), "{} is held by nothing", row.id);
    }
    let open = rows.iter().filter(|row| row.is_open()).count();
    let foreign = rows.iter().filter(|row| row.does_not_apply()).count();
    let held = REQUIREMENTS - open - foreign;
    let figures =
        format!("Of {REQUIREMENTS} requirements {held} are held, {foreign} do not apply, {open} are open.");
    assert!(TABLE.contains(&figures), "the table should say: {figures}");
}

#[test]
fn every_reference_of_a_row_exists() {
    let mut count = 0;
    let mut wrong = Vec::new();
    for row in rows() {
        for (file, name) in row.references() {
            count += 1;
            if let Some(why) = broken(file, name) {
                wrong.push(format!("{}: {file}::{}: {why}", row.id, name.unwrap_or_default()));
            }
        }
    }
    assert!(count > 150, "the references were found: {count}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn dead_links_are_found() {
    assert_eq!(broken("tests/asvs.rs", Some("dead_links_are_found")), None);
    assert_eq!(broken("tests/asvs.rs", Some("dead_links")), Some("nothing of that name is declared"));
    assert_eq!(broken("tests/asvs.rs", Some("broken")), Some("it is no test"));
    assert_eq!(broken("tests/none.rs", None), Some("there is no such file"));
    assert_eq!(
        broken("ui/e2e/sessions.spec.ts", Some("logging out")),
        Some("there is no test of that title")
    );
    assert_eq!(broken("deny.toml", Some("nothing of the kind")), Some("the file does not say so"));
}

/// What a row gives as the reason why something does not apply, or cannot happen.
#[test]
fn parts_that_do_not_apply_are_absent() {
    let locked = fs::read_to_string(root().join("Cargo.lock")).unwrap();
    for package in [
        "async-graphql",
        "juniper",
        "jsonwebtoken",
        "ldap3",
        "oauth2",
        "openidconnect",
        "quick-xml",
        "tungstenite",
        "webrtc",
        "xml-rs",
    ] {
        assert!(!locked.contains(&format!("name = \"{package}\"\n")), "{package} is in Cargo.lock");
    }
    let nowhere: &[&str] = &[];
    for (folder, words, except) in [
        ("src", "process::Command", nowhere),
        ("src", "Regex::new", nowhere),
        ("src", "WebSocketUpgrade", nowhere),
        ("ui/src", "dangerouslySetInnerHTML", nowhere),
        ("ui/src", "innerHTML", nowhere),
        ("ui/src", "eval(", nowhere),
        ("ui/src", "new Function(", nowhere),
        ("ui/src", "RegExp(", nowhere),
        ("ui/src", "new WebSocket(", nowhere),
        ("ui/src", "indexedDB", nowhere),
        ("ui/src", "localStorage.setItem", &["ui/src/components/local.ts"]),
        ("ui/src", "sessionStorage.setItem", &["ui/src/admissions/apply.ts", "ui/src/upgrade.ts"]),
    ] {
        let files = files_with(folder, words);
        assert_eq!(files, except, "{words} in {folder}");
    }
}

/// The files of a folder that hold these words, but for tests.
fn files_with(folder: &str, words: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if path.is_dir() && !["test", "tests"].contains(&name.as_str()) {
                folders.push(path);
            } else if path.is_file() && is_source(&name) && fs::read_to_string(&path).unwrap().contains(words)
            {
                found.push(relative(&path));
            }
        }
    }
    found.sort();
    found
}

fn is_source(name: &str) -> bool {
    let is_code = [".rs", ".ts", ".tsx"].iter().any(|ending| name.ends_with(ending));
    is_code && name != "tests.rs" && !name.contains(".test.")
}

fn relative(path: &Path) -> String {
    path.strip_prefix(root()).unwrap().to_string_lossy().into_owned()
}
