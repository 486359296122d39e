//! The school's pictures: re-encoded in several widths, named by their content, and cached permanently.

mod store;
mod upload;

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use axum::body::{Body, Bytes};
use axum::http::{HeaderValue, header};
use axum::response::Response;
use rusqlite::Connection;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use utoipa::ToSchema;

pub use self::store::{find_all, sweep};
pub use self::upload::take;
use crate::base::closed_set::{ClosedSet as _, closed_set};
use crate::base::error::Result;
use crate::school::Picture;
use crate::storage::db::Db;
use crate::storage::statements::{Statements, params};

/// A body is read to its end up to here, so that a browser hears why its file was refused.
pub const MAX_BODY_BYTES: usize = 32 * 1024 * 1024;
/// In pixels: the widest that a telephone of twice the density asks for.
const MIDDLING: u32 = 960;
/// Where the pictures are.
pub const FOLDER: &str = "/pictures/";

/// The name of a picture: sixteen hexadecimal digits of the sum of its content.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, ToSchema)]
#[schema(value_type = String, example = "0123456789abcdef")]
pub struct PictureId(String);

impl PictureId {
    /// Reads a name.
    pub fn parse(text: &str) -> Option<Self> {
        let is_digit = |digit: u8| digit.is_ascii_digit() || (b'a'..=b'f').contains(&digit);
        (text.len() == 16 && text.bytes().all(is_digit)).then(|| Self(text.to_owned()))
    }

    /// Where one of its widths is.
    fn address(&self, width: u32, content_type: PictureType) -> String {
        format!("{FOLDER}{self}-{width}.{}", content_type.label())
    }
}

impl fmt::Display for PictureId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Serialize for PictureId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for PictureId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| serde::de::Error::custom(format!("no picture: {text}")))
    }
}

closed_set! {
    /// As what a picture is written.
    pub enum PictureType {
        /// A photo.
        Jpeg = "image/jpeg" => "jpg",
        /// A drawing that one sees through.
        Png = "image/png" => "png",
    }
}

/// A picture of the school, by its widths.
#[derive(Debug, Clone)]
pub struct StoredPicture {
    /// In pixels, of the largest.
    width: u32,
    height: u32,
    content_type: PictureType,
    /// From the smallest.
    widths: Vec<u32>,
}

impl StoredPicture {
    /// As pages show it.
    pub fn shown(&self, id: &PictureId, alt: &str) -> Picture {
        let address = |width: u32| id.address(width, self.content_type);
        let middling =
            self.widths.iter().copied().filter(|width| *width <= MIDDLING).max().unwrap_or(self.width);
        let each = self.widths.iter().map(|width| format!("{} {width}w", address(*width)));
        Picture {
            src: address(middling),
            srcset: each.collect::<Vec<_>>().join(", "),
            width: self.width,
            height: self.height,
            alt: alt.to_owned(),
        }
    }
}

impl Picture {
    /// Width and height of the file at `src` in pixels.
    pub fn src_size(&self) -> (u32, u32) {
        let width = self.width.min(MIDDLING);
        (width, (self.height * width).div_ceil(self.width.max(1)))
    }
}

/// A picture that was uploaded.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UploadedPicture {
    /// Its name.
    pub id: PictureId,
    /// The address of one of middling width.
    pub src: String,
    /// All widths, as `srcset` lists them.
    pub srcset: String,
    /// Width of the largest in pixels.
    pub width: u32,
    /// Height of the largest in pixels.
    pub height: u32,
}

impl UploadedPicture {
    /// A stored picture, for the office.
    pub fn new(id: &PictureId, stored: &StoredPicture) -> Self {
        let Picture { src, srcset, width, height, .. } = stored.shown(id, "");
        Self { id: id.clone(), src, srcset, width, height }
    }
}

/// The form of an upload, for the description.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only described: the form is read as a stream")]
pub struct PictureForm {
    /// A JPEG or PNG of at most 10 MB, 480 pixels wide at least; 120 where one sees through it, as a crest.
    #[schema(value_type = String, format = Binary)]
    picture: Vec<u8>,
}

/// The pictures that are being sent, by name: each is in memory once, for however many.
#[derive(Clone, Default)]
pub struct PictureCache(Arc<Mutex<HashMap<String, Weak<[u8]>>>>);

impl PictureCache {
    /// The file at an address under [`FOLDER`]; none where there is nothing.
    pub async fn send(&self, db: &Db, name: &str) -> Result<Option<Response>> {
        let Some((id, width, content_type)) = parse_name(name) else { return Ok(None) };
        let content = match self.find(name) {
            Some(content) => Some(content),
            None => {
                let shown = self.clone();
                let name = name.to_owned();
                db.query(move |connection| shown.read(connection, name, &id, width, content_type)).await?
            }
        };
        Ok(content.map(|content| {
            let mut response = Response::new(Body::from(Bytes::from_owner(content)));
            let headers = response.headers_mut();
            headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type.as_str()));
            // The name is of the content.
            let forever = HeaderValue::from_static("public, max-age=31536000, immutable");
            headers.insert(header::CACHE_CONTROL, forever);
            response
        }))
    }

    fn read(
        &self,
        connection: &Connection,
        name: String,
        id: &PictureId,
        width: u32,
        content_type: PictureType,
    ) -> Result<Option<Arc<[u8]>>> {
        // Another request may have read it while this one waited.
        if let Some(content) = self.find(&name) {
            return Ok(Some(content));
        }
        let sql = "select f.content from site_picture_files f join site_pictures p on p.id = f.picture_id
            where f.picture_id = :id and f.width = :width and p.content_type = :content_type";
        let content: Option<Vec<u8>> = connection.find(sql, params![id = id.0, width, content_type])?;
        Ok(content.map(|content| {
            let content: Arc<[u8]> = content.into();
            let mut shown = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            shown.retain(|_, content| content.strong_count() > 0);
            shown.insert(name, Arc::downgrade(&content));
            content
        }))
    }

    fn find(&self, name: &str) -> Option<Arc<[u8]>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(name)?.upgrade()
    }
}

/// `0123456789abcdef-960.jpg`
fn parse_name(name: &str) -> Option<(PictureId, u32, PictureType)> {
    let (id, rest) = name.split_once('-')?;
    let (width, ending) = rest.split_once('.')?;
    let content_type = PictureType::ALL.iter().copied().find(|each| each.label() == ending)?;
    let is_plain = !width.starts_with('0') && width.bytes().all(|digit| digit.is_ascii_digit());
    Some((PictureId::parse(id)?, width.parse().ok().filter(|_| is_plain)?, content_type))
}
