//! The log: one line per event on stderr, as text or as JSON, with the request it belongs to.
//!
//! Promises: no query, name or token of anybody is in a line, and no address, unless fail2ban needs it
//! and the configuration says so ([`security_log`](crate::base::security_log)); a line is one line, whatever
//! a message holds; a panic is logged by its place, because its message may quote what a person sent.

mod lines;
pub mod request;

use std::io::IsTerminal;

use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use self::lines::{LineStyle, LineWriter};
use crate::base::closed_set::ClosedSet;
use crate::config::Log;

/// Begins to log to stderr; the variable `SCHOOLHOUSE_LOG`, for example `debug`, wins over the level.
pub fn start(settings: &Log) {
    let wanted = std::env::var("SCHOOLHOUSE_LOG").unwrap_or_else(|_| settings.level.as_str().into());
    // tower-sessions warns of every cookie whose session has ended, which is every day's business.
    let quiet = "refinery=warn,refinery_core=warn,tower_sessions=error,tower_sessions_core=error";
    let filter = format!("{wanted},{quiet}").parse().unwrap_or_else(|_| {
        eprintln!("SCHOOLHOUSE_LOG: must be error, warn, info, debug or trace (found {wanted:?})");
        Targets::new().with_default(LevelFilter::INFO)
    });
    let look = LineStyle {
        format: settings.format,
        is_journal: is_journal(),
        is_terminal: std::io::stderr().is_terminal(),
    };
    tracing_subscriber::registry().with(LineWriter::to_stderr(look)).with(filter).init();
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map_or_else(|| "an unknown place".into(), ToString::to_string);
        tracing::error!("panicked at {place}");
    }));
}

/// Whether stderr is systemd's journal, which notes time and importance itself. The variable alone
/// does not tell: a child inherits it with its stderr elsewhere.
fn is_journal() -> bool {
    let Ok(stream) = std::env::var("JOURNAL_STREAM") else { return false };
    rustix::fs::fstat(std::io::stderr())
        .is_ok_and(|stat| stream == format!("{}:{}", stat.st_dev, stat.st_ino))
}
