//! Serving: start and end, the router over every room, health, the log, systemd.

mod headers;
mod health;
pub mod log;
pub mod maintenance;
pub mod openapi;
pub mod router;
pub mod run;
pub mod systemd;
