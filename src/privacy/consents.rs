//! The office's view of what people agreed to.

use axum::extract::State;
use utoipa_axum::router::OpenApiRouter;

use crate::base::error::{ErrorBody, Result};
use crate::base::json::Json;
use crate::consents::{self, ConsentCount};
use crate::staff::{Staff, may};
use crate::web::access::endpoint;
use crate::web::app::App;

/// The endpoint.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(endpoint!(count_consents))
}

/// How many agreed to which version of which text
#[utoipa::path(get, path = "/api/admin/consents", tag = "privacy",
    responses((status = 200, body = Vec<ConsentCount>), (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody)))]
async fn count_consents(_: Staff<may::Privacy>, State(app): State<App>) -> Result<Json<Vec<ConsentCount>>> {
    app.db.query(consents::count).await.map(Json)
}
