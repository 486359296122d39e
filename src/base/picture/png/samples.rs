//! The samples of a decoded PNG, upright: pixels of 1 to 64 bits, row by row.

use crate::base::picture::PictureSize;
use crate::base::picture::orientation::Orientation;

/// Samples and their orientation.
pub struct Samples<'a> {
    /// As stored: each row starts at a byte boundary.
    pub bytes: &'a [u8],
    /// In pixels.
    pub width: usize,
    /// In pixels.
    pub height: usize,
    /// Bits per pixel.
    pub bits: usize,
    /// Orientation of the stored samples.
    pub orientation: Orientation,
}

impl Samples<'_> {
    /// Size, upright.
    pub fn size(&self) -> PictureSize {
        PictureSize { width: self.width, height: self.height }.turned(self.orientation)
    }

    /// A row of the upright picture, packed like a stored one.
    pub fn row(&self, y: usize, into: &mut Vec<u8>) {
        let stride = (self.width * self.bits).div_ceil(8);
        into.clear();
        if self.orientation == Orientation::UPRIGHT {
            into.extend_from_slice(&self.bytes[y * stride..(y + 1) * stride]);
            return;
        }
        let width = self.size().width;
        let mut packed = 0;
        for x in 0..width {
            let (column, row) = self.orientation.source(x, y, self.width, self.height);
            let stored = &self.bytes[row * stride..(row + 1) * stride];
            if self.bits >= 8 {
                into.extend_from_slice(&stored[column * self.bits / 8..(column + 1) * self.bits / 8]);
                continue;
            }
            let place = x * self.bits % 8;
            packed |= pixel(stored, column, self.bits)[0] >> place;
            if place + self.bits == 8 || x + 1 == width {
                into.push(std::mem::take(&mut packed));
            }
        }
    }

    /// Whether `count` pixels of `row` equal those of `of` from `start` on, every `step` pixels.
    pub fn are_same(&self, row: &[u8], of: &[u8], count: usize, start: usize, step: usize) -> bool {
        if (start, step) == (0, 1) {
            // Padding of the last byte is not a pixel.
            let whole = count * self.bits / 8;
            let rest = whole * 8 / self.bits..count;
            return row[..whole] == of[..whole]
                && rest.into_iter().all(|at| pixel(row, at, self.bits) == pixel(of, at, self.bits));
        }
        (0..count).all(|at| pixel(row, at, self.bits) == pixel(of, start + at * step, self.bits))
    }
}

/// The bits of a pixel, from the most significant bit of the first byte.
fn pixel(row: &[u8], at: usize, bits: usize) -> [u8; 8] {
    let mut pixel = [0; 8];
    match bits / 8 {
        0 => pixel[0] = (row[at * bits / 8] << (at * bits % 8)) & !(u8::MAX >> bits),
        bytes => pixel[..bytes].copy_from_slice(&row[at * bytes..(at + 1) * bytes]),
    }
    pixel
}
