//! A family applies: what its form leads to.

use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use axum::http::StatusCode;
use jiff::{SignedDuration, Timestamp};
use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::events::Event;
use super::links::FamilyMail;
pub use super::rules::{ApplicationForm, NewApplication};
use super::status::{AdmissionRequestStatus, AdmissionSource, AdmissionVerb};
use super::{AdmissionRequest, reference, store};
use crate::base::closed_set::ClosedSet as _;
use crate::base::error::{FieldErrors, Result};
use crate::base::json::Json;
use crate::consents::{self, ConsentKind};
use crate::mail::Cause;
use crate::school::texts::{self, SchoolText, TextKind};
use crate::settings::site::Site;
use crate::web::access::{AnyCaller, endpoints};
use crate::web::app::App;
use crate::web::form::Field;
use crate::web::rate_limit::ClientAddr;

/// The public endpoint.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![apply]
}

/// How long the whole form sent again is the same application; any other is a row of its own.
const REPEATED_WITHIN: SignedDuration = SignedDuration::from_hours(24);

/// What a family consents to with its application.
struct GivenConsents {
    wants_news: bool,
}

impl GivenConsents {
    fn take(field: &Field<Vec<String>>, errors: &mut FieldErrors) -> Option<Self> {
        let words: &[String] = match field {
            Field::Value(words) => words,
            Field::Absent | Field::Null | Field::Wrong => &[],
        };
        let has = |kind: ConsentKind| words.iter().any(|word| word == kind.as_str());
        if !has(ConsentKind::Privacy) {
            errors.add("consents", "Please agree to the Privacy Policy");
            return None;
        }
        Some(Self { wants_news: has(ConsentKind::Marketing) })
    }
}

/// `POST /api/applications`' answer.
#[derive(Debug, Serialize, ToSchema)]
pub struct Applied {
    /// What the family and the office call the application.
    reference: String,
}

/// Apply for a place; the whole form sent again within a day is the same application, and one that differs is another
#[utoipa::path(post, path = "/api/applications", tag = "applications")]
async fn apply(
    _: AnyCaller,
    State(app): State<App>,
    Extension(site): Extension<Site>,
    client: ClientAddr,
    Json(form): Json<ApplicationForm>,
) -> Result<(StatusCode, Json<Applied>)> {
    let reference = submit(&app, &site, client, &form).await?;
    Ok((StatusCode::CREATED, Json(Applied { reference })))
}

/// Takes an application and returns its reference: for the call and for the form of a page without scripts.
///
/// # Errors
/// 400 with every field that is wrong; 429 after too many from one address.
pub async fn submit(app: &App, site: &Site, client: ClientAddr, form: &ApplicationForm) -> Result<String> {
    let today = app.today();
    let mut errors = FieldErrors::default();
    let new = NewApplication::take_asking(form, today, &mut errors);
    let consents = GivenConsents::take(&form.consents, &mut errors);
    let (new, consents) = errors.finish(new.zip(consents))?;
    app.limits.applications.count(client)?;
    let texts = site.current(&app.db, today).await?.texts.clone();
    let now = app.clock.now();
    let config = app.config.clone();
    let cause = Cause::Visitor(app.limits.asker(client));
    let digest = new.digest(consents.wants_news);
    app.write_and_notify(move |connection| {
        if let Some(reference) = store::find_repeated(connection, &new.email, &digest, now - REPEATED_WITHIN)?
        {
            return Ok(reference);
        }
        let event = Event::family(AdmissionVerb::Receive, None, AdmissionRequestStatus::Pending);
        let reference = reference::draw_free(connection, today)?;
        let request = receive(connection, &new, AdmissionSource::Web, &reference, &event, now)?;
        store::keep_digest(connection, request.id, &digest)?;
        let privacy: Vec<Arc<SchoolText>> =
            texts.into_iter().filter(|text| text.in_force.kind == TextKind::Privacy).collect();
        for version in texts::keep(connection, &privacy, now)? {
            let news = consents.wants_news.then_some(ConsentKind::Marketing);
            for kind in [ConsentKind::Privacy].into_iter().chain(news) {
                consents::give_with_application(connection, request.id, kind, version, now)?;
            }
        }
        let mail = FamilyMail { connection, config: &config, cause, hold: None, now };
        mail.begin(&request)?;
        Ok(request.application.reference)
    })
    .await
}

/// Keeps a new application under its reference, with its first event.
pub fn receive(
    connection: &Connection,
    new: &NewApplication,
    source: AdmissionSource,
    reference: &str,
    event: &Event<'_>,
    now: Timestamp,
) -> Result<AdmissionRequest> {
    let id = store::insert(connection, new, source, reference, now)?;
    event.record(connection, id, now)?;
    store::get(connection, id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_privacy_policy_is_agreed_to_and_news_only_if_wanted() {
        let given = |words: &[&str]| {
            let mut errors = FieldErrors::default();
            let words = Field::Value(words.iter().map(|word| (*word).to_owned()).collect());
            GivenConsents::take(&words, &mut errors).map(|given| given.wants_news)
        };
        assert_eq!(given(&["privacy"]), Some(false));
        assert_eq!(given(&["marketing", "privacy"]), Some(true));
        assert_eq!(given(&["marketing"]), None);
    }
}
