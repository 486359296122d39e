//! The published vectors of the format (`testdata/README.md`), each with its expected outcome.

use std::io::{BufRead, Read};

use sha2::{Digest, Sha256};

use super::super::*;
use crate::base::random::hex;

const VECTORS: &[u8] = include_bytes!("../testdata/cctv.tar.zst");

/// Vectors in which the final chunk of the file is not marked as the last, or a marked one has more data after it. The
/// reference returns that chunk before it fails. This reader checks first whether data follows, and returns only what
/// comes before it: this many bytes.
const CONTRADICTIONS: [(&str, usize); 7] = [
    ("stream_no_final_full", 0),
    ("stream_no_final_two_chunks_full", CHUNK),
    ("stream_trailing_garbage_long", 0),
    ("stream_trailing_garbage_short", 0),
    ("stream_two_final_chunks", 0),
    ("stream_two_final_chunks_full", 0),
    ("stream_two_final_chunks_second", CHUNK),
];
const CHUNK: usize = 64 * 1024;

/// A vector: keys and values, an empty line, the encrypted file.
struct Vector {
    name: String,
    expect: String,
    /// SHA-256 of everything that is returned, also before a failure.
    payload: String,
    identities: Identities,
    file: Vec<u8>,
}

fn vector(name: String, bytes: &[u8]) -> Vector {
    let mut file = bytes;
    let mut expect = None;
    let mut payload = None;
    let mut keys = Vec::new();
    let mut is_compressed = false;
    loop {
        let mut line = String::new();
        file.read_line(&mut line).unwrap();
        if line == "\n" {
            break;
        }
        let (key, value) = line.trim_end().split_once(": ").unwrap();
        match key {
            "expect" => expect = Some(value.to_owned()),
            "payload" => payload = Some(value.to_owned()),
            "identity" => keys.extend(Identities::parse(value).unwrap().0),
            "compressed" => is_compressed = value == "zlib",
            "file key" | "comment" => {}
            _ => panic!("{name}: what is {key}?"),
        }
    }
    let file = if is_compressed {
        let mut plain = Vec::new();
        flate2::read::ZlibDecoder::new(file).read_to_end(&mut plain).unwrap();
        plain
    } else {
        file.to_owned()
    };
    let nothing = || hex(&Sha256::digest(b""));
    Vector {
        name,
        expect: expect.unwrap(),
        payload: payload.unwrap_or_else(nothing),
        identities: Identities(keys),
        file,
    }
}

/// Outcome of reading it, in the vectors' terms, and everything that was returned.
fn read(vector: &Vector) -> (&'static str, Vec<u8>) {
    let mut content = Vec::new();
    let outcome = match decrypt(&vector.file[..], &vector.identities) {
        Ok(mut reader) => match reader.read_to_end(&mut content) {
            Ok(_) => "success",
            Err(_) => "payload failure",
        },
        Err(error) => match error.to_string().as_str() {
            "it is encrypted for another recipient: this identity cannot read it" => "no match",
            "the encrypted file's header was changed" => "HMAC failure",
            _ => "header failure",
        },
    };
    (outcome, content)
}

#[test]
fn every_published_vector_has_its_expected_outcome() {
    let mut archive = tar::Archive::new(zstd::Decoder::new(VECTORS).unwrap());
    let mut count = 0;
    let mut wrong = Vec::new();
    for entry in archive.entries().unwrap() {
        let mut entry = entry.unwrap();
        if !entry.header().entry_type().is_file() {
            continue;
        }
        let name = entry.path().unwrap().file_name().unwrap().to_string_lossy().into_owned();
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).unwrap();
        let vector = vector(name, &bytes);
        let (outcome, content) = read(&vector);
        let is_right = match CONTRADICTIONS.iter().find(|(name, _)| *name == vector.name) {
            Some((_, length)) => content.len() == *length,
            None => hex(&Sha256::digest(&content)) == vector.payload,
        };
        if outcome != vector.expect || !is_right {
            let Vector { name, expect, .. } = vector;
            wrong.push(format!("{name}: {outcome} instead of {expect}, {} bytes", content.len()));
        }
        count += 1;
    }
    assert_eq!(wrong, [""; 0]);
    assert_eq!(count, 67);
}
