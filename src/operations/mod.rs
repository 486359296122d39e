//! Operating the school: backups, nightly maintenance, certificates, self-checks and metrics.

pub mod backup;
pub mod doctor;
pub mod https;
pub mod maintenance;
pub mod metrics;

use indicatif::HumanDuration;
use jiff::SignedDuration;

/// An elapsed time in words; negative durations count as just now.
fn age(passed: SignedDuration) -> HumanDuration {
    HumanDuration(passed.try_into().unwrap_or_default())
}
