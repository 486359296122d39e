//! The server over HTTP, by the people who use it. Modules mirror the rooms.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test stops at the first surprise"
)]

mod access;
mod admissions;
mod backups;
mod connections;
mod corrupt;
mod courses;
mod damage;
mod demo;
mod devices;
mod doctor;
mod documents;
mod durability;
mod enrollments;
mod health;
mod history;
mod http2;
mod https;
mod limits;
mod lists;
mod litestream;
mod log;
mod mail;
mod members;
mod messages;
mod metrics;
mod network;
mod passwords;
mod pebble;
mod prices;
mod program;
mod proxies;
mod quota;
mod sockets;
mod staff;
#[cfg(debug_assertions)]
mod statements;
mod students;
mod support;
mod systemd;
mod takeover;
mod upkeep;
mod website;
