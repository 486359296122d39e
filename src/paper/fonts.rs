//! The fonts of PDFs: those of the website, in the pieces in which they are published. A letter is taken from the first
//! piece that has it, so that names in Latin, Greek and Cyrillic letters can be written in any weight.

use std::collections::HashMap;
use std::io::Read as _;
use std::sync::{Arc, LazyLock};

use anyhow::{Context as _, anyhow};
use flate2::read::ZlibDecoder;
use icu_normalizer::ComposingNormalizerBorrowed;
use krilla::text::{Font, GlyphId};
use skrifa::instance::{LocationRef, Size};
use skrifa::{FontRef, MetadataProvider as _};

macro_rules! woff {
    ($name:literal) => {
        include_bytes!(concat!("fonts/", $name, ".woff"))
    };
}

/// WOFF files (`fonts/LICENSE.txt`): the texts' letters first, then those of names.
const FILES: [&[u8]; 8] = [
    woff!("source-sans-3-latin-400"),
    woff!("source-sans-3-latin-600"),
    woff!("source-serif-4-latin-600"),
    woff!("source-sans-3-latin-ext-400"),
    woff!("source-sans-3-vietnamese-400"),
    woff!("source-sans-3-cyrillic-400"),
    woff!("source-sans-3-cyrillic-ext-400"),
    woff!("source-sans-3-greek-400"),
];

/// How a text looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// As text.
    Regular = 0,
    /// As what stands out.
    Bold = 1,
    /// As a title.
    Title = 2,
}

/// A piece of a font.
pub struct Face {
    /// For the PDF.
    pub font: Font,
    /// Glyph and width, in parts of the size, of each letter.
    glyphs: HashMap<char, (GlyphId, f32)>,
}

/// The fonts, read once.
pub struct Fonts(Vec<Face>);

/// A glyph of a text.
#[derive(Debug, Clone, Copy)]
pub struct Placed {
    /// Which face has it.
    pub face: usize,
    /// Which one it is.
    pub glyph: GlyphId,
    /// Its width, in parts of the size.
    pub width: f32,
}

static FONTS: LazyLock<anyhow::Result<Fonts>> = LazyLock::new(Fonts::read);

impl Fonts {
    /// The fonts.
    ///
    /// # Errors
    /// Only when a file of the program is damaged.
    pub fn get() -> anyhow::Result<&'static Self> {
        FONTS.as_ref().map_err(|error| anyhow!("reading the fonts of PDFs: {error:#}"))
    }

    fn read() -> anyhow::Result<Self> {
        FILES.into_iter().map(|file| Face::read(unpack(file)?)).collect::<anyhow::Result<_>>().map(Self)
    }

    /// A face.
    pub fn face(&self, index: usize) -> Option<&Face> {
        self.0.get(index)
    }

    /// The glyph of a letter, if any font has it.
    pub fn place(&self, letter: char, style: Style) -> Option<Placed> {
        let faces = [style as usize, 0].into_iter().chain(3..self.0.len());
        faces.into_iter().find_map(|face| {
            let (glyph, width) = *self.0.get(face)?.glyphs.get(&letter)?;
            Some(Placed { face, glyph, width })
        })
    }

    /// Width of a text, in parts of the size.
    pub fn width(&self, text: &str, style: Style) -> f32 {
        text.chars().filter_map(|letter| self.place(letter, style)).map(|placed| placed.width).sum()
    }

    /// Whether there is a glyph for each letter.
    pub fn cover(&self, text: &str) -> bool {
        clean(text).chars().all(|letter| letter == '\n' || self.place(letter, Style::Regular).is_some())
    }
}

impl Face {
    fn read(data: Vec<u8>) -> anyhow::Result<Self> {
        let data = Arc::new(data);
        let font = FontRef::new(&data).context("a font")?;
        let widths = font.glyph_metrics(Size::new(1.0), LocationRef::default());
        let glyph = |(letter, glyph): (u32, skrifa::GlyphId)| {
            let width = widths.advance_width(glyph)?;
            Some((char::from_u32(letter)?, (GlyphId::new(glyph.to_u32()), width)))
        };
        let glyphs = font.charmap().mappings().filter_map(glyph).collect();
        let font = Font::new(data.clone().into(), 0).context("a font")?;
        Ok(Self { font, glyphs })
    }
}

/// A text as it can be set: letters with their accents, without what has no shape.
pub fn clean(text: &str) -> String {
    let composed = ComposingNormalizerBorrowed::new_nfc().normalize(text);
    let shown = |letter: char| match letter {
        '\n' => Some('\n'),
        '\u{ad}'
        | '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{2069}'
        | '\u{feff}' => None,
        '\u{202f}' => Some('\u{a0}'),
        '\u{2010}' | '\u{2011}' => Some('-'),
        letter if letter.is_control() || letter == '\u{2028}' || letter == '\u{2029}' => Some(' '),
        letter => Some(letter),
    };
    composed.chars().filter_map(shown).collect()
}

/// Unpacks a WOFF file (WOFF 1.0, sections 3 to 5): its tables, each compressed by itself.
fn unpack(file: &[u8]) -> anyhow::Result<Vec<u8>> {
    const HEADER: usize = 44;
    let number = |at: usize, bytes: usize| -> anyhow::Result<usize> {
        let part = file.get(at..at + bytes).context("a font that ends early")?;
        Ok(part.iter().fold(0, |sum, byte| sum << 8 | usize::from(*byte)))
    };
    let tables = number(12, 2)?;
    let (mut head, mut body) = (Vec::new(), Vec::new());
    let log = tables.max(1).ilog2();
    let range = 16_usize << log;
    head.extend_from_slice(file.get(4..8).context("a font that ends early")?);
    for value in [tables, range, log as usize, tables * 16 - range] {
        head.extend_from_slice(&u16::try_from(value)?.to_be_bytes());
    }
    for entry in (0..tables).map(|index| HEADER + index * 20) {
        let (at, packed, length) = (number(entry + 4, 4)?, number(entry + 8, 4)?, number(entry + 12, 4)?);
        let place = 12 + tables * 16 + body.len();
        head.extend_from_slice(&file[entry..entry + 4]);
        for value in [number(entry + 16, 4)?, place, length] {
            head.extend_from_slice(&u32::try_from(value)?.to_be_bytes());
        }
        let data = file.get(at..at + packed).context("a font that ends early")?;
        if packed < length {
            ZlibDecoder::new(data).read_to_end(&mut body).context("a table of a font")?;
        } else {
            body.extend_from_slice(data);
        }
        body.resize(body.len().next_multiple_of(4), 0);
    }
    head.append(&mut body);
    Ok(head)
}
