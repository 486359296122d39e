//! Orientation of a photo: cameras write it into EXIF and store the pixels as the sensor captured them.

/// Placement of the stored pixels: EXIF's tag 0x0112, 1 to 8.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Orientation {
    /// Width and height are swapped.
    pub swaps_axes: bool,
    mirrors_x: bool,
    mirrors_y: bool,
}

impl Orientation {
    /// As the pixels are stored.
    pub const UPRIGHT: Self = Self { swaps_axes: false, mirrors_x: false, mirrors_y: false };

    /// Reads it from an EXIF block (CIPA DC-008, a TIFF file); upright if it cannot be read.
    pub fn from_exif(exif: &[u8]) -> Self {
        read_tag(exif).map_or(Self::UPRIGHT, Self::from_tag)
    }

    fn from_tag(tag: u16) -> Self {
        let (swaps_axes, mirrors_x, mirrors_y) = match tag {
            2 => (false, true, false),
            3 => (false, true, true),
            4 => (false, false, true),
            5 => (true, false, false),
            6 => (true, false, true),
            7 => (true, true, true),
            8 => (true, true, false),
            _ => (false, false, false),
        };
        Self { swaps_axes, mirrors_x, mirrors_y }
    }

    /// The stored pixel that is shown at `x`, `y`; the stored picture is `width` by `height`.
    pub fn source(self, x: usize, y: usize, width: usize, height: usize) -> (usize, usize) {
        let (x, y) = if self.swaps_axes { (y, x) } else { (x, y) };
        (if self.mirrors_x { width - 1 - x } else { x }, if self.mirrors_y { height - 1 - y } else { y })
    }
}

fn read_tag(exif: &[u8]) -> Option<u16> {
    let is_big = match exif.get(..4)? {
        b"MM\0*" => true,
        b"II*\0" => false,
        _ => return None,
    };
    let short = |at: usize| {
        let bytes = exif.get(at..at.checked_add(2)?)?.try_into().ok()?;
        Some(if is_big { u16::from_be_bytes(bytes) } else { u16::from_le_bytes(bytes) })
    };
    let long = |at: usize| {
        let bytes = exif.get(at..at.checked_add(4)?)?.try_into().ok()?;
        Some(if is_big { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) } as usize)
    };
    let folder = long(4)?;
    (0..usize::from(short(folder)?))
        .map(|number| folder.saturating_add(2 + 12 * number))
        .find(|entry| short(*entry) == Some(0x0112))
        .and_then(|entry| short(entry.checked_add(8)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_orientation_moves_the_corner_correctly() {
        // Where the stored top left corner is shown, in a picture of 3 by 2.
        let seen = [(0, 0), (2, 0), (2, 1), (0, 1), (0, 0), (1, 0), (1, 2), (0, 2)];
        for (tag, (x, y)) in (1..).zip(seen) {
            assert_eq!(Orientation::from_tag(tag).source(x, y, 3, 2), (0, 0), "{tag}");
        }
    }

    #[test]
    fn a_broken_block_is_upright() {
        let good = b"II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0";
        assert_eq!(Orientation::from_exif(good), Orientation::from_tag(6));
        for cut in 0..19 {
            assert_eq!(Orientation::from_exif(&good[..cut]), Orientation::UPRIGHT, "{cut}");
        }
        assert_eq!(Orientation::from_exif(b"MM\0*\xff\xff\xff\xff"), Orientation::UPRIGHT);
    }
}
