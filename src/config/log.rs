//! `[log]`: what is logged, and how.

use serde::{Deserialize, Serialize};

use crate::base::closed_set::closed_set;

/// `[log]`
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Log {
    /// How a line looks.
    pub format: LogFormat,
    /// The least important lines that are written.
    pub level: Level,
    /// Whether lines about refusals name the client's address.
    pub security_addresses: bool,
}

/// How a line looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    /// For people.
    Text,
    /// One object per line, for programs.
    Json,
}

closed_set! {
    /// How important a line is.
    pub enum Level {
        /// Something failed.
        Error = "error",
        /// Something somebody should look at one day.
        Warn = "warn",
        /// Starts, stops, and what is done unasked.
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
