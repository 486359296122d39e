//! Time limits of connections.
//!
//! A time limit alone does not stop a client that sends or reads single bytes, so bodies and responses also have a
//! minimum rate. It is a fraction of what a phone with poor reception manages (2 to 5 kB/s), averaged over a window
//! long enough for a tunnel.

use std::time::Duration;

/// Every time limit. The server uses the defaults; tests shorten them.
#[derive(Debug, Clone, Copy)]
pub struct Timeouts {
    /// The TLS handshake.
    pub handshake: Duration,
    /// From connecting, or the end of the handshake, to the first byte of a request.
    pub first_byte: Duration,
    /// To the end of the first header, and between two HTTP/1 requests including the next header.
    pub header: Duration,
    /// Between two requests of HTTP/2.
    pub idle: Duration,
    /// A whole body, unless it is an upload.
    pub body: Duration,
    /// How long an upload or a response may stay below the minimum rate.
    pub window: Duration,
    /// Minimum rate of uploads and responses, in bytes per second.
    pub bytes_per_second: u64,
    /// Minimum age before a connection is closed in favour of another of the same client.
    pub min_age: Duration,
    /// Time for a client to notice the close and disconnect.
    pub linger: Duration,
    /// Time for running requests at shutdown.
    pub drain: Duration,
    /// Interval of the sweep; connections may be closed early by this much.
    pub tick: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            handshake: Duration::from_secs(5),
            first_byte: Duration::from_secs(5),
            header: Duration::from_secs(10),
            idle: Duration::from_mins(1),
            body: Duration::from_secs(15),
            window: Duration::from_secs(20),
            bytes_per_second: 512,
            min_age: Duration::from_secs(1),
            linger: Duration::from_secs(2),
            drain: Duration::from_secs(20),
            tick: Duration::from_millis(500),
        }
    }
}

impl Timeouts {
    /// Whether this many bytes in this time keep the minimum rate.
    pub(super) fn is_enough(&self, bytes: u64, time: Duration) -> bool {
        bytes > 0 && u128::from(bytes) * 1000 >= u128::from(self.bytes_per_second) * time.as_millis()
    }
}
