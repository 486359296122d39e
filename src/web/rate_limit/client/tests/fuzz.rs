//! Forwarded headers as a stranger and a trusted proxy write them together: the address that is taken is
//! never one that the stranger chose.

use axum::http::HeaderValue;
use fastrand::Rng;

use super::*;
use crate::tests::fuzz::for_rounds;

/// What a stranger sends in the hope that it is taken for an address, or keeps the true one from being read.
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

/// Addresses of clients; no proxy has one of these.
fn stranger(random: &mut Rng) -> IpAddr {
    match random.u8(..2) {
        0 => IpAddr::from([198, 51, 100, random.u8(..)]),
        _ => IpAddr::from([0x2001, 0xdb8, 1, random.u16(..), 0, 0, 0, random.u16(..)]),
    }
}

/// The address as proxies write it.
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
fn spoilt_forwarded_headers_never_choose_the_address() {
    let trusted: Vec<IpNet> = vec!["10.0.0.0/8".parse().unwrap(), "127.0.0.1/32".parse().unwrap()];
    for_rounds("forwarded headers", 50_000, |random| {
        let client_address = stranger(random);
        // What the stranger sent: some lines, each with some lies.
        let mut lines: Vec<Vec<u8>> = (0..random.usize(..4))
            .map(|_| {
                let count = random.usize(..5);
                let lies: Vec<&[u8]> = (0..count).map(|_| *random.choice(LIES.iter()).unwrap()).collect();
                lies.join(random.choice([&b", "[..], b",", b" ", b",,", b"\t,"]).unwrap())
            })
            .collect();
        // Whom the first proxy saw, at the end of the last line or in one of its own; then who asked it.
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
        // Who is no proxy is believed nothing.
        let peer = stranger(random);
        assert_eq!(client(peer, &headers, &trusted), Some(peer), "{said:?}");
    });
}
