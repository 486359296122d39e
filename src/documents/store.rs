//! The `student_documents` table and its files.

use std::sync::LazyLock;
use std::time::Duration;

use anyhow::Context;
use jiff::Timestamp;
use rusqlite::{Connection, ToSql};

use super::faults::LOST;
use super::file::{Encryption, StoredFile};
use super::query::DocumentsFilter;
use super::rules::{self, ContentType, DocumentFilter, DocumentType, Examination, FileTotals, StorageUsed};
use super::{Document, ListedDocument, Owner, removal};
use crate::audit::By;
use crate::base::closed_set::ClosedSet;
use crate::base::error::Result;
use crate::storage::columns::Columns;
use crate::storage::statements::{FromRow, Statements, from_row, params};
use crate::storage::waiting::Waits;
use crate::web::pagination::{List, Listed, PageRequest};

/// A stored file without its row yet.
#[derive(Debug, Clone)]
pub struct NewDocument {
    /// Type of document.
    pub document_type: DocumentType,
    /// What one of no other type is called.
    pub label: Option<String>,
    /// Its file; the content has 1 byte to 10 MB.
    pub stored: StoredFile,
    /// Type of the content.
    pub content_type: ContentType,
    /// Sanitized original name.
    pub original_name: String,
    /// Whether the uploaded file had a digital signature.
    pub was_signed: bool,
}

/// The data needed to send a document.
pub struct FileRecord {
    /// Id of the document.
    pub id: i64,
    /// Id of the student.
    pub student_id: i64,
    /// Its file.
    pub stored: StoredFile,
    /// Type of the content.
    pub content_type: ContentType,
    /// Sanitized original name.
    pub original_name: String,
    /// Result of its examination.
    pub examination: Examination,
}

/// A new document, and the files it displaced.
pub struct InsertedDocument {
    /// The new document.
    pub document: Document,
    /// Paths of displaced files, relative to the data folder.
    pub replaced: Vec<String>,
}

/// Uploader of a document.
#[derive(Debug, Clone, Copy)]
pub enum Uploader {
    /// Its student.
    Student,
    /// A staff member, by id; documents uploaded by the office count as viewed.
    Office(i64),
}

impl Uploader {
    fn user_id(self) -> Option<i64> {
        match self {
            Self::Student => None,
            Self::Office(id) => Some(id),
        }
    }

    fn by(self) -> By {
        self.user_id().map_or(By::Student, By::Staff)
    }
}

/// Adds a document and supersedes an older one of the same type that is pending review. Only the latest of the
/// superseded ones that the office never viewed stays.
pub fn insert(
    connection: &Connection,
    student_id: i64,
    new: &NewDocument,
    uploader: Uploader,
    now: Timestamp,
) -> Result<InsertedDocument> {
    // "Other" is no type of which there is one.
    let sql = "update student_documents indexed by student_documents_student set status = 'superseded'
        where student_id = :student_id and document_type = :document_type
          and document_type <> 'other' and status = 'pending_review'";
    connection.run(sql, params![student_id, document_type = new.document_type])?;
    let replaced = removal::drop_replaced(connection, student_id, new.document_type, uploader.by(), now)?;
    // Ids of removed documents are not reused, as URLs may still refer to them.
    let sql = "insert into student_documents (id, student_id, document_type, document_path, sha256, key_id,
            content_mac, content_type, size_bytes, original_name, status, uploaded_at, uploaded_by, viewed_at,
            examination, was_signed, label, supersedes_id)
        values (1 + max((select coalesce(max(id), 0) from student_documents),
                (select coalesce(max(document_id), 0) from document_removals)), :student_id, :document_type, :document_path, :sha256,
            :key_id, :content_mac, :content_type, :size_bytes, :original_name, 'pending_review', :now, :uploaded_by,
            iif(:uploaded_by is null, null, :now), 'passed', :was_signed, :label,
            (select id from student_documents indexed by student_documents_student
                where student_id = :student_id and document_type = :document_type and document_type <> 'other'
                order by uploaded_at desc, id desc limit 1))";
    let values = params! {
        student_id, document_type = new.document_type, document_path = new.stored.document_path,
        sha256 = new.stored.sha256, key_id = new.stored.encryption.map(|encryption| encryption.key_id),
        content_mac = new.stored.encryption.map(|encryption| encryption.mac), content_type = new.content_type,
        size_bytes = new.stored.size_bytes.cast_signed(), original_name = new.original_name,
        now = now.as_second(), uploaded_by = uploader.user_id(), was_signed = new.was_signed,
        label = new.label,
    };
    let document = find(connection, connection.insert(sql, values)?)?.context("the document just added")?;
    Ok(InsertedDocument { document, replaced })
}

