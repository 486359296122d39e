//! What is missing of a student, in one place: the rows of the office, the record, its flags, the approval, the
//! portal and the emails read it here.
//!
//! The conditions are SQL on the student `s` and take `:of_age`, the last birth date of who is 18, and `:today`. What
//! `[office]` turns off is never missing. Of a document there are three words: *missing*, *waiting for the office* (it
//! is uploaded and not looked at) and *accepted*. A requirement that is `needed_for` a request is content with an
//! upload; one for an approval is lacking until the office has accepted a document, or waived it.

use axum::extract::State;
use jiff::civil::Date;
use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::rejection::{self, RejectCode};
use super::{CurrentStudent, Student, age, confirmations};
use crate::base::closed_set::closed_set;
use crate::base::error::Result;
use crate::base::json::Json;
use crate::config::{Demand, Office, RequiredDocument};
use crate::storage::statements::{Statements, from_row, params};
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::id::Numbered;

/// The student's endpoint.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![list_wanted]
}

closed_set! {
    /// Kinds of what a student still has to do or send.
    pub enum WantedKind {
        /// A verified email address.
        EmailVerification = "email_verification",
        /// The rest of the profile: name, birth date, telephone number and address.
        Profile = "profile",
        /// A parent's or guardian's confirmation.
        GuardianConfirmation = "guardian_confirmation",
        /// An accepted document.
        Document = "document",
    }
}

closed_set! {
    /// What a document is needed for.
    pub enum NeededFor {
        /// The request: an upload is enough.
        Request = "request",
        /// The approval: the office has to accept it.
        Approval = "approval",
    }
}

/// Something that the school still needs from a student.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Wanted {
    /// Its kind.
    pub kind: WantedKind,
    /// Which document.
    #[schema(required)]
    pub document_type: Option<RequiredDocument>,
    /// What people call it.
    pub label: String,
    /// Whether the document is uploaded and waits for the office.
    pub is_with_office: bool,
    /// Why the uploaded document does not count; absent if there is no reason to give.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Whether an approval lacks it; an uploaded document may be enough for one.
    #[serde(skip)]
    pub is_lacking: bool,
}

impl Wanted {
    fn plain(kind: WantedKind) -> Self {
        let label = match kind {
            WantedKind::EmailVerification => "Email verification",
            WantedKind::Profile => "Complete profile",
            WantedKind::GuardianConfirmation => "Guardian’s confirmation",
            WantedKind::Document => "Document",
        };
        let label = label.to_owned();
        Self { kind, document_type: None, label, is_with_office: false, reason: None, is_lacking: true }
    }

    /// As an email lists it.
    pub fn words(&self) -> String {
        match self.kind {
            WantedKind::EmailVerification => "the verification of your email address".into(),
            WantedKind::Profile => {
                "your complete profile (full name, date of birth, phone number and address)".into()
            }
            WantedKind::GuardianConfirmation => "the confirmation of your parent or guardian".into(),
            WantedKind::Document if self.is_with_office => format!("{} (waiting for the office)", self.label),
            WantedKind::Document => self.label.clone(),
        }
    }
}

/// The profile is not complete.
pub fn no_profile(office: &Office) -> &'static str {
    match office.profile {
        Demand::Off => "(0)",
        Demand::Recommended | Demand::Required => {
            "(s.full_name is null or s.date_of_birth is null or s.phone_number is null or s.address is null)"
        }
    }
}

/// SQL: the student is under 18, or of unknown age.
pub const IS_MINOR: &str = "(s.date_of_birth is null or s.date_of_birth > :of_age)";

/// SQL: no guardian of this minor has confirmed, or a confirmation of an open request `g` is missing.
pub fn no_guardian(office: &Office) -> String {
    match office.guardian_confirmation {
        Demand::Off => "(:of_age is null)".into(),
        Demand::Recommended | Demand::Required => format!(
            "({IS_MINOR} and (not exists (select 1 from confirmations k indexed by confirmations_student
                     where k.student_id = s.id and k.void_at is null)
                 or exists (select 1 from enrollments g where g.student_id = s.id
                     and g.status in ('pending', 'waitlisted') and {})))",
            confirmations::is_missing("g", office)
        ),
    }
}

