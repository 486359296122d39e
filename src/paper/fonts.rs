//! The fonts of PDFs: those of the website, in the pieces in which they are published. A letter is taken from the first
//! piece that has it, so that names in Latin, Greek and Cyrillic letters can be written in any weight.

use std::collections::HashSet;
use std::io::Read as _;
use std::ops::Range;
use std::sync::{Arc, LazyLock};

use anyhow::{Context as _, anyhow};
use flate2::read::ZlibDecoder;
use harfrust::{Direction, Script, ShapeOptions, ShapePlan, ShaperData, UnicodeBuffer, script};
use icu_normalizer::ComposingNormalizerBorrowed;
use krilla::text::{Font, GlyphId};
use skrifa::{FontRef, MetadataProvider as _};

macro_rules! woff {
    ($name:literal) => {
        include_bytes!(concat!("fonts/", $name, ".woff"))
    };
}

/// Typefaces of pages to print: family, weight and WOFF file.
pub const PAGE_FONTS: [(&str, u16, &[u8]); 3] = [
    ("Text", 400, woff!("source-sans-3-latin-400")),
    ("Text", 600, woff!("source-sans-3-latin-600")),
    ("Title", 600, woff!("source-serif-4-latin-600")),
];

/// WOFF files (`fonts/LICENSE.txt`) and their scripts: the texts' letters first, then those of names.
const FILES: [(&[u8], Script); 8] = [
    (woff!("source-sans-3-latin-400"), script::LATIN),
    (woff!("source-sans-3-latin-600"), script::LATIN),
    (woff!("source-serif-4-latin-600"), script::LATIN),
    (woff!("source-sans-3-latin-ext-400"), script::LATIN),
    (woff!("source-sans-3-vietnamese-400"), script::LATIN),
    (woff!("source-sans-3-cyrillic-400"), script::CYRILLIC),
    (woff!("source-sans-3-cyrillic-ext-400"), script::CYRILLIC),
    (woff!("source-sans-3-greek-400"), script::GREEK),
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
    data: Arc<Vec<u8>>,
    letters: HashSet<char>,
    script: Script,
    shaper: ShaperData,
    plan: ShapePlan,
}

/// The fonts, read once.
pub struct Fonts(Vec<Face>);

/// Glyphs of one face that follow each other.
pub struct Run<'a> {
    /// The face.
    pub face: &'a Face,
    /// The glyphs.
    pub glyphs: Vec<Glyph>,
    /// Width of all of them, in parts of the size.
    pub width: f32,
}

/// A glyph of a text; measures are parts of the size.
pub struct Glyph {
    /// Which one it is.
    pub id: GlyphId,
    /// The bytes of the text that it shows.
    pub range: Range<usize>,
    /// How far it moves what follows.
    pub advance: f32,
    /// Where it stands: to the right, and upwards.
    pub offset: (f32, f32),
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
        let faces = FILES.into_iter().map(|(file, script)| Face::read(unpack(file)?, script));
        faces.collect::<anyhow::Result<_>>().map(Self)
    }

    /// The face of a letter, if any has it.
    fn face(&self, letter: char, style: Style) -> Option<usize> {
        let faces = [style as usize, 0].into_iter().chain(3..self.0.len());
        faces.into_iter().find(|face| self.0.get(*face).is_some_and(|face| face.letters.contains(&letter)))
    }

    /// Sets a text in one line, without the letters that no face has.
    pub fn set(&self, text: &str, style: Style) -> Vec<Run<'_>> {
        let letters = (text.char_indices())
            .filter_map(|(at, letter)| Some((at..at + letter.len_utf8(), self.face(letter, style)?)));
        let mut stretches: Vec<(Range<usize>, usize)> = Vec::new();
        for (range, face) in letters {
            match stretches.last_mut() {
                Some((last, same)) if *same == face && last.end == range.start => last.end = range.end,
                _ => stretches.push((range, face)),
            }
        }
        let runs = stretches.into_iter().filter_map(|(range, face)| self.0.get(face)?.set(text, range));
        runs.collect()
    }

    /// Width of a text, in parts of the size.
    pub fn width(&self, text: &str, style: Style) -> f32 {
        self.set(text, style).iter().map(|run| run.width).sum()
    }

    /// Whether there is a glyph for each letter.
    pub fn cover(&self, text: &str) -> bool {
        clean(text).chars().all(|letter| letter == '\n' || self.face(letter, Style::Regular).is_some())
    }
}

impl Face {
    fn read(data: Vec<u8>, script: Script) -> anyhow::Result<Self> {
        let data = Arc::new(data);
        let font = FontRef::new(&data).context("a font")?;
        let letters = font.charmap().mappings().filter_map(|(letter, _)| char::from_u32(letter)).collect();
        let shaper = ShaperData::new(&font);
        let plan =
            ShapePlan::new(&shaper.shaper(&font).build(), Direction::LeftToRight, Some(script), None, &[]);
        let font = Font::new(data.clone().into(), 0).context("a font")?;
        Ok(Self { font, data, letters, script, shaper, plan })
    }

    /// Sets a part of a text.
    #[expect(clippy::cast_precision_loss, reason = "font units")]
    fn set(&self, text: &str, part: Range<usize>) -> Option<Run<'_>> {
        let font = FontRef::new(&self.data).ok()?;
        let shaper = self.shaper.shaper(&font).build();
        let mut buffer = UnicodeBuffer::new();
        buffer.push_str(text.get(part.clone())?);
        buffer.set_direction(Direction::LeftToRight);
        buffer.set_script(self.script);
        let shaped = shaper.shape(buffer, ShapeOptions::new().plan(Some(&self.plan)));
        let size = |units: i32| units as f32 / shaper.units_per_em() as f32;
        let infos = shaped.glyph_infos();
        let mut glyphs = Vec::with_capacity(infos.len());
        for (index, (info, at)) in infos.iter().zip(shaped.glyph_positions()).enumerate() {
            let next = infos[index..].iter().find(|next| next.cluster > info.cluster);
            let end = next.map_or(part.end, |next| part.start + next.cluster as usize);
            glyphs.push(Glyph {
                id: GlyphId::new(info.glyph_id),
                range: part.start + info.cluster as usize..end,
                advance: size(at.x_advance),
                offset: (size(at.x_offset), size(at.y_offset)),
            });
        }
        let width = glyphs.iter().map(|glyph| glyph.advance).sum();
        Some(Run { face: self, glyphs, width })
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
    let mut head = Vec::new();
    let mut body = Vec::new();
    let log = tables.max(1).ilog2();
    let range = 16_usize << log;
    head.extend_from_slice(file.get(4..8).context("a font that ends early")?);
    for value in [tables, range, log as usize, tables * 16 - range] {
        head.extend_from_slice(&u16::try_from(value)?.to_be_bytes());
    }
    for entry in (0..tables).map(|index| HEADER + index * 20) {
        let at = number(entry + 4, 4)?;
        let packed = number(entry + 8, 4)?;
        let length = number(entry + 12, 4)?;
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
