//! Listening sockets: bound from the configuration, or inherited from systemd.
//!
//! The role of a socket from systemd is its name (`FileDescriptorName=http` or `https`) or, without a name, its port,
//! if the configuration has that port for one of the addresses. A single unnamed socket is the main one: HTTPS if a
//! domain is configured, else plain HTTP.

use std::io::ErrorKind;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use anyhow::{Context, anyhow, bail};
use listenfd::ListenFd;
use tokio::net::{TcpListener, TcpSocket};

use crate::config::{Config, ConfigError};

/// The sockets of the server.
pub struct Sockets {
    /// Plain HTTP: for all clients, or only for this machine when HTTPS is on.
    pub plain: TcpListener,
    /// HTTPS, if a domain is configured.
    pub https: Option<TcpListener>,
    /// Plain HTTP that redirects to HTTPS.
    pub redirect: Option<TcpListener>,
}

/// Sockets inherited from systemd, with their names.
#[derive(Debug, Default)]
pub struct InheritedSockets(Vec<(std::net::TcpListener, String)>);

impl InheritedSockets {
    /// Takes the sockets from the environment. Call it before any thread starts.
    ///
    /// # Errors
    /// When an inherited descriptor is not a listening TCP socket.
    pub fn take() -> anyhow::Result<Self> {
        // listenfd would also accept `LISTEN_FDS` without a pid, which may be left over from a shell.
        if std::env::var_os("LISTEN_PID").is_none() {
            return Ok(Self::default());
        }
        let names = std::env::var("LISTEN_FDNAMES").unwrap_or_default();
        let mut names = names.split(':').map(str::to_owned);
        let mut handed = ListenFd::from_env();
        let mut sockets = Vec::new();
        for index in 0..handed.len() {
            let socket = handed
                .take_tcp_listener(index)
                .context("systemd handed over something else than a TCP socket (see ListenStream=)")?
                .context("systemd handed over a socket twice")?;
            sockets.push((socket, names.next().unwrap_or_default()));
        }
        Ok(Self(sockets))
    }

    /// Sorts the sockets by role.
    fn sort(self, config: &Config) -> anyhow::Result<SocketsByRole> {
        let mut sorted = SocketsByRole::default();
        let is_alone = self.0.len() == 1;
        for (socket, name) in self.0 {
            let address = socket.local_addr().context("a socket from systemd")?;
            let place = match role(&name, address.port(), is_alone, config) {
                Some(SocketRole::Plain) => &mut sorted.plain,
                Some(SocketRole::Https) => &mut sorted.https,
                Some(SocketRole::Redirect) => &mut sorted.redirect,
                None => bail!(ConfigError(unknown(address, &name, config))),
            };
            if place.is_some() {
                bail!(ConfigError(format!(
                    "systemd handed over two sockets for the same purpose; {address} is the second"
                )));
            }
            tracing::info!("listening on {address}, passed by systemd; the configured address is ignored");
            socket.set_nonblocking(true).context("a socket from systemd")?;
            *place = Some(TcpListener::from_std(socket).context("a socket from systemd")?);
        }
        Ok(sorted)
    }
}

