//! A plain rate per client address, in memory: for what costs us little and fools nobody if a
//! restart forgets it. It runs by the machine's steady clock, so that setting the time changes nothing.

use std::net::IpAddr;
use std::num::NonZeroU32;
use std::time::Duration;

use governor::clock::{Clock as _, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota};

use super::client::ClientAddr;
use crate::base::error::{Error, Result};

/// One counted kind of attempt.
pub struct Rate {
    limiter: DefaultKeyedRateLimiter<IpAddr>,
    clock: DefaultClock,
}

impl Rate {
    pub(super) fn new(attempts: u32, per: Duration) -> Self {
        let burst = NonZeroU32::new(attempts).unwrap_or(NonZeroU32::MIN);
        let quota =
            Quota::with_period(per / burst.get()).unwrap_or(Quota::per_minute(burst)).allow_burst(burst);
        Self { limiter: DefaultKeyedRateLimiter::keyed(quota), clock: DefaultClock::default() }
    }

    /// Counts an attempt.
    ///
    /// # Errors
    /// [`Error::TooMany`] with the seconds to wait.
    pub fn count(&self, client: ClientAddr) -> Result<()> {
        let Some(network) = client.network() else { return Ok(()) };
        self.limiter.check_key(&network).map_err(|denied| {
            let wait = denied.wait_time_from(self.clock.now());
            Error::TooMany(wait.as_secs() + 1)
        })
    }

    pub(super) fn forget_idle(&self) {
        self.limiter.retain_recent();
        self.limiter.shrink_to_fit();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(address: &str) -> ClientAddr {
        ClientAddr::new(address.parse().unwrap())
    }

    #[test]
    fn the_attempt_after_the_last_allowed_one_is_refused_and_other_addresses_are_not() {
        let rate = Rate::new(3, Duration::from_hours(1));
        for _ in 0..3 {
            rate.count(client("192.0.2.1")).unwrap();
        }
        let refused = rate.count(client("192.0.2.1"));
        assert!(matches!(refused, Err(Error::TooMany(seconds)) if seconds > 60));
        rate.count(client("192.0.2.2")).unwrap();
    }

    #[test]
    fn an_ipv6_client_cannot_hop_within_its_own_network() {
        let rate = Rate::new(1, Duration::from_hours(1));
        rate.count(client("2001:db8::1")).unwrap();
        assert!(rate.count(client("2001:db8::2")).is_err());
    }
}
