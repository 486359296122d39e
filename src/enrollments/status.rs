//! States of an enrollment.

use crate::base::closed_set::closed_set;

closed_set! {
    /// The state of an enrollment.
    pub enum EnrollmentStatus {
        /// Waits for the office.
        Pending = "pending" => "waiting for the office's decision",
        /// Approved, and so enrolled.
        Active = "active" => "active",
        /// Waits for a place.
        Waitlisted = "waitlisted" => "on the waiting list",
        /// Declined by the office.
        Declined = "declined" => "declined",
        /// Withdrawn by the student, or ended by the office.
        Withdrawn = "withdrawn" => "withdrawn",
        /// Ended with its mark.
        Completed = "completed" => "completed",
        /// Of a section that the school cancelled: until the student goes on in another one, or leaves.
        Cancelled = "cancelled" => "cancelled by the school",
    }
}

impl EnrollmentStatus {
    /// Whether it is open, so that the same course cannot be requested.
    pub fn is_open(self) -> bool {
        match self {
            Self::Pending | Self::Active | Self::Waitlisted => true,
            Self::Declined | Self::Withdrawn | Self::Completed | Self::Cancelled => false,
        }
    }
}
