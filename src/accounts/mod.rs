//! Accounts of both portals: what students and staff do alike about their own, generic over the [`Owner`].
//!
//! A handler here is written and described once; each portal mounts it under its own path and name
//! ([`call::Call`]). What differs (tables, words, emails, histories) is the portal's implementation of [`Owner`].

pub mod browser;
pub mod call;
mod caller;
pub mod devices;
mod link_policy;
pub mod links;
pub mod log_in;
pub mod owner;
pub mod password;
pub mod second_factor;
pub mod step_up;

use serde::Serialize;
use utoipa::ToSchema;

pub use self::caller::{Anytime, ProofAge, Recent, SignedInOwner};
pub use self::owner::{AccountStore, Owner, PasswordChangedBy};

/// A sentence for the person.
#[derive(Debug, Serialize, ToSchema)]
pub struct Message {
    message: &'static str,
}

impl From<&'static str> for Message {
    fn from(message: &'static str) -> Self {
        Self { message }
    }
}
