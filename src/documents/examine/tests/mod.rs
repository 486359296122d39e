//! Attacks and good files, by table; then thousands of corrupted ones.

mod make;
mod mutations;
mod pdfs;
mod pictures;
mod scripts;
mod variants;

use std::time::Duration;

use super::{ExaminedFile, FileRefusal, look_into};
use crate::base::budget::DecodeLimits;

const MEBIBYTE: u64 = 1024 * 1024;

/// The limits of the configuration's defaults, with time for a debug build.
const LIMITS: DecodeLimits =
    DecodeLimits { memory_bytes: 128 * MEBIBYTE, time: Duration::from_secs(20), stored_bytes: 10 * MEBIBYTE };

fn assert_refused(table: Vec<(&str, Vec<u8>, FileRefusal)>) {
    for (name, bytes, expected) in table {
        assert_eq!(look_into(&bytes, &LIMITS).map(|_| "taken"), Err(expected), "{name}");
    }
}

/// The rewritten form of a valid file.
fn rewritten(name: &str, bytes: &[u8]) -> Vec<u8> {
    look_into(bytes, &LIMITS).unwrap_or_else(|refusal| panic!("{name}: {refusal:?}")).rewritten
}

/// Examines the files of a folder and writes the results beside them: `EXAMINE=/some/folder cargo test --lib
/// examine_a_folder -- --nocapture`.
#[test]
fn examine_a_folder() {
    let Some(folder) = std::env::var_os("EXAMINE") else { return };
    let used = || rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        let start = used();
        let found = look_into(&std::fs::read(&path).unwrap(), &LIMITS);
        let time = used() - start;
        let milliseconds = time.tv_sec * 1_000 + time.tv_nsec / 1_000_000;
        match found {
            Ok(ExaminedFile { rewritten, was_signed, .. }) => {
                let size = rewritten.len();
                let signed = if was_signed { ", signed" } else { "" };
                println!("{} is accepted: {size} bytes, {milliseconds} ms{signed}", path.display());
                std::fs::write(path.with_added_extension("stored"), rewritten).unwrap();
            }
            Err(refusal) => println!("{} is refused: {}, {milliseconds} ms", path.display(), refusal.words()),
        }
    }
}
