//! How long a client may take for what.
//!
//! A time alone is not enough where a client can send or read one byte now and then, so bodies and
//! answers also have a least pace. It is a fraction of what a poor telephone manages (2 to 5 kB/s),
//! and it is looked at over a window that bridges a tunnel.

use std::time::Duration;

/// Every limit in time. The defaults are the server's; tests shorten them.
#[derive(Debug, Clone, Copy)]
pub struct Timeouts {
    /// The TLS handshake.
    pub handshake: Duration,
    /// From the connection, or the end of the handshake, to the first byte of a request.
    pub first_byte: Duration,
    /// To the end of the first header, and between two requests of HTTP/1, the next header included.
    pub header: Duration,
    /// Between two requests of HTTP/2.
    pub idle: Duration,
    /// A whole body, unless it is an upload.
    pub body: Duration,
    /// How long an upload or an answer may stay behind the least pace.
    pub window: Duration,
    /// The least pace of uploads and answers, in bytes per second.
    pub bytes_per_second: u64,
    /// How long a connection stays before another one of the same client, who has too many, ends it.
    pub min_age: Duration,
    /// For a client to take note of the end and hang up.
    pub linger: Duration,
    /// For running requests, at the end of the server.
    pub drain: Duration,
    /// How often the open connections are looked at; they end at most so much early.
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
    /// Whether so many bytes in so much time keep the least pace.
    pub(super) fn is_enough(&self, bytes: u64, time: Duration) -> bool {
        bytes > 0 && u128::from(bytes) * 1000 >= u128::from(self.bytes_per_second) * time.as_millis()
    }
}
