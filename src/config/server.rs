//! `[server]`: listening address, public URL, trusted proxies.

use std::net::SocketAddr;

use ipnet::IpNet;

use super::values::{self, PublicUrl};

section! {
    /// `[server]`
    pub struct Server {
        /// The address to listen on.
        pub listen: SocketAddr = SocketAddr::from(([127, 0, 0, 1], 8080)),
        /// The public URL, used for links in emails; by default the listening address.
        #[serde(with = "values::optional")]
        pub public_url: Option<PublicUrl> = None,
        /// Proxies trusted to set `X-Forwarded-For`.
        pub trusted_proxies: Vec<IpNet> = Vec::new(),
        /// Whether HSTS includes subdomains.
        pub hsts_subdomains: bool = false,
        /// Connections served at once.
        pub max_connections: usize = 1024,
        /// Connections from one client address.
        pub max_connections_per_client: usize = 128,
        /// Free space, in megabytes, below which uploads are refused.
        pub disk_reserve_mb: u64 = 256,
    }
}
