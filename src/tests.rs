//! Tests across rooms.

mod docs;
pub mod fuzz;

use std::collections::BTreeMap;

use rusqlite::Connection;

use crate::accounts::AccountStore;
use crate::accounts::mailed::MailedLinkPurpose;
use crate::admissions::AdmissionRequestStatus;
use crate::admissions::admitted::AdmissionStatus;
use crate::admissions::agreements::AgreementKind;
use crate::admissions::status::{AdmissionActor, AdmissionSource, AdmissionVerb, FamilyLanguage};
use crate::audit::ActorKind;
use crate::base::closed_set::ClosedSet;
use crate::base::error::Result;
use crate::config::RequiredDocument;
use crate::consents::ConsentKind;
use crate::courses::values::CourseType;
use crate::documents::faults::Fault;
use crate::documents::review::DocumentVerb;
use crate::documents::rules::{ContentType, DocumentStatus, DocumentType, Examination, RemovalCause};
use crate::enrollments::status::EnrollmentStatus;
use crate::mail::{BudgetOutcome, EmailStatus};
use crate::messages::rules::ContactSubject;
use crate::messages::status::{MessageStatus, MessageVerb};
use crate::messages::templates::TemplateLanguage;
use crate::messages::thread::ReplyKind;
use crate::money::bank::KeptState;
use crate::money::ledger::{ChargedFor, EntryKind, PaymentMethod};
use crate::money::refunds::tasks::{TaskEnd, TaskKind};
use crate::money::reports::reminders::rules::{ReminderMode, Step};
use crate::privacy::breaches::Risk;
use crate::privacy::requests::{AskedBy, PrivacyRequestKind, PrivacyRequestStatus};
use crate::privacy::retention::{RetentionAction, RetentionClass, RetentionSince};
use crate::school::texts::TextKind;
use crate::settings::pictures::PictureType;
use crate::staff::{Role, links::StaffLinkPurpose};
use crate::storage::db;
use crate::storage::statements::Statements;
use crate::students::confirmations::GuardianHow;
use crate::students::guardians::Relationship;
use crate::students::lacks::NeededFor;
use crate::students::links::LinkPurpose;
use crate::students::profile::choices::{CanadianStatus, Gender, Province};
use crate::students::rejection::RejectCode;
use crate::students::requests::RequestKind;
use crate::students::status::Origin;
use crate::students::status::StudentStatus;
use crate::terms::changes::SectionVerb;
use crate::terms::{Delivery, SectionKind, SectionStatus};
use crate::web::portal::Portal;

