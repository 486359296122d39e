//! Where everything of a document stands, on as many pages as it takes. What does not fit into its column is broken
//! into lines; the head of the table is repeated on each page, and no row is torn apart.
//!
//! Knows nothing of the PDF's format: [`super::pdf`] draws it.

use super::Paper;
use super::fonts::{Fonts, Style, clean};

/// Letter, upright, in points.
pub const PAGE: (f32, f32) = (612.0, 792.0);
/// White edge of a page.
pub const MARGIN: f32 = 56.0;
/// Pages of the longest document.
const MAX_PAGES: usize = 100;

const RIGHT: f32 = PAGE.0 - MARGIN;
const BOTTOM: f32 = PAGE.1 - MARGIN - 14.0;
/// Width of the names of facts.
const NAMES: f32 = 112.0;
/// Width of a column of amounts.
const AMOUNTS: f32 = 82.0;
/// Width of the first of two columns of words: dates.
const FIRST: f32 = 82.0;
/// Space between columns.
const GAP: f32 = 12.0;
/// Upright gaps where they keep a document on one page.
const TIGHT: f32 = 0.55;

/// Colours, as on the website in daylight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ink {
    /// Titles.
    Navy,
    /// Text.
    Text,
    /// What is less important.
    Muted,
    /// What no longer counts.
    Red,
    /// A thin line.
    Line,
    /// The line at the top.
    Brass,
}

/// A line of text.
#[derive(Debug, Clone)]
pub struct Line {
    /// What it says; with the space that follows it, where the text goes on in the next line.
    pub text: String,
    /// How it looks.
    pub style: Style,
    /// Its size in points.
    pub size: f32,
    /// Where it begins.
    pub x: f32,
    /// Its baseline, from the top of the page.
    pub y: f32,
    /// Its colour.
    pub ink: Ink,
}

/// A line that is drawn.
#[derive(Debug, Clone, Copy)]
pub struct Stroke {
    /// Left end.
    pub x: f32,
    /// Upper edge.
    pub y: f32,
    /// Length.
    pub width: f32,
    /// Thickness.
    pub height: f32,
    /// Its colour.
    pub ink: Ink,
}

/// A page.
#[derive(Debug, Default)]
pub struct Sheet {
    /// Text that belongs to the document, in reading order.
    pub lines: Vec<Line>,
    /// Text that only helps the eye: repeated heads, numbers of pages.
    pub repeated: Vec<Line>,
    /// Drawn lines.
    pub strokes: Vec<Stroke>,
}

/// A line of text, by page and place on it.
pub type LineId = (usize, usize);
/// Lines that are one thing.
pub type Text = Vec<LineId>;

/// What the parts are, in reading order: this is what a screen reader reads.
#[derive(Debug)]
pub enum Part {
    /// The title.
    Title(Text),
    /// A heading of a note.
    Heading(Text, String),
    /// A paragraph.
    Paragraph(Text),
    /// Names and values.
    Facts(Vec<(Text, Text)>),
    /// Rows with a head, and sums below them.
    Table {
        /// The head.
        head: Vec<Text>,
        /// The rows.
        rows: Vec<Vec<Text>>,
        /// The sums: label and amount.
        sums: Vec<(Text, Text)>,
    },
}

/// A document on its pages.
#[derive(Debug)]
pub struct Layout {
    /// The pages.
    pub sheets: Vec<Sheet>,
    /// The parts.
    pub parts: Vec<Part>,
}

/// Where a text stands, and how it looks.
#[derive(Clone, Copy)]
struct TextStyle {
    style: Style,
    size: f32,
    ink: Ink,
}

const TEXT: TextStyle = TextStyle { style: Style::Regular, size: 10.0, ink: Ink::Text };
const SMALL: TextStyle = TextStyle { style: Style::Regular, size: 8.5, ink: Ink::Muted };
const STRONG: TextStyle = TextStyle { style: Style::Bold, size: 10.0, ink: Ink::Navy };

/// Lays a document out.
///
/// # Errors
/// When it has more pages than [`MAX_PAGES`].
pub fn lay_out(paper: &Paper, fonts: &Fonts) -> anyhow::Result<Layout> {
    let mut layout = with_gaps(1.0, paper, fonts);
    if layout.sheets.len() == 2 {
        let tight = with_gaps(TIGHT, paper, fonts);
        if tight.sheets.len() == 1 {
            layout = tight;
        }
    }
    anyhow::ensure!(layout.sheets.len() <= MAX_PAGES, "a document of {} pages", layout.sheets.len());
    Ok(layout)
}

