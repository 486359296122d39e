//! Operations: archives, checks, certificates, metrics.

mod backup;
mod damage;
mod doctor;
pub mod https;
mod litestream;
mod maintenance;
mod metrics;
