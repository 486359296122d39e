//! Requests of visitors: registration, new links, passwords.
//!
//! Promises: as [`crate::web::request_queue`]. Nothing changes unless the email about it was accepted, so excessive
//! requests for another's address do not invalidate its links.

use std::sync::Arc;

use anyhow::Context as _;
use jiff::{SignedDuration, Timestamp};
use rusqlite::Connection;
use serde_json::json;

use super::links::{self, LinkPurpose, NewLink};
use super::status::{Origin, StudentStatus};
use super::{Student, emails, store};
use crate::accounts::password;
use crate::base::closed_set::closed_set;
use crate::base::email::Email;
use crate::base::error::Result;
use crate::base::hashing;
use crate::config::Config;
use crate::consents;
use crate::mail::{Asker, Cause, EmailMessage, Kind, outbox};
use crate::school::texts::{self, SchoolText};
use crate::storage::statements::{Statements, from_row, params};
use crate::web::app::App;
use crate::web::request_queue::{GIVE_UP_AFTER, Queue};

/// Lifetime of an invitation, for families who read email weekly.
const INVITED_FOR: SignedDuration = SignedDuration::from_hours(7 * 24);

closed_set! {
    /// Kind of request.
    pub enum RequestKind {
        /// An account.
        Register = "register",
        /// A new verification link.
        ResendVerification = "resend_verification",
        /// Sends a password link.
        ForgotPassword = "forgot_password",
    }
}

/// Who requests a link, for which address, and where it leads.
pub struct NewRequest {
    /// The address.
    pub email: Email,
    /// Who requests it.
    pub asker: Asker,
    /// Page of the portal to go to after a verification.
    pub next: Option<String>,
}

/// What a registration keeps of the account it asks for.
pub struct RequestedAccount {
    /// Hash of the password.
    pub password_hash: String,
    /// Texts that were accepted.
    pub texts: Vec<Arc<SchoolText>>,
}

/// Stores a request and wakes the worker, without checking whether the account exists. A registration includes the
/// password hash and the accepted texts.
pub async fn note(
    app: &App,
    kind: RequestKind,
    request: NewRequest,
    registration: Option<RequestedAccount>,
) -> Result<()> {
    let NewRequest { email, asker, next } = request;
    let now = app.clock.now();
    let texts = registration.as_ref().map(|account| account.texts.clone()).unwrap_or_default();
    let hash = registration.map(|account| account.password_hash);
    app.db
        .write(move |connection| {
            let accepted = texts::keep(connection, &texts, now)?;
            let sql = "insert into account_requests
                    (kind, email, password_hash, asker, is_owner, created_at, accepted_texts, next_page)
                values (:kind, :email, :password_hash, :asker, :is_owner, :now, :accepted, :next)";
            let values = params! {
                kind, email = email.as_str(), password_hash = hash, asker = asker.key,
                is_owner = asker.is_owner, now = now.as_second(), accepted = json!(accepted).to_string(),
                next,
            };
            connection.run(sql, values)
        })
        .await?;
    app.request_wakeup.notify_one();
    Ok(())
}

/// The request queue.
pub const QUEUE: Queue = Queue { waiting, settle };

fn waiting(connection: &Connection, after: i64, limit: u32) -> Result<Vec<i64>> {
    let sql = "select id from account_requests where id > :after order by id limit :limit";
    connection.list(sql, params![after, limit])
}

/// Deletes requests that could not be processed.
pub fn sweep(connection: &Connection, now: Timestamp) -> Result<()> {
    let sql = "delete from account_requests where created_at <= :before";
    connection.run(sql, params![before = (now - GIVE_UP_AFTER).as_second()])
}

struct AccountRequest {
    kind: RequestKind,
    email: String,
    password_hash: Option<String>,
    asker: Asker,
    accepted_texts: String,
    next_page: Option<String>,
}

from_row!(AccountRequest { kind, email, password_hash, accepted_texts, next_page } and asker);

fn settle(connection: &Connection, config: &Config, id: i64, now: Timestamp) -> Result<()> {
    let sql = "delete from account_requests where id = :id
        returning kind, email, password_hash, asker, is_owner, accepted_texts, next_page";
    let Some(request) = connection.find(sql, params![id])? else { return Ok(()) };
    let AccountRequest { kind, email, password_hash, asker, accepted_texts, next_page } = request;
    // The address may be invalid by newer rules.
    let Ok(email) = Email::parse(&email) else { return Ok(()) };
    let desk =
        AccountLinks { connection, config, cause: Cause::Visitor(asker), next: next_page.as_deref(), now };
    match (kind, password_hash, store::find_by_email(connection, &email)?) {
        (RequestKind::Register, Some(hash), None) => {
            let accepted: Vec<String> =
                serde_json::from_str(&accepted_texts).context("the accepted texts")?;
            desk.open_account(&email, &hash, &accepted)
        }
        (RequestKind::Register, _, Some(known)) => desk.register_again(&email, &known),
        (RequestKind::ResendVerification, _, Some(known)) if known.status == StudentStatus::Unverified => {
            desk.send_verification(&email, &known)
        }
        (RequestKind::ForgotPassword, _, Some(known)) => desk.send_reset(&email, &known),
        // The schema guarantees a hash for registrations.
        (RequestKind::Register | RequestKind::ResendVerification | RequestKind::ForgotPassword, ..) => Ok(()),
    }
}

