//! JPEG: fully decoded, turned upright and encoded again, which removes everything except the picture: location,
//! camera, data after the end. Both the decoded and the encoded picture are compared with an independent reading of the
//! file ([`outline`]), so a bug of a decoder or encoder leads to a refusal, never to a damaged picture.

mod compare;
mod huffman;
mod outline;
mod read;
mod scan;
mod tables;

use std::borrow::Cow;
use std::cell::Cell;

use jpeg_decoder::ColorTransform;
use jpeg_encoder::{
    ChromaSubsamplingMethod, Encoder, ImageBuffer, JpegColorType, SamplingFactor, rgb_to_ycbcr,
};
use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

use self::outline::{Colors, Outline};
use super::{Picture, PictureProblem, PictureSize};
use crate::base::budget::{DecodeLimits, Input, Output, TimeBudget};

/// With the first, a page of small print over a noisy photo keeps 43 dB PSNR; the second is for pictures that would be
/// too large otherwise.
const QUALITIES: [u8; 2] = [90, 75];
const END_MARK: &[u8] = b"\xFF\xD9";

/// Re-encodes a JPEG file at the same size.
///
/// # Errors
/// Why it is refused.
pub fn rewrite(bytes: &[u8], limits: &DecodeLimits, budget: &TimeBudget) -> Result<Vec<u8>, PictureProblem> {
    let picture = decode(bytes, limits, budget)?;
    for quality in QUALITIES {
        match encode(&picture, quality, limits, budget) {
            Err(PictureProblem::TooLarge) => {}
            written => return written,
        }
    }
    Err(PictureProblem::TooLarge)
}

/// A picture as a JPEG file, upright. `quality` is 1 to 100.
///
/// # Errors
/// When it exceeds the storage limit, the time is used up, or the encoded file differs from the picture.
pub fn encode(
    picture: &Picture,
    quality: u8,
    limits: &DecodeLimits,
    budget: &TimeBudget,
) -> Result<Vec<u8>, PictureProblem> {
    let mut output = Output::new(limits.stored_bytes, budget);
    let mut encoder = Encoder::new(&mut output, quality);
    encoder.set_sampling_factor(SamplingFactor::F_2_2);
    // Average instead of sampling one pixel of four, which would change the colour of fine patterns.
    encoder.set_chroma_subsampling_method(ChromaSubsamplingMethod::Average);
    let written = encoder.encode_image(picture);
    match written {
        Ok(()) => {}
        Err(_) if output.is_full => return Err(PictureProblem::TooLarge),
        Err(_) => return Err(PictureProblem::of(budget)),
    }
    let outline = Outline::read(&output.bytes, limits, budget)?;
    let is_same = PictureSize { width: outline.width, height: outline.height } == picture.size()
        && outline.shows(|y, row| picture.fill_buffers(y as u16, row), budget)?;
    if is_same { Ok(output.bytes) } else { Err(PictureProblem::Unusual) }
}

/// Decodes a JPEG file.
///
/// # Errors
/// Why it is refused.
pub fn decode(bytes: &[u8], limits: &DecodeLimits, budget: &TimeBudget) -> Result<Picture, PictureProblem> {
    let outline = Outline::read(bytes, limits, budget)?;
    // Only the first picture of the file, with its end marker.
    let mut file = Cow::Borrowed(&bytes[..outline.end]);
    if !outline.has_end {
        file.to_mut().extend(END_MARK);
    }
    let decoders: &[Decode] = if outline.is_usual() { &[decode_usual, decode_any] } else { &[decode_any] };
    for decode in decoders {
        let samples = match decode(&file, &outline, limits, budget) {
            Some(Ok(samples)) => samples,
            Some(Err(problem)) => return Err(problem),
            None if budget.is_over() => return Err(PictureProblem::TooSlow),
            None => continue,
        };
        let count = outline.components();
        let width = outline.width * count;
        let is_whole = samples.len() == width * outline.height;
        let row = |y: usize, row: &mut [Vec<u8>; 4]| {
            for (place, row) in row.iter_mut().enumerate().take(count) {
                row.extend(samples[y * width + place..(y + 1) * width].iter().step_by(count));
            }
        };
        if is_whole && outline.shows(row, budget)? {
            return Ok(Picture::of(samples, &outline));
        }
    }
    Err(PictureProblem::Unusual)
}

/// Returns the stored samples, interleaved by pixel; `None` when the decoder rejects the file.
type Decode = fn(&[u8], &Outline, &DecodeLimits, &TimeBudget) -> Option<Result<Vec<u8>, PictureProblem>>;