fn with_gaps(gaps: f32, paper: &Paper, fonts: &Fonts) -> Layout {
    let mut builder = Builder { fonts, gaps, sheets: Vec::new(), parts: Vec::new(), y: 0.0 };
    builder.start_page();
    builder.head(paper);
    builder.facts(paper);
    builder.table(paper);
    builder.notes(paper);
    builder.feet(paper);
    Layout { sheets: builder.sheets, parts: builder.parts }
}

/// A column that lines stand in.
#[derive(Clone, Copy)]
struct Column {
    /// Left edge.
    x: f32,
    width: f32,
    /// Whether the lines end at the right edge.
    is_right: bool,
}

/// The page's only column.
const WHOLE: Column = Column { x: MARGIN, width: RIGHT, is_right: false };

struct Builder<'a> {
    fonts: &'a Fonts,
    /// Upright gaps, as a part of the usual ones.
    gaps: f32,
    sheets: Vec<Sheet>,
    parts: Vec<Part>,
    /// How far down the page it has come.
    y: f32,
}

impl Builder<'_> {
    fn start_page(&mut self) {
        let top = Stroke { x: 0.0, y: 0.0, width: PAGE.0, height: 5.0, ink: Ink::Brass };
        self.sheets.push(Sheet { strokes: vec![top], ..Sheet::default() });
        self.y = MARGIN;
    }

    fn page(&mut self) -> Option<&mut Sheet> {
        self.sheets.last_mut()
    }

    fn stroke(&mut self, x: f32, width: f32, height: f32, ink: Ink) {
        let y = self.y;
        if let Some(page) = self.page() {
            page.strokes.push(Stroke { x, y, width, height, ink });
        }
    }

    /// Places lines below each other from `y` on, at the left or the right of a column.
    fn place(&mut self, lines: &[String], column: Column, y: f32, look: TextStyle) -> Text {
        let page = self.sheets.len() - 1;
        let mut placed = Vec::new();
        for (index, text) in lines.iter().enumerate() {
            let x = match column.is_right {
                true => column.x + column.width - self.fonts.width(text.trim_end(), look.style) * look.size,
                false => column.x,
            };
            #[expect(clippy::cast_precision_loss, reason = "a few lines")]
            let y = y + look.size + index as f32 * leading(look);
            let line = Line { text: text.clone(), style: look.style, size: look.size, x, y, ink: look.ink };
            if let Some(sheet) = self.page() {
                placed.push((page, sheet.lines.len()));
                sheet.lines.push(line);
            }
        }
        placed
    }

    /// Breaks a text into lines of at most a width.
    fn wrap(&self, text: &str, width: f32, look: TextStyle) -> Vec<String> {
        let text = clean(text);
        let fits = |line: &str| self.fonts.width(line.trim_end(), look.style) * look.size <= width;
        let mut lines = Vec::new();
        for paragraph in text.split('\n') {
            if fits(paragraph) {
                lines.push(paragraph.to_owned());
                continue;
            }
            let mut line = String::new();
            for word in paragraph.split_inclusive(' ') {
                if fits(&format!("{line}{word}")) {
                    line.push_str(word);
                    continue;
                }
                if !line.is_empty() {
                    lines.push(std::mem::take(&mut line));
                }
                // A word that is wider than the line is broken anywhere.
                for letter in word.chars() {
                    if !line.is_empty() && !fits(&format!("{line}{letter}")) {
                        lines.push(std::mem::take(&mut line));
                    }
                    line.push(letter);
                }
            }
            lines.push(line);
        }
        lines
    }

    /// Title at the left, the school at the right.
    fn head(&mut self, paper: &Paper) {
        let top = self.y;
        let half = (RIGHT - MARGIN) / 2.0;
        let left_half = Column { x: MARGIN, width: half, is_right: false };
        let right_half = Column { x: MARGIN + half + GAP, width: half - GAP, is_right: true };
        let title = TextStyle { style: Style::Title, size: 24.0, ink: Ink::Navy };
        let lines = self.wrap(&paper.kind, half, title);
        let mut text = self.place(&lines, left_half, top - 5.0, title);
        let mut left = top - 5.0 + height(&lines, title) + 2.0;
        let number = TextStyle { size: 12.0, ink: Ink::Muted, ..STRONG };
        let lines = self.wrap(&paper.number, half, number);
        text.extend(self.place(&lines, left_half, left, number));
        left += height(&lines, number);
        self.parts.push(Part::Title(text));
        let lines = self.wrap(&paper.issued, half, TEXT);
        let text = self.place(&lines, left_half, left + 2.0, TextStyle { ink: Ink::Muted, ..TEXT });
        self.parts.push(Part::Paragraph(text));
        left += 2.0 + height(&lines, TEXT);

        let mut right = top;
        for (index, line) in paper.letterhead.iter().enumerate() {
            let look = match index {
                0 => TextStyle { style: Style::Title, size: 13.0, ink: Ink::Navy },
                _ => SMALL,
            };
            let lines = self.wrap(line, half - GAP, look);
            let text = self.place(&lines, right_half, right, look);
            self.parts.push(Part::Paragraph(text));
            right += height(&lines, look) + 1.0;
        }
        self.y = left.max(right) + 20.0 * self.gaps;
        if let Some(mark) = &paper.mark {
            let look = TextStyle { ink: Ink::Red, ..STRONG };
            let lines = self.wrap(&format!("{} · {}", mark.word, mark.reason), RIGHT - MARGIN - 24.0, look);
            let tall = height(&lines, look) + 16.0;
            self.stroke(MARGIN, RIGHT - MARGIN, 1.0, Ink::Red);
            self.stroke(MARGIN, 1.0, tall, Ink::Red);
            self.stroke(RIGHT - 1.0, 1.0, tall, Ink::Red);
            let text = self.place(&lines, Column { x: MARGIN + 12.0, ..WHOLE }, self.y + 7.0, look);
            self.y += tall;
            self.stroke(MARGIN, RIGHT - MARGIN, 1.0, Ink::Red);
            self.y += 18.0;
            self.parts.push(Part::Paragraph(text));
        }
        if let Some(headline) = &paper.headline {
            let look = TextStyle { size: 16.0, ..STRONG };
            let lines = self.wrap(headline, RIGHT - MARGIN, look);
            let text = self.place(&lines, WHOLE, self.y, look);
            self.y += height(&lines, look) + 14.0 * self.gaps;
            self.parts.push(Part::Paragraph(text));
        }
    }

    fn facts(&mut self, paper: &Paper) {
        let name_column = Column { width: NAMES, ..WHOLE };
        let value_column = Column { x: MARGIN + NAMES, ..WHOLE };
        let mut facts = Vec::new();
        for (name, value) in &paper.facts {
            let names = self.wrap(name, NAMES - GAP, TEXT);
            let values = self.wrap(value, RIGHT - MARGIN - NAMES, TEXT);
            let y = self.y;
            let name = self.place(&names, name_column, y, TextStyle { ink: Ink::Muted, ..TEXT });
            let value = self.place(&values, value_column, y, TEXT);
            self.y += height(&names, TEXT).max(height(&values, TEXT)) + 3.0;
            facts.push((name, value));
        }
        if !facts.is_empty() {
            self.parts.push(Part::Facts(facts));
        }
        self.y += 20.0 * self.gaps;
    }

    /// The table's columns.
    fn columns(paper: &Paper) -> Vec<Column> {
        let amounts = paper.columns.len().saturating_sub(paper.words());
        #[expect(clippy::cast_precision_loss, reason = "a few columns")]
        let words = RIGHT - MARGIN - amounts as f32 * AMOUNTS;
        let mut columns = match paper.words() {
            1 => vec![Column { x: MARGIN, width: words - GAP, is_right: false }],
            _ => vec![
                Column { x: MARGIN, width: FIRST - GAP, is_right: false },
                Column { x: MARGIN + FIRST, width: words - FIRST - GAP, is_right: false },
            ],
        };
        #[expect(clippy::cast_precision_loss, reason = "a few columns")]
        columns.extend((0..amounts).map(|index| Column {
            x: MARGIN + words + index as f32 * AMOUNTS,
            width: AMOUNTS,
            is_right: true,
        }));
        columns
    }

    fn table_head(&mut self, paper: &Paper) -> Vec<Text> {
        let y = self.y;
        let columns = Self::columns(paper);
        let head = (paper.columns.iter().zip(&columns))
            .map(|(name, column)| self.place(&[clean(name)], *column, y, SMALL))
            .collect();
        self.y += 16.0;
        self.stroke(MARGIN, RIGHT - MARGIN, 1.0, Ink::Navy);
        self.y += 1.0;
        head
    }

    fn table(&mut self, paper: &Paper) {
        if paper.columns.is_empty() {
            return;
        }
        let columns = Self::columns(paper);
        let head = self.table_head(paper);
        let mut rows = Vec::new();
        for row in &paper.rows {
            if self.sheets.len() > MAX_PAGES {
                break; // It is refused.
            }
            let cells: Vec<_> = (row.cells.iter().zip(&columns))
                .map(|(cell, column)| self.wrap(cell, column.width, TEXT))
                .collect();
            let last = paper.words() - 1;
            let details = match row.detail.as_str() {
                "" => Vec::new(),
                detail => self.wrap(detail, columns.get(last).map_or(0.0, |column| column.width), SMALL),
            };
            let tall = |(index, lines): (usize, &Vec<String>)| {
                height(lines, TEXT) + if index == last { height(&details, SMALL) } else { 0.0 }
            };
            let tall = cells.iter().enumerate().map(tall).fold(0.0, f32::max) + 11.0 * self.gaps;
            self.make_room(tall, paper);
            let y = self.y + 5.0 * self.gaps;
            let mut placed = Vec::new();
            for (index, (lines, column)) in cells.iter().zip(&columns).enumerate() {
                let mut text = self.place(lines, *column, y, TEXT);
                if index == last {
                    text.extend(self.place(&details, *column, y + height(lines, TEXT), SMALL));
                }
                placed.push(text);
            }
            rows.push(placed);
            self.y += tall;
            self.stroke(MARGIN, RIGHT - MARGIN, 0.5, Ink::Line);
        }
        let sums = self.sums(paper);
        self.parts.push(Part::Table { head, rows, sums });
        self.y += 24.0 * self.gaps;
    }

    /// In the right half, those that stand out in bold.
    fn sums(&mut self, paper: &Paper) -> Vec<(Text, Text)> {
        let x = MARGIN + (RIGHT - MARGIN) * 0.42;
        let width = (RIGHT - MARGIN) * 0.58;
        let label_column = Column { x, width, is_right: false };
        let amount_column = Column { x, width, is_right: true };
        self.y += 4.0;
        let mut sums = Vec::new();
        for (index, sum) in paper.sums.iter().enumerate() {
            let look = if sum.is_total { TextStyle { size: 11.0, ..STRONG } } else { TEXT };
            let labels = self.wrap(&sum.label, width - AMOUNTS - GAP, look);
            let tall = height(&labels, look) + 8.0 * self.gaps;
            self.make_room(tall, paper);
            if index > 0 {
                self.stroke(x, width, 0.5, Ink::Line);
            }
            let y = self.y + 3.5 * self.gaps;
            let label = self.place(&labels, label_column, y, look);
            let amount = self.place(&[clean(&sum.amount)], amount_column, y, look);
            self.y += tall;
            sums.push((label, amount));
        }
        sums
    }

    /// Begins another page, with the table's head again, where what comes does not fit.
    fn make_room(&mut self, tall: f32, paper: &Paper) {
        if self.y + tall <= BOTTOM {
            return;
        }
        self.start_page();
        let before = self.page().map(|page| page.lines.len()).unwrap_or_default();
        self.table_head(paper);
        if let Some(page) = self.page() {
            page.repeated = page.lines.split_off(before);
        }
    }

    fn notes(&mut self, paper: &Paper) {
        for (heading, text) in &paper.notes {
            let headings = self.wrap(heading, RIGHT - MARGIN, STRONG);
            let lines = self.wrap(text, RIGHT - MARGIN, TEXT);
            if self.y + height(&headings, STRONG) + 2.0 * leading(TEXT) > BOTTOM {
                self.start_page();
            }
            let placed = self.place(&headings, WHOLE, self.y, STRONG);
            self.parts.push(Part::Heading(placed, heading.clone()));
            self.y += height(&headings, STRONG) + 2.0;
            let mut placed = Vec::new();
            for line in lines {
                if self.y + leading(TEXT) > BOTTOM {
                    self.start_page();
                }
                placed.extend(self.place(&[line], WHOLE, self.y, TEXT));
                self.y += leading(TEXT);
            }
            self.parts.push(Part::Paragraph(placed));
            self.y += 12.0 * self.gaps;
        }
    }

    fn feet(&mut self, paper: &Paper) {
        let pages = self.sheets.len();
        let y = PAGE.1 - MARGIN;
        let school = paper.letterhead.first().map(|name| format!(" · {name}")).unwrap_or_default();
        let name = clean(&format!("{}{school}", paper.title()));
        for index in 0..pages {
            let number = format!("Page {} of {pages}", index + 1);
            let right = RIGHT - self.fonts.width(&number, SMALL.style) * SMALL.size;
            let name = self.wrap(&name, right - MARGIN - GAP, SMALL).swap_remove(0);
            if let Some(sheet) = self.sheets.get_mut(index) {
                sheet.repeated.extend([(name, MARGIN), (number, right)].map(|(text, x)| Line {
                    text,
                    style: SMALL.style,
                    size: SMALL.size,
                    x,
                    y,
                    ink: SMALL.ink,
                }));
            }
        }
    }
}

/// Distance of baselines.
fn leading(look: TextStyle) -> f32 {
    look.size * 1.35
}

fn height(lines: &[String], look: TextStyle) -> f32 {
    #[expect(clippy::cast_precision_loss, reason = "a few lines")]
    let count = lines.len() as f32;
    count * leading(look)
}
