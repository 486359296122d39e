//! Arithmetic of waiting times after failures, without a clock, a lock or a database.

/// Milliseconds since 1970.
pub(super) type Millis = i64;

const MINUTE: Millis = 60_000;
pub(super) const HOUR: Millis = 60 * MINUTE;
/// Initial delay; each further failure doubles it.
const FIRST_DELAY: Millis = MINUTE;
/// Long enough to make guessing hopeless (24 guesses a day), short enough to wait for.
const MAX_DELAY: Millis = HOUR;
/// Time without a failure after which a growing delay starts over.
const QUIET: Millis = 12 * HOUR;

/// How failures lead to waiting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rule {
    /// `burst` attempts at once, replenished evenly over `per`.
    Budget { burst: u32, per: Millis },
    /// `free` attempts at once; then a delay that doubles with every failure.
    Growing { free: u32 },
}

/// Failure state of one key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FailureState {
    /// Failures since the last reset.
    pub(super) failures: u32,
    /// When a budget is full again, or a growing delay ends.
    pub(super) until: Millis,
    /// When the state can be dropped.
    pub(super) forget_at: Millis,
}

impl Rule {
    pub(super) fn per_minute(burst: u32) -> Self {
        Self::Budget { burst, per: MINUTE }
    }

    pub(super) fn per_hour(burst: u32) -> Self {
        Self::Budget { burst, per: HOUR }
    }

    /// Clamps the state after a clock change: nothing lies further ahead than the rule can require.
    pub(super) fn after_setback(self, state: FailureState, now: Millis) -> FailureState {
        let until = state.until.min(now + self.max_debt());
        let forget_at = state.forget_at.min(until + state.forget_at - state.until);
        FailureState { until, forget_at, ..state }
    }

    /// Waiting time of the next attempt, if any.
    pub(super) fn wait(self, state: Option<FailureState>, now: Millis) -> Option<Millis> {
        let debt = self.debt(state, now);
        let wait = match self {
            Self::Budget { burst, .. } => debt + self.spacing() - self.spacing() * i64::from(burst),
            Self::Growing { .. } => debt,
        };
        (wait > 0).then_some(wait)
    }

    /// The state after one more failure.
    pub(super) fn after_failure(self, state: Option<FailureState>, now: Millis) -> FailureState {
        let before = state.filter(|state| state.forget_at > now);
        let failures = before.map_or(0, |state| state.failures).saturating_add(1);
        match self {
            Self::Budget { .. } => {
                let until = now + self.debt(before, now) + self.spacing();
                FailureState { failures, until, forget_at: until }
            }
            Self::Growing { free } => {
                let delay = match failures.checked_sub(free) {
                    None => 0,
                    Some(more) => (FIRST_DELAY << more.min(16)).min(MAX_DELAY),
                };
                FailureState { failures, until: now + delay, forget_at: now + delay + QUIET }
            }
        }
    }

    /// Remaining waiting time, at most what the rule can require: setting the clock back must not lock users out.
    fn debt(self, state: Option<FailureState>, now: Millis) -> Millis {
        state.map_or(0, |state| (state.until - now).clamp(0, self.max_debt()))
    }

    fn max_debt(self) -> Millis {
        match self {
            Self::Budget { burst, .. } => self.spacing() * i64::from(burst),
            Self::Growing { .. } => MAX_DELAY,
        }
    }

    fn spacing(self) -> Millis {
        match self {
            Self::Budget { burst, per } => per / i64::from(burst.max(1)),
            Self::Growing { .. } => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many of the attempts, one every `every`, are allowed if all of them fail.
    fn let_through(rule: Rule, attempts: u32, every: Millis) -> u32 {
        let mut state = None;
        let mut passed = 0;
        for attempt in 0..attempts {
            let now = Millis::from(attempt) * every;
            if rule.wait(state, now).is_none() {
                state = Some(rule.after_failure(state, now));
                passed += 1;
            }
        }
        passed
    }

    #[test]
    fn a_budget_is_used_up_at_once_and_comes_back_evenly() {
        assert_eq!(let_through(Rule::per_hour(20), 600, 0), 20);
        assert_eq!(let_through(Rule::per_hour(20), 3600, 1000), 20 + 19);
        let mut state = None;
        for _ in 0..20 {
            state = Some(Rule::per_hour(20).after_failure(state, 0));
        }
        assert_eq!(Rule::per_hour(20).wait(state, 0), Some(HOUR / 20));
        assert_eq!(Rule::per_hour(20).wait(state, HOUR / 20), None);
    }

    #[test]
    fn a_delay_doubles_up_to_an_hour_and_is_forgotten_after_a_quiet_night() {
        let rule = Rule::Growing { free: 5 };
        let mut state = None;
        let mut now = 0;
        let mut waits = Vec::new();
        for _ in 0..13 {
            state = Some(rule.after_failure(state, now));
            let wait = rule.wait(state, now).unwrap_or(0);
            waits.push(wait / MINUTE);
            now += wait;
        }
        assert_eq!(waits, [0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 60, 60, 60]);
        now += QUIET;
        assert_eq!(rule.after_failure(state, now).failures, 1);
    }

    #[test]
    fn a_day_of_guessing_at_one_account_from_one_place_is_33_guesses() {
        assert_eq!(let_through(Rule::Growing { free: 5 }, 24 * 60, MINUTE), 33);
    }

    #[test]
    fn setting_the_clock_back_a_year_delays_no_longer_than_the_rule() {
        let then = 365 * 24 * HOUR;
        for rule in [Rule::per_hour(1), Rule::Growing { free: 1 }] {
            let state = Some(rule.after_failure(None, then));
            assert_eq!(rule.wait(state, 0), Some(HOUR), "{rule:?}");
        }
    }

    #[test]
    fn a_budget_of_millions_is_unlimited() {
        assert_eq!(let_through(Rule::per_minute(100_000_000), 100_000, 0), 100_000);
    }
}
