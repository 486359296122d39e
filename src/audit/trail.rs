//! The trail as people read it: newest first, filtered, each row with what it was about and what changed.

use axum::extract::{FromRequestParts, Query};
use axum::http::request::Parts;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};
use rusqlite::{Connection, OptionalExtension, Row, ToSql, named_params};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::{IntoParams, ToSchema};

use crate::base::clock::from_seconds;
use crate::base::error::{Error, FieldErrors, Result};
use crate::web::pagination::{List, Listed, PageRequest};
use crate::web::sheet::SheetRow;

/// More rows than a sheet of them is read for: memory is bounded.
const MAX_SHEET_ROWS: i64 = 50_000;

/// What is never shown of a detail, whoever wrote it there.
const SECRETS: [&str; 6] = ["password", "token", "secret", "hash", "oen", "link"];

/// In the place of a secret.
const MASK: &str = "•••";

/// By what the trail can be filtered.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default)]
#[into_params(parameter_in = Query)]
pub struct TrailQuery {
    /// Who did it: a username, or the number of the account.
    #[param(value_type = Option<String>)]
    user: String,
    /// What was done: a verb, as the rows have it.
    #[param(value_type = Option<String>)]
    action: String,
    /// To what kind of thing it was done, as the rows have it.
    #[param(value_type = Option<String>)]
    object: String,
    /// The number of the one thing, together with `object`.
    #[param(value_type = Option<i64>)]
    object_id: String,
    /// Only what concerns the student with this number: account, courses, documents, notes.
    #[param(value_type = Option<i64>)]
    student: String,
    /// The first day, in the school's time zone.
    #[param(value_type = Option<Date>)]
    from: String,
    /// The last day, in the school's time zone.
    #[param(value_type = Option<Date>)]
    to: String,
}

impl<S: Send + Sync> FromRequestParts<S> for TrailQuery {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self> {
        let Query(query) = Query::try_from_uri(&parts.uri)
            .map_err(|_| Error::BadRequest("The address of this list cannot be understood.".into()))?;
        Ok(query)
    }
}

/// A filter whose every value can be.
#[derive(Debug, Default)]
pub struct TrailFilter {
    own: Option<i64>,
    user_id: Option<i64>,
    actor: Option<String>,
    action: Option<String>,
    object: Option<String>,
    object_id: Option<i64>,
    student: Option<i64>,
    from: Option<i64>,
    before: Option<i64>,
}

impl TrailQuery {
    /// The filter; `own` limits it to what one member of the staff did.
    ///
    /// # Errors
    /// A field error for each value that cannot be.
    pub fn parse(&self, own: Option<i64>, zone: &TimeZone) -> Result<TrailFilter, FieldErrors> {
        let mut errors = FieldErrors::default();
        let text = |text: &str| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
        let mut number = |name: &'static str, typed: &str| {
            let typed = text(typed)?;
            errors.take(name, typed.parse::<i64>().map_err(|_| "Must be a number"))
        };
        let (object_id, student) = (number("objectId", &self.object_id), number("student", &self.student));
        let mut midnight = |name: &'static str, typed: &str, days: i64| {
            let typed = text(typed)?;
            let start = typed.parse::<Date>().ok().and_then(|day| {
                let day = day.checked_add(days.days()).ok()?;
                day.to_zoned(zone.clone()).ok().map(|zoned| zoned.timestamp().as_second())
            });
            errors.take(name, start.ok_or("Must be a real date in the form YYYY-MM-DD"))
        };
        let (from, before) = (midnight("from", &self.from, 0), midnight("to", &self.to, 1));
        if let (Some(from), Some(before)) = (from, before)
            && from >= before
        {
            errors.add("to", "Must not be before the first day");
        }
        let user_id = text(&self.user).and_then(|user| user.parse().ok());
        errors.finish(Some(TrailFilter {
            own,
            user_id,
            actor: text(&self.user).filter(|_| user_id.is_none()),
            action: text(&self.action),
            object: text(&self.object),
            object_id,
            student,
            from,
            before,
        }))
    }
}

impl TrailFilter {
    fn conditions(&self) -> String {
        let parts = [
            (self.own.is_some(), "a.user_id = :own"),
            (self.user_id.is_some(), "a.user_id = :user_id"),
            (self.actor.is_some(), "a.actor = :actor"),
            (self.action.is_some(), "a.action = :action"),
            (self.object.is_some(), "a.object = :object"),
            (self.object_id.is_some(), "a.object_id = :object_id"),
            (self.student.is_some(), ABOUT_STUDENT),
            (self.from.is_some(), "a.at >= :from"),
            (self.before.is_some(), "a.at < :before"),
        ];
        let asked: Vec<_> = parts.into_iter().filter(|(is_asked, _)| *is_asked).map(|(_, sql)| sql).collect();
        if asked.is_empty() { "true".to_owned() } else { asked.join(" and ") }
    }

