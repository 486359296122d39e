//! Argon2id on one thread of its own.
//!
//! Hashing takes 19 MiB and tens of milliseconds. One thread with one reused block keeps a flood of logins from
//! exhausting processor time or memory. Waiting requests are served round-robin by origin; a wait of seconds is better
//! than a refusal, so only a wait past the timeout ends with 503. An unknown account costs the same as a known one.
//!
//! When the cost parameters rise, an older hash is renewed at the next login, the only time at which the password is
//! available; so is a hash of a password that was not in normal form ([`Passwords::renew`]). It keeps its salt, which
//! identifies the choice of password.

mod queue;

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, anyhow};
use argon2::password_hash::phc::{Output, ParamsString, PasswordHash, Salt};
use argon2::{Algorithm, Argon2, Block, Params, Version};
use tokio::sync::oneshot;
use tokio::time::timeout;

use self::queue::JobQueue;
pub use self::queue::Lane;
use crate::base::error::{Error, Result};
use crate::base::password::{Password, normal};
use crate::base::random;

/// OWASP's first choice for Argon2id (2024): 19 MiB, two passes, one lane. A debug build, which never holds real
/// passwords, takes 1 MiB: its tests hash thousands of passwords beside a busy browser.
const MEMORY_KIB: u32 = if cfg!(debug_assertions) { 1_024 } else { 19_456 };
const PASSES: u32 = 2;
const LANES: u32 = 1;
const HASH_BYTES: usize = 32;
/// Longest wait in the queue; the handler itself has 30 s.
const TIMEOUT: Duration = Duration::from_secs(20);

/// A hash that no password matches, with the same parameters: verified against for unknown accounts, and stored where a
/// password was disabled.
pub const NO_PASSWORD: &str = if cfg!(debug_assertions) {
    "$argon2id$v=19$m=1024,t=2,p=1$bm9ib2R5bm9ib2R5bm8$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
} else {
    "$argon2id$v=19$m=19456,t=2,p=1$bm9ib2R5bm9ib2R5bm8$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
};

/// Decides whether a guess is verified when it reaches the front of the queue. Guesses are verified one at a time, so
/// each sees all earlier failures.
pub trait Gate: Send {
    /// Whether the password may be verified.
    fn open(&self) -> Result<()>;
    /// Records a wrong password, before the next one is verified.
    fn note_wrong(&self);
}

enum Job {
    Hash(String, oneshot::Sender<Result<String>>),
    Renew(String, String, oneshot::Sender<Result<String>>),
    Verify(Guess, oneshot::Sender<Result<bool>>),
}

struct Guess {
    password: String,
    stored: Option<String>,
    gate: Box<dyn Gate>,
}

/// Hashes and verifies passwords. Cheap to clone.
#[derive(Clone)]
pub struct Passwords {
    jobs: Arc<Sender>,
}

/// Ends the thread when the last sender is dropped.
struct Sender(Arc<JobQueue<Job>>);

impl Drop for Sender {
    fn drop(&mut self) {
        self.0.close();
    }
}

impl Passwords {
    /// Starts the hashing thread, at low priority.
    pub fn start() -> anyhow::Result<Self> {
        let queue = Arc::new(JobQueue::new());
        let jobs = Arc::new(Sender(queue.clone()));
        std::thread::Builder::new()
            .name("passwords".into())
            .spawn(move || work(&queue))
            .context("starting the password thread")?;
        Ok(Self { jobs })
    }

    /// The PHC string of a new password, queued in its lane.
    ///
    /// # Errors
    /// [`Error::Busy`] when too many hashes wait.
    pub async fn hash(&self, password: &Password, lane: Lane) -> Result<String> {
        let (sender, receiver) = oneshot::channel();
        let job = Job::Hash(password.expose().to_owned(), sender);
        self.carry_out(lane, job, receiver).await
    }

