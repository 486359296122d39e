//! Query parameters of the list of students.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use rusqlite::ToSql;
use serde::Deserialize;
use utoipa::IntoParams;

use super::flags::StudentFlag;
use crate::base::closed_set::{ClosedSet, closed_set};
use crate::base::error::{Error, FieldErrors, Result};
use crate::config::Office;
use crate::staff::Duty;
use crate::students::status::StudentStatus;
use crate::web::description::{Description, Parameter};
use crate::web::pagination::ROWS;
use crate::web::query;

/// Searchable text of a student `s` in SQL. The profile has the primary guardian.
pub(super) const TEXT: &str = "concat_ws(' ', coalesce(s.full_name, 'Student #' || s.id), s.preferred_name, \
    s.student_number, s.email, s.phone_number, s.parent_name, s.parent_contact, \
    (select group_concat(concat_ws(' ', g.name, g.email, g.phone), ' ') from guardians g where g.student_id = s.id))";

/// Query parameters of the list.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct StudentsQuery {
    /// Only students that match each of these words, ignoring case and accents; characters after the first 200 are
    /// ignored.
    #[param(value_type = Option<String>)]
    q: String,
    /// Only accounts in these states, separated by commas.
    #[param(value_type = Option<String>, example = "active,suspended")]
    status: String,
    /// Only students with all of these flags, separated by commas.
    #[param(value_type = Option<String>, example = "under_18,guardian_not_confirmed")]
    flags: String,
    /// Only students with an open enrollment in the course with this code or id.
    #[param(value_type = Option<String>, example = "ENG4U")]
    course: String,
    /// Only students with an open enrollment in a course of this grade.
    #[param(value_type = Option<i64>, minimum = 9, maximum = 12)]
    grade: String,
    /// `name`, `created`, `lastActivity` or `balance`; with a leading hyphen for descending.
    #[param(value_type = Option<String>, example = "-created")]
    sort: String,
    /// Page of 25 rows, from 1; without it, all rows are returned.
    #[param(value_type = Option<i64>, minimum = 1)]
    page: Option<String>,
}

impl Parameter for StudentsQuery {
    fn describe(description: &mut Description<'_>) {
        description.refusal("400");
    }
}

impl<S: Send + Sync> FromRequestParts<S> for StudentsQuery {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self> {
        query::of(&parts.uri)
    }
}

closed_set! {
    /// Sort key of the list.
    pub enum SortKey {
        /// Full name; students without one come last.
        Name = "name",
        /// When the account was created.
        Created = "created",
        /// Last activity.
        LastActivity = "lastActivity",
        /// What the student owes.
        Balance = "balance",
    }
}

/// The order of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Order {
    key: SortKey,
    is_descending: bool,
}

impl Order {
    /// Whether it sorts by balance, which is summed up for it.
    pub fn is_by_balance(self) -> bool {
        self.key == SortKey::Balance
    }

    /// SQL for the student `s` and, by balance, the balance `b`.
    pub fn sql(self) -> &'static str {
        match (self.key, self.is_descending) {
            (SortKey::Name, false) => "(s.full_name is null), s.full_name collate nocase, s.id",
            (SortKey::Name, true) => "(s.full_name is null), s.full_name collate nocase desc, s.id desc",
            (SortKey::Created, false) => "s.created_at, s.id",
            (SortKey::Created, true) => "s.created_at desc, s.id desc",
            (SortKey::LastActivity, false) => "s.last_activity_at, s.id",
            (SortKey::LastActivity, true) => "s.last_activity_at desc, s.id desc",
            (SortKey::Balance, false) => "coalesce(b.cents, 0), s.id",
            (SortKey::Balance, true) => "coalesce(b.cents, 0) desc, s.id desc",
        }
    }
}

/// A validated query.
#[derive(Debug, Clone)]
pub struct StudentsFilter {
    /// Search words.
    pub q: String,
    states: Vec<StudentStatus>,
    flags: Vec<StudentFlag>,
    course: Option<String>,
    grade: Option<i64>,
    /// The order.
    pub order: Order,
    /// Rows before the page; `None` for all rows.
    pub skipped: Option<i64>,
}

impl StudentsQuery {
    /// All accounts in every state.
    pub fn of_all_students() -> Self {
        Self { status: "unverified,active,suspended,closed".to_owned(), ..Self::default() }
    }

