//! Terms and sections as visitors see them: published and open ones, without the links of their classes.

use std::collections::HashMap;

use axum::extract::State;
use jiff::civil::Date;
use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::{Delivery, Meeting, Section, SectionKind, Term, TimeOfDay, joining, store, words};
use crate::base::error::Result;
use crate::base::json::Json;
use crate::base::money::Money;
use crate::web::access::{AnyCaller, endpoints};
use crate::web::app::App;

/// The endpoint for every caller.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![list_terms]
}

/// A published term.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PublicTerm {
    /// Number of the term.
    pub id: i64,
    /// Name, such as `Winter 2027`.
    pub name: String,
    /// First day.
    pub starts_on: Date,
    /// Last day.
    pub ends_on: Date,
    /// Last day on which a student may join.
    pub join_until: Date,
}

impl From<Term> for PublicTerm {
    fn from(Term { id, name, starts_on, ends_on, join_until, .. }: Term) -> Self {
        Self { id, name, starts_on, ends_on, join_until }
    }
}

/// The term of a section.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct SectionTerm {
    /// Number of the term.
    pub id: i64,
    /// Name.
    pub name: String,
}

/// A weekly hour of a section.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PublicMeeting {
    /// 1 (Monday) to 7, in the school's zone.
    pub weekday: i8,
    /// `19:00`, in the school's zone.
    #[schema(value_type = String)]
    pub starts_at: TimeOfDay,
    /// As [`Self::starts_at`].
    #[schema(value_type = String)]
    pub ends_at: TimeOfDay,
}

impl From<&Meeting> for PublicMeeting {
    fn from(Meeting { weekday, starts_at, ends_at, .. }: &Meeting) -> Self {
        Self { weekday: *weekday, starts_at: *starts_at, ends_at: *ends_at }
    }
}

/// A section of a course's page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PublicSection {
    /// Number of the section.
    pub id: i64,
    /// Its term.
    #[schema(required)]
    pub term: Option<SectionTerm>,
    /// Label, such as `A`.
    pub label: String,
    /// What it is.
    pub kind: SectionKind,
    /// How it is taught.
    pub delivery: Delivery,
    /// First day.
    pub starts_on: Date,
    /// Last day.
    pub ends_on: Date,
    /// Last day on which a student may join.
    pub join_until: Date,
    /// The teacher.
    #[schema(required)]
    pub teacher_name: Option<String>,
    /// Weekly hours; none for a section at the student's own pace.
    pub meetings: Vec<PublicMeeting>,
    /// The school's time zone by its IANA name.
    pub time_zone: String,
    /// Dollars; null while there is no price, or the website shows none.
    #[schema(value_type = Option<f64>, required)]
    pub price: Option<Money>,
    /// Free seats; null without a limit, or while the website shows none.
    #[schema(required)]
    pub seats_left: Option<i64>,
    /// Whether it can be asked for today.
    pub is_open: bool,
    /// How it is taught, in words.
    pub delivery_text: &'static str,
    /// `Tue and Thu 19:00–20:30 Toronto time`, or until when it is at the student's own pace.
    pub when_text: String,
    /// `February 1 to June 25, 2027`.
    pub dates_text: String,
    /// `Join by February 15, 2027`: the last day on which a student may join.
    pub join_text: String,
    /// `$549.00`; null as the price is.
    #[schema(required)]
    pub price_text: Option<String>,
    /// `4 of 25 left`; null as the seats are.
    #[schema(required)]
    pub seats_text: Option<String>,
}

impl PublicSection {
    /// The same with a price to show, or without.
    #[must_use]
    pub fn with_price(self, price: Option<Money>) -> Self {
        Self { price, price_text: price.map(|price| price.to_string()), ..self }
    }
}

/// An open section of the catalogue, with its term.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedSection {
    section: Section,
    term: Option<Term>,
}

impl ListedSection {
    /// The open sections of a course, or of all, that have not ended, by their courses.
    pub fn by_course(
        connection: &Connection,
        course: Option<i64>,
        today: Date,
    ) -> Result<HashMap<i64, Vec<Self>>> {
        let terms = store::published_terms(connection, Date::MIN)?;
        let mut listed: HashMap<i64, Vec<Self>> = HashMap::new();
        for section in store::list_open(connection, course, today)? {
            let term = terms.iter().find(|term| Some(term.id) == section.term_id).cloned();
            listed
                .entry(section.course_id)
                .or_default()
                .push(Self { section: section.without_links(), term });
        }
        Ok(listed)
    }

    /// The section as visitors see it on a day at the school; the course's price holds where it has none of its own.
    pub fn public(&self, today: Date, time_zone: &str, course_price: Option<Money>) -> PublicSection {
        let section = &self.section;
        let term = self.term.as_ref();
        let public = PublicSection {
            id: section.id,
            term: term.map(|term| SectionTerm { id: term.id, name: term.name.clone() }),
            label: section.label.clone(),
            kind: section.kind,
            delivery: section.delivery,
            starts_on: section.starts_on,
            ends_on: section.ends_on,
            join_until: section.join_until(term),
            teacher_name: section.teacher_name.clone(),
            meetings: section.meetings.iter().map(PublicMeeting::from).collect(),
            time_zone: time_zone.to_owned(),
            price: None,
            seats_left: None,
            is_open: self.is_open(today),
            delivery_text: match section.kind {
                SectionKind::Upgrade => section.kind.label(),
                SectionKind::Regular => section.delivery.label(),
            },
            when_text: words::when(section, time_zone),
            dates_text: words::dates(section.starts_on, section.ends_on),
            join_text: words::join_by(section.join_until(term)),
            price_text: None,
            seats_text: None,
        };
        public.with_price(section.price.or(course_price))
    }

    /// Whether it can be asked for on a day at the school.
    pub fn is_open(&self, today: Date) -> bool {
        joining(&self.section, self.term.as_ref(), today).is_ok()
    }

    /// Adds the free seats to the section as visitors see it, if so many are taken.
    pub fn show_seats(&self, public: &mut PublicSection, taken: i64) {
        let Some(capacity) = self.section.capacity else { return };
        let left = (capacity - taken).max(0);
        public.seats_left = Some(left);
        public.seats_text = Some(match left {
            0 => "Full: you can join the waiting list".to_owned(),
            _ => format!("{left} of {capacity} left"),
        });
    }
}

/// The published terms that have not ended, the next one first
#[utoipa::path(get, path = "/api/terms", tag = "terms")]
async fn list_terms(_: AnyCaller, State(app): State<App>) -> Result<Json<Vec<PublicTerm>>> {
    let today = app.today();
    let terms = app.db.read(move |connection| store::published_terms(connection, today)).await?;
    Ok(Json(terms.into_iter().map(PublicTerm::from).collect()))
}
