//! A row's columns by their names, at the cost of their places.

use std::cell::Cell;

use rusqlite::Row;
use rusqlite::types::FromSql;

/// The columns of a row that is read in the order of its select, or nearly: SQLite looks for a name from the
/// first column on, and each look costs as much as reading a number. Here the column behind the one that was
/// read last is looked at first.
pub struct Columns<'r, 's> {
    row: &'r Row<'s>,
    next: Cell<usize>,
}

impl<'r, 's> Columns<'r, 's> {
    /// The columns of a row.
    pub fn of(row: &'r Row<'s>) -> Self {
        Self { row, next: Cell::new(0) }
    }

    /// The value of a column.
    ///
    /// # Errors
    /// When there is no such column, or it holds what it never may.
    pub fn get<T: FromSql>(&self, name: &str) -> rusqlite::Result<T> {
        let (statement, next) = (self.row.as_ref(), self.next.get());
        let at = match statement.column_name(next) {
            Ok(found) if found == name => next,
            _ => statement.column_index(name)?,
        };
        self.next.set(at + 1);
        self.row.get(at)
    }
}

#[cfg(test)]
mod tests {
    use rusqlite::Connection;

    use super::*;

    #[test]
    fn a_column_is_found_by_its_name_in_any_order() {
        let connection = Connection::open_in_memory().unwrap();
        let read = |names: [&str; 3]| {
            connection.query_row("select 1 as a, 2 as b, 3 as c", [], |row| {
                let row = Columns::of(row);
                Ok(names.map(|name| row.get::<i64>(name).ok()))
            })
        };
        assert_eq!(read(["a", "b", "c"]).unwrap(), [Some(1), Some(2), Some(3)]);
        assert_eq!(read(["c", "b", "a"]).unwrap(), [Some(3), Some(2), Some(1)]);
        assert_eq!(read(["b", "d", "c"]).unwrap(), [Some(2), None, Some(3)]);
    }
}
