//! The family's page: its own application, by the link in its emails.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use jiff::Timestamp;
use jiff::civil::Date;
use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::account::ApplicationAccount;
use super::events::{AskedOfFamily, Event};
use super::links::{Family, OfApplication};
use super::offers::{self, AdmissionOffer};
use super::status::{AdmissionRequestStatus, AdmissionVerb};
use super::{AdmissionRequest, Application, ApplicationDetails, question, store};
use crate::accounts::mailed::{self, SessionCookie};
use crate::base::error::{Error, ErrorBody, FieldErrors, Result};
use crate::base::json::Json;
use crate::config::Config;
use crate::documents::of_applications::{self, AdmissionDocument};
use crate::money::ledger::FeePart;
use crate::web::access::{AnyCaller, endpoints};
use crate::web::app::App;
use crate::web::form::{OptionalJson, form};
use crate::web::rate_limit::ClientAddr;

/// The endpoints.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![
        open_application,
        end_application_session,
        get_own_application,
        answer_office,
        withdraw_own_application
    ]
}

/// An application as its family reads it.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OwnApplication {
    /// What the office reads, too.
    #[serde(flatten)]
    pub application: Application,
    /// What else the family wrote.
    #[serde(flatten)]
    pub details: ApplicationDetails,
    /// What the office asks; null when no question is open. After a document alone the family can still add words.
    #[schema(required)]
    pub asked: Option<AskedOfFamily>,
    /// What the family has sent, newest first.
    pub documents: Vec<AdmissionDocument>,
    /// The standing offer, or the last one.
    #[schema(required)]
    pub offer: Option<AdmissionOffer>,
    /// The fee in the parts in which it is due: as the offer promises it, then as it is charged.
    pub fee_parts: Vec<FeePart>,
    /// Whether accepting an offer needs the student's own email address, because another person uses that of the
    /// application here. Told only to a reader from that mailbox.
    pub needs_student_email: bool,
    /// The student's account; null before an acceptance.
    #[schema(required)]
    pub account: Option<ApplicationAccount>,
}

impl OwnApplication {
    /// Reads an application for the reader of one of its mailboxes.
    ///
    /// # Errors
    /// 404 when it is gone.
    pub fn read(connection: &Connection, id: i64, mailbox: &str) -> Result<Self> {
        let request = store::get(connection, id)?;
        let asked = question::open(connection, &request)?;
        let is_reader = request.email.eq_ignore_ascii_case(mailbox);
        let needs_student_email = is_reader && store::is_address_of_another(connection, &request)?;
        let offer = offers::latest(connection, id)?;
        Ok(Self {
            details: store::details(connection, id)?,
            documents: of_applications::list(connection, id)?,
            fee_parts: offers::parts_of(connection, id, offer.as_ref())?,
            offer,
            account: ApplicationAccount::read(connection, &request)?,
            asked,
            needs_student_email,
            application: request.application,
        })
    }
}

impl Family {
    /// Number of the application.
    ///
    /// # Errors
    /// When the link names none, which is a fault of the program.
    pub fn application(&self) -> Result<i64> {
        let id = self.subject_id;
        id.ok_or_else(|| Error::Internal(anyhow::anyhow!("a link to no application")))
    }
}

form! {
    /// `POST /api/applications/session`'s body.
    pub struct MailedToken {
        /// The last part of the link.
        pub(super) token: String,
    }
}

/// Open an application by the token of its link; the cookie is the way to its other calls for a day
#[utoipa::path(post, path = "/api/applications/session", tag = "applications",
    responses((status = 404, body = ErrorBody, description = "The link has expired or is wrong")))]
async fn open_application(
    _: AnyCaller,
    State(app): State<App>,
    client: ClientAddr,
    Json(form): Json<MailedToken>,
) -> Result<(SessionCookie, Json<OwnApplication>)> {
    let (cookie, own) = open(&app, client, form.token.text()).await?;
    Ok((cookie, Json(own)))
}

/// End the session, as on a shared computer; the link in the email opens the application again
#[utoipa::path(delete, path = "/api/applications/session", tag = "applications")]
async fn end_application_session(
    family: Family,
    State(app): State<App>,
) -> Result<(SessionCookie, StatusCode)> {
    Ok((mailed::end(&app, family).await?, StatusCode::NO_CONTENT))
}

/// Exchanges a link's token for a session; for the call and for a page that is drawn by the server.
///
/// # Errors
/// 404 for an invalid or expired link; 429 after too many.
pub async fn open(app: &App, client: ClientAddr, token: &str) -> Result<(SessionCookie, OwnApplication)> {
    mailed::exchange::<OfApplication, _>(app, token, client, |connection, family| {
        OwnApplication::read(connection, family.application()?, &family.email)
    })
    .await
}

/// The application that the link opened
#[utoipa::path(get, path = "/api/applications/me", tag = "applications")]
async fn get_own_application(family: Family, State(app): State<App>) -> Result<Json<OwnApplication>> {
    let id = family.application()?;
    app.db.query(move |connection| OwnApplication::read(connection, id, &family.email)).await.map(Json)
}

/// A conflict with the application as its family reads it now.
pub fn conflict(connection: &Connection, act: &FamilyAct, words: impl Into<String>) -> Error {
    OwnApplication::read(connection, act.id, &act.mailbox)
        .map_or_else(|error| error, |current| Error::conflict(words, &current))
}

