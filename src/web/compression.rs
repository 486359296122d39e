//! The office's lists leave compressed: a page of 25 rows is a seventh of its size then.
//!
//! A length tells something of a compressed text when a stranger's words and a secret stand in it
//! together and he can have it sent again and again (BREACH). These lists hold strangers' words and
//! no secret that a request could be forged with: no token, no cookie, no password. And nobody else
//! can have them sent with a member of the staff's cookie, which is `SameSite=Lax`. So a list says
//! itself that it may be compressed ([`compressible`]); whatever else is private leaves as it is.

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::Request;
use axum::http::{HeaderValue, header};
use axum::middleware::Next;
use axum::response::Response;

use crate::web::cached_response;

/// Below this the headers of a compressed answer cost what it saves.
const MIN_BYTES: usize = 1024;
/// More than this is compressed away from the threads that serve requests: about 2 ms.
const MAX_INLINE_BYTES: usize = 128 * 1024;
/// Level 4 of 9 is within a tenth of the best for JSON, at a third of its time. Gzip alone: every
/// client knows it, and brotli's tables cost more to set up than a page of a list takes.
const LEVEL: u32 = 4;

#[derive(Debug, Clone, Copy)]
struct Compressible;

/// Marks an answer that holds no secret and may leave compressed.
pub fn compressible(mut response: Response) -> Response {
    response.extensions_mut().insert(Compressible);
    response
}

/// Compresses what is marked, for clients that take it.
pub async fn compress(request: Request, next: Next) -> Response {
    let takes_gzip = cached_response::takes(request.headers(), "gzip");
    let mut response = next.run(request).await;
    if response.extensions_mut().remove::<Compressible>().is_none() {
        return response;
    }
    response.headers_mut().append(header::VARY, HeaderValue::from_static("accept-encoding"));
    if !takes_gzip {
        return response;
    }
    let (mut head, body) = response.into_parts();
    // It is one piece in memory already; only a stream could fail here, and no list is one.
    let plain = to_bytes(body, usize::MAX).await.unwrap_or_default();
    match compress_body(plain.clone()).await {
        Some(smaller) => {
            head.headers.remove(header::CONTENT_LENGTH);
            head.headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
            Response::from_parts(head, Body::from(smaller))
        }
        None => Response::from_parts(head, Body::from(plain)),
    }
}

async fn compress_body(plain: Bytes) -> Option<Vec<u8>> {
    match plain.len() {
        0..MIN_BYTES => None,
        MIN_BYTES..=MAX_INLINE_BYTES => cached_response::gzip(&plain, LEVEL),
        _ => tokio::task::spawn_blocking(move || cached_response::gzip(&plain, LEVEL)).await.ok()?,
    }
}
