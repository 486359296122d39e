//! Remembered attempts in memory; those at passwords and links also in the table `attempts`.
//!
//! Memory is authoritative, so that a full or damaged disk never allows unlimited guessing; the table is read once at
//! startup, so that a restart forgets nothing. Rows are written before the failure is answered.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rusqlite::Connection;

use super::rule::{FailureState, Millis, Rule};
use crate::base::error::Result;
use crate::storage::statements::{Statements, params};

/// Keyed hash of the counted subject.
pub(super) type Key = [u8; 16];

/// A charge of an attempt against one budget.
#[derive(Debug, Clone, Copy)]
pub(super) struct Claim<K = Key> {
    pub(super) key: K,
    pub(super) rule: Rule,
}

/// Maximum number of keys, about 10 MB.
const MAX: usize = 100_000;

/// Failure state per key.
pub(super) struct Ledger<K = Key>(Mutex<HashMap<K, FailureState>>);

impl Ledger {
    /// Loads the state stored by earlier runs.
    pub(super) fn load(connection: &Connection) -> rusqlite::Result<Self> {
        let states = connection
            .prepare("select key, failures, until, forget_at from attempts")?
            .query_map([], |row| {
                let failures = row.get("failures")?;
                let until = row.get("until")?;
                let forget_at = row.get("forget_at")?;
                Ok((row.get("key")?, FailureState { failures, until, forget_at }))
            })?
            .collect::<rusqlite::Result<_>>()?;
        Ok(Self(Mutex::new(states)))
    }

    /// The current rows to store for these budgets.
    pub(super) fn rows(&self, claims: &[Claim]) -> Vec<(Key, FailureState)> {
        let states = self.states();
        claims.iter().filter_map(|claim| Some((claim.key, *states.get(&claim.key)?))).collect()
    }
}

impl<K: Copy + Eq + Hash> Ledger<K> {
    pub(super) fn empty() -> Self {
        Self(Mutex::default())
    }

    /// Seconds to wait until every budget allows the attempt, if any does not.
    pub(super) fn wait(&self, claims: &[Claim<K>], now: Millis) -> Option<u64> {
        wait(&mut self.states(), claims, now)
    }

    /// Counts a failure.
    pub(super) fn note(&self, claims: &[Claim<K>], now: Millis) {
        note(&mut self.states(), claims, now);
    }

    /// Counts an attempt if every budget allows it; else the seconds to wait.
    pub(super) fn take(&self, claims: &[Claim<K>], now: Millis) -> Option<u64> {
        let mut states = self.states();
        let wait = wait(&mut states, claims, now);
        if wait.is_none() {
            note(&mut states, claims, now);
        }
        wait
    }

    /// Forgets a key; returns whether it was known.
    pub(super) fn forget(&self, key: &K) -> bool {
        self.states().remove(key).is_some()
    }

    pub(super) fn sweep(&self, now: Millis) {
        let mut states = self.states();
        states.retain(|_, state| state.forget_at > now);
        states.shrink_to_fit();
    }

    fn states(&self) -> MutexGuard<'_, HashMap<K, FailureState>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn wait<K: Copy + Eq + Hash>(
    states: &mut HashMap<K, FailureState>,
    claims: &[Claim<K>],
    now: Millis,
) -> Option<u64> {
    let waits = claims.iter().filter_map(|Claim { key, rule }| {
        let state = states.get_mut(key)?;
        *state = rule.after_setback(*state, now);
        rule.wait(Some(*state), now)
    });
    waits.max().map(|wait| wait.unsigned_abs().div_ceil(1000))
}

fn note<K: Copy + Eq + Hash>(states: &mut HashMap<K, FailureState>, claims: &[Claim<K>], now: Millis) {
    if states.len() >= MAX {
        make_room(states, now);
    }
    for claim in claims {
        let state = claim.rule.after_failure(states.get(&claim.key).copied(), now);
        states.insert(claim.key, state);
    }
}

/// Drops expired entries and, if that is not enough, those that expire first.
fn make_room<K: Copy + Eq + Hash>(states: &mut HashMap<K, FailureState>, now: Millis) {
    states.retain(|_, state| state.forget_at > now);
    let mut ends: Vec<_> = states.iter().map(|(key, state)| (state.forget_at, *key)).collect();
    let surplus = ends.len().saturating_sub(MAX / 2);
    if surplus > 0 {
        ends.select_nth_unstable_by_key(surplus - 1, |(end, _)| *end);
        for (_, key) in &ends[..surplus] {
            states.remove(key);
        }
    }
}

/// Writes rows. A row older than the stored count of its key changes nothing.
pub(super) fn write(connection: &Connection, rows: &[(Key, FailureState)], now: Millis) -> Result<()> {
    let sql =
        "insert into attempts (key, failures, until, forget_at) values (:key, :failures, :until, :forget_at)
        on conflict (key) do update
            set failures = excluded.failures, until = excluded.until, forget_at = excluded.forget_at
            where attempts.forget_at <= :now or attempts.failures < excluded.failures";
    for (key, FailureState { failures, until, forget_at }) in rows {
        connection.run(sql, params![key, failures, until, forget_at, now])?;
    }
    Ok(())
}

pub(super) fn delete(connection: &Connection, keys: &[Key]) -> Result<()> {
    for key in keys {
        connection.run("delete from attempts where key = :key", params![key])?;
    }
    Ok(())
}

pub(super) fn sweep(connection: &Connection, now: Millis) -> Result<()> {
    connection.run("delete from attempts where forget_at <= :now", params![now])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_is_set_back_a_year_holds_an_attempt_up_for_an_hour() {
        const HOUR: Millis = 60 * 60 * 1000;
        for rule in [Rule::per_hour(1), Rule::Growing { free: 1 }] {
            let ledger = Ledger::empty();
            let claim = [Claim { key: 1, rule }];
            for _ in 0..9 {
                ledger.note(&claim, 365 * 24 * HOUR);
            }
            assert_eq!(ledger.wait(&claim, 0), Some(3600), "{rule:?}");
            assert_eq!(ledger.wait(&claim, HOUR - 1000), Some(1), "{rule:?}");
            assert_eq!(ledger.take(&claim, HOUR), None, "{rule:?}");
        }
    }

    #[test]
    fn memory_is_bounded_and_what_holds_longest_is_kept() {
        let ledger = Ledger::empty();
        let day = Rule::Budget { burst: 1, per: 24 * 60 * 60 * 1000 };
        let claim = |key| [Claim { key, rule: Rule::per_hour(1) }];
        ledger.note(&[Claim { key: u32::MAX, rule: day }], 0);
        for key in 0..250_000 {
            assert_eq!(ledger.take(&claim(key), Millis::from(key)), None);
        }
        assert!(ledger.states().len() <= MAX);
        assert_eq!(
            ledger.take(&claim(u32::MAX), 0),
            Some(3600),
            "it is remembered for as long as this rule can require"
        );
        assert_eq!(ledger.take(&claim(249_999), 249_999), Some(3600));
        assert_eq!(ledger.take(&claim(0), 249_999), None, "forgotten");
        ledger.sweep(24 * 60 * 60 * 1000);
        assert!(ledger.states().is_empty());
    }
}
