//! Account management for students and staff, generic over the [`Owner`].
//!
//! Each portal mounts the handlers under its own path ([`call::Call`]). Differences (tables, messages, emails,
//! histories) are in the portal's implementation of [`Owner`].

pub mod browser;
pub mod call;
mod caller;
pub mod devices;
mod link_policy;
pub mod links;
pub mod log_in;
pub mod mailed;
pub mod old_browser;
pub mod owner;
pub mod password;
pub mod second_factor;
pub mod step_up;

use serde::Serialize;
use utoipa::ToSchema;

pub use self::caller::{Anytime, ProofAge, Recent, SignedInOwner};
pub use self::owner::{AccountStore, Owner, PasswordChangedBy};

/// A message for the user.
#[derive(Debug, Serialize, ToSchema)]
pub struct Message {
    message: &'static str,
}

impl From<&'static str> for Message {
    fn from(message: &'static str) -> Self {
        Self { message }
    }
}
