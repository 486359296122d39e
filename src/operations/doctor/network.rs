//! Checks of the network: DNS, public address, certificate, the server itself, mail server.

use std::net::SocketAddr;
use std::os::unix::fs::MetadataExt;
use std::time::Duration;

use anyhow::{Context, ensure};
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::{CheckContext, CheckOutcome, ok, problem, warning};
use crate::base::dns;
use crate::mail;
use crate::operations::https;
use crate::web::listener::reachable;

/// Timeout of each network request.
const TIMEOUT: Duration = Duration::from_secs(10);

pub(super) fn names(context: &CheckContext<'_>) -> anyhow::Result<CheckOutcome> {
    const ADVICE: &str = "Check /etc/resolv.conf and the name's DNS entry at its provider.";
    let servers = match std::fs::read_to_string("/etc/resolv.conf") {
        Ok(text) => text.lines().filter(|line| line.trim_start().starts_with("nameserver")).count(),
        Err(error) => return Ok(problem(format!("/etc/resolv.conf: {error}"), ADVICE)),
    };
    let is_set = context.config.server.public_url.is_some() || context.config.https.is_on();
    let Some(host) = is_set.then(|| host_of(&context.config.public_url())).flatten() else {
        return Ok(ok(format!("name servers in /etc/resolv.conf: {servers}")));
    };
    let asked = async { tokio::time::timeout(TIMEOUT, dns::resolve(&host)).await };
    Ok(match context.runtime.block_on(asked) {
        Ok(Ok(addresses)) => {
            let list: Vec<_> = addresses.iter().map(ToString::to_string).collect();
            ok(format!("{host} is {}", list.join(", ")))
        }
        Ok(Err(error)) => problem(format!("{error:#}"), ADVICE),
        Err(_) => problem(format!("{host} was not found within {} seconds", TIMEOUT.as_secs()), ADVICE),
    })
}

/// The host of a URL; `None` if empty.
fn host_of(url: &str) -> Option<String> {
    let (_, rest) = url.split_once("://")?;
    let authority = rest.trim_end_matches('/');
    let host = match authority.rsplit_once(':') {
        // The colons of an IPv6 address are inside brackets.
        Some((host, port)) if port.bytes().all(|b| b.is_ascii_digit()) => host,
        _ => authority,
    };
    Some(host.to_owned())
}

pub(super) fn public_address(context: &CheckContext<'_>) -> anyhow::Result<CheckOutcome> {
    let url = context.config.public_url();
    if context.config.server.public_url.is_none() && !context.config.https.is_on() {
        return Ok(warning(
            format!("server.public_url is not set; links in emails lead to {url}"),
            "Set it to the address that people type, like https://school.example.",
        ));
    }
    if !context.config.is_https() {
        return Ok(warning(
            format!("{url} is not encrypted: passwords can be read on the way"),
            "Serve the site over HTTPS, and set server.public_url to the https:// address.",
        ));
    }
    Ok(ok(url))
}

pub(super) fn certificate(context: &CheckContext<'_>) -> anyhow::Result<CheckOutcome> {
    let Some(state) = https::state(&context.config.https, context.data_dir)? else {
        return Ok(ok("none; a proxy's, or none is needed"));
    };
    Ok(match state.verdict(context.now, &context.config.school().zone()) {
        Err(words) => problem(
            words,
            "Ports 80 and 443 must be reachable from outside, and the name must point to this server.",
        ),
        Ok(words) if state.record.failure.is_some() => {
            warning(words, "It is retried automatically; the server's log says more.")
        }
        Ok(words) => ok(words),
    })
}