    /// Whether the password matches the stored hash; `None` means an unknown account and takes as long.
    ///
    /// # Errors
    /// [`Error::Busy`] when too many hashes wait; the gate's error.
    pub async fn verify(
        &self,
        lane: Lane,
        password: &str,
        stored: Option<&str>,
        gate: Box<dyn Gate>,
    ) -> Result<bool> {
        // An overlong guess cannot match; hash only its beginning.
        let password = password.chars().take(Password::MAX_CHARS + 1).collect();
        let guess = Guess { password, stored: stored.map(str::to_owned), gate };
        let (sender, receiver) = oneshot::channel();
        self.carry_out(lane, Job::Verify(guess, sender), receiver).await
    }

    /// Rehashes a password at the current cost, after it was verified against `stored`.
    ///
    /// # Errors
    /// [`Error::Busy`] when too many hashes wait: the next login tries again.
    pub async fn renew(&self, password: String, stored: String, lane: Lane) -> Result<String> {
        let (sender, receiver) = oneshot::channel();
        self.carry_out(lane, Job::Renew(password, stored, sender), receiver).await
    }

    /// Number of queued hashes.
    pub fn waiting(&self) -> usize {
        self.jobs.0.count()
    }

    async fn carry_out<T>(&self, lane: Lane, job: Job, answer: oneshot::Receiver<Result<T>>) -> Result<T> {
        const BUSY: Error =
            Error::Busy("Many people are logging in right now. Please try again in a moment.");
        // A displaced request learns of it when its channel closes.
        drop(self.jobs.0.push(lane, job));
        match timeout(TIMEOUT, answer).await {
            Ok(Ok(answer)) => answer,
            Ok(Err(_)) | Err(_) => Err(BUSY),
        }
    }
}

fn work(queue: &JobQueue<Job>) {
    // On Linux niceness is per thread, so this affects only this one.
    if let Err(error) = rustix::process::nice(10) {
        tracing::debug!("the password thread keeps its priority: {error}");
    }
    let mut memory = Vec::new();
    while let Some(job) = queue.pop() {
        // Skip requests that were abandoned.
        match job {
            Job::Hash(password, answer) if !answer.is_closed() => {
                let _ = answer.send(hash(&password, &mut memory).map_err(Error::from));
            }
            Job::Verify(guess, answer) if !answer.is_closed() => {
                let _ = answer.send(guess.verify(&mut memory));
            }
            Job::Renew(password, stored, answer) if !answer.is_closed() => {
                let _ = answer.send(renew(&password, &stored, &mut memory).map_err(Error::from));
            }
            Job::Hash(..) | Job::Verify(..) | Job::Renew(..) => {}
        }
    }
}

impl Guess {
    fn verify(&self, memory: &mut Vec<Block>) -> Result<bool> {
        self.gate.open()?;
        let stored = self.stored.as_deref();
        let typed = self.password.as_str();
        let against = stored.unwrap_or(NO_PASSWORD);
        let normal = normal(typed);
        let mut matches = verify(&normal, against, memory)?;
        // Hashes from before normalization are of the text as typed.
        if !matches && normal != typed {
            matches = verify(typed, against, memory)?;
        }
        let matches = matches && stored.is_some();
        if !matches {
            self.gate.note_wrong();
        }
        Ok(matches)
    }
}

/// Hashes without the queue, for the command line.
pub fn hash_now(password: &Password) -> anyhow::Result<String> {
    hash(password.expose(), &mut Vec::new())
}

fn hash(password: &str, memory: &mut Vec<Block>) -> anyhow::Result<String> {
    hash_with(password, &random::bytes::<16>().map_err(|error| anyhow!("{error}"))?, memory)
}

fn hash_with(password: &str, salt: &[u8], memory: &mut Vec<Block>) -> anyhow::Result<String> {
    let params = Params::new(MEMORY_KIB, PASSES, LANES, Some(HASH_BYTES))
        .map_err(|error| anyhow!("argon2 parameters: {error}"))?;
    let method = (Algorithm::Argon2id, Version::V0x13);
    let out = derive(password, salt, method, &params, HASH_BYTES, memory)?;
    let hash = PasswordHash {
        algorithm: method.0.ident(),
        version: Some(method.1.into()),
        params: ParamsString::try_from(&params).map_err(|error| anyhow!("argon2: {error}"))?,
        salt: Some(Salt::new(salt).map_err(|error| anyhow!("argon2 salt: {error}"))?),
        hash: Some(Output::new(&out).map_err(|error| anyhow!("argon2 output: {error}"))?),
    };
    Ok(hash.to_string())
}

