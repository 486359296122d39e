//! PNG: fully decoded, turned upright and encoded again with the same samples, which removes everything except the
//! picture. Both the decoded and the encoded picture are compared with an independent reading of the file ([`rows`]).

mod rows;
mod samples;

use std::borrow::Cow;
use std::cell::Cell;
use std::io::ErrorKind;

use png::{
    BitDepth, ColorType, Compression, Decoder, DecodingError, Encoder, Info, Limits as PngLimits,
    Transformations,
};
use zune_jpeg::zune_core::colorspace::ColorSpace;

use self::samples::Samples;
use super::orientation::Orientation;
use super::{Picture, PictureProblem, PictureSize};
use crate::base::budget::{DecodeLimits, Input, Output, TimeBudget};

const END_MARK: &[u8] = b"\0\0\0\0IEND\xAE\x42\x60\x82";
/// Memory of a decoder besides the pixels: rows, a palette.
const BESIDE: usize = 16 * 1024 * 1024;

/// Re-encodes a PNG file with the same samples, upright.
///
/// # Errors
/// Why it is refused.
pub fn rewrite(bytes: &[u8], limits: &DecodeLimits, budget: &TimeBudget) -> Result<Vec<u8>, PictureProblem> {
    let (info, samples) = read_whole(bytes, limits, budget)?;
    write(&info, &samples_of(&info, &samples, orientation(&info)), limits, budget)
}

/// Decodes a PNG file to RGBA.
///
/// # Errors
/// Why it is refused.
pub fn decode(bytes: &[u8], limits: &DecodeLimits, budget: &TimeBudget) -> Result<Picture, PictureProblem> {
    read_whole(bytes, limits, budget)?;
    let whole = Transformations::normalize_to_color8() | Transformations::ALPHA;
    let (info, samples) = read(bytes, whole, limits, budget)?;
    let width = info.width as usize;
    let height = info.height as usize;
    let pixels = match info.color_type {
        ColorType::Grayscale | ColorType::GrayscaleAlpha => {
            samples.chunks_exact(2).flat_map(|pixel| [pixel[0], pixel[0], pixel[0], pixel[1]]).collect()
        }
        _ => samples,
    };
    if pixels.len() != 4 * width * height {
        return Err(PictureProblem::Damaged);
    }
    Ok(Picture { pixels, colors: ColorSpace::RGBA, width, height, orientation: orientation(&info) })
}

/// An RGBA picture as a PNG file, upright.
///
/// # Errors
/// When it exceeds the storage limit, the time is used up, or the encoded file differs from the picture.
pub fn encode(
    picture: &Picture,
    limits: &DecodeLimits,
    budget: &TimeBudget,
) -> Result<Vec<u8>, PictureProblem> {
    let size = |length: usize| u32::try_from(length).map_err(|_| PictureProblem::TooLarge);
    let mut info = Info::with_size(size(picture.width)?, size(picture.height)?);
    info.color_type = ColorType::Rgba;
    info.bit_depth = BitDepth::Eight;
    write(&info, &samples_of(&info, &picture.pixels, picture.orientation), limits, budget)
}

fn samples_of<'a>(info: &Info<'_>, bytes: &'a [u8], orientation: Orientation) -> Samples<'a> {
    let width = info.width as usize;
    let height = info.height as usize;
    Samples { bytes, width, height, bits: info.bits_per_pixel(), orientation }
}

fn orientation(info: &Info<'_>) -> Orientation {
    info.exif_metadata.as_deref().map_or(Orientation::UPRIGHT, Orientation::from_exif)
}

/// Decodes the stored samples and compares them with the independent reading.
fn read_whole(
    bytes: &[u8],
    limits: &DecodeLimits,
    budget: &TimeBudget,
) -> Result<(Info<'static>, Vec<u8>), PictureProblem> {
    let (info, samples) = read(bytes, Transformations::IDENTITY, limits, budget)?;
    match rows::shows(bytes, &samples_of(&info, &samples, Orientation::UPRIGHT), budget)? {
        true => Ok((info, samples)),
        false => Err(PictureProblem::Unusual),
    }
}

