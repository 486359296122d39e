//! The complete record of one student, read in one transaction.

use std::cmp::Reverse;

use axum::extract::State;
use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;

use super::StudentRecord;
use super::document_waivers::{self, DocumentWaiver};
use super::flags::StudentFlag;
use super::list::{self, ListContext};
use super::notes::{self, StudentNote};
use crate::admissions::deposits::{self, Deposit};
use crate::admissions::{self, StudentApplication};
use crate::base::error::Result;
use crate::base::json::Json;
use crate::base::money::Money;
use crate::consents::{self, Consent};
use crate::documents::{self, Document};
use crate::enrollments::credits::held::{self, CreditSum};
use crate::enrollments::record::{self, RecordedEnrollment};
use crate::mail::records::{self as emails, DatedAddress, MailRecord};
use crate::messages::{self, ContactMessage};
use crate::money::ledger::{self, Fees, ItemFees, Payer};
use crate::money::payments::{self, Payment};
use crate::staff::{Duty, Staff, may};
use crate::students::confirmations::{self, GuardianConfirmation};
use crate::students::guardians::{Guardian, store as guardians};
use crate::students::history::{self, HistoryEntry};
use crate::students::lacks::{self, Wanted};
use crate::students::{Student, profile::Profile};
use crate::web::app::App;
use crate::web::id::Id;

/// Initial number of history entries, emails and messages.
const NEWEST: i64 = 50;

/// The complete record of a student. Fields that a role may not read are null.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct StudentFile {
    /// The account and the profile.
    pub student: StudentRecord,
    /// Parents or guardians.
    pub guardians: Vec<RecordedGuardian>,
    /// Flags for the office.
    pub flags: Vec<StudentFlag>,
    /// Outstanding requirements.
    #[schema(required)]
    pub wanted: Option<Vec<Wanted>>,
    /// Enrollments with their events, newest first.
    pub enrollments: Vec<RecordedEnrollment>,
    /// Credits toward the diploma, here and elsewhere.
    #[schema(required)]
    pub credits: Option<CreditSum>,
    /// Documents, newest first.
    #[schema(required)]
    pub documents: Option<Vec<Document>>,
    /// Internal notes.
    #[schema(required)]
    pub notes: Option<Vec<StudentNote>>,
    /// The newest emails to the student's address, to the addresses that were the student's before it, and to those of
    /// the guardians, who may have them about a brother or sister.
    #[schema(required)]
    pub emails: Option<Vec<MailRecord>>,
    /// The newest messages from the student's address.
    #[schema(required)]
    pub messages: Option<Vec<ContactMessage>>,
    /// The newest changes of the account.
    #[schema(required)]
    pub history: Option<Vec<HistoryEntry>>,
    /// Applications that led here, newest first.
    #[schema(required)]
    pub applications: Option<Vec<StudentApplication>>,
    /// Consents, also those of the families with their applications, newest first.
    #[schema(required)]
    pub consents: Option<Vec<Consent>>,
    /// Documents that the office does not ask for after all.
    #[schema(required)]
    pub waivers: Option<Vec<DocumentWaiver>>,
    /// What the student owes and has paid.
    #[schema(required)]
    pub money: Option<StudentMoney>,
    /// What the family owes; null without brothers and sisters here.
    #[schema(required)]
    pub family: Option<StudentFamily>,
}

/// A parent or guardian, with what the office knows.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RecordedGuardian {
    /// The guardian.
    #[serde(flatten)]
    pub guardian: Guardian,
    /// Contact, as the profile has the primary one's.
    #[schema(required)]
    pub contact: Option<String>,
    /// Why the office discloses nothing to them; null for roles that do not read records.
    #[schema(required)]
    pub stopped_reason: Option<String>,
    /// Their confirmation.
    #[schema(required)]
    pub confirmed: Option<GuardianConfirmation>,
}

