//! Security log: one line per event, with stable event names.
//!
//! Contains no personal data: client addresses are logged only when `[log] security_addresses` is set, for fail2ban. A
//! flood of events cannot fill the disk: beyond a few per minute from one network, and a hundred of one kind from all,
//! events are counted and the count is logged once a minute.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::closed_set::{ClosedSet, closed_set};

/// Lines of one kind per network and minute; fail2ban needs a handful.
const PER_NETWORK: u32 = 10;
/// Lines of one kind per minute: 30 kB.
const PER_EVENT: u32 = 100;
const WINDOW: Duration = Duration::from_mins(1);

closed_set! {
    /// A security event. Responses carry it as an extension, from which it is logged under its stable name.
    pub enum SecurityEvent {
        /// Wrong name or password.
        LoginFailed = "login.failed",
        /// A user signed in.
        LoginSucceeded = "login.succeeded",
        /// A second factor was set up.
        FactorSetUp = "factor.set_up",
        /// A second factor was turned off by its owner.
        FactorTurnedOff = "factor.turned_off",
        /// New recovery codes were generated.
        FactorCodes = "factor.new_codes",
        /// A recovery code was used.
        FactorRecovered = "factor.recovery_code",
        /// A second factor was reset by another user.
        FactorReset = "factor.reset",
        /// Too many attempts were refused.
        LimitRefused = "limit.refused",
        /// Another website made a browser send the request.
        CsrfRefused = "csrf.refused",
        /// A role requested something it has no access to.
        AccessRefused = "access.refused",
        /// An email was not sent because a budget was used up.
        MailBudget = "mail.budget",
        /// The audit trail was verified.
        AuditChecked = "audit.checked",
    }
}

impl SecurityEvent {
    fn sentence(self) -> &'static str {
        match self {
            Self::LoginFailed => "a login failed",
            Self::LoginSucceeded => "a login succeeded",
            Self::FactorSetUp => "a second factor was set up",
            Self::FactorTurnedOff => "a second factor was turned off",
            Self::FactorCodes => "new recovery codes were generated",
            Self::FactorRecovered => "a recovery code was used",
            Self::FactorReset => "a second factor was reset",
            Self::LimitRefused => "too many attempts were refused",
            Self::CsrfRefused => "a request from another website was refused",
            Self::AccessRefused => "a role requested something it has no access to",
            Self::MailBudget => "an email was not sent",
            Self::AuditChecked => "every row of the audit trail follows from those before it",
        }
    }
}

/// Logs an event, with the client address if configured.
pub fn note(event: SecurityEvent, network: Option<IpAddr>, address: Option<IpAddr>) {
    if is_logged(event, network) {
        let client = address.map(tracing::field::display);
        tracing::info!(event = event.as_str(), client, "{}", event.sentence());
    }
}

/// Logs an email that was not sent, by its kind and the exhausted budget.
pub fn note_unsent(kind: &str, limit: &str) {
    if is_logged(SecurityEvent::MailBudget, None) {
        tracing::warn!(
            event = SecurityEvent::MailBudget.as_str(),
            kind,
            limit,
            "{}",
            SecurityEvent::MailBudget.sentence()
        );
    }
}

/// Logs the end of the verified audit trail: a later end that does not continue from it shows that rows were removed or
/// rewritten.
pub fn note_trail(rows: i64, id: i64, hash: &str) {
    let event = SecurityEvent::AuditChecked;
    tracing::info!(event = event.as_str(), rows, id, hash, "{}", event.sentence());
}

fn is_logged(event: SecurityEvent, network: Option<IpAddr>) -> bool {
    let mut seen = SEEN.lock().unwrap_or_else(PoisonError::into_inner);
    seen.turn(Instant::now());
    seen.count(event, network)
}

/// Logs how many events of the last minute were suppressed; called periodically.
pub fn log_left_out() {
    SEEN.lock().unwrap_or_else(PoisonError::into_inner).turn(Instant::now());
}

static SEEN: Mutex<MinuteLog> =
    Mutex::new(MinuteLog { since: None, logged: BTreeMap::new(), sums: BTreeMap::new() });

/// Event counts of one minute.
struct MinuteLog {
    since: Option<Instant>,
    /// Never more than [`PER_EVENT`] of each kind.
    logged: BTreeMap<(SecurityEvent, Option<IpAddr>), u32>,
    sums: BTreeMap<SecurityEvent, EventCount>,
}

#[derive(Default)]
struct EventCount {
    logged: u32,
    left_out: u64,
}

impl MinuteLog {
    /// Whether the event is logged.
    fn count(&mut self, event: SecurityEvent, network: Option<IpAddr>) -> bool {
        let sum = self.sums.entry(event).or_default();
        if sum.logged < PER_EVENT {
            let logged = self.logged.entry((event, network)).or_default();
            if *logged < PER_NETWORK {
                *logged += 1;
                sum.logged += 1;
                return true;
            }
        }
        sum.left_out += 1;
        false
    }

    /// Starts a new minute when the last one is over.
    fn turn(&mut self, now: Instant) {
        if self.since.is_some_and(|since| now.duration_since(since) < WINDOW) {
            return;
        }
        self.since = Some(now);
        self.logged.clear();
        for (event, sum) in std::mem::take(&mut self.sums) {
            if sum.left_out > 0 {
                tracing::info!(left_out = sum.left_out, of = event.as_str(), "further events were left out");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_per_minute_are_limited_per_network_and_in_all() {
        let mut seen = MinuteLog { since: None, logged: BTreeMap::new(), sums: BTreeMap::new() };
        let network = |number: u8| Some(IpAddr::from([198, 51, 100, number]));
        let begin = Instant::now();
        seen.turn(begin);
        let logged = (0..1000).filter(|_| seen.count(SecurityEvent::LoginFailed, network(1))).count();
        assert_eq!(logged, 10);
        let logged =
            (0..=255).filter(|number| seen.count(SecurityEvent::LoginFailed, network(*number))).count();
        assert_eq!(logged, 90);
        assert!(seen.count(SecurityEvent::CsrfRefused, network(1)), "each kind has its own");
        assert_eq!(seen.sums[&SecurityEvent::LoginFailed].left_out, 990 + 166);
        assert!(seen.logged.len() <= 200, "what is kept is bounded");
        seen.turn(begin + WINDOW);
        assert!(seen.count(SecurityEvent::LoginFailed, network(1)));
        assert_eq!(seen.sums[&SecurityEvent::LoginFailed].left_out, 0);
    }
}
