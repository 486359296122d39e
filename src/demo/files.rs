//! The two files of all demo documents; each row refers to one of them.

use anyhow::Context as _;

use crate::base::error::Result;
use crate::documents::Document;
use crate::documents::rules::DocumentType;
use crate::documents::store::{self, NewDocument};
use crate::web::app::App;

/// A government ID.
pub const PASSPORT: &[u8] = include_bytes!("passport.png");
/// A transcript.
pub const TRANSCRIPT: &[u8] = include_bytes!("transcript.pdf");

/// The two stored files.
#[derive(Clone)]
pub struct Files(Vec<NewDocument>);

impl Files {
    /// From the documents that were uploaded.
    pub async fn of(app: &App, uploaded: &[Document]) -> Result<Self> {
        let mut files = Vec::new();
        for document in uploaded {
            let id = document.id;
            let file = app.db.read(|connection| store::find_file(connection, id)).await?;
            files.push(NewDocument {
                document_type: document.document_type,
                label: None,
                stored: file.context("a document of the demo")?.stored,
                content_type: document.content_type,
                original_name: document.original_name.clone(),
                was_signed: document.was_signed,
            });
        }
        Ok(Self(files))
    }

    /// One of them, under another name.
    pub fn named(&self, document_type: DocumentType, original_name: &str) -> Result<NewDocument> {
        let file = self.0.iter().find(|file| file.document_type == document_type);
        let file = file.context("a file of the demo")?.clone();
        Ok(NewDocument { original_name: original_name.to_owned(), ..file })
    }
}
