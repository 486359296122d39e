//! The family's page: its own application, by the link in its emails.

use std::sync::Arc;

use axum::extract::State;
use jiff::Timestamp;
use jiff::civil::Date;
use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::events::{self, AskedOfFamily, Event};
use super::links::{Family, FamilyMail, OfApplication};
use super::offers::{self, AdmissionOffer};
use super::rules::OwnApplicationForm;
use super::status::{AdmissionRequestStatus, AdmissionVerb};
use super::{AdmissionRequest, Application, ApplicationDetails, emails, store};
use crate::accounts::mailed::{self, SessionCookie};
use crate::base::email::Email;
use crate::base::error::{Error, ErrorBody, FieldErrors, Result};
use crate::base::json::Json;
use crate::config::Config;
use crate::documents::of_applications::{self, AdmissionDocument};
use crate::mail::Cause;
use crate::web::access::{AnyCaller, endpoints};
use crate::web::app::App;
use crate::web::form::{OptionalJson, form};
use crate::web::rate_limit::ClientAddr;

/// The endpoints.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![
        open_application,
        get_own_application,
        edit_own_application,
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
    /// What the office asks; null when no question is open.
    #[schema(required)]
    pub asked: Option<AskedOfFamily>,
    /// What the family has sent, newest first.
    pub documents: Vec<AdmissionDocument>,
    /// The standing offer, or the last one.
    #[schema(required)]
    pub offer: Option<AdmissionOffer>,
    /// Whether accepting an offer needs the student's own email address, because another person uses that of the
    /// application here.
    pub needs_student_email: bool,
}

impl OwnApplication {
    /// Reads an application for its family.
    ///
    /// # Errors
    /// 404 when it is gone.
    pub fn read(connection: &Connection, id: i64) -> Result<Self> {
        let request = store::get(connection, id)?;
        let asked = match request.status {
            AdmissionRequestStatus::InfoRequested => events::asked(connection, id)?,
            _ => None,
        };
        let needs_student_email = store::is_address_of_another(connection, &request)?;
        Ok(Self {
            details: store::details(connection, id)?,
            documents: of_applications::list(connection, id)?,
            offer: offers::latest(connection, id)?,
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
        token: String,
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

/// Exchanges a link's token for a session; for the call and for a page that is drawn by the server.
///
/// # Errors
/// 404 for an invalid or expired link; 429 after too many.
pub async fn open(app: &App, client: ClientAddr, token: &str) -> Result<(SessionCookie, OwnApplication)> {
    mailed::exchange::<OfApplication, _>(app, token, client, |connection, family| {
        OwnApplication::read(connection, family.application()?)
    })
    .await
}

/// The application that the link opened
#[utoipa::path(get, path = "/api/applications/me", tag = "applications")]
async fn get_own_application(family: Family, State(app): State<App>) -> Result<Json<OwnApplication>> {
    let id = family.application()?;
    app.db.query(move |connection| OwnApplication::read(connection, id)).await.map(Json)
}

/// A conflict with the application as its family reads it now.
pub fn conflict(connection: &Connection, id: i64, words: impl Into<String>) -> Error {
    OwnApplication::read(connection, id)
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
}

impl FamilyAct {
    /// An act now.
    pub fn new(app: &App, family: &Family) -> Result<Self> {
        let (config, now) = (app.config.clone(), app.clock.now());
        Ok(Self { id: family.application()?, config, now, today: app.today() })
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
        let after = verb.after(before.status).map_err(|words| conflict(connection, self.id, words))?;
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
            OwnApplication::read(connection, self.id)
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

/// Correct the contact details, until the office has begun to decide; a new email address gets a link of its own
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
        let (id, now) = (act.id, act.now);
        let before = store::get(connection, id)?;
        if !matches!(before.status, AdmissionRequestStatus::Pending | AdmissionRequestStatus::InfoRequested) {
            let words = "The office is deciding about this application. Please write to it about changes.";
            return Err(conflict(connection, id, words));
        }
        let (change, changed) = form.parse(&before, &store::details(connection, id)?)?;
        if changed.is_empty() {
            return OwnApplication::read(connection, id);
        }
        store::write_contact(connection, id, &change)?;
        let reason = changed.join(", ");
        let event = Event::family(AdmissionVerb::Edit, before.status, before.status);
        Event { reason: Some(&reason), ..event }.record(connection, id, now)?;
        if changed.contains(&"email") {
            // A mistyped mailbox is a stranger's, who may have opened the link.
            let guardian = before.guardian_email.as_deref().and_then(|email| Email::parse(email).ok());
            let kept = [Some(&change.email), guardian.as_ref()];
            mailed::end_of_others(connection, id, kept, Some(&family))?;
            let after = store::get(connection, id)?;
            let mail = FamilyMail { connection, config: &act.config, cause, hold: None, now };
            mail.send_to(&after, &change.email, |to, url| {
                emails::address_changed(to, &after, url, &act.config)
            })?;
        }
        OwnApplication::read(connection, id)
    })
    .await
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
    let (act, reason) = (FamilyAct::new(&app, &family)?, form.parse()?);
    act.carry_out(&app, move |act, connection| act.withdraw(connection, reason.as_deref())).await
}
