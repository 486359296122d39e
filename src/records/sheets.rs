//! All lists of the office as CSV for `export`; the same rows as the lists' `format=csv`.

use std::sync::Arc;

use jiff::Timestamp;
use rusqlite::Connection;
use serde_json::Value;

use super::list::{self, ListContext};
use super::query::StudentsQuery;
use super::student_sheet::RecordedRow;
use crate::admissions::{self, AdmissionsReading};
use crate::base::closed_set::closed_set;
use crate::base::error::Result;
use crate::config::Config;
use crate::courses::{self, Course};
use crate::documents::query::DocumentsFilter;
use crate::documents::{self, ListedDocument};
use crate::email_log;
use crate::enrollments::credits::store::ListedCredit;
use crate::enrollments::{self, credits};
use crate::mail::records::MailRecord;
use crate::messages::query::MessagesFilter;
use crate::messages::{self, ContactMessage};
use crate::staff::Role;
use crate::web::pagination::PageRequest;
use crate::web::sheet::{self, SheetCell, SheetRow, SheetStyle, sheet_row};

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
    fn new<T: SheetRow>(rows: &[T], style: SheetStyle) -> Result<Self> {
        Ok(Self { bytes: sheet::write(rows, style)?, rows: rows.len() })
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
    style: SheetStyle,
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
            Export::new(&RecordedRow::of(connection, &listed, |row| row.id)?.rows, style)
        }
        ExportList::Enrollments => {
            Export::new(&enrollments::list_all(connection, config, now, today)?, style)
        }
        ExportList::ExternalCredits => Export::new(&credits::store::list_all(connection)?, style),
        ExportList::Courses => Export::new(&courses::store::list(connection)?, style),
        ExportList::Documents => {
            Export::new(&documents::store::list(connection, &all, &DocumentsFilter::default())?.rows, style)
        }
        ExportList::Messages => {
            Export::new(&messages::store::list(connection, &all, &MessagesFilter::default())?.rows, style)
        }
        ExportList::AdmissionRequests => Export::new(
            &admissions::store::list_all(connection, &AdmissionsReading::at(config, now))?.rows,
            style,
        ),
        ExportList::Mail => Export::new(&email_log::list(connection, &all, None)?.rows, style),
    }
}

sheet_row! { ListedCredit, "external-credits", |row|
    "Id": row.credit.id,
    "Student number": row.student_number,
    "Student": row.student_name,
    "Email": row.student_email,
    "Code": row.credit.facts.code,
    "Course name": row.credit.facts.name,
    "Credits": row.credit.facts.credits,
    "Mark": row.credit.facts.mark,
    "Completed on": row.credit.facts.completed_on,
    "School": row.credit.facts.school,
    "Document": row.credit.facts.document_id,
    "Recorded at": row.credit.recorded_at,
    "Recorded by": row.credit.recorded_by,
    "Voided at": row.credit.voided_at,
    "Voided because": row.credit.voided_reason,
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

    fn cells(&self) -> Vec<SheetCell> {
        let wire = serde_json::json!(self);
        let cell = |name: &&str| match &wire[*name] {
            Value::Null => SheetCell::Text(String::new()),
            Value::String(text) => SheetCell::Text(text.clone()),
            Value::Number(number) => SheetCell::Number(number.to_string()),
            other => SheetCell::Text(other.to_string()),
        };
        Self::HEADINGS.iter().map(cell).collect()
    }
}

sheet_row! { ListedDocument, "documents", |row|
    "Id": row.document.id,
    "Student": row.student.full_name,
    "Email": row.student.email,
    "Type": row.document.document_type.label(),
    "File": row.document.original_name,
    "Bytes": row.document.size_bytes,
    "Status": row.document.status,
    "Uploaded": row.document.uploaded_at,
}

sheet_row! { ContactMessage, "messages", |row|
    "Id": row.id,
    "Name": row.name,
    "Email": row.email,
    "Phone": row.phone,
    "Subject": row.subject,
    "Message": row.message,
    "Status": row.status,
    "Created": row.created_at,
    "Reference": row.reference,
    "Assigned to": row.assignee,
}

sheet_row! { MailRecord, "mail", |row|
    "Id": row.id,
    "Recipient": row.recipient,
    "Subject": row.subject,
    "Status": row.status,
    "Attempts": row.attempts,
    "Last error": row.last_error,
    "Created": row.created_at,
    "Sent": row.sent_at,
}
