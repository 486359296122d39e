//! Links in emails to staff.

use jiff::SignedDuration;

use crate::accounts::links::{self, Purpose};
use crate::base::closed_set::closed_set;
use crate::web::portal::Portal;

/// A generated link, not stored yet.
pub type NewLink = links::NewLink<StaffLinkPurpose>;

closed_set! {
    /// Purpose of a link.
    pub enum StaffLinkPurpose {
        /// Allows a new password.
        ResetPassword = "reset_password",
        /// Confirms a changed address.
        ChangeEmail = "change_email",
    }
}

impl Purpose for StaffLinkPurpose {
    const PORTAL: Portal = Portal::Staff;

    fn valid_for(self) -> SignedDuration {
        match self {
            Self::ResetPassword => SignedDuration::from_hours(1),
            Self::ChangeEmail => SignedDuration::from_hours(48),
        }
    }

    fn page(self) -> &'static str {
        match self {
            Self::ResetPassword => "/admin/reset-password",
            Self::ChangeEmail => "/admin/confirm-email",
        }
    }
}
