//! JSON, as the body of a request and of an answer.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

/// A value as JSON. As a parameter of a handler it is read by the rules of `web::form`.
#[derive(Debug, Clone)]
pub struct Json<T>(pub T);

/// Most answers fit, and a page of a list grows out of it in a step or two.
const USUAL_BYTES: usize = 4096;

impl<T: Serialize> IntoResponse for Json<T> {
    fn into_response(self) -> Response {
        // axum's own writes into `BytesMut`, byte string by byte string, which costs a list twice as much.
        let mut body = Vec::with_capacity(USUAL_BYTES);
        match serde_json::to_writer(&mut body, &self.0) {
            Ok(()) => {
                let json = HeaderValue::from_static("application/json");
                ([(header::CONTENT_TYPE, json)], body).into_response()
            }
            Err(error) => {
                tracing::error!("an answer could not be written as JSON: {error}");
                StatusCode::INTERNAL_SERVER_ERROR.into_response()
            }
        }
    }
}
