//! schoolhouse: the public website, the student portal and the office of one school.
//!
//! The map, one request, what always holds and the glossary follow from `docs/architecture.md`; where a new thing
//! goes is in `CONTRIBUTING.md`.
#![doc = include_str!("../docs/architecture.md")]
// rustc asks for documentation only where another crate looks; this asks for whatever a room shows to others.
#![warn(clippy::missing_docs_in_private_items)]

pub(crate) mod accounts;
pub(crate) mod admissions;
pub(crate) mod audit;
pub(crate) mod audit_log;
pub(crate) mod base;
pub(crate) mod classes;
pub(crate) mod cli;
pub(crate) mod config;
pub(crate) mod consents;
pub(crate) mod courses;
pub(crate) mod dashboard;
pub(crate) mod decisions;
pub(crate) mod demo;
pub(crate) mod documents;
pub(crate) mod email_log;
pub(crate) mod enrollments;
pub(crate) mod family;
pub(crate) mod handover;
pub(crate) mod mail;
pub(crate) mod messages;
pub(crate) mod money;
pub(crate) mod operations;
pub(crate) mod paper;
pub(crate) mod portals;
pub(crate) mod privacy;
pub(crate) mod records;
pub(crate) mod schedule;
pub(crate) mod school;
pub(crate) mod server;
pub(crate) mod settings;
pub(crate) mod staff;
pub(crate) mod storage;
pub(crate) mod students;
pub(crate) mod terms;
pub mod testing;
pub(crate) mod web;
pub(crate) mod website;

pub use cli::run;

#[cfg(test)]
mod tests;
