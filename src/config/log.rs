//! `[log]`: what is logged, and how.

use serde::{Deserialize, Serialize};

/// `[log]`
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Log {
    /// How a line looks.
    pub format: Format,
    /// The least important lines that are written.
    pub level: Level,
    /// Whether lines about refusals name the client's address.
    pub security_addresses: bool,
}

/// How a line looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// For people.
    Text,
    /// One object per line, for programs.
    Json,
}

/// How important a line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Something failed.
    Error,
    /// Something somebody should look at one day.
    Warn,
    /// Starts, stops, and what is done unasked.
    Info,
    /// Every request.
    Debug,
    /// Everything.
    Trace,
}

impl Default for Log {
    fn default() -> Self {
        Self { format: Format::Text, level: Level::Info, security_addresses: false }
    }
}

impl Level {
    /// Its name, as a filter writes it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warn => "warn",
            Self::Info => "info",
            Self::Debug => "debug",
            Self::Trace => "trace",
        }
    }
}
