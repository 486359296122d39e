//! What was refused, one line for each event, under names that do not change.
//!
//! Names nobody: the client's address stands in a line only where `[log] security_addresses` asks for
//! it, for fail2ban. Whoever makes events on purpose cannot fill the disk: beyond a few a minute from
//! one network, and a hundred of one kind from all, they are counted and logged once a minute.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::closed_set::{ClosedSet, closed_set};

/// Lines of one kind from one network in a minute; fail2ban needs to see a handful.
const PER_NETWORK: u32 = 10;
/// Lines of one kind in a minute: 30 kB.
const PER_EVENT: u32 = 100;
const WINDOW: Duration = Duration::from_mins(1);

closed_set! {
    /// What happened. An answer carries it as an extension; the log takes it from there, under the name
    /// that filters look for.
    pub enum SecurityEvent {
        /// A name or a password was wrong.
        LoginFailed = "login.failed",
        /// Somebody signed in.
        LoginSucceeded = "login.succeeded",
        /// Somebody's second factor was set up.
        FactorSetUp = "factor.set_up",
        /// Somebody turned theirs off.
        FactorTurnedOff = "factor.turned_off",
        /// Somebody got a new set of recovery codes.
        FactorCodes = "factor.new_codes",
        /// A recovery code was used.
        FactorRecovered = "factor.recovery_code",
        /// Somebody's second factor was reset by somebody else.
        FactorReset = "factor.reset",
        /// There were too many attempts.
        LimitRefused = "limit.refused",
        /// Another website made a browser send the request.
        CsrfRefused = "csrf.refused",
        /// A role asked for what it may not have.
        AccessRefused = "access.refused",
        /// An e-mail was not sent, because a budget was used up.
        MailBudget = "mail.budget",
        /// The audit trail was found whole.
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
            Self::FactorCodes => "new recovery codes were drawn",
            Self::FactorRecovered => "a recovery code was used",
            Self::FactorReset => "a second factor was reset",
            Self::LimitRefused => "too many attempts were refused",
            Self::CsrfRefused => "a request from another website was refused",
            Self::AccessRefused => "a role asked for what it may not have",
            Self::MailBudget => "an e-mail was not sent",
            Self::AuditChecked => "every row of the audit trail follows from those before it",
        }
    }
}

/// Notes an event, and the address that it came from where the configuration asks for it.
pub fn note(event: SecurityEvent, network: Option<IpAddr>, address: Option<IpAddr>) {
    if is_logged(event, network) {
        let client = address.map(tracing::field::display);
        tracing::info!(event = event.as_str(), client, "{}", event.sentence());
    }
}

/// Notes an e-mail that was not sent, by its kind and the budget that was used up.
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

/// Notes where the audit trail ended when it was found whole: a later end that does not go on from here shows
/// that rows were cut off or written anew.
pub fn note_trail(rows: i64, id: i64, hash: &str) {
    let event = SecurityEvent::AuditChecked;
    tracing::info!(event = event.as_str(), rows, id, hash, "{}", event.sentence());
}

fn is_logged(event: SecurityEvent, network: Option<IpAddr>) -> bool {
    let mut seen = SEEN.lock().unwrap_or_else(PoisonError::into_inner);
    seen.turn(Instant::now());
    seen.count(event, network)
}

/// Tells how many events of the last minute were left out; called now and then.
pub fn log_left_out() {
    SEEN.lock().unwrap_or_else(PoisonError::into_inner).turn(Instant::now());
}

static SEEN: Mutex<MinuteLog> =
    Mutex::new(MinuteLog { since: None, logged: BTreeMap::new(), sums: BTreeMap::new() });

/// The events of one minute.
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

    /// Begins a new minute, once the last one is over.
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
    fn one_network_has_a_few_lines_a_minute_and_all_have_a_hundred() {
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
