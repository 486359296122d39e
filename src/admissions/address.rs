//! The address of an application: the family corrects it, and its old mailbox can put it back for 48 hours.

use axum::extract::State;
use jiff::{SignedDuration, Timestamp};
use rusqlite::Connection;
use utoipa_axum::router::OpenApiRouter;

use super::events::{self, Event};
use super::links::{Family, FamilyMail};
use super::own::{FamilyAct, MailedToken, OwnApplication, conflict};
use super::rules::OwnApplicationForm;
use super::status::{AdmissionRequestStatus, AdmissionVerb};
use super::{AdmissionRequest, emails, mailboxes, store};
use crate::accounts::Message;
use crate::accounts::mailed::{self, LinkHolder, MailedLinkPurpose, MailedPurpose, NewMailedLink};
use crate::base::email::Email;
use crate::base::error::{Error, ErrorBody, Result};
use crate::base::json::Json;
use crate::config::Config;
use crate::mail::{Cause, outbox};
use crate::storage::statements::{Statements, params};
use crate::web::access::{AnyCaller, endpoints};
use crate::web::app::App;
use crate::web::rate_limit::ClientAddr;

/// The endpoints.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![edit_own_application, undo_address_change]
}

/// How long the old mailbox can put itself back.
const UNDONE_WITHIN: SignedDuration = SignedDuration::from_hours(48);

/// The link by which the old mailbox of an application puts itself back.
struct OfOldMailbox;

impl MailedPurpose for OfOldMailbox {
    const PURPOSE: MailedLinkPurpose = MailedLinkPurpose::ApplicationUndo;
}

/// Correct the contact details, until the office has begun to decide; a new email address gets a link of its own, and
/// the old one can put itself back for 48 hours
#[utoipa::path(patch, path = "/api/applications/me", tag = "applications",
    responses((status = 409, body = ErrorBody, description = "The office decides about it; `current` is the \
            application")))]
async fn edit_own_application(
    family: Family,
    State(app): State<App>,
    client: ClientAddr,
    Json(form): Json<OwnApplicationForm>,
) -> Result<Json<OwnApplication>> {
    let act = FamilyAct::new(&app, &family)?;
    let cause = Cause::Visitor(app.limits.asker(client));
    app.carry_out_and_notify(move |connection| {
        let before = store::get(connection, act.id)?;
        if !matches!(before.status, AdmissionRequestStatus::Pending | AdmissionRequestStatus::InfoRequested) {
            let words = "The office is deciding about this application. Please write to it about changes.";
            return Err(conflict(connection, &act, words));
        }
        let (change, changed) = form.parse(&before, &store::details(connection, act.id)?)?;
        if changed.is_empty() {
            return OwnApplication::read(connection, act.id, &act.mailbox);
        }
        if changed.contains(&"email") {
            act.change_address(connection, &before, &change.email, &family, cause)?;
        }
        store::write_contact(connection, act.id, &change)?;
        events::note_own_edit(connection, act.id, before.status, &changed, act.now)?;
        OwnApplication::read(connection, act.id, &act.mailbox)
    })
    .await
}

impl FamilyAct {
    /// Ends the links of the old mailbox, which is told how to put itself back, and sends the new one a link.
    fn change_address(
        &self,
        connection: &Connection,
        before: &AdmissionRequest,
        new: &Email,
        family: &Family,
        cause: Cause,
    ) -> Result<()> {
        let id = self.id;
        if mailboxes::is_stopped(connection, id, new.as_str())? {
            return Err(Error::field("email", "Please enter another email address, or contact the office."));
        }
        if is_restored(connection, id)? {
            let words = "This address was changed and put back. Please ask the office to change it.";
            return Err(conflict(connection, self, words));
        }
        let old = Email::parse(&before.email).map_err(|message| Error::field("email", message))?;
        let link = NewMailedLink::generate(MailedLinkPurpose::ApplicationUndo, UNDONE_WITHIN)?;
        let undo = link.url(&self.config);
        let message = emails::address_taken_off(&old, &before.reference, Some(&undo), &self.config);
        if !outbox::enqueue(connection, &message, cause, &self.config, self.now)?.is_accepted() {
            // A reader who floods the old mailbox first must not change the address unnoticed.
            let words = "We have written to the old address too often today. Please try again tomorrow.";
            return Err(conflict(connection, self, words));
        }
        link.keep(connection, Some(id), &old, self.now)?;
        // A mistyped mailbox is a stranger's, who may have opened the link.
        let guardian = before.guardian_email.as_deref().and_then(|email| Email::parse(email).ok());
        mailed::end_of_others(connection, id, [Some(new), guardian.as_ref()], Some(family))?;
        store::write_email(connection, id, new)?;
        let after = store::get(connection, id)?;
        let mail = FamilyMail { connection, config: &self.config, cause, hold: None, now: self.now };
        mail.send_to(&after, new, |to, url| emails::address_changed(to, &after, url, &self.config))
    }
}

fn is_restored(connection: &Connection, id: i64) -> Result<bool> {
    let sql = "select address_restored_at is not null from admission_requests where id = :id";
    connection.one(sql, params![id])
}

/// Put the old address of an application back, with the link that was mailed to it; every other link and session ends
#[utoipa::path(post, path = "/api/applications/undo-email-change", tag = "applications",
    responses((status = 404, body = ErrorBody, description = "The link has expired or was used")))]
async fn undo_address_change(
    _: AnyCaller,
    State(app): State<App>,
    client: ClientAddr,
    Json(form): Json<MailedToken>,
) -> Result<Json<Message>> {
    let now = app.clock.now();
    let config = app.config.clone();
    mailed::spend::<OfOldMailbox, _>(&app, form.token.text(), client, move |connection, old| {
        undo(connection, &config, old, now)
    })
    .await?;
    app.mailer_wakeup.notify_one();
    let message = "The application has your email address again. A link to it is on its way.";
    Ok(Json(Message::from(message)))
}

fn undo(
    connection: &Connection,
    config: &Config,
    old: &LinkHolder<OfOldMailbox>,
    now: Timestamp,
) -> Result<()> {
    let dead = || Error::NotFound(MailedLinkPurpose::ApplicationUndo.dead().into());
    let id = old.subject_id.ok_or_else(dead)?;
    let before = store::get(connection, id).map_err(|_| dead())?;
    let old = Email::parse(&old.email).map_err(|_| dead())?;
    if mailboxes::is_stopped(connection, id, old.as_str())? {
        return Err(dead());
    }
    store::write_email(connection, id, &old)?;
    let sql = "update admission_requests set address_restored_at = :now where id = :id";
    connection.run(sql, params![id, now = now.as_second()])?;
    let event = Event::family(AdmissionVerb::Edit, before.status, before.status);
    Event { reason: Some("email: put back by the old address"), ..event }.record(connection, id, now)?;
    mailed::end_all(connection, MailedLinkPurpose::ApplicationUndo, id)?;
    mailed::end_all(connection, MailedLinkPurpose::Application, id)?;
    mailboxes::forget_opening(connection, id, &before.email)?;
    // Once for each change, so no flood; the change may have used up the mailboxes' budget.
    let cause = Cause::Office;
    let after = store::get(connection, id)?;
    if let Ok(new) = Email::parse(&before.email) {
        let message = emails::address_change_undone(&new, &before.reference, config);
        outbox::enqueue(connection, &message, cause, config, now)?;
    }
    let mail = FamilyMail { connection, config, cause, hold: None, now };
    mail.send(&after, |to, url| emails::address_restored(to, &after, url, config))
}
