//! Corrupted encrypted files return at most a prefix of the content; only an intact file returns all of it.

use super::*;
use crate::tests::fuzz::{for_rounds, spoil};

const WORDS: [&[u8]; 10] = [
    b"-> X25519 ",
    b"-> grease ",
    b"---",
    b"--- ",
    b"\n",
    b"=",
    b"\r\n",
    b"age-encryption.org/v1\n",
    b"A",
    b"\0",
];

#[test]
fn corrupted_encrypted_files_give_the_beginning_of_their_content_and_fail() {
    let (_, recipient, identities) = key();
    let (_, other, _) = key();
    let contents: Vec<Vec<u8>> =
        [0, 100, 65_536, 70_000].iter().map(|size| (0..*size).map(|i| (i * 7) as u8).collect()).collect();
    let files: Vec<_> =
        contents.iter().map(|content| encrypted(content, &[other.clone(), recipient.clone()])).collect();
    for_rounds("encrypted files", 1_000, |random| {
        let which = random.usize(..files.len());
        let content = &contents[which];
        let file = &files[which];
        let mut bytes = file.clone();
        if random.bool() {
            // The header and the first bytes behind it.
            let payload = bytes.split_off(bytes.len().min(420));
            spoil(&mut bytes, &WORDS, random);
            bytes.extend(payload);
        } else {
            spoil(&mut bytes, &WORDS, random);
        }
        let mut given = Vec::new();
        let read = decrypt(&bytes[..], &identities).and_then(|mut file| Ok(file.read_to_end(&mut given)?));
        assert!(content.starts_with(&given), "the output is a prefix of the content");
        let is_whole = read.is_ok();
        assert_eq!(is_whole, bytes == *file, "a corrupted file fails, an intact one does not");
    });
}
