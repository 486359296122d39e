//! Removal of documents: the history entry, and restoring the replaced one.

use jiff::Timestamp;
use rusqlite::Connection;

use super::Document;
use super::rules::{DocumentType, RemovalCause};
use crate::audit::By;
use crate::base::error::Result;
use crate::storage::statements::{Statements, params};
use crate::students::history::{self, HistoryChange};

/// Removes all but the latest of the replaced documents of a type that the office never viewed; returns the paths of
/// their files.
pub(super) fn drop_replaced(
    connection: &Connection,
    student_id: i64,
    document_type: DocumentType,
    by: By,
    now: Timestamp,
) -> Result<Vec<String>> {
    let sql = "select id, uploaded_at from student_documents indexed by student_documents_student
        where student_id = :student_id and document_type = :document_type
          and status = 'superseded' and viewed_at is null
        order by uploaded_at desc, id desc limit -1 offset 1";
    let unseen = connection.list(sql, params![student_id, document_type])?;
    let mut paths = Vec::with_capacity(unseen.len());
    for (id, uploaded_at) in unseen {
        let removed = RemovedDocument { student_id, document_type, uploaded_at };
        note(connection, &removed, RemovalCause::Replaced, by, now)?;
        paths.push(remove(connection, id, RemovalCause::Replaced, now)?);
    }
    Ok(paths)
}

/// A removed document in the history.
pub(super) struct RemovedDocument {
    /// Id of the student.
    pub(super) student_id: i64,
    /// Type of document.
    pub(super) document_type: DocumentType,
    /// Upload time.
    pub(super) uploaded_at: Timestamp,
}

impl RemovedDocument {
    /// The removal of a document.
    pub(super) fn of(document: &Document) -> Self {
        Self {
            student_id: document.student_id,
            document_type: document.document_type,
            uploaded_at: document.uploaded_at,
        }
    }
}

/// Notes in the student's history that a document leaves the list; returns the courses that were approved while it was
/// there.
pub(super) fn note(
    connection: &Connection,
    document: &RemovedDocument,
    cause: RemovalCause,
    by: By,
    now: Timestamp,
) -> Result<Vec<String>> {
    let approved = approved_since(connection, document)?;
    let after = approved.join(", ");
    let reason = match cause {
        RemovalCause::Removed if approved.is_empty() => None,
        RemovalCause::Removed => Some(format!("Removed by the student after the approval of {after}")),
        RemovalCause::Replaced if approved.is_empty() => Some("Replaced by two newer uploads".to_owned()),
        RemovalCause::Replaced => {
            Some(format!("Replaced by two newer uploads after the approval of {after}"))
        }
    };
    let label = document.document_type.label();
    let change = HistoryChange {
        field: "documentRemoved",
        before: None,
        after: Some(label),
        reason: reason.as_deref(),
    };
    history::add(connection, document.student_id, by, change, now)?;
    Ok(approved)
}

/// Removes a document and records it; returns its file's path, which must be [kept for a
/// day](super::file::keep_for_a_day).
pub fn remove(connection: &Connection, id: i64, cause: RemovalCause, now: Timestamp) -> Result<String> {
    let sql =
        "insert into document_removals (document_id, student_id, document_type, sha256, key_id, size_bytes,
            uploaded_at, cause, removed_at)
        select id, student_id, document_type, sha256, key_id, size_bytes, uploaded_at, :cause, :now
        from student_documents where id = :id";
    connection.run(sql, params![id, cause, now = now.as_second()])?;
    connection.one("delete from student_documents where id = :id returning document_path", params![id])
}

/// After removal of the newest document of a type, returns the one it replaced to review.
pub(super) fn restore_replaced(
    connection: &Connection,
    student_id: i64,
    document_type: DocumentType,
) -> Result<()> {
    let sql = "update student_documents set status = 'pending_review'
        where status = 'superseded' and id = (
            select id from student_documents indexed by student_documents_student
            where student_id = :student_id and document_type = :document_type
            order by uploaded_at desc, id desc limit 1)";
    connection.run(sql, params![student_id, document_type])
}

/// The codes of the student's courses that were approved since a document was there.
pub(super) fn approved_since(connection: &Connection, document: &RemovedDocument) -> Result<Vec<String>> {
    let sql = "select distinct c.code from enrollments e join courses c on c.id = e.course_id
        where e.student_id = :student_id and e.status in ('active', 'completed')
            and e.approved_at >= :uploaded_at
        order by c.code";
    let values = params! {
        student_id = document.student_id, uploaded_at = document.uploaded_at.as_second(),
    };
    connection.list(sql, values)
}
