//! `[metrics]`: metrics for Prometheus.

use std::fmt::Write;
use std::net::SocketAddr;

use serde::{Deserialize, Serialize};

use super::values;

/// `[metrics]`
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Metrics {
    /// The address to listen on, if any.
    #[serde(with = "values::optional_address")]
    pub listen: Option<SocketAddr>,
    /// Whether the address may be reachable from other machines.
    pub allow_remote: bool,
}

impl Metrics {
    /// Adds a line to `wrong` for each invalid value.
    pub(super) fn check(&self, wrong: &mut String) {
        if let Some(address) = self.listen.filter(|address| !address.ip().is_loopback() && !self.allow_remote)
        {
            let _ = writeln!(
                wrong,
                "metrics.listen: {address} can be reached from other machines, and nothing protects it; \
                 use 127.0.0.1, or set metrics.allow_remote = true"
            );
        }
    }
}
