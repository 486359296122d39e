//! Huffman codes of a JPEG (ITU-T T.81, annexes C and F), from the data between two markers.

/// Codes of up to this many bits are decoded by one table look-up.
const FAST_BITS: u32 = 9;

/// A Huffman table.
pub struct HuffmanTable {
    /// Length and symbol by the first bits of a code; length 0 means longer than [`FAST_BITS`].
    fast: Vec<(u8, u8)>,
    /// For each length from 1: the first 16-bit value too large for it, and the offset from a code to its symbol.
    lengths: [(u32, i32); 16],
    symbols: Vec<u8>,
}

impl HuffmanTable {
    /// Builds a table from the number of codes of each length from 1; `None` when a length has too many codes.
    pub fn new(counts: [u8; 16], symbols: &[u8]) -> Option<Self> {
        let mut fast = vec![(0, 0); 1 << FAST_BITS];
        let mut lengths = [(0, 0); 16];
        let mut code = 0_u32;
        let mut place = 0_usize;
        for (length, (count, entry)) in (1..).zip(counts.into_iter().zip(&mut lengths)) {
            let first = code;
            for symbol in symbols.get(place..place + usize::from(count))? {
                if code >> length != 0 {
                    return None;
                }
                if length <= FAST_BITS {
                    let start = (code << (FAST_BITS - length)) as usize;
                    fast[start..start + (1 << (FAST_BITS - length))].fill((length as u8, *symbol));
                }
                code += 1;
            }
            *entry = (code << (16 - length), place as i32 - first as i32);
            place += usize::from(count);
            code <<= 1;
        }
        Some(Self { fast, lengths, symbols: symbols[..place].to_vec() })
    }
}

/// Why no further code could be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DecodeStop {
    /// The data ended.
    Ended,
    /// The bits are not a code of the table.
    NoCode,
}

/// The bits of a scan, up to the next marker.
pub struct Bits<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Buffered bits; the next one is the most significant.
    held: u64,
    count: u32,
}

impl<'a> Bits<'a> {
    /// Starts at an offset of the file.
    pub fn new(bytes: &'a [u8], at: usize) -> Self {
        Self { bytes, at, held: 0, count: 0 }
    }

    fn fill(&mut self) {
        while self.count <= 56 {
            let width = match self.bytes.get(self.at..) {
                Some([0xFF, 0, ..]) => 2,
                // A marker, or fill bytes before one.
                Some([] | [0xFF, ..]) | None => return,
                Some(_) => 1,
            };
            self.held |= u64::from(self.bytes[self.at]) << (56 - self.count);
            self.count += 8;
            self.at += width;
        }
    }

    /// Skips bits.
    pub fn skip(&mut self, count: u32) -> Result<(), DecodeStop> {
        if self.count < count {
            self.fill();
        }
        self.count = self.count.checked_sub(count).ok_or(DecodeStop::Ended)?;
        self.held <<= count;
        Ok(())
    }

    /// The next bits as a number; at most sixteen.
    pub fn number(&mut self, count: u32) -> Result<u32, DecodeStop> {
        if self.count < count {
            self.fill();
        }
        let number = if count == 0 { 0 } else { (self.held >> (64 - count)) as u32 };
        self.skip(count).map(|()| number)
    }

    /// Decodes the next symbol.
    pub fn symbol(&mut self, table: &HuffmanTable) -> Result<u8, DecodeStop> {
        if self.count < 16 {
            self.fill();
        }
        let (length, symbol) = table.fast[(self.held >> (64 - FAST_BITS)) as usize];
        if length > 0 {
            return self.skip(length.into()).map(|()| symbol);
        }
        let next = (self.held >> 48) as u32;
        let longer = (1_u32..).zip(table.lengths).skip(FAST_BITS as usize);
        for (length, (end, offset)) in longer {
            if next < end {
                self.skip(length)?;
                let place = (next >> (16 - length)) as i32 + offset;
                return usize::try_from(place)
                    .ok()
                    .and_then(|place| table.symbols.get(place))
                    .copied()
                    .ok_or(DecodeStop::NoCode);
            }
        }
        Err(if self.count < 16 { DecodeStop::Ended } else { DecodeStop::NoCode })
    }

