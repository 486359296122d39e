//! A row of the office's list, for the API and for CSV.

use jiff::Timestamp;
use jiff::civil::Date;
use serde::Serialize;
use utoipa::ToSchema;

use crate::base::closed_set::ClosedSet;
use crate::base::money::Money;
use crate::config::{Demand, Office};
use crate::courses::values::Grade;
use crate::enrollments::credits::prerequisites::PrerequisiteCheck;
use crate::enrollments::requests::prices::{Prices, QuoteTerms};
use crate::enrollments::requests::requirements::{DocumentCount, Requirement, Standing};
use crate::enrollments::requests::rules::Repeat;
use crate::enrollments::status::EnrollmentStatus;
use crate::enrollments::store;
use crate::storage::columns::Columns;
use crate::storage::statements::FromRow;
use crate::terms::EnrolledSection;
use crate::web::sheet::sheet_row;

/// An enrollment, as shown to the office.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OfficeEnrollment {
    /// Number of the enrollment.
    pub id: i64,
    /// Number of the student.
    pub student_id: i64,
    /// The student number, for CSV; `None` before the account is active.
    #[serde(skip)]
    pub student_number: Option<String>,
    /// The student's full name, or their number while the profile is empty.
    pub student_name: String,
    /// The student's address.
    pub student_email: String,
    /// Number of the course.
    pub course_id: i64,
    /// The course's code.
    pub course_code: String,
    /// The course's name.
    pub course_name: String,
    /// Grade.
    pub course_grade: Grade,
    /// State.
    pub status: EnrollmentStatus,
    /// First day.
    pub start_date: Date,
    /// Last day.
    pub end_date: Date,
    /// When it was requested.
    pub requested_at: Timestamp,
    /// When its state last changed after that.
    pub decided_at: Option<Timestamp>,
    /// Since when it waits for a seat.
    pub waitlisted_at: Option<Timestamp>,
    /// Until when a seat is kept for it.
    pub offered_until: Option<Timestamp>,
    /// The earlier enrollment in the same course: the completed one that is repeated, or a request that came
    /// to nothing.
    pub repeat_of: Option<i64>,
    /// Why a completed course is repeated: it was failed, or is taken for a better mark, which an approval
    /// confirms.
    pub repeat: Option<Repeat>,
    /// The mark of the completed course that is repeated.
    pub repeated_mark: Option<i64>,
    /// What is missing for an approval.
    pub missing: Vec<Requirement>,
    /// Missing items that are required: approving without them needs a reason.
    pub required: Vec<Requirement>,
    /// The student's documents; null for a role that reads no records.
    #[schema(required)]
    pub documents: Option<DocumentCount>,
    /// Check of the prerequisites; null if there are none, or for a role without access to records.
    #[schema(required)]
    pub prerequisite: Option<PrerequisiteCheck>,
    /// Whether name, date of birth or status in Canada changed after the office had approved this student.
    pub identity_changed: bool,
    /// Default price of an approval: the quote while it is valid, else today's price.
    #[schema(value_type = Option<f64>)]
    pub price: Option<Money>,
    /// What the course cost on the day of the request; null when it had no price.
    #[schema(value_type = Option<f64>)]
    pub quoted_price: Option<Money>,
    /// The last day on which that price is valid.
    pub quoted_until: Option<Date>,
    /// What the course costs today; null while it has no price.
    #[schema(value_type = Option<f64>)]
    pub current_price: Option<Money>,
    /// What was charged; null while nothing was.
    #[schema(value_type = Option<f64>)]
    pub charged_price: Option<Money>,
    /// When the student asked to leave the course.
    pub leave_asked_at: Option<Timestamp>,
    /// Why.
    pub leave_reason: Option<String>,
    /// The mark in the middle of the course.
    pub midterm_mark: Option<i64>,
    /// The final mark.
    pub final_mark: Option<i64>,
    /// Why it was declined or withdrawn.
    pub reason: Option<String>,
    /// The section; null for own dates.
    pub section: Option<EnrolledSection>,
    /// The active enrollment that goes on in this one's place.
    pub transferred_to: Option<i64>,
    /// The enrollment that this one goes on from.
    pub transferred_from: Option<i64>,
    /// Version, incremented with every change.
    pub version: i64,
}

