//! Compression of the office's lists: a page of 25 rows shrinks to a seventh.
//!
//! The compressed length leaks information if attacker-controlled text and a secret are in the same response and the
//! attacker can trigger it repeatedly (BREACH). These lists contain text from strangers but no secrets: no tokens,
//! cookies or passwords. Other sites also cannot trigger them with a staff session's cookie, which is `SameSite=Lax`.
//! So a list opts in to compression ([`compressible`]); all other private responses are sent uncompressed.

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::Request;
use axum::http::{HeaderValue, header};
use axum::middleware::Next;
use axum::response::Response;

use crate::web::cached_response;

/// Below this size compression saves no more than its headers cost.
const MIN_BYTES: usize = 1024;
/// Larger bodies are compressed on a blocking thread; this size takes about 2 ms.
const MAX_INLINE_BYTES: usize = 128 * 1024;
/// Level 4 of 9 is within a tenth of the best for JSON, at a third of its time. Only gzip: every client supports it,
/// and setting up brotli's tables takes longer than compressing a page.
const LEVEL: u32 = 4;

#[derive(Debug, Clone, Copy)]
struct Compressible;

/// Marks a response that contains no secret and may be compressed.
pub fn compressible(mut response: Response) -> Response {
    response.extensions_mut().insert(Compressible);
    response
}

/// Compresses marked responses for clients that accept it.
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
    // The body is already in memory; only a stream could fail here, and lists are not streamed.
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
