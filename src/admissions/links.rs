//! The links of applications: sent with every email, and again to a mailbox that asks for them.

use axum::extract::State;
use jiff::{SignedDuration, Timestamp};
use rusqlite::Connection;
use utoipa_axum::router::OpenApiRouter;

use super::{AdmissionRequest, Application, emails, mailboxes, store};
use crate::accounts::Message;
use crate::accounts::mailed::{LinkHolder, MailedLinkPurpose, MailedPurpose, NewMailedLink, requests};
use crate::base::email::Email;
use crate::base::error::Result;
use crate::base::json::Json;
use crate::config::Config;
use crate::mail::outbox::{self, Hold};
use crate::mail::{Cause, EmailMessage};
use crate::web::access::{AnyCaller, endpoints};
use crate::web::app::App;
use crate::web::form::form;
use crate::web::rate_limit::ClientAddr;
use crate::web::request_queue::Queue;

/// The endpoint.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![send_application_links]
}

/// How long a mailed link works.
const VALID_FOR: SignedDuration = SignedDuration::from_hours(30 * 24);
/// How old an application may be to be found by its mailbox.
const FOUND_FOR: SignedDuration = SignedDuration::from_hours(366 * 24);

/// One application.
#[derive(Debug, Clone, Copy)]
pub struct OfApplication;

impl MailedPurpose for OfApplication {
    const PURPOSE: MailedLinkPurpose = MailedLinkPurpose::Application;

    fn opened(connection: &Connection, family: &Family, now: Timestamp) -> Result<()> {
        mailboxes::note_opened(connection, family.application()?, &family.email, now)
    }
}

/// The family, by the session that its link began.
pub type Family = LinkHolder<OfApplication>;

form! {
    /// A request body with the email address of applications.
    pub struct ApplicationEmail {
        pub email: String,
    }
}

/// Send the links of this address's applications by email; the answer is the same for an address that has none
#[utoipa::path(post, path = "/api/applications/link", tag = "applications")]
async fn send_application_links(
    _: AnyCaller,
    State(app): State<App>,
    client: ClientAddr,
    Json(form): Json<ApplicationEmail>,
) -> Result<Json<Message>> {
    requests::note(&app, MailedLinkPurpose::Application, form.email.text(), client).await?;
    let message = "If there is an application with this email address, a link to it is on its way. Please check your \
        inbox.";
    Ok(Json(Message::from(message)))
}

/// Mailboxes that asked for their links.
pub const QUEUE: Queue = Queue { waiting, settle };

fn waiting(connection: &Connection, after: i64, limit: u32) -> Result<Vec<i64>> {
    requests::waiting(connection, MailedLinkPurpose::Application, after, limit)
}

fn settle(connection: &Connection, config: &Config, id: i64, now: Timestamp) -> Result<()> {
    let Some((email, asker)) = requests::take(connection, id)? else { return Ok(()) };
    let found = store::list_of_mailbox(connection, &email, now - FOUND_FOR)?;
    if found.is_empty() {
        return Ok(());
    }
    let mut links = Vec::with_capacity(found.len());
    for request in &found {
        links.push((request, NewMailedLink::generate(MailedLinkPurpose::Application, VALID_FOR)?));
    }
    let listed = links.iter().map(|(request, link)| emails::ApplicationLink {
        reference: request.reference.clone(),
        url: link.url(config),
    });
    let listed: Vec<_> = listed.collect();
    let message = emails::links(&email, &listed, config);
    if outbox::enqueue(connection, &message, Cause::Visitor(asker), config, now)?.is_accepted() {
        for (request, link) in links {
            link.keep(connection, Some(request.id), &email, now)?;
        }
    }
    Ok(())
}

/// An email to a family, each copy with a link of its own.
pub struct FamilyMail<'a> {
    /// Connection of the write.
    pub connection: &'a Connection,
    /// Configuration.
    pub config: &'a Config,
    /// Cause of the email.
    pub cause: Cause,
    /// The decision that holds it back, if one does.
    pub hold: Option<Hold<'a>>,
    /// Current time.
    pub now: Timestamp,
}

impl FamilyMail<'_> {
    /// Writes that an application has arrived, which begins the thread of each mailbox. To a parent or guardian not
    /// before the office has looked twice at what a program may have sent.
    ///
    /// # Errors
    /// As [`outbox::enqueue`].
    pub fn begin(&self, request: &AdmissionRequest) -> Result<()> {
        self.begin_with(request, |is_guardian| !(is_guardian && request.look_twice))
    }

    /// The same to the parent or guardian alone.
    ///
    /// # Errors
    /// As [`outbox::enqueue`].
    pub fn begin_with_guardian(&self, request: &AdmissionRequest) -> Result<()> {
        self.begin_with(request, |is_guardian| is_guardian)
    }

    /// To those mailboxes for which `is_meant`, told whether one is the guardian's, is true.
    fn begin_with(&self, request: &AdmissionRequest, is_meant: impl Fn(bool) -> bool) -> Result<()> {
        let mailboxes = mailboxes::written_to(self.connection, request)?;
        let is_guardian = |to: &Email| !to.as_str().eq_ignore_ascii_case(&request.email);
        mailboxes.iter().filter(|to| is_meant(is_guardian(to))).try_for_each(|to| {
            let first = self.first_message_id(request, to);
            self.enqueue(request, to, |to, url| {
                emails::received(to, request, url, self.config).own_message_id(&first)
            })
        })
    }

    /// The Message-ID of the first email to a mailbox, by which mail programs thread the later ones.
    fn first_message_id(&self, request: &AdmissionRequest, to: &Email) -> String {
        let Application { reference, created_at, email, .. } = &**request;
        let reader = if to.as_str().eq_ignore_ascii_case(email) { "family" } else { "guardian" };
        let sender = self.config.mail_from();
        format!("<{}.{}.{reader}@{}>", reference.to_lowercase(), created_at.as_second(), sender.domain())
    }

    /// Writes to the applicant and to the parent or guardian.
    ///
    /// # Errors
    /// As [`outbox::enqueue`].
    pub fn send(
        &self,
        request: &AdmissionRequest,
        compose: impl Fn(&Email, &str) -> EmailMessage,
    ) -> Result<()> {
        mailboxes::written_to(self.connection, request)?
            .iter()
            .try_for_each(|to| self.send_to(request, to, &compose))
    }

    /// Writes to one mailbox.
    ///
    /// # Errors
    /// As [`outbox::enqueue`].
    pub fn send_to(
        &self,
        request: &AdmissionRequest,
        to: &Email,
        compose: impl Fn(&Email, &str) -> EmailMessage,
    ) -> Result<()> {
        let first = self.first_message_id(request, to);
        self.enqueue(request, to, |to, url| compose(to, url).in_reply_to(Some(&first)))
    }

    fn enqueue(
        &self,
        request: &AdmissionRequest,
        to: &Email,
        compose: impl Fn(&Email, &str) -> EmailMessage,
    ) -> Result<()> {
        let Self { connection, config, now, .. } = *self;
        let link = NewMailedLink::generate(MailedLinkPurpose::Application, VALID_FOR)?;
        let message = compose(to, &link.url(config)).topic(&request.reference);
        let is_accepted = match self.hold {
            Some(hold) => outbox::enqueue_held(connection, &message, hold, config, now).map(|()| true)?,
            None => outbox::enqueue(connection, &message, self.cause, config, now)?.is_accepted(),
        };
        if is_accepted { link.keep(connection, Some(request.id), to, now) } else { Ok(()) }
    }
}
