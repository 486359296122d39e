//! What one connection is doing, in a handful of counters.
//!
//! They are turned where bytes and requests pass, at the price of an addition each, and read from
//! outside by the [`Registry`](super::registry::Registry): no timer is set or reset for a request.
//! The readings may be a moment apart from one another; whoever judges by them looks again later.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64};

/// What is spoken on a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    /// Nothing yet but the TLS handshake.
    Handshake,
    Http1,
    Http2,
}

/// The counters of one connection.
#[derive(Debug, Default)]
pub(super) struct Activity {
    phase: AtomicU8,
    /// Whether a byte of a request has come.
    is_heard: AtomicBool,
    /// Whether the kernel takes no more bytes, because the client reads none.
    is_blocked: AtomicBool,
    /// Bytes that the kernel took.
    written: AtomicU64,
    /// Bytes of bodies that came and of answers that were handed on.
    moved: AtomicU64,
    /// Requests that ever began.
    begun: AtomicU64,
    /// Requests that run, until the last piece of the answer was handed on.
    running: AtomicU64,
    /// Requests whose body is being waited for.
    bodies_awaited: AtomicU64,
    /// Answers of which a piece waits until the client makes room for it (HTTP/2's flow control).
    answers_waiting: AtomicU64,
}

/// The counters at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ActivitySnapshot {
    pub phase: Phase,
    pub is_heard: bool,
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
    /// Nothing runs.
    Idle,
    /// The client has to send a body.
    Sending,
    /// The client has to read an answer.
    Reading,
    /// The server has to answer.
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

    pub fn hear(&self) {
        if !self.is_heard.load(Relaxed) {
            self.is_heard.store(true, Relaxed);
        }
    }

    /// The kernel took so many bytes.
    pub fn write(&self, bytes: usize) {
        self.written.fetch_add(bytes as u64, Relaxed);
        if self.is_blocked.load(Relaxed) {
            self.is_blocked.store(false, Relaxed);
        }
    }

    /// The kernel took none.
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
            is_heard: self.is_heard.load(Relaxed),
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
    fn it_is_the_clients_turn_only_when_every_request_waits_for_it() {
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
