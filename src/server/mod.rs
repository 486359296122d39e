//! The server: startup and shutdown, router, health, log, systemd.

mod headers;
mod health;
pub mod log;
pub mod maintenance;
pub mod openapi;
pub mod router;
pub mod run;
pub mod systemd;