/// Queues an email. False when a budget is used up; then the reported change must not be made.
pub(super) fn post(
    connection: &Connection,
    message: &EmailMessage,
    cause: Cause,
    config: &Config,
    now: Timestamp,
) -> Result<bool> {
    Ok(outbox::enqueue(connection, message, cause, config, now)?.is_accepted())
}

/// Context for sending links to account owners.
pub struct AccountLinks<'a> {
    /// Connection of the write.
    pub connection: &'a Connection,
    /// Configuration.
    pub config: &'a Config,
    /// Cause of the email.
    pub cause: Cause,
    /// Page of the portal to go to after a verification.
    pub next: Option<&'a str>,
    /// Current time.
    pub now: Timestamp,
}

impl AccountLinks<'_> {
    /// A link that verifies an address.
    fn verification(&self, purpose: LinkPurpose) -> Result<NewLink> {
        Ok(NewLink::generate(purpose)?.leading_to(self.next))
    }

    fn open_account(&self, email: &Email, hash: &str, accepted: &[String]) -> Result<()> {
        if links::is_reserved(self.connection, email, None, self.now)? {
            self.post(&emails::address_reserved(email, self.config))?;
            return Ok(());
        }
        let link = self.verification(LinkPurpose::Verify)?;
        if self.post(&emails::verify(email, &link, self.config))? {
            let id = store::insert(self.connection, email, hash, self.now)?;
            let accepted = accepted.iter().map(String::as_str);
            consents::give(self.connection, id, None, accepted, self.now)?;
            link.keep(self.connection, id, email, self.now)?;
        }
        Ok(())
    }

    fn register_again(&self, email: &Email, known: &Student) -> Result<()> {
        match known.status {
            StudentStatus::Unverified => self.let_mailbox_choose(email, known),
            StudentStatus::Active => {
                let link = NewLink::generate(LinkPurpose::ResetPassword)?;
                let message = emails::account_exists(
                    email,
                    known.profile.full_name.as_deref(),
                    &link.url(self.config),
                    self.config,
                );
                self.send_link(&message, &link, known, email)
            }
            StudentStatus::Suspended | StudentStatus::Closed => {
                self.post(&emails::account_not_open(email, self.config)).map(drop)
            }
        }
    }

    /// Lets the owner of the mailbox choose the password, as neither registering visitor may be the owner.
    fn let_mailbox_choose(&self, email: &Email, known: &Student) -> Result<()> {
        let link = self.verification(LinkPurpose::ChoosePassword)?;
        if self.post(&emails::choose_password(email, &link, self.config))? {
            password::replace::<Student>(self.connection, known.id, hashing::NO_PASSWORD, self.now)?;
            link.keep(self.connection, known.id, email, self.now)?;
        }
        Ok(())
    }

    /// Sends a new verification link.
    pub fn send_verification(&self, email: &Email, known: &Student) -> Result<()> {
        let hash = store::password_hash(self.connection, known.id)?;
        if known.origin == Origin::Office {
            let link = self.verification(LinkPurpose::ChoosePassword)?.valid_for(INVITED_FOR);
            self.send_link(&emails::invitation(email, &link, self.config), &link, known, email)
        } else if hash.as_deref().map(hashing::choice) == Some(hashing::choice(hashing::NO_PASSWORD)) {
            let link = self.verification(LinkPurpose::ChoosePassword)?;
            self.send_link(&emails::choose_password(email, &link, self.config), &link, known, email)
        } else {
            let link = self.verification(LinkPurpose::Verify)?;
            self.send_link(&emails::verify(email, &link, self.config), &link, known, email)
        }
    }

    /// Sends a password link.
    pub fn send_reset(&self, email: &Email, known: &Student) -> Result<()> {
        if !known.status.may_reset_password() {
            return self.post(&emails::account_not_open(email, self.config)).map(drop);
        }
        let link = NewLink::generate(LinkPurpose::ResetPassword)?;
        // Without verification, neither the mailbox nor the name is known to be the student's.
        let name = known.profile.full_name.as_deref().filter(|_| known.is_verified);
        let kind = if known.is_verified { Kind::PasswordReset } else { Kind::Verification };
        self.send_link(
            &emails::reset_password(kind, email, name, &link.url(self.config)),
            &link,
            known,
            email,
        )
    }

    fn send_link(
        &self,
        message: &EmailMessage,
        link: &NewLink,
        student: &Student,
        email: &Email,
    ) -> Result<()> {
        if self.post(message)? {
            link.keep(self.connection, student.id, email, self.now)?;
        }
        Ok(())
    }

    fn post(&self, message: &EmailMessage) -> Result<bool> {
        post(self.connection, message, self.cause, self.config, self.now)
    }
}
