//! What a term must be, and where its dates move when it is copied.

use jiff::civil::Date;
use jiff::{Span, ToSpan as _};

use super::sent;
use crate::base::error::FieldErrors;
use crate::terms::{Section, SectionStatus, Term};
use crate::web::form::{Field, form, read_as};

/// More days off than any term has.
const MAX_DAYS_OFF: usize = 200;

form! {
    /// The fields of a term. Create needs the name and both days; change takes what is sent.
    pub struct TermInput {
        /// 1 to 60 characters.
        #[schema(required = false)]
        name: String,
        #[schema(required = false)]
        starts_on: Date,
        /// After the first day.
        #[schema(required = false)]
        ends_on: Date,
        requests_from: Option<Date>,
        requests_until: Option<Date>,
        /// From the first day to the last; the first one unless sent.
        #[schema(required = false)]
        join_until: Date,
        midterm_on: Option<Date>,
        first_report_on: Option<Date>,
        final_on: Option<Date>,
        /// Days without classes.
        #[schema(required = false)]
        days_off: Vec<Date>,
        #[schema(required = false)]
        is_published: bool,
        /// Version when it was read; an outdated one is refused with the current row.
        pub version: Option<i64>,
    }
}

form! {
    /// `POST /api/admin/terms/{id}/copy`'s body.
    pub struct TermCopyForm {
        /// 1 to 60 characters.
        name: String,
        /// First day of the new term.
        starts_on: Date,
        /// Last day; as long after the first one as in the copied term, unless sent.
        ends_on: Option<Date>,
        /// Whether to copy it although there is a term with this name or these days.
        again: Option<bool>,
    }
}

impl TermCopyForm {
    /// Whether a second copy is wanted.
    pub fn is_again(&self) -> bool {
        matches!(self.again, Field::Value(true))
    }
}

read_as! {
    Vec<Date> => Vec<String>,
}

fn flag(field: &Field<bool>) -> Result<bool, String> {
    match field {
        Field::Value(value) => Ok(*value),
        _ => Err("Must be true or false".into()),
    }
}

fn days_off(field: &Field<Vec<String>>) -> Result<Vec<Date>, String> {
    let days = match field {
        Field::Absent | Field::Null => return Ok(Vec::new()),
        Field::Wrong => return Err("Must be a list of dates".into()),
        Field::Value(days) if days.len() > MAX_DAYS_OFF => {
            return Err(format!("Must be at most {MAX_DAYS_OFF} dates"));
        }
        Field::Value(days) => days,
    };
    let days = days.iter().map(|day| Field::Value(day.clone()).date("Must be a date"));
    let mut days = days.collect::<Result<Vec<_>, _>>()?;
    days.sort_unstable();
    days.dedup();
    Ok(days)
}

/// A term before it is stored, without days.
fn blank(starts_on: Date, ends_on: Date) -> Term {
    Term {
        id: 0,
        name: String::new(),
        starts_on,
        ends_on,
        requests_from: None,
        requests_until: None,
        join_until: starts_on,
        midterm_on: None,
        first_report_on: None,
        final_on: None,
        days_off: Vec::new(),
        is_published: false,
        version: 1,
    }
}

impl Term {
    /// A new term.
    ///
    /// # Errors
    /// All field errors at once.
    pub fn parse(input: &TermInput) -> Result<Self, FieldErrors> {
        let day = |field: &Field<String>| field.date("").unwrap_or(Date::ZERO);
        let before = blank(day(&input.starts_on), day(&input.ends_on));
        let required = TermInput {
            name: or_blank(&input.name),
            starts_on: or_blank(&input.starts_on),
            ends_on: or_blank(&input.ends_on),
            ..input.clone()
        };
        before.changed(&required)
    }

