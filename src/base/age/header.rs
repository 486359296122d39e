//! The header: the file key, wrapped for each recipient, and a MAC over all of it.

use std::io::{BufRead, Read, Write};

use anyhow::{Context, anyhow, bail, ensure};
use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD as BASE64;
use ring::aead::{Aad, LessSafeKey, Nonce};
use ring::hmac;
use x25519_dalek::{PublicKey, SharedSecret, StaticSecret};

use super::{FileKey, Identities, MAGIC, Recipient, derive};
use crate::base::random;

const X25519: &str = "X25519";
const INFO: &[u8] = b"age-encryption.org/v1/X25519";
/// A stanza's body is wrapped here; a shorter line ends it.
const COLUMNS: usize = 64;
const DAMAGED: &str = "the encrypted file's header is damaged";
/// Upper limit; a header with a hundred recipients has 12 KB.
const MAX_BYTES: u64 = 64 * 1024;

/// Writes the header.
pub(super) fn write(
    sink: &mut impl Write,
    file_key: &FileKey,
    recipients: &[Recipient],
) -> anyhow::Result<()> {
    let mut header = MAGIC.to_vec();
    for recipient in recipients {
        let secret: [u8; 32] = random::bytes().map_err(|error| anyhow!("drawing a key: {error}"))?;
        let ephemeral = StaticSecret::from(secret);
        let share = PublicKey::from(&ephemeral);
        let key = wrapping_key(&ephemeral.diffie_hellman(&recipient.key), &share, &recipient.key)?;
        let mut body = file_key.to_vec();
        key.seal_in_place_append_tag(nonce(), Aad::empty(), &mut body)
            .map_err(|_| anyhow!("wrapping the file key"))?;
        // 32 bytes are 43 characters: one line, shorter than a full one.
        writeln!(header, "-> {X25519} {}\n{}", BASE64.encode(share), BASE64.encode(body))?;
    }
    header.extend_from_slice(b"---");
    let tag = hmac::sign(&mac_key(file_key)?, &header);
    writeln!(header, " {}", BASE64.encode(tag))?;
    sink.write_all(&header)?;
    Ok(())
}

/// Reads the header and finds the file key.
///
/// # Errors
/// When it is malformed or modified, or none of the identities is a recipient.
pub(super) fn read(source: &mut impl BufRead, identities: &Identities) -> anyhow::Result<FileKey> {
    let mut lines = HeaderLines { source: source.take(MAX_BYTES), read: Vec::new() };
    ensure!(
        lines.next()?.as_bytes() == MAGIC.trim_ascii_end(),
        "it is not an encrypted file in a known format"
    );
    let mut file_key = None;
    loop {
        let line = lines.next()?;
        if let Some(tag) = line.strip_prefix("--- ") {
            let key =
                file_key.context("it is encrypted for another recipient: this identity cannot read it")?;
            let tag = BASE64.decode(tag).context(DAMAGED)?;
            ensure!(tag.len() == 32, DAMAGED);
            let covered = &lines.read[..lines.read.len() - line.len() - 1 + "---".len()];
            hmac::verify(&mac_key(&key)?, covered, &tag)
                .map_err(|_| anyhow!("the encrypted file's header was changed"))?;
            return Ok(key);
        }
        let arguments: Vec<&str> = line.strip_prefix("-> ").context(DAMAGED)?.split(' ').collect();
        let is_word = |word: &&str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_graphic());
        ensure!(arguments.iter().all(is_word), DAMAGED);
        let body = lines.body()?;
        match &arguments[..] {
            [X25519, share] => file_key = file_key.or(unwrap(share, &body, identities)?),
            [X25519, ..] => bail!(DAMAGED),
            // A stanza of another kind.
            _ => {}
        }
    }
}

fn unwrap(share: &str, body: &[u8], identities: &Identities) -> anyhow::Result<Option<FileKey>> {
    let decoded = BASE64.decode(share).ok().and_then(|bytes| <[u8; 32]>::try_from(bytes).ok());
    let (Some(share), 32) = (decoded, body.len()) else { bail!(DAMAGED) };
    let share = PublicKey::from(share);
    for identity in &identities.0 {
        let key = wrapping_key(&identity.diffie_hellman(&share), &share, &PublicKey::from(identity))?;
        let mut body = body.to_vec();
        if let Ok(file_key) = key.open_in_place(nonce(), Aad::empty(), &mut body)
            && let Ok(file_key) = FileKey::try_from(&*file_key)
        {
            return Ok(Some(file_key));
        }
    }
    Ok(None)
}

fn wrapping_key(
    shared: &SharedSecret,
    share: &PublicKey,
    recipient: &PublicKey,
) -> anyhow::Result<LessSafeKey> {
    // All zero: the other key is one of the few low-order points that produce no secret.
    ensure!(shared.was_contributory(), "the key is unusable");
    let salt = [share.as_bytes().as_slice(), recipient.as_bytes()].concat();
    super::stream::cipher(&derive(shared.as_bytes(), &salt, INFO)?)
}

/// Always zero: a wrapping key is used only once.
fn nonce() -> Nonce {
    Nonce::assume_unique_for_key([0; 12])
}

fn mac_key(file_key: &FileKey) -> anyhow::Result<hmac::Key> {
    Ok(hmac::Key::new(hmac::HMAC_SHA256, &derive(file_key, b"", b"header")?))
}

/// Reads the header line by line and keeps its bytes for the MAC.
struct HeaderLines<R> {
    source: R,
    read: Vec<u8>,
}

impl<R: BufRead> HeaderLines<R> {
    fn next(&mut self) -> anyhow::Result<String> {
        let start = self.read.len();
        self.source.read_until(b'\n', &mut self.read)?;
        let line = self.read[start..].strip_suffix(b"\n").context(DAMAGED)?;
        Ok(std::str::from_utf8(line).context(DAMAGED)?.to_owned())
    }

    fn body(&mut self) -> anyhow::Result<Vec<u8>> {
        let mut text = String::new();
        loop {
            let line = self.next()?;
            ensure!(line.len() <= COLUMNS, DAMAGED);
            text.push_str(&line);
            if line.len() < COLUMNS {
                return BASE64.decode(text).context(DAMAGED);
            }
        }
    }
}
