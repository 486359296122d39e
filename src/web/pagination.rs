//! Search and pagination of the office's lists.
//!
//! A handler takes a [`PageRequest`], its room returns a [`Listed`]. The body is the array that the specification
//! requires (section 7); the total number of rows is in `X-Total-Count`.

use axum::extract::FromRequestParts;
use axum::http::Uri;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use rusqlite::{Connection, ToSql};
use serde::{Deserialize, Serialize};
use utoipa::openapi::HeaderBuilder;
use utoipa::{IntoParams, PartialSchema, ToSchema};

use super::query;
use crate::base::closed_set::ClosedSet;
use crate::base::error::{Error, Result};
use crate::base::json::Json;
use crate::storage::columns::{ColumnPositions, Columns};
use crate::storage::db::Db;
use crate::storage::search::Terms;
use crate::storage::statements::{FromRow, NamedValue, Statements};
use crate::web::app::App;
use crate::web::compression::compressible;
use crate::web::description::{Answer, Description, Parameter};
use crate::web::session::{self, StaffSession};
use crate::web::sheet::SheetStyle;

/// Rows per page.
pub const ROWS: i64 = 25;

/// Offset up to which skipping rows is cheap.
const NEAR: i64 = 20 * ROWS;

/// Header with the total number of matching rows.
pub const TOTAL: &str = "x-total-count";

/// Query parameters of a list.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ListQuery {
    /// Only rows that contain each of these words, ignoring case and accents; characters after the first 200 are
    /// ignored.
    #[serde(default)]
    #[param(value_type = Option<String>)]
    q: String,
    /// Page of 25 rows, from 1; without it, all rows are returned.
    #[param(value_type = Option<i64>, minimum = 1)]
    page: Option<String>,
    #[param(ignore)]
    #[serde(default)]
    status: String,
    #[param(ignore)]
    #[serde(default)]
    sort: String,
}

/// Query parameters of a list that can be taken as a sheet.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct SheetQuery {
    /// `csv` for every row as a sheet.
    #[param(value_type = Option<String>)]
    format: String,
    /// The spreadsheet program that the sheet is for: `fr` (French Excel) begins with a line `sep=;` and has semicolons
    /// between cells and a decimal comma; `en`, also when left out, has commas and a decimal point.
    #[param(value_type = Option<SheetStyle>, inline)]
    sheet: String,
}

/// The requested part of a list.
#[derive(Debug, Clone, Default)]
pub struct PageRequest {
    words: Terms,
    /// Rows before this page; `None` for all rows.
    skipped: Option<i64>,
    status: String,
    sort: String,
    is_sheet: bool,
    style: SheetStyle,
    /// The query string.
    asked: String,
}

/// Sort order of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sort<T> {
    /// Sort key.
    pub by: T,
    /// Whether it is descending.
    pub is_descending: bool,
}

impl<T> Sort<T> {
    /// `asc` or `desc`, for every column of an `order by`.
    pub fn direction(&self) -> &'static str {
        if self.is_descending { "desc" } else { "asc" }
    }
}

impl FromRequestParts<App> for PageRequest {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self> {
        let page = Self::from_uri(&parts.uri)?;
        if page.is_sheet() {
            Err(Error::field("format", "This list has no sheet: leave it out"))
        } else {
            Ok(page)
        }
    }
}

impl Parameter for PageRequest {
    fn describe(description: &mut Description<'_>) {
        description.refusal("400");
    }
}

/// The requested part of a list that can be taken as a sheet, too, with `format=csv`.
pub struct SheetRequest(pub PageRequest);

impl FromRequestParts<App> for SheetRequest {
    type Rejection = Error;

    /// Downloading a whole list requires recent authentication.
    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        let page = PageRequest::from_uri(&parts.uri)?;
        if let Some(StaffSession(session)) =
            parts.extensions.get::<StaffSession>().filter(|_| page.is_sheet())
        {
            session::check_recent(session::proven_at(session).await?, app.clock.now())?;
        }
        Ok(Self(page))
    }
}

impl Parameter for SheetRequest {
    fn describe(description: &mut Description<'_>) {
        PageRequest::describe(description);
    }
}

impl PageRequest {
    /// Parses the query of a list.
    ///
    /// # Errors
    /// 400 when a parameter is repeated.
    pub fn from_uri(uri: &Uri) -> Result<Self> {
        let asked = uri.query().unwrap_or_default().to_owned();
        Ok(Self { asked, ..Self::from_query(&query::of(uri)?, &query::of(uri)?)? })
    }

