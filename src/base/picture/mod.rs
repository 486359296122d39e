//! Pictures: decoded whole within limits, scaled, and written anew, so that nothing but the picture is left.

pub mod jpeg;
mod orientation;
pub mod png;

use std::borrow::Cow;

use fast_image_resize::images::{Image, ImageRef};
use fast_image_resize::{FilterType, PixelType, ResizeAlg, ResizeOptions, Resizer};
use zune_jpeg::zune_core::colorspace::ColorSpace;

use self::orientation::Orientation;
use super::budget::Budget;

/// Why a picture is not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Problem {
    /// It cannot be decoded to its end.
    Damaged,
    /// It has more pixels than memory is for; none when they are not to be known.
    TooManyPixels(u64),
    /// The processor time is used up.
    TooSlow,
    /// Written anew it is too large.
    TooLarge,
}

impl Problem {
    /// Why a decoder or an encoder gave up.
    fn of(budget: &Budget) -> Self {
        if budget.is_over() { Self::TooSlow } else { Self::Damaged }
    }
}

/// A decoded picture, in bytes of one color each, row by row.
pub struct Picture {
    pixels: Vec<u8>,
    colors: ColorSpace,
    width: usize,
    height: usize,
    orientation: Orientation,
}

impl Picture {
    /// Width and height in pixels, as it is seen.
    pub fn size(&self) -> (usize, usize) {
        let (width, height) = (self.width, self.height);
        if self.orientation.swaps_axes { (height, width) } else { (width, height) }
    }

    /// Whether nothing behind it is seen through.
    pub fn is_opaque(&self) -> bool {
        self.colors != ColorSpace::RGBA || self.pixels.chunks_exact(4).all(|pixel| pixel[3] == u8::MAX)
    }

    /// The same without what is seen through.
    pub fn into_opaque(self) -> Self {
        if self.colors != ColorSpace::RGBA {
            return self;
        }
        let pixels = self.pixels.chunks_exact(4).flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect();
        Self { pixels, colors: ColorSpace::RGB, ..self }
    }

    /// The picture in another size, given as it is seen (Lanczos, three lobes).
    ///
    /// # Errors
    /// When there is no memory for it, or the time is used up.
    pub fn scaled(&self, (width, height): (usize, usize), budget: &Budget) -> Result<Self, Problem> {
        let (width, height) = if self.orientation.swaps_axes { (height, width) } else { (width, height) };
        let options = ResizeOptions::new()
            .resize_alg(ResizeAlg::Convolution(FilterType::Lanczos3))
            .use_alpha(self.colors == ColorSpace::RGBA);
        let scale = || {
            let each = |length: usize| u32::try_from(length).ok();
            let source = self.in_fours();
            let source =
                ImageRef::new(each(self.width)?, each(self.height)?, &source, PixelType::U8x4).ok()?;
            let mut target = Image::new(each(width)?, each(height)?, PixelType::U8x4);
            Resizer::new().resize(&source, &mut target, &options).ok()?;
            Some(target.into_vec())
        };
        let mut pixels = scale().ok_or(Problem::Damaged)?;
        let components = self.colors.num_components();
        if components < 4 {
            pixels = pixels.chunks_exact(4).flat_map(|four| &four[..components]).copied().collect();
        }
        if budget.is_over() {
            return Err(Problem::TooSlow);
        }
        Ok(Self { pixels, colors: self.colors, width, height, orientation: self.orientation })
    }

    /// Four bytes for each pixel, as the scaler takes them: those of its colors, then nothing.
    fn in_fours(&self) -> Cow<'_, [u8]> {
        let components = self.colors.num_components();
        if components == 4 {
            return Cow::Borrowed(&self.pixels);
        }
        let mut fours = vec![0; self.width * self.height * 4];
        for (four, pixel) in fours.chunks_exact_mut(4).zip(self.pixels.chunks_exact(components)) {
            four[..components].copy_from_slice(pixel);
        }
        Cow::Owned(fours)
    }
}
