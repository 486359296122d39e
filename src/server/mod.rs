//! Serving: start and end, the router over every room, health, the log, systemd.

pub mod health;
pub mod housekeeping;
pub mod log;
pub mod router;
pub mod run;
pub mod systemd;
