//! The request that is being served, known to every line of the log that is written meanwhile.

use std::future::Future;

use axum::extract::MatchedPath;
use axum::http::Method;

/// A request as lines of the log name it.
pub struct Current {
    /// Its number, which also goes back as `X-Request-Id`.
    pub id: String,
    /// `GET`, `POST` …
    pub method: Method,
    /// The route, if any was made for it.
    pub route: Option<MatchedPath>,
}

/// The route of everything that is no endpoint.
pub const PAGE: &str = "(page)";

impl Current {
    /// The route with its placeholders: never an address with somebody's number or query.
    pub fn route(&self) -> &str {
        self.route.as_ref().map_or(PAGE, MatchedPath::as_str)
    }
}

tokio::task_local! {
    static CURRENT: Current;
}

/// Serves a request under its number.
pub async fn scope<F: Future>(current: Current, serve: F) -> F::Output {
    CURRENT.scope(current, serve).await
}

/// The request that is being served, if one is.
pub fn with_current<T>(look: impl FnOnce(&Current) -> T) -> Option<T> {
    CURRENT.try_with(look).ok()
}

/// For the words of a fault: by what the lines about it are found.
pub fn reference() -> String {
    with_current(|current| format!(" (reference {})", current.id)).unwrap_or_default()
}