    /// Validates the query; an export has all rows.
    ///
    /// # Errors
    /// Field errors for invalid values, or values the role may not use.
    pub fn parse(&self, duties: &[Duty], is_sheet: bool) -> Result<StudentsFilter, FieldErrors> {
        let mut errors = FieldErrors::default();
        let states = errors.take("status", words::<StudentStatus>(&self.status, StudentStatus::ALL));
        let flags = errors.take("flags", words(&self.flags, &StudentFlag::visible_to(duties)));
        let grade = match self.grade.trim() {
            "" => Ok(None),
            text => text.parse().map(Some).map_err(|_| "Grade must be a whole number"),
        };
        let grade = errors.take("grade", grade);
        let order = errors.take("sort", order(&self.sort, duties));
        let course = Some(self.course.trim().to_owned()).filter(|code| !code.is_empty());
        let page = self.page.as_deref().map(|page| page.trim().parse::<i64>().unwrap_or(1).max(1));
        // Without permission to export, the list is read page by page.
        let page = page.or((!duties.contains(&Duty::Balances)).then_some(1)).filter(|_| !is_sheet);
        let skipped = page.map(|page| (page - 1).saturating_mul(ROWS));
        let q = self.q.chars().take(200).collect();
        let wish = || {
            Some(StudentsFilter {
                q,
                states: states?,
                flags: flags?,
                course,
                grade: grade?,
                order: order?,
                skipped,
            })
        };
        errors.finish(wish())
    }
}

fn words<T: ClosedSet>(text: &str, known: &[T]) -> Result<Vec<T>, String> {
    let names = || known.iter().map(|one| one.as_str()).collect::<Vec<_>>().join(", ");
    let word = |word: &str| known.iter().copied().find(|one| one.as_str() == word);
    let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
    parts.map(|part| word(part).ok_or_else(|| format!("Must be one or more of {}", names()))).collect()
}

fn order(text: &str, duties: &[Duty]) -> Result<Order, String> {
    let text = text.trim();
    let (word, is_descending) = text.strip_prefix('-').map_or((text, false), |rest| (rest, true));
    if word.is_empty() {
        return Ok(Order { key: SortKey::Name, is_descending });
    }
    // A role that cannot see balances cannot sort by them.
    let is_hidden = word == SortKey::Balance.as_str() && !duties.contains(&Duty::Balances);
    let key = SortKey::choose(if is_hidden { "" } else { word })?;
    Ok(Order { key, is_descending })
}

impl StudentsFilter {
    /// Whether there are no filters, so that page and length are read from an index.
    pub fn is_plain(&self) -> bool {
        self.q.trim().is_empty()
            && self.states.is_empty()
            && self.flags.is_empty()
            && self.course.is_none()
            && self.grade.is_none()
    }

    /// The condition on a student `s`; `codes` selects the student's course codes, if a word may be one.
    pub fn condition(&self, office: &Office, codes: Option<&str>) -> String {
        let names_closed =
            self.states.contains(&StudentStatus::Closed) || self.flags.contains(&StudentFlag::Closed);
        let mut all = Vec::new();
        if !names_closed {
            all.push("s.status <> 'closed'".to_owned());
        }
        if !self.states.is_empty() {
            let words: Vec<_> = self.states.iter().map(|state| format!("'{}'", state.as_str())).collect();
            all.push(format!("s.status in ({})", words.join(", ")));
        }
        all.extend(self.flags.iter().map(|flag| flag.condition(office).into_owned()));
        let open = "e.status in ('pending', 'waitlisted', 'active')";
        let enrolled = |of: &str| {
            format!(
                "s.id in (select e.student_id from courses c join enrollments e on e.course_id = c.id
                     where {of} and {open})"
            )
        };
        all.extend(
            self.course.iter().map(|_| enrolled("(c.code = :course collate nocase or c.id = :course)")),
        );
        all.extend(self.grade.iter().map(|_| enrolled("c.grade = :grade")));
        if !self.q.trim().is_empty() {
            let found = format!("matches_terms({TEXT}, :words)");
            all.push(match codes {
                None => found,
                Some(codes) => format!("({found} or matches_terms(concat_ws(' ', {TEXT}, {codes}), :words))"),
            });
        }
        if all.is_empty() { "true".to_owned() } else { all.join(" and ") }
    }

    /// Parameters of the condition besides words and dates.
    pub fn parameters(&self) -> Vec<(&'static str, &dyn ToSql)> {
        let mut parameters: Vec<(&'static str, &dyn ToSql)> = Vec::new();
        parameters.extend(self.course.iter().map(|course| (":course", course as &dyn ToSql)));
        parameters.extend(self.grade.iter().map(|grade| (":grade", grade as &dyn ToSql)));
        parameters
    }
}
