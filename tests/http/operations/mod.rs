//! Operations: archives, checks, certificates, metrics.

mod backup;
mod damage;
mod doctor;
mod fetched_backup;
pub mod https;
mod litestream;
mod maintenance;
mod metrics;
