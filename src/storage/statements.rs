//! Statements: one call each, prepared once per connection; rows become types by the names of their columns.

use rusqlite::{Connection, OptionalExtension, Params, ToSql};

use super::columns::{Column, ColumnPositions, Columns};
use crate::base::error::Result;

/// What a connection does with a statement.
pub trait Statements {
    /// Carries out a change.
    ///
    /// # Errors
    /// Database errors.
    fn run(&self, sql: &str, parameters: impl Params) -> Result<()>;

    /// Carries out a change, and returns how many rows it concerned.
    fn change(&self, sql: &str, parameters: impl Params) -> Result<usize>;

    /// Adds a row, and returns its number.
    fn insert(&self, sql: &str, parameters: impl Params) -> Result<i64>;

    /// The only row of a query that always has one.
    fn one<T: FromRow>(&self, sql: &str, parameters: impl Params) -> Result<T>;

    /// The first row, if there is one.
    fn find<T: FromRow>(&self, sql: &str, parameters: impl Params) -> Result<Option<T>> {
        self.find_by(sql, parameters, T::read)
    }

    /// Every row.
    fn list<T: FromRow>(&self, sql: &str, parameters: impl Params) -> Result<Vec<T>> {
        self.list_by(sql, parameters, T::read)
    }

    /// The first row, if there is one, of what takes more than its columns.
    fn find_by<T>(
        &self,
        sql: &str,
        parameters: impl Params,
        read: impl FnOnce(&Columns<'_, '_>) -> rusqlite::Result<T>,
    ) -> Result<Option<T>>;

    /// Every row of what takes more than its columns.
    fn list_by<T>(
        &self,
        sql: &str,
        parameters: impl Params,
        read: impl FnMut(&Columns<'_, '_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>>;

    /// Those of the parameters that a statement names: statements share them, and SQLite refuses unknown ones.
    fn named<'a>(&self, sql: &str, parameters: &[NamedValue<'a>]) -> Result<Vec<NamedValue<'a>>>;
}

/// A value with its parameter's name.
pub type NamedValue<'a> = (&'a str, &'a dyn ToSql);

impl Statements for Connection {
    fn run(&self, sql: &str, parameters: impl Params) -> Result<()> {
        self.change(sql, parameters).map(|_| ())
    }

    fn change(&self, sql: &str, parameters: impl Params) -> Result<usize> {
        Ok(self.prepare_cached(sql)?.execute(parameters)?)
    }

    fn insert(&self, sql: &str, parameters: impl Params) -> Result<i64> {
        self.run(sql, parameters)?;
        Ok(self.last_insert_rowid())
    }

    fn one<T: FromRow>(&self, sql: &str, parameters: impl Params) -> Result<T> {
        Ok(self.prepare_cached(sql)?.query_row(parameters, |row| T::read(&Columns::of(row)))?)
    }

    fn find_by<T>(
        &self,
        sql: &str,
        parameters: impl Params,
        read: impl FnOnce(&Columns<'_, '_>) -> rusqlite::Result<T>,
    ) -> Result<Option<T>> {
        let row = self.prepare_cached(sql)?.query_row(parameters, |row| read(&Columns::of(row)));
        Ok(row.optional()?)
    }

    fn list_by<T>(
        &self,
        sql: &str,
        parameters: impl Params,
        mut read: impl FnMut(&Columns<'_, '_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>> {
        let mut select = self.prepare_cached(sql)?;
        let positions = ColumnPositions::default();
        let rows = select.query_map(parameters, |row| read(&positions.of(row)))?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    fn named<'a>(&self, sql: &str, parameters: &[NamedValue<'a>]) -> Result<Vec<NamedValue<'a>>> {
        let statement = self.prepare_cached(sql)?;
        let is_named = |name| matches!(statement.parameter_index(name), Ok(Some(_)));
        Ok(parameters.iter().copied().filter(|(name, _)| is_named(name)).collect())
    }
}

/// Named parameters: `params![id, now = now.as_second()]` fills `:id` and `:now`.
macro_rules! params {
    ($($name:ident $(= $value:expr)?),* $(,)?) => {
        &[$((
            concat!(":", stringify!($name)),
            &$crate::storage::statements::params!(@value $name $($value)?) as &dyn rusqlite::ToSql,
        )),*] as &[(&str, &dyn rusqlite::ToSql)]
    };
    (@value $name:ident $value:expr) => { $value };
    (@value $name:ident) => { $name };
}
pub(crate) use params;

/// A row as a type; [`from_row!`] writes it of a struct.
pub trait FromRow: Sized {
    /// Reads the row.
    ///
    /// # Errors
    /// When a column is missing, or holds what it never may.
    fn read(row: &Columns<'_, '_>) -> rusqlite::Result<Self>;
}

/// Reads a struct from the columns that are named as its fields are, or as is said behind them; a field behind
/// `and` is read from the same row by its own type.
macro_rules! from_row {
    ($row:ty { $($field:ident $(= $column:literal)?),* $(,)? } $(and $($part:ident),+)?) => {
        impl $crate::storage::statements::FromRow for $row {
            fn read(row: &$crate::storage::columns::Columns<'_, '_>) -> rusqlite::Result<Self> {
                Ok(Self {
                    $($($part: $crate::storage::statements::FromRow::read(row)?,)+)?
                    $($field: row.read($crate::storage::statements::from_row!(@name $field $($column)?))?,)*
                })
            }
        }
    };
    (@name $field:ident $column:literal) => { $column };
    (@name $field:ident) => { stringify!($field) };
}
pub(crate) use from_row;

impl<T: Column> FromRow for T {
    fn read(row: &Columns<'_, '_>) -> rusqlite::Result<Self> {
        row.read_at(0)
    }
}

/// Columns in their order.
macro_rules! tuple {
    ($($column:ident $place:literal),+) => {
        impl<$($column: Column),+> FromRow for ($($column,)+) {
            fn read(row: &Columns<'_, '_>) -> rusqlite::Result<Self> {
                Ok(($(row.read_at::<$column>($place)?,)+))
            }
        }
    };
}

tuple!(A 0, B 1);
tuple!(A 0, B 1, C 2);
tuple!(A 0, B 1, C 2, D 3);
tuple!(A 0, B 1, C 2, D 3, E 4);