/// What a student owes and has paid.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StudentMoney {
    /// Balance of all items in dollars, less what is on account; negative if overpaid.
    #[schema(value_type = f64)]
    pub balance: Money,
    /// Paid and not applied to anything: on account.
    #[schema(value_type = f64)]
    pub unapplied: Money,
    /// What each enrollment and admission comes to, newest first.
    pub per_item: Vec<ItemFees>,
    /// Deposits on the fees of admissions, newest first.
    pub deposits: Vec<Deposit>,
    /// Payments, newest first, with those that were reversed.
    pub payments: Vec<Payment>,
}

/// What a family owes: the students who share a guardian's address.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StudentFamily {
    /// Brothers and sisters.
    pub members: Vec<FamilyMoney>,
    /// Dollars owed by all of them and the student, which money on account does not cover.
    #[schema(value_type = f64)]
    pub total: Money,
}

/// What one student of a family owes.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FamilyMoney {
    /// Number of the account.
    pub student_id: i64,
    /// The student's name.
    pub student_name: String,
    /// The student's number.
    #[schema(required)]
    pub student_number: Option<String>,
    /// Dollars owed on all items, which money on account does not cover.
    #[schema(value_type = f64)]
    pub due: Money,
    /// Dollars of it that are late.
    #[schema(value_type = f64)]
    pub overdue: Money,
}

/// The complete record of a student
#[utoipa::path(get, path = "/api/admin/students/{id}", tag = "students")]
pub(super) async fn get_student(
    staff: Staff<may::AnyRole>,
    State(app): State<App>,
    Id(id, ..): Id<Student>,
) -> Result<Json<StudentFile>> {
    let reading = ListContext::new(&app, &staff);
    app.db
        .query(move |connection| {
            // One transaction, for a consistent view.
            let transaction = connection.unchecked_transaction()?;
            read(&transaction, id, &reading)
        })
        .await
        .map(Json)
}

pub(super) fn read(connection: &Connection, id: i64, reading: &ListContext) -> Result<StudentFile> {
    let has = |duty| reading.has(duty);
    let student = super::read(connection, id, reading.today)?;
    let reads_records = has(Duty::Records);
    let documents = reads_records.then(|| documents::store::list_for_student(connection, id)).transpose()?;
    let email = &student.student.email;
    Ok(StudentFile {
        guardians: recorded_guardians(connection, id, reads_records)?,
        flags: list::flags_of(connection, id, reading)?,
        wanted: reads_records
            .then(|| lacks::explained(connection, id, &reading.config.office, reading.today))
            .transpose()?,
        enrollments: record::of_student(connection, id, reads_records)?,
        credits: reads_records
            .then(|| held::attempts(connection, id).map(|attempts| CreditSum::of(&attempts)))
            .transpose()?,
        notes: reads_records.then(|| notes::list(connection, id)).transpose()?,
        emails: has(Duty::Mail).then(|| emails_of(connection, id, email)).transpose()?,
        messages: has(Duty::Messages)
            .then(|| messages::store::list_from(connection, email, NEWEST))
            .transpose()?,
        history: reads_records.then(|| history::list(connection, id, NEWEST)).transpose()?,
        applications: (reads_records && has(Duty::Admissions))
            .then(|| admissions::store::with_details(connection, id))
            .transpose()?,
        consents: reads_records.then(|| consents_of(connection, id)).transpose()?,
        waivers: reads_records.then(|| document_waivers::list(connection, id)).transpose()?,
        money: has(Duty::Balances).then(|| money(connection, id)).transpose()?,
        family: if has(Duty::Balances) { family(connection, id, reading)? } else { None },
        documents,
        student: if reads_records { student } else { contacts_only(student) },
    })
}

fn money(connection: &Connection, id: i64) -> Result<StudentMoney> {
    let payer = Payer::Student(id);
    Ok(StudentMoney {
        balance: ledger::balance_of_student(connection, id)?,
        unapplied: ledger::on_account(connection, payer)?,
        per_item: Fees::read(connection, payer)?.per_item(),
        deposits: deposits::of_student(connection, id)?,
        payments: payments::of_student(connection, id)?,
    })
}

