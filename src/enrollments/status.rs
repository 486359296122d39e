//! The states of an enrollment (DESIGN, States).

use crate::base::closed_set::closed_set;

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
