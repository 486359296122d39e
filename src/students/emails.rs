//! Emails to students about their accounts.

use super::Student;
use super::links::{NOT_ME, NewLink};
use crate::accounts::second_factor::news::FactorNews;
use crate::base::email::Email;
use crate::base::error::Result;
use crate::config::Config;
use crate::mail::{EmailMessage, Kind};

/// A sentence that ends with how the office is reached.
fn contact(sentence: &str, config: &Config) -> String {
    format!("{sentence}{}.", config.school().contacts())
}

/// Verification of a new account.
pub fn verify(to: &Email, link: &NewLink, config: &Config) -> EmailMessage {
    EmailMessage::to(Kind::Verification, to, "Verify your email address")
        .greeting(None)
        .paragraph(&format!(
            "Thank you for registering with {}. Please confirm your email address to activate your \
             student account.",
            config.school().name
        ))
        .button("Verify my email address", &link.url(config))
        .paragraph("The link is valid for 48 hours.")
        .paragraph("If you did not register, please tell us, and the account will be removed.")
        .link("This was not me", &link.url_of(NOT_ME, config))
}

/// An unverified address was registered again: the owner of the mailbox chooses the password.
pub fn choose_password(to: &Email, link: &NewLink, config: &Config) -> EmailMessage {
    EmailMessage::to(Kind::Verification, to, "Choose your password")
        .greeting(None)
        .paragraph(&format!(
            "This email address was registered with {} more than once. So that only you can open the \
             student account, the passwords typed so far no longer work. Please choose one now; this \
             confirms your email address too.",
            config.school().name
        ))
        .button("Choose my password", &link.url(config))
        .paragraph(
            "The link is valid for 48 hours and works once. Links from earlier messages no longer work.",
        )
        .paragraph("If you did not register, please tell us, and the account will be removed.")
        .link("This was not me", &link.url_of(NOT_ME, config))
}

/// Registration or password request for a closed account.
pub fn account_not_open(to: &Email, config: &Config) -> EmailMessage {
    EmailMessage::to(Kind::AccountExists, to, "Your account is not open").greeting(None).paragraph(&format!(
        "Someone, probably you, tried to register this email address or asked for a new password. The \
         student account of this address is not open. Please contact the office{}. If it was not \
         you, you can ignore this message.",
        config.school().contacts()
    ))
}

/// Registration with an address that another account gave up recently.
pub fn address_reserved(to: &Email, config: &Config) -> EmailMessage {
    EmailMessage::to(Kind::AccountExists, to, "Your registration").greeting(None).paragraph(&format!(
        "Someone, probably you, tried to register this email address. It belonged to another student \
         account until a few days ago and can still be taken back by it. Please register again in a week, \
         or contact the office{}. If it was not you, you can ignore this message.",
        config.school().contacts()
    ))
}

/// Registration with an address that has an account.
pub fn account_exists(to: &Email, name: Option<&str>, reset_link: &str, config: &Config) -> EmailMessage {
    EmailMessage::to(Kind::AccountExists, to, "You already have an account")
        .greeting(name)
        .paragraph(&format!(
            "Someone, probably you, tried to register this email address with {}. You already have an \
             account, so nothing was changed.",
            config.school().name
        ))
        .paragraph(&format!(
            "To log in, go to {}/student/auth. If you forgot your password, choose a new one:",
            config.public_url()
        ))
        .button("Choose a new password", reset_link)
        .paragraph("This link is valid for one hour. If it was not you, you can ignore this message.")
}

/// Password link. `kind` is a verification if the address was never verified.
pub fn reset_password(kind: Kind, to: &Email, name: Option<&str>, link: &str) -> EmailMessage {
    EmailMessage::to(kind, to, "Choose a new password")
        .greeting(name)
        .paragraph("We received a request to choose a new password for your student account.")
        .button("Choose a new password", link)
        .paragraph(
            "The link is valid for one hour and works once. If you did not ask for it, you can ignore \
             this message; your password stays as it is.",
        )
}

/// The password was changed.
pub fn password_changed(to: &Email, name: Option<&str>, config: &Config) -> EmailMessage {
    EmailMessage::to(Kind::AccountNotice, to, "Your password was changed").greeting(name).paragraph(&contact(
        "The password of your student account was changed just now, and every other device was \
         logged out. If it was not you, please contact the office at once",
        config,
    ))
}

/// A change of the second factor.
pub fn second_factor(to: &Email, name: Option<&str>, news: FactorNews, config: &Config) -> EmailMessage {
    EmailMessage::to(Kind::AccountNotice, to, news.subject())
        .greeting(name)
        .paragraph(&format!(
            "Your student account at {} {}",
            config.school().name,
            news.sentence("the office")
        ))
        .button("Open my account", &format!("{}/student/account", config.public_url()))
        .paragraph(&contact("If it was not you, please contact the office at once", config))
}

/// To the new address, for confirmation. The mailbox is not verified yet, so it contains no names.
pub fn confirm_new_email(to: &Email, link: &str) -> EmailMessage {
    EmailMessage::to(Kind::EmailChange, to, "Confirm your new email address")
        .greeting(None)
        .paragraph("Please confirm that this is the new email address of your student account.")
        .button("Confirm my new address", link)
        .paragraph(
            "The link is valid for 48 hours. Until then your old address stays in use. If you do not know \
             what this is about, you can ignore this message.",
        )
}

/// To the old address: a change was requested.
pub fn email_change_begun(to: &Email, name: Option<&str>, config: &Config) -> EmailMessage {
    EmailMessage::to(Kind::AccountNotice, to, "Your email address is about to change")
        .greeting(name)
        .paragraph(&contact(
            "Someone, probably you, asked to change the email address of your student account. The change \
         takes effect once the new address is confirmed. If it was not you, please contact the office",
            config,
        ))
}

