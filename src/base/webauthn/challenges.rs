//! Challenges that were given out and wait for their answer: each is taken once, within five minutes, by whom
//! it was given to and for what. In memory alone: whoever meets a restart asks once more.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use jiff::{SignedDuration, Timestamp};

use crate::base::error::{Error, Result};
use crate::base::random;

/// How long an answer may take: a phone has to be found, and a code read.
pub const TTL: SignedDuration = SignedDuration::from_mins(5);
/// Past that nobody gets another for a while: it is many times what a school needs, and 1 MB.
const MAX: usize = 10_000;
/// Of one account, for one thing; the oldest goes. Whoever knows one password cannot use up what is for all.
const MOST_OF_ONE: usize = 32;

/// What a challenge is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ceremony {
    /// A new credential.
    Registration,
    /// A proof by one.
    Authentication,
}

/// A challenge: 32 random bytes.
pub type Challenge = [u8; 32];

/// Challenges by whom they were given to, and for what.
pub struct Challenges<Of>(Mutex<HashMap<Challenge, (Of, Timestamp)>>);

impl<Of> Default for Challenges<Of> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<Of: PartialEq> Challenges<Of> {
    /// Gives one out.
    ///
    /// # Errors
    /// [`Error::Busy`] when far too many wait.
    pub fn give(&self, of: Of, now: Timestamp) -> Result<Challenge> {
        let challenge = random::bytes::<32>()?;
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.retain(|_, (_, given_at)| now.duration_since(*given_at) < TTL);
        let of_one = waiting.iter().filter(|(_, (given_to, _))| *given_to == of);
        if of_one.clone().count() >= MOST_OF_ONE
            && let Some(oldest) = of_one.min_by_key(|(_, (_, given_at))| *given_at).map(|(oldest, _)| *oldest)
        {
            waiting.remove(&oldest);
        }
        if waiting.len() >= MAX {
            return Err(Error::Busy(
                "Too many log in with passkeys right now. Please try again in a moment.",
            ));
        }
        waiting.insert(challenge, (of, now));
        Ok(challenge)
    }

    /// Takes one back, for good. Returns whether it was given to them, for this, and lately.
    pub fn take(&self, challenge: &[u8], of: &Of, now: Timestamp) -> Option<Challenge> {
        let challenge = Challenge::try_from(challenge).ok()?;
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (given_to, given_at) = waiting.remove(&challenge)?;
        (given_to == *of && now.duration_since(given_at) < TTL).then_some(challenge)
    }
}
