//! Student numbers: `2026-0042`, assigned once, when the account first becomes active.

use jiff::civil::Date;
use rusqlite::Connection;

use crate::base::error::Result;
use crate::storage::statements::{Statements, params};

/// Assigns the next number of the year, unless the student has one already.
pub fn draw(connection: &Connection, student_id: i64, today: Date) -> Result<()> {
    let sql = "select student_number is not null from students where id = :id";
    let has_number: bool = connection.one(sql, params![id = student_id])?;
    if has_number {
        return Ok(());
    }
    let sql = "insert into student_numbers (year, last) values (:year, 1)
        on conflict (year) do update set last = last + 1 returning last";
    let number: i64 = connection.one(sql, params![year = today.year()])?;
    let sql = "update students set student_number = :number where id = :id";
    connection.run(sql, params![id = student_id, number = format!("{}-{number:04}", today.year())])
}
