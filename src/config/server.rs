//! `[server]`: listening address, public URL, trusted proxies.

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
    /// The public URL, used for links in emails; by default the listening address.
    #[serde(with = "values::optional")]
    pub public_url: Option<PublicUrl>,
    /// Proxies trusted to set `X-Forwarded-For`.
    pub trusted_proxies: Vec<IpNet>,
    /// Whether HSTS includes subdomains.
    pub hsts_subdomains: bool,
    /// Connections served at once.
    pub max_connections: usize,
    /// Connections from one client address.
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