    fn from_query(query: &ListQuery, sheet: &SheetQuery) -> Result<Self> {
        let is_sheet = match sheet.format.as_str() {
            "" | "json" => false,
            "csv" => true,
            _ => return Err(Error::field("format", "Format must be json or csv")),
        };
        let style = match sheet.sheet.as_str() {
            "" => SheetStyle::default(),
            word => SheetStyle::choose(word).map_err(|message| Error::field("sheet", message))?,
        };
        let page = query.page.as_deref().filter(|_| !is_sheet);
        Ok(Self {
            words: Terms::new(&query.q),
            skipped: page.map(|page| (number(page) - 1).saturating_mul(ROWS)),
            status: query.status.trim().to_owned(),
            sort: query.sort.trim().to_owned(),
            is_sheet,
            style,
            asked: String::new(),
        })
    }

    /// For lists that are too long to send whole: defaults to the first page.
    #[must_use]
    pub fn paged(self) -> Self {
        let skipped = if self.is_sheet { None } else { self.skipped.or(Some(0)) };
        Self { skipped, ..self }
    }

    /// The rows of the page, of a list that was computed whole; `text` is what is searched.
    pub fn cut<T>(&self, mut rows: Vec<T>, text: impl Fn(&T) -> String) -> Listed<T> {
        if !self.words.is_empty() {
            rows.retain(|row| self.words.are_in(&text(row)));
        }
        let total = i64::try_from(rows.len()).unwrap_or(i64::MAX);
        if let Some(skipped) = self.skipped {
            let place = |count: i64| usize::try_from(count).unwrap_or(usize::MAX);
            rows = rows.into_iter().skip(place(skipped)).take(place(ROWS)).collect();
        }
        Listed { rows, total }
    }

    /// Whether all rows are requested as CSV (`format=csv`).
    pub fn is_sheet(&self) -> bool {
        self.is_sheet
    }

    /// The spreadsheet program that a sheet is for.
    pub fn style(&self) -> SheetStyle {
        self.style
    }

    /// The query string.
    pub fn asked(&self) -> &str {
        &self.asked
    }

    /// The status filter, if any.
    ///
    /// # Errors
    /// A field error that lists the valid states.
    pub fn status<T: ClosedSet>(&self) -> Result<Option<T>> {
        if self.status.is_empty() {
            return Ok(None);
        }
        T::choose(&self.status).map(Some).map_err(|message| Error::field("status", message))
    }

    /// The status filter (`status=pending,waitlisted`); empty means no filter.
    ///
    /// # Errors
    /// A field error that lists the valid states.
    pub fn statuses<T: ClosedSet>(&self) -> Result<Vec<T>> {
        let message = || Error::field("status", format!("Status must be one or more of {}", T::words()));
        let words = self.status.split(',').map(str::trim).filter(|word| !word.is_empty());
        words.map(|word| T::parse(word).ok_or_else(message)).collect()
    }

    /// The sort order (`sort=created`, or `sort=-created` for descending), if given.
    ///
    /// # Errors
    /// A field error that lists the valid sort keys.
    pub fn sort<T: ClosedSet>(&self) -> Result<Option<Sort<T>>> {
        if self.sort.is_empty() {
            return Ok(None);
        }
        let (is_descending, word) = match self.sort.strip_prefix('-') {
            Some(word) => (true, word),
            None => (false, &*self.sort),
        };
        let by = T::choose(word).map_err(|message| Error::field("sort", message))?;
        Ok(Some(Sort { by, is_descending }))
    }

    /// Runs the query of a list: an early page on the current thread, which is cheaper than switching threads; a
    /// search, a late page or the whole list on a blocking thread.
    ///
    /// # Errors
    /// What `work` returned.
    pub async fn ask<T, F>(self, db: &Db, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&Self, &Connection) -> Result<T> + Send + 'static,
    {
        let is_near = self.words.is_empty() && self.skipped.is_some_and(|skipped| skipped <= NEAR);
        if is_near {
            db.read(|connection| work(&self, connection)).await
        } else {
            db.query(move |connection| work(&self, connection)).await
        }
    }

    /// Reads a list. A search reads every row once to find and count matches; otherwise only the page is read, and the
    /// rows are counted separately from an index.
    pub fn read<T: FromRow>(&self, connection: &Connection, list: &List<'_>) -> Result<Listed<T>> {
        self.read_by(connection, list, T::read)
    }

