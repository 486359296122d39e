//! Receives a picture, validates it, and re-encodes it in every width.

use anyhow::Context as _;
use axum::extract::multipart::{Field, Multipart, MultipartError};
use sha2::{Digest as _, Sha256};

use super::store::{self, NewPicture};
use super::{PictureId, PictureType, UploadedPicture};
use crate::base::budget::{DecodeLimits, TimeBudget};
use crate::base::error::{Error, Result};
use crate::base::picture::kind::UnsupportedFormat;
use crate::base::picture::{Picture, PictureProblem, PictureSize, jpeg, png};
use crate::base::random::hex;
use crate::settings::versions;
use crate::web::app::App;
use crate::web::listener::TooSlow;

/// The size of one upload.
const MAX_BYTES: usize = 10 * 1024 * 1024;
/// In pixels: a telephone, one of twice the density, a desk, a large one.
const WIDTHS: [usize; 4] = [480, 960, 1440, 1920];
/// Smaller than this, a photo is blurred wherever it stands.
const MIN_WIDTH: usize = 480;
/// Width of a transparent drawing such as a crest, which is shown small.
const DRAWING_WIDTH: usize = 512;
const MIN_DRAWING_WIDTH: usize = 120;
/// JPEG quality without visible loss (jpeg-encoder's scale of 1 to 100).
const QUALITY: u8 = 80;

/// Receives an upload, re-encodes it in every width, and stores it.
///
/// # Errors
/// 400, 408, 413 or 415 with the sentence of what is wrong; 409 when there are too many; 503.
pub async fn take(app: &App, form: Multipart, by: i64) -> Result<UploadedPicture> {
    let bytes = receive(form).await?;
    let limits = app.config.documents.limits(MAX_BYTES as u64);
    let written = app.examination.place(())?.work(move || Ok(write(&bytes, &limits)?)).await?;
    let now = app.clock.now();
    app.db
        .write(move |connection| {
            // Unsaved pictures make room.
            versions::sweep_pictures(connection, now)?;
            store::insert(connection, &written, by, now)?;
            let stored = store::find(connection, &written.id)?.context("a picture that was just written")?;
            Ok(UploadedPicture::new(&written.id, &stored))
        })
        .await
}

async fn receive(mut form: Multipart) -> Result<Vec<u8>> {
    while let Some(field) = form.next_field().await.map_err(|error| broken(&error))? {
        if field.name() == Some("picture") {
            return read(field).await?.ok_or_else(|| {
                Error::TooLarge("A picture may have 10 MB. Please save it smaller, and upload that.".into())
            });
        }
    }
    Err(Error::field("picture", "Please choose a picture"))
}

fn broken(error: &MultipartError) -> Error {
    match TooSlow::is_cause_of(error) {
        true => Error::TooSlow,
        false => Error::BadRequest("The upload could not be read. Please try again.".into()),
    }
}

/// The bytes of a file; none if they are too many.
async fn read(mut field: Field<'_>) -> Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    let mut is_too_large = false;
    // To its end, so that a browser that still sends hears the answer.
    while let Some(chunk) = field.chunk().await.map_err(|error| broken(&error))? {
        is_too_large |= bytes.len() + chunk.len() > MAX_BYTES;
        if !is_too_large {
            bytes.extend_from_slice(&chunk);
        }
    }
    Ok((!is_too_large).then_some(bytes))
}

/// Why an upload is not taken.
#[derive(Debug, PartialEq, Eq)]
enum UploadRefusal {
    UnsupportedFormat,
    OtherPicture(UnsupportedFormat),
    TooSmall { width: usize, min: usize },
    Picture(PictureProblem),
}

impl From<PictureProblem> for UploadRefusal {
    fn from(problem: PictureProblem) -> Self {
        Self::Picture(problem)
    }
}

impl From<UploadRefusal> for Error {
    fn from(refusal: UploadRefusal) -> Self {
        match refusal {
            UploadRefusal::UnsupportedFormat => Self::UnsupportedType(
                "This file is neither a JPEG nor a PNG. Please save the picture as one of these, and upload that."
                    .into(),
            ),
            UploadRefusal::TooSmall { width, min } => Self::field(
                "picture",
                format!(
                    "This picture is {width} pixels wide. Use a picture at least {min} pixels wide: a smaller one would \
                     be blurred."
                ),
            ),
            UploadRefusal::OtherPicture(kind) => Self::UnsupportedType(format!("This file {}", kind.words())),
            UploadRefusal::Picture(problem @ (PictureProblem::TooManyPixels(_) | PictureProblem::TooLarge)) => {
                Self::TooLarge(problem.words())
            }
            UploadRefusal::Picture(problem) => Self::UnsupportedType(problem.words()),
        }
    }
}

fn write(bytes: &[u8], limits: &DecodeLimits) -> Result<NewPicture, UploadRefusal> {
    let budget = TimeBudget::new(limits.time);
    let picture = if bytes.starts_with(b"\xFF\xD8\xFF") {
        jpeg::decode(bytes, limits, &budget)?
    } else if bytes.starts_with(b"\x89PNG") {
        png::decode(bytes, limits, &budget)?
    } else {
        return Err(UnsupportedFormat::of(bytes)
            .map_or(UploadRefusal::UnsupportedFormat, UploadRefusal::OtherPicture));
    };
    let width = picture.size().width;
    let (min, content_type) = match picture.is_opaque() {
        true => (MIN_WIDTH, PictureType::Jpeg),
        false => (MIN_DRAWING_WIDTH, PictureType::Png),
    };
    if width < min {
        return Err(UploadRefusal::TooSmall { width, min });
    }
    if content_type == PictureType::Png {
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
    content_type: PictureType,
    budget: &TimeBudget,
    write: impl Fn(&Picture) -> Result<Vec<u8>, PictureProblem>,
) -> Result<NewPicture, PictureProblem> {
    let PictureSize { width: own, height } = picture.size();
    let widest = widths.last().copied().unwrap_or(own).min(own);
    let scaled_to = |width: usize| PictureSize { width, height: (height * width).div_ceil(own) };
    let chosen = widths.iter().copied().filter(|width| *width < widest).chain([widest]);
    let mut files = Vec::new();
    // From the widest down, each of the one before: the first costs as much as all others.
    let mut larger = None;
    for width in chosen.collect::<Vec<_>>().into_iter().rev() {
        let source = larger.as_ref().unwrap_or(picture);
        let scaled = source.scaled(scaled_to(width), budget)?;
        files.push((width, write(&scaled)?));
        larger = Some(scaled);
    }
    files.reverse();
    let mut sum = Sha256::new();
    for (_, file) in &files {
        sum.update(file);
    }
    let id = PictureId(hex(&sum.finalize()[..8]));
    Ok(NewPicture { id, content_type, size: scaled_to(widest), files })
}
