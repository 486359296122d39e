//! Round trips of contents, and detection of every kind of damage.

use sha2::Digest;

use super::*;

fn key() -> Key {
    Key::generate().unwrap()
}

fn content(size: usize) -> Vec<u8> {
    (0..size).map(|i| (i * 7 + i / 251) as u8).collect()
}

/// Sizes around a chunk boundary, where mistakes would show.
const SIZES: [usize; 7] = [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK, 200_000];

#[test]
fn a_content_comes_back_and_its_file_has_the_length_that_was_announced() {
    let key = key();
    for size in SIZES {
        let content = content(size);
        let (file, mac) = key.encrypt(&content).unwrap();
        assert_eq!(file.len() as u64, encrypted_bytes(size as u64), "{size}");
        assert_eq!(key.decrypt(&file, &mac, size as u64).unwrap(), content, "{size}");
    }
}

#[test]
fn equal_contents_are_equal_files_under_one_key_and_different_ones_under_two() {
    let one = key();
    let two = key();
    let content = content(1000);
    assert_eq!(one.encrypt(&content).unwrap(), one.encrypt(&content).unwrap());
    let first = one.encrypt(&content).unwrap();
    let second = two.encrypt(&content).unwrap();
    assert!(first.1 != second.1 && first.0[HEADER_BYTES..] != second.0[HEADER_BYTES..]);
    assert_ne!(one.mac_of(&content).as_slice(), &*sha2::Sha256::digest(&content));
    let windows = || first.0.windows(16);
    assert!(!windows().any(|window| content.windows(16).any(|clear| clear == window)));
}

#[test]
fn a_chunk_is_read_without_those_before_it() {
    let key = key();
    let content = content(3 * CHUNK);
    let (file, mac) = key.encrypt(&content).unwrap();
    let mut chunks = key.open(file.first_chunk().unwrap(), &mac, content.len() as u64).unwrap();
    // As a range request does: it knows the chunk's offset and number.
    let start = HEADER_BYTES + 2 * (CHUNK + TAG);
    (chunks.counter.0, chunks.left) = (2, Some(CHUNK as u64));
    let mut chunk = file[start..].to_vec();
    chunks.open(&mut chunk).unwrap();
    assert_eq!(chunk, content[2 * CHUNK..]);
}

#[test]
fn every_modification_truncation_and_swap_is_detected() {
    let key = key();
    let content = content(2 * CHUNK + 100);
    let size = content.len() as u64;
    let (file, mac) = key.encrypt(&content).unwrap();
    let is_refused = |file: &[u8], size| key.decrypt(file, &mac, size).is_err();
    assert!(!is_refused(&file, size));
    // Each byte of the header and the ends of the chunks.
    let first = HEADER_BYTES;
    let second = HEADER_BYTES + CHUNK + TAG;
    for at in (0..=HEADER_BYTES).chain([second - 1, second, second + CHUNK, file.len() - 1]) {
        let mut changed = file.clone();
        changed[at] ^= 1;
        assert!(is_refused(&changed, size), "byte {at}");
    }
    // One chunk missing, whatever length is recorded.
    let cut = &file[..second + CHUNK + TAG];
    assert!(is_refused(cut, size) && is_refused(cut, 2 * CHUNK as u64));
    assert!(is_refused(&file[..file.len() - 1], size) && is_refused(&file[..10], size));
    assert!(is_refused(&[&file[..], b"x"].concat(), size));
    let swapped = [
        &file[..first],
        &file[second..second + CHUNK + TAG],
        &file[first..second],
        &file[second + CHUNK + TAG..],
    ]
    .concat();
    assert!(is_refused(&swapped, size));
    // The file of another content, whole or in part.
    let mut other = content.clone();
    other[0] ^= 1;
    let (other, other_mac) = key.encrypt(&other).unwrap();
    let error = key.decrypt(&other, &mac, size).unwrap_err().to_string();
    assert_eq!(error, "it is the file of another document");
    assert!(is_refused(&[&file[..second], &other[second..]].concat(), size));
    assert!(is_refused(&[&file[..HEADER_BYTES], &other[HEADER_BYTES..]].concat(), size));
    assert!(key.decrypt(&other, &other_mac, size).is_ok());
    let error = super::Key::generate().unwrap().decrypt(&file, &mac, size).unwrap_err().to_string();
    assert_eq!(error, "it is encrypted with another key than recorded");
}

#[test]
fn a_key_file_has_one_key_that_encrypts_and_others_that_open() {
    let old = key();
    let new = key();
    let text =
        format!("# the second one is of 2026\n\n {} \n{}\n", new.to_line().unwrap(), old.to_line().unwrap());
    let keys = Keys::parse(&text).unwrap();
    assert_eq!(keys.current().unwrap().id(), new.id());
    let (file, mac) = old.encrypt(b"passport").unwrap();
    assert_eq!(keys.find(old.id()).unwrap().decrypt(&file, &mac, 8).unwrap(), b"passport");
    assert!(keys.find(key().id()).is_none() && Keys::default().current().is_none());
    assert_eq!(old.id().to_string().parse::<KeyId>().unwrap(), old.id());
    for wrong in ["", "0123", "0123456789ABCDEF", "+123456789abcdef"] {
        assert!(wrong.parse::<KeyId>().is_err(), "{wrong}");
    }
}

#[test]
fn a_mistyped_key_is_refused_and_not_repeated() {
    let line = key().to_line().unwrap();
    assert_eq!((&line[..17], line.len()), ("SCHOOLHOUSE-KEY-1", 17 + 58));
    let mut slip = line.clone().into_bytes();
    slip[30] = if slip[30] == b'Q' { b'P' } else { b'Q' };
    let slip = String::from_utf8(slip).unwrap();
    let identity = "AGE-SECRET-KEY-1QQQSYQCYQ5RQWZQFPG9SCRGWPUGPZYSNZS23V9CCRYDPK8QARC0SWRM5CX";
    for text in [&*slip, "passport", "", "# nothing", identity, &format!("{line}\n{line}")] {
        let error = Keys::parse(text).err().unwrap().to_string();
        assert!(!error.contains(&line[17..]) && !error.contains("passport"), "{error}");
        assert!(error.contains("line") || error == "holds no key", "{error}");
    }
    assert!(Keys::parse(&line.to_lowercase()).is_ok());
}

#[test]
fn an_ephemeral_file_is_decrypted_with_its_own_key_only() {
    let passing = EphemeralKey::generate().unwrap();
    let content = content(100_000);
    let mut encrypting = passing.encrypting(Vec::new()).unwrap();
    encrypting.write_all(&content).unwrap();
    let file = encrypting.finish().unwrap();
    assert_eq!(passing.decrypt(&*file).unwrap(), content);
    assert!(EphemeralKey::generate().unwrap().decrypt(&*file).is_err());
}