    fn parameters(&self) -> [(&'static str, &dyn ToSql); 9] {
        [
            (":own", &self.own),
            (":user_id", &self.user_id),
            (":actor", &self.actor),
            (":action", &self.action),
            (":object", &self.object),
            (":object_id", &self.object_id),
            (":student", &self.student),
            (":from", &self.from),
            (":before", &self.before),
        ]
    }
}

/// Rows about a student, found from what the student has: a few hundred at most. A cross join is one whose
/// left side SQLite reads first.
const ABOUT_STUDENT: &str = "a.id in (
    select id from audit where object = 'student' and object_id = :student
    union all select b.id from enrollments e cross join audit b on b.object = 'enrollment' and b.object_id = e.id
        where e.student_id = :student
    union all select b.id from student_documents d cross join audit b on b.object = 'document' and b.object_id = d.id
        where d.student_id = :student)";

/// What somebody did or looked at.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Deed {
    /// Number of the row.
    pub id: i64,
    /// When.
    pub at: Timestamp,
    /// Who: a username, or what else acts.
    pub user: String,
    /// Number of the account; null for the command line and the program itself.
    #[schema(required)]
    pub user_id: Option<i64>,
    /// What was done, a verb.
    pub action: String,
    /// To what kind of thing.
    pub object: String,
    /// The number of the thing; null where it is about a whole list.
    #[schema(required)]
    pub object_id: Option<i64>,
    /// What the thing is called, where it is still there.
    #[schema(required)]
    pub about: Option<String>,
    /// The student whom it concerns.
    #[schema(required)]
    pub student_id: Option<i64>,
    /// What was there before and after.
    pub changes: Vec<Before>,
    /// What else was noted, by name; secrets are masked.
    #[schema(value_type = Object)]
    pub detail: Map<String, Value>,
}

/// What something was and what it is.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Before {
    /// What changed; empty where the deed says it.
    pub field: String,
    /// What it was.
    #[schema(required)]
    pub before: Option<String>,
    /// What it is.
    #[schema(required)]
    pub after: Option<String>,
}

/// A page of the trail, or all of it as a sheet.
///
/// # Errors
/// 400 for a sheet that would be too large.
pub fn list(connection: &Connection, page: &PageRequest, filter: &TrailFilter) -> Result<Listed<Deed>> {
    let conditions = filter.conditions();
    let parameters = filter.parameters();
    let list = List {
        rows: format!(
            "select a.id, a.at, a.user_id, a.actor, a.action, a.object, a.object_id, a.detail from audit a
             where {conditions} order by a.at desc, a.id desc limit :limit offset :offset"
        ),
        count: format!("select count(*) from audit a where {conditions}"),
        filter: &parameters,
    };
    if page.is_sheet() {
        let known: Vec<_> =
            parameters.iter().copied().filter(|(name, _)| list.count.contains(name)).collect();
        let rows: i64 = connection.prepare_cached(&list.count)?.query_row(&*known, |row| row.get(0))?;
        if rows > MAX_SHEET_ROWS {
            let message =
                format!("These are {rows} rows; a sheet takes {MAX_SHEET_ROWS}. Choose a later first day.");
            return Err(Error::field("from", message));
        }
    }
    let mut listed = page.read(connection, &list, deed)?;
    for deed in &mut listed.rows {
        deed.name(connection)?;
    }
    Ok(listed)
}

fn deed(row: &Row<'_>) -> rusqlite::Result<Deed> {
    let detail: String = row.get("detail")?;
    let mut detail = match serde_json::from_str(&detail) {
        Ok(Value::Object(detail)) => detail,
        _ => Map::new(),
    };
    let changes = take_changes(&mut detail);
    mask(&mut detail);
    Ok(Deed {
        id: row.get("id")?,
        at: from_seconds(row.get("at")?),
        user: row.get("actor")?,
        user_id: row.get("user_id")?,
        action: row.get("action")?,
        object: row.get("object")?,
        object_id: row.get("object_id")?,
        about: None,
        student_id: None,
        changes,
        detail,
    })
}

fn is_secret(name: &str) -> bool {
    let name = name.to_lowercase();
    SECRETS.iter().any(|secret| name.contains(secret))
}

fn text(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    }
}

