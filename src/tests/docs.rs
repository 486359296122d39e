//! Documentation: every relative link points to an existing file and heading.

use std::fs;
use std::path::{Path, PathBuf};

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// Maximum size of the README, which explains what the project is and how to start; everything else is in `docs/`.
const README_BYTES: usize = 8 * 1024;

/// The anchors and the link targets of a document.
fn headings_and_links(text: &str) -> (Vec<String>, Vec<String>) {
    let mut headings = Vec::new();
    let mut links = Vec::new();
    let mut heading = None;
    for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
            Event::End(TagEnd::Heading(_)) => headings.extend(heading.take().map(|text| anchor(&text))),
            Event::Text(text) | Event::Code(text) => {
                if let Some(heading) = &mut heading {
                    *heading += &text;
                }
            }
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                links.push(dest_url.into_string());
            }
            _ => {}
        }
    }
    (headings, links)
}

/// The anchor of a heading.
fn anchor(heading: &str) -> String {
    let kept = heading.to_lowercase().replace(' ', "-");
    kept.chars().filter(|c| c.is_alphanumeric() || ['-', '_'].contains(c)).collect()
}

/// Why a link is broken, if it is.
fn broken(document: &Path, link: &str) -> Option<&'static str> {
    let (path, heading) = link.split_once('#').unwrap_or((link, ""));
    let target = if path.is_empty() { document.to_owned() } else { document.parent().unwrap().join(path) };
    if !target.is_file() {
        return Some("there is no such file");
    }
    let is_there =
        || headings_and_links(&fs::read_to_string(&target).unwrap()).0.contains(&heading.to_owned());
    (!heading.is_empty() && !is_there()).then_some("there is no such heading")
}

fn documents() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = [root.to_owned(), root.join("docs")];
    let entries = folders.iter().flat_map(|folder| fs::read_dir(folder).unwrap());
    let paths = entries.map(|entry| entry.unwrap().path());
    paths.filter(|path| path.extension().is_some_and(|extension| extension == "md")).collect()
}

#[test]
fn every_link_between_documents_leads_somewhere() {
    let documents = documents();
    assert!(documents.len() >= 10, "the documents were found: {documents:?}");
    let mut count = 0;
    let mut wrong = Vec::new();
    for document in &documents {
        let (_, links) = headings_and_links(&fs::read_to_string(document).unwrap());
        for link in links.iter().filter(|link| !link.contains("://")) {
            count += 1;
            if let Some(why) = broken(document, link) {
                wrong.push(format!("{}: {link}: {why}", document.display()));
            }
        }
    }
    assert!(count > 20, "the links were found: {count}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_link_that_leads_nowhere_is_found() {
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    assert_eq!(broken(&readme, "docs/install.md"), None);
    assert_eq!(broken(&readme, "docs/install.md#4-turn-on-https"), None);
    assert_eq!(broken(&readme, "#try-it"), None);
    assert_eq!(broken(&readme, "docs/none.md"), Some("there is no such file"));
    assert_eq!(broken(&readme, "docs/install.md#none"), Some("there is no such heading"));
}

#[test]
fn the_readme_is_short() {
    let readme = fs::metadata(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap();
    assert!(readme.len() as usize <= README_BYTES, "move something to docs/: {} bytes", readme.len());
}