fn family(connection: &Connection, id: i64, reading: &ListContext) -> Result<Option<StudentFamily>> {
    let siblings = guardians::siblings(connection, id)?;
    if siblings.is_empty() {
        return Ok(None);
    }
    let fees = |id| payments::own::read(connection, id, &reading.config, reading.today);
    let mut total = fees(id)?.to_pay().cents();
    let mut members = Vec::with_capacity(siblings.len());
    for student_id in siblings {
        let fees = fees(student_id)?;
        let record = super::read(connection, student_id, reading.today)?;
        total += fees.to_pay().cents();
        let name = record.student.profile.full_name;
        members.push(FamilyMoney {
            student_id,
            student_name: name.unwrap_or_else(|| format!("Student #{student_id}")),
            student_number: record.number,
            due: fees.to_pay(),
            overdue: fees.overdue(),
        });
    }
    Ok(Some(StudentFamily { members, total: Money::from_cents(total) }))
}

fn consents_of(connection: &Connection, id: i64) -> Result<Vec<Consent>> {
    let mut found = consents::of_student(connection, id)?;
    found.extend(consents::of_applications(connection, id)?);
    found.sort_by_key(|consent| Reverse((consent.at, consent.id)));
    Ok(found)
}

fn emails_of(connection: &Connection, id: i64, email: &str) -> Result<Vec<MailRecord>> {
    let mut found = emails::list_to(connection, email, NEWEST)?;
    for former in history::former_addresses(connection, id)? {
        // Skip an address that the student has changed back to.
        if former.email != email {
            let address = DatedAddress { recipient: &former.email, since: former.since, until: former.until };
            found.extend(emails::list_between(connection, &address, NEWEST)?);
        }
    }
    for guardian in guardians::list(connection, id)?.iter().filter_map(|guardian| guardian.email.as_deref()) {
        found.extend(emails::list_to(connection, guardian, NEWEST)?);
    }
    found.sort_by_key(|email| Reverse((email.created_at, email.id)));
    found.dedup_by_key(|email| email.id);
    found.truncate(usize::try_from(NEWEST).unwrap_or(usize::MAX));
    Ok(found)
}

/// Roles without access to records see names and contacts.
fn recorded_guardians(
    connection: &Connection,
    id: i64,
    reads_records: bool,
) -> Result<Vec<RecordedGuardian>> {
    let all = guardians::list(connection, id)?.into_iter().map(|guardian| {
        let mut confirmed = None;
        let mut stopped_reason = None;
        if reads_records {
            confirmed = confirmations::newest_of(connection, guardian.id)?;
            stopped_reason = guardians::stopped_reason(connection, guardian.id)?;
        }
        let contact = guardian.contact().text();
        Ok(RecordedGuardian { guardian, contact, stopped_reason, confirmed })
    });
    all.collect()
}

/// Reduces a record to names, contacts and courses, for roles without access to records.
fn contacts_only(record: StudentRecord) -> StudentRecord {
    let whole = record.student.profile;
    // An allow-list, so that new fields are not included by default.
    let profile = Profile {
        full_name: whole.full_name,
        preferred_name: whole.preferred_name,
        country: whole.country,
        address: whole.address,
        city: whole.city,
        province: whole.province,
        postal_code: whole.postal_code,
        phone_number: whole.phone_number,
        parent_name: whole.parent_name,
        parent_contact: whole.parent_contact,
        ..Profile::default()
    };
    StudentRecord {
        student: Student { profile, ..record.student },
        age: None,
        suspended_reason: None,
        closed_reason: None,
        guardian_confirmed: None,
        identity_checked_at: None,
        identity_changed_at: None,
        family_page_since: None,
        ..record
    }
}
