//! How often one client address may try something.
//!
//! The address is the peer's, unless the peer is a trusted proxy: then it is the rightmost hop
//! that is not one, because everything left of it can be forged. IPv6 clients own a /64 each.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::num::NonZeroU32;
use std::time::Duration;

use axum::extract::{ConnectInfo, FromRequestParts};
use axum::http::HeaderMap;
use axum::http::request::Parts;
use governor::clock::{Clock as _, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota};
use ipnet::IpNet;

use super::app::App;
use super::config::Limits as Rates;
use super::error::{Error, Result};

/// The client's address after trusted proxies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClientAddr(pub IpAddr);

impl FromRequestParts<App> for ClientAddr {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        let peer = parts
            .extensions
            .get::<ConnectInfo<SocketAddr>>()
            .map_or(IpAddr::V6(Ipv6Addr::UNSPECIFIED), |info| info.0.ip());
        Ok(Self(client(peer, &parts.headers, &app.config.server.trusted_proxies)))
    }
}

fn client(peer: IpAddr, headers: &HeaderMap, trusted: &[IpNet]) -> IpAddr {
    let is_trusted = |address: IpAddr| trusted.iter().any(|net| net.contains(&address.to_canonical()));
    if !is_trusted(peer) {
        return peer.to_canonical();
    }
    let hops: Vec<&str> = headers
        .get_all("x-forwarded-for")
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(str::trim)
        .collect();
    let mut client = peer;
    for hop in hops.iter().rev() {
        let Ok(address) = hop.parse::<IpAddr>() else { break };
        client = address;
        if !is_trusted(address) {
            break;
        }
    }
    client.to_canonical()
}

/// One counted kind of attempt.
pub struct Limit {
    limiter: DefaultKeyedRateLimiter<IpAddr>,
    clock: DefaultClock,
}

impl Limit {
    fn new(attempts: u32, per: Duration) -> Self {
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
        self.limiter.check_key(&network(client.0)).map_err(|denied| {
            let wait = denied.wait_time_from(self.clock.now());
            Error::TooMany(wait.as_secs() + 1)
        })
    }

    fn forget_idle(&self) {
        self.limiter.retain_recent();
        self.limiter.shrink_to_fit();
    }
}

fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(v6) => IpAddr::V6(Ipv6Addr::from(u128::from(v6) & !u128::from(u64::MAX))),
    }
}

/// Every limit of `[limits]`.
pub struct Limits {
    /// Attempts to log in, students and staff alike.
    pub logins: Limit,
    /// New accounts.
    pub registrations: Limit,
    /// Contact messages.
    pub contacts: Limit,
    /// Uploads.
    pub uploads: Limit,
    /// Password and verification links.
    pub password_resets: Limit,
}

impl Limits {
    /// Limits with the configured rates.
    pub fn new(rates: &Rates) -> Self {
        const MINUTE: Duration = Duration::from_secs(60);
        const HOUR: Duration = Duration::from_secs(3600);
        Self {
            logins: Limit::new(rates.logins_per_minute, MINUTE),
            registrations: Limit::new(rates.registrations_per_hour, HOUR),
            contacts: Limit::new(rates.contacts_per_hour, HOUR),
            uploads: Limit::new(rates.uploads_per_hour, HOUR),
            password_resets: Limit::new(rates.password_resets_per_hour, HOUR),
        }
    }

    /// Forgets addresses that have been quiet; called now and then.
    pub fn forget_idle(&self) {
        for limit in [&self.logins, &self.registrations, &self.contacts, &self.uploads, &self.password_resets]
        {
            limit.forget_idle();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forwarded_addresses_are_believed_from_the_right_and_from_trusted_proxies_only() {
        let trusted: Vec<IpNet> = vec!["10.0.0.0/8".parse().unwrap(), "127.0.0.1/32".parse().unwrap()];
        let table = [
            // peer, header, client
            ("203.0.113.9", "198.51.100.1", "203.0.113.9"),
            ("127.0.0.1", "198.51.100.1", "198.51.100.1"),
            ("127.0.0.1", "1.1.1.1, 198.51.100.1", "198.51.100.1"),
            ("127.0.0.1", "198.51.100.1, 10.1.2.3", "198.51.100.1"),
            ("127.0.0.1", "198.51.100.1, rubbish", "127.0.0.1"),
            ("127.0.0.1", "", "127.0.0.1"),
            ("::ffff:127.0.0.1", "198.51.100.7", "198.51.100.7"),
        ];
        for (peer, header, expected) in table {
            let mut headers = HeaderMap::new();
            headers.insert("x-forwarded-for", header.parse().unwrap());
            let found = client(peer.parse().unwrap(), &headers, &trusted);
            assert_eq!(found, expected.parse::<IpAddr>().unwrap(), "{peer} {header}");
        }
    }

    #[test]
    fn the_attempt_after_the_last_allowed_one_is_refused_and_other_addresses_are_not() {
        let limit = Limit::new(3, Duration::from_secs(3600));
        let one = ClientAddr("192.0.2.1".parse().unwrap());
        for _ in 0..3 {
            limit.count(one).unwrap();
        }
        assert!(matches!(limit.count(one), Err(Error::TooMany(seconds)) if seconds > 60));
        limit.count(ClientAddr("192.0.2.2".parse().unwrap())).unwrap();
    }

    #[test]
    fn an_ipv6_client_cannot_hop_within_its_own_network() {
        let limit = Limit::new(1, Duration::from_secs(3600));
        limit.count(ClientAddr("2001:db8::1".parse().unwrap())).unwrap();
        assert!(limit.count(ClientAddr("2001:db8::2".parse().unwrap())).is_err());
    }
}
