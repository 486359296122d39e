//! The log: one line per event on stderr, as text or as JSON, with the request it belongs to.
//!
//! Promises: no line contains a query, a name or a token, nor an address unless configured for fail2ban
//! ([`security_log`](crate::base::security_log)); each event is one line, whatever its message contains; a panic is
//! logged by its location only, because its message may quote user input.

mod lines;
pub mod request;

use std::io::IsTerminal;

use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use self::lines::{LineStyle, LineWriter};
use crate::base::closed_set::ClosedSet;
use crate::config::Log;

/// Starts logging to stderr; the variable `SCHOOLHOUSE_LOG`, for example `debug`, overrides the level.
pub fn start(settings: &Log) {
    let wanted = std::env::var("SCHOOLHOUSE_LOG").unwrap_or_else(|_| settings.level.as_str().into());
    // tower-sessions warns about every cookie of an ended session, which is normal.
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

/// Whether stderr is systemd's journal. The variable alone is not enough: a child process inherits it with another
/// stderr.
fn is_journal() -> bool {
    let Ok(stream) = std::env::var("JOURNAL_STREAM") else { return false };
    rustix::fs::fstat(std::io::stderr())
        .is_ok_and(|stat| stream == format!("{}:{}", stat.st_dev, stat.st_ino))
}
