//! The seats of a course: how many are taken. Never counted by hand: a seat is taken by whoever is
//! active, and kept for whoever it was offered to.

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, named_params};

use crate::base::error::Result;

/// The seats of the course `c` that are taken at `:now`, but for what the enrollment `e` takes itself. Naming
/// the states has the index lead past everybody who took the course before; the plus keeps SQLite from the
/// offers of all courses.
pub(super) const TAKEN: &str = "(select count(*) from enrollments o where o.course_id = c.id and o.id <> e.id \
    and o.status in ('active', 'waitlisted') and (o.status = 'active' or +o.offered_until > :now))";

/// How many seats of a course are taken or kept for somebody, but for those of one enrollment.
pub fn taken(connection: &Connection, course_id: i64, except: Option<i64>, now: Timestamp) -> Result<i64> {
    Ok(connection
        .prepare_cached(
            "select count(*) from enrollments where course_id = :course_id and id is not :except
                 and status in ('active', 'waitlisted') and (status = 'active' or +offered_until > :now)",
        )?
        .query_row(
            named_params! { ":course_id": course_id, ":except": except, ":now": now.as_second() },
            |row| row.get(0),
        )?)
}

/// How many seats a course has; none where as many may come as want to.
pub fn capacity(connection: &Connection, course_id: i64) -> Result<Option<i64>> {
    Ok(connection
        .prepare_cached("select capacity from courses where id = :id")?
        .query_row(named_params! { ":id": course_id }, |row| row.get(0))
        .optional()?
        .flatten())
}
