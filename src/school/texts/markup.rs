//! How texts are written: a line that begins with `# ` is a heading, an empty line ends a paragraph, lines that begin
//! with `- ` are a list, `**words**` stand out and `[words](address)` is a link. Everything else is plain text.

use std::fmt::Write as _;

use maud::{Markup, html};
use serde::Serialize;
use utoipa::ToSchema;

/// A part of a text under its heading.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct TextSection {
    /// Its place in the page: `#fees-and-payment`.
    pub id: String,
    /// Its name; empty where a text begins without one.
    pub name: String,
    /// Its number and its name: `3. Fees and Payment`.
    pub heading: String,
    /// What stands under it.
    pub html: String,
}

/// A text, drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drawn {
    /// Its parts.
    pub sections: Vec<TextSection>,
    /// Its words without marks: what its version is made of, and what emails say.
    pub plain: String,
}

enum Block<'a> {
    Paragraph(Vec<&'a str>),
    List(Vec<&'a str>),
}

enum Inline<'a> {
    Plain(&'a str),
    Strong(&'a str),
    Link { words: &'a str, to: &'a str },
}

/// Reads a text and draws it.
pub fn draw(text: &str) -> Drawn {
    let mut drawn = Drawn { sections: Vec::new(), plain: String::new() };
    let mut number = 0;
    for (name, body) in sections(text) {
        let blocks = blocks(&body);
        if name.is_empty() && blocks.is_empty() {
            continue;
        }
        if !name.is_empty() {
            let _ = write!(drawn.plain, "{name}\n\n");
        }
        for block in &blocks {
            let _ = write!(drawn.plain, "{}\n\n", plain(block));
        }
        let html = html! { @for block in &blocks { (element(block)) } };
        let id = match (slug(name), drawn.sections.len()) {
            (id, place) if id.is_empty() || drawn.sections.iter().any(|one| one.id == id) => {
                format!("part-{}", place + 1)
            }
            (id, _) => id,
        };
        number += usize::from(!name.is_empty());
        let heading = if name.is_empty() { String::new() } else { format!("{number}. {name}") };
        drawn.sections.push(TextSection { id, name: name.to_owned(), heading, html: html.into_string() });
    }
    drawn.plain.truncate(drawn.plain.trim_end().len());
    drawn
}

/// Each heading with the lines under it; the first may have none.
fn sections(text: &str) -> Vec<(&str, Vec<&str>)> {
    let mut sections = vec![("", Vec::new())];
    for line in text.lines().map(str::trim) {
        match line.strip_prefix("# ").or_else(|| line.strip_prefix("## ")) {
            Some(name) => sections.push((name.trim(), Vec::new())),
            None => sections.last_mut().into_iter().for_each(|(_, lines)| lines.push(line)),
        }
    }
    sections
}

fn blocks<'a>(lines: &[&'a str]) -> Vec<Block<'a>> {
    let mut blocks: Vec<Block<'a>> = Vec::new();
    let mut is_new = true;
    for line in lines {
        let item = line.strip_prefix("- ").or_else(|| line.strip_prefix("* "));
        match (item, blocks.last_mut()) {
            _ if line.is_empty() => {
                is_new = true;
                continue;
            }
            (Some(item), Some(Block::List(items))) => items.push(item),
            (Some(item), _) => blocks.push(Block::List(vec![item])),
            (None, Some(Block::Paragraph(lines))) if !is_new => lines.push(line),
            (None, _) => blocks.push(Block::Paragraph(vec![line])),
        }
        is_new = false;
    }
    blocks
}

fn element(block: &Block<'_>) -> Markup {
    html! {
        @match block {
            Block::Paragraph(lines) => p {
                @for (nth, line) in lines.iter().enumerate() {
                    @if nth > 0 { br; }
                    (inline(line))
                }
            },
            Block::List(items) => ul { @for item in items { li { (inline(item)) } } },
        }
    }
}

fn inline(line: &str) -> Markup {
    html! {
        @for part in parts(line) {
            @match part {
                Inline::Plain(words) => (words),
                Inline::Strong(words) => strong { (words) },
                Inline::Link { words, to } => a href=(to) { (words) },
            }
        }
    }
}

