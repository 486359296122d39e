//! The failures that are remembered, in memory and in the table `attempts`.
//!
//! Memory decides, so that a full or damaged disk lets nobody guess without limit; the table is read once,
//! at the start, so that a restart forgets nothing. Rows are written with the group commit before
//! the failure is answered.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rusqlite::{Connection, named_params};

use super::rule::{FailureState, Millis, Rule};
use crate::base::error::Result;

/// A keyed hash of what is counted.
pub(super) type Key = [u8; 16];

/// One budget that an attempt draws on.
#[derive(Debug, Clone, Copy)]
pub(super) struct Claim {
    pub(super) key: Key,
    pub(super) rule: Rule,
}

/// What is kept under each key.
pub(super) struct Ledger(Mutex<HashMap<Key, FailureState>>);

impl Ledger {
    pub(super) fn empty() -> Self {
        Self(Mutex::default())
    }

    /// Reads what earlier runs wrote.
    pub(super) fn load(connection: &Connection) -> rusqlite::Result<Self> {
        let states = connection
            .prepare("select key, failures, until, forget_at from attempts")?
            .query_map([], |row| {
                let (failures, until, forget_at) =
                    (row.get("failures")?, row.get("until")?, row.get("forget_at")?);
                Ok((row.get("key")?, FailureState { failures, until, forget_at }))
            })?
            .collect::<rusqlite::Result<_>>()?;
        Ok(Self(Mutex::new(states)))
    }

    /// Seconds to wait until every budget allows the attempt, if any does not.
    pub(super) fn wait(&self, claims: &[Claim], now: Millis) -> Option<u64> {
        wait(&self.states(), claims, now)
    }

    /// Counts a failure.
    pub(super) fn note(&self, claims: &[Claim], now: Millis) {
        note(&mut self.states(), claims, now);
    }

    /// Counts an attempt if every budget allows it; else the seconds to wait.
    pub(super) fn take(&self, claims: &[Claim], now: Millis) -> Option<u64> {
        let mut states = self.states();
        let wait = wait(&states, claims, now);
        if wait.is_none() {
            note(&mut states, claims, now);
        }
        wait
    }

    /// Whether there was anything to forget.
    pub(super) fn forget(&self, key: &Key) -> bool {
        self.states().remove(key).is_some()
    }

    /// The rows to write for these budgets, as they are now.
    pub(super) fn rows(&self, claims: &[Claim]) -> Vec<(Key, FailureState)> {
        let states = self.states();
        claims.iter().filter_map(|claim| Some((claim.key, *states.get(&claim.key)?))).collect()
    }

    pub(super) fn sweep(&self, now: Millis) {
        let mut states = self.states();
        states.retain(|_, state| state.forget_at > now);
        states.shrink_to_fit();
    }

    fn states(&self) -> MutexGuard<'_, HashMap<Key, FailureState>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn wait(states: &HashMap<Key, FailureState>, claims: &[Claim], now: Millis) -> Option<u64> {
    let waits = claims.iter().filter_map(|claim| claim.rule.wait(states.get(&claim.key).copied(), now));
    waits.max().map(|wait| wait.unsigned_abs().div_ceil(1000))
}

fn note(states: &mut HashMap<Key, FailureState>, claims: &[Claim], now: Millis) {
    for claim in claims {
        let state = claim.rule.after_failure(states.get(&claim.key).copied(), now);
        states.insert(claim.key, state);
    }
}

/// Writes rows. One that was overtaken by a later count of the same key changes nothing.
pub(super) fn write(connection: &Connection, rows: &[(Key, FailureState)], now: Millis) -> Result<()> {
    let mut statement = connection.prepare_cached(
        "insert into attempts (key, failures, until, forget_at) values (:key, :failures, :until, :forget_at)
         on conflict (key) do update
             set failures = excluded.failures, until = excluded.until, forget_at = excluded.forget_at
             where attempts.forget_at <= :now or attempts.failures < excluded.failures",
    )?;
    for (key, state) in rows {
        statement.execute(named_params! {
            ":key": key, ":failures": state.failures, ":until": state.until,
            ":forget_at": state.forget_at, ":now": now,
        })?;
    }
    Ok(())
}

pub(super) fn delete(connection: &Connection, keys: &[Key]) -> Result<()> {
    let mut statement = connection.prepare_cached("delete from attempts where key = :key")?;
    for key in keys {
        statement.execute(named_params! { ":key": key })?;
    }
    Ok(())
}

pub(super) fn sweep(connection: &Connection, now: Millis) -> Result<()> {
    connection
        .prepare_cached("delete from attempts where forget_at <= :now")?
        .execute(named_params! { ":now": now })?;
    Ok(())
}
