//! Attempts per client address and hour, and per block of addresses, as one customer may use many. Counted in memory
//! only: losing the counts at a restart does little harm.

use std::net::IpAddr;

use super::client::ClientAddr;
use super::ledger::{Claim, Ledger};
use super::millis;
use super::rule::{Millis, Rule};
use crate::base::clock::Clock;
use crate::base::error::{Error, Result};

/// One counted kind of attempt.
pub struct Rate {
    per_network: Rule,
    per_block: Option<Rule>,
    counted: Ledger<Counted>,
    clock: Clock,
}

/// Scope of a counter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Counted {
    Network(IpAddr),
    Block(IpAddr),
}

impl Rate {
    pub(super) fn per_hour(attempts: u32, clock: &Clock) -> Self {
        Self {
            per_network: Rule::per_hour(attempts),
            per_block: None,
            counted: Ledger::empty(),
            clock: clock.clone(),
        }
    }

    /// Adds a rate per block.
    pub(super) fn and_per_block(self, attempts: u32) -> Self {
        Self { per_block: Some(Rule::per_hour(attempts)), ..self }
    }

    /// Counts an attempt; refused attempts do not count.
    ///
    /// # Errors
    /// [`Error::TooMany`] with the seconds to wait.
    pub fn count(&self, client: ClientAddr) -> Result<()> {
        let (Some(network), Some(block)) = (client.network(), client.block()) else { return Ok(()) };
        let mut claims = vec![Claim { key: Counted::Network(network), rule: self.per_network }];
        claims.extend(self.per_block.map(|rule| Claim { key: Counted::Block(block), rule }));
        self.counted.take(&claims, millis(&self.clock)).map_or(Ok(()), |wait| Err(Error::TooMany(wait)))
    }

    pub(super) fn sweep(&self, now: Millis) {
        self.counted.sweep(now);
    }
}

#[cfg(test)]
mod tests {
    use jiff::SignedDuration;

    use super::*;

    fn clock() -> Clock {
        Clock::set_to("2026-11-21T15:00:00Z".parse().unwrap())
    }

    fn client(address: &str) -> ClientAddr {
        ClientAddr::new(address.parse().unwrap())
    }

    #[test]
    fn the_attempt_after_the_last_allowed_one_is_refused_and_other_addresses_are_not() {
        let clock = clock();
        let rate = Rate::per_hour(3, &clock);
        for _ in 0..3 {
            rate.count(client("192.0.2.1")).unwrap();
        }
        let refused = rate.count(client("192.0.2.1"));
        assert!(matches!(refused, Err(Error::TooMany(1200))), "a third of an hour: {refused:?}");
        rate.count(client("192.0.2.2")).unwrap();
        clock.advance(SignedDuration::from_secs(1199));
        assert!(matches!(rate.count(client("192.0.2.1")), Err(Error::TooMany(1))));
        clock.advance(SignedDuration::from_secs(1));
        rate.count(client("192.0.2.1")).unwrap();
    }

    #[test]
    fn an_ipv6_client_cannot_hop_within_its_own_network() {
        let rate = Rate::per_hour(1, &clock());
        rate.count(client("2001:db8::1")).unwrap();
        assert!(rate.count(client("2001:db8::2")).is_err());
    }

    #[test]
    fn networks_of_one_block_share_a_limit_that_one_of_them_cannot_use_up() {
        let rate = Rate::per_hour(3, &clock()).and_per_block(5);
        let passed = |addresses: &mut dyn Iterator<Item = String>| {
            addresses.filter(|address| rate.count(client(address)).is_ok()).count()
        };
        assert_eq!(passed(&mut (0..50).map(|_| "2001:db8:1:7::1".to_owned())), 3);
        assert_eq!(passed(&mut (0..50).map(|net| format!("2001:db8:1:{net:x}::1"))), 2);
        assert_eq!(passed(&mut (0..50).map(|host| format!("192.0.2.{host}"))), 5);
        assert_eq!(passed(&mut ["2001:db8:2::1".to_owned(), "192.0.3.1".to_owned()].into_iter()), 2);
    }
}
