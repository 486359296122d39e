//! What keeps a school running for years: archives, checks, certificates, figures.

mod backup;
mod damage;
mod doctor;
pub mod https;
mod litestream;
mod maintenance;
mod metrics;
