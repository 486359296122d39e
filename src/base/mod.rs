//! Shared foundations: errors, JSON, time, randomness, changes, closed sets of words, money, hashing, encryption,
//! host names, meters, names, pictures, queues.
//!
//! Nothing here depends on configuration, a database, a page or the school.

pub mod age;
pub mod budget;
pub mod change;
pub mod clock;
pub mod closed_set;
pub mod contact;
pub mod dates;
pub mod dns;
pub mod email;
pub mod error;
pub mod file_encryption;
pub mod hashing;
pub mod json;
pub mod meters;
pub mod money;
pub mod password;
pub mod picture;
pub mod random;
pub mod rare_log;
pub mod release;
pub mod request_id;
pub mod runtime;
pub mod security_log;
pub mod text;
pub mod turns;
pub mod user;
pub mod webauthn;
pub mod zone_rules;
