//! Pictures: fully decoded within limits, scaled and encoded again, which removes everything except the picture.

pub mod jpeg;
pub mod kind;
mod orientation;
pub mod png;
mod scale;

use zune_jpeg::zune_core::colorspace::ColorSpace;

use self::orientation::Orientation;
use self::scale::ScaleSource;
use super::budget::TimeBudget;

/// Why a picture is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PictureProblem {
    /// It cannot be decoded completely.
    Damaged,
    /// The file ends before its picture does.
    CutShort,
    /// A JPEG with arithmetic coding, which hardly any program reads.
    Arithmetic,
    /// The decoded or encoded picture differs from the file, or the file is of a rare kind.
    Unusual,
    /// It has too many pixels for the memory limit; 0 when the number is unknown.
    TooManyPixels(u64),
    /// The processor time is used up.
    TooSlow,
    /// The re-encoded file is too large.
    TooLarge,
}

impl PictureProblem {
    /// What happened and what to do.
    pub fn words(self) -> String {
        const SAVE_AGAIN: &str =
            "Please open it and save it again as a JPG or PNG, or take a screenshot of it, and upload that.";
        match self {
            Self::Damaged => {
                "This picture is damaged or incomplete. Please open it and save it again as a JPG or \
                PNG, or take the photo again, and upload that."
                    .into()
            }
            Self::CutShort => {
                "This picture is cut short: the end of its file is missing, as after a transfer that \
                was interrupted. Please copy or send it once more from where it came, and upload that."
                    .into()
            }
            Self::Arithmetic => format!(
                "This JPG is packed with arithmetic coding, which hardly any program reads. {SAVE_AGAIN}"
            ),
            Self::Unusual => format!(
                "This picture is written in a rare way, and could not be copied exactly. {SAVE_AGAIN}"
            ),
            Self::TooManyPixels(pixels) => {
                format!("This picture has {}. Please save it smaller, and upload that.", millions(pixels))
            }
            Self::TooSlow => {
                "This picture takes too long to check. Please save it smaller, and upload that.".into()
            }
            Self::TooLarge => {
                "This picture is too large to store. Please save it smaller, and upload that.".into()
            }
        }
    }

    /// Why a decoder or an encoder gave up.
    fn of(budget: &TimeBudget) -> Self {
        if budget.is_over() { Self::TooSlow } else { Self::Damaged }
    }
}

fn millions(pixels: u64) -> String {
    match pixels / 1_000_000 {
        0 => "too many pixels".into(),
        millions => format!("{millions} million pixels, which is too many"),
    }
}

/// Size of a picture in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PictureSize {
    /// Width.
    pub width: usize,
    /// Height.
    pub height: usize,
}

impl PictureSize {
    /// The size once the picture is turned by its orientation.
    fn turned(self, orientation: Orientation) -> Self {
        match orientation.swaps_axes {
            true => Self { width: self.height, height: self.width },
            false => self,
        }
    }
}

/// A decoded picture: one byte per sample, row by row.
pub struct Picture {
    pixels: Vec<u8>,
    colors: ColorSpace,
    width: usize,
    height: usize,
    orientation: Orientation,
}

impl Picture {
    /// Size, upright.
    pub fn size(&self) -> PictureSize {
        PictureSize { width: self.width, height: self.height }.turned(self.orientation)
    }

    /// Whether it has no transparency.
    pub fn is_opaque(&self) -> bool {
        self.colors != ColorSpace::RGBA || self.pixels.chunks_exact(4).all(|pixel| pixel[3] == u8::MAX)
    }

    /// The picture without its alpha channel.
    pub fn into_opaque(self) -> Self {
        if self.colors != ColorSpace::RGBA {
            return self;
        }
        let pixels = self.pixels.chunks_exact(4).flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect();
        Self { pixels, colors: ColorSpace::RGB, ..self }
    }

    /// Scales the picture down; the size is given upright.
    ///
    /// # Errors
    /// When the time is used up.
    pub fn scaled(&self, size: PictureSize, budget: &TimeBudget) -> Result<Self, PictureProblem> {
        let size = size.turned(self.orientation);
        let source = ScaleSource {
            pixels: &self.pixels,
            components: self.colors.num_components(),
            size: PictureSize { width: self.width, height: self.height },
        };
        let pixels = source.scaled(size, budget)?;
        let PictureSize { width, height } = size;
        Ok(Self { pixels, colors: self.colors, width, height, orientation: self.orientation })
    }
}