/// To the old address: the change was made, and how to revert it. Without the name, which may be an attacker's.
pub fn email_changed(to: &Email, undo_link: &str, config: &Config) -> EmailMessage {
    EmailMessage::to(Kind::AccountNotice, to, "Your email address was changed")
        .greeting(None)
        .paragraph(
            "The email address of your student account was changed, and this address no longer opens it. If \
             that was you, there is nothing to do.",
        )
        .paragraph(
            "If it was not you, take the change back within seven days. Every device is then logged out, and \
             you choose a new password.",
        )
        .button("Undo the change", undo_link)
        .paragraph(&contact("If the link does not work, please contact the office", config))
}

/// To the new address: the change was reverted.
pub fn email_change_undone(to: &Email, config: &Config) -> EmailMessage {
    let sentence = "A student account that used this email address was given back to the address it had before. If \
        this was your account, please contact the office";
    EmailMessage::to(Kind::AccountNotice, to, "A change of email address was undone")
        .greeting(None)
        .paragraph(&contact(sentence, config))
}

/// To the office: the owner of a mailbox disowns an account with documents or enrollments.
pub fn account_disowned(to: &Email, student_id: i64) -> EmailMessage {
    EmailMessage::to(Kind::StaffNotice, to, "A student account was disowned")
        .greeting(None)
        .paragraph(&format!(
            "Student account number {student_id} has documents or enrollments, and the reader of \
             its email address says that they did not register it. The account is locked. Nothing \
             was deleted."
        ))
        .paragraph(
            "Please find out whose account it is before you decide on its enrollments. Its owner can open it \
             again with \"Forgot your password?\" on the login page.",
        )
}

/// Identifying data was changed after an approval.
pub fn identity_changed(to: &Email, after: &Student, changed: &[&str], config: &Config) -> EmailMessage {
    EmailMessage::to(Kind::AccountNotice, to, "Your personal details were changed")
        .greeting(after.profile.full_name.as_deref())
        .paragraph(&format!(
            "This was changed in your profile just now: {}. The office had approved you with the earlier \
             details, so it will look at them again and may ask you for a document.",
            changed.join(", ")
        ))
        .paragraph(&contact("If it was not you, please contact the office at once", config))
}

/// To a parent or guardian who had confirmed: the profile now has another name or contact. Names that the office has not
/// seen are left out.
pub fn guardian_replaced(
    to: &Email,
    guardian: Option<&str>,
    student: Option<&str>,
    config: &Config,
) -> EmailMessage {
    let student = student.unwrap_or("a student");
    EmailMessage::to(Kind::AccountNotice, to, "You are no longer the guardian we have on record")
        .greeting(guardian)
        .paragraph(&format!(
            "You had confirmed to {} that {student} may take courses. The name or contact of the parent or \
             guardian was changed just now, so your confirmation no longer counts. The office will ask for a \
             new one.",
            config.school().name
        ))
        .paragraph(&contact("If this is not right, please contact the office at once", config))
}

/// Invitation to an account created by the office: choosing a password also verifies the address.
pub fn invitation(to: &Email, link: &NewLink, config: &Config) -> EmailMessage {
    EmailMessage::to(Kind::Verification, to, "Your student account")
        .greeting(None)
        .paragraph(&format!(
            "The office of {} has created a student account for this email address. Please choose a password; \
             this confirms your email address, too.",
            config.school().name
        ))
        .button("Choose my password", &link.url(config))
        .paragraph("The link is valid for seven days and works once. The office can send you a new one.")
        .paragraph("If you do not know the school, please tell us, and the account will be removed.")
        .link("This was not me", &link.url_of(NOT_ME, config))
}

/// The office corrected identifying data.
pub fn details_corrected(to: &Email, after: &Student, changed: &[&str], config: &Config) -> EmailMessage {
    EmailMessage::to(Kind::AccountNotice, to, "Your personal details were corrected")
        .greeting(after.profile.full_name.as_deref())
        .paragraph(&format!(
            "The office corrected this in your profile just now: {}. You can see it on your dashboard.",
            changed.join(", ")
        ))
        .paragraph(&contact("If anything is wrong with it, please contact the office", config))
}

/// To the old address: the office requested a change.
pub fn correction_begun(to: &Email, name: Option<&str>, config: &Config) -> EmailMessage {
    EmailMessage::to(Kind::AccountNotice, to, "Your email address is about to change")
        .greeting(name)
        .paragraph(
            "The office was asked to change the email address of your student account. The change takes effect \
             once the new address is confirmed.",
        )
        .paragraph(&contact("If you did not ask for it, please contact the office", config))
}

/// To the old and the new address: the office changed it. Neither mailbox is verified.
pub fn address_corrected(to: &Email, config: &Config) -> EmailMessage {
    EmailMessage::to(Kind::AccountNotice, to, "Your email address was changed by the office")
        .greeting(None)
        .paragraph(
            "The office changed the email address of a student account from or to this one. From now on you \
             log in with the new address; the password stays as it is.",
        )
        .paragraph(&contact("If you did not ask for it, please contact the office", config))
}

/// A message from the office; replies go to the school.
///
/// # Errors
/// When the database holds no valid address.
pub fn from_office(student: &Student, subject: &str, body: &str) -> Result<EmailMessage> {
    let name = student.profile.full_name.as_deref().filter(|_| student.is_verified);
    let message = EmailMessage::to(Kind::OfficeMessage, &student.address()?, subject).greeting(name);
    let paragraphs = body.split("\n\n").map(str::trim).filter(|part| !part.is_empty());
    Ok(paragraphs.fold(message, |message, part| message.paragraph(part)))
}
