//! An independent, partial reading of a JPEG: its frame, its scans, and the mean of every block of 8 by 8 samples
//! (T.81's DC coefficient). A decoder's output is compared with it: two implementations without common code do not fail
//! in the same way.

use super::tables::Steps;
use crate::base::picture::orientation::Orientation;

/// The colour model of a JPEG.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colors {
    /// Luma only.
    Gray,
    /// Luma and two chroma components.
    YCbCr,
    /// Red, green, blue.
    Rgb,
    /// CMYK, inverted.
    Cmyk,
    /// CMYK with the first three as luma and chroma.
    Ycck,
}

/// A JPEG read down to the means of its blocks.
pub struct Outline {
    /// In pixels.
    pub width: usize,
    /// In pixels.
    pub height: usize,
    /// EXIF orientation.
    pub orientation: Orientation,
    /// Whether it is stored in several passes over the whole picture.
    pub is_progressive: bool,
    /// Offset of the end of the picture; without an end marker, the end of the file.
    pub end: usize,
    /// Whether it has an end marker.
    pub has_end: bool,
    pub(super) components: Vec<Component>,
    pub(super) scans: usize,
    pub(super) is_jfif: bool,
    pub(super) adobe_transform: Option<u8>,
}

pub(super) struct Component {
    pub(super) id: u8,
    /// Sampling factors, horizontal and vertical.
    pub(super) across: usize,
    pub(super) down: usize,
    pub(super) quantization: usize,
    /// None before its first scan.
    pub(super) steps: Option<Steps>,
    /// Blocks per row, including padding of the last unit.
    pub(super) columns: usize,
    pub(super) means: Vec<i16>,
}

impl Outline {
    /// Its colour model, by the rules of libjpeg and so of browsers.
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

    /// Number of pixels.
    pub fn pixels(&self) -> u64 {
        self.width as u64 * self.height as u64
    }

    /// Number of components.
    pub fn components(&self) -> usize {
        self.components.len()
    }

    /// Stored samples of all components: fewer than pixels times components when chroma is subsampled.
    pub fn samples(&self) -> u64 {
        self.components.iter().map(|component| 64 * component.means.len() as u64).sum()
    }

    /// Whether it has the common layout: both chroma components subsampled alike, at most as fine as luma, and all
    /// components in one scan unless progressive.
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
