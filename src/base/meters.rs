//! Metrics of the process, as statics: one process serves one school.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use jiff::Timestamp;

/// When the server started.
pub static STARTED: OnceLock<Timestamp> = OnceLock::new();
/// Open connections.
pub static CONNECTIONS: Gauge = Gauge(AtomicI64::new(0));
/// Connections refused because too many were in use.
pub static REFUSED_CONNECTIONS: Counter = Counter(AtomicU64::new(0));
/// Connections closed to make room for new ones.
pub static EVICTED_CONNECTIONS: Counter = Counter(AtomicU64::new(0));
/// Connections closed because they were idle or too slow.
pub static TIMED_OUT_CONNECTIONS: Counter = Counter(AtomicU64::new(0));
/// Writes per commit.
pub static COMMIT_WRITES: Histogram<9> = Histogram::new(&[1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 96.0, 128.0]);
/// Seconds from the start of a transaction until it was on disk.
pub static COMMIT_SECONDS: Histogram<9> =
    Histogram::new(&[0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.25, 1.0, 5.0]);
/// Failed commits.
pub static FAILED_COMMITS: Counter = Counter(AtomicU64::new(0));
/// Seconds that reads waited for a connection, if at all.
pub static READER_WAITS: Histogram<6> = Histogram::new(&[0.0005, 0.001, 0.005, 0.025, 0.1, 1.0]);
/// Documents received.
pub static UPLOADS: Counter = Counter(AtomicU64::new(0));
/// Bytes of the documents received.
pub static UPLOADED_BYTES: Counter = Counter(AtomicU64::new(0));

/// A metric that only grows.
pub struct Counter(AtomicU64);

impl Counter {
    /// A counter at zero.
    pub const fn new() -> Self {
        Self(AtomicU64::new(0))
    }

    /// Adds to the counter.
    pub fn add(&self, count: u64) {
        self.0.fetch_add(count, Ordering::Relaxed);
    }

    /// The current value.
    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

impl Default for Counter {
    fn default() -> Self {
        Self::new()
    }
}

/// A metric that goes up and down.
pub struct Gauge(AtomicI64);

impl Gauge {
    /// Increments the gauge until the guard is dropped.
    pub fn hold(&'static self) -> GaugeGuard {
        self.0.fetch_add(1, Ordering::Relaxed);
        GaugeGuard(self)
    }

    /// The current value.
    pub fn get(&self) -> i64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// Decrements its [`Gauge`] when dropped.
pub struct GaugeGuard(&'static Gauge);

impl Drop for GaugeGuard {
    fn drop(&mut self) {
        self.0.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Distribution of values over buckets with `N` upper bounds.
pub struct Histogram<const N: usize> {
    bounds: &'static [f64; N],
    /// Values above every bound are only in `count`.
    buckets: [AtomicU64; N],
    count: AtomicU64,
    /// In millionths, because there is no atomic float.
    sum_micros: AtomicU64,
}

impl<const N: usize> Histogram<N> {
    /// An empty histogram; the bounds ascend.
    pub const fn new(bounds: &'static [f64; N]) -> Self {
        Self {
            bounds,
            buckets: [const { AtomicU64::new(0) }; N],
            count: AtomicU64::new(0),
            sum_micros: AtomicU64::new(0),
        }
    }

    /// Records a value.
    pub fn note(&self, value: f64) {
        if let Some(bucket) = self.bounds.iter().position(|bound| value <= *bound) {
            self.buckets[bucket].fetch_add(1, Ordering::Relaxed);
        }
        let micros = Duration::try_from_secs_f64(value).map_or(0, |value| value.as_micros());
        self.sum_micros.fetch_add(u64::try_from(micros).unwrap_or(u64::MAX), Ordering::Relaxed);
        self.count.fetch_add(1, Ordering::Relaxed);
    }

    /// Records the seconds since an instant.
    pub fn note_since(&self, start: Instant) {
        self.note(start.elapsed().as_secs_f64());
    }

    /// Each bound with the number of values up to it; then the count and the sum of all values.
    pub fn read(&self) -> (Vec<(f64, u64)>, u64, f64) {
        let mut so_far = 0;
        let buckets: Vec<_> = self
            .bounds
            .iter()
            .zip(&self.buckets)
            .map(|(bound, bucket)| {
                so_far += bucket.load(Ordering::Relaxed);
                (*bound, so_far)
            })
            .collect();
        // Read last, and never less than what the buckets hold.
        let count = self.count.load(Ordering::Relaxed).max(so_far);
        let sum = Duration::from_micros(self.sum_micros.load(Ordering::Relaxed)).as_secs_f64();
        (buckets, count, sum)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_histogram_counts_each_value_once_and_reports_cumulative_buckets() {
        let histogram = Histogram::new(&[0.5, 1.0]);
        for value in [0.25, 0.5, 0.75, 3.0] {
            histogram.note(value);
        }
        assert_eq!(histogram.read(), (vec![(0.5, 2), (1.0, 3)], 4, 4.5));
    }

    #[test]
    fn a_gauge_goes_down_when_what_it_counts_ends() {
        static OPEN: Gauge = Gauge(AtomicI64::new(0));
        let held = OPEN.hold();
        assert_eq!(OPEN.get(), 1);
        drop(held);
        assert_eq!(OPEN.get(), 0);
    }
}