pub(super) fn server(context: &CheckContext<'_>) -> anyhow::Result<CheckOutcome> {
    let process = holder(context);
    // A flag may have overridden the configured address.
    let written = process.and_then(|_| context.data_dir.served_address());
    let address = written.unwrap_or(context.config.server.listen);
    let asked = async { tokio::time::timeout(TIMEOUT, readiness(reachable(address))).await };
    let answer = context.runtime.block_on(asked).context("no answer in time").and_then(|answer| answer);
    let who = process.map_or_else(|| "a server".into(), |process| format!("process {process}"));
    Ok(match (answer, process) {
        (Ok(ready), _) if ready.missing.is_empty() => {
            let still = if ready.is_checking { "; it is still checking its database" } else { "" };
            ok(format!("{who} answers on {address} and is ready{still}"))
        }
        (Ok(ready), _) => problem(
            format!("{who} answers on {address}, but these are not in order: {}", ready.missing.join(", ")),
            "See the other findings and the server's log.",
        ),
        (Err(error), Some(process)) => problem(
            format!("process {process} has the folder open, but {address} does not answer: {error:#}"),
            "Is server.listen what it was when the server was started? Look at its log.",
        ),
        (Err(_), None) => warning(
            "no server is running on this folder",
            "Start it: `systemctl start schoolhouse`, or `schoolhouse serve`.",
        ),
    })
}

/// The process that holds the folder's lock. Does not try to lock: that could make a server that is starting fail.
pub(super) fn holder(context: &CheckContext<'_>) -> Option<u32> {
    let lock = context.data_dir.lock_file().metadata().ok()?;
    let inode = format!(":{}", lock.ino());
    std::fs::read_to_string("/proc/locks").ok()?.lines().find_map(|line| {
        let words: Vec<_> = line.split_whitespace().collect();
        let is_ours = words.get(1) == Some(&"FLOCK") && words.get(5)?.ends_with(&inode);
        is_ours.then(|| words.get(4)?.parse().ok()).flatten()
    })
}

/// Response of `/readyz`.
struct ReadyzAnswer {
    /// Failed readiness checks.
    missing: Vec<String>,
    /// Whether the initial database check is still running.
    is_checking: bool,
}

async fn readiness(address: SocketAddr) -> anyhow::Result<ReadyzAnswer> {
    let mut stream = TcpStream::connect(address).await?;
    let request = format!("GET /readyz HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await?;
    let mut answer = String::new();
    stream.take(64 * 1024).read_to_string(&mut answer).await?;
    let (head, body) = answer.split_once("\r\n\r\n").context("not the answer of a web server")?;
    let status = head.split(' ').nth(1).unwrap_or_default();
    ensure!(matches!(status, "200" | "503"), "it is not a schoolhouse server (status {status})");
    let parts: serde_json::Map<String, Value> =
        serde_json::from_str(body).context("it is not a schoolhouse server")?;
    let is_checking = parts.get("integrity").is_some_and(|integrity| integrity == "checking");
    let missing = parts.into_iter().filter(|(_, value)| *value == Value::Bool(false));
    Ok(ReadyzAnswer { missing: missing.map(|(name, _)| name).collect(), is_checking })
}

pub(super) fn mail_server(context: &CheckContext<'_>) -> anyhow::Result<CheckOutcome> {
    if mail::is_spooled(context.config) {
        let words =
            format!("none is configured; emails are written to {}", context.data_dir.spool().display());
        let advice = "Set mail.smtp_host and the account, then try `schoolhouse mail-test ADDRESS`.";
        // In a real school the emails reach no one, and sign-in links are stored in files.
        let severity = if context.config.school().is_named() { problem } else { warning };
        return Ok(severity(words, advice));
    }
    let mut last = None;
    let knocked = context.runtime.block_on(mail::probe(context.config, &mut |step| {
        last = Some(step.to_string());
    }));
    let host = &context.config.mail.smtp_host;
    let last = last.unwrap_or_default();
    Ok(match knocked {
        Ok(()) => ok(format!("{host} accepts the connection and the login")),
        Err(advice) => problem(
            format!("{host}: {}", last.split_whitespace().collect::<Vec<_>>().join(" ")),
            format!("{advice} Emails wait in the outbox meanwhile; none is lost."),
        ),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_host_of_an_address_is_found() {
        for (url, host) in [
            ("https://school.example", Some("school.example")),
            ("https://school.example:8443/", Some("school.example")),
            ("https://[2001:db8::1]", Some("[2001:db8::1]")),
            ("https://[2001:db8::1]:8443", Some("[2001:db8::1]")),
            ("", None),
        ] {
            assert_eq!(host_of(url).as_deref(), host, "{url}");
        }
    }
}