/// Moves the documents of one student to another, when accounts are merged.
pub fn hand_over(connection: &Connection, from: i64, to: i64) -> Result<usize> {
    let sql = "update document_removals set student_id = :to where student_id = :from";
    connection.run(sql, params![from, to])?;
    let sql = "update document_events set student_id = :to where student_id = :from";
    connection.run(sql, params![from, to])?;
    let sql = "update student_documents set student_id = :to where student_id = :from";
    connection.change(sql, params![from, to])
}

/// What a student's documents take up.
pub fn used(connection: &Connection, student_id: i64, now: Timestamp) -> Result<StorageUsed> {
    let sql = "select count(*) as files, coalesce(sum(size_bytes), 0) as bytes from student_documents
        where student_id = :student_id and status <> 'superseded'";
    let listed = connection.one(sql, params![student_id])?;
    let sql = "select count(*) as files, coalesce(sum(size_bytes), 0) as bytes from document_removals
        where student_id = :student_id and removed_at > :since";
    let leaving = connection.one(sql, params![student_id, since = a_day_before(now)])?;
    Ok(StorageUsed { listed, leaving })
}

/// Total bytes of all documents on disk.
pub fn stored(connection: &Connection, now: Timestamp) -> Result<u64> {
    let sql = "select (select bytes from documents_total where id = 1)
        + (select coalesce(sum(size_bytes), 0) from document_removals where removed_at > :since)";
    let bytes: i64 = connection.one(sql, params![since = a_day_before(now)])?;
    Ok(bytes.cast_unsigned())
}

fn a_day_before(now: Timestamp) -> i64 {
    now.as_second().saturating_sub(GRACE.as_secs().cast_signed())
}

/// Finds a document.
pub fn find(connection: &Connection, id: i64) -> Result<Option<Document>> {
    connection.find(&format!("select {COLUMNS} from student_documents d where d.id = :id"), params![id])
}

/// Records that the office viewed a document; false if it does not exist.
pub fn note_view(connection: &Connection, id: i64, now: Timestamp) -> Result<bool> {
    let sql = "update student_documents set viewed_at = coalesce(viewed_at, :now) where id = :id";
    let found = connection.change(sql, params![id, now = now.as_second()])?;
    Ok(found > 0)
}

const COLUMNS: &str = "d.id, d.document_type, d.student_id, d.original_name, d.content_type, d.size_bytes, \
    d.status, d.uploaded_at, d.uploaded_by is not null as is_from_office, d.examination, d.fault, d.was_signed, \
    d.label, d.reject_code, d.reason, d.expires_on, d.reviewed_at, \
    d.viewed_at is null and d.status in ('pending_review', 'superseded') as is_removable";

/// A student's documents, newest first.
pub fn list_for_student(connection: &Connection, student_id: i64) -> Result<Vec<Document>> {
    let sql = format!(
        "select {COLUMNS} from student_documents d
             where d.student_id = :student_id order by d.uploaded_at desc, d.id desc"
    );
    connection.list(&sql, params![student_id])
}

