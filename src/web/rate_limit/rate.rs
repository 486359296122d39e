//! A plain rate per client address, and per block of addresses where one customer of a provider could take
//! many, in memory: for what costs us little and fools nobody if a restart forgets it. It runs by the machine's steady clock, so that setting the time changes nothing.

use std::net::IpAddr;
use std::num::NonZeroU32;

use governor::clock::{Clock as _, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota};

use super::client::ClientAddr;
use crate::base::error::{Error, Result};

/// One counted kind of attempt.
pub struct Rate {
    by_network: DefaultKeyedRateLimiter<IpAddr>,
    by_block: Option<DefaultKeyedRateLimiter<IpAddr>>,
    clock: DefaultClock,
}

impl Rate {
    pub(super) fn per_hour(attempts: u32) -> Self {
        Self { by_network: limiter(attempts), by_block: None, clock: DefaultClock::default() }
    }

    /// The same with a rate for a whole block.
    pub(super) fn and_per_block(self, attempts: u32) -> Self {
        Self { by_block: Some(limiter(attempts)), ..self }
    }

    /// Counts an attempt.
    ///
    /// # Errors
    /// [`Error::TooMany`] with the seconds to wait.
    pub fn count(&self, client: ClientAddr) -> Result<()> {
        let (Some(network), Some(block)) = (client.network(), client.block()) else { return Ok(()) };
        // What is refused to one address costs its neighbours nothing.
        self.check(&self.by_network, network)?;
        self.by_block.as_ref().map_or(Ok(()), |limiter| self.check(limiter, block))
    }

    fn check(&self, limiter: &DefaultKeyedRateLimiter<IpAddr>, key: IpAddr) -> Result<()> {
        limiter.check_key(&key).map_err(|denied| {
            let wait = denied.wait_time_from(self.clock.now());
            Error::TooMany(wait.as_secs() + 1)
        })
    }

    pub(super) fn forget_idle(&self) {
        for limiter in [Some(&self.by_network), self.by_block.as_ref()].into_iter().flatten() {
            limiter.retain_recent();
            limiter.shrink_to_fit();
        }
    }
}

fn limiter(per_hour: u32) -> DefaultKeyedRateLimiter<IpAddr> {
    let burst = NonZeroU32::new(per_hour).unwrap_or(NonZeroU32::MIN);
    DefaultKeyedRateLimiter::keyed(Quota::per_hour(burst))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(address: &str) -> ClientAddr {
        ClientAddr::new(address.parse().unwrap())
    }

    #[test]
    fn the_attempt_after_the_last_allowed_one_is_refused_and_other_addresses_are_not() {
        let rate = Rate::per_hour(3);
        for _ in 0..3 {
            rate.count(client("192.0.2.1")).unwrap();
        }
        let refused = rate.count(client("192.0.2.1"));
        assert!(matches!(refused, Err(Error::TooMany(seconds)) if seconds > 60));
        rate.count(client("192.0.2.2")).unwrap();
    }

    #[test]
    fn an_ipv6_client_cannot_hop_within_its_own_network() {
        let rate = Rate::per_hour(1);
        rate.count(client("2001:db8::1")).unwrap();
        assert!(rate.count(client("2001:db8::2")).is_err());
    }
    #[test]
    fn many_networks_of_one_block_are_counted_together_and_one_of_them_cannot_use_up_the_block() {
        let rate = Rate::per_hour(3).and_per_block(5);
        let passed = |addresses: &mut dyn Iterator<Item = String>| {
            addresses.filter(|address| rate.count(client(address)).is_ok()).count()
        };
        assert_eq!(passed(&mut (0..50).map(|_| "2001:db8:1:7::1".to_owned())), 3);
        assert_eq!(passed(&mut (0..50).map(|net| format!("2001:db8:1:{net:x}::1"))), 2);
        assert_eq!(passed(&mut (0..50).map(|host| format!("192.0.2.{host}"))), 5);
        assert_eq!(passed(&mut ["2001:db8:2::1".to_owned(), "192.0.3.1".to_owned()].into_iter()), 2);
    }
}
