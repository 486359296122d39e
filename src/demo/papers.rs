//! Documents of the demo's students.

use jiff::{Timestamp, ToSpan as _};

use super::diary::Diary;
use super::names::StudentIndex;
use super::scene::Scene;
use crate::audit;
use crate::base::error::Result;
use crate::documents::Document;
use crate::documents::review::{ReviewContext, Verdict};
use crate::documents::rules::{DocumentStatus, DocumentType};
use crate::documents::store::{self, Uploader};
use crate::students::identity;
use crate::students::rejection::RejectCode;

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

    /// The registrar opens every document of a student and decides about it. Of every four students one's transcript is
    /// rejected, one's passport ends soon after, and one sends a better transcript.
    pub fn review_documents(&self, who: StudentIndex, case: usize) -> Result<()> {
        let student = self.student(who)?;
        self.view_documents(student)?;
        self.decide_documents(student, case)?;
        if case % 4 == 3 {
            self.keep_document(who, DocumentType::Transcript, "Transcript with the last marks.pdf")?;
            self.decide_documents(student, case)?;
        }
        Ok(())
    }

    fn decide_documents(&self, student: i64, case: usize) -> Result<()> {
        let context = ReviewContext::from(self.staff());
        let is_comparable = identity::is_comparable(self.connection, student)?;
        let waits = |document: &Document| document.status == DocumentStatus::PendingReview;
        for document in store::list_for_student(self.connection, student)?.into_iter().filter(waits) {
            let verdict = match (document.document_type, case % 4) {
                (DocumentType::Transcript, 1) => Verdict::Reject {
                    code: RejectCode::Incomplete,
                    text: Some("Only the first of two pages is there.".to_owned()),
                },
                (DocumentType::GovernmentId, case) => {
                    let days = if case == 2 { 5 } else { 900 };
                    let expires_on = Some(self.today().saturating_add(days.days()));
                    Verdict::Accept { expires_on, is_compared: is_comparable }
                }
                _ => Verdict::Accept { expires_on: None, is_compared: false },
            };
            context.decide(self.connection, document.id, &verdict, None)?;
        }
        Ok(())
    }

    /// The registrar opens every document of a student.
    fn view_documents(&self, student: i64) -> Result<()> {
        for Document { id, .. } in store::list_for_student(self.connection, student)? {
            store::note_view(self.connection, id, self.now)?;
            let detail = serde_json::json!({ "studentId": student });
            audit::record(self.connection, &self.registrar(), "view", "document", id, detail, self.now)?;
        }
        Ok(())
    }
}