fn renew(password: &str, stored: &str, memory: &mut Vec<Block>) -> anyhow::Result<String> {
    let salt = parse(stored)?.salt.context("stored hash: salt is missing")?;
    hash_with(&normal(password), salt.as_ref(), memory)
}

/// Whether a stored hash that `password` matches should be renewed: it may be of another normal form of the password,
/// or of another cost.
pub fn may_be_outdated(password: &str, stored: &str) -> bool {
    is_outdated(stored) || normal(password) != password
}

/// Whether a stored hash is cheaper to attack than a current one, in memory, passes or method.
fn is_outdated(stored: &str) -> bool {
    parse(stored).is_ok_and(|stored| {
        let is_weak = |params: Params| params.m_cost() < MEMORY_KIB || params.t_cost() < PASSES;
        method(&stored).is_ok_and(|method| method != (Algorithm::Argon2id, Version::V0x13))
            || Params::try_from(&stored).is_ok_and(is_weak)
    })
}

/// Identifies one choice of password: the salt, which is random for each choice and kept by a renewed hash.
pub fn choice(stored: &str) -> &str {
    // $algorithm$version$parameters$salt$output; hashes of the first version have no version field.
    stored.rsplit('$').nth(1).unwrap_or(stored)
}

fn parse(stored: &str) -> anyhow::Result<PasswordHash> {
    PasswordHash::new(stored).map_err(|error| anyhow!("stored hash: {error}"))
}

/// Algorithm and version of a stored hash; without a version field it is the first.
fn method(stored: &PasswordHash) -> anyhow::Result<(Algorithm, Version)> {
    let algorithm = Algorithm::try_from(stored.algorithm.as_str());
    let version = stored.version.map_or(Ok(Version::V0x10), Version::try_from);
    algorithm.and_then(|algorithm| Ok((algorithm, version?))).map_err(|error| anyhow!("stored hash: {error}"))
}

fn verify(password: &str, stored: &str, memory: &mut Vec<Block>) -> anyhow::Result<bool> {
    let stored = parse(stored)?;
    let params = Params::try_from(&stored).map_err(|error| anyhow!("stored hash: {error}"))?;
    let (Some(salt), Some(expected)) = (&stored.salt, &stored.hash) else {
        return Err(anyhow!("stored hash: salt or output is missing"));
    };
    let out = derive(password, salt.as_ref(), method(&stored)?, &params, expected.len(), memory)?;
    let computed = Output::new(&out).map_err(|error| anyhow!("argon2 output: {error}"))?;
    // `Output` compares in constant time.
    Ok(computed == *expected)
}

