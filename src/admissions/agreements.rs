//! The table `texts`: what a family agrees to by accepting an offer, in versions that are never edited.

use axum::extract::State;
use axum::http::StatusCode;
use jiff::civil::Date;
use rusqlite::Connection;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;

use super::status::FamilyLanguage;
use crate::audit;
use crate::base::closed_set::{ClosedSet as _, closed_set};
use crate::base::error::{Error, ErrorBody, FieldErrors, Result};
use crate::base::json::Json;
use crate::staff::{Staff, may};
use crate::storage::statements::{Statements, from_row, params};
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::form::form;
use crate::web::query::Query;

/// The endpoints.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![list_agreements, add_agreement]
}

closed_set! {
    /// What an agreement is for.
    pub enum AgreementKind {
        /// An offer of a place.
        Offer = "offer_agreement",
    }
}

/// A version of an agreement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Agreement {
    /// Number of the version, as an offer names it.
    pub id: i64,
    /// What it is for.
    pub kind: AgreementKind,
    /// Its language.
    pub language: FamilyLanguage,
    /// Its version, of its kind and language.
    pub version: i64,
    /// Its words.
    pub body: String,
    /// The day from which offers are made with it.
    pub effective_on: Date,
}

from_row!(Agreement { id, kind, language, version, body, effective_on });

/// Query parameters of the list.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct AgreementsQuery {
    /// Only those for this.
    #[param(value_type = Option<AgreementKind>)]
    kind: String,
}

/// The agreements in every version, newest first
#[utoipa::path(get, path = "/api/admin/texts", tag = "admissions", params(AgreementsQuery),
    responses((status = 400, body = ErrorBody)))]
async fn list_agreements(
    _: Staff<may::Admissions>,
    State(app): State<App>,
    Query(query): Query<AgreementsQuery>,
) -> Result<Json<Vec<Agreement>>> {
    let kind = match query.kind.trim() {
        "" => None,
        word => Some(AgreementKind::choose(word).map_err(|message| Error::field("kind", message))?),
    };
    app.db.query(move |connection| list(connection, kind)).await.map(Json)
}

form! {
    /// `POST /api/admin/texts`' body.
    pub struct AgreementForm {
        kind: AgreementKind,
        language: FamilyLanguage,
        /// 1 to 20,000 characters.
        body: String,
        /// The day from which offers are made with it.
        effective_on: Date,
    }
}

/// Add the next version of an agreement; earlier ones stay with the offers that were made with them
#[utoipa::path(post, path = "/api/admin/texts", tag = "admissions")]
async fn add_agreement(
    staff: Staff<may::Settings>,
    State(app): State<App>,
    Json(form): Json<AgreementForm>,
) -> Result<(StatusCode, Json<Agreement>)> {
    let mut errors = FieldErrors::default();
    let kind = errors.take("kind", form.kind.one_of::<AgreementKind>());
    let language = errors.take("language", form.language.one_of::<FamilyLanguage>());
    let body = errors.take("body", form.body.between(1, 20_000, "Please write the agreement"));
    let effective_on = errors.take("effectiveOn", form.effective_on.date("Please choose a day"));
    let new = || Some((kind?, language?, body?, effective_on?));
    let (kind, language, body, effective_on) = errors.finish(new())?;
    let now = app.clock.now();
    app.db
        .write(move |connection| {
            let sql = "insert into texts (kind, language, version, body, effective_on, created_by, created_at)
                values (:kind, :language,
                    (select coalesce(max(version), 0) + 1 from texts where kind = :kind and language = :language),
                    :body, :effective_on, :user_id, :now)";
            let values = params! {
                kind, language, body, effective_on = effective_on.to_string(), user_id = staff.id,
                now = now.as_second(),
            };
            let id = connection.insert(sql, values)?;
            let detail = serde_json::json!({ "kind": kind, "language": language, "effectiveOn": effective_on });
            audit::record(connection, &staff.actor(), "add", "agreement", id, detail, now)?;
            find(connection, id)
        })
        .await
        .map(|agreement| (StatusCode::CREATED, Json(agreement)))
}

const COLUMNS: &str = "id, kind, language, version, body, effective_on";

fn list(connection: &Connection, kind: Option<AgreementKind>) -> Result<Vec<Agreement>> {
    let sql = format!(
        "select {COLUMNS} from texts where :kind is null or kind = :kind order by effective_on desc, id desc"
    );
    connection.list(&sql, params![kind])
}

fn find(connection: &Connection, id: i64) -> Result<Agreement> {
    connection.one(&format!("select {COLUMNS} from texts where id = :id"), params![id])
}

/// The agreement of an offer: the named version, or the newest in force, in the family's language where there is one.
pub fn in_force(
    connection: &Connection,
    id: Option<i64>,
    language: FamilyLanguage,
    today: Date,
) -> Result<Option<Agreement>> {
    let sql = format!(
        "select {COLUMNS} from texts where kind = 'offer_agreement' and effective_on <= :today
             and (:id is null and language in (:language, 'en') or id = :id)
         order by language = :language desc, effective_on desc, id desc limit 1"
    );
    connection.find(&sql, params![id, language, today = today.to_string()])
}
