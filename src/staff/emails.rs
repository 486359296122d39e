//! Emails to staff about their accounts.

use super::invitations::store::Invitation;
use super::links::NewLink;
use super::{Role, StaffAccount};
use crate::accounts::PasswordChangedBy;
use crate::accounts::second_factor::news::FactorNews;
use crate::base::email::Email;
use crate::config::Config;
use crate::mail::{EmailMessage, Kind};

const NOT_YOU: &str = "If it was not you, please tell an administrator of the school at once.";

fn notice(to: &Email, account: &StaffAccount, subject: &str) -> EmailMessage {
    EmailMessage::to(Kind::StaffNotice, to, subject).greeting(account.full_name.as_deref())
}

/// The password was changed.
pub(super) fn password_changed(
    to: &Email,
    account: &StaffAccount,
    by: PasswordChangedBy,
    config: &Config,
) -> EmailMessage {
    let how = match by {
        PasswordChangedBy::Link => "by a link",
        PasswordChangedBy::Owner => "by a user who was logged in and knew the previous one",
    };
    notice(to, account, "Your password was changed").paragraph(&format!(
        "The password of the office account {} at {} was changed just now, {how}, and every other device \
             was logged out. {NOT_YOU}",
        account.username,
        config.school().name
    ))
}

/// Password link after a request.
pub(super) fn forgotten(to: &Email, account: &StaffAccount, link: &NewLink, config: &Config) -> EmailMessage {
    EmailMessage::to(Kind::PasswordReset, to, "Choose a new password")
        .greeting(account.full_name.as_deref())
        .paragraph(&format!(
            "We received a request to choose a new password for the office account {} at {}.",
            account.username,
            config.school().name
        ))
        .button("Choose a new password", &link.url(config))
        .paragraph(
            "The link is valid for one hour and works once. If you did not ask for it, you can ignore this \
             message; your password stays as it is.",
        )
}

/// Password link sent by an administrator.
pub(super) fn password_link(
    to: &Email,
    account: &StaffAccount,
    link: &NewLink,
    config: &Config,
) -> EmailMessage {
    notice(to, account, "Choose a new password")
        .paragraph(&format!(
            "An administrator of {} sends you this link to choose a new password for your office account, {}.",
            config.school().name, account.username
        ))
        .button("Choose a new password", &link.url(config))
        .paragraph(
            "The link is valid for one hour and works once. Your password stays as it is until you use it.",
        )
}

/// Invitation to join the office. Name and role were entered by an administrator.
pub(super) fn invitation(to: &Email, invitation: &Invitation, url: &str, config: &Config) -> EmailMessage {
    EmailMessage::to(
        Kind::StaffNotice,
        to,
        &format!("Your account in the office of {}", config.school().name),
    )
    .greeting(Some(&invitation.full_name))
    .paragraph(&format!(
        "{} invites you to the office of {}, with the role {}. Please choose the name and the password with \
             which you will log in.",
        invitation.invited_by,
        config.school().name,
        invitation.role.label()
    ))
    .button("Accept the invitation", url)
    .paragraph(
        "The link is valid for 72 hours and works once. If you do not know what this is about, you can \
             ignore this message: nothing happens without you.",
    )
}

/// The owner's role was changed.
pub(super) fn role_changed(to: &Email, account: &StaffAccount, role: Role, config: &Config) -> EmailMessage {
    let may = role.explained(&config.office).join("\n");
    notice(to, account, "Your role was changed")
        .paragraph(&format!(
            "Your role in the office of {} was changed from {} to {}. From now on you may:",
            config.school().name,
            account.role.label(),
            role.label()
        ))
        .quote(&may)
        .paragraph("If you think that this is a mistake, please ask an administrator of the school.")
}

/// The same for every administrator.
pub(super) fn colleagues_role_changed(
    to: &Email,
    account: &StaffAccount,
    role: Role,
    config: &Config,
) -> EmailMessage {
    EmailMessage::to(Kind::StaffNotice, to, "A colleague’s role was changed")
        .topic(&format!("role of {}", account.id))
        .greeting(None)
        .paragraph(&format!(
            "The role of {} ({}) in the office of {} was changed from {} to {}. Every administrator gets this \
             message.",
            account.name(),
            account.username,
            config.school().name,
            account.role.label(),
            role.label()
        ))
        .button("Open the list of staff", &format!("{}/admin/staff", config.public_url()))
}

/// The account was disabled.
pub(super) fn account_disabled(to: &Email, account: &StaffAccount, config: &Config) -> EmailMessage {
    notice(to, account, "Your account was disabled").paragraph(&format!(
        "Your office account {} at {} was disabled just now, and you were logged out everywhere. If you \
             think that this is a mistake, please ask an administrator of the school.",
        account.username,
        config.school().name
    ))
}

/// The address was changed: to the old one and to the new one.
pub(super) fn email_changed(
    to: &Email,
    account: &StaffAccount,
    new: &Email,
    config: &Config,
) -> EmailMessage {
    notice(to, account, "Your email address was changed").paragraph(&format!(
        "The address of the office account {} at {} was changed from {} to {}. Links to a new password go \
             there from now on. {NOT_YOU}",
        account.username,
        config.school().name,
        account.email,
        new
    ))
}

/// To a new address, for confirmation. The mailbox is not verified yet, so it contains no names.
pub(super) fn confirm_new_email(to: &Email, link: &NewLink, config: &Config) -> EmailMessage {
    EmailMessage::to(Kind::StaffNotice, to, "Confirm your new email address")
        .greeting(None)
        .paragraph(&format!(
            "Please confirm that this is the new email address of your account in the office of {}.",
            config.school().name
        ))
        .button("Confirm my new address", &link.url(config))
        .paragraph(
            "The link is valid for 48 hours. Until then your old address stays in use. If you do not know \
             what this is about, you can ignore this message.",
        )
}

/// To the old address: a change was requested with the password.
pub(super) fn email_change_begun(to: &Email, account: &StaffAccount, config: &Config) -> EmailMessage {
    notice(to, account, "Your email address is about to change").paragraph(&format!(
        "A user who was logged in to the office account {} at {}, and knew its password, asked to change \
             its email address. This one stays in use until the new one is confirmed. {NOT_YOU}",
        account.username,
        config.school().name
    ))
}

/// Login from an unknown browser.
pub(super) fn new_device(to: &Email, account: &StaffAccount, device: &str, config: &Config) -> EmailMessage {
    notice(to, account, "A new device logged in to your account")
        .paragraph(&format!(
            "Your office account {} at {} was used to log in on a new device: \
             {device}. If it was you, nothing is to be done.",
            account.username,
            config.school().name
        ))
        .button("See where I am signed in", &format!("{}/admin/account", config.public_url()))
        .paragraph("If it was not you, sign that device out there and change your password at once.")
}

/// A change of the second factor.
pub(super) fn second_factor(
    to: &Email,
    account: &StaffAccount,
    news: FactorNews,
    config: &Config,
) -> EmailMessage {
    notice(to, account, news.subject())
        .paragraph(&format!(
            "The office account {} at {} {}",
            account.username,
            config.school().name,
            news.sentence("an administrator")
        ))
        .button("Open my account", &format!("{}/admin/account", config.public_url()))
        .paragraph(NOT_YOU)
}
