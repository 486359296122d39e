//! Compares a decoded picture with its file by the mean of each block.

use super::outline::{Component, Outline};
use super::tables::Steps;
use crate::base::budget::TimeBudget;
use crate::base::picture::PictureProblem;

/// Tolerated difference, of 255, between the mean of a block and that of its pixels: decoders round, clip, and blend
/// colours across block edges. Coarser quantization needs a larger one. Measured: 2 in photos; in noise 3 of 8 at
/// quality 95, 7 of 17 at 60, 15 of 30 at 30.
fn tolerance(steps: Steps) -> f32 {
    (6.0 + steps.mean / 4.0).min(40.0)
}

impl Outline {
    /// Whether a decoded picture matches the file. `row` writes one of its rows into a buffer per component.
    ///
    /// # Errors
    /// When the time is used up.
    pub fn shows(
        &self,
        mut row: impl FnMut(usize, &mut [Vec<u8>; 4]),
        budget: &TimeBudget,
    ) -> Result<bool, PictureProblem> {
        let (max_across, max_down) = self.max_factors();
        let mut cells: Vec<_> =
            self.components.iter().map(|one| Cells::new(one, self.width, max_across)).collect();
        let mut rows: [Vec<u8>; 4] = Default::default();
        for y in 0..self.height {
            if budget.tick() {
                return Err(PictureProblem::TooSlow);
            }
            rows.iter_mut().for_each(Vec::clear);
            row(y, &mut rows);
            for ((component, cells), samples) in self.components.iter().zip(&mut cells).zip(&rows) {
                cells.add(samples);
                let block = |y: usize| y * component.down / (8 * max_down);
                if (y + 1 == self.height || block(y + 1) != block(y))
                    && !cells.agree(component, block(y), 8.0 * max_down as f32 / component.down as f32)
                {
                    return Ok(false);
                }
            }
        }
        Ok(cells.iter().all(|cells| cells.difference <= cells.tolerance / 2.0 * cells.blocks))
    }
}

/// Pixel sums of one row of blocks.
struct Cells {
    /// For the mean of each block; half of it for all blocks together.
    tolerance: f32,
    first_step: f32,
    /// Width of a block in pixels.
    width: f32,
    /// Start and end of each block.
    bounds: Vec<(usize, usize)>,
    sums: Vec<u32>,
    rows: usize,
    difference: f32,
    blocks: f32,
}

impl Cells {
    fn new(component: &Component, width: usize, max: usize) -> Self {
        let start = |block: usize| (block * 8 * max).div_ceil(component.across).min(width);
        let bounds: Vec<_> = (0..component.columns)
            .map(|block| (start(block), start(block + 1)))
            .take_while(|(start, end)| start < end)
            .collect();
        let sums = vec![0; bounds.len()];
        let width = 8.0 * max as f32 / component.across as f32;
        let steps = component.steps.unwrap_or(Steps { first: 0, mean: 0.0 });
        Self {
            tolerance: tolerance(steps),
            first_step: steps.first.into(),
            width,
            bounds,
            sums,
            rows: 0,
            difference: 0.0,
            blocks: 0.0,
        }
    }

    fn add(&mut self, samples: &[u8]) {
        for ((start, end), sum) in self.bounds.iter().zip(&mut self.sums) {
            *sum += samples[*start..*end].iter().map(|sample| u32::from(*sample)).sum::<u32>();
        }
        self.rows += 1;
    }

    /// Whether the row of blocks matches the file; starts the next row.
    fn agree(&mut self, component: &Component, row: usize, height: f32) -> bool {
        let means = &component.means[row * component.columns..];
        let mut agree = true;
        for (((start, end), sum), mean) in self.bounds.iter().zip(&mut self.sums).zip(means) {
            let pixels = ((end - start) * self.rows) as f32;
            let seen = *sum as f32 / pixels;
            let read = (f32::from(*mean) * self.first_step / 8.0 + 128.0).clamp(0.0, 255.0);
            // The part of a block beyond the edge of the picture is undefined.
            let part = (pixels / (self.width * height)).min(1.0);
            let unseen = read - part * seen;
            agree &= unseen >= -self.tolerance && unseen <= 255.0 * (1.0 - part) + self.tolerance;
            if part > 0.999 {
                self.difference += unseen.abs();
                self.blocks += 1.0;
            }
            *sum = 0;
        }
        self.rows = 0;
        agree
    }
}
