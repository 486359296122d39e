//! Architecture: which module may use which, and which module writes each table.
//!
//! Reads the sources as text. An arrow is a path that begins with `crate::`; comments and tests are
//! left out.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on ends")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use syn::visit::{self, Visit};

/// From the ground up: each may use those of lower lines, and those of its own line may not use each other. A folder of a
/// room may have a floor of its own.
const FLOORS: [&[&str]; 23] = [
    &["base"],
    &["paper", "storage"],
    &["config"],
    &["mail"],
    &["web"],
    &["audit", "consents", "decisions", "money/ledger"],
    &["accounts"],
    &["staff"],
    &["terms"],
    &["courses", "email_log", "school"],
    &["settings"],
    &["money/refunds", "students", "website"],
    &["enrollments", "documents", "messages", "money/payments", "portals"],
    &["admissions", "family", "schedule"],
    &["handover", "money/bank", "money/charges", "operations"],
    &["money/reports"],
    &["money"],
    &["records"],
    &["audit_log", "classes", "privacy"],
    &["demo", "dashboard"],
    &["server"],
    &["cli"],
    &["lib", "main", "testing"],
];

/// Habits that are left in the sources: a number here is lowered with each that goes, and never raised.
const LEFT: Habits = Habits { tuples: 6, swappable_tuples: 0, paired_lets: 0, prepared: 2 };

/// Who writes another's table, and why.
const EXCEPTIONS: [(&str, &str); 6] = [
    ("operations", "sessions"), // a restored copy that is not served yet: all users are signed out
    ("operations", "links"),    // the same copy: and so are families and applicants
    ("operations", "student_tokens"), // and links that were mailed
    ("operations", "staff_tokens"),
    ("operations", "staff_invitations"),
    ("operations", "outbox"), // the same copy: what was queued then has probably arrived
];

struct Source {
    path: PathBuf,
    /// The folder or file of `src/` that it belongs to, or the folder in it that has a floor.
    room: String,
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
                found.push(Source {
                    room: room_of(&path),
                    text: code(&fs::read_to_string(&path).unwrap()),
                    path,
                });
            }
        }
    }
    assert!(found.len() > 100, "the sources were found");
    found
}

fn room_of(path: &Path) -> String {
    let inside = path.strip_prefix(PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src")).unwrap();
    let names: Vec<_> =
        inside.with_extension("").iter().map(|name| name.to_string_lossy().into_owned()).collect();
    room(&names).unwrap()
}

/// The room that a path of names leads into: a folder with a floor of its own before the one around it.
fn room(names: &[String]) -> Option<String> {
    let inner = names.get(..2).map(|names| names.join("/")).filter(|name| floor(name).is_some());
    inner.or_else(|| names.first().cloned())
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

/// The paths that begin with `crate`, `self` or `super`, name by name; each of a list in braces is one.
fn paths(text: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    for root in ["crate::", "self::", "super::"] {
        for (at, _) in text.match_indices(root) {
            // `super::super` begins once.
            if !text[..at].ends_with(|c: char| is_name(c) || c == ':') {
                expand(&text[at..], &[], &mut found);
            }
        }
    }
    found
}

fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Collects the paths that `text` begins with, each behind `before`; returns the text after them.
fn expand<'a>(text: &'a str, before: &[String], found: &mut Vec<Vec<String>>) -> &'a str {
    let text = text.trim_start();
    if let Some(mut list) = text.strip_prefix('{') {
        loop {
            list = expand(list, before, found);
            let end = list.find([',', '}']).unwrap_or(list.len());
            match list[end..].strip_prefix(',') {
                Some(rest) => list = rest,
                None => return list[end..].trim_start_matches('}'),
            }
        }
    }
    let (name, rest) = text.split_at(text.find(|c| !is_name(c)).unwrap_or(text.len()));
    if name.is_empty() {
        return rest;
    }
    let path = [before, &[name.to_owned()]].concat();
    if let Some(rest) = rest.strip_prefix("::").filter(|rest| rest.starts_with(|c| is_name(c) || c == '{')) {
        return expand(rest, &path, found);
    }
    found.push(path);
    rest
}

/// The rooms that a text uses.
fn used(text: &str) -> BTreeSet<String> {
    let paths = paths(text).into_iter().filter(|path| path[0] == "crate");
    paths.filter_map(|path| room(&path[1..])).collect()
}

