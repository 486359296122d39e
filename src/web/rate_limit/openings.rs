//! How many documents a session of the staff opens in an hour before it is asked again who is there: a browser
//! that was left open, or a stolen session, carries few passports off.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use jiff::{SignedDuration, Timestamp};
use tower_sessions::session::Id;

use crate::base::error::{Error, Result};

const WINDOW: SignedDuration = SignedDuration::from_hours(1);

/// A session, and when it was proved there last who it is: each proof begins anew.
pub type Opener = (Option<Id>, Option<Timestamp>);

/// What is counted, in memory.
pub struct Openings {
    max: u32,
    counted: Mutex<HashMap<Opener, Counted>>,
}

struct Counted {
    since: Timestamp,
    openings: u32,
}

impl Openings {
    pub(super) fn new(max: u32) -> Self {
        Self { max, counted: Mutex::default() }
    }

    /// Whether a document may be opened, without counting one.
    ///
    /// # Errors
    /// [`Error::Unproven`] after too many.
    pub fn check(&self, opener: Opener, now: Timestamp) -> Result<()> {
        let counted = self.counted();
        let so_far = counted.get(&opener).filter(|counted| counted.holds(now)).map_or(0, |one| one.openings);
        if so_far < self.max { Ok(()) } else { Err(Error::Unproven) }
    }

    /// Counts a document that is opened.
    ///
    /// # Errors
    /// [`Error::Unproven`] after too many.
    pub fn take(&self, opener: Opener, now: Timestamp) -> Result<()> {
        let mut counted = self.counted();
        let entry = counted.entry(opener).or_insert(Counted { since: now, openings: 0 });
        if !entry.holds(now) {
            *entry = Counted { since: now, openings: 0 };
        }
        if entry.openings >= self.max {
            return Err(Error::Unproven);
        }
        entry.openings += 1;
        Ok(())
    }

    pub(super) fn forget_idle(&self, now: Timestamp) {
        self.counted().retain(|_, counted| counted.holds(now));
    }

    fn counted(&self) -> MutexGuard<'_, HashMap<Opener, Counted>> {
        self.counted.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Counted {
    fn holds(&self, now: Timestamp) -> bool {
        now.duration_since(self.since).abs() < WINDOW
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_hour_and_each_proof_begin_anew() {
        let now: Timestamp = "2026-11-21T15:00:00Z".parse().unwrap();
        let openings = Openings::new(2);
        let session = Some(Id(7));
        let (opener, proven_again) =
            ((session, Some(now)), (session, Some(now + SignedDuration::from_secs(1))));
        for _ in 0..2 {
            openings.check(opener, now).unwrap();
            openings.take(opener, now).unwrap();
        }
        assert!(matches!(openings.check(opener, now), Err(Error::Unproven)));
        assert!(matches!(openings.take(opener, now), Err(Error::Unproven)));
        openings.take(proven_again, now).unwrap();
        openings.take((Some(Id(8)), Some(now)), now).unwrap();
        let later = now + WINDOW;
        openings.take(opener, later).unwrap();
        openings.forget_idle(later + WINDOW);
        assert!(openings.counted().is_empty());
    }
}