#[test]
fn every_closed_set_has_the_words_of_its_column() {
    let sets = BTreeMap::from([
        column::<ActorKind>("enrollment_events.actor_kind"),
        column::<ActorKind>("student_history.actor_kind"),
        column::<ContactSubject>("contact_messages.subject"),
        column::<ContentType>("admission_documents.content_type"),
        column::<ContentType>("student_documents.content_type"),
        column::<BudgetOutcome>("mail_hours.outcome"),
        column::<Portal>("old_browsers.portal"),
        column::<CourseType>("courses.course_type"),
        column::<CanadianStatus>("students.canadian_status"),
        column::<DocumentStatus>("student_documents.status"),
        column::<DocumentType>("admission_documents.document_type"),
        column::<DocumentType>("student_documents.document_type"),
        column::<RejectCode>("student_documents.reject_code"),
        column::<ActorKind>("document_events.actor_kind"),
        column::<DocumentVerb>("document_events.verb"),
        column::<DocumentStatus>("document_events.from_status"),
        column::<DocumentStatus>("document_events.to_status"),
        column::<RejectCode>("document_events.reject_code"),
        column::<RequiredDocument>("document_requirements.document_type"),
        column::<NeededFor>("document_requirements.needed_for"),
        column::<AskedBy>("privacy_requests.asked_by"),
        column::<ConsentKind>("consents.kind"),
        column::<TextKind>("accepted_texts.kind"),
        column::<PrivacyRequestKind>("privacy_requests.kind"),
        column::<PrivacyRequestStatus>("privacy_requests.status"),
        column::<RetentionAction>("retention.action"),
        column::<RetentionClass>("retention.class"),
        column::<RetentionClass>("retention_proposals.class"),
        column::<RetentionSince>("retention.since"),
        column::<Risk>("breaches.risk"),
        column::<PictureType>("site_pictures.content_type"),
        column::<Portal>("recovery_codes.portal"),
        column::<Portal>("passkeys.portal"),
        column::<Portal>("second_factors.portal"),
        column::<Portal>("sessions.kind"),
        column::<EmailStatus>("outbox.state"),
        column::<AdmissionStatus>("admissions.status"),
        column::<AdmissionActor>("admission_events.actor_kind"),
        column::<AdmissionRequestStatus>("admission_events.from_status"),
        column::<AdmissionRequestStatus>("admission_events.to_status"),
        column::<AdmissionRequestStatus>("admission_requests.status"),
        column::<AdmissionSource>("admission_requests.source"),
        column::<AdmissionVerb>("admission_events.verb"),
        column::<Relationship>("admission_requests.relationship"),
        column::<FamilyLanguage>("admission_requests.language"),
        column::<FamilyLanguage>("texts.language"),
        column::<AgreementKind>("texts.kind"),
        column::<Gender>("admission_requests.gender"),
        column::<MailedLinkPurpose>("links.purpose"),
        column::<MailedLinkPurpose>("link_requests.purpose"),
        column::<EnrollmentStatus>("enrollment_events.from_status"),
        column::<EnrollmentStatus>("enrollment_events.to_status"),
        column::<EnrollmentStatus>("enrollments.status"),
        column::<Delivery>("sections.delivery"),
        column::<SectionKind>("sections.kind"),
        column::<SectionStatus>("sections.status"),
        column::<SectionVerb>("section_events.verb"),
        column::<EntryKind>("ledger.kind"),
        column::<ChargedFor>("ledger.item"),
        column::<PaymentMethod>("payments.method"),
        column::<PaymentMethod>("payouts.method"),
        column::<KeptState>("bank_lines.state"),
        column::<TaskKind>("tasks.kind"),
        column::<TaskEnd>("tasks.done_as"),
        column::<ReminderMode>("reminder_modes.mode"),
        column::<Step>("reminders.step"),
        column::<Gender>("students.gender"),
        column::<MessageStatus>("contact_messages.status"),
        column::<MessageStatus>("message_events.from_status"),
        column::<MessageStatus>("message_events.to_status"),
        column::<MessageVerb>("message_events.verb"),
        column::<ReplyKind>("message_replies.kind"),
        column::<TemplateLanguage>("reply_templates.language"),
        column::<Province>("students.province"),
        column::<LinkPurpose>("student_tokens.purpose"),
        column::<Examination>("student_documents.examination"),
        column::<Fault>("student_documents.fault"),
        column::<RemovalCause>("document_removals.cause"),
        column::<RequestKind>("account_requests.kind"),
        column::<Role>("staff_invitations.role"),
        column::<Role>("users.role"),
        column::<StaffLinkPurpose>("staff_tokens.purpose"),
        column::<StudentStatus>("students.status"),
        column::<StudentStatus>("account_closings.before"),
        column::<Origin>("students.origin"),
        column::<GuardianHow>("confirmations.how"),
        column::<Relationship>("guardians.relationship"),
    ]);
    let checks = checks();
    for (column, words) in &checks {
        assert_eq!(sets.get(column), Some(words), "{column}");
    }
    assert_eq!(sets.len(), checks.len(), "a set has a column, and its column a check");
}

#[test]
fn a_renewed_hash_never_replaces_a_password_that_was_changed_meanwhile() {
    type Renew = fn(&Connection, i64, &str, &str) -> Result<()>;
    let folder = tempfile::tempdir().unwrap();
    let connection = db::open(&folder.path().join("school.db")).unwrap();
    connection
        .execute_batch(
            "insert into users (id, username, password_hash, email, created_at) values (1, 'x', 'old', 'x@x.x', 0);
             insert into students (id, email, password_hash, created_at, updated_at)
             values (1, 'a@mail.example', 'old', 0, 0)",
        )
        .unwrap();
    let renewals: [(&str, Renew); 2] = [
        ("users", crate::staff::StaffAccount::renew_hash),
        ("students", crate::students::Student::renew_hash),
    ];
    for (table, renew) in renewals {
        let stored = || {
            let sql = format!("select password_hash from {table}");
            connection.one::<String>(&sql, []).unwrap()
        };
        renew(&connection, 1, "old", "renewed").unwrap();
        assert_eq!(stored(), "renewed");
        renew(&connection, 1, "old", "late").unwrap();
        assert_eq!(stored(), "renewed", "{table}");
    }
}

fn column<T: ClosedSet>(name: &str) -> (String, Vec<String>) {
    (name.to_owned(), sorted(T::ALL.iter().map(|member| member.as_str())))
}

fn sorted<'a>(words: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut words: Vec<_> = words.map(str::to_owned).collect();
    words.sort();
    words
}

/// Every `check (column in ('a', 'b'))` of the schema: table and column, with the words.
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
