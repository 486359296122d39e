//! Requirements for approving a request, and how strict they are (`[office]`).

use jiff::Timestamp;
use jiff::civil::Date;
use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;

use crate::base::closed_set::{ClosedSet, closed_set};
use crate::base::error::Result;
use crate::config::{Demand, Office};
use crate::enrollments::Enrollment;
use crate::enrollments::seats;
use crate::storage::columns::Columns;
use crate::storage::statements::{FromRow, Statements, params};
use crate::students::age;
use crate::students::lacks::{self, Scope, Wanted, WantedKind};
use crate::web::id::Numbered;

closed_set! {
    /// A requirement of an approval.
    pub enum Requirement {
        /// A section that the school has not cancelled.
        SectionCancelled = "section_cancelled",
        /// Dates that have not passed.
        Ended = "ended",
        /// A course of the catalogue.
        Archived = "archived",
        /// A complete profile.
        Profile = "profile",
        /// That a parent or guardian of a student under 18 has confirmed.
        Guardian = "guardian",
        /// The documents that the student is asked for.
        Documents = "documents",
        /// A free seat.
        Capacity = "capacity",
    }
}

impl Requirement {
    /// Machine-readable reason of a refusal.
    pub fn code(self) -> &'static str {
        match self {
            Self::SectionCancelled => "section_cancelled",
            Self::Ended => "ended",
            Self::Archived => "archived",
            Self::Profile => "profile_incomplete",
            Self::Guardian => "guardian_missing",
            Self::Documents => "documents_missing",
            Self::Capacity => "capacity_full",
        }
    }

    /// Message with advice.
    pub fn sentence(self) -> &'static str {
        match self {
            Self::SectionCancelled => {
                "The section is cancelled. Transfer the student to another section, or decline the request."
            }
            Self::Ended => "The course has ended. Give the request new dates, or decline it.",
            Self::Archived => {
                "The course was taken out of the catalogue. Decline the request, or say why it is still taught."
            }
            Self::Profile => {
                "The student's profile is not complete. Ask for the rest, or say why it can wait."
            }
            Self::Guardian => {
                "No parent or guardian of this student has confirmed yet. Ask them, or say why it can wait."
            }
            Self::Documents => {
                "Documents of this student are missing. Ask for them, or say why they can wait."
            }
            Self::Capacity => {
                "The class is full on these dates. Put the student on the waiting list, or say why one more can join."
            }
        }
    }

    /// Whether this outstanding item of the student is the cause.
    pub fn is_about(self, wanted: &Wanted) -> bool {
        match self {
            Self::Profile => wanted.kind == WantedKind::Profile,
            Self::Guardian => wanted.kind == WantedKind::GuardianConfirmation,
            Self::Documents => wanted.kind == WantedKind::Document && wanted.is_lacking,
            Self::SectionCancelled | Self::Ended | Self::Archived | Self::Capacity => false,
        }
    }

    /// Whether the course is the cause, and not the student.
    pub fn is_about_course(self) -> bool {
        match self {
            Self::SectionCancelled | Self::Ended | Self::Archived => true,
            Self::Profile | Self::Guardian | Self::Documents | Self::Capacity => false,
        }
    }

    /// How strict it is. A full class always blocks an approval, and so does one that is not taught.
    pub fn demand(self, office: &Office) -> Demand {
        match self {
            Self::Profile => office.profile,
            Self::Guardian => office.guardian_confirmation,
            Self::Documents => office.documents,
            Self::SectionCancelled | Self::Ended | Self::Archived | Self::Capacity => Demand::Required,
        }
    }
}

/// Date for age and time for counting seats.
#[derive(Debug, Clone, Copy)]
pub struct Moment {
    /// Today at the school: seats are counted from then on.
    pub today: Date,
    /// Now.
    pub now: Timestamp,
}

impl Moment {
    /// Now, and today at the school.
    pub fn new(now: Timestamp, today: Date) -> Self {
        Self { today, now }
    }

    /// The last birth date of who is 18, as the conditions take it.
    pub fn of_age(self) -> String {
        age::last_birth_of_age(self.today)
    }
}

/// Required documents of a student.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub struct DocumentCount {
    /// Number accepted or pending review.
    pub present: i64,
    /// Number required.
    pub required: i64,
}

/// Standing of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    /// Missing items, without those that are turned off.
    pub missing: Vec<Requirement>,
    /// The student's documents.
    pub documents: DocumentCount,
}

/// SQL: the request `e` is for a course that has ended. Takes `:today`.
pub const ENDED: &str = "e.end_date < :today and e.status in ('pending', 'waitlisted')";

/// Columns that [`Standing::read`] reads, of an enrollment `e`, its student `s` and its course `c`; they
/// take `:of_age`, `:today` and `:now`.
pub fn columns(office: &Office) -> String {
    let documents = lacks::document_columns(office, Scope::Request);
    let missing: Vec<String> = Requirement::ALL
        .iter()
        .map(|one| format!("{} as no_{}", condition(*one, office), one.as_str()))
        .collect();
    format!("{}, {documents}", missing.join(", "))
}

/// A condition: nothing is missing.
pub fn is_ready(office: &Office) -> String {
    let missing: Vec<String> = Requirement::ALL.iter().map(|one| condition(*one, office)).collect();
    format!("not ({})", missing.join(" or "))
}

fn condition(requirement: Requirement, office: &Office) -> String {
    match requirement {
        Requirement::SectionCancelled => "exists (select 1 from sections k where k.id = e.section_id
            and k.status = 'cancelled' and e.status in ('pending', 'waitlisted'))"
            .into(),
        Requirement::Ended => ENDED.into(),
        Requirement::Archived => "c.archived_at is not null and e.status in ('pending', 'waitlisted')".into(),
        Requirement::Profile => lacks::no_profile(office).into(),
        Requirement::Guardian => lacks::no_guardian_of_request(office),
        Requirement::Documents => lacks::no_documents(office, Scope::Request),
        Requirement::Capacity => seats::FULL.clone(),
    }
}

impl FromRow for Standing {
    fn read(row: &Columns<'_, '_>) -> rusqlite::Result<Self> {
        let mut missing = Vec::new();
        for (place, one) in Requirement::ALL.iter().enumerate() {
            // Static names, to avoid formatting them for each row.
            const NAMES: [&str; 7] = [
                "no_section_cancelled",
                "no_ended",
                "no_archived",
                "no_profile",
                "no_guardian",
                "no_documents",
                "no_capacity",
            ];
            if row.read(NAMES[place])? {
                missing.push(*one);
            }
        }
        let required = row.read("documents_required")?;
        let documents = DocumentCount { required, present: row.read("documents_present")? };
        Ok(Self { missing, documents })
    }
}

impl Standing {
    /// Current standing of an enrollment.
    ///
    /// # Errors
    /// 404 when there is none.
    pub fn of(connection: &Connection, id: i64, office: &Office, at: Moment) -> Result<Self> {
        let sql = format!(
            "select {} from enrollments e join students s on s.id = e.student_id
             join courses c on c.id = e.course_id where e.id = :id",
            columns(office)
        );
        let values = params![id, of_age = at.of_age(), today = at.today, now = at.now.as_second()];
        connection.find(&sql, values)?.ok_or_else(Enrollment::not_found)
    }
}
