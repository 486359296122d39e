//! The client's address, resolved through trusted proxies.
//!
//! The address is the peer's, unless the peer is a trusted proxy: then it is the rightmost hop that is not one, because
//! everything left of it can be forged. A hop may carry a port (`198.51.100.7:5555`, `[2001:db8::1]:443`). A hop
//! without an address, such as `unix:` from a proxy behind a socket, is skipped. Without any address the client is
//! unknown and limits per address do not apply, so that visitors do not share one budget.

use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;

use axum::extract::{ConnectInfo, FromRef, FromRequestParts};
use axum::http::request::Parts;
use axum::http::{Extensions, HeaderMap};
use ipnet::IpNet;
use utoipa::ToResponse;

use crate::base::error::TooManyAttempts;
use crate::base::hashing::Lane;
use crate::config::Config;
use crate::web::description::{Description, Parameter};

/// The client's address behind trusted proxies; `None` if unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClientAddr(Option<IpAddr>);

impl<S: Send + Sync> FromRequestParts<S> for ClientAddr
where
    Arc<Config>: FromRef<S>,
{
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Infallible> {
        Ok(Self::from_parts(&parts.extensions, &parts.headers, &Arc::from_ref(state)))
    }
}

/// Handlers with this parameter are rate-limited.
impl Parameter for ClientAddr {
    fn describe(description: &mut Description<'_>) {
        description.answer("429", TooManyAttempts::response().1);
    }
}

impl ClientAddr {
    /// The client of a request.
    pub fn from_parts(extensions: &Extensions, headers: &HeaderMap, config: &Config) -> Self {
        let peer = extensions
            .get::<ConnectInfo<SocketAddr>>()
            .map_or(IpAddr::V6(Ipv6Addr::UNSPECIFIED), |info| info.0.ip());
        Self(client(peer, headers, &config.server.trusted_proxies))
    }

    /// A client at this address.
    pub fn new(address: IpAddr) -> Self {
        Self(Some(address.to_canonical()))
    }

    /// The address itself.
    pub fn address(self) -> Option<IpAddr> {
        self.0
    }

    /// The client's lane in the password queue.
    pub fn lane(self) -> Lane {
        Lane::Site(self.site())
    }

    /// The network of one subscriber: an IPv4 address, or the /64 of an IPv6 address.
    pub fn network(self) -> Option<IpAddr> {
        self.0.map(|address| truncate(address, 32, 64))
    }

    /// The largest network of one subscriber: an IPv4 address, or the /48 of an IPv6 address.
    pub fn site(self) -> Option<IpAddr> {
        self.0.map(|address| truncate(address, 32, 48))
    }

    /// The largest block assigned to one customer of a provider: the /24 of an IPv4 address, the /48 of an IPv6
    /// address.
    pub fn block(self) -> Option<IpAddr> {
        self.0.map(|address| truncate(address, 24, 48))
    }
}

fn truncate(address: IpAddr, bits_of_v4: u32, bits_of_v6: u32) -> IpAddr {
    match address {
        IpAddr::V4(v4) => IpAddr::V4(Ipv4Addr::from_bits(v4.to_bits() & (u32::MAX << (32 - bits_of_v4)))),
        IpAddr::V6(v6) => IpAddr::V6(Ipv6Addr::from_bits(v6.to_bits() & (u128::MAX << (128 - bits_of_v6)))),
    }
}

fn client(peer: IpAddr, headers: &HeaderMap, trusted: &[IpNet]) -> Option<IpAddr> {
    let peer = peer.to_canonical();
    let is_trusted = |address: &IpAddr| trusted.iter().any(|net| net.contains(address));
    let values = headers.get_all("x-forwarded-for");
    // A trusted proxy without forwarded addresses is the client itself.
    if !is_trusted(&peer) || values.iter().next().is_none() {
        return Some(peer);
    }
    // Invalid bytes invalidate only their own hop: dropping the whole line would lose the address that the proxy
    // appended.
    let hops: Vec<IpAddr> = values
        .iter()
        .flat_map(|value| value.as_bytes().split(|byte| *byte == b','))
        .filter_map(|hop| parse_hop(std::str::from_utf8(hop).ok()?))
        .collect();
    hops.iter().rev().find(|hop| !is_trusted(hop)).or(hops.first()).copied()
}

/// The address of one hop, without its port.
fn parse_hop(hop: &str) -> Option<IpAddr> {
    let hop = hop.trim().trim_matches('"');
    let bare = hop.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(hop);
    let address =
        bare.parse().ok().or_else(|| hop.parse::<SocketAddr>().ok().map(|with_port| with_port.ip()));
    address.map(|address: IpAddr| address.to_canonical())
}

#[cfg(test)]
mod tests {
    mod fuzz;