fn floor(name: &str) -> Option<usize> {
    FLOORS.iter().position(|floor| floor.contains(&name))
}

/// One of the two would silently stand for both in the OpenAPI document.
#[test]
fn no_two_types_of_the_wire_share_a_name() {
    let mut seen = BTreeMap::new();
    for Source { path, text, .. } in sources() {
        // Two macros of the house derive it.
        let derived = ["ToSchema)]", "form! {", "closed_set! {"]
            .map(|mark| text.match_indices(mark))
            .into_iter()
            .flatten();
        for (at, _) in derived {
            let item = |line: &str| !line.trim().is_empty() && !line.trim_start().starts_with("#[");
            let rest = text[at..].lines().skip(1).find(|line| item(line));
            let words: Vec<_> = rest.unwrap_or_default().split_whitespace().collect();
            let name = words.iter().skip_while(|word| !["struct", "enum"].contains(word)).nth(1);
            let name = name.map(|name| name.split(['<', '(', '{']).next().unwrap_or_default().to_owned());
            let Some(name) = name else { continue };
            if let Some(other) = seen.insert(name.clone(), path.clone()) {
                panic!("{name} stands in {} and in {}", other.display(), path.display());
            }
        }
    }
    assert!(seen.len() > 200, "the types were found: {}", seen.len());
}

