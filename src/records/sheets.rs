//! All lists of the office as CSV for `export`; the same rows as the lists' `format=csv`.

use std::sync::Arc;

use jiff::Timestamp;
use rusqlite::Connection;
use serde_json::Value;

use super::list::{self, ListContext};
use super::query::StudentsQuery;
use super::student_sheet::RecordedRow;
use crate::admissions::{self, AdmissionRequest};
use crate::base::closed_set::{ClosedSet, closed_set};
use crate::base::error::Result;
use crate::config::Config;
use crate::courses::{self, Course};
use crate::documents::query::DocumentsFilter;
use crate::documents::{self, ListedDocument};
use crate::email_log;
use crate::enrollments::credits::ExternalCredit;
use crate::enrollments::credits::store::ListedCredit;
use crate::enrollments::{self, credits};
use crate::mail::records::MailRecord;
use crate::messages::{self, ContactMessage};
use crate::staff::Role;
use crate::web::pagination::PageRequest;
use crate::web::sheet::{self, SheetRow};

closed_set! {
    /// A list that can be exported.
    #[derive(clap::ValueEnum)]
    pub enum ExportList {
        /// All accounts, including closed ones.
        Students = "students",
        /// Every enrollment in every state.
        Enrollments = "enrollments",
        /// Credits from other schools, including void ones.
        ExternalCredits = "external-credits",
        /// The catalogue.
        Courses = "courses",
        /// Documents, without files.
        Documents = "documents",
        /// Messages of visitors.
        Messages = "messages",
        /// Requests for a place.
        AdmissionRequests = "admission-requests",
        /// Emails, without texts.
        Mail = "mail",
    }
}

/// A CSV file with its number of rows.
pub struct Export {
    /// CSV in UTF-8 with a byte order mark.
    pub bytes: Vec<u8>,
    /// Rows below the headings.
    pub rows: usize,
}

impl Export {
    fn new<T: SheetRow>(rows: &[T]) -> Result<Self> {
        Ok(Self { bytes: sheet::write(rows)?, rows: rows.len() })
    }
}

/// A whole list.
///
/// # Errors
/// Database errors.
pub fn export(
    connection: &Connection,
    config: &Arc<Config>,
    list: ExportList,
    now: Timestamp,
) -> Result<Export> {
    let all = PageRequest::default();
    let today = now.to_zoned(config.school().zone()).date();
    match list {
        ExportList::Students => {
            let duties = Role::Admin.duties(&config.office);
            let reading = ListContext { duties, today, config: config.clone() };
            let wish = StudentsQuery::of_all_students().parse(reading.duties, true)?;
            let listed = list::list(connection, &wish, &reading)?;
            Export::new(&RecordedRow::of(connection, &listed, |row| row.id)?.rows)
        }
        ExportList::Enrollments => Export::new(&enrollments::list_all(connection, config, now, today)?),
        ExportList::ExternalCredits => Export::new(&credits::store::list_all(connection)?),
        ExportList::Courses => Export::new(&courses::store::list(connection)?),
        ExportList::Documents => {
            Export::new(&documents::store::list(connection, &all, &DocumentsFilter::default())?.rows)
        }
        ExportList::Messages => Export::new(&messages::store::list(connection, &all, None)?.rows),
        ExportList::AdmissionRequests => Export::new(&admissions::list(connection, &all, None)?.rows),
        ExportList::Mail => Export::new(&email_log::list(connection, &all, None)?.rows),
    }
}

fn text(text: Option<&String>) -> String {
    text.cloned().unwrap_or_default()
}

