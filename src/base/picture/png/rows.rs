//! An independent reading of a PNG's rows: they are inflated and unfiltered by other code than the decoder's, so that a
//! bug in either is detected.

use std::io::{self, ErrorKind, Read};

use flate2::read::ZlibDecoder;

use super::samples::Samples;
use crate::base::budget::TimeBudget;
use crate::base::picture::{PictureProblem, PictureSize};

/// Start and distance of the pixels in each pass of an interlaced picture (PNG, section 8.2): horizontal, then
/// vertical.
const PASSES: [[usize; 4]; 7] =
    [[0, 8, 0, 8], [4, 8, 0, 8], [0, 4, 4, 8], [2, 4, 0, 4], [0, 2, 2, 4], [1, 2, 0, 2], [0, 1, 1, 2]];
const ONE_PASS: [[usize; 4]; 1] = [[0, 1, 0, 1]];

/// Whether a PNG contains these samples, in their orientation.
///
/// # Errors
/// When it cannot be read, or the time is used up.
pub fn shows(bytes: &[u8], samples: &Samples<'_>, budget: &TimeBudget) -> Result<bool, PictureProblem> {
    let PictureSize { width, height } = samples.size();
    // The header is the first chunk; the decoder has validated it.
    let is_interlaced = bytes.get(28).is_some_and(|method| *method == 1);
    let passes: &[_] = if is_interlaced { &PASSES } else { &ONE_PASS };
    let mut data = ZlibDecoder::new(Data { rest: bytes.get(8..).unwrap_or_default(), part: &[], budget });
    let mut expected = Vec::new();
    for [left, across, top, down] in passes.iter().copied() {
        let columns = width.saturating_sub(left).div_ceil(across);
        let length = (columns * samples.bits).div_ceil(8);
        let mut row = vec![0; length];
        let mut above = vec![0; length];
        for y in (top..height).step_by(down).filter(|_| columns > 0) {
            let mut filter = [0];
            let read = data.read_exact(&mut filter).and_then(|()| data.read_exact(&mut row));
            read.map_err(|error| match error.kind() {
                _ if budget.is_over() => PictureProblem::TooSlow,
                ErrorKind::UnexpectedEof => PictureProblem::CutShort,
                _ => PictureProblem::Damaged,
            })?;
            unfilter(filter[0], &mut row, &above, samples.bits.div_ceil(8)).ok_or(PictureProblem::Damaged)?;
            samples.row(y, &mut expected);
            if !samples.are_same(&row, &expected, columns, left, across) {
                return Ok(false);
            }
            std::mem::swap(&mut row, &mut above);
        }
    }
    Ok(true)
}

/// Reverses the filter of a row (PNG, section 9); `before` is the distance in bytes to the pixel on the left.
fn unfilter(filter: u8, row: &mut [u8], above: &[u8], before: usize) -> Option<()> {
    for at in 0..row.len() {
        let left = at.checked_sub(before).map_or(0, |left| row[left]);
        let corner = at.checked_sub(before).map_or(0, |left| above[left]);
        let guess = match filter {
            0 => return Some(()),
            1 => left,
            2 => above[at],
            3 => left.midpoint(above[at]),
            4 => nearest(left, above[at], corner),
            _ => return None,
        };
        row[at] = row[at].wrapping_add(guess);
    }
    Some(())
}

/// The Paeth predictor: which of the three is nearest to left + above - corner.
fn nearest(left: u8, above: u8, corner: u8) -> u8 {
    let [a, b, c] = [left, above, corner].map(i16::from);
    let to_left = (b - c).abs();
    let to_above = (a - c).abs();
    let to_corner = (a + b - 2 * c).abs();
    match () {
        () if to_left <= to_above && to_left <= to_corner => left,
        () if to_above <= to_corner => above,
        () => corner,
    }
}

/// The compressed data of all picture chunks, concatenated.
struct Data<'a> {
    rest: &'a [u8],
    part: &'a [u8],
    budget: &'a TimeBudget,
}

impl Read for Data<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.part.is_empty() {
            let Some((head, rest)) = self.rest.split_first_chunk::<8>() else { return Ok(0) };
            let [length @ .., _, _, _, _] = *head;
            let length = u32::from_be_bytes(length) as usize;
            let name = &head[4..];
            let content = &rest[..length.min(rest.len())];
            self.rest = rest.get(length + 4..).unwrap_or_default();
            match name {
                b"IDAT" => self.part = content,
                b"IEND" => return Ok(0),
                _ => {}
            }
        }
        if self.budget.is_over() {
            return Err(ErrorKind::TimedOut.into());
        }
        self.part.read(buffer)
    }
}
