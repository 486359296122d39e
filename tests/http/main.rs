//! The server over HTTP, as its users call it. Modules mirror those of `src/`.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test stops at the first surprise"
)]

mod admissions;
mod audit_log;
mod authenticator;
mod borders;
mod classes;
mod cli;
mod courses;
mod dashboard;
mod demo;
mod documents;
mod email_log;
mod enrollments;
mod family;
mod history;
mod mail;
mod messages;
mod money;
mod operations;
mod passkeys;
mod portals;
mod privacy;
mod proofs;
mod records;
mod schedule;
mod second_factor;
mod server;
mod settings;
mod staff;
#[cfg(debug_assertions)]
mod statements;
mod students;
#[path = "../support/mod.rs"]
mod support;
mod terms;
mod truth;
mod web;
mod website;