impl FromRow for Document {
    fn read(row: &Columns<'_, '_>) -> rusqlite::Result<Self> {
        let uploaded_at = row.read("uploaded_at")?;
        let content_type = row.read("content_type")?;
        Ok(Document {
            id: row.read("id")?,
            document_type: row.read("document_type")?,
            student_id: row.read("student_id")?,
            original_name: rules::file_name(row.get_ref("original_name")?.as_str()?, content_type),
            content_type,
            size_bytes: row.read("size_bytes")?,
            status: row.read("status")?,
            uploaded_at,
            created_at: uploaded_at,
            is_removable: row.read("is_removable")?,
            is_from_office: row.read("is_from_office")?,
            examination: row.read("examination")?,
            fault: row.read("fault")?,
            was_signed: row.read("was_signed")?,
            label: row.read("label")?,
            reject_code: row.read("reject_code")?,
            reason: row.read("reason")?,
            expires_on: row.read("expires_on")?,
            reviewed_at: row.read("reviewed_at")?,
        })
    }
}

/// A document as the office's list has it.
pub fn find_listed(connection: &Connection, id: i64) -> Result<Option<ListedDocument>> {
    let sql = format!("select {LISTED} where d.id = :id", LISTED = *LISTED);
    connection.find(&sql, params![id])
}

/// SQL: the document `d` waits for the office's review. Those of a closed account leave the queue, and come back with it.
pub const WAITS: &str = "d.status = 'pending_review'
    and not exists (select 1 from students w where w.id = d.student_id and w.status = 'closed')";

/// Documents that wait for the office's review.
///
/// # Errors
/// Database errors.
pub fn waiting(connection: &Connection) -> Result<Waits> {
    let sql = format!(
        "select count(*) as count, min(d.uploaded_at) as oldest from student_documents d where {WAITS}"
    );
    Waits::read(connection, &sql, [])
}

/// Number of documents of one student that wait for the office's review.
pub fn waiting_of(connection: &Connection, student_id: i64) -> Result<i64> {
    let sql = format!(
        "select count(*) from student_documents d indexed by student_documents_student
         where d.student_id = :student_id and {WAITS}"
    );
    connection.one(&sql, params![student_id])
}

/// For how many months an accepted document of a type counts, as the school asks for it; none if it does not end.
pub fn valid_months(connection: &Connection, of_type: DocumentType) -> Result<Option<i64>> {
    let sql = "select min(valid_months) from document_requirements
        where document_type = :of_type and is_active = 1";
    connection.one(sql, params![of_type])
}

/// The others of its student and type, newest first.
pub fn list_earlier(connection: &Connection, document: &Document) -> Result<Vec<Document>> {
    let sql = format!(
        "select {COLUMNS} from student_documents d indexed by student_documents_student
             where d.student_id = :student_id and d.document_type = :of_type and d.id <> :id
             order by d.uploaded_at desc, d.id desc"
    );
    let values = params! {
        student_id = document.student_id, of_type = document.document_type, id = document.id,
    };
    connection.list(&sql, values)
}

/// The documents of a page with their owners, newest first unless the filter says otherwise.
pub fn list(
    connection: &Connection,
    page: &PageRequest,
    filter: &DocumentsFilter,
) -> Result<Listed<ListedDocument>> {
    let own: [(&str, &dyn ToSql); 3] =
        [(":status", &filter.state), (":of_type", &filter.of_type), (":student", &filter.student)];
    page.read(connection, &rows(filter, &own))
}

from_row!(FileTotals { files, bytes });
from_row!(Owner { full_name, email });
from_row!(ListedDocument { reviewed_by } and document, student);

const LISTED_JOINS: &str = "from student_documents d join students s on s.id = d.student_id \
    left join users u on u.id = d.reviewed_by";

static LISTED: LazyLock<String> =
    LazyLock::new(|| format!("{COLUMNS}, s.full_name, s.email, u.username as reviewed_by {LISTED_JOINS}"));