fn plain(block: &Block<'_>) -> String {
    let words = |line: &&str| {
        parts(line)
            .into_iter()
            .map(|part| match part {
                Inline::Plain(words) | Inline::Strong(words) | Inline::Link { words, .. } => words,
            })
            .collect::<String>()
    };
    match block {
        Block::Paragraph(lines) => lines.iter().map(words).collect::<Vec<_>>().join("\n"),
        Block::List(items) => {
            items.iter().map(|item| format!("- {}", words(item))).collect::<Vec<_>>().join("\n")
        }
    }
}

fn parts(mut line: &str) -> Vec<Inline<'_>> {
    let mut parts = Vec::new();
    while let Some((at, part, end)) = next_mark(line) {
        if at > 0 {
            parts.push(Inline::Plain(&line[..at]));
        }
        parts.push(part);
        line = &line[end..];
    }
    if !line.is_empty() {
        parts.push(Inline::Plain(line));
    }
    parts
}

/// The first mark of a line: where it begins, what it marks, where it ends.
fn next_mark(line: &str) -> Option<(usize, Inline<'_>, usize)> {
    let marks = line.char_indices().filter(|(_, sign)| matches!(sign, '*' | '['));
    marks.map(|(at, _)| at).find_map(|at| {
        let rest = &line[at..];
        if let Some(words) =
            rest.strip_prefix("**").and_then(|rest| rest.split_once("**")).map(|(words, _)| words)
        {
            return (!words.is_empty()).then(|| (at, Inline::Strong(words), at + words.len() + 4));
        }
        let (words, after) = rest.strip_prefix('[')?.split_once("](")?;
        let (to, _) = after.split_once(')')?;
        let is_link = !words.is_empty() && !words.contains('[') && leads_somewhere(to);
        is_link.then(|| (at, Inline::Link { words, to }, at + words.len() + to.len() + 4))
    })
}

/// A page of the site, or an address that runs nothing.
fn leads_somewhere(to: &str) -> bool {
    let is_page = to.starts_with('/') && !to.starts_with("//") && !to.starts_with("/\\");
    let is_elsewhere = ["https://", "mailto:", "tel:"].iter().any(|scheme| to.starts_with(scheme));
    (is_page || is_elsewhere) && !to.contains(|sign: char| sign.is_control() || sign.is_whitespace())
}

fn slug(name: &str) -> String {
    let words = name.split(|sign: char| !sign.is_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("-").to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_of_the_schools_own_is_drawn_and_nothing_in_it_runs() {
        let drawn = draw(
            "We <b>refund</b> & smile.\nUntil the first day.\n\n\n- Half **after** that\n- [Ask us](/contact), \
             [not this](javascript:alert), [nor this](//evil.example)\nLast words.\n# What is \"it\"?\n* One star",
        );
        assert_eq!(drawn.sections.len(), 2);
        assert_eq!(
            drawn.sections[0].html,
            "<p>We &lt;b&gt;refund&lt;/b&gt; &amp; smile.<br>Until the first day.</p><ul><li>Half \
             <strong>after</strong> that</li><li><a href=\"/contact\">Ask us</a>, [not this](javascript:alert), [nor \
             this](//evil.example)</li></ul><p>Last words.</p>"
        );
        assert_eq!(
            (&*drawn.sections[1].id, &*drawn.sections[1].heading),
            ("what-is-it", "1. What is \"it\"?")
        );
        assert_eq!(
            drawn.plain,
            "We <b>refund</b> & smile.\nUntil the first day.\n\n- Half after that\n- Ask us, [not \
             this](javascript:alert), [nor this](//evil.example)\n\nLast words.\n\nWhat is \"it\"?\n\n- One star"
        );
        assert_eq!(draw(" \n\n").sections, []);
        for odd in ["**", "****", "[](/x)", "[a](", "a ** b", "[[a](/b)", "*", "- ", "#", "# "] {
            draw(odd);
        }
    }
}
