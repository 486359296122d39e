//! Queries of the audit trail: newest first, filtered, each entry with its object's name and changes.

use jiff::Timestamp;
use rusqlite::Connection;
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::filter::TrailFilter;
use super::words;
use crate::base::error::{Error, Result};
use crate::storage::columns::Columns;
use crate::storage::statements::{FromRow, Statements, params};
use crate::web::pagination::{List, Listed, PageRequest};
use crate::web::sheet::sheet_row;

/// Maximum rows of an export, to bound memory.
const MAX_SHEET_ROWS: i64 = 50_000;

/// Keys of a detail that are always masked.
const SECRETS: [&str; 6] = ["password", "token", "secret", "hash", "oen", "link"];

/// Replacement for a secret.
const MASK: &str = "•••";

/// An action of a staff user, or a record that one opened.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AuditEntry {
    /// Number of the row.
    pub id: i64,
    /// When.
    pub at: Timestamp,
    /// Username, or another actor.
    pub user: String,
    /// Number of the account; null for the command line and the program itself.
    #[schema(required)]
    pub user_id: Option<i64>,
    /// What was done, a verb.
    pub action: String,
    /// The same in the past tense, such as `wrote email`.
    pub done: String,
    /// To what kind of thing.
    pub object: String,
    /// The number of the thing; null if it is about a whole list.
    #[schema(required)]
    pub object_id: Option<i64>,
    /// Name of the object, if it still exists.
    #[schema(required)]
    pub about: Option<String>,
    /// Id of the student concerned.
    #[schema(required)]
    pub student_id: Option<i64>,
    /// Changes.
    pub changes: Vec<Before>,
    /// Other details by name; secrets are masked.
    #[schema(value_type = Object)]
    pub detail: Map<String, Value>,
}

/// Old and new value.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Before {
    /// Field that changed; empty if the action implies it.
    pub field: String,
    /// What it was.
    #[schema(required)]
    pub before: Option<String>,
    /// What it is.
    #[schema(required)]
    pub after: Option<String>,
}

impl Before {
    fn words(&self) -> String {
        let shown = |value: &Option<String>| value.clone().unwrap_or_default();
        let field = if self.field.is_empty() { String::new() } else { format!("{}: ", self.field) };
        format!("{field}{} → {}", shown(&self.before), shown(&self.after))
    }
}

/// A page of the trail, or all of it as a sheet.
///
/// # Errors
/// 400 for a sheet that would be too large.
pub fn list(connection: &Connection, page: &PageRequest, filter: &TrailFilter) -> Result<Listed<AuditEntry>> {
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
        let rows: i64 = connection.one(&list.count, &*known)?;
        if rows > MAX_SHEET_ROWS {
            let message =
                format!("These are {rows} rows; a sheet takes {MAX_SHEET_ROWS}. Choose a later first day.");
            return Err(Error::field("from", message));
        }
    }
    let mut listed = page.read::<AuditEntry>(connection, &list)?;
    for entry in &mut listed.rows {
        entry.name(connection)?;
    }
    Ok(listed)
}

impl FromRow for AuditEntry {
    fn read(row: &Columns<'_, '_>) -> rusqlite::Result<Self> {
        let detail: String = row.read("detail")?;
        let mut detail = match serde_json::from_str(&detail) {
            Ok(Value::Object(detail)) => detail,
            _ => Map::new(),
        };
        let changes = take_changes(&mut detail);
        mask(&mut detail);
        let action: String = row.read("action")?;
        Ok(AuditEntry {
            id: row.read("id")?,
            at: row.read("at")?,
            user: row.read("actor")?,
            user_id: row.read("user_id")?,
            done: words::done(&action).map_or_else(|| action.replace('_', " "), str::to_owned),
            action,
            object: row.read("object")?,
            object_id: row.read("object_id")?,
            about: None,
            student_id: None,
            changes,
            detail,
        })
    }
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

/// Extracts changes from a detail: `from` and `to` of the entry itself and of each field.
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

impl AuditEntry {
    /// Looks up the object's name.
    fn name(&mut self, connection: &Connection) -> Result<()> {
        let Some(id) = self.object_id else { return Ok(()) };
        let sql = match &*self.object {
            "student" => "select coalesce(full_name, email), id from students where id = :id",
            "enrollment" => {
                "select c.code || ', ' || coalesce(s.full_name, s.email), s.id from enrollments e
                 join courses c on c.id = e.course_id join students s on s.id = e.student_id where e.id = :id"
            }
            "document" => {
                "select coalesce(s.full_name, s.email) || ', '
                     || replace(replace(d.document_type, '_', ' '), 'government id', 'government ID'), s.id
                 from student_documents d join students s on s.id = d.student_id where d.id = :id"
            }
            "course" => "select code || ' ' || name, null from courses where id = :id",
            "user" => "select coalesce(full_name, username), null from users where id = :id",
            "invitation" => "select full_name, null from staff_invitations where id = :id",
            _ => return Ok(()),
        };
        let found = connection.find(sql, params![id])?;
        if let Some((about, student_id)) = found {
            (self.about, self.student_id) = (about, student_id);
        }
        Ok(())
    }
}

sheet_row! { AuditEntry, "audit", |row|
    "Number": row.id,
    "At": row.at,
    "User": row.user,
    "Action": row.action,
    "Object": row.object,
    "Object number": row.object_id,
    "About": row.about,
    "Changes": row.changes.iter().map(Before::words).collect::<Vec<_>>().join("; "),
    "Detail": (!row.detail.is_empty()).then(|| Value::Object(row.detail.clone()).to_string()),
}

/// Values for the filters.
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
    connection.one("select coalesce(max(id), 0) from audit", [])
}

/// Distinct values of the rows, by skip scan over an index. With `own`, no colleagues are listed.
pub fn words(connection: &Connection, own: Option<String>) -> Result<TrailWords> {
    let distinct = |column: &str| -> Result<Vec<String>> {
        let sql = format!(
            "with recursive word(text) as (select min({column}) from audit
                 union all select (select min({column}) from audit where {column} > text) from word
                 where text is not null)
             select text from word where text is not null"
        );
        connection.list(&sql, [])
    };
    let users = own.map_or_else(|| distinct("actor"), |own| Ok(vec![own]))?;
    Ok(TrailWords { users, actions: distinct("action")?, objects: distinct("object")? })
}
