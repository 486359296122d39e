//! Metrics for Prometheus, on a separate listener for this machine only.
//!
//! Frequent events are counted in atomics ([`meters`]); everything else is collected per scrape (`gather`). Metrics
//! contain no names, addresses or queries, and labels come from tables fixed at startup. The text format has three
//! kinds of lines, so it is written here: a library would add locks and label maps to the hot path.

mod gather;
pub mod request_counts;
mod text;

use axum::Router;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use tokio::net::TcpListener;

use crate::base::{clock, meters};
use crate::config::Metrics;
use crate::web::app::App;

/// Binds the metrics address, if configured.
///
/// # Errors
/// When the address is in use or not local.
pub fn bind(settings: &Metrics) -> anyhow::Result<Option<TcpListener>> {
    meters::STARTED.get_or_init(clock::log_time);
    match settings.listen {
        Some(address) => Ok(Some(crate::web::listener::bind(address, "choose one with metrics.listen")?)),
        None => Ok(None),
    }
}

/// Routes of the metrics listener.
pub fn router(app: App) -> Router {
    Router::new().route("/metrics", get(get_metrics)).with_state(app)
}

async fn get_metrics(State(app): State<App>) -> Response {
    let text = gather::everything(&app).await;
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text).into_response()
}
