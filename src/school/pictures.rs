//! The school's pictures: written anew in the widths that screens ask for, named by their content, and sent
//! with that name for good.

use std::collections::HashMap;
use std::fmt;

use anyhow::Context as _;
use axum::body::Body;
use axum::extract::multipart::{Field, Multipart};
use axum::http::{HeaderValue, header};
use axum::response::Response;
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, named_params};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest as _, Sha256};
use utoipa::ToSchema;

use super::Picture as Shown;
use crate::base::budget::{Budget, Limits};
use crate::base::error::{Error, Result};
use crate::base::in_turn::in_turn;
use crate::base::picture::{Picture, Problem, jpeg, png};
use crate::base::random::hex;
use crate::storage::db::Db;
use crate::web::app::App;
use crate::web::listener::TooSlow;

/// The size of one upload.
const MAX_BYTES: usize = 10 * 1024 * 1024;
/// A body is read to its end up to here, so that a browser hears why its file was refused.
pub const MAX_BODY_BYTES: usize = 32 * 1024 * 1024;
/// More than a school shows, with its older versions.
const MAX_PICTURES: i64 = 200;
/// In pixels: a telephone, one of twice the density, a desk, a large one.
const WIDTHS: [usize; 4] = [480, 960, 1440, 1920];
/// Smaller than this, a photo is blurred wherever it stands.
const MIN_WIDTH: usize = 480;
/// Of a drawing that one sees through, such as a crest: it is shown small.
const DRAWING_WIDTH: usize = 512;
const MIN_DRAWING_WIDTH: usize = 120;
/// Of a photo, at which no eye tells it from the original (jpeg-encoder's scale of 1 to 100).
const QUALITY: u8 = 80;
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
    fn address(&self, width: u32, ending: &str) -> String {
        format!("{FOLDER}{self}-{width}.{ending}")
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

/// A picture of the school, by its widths.
#[derive(Debug, Clone)]
pub struct Stored {
    /// In pixels, of the largest.
    width: u32,
    height: u32,
    ending: &'static str,
    /// From the smallest.
    widths: Vec<u32>,
}

impl Stored {
    /// As pages show it.
    pub fn shown(&self, id: &PictureId, alt: &str) -> Shown {
        let address = |width: u32| id.address(width, self.ending);
        let middling = self.widths.iter().copied().filter(|width| *width <= 960).max().unwrap_or(self.width);
        let each = self.widths.iter().map(|width| format!("{} {width}w", address(*width)));
        Shown {
            src: address(middling),
            srcset: each.collect::<Vec<_>>().join(", "),
            width: self.width,
            height: self.height,
            alt: alt.to_owned(),
        }
    }
}

/// What an upload became.
struct Written {
    id: PictureId,
    content_type: &'static str,
    size: (usize, usize),
    /// Each width with its file.
    files: Vec<(usize, Vec<u8>)>,
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
    pub fn new(id: &PictureId, stored: &Stored) -> Self {
        let Shown { src, srcset, width, height, .. } = stored.shown(id, "");
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

/// Takes an upload: read whole, written anew in every width, kept.
///
/// # Errors
/// 400, 408, 413 or 415 with the sentence of what is wrong; 409 where there are too many; 503.
pub async fn take(app: &App, form: Multipart, by: i64) -> Result<UploadedPicture> {
    let bytes = receive(form).await?;
    let limits = app.config.documents.limits(MAX_BYTES as u64);
    let written = in_turn(&app.examination, move || Ok(write(&bytes, &limits)?)).await?;
    let now = app.clock.now();
    app.db
        .write(move |connection| {
            insert(connection, &written, by, now)?;
            let stored = find(connection, &written.id)?.context("a picture that was just written")?;
            Ok(UploadedPicture::new(&written.id, &stored))
        })
        .await
}

async fn receive(mut form: Multipart) -> Result<Vec<u8>> {
    let broken = |error: axum::extract::multipart::MultipartError| match TooSlow::is_cause_of(&error) {
        true => Error::TooSlow,
        false => Error::BadRequest("The upload could not be read. Please try again.".into()),
    };
    while let Some(field) = form.next_field().await.map_err(broken)? {
        if field.name() == Some("picture") {
            return read(field).await?.ok_or_else(|| {
                Error::TooLarge("A picture may have 10 MB. Please save it smaller, and upload that.".into())
            });
        }
    }
    Err(Error::field("picture", "Please choose a picture"))
}

/// The bytes of a file; none where they are too many.
async fn read(mut field: Field<'_>) -> Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    let mut is_too_large = false;
    // To its end, so that a browser that still sends hears the answer.
    while let Some(chunk) = field.chunk().await.map_err(|_| Error::TooSlow)? {
        is_too_large |= bytes.len() + chunk.len() > MAX_BYTES;
        if !is_too_large {
            bytes.extend_from_slice(&chunk);
        }
    }
    Ok((!is_too_large).then_some(bytes))
}

/// Why an upload is not taken.
#[derive(Debug, PartialEq, Eq)]
enum Refusal {
    OtherKind,
    TooSmall { width: usize, least: usize },
    Picture(Problem),
}

impl From<Problem> for Refusal {
    fn from(problem: Problem) -> Self {
        Self::Picture(problem)
    }
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::OtherKind => Self::UnsupportedType(
                "This file is neither a JPEG nor a PNG. Please save the picture as one of these, and upload that."
                    .into(),
            ),
            Refusal::TooSmall { width, least } => Self::field(
                "picture",
                format!("This picture is {width} pixels wide. {least} are the least: a smaller one would be blurred."),
            ),
            Refusal::Picture(Problem::Damaged) => Self::UnsupportedType(
                "This picture is damaged or incomplete. Please open it, save it again, and upload that.".into(),
            ),
            Refusal::Picture(_) => Self::TooLarge(
                "This picture has more pixels than can be taken. Please save it smaller, and upload that.".into(),
            ),
        }
    }
}

fn write(bytes: &[u8], limits: &Limits) -> Result<Written, Refusal> {
    let budget = Budget::new(limits.time);
    let picture = if bytes.starts_with(b"\xFF\xD8\xFF") {
        jpeg::decode(bytes, limits, &budget)?
    } else if bytes.starts_with(b"\x89PNG") {
        png::decode(bytes, limits, &budget)?
    } else {
        return Err(Refusal::OtherKind);
    };
    let (width, _) = picture.size();
    let (least, content_type) = match picture.is_opaque() {
        true => (MIN_WIDTH, "image/jpeg"),
        false => (MIN_DRAWING_WIDTH, "image/png"),
    };
    if width < least {
        return Err(Refusal::TooSmall { width, least });
    }
    if content_type == "image/png" {
        let write = |picture: &Picture| png::encode(picture, limits, &budget);
        return Ok(in_widths(&picture, &[DRAWING_WIDTH], content_type, &budget, write)?);
    }
    let write = |picture: &Picture| jpeg::encode(picture, QUALITY, limits, &budget);
    Ok(in_widths(&picture.into_opaque(), &WIDTHS, content_type, &budget, write)?)
}

/// The picture in each of the widths below its own; the largest is the last of them, or its own.
fn in_widths(
    picture: &Picture,
    widths: &[usize],
    content_type: &'static str,
    budget: &Budget,
    write: impl Fn(&Picture) -> Result<Vec<u8>, Problem>,
) -> Result<Written, Problem> {
    let (own, height) = picture.size();
    let widest = widths.last().copied().unwrap_or(own).min(own);
    let scaled_height = |width: usize| (height * width).div_ceil(own);
    let chosen = widths.iter().copied().filter(|width| *width < widest).chain([widest]);
    let mut files = Vec::new();
    // From the widest down, each of the one before: the first costs as much as all others.
    let mut larger = None;
    for width in chosen.collect::<Vec<_>>().into_iter().rev() {
        let source = larger.as_ref().unwrap_or(picture);
        let scaled = source.scaled((width, scaled_height(width)), budget)?;
        files.push((width, write(&scaled)?));
        larger = Some(scaled);
    }
    files.reverse();
    let mut sum = Sha256::new();
    for (_, file) in &files {
        sum.update(file);
    }
    let id = PictureId(hex(&sum.finalize()[..8]));
    Ok(Written { id, content_type, size: (widest, scaled_height(widest)), files })
}

fn insert(connection: &Connection, written: &Written, by: i64, now: Timestamp) -> Result<()> {
    if find(connection, &written.id)?.is_some() {
        return Ok(());
    }
    let count: i64 =
        connection.prepare_cached("select count(*) from site_pictures")?.query_row([], |row| row.get(0))?;
    if count >= MAX_PICTURES {
        let message = format!(
            "The site has {MAX_PICTURES} pictures, its older versions' among them: no more can be kept."
        );
        return Err(Error::Conflict(message));
    }
    connection
        .prepare_cached(
            "insert into site_pictures (id, content_type, width, height, created_at, created_by)
             values (:id, :content_type, :width, :height, :now, :by)",
        )?
        .execute(named_params! {
            ":id": written.id.0,
            ":content_type": written.content_type,
            ":width": written.size.0 as i64,
            ":height": written.size.1 as i64,
            ":now": now.as_second(),
            ":by": by,
        })?;
    let mut file = connection.prepare_cached(
        "insert into site_picture_files (picture_id, width, content) values (:id, :width, :content)",
    )?;
    for (width, content) in &written.files {
        file.execute(named_params! { ":id": written.id.0, ":width": *width as i64, ":content": content })?;
    }
    Ok(())
}

/// The picture of this name, if there is one.
pub fn find(connection: &Connection, id: &PictureId) -> Result<Option<Stored>> {
    let stored = connection
        .prepare_cached("select width, height, content_type from site_pictures where id = :id")?
        .query_row(named_params! { ":id": id.0 }, |row| {
            let content_type: String = row.get("content_type")?;
            let ending = if content_type == "image/png" { "png" } else { "jpg" };
            Ok(Stored { width: row.get("width")?, height: row.get("height")?, ending, widths: Vec::new() })
        })
        .optional()?;
    let Some(mut stored) = stored else { return Ok(None) };
    stored.widths = connection
        .prepare_cached("select width from site_picture_files where picture_id = :id order by width")?
        .query_map(named_params! { ":id": id.0 }, |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    Ok(Some(stored))
}

/// Those of these pictures that are there.
pub fn find_all<'a>(
    connection: &Connection,
    ids: impl Iterator<Item = &'a PictureId>,
) -> Result<HashMap<PictureId, Stored>> {
    let mut found = HashMap::new();
    for id in ids {
        if let Some(stored) = find(connection, id)? {
            found.insert(id.clone(), stored);
        }
    }
    Ok(found)
}

/// Removes what no version and no draft shows, a day after it came: whoever uploads has yet to save.
pub fn sweep(connection: &Connection, used: &[PictureId], now: Timestamp) -> Result<()> {
    let day_ago = now.as_second() - 24 * 60 * 60;
    let old: Vec<String> = connection
        .prepare_cached("select id from site_pictures where created_at < :day_ago")?
        .query_map(named_params! { ":day_ago": day_ago }, |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    let mut delete = connection.prepare_cached("delete from site_pictures where id = :id")?;
    for id in old.iter().filter(|id| !used.iter().any(|used| used.0 == **id)) {
        delete.execute(named_params! { ":id": id })?;
    }
    Ok(())
}

/// The file at an address under [`FOLDER`]; none where there is nothing.
pub async fn send(db: &Db, name: &str) -> Result<Option<Response>> {
    let Some((id, width, ending)) = parse_name(name) else { return Ok(None) };
    let content: Option<Vec<u8>> = db
        .query(move |connection| {
            Ok(connection
                .prepare_cached(
                    "select f.content from site_picture_files f join site_pictures p on p.id = f.picture_id
                     where f.picture_id = :id and f.width = :width and p.content_type = :type",
                )?
                .query_row(
                    named_params! { ":id": id.0, ":width": width, ":type": content_type(ending) },
                    |row| row.get(0),
                )
                .optional()?)
        })
        .await?;
    Ok(content.map(|content| {
        let mut response = Response::new(Body::from(content));
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type(ending)));
        // The name is of the content.
        let forever = HeaderValue::from_static("public, max-age=31536000, immutable");
        headers.insert(header::CACHE_CONTROL, forever);
        response
    }))
}

/// `0123456789abcdef-960.jpg`
fn parse_name(name: &str) -> Option<(PictureId, u32, &'static str)> {
    let (id, rest) = name.split_once('-')?;
    let (width, ending) = rest.split_once('.')?;
    let ending = ["jpg", "png"].into_iter().find(|each| *each == ending)?;
    let is_plain = !width.starts_with('0') && width.bytes().all(|digit| digit.is_ascii_digit());
    Some((PictureId::parse(id)?, width.parse().ok().filter(|_| is_plain)?, ending))
}

fn content_type(ending: &str) -> &'static str {
    if ending == "png" { "image/png" } else { "image/jpeg" }
}
