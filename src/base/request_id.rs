//! The current request, for every log line that is written while it is served.

use std::future::Future;

use axum::extract::MatchedPath;
use axum::http::Method;

/// The request fields of log lines.
pub struct Current {
    /// Request id, also returned as `X-Request-Id`.
    pub id: String,
    /// `GET`, `POST` …
    pub method: Method,
    /// The matched route, if any.
    pub route: Option<MatchedPath>,
}

/// Route of requests that match no endpoint.
pub const PAGE: &str = "(page)";

impl Current {
    /// The route with its placeholders, never a URL with an id or a query.
    pub fn route(&self) -> &str {
        self.route.as_ref().map_or(PAGE, MatchedPath::as_str)
    }
}

tokio::task_local! {
    static CURRENT: Current;
}

/// Serves a request with `current` as its log context.
pub async fn scope<F: Future>(current: Current, serve: F) -> F::Output {
    CURRENT.scope(current, serve).await
}

/// Calls `look` with the current request, if there is one.
pub fn with_current<T>(look: impl FnOnce(&Current) -> T) -> Option<T> {
    CURRENT.try_with(look).ok()
}

/// Reference for error messages, by which the log lines are found.
pub fn reference() -> String {
    with_current(|current| format!(" (reference {})", current.id)).unwrap_or_default()
}
