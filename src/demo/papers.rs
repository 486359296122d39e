//! Documents of the demo's students.

use jiff::Timestamp;

use super::diary::Diary;
use super::names::StudentIndex;
use super::scene::Scene;
use crate::audit;
use crate::base::error::Result;
use crate::documents::Document;
use crate::documents::rules::DocumentType;
use crate::documents::store::{self, Uploader};

const NAMES: [(&str, &str); 5] = [
    ("passport.png", "transcript.pdf"),
    ("IMG_2041.png", "Report card.pdf"),
    ("passport page 2.png", "Official transcript.pdf"),
    ("ID card front.png", "marks grade 10.pdf"),
    ("scan0001.png", "scan0002.pdf"),
];

/// Schedules the upload of a passport and optionally a transcript.
pub fn upload(diary: &mut Diary, who: StudentIndex, at: Timestamp, with_transcript: bool) {
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
    fn keep_document(&self, who: StudentIndex, document_type: DocumentType, name: &str) -> Result<()> {
        let new = self.files.named(document_type, name)?;
        store::insert(self.connection, self.student(who)?, &new, Uploader::Student, self.now).map(drop)
    }

    /// The registrar opens every document of a student.
    pub fn view_documents(&self, who: StudentIndex) -> Result<()> {
        let student = self.student(who)?;
        for Document { id, .. } in store::list_for_student(self.connection, student)? {
            store::note_view(self.connection, id, self.now)?;
            let detail = serde_json::json!({ "studentId": student });
            audit::record(self.connection, &self.registrar(), "view", "document", id, detail, self.now)?;
        }
        Ok(())
    }
}