/// What changed, taken out of a detail: `from` and `to` of the deed itself, and of each of its fields.
fn take_changes(detail: &mut Map<String, Value>) -> Vec<Before> {
    let is_pair = |value: &Map<String, Value>| value.contains_key("from") && value.contains_key("to");
    let change = |field: &str, pair: &Map<String, Value>| {
        let shown = |value: &Value| {
            let text = text(value);
            if is_secret(field) { text.map(|_| MASK.to_owned()) } else { text }
        };
        Before { field: field.to_owned(), before: shown(&pair["from"]), after: shown(&pair["to"]) }
    };
    let mut changes = Vec::new();
    if is_pair(detail) {
        changes.push(change("", detail));
        detail.remove("from");
        detail.remove("to");
    }
    detail.retain(|field, value| match value {
        Value::Object(pair) if is_pair(pair) => {
            changes.push(change(field, pair));
            false
        }
        _ => true,
    });
    changes
}

fn mask(detail: &mut Map<String, Value>) {
    for (name, value) in detail.iter_mut() {
        match value {
            Value::Object(inner) => mask(inner),
            Value::Null => {}
            _ if is_secret(name) => *value = MASK.into(),
            _ => {}
        }
    }
}

impl Deed {
    /// Looks up what the thing is called.
    fn name(&mut self, connection: &Connection) -> Result<()> {
        let Some(id) = self.object_id else { return Ok(()) };
        let sql = match &*self.object {
            "student" => "select coalesce(full_name, email), id from students where id = :id",
            "enrollment" => {
                "select c.code || ', ' || coalesce(s.full_name, s.email), s.id from enrollments e
                 join courses c on c.id = e.course_id join students s on s.id = e.student_id where e.id = :id"
            }
            "document" => {
                "select d.document_type || ', ' || coalesce(s.full_name, s.email), s.id from student_documents d
                 join students s on s.id = d.student_id where d.id = :id"
            }
            "course" => "select code || ' ' || name, null from courses where id = :id",
            "user" => "select coalesce(full_name, username), null from users where id = :id",
            "invitation" => "select full_name, null from staff_invitations where id = :id",
            _ => return Ok(()),
        };
        let found = connection
            .prepare_cached(sql)?
            .query_row(named_params! { ":id": id }, |row| Ok((row.get(0)?, row.get(1)?)))
            .optional()?;
        if let Some((about, student_id)) = found {
            (self.about, self.student_id) = (about, student_id);
        }
        Ok(())
    }
}

impl SheetRow for Deed {
    const LIST: &'static str = "audit";
    const HEADINGS: &'static [&'static str] =
        &["Number", "At", "User", "Action", "Object", "Object number", "About", "Changes", "Detail"];

    fn cells(&self) -> Vec<String> {
        let shown = |value: &Option<String>| value.clone().unwrap_or_default();
        let changes = self.changes.iter().map(|change| {
            let field = if change.field.is_empty() { String::new() } else { format!("{}: ", change.field) };
            format!("{field}{} → {}", shown(&change.before), shown(&change.after))
        });
        vec![
            self.id.to_string(),
            self.at.to_string(),
            self.user.clone(),
            self.action.clone(),
            self.object.clone(),
            self.object_id.map(|id| id.to_string()).unwrap_or_default(),
            shown(&self.about),
            changes.collect::<Vec<_>>().join("; "),
            if self.detail.is_empty() {
                String::new()
            } else {
                Value::Object(self.detail.clone()).to_string()
            },
        ]
    }
}

/// The words that the rows use, for the filters.
#[derive(Debug, Serialize, ToSchema)]
pub struct TrailWords {
    /// Who did something.
    users: Vec<String>,
    /// What was done.
    actions: Vec<String>,
    /// To what kinds of things.
    objects: Vec<String>,
}

/// The number of the newest row; 0 of an empty trail.
pub fn newest(connection: &Connection) -> Result<i64> {
    Ok(connection
        .prepare_cached("select coalesce(max(id), 0) from audit")?
        .query_row([], |row| row.get(0))?)
}

/// The words that the rows use: each is the next behind the one before, in an index. Whoever reads only
/// their `own` deeds is told of no colleague.
pub fn words(connection: &Connection, own: Option<String>) -> Result<TrailWords> {
    let distinct = |column: &str| -> Result<Vec<String>> {
        let sql = format!(
            "with recursive word(text) as (select min({column}) from audit
                 union all select (select min({column}) from audit where {column} > text) from word
                 where text is not null)
             select text from word where text is not null"
        );
        let mut select = connection.prepare_cached(&sql)?;
        Ok(select.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?)
    };
    let users = own.map_or_else(|| distinct("actor"), |own| Ok(vec![own]))?;
    Ok(TrailWords { users, actions: distinct("action")?, objects: distinct("object")? })
}
