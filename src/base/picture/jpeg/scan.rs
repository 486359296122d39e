//! Reads the means of blocks from the scans of a JPEG and skips the other coefficients.

use super::huffman::{Bits, DecodeStop, HuffmanTable, next_marker};
use super::outline::Outline;
use super::tables::Tables;
use crate::base::budget::TimeBudget;
use crate::base::picture::PictureProblem;

/// Encoders write about ten; each costs a pass over the whole picture.
const MAX_SCANS: usize = 64;

/// One component in a scan: its place in the frame and its tables.
struct ScanComponent {
    component: usize,
    direct: usize,
    alternating: usize,
}

impl Outline {
    /// Reads a scan and returns the offset of its end.
    pub(super) fn scan(
        &mut self,
        segment: &[u8],
        tables: &Tables,
        bytes: &[u8],
        at: usize,
        budget: &TimeBudget,
    ) -> Result<usize, PictureProblem> {
        self.scans += 1;
        if self.scans > MAX_SCANS {
            return Err(PictureProblem::Unusual);
        }
        let count = usize::from(*segment.first().ok_or(PictureProblem::Damaged)?);
        let (Some(listed), Some([first, last, approximation])) =
            (segment.get(1..1 + 2 * count), segment.get(1 + 2 * count..4 + 2 * count))
        else {
            return Err(PictureProblem::Damaged);
        };
        let high = approximation >> 4;
        let low = approximation & 15;
        let mut parts = Vec::with_capacity(count);
        for one in listed.chunks_exact(2) {
            let component = self.components.iter().position(|component| component.id == one[0]);
            let direct = usize::from(one[1] >> 4);
            let alternating = usize::from(one[1] & 15);
            match component {
                Some(component) if direct < 4 && alternating < 4 => {
                    parts.push(ScanComponent { component, direct, alternating });
                }
                _ => return Err(PictureProblem::Damaged),
            }
        }
        if self.is_progressive && *first > 0 {
            return Ok(at);
        }
        if parts.is_empty() || self.is_progressive && (*last > 0 || low > 13) {
            return Err(PictureProblem::Damaged);
        }
        for part in &parts {
            let component = &mut self.components[part.component];
            // Later passes refine the first one; a sequential file has only one.
            let is_first = component.steps.is_none();
            if is_first != (high == 0 || !self.is_progressive) {
                return Err(PictureProblem::Damaged);
            }
            if is_first {
                component.steps = Some(tables.steps[component.quantization].ok_or(PictureProblem::Damaged)?);
            }
        }
        let kind = match (self.is_progressive, high) {
            (false, _) => PassKind::Whole,
            (true, 0) => PassKind::First(low),
            (true, _) => PassKind::Refining(low),
        };
        let mut bits = Bits::new(bytes, at);
        match self.read_units(&parts, tables, kind, &mut bits, budget) {
            Ok(()) => Ok(bits.position()),
            Err(_) if budget.is_over() => Err(PictureProblem::TooSlow),
            Err(DecodeStop::Ended) if next_marker(bytes, bits.position()).is_none() => {
                Err(PictureProblem::CutShort)
            }
            Err(_) => Err(PictureProblem::Damaged),
        }
    }

    fn read_units(
        &mut self,
        parts: &[ScanComponent],
        tables: &Tables,
        kind: PassKind,
        bits: &mut Bits<'_>,
        budget: &TimeBudget,
    ) -> Result<(), DecodeStop> {
        let (max_across, max_down) = self.max_factors();
        let width = self.width;
        let height = self.height;
        let (columns, rows) = match parts {
            // A single component is stored block by block, without padding.
            [part] => {
                let one = &self.components[part.component];
                let blocks =
                    |pixels: usize, factor: usize, max: usize| (pixels * factor).div_ceil(max).div_ceil(8);
                (blocks(width, one.across, max_across), blocks(height, one.down, max_down))
            }
            _ => (width.div_ceil(8 * max_across), height.div_ceil(8 * max_down)),
        };
        let mut predictions = [0_i32; 4];
        for unit in 0..columns * rows {
            if budget.tick() {
                return Err(DecodeStop::Ended);
            }
            if tables.restart_interval > 0 && unit > 0 && unit % tables.restart_interval == 0 {
                bits.restart()?;
                predictions = [0; 4];
            }
            let column = unit % columns;
            let row = unit / columns;
            for (part, prediction) in parts.iter().zip(&mut predictions) {
                let component = &mut self.components[part.component];
                let (across, down) =
                    if parts.len() == 1 { (1, 1) } else { (component.across, component.down) };
                for block in 0..across * down {
                    let x = column * across + block % across;
                    let y = row * down + block / across;
                    let mean = &mut component.means[y * component.columns + x];
                    if let PassKind::Refining(low) = kind {
                        *mean |= (bits.number(1)? as i16) << low;
                        continue;
                    }
                    let table = tables.direct[part.direct].as_ref().ok_or(DecodeStop::NoCode)?;
                    let length = bits.symbol(table)?;
                    if length > 15 {
                        return Err(DecodeStop::NoCode);
                    }
                    *prediction = prediction.wrapping_add(bits.difference(length.into())?);
                    match kind {
                        PassKind::First(low) => *mean = (*prediction << low) as i16,
                        _ => {
                            *mean = *prediction as i16;
                            pass_over(
                                tables.alternating[part.alternating].as_ref().ok_or(DecodeStop::NoCode)?,
                                bits,
                            )?;
                        }
                    }
                }
            }
        }
        Ok(())
    }
}

#[derive(Clone, Copy)]
enum PassKind {
    /// All bits of a block at once.
    Whole,
    /// The upper bits of the means; this many lower bits follow.
    First(u8),
    /// One more bit of each mean.
    Refining(u8),
}

/// Skips the coefficients of a block after its mean.
fn pass_over(table: &HuffmanTable, bits: &mut Bits<'_>) -> Result<(), DecodeStop> {
    let mut place = 1;
    while place < 64 {
        let symbol = bits.symbol(table)?;
        let zeros = symbol >> 4;
        let length = symbol & 15;
        match (length, zeros) {
            (0, 15) => place += 16,
            (0, _) => return Ok(()),
            _ => {
                bits.skip(length.into())?;
                place += u32::from(zeros) + 1;
            }
        }
    }
    Ok(())
}
