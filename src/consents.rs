//! What people agreed to: which version of which text, and when. The table `consents`.
//!
//! No form has a box to tick: its text says what sending it means ("By registering you accept …"), so what
//! is kept is the version that was served then. Versions stand in `ui/texts.json`, each with the SHA-256 of
//! the text as it is drawn; a test of the interface fails when a text changes without a new version. Rows
//! are only ever added, in the transaction of what they belong to.

use std::sync::LazyLock;

use anyhow::anyhow;
use jiff::Timestamp;
use rusqlite::{Connection, Row, named_params};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::base::clock::from_seconds;
use crate::base::closed_set::closed_set;
use crate::base::error::Result;

closed_set! {
    /// What somebody agrees to.
    pub enum ConsentKind {
        /// The Privacy Policy.
        Privacy = "privacy",
        /// The Terms of Service.
        Terms = "terms",
        /// The Terms of Service, as they hold for one course.
        Enrollment = "enrollment",
    }
}

/// Who agrees.
#[derive(Debug, Clone, Copy)]
pub enum Subject {
    /// A student, by number.
    Student(i64),
    /// A visitor, by the number of the message.
    Message(i64),
}

/// A text's version and whether somebody agreed to it or took that back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Consent {
    /// Number of the row.
    pub id: i64,
    /// To what.
    pub kind: ConsentKind,
    /// The version of its text.
    pub text_version: String,
    /// Whether it was given; false where it was taken back.
    pub is_given: bool,
    /// When.
    pub at: Timestamp,
    /// The request for a course that it came with.
    #[schema(required)]
    pub enrollment_id: Option<i64>,
}

/// How many agreed to a version of a text, each counted by what they said last.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConsentCount {
    /// To what.
    pub kind: ConsentKind,
    /// The version of its text.
    pub text_version: String,
    /// Whether it is the version in force.
    pub is_current: bool,
    /// Students whose last word this is.
    pub students: i64,
    /// Messages of visitors that came with it.
    pub messages: i64,
    /// Students who took it back.
    pub withdrawn: i64,
}

const TEXTS: &str = include_str!("../ui/texts.json");

#[derive(Deserialize)]
struct Texts {
    privacy: Vec<Version>,
    terms: Vec<Version>,
}

#[derive(Deserialize)]
struct Version {
    version: String,
}

impl ConsentKind {
    /// The version of the text that is in force: the last of the list.
    ///
    /// # Errors
    /// When the embedded list is malformed.
    pub fn current_version(self) -> Result<&'static str> {
        static PARSED: LazyLock<Option<Texts>> = LazyLock::new(|| serde_json::from_str(TEXTS).ok());
        let versions = PARSED.as_ref().map(|texts| match self {
            Self::Privacy => &texts.privacy,
            Self::Terms | Self::Enrollment => &texts.terms,
        });
        let last = versions.and_then(|versions| versions.last());
        Ok(last.map(|last| &*last.version).ok_or_else(|| anyhow!("ui/texts.json has no version"))?)
    }
}

/// Whoever registers or writes agrees to these.
pub const BOTH: [ConsentKind; 2] = [ConsentKind::Privacy, ConsentKind::Terms];

/// Notes that somebody agrees to the texts in force.
pub fn give(connection: &Connection, subject: Subject, kinds: &[ConsentKind], now: Timestamp) -> Result<()> {
    kinds.iter().try_for_each(|kind| add(connection, subject, *kind, true, None, now))
}

/// Notes that a student asks for a course under the terms in force.
pub fn give_for_enrollment(
    connection: &Connection,
    student_id: i64,
    enrollment_id: i64,
    now: Timestamp,
) -> Result<()> {
    add(connection, Subject::Student(student_id), ConsentKind::Enrollment, true, Some(enrollment_id), now)
}

/// Notes that a student takes back what was agreed to.
pub fn withdraw(connection: &Connection, student_id: i64, now: Timestamp) -> Result<()> {
    BOTH.iter().try_for_each(|kind| add(connection, Subject::Student(student_id), *kind, false, None, now))
}

fn add(
    connection: &Connection,
    subject: Subject,
    kind: ConsentKind,
    is_given: bool,
    enrollment_id: Option<i64>,
    now: Timestamp,
) -> Result<()> {
    let (student_id, message_id) = match subject {
        Subject::Student(id) => (Some(id), None),
        Subject::Message(id) => (None, Some(id)),
    };
    connection
        .prepare_cached(
            "insert into consents (student_id, message_id, enrollment_id, kind, text_version, is_given, at)
             values (:student_id, :message_id, :enrollment_id, :kind, :text_version, :is_given, :now)",
        )?
        .execute(named_params! {
            ":student_id": student_id, ":message_id": message_id, ":enrollment_id": enrollment_id,
            ":kind": kind, ":text_version": kind.current_version()?, ":is_given": is_given,
            ":now": now.as_second(),
        })?;
    Ok(())
}

