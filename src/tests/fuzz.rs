//! Input corrupted at random from a seed, for the tests named `corrupted_…`.
//!
//! Each runs a fixed number of rounds, or for `SCHOOLHOUSE_FUZZ_SECONDS=600`, as `make fuzz` does, or
//! `SCHOOLHOUSE_FUZZ_ROUNDS=10000`, as `make histories` does; a failure names its seed, and `SCHOOLHOUSE_FUZZ_SEED` starts
//! there. The generators are small and run on stable Rust (fastrand): a
//! coverage-guided fuzzer needs another toolchain.

use std::time::{Duration, Instant};

use fastrand::Rng;

/// Runs this many rounds, or as many as there is time for; each has its own seed.
pub fn for_rounds(target: &str, short: u64, mut round: impl FnMut(&mut Rng)) {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let time = number("SCHOOLHOUSE_FUZZ_SECONDS").map(Duration::from_secs);
    let rounds = number("SCHOOLHOUSE_FUZZ_ROUNDS").unwrap_or(short);
    let start = Instant::now();
    let first = number("SCHOOLHOUSE_FUZZ_SEED").unwrap_or(2026);
    let mut done = 0;
    while time.map_or(done < rounds, |time| start.elapsed() < time) {
        let seed = Seed { target, seed: first + done };
        round(&mut Rng::with_seed(seed.seed));
        done += 1;
    }
    println!(
        "{target}: {done} rounds in {:.1} s, the first with seed {first}",
        start.elapsed().as_secs_f64()
    );
}

/// Prints the seed when a round panics.
struct Seed<'a> {
    target: &'a str,
    seed: u64,
}

impl Drop for Seed<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("{}: SCHOOLHOUSE_FUZZ_SEED={} repeats it", self.target, self.seed);
        }
    }
}

/// Changes, removes, duplicates, moves or inserts bytes, several times; `words` are tokens of the format.
pub fn spoil(bytes: &mut Vec<u8>, words: &[&[u8]], random: &mut Rng) {
    for _ in 0..random.usize(1..8) {
        let length = bytes.len();
        if length < 16 {
            return;
        }
        let at = random.usize(..length);
        let count = random.usize(1..16);
        let end = (at + count).min(length);
        match random.u8(..7) {
            0 => bytes[at] ^= 1 << random.u8(..8),
            1 => bytes[at] = random.choice([0, 0xFF, 0x7F, 0x80, b'<', b'/']).unwrap_or(0),
            2 => drop(bytes.drain(at..end)),
            3 => {
                let part = bytes[at..end].to_vec();
                let to = random.usize(..length);
                bytes.splice(to..to, part);
            }
            4 => bytes[at..end].fill(random.u8(..)),
            5 => bytes.truncate(at.max(length / 2)),
            _ => {
                let word = random.choice(words).copied().unwrap_or_default();
                bytes.splice(at..at, word.iter().copied());
            }
        }
    }
}
