//! Attacks and good files, by table; then thousands of spoilt ones.

mod make;
mod mutations;
mod pdfs;
mod pictures;
mod variants;

use std::time::Duration;

use super::{Examined, Refusal, look_into};
use crate::base::budget::Limits;

const MEBIBYTE: u64 = 1024 * 1024;

/// The limits of the configuration's defaults, with time for a debug build.
const LIMITS: Limits =
    Limits { memory_bytes: 128 * MEBIBYTE, time: Duration::from_secs(20), stored_bytes: 10 * MEBIBYTE };

fn assert_refused(table: Vec<(&str, Vec<u8>, Refusal)>) {
    for (name, bytes, expected) in table {
        assert_eq!(look_into(&bytes, &LIMITS).map(|_| "taken"), Err(expected), "{name}");
    }
}

/// What of a good picture is stored.
fn rewritten(name: &str, bytes: &[u8]) -> Vec<u8> {
    let Examined { rewritten, .. } =
        look_into(bytes, &LIMITS).unwrap_or_else(|refusal| panic!("{name}: {refusal:?}"));
    rewritten.unwrap_or_else(|| panic!("{name} was not written anew"))
}

/// Looks into the files of a folder, and writes what would be stored beside them:
/// `EXAMINE=/some/folder cargo test --lib examine_a_folder -- --nocapture`.
#[test]
fn examine_a_folder() {
    let Some(folder) = std::env::var_os("EXAMINE") else { return };
    let used = || rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let (path, start) = (entry.path(), used());
        let found = look_into(&std::fs::read(&path).unwrap(), &LIMITS);
        let time = used() - start;
        let milliseconds = time.tv_sec * 1_000 + time.tv_nsec / 1_000_000;
        match found {
            Ok(Examined { content_type, rewritten }) => {
                let size = rewritten.as_ref().map(Vec::len);
                println!("{} is taken as {content_type:?}: {size:?}, {milliseconds} ms", path.display());
                if let Some(stored) = rewritten {
                    std::fs::write(path.with_added_extension("stored"), stored).unwrap();
                }
            }
            Err(refusal) => println!("{} is refused: {}, {milliseconds} ms", path.display(), refusal.words()),
        }
    }
}