#[derive(Default)]
struct SocketsByRole {
    plain: Option<TcpListener>,
    https: Option<TcpListener>,
    redirect: Option<TcpListener>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SocketRole {
    Plain,
    Https,
    Redirect,
}

fn role(name: &str, port: u16, is_alone: bool, config: &Config) -> Option<SocketRole> {
    let has_domain = config.https.is_on();
    let front = if has_domain { SocketRole::Https } else { SocketRole::Plain };
    match name {
        "https" => has_domain.then_some(SocketRole::Https),
        "http" => Some(if has_domain { SocketRole::Redirect } else { SocketRole::Plain }),
        _ if is_alone => Some(front),
        _ if has_domain && port == config.https.listen.port() => Some(SocketRole::Https),
        _ if has_domain && config.https.redirect_listen.is_some_and(|address| address.port() == port) => {
            Some(SocketRole::Redirect)
        }
        _ => (port == config.server.listen.port()).then_some(SocketRole::Plain),
    }
}

fn unknown(address: SocketAddr, name: &str, config: &Config) -> String {
    let cure = if config.https.is_on() {
        "give it the name http or https in the .socket unit (FileDescriptorName=), or its port to \
         https.listen or https.redirect_listen"
    } else {
        "without https.domain only one socket is of use"
    };
    format!("systemd handed over {address} ({name:?}), and nothing says what it is for: {cure}")
}

impl Sockets {
    /// Uses inherited sockets and binds the missing ones.
    ///
    /// # Errors
    /// When an address is in use or not local, with the remedy; when an inherited socket has no role.
    pub fn open(config: &Config, inherited: InheritedSockets) -> anyhow::Result<Self> {
        let mut sorted = inherited.sort(config)?;
        let plain = match sorted.plain.take() {
            Some(socket) => socket,
            None => bind(config.server.listen, "choose one with --listen")?,
        };
        if !config.https.is_on() {
            return Ok(Self { plain, https: None, redirect: None });
        }
        let https = match sorted.https.take() {
            Some(socket) => socket,
            None => bind(config.https.listen, "choose one with https.listen")?,
        };
        let redirect = match (sorted.redirect.take(), config.https.redirect_listen) {
            (Some(socket), _) => Some(socket),
            (None, Some(address)) => {
                Some(bind(address, "choose one with https.redirect_listen, or \"\" for none")?)
            }
            (None, None) => None,
        };
        Ok(Self { plain, https: Some(https), redirect })
    }
}

/// Local address of a server that listens on every address.
pub fn reachable(address: SocketAddr) -> SocketAddr {
    let ip = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, address.port())
}

/// Binds an address; `cure` is the remedy if it is in use.
///
/// # Errors
/// When the address is in use or not local.
pub fn bind(address: SocketAddr, cure: &str) -> anyhow::Result<TcpListener> {
    let error = match listen(address) {
        Ok(socket) => return Ok(socket),
        Err(error) => error,
    };
    // Without IPv6 there is no [::]; listen on all IPv4 addresses instead.
    let has_no_ipv6 = matches!(error.kind(), ErrorKind::AddrNotAvailable | ErrorKind::Unsupported)
        || error.raw_os_error() == Some(rustix::io::Errno::AFNOSUPPORT.raw_os_error());
    if has_no_ipv6 && address.is_ipv6() && address.ip().is_unspecified() {
        tracing::info!("this machine has no IPv6; listening on IPv4 alone");
        let address = SocketAddr::new(IpAddr::V4(Ipv4Addr::UNSPECIFIED), address.port());
        return listen(address).with_context(|| explain(address, &error, cure));
    }
    let message = explain(address, &error, cure);
    Err(anyhow!(error).context(message))
}

/// Listens with a long backlog: a flood fills the default of 128 instantly, and a client that finds it full retries
/// only after a second.
fn listen(address: SocketAddr) -> std::io::Result<TcpListener> {
    const WAITING: u32 = 1024;
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    // Allows rebinding a port that was just released.
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(WAITING)
}

fn explain(address: SocketAddr, error: &std::io::Error, cure: &str) -> String {
    match error.kind() {
        ErrorKind::PermissionDenied => format!(
            "listening on {address} (ports under 1024 need a right: enable schoolhouse.socket, or give the service \
             AmbientCapabilities=CAP_NET_BIND_SERVICE; see HTTPS in man schoolhouse-guide)"
        ),
        _ => format!("listening on {address} (is another program using it? {cure})"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_socket_has_a_role_by_name_or_by_port_or_as_the_only_one() {
        let plain = Config::default();
        let mut with_domain = Config::default();
        with_domain.https.domain = "school.example".into();
        let table = [
            ("schoolhouse.socket", 9, true, Some(SocketRole::Plain), Some(SocketRole::Https)),
            ("http", 9, true, Some(SocketRole::Plain), Some(SocketRole::Redirect)),
            ("https", 9, true, None, Some(SocketRole::Https)),
            ("schoolhouse.socket", 443, false, None, Some(SocketRole::Https)),
            ("schoolhouse.socket", 80, false, None, Some(SocketRole::Redirect)),
            ("", 8080, false, Some(SocketRole::Plain), Some(SocketRole::Plain)),
            ("", 9, false, None, None),
        ];
        for (name, port, is_alone, without, with) in table {
            assert_eq!(role(name, port, is_alone, &plain), without, "{name} {port}");
            assert_eq!(role(name, port, is_alone, &with_domain), with, "{name} {port}");
        }
    }
}
