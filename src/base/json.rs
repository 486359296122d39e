//! JSON bodies of requests and responses.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

/// A JSON body. As a handler parameter it is parsed by the rules of `web::form`.
#[derive(Debug, Clone)]
pub struct Json<T>(pub T);

/// Most responses fit; a page of a list takes one or two reallocations.
const USUAL_BYTES: usize = 4096;

impl<T: Serialize> IntoResponse for Json<T> {
    fn into_response(self) -> Response {
        // axum's own `Json` writes piece by piece into `BytesMut`, which takes twice as long for a list.
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
