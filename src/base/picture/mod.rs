//! Pictures: decoded whole within limits, scaled, and written anew, so that nothing but the picture is left.

pub mod jpeg;
mod orientation;
pub mod png;

use resize::{Pixel, Type};
use rgb::FromSlice as _;
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
        let (from, to) = ((self.width, self.height), (width, height));
        let mut pixels = vec![0; width * height * self.colors.num_components()];
        match self.colors {
            ColorSpace::Luma => resample(Pixel::Gray8, self.pixels.as_gray(), pixels.as_gray_mut(), from, to),
            ColorSpace::RGBA => {
                resample(Pixel::RGBA8P, self.pixels.as_rgba(), pixels.as_rgba_mut(), from, to)
            }
            // Each of three colors by itself, whatever they are called.
            _ => resample(Pixel::RGB8, self.pixels.as_rgb(), pixels.as_rgb_mut(), from, to),
        }
        .map_err(|_| Problem::Damaged)?;
        if budget.is_over() {
            return Err(Problem::TooSlow);
        }
        Ok(Self { pixels, colors: self.colors, width, height, orientation: self.orientation })
    }
}

fn resample<F: resize::PixelFormat>(
    format: F,
    source: &[F::InputPixel],
    target: &mut [F::OutputPixel],
    from: (usize, usize),
    to: (usize, usize),
) -> resize::Result<()> {
    resize::new(from.0, from.1, to.0, to.1, format, Type::Lanczos3)?.resize(source, target)
}
