//! Access to a row's columns by name, at the cost of access by index.

use std::cell::{Cell, RefCell};

use jiff::Timestamp;
use jiff::civil::Date;
use rusqlite::Row;
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ValueRef};
use serde::de::DeserializeOwned;

use crate::base::clock::from_seconds;
use crate::base::closed_set::ClosedSet;
use crate::base::file_encryption::KeyId;
use crate::base::money::Money;

/// Columns of a row that is read in about the order of its select. SQLite searches for a name from the first column,
/// and each comparison costs as much as reading a number. Here the search starts after the column read last, and for a
/// list, whose rows are all read alike, only the first row's names are searched.
pub struct Columns<'r, 's> {
    row: &'r Row<'s>,
    places: Option<&'r ColumnPositions>,
    /// Number of columns read so far.
    turn: Cell<usize>,
    next: Cell<usize>,
}

/// Column indexes of a statement, in the order in which an earlier row was read.
#[derive(Default)]
pub struct ColumnPositions(RefCell<Vec<(&'static str, usize)>>);

impl ColumnPositions {
    /// The columns of one row of the statement.
    pub fn of<'r, 's>(&'r self, row: &'r Row<'s>) -> Columns<'r, 's> {
        Columns { places: Some(self), ..Columns::of(row) }
    }

    /// Index of the name read at this turn in an earlier row; the same name is the same literal.
    fn known(&self, turn: usize, name: &'static str) -> Option<usize> {
        self.0.borrow().get(turn).filter(|(known, _)| std::ptr::eq(*known, name)).map(|(_, at)| *at)
    }

    fn note(&self, turn: usize, name: &'static str, at: usize) {
        let mut places = self.0.borrow_mut();
        places.truncate(turn);
        if places.len() == turn {
            places.push((name, at));
        }
    }
}

impl<'r, 's> Columns<'r, 's> {
    /// The columns of a single row.
    pub fn of(row: &'r Row<'s>) -> Self {
        Self { row, places: None, turn: Cell::new(0), next: Cell::new(0) }
    }

    /// The value of a column.
    ///
    /// # Errors
    /// When there is no such column, or its value has the wrong type.
    pub fn read<T: Column>(&self, name: &'static str) -> rusqlite::Result<T> {
        self.read_at(self.place(name)?)
    }

    /// The value of the column at a place.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub fn read_at<T: Column>(&self, place: usize) -> rusqlite::Result<T> {
        self.row.get(place).map(T::of)
    }

    /// The value of a column in SQLite's representation.
    ///
    /// # Errors
    /// When there is no such column.
    pub fn get_ref(&self, name: &'static str) -> rusqlite::Result<ValueRef<'r>> {
        self.row.get_ref(self.place(name)?)
    }

    fn place(&self, name: &'static str) -> rusqlite::Result<usize> {
        let turn = self.turn.replace(self.turn.get() + 1);
        let at = match self.places.and_then(|places| places.known(turn, name)) {
            Some(at) => at,
            None => self.look_for(name, turn)?,
        };
        self.next.set(at + 1);
        Ok(at)
    }

    fn look_for(&self, name: &'static str, turn: usize) -> rusqlite::Result<usize> {
        let statement = self.row.as_ref();
        let next = self.next.get();
        let at = match statement.column_name(next) {
            Ok(found) if found == name => next,
            _ => statement.column_index(name)?,
        };
        if let Some(places) = self.places {
            places.note(turn, name, at);
        }
        Ok(at)
    }
}

/// A value as a column keeps it.
pub trait Column: Sized {
    /// What the column holds.
    type Stored: FromSql;

    /// The value of what it holds.
    fn of(stored: Self::Stored) -> Self;
}

/// Declares types that a column keeps as rusqlite does.
macro_rules! stored_as_it_is {
    ($($column:ty),+) => {
        $(impl $crate::storage::columns::Column for $column {
            type Stored = Self;

            fn of(stored: Self) -> Self {
                stored
            }
        })+
    };
}

stored_as_it_is!(bool, i8, i16, i32, i64, u32, f64, String, Vec<u8>, [u8; 16], [u8; 32], Date, KeyId, Money);
pub(crate) use stored_as_it_is;

/// A value from JSON.
pub struct FromJson<T>(pub T);

impl<T: DeserializeOwned> FromSql for FromJson<T> {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        serde_json::from_str(value.as_str()?).map(Self).map_err(|error| FromSqlError::Other(error.into()))
    }
}

/// Declares types that a column keeps as JSON.
macro_rules! stored_as_json {
    ($($column:ty),+) => {
        $(impl $crate::storage::columns::Column for $column {
            type Stored = $crate::storage::columns::FromJson<Self>;

            fn of(stored: Self::Stored) -> Self {
                stored.0
            }
        })+
    };
}
pub(crate) use stored_as_json;

impl<T: ClosedSet + FromSql> Column for T {
    type Stored = Self;

    fn of(stored: Self) -> Self {
        stored
    }
}

impl<T: Column> Column for Option<T> {
    type Stored = Option<T::Stored>;

    fn of(stored: Self::Stored) -> Self {
        stored.map(T::of)
    }
}

impl Column for u64 {
    type Stored = i64;

    fn of(stored: i64) -> Self {
        stored.cast_unsigned()
    }
}

/// Seconds since 1970.
impl Column for Timestamp {
    type Stored = i64;

    fn of(stored: i64) -> Self {
        from_seconds(stored)
    }
}

#[cfg(test)]
mod tests {
    use rusqlite::Connection;

    use super::*;

    #[test]
    fn a_column_is_found_by_its_name_in_any_order() {
        let connection = Connection::open_in_memory().unwrap();
        let read = |names: [&'static str; 3]| {
            connection.query_row("select 1 as a, 2 as b, 3 as c", [], |row| {
                let row = Columns::of(row);
                Ok(names.map(|name| row.read::<i64>(name).ok()))
            })
        };
        assert_eq!(read(["a", "b", "c"]).unwrap(), [Some(1), Some(2), Some(3)]);
        assert_eq!(read(["c", "b", "a"]).unwrap(), [Some(3), Some(2), Some(1)]);
        assert_eq!(read(["b", "d", "c"]).unwrap(), [Some(2), None, Some(3)]);
    }
    #[test]
    fn the_rows_of_a_list_may_be_read_in_different_orders() {
        let connection = Connection::open_in_memory().unwrap();
        let places = ColumnPositions::default();
        let order = Cell::new(0);
        let orders = [["a", "b", "c"], ["a", "b", "c"], ["a", "c", "b"], ["d", "c", "b"], ["a", "b", "c"]];
        let read = connection
            .prepare("select 1 as a, 2 as b, 3 as c from (values (1), (2), (3), (4), (5))")
            .unwrap()
            .query_map([], |row| {
                let row = places.of(row);
                Ok(orders[order.replace(order.get() + 1)].map(|name| row.read::<i64>(name).ok()))
            })
            .unwrap()
            .collect::<Result<Vec<_>, _>>()
            .unwrap();
        let a = Some(1);
        let b = Some(2);
        let c = Some(3);
        assert_eq!(read, [[a, b, c], [a, b, c], [a, c, b], [None, c, b], [a, b, c]]);
    }
}
