//! What the program writes to the people of the office about their accounts.

use super::account::How;
use crate::base::email::Email;
use crate::config::Config;
use crate::mail::{EmailMessage, Kind};

/// The password was changed.
pub(super) fn password_changed(to: &Email, username: &str, how: How, config: &Config) -> EmailMessage {
    let how = match how {
        How::ByLink => "by a link that was made on the school's server",
        How::SignedIn => "by somebody who was logged in and knew the one before",
    };
    EmailMessage::to(Kind::StaffNotice, to, "Your password was changed").greeting(None).paragraph(&format!(
        "The password of the office account {username} at {} was changed just now, {how}, and every other device was logged out. If it was not you, please tell \
         whoever looks after the server at once.",
        config.school.name
    ))
}
