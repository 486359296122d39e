//! PNG: decoded whole and written anew with the same samples, so that nothing but its picture is left.

use std::cell::Cell;

use png::{Compression, Decoder, DecodingError, Encoder, Info, Limits as PngLimits};

use super::budget::{Budget, Input, Limits, Output};
use super::refusal::Refusal;

/// What a decoder keeps beside the pixels: rows, a palette.
const BESIDE: usize = 16 * 1024 * 1024;

/// The picture of a PNG file, as a new file.
pub fn rewrite(bytes: &[u8], limits: &Limits, budget: &Budget) -> Result<Vec<u8>, Refusal> {
    let read_to = Cell::new(0);
    let mut decoder =
        Decoder::new_with_limits(Input::new(bytes, budget, &read_to), PngLimits { bytes: BESIDE });
    decoder.set_ignore_text_chunk(true);
    decoder.set_ignore_iccp_chunk(true);
    let broken = |error: DecodingError| match error {
        DecodingError::LimitsExceeded => Refusal::TooManyPixels(0),
        _ => Refusal::picture(budget),
    };
    // The size stands in front: it is judged before anything is made of it.
    let header = decoder.read_header_info().map_err(broken)?;
    let pixels = u64::from(header.width) * u64::from(header.height);
    let row = (u64::from(header.width) * header.bits_per_pixel() as u64).div_ceil(8);
    if row.saturating_mul(header.height.into()) > limits.memory_bytes || row > BESIDE as u64 / 4 {
        return Err(Refusal::TooManyPixels(pixels));
    }
    let mut reader = decoder.read_info().map_err(broken)?;
    let size = reader.output_buffer_size().ok_or(Refusal::TooManyPixels(pixels))?;
    let mut samples = vec![0; size];
    reader.next_frame(&mut samples).map_err(broken)?;
    reader.finish().map_err(broken)?;
    write(reader.info(), &samples, limits, budget)
}

fn write(from: &Info<'_>, samples: &[u8], limits: &Limits, budget: &Budget) -> Result<Vec<u8>, Refusal> {
    let mut info = Info::with_size(from.width, from.height);
    info.color_type = from.color_type;
    info.bit_depth = from.bit_depth;
    info.palette.clone_from(&from.palette);
    info.trns.clone_from(&from.trns);
    let mut output = Output::new(limits.stored_bytes, budget);
    let written = Encoder::with_info(&mut output, info).and_then(|mut encoder| {
        encoder.set_compression(Compression::Balanced);
        let mut writer = encoder.write_header()?;
        // Row by row, so that the clock is looked at meanwhile.
        let mut stream = writer.stream_writer()?;
        for row in samples.chunks(from.raw_row_length_from_width(from.width).saturating_sub(1).max(1)) {
            std::io::Write::write_all(&mut stream, row)?;
        }
        stream.finish()?;
        writer.finish()
    });
    match written {
        Ok(()) => Ok(output.bytes),
        Err(_) if output.is_full => Err(Refusal::TooLarge),
        Err(_) => Err(Refusal::picture(budget)),
    }
}
