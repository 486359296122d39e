//! What a request may lack when it is approved, and what the school makes of it (`[office]`).

use jiff::Timestamp;
use jiff::civil::Date;
use rusqlite::{Connection, OptionalExtension, named_params};
use serde::Serialize;
use utoipa::ToSchema;

use super::Enrollment;
use super::seats;
use crate::base::closed_set::{ClosedSet, closed_set};
use crate::base::error::Result;
use crate::config::{Demand, Office};
use crate::storage::columns::Columns;
use crate::students::age;
use crate::students::lacks::{self, Wanted, WantedKind};
use crate::web::id::Numbered;

closed_set! {
    /// What a request may lack.
    pub enum Requirement {
        /// A complete profile.
        Profile = "profile",
        /// That a parent or guardian of a student under 18 has confirmed.
        Guardian = "guardian",
        /// The documents that every student is asked for.
        Documents = "documents",
        /// A free seat.
        Capacity = "capacity",
    }
}

impl Requirement {
    /// Why an approval was refused for want of it, in a word for programs.
    pub fn code(self) -> &'static str {
        match self {
            Self::Profile => "profile_incomplete",
            Self::Guardian => "guardian_missing",
            Self::Documents => "documents_missing",
            Self::Capacity => "capacity_full",
        }
    }

    /// The same as a sentence, and what can be done.
    pub fn sentence(self) -> &'static str {
        match self {
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

    /// Whether it is missing because of this, which is wanted of the student.
    pub fn is_about(self, wanted: &Wanted) -> bool {
        match self {
            Self::Profile => wanted.kind == WantedKind::Profile,
            Self::Guardian => wanted.kind == WantedKind::GuardianConfirmation,
            Self::Documents => wanted.kind == WantedKind::Document && !wanted.is_with_office,
            Self::Capacity => false,
        }
    }

    /// What the school makes of it. A full class always stops an approval.
    pub fn demand(self, office: &Office) -> Demand {
        match self {
            Self::Profile => office.profile,
            Self::Guardian => office.guardian_confirmation,
            Self::Documents => office.documents,
            Self::Capacity => Demand::Required,
        }
    }
}

/// The day that decides who is under 18, and the instant at which seats are counted.
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

/// The documents of a student that the school asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub struct DocumentCount {
    /// How many of them are there: accepted, or waiting to be looked at.
    pub present: i64,
    /// How many are asked for.
    pub required: i64,
}

/// How a request stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    /// What is missing, of what the school speaks about at all.
    pub missing: Vec<Requirement>,
    /// The student's documents.
    pub documents: DocumentCount,
}

/// Columns that [`Standing::read`] reads, of an enrollment `e`, its student `s` and its course `c`; they
/// take `:of_age`, `:today` and `:now`.
pub fn columns(office: &Office) -> String {
    let present = lacks::documents_present(office);
    let missing: Vec<String> = Requirement::ALL
        .iter()
        .map(|one| format!("{} as no_{}", condition(*one, office), one.as_str()))
        .collect();
    format!("{}, {present} as documents_present", missing.join(", "))
}

/// A condition: nothing is missing.
pub fn is_ready(office: &Office) -> String {
    let missing: Vec<String> = Requirement::ALL.iter().map(|one| condition(*one, office)).collect();
    format!("not ({})", missing.join(" or "))
}

fn condition(requirement: Requirement, office: &Office) -> String {
    match requirement {
        Requirement::Profile => lacks::no_profile(office).into(),
        Requirement::Guardian => lacks::no_guardian_of_request(office).into(),
        Requirement::Documents => lacks::no_documents(office),
        Requirement::Capacity => seats::FULL.clone(),
    }
}

impl Standing {
    /// Reads the columns.
    pub fn read(row: &Columns<'_, '_>, office: &Office) -> rusqlite::Result<Self> {
        let mut missing = Vec::new();
        for (place, one) in Requirement::ALL.iter().enumerate() {
            // The columns are named after the set; a name of their own would be made anew for each row.
            const NAMES: [&str; 4] = ["no_profile", "no_guardian", "no_documents", "no_capacity"];
            if row.get(NAMES[place])? {
                missing.push(*one);
            }
        }
        let required = i64::try_from(lacks::asked(office).len()).unwrap_or(i64::MAX);
        let documents = DocumentCount { present: row.get("documents_present")?, required };
        Ok(Self { missing, documents })
    }

    /// How an enrollment stands now.
    ///
    /// # Errors
    /// 404 when there is none.
    pub fn of(connection: &Connection, id: i64, office: &Office, at: Moment) -> Result<Self> {
        connection
            .prepare_cached(&format!(
                "select {} from enrollments e join students s on s.id = e.student_id
                 join courses c on c.id = e.course_id where e.id = :id",
                columns(office)
            ))?
            .query_row(
                named_params! {
                    ":id": id, ":of_age": at.of_age(), ":today": at.today.to_string(),
                    ":now": at.now.as_second(),
                },
                |row| Self::read(&Columns::of(row), office),
            )
            .optional()?
            .ok_or_else(Enrollment::not_found)
    }
}