    /// The same of rows that take more than their columns.
    pub fn read_by<T>(
        &self,
        connection: &Connection,
        list: &List<'_>,
        row: impl Fn(&Columns<'_, '_>) -> rusqlite::Result<T>,
    ) -> Result<Listed<T>> {
        let is_search = !self.words.is_empty();
        let window = self.skipped.map_or(0..i64::MAX, |skipped| skipped..skipped.saturating_add(ROWS));
        // A negative limit means no limit.
        let (limit, offset) = match self.skipped {
            Some(skipped) if !is_search => (ROWS, skipped),
            _ => (-1, 0),
        };
        let own: [NamedValue<'_>; 3] = [(":words", &self.words), (":limit", &limit), (":offset", &offset)];
        let known = connection.named(&list.rows, &[&own, list.filter].concat())?;
        // Row by row: a search counts every match, and keeps those of one page.
        let mut statement = connection.prepare_cached(&list.rows)?;
        let mut found = statement.query(&*known)?;
        let places = ColumnPositions::default();
        let mut rows = Vec::new();
        let mut count = 0;
        while let Some(next) = found.next()? {
            if !is_search || window.contains(&count) {
                rows.push(row(&places.of(next))?);
            }
            count += 1;
        }
        let total = if is_search || self.skipped.is_none() {
            count
        } else {
            connection.one(&list.count, &*connection.named(&list.count, list.filter)?)?
        };
        Ok(Listed { rows, total })
    }
}

/// Parses a page number; anything but a number from 1 means the first page.
fn number(page: &str) -> i64 {
    let page = page.trim();
    let is_number = !page.is_empty() && page.bytes().all(|byte| byte.is_ascii_digit());
    // A number that overflows is a page beyond the end.
    if is_number { page.parse().unwrap_or(i64::MAX).max(1) } else { 1 }
}

/// A room's list in SQL.
pub struct List<'a> {
    /// Selects the rows in their order; reads `:words` (see [`crate::storage::search`]), `:limit`, `:offset`.
    pub rows: String,
    /// Counts the rows of the list without a search.
    pub count: String,
    /// Other named parameters; each statement may use only some of them.
    pub filter: &'a [(&'a str, &'a dyn ToSql)],
}

/// The rows of a page, and the total.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed<T> {
    /// The rows, in the order of the list.
    pub rows: Vec<T>,
    /// Total number of matching rows.
    pub total: i64,
}

impl<T: Serialize> IntoResponse for Listed<T> {
    fn into_response(self) -> Response {
        compressible(([(TOTAL, self.total.to_string())], Json(self.rows)).into_response())
    }
}

impl<T> Answer for Listed<T>
where
    Vec<T>: ToSchema,
{
    fn describe(description: &mut Description<'_>) {
        description.success("200", |description| {
            let total = HeaderBuilder::new()
                .description(Some("Rows that match, on every page"))
                .schema(Some(i64::schema()));
            description.json::<Vec<T>>().header("X-Total-Count", total.build())
        });
    }
}

/// Test helper for the promise that a page is read from an index.
#[cfg(test)]
pub mod testing {
    use super::*;
    use crate::storage::statements::params;

    /// Asserts that the rows are read in order from this index, and counted from an index.
    #[track_caller]
    pub fn assert_comes_from_index(connection: &Connection, list: &List<'_>, index: &str) {
        assert_page_comes_from_index(connection, list, index);
        let count = plan(connection, &list.count);
        assert!(count.len() == 1 && count[0].contains(" USING COVERING INDEX "), "{count:#?}");
    }

    /// Asserts that the rows are read in order from this index.
    #[track_caller]
    pub fn assert_page_comes_from_index(connection: &Connection, list: &List<'_>, index: &str) {
        let rows = plan(connection, &list.rows);
        assert!(rows[0].contains(&format!(" {index}")), "{rows:#?}");
        // The following steps look up related rows by their key, some of them for a single value or its list.
        let is_lookup = |step: &String| {
            step.starts_with("SEARCH ") && step.contains("=?)")
                || step.starts_with("CORRELATED")
                || step == "USE TEMP B-TREE FOR json_group_array(ORDER BY)"
        };
        assert!(rows[1..].iter().all(is_lookup), "{rows:#?}");
    }

