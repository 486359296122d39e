//! The states of a student's account (DESIGN, States).

use crate::base::closed_set::closed_set;

closed_set! {
    /// The state of a student's account.
    pub enum StudentStatus {
        /// Nobody has proved the mailbox.
        Unverified = "unverified",
        /// May sign in.
        Active = "active",
        /// Shut out for a while.
        Suspended = "suspended",
        /// Shut out for good.
        Closed = "closed",
    }
}

impl StudentStatus {
    /// Whether its owner may have a link to a new password, which proves the mailbox, too.
    pub fn may_reset_password(self) -> bool {
        match self {
            Self::Unverified | Self::Active => true,
            Self::Suspended | Self::Closed => false,
        }
    }
}
