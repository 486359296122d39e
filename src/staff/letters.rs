//! What the program writes to the people of the office about their accounts.

use crate::plumbing::config::Config;
use crate::plumbing::form::Email;
use crate::plumbing::mail::{Kind, Letter};

/// The password was changed by a link.
pub fn password_changed(to: &Email, username: &str, config: &Config) -> Letter {
    Letter::to(Kind::StaffNotice, to, "Your password was changed").greeting(None).paragraph(&format!(
        "The password of the office account {username} at {} was changed just now, by a link that was made \
         on the school's server, and every other device was logged out. If it was not you, please tell \
         whoever looks after the server at once.",
        config.school.name
    ))
}
