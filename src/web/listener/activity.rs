//! Activity counters of one connection.
//!
//! They are incremented as bytes and requests pass, at the cost of an addition each, and read by the
//! [`Registry`](super::registry::Registry), so no timer is set per request. The values of one snapshot may be slightly
//! inconsistent; decisions are based on repeated snapshots.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64};

/// Protocol phase of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    /// TLS handshake.
    Handshake,
    Http1,
    Http2,
}

/// The counters of one connection.
#[derive(Debug, Default)]
pub(super) struct Activity {
    phase: AtomicU8,
    /// Whether a byte of a request has been received.
    has_received: AtomicBool,
    /// Whether the socket's send buffer is full because the client does not read.
    is_blocked: AtomicBool,
    /// Bytes accepted by the kernel.
    written: AtomicU64,
    /// Bytes of request bodies received and of responses handed to hyper.
    moved: AtomicU64,
    /// Requests started.
    begun: AtomicU64,
    /// Running requests, until the last piece of the response was handed to hyper.
    running: AtomicU64,
    /// Requests waiting for their body.
    bodies_awaited: AtomicU64,
    /// Responses blocked by HTTP/2 flow control.
    answers_waiting: AtomicU64,
}

/// A snapshot of the counters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ActivitySnapshot {
    pub phase: Phase,
    pub has_received: bool,
    pub is_blocked: bool,
    pub written: u64,
    pub moved: u64,
    pub begun: u64,
    running: u64,
    bodies_awaited: u64,
    answers_waiting: u64,
}

/// What a connection waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WaitingOn {
    /// For the client's next request.
    Idle,
    /// For the client to send a body.
    Sending,
    /// For the client to read a response.
    Reading,
    /// For the server to respond.
    Server,
}

impl ActivitySnapshot {
    pub fn turn(&self) -> WaitingOn {
        if self.is_blocked {
            WaitingOn::Reading
        } else if self.running == 0 {
            WaitingOn::Idle
        } else if self.bodies_awaited + self.answers_waiting < self.running {
            WaitingOn::Server
        } else if self.answers_waiting > 0 {
            WaitingOn::Reading
        } else {
            WaitingOn::Sending
        }
    }
}

impl Activity {
    pub fn enter(&self, phase: Phase) {
        self.phase.store(phase as u8, Relaxed);
    }

    pub fn note_received(&self) {
        if !self.has_received.load(Relaxed) {
            self.has_received.store(true, Relaxed);
        }
    }

    /// The kernel accepted this many bytes.
    pub fn write(&self, bytes: usize) {
        self.written.fetch_add(bytes as u64, Relaxed);
        if self.is_blocked.load(Relaxed) {
            self.is_blocked.store(false, Relaxed);
        }
    }

    /// The kernel's buffer is full.
    pub fn block(&self) {
        self.is_blocked.store(true, Relaxed);
    }

    pub fn is_blocked(&self) -> bool {
        self.is_blocked.load(Relaxed)
    }

    pub fn move_bytes(&self, bytes: usize) {
        self.moved.fetch_add(bytes as u64, Relaxed);
    }

    pub fn begin(&self) {
        self.begun.fetch_add(1, Relaxed);
        self.running.fetch_add(1, Relaxed);
    }

    pub fn end(&self) {
        self.running.fetch_sub(1, Relaxed);
    }

    pub fn await_body(&self) {
        self.bodies_awaited.fetch_add(1, Relaxed);
    }

    pub fn body_came(&self) {
        self.bodies_awaited.fetch_sub(1, Relaxed);
    }

    pub fn hand_on(&self) {
        self.answers_waiting.fetch_add(1, Relaxed);
    }

    pub fn was_taken(&self) {
        self.answers_waiting.fetch_sub(1, Relaxed);
    }

    pub fn read(&self) -> ActivitySnapshot {
        ActivitySnapshot {
            phase: match self.phase.load(Relaxed) {
                phase if phase == Phase::Http1 as u8 => Phase::Http1,
                phase if phase == Phase::Http2 as u8 => Phase::Http2,
                _ => Phase::Handshake,
            },
            has_received: self.has_received.load(Relaxed),
            is_blocked: self.is_blocked.load(Relaxed),
            written: self.written.load(Relaxed),
            moved: self.moved.load(Relaxed),
            begun: self.begun.load(Relaxed),
            running: self.running.load(Relaxed),
            bodies_awaited: self.bodies_awaited.load(Relaxed),
            answers_waiting: self.answers_waiting.load(Relaxed),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_connection_waits_for_its_client_only_when_every_request_does() {
        let activity = Activity::default();
        let turn = || activity.read().turn();
        assert_eq!(turn(), WaitingOn::Idle);
        activity.begin();
        assert_eq!(turn(), WaitingOn::Server);
        activity.await_body();
        assert_eq!(turn(), WaitingOn::Sending);
        activity.begin();
        assert_eq!(turn(), WaitingOn::Server);
        activity.hand_on();
        assert_eq!(turn(), WaitingOn::Reading);
        activity.body_came();
        assert_eq!(turn(), WaitingOn::Server);
        activity.end();
        activity.was_taken();
        activity.end();
        assert_eq!(turn(), WaitingOn::Idle);
        activity.block();
        assert_eq!(turn(), WaitingOn::Reading, "the last bytes of a finished answer are not read");
        activity.write(1);
        assert_eq!(turn(), WaitingOn::Idle);
    }
}
