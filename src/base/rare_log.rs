//! Throttles a log line that every request of a flood would cause: one line per interval, with a count.

use std::time::Duration;

use tokio::time::Instant;

/// Minimum time between two lines.
const INTERVAL: Duration = Duration::from_mins(1);

/// Counts the events between two log lines.
#[derive(Debug, Default)]
pub struct RareLog {
    last: Option<Instant>,
    count: u64,
}

impl RareLog {
    /// Counts an event; returns the count when it is time to log it.
    pub fn is_due(&mut self, now: Instant) -> Option<u64> {
        self.count += 1;
        if self.last.is_some_and(|last| now.duration_since(last) < INTERVAL) {
            return None;
        }
        self.last = Some(now);
        Some(std::mem::take(&mut self.count))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_is_logged_once_a_minute_with_its_count() {
        let mut log = RareLog::default();
        let start = Instant::now();
        let logged: Vec<_> =
            (0..1000).filter_map(|tenth| log.is_due(start + Duration::from_millis(100) * tenth)).collect();
        assert_eq!(logged, [1, 600]);
    }
}
