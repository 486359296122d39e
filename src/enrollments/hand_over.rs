//! Moves enrollments when two accounts of one student are merged.

use rusqlite::Connection;

use super::{credits, store};
use crate::base::error::{Error, Result};
use crate::storage::statements::{Statements, params};

/// Moves enrollments with events and charges, and credits from other schools. A request made after the course was
/// completed in the other account becomes a repeat.
///
/// # Errors
/// [`Error::Conflict`] when both have an open enrollment in one course: a course is its code.
pub fn hand_over(connection: &Connection, from: i64, to: i64) -> Result<usize> {
    let sql = "select e.id, c.code from enrollments e join courses c on c.id = e.course_id
            join enrollments o on o.student_id = :to and o.status in ('pending', 'waitlisted', 'active')
            join courses oc on oc.id = o.course_id and substr(oc.code, 1, 5) = substr(c.code, 1, 5)
        where e.student_id = :from and e.status in ('pending', 'waitlisted', 'active') limit 1";
    let shared: Option<(i64, String)> = connection.find(sql, params![from, to])?;
    if let Some((id, code)) = shared {
        let words = format!(
            "Both accounts have an open enrollment in {code}. Withdraw or decline one of them first."
        );
        return Err(Error::conflict(words, &store::find(connection, id)?));
    }
    credits::store::hand_over(connection, from, to)?;
    let sql = "update enrollments set student_id = :to where student_id = :from";
    let moved = connection.change(sql, params![from, to])?;
    let sql = "with repeats as (
            select e.id, max(o.id) as repeated from enrollments e
                cross join enrollments o on o.student_id = e.student_id and +o.status = 'completed'
                    and (+o.created_at, o.id) < (e.created_at, e.id)
                join courses c on c.id = e.course_id
                join courses oc on oc.id = o.course_id and substr(oc.code, 1, 5) = substr(c.code, 1, 5)
            where e.student_id = :to and not exists (
                select 1 from enrollments r where r.id = e.repeat_of and r.status = 'completed')
            group by e.id)
        update enrollments set repeat_of = repeats.repeated from repeats where enrollments.id = repeats.id";
    connection.run(sql, params![to])?;
    Ok(moved)
}
