//! The privacy desk: consents, requests, what students download, retention, breaches, and what the Privacy
//! page promises.

pub mod archive;
mod breaches;
mod columns;
mod promises;
mod requests;
mod retention;
mod upgrade;