/// What a row shows is what it is found by: the type's label, a number where there is no name, and that its file is lost.
fn rows<'a>(filter: &DocumentsFilter, parameters: &'a [(&'a str, &'a dyn ToSql)]) -> List<'a> {
    // One student has few: they are read from the index of students.
    let own = if filter.student.is_some() { "+" } else { "" };
    let label = |known: &DocumentType| format!("when '{}' then '{}'", known.as_str(), known.label());
    let labels: Vec<_> = DocumentType::ALL.iter().map(label).collect();
    let conditions = [
        filter.state.map(|state| match state {
            DocumentFilter::Lost => format!("d.{LOST}"),
            // The page of one student shows all that is undecided.
            DocumentFilter::PendingReview if filter.student.is_none() => {
                format!("d.status = :status and {WAITS}")
            }
            _ => format!("{own}d.status = :status"),
        }),
        filter.of_type.map(|_| format!("{own}d.document_type = :of_type")),
        filter.student.map(|_| "d.student_id = :student".to_owned()),
    ];
    let conditions: Vec<_> = conditions.into_iter().flatten().collect();
    let condition = if conditions.is_empty() { "true".to_owned() } else { conditions.join(" and ") };
    let direction = if filter.is_oldest_first { "asc" } else { "desc" };
    List {
        rows: format!(
            "select {LISTED}
             where {condition} and matches_terms(concat_ws(' ', coalesce(d.label, case d.document_type {} end),
                 coalesce(s.full_name, 'Student #' || s.id), s.email, iif(d.fault is null, '', 'file lost')), :words)
             order by d.uploaded_at {direction}, d.id {direction} limit :limit offset :offset",
            labels.join(" "),
            LISTED = *LISTED
        ),
        count: if conditions.is_empty() {
            "select count(*) from student_documents".to_owned()
        } else {
            format!("select count(*) from student_documents d where {condition}")
        },
        filter: parameters,
    }
}

/// The data needed to send a document.
pub fn find_file(connection: &Connection, id: i64) -> Result<Option<FileRecord>> {
    let sql = "select id, student_id, document_path, sha256, key_id, content_mac, content_type, size_bytes,
            original_name, examination
        from student_documents where id = :id";
    connection.find(sql, params![id])
}

impl FromRow for FileRecord {
    fn read(row: &Columns<'_, '_>) -> rusqlite::Result<Self> {
        let content_type = row.read("content_type")?;
        Ok(FileRecord {
            id: row.read("id")?,
            student_id: row.read("student_id")?,
            stored: StoredFile {
                document_path: row.read("document_path")?,
                sha256: row.read("sha256")?,
                encryption: Encryption::of(row)?,
                size_bytes: row.read("size_bytes")?,
            },
            content_type,
            original_name: rules::file_name(row.get_ref("original_name")?.as_str()?, content_type),
            examination: row.read("examination")?,
        })
    }
}

/// An unreferenced file younger than this may belong to an upload whose row is not written yet.
pub(super) const GRACE: Duration = Duration::from_hours(24);

#[cfg(test)]
mod tests {
    use super::super::rules::RemovalCause;
    use super::*;
    use crate::base::clock::from_seconds;
    use crate::storage::db;
    use crate::web::pagination::testing::{assert_comes_from_index, assert_page_comes_from_index};

    /// 5,000 students with two documents each, often several uploads in the same second.
    fn large_school(folder: &std::path::Path) -> Connection {
        let connection = db::open(&folder.join("school.db")).unwrap();
        connection
            .execute_batch(
                "begin;
                 with recursive n(i) as (select 1 union all select i + 1 from n where i < 5000)
                 insert into students (id, email, password_hash, status, full_name, created_at, updated_at)
                 select i, 'student' || i || '@mail.example', 'x', 'active', 'Renée Müller ' || i, 0, 0 from n;
                 with recursive n(i) as (select 1 union all select i + 1 from n where i < 10000)
                 insert into student_documents (id, student_id, document_type, document_path, sha256,
                     content_type, size_bytes, original_name, uploaded_at)
                 select i, 1 + i % 5000, iif(i % 2 = 0, 'transcript', 'other'), 'documents/00/x',
                     printf('%064d', i), 'application/pdf', 1, 'x.pdf', i / 7
                 from n;
                 commit",
            )
            .unwrap();
        connection
    }

