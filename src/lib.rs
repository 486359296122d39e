//! schoolhouse: the public website, the student portal and the office of one school.
//!
//! # The rooms
//! - [`school`]: the public identity.
//! - [`courses`]: the catalogue, its import, and the cached bytes everybody reads.
//! - [`students`]: accounts, verification, login, profile.
//! - [`documents`]: what students upload, and who may look at it.
//! - [`enrollments`]: requests for courses and the office's decisions.
//! - [`fees`]: the ledger.
//! - [`messages`]: what visitors write to the school.
//! - [`admissions`]: families who ask for a place.
//! - [`mail`]: what became of each e-mail, and another try.
//! - [`staff`]: the people of the office, their login and their duties.
//! - [`dashboard`]: the office's figures; the one room that reads across the others.
//! - [`audit`]: what staff did.
//! - [`website`]: the pages, their heads and the embedded files.
//! - [`demo`]: the throw-away school of `serve --demo`.
//!
//! Everything else carries them: [`base`], [`storage`], [`config`], [`web`], [`operations`], [`server`], [`cli`].
//!
//! # One request
//! `POST /api/admin/enrollments/7/approve`: the listener reads it; the guards refuse it if another
//! site sent it; `CurrentStaff` in the handler's signature finds the session and the user or
//! answers 401; the handler hands one closure to `Db::write`; on the writer thread the closure
//! checks the state, changes it, posts the charge, records the audit row and queues the e-mail, all
//! in one savepoint; the group commits to the disk; only then the answer leaves, and the mailer
//! is rung.
//!
//! # Invariants
//! - A write is answered after its commit is on the disk. All writes go through one thread.
//! - A room's table is touched by that room alone; [`dashboard`] may read all.
//! - Who may call is a parameter of the handler.
//! - Another student's thing answers as if it did not exist.
//! - No secret and no personal data in a log; tokens and cookies are stored as hashes.
//! - Money is integer cents; a calendar date never passes through an instant.

pub mod admissions;
pub mod audit;
pub mod base;
pub mod cli;
pub mod config;
pub mod courses;
pub mod dashboard;
pub mod demo;
pub mod documents;
pub mod enrollments;
pub mod fees;
pub mod mail;
pub mod messages;
pub mod operations;
pub mod school;
pub mod server;
pub mod staff;
pub mod storage;
pub mod students;
pub mod web;
pub mod website;

#[cfg(test)]
mod tests;
