//! Internals for the tests in `tests/`: they use HTTP, but also start the server, set its clock, trigger tasks without
//! an endpoint, and read files and statements.
//!
//! Kept small, because the compiler treats everything public here as used; `tests/layers.rs` refuses a name that no
//! test needs.

pub use crate::accounts::second_factor::code_at;
pub use crate::admissions::clock::run_due as offer_clock;
pub use crate::audit::chain::catch_up as link_audit;
pub use crate::base::clock::Clock;
pub use crate::base::closed_set::ClosedSet;
pub use crate::base::email::Email;
pub use crate::base::file_encryption::Keys;
pub use crate::base::hashing::hash_now;
pub use crate::base::json::Json;
pub use crate::base::password::Password;
pub use crate::base::random::hex;
pub use crate::base::runtime::start as start_runtime;
pub use crate::config::{Config, Demand, Https, Limits, Mail, MailSecurity, Office, RequiredDocument};
pub use crate::dashboard::morning::send_if_due as send_waiting;
pub use crate::demo::seed as seed_demo;
pub use crate::documents::backlog::examine_stored;
pub use crate::documents::encryption::encrypt_stored;
pub use crate::documents::review::clock::run_due as document_clock;
pub use crate::documents::sweep::sweep_files;
pub use crate::documents::write_pdf_again;
pub use crate::enrollments::status::EnrollmentStatus;
pub use crate::handover::run_due as hand_over;
pub use crate::money::ledger::kept::settle as settle_balances;
pub use crate::money::ledger::total_due::difference as total_due_difference;
pub use crate::money::reports::reminders::clock::run_due as reminder_clock;
pub use crate::privacy::retention::propose as propose_retention;
pub use crate::server::openapi::openapi;
pub use crate::server::run::RunningServer;
pub use crate::staff::Role;
pub use crate::staff::store::{NewUser, insert as insert_user};
pub use crate::storage::data_dir::DataDir;
pub use crate::students::account::reset_link;
pub use crate::students::store::find as find_student;
pub use crate::students::sweep as sweep_students;
pub use crate::web::app::App;
pub use crate::web::rate_limit::{ClientAddr, sweep as sweep_rate_limits};

/// Contents of an archive.
pub mod backup {
    pub use crate::operations::backup::{CONFIGURATION, DATABASE, MANIFEST, Manifest, document_path};
}

/// Opening a database beside the server, and the costs of its statements.
pub mod db {
    #[cfg(debug_assertions)]
    pub use crate::storage::db::trace::{Cost, Costs, watch};
    pub use crate::storage::db::{
        APPLICATION_ID, connect, newest_schema, open, schema_version, schema_versions,
    };
    pub use crate::storage::register_functions;
}

/// The certificate in use, and the state of its renewal.
pub mod https {
    pub use crate::operations::https::{
        CertificateFacts, CertificateState, RenewalFailure, RenewalRecord, record, state,
    };
}

/// A listener with another router.
pub mod listener {
    pub use crate::web::listener::{ConnectionLimits, Listener, Timeouts, TooSlow, serve};
}

/// The nightly tasks, at a time chosen by the test.
pub mod maintenance {
    pub use crate::operations::maintenance::damage::report as report_damage;
    pub use crate::operations::maintenance::unsent::report as report_unsent;
    pub use crate::operations::maintenance::{BACKUP, COMMAND, TaskContext, TaskName, run_due, succeeded};
}
