//! What a JPEG shows, in its own reading: its frame, its scans, and of every block of 8 by 8 samples the mean
//! (T.81's DC coefficient). What a decoder made of the file is held against it: two readings that share no code
//! do not go wrong in the same way.

use super::huffman::next_marker;
use super::scan::{Steps, Tables};
use crate::base::budget::{Budget, Limits};
use crate::base::picture::Problem;
use crate::base::picture::orientation::Orientation;

/// What the components of a JPEG are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colors {
    /// One: how bright.
    Gray,
    /// Brightness and two differences of colour.
    YCbCr,
    /// Red, green, blue.
    Rgb,
    /// A printer's, inverted.
    Cmyk,
    /// The same, the first three as brightness and differences.
    Ycck,
}

/// A JPEG, read up to the means of its blocks.
pub struct Outline {
    /// In pixels.
    pub width: usize,
    /// In pixels.
    pub height: usize,
    /// Which way up it is.
    pub orientation: Orientation,
    /// Whether it comes in passes over the whole picture.
    pub is_progressive: bool,
    /// Up to where the file is the picture; its end mark is missing where that is the end of the file.
    pub end: usize,
    /// Whether the end mark is there.
    pub has_end: bool,
    pub(super) components: Vec<Component>,
    pub(super) scans: usize,
    is_jfif: bool,
    adobe_transform: Option<u8>,
}

pub(super) struct Component {
    pub(super) id: u8,
    /// Sampling factors, across and down.
    pub(super) across: usize,
    pub(super) down: usize,
    pub(super) quantization: usize,
    /// None before its first scan.
    pub(super) steps: Option<Steps>,
    /// Blocks of a row, with those that fill up the last unit.
    pub(super) columns: usize,
    pub(super) means: Vec<i16>,
}

impl Outline {
    /// Reads a file.
    ///
    /// # Errors
    /// Why it is not taken.
    pub fn read(bytes: &[u8], limits: &Limits, budget: &Budget) -> Result<Self, Problem> {
        let mut outline = Self {
            width: 0,
            height: 0,
            orientation: Orientation::UPRIGHT,
            is_progressive: false,
            end: bytes.len(),
            has_end: false,
            components: Vec::new(),
            scans: 0,
            is_jfif: false,
            adobe_transform: None,
        };
        let mut tables = Tables::default();
        let mut has_exif = false;
        let mut at = 2;
        while let Some(marker) = next_marker(bytes, at) {
            if budget.tick() {
                return Err(Problem::TooSlow);
            }
            at = marker + 1;
            let code = bytes[marker];
            match code {
                0xD9 => {
                    (outline.end, outline.has_end) = (at, true);
                    break;
                }
                0x01 | 0xD0..=0xD8 => continue,
                _ => {}
            }
            let length = bytes.get(at..at + 2).map(|two| usize::from(u16::from_be_bytes([two[0], two[1]])));
            let length = length.ok_or(Problem::CutShort)?;
            let segment = bytes.get(at + 2..at + length.max(2)).ok_or(Problem::CutShort)?;
            at += length.max(2);
            match code {
                0xC0..=0xC2 => outline.frame(code, segment, limits)?,
                0xC9..=0xCB | 0xCD..=0xCF => return Err(Problem::Arithmetic),
                0xC3 | 0xC5..=0xC7 | 0xDE => return Err(Problem::Unusual),
                0xC4 => tables.huffman(segment).ok_or(Problem::Damaged)?,
                0xDB => tables.quantization(segment).ok_or(Problem::Damaged)?,
                0xDD => {
                    let [high, low, ..] = *segment else { return Err(Problem::Damaged) };
                    tables.restart_interval = u16::from_be_bytes([high, low]).into();
                }
                0xE0 => outline.is_jfif |= segment.starts_with(b"JFIF\0"),
                0xE1 if !has_exif && segment.starts_with(b"Exif\0\0") => {
                    has_exif = true;
                    outline.orientation = Orientation::from_exif(&segment[6..]);
                }
                0xEE if segment.starts_with(b"Adobe") => outline.adobe_transform = segment.get(11).copied(),
                0xDA => at = outline.scan(segment, &tables, bytes, at, budget)?,
                _ => {}
            }
        }
        let is_whole =
            !outline.components.is_empty() && outline.components.iter().all(|one| one.steps.is_some());
        match (is_whole, outline.has_end) {
            (true, true) => Ok(outline),
            // Every block of it is there; of one in passes that is not to be known.
            (true, false) if !outline.is_progressive => Ok(outline),
            (_, false) => Err(Problem::CutShort),
            (false, true) => Err(Problem::Damaged),
        }
    }

