//! Forwarded headers from an attacker and a trusted proxy: the resolved address is never chosen by the attacker.

use axum::http::HeaderValue;
use fastrand::Rng;

use super::*;
use crate::tests::fuzz::for_rounds;

/// Values an attacker sends to have them taken as the address, or to hide the real one.
const LIES: [&[u8]; 18] = [
    b"6.6.6.6",
    b"::ffff:6.6.6.6",
    b"[2001:db8:6::6]:443",
    b"6.6.6.6:80",
    b"unknown",
    b"unix:",
    b"\"",
    b"\"6.6.6.6",
    b"127.0.0.1",
    b"10.1.2.3",
    b"\xFF\xFE",
    b"caf\xE9",
    b"\t",
    b"for=6.6.6.6;by=10.0.0.1",
    b"[",
    b"]",
    b"0x7f.1",
    b"10.1.2.3, 6.6.6.6",
];

/// Client addresses, distinct from those of proxies.
fn stranger(random: &mut Rng) -> IpAddr {
    match random.u8(..2) {
        0 => IpAddr::from([198, 51, 100, random.u8(..)]),
        _ => IpAddr::from([0x2001, 0xdb8, 1, random.u16(..), 0, 0, 0, random.u16(..)]),
    }
}

/// An address in the notation of some proxy.
fn written(address: IpAddr, random: &mut Rng) -> String {
    match (address, random.u8(..4)) {
        (IpAddr::V4(four), 0) => four.to_ipv6_mapped().to_string(),
        (_, 1) => SocketAddr::new(address, random.u16(1..)).to_string(),
        (IpAddr::V6(six), 2) => format!("[{six}]"),
        (IpAddr::V6(six), 3) => format!("\"[{six}]:443\""),
        _ => address.to_string(),
    }
}

#[test]
fn corrupted_forwarded_headers_never_choose_the_address() {
    let trusted: Vec<IpNet> = vec!["10.0.0.0/8".parse().unwrap(), "127.0.0.1/32".parse().unwrap()];
    for_rounds("forwarded headers", 50_000, |random| {
        let client_address = stranger(random);
        // The attacker's lines, each with some forged values.
        let mut lines: Vec<Vec<u8>> = (0..random.usize(..4))
            .map(|_| {
                let count = random.usize(..5);
                let lies: Vec<&[u8]> = (0..count).map(|_| *random.choice(LIES.iter()).unwrap()).collect();
                lies.join(random.choice([&b", "[..], b",", b" ", b",,", b"\t,"]).unwrap())
            })
            .collect();
        // The first proxy's view of the client, appended to the last line or on a separate one; then each proxy's own
        // peer.
        let mut true_hops = vec![written(client_address, random)];
        true_hops.extend((0..random.usize(..3)).map(|_| written([10, 1, 2, random.u8(..)].into(), random)));
        for hop in true_hops {
            match lines.last_mut() {
                Some(line) if random.bool() => line.extend([b", ", hop.as_bytes()].concat()),
                _ => lines.push(hop.into_bytes()),
            }
        }
        let mut headers = HeaderMap::new();
        for line in &lines {
            if let Ok(value) = HeaderValue::from_bytes(line) {
                headers.append("x-forwarded-for", value);
            }
        }
        let said: Vec<_> = lines.iter().map(|line| String::from_utf8_lossy(line)).collect();
        assert_eq!(client([127, 0, 0, 1].into(), &headers, &trusted), Some(client_address), "{said:?}");
        // Headers from a peer that is not a proxy are ignored.
        let peer = stranger(random);
        assert_eq!(client(peer, &headers, &trusted), Some(peer), "{said:?}");
    });
}
