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
            Self::Declined | Self::Withdrawn | Self::Completed => Err(Error::Conflict(format!(
                "This enrollment is {} and can no longer be approved.",
                self.as_str()
            ))),
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
            Self::Active | Self::Withdrawn | Self::Completed => Err(Error::Conflict(format!(
                "This enrollment is {} and can no longer be declined.",
                self.as_str()
            ))),
        }
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

    /// Whether it waits or runs, so that the same course cannot be asked for.
    pub fn is_open(self) -> bool {
        match self {
            Self::Pending | Self::Active | Self::Waitlisted => true,
            Self::Declined | Self::Withdrawn | Self::Completed => false,
        }
    }

    /// Whether it came to nothing, so that the course may be asked for again.
    pub fn came_to_nothing(self) -> bool {
        match self {
            Self::Declined | Self::Withdrawn => true,
            Self::Pending | Self::Active | Self::Waitlisted | Self::Completed => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_follow_the_table_of_states() {
        use EnrollmentStatus::{Active, Completed, Declined, Pending, Waitlisted, Withdrawn};
        // State; whether approving changes it, none where that is refused; likewise declining; whether its
        // student may withdraw it; whether the course may be asked for again.
        let table = [
            (Pending, Some(true), Some(true), true, false),
            (Active, Some(false), None, false, false),
            (Waitlisted, Some(true), Some(true), true, false),
            (Declined, None, Some(false), false, true),
            (Withdrawn, None, None, false, true),
            (Completed, None, None, false, false),
        ];
        assert_eq!(table.map(|(status, ..)| status), EnrollmentStatus::ALL);
        for (status, approval, refusal, may_withdraw, came_to_nothing) in table {
            assert_eq!(status.approve().ok(), approval, "{status:?}");
            assert_eq!(status.decline().ok(), refusal, "{status:?}");
            assert_eq!(status.withdraw().is_ok(), may_withdraw, "{status:?}");
            assert_eq!(status.came_to_nothing(), came_to_nothing, "{status:?}");
        }
    }
}