    use super::*;

    #[test]
    fn forwarded_addresses_are_believed_from_the_right_and_from_trusted_proxies_only() {
        let trusted: Vec<IpNet> = vec!["10.0.0.0/8".parse().unwrap(), "127.0.0.1/32".parse().unwrap()];
        let table = [
            // peer, header, client
            ("203.0.113.9", "198.51.100.1", "203.0.113.9"),
            ("203.0.113.9", "", "203.0.113.9"),
            ("127.0.0.1", "198.51.100.1", "198.51.100.1"),
            ("127.0.0.1", "1.1.1.1, 198.51.100.1", "198.51.100.1"),
            ("127.0.0.1", "198.51.100.1, 10.1.2.3", "198.51.100.1"),
            ("127.0.0.1", "10.1.2.4, 10.1.2.3", "10.1.2.4"),
            ("::ffff:127.0.0.1", "198.51.100.7", "198.51.100.7"),
            ("127.0.0.1", "::ffff:198.51.100.7", "198.51.100.7"),
            // With ports, as proxies of Azure and IIS write them.
            ("127.0.0.1", "198.51.100.7:5555", "198.51.100.7"),
            ("127.0.0.1", "1.1.1.1, 198.51.100.7:5555, 10.1.2.3:80", "198.51.100.7"),
            ("127.0.0.1", "[2001:db8::1]:443", "2001:db8::1"),
            ("127.0.0.1", "[2001:db8::1]", "2001:db8::1"),
            ("127.0.0.1", "2001:db8::1", "2001:db8::1"),
            ("127.0.0.1", "\"[2001:db8::1]:443\"", "2001:db8::1"),
            // Hops without an address are skipped.
            ("127.0.0.1", "198.51.100.1,", "198.51.100.1"),
            ("127.0.0.1", "198.51.100.1, rubbish", "198.51.100.1"),
            ("127.0.0.1", "198.51.100.1, unix:", "198.51.100.1"),
            ("127.0.0.1", "198.51.100.1, unknown, 10.1.2.3", "198.51.100.1"),
            ("127.0.0.1", "", "unknown client"),
            ("127.0.0.1", " , ", "unknown client"),
            ("127.0.0.1", "unknown", "unknown client"),
            ("127.0.0.1", "198.51.100.1:99999", "unknown client"),
        ];
        for (peer, header, expected) in table {
            let mut headers = HeaderMap::new();
            headers.insert("x-forwarded-for", header.parse().unwrap());
            let found = client(peer.parse().unwrap(), &headers, &trusted);
            assert_eq!(found, expected.parse().ok(), "{peer} {header:?}");
        }
        let none = client("127.0.0.1".parse().unwrap(), &HeaderMap::new(), &trusted);
        assert_eq!(none, "127.0.0.1".parse().ok(), "a proxy that forwards nothing is the client");
    }

    #[test]
    fn several_header_lines_are_one_list() {
        let trusted = ["127.0.0.1/32".parse().unwrap()];
        let mut headers = HeaderMap::new();
        headers.append("x-forwarded-for", "1.1.1.1".parse().unwrap());
        headers.append("x-forwarded-for", "198.51.100.1".parse().unwrap());
        assert_eq!(client("127.0.0.1".parse().unwrap(), &headers, &trusted), "198.51.100.1".parse().ok());
    }

    #[test]
    fn invalid_bytes_neither_hide_nor_choose_the_address() {
        let trusted = ["127.0.0.1/32".parse().unwrap()];
        for lines in [vec![&b"caf\xE9, 198.51.100.1"[..]], vec![b"6.6.6.6", b"\xFF, 198.51.100.1"]] {
            let mut headers = HeaderMap::new();
            for line in &lines {
                headers.append("x-forwarded-for", axum::http::HeaderValue::from_bytes(line).unwrap());
            }
            let found = client("127.0.0.1".parse().unwrap(), &headers, &trusted);
            assert_eq!(found, "198.51.100.1".parse().ok(), "{lines:?}");
        }
    }

    #[test]
    fn a_subscriber_is_an_address_or_a_network_of_them() {
        let six = ClientAddr::new("2001:db8:1:2:3::4".parse().unwrap());
        assert_eq!(six.network(), "2001:db8:1:2::".parse().ok());
        assert_eq!(six.site(), "2001:db8:1::".parse().ok());
        let four = ClientAddr::new("::ffff:192.0.2.1".parse().unwrap());
        assert_eq!((four.network(), four.site()), ("192.0.2.1".parse().ok(), "192.0.2.1".parse().ok()));
        assert_eq!((six.block(), four.block()), ("2001:db8:1::".parse().ok(), "192.0.2.0".parse().ok()));
    }
}
