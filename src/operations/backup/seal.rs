//! The seal: the SHA-256 of everything before it, as the last 40 bytes of an archive.
//!
//! Compression and tar have their own checksums, but neither covers every bit. The seal covers every byte. It is a
//! "skippable frame" of the zstd format (RFC 8878, section 3.1.2), so `zstd` and `tar --zstd` ignore it.

use std::io::{self, Read, Write};

use anyhow::ensure;
use sha2::{Digest, Sha256};

/// Magic number 0x184D2A50 and a length of 32, both little-endian.
const FRAME: [u8; 8] = [0x50, 0x2A, 0x4D, 0x18, 32, 0, 0, 0];
const LENGTH: usize = FRAME.len() + 32;
const CHUNK: usize = 64 * 1024;

/// Hashes what is written through it and appends the seal.
pub(super) struct Sealing<W> {
    inner: W,
    digest: Sha256,
}

impl<W: Write> Sealing<W> {
    /// Begins with nothing written.
    pub(super) fn new(inner: W) -> Self {
        Self { inner, digest: Sha256::new() }
    }

    /// Writes the seal and returns the sink.
    pub(super) fn finish(mut self) -> io::Result<W> {
        self.inner.write_all(&FRAME)?;
        self.inner.write_all(&self.digest.finalize())?;
        Ok(self.inner)
    }
}

impl<W: Write> Write for Sealing<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.digest.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// Reads what the seal covers; [`Sealed::check`] compares it with the seal.
pub(super) struct Sealed<R> {
    inner: R,
    digest: Sha256,
    /// Bytes held back, at least the length of the seal.
    held: Vec<u8>,
    start: usize,
}

impl<R: Read> Sealed<R> {
    /// Starts at the beginning of an archive.
    pub(super) fn new(inner: R) -> Self {
        Self { inner, digest: Sha256::new(), held: Vec::new(), start: 0 }
    }

    /// Verifies the seal; call it after reading everything.
    ///
    /// # Errors
    /// When the seal is missing or wrong, or unread data precedes it.
    pub(super) fn check(mut self) -> anyhow::Result<()> {
        ensure!(self.read(&mut [0])? == 0, "something follows the last entry");
        let seal = &self.held[self.start..];
        let is_whole = seal.len() == LENGTH && seal.starts_with(&FRAME);
        ensure!(is_whole, "its end is missing or was overwritten");
        ensure!(
            seal[FRAME.len()..] == self.digest.finalize()[..],
            "its bytes are not those that were written"
        );
        Ok(())
    }
}

impl<R: Read> Read for Sealed<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while self.held.len() - self.start <= LENGTH {
            self.held.drain(..self.start);
            self.start = 0;
            if (&mut self.inner).take(CHUNK as u64).read_to_end(&mut self.held)? == 0 {
                return Ok(0);
            }
        }
        let count = out.len().min(self.held.len() - self.start - LENGTH);
        let given = &self.held[self.start..self.start + count];
        out[..count].copy_from_slice(given);
        self.digest.update(given);
        self.start += count;
        Ok(count)
    }
}
