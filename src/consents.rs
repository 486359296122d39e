//! Consents: which version of which text was accepted, and when. The tables `consents` and `accepted_texts`.
//!
//! A row is written where a form says which texts it showed beside its button (`acceptedTextVersions`), in the
//! transaction of what it belongs to, and is never changed; a form that says nothing leaves none. The words of each
//! version are kept beside. Rows of an earlier program that no screen had asked for are marked.

use jiff::Timestamp;
use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;

use crate::base::closed_set::closed_set;
use crate::base::error::Result;
use crate::storage::statements::{Statements, from_row, params};

closed_set! {
    /// Kind of text.
    pub enum ConsentKind {
        /// The Privacy Policy.
        Privacy = "privacy",
        /// The Terms of Service.
        Terms = "terms",
        /// Terms of Service for one course, as recorded by earlier versions.
        Enrollment = "enrollment",
        /// What is refunded, and when.
        Refunds = "refunds",
        /// How a fee is paid.
        HowToPay = "how_to_pay",
        /// The agreement of an offer of a place.
        Offer = "offer",
        /// News by email.
        Marketing = "marketing",
    }
}

/// A text that was accepted.
#[derive(Debug, Clone, Copy)]
pub struct AcceptedText<'a> {
    /// What it is about.
    pub kind: ConsentKind,
    /// The SHA-256 of its words.
    pub version: &'a str,
    /// Its title.
    pub title: &'a str,
    /// Its words.
    pub text: &'a str,
}

/// A consent to a version of a text, or its withdrawal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Consent {
    /// Number of the row.
    pub id: i64,
    /// To what.
    pub kind: ConsentKind,
    /// The version of its text: the SHA-256 of its words, or the date of an earlier program.
    pub text_version: String,
    /// Whether it was given; false if withdrawn.
    pub is_given: bool,
    /// Whether a screen showed the text and asked; false for rows that an earlier program wrote by itself.
    pub was_asked: bool,
    /// When.
    pub at: Timestamp,
    /// The request for a course that it came with.
    #[schema(required)]
    pub enrollment_id: Option<i64>,
}

/// Number of consents to a version of a text, counting only each student's latest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConsentCount {
    /// To what.
    pub kind: ConsentKind,
    /// The version of its text.
    pub text_version: String,
    /// Whether it is the version in force.
    pub is_current: bool,
    /// Whether a screen showed the text and asked.
    pub was_asked: bool,
    /// Students with this as their latest consent.
    pub students: i64,
    /// Messages of visitors that came with it; none was asked.
    pub messages: i64,
    /// Applications for a place that came with it.
    pub applications: i64,
    /// Students who withdrew it.
    pub withdrawn: i64,
}

/// Keeps the words of texts that are being accepted.
pub fn keep(connection: &Connection, texts: &[AcceptedText<'_>], now: Timestamp) -> Result<()> {
    for AcceptedText { kind, version, title, text } in texts {
        // Asked for first: a text of several pages is not copied for an insert that does nothing.
        let sql = "select exists (select 1 from accepted_texts where version = :version)";
        let is_kept: bool = connection.one(sql, params![version])?;
        if !is_kept {
            let sql = "insert into accepted_texts (version, kind, title, text, first_accepted_at)
                values (:version, :kind, :title, :text, :now)";
            connection.run(sql, params![version, kind, title, text, now = now.as_second()])?;
        }
    }
    Ok(())
}

/// Notes that a student accepts the versions, which [`keep`] has: with a request for a course, where it came with one.
pub fn give<'a>(
    connection: &Connection,
    student_id: i64,
    enrollment_id: Option<i64>,
    versions: impl Iterator<Item = &'a str>,
    now: Timestamp,
) -> Result<()> {
    let sql = "insert into consents (student_id, enrollment_id, kind, text_version, is_given, at)
        select :student_id, :enrollment_id, kind, version, 1, :now from accepted_texts where version = :version";
    for version in versions {
        connection.run(sql, params![student_id, enrollment_id, version, now = now.as_second()])?;
    }
    Ok(())
}

/// Notes what a family agrees to with its application.
pub fn give_with_application(
    connection: &Connection,
    request_id: i64,
    kind: ConsentKind,
    version: &str,
    now: Timestamp,
) -> Result<()> {
    let sql = "insert into consents (request_id, kind, text_version, is_given, at)
        values (:request_id, :kind, :version, 1, :now)";
    connection.run(sql, params![request_id, kind, version, now = now.as_second()])
}

/// Notes that a student takes back what was agreed to with the account: the last version of each text.
pub fn withdraw(connection: &Connection, student_id: i64, now: Timestamp) -> Result<()> {
    let sql = "insert into consents (student_id, kind, text_version, is_given, at)
        select :student_id, kind, text_version, 0, :now from consents c
        where student_id = :student_id and was_asked and is_given and kind in ('privacy', 'terms')
            and not exists (select 1 from consents later
                where later.student_id = c.student_id and later.kind = c.kind
                    and (later.at > c.at or (later.at = c.at and later.id > c.id)))
        order by kind";
    connection.run(sql, params![student_id, now = now.as_second()])
}