    /// The term with what was sent.
    ///
    /// # Errors
    /// All field errors at once.
    pub fn changed(&self, input: &TermInput) -> Result<Self, FieldErrors> {
        let mut errors = FieldErrors::default();
        let mut date = |name, field: &Field<String>, before, words: &str| {
            errors.take(name, sent(field, &before, |field| field.date(words)))
        };
        let starts_on = date("startsOn", &input.starts_on, self.starts_on, "First day is required");
        let ends_on = date("endsOn", &input.ends_on, self.ends_on, "Last day is required");
        let join_until =
            date("joinUntil", &input.join_until, self.join_until, "Please say until when students may join");
        let mut optional =
            |name, field, before| errors.take(name, sent(field, &before, Field::optional_date));
        let requests_from = optional("requestsFrom", &input.requests_from, self.requests_from);
        let requests_until = optional("requestsUntil", &input.requests_until, self.requests_until);
        let midterm_on = optional("midtermOn", &input.midterm_on, self.midterm_on);
        let first_report_on = optional("firstReportOn", &input.first_report_on, self.first_report_on);
        let final_on = optional("finalOn", &input.final_on, self.final_on);
        let name = sent(&input.name, &self.name, |field| field.name(1, 60, "Name is required"));
        let name = errors.take("name", name);
        let days_off = errors.take("daysOff", sent(&input.days_off, &self.days_off, days_off));
        let is_published = errors.take("isPublished", sent(&input.is_published, &self.is_published, flag));
        let changed = || {
            Some(Self {
                name: name?,
                starts_on: starts_on?,
                ends_on: ends_on?,
                requests_from: requests_from?,
                requests_until: requests_until?,
                join_until: join_until?,
                midterm_on: midterm_on?,
                first_report_on: first_report_on?,
                final_on: final_on?,
                days_off: days_off?,
                is_published: is_published?,
                ..*self
            })
        };
        let changed = changed();
        if let Some(term) = &changed {
            term.check_days(&mut errors);
        }
        errors.finish(changed)
    }

    fn check_days(&self, errors: &mut FieldErrors) {
        if self.ends_on <= self.starts_on {
            errors.add("endsOn", "The last day must be after the first day");
        } else if !(self.starts_on..=self.ends_on).contains(&self.join_until) {
            errors.add("joinUntil", "Must be a day from the first to the last day of the term");
        }
        if self.requests_until < self.requests_from && self.requests_until.is_some() {
            errors.add("requestsUntil", "Must not be before the day from which requests are taken");
        }
    }

    /// The term on other days: every date moves by the difference of the starts, days off by whole weeks.
    ///
    /// # Errors
    /// Field errors of the form.
    pub fn copied(&self, form: &TermCopyForm) -> Result<Self, FieldErrors> {
        let mut errors = FieldErrors::default();
        let name = errors.take("name", form.name.name(1, 60, "Name is required"));
        let starts_on = errors.take("startsOn", form.starts_on.date("First day is required"));
        let ends_on = errors.take("endsOn", form.ends_on.optional_date());
        let copied = || {
            let name = name?;
            let starts_on = starts_on?;
            let ends_on = ends_on?;
            let moved = Move::between(self.starts_on, starts_on);
            let ends_on = ends_on.unwrap_or_else(|| moved.date(self.ends_on));
            let days_off = self.days_off.iter().map(|day| moved.weekday(*day));
            Some(Self {
                id: 0,
                name,
                starts_on,
                ends_on,
                requests_from: self.requests_from.map(|day| moved.date(day)),
                requests_until: self.requests_until.map(|day| moved.date(day)),
                join_until: moved.date(self.join_until).min(ends_on),
                midterm_on: self.midterm_on.map(|day| moved.date(day)),
                first_report_on: self.first_report_on.map(|day| moved.date(day)),
                final_on: self.final_on.map(|day| moved.date(day)),
                days_off: days_off.filter(|day| (starts_on..=ends_on).contains(day)).collect(),
                is_published: false,
                version: 1,
            })
        };
        let copied = copied();
        if let Some(term) = &copied {
            term.check_days(&mut errors);
        }
        errors.finish(copied)
    }

    /// A section of this term as it is planned for the copied term `to`.
    pub fn copied_section(&self, section: &Section, to: &Self) -> Section {
        let moved = Move::between(self.starts_on, to.starts_on);
        let is_whole = (section.starts_on, section.ends_on) == (self.starts_on, self.ends_on);
        let (starts_on, ends_on) = match is_whole {
            true => (to.starts_on, to.ends_on),
            false => (moved.date(section.starts_on), moved.date(section.ends_on)),
        };
        let status = SectionStatus::Planned;
        Section { id: 0, term_id: Some(to.id), starts_on, ends_on, status, ..section.clone() }
    }
}

/// A blank field where nothing was sent, which is required.
fn or_blank(field: &Field<String>) -> Field<String> {
    if field.is_sent() { field.clone() } else { Field::Null }
}

/// How far dates move from one term to another.
#[derive(Debug, Clone, Copy)]
struct Move {
    days: i64,
}

impl Move {
    fn between(from: Date, to: Date) -> Self {
        Self { days: i64::from((to - from).get_days()) }
    }

    fn by(date: Date, days: i64) -> Date {
        date.saturating_add(Span::new().try_days(days).unwrap_or_else(|_| 0.days()))
    }

    fn date(self, date: Date) -> Date {
        Self::by(date, self.days)
    }

    /// The nearest date of the same weekday.
    fn weekday(self, date: Date) -> Date {
        Self::by(date, (self.days + 3).div_euclid(7) * 7)
    }
}
