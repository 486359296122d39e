//! Argon2id on one thread of its own.
//!
//! Hashing takes 19 MiB and tens of milliseconds. One thread with one reused block keeps a login
//! flood from starving readers or memory. Those who wait take turns by where they come from; a wait
//! of seconds is better than a refusal, so that only a wait without hope ends with 503. An unknown
//! account costs the same as a known one.

mod queue;

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, anyhow};
use argon2::password_hash::phc::{Output, ParamsString, PasswordHash, Salt};
use argon2::{Algorithm, Argon2, Block, Params, Version};
use tokio::sync::oneshot;
use tokio::time::timeout;

pub use self::queue::Lane;
use self::queue::Queue;
use crate::base::error::{Error, Result};
use crate::base::password::Password;
use crate::base::random;

/// OWASP's first choice for Argon2id (2024): 19 MiB, two passes, one lane. A debug build, which nobody
/// entrusts with a password of theirs, takes 1 MiB: its tests hash thousands beside a busy browser.
const MEMORY_KIB: u32 = if cfg!(debug_assertions) { 1_024 } else { 19_456 };
const PASSES: u32 = 2;
const LANES: u32 = 1;
const HASH_BYTES: usize = 32;
/// Nobody waits longer for a turn: the handler itself has 30 s.
const PATIENCE: Duration = Duration::from_secs(20);

/// A hash of no password with the same parameters: verified against for unknown accounts, and stored
/// where a password was made unusable.
pub const NOBODY: &str = if cfg!(debug_assertions) {
    "$argon2id$v=19$m=1024,t=2,p=1$bm9ib2R5bm9ib2R5bm8$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
} else {
    "$argon2id$v=19$m=19456,t=2,p=1$bm9ib2R5bm9ib2R5bm8$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
};

/// What decides about a guess when its turn has come. Guesses are verified one after the other, so
/// that each sees the failures of all before it.
pub trait Gate: Send {
    /// Whether the password is looked at.
    fn open(&self) -> Result<()>;
    /// Hears of a wrong password, before the next one is looked at.
    fn note_wrong(&self);
}

enum Job {
    Hash(String, oneshot::Sender<Result<String>>),
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

/// Ends the thread with the last of those who may send it work.
struct Sender(Arc<Queue<Job>>);

impl Drop for Sender {
    fn drop(&mut self) {
        self.0.close();
    }
}

impl Passwords {
    /// Starts the hashing thread, which yields to every other thread of the program.
    pub fn start() -> anyhow::Result<Self> {
        let queue = Arc::new(Queue::new());
        let jobs = Arc::new(Sender(queue.clone()));
        std::thread::Builder::new()
            .name("passwords".into())
            .spawn(move || work(&queue))
            .context("starting the password thread")?;
        Ok(Self { jobs })
    }

    /// The PHC string of a new password, in its lane's turn.
    ///
    /// # Errors
    /// [`Error::Busy`] when too many hashes wait.
    pub async fn hash(&self, password: &Password, lane: Lane) -> Result<String> {
        let (sender, receiver) = oneshot::channel();
        let job = Job::Hash(password.expose().to_owned(), sender);
        self.carry_out(lane, job, receiver).await
    }

    /// Whether the password belongs to the stored hash; `None` stands for an unknown account and
    /// takes as long.
    ///
    /// # Errors
    /// [`Error::Busy`] when too many hashes wait; what the gate answered.
    pub async fn verify(
        &self,
        lane: Lane,
        password: &str,
        stored: Option<&str>,
        gate: Box<dyn Gate>,
    ) -> Result<bool> {
        // A hopelessly long attempt is not worth hashing more than its beginning.
        let password = password.chars().take(Password::MAX_CHARS + 1).collect();
        let guess = Guess { password, stored: stored.map(str::to_owned), gate };
        let (sender, receiver) = oneshot::channel();
        self.carry_out(lane, Job::Verify(guess, sender), receiver).await
    }

    /// How many hashes wait.
    pub fn waiting(&self) -> usize {
        self.jobs.0.count()
    }

