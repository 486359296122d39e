//! Terms, the sections of courses that are taught in them, and the weekly hours of each section.
//!
//! Owns the tables `terms`, `sections`, `meetings`, `cancelled_classes` and `section_events`. Hours and dates are the school's; a day ends
//! at midnight in its zone. What a change of a section means for its students is decided in the rooms above.

pub mod cancelled;
pub mod changes;
mod clashes;
mod hours;
mod joining;
mod occurrences;
mod office;
mod public;
pub mod rules;
mod school_days;
pub mod store;
pub mod words;

use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

pub use self::clashes::{SectionRow, with_clashes};
pub use self::hours::TimeOfDay;
pub use self::joining::{Joining, NotJoinable, joining};
pub use self::occurrences::{Occurrence, occurrences};
pub use self::office::{check_version, detail, differences, new_section, one_row};
pub use self::public::{ListedSection, PublicSection};
pub use self::school_days::SchoolDays;
use crate::base::closed_set::closed_set;
use crate::base::money::Money;
use crate::storage::statements::from_row;
use crate::web::app::App;
use crate::web::id::numbered;

/// The endpoints for every caller.
pub fn public_routes() -> OpenApiRouter<App> {
    public::routes()
}

/// The office's endpoints; those that change a section with students are in `classes`.
pub fn routes() -> OpenApiRouter<App> {
    office::routes()
}

closed_set! {
    /// What a section is.
    pub enum SectionKind {
        /// The whole course.
        Regular = "regular" => "Regular",
        /// A shorter course for a better mark, for students who completed it.
        Upgrade = "upgrade" => "Upgrade",
    }
}

closed_set! {
    /// How a section is taught.
    pub enum Delivery {
        /// Live, at fixed hours.
        Synchronous = "synchronous" => "Live",
        /// At the student's own pace.
        Asynchronous = "asynchronous" => "At your own pace",
        /// Both.
        Blended = "blended" => "Live and at your own pace",
    }
}

closed_set! {
    /// State of a section.
    pub enum SectionStatus {
        /// Shown to the office alone.
        Planned = "planned",
        /// Can be asked for.
        Open = "open",
        /// Takes no more requests.
        Closed = "closed",
        /// Is not taught.
        Cancelled = "cancelled",
    }
}

closed_set! {
    /// What a section waits for.
    pub enum SectionWait {
        /// It is planned in a published term that is not over: families see it once it is open.
        Opening = "opening",
    }
}

/// A term, as the office sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Term {
    /// Number of the term.
    pub id: i64,
    /// Name, such as `Winter 2027`.
    pub name: String,
    /// First day.
    pub starts_on: Date,
    /// Last day.
    pub ends_on: Date,
    /// From when on families may ask for its sections; null: as soon as one is open.
    #[schema(required)]
    pub requests_from: Option<Date>,
    /// Until when; null: as long as one can be joined.
    #[schema(required)]
    pub requests_until: Option<Date>,
    /// Last day on which a student may join.
    pub join_until: Date,
    /// Day of the midterm marks.
    #[schema(required)]
    pub midterm_on: Option<Date>,
    /// Day of the first report card.
    #[schema(required)]
    pub first_report_on: Option<Date>,
    /// Day of the final marks.
    #[schema(required)]
    pub final_on: Option<Date>,
    /// Dates without classes, in order.
    pub days_off: Vec<Date>,
    /// Whether visitors see it and its open sections.
    pub is_published: bool,
    /// Version, incremented with every change.
    pub version: i64,
}

numbered!(Term, "Term");

/// One of the weekly hours of a section.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Meeting {
    /// Number of the meeting.
    pub id: i64,
    /// 1 (Monday) to 7.
    pub weekday: i8,
    /// `19:00`, in the school's zone.
    #[schema(value_type = String)]
    pub starts_at: TimeOfDay,
    /// As [`Self::starts_at`].
    #[schema(value_type = String)]
    pub ends_at: TimeOfDay,
    /// Where the class meets online; null where it is not to be seen.
    #[schema(required)]
    pub link: Option<String>,
}

from_row!(Meeting { id = "meeting_id", weekday, starts_at, ends_at, link });

impl Meeting {
    /// The same without its link.
    #[must_use]
    pub fn without_link(self) -> Self {
        Self { link: None, ..self }
    }

    /// Day and hours, which families are told of when they change.
    pub fn hours(&self) -> (i8, TimeOfDay, TimeOfDay) {
        (self.weekday, self.starts_at, self.ends_at)
    }
}

/// A section, as the office sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Section {
    /// Number of the section.
    pub id: i64,
    /// Number of the course.
    pub course_id: i64,
    /// The course's code.
    pub course_code: String,
    /// The course's name.
    pub course_name: String,
    /// Number of the term; null if it is part of none.
    #[schema(required)]
    pub term_id: Option<i64>,
    /// The term's name.
    #[schema(required)]
    pub term_name: Option<String>,
    /// Label, such as `A`: one of a course's sections in a term.
    pub label: String,
    /// What it is.
    pub kind: SectionKind,
    /// How it is taught.
    pub delivery: Delivery,
    /// First day.
    pub starts_on: Date,
    /// Last day.
    pub ends_on: Date,
    /// Capacity; null means unlimited.
    #[schema(required)]
    pub capacity: Option<i64>,
    /// Dollars; null for the course's price.
    #[schema(value_type = Option<f64>, required)]
    pub price: Option<Money>,
    /// The teacher.
    #[schema(required)]
    pub teacher_name: Option<String>,
    /// Weekly hours, in the order of the week; none for a section at the student's own pace.
    pub meetings: Vec<Meeting>,
    /// State.
    pub status: SectionStatus,
    /// Seats that are taken, including those kept for students of the waiting list.
    pub taken: i64,
    /// Length of the waiting list.
    pub waiting: i64,
    /// Version, incremented with every change.
    pub version: i64,
}

numbered!(Section, "Section");

impl Section {
    /// The same without the links of its meetings.
    #[must_use]
    pub fn without_links(self) -> Self {
        let meetings = self.meetings.into_iter().map(Meeting::without_link).collect();
        Self { meetings, ..self }
    }
}

/// The section of an enrollment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EnrolledSection {
    /// Number of the section.
    pub id: i64,
    /// Label, such as `A`.
    pub label: String,
    /// The term's name.
    #[schema(required)]
    pub term_name: Option<String>,
    /// How it is taught.
    pub delivery: Delivery,
    /// Weekly hours; links only in the student's own row, while the section can be attended.
    pub meetings: Vec<Meeting>,
}

impl From<Section> for EnrolledSection {
    fn from(section: Section) -> Self {
        let Section { id, label, term_name, delivery, meetings, .. } = section;
        Self { id, label, term_name, delivery, meetings }
    }
}

#[cfg(test)]
mod tests;