fn derive(
    password: &str,
    salt: &[u8],
    (algorithm, version): (Algorithm, Version),
    params: &Params,
    length: usize,
    memory: &mut Vec<Block>,
) -> anyhow::Result<Vec<u8>> {
    let mut out = vec![0; length];
    memory.resize(params.block_count(), Block::default());
    Argon2::new(algorithm, version, params.clone())
        .hash_password_into_with_memory(password.as_bytes(), salt, &mut out, memory.as_mut_slice())
        .map_err(|error| anyhow!("argon2: {error}"))?;
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_matches_its_own_hash_and_no_other() {
        let password = Password::parse("correct horse", &[]).unwrap();
        let mut memory = Vec::new();
        let stored = hash(password.expose(), &mut memory).unwrap();
        let cost = format!("$argon2id$v=19$m={MEMORY_KIB},t=2,p=1$");
        assert!(stored.starts_with(&cost) && NO_PASSWORD.starts_with(&cost), "{stored}");
        assert!(verify("correct horse", &stored, &mut memory).unwrap());
        assert!(!verify("correct hors", &stored, &mut memory).unwrap());
        assert_ne!(stored, hash(password.expose(), &mut memory).unwrap(), "salts differ");
    }

    /// "correct horse" hashed by other versions and programs: made with Python's argon2-cffi.
    const OLD: [&str; 4] = [
        "$argon2id$v=19$m=512,t=2,p=1$c2l4dGVlbiBvbGQgc2FsdA$RHtFqpishBIowsVHiKol0SQsmlqXk/14idtXcnVquqg",
        "$argon2id$v=19$m=1024,t=1,p=1$c2l4dGVlbiBvbGQgc2FsdA$5Ea4I2jht+LHWj19ugW7wb2D/U3sYTUm8aVcByFIYeg",
        "$argon2i$v=19$m=1024,t=2,p=1$c2l4dGVlbiBvbGQgc2FsdA$485kZMP9g5IIsPLIy9CeJb+na24zVBXXHVEL+UXossw",
        "$argon2id$v=16$m=1024,t=2,p=1$c2l4dGVlbiBvbGQgc2FsdA$++TeGRHnF5bXHmD5VajS2663NNvMPSAdiKYKHP2q7oI",
    ];

    #[test]
    fn hashes_of_other_costs_and_methods_are_verified_and_found_outdated() {
        let mut memory = Vec::new();
        for old in OLD {
            assert!(verify("correct horse", old, &mut memory).unwrap(), "{old}");
            assert!(!verify("correct hors", old, &mut memory).unwrap(), "{old}");
            assert!(is_outdated(old), "{old}");
            let new = renew("correct horse", old, &mut memory).unwrap();
            assert!(verify("correct horse", &new, &mut memory).unwrap() && !is_outdated(&new), "{new}");
            assert_eq!(choice(&new), choice(old));
        }
    }

    #[test]
    fn a_password_is_the_same_in_every_form_and_a_hash_of_another_form_still_opens() {
        struct Open;
        impl Gate for Open {
            fn open(&self) -> Result<()> {
                Ok(())
            }

            fn note_wrong(&self) {}
        }
        let mut memory = Vec::new();
        let mut opens = |typed: &str, stored: &str| {
            let password = typed.to_owned();
            let stored = Some(stored.to_owned());
            Guess { password, stored, gate: Box::new(Open) }.verify(&mut memory).unwrap()
        };
        let composed = "café correct";
        let decomposed = "cafe\u{301} correct";
        let wide = "ｃａｆé correct";
        let chosen = Password::parse(decomposed, &[]).unwrap();
        assert_eq!(chosen.expose(), composed);
        let stored = hash_now(&chosen).unwrap();
        for typed in [composed, decomposed, wide] {
            assert!(opens(typed, &stored), "{typed}");
        }
        assert!(!opens("cafe correct", &stored) && !opens("cafe\u{300} correct", &stored));
        // Stored before passwords were normalized.
        let before = hash(decomposed, &mut Vec::new()).unwrap();
        assert!(opens(decomposed, &before) && !opens(composed, &before));
        assert!(may_be_outdated(decomposed, &before) && !may_be_outdated(composed, &stored));
        let renewed = renew(decomposed, &before, &mut Vec::new()).unwrap();
        assert!(
            opens(composed, &renewed) && opens(decomposed, &renewed) && choice(&renewed) == choice(&before)
        );
    }

    #[test]
    fn a_hash_of_today_or_of_a_higher_cost_is_left_alone() {
        let today = hash("correct horse", &mut Vec::new()).unwrap();
        let stronger = today.replace(&format!("m={MEMORY_KIB},t=2"), "m=65536,t=3");
        assert!(
            stronger != today && !is_outdated(&today) && !is_outdated(&stronger) && !is_outdated(NO_PASSWORD)
        );
        assert!(!is_outdated("") && !is_outdated("x"));
        assert_ne!(choice(&today), choice(&hash("correct horse", &mut Vec::new()).unwrap()));
    }

    #[test]
    fn no_password_is_a_well_formed_hash_that_nothing_matches() {
        assert!(!verify("", NO_PASSWORD, &mut Vec::new()).unwrap());
    }
}