    async fn carry_out<T>(&self, lane: Lane, job: Job, answer: oneshot::Receiver<Result<T>>) -> Result<T> {
        const BUSY: Error =
            Error::Busy("Many people are logging in right now. Please try again in a moment.");
        // Whoever is displaced hears it by the end of the channel.
        drop(self.jobs.0.push(lane, job));
        match timeout(PATIENCE, answer).await {
            Ok(Ok(answer)) => answer,
            Ok(Err(_)) | Err(_) => Err(BUSY),
        }
    }
}

fn work(queue: &Queue<Job>) {
    // On Linux niceness belongs to the thread, so only this one yields.
    if let Err(error) = rustix::process::nice(10) {
        tracing::debug!("the password thread keeps its priority: {error}");
    }
    let mut memory = Vec::new();
    while let Some(job) = queue.pop() {
        // Nobody is hashed for who has given up.
        match job {
            Job::Hash(password, answer) if !answer.is_closed() => {
                let _ = answer.send(hash(&password, &mut memory).map_err(Error::from));
            }
            Job::Verify(guess, answer) if !answer.is_closed() => {
                let _ = answer.send(guess.verify(&mut memory));
            }
            Job::Hash(..) | Job::Verify(..) => {}
        }
    }
}

impl Guess {
    fn verify(&self, memory: &mut Vec<Block>) -> Result<bool> {
        self.gate.open()?;
        let stored = self.stored.as_deref();
        let matches = verify(&self.password, stored.unwrap_or(NOBODY), memory)? && stored.is_some();
        if !matches {
            self.gate.note_wrong();
        }
        Ok(matches)
    }
}

/// Hashes at once, for the command line.
pub fn hash_now(password: &Password) -> anyhow::Result<String> {
    hash(password.expose(), &mut Vec::new())
}

fn hash(password: &str, memory: &mut Vec<Block>) -> anyhow::Result<String> {
    let params = Params::new(MEMORY_KIB, PASSES, LANES, Some(HASH_BYTES))
        .map_err(|error| anyhow!("argon2 parameters: {error}"))?;
    let salt = random::bytes::<16>().map_err(|error| anyhow!("{error}"))?;
    let out = derive(password, &salt, &params, HASH_BYTES, memory)?;
    let hash = PasswordHash {
        algorithm: Algorithm::Argon2id.ident(),
        version: Some(Version::V0x13.into()),
        params: ParamsString::try_from(&params).map_err(|error| anyhow!("argon2: {error}"))?,
        salt: Some(Salt::new(&salt).map_err(|error| anyhow!("argon2 salt: {error}"))?),
        hash: Some(Output::new(&out).map_err(|error| anyhow!("argon2 output: {error}"))?),
    };
    Ok(hash.to_string())
}

fn verify(password: &str, stored: &str, memory: &mut Vec<Block>) -> anyhow::Result<bool> {
    let stored = PasswordHash::new(stored).map_err(|error| anyhow!("stored hash: {error}"))?;
    let params = Params::try_from(&stored).map_err(|error| anyhow!("stored hash: {error}"))?;
    let (Some(salt), Some(expected)) = (&stored.salt, &stored.hash) else {
        return Err(anyhow!("stored hash: salt or output is missing"));
    };
    let out = derive(password, salt.as_ref(), &params, expected.len(), memory)?;
    let computed = Output::new(&out).map_err(|error| anyhow!("argon2 output: {error}"))?;
    // Output compares in constant time.
    Ok(computed == *expected)
}

fn derive(
    password: &str,
    salt: &[u8],
    params: &Params,
    length: usize,
    memory: &mut Vec<Block>,
) -> anyhow::Result<Vec<u8>> {
    let mut out = vec![0; length];
    memory.resize(params.block_count(), Block::default());
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params.clone())
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
        assert!(stored.starts_with(&cost) && NOBODY.starts_with(&cost), "{stored}");
        assert!(verify("correct horse", &stored, &mut memory).unwrap());
        assert!(!verify("correct hors", &stored, &mut memory).unwrap());
        assert_ne!(stored, hash(password.expose(), &mut memory).unwrap(), "salts differ");
    }

    #[test]
    fn nobody_has_a_well_formed_hash_that_nothing_matches() {
        assert!(!verify("", NOBODY, &mut Vec::new()).unwrap());
    }
}
