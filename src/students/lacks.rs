//! Missing requirements of a student, used by the office's rows, the record, its flags, approvals, the portal and
//! emails.
//!
//! The conditions are SQL on the student `s` and take `:of_age`, the last birth date of students aged 18. Requirements
//! turned off in `[office]` are never missing. An uploaded document is not missing unless its file is lost; an accepted
//! one is complete.

use std::collections::BTreeMap;

use axum::extract::State;
use jiff::civil::Date;
use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::{CurrentStudent, Student, age};
use crate::base::closed_set::{ClosedSet, closed_set};
use crate::base::error::Result;
use crate::base::json::Json;
use crate::config::{Demand, Office, RequiredDocument};
use crate::storage::statements::{Statements, params};
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::id::Numbered;

/// The student's endpoint.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![list_wanted]
}

closed_set! {
    /// Kind of requirement.
    pub enum WantedKind {
        /// Verified email address.
        EmailVerification = "email_verification",
        /// The rest of the profile: name, birth date, telephone number and address.
        Profile = "profile",
        /// A parent's or guardian's confirmation.
        GuardianConfirmation = "guardian_confirmation",
        /// A document that is accepted.
        Document = "document",
    }
}

/// An outstanding requirement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Wanted {
    /// Kind of requirement.
    pub kind: WantedKind,
    /// Type of document.
    #[schema(required)]
    pub document_type: Option<RequiredDocument>,
    /// Whether the document is uploaded and waits for the office.
    pub is_with_office: bool,
}

impl Wanted {
    /// Phrase for emails.
    pub fn words(&self) -> &'static str {
        match (self.kind, self.document_type) {
            (WantedKind::EmailVerification, _) => "the verification of your email address",
            (WantedKind::Profile, _) => {
                "your complete profile (full name, date of birth, phone number and address)"
            }
            (WantedKind::GuardianConfirmation, _) => "the confirmation of your parent or guardian",
            (WantedKind::Document, None) => "a document",
            (WantedKind::Document, Some(one)) => one.label(),
        }
    }
}

/// Condition: the profile is incomplete.
pub fn no_profile(office: &Office) -> &'static str {
    match office.profile {
        Demand::Off => "(0)",
        Demand::Recommended | Demand::Required => {
            "(s.full_name is null or s.date_of_birth is null or s.phone_number is null or s.address is null)"
        }
    }
}

/// Condition: a minor without a guardian's confirmation, or without one for an open request `g`.
pub fn no_guardian(office: &Office) -> &'static str {
    match office.guardian_confirmation {
        Demand::Off => "(:of_age is null)",
        Demand::Recommended | Demand::Required => {
            "((s.date_of_birth is null or s.date_of_birth > :of_age) and (s.guardian_confirmed_at is null
                 or exists (select 1 from enrollments g where g.student_id = s.id
                     and g.status in ('pending', 'waitlisted') and g.id > s.guardian_confirmed_through)))"
        }
    }
}

/// Condition: a minor without a guardian's confirmation for the request `e`.
pub fn no_guardian_of_request(office: &Office) -> &'static str {
    match office.guardian_confirmation {
        Demand::Off => "(:of_age is null)",
        Demand::Recommended | Demand::Required => {
            "((s.date_of_birth is null or s.date_of_birth > :of_age)
                 and (s.guardian_confirmed_at is null or e.id > s.guardian_confirmed_through))"
        }
    }
}

/// Condition: a document `d` is valid, neither rejected nor replaced, and its file exists.
const COUNTS: &str = "d.status in ('pending_review', 'accepted') and d.fault is null";

/// Condition: a required document was not uploaded, or its file is lost.
pub fn no_documents(office: &Office) -> String {
    format!("({} < {})", documents_present(office), asked(office).len())
}

/// Number of required documents that are uploaded or accepted.
pub fn documents_present(office: &Office) -> String {
    let types: Vec<_> = asked(office).iter().map(|one| format!("'{}'", one.as_str())).collect();
    format!(
        "(select count(distinct d.document_type) from student_documents d where d.student_id = s.id \
         and d.document_type in ({}) and {COUNTS})",
        types.join(", ")
    )
}

/// Documents required of every student.
pub fn asked(office: &Office) -> Vec<RequiredDocument> {
    let mut asked = Vec::new();
    if office.documents != Demand::Off {
        for one in &office.required_documents {
            if !asked.contains(one) {
                asked.push(*one);
            }
        }
    }
    asked
}

/// Outstanding requirements of a student.
///
/// # Errors
/// 404 when there is no such student.
pub fn wanted(connection: &Connection, id: i64, office: &Office, today: Date) -> Result<Vec<Wanted>> {
    let sql = format!(
        "select s.status = 'unverified', {}, {} from students s where s.id = :id",
        no_profile(office),
        no_guardian(office)
    );
    let missing = connection.find(&sql, params![id, of_age = age::last_birth_of_age(today)])?;
    let missing: [bool; 3] = missing.map(<(_, _, _)>::into).ok_or_else(Student::not_found)?;
    let kinds = [WantedKind::EmailVerification, WantedKind::Profile, WantedKind::GuardianConfirmation];
    let missing = kinds.into_iter().zip(missing).filter(|(_, is_missing)| *is_missing);
    let plain = missing.map(|(kind, _)| Wanted { kind, document_type: None, is_with_office: false });
    let present = present(connection, id)?;
    let documents = asked(office).into_iter().filter_map(|one| {
        let is_accepted = present.get(one.as_str()).copied();
        (is_accepted != Some(true)).then_some(Wanted {
            kind: WantedKind::Document,
            document_type: Some(one),
            is_with_office: is_accepted.is_some(),
        })
    });
    Ok(plain.chain(documents).collect())
}

/// Types of a student's valid documents, each with whether one is accepted.
fn present(connection: &Connection, id: i64) -> Result<BTreeMap<String, bool>> {
    let sql = format!(
        "select d.document_type, max(d.status = 'accepted') from student_documents d
             where d.student_id = :id and {COUNTS} group by d.document_type"
    );
    Ok(connection.list(&sql, params![id])?.into_iter().collect())
}

/// Outstanding requirements of the signed-in student
#[utoipa::path(get, path = "/api/students/wanted", tag = "students")]
async fn list_wanted(student: CurrentStudent, State(app): State<App>) -> Result<Json<Vec<Wanted>>> {
    let (config, today) = (app.config.clone(), app.today());
    app.db.query(move |connection| wanted(connection, student.id, &config.office, today)).await.map(Json)
}
