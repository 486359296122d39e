//! The office's view of consents.

use axum::Extension;
use axum::extract::State;
use utoipa_axum::router::OpenApiRouter;

use crate::base::error::Result;
use crate::base::json::Json;
use crate::consents::{self, ConsentCount};
use crate::settings::site::Site;
use crate::staff::{Staff, may};
use crate::web::access::endpoints;
use crate::web::app::App;

/// The endpoint.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![count_consents]
}

/// Number of consents by text and version
#[utoipa::path(get, path = "/api/admin/consents", tag = "privacy")]
async fn count_consents(
    _: Staff<may::Privacy>,
    State(app): State<App>,
    Extension(site): Extension<Site>,
) -> Result<Json<Vec<ConsentCount>>> {
    let site = site.current(&app.db, app.today()).await?;
    let in_force: Vec<_> = site.texts.iter().map(|text| text.in_force.version.clone()).collect();
    app.db.query(move |connection| consents::count(connection, &in_force)).await.map(Json)
}
