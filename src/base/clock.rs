//! Time, handed in. Rules ask a [`Clock`]; only this file asks the machine.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

/// Tells the time: the machine's, or one that a test sets.
#[derive(Clone, Debug)]
pub enum Clock {
    /// The machine's clock.
    System,
    /// A clock that stands still until it is moved; seconds since 1970.
    Set(Arc<AtomicI64>),
}

impl Clock {
    /// A clock that stands at `start`.
    pub fn set_to(start: Timestamp) -> Self {
        Self::Set(Arc::new(AtomicI64::new(start.as_second())))
    }

    /// The instant, to the second.
    #[expect(clippy::disallowed_methods, reason = "the one place that reads the machine's clock")]
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

    /// Moves a set clock forward; the machine's clock is left alone.
    pub fn advance(&self, by: SignedDuration) {
        if let Self::Set(seconds) = self {
            seconds.fetch_add(by.as_secs(), Ordering::SeqCst);
        }
    }
}

/// The instant of a log line. Nothing is decided by it, so no test sets it.
#[expect(clippy::disallowed_methods, reason = "the one place that reads the machine's clock")]
pub fn log_time() -> Timestamp {
    Timestamp::now()
}

/// An instant as it travels: seconds since 1970 in the database.
pub fn from_seconds(seconds: i64) -> Timestamp {
    Timestamp::from_second(seconds).unwrap_or_default()
}
