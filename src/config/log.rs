//! `[log]`: level and format of the log.

use serde::{Deserialize, Serialize};

use crate::base::closed_set::closed_set;

section! {
    /// `[log]`
    pub struct Log {
        /// Format of a line.
        pub format: LogFormat = LogFormat::Text,
        /// Minimum level that is logged.
        pub level: Level = Level::Info,
        /// Whether security events include the client's address.
        pub security_addresses: bool = false,
    }
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
