//! The list in SQL. Each sort order has an index (migrations V4, V25 and V27).

use std::fmt::Write as _;

use super::{Due, Filter};
use crate::base::closed_set::{ClosedSet, closed_set};
use crate::config::Office;
use crate::enrollments::requests::requirements;
use crate::enrollments::seats::by_section::CURRENT_PRICE;
use crate::enrollments::seats::sections::SECTION;
use crate::enrollments::status::EnrollmentStatus;
use crate::enrollments::store::{OF_CANCELLED, REPEATED, TRANSFERRED_TO};
use crate::web::pagination::{List, Sort};

closed_set! {
    /// Sort keys of the list.
    pub enum EnrollmentOrder {
        /// When it was requested.
        Created = "created",
        /// Since when it waits for a seat.
        Waitlisted = "waitlisted",
        /// When its state last changed.
        Decided = "decided",
        /// First day.
        Start = "start",
        /// Last day.
        End = "end",
        /// The student's name.
        Student = "student",
        /// The course's code.
        Course = "course",
    }
}

const COLUMNS: &str = "e.id, e.student_id, e.course_id, e.status, e.start_date, e.end_date, e.created_at, \
    e.decided_at, e.waitlisted_at, e.offered_until, e.quoted_price_cents, e.quoted_at, \
    e.charged_price_cents, e.leave_asked_at, e.leave_reason, e.midterm_mark, e.final_mark, e.reason, \
    e.version, e.transferred_from, s.student_number, coalesce(s.full_name, 'Student #' || s.id) as student_name, s.email, \
    s.identity_changed_at is not null as identity_changed, c.name, c.code, c.grade, e.repeat_of, \
    r.id as repeated_id, r.final_mark as repeated_mark";

/// The statements of a list; the joins start where the order is.
pub(super) fn list(filter: &Filter, sort: Option<Sort<EnrollmentOrder>>, office: &Office) -> List<'static> {
    let sort = sort.unwrap_or_else(|| usual(filter));
    let (from, keys): (&str, &[&str]) = match sort.by {
        EnrollmentOrder::Created => (BY_ENROLLMENT, &["e.created_at", "e.id"]),
        EnrollmentOrder::Waitlisted => (BY_ENROLLMENT, &["e.waitlisted_at", "e.id"]),
        EnrollmentOrder::Decided => (BY_ENROLLMENT, &["e.decided_at", "e.id"]),
        EnrollmentOrder::Start => (BY_ENROLLMENT, &["e.start_date", "e.id"]),
        EnrollmentOrder::End => (BY_ENROLLMENT, &["e.end_date", "e.id"]),
        EnrollmentOrder::Student => (BY_STUDENT, &["s.full_name collate nocase", "s.id", "e.course_id"]),
        EnrollmentOrder::Course => (BY_COURSE, &["c.code", "c.id"]),
    };
    let from = few(filter).unwrap_or(from);
    let order: Vec<_> = keys.iter().map(|key| format!("{key} {}", sort.direction())).collect();
    let conditions = conditions(filter, office);
    let found = "matches_terms(concat_ws(' ', coalesce(s.full_name, 'Student #' || s.id), s.email, c.code, \
        c.name), :words)";
    List {
        rows: format!(
            "select {COLUMNS}, {CURRENT_PRICE}, {} as section, {TRANSFERRED_TO} as transferred_to, {} from {from} {REPEATED} where {found} {conditions} order by {} \
             limit :limit offset :offset",
            *SECTION,
            requirements::columns(office),
            order.join(", ")
        ),
        count: count(filter, &conditions),
        filter: &[],
    }
}

/// Counts the rows with any suitable index, as order does not matter.
fn count(filter: &Filter, conditions: &str) -> String {
    let from = match few(filter) {
        Some(from) => from,
        None if filter.is_ready || filter.grade.is_some() => BY_ENROLLMENT,
        None => "enrollments e",
    };
    let conditions = conditions.replace("+e.status", "e.status");
    format!("select count(*) from {from} where true {conditions}")
}

const BY_ENROLLMENT: &str = "enrollments e cross join students s on s.id = e.student_id \
    cross join courses c on c.id = e.course_id";
const BY_LEAVE: &str = "enrollments e indexed by enrollments_leave cross join students s on s.id = e.student_id \
    cross join courses c on c.id = e.course_id";
const BY_TRANSFER: &str = "sections k cross join enrollments e indexed by enrollments_section on e.section_id = k.id \
    cross join students s on s.id = e.student_id cross join courses c on c.id = e.course_id";
const BY_STUDENT: &str = "students s cross join enrollments e on e.student_id = s.id \
    cross join courses c on c.id = e.course_id";
const BY_COURSE: &str = "courses c cross join enrollments e on e.course_id = c.id \
    cross join students s on s.id = e.student_id";

/// Where to begin for the few rows of a filter, which are selected first and then sorted.
fn few(filter: &Filter) -> Option<&'static str> {
    match filter.due? {
        Due::Leave => Some(BY_LEAVE),
        Due::Transfer => Some(BY_TRANSFER),
        Due::Ending | Due::Mark | Due::Ended => None,
    }
}

/// Default order of a tab: longest waiting, or most recent.
fn usual(filter: &Filter) -> Sort<EnrollmentOrder> {
    let (by, is_descending) = match (filter.due, &*filter.statuses) {
        (Some(Due::Ending | Due::Mark | Due::Ended), _) => (EnrollmentOrder::End, false),
        (None, [EnrollmentStatus::Pending]) => (EnrollmentOrder::Created, false),
        (None, [EnrollmentStatus::Waitlisted]) => (EnrollmentOrder::Waitlisted, false),
        (Some(Due::Leave | Due::Transfer), _) | (None, [EnrollmentStatus::Active]) => {
            (EnrollmentOrder::Start, true)
        }
        (None, []) => (EnrollmentOrder::Created, true),
        (None, _) => (EnrollmentOrder::Decided, true),
    };
    Sort { by, is_descending }
}

fn conditions(filter: &Filter, office: &Office) -> String {
    let mut sql = String::new();
    match &*filter.statuses {
        [] => {}
        [one] => drop(write!(sql, " and e.status = '{}'", one.as_str())),
        some => {
            let words: Vec<_> = some.iter().map(|one| format!("'{}'", one.as_str())).collect();
            // Without the plus SQLite would read each state by itself and sort them together.
            let _ = write!(sql, " and +e.status in ({})", words.join(", "));
        }
    }
    for (is_wanted, condition) in [
        (filter.course.is_some(), " and e.course_id = :course"),
        (filter.section.is_some(), " and e.section_id = :section"),
        (filter.student.is_some(), " and e.student_id = :student"),
        (filter.grade.is_some(), " and c.grade = :grade"),
        (filter.due == Some(Due::Ending), " and e.end_date between :today and :soon"),
        (matches!(filter.due, Some(Due::Mark | Due::Ended)), " and e.end_date < :today"),
        (filter.due == Some(Due::Leave), " and e.leave_asked_at is not null"),
        (filter.due == Some(Due::Transfer), &*format!(" and k.status = 'cancelled' and {OF_CANCELLED}")),
        (filter.term.is_some(), " and e.start_date between :first and :last"),
    ] {
        if is_wanted {
            sql += condition;
        }
    }
    if filter.is_ready {
        let _ = write!(sql, " and {}", requirements::is_ready(office));
    }
    sql
}