#[test]
fn no_arrow_points_up() {
    let mut wrong = Vec::new();
    for Source { path, room, text } in sources() {
        let own = floor(&room).unwrap_or_else(|| panic!("{room} stands on no floor of this test"));
        for name in used(&text) {
            let Some(other) = floor(&name) else { continue };
            if name != room && other >= own {
                wrong.push(format!("{} uses {name}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A file's place in the tree of modules.
fn module_of(path: &Path) -> Vec<String> {
    let inside = path.strip_prefix(PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src")).unwrap();
    let names = inside.with_extension("");
    let mut names: Vec<_> = names.iter().map(|name| name.to_string_lossy().into_owned()).collect();
    names.pop_if(|last| ["mod", "lib", "main"].contains(&last.as_str()));
    names
}

/// Where a path leads that stands in `module`: from the crate's root, name by name.
fn resolve(path: &[String], module: &[String]) -> Vec<String> {
    let mut from = if path[0] == "crate" { Vec::new() } else { module.to_vec() };
    for name in path {
        match name.as_str() {
            "crate" | "self" => {}
            "super" => drop(from.pop()),
            name => from.push(name.to_owned()),
        }
    }
    from
}

/// A room's `mod.rs` and what lies under it are one face: arrows between them are not looked at.
#[test]
fn no_files_use_each_other_in_a_circle() {
    let sources: BTreeMap<_, _> =
        sources().into_iter().map(|source| (module_of(&source.path), source.text)).collect();
    let mut arrows: BTreeMap<Vec<String>, BTreeSet<Vec<String>>> = BTreeMap::new();
    for (module, text) in &sources {
        for path in paths(text) {
            let mut target = resolve(&path, module);
            while !sources.contains_key(&target) {
                target.pop();
            }
            if !target.starts_with(module) && !module.starts_with(&target) {
                arrows.entry(module.clone()).or_default().insert(target);
            }
        }
    }
    assert!(arrows.values().map(BTreeSet::len).sum::<usize>() > 1000, "the arrows were found");
    // A room that uses no remaining room, or is used by none, is in no circle.
    loop {
        let left = arrows.len();
        let users: BTreeSet<_> = arrows.keys().cloned().collect();
        let wanted: BTreeSet<_> = arrows.values().flatten().cloned().collect();
        arrows.retain(|user, targets| {
            targets.retain(|target| users.contains(target));
            wanted.contains(user) && !targets.is_empty()
        });
        if arrows.len() == left {
            break;
        }
    }
    let name = |module: &Vec<String>| module.join("::");
    let circles: Vec<_> =
        arrows.iter().flat_map(|(user, used)| used.iter().map(|used| (name(user), name(used)))).collect();
    assert!(circles.is_empty(), "circular dependencies: {circles:#?}");
}

#[test]
fn a_table_is_written_by_its_own_room() {
    let mut writers: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for Source { room, text, .. } in sources() {
        // Migrations and their checks belong to all rooms.
        if room == "storage" {
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
            writers.entry((*table).to_owned()).or_default().insert(room.clone());
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
    let mut texts = String::new();
    let mut folders = vec![root.join("tests"), root.join("bench")];
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
fn what_builds_a_release_takes_the_machine_as_it_is() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let read = |path: &str| fs::read_to_string(root.join(path)).unwrap();
    let flags = toml::from_str::<toml::Table>(&read(".cargo/config.toml")).unwrap()["target"].clone();
    assert_eq!(flags["aarch64-unknown-linux-gnu"], flags["x86_64-unknown-linux-gnu"]);
    let mut files = vec!["Makefile".to_owned(), "ui/e2e/school.ts".to_owned(), "bench/small".to_owned()];
    for folder in [".ci", "systemd", "systemd/deb"] {
        let entries = fs::read_dir(root.join(folder)).unwrap().map(Result::unwrap);
        let inside = entries.filter(|entry| entry.path().is_file());
        files.extend(inside.map(|entry| format!("{folder}/{}", entry.file_name().display())));
    }
    assert!(files.len() > 20, "the files were found: {files:?}");
    for file in files {
        for line in read(&file).lines() {
            let names = |words: [&str; 3]| words.iter().any(|word| line.contains(word));
            let is_of_one = names(["x86_64", "x86-64", "amd64"]) && !names(["aarch64", "arm64", "@"]);
            assert!(!is_of_one, "{file} names one architecture: {line}");
        }
    }
}

#[test]
fn arrows_are_found_however_they_are_written() {
    let text = code(
        "use crate::a::b;\nuse crate::{c::{d, e}, f, g::h as x};\n// crate::x\nlet y = crate::i::j::<k>();
        use super::super::l::{self, M};\nuse self::n;",
    );
    assert_eq!(used(&text), ["a", "c", "f", "g", "i"].map(str::to_owned).into());
    let module = ["p", "q", "r"].map(str::to_owned);
    let resolved: BTreeSet<_> = paths(&text).iter().map(|path| resolve(path, &module).join(" ")).collect();
    let expected = ["a b", "c d", "c e", "f", "g h", "i j", "p l", "p l M", "p q r n"];
    assert_eq!(resolved, expected.map(str::to_owned).into());
}

/// What a reader has to count commas for, or what is written in two ways.
#[derive(Debug, Default, PartialEq, Eq)]
struct Habits {
    /// Tuples as parameters.
    tuples: usize,
    /// Those with two members of one type: a call that swaps them compiles.
    swappable_tuples: usize,
    /// Statements that bind several names to as many values.
    paired_lets: usize,
    /// Statements that are prepared where `Statements` does it.
    prepared: usize,
}

impl<'ast> Visit<'ast> for Habits {
    fn visit_signature(&mut self, signature: &'ast syn::Signature) {
        for input in &signature.inputs {
            let syn::FnArg::Typed(parameter) = input else { continue };
            let mut declared = &*parameter.ty;
            while let syn::Type::Reference(reference) = declared {
                declared = &reference.elem;
            }
            let syn::Type::Tuple(tuple) = declared else { continue };
            let members: Vec<_> = tuple.elems.iter().collect();
            self.tuples += usize::from(members.len() > 1);
            let is_repeated = members.iter().enumerate().any(|(at, member)| members[..at].contains(member));
            self.swappable_tuples += usize::from(is_repeated);
        }
    }

    fn visit_local(&mut self, local: &'ast syn::Local) {
        let mut pattern = &local.pat;
        while let syn::Pat::Type(typed) = pattern {
            pattern = &typed.pat;
        }
        // One that may fail tells several things apart at once.
        let value = local.init.as_ref().filter(|init| init.diverge.is_none()).map(|init| &*init.expr);
        let is_paired = matches!((pattern, value), (syn::Pat::Tuple(_), Some(syn::Expr::Tuple(_))));
        self.paired_lets += usize::from(is_paired);
        visit::visit_local(self, local);
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        self.prepared += usize::from(call.method == "prepare_cached");
        visit::visit_expr_method_call(self, call);
    }

    fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
        if module.ident != "tests" {
            visit::visit_item_mod(self, module);
        }
    }
}

#[test]
fn habits_that_hide_a_mistake_only_become_fewer() {
    let mut found = Habits::default();
    for Source { path, room, .. } in sources() {
        // It carries statements out for the rooms.
        if room == "storage" {
            continue;
        }
        found.visit_file(&syn::parse_file(&fs::read_to_string(path).unwrap()).unwrap());
    }
    assert_eq!(found, LEFT, "more than before: name the members; fewer: lower the number");
}
