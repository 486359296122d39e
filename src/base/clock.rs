//! Injected time. Rules take a [`Clock`]; only this file reads the system clock.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

/// The system clock, or one that a test sets.
#[derive(Clone, Debug)]
pub enum Clock {
    /// The system clock.
    System,
    /// A clock that stands still until advanced; seconds since 1970.
    Set(Arc<AtomicI64>),
}

impl Clock {
    /// A clock that stands at `start`.
    pub fn set_to(start: Timestamp) -> Self {
        Self::Set(Arc::new(AtomicI64::new(start.as_second())))
    }

    /// The current instant, to the second.
    #[expect(clippy::disallowed_methods, reason = "the only place that reads the system clock")]
    pub fn now(&self) -> Timestamp {
        match self {
            Self::System => Timestamp::from_second(Timestamp::now().as_second()).unwrap_or_default(),
            Self::Set(seconds) => Timestamp::from_second(seconds.load(Ordering::SeqCst)).unwrap_or_default(),
        }
    }

    /// The calendar date in a time zone.
    pub fn today(&self, zone: &TimeZone) -> Date {
        self.now().to_zoned(zone.clone()).date()
    }

    /// Advances a test clock; no effect on the system clock.
    pub fn advance(&self, by: SignedDuration) {
        if let Self::Set(seconds) = self {
            seconds.fetch_add(by.as_secs(), Ordering::SeqCst);
        }
    }
}

/// The timestamp of a log line. No decision depends on it, so no test sets it.
#[expect(clippy::disallowed_methods, reason = "the only place that reads the system clock")]
pub fn log_time() -> Timestamp {
    Timestamp::now()
}

/// Converts the database's seconds since 1970.
pub fn from_seconds(seconds: i64) -> Timestamp {
    Timestamp::from_second(seconds).unwrap_or_default()
}