/// An act of the family.
pub struct FamilyAct {
    /// Number of the application.
    pub id: i64,
    /// Configuration.
    pub config: Arc<Config>,
    /// Current time.
    pub now: Timestamp,
    /// The date at the school.
    pub today: Date,
    /// The mailbox whose link was opened.
    pub mailbox: String,
}

impl FamilyAct {
    /// An act now.
    pub fn new(app: &App, family: &Family) -> Result<Self> {
        let config = app.config.clone();
        let now = app.clock.now();
        Ok(Self { id: family.application()?, config, now, today: app.today(), mailbox: family.email.clone() })
    }

    /// Whether the reader has the mailbox of the applicant.
    pub fn is_reader_of(&self, request: &AdmissionRequest) -> bool {
        request.email.eq_ignore_ascii_case(&self.mailbox)
    }

    /// The application before an act, and its state afterwards; `None` if the act's result holds already.
    ///
    /// # Errors
    /// 409 with the application, if its state does not allow the act.
    pub fn begin(
        &self,
        connection: &Connection,
        verb: AdmissionVerb,
    ) -> Result<Option<(AdmissionRequest, AdmissionRequestStatus)>> {
        let before = store::get(connection, self.id)?;
        let after = verb.after(before.status).map_err(|words| conflict(connection, self, words))?;
        Ok(after.map(|to| (before, to)))
    }

    /// Carries an act out, and answers the application as it is then.
    pub async fn carry_out(
        self,
        app: &App,
        work: impl FnOnce(&Self, &Connection) -> Result<()> + Send + 'static,
    ) -> Result<Json<OwnApplication>> {
        app.carry_out_and_notify(move |connection| {
            work(&self, connection)?;
            OwnApplication::read(connection, self.id, &self.mailbox)
        })
        .await
    }

    /// Records an act, and puts the application into its state.
    pub fn finish(&self, connection: &Connection, event: &Event<'_>) -> Result<()> {
        event.record(connection, self.id, self.now)?;
        store::set_status(connection, self.id, event.to, self.now)
    }

    /// Withdraws the application, and ends a standing offer.
    ///
    /// # Errors
    /// 409 with the application, if it is decided.
    pub fn withdraw(&self, connection: &Connection, reason: Option<&str>) -> Result<()> {
        let verb = AdmissionVerb::Withdraw;
        let Some((before, to)) = self.begin(connection, verb)? else { return Ok(()) };
        let offer_id = offers::end(connection, self.id, self.now)?;
        self.finish(connection, &Event { reason, offer_id, ..Event::family(verb, before.status, to) })
    }
}

form! {
    /// `POST /api/applications/me/answers`' body.
    pub struct AnswerForm {
        /// What the office asked for: 1 to 4,000 characters.
        text: String,
    }
}

/// Answer the office's question, which puts the application back into review
#[utoipa::path(post, path = "/api/applications/me/answers", tag = "applications",
    responses((status = 409, body = ErrorBody, description = "No question is open; `current` is the application")))]
async fn answer_office(
    family: Family,
    State(app): State<App>,
    Json(form): Json<AnswerForm>,
) -> Result<Json<OwnApplication>> {
    let act = FamilyAct::new(&app, &family)?;
    let text = form.text.between(1, 4000, "Please write your answer");
    let text = text.map_err(|message| FieldErrors::one("text", message))?;
    act.carry_out(&app, move |act, connection| {
        let verb = AdmissionVerb::Answer;
        let before = store::get(connection, act.id)?;
        if before.status == AdmissionRequestStatus::InReview && question::open(connection, &before)?.is_some()
        {
            // Words after a document that answered: the application is with the office already.
            let event = Event::family(verb, before.status, before.status);
            return Event { answer: Some(&text), ..event }.record(connection, act.id, act.now);
        }
        let Some((before, to)) = act.begin(connection, verb)? else { return Ok(()) };
        act.finish(connection, &Event { answer: Some(&text), ..Event::family(verb, before.status, to) })
    })
    .await
}

form! {
    /// A request body with a reason that may be left out.
    pub struct OptionalReason {
        /// Why, in at most 1,000 characters.
        reason: Option<String>,
    }
}

impl OptionalReason {
    /// The reason, if there is one.
    ///
    /// # Errors
    /// When it is too long, or no text.
    pub fn parse(&self) -> Result<Option<String>, FieldErrors> {
        self.reason.optional(1000).map_err(|message| FieldErrors::one("reason", message))
    }
}

/// Withdraw the application, in any state before it is decided; repeating it changes nothing
#[utoipa::path(post, path = "/api/applications/me/withdraw", tag = "applications",
    request_body = Option<OptionalReason>,
    responses((status = 409, body = ErrorBody, description = "It is decided; `current` is the application")))]
async fn withdraw_own_application(
    family: Family,
    State(app): State<App>,
    OptionalJson(form): OptionalJson<OptionalReason>,
) -> Result<Json<OwnApplication>> {
    let act = FamilyAct::new(&app, &family)?;
    let reason = form.parse()?;
    act.carry_out(&app, move |act, connection| act.withdraw(connection, reason.as_deref())).await
}
