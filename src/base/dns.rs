//! DNS look-ups; the only place that resolves host names.
//!
//! `getaddrinfo` of a statically linked glibc loads the host system's modules and can kill the process, so the look-up
//! is done by a resolver in Rust. It reads `/etc/hosts` and `/etc/resolv.conf` each time: look-ups are rare, and these
//! files change during the years that a server may run.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use anyhow::{Context, bail, ensure};
use hickory_resolver::TokioResolver;

/// The addresses of a host, in the order of preference the resolver gave them; never empty.
///
/// # Errors
/// When the resolver cannot be configured, does not answer, or knows no address.
pub async fn resolve(host: &str) -> anyhow::Result<Vec<IpAddr>> {
    if let Some(addresses) = literal(host) {
        return Ok(addresses);
    }
    let resolver = TokioResolver::builder_tokio()
        .and_then(|builder| builder.build())
        .context("reading the name servers from /etc/resolv.conf")?;
    let addresses: Vec<IpAddr> = match resolver.lookup_ip(host).await {
        Ok(found) => found.iter().collect(),
        Err(error) if error.is_no_records_found() => Vec::new(),
        // Its text already includes its causes.
        Err(error) => bail!("looking up {host}: {error}"),
    };
    ensure!(!addresses.is_empty(), "{host} is unknown or has no address");
    Ok(addresses)
}

/// Hosts that need no look-up: IP addresses, also in a URL's brackets, and localhost.
fn literal(host: &str) -> Option<Vec<IpAddr>> {
    if host.trim_end_matches('.').eq_ignore_ascii_case("localhost") {
        return Some(vec![Ipv4Addr::LOCALHOST.into(), Ipv6Addr::LOCALHOST.into()]);
    }
    let bare = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(host);
    bare.parse().ok().map(|address| vec![address])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_and_this_machine_need_no_look_up() {
        let cases: [(&str, Option<&[&str]>); 7] = [
            ("192.0.2.7", Some(&["192.0.2.7"])),
            ("2001:db8::25", Some(&["2001:db8::25"])),
            ("[2001:db8::25]", Some(&["2001:db8::25"])),
            ("localhost", Some(&["127.0.0.1", "::1"])),
            ("LocalHost.", Some(&["127.0.0.1", "::1"])),
            ("mail.school.example", None),
            ("192.0.2.700", None),
        ];
        for (host, expected) in cases {
            let expected = expected.map(|list| list.iter().map(|one| one.parse().unwrap()).collect());
            assert_eq!(literal(host), expected, "{host}");
        }
    }
}