/// What a student agreed to, the newest first; accounts that were merged into this one among them.
pub fn of_student(connection: &Connection, student_id: i64) -> Result<Vec<Consent>> {
    let rows = connection
        .prepare_cached(
            "select id, kind, text_version, is_given, at, enrollment_id from consents
             where student_id in (select :student_id
                 union all select id from students where merged_into = :student_id)
             order by at desc, id desc",
        )?
        .query_map(named_params! { ":student_id": student_id }, consent)?
        .collect::<rusqlite::Result<_>>()?;
    Ok(rows)
}

fn consent(row: &Row<'_>) -> rusqlite::Result<Consent> {
    Ok(Consent {
        id: row.get("id")?,
        kind: row.get("kind")?,
        text_version: row.get("text_version")?,
        is_given: row.get("is_given")?,
        at: from_seconds(row.get("at")?),
        enrollment_id: row.get("enrollment_id")?,
    })
}

/// How many agreed to which version, the newest version of each text first.
pub fn count(connection: &Connection) -> Result<Vec<ConsentCount>> {
    let mut rows = connection
        .prepare_cached(
            "select c.kind, c.text_version,
                 count(distinct iif(c.is_given, c.student_id, null)) as students,
                 count(c.message_id) as messages,
                 count(distinct iif(c.is_given, null, c.student_id)) as withdrawn
             from consents c
             where not exists (select 1 from consents later
                 where later.student_id = c.student_id and later.kind = c.kind and later.kind <> 'enrollment'
                     and (later.at > c.at or (later.at = c.at and later.id > c.id)))
             group by c.kind, c.text_version",
        )?
        .query_map([], |row| {
            let (kind, text_version): (ConsentKind, String) = (row.get("kind")?, row.get("text_version")?);
            Ok(ConsentCount {
                is_current: kind.current_version().is_ok_and(|current| current == text_version),
                students: row.get("students")?,
                messages: row.get("messages")?,
                withdrawn: row.get("withdrawn")?,
                kind,
                text_version,
            })
        })?
        .collect::<rusqlite::Result<Vec<_>>>()?;
    rows.sort_by(|a, b| a.kind.cmp(&b.kind).then_with(|| b.text_version.cmp(&a.text_version)));
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::closed_set::ClosedSet;
    use crate::storage::db;

    #[test]
    fn every_text_has_a_version_in_force_that_is_a_date() {
        for kind in ConsentKind::ALL {
            kind.current_version().unwrap().parse::<jiff::civil::Date>().unwrap();
        }
    }

    #[test]
    fn rows_are_never_changed_and_go_with_what_they_belong_to() {
        let folder = tempfile::tempdir().unwrap();
        let connection = db::open(&folder.path().join("school.db")).unwrap();
        connection
            .execute_batch(
                "insert into students (id, email, password_hash, created_at, updated_at)
                     values (1, 'a@mail.example', 'x', 0, 0);
                 insert into contact_messages (id, name, email, subject, message, created_at)
                     values (1, 'Mei', 'mei@mail.example', 'general', 'Hello', 0)",
            )
            .unwrap();
        give(&connection, Subject::Student(1), &BOTH, from_seconds(1)).unwrap();
        give(&connection, Subject::Message(1), &[ConsentKind::Privacy], from_seconds(2)).unwrap();
        for sql in ["update consents set at = 9", "delete from consents"] {
            let refused = connection.execute(sql, []).unwrap_err().to_string();
            assert!(refused.contains("append-only"), "{refused}");
        }
        withdraw(&connection, 1, from_seconds(3)).unwrap();
        let said: Vec<_> = of_student(&connection, 1).unwrap().iter().map(|c| (c.kind, c.is_given)).collect();
        assert_eq!(said.len(), 4);
        assert_eq!(said[0], (ConsentKind::Terms, false));
        let counts = count(&connection).unwrap();
        let shown: Vec<_> = counts.iter().map(|c| (c.kind, c.students, c.messages, c.withdrawn)).collect();
        assert_eq!(shown, [(ConsentKind::Privacy, 0, 1, 1), (ConsentKind::Terms, 0, 0, 1)]);
        assert!(counts.iter().all(|count| count.is_current));
        connection.execute_batch("delete from students; delete from contact_messages").unwrap();
        assert_eq!(count(&connection).unwrap(), []);
    }
}
