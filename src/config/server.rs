//! `[server]`: how the server listens and what it believes.

use std::net::SocketAddr;

use ipnet::IpNet;
use serde::{Deserialize, Serialize};

use super::values::{self, PublicUrl};

/// `[server]`
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Server {
    /// The address to listen on.
    pub listen: SocketAddr,
    /// The address that people type; links in e-mails use it. Without one: the listening address.
    #[serde(with = "values::optional")]
    pub public_url: Option<PublicUrl>,
    /// Proxies whose `X-Forwarded-For` is believed.
    pub trusted_proxies: Vec<IpNet>,
    /// Whether browsers are told to use HTTPS for every name below the school's, too.
    pub hsts_subdomains: bool,
    /// Connections served at once.
    pub max_connections: usize,
    /// Of these, from one client address.
    pub max_connections_per_client: usize,
    /// Free space, in megabytes, below which uploads are refused.
    pub disk_reserve_mb: u64,
}

impl Default for Server {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from(([127, 0, 0, 1], 8080)),
            public_url: None,
            trusted_proxies: Vec::new(),
            hsts_subdomains: false,
            max_connections: 1024,
            max_connections_per_client: 128,
            disk_reserve_mb: 256,
        }
    }
}
