//! Responses that are compressed once and sent many times.

use std::io::{Read, Write};
use std::sync::OnceLock;

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, Response, StatusCode, header};
use bytes::Bytes;
use sha2::{Digest, Sha256};

use crate::base::random::hex;

/// A body in all encodings that a client may accept, each with an entity tag.
#[derive(Debug, Clone)]
pub struct Encoded {
    content_type: &'static str,
    cache_control: &'static str,
    tags: Tags,
    /// Decompressed on first use, if only compressed copies were given.
    identity: OnceLock<Bytes>,
    brotli: Option<Bytes>,
    /// Compressed on first use; `None` if it would not be smaller.
    gzip: OnceLock<Option<Bytes>>,
}

/// The entity tags of the copies.
#[derive(Debug, Clone)]
struct Tags {
    identity: HeaderValue,
    brotli: HeaderValue,
    gzip: HeaderValue,
}

impl Tags {
    /// Derives the tags from one of the copies.
    fn of(body: &[u8]) -> Self {
        let digest = hex(&Sha256::digest(body)[..12]);
        // Hexadecimal digits are valid in a header.
        let tag = |text: String| HeaderValue::try_from(text).unwrap_or(HeaderValue::from_static("\"\""));
        Self {
            identity: tag(format!("\"{digest}\"")),
            brotli: tag(format!("\"{digest}-br\"")),
            gzip: tag(format!("\"{digest}-gzip\"")),
        }
    }
}

/// Brotli 5 costs 4 ms for the catalogue and is within 8 % of brotli 11.
const BROTLI_QUALITY: u32 = 5;
const GZIP_LEVEL: u32 = 6;

impl Encoded {
    /// Compresses a body that is requested often.
    pub fn new(content_type: &'static str, cache_control: &'static str, body: Vec<u8>) -> Self {
        let brotli = brotli(&body).map(Bytes::from);
        Self { brotli, gzip: OnceLock::new(), ..Self::of_plain(content_type, cache_control, body.into()) }
    }

    /// Compresses a body for one request, only in the encoding it accepts; `keep` wraps the bytes that are held until
    /// they are sent.
    pub fn for_one(
        content_type: &'static str,
        cache_control: &'static str,
        body: Vec<u8>,
        request: &HeaderMap,
        keep: impl FnOnce(Vec<u8>) -> Bytes,
    ) -> Self {
        let plain = Self::of_plain(content_type, cache_control, Bytes::new());
        let one = Self { tags: Tags::of(&body), ..plain };
        let smaller = |encoding, compress: fn(&[u8]) -> Option<Vec<u8>>| {
            if takes(request, encoding) { compress(&body) } else { None }
        };
        if let Some(smaller) = smaller("br", brotli) {
            return Self { brotli: Some(keep(smaller)), ..one };
        }
        match smaller("gzip", |body| gzip(body, GZIP_LEVEL)) {
            Some(smaller) => Self { gzip: Some(keep(smaller)).into(), ..one },
            None => Self { identity: keep(body).into(), ..one },
        }
    }

    /// Takes a body that does not compress.
    pub fn of_plain(content_type: &'static str, cache_control: &'static str, body: Bytes) -> Self {
        let tags = Tags::of(&body);
        Self { content_type, cache_control, tags, identity: body.into(), brotli: None, gzip: None.into() }
    }

    /// Takes a copy compressed at build time.
    pub fn of_brotli(content_type: &'static str, cache_control: &'static str, brotli: Bytes) -> Self {
        let tags = Tags::of(&brotli);
        let identity = OnceLock::new();
        let gzip = OnceLock::new();
        Self { content_type, cache_control, tags, identity, brotli: Some(brotli), gzip }
    }

    /// Drops the uncompressed body if there are compressed copies; it is restored for the rare client that needs it.
    pub fn compressed_only(self) -> Self {
        if self.brotli.is_some() { Self { identity: OnceLock::new(), ..self } } else { self }
    }

    /// The uncompressed body.
    pub fn identity(&self) -> &Bytes {
        self.identity.get_or_init(|| self.brotli.as_deref().and_then(unpack).unwrap_or_default())
    }

    /// The gzip copy, for the few clients without brotli.
    fn gzipped(&self) -> Option<&Bytes> {
        let gzip = || {
            let kept = self.identity.get().cloned();
            gzip(&kept.or_else(|| self.brotli.as_deref().and_then(unpack))?, GZIP_LEVEL).map(Bytes::from)
        };
        self.gzip.get_or_init(gzip).as_ref()
    }

    /// Responds in the best encoding the client accepts, or 304 when it has the body already.
    pub fn respond(&self, request: &HeaderMap) -> axum::response::Response {
        self.respond_with(StatusCode::OK, request)
    }

    /// As [`Self::respond`], with another status for the body.
    pub fn respond_with(&self, status: StatusCode, request: &HeaderMap) -> axum::response::Response {
        let brotli = self.brotli.as_ref().filter(|_| takes(request, "br"));
        let gzip = || if takes(request, "gzip") { self.gzipped() } else { None };
        let (body, tag, encoding) = match brotli {
            Some(body) => (body, &self.tags.brotli, Some("br")),
            None => match gzip() {
                Some(body) => (body, &self.tags.gzip, Some("gzip")),
                None => (self.identity(), &self.tags.identity, None),
            },
        };
        let known = request
            .get(header::IF_NONE_MATCH)
            .and_then(|value| value.to_str().ok())
            .is_some_and(|value| value.split(',').any(|one| one.trim().trim_start_matches("W/") == *tag));
        let mut response = Response::new(Body::empty());
        if known && status == StatusCode::OK {
            *response.status_mut() = StatusCode::NOT_MODIFIED;
        } else {
            *response.status_mut() = status;
            *response.body_mut() = Body::from(body.clone());
        }
        let headers = response.headers_mut();
        // Capacity for these headers and for those of every response.
        headers.reserve(20);
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(self.content_type));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(self.cache_control));
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        headers.insert(header::ETAG, tag.clone());
        if let (Some(encoding), false) = (encoding, known) {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding));
        }
        response
    }
}

/// Whether a client accepts an encoding.
pub fn takes(request: &HeaderMap, encoding: &str) -> bool {
    let values = request.get_all(header::ACCEPT_ENCODING).iter();
    values.filter_map(|value| value.to_str().ok()).any(|value| accepts(value, encoding))
}

/// Whether an `Accept-Encoding` names an encoding without forbidding it (`q=0`).
fn accepts(header: &str, encoding: &str) -> bool {
    header.split(',').any(|item| {
        let mut parts = item.split(';').map(str::trim);
        parts.next().is_some_and(|name| name.eq_ignore_ascii_case(encoding))
            && !parts
                .any(|part| matches!(part.replace(' ', "").as_str(), "q=0" | "q=0.0" | "q=0.00" | "q=0.000"))
    })
}

fn brotli(body: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    let mut writer = brotli::CompressorWriter::new(&mut out, 4096, BROTLI_QUALITY, 22);
    writer.write_all(body).ok()?;
    drop(writer);
    Some(out)
}

/// A body in gzip, at a level from 1 to 9.
pub fn gzip(body: &[u8], level: u32) -> Option<Vec<u8>> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::new(level));
    encoder.write_all(body).ok()?;
    encoder.finish().ok()
}

fn unpack(brotli: &[u8]) -> Option<Bytes> {
    let mut body = Vec::new();
    brotli::Decompressor::new(brotli, 4096).read_to_end(&mut body).ok()?;
    Some(body.into())
}
