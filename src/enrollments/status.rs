//! The states of an enrollment, and which change follows which (DESIGN, States).

use crate::base::closed_set::{ClosedSet, closed_set};
use crate::base::error::{Error, Result};

closed_set! {
    /// The state of an enrollment.
    pub enum EnrollmentStatus {
        /// Waits for the office.
        Pending = "pending",
        /// Approved, and so enrolled.
        Active = "active",
        /// Waits for a place.
        Waitlisted = "waitlisted",
        /// Refused by the office.
        Declined = "declined",
        /// Taken back by the student, or ended by the office.
        Withdrawn = "withdrawn",
        /// Ended with its mark.
        Completed = "completed",
    }
}

impl EnrollmentStatus {
    /// Whether approving changes anything: not for one that is active already.
    ///
    /// # Errors
    /// [`Error::Conflict`] in any state that cannot become active.
    pub fn approve(self) -> Result<bool> {
        match self {
            Self::Pending | Self::Waitlisted => Ok(true),
            Self::Active => Ok(false),
            Self::Declined | Self::Withdrawn | Self::Completed => {
                Err(self.refuses("can no longer be approved"))
            }
        }
    }

    /// Whether declining changes anything: not for one that is declined already.
    ///
    /// # Errors
    /// [`Error::Conflict`] in any state that cannot be declined.
    pub fn decline(self) -> Result<bool> {
        match self {
            Self::Pending | Self::Waitlisted => Ok(true),
            Self::Declined => Ok(false),
            Self::Active | Self::Withdrawn | Self::Completed => {
                Err(self.refuses("can no longer be declined"))
            }
        }
    }

    /// Whether putting it on the waiting list changes anything: not for one that is on it.
    ///
    /// # Errors
    /// [`Error::Conflict`] in any state but pending.
    pub fn waitlist(self) -> Result<bool> {
        match self {
            Self::Pending => Ok(true),
            Self::Waitlisted => Ok(false),
            Self::Active | Self::Declined | Self::Withdrawn | Self::Completed => {
                Err(self.refuses("can no longer be put on the waiting list"))
            }
        }
    }

    /// Lets what only an active enrollment allows go on: ending it, marking it, taking its approval back.
    ///
    /// # Errors
    /// [`Error::Conflict`] in any other state.
    pub fn end(self) -> Result<bool> {
        match self {
            Self::Active => Ok(true),
            Self::Pending | Self::Waitlisted | Self::Declined | Self::Withdrawn | Self::Completed => {
                Err(Error::Conflict(format!(
                    "This enrollment is {}; only an active one allows that.",
                    self.as_str()
                )))
            }
        }
    }

    /// Lets an open enrollment be moved to other days.
    ///
    /// # Errors
    /// [`Error::Conflict`] once it is closed.
    pub fn change(self) -> Result<bool> {
        if self.is_open() { Ok(true) } else { Err(self.refuses("can no longer be changed")) }
    }

    /// The state that opening it again leads to.
    ///
    /// # Errors
    /// [`Error::Conflict`] in any state but declined and completed.
    pub fn reopen(self) -> Result<Self> {
        match self {
            Self::Declined => Ok(Self::Pending),
            Self::Completed => Ok(Self::Active),
            Self::Withdrawn => {
                Err(Error::Conflict("This enrollment is withdrawn. Enroll the student again instead.".into()))
            }
            Self::Pending | Self::Active | Self::Waitlisted => {
                Err(Error::Conflict(format!("This enrollment is {} already.", self.as_str())))
            }
        }
    }

    fn refuses(self, what: &str) -> Error {
        Error::Conflict(format!("This enrollment is {} and {what}.", self.as_str()))
    }

    /// Lets a student take a request back, while the office has not approved it.
    ///
    /// # Errors
    /// [`Error::Conflict`] in any other state.
    pub fn withdraw(self) -> Result<()> {
        let refusal = match self {
            Self::Pending | Self::Waitlisted => return Ok(()),
            Self::Active => {
                "The office has already approved this enrollment. Please contact the office to leave the course."
            }
            Self::Completed => "You have already completed this course.",
            Self::Declined => "The office has declined this request, so there is nothing to withdraw.",
            Self::Withdrawn => "You have already withdrawn this request.",
        };
        Err(Error::Conflict(refusal.into()))
    }

    /// The state in a sentence about it: "it is …".
    pub fn in_words(self) -> &'static str {
        match self {
            Self::Pending => "waiting for the office's decision",
            Self::Active => "active",
            Self::Waitlisted => "on the waiting list",
            Self::Declined => "declined",
            Self::Withdrawn => "withdrawn",
            Self::Completed => "completed",
        }
    }

    /// Whether it waits or runs, so that the same course cannot be asked for.
    pub fn is_open(self) -> bool {
        match self {
            Self::Pending | Self::Active | Self::Waitlisted => true,
            Self::Declined | Self::Withdrawn | Self::Completed => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_follow_the_table_of_states() {
        use EnrollmentStatus::{Active, Completed, Declined, Pending, Waitlisted, Withdrawn};
        // Whether each changes anything, none where it is refused: approving, declining, putting on the
        // waiting list, ending; what opening it again leads to; whether its student may withdraw it.
        let table = [
            (Pending, Some(true), Some(true), Some(true), None, None, true),
            (Active, Some(false), None, None, Some(true), None, false),
            (Waitlisted, Some(true), Some(true), Some(false), None, None, true),
            (Declined, None, Some(false), None, None, Some(Pending), false),
            (Withdrawn, None, None, None, None, None, false),
            (Completed, None, None, None, None, Some(Active), false),
        ];
        assert_eq!(table.map(|(status, ..)| status), EnrollmentStatus::ALL);
        for (status, approval, refusal, waiting, end, reopened, may_withdraw) in table {
            assert_eq!(status.approve().ok(), approval, "{status:?}");
            assert_eq!(status.decline().ok(), refusal, "{status:?}");
            assert_eq!(status.waitlist().ok(), waiting, "{status:?}");
            assert_eq!(status.end().ok(), end, "{status:?}");
            assert_eq!(status.reopen().ok(), reopened, "{status:?}");
            assert_eq!(status.change().is_ok(), status.is_open(), "{status:?}");
            assert_eq!(status.withdraw().is_ok(), may_withdraw, "{status:?}");
        }
    }
}
