//! Endpoints for client-rendered pages: the school's public identity and texts.

use axum::Extension;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::Response;
use utoipa_axum::router::OpenApiRouter;

use crate::base::closed_set::ClosedSet as _;
use crate::base::error::{Error, Result};
use crate::base::json::Json;
use crate::school::PublicSchool;
use crate::school::texts::{SchoolText, TextInForce, TextKind};
use crate::settings::site::Site;
use crate::web::access::{AnyCaller, endpoints};
use crate::web::app::App;

/// The endpoints for every caller.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![get_school, get_texts, get_text]
}

/// The school's public identity
#[utoipa::path(get, path = "/api/school", tag = "school", responses((status = 200, body = PublicSchool)))]
async fn get_school(
    _: AnyCaller,
    State(app): State<App>,
    Extension(site): Extension<Site>,
    headers: HeaderMap,
) -> Result<Response> {
    Ok(site.current(&app.db, app.today()).await?.json.respond(&headers))
}

/// The texts in force
#[utoipa::path(get, path = "/api/texts", tag = "school")]
async fn get_texts(
    _: AnyCaller,
    State(app): State<App>,
    Extension(site): Extension<Site>,
) -> Result<Json<Vec<TextInForce>>> {
    let site = site.current(&app.db, app.today()).await?;
    Ok(Json(site.school.texts.clone()))
}

/// One of them
#[utoipa::path(get, path = "/api/texts/{kind}", tag = "school",
    params(("kind" = TextKind, Path, description = "What it is about")))]
async fn get_text(
    _: AnyCaller,
    State(app): State<App>,
    Extension(site): Extension<Site>,
    Path(kind): Path<String>,
) -> Result<Json<SchoolText>> {
    let site = site.current(&app.db, app.today()).await?;
    let text = TextKind::parse(&kind).and_then(|kind| site.text(kind)).cloned();
    text.map(Json).ok_or_else(|| Error::NotFound("The school has no such text.".into()))
}
