//! Counts of items for the office: requests, requests to leave, marks and charges.

use jiff::civil::Date;
use rusqlite::Connection;

use super::store::{OF_CANCELLED, UNPRICED};
use crate::base::error::Result;
use crate::enrollments::requests::requirements::ENDED;
use crate::storage::statements::params;
use crate::storage::waiting::Waits;

/// Requests that the office has not decided.
pub fn requests(connection: &Connection) -> Result<Waits> {
    const SQL: &str = "select count(*) as count, min(created_at) as oldest
         from enrollments where status = 'pending'";
    Waits::read(connection, SQL, [])
}

/// Requests that were not decided before the course ended.
pub fn ended_requests(connection: &Connection, today: Date) -> Result<Waits> {
    let sql = format!(
        "select count(*) as count, min(e.end_date) as oldest from enrollments e indexed by enrollments_end
         where {ENDED}"
    );
    Waits::read(connection, &sql, params![today = today.to_string()])
}

/// Active enrollments whose students asked to leave.
pub fn leave_requests(connection: &Connection) -> Result<Waits> {
    const SQL: &str = "select count(*) as count, min(leave_asked_at) as oldest
         from enrollments indexed by enrollments_leave
         where leave_asked_at is not null and status = 'active'";
    Waits::read(connection, SQL, [])
}

/// Enrollments of sections that were cancelled, and requests for them: each goes on in another section, or ends.
pub fn transfers(connection: &Connection) -> Result<Waits> {
    let sql = format!(
        "select count(*) as count, min((select max(v.at) from section_events v
                where v.section_id = k.id and v.verb = 'cancel')) as oldest
         from sections k cross join enrollments e indexed by enrollments_section
             on e.section_id = k.id and {OF_CANCELLED}
         where k.status = 'cancelled'"
    );
    Waits::read(connection, &sql, [])
}

/// Active enrollments past their last day, which have no final mark yet.
pub fn marks_due(connection: &Connection, today: Date) -> Result<Waits> {
    const SQL: &str = "select count(*) as count, min(end_date) as oldest
         from enrollments where status = 'active' and end_date < :today";
    Waits::read(connection, SQL, params![today = today.to_string()])
}

/// Active enrollments that were never charged because they had no price.
pub fn charges(connection: &Connection) -> Result<Waits> {
    let sql = format!("select count(*) as count, min(e.approved_at) as oldest from {UNPRICED}");
    Waits::read(connection, &sql, [])
}
