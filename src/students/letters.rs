//! What the school writes to students about their accounts.

use crate::plumbing::config::Config;
use crate::plumbing::form::Email;
use crate::plumbing::mail::{Kind, Letter};

/// The first letter: confirm that the mailbox is yours.
pub fn verify(to: &Email, link: &str, config: &Config) -> Letter {
    Letter::to(Kind::Verification, to, "Verify your email address")
        .greeting(None)
        .paragraph(&format!(
            "Thank you for registering with {}. Please confirm your email address to activate your \
             student account.",
            config.school.name
        ))
        .button("Verify my email address", link)
        .paragraph("The link is valid for 48 hours. If you did not register, you can ignore this message.")
}

/// Somebody registered an address that has an account.
pub fn account_exists(to: &Email, name: Option<&str>, reset_link: &str, config: &Config) -> Letter {
    Letter::to(Kind::AccountExists, to, "You already have an account")
        .greeting(name)
        .paragraph(&format!(
            "Someone, probably you, tried to register this email address with {}. You already have an \
             account, so nothing was changed.",
            config.school.name
        ))
        .paragraph(&format!(
            "To log in, go to {}/student/auth. If you forgot your password, choose a new one:",
            config.public_url()
        ))
        .button("Choose a new password", reset_link)
        .paragraph("This link is valid for one hour. If it was not you, you can ignore this message.")
}

/// The owner forgot the password.
pub fn reset_password(to: &Email, name: Option<&str>, link: &str) -> Letter {
    Letter::to(Kind::PasswordReset, to, "Choose a new password")
        .greeting(name)
        .paragraph("We received a request to choose a new password for your student account.")
        .button("Choose a new password", link)
        .paragraph(
            "The link is valid for one hour and works once. If you did not ask for it, you can ignore \
             this message; your password stays as it is.",
        )
}

/// The password was changed by a link.
pub fn password_changed(to: &Email, name: Option<&str>, config: &Config) -> Letter {
    Letter::to(Kind::AccountNotice, to, "Your password was changed").greeting(name).paragraph(&format!(
        "The password of your student account was changed just now, and every other device was \
         logged out. If it was not you, please contact the office at once: {}, {}.",
        config.school.phone, config.school.email
    ))
}

/// To the new address: confirm it. Without the name, which anybody can have typed: whose mailbox it is
/// is not known yet.
pub fn confirm_new_email(to: &Email, link: &str) -> Letter {
    Letter::to(Kind::EmailChange, to, "Confirm your new email address")
        .greeting(None)
        .paragraph("Please confirm that this is the new email address of your student account.")
        .button("Confirm my new address", link)
        .paragraph(
            "The link is valid for 48 hours. Until then your old address stays in use. If you did not ask for \
             it, you can ignore this message.",
        )
}

/// To the old address: a change was asked for.
pub fn email_change_begun(to: &Email, name: Option<&str>, config: &Config) -> Letter {
    Letter::to(Kind::AccountNotice, to, "Your email address is about to change").greeting(name).paragraph(
        &format!(
            "Someone, probably you, asked to change the email address of your student account. The change \
         takes effect once the new address is confirmed. If it was not you, please contact the office: \
         {}, {}.",
            config.school.phone, config.school.email
        ),
    )
}

/// To the old address: the change is done.
pub fn email_changed(to: &Email, name: Option<&str>, config: &Config) -> Letter {
    Letter::to(Kind::AccountNotice, to, "Your email address was changed").greeting(name).paragraph(&format!(
        "The email address of your student account was changed. If it was not you, please contact the \
         office at once: {}, {}.",
        config.school.phone, config.school.email
    ))
}
