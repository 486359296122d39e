//! The SQL statements in `src/`: every string literal that reads like one.

use std::fs;
use std::path::{Path, PathBuf};

/// Files whose statements are no part of serving people, each with its reason.
const ELSEWHERE: [(&str, &str); 6] = [
    ("src/operations/backup/", "copies the database whole and counts what it copied"),
    ("src/operations/doctor/", "a command that looks everything over, row by row"),
    ("src/storage/db/integrity.rs", "reads every page, which is its purpose"),
    ("src/storage/db/schema.rs", "migrates; the steps are in migrations/"),
    ("src/storage/db/trace.rs", "counts what the others cost"),
    ("src/demo/", "fills a school that is thrown away"),
];

/// A statement in the source.
#[derive(Debug)]
pub struct Literal {
    /// `src/room.rs:12`.
    pub place: String,
    /// The text, whitespace collapsed; what a `{hole}` of a format string holds is filled in if a
    /// constant of the same file says so.
    pub text: String,
}

impl Literal {
    /// Whether the text is the whole statement.
    pub fn is_whole(&self) -> bool {
        !self.text.contains('{')
    }

    /// Whether a statement that was run is this one.
    pub fn is(&self, run: &str) -> bool {
        let mut rest = run;
        fragments(&self.text).into_iter().all(|fragment| match rest.find(fragment.trim()) {
            Some(at) => {
                rest = &rest[at + fragment.trim().len()..];
                true
            }
            None => false,
        })
    }
}

/// What stands between the holes.
fn fragments(text: &str) -> Vec<&str> {
    text.split('{').map(|part| part.split_once('}').map_or(part, |(_, after)| after)).collect()
}

/// Every statement of the program, but for those of [`ELSEWHERE`].
pub fn statements() -> Vec<Literal> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    walk(&root.join("src"), &mut files);
    let mut found = Vec::new();
    for path in files {
        let name = path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
        if name.contains("tests") || ELSEWHERE.iter().any(|(start, _)| name.starts_with(start)) {
            continue;
        }
        let source = fs::read_to_string(&path).unwrap();
        let literals = literals(source.split("#[cfg(test)]").next().unwrap());
        let constants: Vec<(String, String)> =
            literals.iter().filter_map(|found| Some((found.constant.clone()?, found.text.clone()))).collect();
        for Found { line, mut text, .. } in literals {
            for _ in 0..3 {
                for (name, value) in &constants {
                    text = text.replace(&format!("{{{name}}}"), value);
                }
            }
            if reads_like_sql(&text) {
                found.push(Literal { place: format!("{name}:{line}"), text: collapse(&text) });
            }
        }
    }
    found
}

/// Whitespace as one space, so that a statement's layout does not matter.
pub fn collapse(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn reads_like_sql(text: &str) -> bool {
    let text = collapse(text);
    let has = |word: &str| text.contains(word);
    let first = text.split(' ').next().unwrap_or("");
    match first {
        "select" => has(" from "),
        "insert" | "replace" => has(" into "),
        "update" => has(" set "),
        "delete" => has(" from "),
        "with" => has(" as (") && has("select "),
        _ => false,
    }
}

fn walk(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            walk(&path, files);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            files.push(path);
        }
    }
    files.sort();
}

struct Found {
    line: usize,
    text: String,
    /// The name, if it is the value of a constant.
    constant: Option<String>,
}

/// The string literals of a source file, comments left out.
fn literals(source: &str) -> Vec<Found> {
    let bytes = source.as_bytes();
    let (mut found, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        let rest = &source[at..];
        if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
        } else if rest.starts_with("'\"'") || rest.starts_with("b'\"'") {
            at += 3;
        } else if bytes[at] == b'"' {
            let line = source[..at].matches('\n').count() + 1;
            let constant = constant_before(&source[..at]);
            let (text, length) = read(&rest[1..]);
            found.push(Found { line, text, constant });
            at += length + 1;
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    found
}

/// The text up to the closing quote, and how many bytes it takes with it.
fn read(source: &str) -> (String, usize) {
    let mut text = String::new();
    let mut characters = source.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => return (text, at + 1),
            '\\' => match characters.next() {
                // A line that goes on: its indentation is no part of the text.
                Some((_, '\n')) => while characters.next_if(|(_, next)| next.is_whitespace()).is_some() {},
                Some((_, other)) => text.push(other),
                None => {}
            },
            _ => text.push(character),
        }
    }
    (text, source.len())
}

/// `NAME` of `const NAME: &str =` at the end of a text.
fn constant_before(source: &str) -> Option<String> {
    let before = source.trim_end().strip_suffix("&str =")?;
    let (_, name) = before.rsplit_once("const ")?;
    Some(name.trim_end().trim_end_matches(':').to_owned())
}

#[test]
fn the_statements_of_the_source_are_found_whole() {
    let source = "const COLUMNS: &str = \"id, name\"; // \"select 1 from nothing\"\n\
        let sql = format!(\"select {COLUMNS}\\\n    from rooms where name = \\\"x\\\"\");";
    let found = literals(source);
    assert_eq!((found[0].constant.as_deref(), found[1].line), (Some("COLUMNS"), 2));
    assert_eq!(found[1].text, "select {COLUMNS}from rooms where name = \"x\"");
    let literal = Literal { place: String::new(), text: "select {} from rooms {order}limit 1".into() };
    assert!(
        literal.is("select id from rooms order by id limit 1") && !literal.is("select id from doors limit 1")
    );
    assert!(statements().len() > 80);
}
