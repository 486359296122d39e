//! JPEG: decoded whole, turned upright and written anew, so that nothing but its picture is left: no
//! place, no camera, no second picture behind its end.

use std::cell::Cell;

use jpeg_encoder::{Encoder, ImageBuffer, JpegColorType, SamplingFactor, rgb_to_ycbcr};
use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

use super::orientation::Orientation;
use super::{Picture, Problem};
use crate::base::budget::{Budget, Input, Limits, Output};

/// At the first, a page of small letters over a noisy photo keeps 43 dB (PSNR) of what came; the second is
/// for what would not fit otherwise.
const QUALITIES: [u8; 2] = [90, 75];
/// Encoders write about ten; each one costs a walk over the whole picture.
const MAX_SCANS: usize = 64;
const END_MARK: &[u8] = b"\xFF\xD9";

/// The picture of a JPEG file, as a new file of the same size.
///
/// # Errors
/// Why it is not taken.
pub fn rewrite(bytes: &[u8], limits: &Limits, budget: &Budget) -> Result<Vec<u8>, Problem> {
    let picture = decode(bytes, limits, budget)?;
    for quality in QUALITIES {
        match encode(&picture, quality, limits, budget) {
            Err(Problem::TooLarge) => {}
            written => return written,
        }
    }
    Err(Problem::TooLarge)
}

/// A picture as a JPEG file, upright. `quality` is 1 to 100.
///
/// # Errors
/// When it is larger than what may be stored, or the time is used up.
pub fn encode(picture: &Picture, quality: u8, limits: &Limits, budget: &Budget) -> Result<Vec<u8>, Problem> {
    let mut output = Output::new(limits.stored_bytes, budget);
    let mut encoder = Encoder::new(&mut output, quality);
    encoder.set_sampling_factor(SamplingFactor::F_2_2);
    let written = encoder.encode_image(picture);
    match written {
        Ok(()) => Ok(output.bytes),
        Err(_) if output.is_full => Err(Problem::TooLarge),
        Err(_) => Err(Problem::of(budget)),
    }
}

/// The picture of a JPEG file.
///
/// # Errors
/// Why it is not taken.
pub fn decode(bytes: &[u8], limits: &Limits, budget: &Budget) -> Result<Picture, Problem> {
    let read_to = Cell::new(0);
    let options = DecoderOptions::new_safe()
        .set_max_width(usize::from(u16::MAX))
        .set_max_height(usize::from(u16::MAX))
        .jpeg_set_max_scans(MAX_SCANS);
    let mut decoder = JpegDecoder::new_with_options(Input::new(bytes, budget, &read_to), options);
    decoder.decode_headers().map_err(|_| Problem::of(budget))?;
    // Where the picture begins. Decoders make gray of what is missing; between here and the end of the
    // picture its mark stands nowhere else.
    let picture =
        usize::try_from(read_to.get()).ok().and_then(|start| bytes.get(start..)).unwrap_or_default();
    let has_end = picture.windows(2).any(|two| two == END_MARK);
    let (info, input) = (decoder.info(), decoder.input_colorspace());
    let (info, input) = info.zip(input).ok_or(Problem::Damaged)?;
    let colors = match input {
        ColorSpace::Luma | ColorSpace::YCbCr => input,
        _ => ColorSpace::RGB,
    };
    let (width, height) = (usize::from(info.width), usize::from(info.height));
    let pixels = width as u64 * height as u64;
    // Decoded it has a byte for each color; a progressive one has two more for each coefficient until then.
    let each = colors.num_components() as u64
        + if info.sof.is_progressive() { 2 * u64::from(info.components) } else { 0 };
    if pixels.saturating_mul(each) > limits.memory_bytes {
        return Err(Problem::TooManyPixels(pixels));
    }
    let orientation = info.exif_data.as_deref().map_or(Orientation::UPRIGHT, Orientation::from_exif);
    decoder.set_options(options.jpeg_set_out_colorspace(colors));
    let pixels = decoder.decode().map_err(|_| Problem::of(budget))?;
    let is_whole = has_end && pixels.len() == width * height * colors.num_components();
    if budget.is_over() || !is_whole {
        return Err(Problem::of(budget));
    }
    Ok(Picture { pixels, colors, width, height, orientation })
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
