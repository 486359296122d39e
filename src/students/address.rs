//! Changes of a student's email address: requested with the password, confirmed from the new mailbox, reverted from the
//! old one.

use jiff::Timestamp;
use rusqlite::Connection;
use serde_json::json;

use super::history::{self, HistoryChange};
use super::links::{self, Link, LinkPurpose, NewLink};
use super::requests::post;
use super::status::StudentStatus;
use super::{Student, emails, store};
use crate::accounts::links::end;
use crate::accounts::password;
use crate::audit::By;
use crate::base::email::Email;
use crate::base::error::{Error, Result};
use crate::base::hashing;
use crate::config::Config;
use crate::mail::{Cause, Kind};
use crate::web::portal::Portal;
use crate::web::session;

/// Stores a new address as pending until it is confirmed from its mailbox; notifies the old one.
///
/// An address that already has an account gets no link, which the caller cannot see.
pub fn begin_change(
    connection: &Connection,
    config: &Config,
    student: &Student,
    new: &Email,
    now: Timestamp,
) -> Result<()> {
    let cause = Cause::Student(student.id);
    store::set_pending_email(connection, student.id, new)?;
    if is_free(connection, new, student, now)? {
        send_link(connection, config, student, new, cause, now)?;
    }
    let message =
        emails::email_change_begun(&student.address()?, student.profile.full_name.as_deref(), config);
    post(connection, &message, cause, config, now)?;
    Ok(())
}

fn send_link(
    connection: &Connection,
    config: &Config,
    student: &Student,
    new: &Email,
    cause: Cause,
    now: Timestamp,
) -> Result<()> {
    let link = NewLink::generate(LinkPurpose::ChangeEmail)?;
    if post(connection, &emails::confirm_new_email(new, &link.url(config)), cause, config, now)? {
        end(connection, student.id, LinkPurpose::ChangeEmail)?;
        link.keep(connection, student.id, new, now)?;
    }
    Ok(())
}

/// Change by the office: asks the new, unused mailbox for confirmation, and invalidates password links sent to the old
/// one.
pub fn ask_new_mailbox(
    connection: &Connection,
    config: &Config,
    student: &Student,
    new: &Email,
    now: Timestamp,
) -> Result<()> {
    store::set_pending_email(connection, student.id, new)?;
    for purpose in [LinkPurpose::ResetPassword, LinkPurpose::ChoosePassword] {
        end(connection, student.id, purpose)?;
    }
    send_link(connection, config, student, new, Cause::Office, now)
}

/// Cancels a pending change.
pub fn drop_change(connection: &Connection, student_id: i64) -> Result<()> {
    store::drop_pending_email(connection, student_id)?;
    end(connection, student_id, LinkPurpose::ChangeEmail)
}

/// Changes the address to that of the link, ends all sessions and notifies the old mailbox how to revert it. Returns
/// whether anything changed; opening the link again does not.
///
/// # Errors
/// [`Error::NotFound`] when the change was cancelled or the address is in use; [`Error::Conflict`] while the old
/// mailbox cannot be notified.
pub fn finish_change(
    connection: &Connection,
    config: &Config,
    student: &Student,
    link: &Link,
    now: Timestamp,
) -> Result<bool> {
    let is = |address: &str| address.eq_ignore_ascii_case(&link.email);
    if is(&student.email) {
        return Ok(false);
    }
    let bad_link = || Error::NotFound(links::BAD_LINK.into());
    let new = Email::parse(&link.email).map_err(|_| bad_link())?;
    let is_wanted =
        student.status == StudentStatus::Active && student.pending_email.as_deref().is_some_and(is);
    if !is_wanted || !is_free(connection, &new, student, now)? {
        return Err(bad_link());
    }
    let old = student.address()?;
    let undo = NewLink::generate(LinkPurpose::UndoEmail)?;
    let message = emails::email_changed(&old, &undo.url(config), config);
    if !post(connection, &message, Cause::Student(student.id), config, now)? {
        // An attacker who floods the old mailbox first must not be able to change the address unnoticed.
        let message =
            "We have written to your old address too often today. Please open this link again tomorrow.";
        return Err(Error::conflict(message, &json!({ "pendingEmail": new.as_str() })));
    }
    store::change_email(connection, student.id, &new, now)?;
    note(connection, student, &new, now)?;
    for purpose in [LinkPurpose::ResetPassword, LinkPurpose::ChoosePassword] {
        end(connection, student.id, purpose)?;
    }
    undo.keep(connection, student.id, &old, now)?;
    session::end_all(connection, Portal::Student, student.id)?;
    Ok(true)
}

/// Restores the address of the link and ends everything else, including the password, which the attacker knew. Sends a
/// link to choose a new one.
///
/// # Errors
/// [`Error::Conflict`] when the address belongs to another account meanwhile.
pub fn undo_change(
    connection: &Connection,
    config: &Config,
    student: &Student,
    link: &Link,
    now: Timestamp,
) -> Result<()> {
    let old = Email::parse(&link.email).map_err(|_| Error::NotFound(links::BAD_LINK.into()))?;
    take_back(connection, student, &old, now)?;
    if !student.email.eq_ignore_ascii_case(old.as_str()) {
        let message = emails::email_change_undone(&student.address()?, config);
        post(connection, &message, Cause::Student(student.id), config, now)?;
    }
    if student.status.may_reset_password() {
        let reset = NewLink::generate(LinkPurpose::ResetPassword)?;
        let message = emails::reset_password(Kind::PasswordReset, &old, None, &reset.url(config));
        // Once per change, so no flood; the attacker may have used up the mailbox's budget.
        post(connection, &message, Cause::Office, config, now)?;
        reset.keep(connection, student.id, &old, now)?;
    }
    Ok(())
}

/// Restores a former address, and ends the password, links and sessions.
///
/// # Errors
/// [`Error::Conflict`] when the address belongs to another account meanwhile.
pub fn take_back(connection: &Connection, student: &Student, old: &Email, now: Timestamp) -> Result<()> {
    if let Some(other) = store::find_by_email(connection, old)?.filter(|other| other.id != student.id) {
        // Ignore an account registered meanwhile but never verified.
        if other.status != StudentStatus::Unverified || !store::remove_untouched(connection, other.id)? {
            let message = "This address belongs to another account now. Please contact the office.";
            // The present address is not for the owner of the old mailbox.
            return Err(Error::conflict(message, &json!({ "pendingEmail": null })));
        }
    }
    store::change_email(connection, student.id, old, now)?;
    if !student.email.eq_ignore_ascii_case(old.as_str()) {
        note(connection, student, old, now)?;
    }
    password::replace::<Student>(connection, student.id, hashing::NO_PASSWORD, now)?;
    end(connection, student.id, LinkPurpose::UndoEmail)
}

/// Records it in the student's history, which is needed to find emails to the old address.
fn note(connection: &Connection, student: &Student, new: &Email, now: Timestamp) -> Result<()> {
    let before = Some(student.email.as_str());
    let after = Some(new.as_str());
    let change = HistoryChange { field: "email", before, after, reason: None };
    history::add(connection, student.id, By::Student, change, now)
}

fn is_free(connection: &Connection, email: &Email, student: &Student, now: Timestamp) -> Result<bool> {
    Ok(store::find_by_email(connection, email)?.is_none()
        && !links::is_reserved(connection, email, Some(student.id), now)?)
}
