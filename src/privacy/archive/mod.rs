//! Everything that the school holds of one student, as a ZIP: a page to read, the same as JSON, the files.
//!
//! It is put together in a nameless file, which is gone when it is sent, one archive at a time: memory
//! holds the rows of one student and a buffer. A ZIP opens on any system without a program to install.

mod collect;
mod page;
mod sections;

use std::fs::File;
use std::io::{BufWriter, Seek, Write};
use std::sync::Arc;

use anyhow::Context;
use axum::Extension;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Map, Value, json};
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;
use tokio_util::io::ReaderStream;
use utoipa_axum::router::OpenApiRouter;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use self::collect::{Cells, Collected};
use crate::audit::{self, By};
use crate::base::error::{Error, ErrorBody, Result};
use crate::staff::{Recent, Staff, may};
use crate::students::history::{self, Change};
use crate::students::{CurrentStudent, Student};
use crate::web::access::endpoint;
use crate::web::app::App;
use crate::web::id::Id;

/// The endpoints.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(endpoint!(download_own_archive))
        .routes(endpoint!(download_student_archive))
        .layer(Extension(OneAtATime(Arc::new(Semaphore::new(1)))))
}

/// In the place of a file that is gone.
const MISSING: &str = "This file could not be read on the school's server. Please tell the office.\n";

/// Held by whoever puts an archive together.
#[derive(Debug, Clone)]
struct OneAtATime(Arc<Semaphore>);

/// Everything that the school holds of the signed-in student, as a ZIP with a page to read
#[utoipa::path(get, path = "/api/students/archive", tag = "privacy",
    responses((status = 200, body = Vec<u8>, content_type = "application/zip"), (status = 401, body = ErrorBody),
        (status = 503, body = ErrorBody, headers(("Retry-After" = i64, description = "Seconds to wait")),
            description = "The disk is short of room")))]
async fn download_own_archive(
    student: CurrentStudent,
    State(app): State<App>,
    Extension(one): Extension<OneAtATime>,
) -> Result<Response> {
    let (id, now) = (student.id, app.clock.now());
    let answer = respond(&app, &one, id).await?;
    let change = Change { field: "archive", before: None, after: Some("downloaded"), reason: None };
    app.db.write(move |connection| history::add(connection, id, By::Student, change, now)).await?;
    Ok(answer)
}

/// The same for the office, which hands it to whoever asked on paper; the audit notes it
#[utoipa::path(get, path = "/api/admin/students/{id}/archive", tag = "privacy",
    params(("id" = i64, Path, description = "Number of the student")),
    responses((status = 200, body = Vec<u8>, content_type = "application/zip"), (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 503, body = ErrorBody, headers(("Retry-After" = i64, description = "Seconds to wait")),
            description = "The disk is short of room")))]
async fn download_student_archive(
    staff: Staff<may::Privacy, Recent>,
    State(app): State<App>,
    Extension(one): Extension<OneAtATime>,
    Id(id, ..): Id<Student>,
) -> Result<Response> {
    let (now, actor) = (app.clock.now(), staff.actor());
    let answer = respond(&app, &one, id).await?;
    let write = move |connection: &rusqlite::Connection| {
        audit::record(connection, &actor, "export", "student", id, json!({}), now)
    };
    app.db.write(write).await?;
    Ok(answer)
}

async fn respond(app: &App, one: &OneAtATime, id: i64) -> Result<Response> {
    if !app.disk.has_room().context("free disk space")? {
        return Err(Error::Busy("The school's server is short of disk space. Please try again later."));
    }
    let alone = one.0.clone().acquire_owned().await.context("waiting for the archive before")?;
    let collected = app.db.query(move |connection| collect::collect(connection, id)).await?;
    let (now, app) = (app.clock.now(), app.clone());
    let today = app.today();
    let write = move || {
        let _alone = alone;
        let index = page::page(&collected, &app.config.school, now);
        write(&collected, &index, &app)
    };
    let file = spawn_blocking(write).await.context("putting an archive together panicked")??;
    let size = file.metadata().context("an archive")?.len();
    let stream = ReaderStream::with_capacity(tokio::fs::File::from_std(file), 64 * 1024);
    let mut response = Body::from_stream(stream).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/zip"));
    headers.insert(header::CONTENT_LENGTH, HeaderValue::from(size));
    let name = format!("attachment; filename=\"my-data-{today}.zip\"");
    headers.insert(header::CONTENT_DISPOSITION, HeaderValue::from_str(&name).context("the file's name")?);
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
    Ok(response)
}

/// Writes the archive into a file without a name, and returns it at its beginning.
fn write(collected: &Collected, index: &str, app: &App) -> anyhow::Result<File> {
    let file = tempfile::tempfile_in(app.data_dir.tmp()).context("a file for an archive")?;
    let mut zip = ZipWriter::new(BufWriter::new(file));
    let squeezed = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    // PDF, JPEG and PNG are compressed already.
    let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    zip.start_file("index.html", squeezed)?;
    zip.write_all(index.as_bytes())?;
    for (section, rows) in &collected.sections {
        zip.start_file(format!("data/{}.json", section.name), squeezed)?;
        serde_json::to_writer_pretty(&mut zip, &rows.iter().map(object).collect::<Vec<_>>())?;
    }
    for attached in &collected.files {
        match attached.file.read(&app.data_dir, &app.document_keys) {
            Ok(content) => {
                zip.start_file(attached.name.as_str(), stored)?;
                zip.write_all(&content)?;
            }
            // One file that is gone, which the doctor reports, is no reason to keep all the rest back.
            Err(error) => {
                tracing::error!("the file of a document for an archive: {error:#}");
                zip.start_file(format!("{}.missing.txt", attached.name), squeezed)?;
                zip.write_all(MISSING.as_bytes())?;
            }
        }
    }
    let mut file = zip.finish()?.into_inner().map_err(|error| error.into_error())?;
    file.rewind()?;
    Ok(file)
}

fn object(cells: &Cells) -> Map<String, Value> {
    cells.iter().cloned().collect()
}