    #[test]
    fn the_first_page_of_ten_thousand_documents_comes_from_an_index() {
        let folder = tempfile::tempdir().unwrap();
        let connection = large_school(folder.path());
        let filters = [
            (DocumentsFilter::default(), "student_documents_uploaded"),
            (
                DocumentsFilter { of_type: Some(DocumentType::Other), ..Default::default() },
                "student_documents_type",
            ),
            (
                DocumentsFilter {
                    state: Some(DocumentFilter::Rejected),
                    of_type: Some(DocumentType::Other),
                    is_oldest_first: true,
                    ..Default::default()
                },
                "student_documents_status_type",
            ),
        ];
        for (filter, index) in &filters {
            assert_comes_from_index(&connection, &rows(filter, &[]), index);
        }
        // Those of closed accounts are not counted, which is looked up for each that waits.
        let waiting = DocumentsFilter { state: Some(DocumentFilter::PendingReview), ..Default::default() };
        assert_page_comes_from_index(&connection, &rows(&waiting, &[]), "student_documents_status");
        // One student's are read from the index of students, whatever else is asked.
        let own =
            DocumentsFilter { student: Some(7), state: Some(DocumentFilter::Accepted), ..Default::default() };
        assert!(rows(&own, &[]).rows.contains("d.student_id = :student"));
        let ask = |uri: &str| {
            let page = PageRequest::from_uri(&uri.parse().unwrap()).unwrap();
            let listed = list(&connection, &page, &DocumentsFilter::default()).unwrap();
            (listed.rows.iter().map(|row| row.document.id).collect::<Vec<_>>(), listed.total)
        };
        assert_eq!(ask("/?page=1"), ((9976..=10_000).rev().collect(), 10_000));
        assert_eq!(ask("/?page=400"), ((1..=25).rev().collect(), 10_000));
        assert_eq!(ask("/").0.len(), 10_000);
        assert_eq!(ask("/?q=muller+transcript&page=1"), ((9952..=10_000).rev().step_by(2).collect(), 5000));
        assert_eq!(ask("/?q=student4999@&page=1"), (vec![9998, 4998], 2));
    }

    #[test]
    fn an_upgrade_knows_viewed_documents_and_used_storage() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("school.db");
        let before = db::testing::open_at(&path, 14);
        before
            .execute_batch(
                "insert into students (id, email, password_hash, status, created_at, updated_at)
                 values (1, 'a@mail.example', 'x', 'active', 0, 0);
                 insert into student_documents (id, student_id, document_type, document_path, sha256,
                     content_type, size_bytes, original_name, uploaded_at)
                 select value, 1, 'other', 'documents/00/x', printf('%064d', value), 'application/pdf', 100 * value,
                     'x.pdf', value from json_each('[1, 2]');
                 insert into audit (at, actor, action, object, object_id, detail) values
                     (70, 'office', 'view', 'document', 2, '{}'), (60, 'office', 'view', 'document', 2, '{}'),
                     (50, 'office', 'view', 'message', 1, '{}')",
            )
            .unwrap();
        drop(before);
        let connection = db::open(&path).unwrap();
        let now = from_seconds(100);
        assert_eq!(stored(&connection, now).unwrap(), 300);
        let seen: Option<i64> =
            connection.one("select viewed_at from student_documents where id = 2", []).unwrap();
        assert_eq!(seen, Some(60));
        assert!(find(&connection, 1).unwrap().unwrap().is_removable);
        assert!(!find(&connection, 2).unwrap().unwrap().is_removable);
        removal::remove(&connection, 1, RemovalCause::Removed, now).unwrap();
        assert_eq!(stored(&connection, now).unwrap(), 300, "its file is on the disk for a day");
        assert_eq!(stored(&connection, from_seconds(100 + 86_401)).unwrap(), 200);
    }
}
