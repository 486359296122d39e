//! Time limits for examining files: processor time of the thread, so that a busy machine accepts whatever an idle one
//! does.

use std::cell::Cell;
use std::io::{self, BufRead, Cursor, Read, Seek, SeekFrom, Write};
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// Limits of one examination.
#[derive(Debug, Clone, Copy)]
pub struct DecodeLimits {
    /// Bytes of a decoded picture including working memory, or of everything decompressed from a PDF.
    pub memory_bytes: u64,
    /// Processor time.
    pub time: Duration,
    /// Bytes of the stored result.
    pub stored_bytes: u64,
}

/// Processor time that is left, on the thread that created it.
pub struct TimeBudget {
    end: Duration,
    calls: Cell<u32>,
    is_over: Cell<bool>,
}

impl TimeBudget {
    /// A budget that starts now.
    pub fn new(time: Duration) -> Self {
        Self { end: used().saturating_add(time), calls: Cell::new(0), is_over: Cell::new(false) }
    }

    /// Whether the time is used up; reads the clock on every call.
    pub fn is_over(&self) -> bool {
        if used() >= self.end {
            self.is_over.set(true);
        }
        self.is_over.get()
    }

    /// As [`Self::is_over`], for loops: reads the clock on every 256th call.
    pub fn tick(&self) -> bool {
        let calls = self.calls.get().wrapping_add(1);
        self.calls.set(calls);
        if calls.is_multiple_of(256) { self.is_over() } else { self.is_over.get() }
    }

    fn ensure(&self) -> io::Result<()> {
        if self.tick() { Err(io::ErrorKind::TimedOut.into()) } else { Ok(()) }
    }
}

fn used() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.cast_unsigned(), u32::try_from(time.tv_nsec).unwrap_or(0))
}

/// Input of a decoder: fails once the time is used up, and records how far it was read.
pub struct Input<'a> {
    cursor: Cursor<&'a [u8]>,
    budget: &'a TimeBudget,
    read_to: &'a Cell<u64>,
}

impl<'a> Input<'a> {
    /// Bytes to be read within a budget; `read_to` records the position.
    pub fn new(bytes: &'a [u8], budget: &'a TimeBudget, read_to: &'a Cell<u64>) -> Self {
        Self { cursor: Cursor::new(bytes), budget, read_to }
    }

    fn note(&self) {
        self.read_to.set(self.cursor.position());
    }
}

impl Read for Input<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.budget.ensure()?;
        let count = self.cursor.read(buffer)?;
        self.note();
        Ok(count)
    }
}

impl BufRead for Input<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.budget.ensure()?;
        // In small pieces, so that the clock is checked in between.
        self.cursor.fill_buf().map(|rest| &rest[..rest.len().min(1024)])
    }

    fn consume(&mut self, amount: usize) {
        self.cursor.consume(amount);
        self.note();
    }
}

impl Seek for Input<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.budget.ensure()?;
        self.cursor.seek(to)
    }
}

/// Output of an encoder: fails once the time is used up or the output exceeds the storage limit.
pub struct Output<'a> {
    /// Output so far.
    pub bytes: Vec<u8>,
    max: u64,
    budget: &'a TimeBudget,
    /// Whether the output exceeded the limit.
    pub is_full: bool,
}

impl<'a> Output<'a> {
    /// An output of at most `max` bytes, within a budget.
    pub fn new(max: u64, budget: &'a TimeBudget) -> Self {
        Self { bytes: Vec::new(), max, budget, is_full: false }
    }
}

impl Write for Output<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.budget.ensure()?;
        if (self.bytes.len() + bytes.len()) as u64 > self.max {
            self.is_full = true;
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
