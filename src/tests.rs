//! What holds across the rooms.

use std::collections::BTreeMap;

use crate::admissions::AdmissionRequestStatus;
use crate::audit::ActorKind;
use crate::base::closed_set::ClosedSet;
use crate::courses::values::CourseType;
use crate::documents::rules::{ContentType, DocumentStatus, DocumentType, RemovalCause};
use crate::enrollments::status::EnrollmentStatus;
use crate::fees::EntryKind;
use crate::mail::{CountedAs, EmailStatus};
use crate::messages::rules::ContactSubject;
use crate::messages::status::MessageStatus;
use crate::staff::Role;
use crate::storage::db;
use crate::students::links::LinkPurpose;
use crate::students::profile::choices::{CanadianStatus, Gender, Province};
use crate::students::requests::RequestKind;
use crate::students::status::StudentStatus;
use crate::web::session::Portal;

/// Columns whose words no code reads or writes yet.
const UNUSED: [&str; 1] = ["admissions.status"];

#[test]
fn every_closed_set_has_the_words_of_its_column() {
    let sets = BTreeMap::from([
        column::<ActorKind>("enrollment_events.actor_kind"),
        column::<ActorKind>("student_history.actor_kind"),
        column::<ContactSubject>("contact_messages.subject"),
        column::<ContentType>("student_documents.content_type"),
        column::<CountedAs>("mail_hours.outcome"),
        column::<CourseType>("courses.course_type"),
        column::<CanadianStatus>("students.canadian_status"),
        column::<DocumentStatus>("student_documents.status"),
        column::<DocumentType>("student_documents.document_type"),
        column::<Portal>("sessions.kind"),
        column::<EmailStatus>("outbox.state"),
        column::<AdmissionRequestStatus>("admission_requests.status"),
        column::<EnrollmentStatus>("enrollment_events.from_status"),
        column::<EnrollmentStatus>("enrollment_events.to_status"),
        column::<EnrollmentStatus>("enrollments.status"),
        column::<EntryKind>("ledger.kind"),
        column::<Gender>("students.gender"),
        column::<MessageStatus>("contact_messages.status"),
        column::<Province>("students.province"),
        column::<LinkPurpose>("student_tokens.purpose"),
        column::<RemovalCause>("document_removals.cause"),
        column::<RequestKind>("account_requests.kind"),
        column::<Role>("users.role"),
        column::<StudentStatus>("students.status"),
    ]);
    let mut checks = checks();
    for unused in UNUSED {
        assert!(checks.remove(unused).is_some(), "{unused}");
    }
    for (column, words) in &checks {
        assert_eq!(sets.get(column), Some(words), "{column}");
    }
    assert_eq!(sets.len(), checks.len(), "a set has a column, and its column a check");
}

fn column<T: ClosedSet>(name: &str) -> (String, Vec<String>) {
    (name.to_owned(), sorted(T::ALL.iter().map(|member| member.as_str())))
}

fn sorted<'a>(words: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut words: Vec<_> = words.map(str::to_owned).collect();
    words.sort();
    words
}

/// Every `check (column in ('a', 'b'))` of the schema: table and column, and the words.
fn checks() -> BTreeMap<String, Vec<String>> {
    let folder = tempfile::tempdir().unwrap();
    let connection = db::open(&folder.path().join("school.db")).unwrap();
    let mut select = connection
        .prepare("select name, sql from sqlite_schema where type = 'table' and sql is not null")
        .unwrap();
    let tables = select.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    let mut found = BTreeMap::new();
    for (table, sql) in tables.map(Result::<(String, String), _>::unwrap) {
        for check in sql.split("check").skip(1) {
            let Some((column, rest)) =
                check.trim_start().strip_prefix('(').and_then(|rest| rest.split_once(" in"))
            else {
                continue;
            };
            let Some((words, _)) = rest.trim_start().strip_prefix('(').and_then(|rest| rest.split_once(')'))
            else {
                continue;
            };
            let is_column = column.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
            if is_column && words.contains('\'') {
                let words = words.split(',').map(|word| word.trim().trim_matches('\''));
                found.insert(format!("{table}.{column}"), sorted(words));
            }
        }
    }
    found
}
