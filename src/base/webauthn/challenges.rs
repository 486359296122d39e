//! Open challenges: each is accepted once, within five minutes, from the account and for the purpose it was issued for.
//! Kept in memory only: after a restart, the browser requests another one.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use jiff::{SignedDuration, Timestamp};

use crate::base::error::{Error, Result};
use crate::base::random;

/// Time to answer: the user may have to find a phone and read a code.
pub const TTL: SignedDuration = SignedDuration::from_mins(5);
/// Limit of open challenges, about 1 MB: many times what a school needs.
const MAX: usize = 10_000;
/// Limit per key; the oldest is dropped. A caller who knows one password cannot use up [`MAX`].
const MAX_PER_KEY: usize = 32;

/// Purpose of a challenge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ceremony {
    /// A new credential.
    Registration,
    /// Authentication with an existing credential.
    Authentication,
}

/// A challenge: 32 random bytes.
pub type Challenge = [u8; 32];

/// Open challenges, each with its key: the account and purpose it was issued for.
pub struct Challenges<Key>(Mutex<HashMap<Challenge, (Key, Timestamp)>>);

impl<Key> Default for Challenges<Key> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<Key: PartialEq> Challenges<Key> {
    /// Issues a challenge.
    ///
    /// # Errors
    /// [`Error::Busy`] when far too many wait.
    pub fn give(&self, key: Key, now: Timestamp) -> Result<Challenge> {
        let challenge = random::bytes::<32>()?;
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.retain(|_, (_, issued_at)| now.duration_since(*issued_at) < TTL);
        let of_key = waiting.iter().filter(|(_, (other, _))| *other == key);
        if of_key.clone().count() >= MAX_PER_KEY
            && let Some(oldest) =
                of_key.min_by_key(|(_, (_, issued_at))| *issued_at).map(|(oldest, _)| *oldest)
        {
            waiting.remove(&oldest);
        }
        if waiting.len() >= MAX {
            return Err(Error::Busy(
                "Too many log in with passkeys right now. Please try again in a moment.",
            ));
        }
        waiting.insert(challenge, (key, now));
        Ok(challenge)
    }

    /// Consumes a challenge. Returns it if it was issued for this key and has not expired.
    pub fn take(&self, challenge: &[u8], key: &Key, now: Timestamp) -> Option<Challenge> {
        let challenge = Challenge::try_from(challenge).ok()?;
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (issued_for, issued_at) = waiting.remove(&challenge)?;
        (issued_for == *key && now.duration_since(issued_at) < TTL).then_some(challenge)
    }
}