/// Appends a missing end chunk: if nothing else is missing, the picture is complete.
fn with_end(bytes: &[u8]) -> Cow<'_, [u8]> {
    let mut at = 8;
    let mut has_data = false;
    while let Some(rest) = bytes.get(at..) {
        match rest {
            [_, _, _, _, b'I', b'E', b'N', b'D', _, _, _, _, ..] => break,
            [a, b, c, d, name @ .., _, _, _, _] if name.len() >= 4 => {
                has_data |= name.starts_with(b"IDAT");
                at = at.saturating_add(12 + u32::from_be_bytes([*a, *b, *c, *d]) as usize);
            }
            _ if has_data && END_MARK.starts_with(rest) => {
                return Cow::Owned([&bytes[..at], END_MARK].concat());
            }
            _ => break,
        }
    }
    Cow::Borrowed(bytes)
}

fn read(
    bytes: &[u8],
    transformations: Transformations,
    limits: &DecodeLimits,
    budget: &TimeBudget,
) -> Result<(Info<'static>, Vec<u8>), PictureProblem> {
    let read_to = Cell::new(0);
    let bytes = with_end(bytes);
    let mut decoder =
        Decoder::new_with_limits(Input::new(&bytes, budget, &read_to), PngLimits { bytes: BESIDE });
    decoder.set_transformations(transformations);
    decoder.set_ignore_text_chunk(true);
    decoder.set_ignore_iccp_chunk(true);
    let broken = |error: DecodingError| match error {
        DecodingError::LimitsExceeded => PictureProblem::TooManyPixels(0),
        DecodingError::IoError(error) if error.kind() == ErrorKind::UnexpectedEof => PictureProblem::CutShort,
        _ => PictureProblem::of(budget),
    };
    // The size comes first: check it before allocating anything.
    let header = decoder.read_header_info().map_err(broken)?;
    let pixels = u64::from(header.width) * u64::from(header.height);
    let bits = if transformations.is_empty() { header.bits_per_pixel() as u64 } else { 64 };
    let row = (u64::from(header.width) * bits).div_ceil(8);
    if row.saturating_mul(header.height.into()) > limits.memory_bytes || row > BESIDE as u64 / 4 {
        return Err(PictureProblem::TooManyPixels(pixels));
    }
    let mut reader = decoder.read_info().map_err(broken)?;
    let size = reader.output_buffer_size().ok_or(PictureProblem::TooManyPixels(pixels))?;
    let mut samples = vec![0; size];
    let frame = reader.next_frame(&mut samples).map_err(broken)?;
    reader.finish().map_err(broken)?;
    let mut info = reader.info().clone();
    (info.color_type, info.bit_depth) = (frame.color_type, frame.bit_depth);
    Ok((info, samples))
}

fn write(
    from: &Info<'_>,
    samples: &Samples<'_>,
    limits: &DecodeLimits,
    budget: &TimeBudget,
) -> Result<Vec<u8>, PictureProblem> {
    let PictureSize { width, height } = samples.size();
    let mut info = Info::with_size(width as u32, height as u32);
    info.color_type = from.color_type;
    info.bit_depth = from.bit_depth;
    info.palette.clone_from(&from.palette);
    info.trns.clone_from(&from.trns);
    let mut output = Output::new(limits.stored_bytes, budget);
    let written = Encoder::with_info(&mut output, info).and_then(|mut encoder| {
        encoder.set_compression(Compression::Balanced);
        let mut writer = encoder.write_header()?;
        // Row by row, so that the clock is checked in between and a rotated picture needs no copy.
        let mut stream = writer.stream_writer()?;
        let mut row = Vec::new();
        for y in 0..height {
            samples.row(y, &mut row);
            std::io::Write::write_all(&mut stream, &row)?;
        }
        stream.finish()?;
        writer.finish()
    });
    match written {
        Ok(()) if rows::shows(&output.bytes, samples, budget)? => Ok(output.bytes),
        Ok(()) => Err(PictureProblem::Unusual),
        Err(_) if output.is_full => Err(PictureProblem::TooLarge),
        Err(_) => Err(PictureProblem::of(budget)),
    }
}