impl SheetRow for ListedCredit {
    const LIST: &'static str = "external-credits";
    const HEADINGS: &'static [&'static str] = &[
        "Id",
        "Student number",
        "Student",
        "Email",
        "Code",
        "Course name",
        "Credits",
        "Mark",
        "Completed on",
        "School",
        "Document",
        "Recorded at",
        "Recorded by",
        "Voided at",
        "Voided because",
    ];

    fn cells(&self) -> Vec<String> {
        let ExternalCredit { id, facts, recorded_at, recorded_by, voided_at, voided_reason, .. } =
            &self.credit;
        vec![
            id.to_string(),
            text(self.student_number.as_ref()),
            text(self.student_name.as_ref()),
            self.student_email.clone(),
            facts.code.clone(),
            facts.name.clone(),
            facts.credits.to_string(),
            facts.mark.map(|mark| mark.to_string()).unwrap_or_default(),
            facts.completed_on.to_string(),
            facts.school.clone(),
            facts.document_id.map(|id| id.to_string()).unwrap_or_default(),
            recorded_at.to_string(),
            recorded_by.clone(),
            voided_at.map(|at| at.to_string()).unwrap_or_default(),
            text(voided_reason.as_ref()),
        ]
    }
}

/// The columns of `import-courses`, so that an export can be imported.
impl SheetRow for Course {
    const LIST: &'static str = "courses";
    const HEADINGS: &'static [&'static str] = &[
        "code",
        "name",
        "description",
        "grade",
        "courseType",
        "isCompulsory",
        "prerequisite",
        "price",
        "credits",
        "capacity",
        "isOpen",
    ];

    fn cells(&self) -> Vec<String> {
        let wire = serde_json::json!(self);
        let cell = |name: &&str| match &wire[*name] {
            Value::Null => String::new(),
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        Self::HEADINGS.iter().map(cell).collect()
    }
}

impl SheetRow for ListedDocument {
    const LIST: &'static str = "documents";
    const HEADINGS: &'static [&'static str] =
        &["Id", "Student", "Email", "Type", "File", "Bytes", "Status", "Uploaded"];

    fn cells(&self) -> Vec<String> {
        let document = &self.document;
        vec![
            document.id.to_string(),
            text(self.student.full_name.as_ref()),
            self.student.email.clone(),
            document.document_type.label().to_owned(),
            document.original_name.clone(),
            document.size_bytes.to_string(),
            document.status.as_str().to_owned(),
            document.uploaded_at.to_string(),
        ]
    }
}

impl SheetRow for ContactMessage {
    const LIST: &'static str = "messages";
    const HEADINGS: &'static [&'static str] =
        &["Id", "Name", "Email", "Phone", "Subject", "Message", "Status", "Created"];

    fn cells(&self) -> Vec<String> {
        vec![
            self.id.to_string(),
            self.name.clone(),
            self.email.clone(),
            text(self.phone.as_ref()),
            self.subject.as_str().to_owned(),
            self.message.clone(),
            self.status.as_str().to_owned(),
            self.created_at.to_string(),
        ]
    }
}

impl SheetRow for AdmissionRequest {
    const LIST: &'static str = "admission-requests";
    const HEADINGS: &'static [&'static str] = &[
        "Id",
        "First name",
        "Last name",
        "Email",
        "Phone",
        "Address",
        "Grade",
        "Previous school",
        "Status",
        "Created",
    ];

    fn cells(&self) -> Vec<String> {
        vec![
            self.id.to_string(),
            self.first_name.clone(),
            self.last_name.clone(),
            self.email.clone(),
            self.phone.clone(),
            self.address.clone(),
            self.grade.number().to_string(),
            text(self.previous_school.as_ref()),
            self.status.as_str().to_owned(),
            self.created_at.to_string(),
        ]
    }
}

impl SheetRow for MailRecord {
    const LIST: &'static str = "mail";
    const HEADINGS: &'static [&'static str] =
        &["Id", "Recipient", "Subject", "Status", "Attempts", "Last error", "Created", "Sent"];

    fn cells(&self) -> Vec<String> {
        vec![
            self.id.to_string(),
            self.recipient.clone(),
            self.subject.clone(),
            self.status.as_str().to_owned(),
            self.attempts.to_string(),
            text(self.last_error.as_ref()),
            self.created_at.to_string(),
            self.sent_at.map(|at| at.to_string()).unwrap_or_default(),
        ]
    }
}
