//! Figures for Prometheus, on a listener of their own that only this machine reaches.
//!
//! What happens often is counted in atomics ([`meters`]); everything else is looked up when it is
//! asked for (`gather`). No figure names a person, an address or a query, and labels come from
//! tables that are fixed when the program starts. The text format is three kinds of line, so it is
//! written here: a library would bring locks and maps of labels to the hot path.

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

/// Binds the address of the figures, if one is configured.
///
/// # Errors
/// When the address is taken or not ours.
pub fn bind(settings: &Metrics) -> anyhow::Result<Option<TcpListener>> {
    meters::STARTED.get_or_init(clock::log_time);
    match settings.listen {
        Some(address) => Ok(Some(crate::web::listener::bind(address, "choose one with metrics.listen")?)),
        None => Ok(None),
    }
}

/// The one page of the listener.
pub fn router(app: App) -> Router {
    Router::new().route("/metrics", get(get_metrics)).with_state(app)
}

async fn get_metrics(State(app): State<App>) -> Response {
    let text = gather::everything(&app).await;
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text).into_response()
}
