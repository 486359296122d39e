//! Operating the school: backups, nightly maintenance, certificates, self-checks and metrics.

pub mod backup;
pub mod doctor;
pub mod https;
pub mod maintenance;
pub mod metrics;

use indicatif::HumanDuration;
use jiff::SignedDuration;

/// A time that has passed as a person reads it; what lies ahead has only just been.
fn age(passed: SignedDuration) -> HumanDuration {
    HumanDuration(passed.try_into().unwrap_or_default())
}
