//! Encryption of files at rest, in case a disk or a backup is stolen.
//!
//! A file is a header and chunks. The header: [`MAGIC`] with the version of the format, the key's id (8
//! bytes) and the MAC of the content (32 bytes). The chunks are age's: 64 KiB each under
//! ChaCha20-Poly1305, with a counter and a mark of the last one in the nonce (the STREAM construction),
//! so that a part can be read without the rest, and a cut, a swap or a change is found. Each file has a
//! key of its own, derived from the school's key and the whole header.
//!
//! The MAC is HMAC-SHA256 of the content's SHA-256, so that equal contents become equal files and are stored once. A
//! nonce is reused under the same key only if two contents have the same MAC. A thief learns the length of each file
//! and which files are equal.

mod key;
#[cfg(test)]
mod tests;

use std::io::{self, Read, Write};

use anyhow::{Context, anyhow, ensure};

pub use self::key::{Key, KeyId, Keys};
use crate::base::age::stream::{self, CHUNK, ChunkCounter, Decrypting, Encrypting, TAG};
use crate::base::random;

/// First bytes of an encrypted file; the digit is the version of the format.
const MAGIC: &[u8; 24] = b"schoolhouse encrypted 1\n";
/// The magic, the key's id and the MAC.
pub const HEADER_BYTES: usize = MAGIC.len() + 8 + 32;

/// HMAC-SHA256 of a content's SHA-256, under the school's key.
pub type Mac = [u8; 32];

/// The length of the encrypted file of a content.
pub fn encrypted_bytes(content_bytes: u64) -> u64 {
    let chunks = content_bytes.div_ceil(CHUNK as u64).max(1);
    HEADER_BYTES as u64 + content_bytes + chunks * TAG as u64
}

impl Key {
    /// The encrypted file of a content, and the content's MAC.
    pub fn encrypt(&self, content: &[u8]) -> anyhow::Result<(Vec<u8>, Mac)> {
        let mac = self.mac_of(content);
        let header = [MAGIC, self.id().bytes().as_slice(), &mac].concat();
        let mut file = Vec::with_capacity(encrypted_bytes(content.len() as u64) as usize);
        file.extend_from_slice(&header);
        let mut encrypting = Encrypting::begin(file, stream::cipher(&self.file_key(&header)?)?);
        encrypting.write_all(content)?;
        Ok((encrypting.finish()?, mac))
    }

    /// Starts to decrypt a file of `content_bytes`, whose content had this MAC when it was stored.
    ///
    /// # Errors
    /// When the header is damaged, or of another content or key.
    pub fn open(&self, header: &[u8; HEADER_BYTES], mac: &Mac, content_bytes: u64) -> anyhow::Result<Chunks> {
        ensure!(header.starts_with(MAGIC), "it is not an encrypted file of this version");
        let (id, found) = header[MAGIC.len()..].split_at(8);
        ensure!(id == self.id().bytes(), "it is encrypted with another key than recorded");
        ensure!(found == mac, "it is the file of another document");
        let cipher = stream::cipher(&self.file_key(header)?)?;
        Ok(Chunks { cipher, counter: ChunkCounter::default(), left: Some(content_bytes) })
    }

    /// Decrypts a whole file.
    ///
    /// # Errors
    /// As [`Key::open`]; when the file was changed or is cut off.
    pub fn decrypt(&self, file: &[u8], mac: &Mac, content_bytes: u64) -> anyhow::Result<Vec<u8>> {
        let (header, mut rest) = file.split_first_chunk().context("it is cut off")?;
        ensure!(file.len() as u64 == encrypted_bytes(content_bytes), "it has another length than recorded");
        let mut chunks = self.open(header, mac, content_bytes)?;
        let mut content = Vec::with_capacity(rest.len());
        let mut chunk = Vec::new();
        while let Some(length) = chunks.next_bytes() {
            let (next, after) = rest.split_at_checked(length).context("it is cut off")?;
            chunk.clear();
            chunk.extend_from_slice(next);
            chunks.open(&mut chunk)?;
            content.append(&mut chunk);
            rest = after;
        }
        ensure!(self.mac_of(&content) == *mac, "its content is not what was stored");
        Ok(content)
    }
}

/// Decrypts the chunks of a file in order.
pub struct Chunks {
    cipher: ring::aead::LessSafeKey,
    counter: ChunkCounter,
    /// Content bytes in the remaining chunks; `None` once the last chunk was decrypted.
    left: Option<u64>,
}

impl Chunks {
    /// The encrypted length of the next chunk; `None` after the last.
    pub fn next_bytes(&self) -> Option<usize> {
        self.left.map(|left| left.min(CHUNK as u64) as usize + TAG)
    }

    /// Decrypts the next chunk in place.
    ///
    /// # Errors
    /// When the chunk was modified or is out of order.
    pub fn open(&mut self, chunk: &mut Vec<u8>) -> io::Result<()> {
        let left = self.left.unwrap_or_default();
        let is_last = left <= CHUNK as u64;
        let opened = stream::open(&self.cipher, &mut self.counter, is_last, chunk)?.len();
        chunk.truncate(opened);
        self.left = (!is_last).then(|| left - opened as u64);
        Ok(())
    }
}

/// A key kept in memory only, for temporary files of this process.
pub struct EphemeralKey([u8; 32]);

impl EphemeralKey {
    /// Generates a key.
    pub fn generate() -> anyhow::Result<Self> {
        Ok(Self(random::bytes().map_err(|error| anyhow!("drawing a key: {error}"))?))
    }

    /// Encrypts into a sink. Use a key only once: a second content under the same key would reveal both.
    pub fn encrypting<W: Write>(&self, sink: W) -> anyhow::Result<Encrypting<W>> {
        Ok(Encrypting::begin(sink, stream::cipher(&self.0)?))
    }

    /// Decrypts a file.
    ///
    /// # Errors
    /// When it was modified or is truncated.
    pub fn decrypt(&self, source: impl io::BufRead) -> anyhow::Result<Vec<u8>> {
        let mut content = Vec::new();
        Decrypting::begin(source, stream::cipher(&self.0)?).read_to_end(&mut content)?;
        Ok(content)
    }
}