/// What a student agreed to, the newest first; accounts that were merged into this one among them.
pub fn of_student(connection: &Connection, student_id: i64) -> Result<Vec<Consent>> {
    let sql = "select id, kind, text_version, is_given, was_asked, at, enrollment_id from consents
        where student_id in (select :student_id
            union all select id from students where merged_into = :student_id)
        order by at desc, id desc";
    connection.list(sql, params![student_id])
}

/// What the families of a student's applications agreed to.
pub fn of_applications(connection: &Connection, student_id: i64) -> Result<Vec<Consent>> {
    let sql = "select c.id, c.kind, c.text_version, c.is_given, c.was_asked, c.at, c.enrollment_id
        from admission_requests r cross join consents c indexed by consents_request on c.request_id = r.id
        where r.student_id = :student_id";
    connection.list(sql, params![student_id])
}

from_row!(Consent { id, kind, text_version, is_given, was_asked, at, enrollment_id });

/// Number of agreements by version, those in force and the newest first.
pub fn count(connection: &Connection, in_force: &[String]) -> Result<Vec<ConsentCount>> {
    let sql = "select c.kind, c.text_version, c.was_asked, max(c.at) as last,
            count(distinct iif(c.is_given, c.student_id, null)) as students,
            count(c.message_id) as messages, count(c.request_id) as applications,
            count(distinct iif(c.is_given, null, c.student_id)) as withdrawn
        from consents c
        where c.enrollment_id is not null or not exists (select 1 from consents later
            where later.student_id = c.student_id and later.kind = c.kind and later.enrollment_id is null
                and (later.at > c.at or (later.at = c.at and later.id > c.id)))
        group by c.kind, c.text_version, c.was_asked";
    let mut rows: Vec<(i64, ConsentCount)> = connection.list_by(sql, [], |row| {
        let text_version: String = row.read("text_version")?;
        let count = ConsentCount {
            kind: row.read("kind")?,
            is_current: in_force.contains(&text_version),
            was_asked: row.read("was_asked")?,
            students: row.read("students")?,
            messages: row.read("messages")?,
            applications: row.read("applications")?,
            withdrawn: row.read("withdrawn")?,
            text_version,
        };
        Ok((row.read("last")?, count))
    })?;
    rows.sort_by(|(one_at, one), (other_at, other)| {
        let asked = other.was_asked.cmp(&one.was_asked);
        asked.then_with(|| one.kind.cmp(&other.kind)).then_with(|| other_at.cmp(one_at))
    });
    Ok(rows.into_iter().map(|(_, count)| count).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::clock::from_seconds;
    use crate::storage::db;

    #[test]
    fn rows_are_never_changed_and_go_with_what_they_belong_to() {
        let folder = tempfile::tempdir().unwrap();
        let connection = db::open(&folder.path().join("school.db")).unwrap();
        connection
            .execute_batch(
                "insert into students (id, email, password_hash, created_at, updated_at)
                     values (1, 'a@mail.example', 'x', 0, 0);
                 insert into contact_messages (id, name, email, subject, message, created_at)
                     values (1, 'Mei', 'mei@mail.example', 'general', 'Hello', 0);
                 insert into consents (message_id, kind, text_version, is_given, at, was_asked)
                     values (1, 'privacy', '2023-06-01', 1, 2, 0)",
            )
            .unwrap();
        let terms = "7".repeat(64);
        let privacy = "9".repeat(64);
        let text = |kind, version| AcceptedText { kind, version, title: "Title", text: "Words" };
        let texts = [text(ConsentKind::Terms, &*terms), text(ConsentKind::Privacy, &*privacy)];
        keep(&connection, &texts, from_seconds(1)).unwrap();
        keep(&connection, &texts, from_seconds(2)).unwrap();
        give(&connection, 1, None, [&*terms, &*privacy].into_iter(), from_seconds(1)).unwrap();
        for sql in ["update consents set at = 9", "delete from consents", "delete from accepted_texts"] {
            let refused = connection.execute(sql, []).unwrap_err().to_string();
            assert!(refused.contains("append-only"), "{refused}");
        }
        withdraw(&connection, 1, from_seconds(3)).unwrap();
        withdraw(&connection, 1, from_seconds(4)).unwrap();
        let said: Vec<_> = of_student(&connection, 1).unwrap().iter().map(|c| (c.kind, c.is_given)).collect();
        assert_eq!(said.len(), 4, "taken back once");
        assert_eq!(said[0], (ConsentKind::Terms, false));
        let counts = count(&connection, &[terms, privacy]).unwrap();
        let shown: Vec<_> =
            counts.iter().map(|c| (c.kind, c.was_asked, c.students, c.messages, c.withdrawn)).collect();
        assert_eq!(
            shown,
            [
                (ConsentKind::Privacy, true, 0, 0, 1),
                (ConsentKind::Terms, true, 0, 0, 1),
                (ConsentKind::Privacy, false, 0, 1, 0),
            ]
        );
        assert_eq!(counts.iter().filter(|count| count.is_current).count(), 2);
        connection.execute_batch("delete from students; delete from contact_messages").unwrap();
        assert_eq!(count(&connection, &[]).unwrap(), []);
    }
}
