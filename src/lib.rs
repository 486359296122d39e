//! schoolhouse: the public website, the student portal and the office of one school.
//!
//! # The map
//! From the ground up; each line uses those above it, never those below (`tests/layers.rs` holds it).
//! - `base`: errors, time, money, email addresses, passwords, hashing, encryption, metrics.
//! - `storage`: the embedded database and the data folder. `config`: the file, a section each.
//! - `mail`: an email from its template through the outbox to the mail server.
//! - `web`: what endpoints share: state, forms, lists, sheets, sessions, rate limits, the network listener.
//! - The rooms, what the school does:
//!   - `audit` (who did what), `consents` (who agreed to what), `fees` (the ledger), `accounts` (what
//!     students and staff do alike about their own), `staff`.
//!   - `courses` (catalogue and import), `school` (its public identity: facts, hours, look, semesters, texts),
//!     `settings` (what the office publishes over that, its versions and pictures), `website` (the pages),
//!     `students` (their own side: accounts and profiles).
//!   - `enrollments`, `documents`, `messages` (from visitors), `admissions`.
//!   - `records` (students as the office finds, reads and changes them), `classes` (courses with seats, class lists,
//!     marks and emails to a class), `privacy` (requests about personal data, downloads, retention).
//!   - `audit_log` and `email_log` (the office's lists of what was done and what was sent).
//! - `operations`: backups, nightly maintenance, certificates, self-checks, metrics.
//! - `demo` (the sample school of `serve --demo`), `dashboard` (the office's figures, what waits for it, a new
//!   school's first steps).
//! - `server`: router, start and stop, log, health. `cli`: the commands.
//!
//! A room is `mod.rs` (routes, wire types, handlers), `rules.rs` (what input must be), `status.rs` (its
//! states and their transitions), `store.rs` (its SQL), `emails.rs` (what it writes to people).
//!
//! # One request
//! `POST /api/admin/enrollments/7/approve`: the listener reads it; the guards refuse it if another
//! site sent it; `Staff<may::Enrollments>` in the handler's signature finds the session, the user and
//! the role, or answers 401 or 403; the handler hands one closure to `Db::write`; on the writer thread
//! the closure checks the state, changes it, posts the charge, records the audit row and queues the
//! e-mail, all in one savepoint; the group commits to the disk; only then the answer leaves, and the
//! mailer is woken.
//!
//! # What always holds
//! - A write is answered after its commit is on the disk. All writes go through one thread.
//! - A room's table is written by that room alone; others may join it for display, operations read all.
//! - Nothing below the rooms knows a room, and no files use each other in a circle.
//! - Who may call is the first parameter of the handler, and whether they have to prove anew who they are.
//! - Another student's thing answers as if it did not exist.
//! - No secret and no personal data in a log; tokens and cookies are stored as hashes.
//! - Money is integer cents; a calendar date never passes through an instant.
//! - A word of a closed set is a member of an enum from the database to the interface.
//! - What travels is what the OpenAPI document says: the tests hold bodies and answers against it, the interface's
//!   compiler every address that it calls (`ui/src/endpoints.ts`).
//!
//! `tests/asvs.md` says which test or code holds each requirement of OWASP ASVS 5.0, level 2, and which
//! are open.
//!
//! # Where would it go?
//! - A new state of an enrollment: `enrollments/status.rs` (the member and its transitions), a migration
//!   that widens the column's CHECK (a test compares the two), a badge in `ui/src/components/`, a word and
//!   a place among the others in `ui/src/enrollments/`; the two compilers find the rest.
//! - A new e-mail: a function in the room's `emails.rs` and a `Kind` in `mail/kind.rs`, which says how
//!   urgent it is and which budget it draws on; queued in the transaction of the change it reports.
//! - A new office page: a row in `ui/pages.json`, the page's file in its room of `ui/src/`, a handler in
//!   the room's `mod.rs` and its query in `store.rs`.
//! - A new endpoint, or a field of one: its types beside the handler. `UPDATE_OPENAPI=1 cargo test` and, in `ui/`,
//!   `npm run types` write down what travels; then the interface's compiler says which calls it concerns.
//! - A new public page: a row in `ui/pages.json` and the page's file; the build draws it. Where it chooses or
//!   repeats by what only the server knows, it says so with `When` and `Each` (`ui/src/template.tsx`); a new
//!   fact goes into `ui/src/templates.tsx` and `website/template.rs`.
//! - A new backup rule: which archives are kept is `operations/backup/keep.rs`; what is in one is
//!   `snapshot.rs`, what is checked `verify.rs`; when it runs is a task of `operations/maintenance/`.
//!
//! # Glossary
//! Portal: where students or staff log in. Duty: a part of the office's work that a role includes.
//! Room: a folder for one thing that the school does. Outbox: e-mails that wait in the database. Spool:
//! e-mails written as files. Quote: the price at the request of a course, which holds for some days. Second
//! factor: a code beside the password. Proof: that it is its owner who sits at a session; it counts for ten
//! minutes, and a login is one (step-up asks for another).

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
pub(crate) mod demo;
pub(crate) mod documents;
pub(crate) mod email_log;
pub(crate) mod enrollments;
pub(crate) mod fees;
pub(crate) mod mail;
pub(crate) mod messages;
pub(crate) mod operations;
pub(crate) mod privacy;
pub(crate) mod records;
pub(crate) mod school;
pub(crate) mod server;
pub(crate) mod settings;
pub(crate) mod staff;
pub(crate) mod storage;
pub(crate) mod students;
pub mod testing;
pub(crate) mod web;
pub(crate) mod website;

pub use cli::run;

#[cfg(test)]
mod tests;
