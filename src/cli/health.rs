//! `health`: checks that the server responds, for the health check of a container without other programs.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use anyhow::{Context, ensure};

use crate::web::listener::reachable;

/// Shorter than the timeout of health checks.
const TIMEOUT: Duration = Duration::from_secs(3);

/// Requests `/healthz` from the server at an address.
///
/// # Errors
/// When it does not respond in time with 200.
pub(super) fn check(address: SocketAddr) -> anyhow::Result<()> {
    let status = ask(reachable(address)).with_context(|| format!("{address} does not answer"))?;
    ensure!(status == "200", "{address} answers with status {status}");
    println!("{address} answers");
    Ok(())
}

fn ask(address: SocketAddr) -> anyhow::Result<String> {
    let mut stream = TcpStream::connect_timeout(&address, TIMEOUT)?;
    stream.set_read_timeout(Some(TIMEOUT))?;
    stream.set_write_timeout(Some(TIMEOUT))?;
    write!(stream, "GET /healthz HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n")?;
    let mut head = [0; 12];
    stream.read_exact(&mut head)?;
    let status = std::str::from_utf8(&head).ok().and_then(|head| head.strip_prefix("HTTP/1.1 "));
    Ok(status.context("it is not a web server")?.to_owned())
}
