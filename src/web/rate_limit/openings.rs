//! Limit of documents that a staff session opens per hour before it must authenticate again, so that an unattended
//! browser or a stolen session gives access to only a few passports.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use jiff::{SignedDuration, Timestamp};
use tower_sessions::session::Id;

use crate::base::error::{Error, Result};

const WINDOW: SignedDuration = SignedDuration::from_hours(1);

/// Counters per session, in memory.
pub struct Openings {
    max: u32,
    counted: Mutex<HashMap<Option<Id>, OpeningCount>>,
}

struct OpeningCount {
    since: Timestamp,
    openings: u32,
}

impl Openings {
    pub(super) fn new(max: u32) -> Self {
        Self { max, counted: Mutex::default() }
    }

    /// Checks that a document may be opened, without counting it.
    ///
    /// # Errors
    /// [`Error::Unproven`] after too many.
    pub fn check(&self, session: Option<Id>, now: Timestamp) -> Result<()> {
        let counted = self.counted();
        let so_far = counted.get(&session).filter(|counted| counted.holds(now)).map_or(0, |one| one.openings);
        if so_far < self.max { Ok(()) } else { Err(Error::Unproven) }
    }

    /// Counts an opened document.
    ///
    /// # Errors
    /// [`Error::Unproven`] after too many.
    pub fn take(&self, session: Option<Id>, now: Timestamp) -> Result<()> {
        let mut counted = self.counted();
        let entry = counted.entry(session).or_insert(OpeningCount { since: now, openings: 0 });
        if !entry.holds(now) {
            *entry = OpeningCount { since: now, openings: 0 };
        }
        if entry.openings >= self.max {
            return Err(Error::Unproven);
        }
        entry.openings += 1;
        Ok(())
    }

    /// Carries the count over to a session's new id when there was no authentication.
    pub fn go_on(&self, before: Option<Id>, after: Option<Id>) {
        let mut counted = self.counted();
        if let Some(so_far) = counted.remove(&before) {
            counted.insert(after, so_far);
        }
    }

    /// Resets the count after the user authenticated again.
    pub fn restart(&self, session: Option<Id>) {
        self.counted().remove(&session);
    }

    pub(super) fn forget_idle(&self, now: Timestamp) {
        self.counted().retain(|_, counted| counted.holds(now));
    }

    fn counted(&self) -> MutexGuard<'_, HashMap<Option<Id>, OpeningCount>> {
        self.counted.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl OpeningCount {
    fn holds(&self, now: Timestamp) -> bool {
        now.duration_since(self.since).abs() < WINDOW
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_hour_and_each_authentication_reset_the_count() {
        let now: Timestamp = "2026-11-21T15:00:00Z".parse().unwrap();
        let openings = Openings::new(2);
        let session = Some(Id(7));
        let other = Some(Id(8));
        for _ in 0..2 {
            openings.check(session, now).unwrap();
            openings.take(session, now).unwrap();
        }
        assert!(matches!(openings.check(session, now), Err(Error::Unproven)));
        assert!(matches!(openings.take(session, now), Err(Error::Unproven)));
        openings.take(other, now).unwrap();
        openings.restart(session);
        for _ in 0..2 {
            openings.take(session, now).unwrap();
        }
        assert!(matches!(openings.take(session, now), Err(Error::Unproven)));
        let later = now + WINDOW;
        openings.take(session, later).unwrap();
        openings.forget_idle(later + WINDOW);
        assert!(openings.counted().is_empty());
    }
}
