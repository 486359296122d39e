//! A document as PDF/UA: text that can be copied and read aloud, in fonts that are part of the file.

use std::num::NonZeroU32;

use anyhow::{Context as _, anyhow};
use krilla::color::rgb;
use krilla::configure::{Accessibility, ConfigurationBuilder};
use krilla::destination::XyzDestination;
use krilla::geom::{PathBuilder, Point, Rect, Transform};
use krilla::metadata::Metadata;
use krilla::num::NormalizedF32;
use krilla::outline::{Outline, OutlineNode};
use krilla::page::PageSettings;
use krilla::paint::Fill;
use krilla::surface::Surface;
use krilla::tagging::{
    Artifact, ArtifactType, ContentTag, Identifier, SpanTag, TableHeaderScope, Tag, TagGroup, TagKind,
    TagTree,
};
use krilla::text::KrillaGlyph;
use krilla::{Document, SerializeSettings};

use super::Paper;
use super::fonts::{Fonts, Style};
use super::layout::{self, Ink, Line, MARGIN, PAGE, Part, Sheet, Text};

/// Language of every document.
const LANGUAGE: &str = "en-CA";

/// Whether a document holds only letters that the fonts have. Others would be boxes.
///
/// # Errors
/// Only when a font of the program is damaged.
pub fn covers(paper: &Paper) -> anyhow::Result<bool> {
    let fonts = Fonts::get()?;
    Ok(paper.texts().all(|text| fonts.cover(text)))
}

/// Writes a document as a PDF: the same bytes for the same document. Takes milliseconds to tens of them; not for a
/// thread of the runtime.
///
/// # Errors
/// When it has letters that no font has (see [`covers`]), or more than a hundred pages.
pub fn write(paper: &Paper) -> anyhow::Result<Vec<u8>> {
    anyhow::ensure!(covers(paper)?, "a document with letters that no font has");
    let fonts = Fonts::get()?;
    let layout = layout::lay_out(paper, fonts)?;
    let configuration = ConfigurationBuilder::new().with_accessibility_validator(Accessibility::UA1).finish();
    let configuration = configuration.map_err(|error| anyhow!("configuring a PDF: {error:?}"))?;
    let settings = SerializeSettings { configuration, enable_tagging: true, ..SerializeSettings::default() };
    let mut document = Document::new_with(settings);
    let size = PageSettings::from_wh(PAGE.0, PAGE.1).context("the size of a page")?;
    let mut drawn = Vec::with_capacity(layout.sheets.len());
    for sheet in &layout.sheets {
        let mut page = document.start_page_with(size.clone());
        let mut surface = page.surface();
        drawn.push(draw(&mut surface, sheet, paper, fonts));
        surface.finish();
        page.finish();
    }
    document.set_tag_tree(tree(paper, &layout.parts, &drawn));
    let mut outline = Outline::new();
    let top = XyzDestination::new(0, Point::from_xy(0.0, 0.0));
    outline.push_child(OutlineNode::new(paper.title(), top));
    document.set_outline(outline);
    let metadata = Metadata::new().title(paper.title()).language(LANGUAGE.to_owned());
    let authors = paper.letterhead.iter().take(1).cloned().collect();
    document.set_metadata(metadata.authors(authors));
    document.finish().map_err(|error| anyhow!("writing a PDF: {error:?}"))
}

/// Draws a page, and returns the name of each of its lines.
fn draw(surface: &mut Surface<'_>, sheet: &Sheet, paper: &Paper, fonts: &Fonts) -> Vec<Identifier> {
    let artifact = |kind| ContentTag::Artifact(Artifact::with_kind(kind));
    surface.start_tagged(artifact(ArtifactType::Layout));
    for stroke in &sheet.strokes {
        let mut path = PathBuilder::new();
        if let Some(area) = Rect::from_xywh(stroke.x, stroke.y, stroke.width, stroke.height) {
            path.push_rect(area);
        }
        surface.set_fill(Some(fill(stroke.ink, NormalizedF32::ONE)));
        if let Some(path) = path.finish() {
            surface.draw_path(&path);
        }
    }
    surface.end_tagged();
    let lines = sheet.lines.iter().map(|line| {
        let name = surface.start_tagged(ContentTag::Span(SpanTag::empty()));
        text(surface, line, fonts, NormalizedF32::ONE);
        surface.end_tagged();
        name
    });
    let lines = lines.collect();
    surface.start_tagged(artifact(ArtifactType::PaginationOther));
    for line in &sheet.repeated {
        text(surface, line, fonts, NormalizedF32::ONE);
    }
    surface.end_tagged();
    if let Some(mark) = &paper.mark {
        surface.start_tagged(artifact(ArtifactType::Watermark));
        across(surface, &mark.word, fonts);
        surface.end_tagged();
    }
    lines
}

