//! How texts are written: a line that begins with `# ` is a heading, an empty line ends a paragraph, lines that begin
//! with `- ` are a list, `**words**` stand out and `[words](address)` is a link. Everything else is plain text.

use std::fmt::Write as _;

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
    pub blocks: Vec<TextBlock>,
}

/// A paragraph by its lines, or a list by its items.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TextBlock {
    /// Whether the lines are a list's items.
    pub is_list: bool,
    /// Each line in its parts.
    pub lines: Vec<Vec<TextWords>>,
}

/// Words that look the same.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TextWords {
    /// The words.
    pub words: String,
    /// Whether they stand out.
    pub is_strong: bool,
    /// Where they lead: a page of the site, or an address with `https:`, `mailto:` or `tel:`.
    #[schema(required)]
    pub to: Option<String>,
}

/// A text, drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenderedText {
    /// Its parts.
    pub sections: Vec<TextSection>,
    /// Its words without marks: what its version is made of, and what emails say.
    pub plain: String,
}

enum MarkupBlock<'a> {
    Paragraph(Vec<&'a str>),
    List(Vec<&'a str>),
}

/// Reads a text and draws it.
pub fn render(text: &str) -> RenderedText {
    let mut drawn = RenderedText { sections: Vec::new(), plain: String::new() };
    let mut number = 0;
    for (name, body) in sections(text) {
        let blocks = blocks(&body);
        if name.is_empty() && blocks.is_empty() {
            continue;
        }
        if !name.is_empty() {
            let _ = write!(drawn.plain, "{name}\n\n");
        }
        let blocks: Vec<_> = blocks.into_iter().map(TextBlock::new).collect();
        for block in &blocks {
            let _ = write!(drawn.plain, "{}\n\n", block.plain());
        }
        let id = match (slug(name), drawn.sections.len()) {
            (id, place) if id.is_empty() || drawn.sections.iter().any(|one| one.id == id) => {
                format!("part-{}", place + 1)
            }
            (id, _) => id,
        };
        number += usize::from(!name.is_empty());
        let heading = if name.is_empty() { String::new() } else { format!("{number}. {name}") };
        drawn.sections.push(TextSection { id, name: name.to_owned(), heading, blocks });
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

fn blocks<'a>(lines: &[&'a str]) -> Vec<MarkupBlock<'a>> {
    let mut blocks: Vec<MarkupBlock<'a>> = Vec::new();
    let mut is_new = true;
    for line in lines {
        let item = line.strip_prefix("- ").or_else(|| line.strip_prefix("* "));
        match (item, blocks.last_mut()) {
            _ if line.is_empty() => {
                is_new = true;
                continue;
            }
            (Some(item), Some(MarkupBlock::List(items))) => items.push(item),
            (Some(item), _) => blocks.push(MarkupBlock::List(vec![item])),
            (None, Some(MarkupBlock::Paragraph(lines))) if !is_new => lines.push(line),
            (None, _) => blocks.push(MarkupBlock::Paragraph(vec![line])),
        }
        is_new = false;
    }
    blocks
}

impl TextBlock {
    fn new(block: MarkupBlock<'_>) -> Self {
        let (is_list, lines) = match block {
            MarkupBlock::Paragraph(lines) => (false, lines),
            MarkupBlock::List(items) => (true, items),
        };
        Self { is_list, lines: lines.into_iter().map(parts).collect() }
    }

    fn plain(&self) -> String {
        let mark = if self.is_list { "- " } else { "" };
        let line =
            |parts: &Vec<TextWords>| parts.iter().fold(mark.to_owned(), |line, part| line + &part.words);
        self.lines.iter().map(line).collect::<Vec<_>>().join("\n")
    }
}

impl TextWords {
    fn new(words: &str, is_strong: bool, to: Option<&str>) -> Self {
        Self { words: words.to_owned(), is_strong, to: to.map(str::to_owned) }
    }
}

fn parts(mut line: &str) -> Vec<TextWords> {
    let mut parts = Vec::new();
    while let Some((at, part, end)) = next_mark(line) {
        if at > 0 {
            parts.push(TextWords::new(&line[..at], false, None));
        }
        parts.push(part);
        line = &line[end..];
    }
    if !line.is_empty() {
        parts.push(TextWords::new(line, false, None));
    }
    parts
}

/// The first mark of a line: where it begins, what it marks, where it ends.
fn next_mark(line: &str) -> Option<(usize, TextWords, usize)> {
    let marks = line.char_indices().filter(|(_, sign)| matches!(sign, '*' | '['));
    marks.map(|(at, _)| at).find_map(|at| {
        let rest = &line[at..];
        if let Some(words) =
            rest.strip_prefix("**").and_then(|rest| rest.split_once("**")).map(|(words, _)| words)
        {
            return (!words.is_empty())
                .then(|| (at, TextWords::new(words, true, None), at + words.len() + 4));
        }
        let (words, after) = rest.strip_prefix('[')?.split_once("](")?;
        let (to, _) = after.split_once(')')?;
        let is_link = !words.is_empty() && !words.contains('[') && leads_somewhere(to);
        is_link.then(|| (at, TextWords::new(words, false, Some(to)), at + words.len() + to.len() + 4))
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
        let drawn = render(
            "We <b>refund</b> & smile.\nUntil the first day.\n\n\n- Half **after** that\n- [Ask us](/contact), \
             [not this](javascript:alert), [nor this](//evil.example)\nLast words.\n# What is \"it\"?\n* One star",
        );
        assert_eq!(drawn.sections.len(), 2);
        let seen: Vec<_> =
            drawn.sections[0].blocks.iter().map(|block| (block.is_list, block.lines.len())).collect();
        assert_eq!(seen, [(false, 2), (true, 2), (false, 1)]);
        let items = &drawn.sections[0].blocks[1].lines;
        assert_eq!(items[0][1], TextWords::new("after", true, None));
        let links = [
            TextWords::new("Ask us", false, Some("/contact")),
            TextWords::new(", [not this](javascript:alert), [nor this](//evil.example)", false, None),
        ];
        assert_eq!(items[1], links);
        assert_eq!(
            (&*drawn.sections[1].id, &*drawn.sections[1].heading),
            ("what-is-it", "1. What is \"it\"?")
        );
        assert_eq!(
            drawn.plain,
            "We <b>refund</b> & smile.\nUntil the first day.\n\n- Half after that\n- Ask us, [not \
             this](javascript:alert), [nor this](//evil.example)\n\nLast words.\n\nWhat is \"it\"?\n\n- One star"
        );
        assert_eq!(render(" \n\n").sections, []);
        for odd in ["**", "****", "[](/x)", "[a](", "a ** b", "[[a](/b)", "*", "- ", "#", "# "] {
            render(odd);
        }
    }
}
