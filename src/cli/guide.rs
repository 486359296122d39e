//! `schoolhouse-guide(7)`: `docs/install.md` and `docs/operate.md` as one manual page.
//!
//! Converts the subset of Markdown that these two use. A table becomes a list with its first column as the label and
//! the second as the text, without the heading. A link keeps its text, and its URL if it leads to another site.

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};
use roff::{Inline, Roff, bold, italic, roman};

use crate::base::release::NUMBER;

/// File name; section 7 is for overviews.
pub(super) const FILE: &str = "schoolhouse-guide.7";
const INSTALL: &str = include_str!("../../docs/install.md");
const OPERATE: &str = include_str!("../../docs/operate.md");
/// Indentation of code and list text, in columns.
const INDENT: &str = "4";
/// An empty argument.
const EMPTY: &str = "\"\"";

/// The page in roff.
pub(super) fn page() -> String {
    let mut page = Page::default();
    let version = format!("schoolhouse {NUMBER}");
    page.roff.control("TH", ["schoolhouse-guide", "7", EMPTY, &version, "schoolhouse"]);
    // No hyphens inside commands; aligned on the left.
    page.roff.control("nh", []).control("ad", ["l"]);
    page.roff.control("SH", ["NAME"]);
    page.roff.text([roman("schoolhouse-guide - how to install and operate schoolhouse")]);
    for document in [INSTALL, OPERATE] {
        for event in Parser::new_ext(document, Options::ENABLE_TABLES) {
            page.add(event);
        }
    }
    page.roff.control("SH", ["SEE ALSO"]);
    page.roff.text([bold("schoolhouse"), roman("(1); all documents are in /usr/share/doc/schoolhouse")]);
    page.roff.render()
}

/// The page being built.
#[derive(Default)]
struct Page {
    roff: Roff,
    /// Text of the current paragraph, heading or cell.
    text: Vec<Inline>,
    is_bold: bool,
    is_italic: bool,
    /// Open lists: the number of the next item, if numbered.
    lists: Vec<Option<u64>>,
    /// Whether the next paragraph is the first of its list item.
    is_item_new: bool,
    is_code: bool,
    is_table_head: bool,
    /// The URL of the open link, if it leads to another site.
    address: Option<String>,
}

impl Page {
    fn add(&mut self, event: Event) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) if self.is_code => {
                self.roff.text([roman(text.trim_end_matches('\n'))]);
            }
            Event::Text(text) => self.push_text(&text),
            Event::Code(code) => self.text.push(bold(code.as_ref())),
            Event::SoftBreak => self.push_text(" "),
            _ => {}
        }
    }

    fn start(&mut self, tag: Tag) {
        match tag {
            Tag::Paragraph if self.is_item_new => self.is_item_new = false,
            Tag::Paragraph if self.lists.is_empty() => {
                self.roff.control("PP", []);
            }
            // A further paragraph of an item.
            Tag::Paragraph => {
                self.roff.control("IP", [EMPTY, INDENT]);
            }
            Tag::List(first) => {
                self.flush();
                self.lists.push(first);
            }
            Tag::Item => self.start_item(),
            Tag::CodeBlock(_) => {
                self.flush();
                self.is_code = true;
                self.roff.control("PP", []).control("RS", [if self.lists.is_empty() { INDENT } else { "8" }]);
                self.roff.control("nf", []);
            }
            Tag::TableHead => self.is_table_head = true,
            Tag::TableRow => {
                self.roff.control("TP", []);
            }
            Tag::Strong => self.is_bold = true,
            Tag::Emphasis => self.is_italic = true,
            Tag::Link { dest_url, .. } => {
                self.address = dest_url.starts_with("https://").then(|| dest_url.into_string());
            }
            _ => {}
        }
    }

    fn start_item(&mut self) {
        self.flush();
        let mark = match self.lists.last_mut() {
            Some(Some(number)) => {
                *number += 1;
                format!("{}.", *number - 1)
            }
            _ => "•".to_owned(),
        };
        self.roff.control("IP", [mark.as_str(), INDENT]);
        self.is_item_new = true;
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Heading(HeadingLevel::H1) => self.head("SH"),
            TagEnd::Heading(HeadingLevel::H2) => self.head("SS"),
            TagEnd::Heading(_) => {
                let text = self.text.drain(..).map(|inline| match inline {
                    Inline::Roman(text) => bold(text),
                    other => other,
                });
                let text: Vec<_> = text.collect();
                self.roff.control("PP", []).text(text);
            }
            TagEnd::TableCell if self.is_table_head => self.text.clear(),
            TagEnd::TableHead => self.is_table_head = false,
            TagEnd::Paragraph | TagEnd::TableCell => self.flush(),
            TagEnd::Item => {
                self.flush();
                self.is_item_new = false;
            }
            TagEnd::List(_) => {
                self.lists.pop();
            }
            TagEnd::CodeBlock => {
                self.is_code = false;
                self.roff.control("fi", []).control("RE", []);
            }
            TagEnd::Strong => self.is_bold = false,
            TagEnd::Emphasis => self.is_italic = false,
            TagEnd::Link => {
                if let Some(address) = self.address.take() {
                    self.push_text(&format!(" ({address})"));
                }
            }
            _ => {}
        }
    }

    /// Emits a heading macro, which applies to the next line.
    fn head(&mut self, name: &str) {
        self.roff.control(name, []);
        self.flush();
    }

    fn push_text(&mut self, text: &str) {
        self.text.push(match () {
            () if self.is_bold => bold(text),
            () if self.is_italic => italic(text),
            () => roman(text),
        });
    }

    /// Writes the current text.
    fn flush(&mut self) {
        if !self.text.is_empty() {
            self.roff.text(std::mem::take(&mut self.text));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text as shown by a terminal, without fonts and spacing.
    fn shown() -> String {
        let mut page = page();
        for (mark, text) in [
            ("\\fB", ""),
            ("\\fI", ""),
            ("\\fR", ""),
            ("\\-", "-"),
            ("\\*(Aq", "'"),
            ("\\&", ""),
            ("\\\\", "\\"),
        ] {
            page = page.replace(mark, text);
        }
        page
    }

    #[test]
    fn every_command_of_the_documents_is_a_line_of_the_page() {
        let page = shown();
        let lines: Vec<_> = page.lines().collect();
        let commands = [INSTALL, OPERATE].into_iter().flat_map(str::lines);
        let commands: Vec<_> =
            commands.filter_map(|line| line.strip_prefix("    ")).map(str::trim_end).collect();
        assert!(commands.len() > 30, "{commands:?}");
        for command in commands {
            assert!(lines.iter().any(|line| line.trim() == command.trim()), "{command}");
        }
    }

    #[test]
    fn every_heading_and_row_of_the_documents_is_on_the_page_and_no_markdown_is() {
        let page = shown();
        for line in [INSTALL, OPERATE].into_iter().flat_map(str::lines) {
            if line.starts_with('#') {
                let heading = line.trim_start_matches('#').trim();
                assert!(page.lines().any(|shown| shown == heading), "{heading}");
            }
            if let Some((first, _)) = line.strip_prefix("| ").and_then(|row| row.split_once(" | ")) {
                let is_head = ["when", "what", "command"].contains(&first);
                let first = first.replace('`', "");
                assert!(is_head || page.contains(&format!(".TP\n{first}\n")), "{first}");
            }
        }
        assert!(!page.contains("](") && !page.contains("**"), "{page}");
        assert!(!page.lines().any(|line| line.starts_with('|')), "{page}");
    }
}