    fn plan(connection: &Connection, sql: &str) -> Vec<String> {
        let explain = format!("explain query plan {sql}");
        connection.list_by(&explain, params![], |row| row.read("detail")).unwrap()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::closed_set::closed_set;

    #[test]
    fn an_invalid_page_number_is_the_first_page() {
        for (typed, expected) in [
            ("1", 1),
            ("2", 2),
            (" 3 ", 3),
            ("", 1),
            ("0", 1),
            ("-1", 1),
            ("abc", 1),
            ("1.5", 1),
            ("२", 1),
            ("99999999999999999999", i64::MAX),
        ] {
            assert_eq!(number(typed), expected, "{typed:?}");
        }
    }

    closed_set! {
        /// Sort keys of the test lists.
        enum By {
            Name = "name",
            Created = "created",
        }
    }

    fn asked(uri: &str) -> Result<PageRequest> {
        PageRequest::from_uri(&uri.parse().unwrap())
    }

    #[test]
    fn a_list_accepts_only_known_sort_keys_and_states() {
        let sort = |uri: &str| asked(uri).unwrap().sort::<By>().map_err(|error| error.to_string());
        assert_eq!(sort("/"), Ok(None));
        assert_eq!(sort("/?sort=name"), Ok(Some(Sort { by: By::Name, is_descending: false })));
        assert_eq!(sort("/?sort=-created"), Ok(Some(Sort { by: By::Created, is_descending: true })));
        for wrong in ["/?sort=--name", "/?sort=-", "/?sort=Name", "/?sort=name,created"] {
            assert_eq!(sort(wrong), Err("Must be one of name, created".to_owned()), "{wrong}");
        }
        let statuses = |uri: &str| asked(uri).unwrap().statuses::<By>().map_err(|error| error.to_string());
        assert_eq!(statuses("/?status="), Ok(vec![]));
        assert_eq!(statuses("/?status=created,%20name"), Ok(vec![By::Created, By::Name]));
        assert_eq!(
            statuses("/?status=name,x"),
            Err("Status must be one or more of name, created".to_owned())
        );
    }

    #[test]
    fn a_sheet_is_the_whole_list() {
        let sheet = asked("/?page=2&q=a&format=csv").unwrap();
        assert!(sheet.is_sheet() && sheet.skipped.is_none());
        assert_eq!(sheet.asked(), "page=2&q=a&format=csv");
        assert!(!asked("/?page=2&format=json").unwrap().is_sheet());
        assert_eq!(asked("/?format=pdf").unwrap_err().to_string(), "Format must be json or csv");
        for (uri, style) in [
            ("/?format=csv", SheetStyle::English),
            ("/?format=csv&sheet=en", SheetStyle::English),
            ("/?format=csv&sheet=fr", SheetStyle::French),
        ] {
            assert_eq!(asked(uri).unwrap().style(), style, "{uri}");
        }
        assert_eq!(asked("/?format=csv&sheet=FR").unwrap_err().to_string(), "Must be one of en, fr");
    }

    fn numbers() -> Connection {
        let connection = Connection::open_in_memory().unwrap();
        crate::storage::search::register(&connection).unwrap();
        connection
            .execute_batch(
                "create table numbers (id integer primary key);
                 with recursive n(i) as (select 1 union all select i + 1 from n where i < 60)
                 insert into numbers select i from n",
            )
            .unwrap();
        connection
    }

    #[test]
    fn pages_and_searches_agree_about_the_rows_and_their_number() {
        let connection = numbers();
        let list = List {
            rows: "select id from numbers where matches_terms('no ' || id, :words)
                   order by id limit :limit offset :offset"
                .into(),
            count: "select count(*) from numbers".into(),
            filter: &[],
        };
        let ask = |q: &str, page: Option<&str>| {
            let query = ListQuery { q: q.into(), page: page.map(Into::into), ..ListQuery::default() };
            let page = PageRequest::from_query(&query, &SheetQuery::default()).unwrap();
            let listed = page.read::<i64>(&connection, &list).unwrap();
            (listed.rows, listed.total)
        };
        let most = i64::MAX.to_string();
        let far = "9".repeat(40);
        assert_eq!(ask("", None), ((1..=60).collect(), 60));
        assert_eq!(ask("", Some("1")), ((1..=25).collect(), 60));
        assert_eq!(ask("", Some("3")), ((51..=60).collect(), 60));
        for beyond in ["4", &most, &far] {
            assert_eq!(ask("", Some(beyond)), (vec![], 60), "{beyond}");
            assert_eq!(ask("no", Some(beyond)), (vec![], 60), "{beyond}");
        }
        assert_eq!(ask("no", Some("2")), ((26..=50).collect(), 60));
        assert_eq!(ask("NO 7", None), (vec![7, 17, 27, 37, 47, 57], 6));
        assert_eq!(ask("7", Some("1")), (vec![7, 17, 27, 37, 47, 57], 6));
        assert_eq!(ask("7", Some("2")), (vec![], 6));
    }
}
