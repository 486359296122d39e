//! Student numbers: `2026-0042`, drawn once, when the account first becomes active.

use jiff::civil::Date;
use rusqlite::{Connection, named_params};

use crate::base::error::Result;

/// Gives a student the next number of the year, unless there is one already.
pub fn draw(connection: &Connection, student_id: i64, today: Date) -> Result<()> {
    let has_number: bool = connection
        .prepare_cached("select student_number is not null from students where id = :id")?
        .query_row(named_params! { ":id": student_id }, |row| row.get(0))?;
    if has_number {
        return Ok(());
    }
    let number: i64 = connection
        .prepare_cached(
            "insert into student_numbers (year, last) values (:year, 1)
             on conflict (year) do update set last = last + 1 returning last",
        )?
        .query_row(named_params! { ":year": today.year() }, |row| row.get(0))?;
    connection
        .prepare_cached("update students set student_number = :number where id = :id")?
        .execute(named_params! { ":id": student_id, ":number": format!("{}-{number:04}", today.year()) })?;
    Ok(())
}
