//! What a section and its weekly hours must be.

use jiff::civil::Date;

use super::sent;
use crate::base::error::FieldErrors;
use crate::base::money::Money;
use crate::terms::{Delivery, Meeting, Section, SectionKind, SectionStatus, TimeOfDay};
use crate::web::form::{Field, form, read_as};
use crate::web::price::{self, PriceInput};

/// More weekly hours than any section has.
const MAX_MEETINGS: usize = 21;

form! {
    /// The fields of a section. Create needs the course, and both days unless it has a term; change takes what is sent.
    pub struct SectionInput {
        /// The course; cannot be changed.
        #[schema(required = false)]
        pub course_id: i64,
        /// The term; cannot be changed.
        pub term_id: Option<i64>,
        /// 1 to 20 characters; the next letter unless sent.
        #[schema(required = false)]
        label: String,
        #[schema(required = false)]
        kind: SectionKind,
        #[schema(required = false)]
        delivery: Delivery,
        /// The term's unless sent.
        #[schema(required = false)]
        starts_on: Date,
        /// The term's unless sent.
        #[schema(required = false)]
        ends_on: Date,
        /// 1 to 10,000; null means unlimited; the course's unless sent.
        capacity: Option<i64>,
        /// Dollars with at most two decimals; null for the course's.
        #[schema(value_type = Option<PriceInput>)]
        price: Option<Money>,
        /// At most 200 characters.
        teacher_name: Option<String>,
        /// All weekly hours; those that are left out are removed.
        #[schema(required = false)]
        meetings: Vec<MeetingInput>,
        /// `planned`, `open` or `closed`; a section is cancelled by its own call.
        #[schema(required = false)]
        status: SectionStatus,
        /// Version when it was read; an outdated one is refused with the current row.
        pub version: Option<i64>,
    }
}

form! {
    /// A weekly hour.
    pub struct MeetingInput {
        /// The one that is changed; absent for a new one.
        id: Option<i64>,
        /// 1 (Monday) to 7.
        weekday: i64,
        /// `19:00`, in the school's zone.
        starts_at: String,
        /// After the start, on the same day.
        ends_at: String,
        /// Where the class meets online: an address that begins with https://, shown to its students alone.
        link: Option<String>,
    }
}

read_as! {
    Vec<MeetingInput> => Vec<MeetingInput>,
}

impl SectionInput {
    /// Whether nothing but the price is changed.
    pub fn is_about_price_alone(&self) -> bool {
        let Self { course_id, term_id, label, kind, delivery, starts_on, ends_on, capacity, .. } = self;
        let Self { teacher_name, meetings, status, .. } = self;
        let others = [
            course_id.is_sent()
                || term_id.is_sent()
                || label.is_sent()
                || kind.is_sent()
                || delivery.is_sent(),
            starts_on.is_sent() || ends_on.is_sent() || capacity.is_sent() || teacher_name.is_sent(),
            meetings.is_sent() || status.is_sent(),
        ];
        !others.contains(&true)
    }

    /// Whether it has a label of its own.
    pub fn names_label(&self) -> bool {
        self.label.is_sent()
    }

    /// Whether both days are sent.
    pub fn names_days(&self) -> bool {
        self.starts_on.is_sent() && self.ends_on.is_sent()
    }
}

