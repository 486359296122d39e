//! Comments, names and messages use plain words: people have roles, and an email has no hyphen.
//!
//! Reads the repository as text: Rust, TypeScript, styles, scripts, documentation and configuration.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on ends")]

use std::fs;
use std::path::{Path, PathBuf};

/// Each refused word, and what to write instead.
const REFUSED: [(&str, &str); 20] = [
    ("anew", "again"),
    ("anybody", "the role: a user, a visitor, staff"),
    ("clerk", "staff"),
    ("clerks", "staff"),
    ("deed", "action, or audit entry"),
    ("deeds", "actions, or audit entries"),
    ("everybody", "all users, all students"),
    ("hitherto", "until now"),
    ("lest", "so that ... not"),
    ("nobody", "no user, no student"),
    ("somebody", "the role: a user, a visitor, staff"),
    ("spoilt", "corrupted"),
    ("therein", "in it"),
    ("thereof", "of it"),
    ("whence", "from which"),
    ("wherein", "in which"),
    ("whereupon", "then"),
    ("whoever", "the role, with \"who\""),
    ("whom", "the role"),
    ("whomever", "the role"),
];

/// What is read: folders with everything in them, and single files.
const READ: [&str; 20] = [
    ".ci",
    "bench",
    "docs",
    "src",
    "systemd",
    "tests",
    "ui/e2e",
    "ui/scripts",
    "ui/src",
    "examples",
    "build.rs",
    "Cargo.toml",
    "config.example.toml",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "Makefile",
    "README.md",
    "SECURITY.md",
    "ui/index.html",
    "ui/vite.config.ts",
];

/// What may contain refused words, and why.
const EXCEPTIONS: [&str; 6] = [
    "tests/words.rs",                 // this list
    "src/base/password/guessable",    // word lists and their licenses
    "src/school/texts/privacy.md",    // a text that users agreed to
    "tests/http/privacy/promises.rs", // quotes it
    "ui/src/openapi.ts",              // generated from src
    ".ci/booted",                     // an option of systemctl contains one
];

fn collect(path: &Path, files: &mut Vec<PathBuf>) {
    if path.is_dir() {
        let entries = fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path());
        entries.for_each(|entry| collect(&entry, files));
    } else if path.is_file() {
        files.push(path.to_owned());
    }
}

/// The words of a line in lower case. Names in snake case and camel case are several words.
fn words(line: &str) -> Vec<String> {
    let mut found = vec![String::new()];
    let mut was_lower = false;
    for c in line.chars() {
        if !c.is_alphanumeric() || (was_lower && c.is_uppercase()) {
            found.push(String::new());
        }
        was_lower = c.is_lowercase();
        if c.is_alphanumeric() {
            found.last_mut().unwrap().extend(c.to_lowercase());
        }
    }
    found
}

fn refused(line: &str) -> Option<(String, &'static str)> {
    let words = words(line);
    let named = |word: &str| {
        // Digits before a word are kept: a checksum may contain "deed".
        let word = word.trim_end_matches(|c: char| c.is_ascii_digit());
        REFUSED.iter().find(|(refused, _)| *refused == word)
    };
    if let Some((word, instead)) = words.iter().find_map(|word| named(word)) {
        return Some(((*word).to_owned(), instead));
    }
    let hyphen = words.windows(2).any(|pair| pair[0] == "e" && ["mail", "mails"].contains(&pair[1].as_str()));
    let hyphen = hyphen && line.to_lowercase().contains("e-mail");
    hyphen.then(|| ("e-mail".to_owned(), "email"))
}

#[test]
fn stilted_words_are_refused() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for path in READ {
        collect(&root.join(path), &mut files);
    }
    files.retain(|file| !EXCEPTIONS.iter().any(|path| file.starts_with(root.join(path))));
    files.sort();
    let mut wrong = Vec::new();
    let mut read = 0;
    for file in files {
        // Pictures and fonts are not text.
        let Ok(text) = fs::read_to_string(&file) else { continue };
        read += 1;
        let name = file.strip_prefix(root).unwrap().display();
        for (line, number) in text.lines().zip(1..) {
            if let Some((word, instead)) = refused(line) {
                wrong.push(format!("{name}:{number}: \"{word}\"; write: {instead}"));
            }
        }
    }
    assert!(read > 900, "the files were found: {read}");
    assert!(wrong.is_empty(), "{} lines\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn words_are_found_in_text_and_in_names() {
    for line in [
        "// Nobody reads it.",
        "let for_whom = 1;",
        "fn isNobody2()",
        "SOMEBODY_ELSE",
        "an E-mail",
        "e-mails",
    ] {
        assert!(refused(line).is_some(), "{line}");
    }
    for line in ["indeed", "a harvest", "the email", "0deed1f", "size-mail", "name mail"] {
        assert!(refused(line).is_none(), "{line}");
    }
}
