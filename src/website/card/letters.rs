//! Lines of type: the outlines of the interface's two families, as the build wrote them
//! (`ui/scripts/write-letters.ts`), how wide words are in them, and where a line ends.
//!
//! A character that a family lacks is taken from the other one; one that both lack is left out, never shown as
//! a box. Scripts that are written from right to left or that join their letters are not set.

use std::collections::HashMap;
use std::io::Read as _;

use anyhow::Context as _;
use flate2::read::GzDecoder;
use serde::Deserialize;

/// What stands for words that were left out.
const ELLIPSIS: char = '…';

/// The letters of a family. Lengths are thousandths of the size of the type.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Letters {
    /// How far a character moves the next one, and its outline as an SVG path, y upwards.
    outlines: HashMap<char, (f32, String)>,
    /// How much closer the second of two characters stands.
    pairs: HashMap<String, f32>,
}

/// Which letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// Of titles.
    Serif,
    /// Of small print.
    Sans,
}

/// Both families.
#[derive(Debug)]
pub struct Type {
    serif: Letters,
    sans: Letters,
}

/// How a line is set.
#[derive(Debug, Clone, Copy)]
pub struct Style {
    /// With which letters.
    pub family: Family,
    /// Size of the type in pixels.
    pub size: f32,
    /// What is added after each character, in parts of the size.
    pub tracking: f32,
}

/// A line that is set: each letter's outline in thousandths, with its distance from the line's beginning in pixels.
#[derive(Debug)]
pub struct Line<'a> {
    /// Distance and outline of each letter.
    pub letters: Vec<(f32, &'a str)>,
    /// Width in pixels.
    pub width: f32,
}

impl Type {
    /// Reads both families as the build wrote them: gzip of JSON.
    ///
    /// # Errors
    /// When one is not what the build writes.
    pub fn read(serif: &[u8], sans: &[u8]) -> anyhow::Result<Self> {
        Ok(Self {
            serif: read(serif).context("the serif letters")?,
            sans: read(sans).context("the sans letters")?,
        })
    }

    /// Sets a text in one line.
    pub fn line(&self, text: &str, style: Style) -> Line<'_> {
        let Style { family, size, tracking } = style;
        let mut line = Line { letters: Vec::new(), width: 0.0 };
        let mut pair = String::new();
        for character in text.chars() {
            let Some((drawn_in, (advance, outline))) = self.find(character, family) else { continue };
            pair.push(character);
            let closer = self.family(drawn_in).pairs.get(&pair).copied().unwrap_or_default();
            // What stands next to the following character.
            pair.clear();
            pair.push(character);
            let left = line.width - closer * size / 1000.0;
            line.letters.push((left, outline));
            line.width = left + (advance / 1000.0 + tracking) * size;
        }
        // Nothing follows the last one.
        line.width = (line.width - tracking * size).max(0.0);
        line
    }

    /// The lines of a text, none wider than so many pixels, of about the same length. What does not fit into
    /// so many lines is left out, with an ellipsis in its place.
    pub fn wrap(&self, text: &str, style: Style, width: f32, max_lines: usize) -> Vec<String> {
        let text = self.drawable(text, style.family);
        let lines = self.fill(&text, style, width, max_lines);
        if lines.len() < 2 || lines.last().is_some_and(|line| line.ends_with(ELLIPSIS)) {
            return lines;
        }
        // As `text-wrap: balance`: the narrowest that needs no more lines.
        let (count, mut best, mut narrower) = (lines.len(), lines, width);
        while narrower > width / 2.0 {
            narrower -= width / 50.0;
            let lines = self.fill(&text, style, narrower, count);
            if lines.concat().contains(ELLIPSIS)
                || lines.iter().any(|line| self.is_wider(line, style, narrower))
            {
                break;
            }
            best = lines;
        }
        best
    }

    /// The text in words with one space between them, without what neither family can draw. A word of which
    /// nothing but punctuation is left goes with it.
    pub fn drawable(&self, text: &str, family: Family) -> String {
        let words = text.split_whitespace().filter_map(|word| {
            let kept: String = word.chars().filter(|c| self.find(*c, family).is_some()).collect();
            let says_something = kept.contains(char::is_alphanumeric) || kept.len() == word.len();
            (says_something && !kept.is_empty()).then_some(kept)
        });
        words.collect::<Vec<_>>().join(" ")
    }

    /// Fills lines with words, one after the other.
    fn fill(&self, text: &str, style: Style, width: f32, max_lines: usize) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        for word in text.split(' ').filter(|word| !word.is_empty()) {
            let longer = lines.last().map(|line| format!("{line} {word}"));
            match longer.filter(|line| !self.is_wider(line, style, width)) {
                Some(line) => *lines.last_mut().unwrap_or(&mut String::new()) = line,
                None if lines.len() == max_lines => {
                    if let Some(last) = lines.last_mut() {
                        *last = self.shortened(&format!("{last} {word}"), style, width);
                    }
                    return lines;
                }
                None => lines.push(self.shortened(word, style, width)),
            }
        }
        lines
    }

    /// A text that fits, by words and then by characters.
    fn shortened(&self, text: &str, style: Style, width: f32) -> String {
        let mut kept = text.to_owned();
        let mut shown = kept.clone();
        while self.is_wider(&shown, style, width) && !kept.is_empty() {
            match kept.rfind(' ') {
                Some(space) => kept.truncate(space),
                None => drop(kept.pop()),
            }
            let end = kept.trim_end_matches(|c: char| !c.is_alphanumeric() && c != ')').len();
            kept.truncate(end);
            shown = format!("{kept}{ELLIPSIS}");
        }
        shown
    }

    fn is_wider(&self, text: &str, style: Style, width: f32) -> bool {
        self.line(text, style).width > width
    }

    fn family(&self, family: Family) -> &Letters {
        match family {
            Family::Serif => &self.serif,
            Family::Sans => &self.sans,
        }
    }

    /// A character in a family, or else in the other.
    fn find(&self, character: char, family: Family) -> Option<(Family, (f32, &str))> {
        let other = if family == Family::Serif { Family::Sans } else { Family::Serif };
        [family, other].into_iter().find_map(|family| {
            let (advance, outline) = self.family(family).outlines.get(&character)?;
            Some((family, (*advance, outline.as_str())))
        })
    }
}

fn read(gzip: &[u8]) -> anyhow::Result<Letters> {
    let mut json = String::new();
    GzDecoder::new(gzip).read_to_string(&mut json)?;
    Ok(serde_json::from_str(&json)?)
}
