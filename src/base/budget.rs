//! How long an examination may take: processor time of its own thread, so that a busy machine refuses
//! nothing that an idle one takes.

use std::cell::Cell;
use std::io::{self, BufRead, Cursor, Read, Seek, SeekFrom, Write};
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// What one examination may use up.
#[derive(Debug, Clone, Copy)]
pub struct DecodeLimits {
    /// Bytes of a decoded picture with what decoding it takes, and of all that is packed in a PDF.
    pub memory_bytes: u64,
    /// Processor time.
    pub time: Duration,
    /// Bytes of what is stored.
    pub stored_bytes: u64,
}

/// The processor time that is left. It belongs to the thread that made it.
pub struct TimeBudget {
    end: Duration,
    calls: Cell<u32>,
    is_over: Cell<bool>,
}

impl TimeBudget {
    /// So much time from now on.
    pub fn new(time: Duration) -> Self {
        Self { end: used().saturating_add(time), calls: Cell::new(0), is_over: Cell::new(false) }
    }

    /// Whether the time is used up; the clock is looked at on every call.
    pub fn is_over(&self) -> bool {
        if used() >= self.end {
            self.is_over.set(true);
        }
        self.is_over.get()
    }

    /// As [`Self::is_over`], for loops: every 256th call looks at the clock.
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

/// A file that a decoder reads: it ends with the time, and says how far it was read.
pub struct Input<'a> {
    cursor: Cursor<&'a [u8]>,
    budget: &'a TimeBudget,
    read_to: &'a Cell<u64>,
}

impl<'a> Input<'a> {
    /// Bytes to be read within a budget; `read_to` hears how far.
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
        // A little at a time, so that the clock is looked at meanwhile.
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

/// What an encoder writes: it ends with the time, or when it would be too large to be stored.
pub struct Output<'a> {
    /// What was written so far.
    pub bytes: Vec<u8>,
    max: u64,
    budget: &'a TimeBudget,
    /// Whether more was written than there is room for.
    pub is_full: bool,
}

impl<'a> Output<'a> {
    /// Room for so many bytes, within a budget.
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