/// Writes a word from corner to corner.
fn across(surface: &mut Surface<'_>, word: &str, fonts: &Fonts) {
    let middle = (PAGE.0 / 2.0, PAGE.1 / 2.0);
    let style = Style::Bold;
    let width = fonts.width(word, style).max(0.1);
    let size = ((PAGE.0 - 2.0 * MARGIN) * 1.05 / width).min(190.0);
    let x = middle.0 - width * size / 2.0;
    let y = middle.1 + size * 0.33;
    surface.push_transform(&Transform::from_rotate_at(-40.0, middle.0, middle.1));
    let line = Line { text: word.to_owned(), style, size, x, y, ink: Ink::Red };
    text(surface, &line, fonts, NormalizedF32::new(0.14).unwrap_or(NormalizedF32::ONE));
    surface.pop();
}

/// Writes a line, a face at a time.
fn text(surface: &mut Surface<'_>, line: &Line, fonts: &Fonts, opacity: NormalizedF32) {
    surface.set_fill(Some(fill(line.ink, opacity)));
    let mut x = line.x;
    for run in fonts.set(&line.text, line.style) {
        let glyphs = run.glyphs.into_iter().map(|glyph| KrillaGlyph {
            glyph_id: glyph.id,
            text_range: glyph.range,
            x_advance: glyph.advance,
            x_offset: glyph.offset.0,
            y_offset: glyph.offset.1,
            y_advance: 0.0,
            location: None,
        });
        let glyphs: Vec<_> = glyphs.collect();
        let font = run.face.font.clone();
        surface.draw_glyphs(Point::from_xy(x, line.y), &glyphs, font, &line.text, line.size, false);
        x += run.width * line.size;
    }
}

fn fill(ink: Ink, opacity: NormalizedF32) -> Fill {
    let (red, green, blue) = match ink {
        Ink::Navy => (15, 33, 71),
        Ink::Text => (42, 53, 80),
        Ink::Muted => (86, 96, 122),
        Ink::Red => (161, 28, 54),
        Ink::Line => (214, 218, 228),
        Ink::Brass => (185, 138, 46),
    };
    Fill { paint: rgb::Color::new(red, green, blue).into(), opacity, ..Fill::default() }
}

/// What a screen reader reads.
fn tree(paper: &Paper, parts: &[Part], drawn: &[Vec<Identifier>]) -> TagTree {
    let group = |tag: TagKind, text: &Text| {
        let mut group = TagGroup::new(tag);
        for line in text.iter().filter_map(|(page, line)| drawn.get(*page)?.get(*line)) {
            group.push(*line);
        }
        group
    };
    let around = |tag: TagKind, groups: Vec<TagGroup>| {
        TagGroup::with_children(tag, groups.into_iter().map(Into::into).collect())
    };
    let row = |cells: Vec<TagGroup>| around(Tag::TR.into(), cells);
    let pair =
        |name: TagKind, pair: &(Text, Text)| row(vec![group(name, &pair.0), group(Tag::TD.into(), &pair.1)]);
    let name = || Tag::TH(TableHeaderScope::Row);
    let wide = NonZeroU32::new(u32::try_from(paper.columns.len().saturating_sub(1)).unwrap_or(1));
    let mut tree = TagTree::new().with_lang(Some(LANGUAGE.to_owned()));
    for part in parts {
        tree.push(match part {
            Part::Title(text) => group(heading(1, paper.title()), text),
            Part::Heading(text, title) => group(heading(2, title.clone()), text),
            Part::Paragraph(text) => group(Tag::P.into(), text),
            Part::Facts(facts) => {
                let rows = facts.iter().map(|fact| pair(name().into(), fact)).collect();
                around(Tag::Table.into(), vec![around(Tag::TBody.into(), rows)])
            }
            Part::Table { head, rows, sums } => {
                let head = head.iter().map(|cell| group(Tag::TH(TableHeaderScope::Column).into(), cell));
                let cells =
                    |cells: &Vec<Text>| row(cells.iter().map(|cell| group(Tag::TD.into(), cell)).collect());
                let mut table = vec![around(Tag::THead.into(), vec![row(head.collect())])];
                if !rows.is_empty() {
                    table.push(around(Tag::TBody.into(), rows.iter().map(cells).collect()));
                }
                let sums: Vec<_> =
                    sums.iter().map(|sum| pair(name().with_col_span(wide).into(), sum)).collect();
                if !sums.is_empty() {
                    table.push(around(Tag::TFoot.into(), sums));
                }
                around(Tag::Table.into(), table)
            }
        });
    }
    tree
}

fn heading(level: u16, title: String) -> TagKind {
    Tag::Hn(std::num::NonZeroU16::new(level).unwrap_or(std::num::NonZeroU16::MIN), Some(title)).into()
}
