//! The states of a student's account (DESIGN, States), and who made it.

use crate::base::closed_set::closed_set;
use crate::base::error::{Error, Result};

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
    /// Whether it is neither suspended nor closed.
    pub fn is_open(self) -> bool {
        match self {
            Self::Unverified | Self::Active => true,
            Self::Suspended | Self::Closed => false,
        }
    }

    /// Whether the office may suspend it: who cannot get in is not shut out.
    ///
    /// # Errors
    /// [`Error::Conflict`] otherwise.
    pub fn suspend(self) -> Result<()> {
        match self {
            Self::Active | Self::Suspended => Ok(()),
            Self::Unverified => Err(Error::Conflict(
                "This student has not verified the email address and cannot log in. Close the account instead."
                    .into(),
            )),
            Self::Closed => Err(Error::Conflict("This account is closed.".into())),
        }
    }

    /// Whether its owner may have a link to a new password, which proves the mailbox, too.
    pub fn may_reset_password(self) -> bool {
        self.is_open()
    }
}

closed_set! {
    /// Who made an account.
    pub enum Origin {
        /// The student, on the website.
        Registration = "registration",
        /// The office.
        Office = "office",
    }
}