/// SQL: a guardian's confirmation of this minor's request `e` is missing.
pub fn no_guardian_of_request(office: &Office) -> String {
    match office.guardian_confirmation {
        Demand::Off => "(:of_age is null)".into(),
        Demand::Recommended | Demand::Required => {
            format!("({IS_MINOR} and {})", confirmations::is_missing("e", office))
        }
    }
}

/// What a requirement applies to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// The student: for any request that is open.
    Student,
    /// One request, whose course is `c`.
    Request,
}

/// SQL: the requirement `r` applies to the student `s`. Students without a birth date count as minors.
fn applies(scope: Scope) -> String {
    const YEARS: &str = "coalesce(substr(:today, 1, 4) - substr(s.date_of_birth, 1, 4)
        - (substr(:today, 6) < substr(s.date_of_birth, 6)), 17)";
    let of_course = |course: &str| {
        format!(
            "(r.grade_min is null or {course}.grade >= r.grade_min)
             and (r.has_prerequisite is null or r.has_prerequisite = ({course}.prerequisite is not null))"
        )
    };
    let of_course = match scope {
        Scope::Request => of_course("c"),
        Scope::Student => format!(
            "(r.grade_min is null and r.has_prerequisite is null or exists (select 1 from enrollments g
                 join courses k on k.id = g.course_id
                 where g.student_id = s.id and g.status in ('pending', 'waitlisted') and {}))",
            of_course("k")
        ),
    };
    format!(
        "r.is_active = 1 and (r.min_age is null or {YEARS} >= r.min_age)
             and (r.max_age is null or {YEARS} <= r.max_age)
             and (r.canadian_status is null or instr(r.canadian_status, '\"' || s.canadian_status || '\"') > 0)
             and {of_course}"
    )
}

/// SQL: the office has waived the requirement `r` for the student `s`.
const WAIVED: &str =
    "exists (select 1 from document_waivers w where w.student_id = s.id and w.requirement_id = r.id)";

/// SQL: the student `s` has a document of the type of `r` with an intact file that meets a condition.
fn has_document(condition: &str) -> String {
    format!(
        "exists (select 1 from student_documents d indexed by student_documents_student where d.student_id = s.id
             and d.document_type = r.document_type and d.fault is null and {condition})"
    )
}

fn is_accepted() -> String {
    format!("({WAIVED} or {})", has_document("d.status = 'accepted'"))
}

fn is_enough() -> String {
    let enough = "(d.status = 'accepted' or d.status = 'pending_review' and r.needed_for = 'request')";
    format!("({WAIVED} or {})", has_document(enough))
}

/// SQL: a required document is missing.
pub fn no_documents(office: &Office, scope: Scope) -> String {
    if office.documents == Demand::Off {
        return "(0)".into();
    }
    let applies = applies(scope);
    let enough = is_enough();
    format!("exists (select 1 from document_requirements r where {applies} and not {enough})")
}

/// The columns of [`DocumentTotals`].
pub fn document_columns(office: &Office, scope: Scope) -> String {
    if office.documents == Demand::Off {
        return "0 as documents_required, 0 as documents_present, 0 as documents_accepted".into();
    }
    let count = |condition: &str| {
        let applies = applies(scope);
        format!("(select count(*) from document_requirements r where {applies} and {condition})")
    };
    let present = format!("({WAIVED} or {})", has_document("d.status in ('pending_review', 'accepted')"));
    format!(
        "{} as documents_required, {} as documents_present, {} as documents_accepted",
        count("true"),
        count(&present),
        count(&is_accepted())
    )
}

/// How far a student's documents have come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DocumentTotals {
    /// Number required.
    pub required: i64,
    /// Of those: accepted, waived, or waiting for the office.
    pub present: i64,
    /// Of those: accepted or waived.
    pub accepted: i64,
}

/// Counts a student's documents.
pub fn document_totals(
    connection: &Connection,
    id: i64,
    office: &Office,
    today: Date,
) -> Result<DocumentTotals> {
    let columns = document_columns(office, Scope::Student);
    let sql = format!("select {columns} from students s where s.id = :id and :today is not null");
    connection.one(&sql, params![id, today])
}

