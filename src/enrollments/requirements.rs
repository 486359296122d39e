//! What a request may lack when it is approved, and what the school makes of it (`[office]`).

use jiff::civil::Date;
use jiff::{Timestamp, ToSpan as _};
use rusqlite::{Connection, OptionalExtension, named_params};
use serde::Serialize;
use utoipa::ToSchema;

use super::Enrollment;
use super::seats::TAKEN;
use crate::base::closed_set::{ClosedSet, closed_set};
use crate::base::error::Result;
use crate::config::{Demand, Office};
use crate::storage::columns::Columns;
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
                "The class is full. Put the student on the waiting list, or say why one more can join."
            }
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

/// Who counts as under 18, and at what instant seats are counted.
#[derive(Debug, Clone, Copy)]
pub struct Moment {
    /// Whoever was born after this day is under 18. Somebody born on February 29 is of age on March 1.
    pub adult_born: Date,
    /// Now.
    pub now: Timestamp,
}

impl Moment {
    /// Now, and today at the school.
    pub fn new(now: Timestamp, today: Date) -> Self {
        Self { adult_born: today.saturating_sub(18.years()), now }
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
/// take `:adult_born` and `:now`.
pub fn columns(office: &Office) -> String {
    let present = present(office);
    let missing: Vec<String> = Requirement::ALL
        .iter()
        .map(|one| format!("{} as no_{}", lacks(*one, office), one.as_str()))
        .collect();
    format!("{}, {present} as documents_present", missing.join(", "))
}

/// A condition: nothing is missing.
pub fn is_ready(office: &Office) -> String {
    let missing: Vec<String> = Requirement::ALL.iter().map(|one| lacks(*one, office)).collect();
    format!("not ({})", missing.join(" or "))
}

fn lacks(requirement: Requirement, office: &Office) -> String {
    if requirement.demand(office) == Demand::Off {
        return "0".to_owned();
    }
    match requirement {
        Requirement::Profile => {
            "(s.full_name is null or s.date_of_birth is null or s.phone_number is null)".into()
        }
        Requirement::Guardian => {
            "(coalesce(s.date_of_birth > :adult_born, 0) and s.guardian_confirmed_at is null)".into()
        }
        Requirement::Documents => format!("({} < {})", present(office), office.required_documents.len()),
        Requirement::Capacity => format!("(c.capacity is not null and {TAKEN} >= c.capacity)"),
    }
}

fn present(office: &Office) -> String {
    let types: Vec<_> = office.required_documents.iter().map(|one| format!("'{}'", one.as_str())).collect();
    format!(
        "(select count(distinct d.document_type) from student_documents d where d.student_id = s.id \
         and d.document_type in ({}) and d.status in ('pending_review', 'accepted'))",
        types.join(", ")
    )
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
        let required = i64::try_from(office.required_documents.len()).unwrap_or(i64::MAX);
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
                    ":id": id, ":adult_born": at.adult_born.to_string(), ":now": at.now.as_second(),
                },
                |row| Self::read(&Columns::of(row), office),
            )
            .optional()?
            .ok_or_else(Enrollment::not_found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn somebody_born_on_a_leap_day_is_of_age_on_the_first_of_march() {
        let is_minor = |born: &str, today: &str| {
            born.parse::<Date>().unwrap()
                > Moment::new(Timestamp::UNIX_EPOCH, today.parse().unwrap()).adult_born
        };
        for (born, today, expected) in [
            ("2008-02-29", "2026-02-28", true),
            ("2008-02-29", "2026-03-01", false),
            ("2008-11-22", "2026-11-21", true),
            ("2008-11-22", "2026-11-22", false),
            ("2010-03-01", "2028-02-29", true),
            ("2010-02-28", "2028-02-28", false),
        ] {
            assert_eq!(is_minor(born, today), expected, "{born} {today}");
        }
    }
}