/// A decoder that needs little memory. It fails on non-interleaved components and on chroma finer than luma (zune-jpeg
/// 0.5.15).
fn decode_usual(
    bytes: &[u8],
    outline: &Outline,
    limits: &DecodeLimits,
    budget: &TimeBudget,
) -> Option<Result<Vec<u8>, PictureProblem>> {
    let pixels = outline.pixels();
    let components = outline.components() as u64;
    // One byte per sample; while decoding a progressive file, two more per coefficient.
    let each = components + if outline.is_progressive { 2 * components } else { 0 };
    if pixels.saturating_mul(each) > limits.memory_bytes {
        return Some(Err(PictureProblem::TooManyPixels(pixels)));
    }
    let read_to = Cell::new(0);
    let options =
        DecoderOptions::new_safe().set_max_width(usize::from(u16::MAX)).set_max_height(usize::from(u16::MAX));
    let mut decoder = JpegDecoder::new_with_options(Input::new(bytes, budget, &read_to), options);
    decoder.decode_headers().ok()?;
    decoder.set_options(options.jpeg_set_out_colorspace(decoder.input_colorspace()?));
    decoder.decode().ok().map(Ok)
}

/// A decoder for everything coded by Huffman; needs more memory.
fn decode_any(
    bytes: &[u8],
    outline: &Outline,
    limits: &DecodeLimits,
    budget: &TimeBudget,
) -> Option<Result<Vec<u8>, PictureProblem>> {
    let pixels = outline.pixels();
    let components = outline.components() as u64;
    // Besides the output: each component separately, its current coefficients, and all coefficients of a progressive
    // file.
    let each = if outline.is_progressive { 5 } else { 3 };
    if pixels * components + each * outline.samples() > limits.memory_bytes {
        return Some(Err(PictureProblem::TooManyPixels(pixels)));
    }
    let read_to = Cell::new(0);
    let mut decoder = jpeg_decoder::Decoder::new(Input::new(bytes, budget, &read_to));
    // As stored; it inverts CMYK.
    decoder.set_color_transform(if components == 4 { ColorTransform::CMYK } else { ColorTransform::RGB });
    let mut samples = decoder.decode().ok()?;
    if components == 4 {
        for sample in &mut samples {
            *sample = u8::MAX - *sample;
        }
    }
    Some(Ok(samples))
}

impl Picture {
    /// Converts the stored samples of a JPEG; CMYK becomes RGB.
    fn of(mut pixels: Vec<u8>, outline: &Outline) -> Self {
        let colors = match outline.colors() {
            Colors::Gray => ColorSpace::Luma,
            Colors::YCbCr => ColorSpace::YCbCr,
            Colors::Rgb => ColorSpace::RGB,
            printed @ (Colors::Cmyk | Colors::Ycck) => {
                let count = pixels.len() / 4;
                for pixel in 0..count {
                    let [first, second, third, black] = [0, 1, 2, 3].map(|part| pixels[4 * pixel + part]);
                    let colors = match printed {
                        Colors::Ycck => ycbcr_to_rgb(first, second, third).map(|color| u8::MAX - color),
                        _ => [first, second, third],
                    };
                    let shown = colors.map(|color| (u16::from(color) * u16::from(black) / 255) as u8);
                    pixels[3 * pixel..3 * pixel + 3].copy_from_slice(&shown);
                }
                pixels.truncate(3 * count);
                ColorSpace::RGB
            }
        };
        let width = outline.width;
        let height = outline.height;
        Self { pixels, colors, width, height, orientation: outline.orientation }
    }
}

/// ITU-T T.871, section 7.
fn ycbcr_to_rgb(luma: u8, blue: u8, red: u8) -> [u8; 3] {
    let luma = f32::from(luma);
    let blue = f32::from(blue) - 128.0;
    let red = f32::from(red) - 128.0;
    let colors = [luma + 1.402 * red, luma - 0.344_136 * blue - 0.714_136 * red, luma + 1.772 * blue];
    colors.map(|color| color.round() as u8)
}

impl ImageBuffer for &Picture {
    fn get_jpeg_color_type(&self) -> JpegColorType {
        if self.colors == ColorSpace::Luma { JpegColorType::Luma } else { JpegColorType::Ycbcr }
    }

    fn width(&self) -> u16 {
        if self.orientation.swaps_axes { self.height as u16 } else { self.width as u16 }
    }

    fn height(&self) -> u16 {
        if self.orientation.swaps_axes { self.width as u16 } else { self.height as u16 }
    }

    fn fill_buffers(&self, y: u16, [first, second, third, _]: &mut [Vec<u8>; 4]) {
        for x in 0..ImageBuffer::width(self) {
            let (x, y) = self.orientation.source(x.into(), y.into(), self.width, self.height);
            let at = y * self.width + x;
            match self.colors {
                ColorSpace::Luma => first.push(self.pixels[at]),
                colors => {
                    let pixel = &self.pixels[3 * at..3 * at + 3];
                    let (luma, blue, red) = match colors {
                        ColorSpace::RGB => rgb_to_ycbcr(pixel[0], pixel[1], pixel[2]),
                        _ => (pixel[0], pixel[1], pixel[2]),
                    };
                    first.push(luma);
                    second.push(blue);
                    third.push(red);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
