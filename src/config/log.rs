//! `[log]`: level and format of the log.

use serde::{Deserialize, Serialize};

use crate::base::closed_set::closed_set;

/// `[log]`
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Log {
    /// Format of a line.
    pub format: LogFormat,
    /// Minimum level that is logged.
    pub level: Level,
    /// Whether security events include the client's address.
    pub security_addresses: bool,
}

/// Format of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    /// For people.
    Text,
    /// One object per line, for programs.
    Json,
}

closed_set! {
    /// Log level.
    pub enum Level {
        /// Something failed.
        Error = "error",
        /// Something the operator should look at eventually.
        Warn = "warn",
        /// Starts, stops and background work.
        Info = "info",
        /// Every request.
        Debug = "debug",
        /// Everything.
        Trace = "trace",
    }
}

impl Default for Log {
    fn default() -> Self {
        Self { format: LogFormat::Text, level: Level::Info, security_addresses: false }
    }
}
