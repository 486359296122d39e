//! Reads a JPEG from its first marker to its last: the frame, the tables, the scans.

use super::huffman::next_marker;
use super::outline::{Component, Outline};
use super::tables::Tables;
use crate::base::budget::{DecodeLimits, TimeBudget};
use crate::base::picture::PictureProblem;
use crate::base::picture::orientation::Orientation;

impl Outline {
    /// Reads a file.
    ///
    /// # Errors
    /// Why it is refused.
    pub fn read(bytes: &[u8], limits: &DecodeLimits, budget: &TimeBudget) -> Result<Self, PictureProblem> {
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
                return Err(PictureProblem::TooSlow);
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
            let length = length.ok_or(PictureProblem::CutShort)?;
            let segment = bytes.get(at + 2..at + length.max(2)).ok_or(PictureProblem::CutShort)?;
            at += length.max(2);
            match code {
                0xC0..=0xC2 => outline.frame(code, segment, limits)?,
                0xC9..=0xCB | 0xCD..=0xCF => return Err(PictureProblem::Arithmetic),
                0xC3 | 0xC5..=0xC7 | 0xDE => return Err(PictureProblem::Unusual),
                0xC4 => tables.huffman(segment).ok_or(PictureProblem::Damaged)?,
                0xDB => tables.quantization(segment).ok_or(PictureProblem::Damaged)?,
                0xDD => {
                    let [high, low, ..] = *segment else { return Err(PictureProblem::Damaged) };
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
            // All blocks are present; of a progressive file this cannot be known.
            (true, false) if !outline.is_progressive => Ok(outline),
            (_, false) => Err(PictureProblem::CutShort),
            (false, true) => Err(PictureProblem::Damaged),
        }
    }

    fn frame(&mut self, code: u8, segment: &[u8], limits: &DecodeLimits) -> Result<(), PictureProblem> {
        let [precision, y1, y2, x1, x2, count, parts @ ..] = segment else {
            return Err(PictureProblem::Damaged);
        };
        if !self.components.is_empty() || parts.len() < 3 * usize::from(*count) {
            return Err(PictureProblem::Damaged);
        }
        if *precision != 8 || !matches!(count, 1 | 3 | 4) {
            return Err(PictureProblem::Unusual);
        }
        self.width = u16::from_be_bytes([*x1, *x2]).into();
        self.height = u16::from_be_bytes([*y1, *y2]).into();
        self.is_progressive = code == 0xC2;
        // The size comes first: check it before allocating anything.
        let pixels = self.pixels();
        if pixels == 0 {
            return Err(PictureProblem::Damaged);
        }
        if pixels.saturating_mul(u64::from(*count)) > limits.memory_bytes {
            return Err(PictureProblem::TooManyPixels(pixels));
        }
        for part in parts.chunks_exact(3).take(usize::from(*count)) {
            let across = usize::from(part[1] >> 4);
            let down = usize::from(part[1] & 15);
            // The sampling factors of a single component have no effect.
            let (across, down) = if *count == 1 { (1, 1) } else { (across, down) };
            if !(1..=4).contains(&across) || !(1..=4).contains(&down) || part[2] > 3 {
                return Err(PictureProblem::Damaged);
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
        let (max_across, max_down) = self.max_factors();
        let units = self.width.div_ceil(8 * max_across);
        let rows = self.height.div_ceil(8 * max_down);
        for component in &mut self.components {
            component.columns = units * component.across;
            component.means = vec![0; component.columns * rows * component.down];
        }
        Ok(())
    }
}
