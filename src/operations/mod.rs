//! Operating the school: backups, the nightly tasks, certificates, self-checks, figures, and the office's
//! list of e-mails.

pub mod backup;
pub mod doctor;
pub mod emails;
pub mod https;
pub mod maintenance;
pub mod metrics;