from_row!(DocumentTotals {
    required = "documents_required", present = "documents_present", accepted = "documents_accepted",
});

/// What the school still needs from a student.
///
/// # Errors
/// 404 when there is no such student.
pub fn wanted(connection: &Connection, id: i64, office: &Office, today: Date) -> Result<Vec<Wanted>> {
    let sql = format!(
        "select s.status = 'unverified', {}, {} from students s where s.id = :id",
        no_profile(office),
        no_guardian(office)
    );
    let missing: Option<(bool, bool, bool)> =
        connection.find(&sql, params![id, of_age = age::last_birth_of_age(today)])?;
    let missing: [bool; 3] = missing.ok_or_else(Student::not_found)?.into();
    let kinds = [WantedKind::EmailVerification, WantedKind::Profile, WantedKind::GuardianConfirmation];
    let missing = kinds.into_iter().zip(missing).filter(|(_, is_missing)| *is_missing);
    let mut all: Vec<_> = missing.map(|(kind, _)| Wanted::plain(kind)).collect();
    if office.documents != Demand::Off {
        all.extend(wanted_documents(connection, id, today)?);
    }
    Ok(all)
}

/// The same, with the reason why an uploaded document does not count.
///
/// # Errors
/// As [`wanted`].
pub fn explained(connection: &Connection, id: i64, office: &Office, today: Date) -> Result<Vec<Wanted>> {
    let mut all = wanted(connection, id, office, today)?;
    for one in all.iter_mut().filter(|one| one.document_type.is_some() && !one.is_with_office) {
        one.reason = why_not(connection, id, one.document_type)?;
    }
    Ok(all)
}

/// The documents that are not accepted, in the order of the school's list.
fn wanted_documents(connection: &Connection, id: i64, today: Date) -> Result<Vec<Wanted>> {
    let sql = format!(
        "select r.document_type, r.label, {} as is_with_office, {} as is_lacking
         from students s cross join document_requirements r
         where s.id = :id and {} and not {} order by r.position, r.id",
        has_document("d.status = 'pending_review'"),
        format_args!("not {}", is_enough()),
        applies(Scope::Student),
        is_accepted()
    );
    connection.list_by(&sql, params![id, today], |row| {
        Ok(Wanted {
            kind: WantedKind::Document,
            document_type: row.read("document_type")?,
            label: row.read("label")?,
            is_with_office: row.read("is_with_office")?,
            reason: None,
            is_lacking: row.read("is_lacking")?,
        })
    })
}

/// What says whether a document counts.
struct NewestDocument {
    status: String,
    code: Option<RejectCode>,
    text: Option<String>,
    expired_on: Option<Date>,
    fault: Option<String>,
}

from_row!(NewestDocument { status, code = "reject_code", text = "reason", expired_on = "expires_on", fault });

/// Why the newest document of a type does not count; `None` without a document.
fn why_not(connection: &Connection, id: i64, of_type: Option<RequiredDocument>) -> Result<Option<String>> {
    let sql = "select d.status, d.reject_code, d.reason, d.expires_on, d.fault
        from student_documents d indexed by student_documents_student
        where d.student_id = :id and d.document_type = :of_type order by d.uploaded_at desc, d.id desc limit 1";
    let newest: Option<NewestDocument> = connection.find(sql, params![id, of_type])?;
    let Some(newest) = newest else { return Ok(None) };
    Ok(match &*newest.status {
        "rejected" => newest.code.map(|code| code.sentence(newest.text.as_deref())),
        "expired" => newest.expired_on.map(rejection::expired),
        _ if newest.fault.is_some() => Some(rejection::LOST.to_owned()),
        _ => None,
    })
}

/// What the school still needs from the signed-in student
#[utoipa::path(get, path = "/api/students/wanted", tag = "students")]
async fn list_wanted(student: CurrentStudent, State(app): State<App>) -> Result<Json<Vec<Wanted>>> {
    let config = app.config.clone();
    let today = app.today();
    app.db.query(move |connection| explained(connection, student.id, &config.office, today)).await.map(Json)
}
