//! What a JPEG shows, in its own reading: its frame, its scans, and of every block of 8 by 8 samples the mean
//! (T.81's DC coefficient). What a decoder made of the file is held against it: two readings that share no code
//! do not go wrong in the same way.

use super::tables::Steps;
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
    pub(super) is_jfif: bool,
    pub(super) adobe_transform: Option<u8>,
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
    pub(super) fn max_factors(&self) -> (usize, usize) {
        let max = |factor: fn(&Component) -> usize| self.components.iter().map(factor).max().unwrap_or(1);
        (max(|one| one.across), max(|one| one.down))
    }
}

fn are_single(components: &[Component]) -> bool {
    components.iter().all(|one| (one.across, one.down) == (1, 1))
}
