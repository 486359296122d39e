//! States and origin of a student's account.

use crate::base::closed_set::closed_set;

closed_set! {
    /// The state of a student's account.
    pub enum StudentStatus {
        /// Email address not verified.
        Unverified = "unverified",
        /// Can sign in.
        Active = "active",
        /// Suspended.
        Suspended = "suspended",
        /// Closed.
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

    /// Checks that the office may suspend it.
    ///
    /// # Errors
    /// A sentence otherwise.
    pub fn suspend(self) -> Result<(), &'static str> {
        match self {
            Self::Active | Self::Suspended => Ok(()),
            Self::Unverified => Err(
                "This student has not verified the email address and cannot log in. Close the account instead.",
            ),
            Self::Closed => Err("This account is closed."),
        }
    }

    /// Whether its owner may request a password link, which also verifies the mailbox.
    pub fn may_reset_password(self) -> bool {
        self.is_open()
    }
}

closed_set! {
    /// Origin of an account.
    pub enum Origin {
        /// The student, on the website.
        Registration = "registration",
        /// The office.
        Office = "office",
    }
}
