//! Operating the school: backups, the nightly tasks, certificates, self-checks, figures, the office's list
//! of e-mails and its audit trail.

pub mod audit;
pub mod backup;
pub mod doctor;
pub mod emails;
pub mod https;
pub mod maintenance;
pub mod metrics;

use indicatif::HumanDuration;
use jiff::SignedDuration;

/// A time that has passed as a person reads it; what lies ahead has only just been.
fn age(passed: SignedDuration) -> HumanDuration {
    HumanDuration(passed.try_into().unwrap_or_default())
}
