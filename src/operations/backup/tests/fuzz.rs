//! Archives corrupted before or after sealing: what is unpacked matches the manifest, under names chosen by this
//! program, in the chosen folder, or the archive is refused.

use std::io::Write;

use super::*;
use crate::operations::backup::reader::{self, Unpack};
use crate::operations::backup::seal::Sealing;
use crate::tests::fuzz::{for_rounds, spoil};

const WORDS: [&[u8]; 16] = [
    b"../",
    b"/etc/passwd",
    b"\0",
    b"\"size_bytes\":0",
    b"18446744073709551615",
    b"-1",
    b"manifest.json",
    b"schoolhouse.db",
    b"documents/",
    b"ustar",
    b"1",
    b"2",
    b"L",
    b"S",
    b"}",
    b"\"format\":9",
];

/// Everything below a folder, by its path in it.
fn below(root: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let kind = std::fs::symlink_metadata(&path).unwrap().file_type();
            assert!(kind.is_dir() || kind.is_file(), "{} is neither file nor folder", path.display());
            if kind.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(root).unwrap().to_string_lossy().into_owned();
                found.push((name, std::fs::read(&path).unwrap()));
            }
        }
    }
    found.sort();
    found
}

/// Unpacks an archive into a nested folder and compares the result with its manifest.
fn assert_sound(archive: &[u8]) -> bool {
    let around = tempfile::tempdir().unwrap();
    let chosen = around.path().join("chosen");
    private_folder(&chosen).unwrap();
    let read = reader::read(archive, Unpack::Everything, |_| Ok(chosen.clone()));
    let is_inside = |(name, _): &(String, Vec<u8>)| {
        let name = name.strip_prefix("chosen/").expect("it stays inside");
        let document = name.strip_prefix("documents/");
        name == DATABASE
            || name == CONFIGURATION
            || document.is_some_and(|path| path.len() == 67 && path.as_bytes()[2] == b'/')
    };
    let found = below(around.path());
    assert!(found.iter().all(is_inside), "{:?}", found.iter().map(|(name, _)| name).collect::<Vec<_>>());
    let Ok(manifest) = read else { return false };
    let mut expected: Vec<_> = manifest
        .documents
        .iter()
        .map(|entry| (format!("chosen/{}", document_path(&entry.sha256)), entry.clone()))
        .chain([(format!("chosen/{DATABASE}"), manifest.database.clone())])
        .chain(manifest.configuration.clone().map(|entry| (format!("chosen/{CONFIGURATION}"), entry)))
        .collect();
    expected.sort_by(|one, other| one.0.cmp(&other.0));
    let written: Vec<_> = found
        .into_iter()
        .map(|(name, content)| {
            let sha256 = hex(&Sha256::digest(&content));
            (name, ArchiveEntry { sha256, size_bytes: content.len() as u64 })
        })
        .collect();
    assert_eq!(written, expected);
    true
}

/// The tar of an archive, without its compression and its seal.
fn unpacked(archive: &Path) -> Vec<u8> {
    zstd::decode_all(std::fs::File::open(archive).unwrap()).unwrap()
}

fn sealed(tar: &[u8], level: i32, window_log: Option<u32>) -> Vec<u8> {
    let mut encoder = zstd::Encoder::new(Sealing::new(Vec::new()), level).unwrap();
    if let Some(log) = window_log {
        encoder.window_log(log).unwrap();
        encoder.include_contentsize(false).unwrap();
    }
    encoder.write_all(tar).unwrap();
    encoder.finish().unwrap().finish().unwrap()
}

/// A small archive: the reader does not open the database.
fn small() -> Vec<u8> {
    let database = b"a database".as_slice();
    let documents: Vec<&[u8]> = vec![b"%PDF-1.7 one", b"%PDF-1.7 two"];
    let school = School::open();
    for (id, content) in (1..).zip(&documents) {
        school.add_document(id, content);
    }
    let archive = unpacked(&school.backup(None).unwrap());
    let mut read = tar::Archive::new(&archive[..]);
    let mut contents: Vec<(String, Vec<u8>)> = read
        .entries()
        .unwrap()
        .map(|entry| {
            let mut entry = entry.unwrap();
            let mut content = Vec::new();
            entry.read_to_end(&mut content).unwrap();
            (entry.path().unwrap().to_string_lossy().into_owned(), content)
        })
        .collect();
    let mut manifest: Manifest = serde_json::from_slice(&contents[0].1).unwrap();
    manifest.database =
        ArchiveEntry { sha256: hex(&Sha256::digest(database)), size_bytes: database.len() as u64 };
    contents[0].1 = serde_json::to_vec(&manifest).unwrap();
    contents[1].1 = database.to_vec();
    let mut builder = tar::Builder::new(Vec::new());
    for (name, content) in contents {
        let mut header = tar::Header::new_gnu();
        header.set_size(content.len() as u64);
        header.set_mode(0o600);
        builder.append_data(&mut header, name, &content[..]).unwrap();
    }
    builder.into_inner().unwrap()
}

#[test]
fn corrupted_archives_match_their_manifest_or_are_refused() {
    let tar = small();
    let whole = sealed(&tar, 3, None);
    assert!(assert_sound(&whole), "the archive is good before it is corrupted");
    let mut good = 0_u64;
    for_rounds("archives", 150, |random| {
        // Before sealing: a forged archive.
        let mut bytes = tar.clone();
        spoil(&mut bytes, &WORDS, random);
        // Correct checksums again, so that more than the first header is reached.
        for at in (0..bytes.len().saturating_sub(511)).step_by(512).filter(|_| random.bool()) {
            if bytes[at + 257..].starts_with(b"ustar") {
                let mut header = tar::Header::from_byte_slice(&bytes[at..at + 512]).clone();
                header.set_cksum();
                bytes[at..at + 512].copy_from_slice(header.as_bytes());
            }
        }
        good += u64::from(assert_sound(&sealed(&bytes, 1, None)));
        // After sealing: a failing disk.
        let mut bytes = whole.clone();
        spoil(&mut bytes, &WORDS, random);
        assert!(!assert_sound(&bytes) || bytes == whole, "no corrupted archive has a valid seal");
    });
    println!("archives: {good} of the corrupted ones matched their manifest");
}

/// Half a gigabyte of zeros packs into a few kilobytes: neither the requested window nor the unpacked data may be that
/// large.
#[test]
fn a_packed_archive_takes_neither_memory_nor_disk() {
    let window = sealed(&vec![0; 64 * 1024 * 1024], 3, Some(27));
    let error = reader::read(&window[..], Unpack::Everything, |_| unreachable!("no manifest")).unwrap_err();
    assert!(format!("{error:#}").contains("too much memory"), "{error:#}");
    let mut builder = tar::Builder::new(Vec::new());
    let mut header = tar::Header::new_gnu();
    let size = 65 * 1024 * 1024;
    header.set_size(size);
    builder.append_data(&mut header, MANIFEST, std::io::repeat(b' ').take(size)).unwrap();
    let packed = sealed(&builder.into_inner().unwrap(), 3, None);
    assert!(packed.len() < 100_000, "{}", packed.len());
    let error = reader::read(&packed[..], Unpack::Everything, |_| unreachable!("no manifest")).unwrap_err();
    assert!(format!("{error:#}").contains("the manifest is too long"), "{error:#}");
}
