//! The payload: chunks of 64 KiB, each with a tag; the last one is marked as the last.

use std::io::{self, BufRead, Read, Write};

use anyhow::anyhow;
use ring::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, Nonce, UnboundKey};

use super::{FileKey, broken, derive};

/// Content bytes per chunk.
pub(in crate::base) const CHUNK: usize = 64 * 1024;
/// Bytes of a chunk's authentication tag.
pub(in crate::base) const TAG: usize = 16;

/// Derives the payload key.
///
/// # Errors
/// Never with keys of these lengths.
pub(super) fn key(file_key: &FileKey, nonce: &[u8; 16]) -> anyhow::Result<LessSafeKey> {
    cipher(&derive(file_key, nonce, b"payload")?)
}

/// Prepares a ChaCha20-Poly1305 key.
///
/// # Errors
/// Never with a key of this length.
pub(in crate::base) fn cipher(key: &[u8; 32]) -> anyhow::Result<LessSafeKey> {
    let key = UnboundKey::new(&CHACHA20_POLY1305, key).map_err(|_| anyhow!("a key of a wrong length"))?;
    Ok(LessSafeKey::new(key))
}

/// The chunks' nonces: a counter of 11 bytes, and whether it is the last.
#[derive(Default)]
pub(in crate::base) struct ChunkCounter(pub(in crate::base) u64);

impl ChunkCounter {
    fn next(&mut self, is_last: bool) -> Nonce {
        let mut nonce = [0; 12];
        nonce[3..11].copy_from_slice(&self.0.to_be_bytes());
        nonce[11] = u8::from(is_last);
        self.0 += 1;
        Nonce::assume_unique_for_key(nonce)
    }
}

/// Decrypts the next chunk in place.
///
/// # Errors
/// When the chunk was modified or is out of order.
pub(in crate::base) fn open<'a>(
    key: &LessSafeKey,
    counter: &mut ChunkCounter,
    is_last: bool,
    chunk: &'a mut [u8],
) -> io::Result<&'a [u8]> {
    key.open_in_place(counter.next(is_last), Aad::empty(), chunk)
        .map(|content| &*content)
        .map_err(|_| broken("the encrypted file was changed or is cut off"))
}

/// Encrypts what is written to it. Without [`Encrypting::finish`] the file is truncated, and readers detect that.
pub struct Encrypting<W> {
    sink: W,
    key: LessSafeKey,
    counter: ChunkCounter,
    chunk: Vec<u8>,
}

impl<W: Write> Encrypting<W> {
    pub(in crate::base) fn begin(sink: W, key: LessSafeKey) -> Self {
        Self { sink, key, counter: ChunkCounter(0), chunk: Vec::with_capacity(CHUNK + TAG) }
    }

    /// The underlying sink, which has received all full chunks.
    pub fn sink(&mut self) -> &mut W {
        &mut self.sink
    }

    /// Writes the last chunk and returns the sink.
    pub fn finish(mut self) -> io::Result<W> {
        self.seal(true)?;
        Ok(self.sink)
    }

    fn seal(&mut self, is_last: bool) -> io::Result<()> {
        self.key
            .seal_in_place_append_tag(self.counter.next(is_last), Aad::empty(), &mut self.chunk)
            .map_err(|_| broken("encrypting failed"))?;
        self.sink.write_all(&self.chunk)?;
        self.chunk.clear();
        Ok(())
    }
}

impl<W: Write> Write for Encrypting<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // A full chunk is written only when more data follows, so the last chunk is empty only in an empty file.
        if self.chunk.len() == CHUNK && !bytes.is_empty() {
            self.seal(false)?;
        }
        let count = bytes.len().min(CHUNK - self.chunk.len());
        self.chunk.extend_from_slice(&bytes[..count]);
        Ok(count)
    }

    /// Flushes the sink; a partial chunk stays buffered until it is full.
    fn flush(&mut self) -> io::Result<()> {
        self.sink.flush()
    }
}

/// Decrypts what is read through it; every byte it returns has been authenticated.
pub struct Decrypting<R> {
    source: R,
    key: LessSafeKey,
    counter: ChunkCounter,
    chunk: Vec<u8>,
    /// Start of the bytes not yet returned.
    start: usize,
    end: usize,
    is_at_end: bool,
}

impl<R: BufRead> Decrypting<R> {
    pub(in crate::base) fn begin(source: R, key: LessSafeKey) -> Self {
        Self { source, key, counter: ChunkCounter(0), chunk: Vec::new(), start: 0, end: 0, is_at_end: false }
    }

    fn open_next(&mut self) -> io::Result<()> {
        self.chunk.clear();
        let read = (&mut self.source).take((CHUNK + TAG) as u64).read_to_end(&mut self.chunk)?;
        let is_last = self.source.fill_buf()?.is_empty();
        let is_first = self.counter.0 == 0;
        let content = open(&self.key, &mut self.counter, is_last, &mut self.chunk)?;
        if content.is_empty() && !is_first {
            return Err(broken("the encrypted file ends with an empty part"));
        }
        (self.start, self.end, self.is_at_end) = (0, read - TAG, is_last);
        Ok(())
    }
}

impl<R: BufRead> Read for Decrypting<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.start == self.end {
            if self.is_at_end {
                return Ok(0);
            }
            self.open_next()?;
        }
        let count = out.len().min(self.end - self.start);
        out[..count].copy_from_slice(&self.chunk[self.start..self.start + count]);
        self.start += count;
        Ok(count)
    }
}