    /// Reads a signed difference of `count` bits (T.81, figure F.12).
    pub fn difference(&mut self, count: u32) -> Result<i32, DecodeStop> {
        let number = self.number(count)?.cast_signed();
        let is_negative = count > 0 && number < 1 << (count - 1);
        Ok(if is_negative { number - (1 << count) + 1 } else { number })
    }

    /// Continues after the next marker, which must be a restart marker.
    pub fn restart(&mut self) -> Result<(), DecodeStop> {
        (self.held, self.count) = (0, 0);
        let marker = next_marker(self.bytes, self.at).ok_or(DecodeStop::Ended)?;
        if !matches!(self.bytes[marker], 0xD0..=0xD7) {
            return Err(DecodeStop::Ended);
        }
        self.at = marker + 1;
        Ok(())
    }

    /// Offset after the bits consumed; the next marker is not before it.
    pub fn position(&self) -> usize {
        self.at
    }
}

/// Offset of the next marker's code.
pub fn next_marker(bytes: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    loop {
        at += memchr::memchr(0xFF, bytes.get(at..)?)? + 1;
        match bytes.get(at)? {
            0 | 0xFF => {}
            _ => return Some(at),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 0 is "00", 1 "01", 2 "100", and 3 eleven bits: "10100000000".
    fn table() -> HuffmanTable {
        let mut counts = [0; 16];
        (counts[1], counts[2], counts[10]) = (2, 1, 1);
        HuffmanTable::new(counts, &[0, 1, 2, 3]).unwrap()
    }

    #[test]
    fn codes_short_and_long_are_read_to_the_last_bit() {
        // 00 01 100 10100000000 1 11…, and a stuffed byte
        let bytes = [0b0001_1001, 0b0100_0000, 0b0010_1111, 0xFF, 0, 0xFF, 0xD9];
        let mut bits = Bits::new(&bytes, 0);
        let read: Vec<_> = (0..4).map(|_| bits.symbol(&table()).unwrap()).collect();
        assert_eq!(read, [0, 1, 2, 3]);
        assert_eq!(bits.number(14), Ok(0b10_1111_1111_1111 & 0x3FFF), "{:?}", bits.count);
        assert_eq!(bits.number(1), Err(DecodeStop::Ended));
        assert_eq!(next_marker(&bytes, bits.position()), Some(6));
    }

    #[test]
    fn an_invalid_code_is_distinguished_from_the_end() {
        assert_eq!(Bits::new(&[0xFE; 3], 0).symbol(&table()), Err(DecodeStop::NoCode));
        assert_eq!(Bits::new(&[], 0).symbol(&table()), Err(DecodeStop::Ended));
        let mut counts = [0; 16];
        counts[0] = 3;
        assert!(HuffmanTable::new(counts, &[1, 2, 3]).is_none(), "one bit has two codes");
    }

    #[test]
    fn differences_are_of_both_signs() {
        let mut bits = Bits::new(&[0b0100_1101, 0], 0);
        let read: Vec<_> = [1, 1, 2, 2, 2].map(|count| bits.difference(count).unwrap()).into();
        assert_eq!(read, [-1, 1, -3, 3, -2]);
        assert_eq!(bits.difference(0), Ok(0));
    }

    #[test]
    fn reading_continues_only_after_a_restart_marker() {
        let mut bits = Bits::new(&[0xAA, 0xFF, 0xD3, 0x80, 0xFF, 0xD9], 0);
        bits.skip(3).unwrap();
        bits.restart().unwrap();
        assert_eq!(bits.number(8), Ok(0x80));
        assert_eq!(bits.restart(), Err(DecodeStop::Ended));
    }
}
