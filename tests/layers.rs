//! The house holds together: what may use what, and who writes which table.
//!
//! Reads the sources as text. An arrow is a path that begins with `crate::`; comments and tests are
//! left out.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on ends")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// From the ground up: each may use those of lower lines, and those of its own line may not use each other.
const FLOORS: [&[&str]; 16] = [
    &["base"],
    &["storage"],
    &["config"],
    &["mail"],
    &["web"],
    &["audit", "consents", "fees"],
    &["second_factor"],
    &["staff"],
    &["courses", "school"],
    &["students", "website"],
    &["enrollments", "documents", "messages", "admissions"],
    &["operations", "privacy"],
    &["dashboard", "demo", "records"],
    &["server"],
    &["cli"],
    &["lib", "main", "testing"],
];

/// Who writes another's table, and why.
const EXCEPTIONS: [(&str, &str); 2] = [
    ("operations", "sessions"), // a restored copy that nobody serves yet: whoever was signed in is signed out
    ("operations", "outbox"),   // the same copy: what was queued then has probably arrived
];

struct Source {
    path: PathBuf,
    /// The folder or file of `src/` that it belongs to.
    top: String,
    text: String,
}

/// Every source of the program, without comments and tests.
fn sources() -> Vec<Source> {
    let mut found = Vec::new();
    let mut folders = vec![PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            if path.is_dir() && name != "tests" {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") && name != "tests" {
                found.push(Source { top: top(&path), text: code(&fs::read_to_string(&path).unwrap()), path });
            }
        }
    }
    assert!(found.len() > 100, "the sources were found");
    found
}

fn top(path: &Path) -> String {
    let inside = path.strip_prefix(PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src")).unwrap();
    let first = inside.components().next().unwrap().as_os_str().to_string_lossy();
    first.trim_end_matches(".rs").to_owned()
}

fn code(text: &str) -> String {
    // A module of tests is the last thing in a file.
    let tests = text.match_indices("#[cfg(test)]").find(|(at, _)| {
        text[*at..].lines().nth(1).is_some_and(|line| line.contains("mod ") && line.ends_with('{'))
    });
    let text = tests.map_or(text, |(at, _)| &text[..at]);
    let lines = text.lines().map(|line| line.split("//").next().unwrap_or(""));
    lines.collect::<Vec<_>>().join("\n")
}

/// The first names behind `crate::`, those of a list in braces among them.
fn used(text: &str) -> BTreeSet<String> {
    let is_name = |c: char| c.is_ascii_lowercase() || c == '_';
    let name = |text: &str| text.trim_start().chars().take_while(|c| is_name(*c)).collect::<String>();
    let mut names = BTreeSet::new();
    for (at, _) in text.match_indices("crate::") {
        let rest = &text[at + "crate::".len()..];
        let Some(list) = rest.strip_prefix('{') else {
            names.insert(name(rest));
            continue;
        };
        let mut depth = 0;
        let mut begins = true;
        for (at, c) in list.char_indices() {
            if begins && !c.is_whitespace() {
                names.insert(name(&list[at..]));
                begins = false;
            }
            match c {
                '{' => depth += 1,
                '}' if depth == 0 => break,
                '}' => depth -= 1,
                ',' if depth == 0 => begins = true,
                _ => {}
            }
        }
    }
    names
}

fn floor(name: &str) -> Option<usize> {
    FLOORS.iter().position(|floor| floor.contains(&name))
}

/// One of the two would silently stand for both in the OpenAPI document.
#[test]
fn no_two_types_of_the_wire_share_a_name() {
    let mut seen = BTreeMap::new();
    for Source { path, text, .. } in sources() {
        for (at, _) in text.match_indices("ToSchema)]") {
            let rest = text[at..].lines().skip(1).find(|line| !line.trim_start().starts_with("#["));
            let words: Vec<_> = rest.unwrap_or_default().split_whitespace().collect();
            let name = words.iter().skip_while(|word| !["struct", "enum"].contains(word)).nth(1);
            let name = name.map(|name| name.split(['<', '(', '{']).next().unwrap_or_default().to_owned());
            let Some(name) = name else { continue };
            if let Some(other) = seen.insert(name.clone(), path.clone()) {
                panic!("{name} stands in {} and in {}", other.display(), path.display());
            }
        }
    }
    assert!(seen.len() > 60, "the types were found: {}", seen.len());
}

#[test]
fn no_arrow_points_up() {
    let mut wrong = Vec::new();
    for Source { path, top, text } in sources() {
        let own = floor(&top).unwrap_or_else(|| panic!("{top} stands on no floor of this test"));
        for name in used(&text) {
            let Some(other) = floor(&name) else { continue };
            if name != top && other >= own {
                wrong.push(format!("{} uses {name}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_table_is_written_by_its_own_room() {
    let mut writers: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for Source { top, text, .. } in sources() {
        // Migrations and their checks are everybody's.
        if top == "storage" {
            continue;
        }
        let words: Vec<_> = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').collect();
        let words: Vec<_> = words.into_iter().filter(|word| !word.is_empty()).collect();
        for (at, word) in words.iter().enumerate() {
            let table = match (*word, words.get(at + 1), words.get(at + 2), words.get(at + 3)) {
                ("insert", Some(&"into"), Some(table), _) | ("delete", Some(&"from"), Some(table), _) => {
                    table
                }
                ("insert", Some(&"or"), _, Some(&"into")) => &words[at + 4],
                ("update", Some(table), Some(&"set"), _) => table,
                _ => continue,
            };
            writers.entry((*table).to_owned()).or_default().insert(top.clone());
        }
    }
    assert!(writers.len() > 15, "the statements were found: {writers:?}");
    for (table, rooms) in &mut writers {
        rooms.retain(|room| !EXCEPTIONS.contains(&(room, table)));
        assert_eq!(rooms.len(), 1, "{table} is written by {rooms:?}");
    }
}

#[test]
fn the_face_for_tests_is_no_wider_than_they_need() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let face = code(&fs::read_to_string(root.join("src/testing.rs")).unwrap());
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut texts = String::new();
    let mut folders = vec![root.join("tests")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                texts += &fs::read_to_string(&path).unwrap();
            }
        }
    }
    let used: BTreeSet<_> = texts.split(|c| !is_name(c)).collect();
    // What ends a path: the last name before a comma, a brace or a semicolon.
    let names = face.split(['{', ',', '}', ';']).filter(|path| !path.trim_end().ends_with("::"));
    let names: Vec<_> =
        names.filter_map(|path| path.split(|c| !is_name(c)).rfind(|name| !name.is_empty())).collect();
    assert!(names.len() > 30, "the face was read: {names:?}");
    let idle: Vec<_> = names.into_iter().filter(|name| !used.contains(name)).collect();
    assert!(idle.is_empty(), "no test needs {idle:?}");
}

#[test]
fn arrows_are_found_however_they_are_written() {
    let text =
        code("use crate::a::b;\nuse crate::{c::{d, e}, f, g::h};\n// crate::x\nlet y = crate::i::j();");
    assert_eq!(used(&text), ["a", "c", "f", "g", "i"].map(str::to_owned).into());
}
