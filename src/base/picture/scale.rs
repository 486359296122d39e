//! Scales pictures down: each new pixel is the mean of the area it covers.
//!
//! `fast_image_resize` adds 681 kB to the binary and copies the whole picture; this needs one row.

use super::{PictureProblem, PictureSize};
use crate::base::budget::TimeBudget;

/// A picture to scale down.
pub struct ScaleSource<'a> {
    /// Samples, row by row.
    pub pixels: &'a [u8],
    /// Bytes per pixel; the last of four is alpha.
    pub components: usize,
    /// Its size.
    pub size: PictureSize,
}

/// The old pixels under a new one, each with its weight, when `from` pixels become `to`.
fn covered(at: usize, from: usize, to: usize) -> impl Iterator<Item = (usize, f32)> {
    // In units of 1/`to` of a pixel: integers are exact.
    let start = at * from;
    let end = (at + 1) * from;
    (start / to..end.div_ceil(to)).map(move |place| {
        let part = end.min((place + 1) * to) - start.max(place * to);
        (place, part as f32 / from as f32)
    })
}

impl ScaleSource<'_> {
    /// Scales down to a size that is not larger.
    ///
    /// # Errors
    /// When the time is used up.
    pub fn scaled(&self, size: PictureSize, budget: &TimeBudget) -> Result<Vec<u8>, PictureProblem> {
        let PictureSize { width, height } = size;
        let mut pixels = Vec::with_capacity(width * height * self.components);
        let mut row = vec![0.0; width * self.components];
        let mut row_of = None;
        let mut mean = row.clone();
        for y in 0..height {
            mean.fill(0.0);
            for (place, weight) in covered(y, self.size.height, height) {
                // The last row of one is often the first of the next.
                if row_of != Some(place) {
                    self.scale_row(place, width, &mut row);
                    row_of = Some(place);
                }
                for (mean, value) in mean.iter_mut().zip(&row) {
                    *mean += weight * value;
                }
            }
            for pixel in mean.chunks_exact(self.components) {
                let cover = if self.components == 4 { pixel[3] / 255.0 } else { 1.0 };
                let whole = |value: &f32| if cover > 0.0 { (value / cover).round() as u8 } else { 0 };
                let colors = if self.components == 4 { &pixel[..3] } else { pixel };
                pixels.extend(colors.iter().map(whole));
                pixels.extend(pixel[colors.len()..].iter().map(|cover| cover.round() as u8));
            }
            if budget.is_over() {
                return Err(PictureProblem::TooSlow);
            }
        }
        Ok(pixels)
    }

    /// Scales a row horizontally; colours are weighted by alpha.
    fn scale_row(&self, y: usize, width: usize, into: &mut [f32]) {
        let row = &self.pixels[y * self.size.width * self.components..][..self.size.width * self.components];
        into.fill(0.0);
        for (x, mean) in into.chunks_exact_mut(self.components).enumerate() {
            for (place, weight) in covered(x, self.size.width, width) {
                let pixel = &row[place * self.components..][..self.components];
                let cover = if self.components == 4 { f32::from(pixel[3]) / 255.0 } else { 1.0 };
                for (at, (mean, value)) in mean.iter_mut().zip(pixel).enumerate() {
                    let part = if at == 3 { weight } else { weight * cover };
                    *mean += part * f32::from(*value);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn size(width: usize, height: usize) -> PictureSize {
        PictureSize { width, height }
    }

    fn scaled(pixels: &[u8], components: usize, size: PictureSize, to: PictureSize) -> Vec<u8> {
        let source = ScaleSource { pixels, components, size };
        source.scaled(to, &TimeBudget::new(Duration::from_secs(20))).unwrap()
    }

    #[test]
    fn a_pixel_is_the_mean_of_what_it_covers() {
        assert_eq!(scaled(&[0, 100, 200, 100], 1, size(2, 2), size(1, 1)), [100]);
        assert_eq!(
            scaled(&[0, 90, 180], 1, size(3, 1), size(2, 1)),
            [30, 150],
            "each has half of the middle one"
        );
        assert_eq!(
            scaled(&[1, 2, 3, 4, 5, 6], 3, size(2, 1), size(2, 1)),
            [1, 2, 3, 4, 5, 6],
            "the same size is the same"
        );
        assert_eq!(scaled(&[255; 7 * 5], 1, size(7, 5), size(3, 2)), [255; 6], "white stays white");
    }

    #[test]
    fn transparent_pixels_do_not_tint_visible_ones() {
        let half = [200, 10, 30, 255, 0, 0, 0, 0];
        assert_eq!(scaled(&half, 4, size(2, 1), size(1, 1)), [200, 10, 30, 128]);
        assert_eq!(scaled(&[9, 9, 9, 0], 4, size(1, 1), size(1, 1)), [0, 0, 0, 0]);
    }

    #[test]
    fn scaling_stops_when_the_time_is_used_up() {
        let source = ScaleSource { pixels: &[0; 100], components: 1, size: size(10, 10) };
        assert_eq!(source.scaled(size(5, 5), &TimeBudget::new(Duration::ZERO)), Err(PictureProblem::TooSlow));
    }
}