impl OfficeEnrollment {
    /// Reads the columns of the list.
    pub(super) fn read(row: &Columns<'_, '_>, terms: &QuoteTerms, office: &Office) -> rusqlite::Result<Self> {
        let Standing { missing, documents } = Standing::read(row)?;
        let prices = Prices::read(row)?;
        Ok(Self {
            id: row.read("id")?,
            student_id: row.read("student_id")?,
            student_number: row.read("student_number")?,
            student_name: row.read("student_name")?,
            student_email: row.read("email")?,
            course_id: row.read("course_id")?,
            course_code: row.read("code")?,
            course_name: row.read("name")?,
            course_grade: row.read("grade")?,
            status: row.read("status")?,
            start_date: row.read("start_date")?,
            end_date: row.read("end_date")?,
            requested_at: row.read("created_at")?,
            decided_at: row.read("decided_at")?,
            waitlisted_at: row.read("waitlisted_at")?,
            offered_until: row.read("offered_until")?,
            repeat_of: row.read("repeat_of")?,
            repeat: store::repeat(row)?,
            repeated_mark: row.read("repeated_mark")?,
            required: missing.iter().copied().filter(|one| one.demand(office) == Demand::Required).collect(),
            missing,
            documents: Some(documents),
            prerequisite: None,
            identity_changed: row.read("identity_changed")?,
            price: prices.usual(terms),
            quoted_price: prices.quoted,
            quoted_until: prices.quoted_at.map(|at| terms.last_day(at)),
            current_price: prices.current,
            charged_price: row.read("charged_price_cents")?,
            leave_asked_at: row.read("leave_asked_at")?,
            leave_reason: row.read("leave_reason")?,
            midterm_mark: row.read("midterm_mark")?,
            final_mark: row.read("final_mark")?,
            reason: row.read("reason")?,
            version: row.read("version")?,
            transferred_from: row.read("transferred_from")?,
            section: row.read("section")?,
            transferred_to: row.read("transferred_to")?,
        })
    }

    /// Removes data that needs access to records.
    pub(super) fn without_records(mut self) -> Self {
        self.documents = None;
        for requirements in [&mut self.missing, &mut self.required] {
            requirements.retain(|one| *one != Requirement::Documents);
        }
        self
    }

    /// What is missing; a dash stands for documents, of which the role does not know.
    fn missing_words(&self) -> String {
        let unknown = self.documents.is_none().then_some("–");
        let missing = self.missing.iter().map(|one| one.as_str()).chain(unknown);
        missing.collect::<Vec<_>>().join(" ")
    }
}

sheet_row! { OfficeEnrollment, "enrollments", |row|
    "Enrollment": row.id,
    "Student number": row.student_number,
    "Student": row.student_name,
    "Email": row.student_email,
    "Course": row.course_code,
    "Course name": row.course_name,
    "Section": row.section.as_ref().map(|section| section.label.as_str()),
    "Term": row.section.as_ref().and_then(|section| section.term_name.as_deref()),
    "Grade": row.course_grade.number(),
    "State": row.status,
    "Start date": row.start_date,
    "End date": row.end_date,
    "Requested at": row.requested_at,
    "Decided at": row.decided_at,
    "Missing": row.missing_words(),
    "Prerequisite": row.prerequisite.as_ref().map(PrerequisiteCheck::words),
    "Quoted price": row.quoted_price,
    "Charged price": row.charged_price,
    "Midterm mark": row.midterm_mark,
    "Final mark": row.final_mark,
    "Reason": row.reason,
    "Repeat of": row.repeat_of,
}