impl Section {
    /// The section with what was sent; new weekly hours have the number 0.
    ///
    /// # Errors
    /// All field errors at once.
    pub fn changed(&self, input: &SectionInput) -> Result<Self, FieldErrors> {
        let mut errors = FieldErrors::default();
        let label = sent(&input.label, &self.label, |field| field.name(1, 20, "Label is required"));
        let label = errors.take("label", label);
        let kind = errors.take("kind", sent(&input.kind, &self.kind, Field::one_of));
        let delivery = errors.take("delivery", sent(&input.delivery, &self.delivery, Field::one_of));
        let starts_on = sent(&input.starts_on, &self.starts_on, |field| field.date("First day is required"));
        let starts_on = errors.take("startsOn", starts_on);
        let ends_on = sent(&input.ends_on, &self.ends_on, |field| field.date("Last day is required"));
        let ends_on = errors.take("endsOn", ends_on);
        let capacity = errors.take("capacity", sent(&input.capacity, &self.capacity, capacity));
        let price = errors.take("price", sent(&input.price, &self.price, price::optional));
        let teacher = sent(&input.teacher_name, &self.teacher_name, |field| field.optional_person(200));
        let teacher_name = errors.take("teacherName", teacher);
        let meetings = sent(&input.meetings, &self.meetings, |field| meetings(field, &self.meetings));
        let meetings = errors.take("meetings", meetings);
        let status = errors.take("status", sent(&input.status, &self.status, status));
        let changed = || {
            Some(Self {
                label: label?,
                kind: kind?,
                delivery: delivery?,
                starts_on: starts_on?,
                ends_on: ends_on?,
                capacity: capacity?,
                price: price?,
                teacher_name: teacher_name?,
                meetings: meetings?,
                status: status?,
                ..self.clone()
            })
        };
        let changed = changed();
        if changed.as_ref().is_some_and(|section| section.ends_on <= section.starts_on) {
            errors.add("endsOn", "The last day must be after the first day");
        }
        errors.finish(changed)
    }
}

fn status(field: &Field<String>) -> Result<SectionStatus, String> {
    match field.one_of()? {
        SectionStatus::Cancelled => {
            Err("A section is cancelled by its own button, which asks for a reason".into())
        }
        status => Ok(status),
    }
}

fn capacity(field: &Field<i64>) -> Result<Option<i64>, String> {
    match field {
        Field::Absent | Field::Null => Ok(None),
        Field::Value(seats) if (1..=10_000).contains(seats) => Ok(Some(*seats)),
        Field::Value(_) | Field::Wrong => {
            Err("Seats must be a whole number from 1 to 10,000, or empty for no limit".into())
        }
    }
}

fn meetings(field: &Field<Vec<MeetingInput>>, before: &[Meeting]) -> Result<Vec<Meeting>, String> {
    let rows = match field {
        Field::Absent | Field::Null => return Ok(Vec::new()),
        Field::Wrong => return Err("Must be a list of weekly hours".into()),
        Field::Value(rows) if rows.len() > MAX_MEETINGS => {
            return Err(format!("Must be at most {MAX_MEETINGS} weekly hours"));
        }
        Field::Value(rows) => rows,
    };
    let mut all = Vec::new();
    for row in rows {
        let meeting = meeting(row, before)?;
        let overlaps = |other: &Meeting| {
            other.weekday == meeting.weekday
                && other.starts_at < meeting.ends_at
                && meeting.starts_at < other.ends_at
        };
        if all.iter().any(overlaps) {
            return Err("Two classes of one section cannot be at the same hour".into());
        }
        all.push(meeting);
    }
    all.sort_by_key(Meeting::hours);
    Ok(all)
}

fn meeting(row: &MeetingInput, before: &[Meeting]) -> Result<Meeting, String> {
    let weekday = match row.weekday {
        Field::Value(day @ 1..=7) => i8::try_from(day).unwrap_or(1),
        _ => return Err("The weekday must be 1 (Monday) to 7 (Sunday)".into()),
    };
    let time = |field: &Field<String>| {
        TimeOfDay::parse(field.text()).ok_or("An hour must be in the form 19:00".to_owned())
    };
    let starts_at = time(&row.starts_at)?;
    let ends_at = time(&row.ends_at)?;
    if ends_at <= starts_at {
        return Err("A class must end after it begins, on the same day".into());
    }
    let link = row.link.optional(500)?;
    let is_address = |link: &String| link.starts_with("https://") && !link.contains(char::is_whitespace);
    if link.as_ref().is_some_and(|link| !is_address(link)) {
        return Err("The link must be an address that begins with https://".into());
    }
    let id = match row.id {
        Field::Value(id) if before.iter().any(|meeting| meeting.id == id) => id,
        _ => 0,
    };
    Ok(Meeting { id, weekday, starts_at, ends_at, link })
}
