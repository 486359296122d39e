//! Documents of the demo's students. There are two files; each student's row names one of them.

use anyhow::Context as _;
use jiff::Timestamp;

use super::diary::Diary;
use super::names::Who;
use super::scene::Scene;
use crate::audit;
use crate::base::error::Result;
use crate::documents::Document;
use crate::documents::rules::DocumentType;
use crate::documents::store::{self, NewDocument, Uploader};
use crate::web::app::App;

/// A government ID.
pub const PASSPORT: &[u8] = include_bytes!("passport.png");
/// A transcript.
pub const TRANSCRIPT: &[u8] = include_bytes!("transcript.pdf");

/// The two files, which are on the disk.
#[derive(Clone)]
pub struct Files(Vec<NewDocument>);

impl Files {
    /// Those of the documents that were uploaded.
    pub async fn of(app: &App, uploaded: &[Document]) -> Result<Self> {
        let mut files = Vec::new();
        for document in uploaded {
            let id = document.id;
            let file = app.db.read(|connection| store::find_file(connection, id)).await?;
            files.push(NewDocument {
                document_type: document.document_type,
                stored: file.context("a document of the demo")?.stored,
                content_type: document.content_type,
                original_name: document.original_name.clone(),
            });
        }
        Ok(Self(files))
    }

    fn named(&self, document_type: DocumentType, original_name: &str) -> Result<NewDocument> {
        let file = self.0.iter().find(|file| file.document_type == document_type);
        let file = file.context("a file of the demo")?.clone();
        Ok(NewDocument { original_name: original_name.to_owned(), ..file })
    }
}

const NAMES: [(&str, &str); 5] = [
    ("passport.png", "transcript.pdf"),
    ("IMG_2041.png", "Report card.pdf"),
    ("passport page 2.png", "Official transcript.pdf"),
    ("ID card front.png", "marks grade 10.pdf"),
    ("scan0001.png", "scan0002.pdf"),
];

/// Has a student upload a passport and perhaps a transcript.
pub fn upload(diary: &mut Diary, who: Who, at: Timestamp, with_transcript: bool) {
    let (passport, transcript) = NAMES[who % NAMES.len()];
    diary.note(at, move |scene| {
        scene.keep_document(who, DocumentType::GovernmentId, passport)?;
        if with_transcript {
            scene.keep_document(who, DocumentType::Transcript, transcript)?;
        }
        Ok(())
    });
}

impl Scene<'_> {
    fn keep_document(&self, who: Who, document_type: DocumentType, name: &str) -> Result<()> {
        let new = self.files.named(document_type, name)?;
        store::insert(self.connection, self.student(who)?, &new, Uploader::Student, self.now).map(drop)
    }

    /// The registrar opens every document of a student.
    pub fn view_documents(&self, who: Who) -> Result<()> {
        let student = self.student(who)?;
        for Document { id, .. } in store::list_for_student(self.connection, student)? {
            store::note_view(self.connection, id, self.now)?;
            let detail = serde_json::json!({ "studentId": student });
            audit::record(self.connection, &self.registrar(), "view", "document", id, detail, self.now)?;
        }
        Ok(())
    }
}
