//! Tables from the segments before a scan: quantization steps and Huffman codes.

use super::huffman::HuffmanTable;

/// Quantization steps of a component.
#[derive(Debug, Clone, Copy)]
pub(super) struct Steps {
    /// Step of the first coefficient.
    pub(super) first: u16,
    /// Mean of all steps.
    pub(super) mean: f32,
}

/// The tables that are in effect for a scan.
#[derive(Default)]
pub(super) struct Tables {
    pub(super) steps: [Option<Steps>; 4],
    pub(super) direct: [Option<HuffmanTable>; 4],
    pub(super) alternating: [Option<HuffmanTable>; 4],
    pub(super) restart_interval: usize,
}

impl Tables {
    pub(super) fn huffman(&mut self, mut segment: &[u8]) -> Option<()> {
        while let Some((class, rest)) = segment.split_first() {
            let (counts, rest) = rest.split_first_chunk::<16>()?;
            let symbols = counts.iter().map(|count| usize::from(*count)).sum();
            let table = HuffmanTable::new(*counts, rest.get(..symbols)?)?;
            let of_class = if class >> 4 == 0 { &mut self.direct } else { &mut self.alternating };
            *of_class.get_mut(usize::from(class & 15))? = Some(table);
            segment = &rest[symbols..];
        }
        Some(())
    }

    pub(super) fn quantization(&mut self, mut segment: &[u8]) -> Option<()> {
        while let Some((head, rest)) = segment.split_first() {
            let width = if head >> 4 == 0 { 1 } else { 2 };
            let step = |bytes: &[u8]| bytes.iter().fold(0_u16, |step, byte| step << 8 | u16::from(*byte));
            let steps: Vec<_> = rest.get(..64 * width)?.chunks_exact(width).map(step).collect();
            let mean = steps.iter().map(|step| f32::from(*step)).sum::<f32>() / 64.0;
            *self.steps.get_mut(usize::from(head & 15))? = Some(Steps { first: steps[0], mean });
            segment = &rest[64 * width..];
        }
        Some(())
    }
}