    /// What its components are, as libjpeg has it, and so browsers.
    pub fn colors(&self) -> Colors {
        let ids: Vec<u8> = self.components.iter().map(|component| component.id).collect();
        match (ids.len(), self.adobe_transform) {
            (1, _) => Colors::Gray,
            (4, Some(2)) => Colors::Ycck,
            (4, _) => Colors::Cmyk,
            _ if self.is_jfif => Colors::YCbCr,
            (_, Some(0)) => Colors::Rgb,
            (_, None) if ids == *b"RGB" => Colors::Rgb,
            _ => Colors::YCbCr,
        }
    }

    /// How many it has.
    pub fn pixels(&self) -> u64 {
        self.width as u64 * self.height as u64
    }

    /// Bytes of one pixel.
    pub fn components(&self) -> usize {
        self.components.len()
    }

    /// Samples of all components, as they are stored: fewer than those of its pixels where colours are coarser.
    pub fn samples(&self) -> u64 {
        self.components.iter().map(|component| 64 * component.means.len() as u64).sum()
    }

    /// Whether it is as cameras and programs write it: colours as coarse as brightness or coarser, alike, and
    /// all of them in one scan unless in passes.
    pub fn is_usual(&self) -> bool {
        let is_power = |factor: usize| matches!(factor, 1 | 2 | 4);
        let colors = self.components.get(1..).unwrap_or_default();
        let is_fine = match (colors, self.colors()) {
            ([colors @ .., black], Colors::Cmyk | Colors::Ycck) => {
                let first = &self.components[0];
                (black.across, black.down) == (first.across, first.down) && are_single(colors)
            }
            (colors, _) => are_single(colors),
        };
        is_fine
            && (self.is_progressive || self.scans == 1)
            && self.components.iter().all(|one| is_power(one.across) && is_power(one.down))
    }

    /// The largest sampling factors.
    pub(super) fn most(&self) -> (usize, usize) {
        let most = |factor: fn(&Component) -> usize| self.components.iter().map(factor).max().unwrap_or(1);
        (most(|one| one.across), most(|one| one.down))
    }

    fn frame(&mut self, code: u8, segment: &[u8], limits: &Limits) -> Result<(), Problem> {
        let [precision, y1, y2, x1, x2, count, parts @ ..] = segment else { return Err(Problem::Damaged) };
        if !self.components.is_empty() || parts.len() < 3 * usize::from(*count) {
            return Err(Problem::Damaged);
        }
        if *precision != 8 || !matches!(count, 1 | 3 | 4) {
            return Err(Problem::Unusual);
        }
        self.width = u16::from_be_bytes([*x1, *x2]).into();
        self.height = u16::from_be_bytes([*y1, *y2]).into();
        self.is_progressive = code == 0xC2;
        // The size stands in front: it is judged before anything is made of it.
        let pixels = self.pixels();
        if pixels == 0 {
            return Err(Problem::Damaged);
        }
        if pixels.saturating_mul(u64::from(*count)) > limits.memory_bytes {
            return Err(Problem::TooManyPixels(pixels));
        }
        for part in parts.chunks_exact(3).take(usize::from(*count)) {
            let (across, down) = (usize::from(part[1] >> 4), usize::from(part[1] & 15));
            // The samples of a component that stands alone are not coarser than anything.
            let (across, down) = if *count == 1 { (1, 1) } else { (across, down) };
            if !(1..=4).contains(&across) || !(1..=4).contains(&down) || part[2] > 3 {
                return Err(Problem::Damaged);
            }
            self.components.push(Component {
                id: part[0],
                across,
                down,
                quantization: part[2].into(),
                steps: None,
                columns: 0,
                means: Vec::new(),
            });
        }
        let (most_across, most_down) = self.most();
        let units = self.width.div_ceil(8 * most_across);
        let rows = self.height.div_ceil(8 * most_down);
        for component in &mut self.components {
            component.columns = units * component.across;
            component.means = vec![0; component.columns * rows * component.down];
        }
        Ok(())
    }
}

fn are_single(components: &[Component]) -> bool {
    components.iter().all(|one| (one.across, one.down) == (1, 1))
}
