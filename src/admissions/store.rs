//! The table `admission_requests`.

use jiff::Timestamp;
use rusqlite::{Connection, ToSql};
use serde_json::json;

use super::duplicates;
use super::query::AdmissionsFilter;
use super::question::FamilyQuestion;
use super::rules::{ContactChange, NewApplication};
use super::status::{AdmissionRequestStatus, AdmissionSource};
use super::unopened::UnopenedAccount;
use super::waiting::AdmissionWait;
use super::{
    AdmissionRequest, AdmissionsReading, Application, ApplicationDetails, ListedAdmissionRequest,
    StudentApplication,
};
use crate::accounts::mailed::{self, MailedLinkPurpose};
use crate::base::closed_set::ClosedSet as _;
use crate::base::email::Email;
use crate::base::error::Result;
use crate::staff::{Assignee, Colleague, HeldItem};
use crate::storage::columns::Columns;
use crate::storage::statements::{FromRow, Statements, from_row, params};
use crate::storage::waiting::Waits;
use crate::web::id::Numbered;
use crate::web::pagination::{List, Listed, PageRequest};

const COLUMNS: &str = "id, reference, first_name, last_name, date_of_birth, email, phone, country, address, grade, \
    previous_school, guardian_name, guardian_email, source, status, state_since, assignee_id, student_id, \
    created_at, version, look_twice";

from_row! { Application {
    reference, status, state_since, first_name, last_name, date_of_birth, email, phone, country, address, grade,
    previous_school, guardian_name, guardian_email, created_at,
} }

from_row! { AdmissionRequest { id, source, assignee_id, student_id, version, look_twice } and application }

impl FromRow for ApplicationDetails {
    fn read(row: &Columns<'_, '_>) -> rusqlite::Result<Self> {
        let wanted: String = row.read("wanted_courses")?;
        Ok(Self {
            city: row.read("city")?,
            province: row.read("province")?,
            postal_code: row.read("postal_code")?,
            gender: row.read("gender")?,
            guardian_phone: row.read("guardian_phone")?,
            relationship: row.read("relationship")?,
            start_term: row.read("start_term")?,
            wanted_courses: serde_json::from_str(&wanted).unwrap_or_default(),
            message: row.read("message")?,
            language: row.read("language")?,
        })
    }
}

/// Stores a new application, and returns its number.
pub fn insert(
    connection: &Connection,
    new: &NewApplication,
    source: AdmissionSource,
    reference: &str,
    now: Timestamp,
) -> Result<i64> {
    let sql = "insert into admission_requests (reference, first_name, last_name, date_of_birth, gender, email, phone,
            country, address, city, province, postal_code, grade, previous_school, guardian_name, guardian_email,
            guardian_phone, relationship, start_term, wanted_courses, message, language, look_twice, source,
            state_since, created_at)
        values (:reference, :first_name, :last_name, :date_of_birth, :gender, :email, :phone, :country, :address,
            :city, :province, :postal_code, :grade, :previous_school, :guardian_name, :guardian_email,
            :guardian_phone, :relationship, :start_term, :wanted_courses, :message, :language, :look_twice, :source,
            :now, :now)";
    let values = params! {
        reference, first_name = new.first_name, last_name = new.last_name,
        date_of_birth = new.date_of_birth.to_string(), gender = new.gender, email = new.email.as_str(),
        phone = new.phone, country = new.country, address = new.address, city = new.city, province = new.province,
        postal_code = new.postal_code, grade = new.grade, previous_school = new.previous_school,
        guardian_name = new.guardian_name, guardian_email = new.guardian_email.as_ref().map(Email::as_str),
        guardian_phone = new.guardian_phone, relationship = new.relationship, start_term = new.start_term,
        wanted_courses = json!(new.wanted_courses).to_string(), message = new.message, language = new.language,
        look_twice = new.look_twice, source, now = now.as_second(),
    };
    connection.insert(sql, values)
}

/// The reference of the application that the same form, from the same address, became since an instant.
pub fn find_repeated(
    connection: &Connection,
    email: &Email,
    digest: &[u8; 32],
    since: Timestamp,
) -> Result<Option<String>> {
    let sql = "select reference from admission_requests
        where email = :email and created_at > :since and form_digest = :digest
        order by created_at desc limit 1";
    connection.find(sql, params![email = email.as_str(), since = since.as_second(), digest])
}

/// Keeps the digest of the form that became an application.
pub fn keep_digest(connection: &Connection, id: i64, digest: &[u8; 32]) -> Result<()> {
    connection.run("update admission_requests set form_digest = :digest where id = :id", params![id, digest])
}

/// Finds an application.
pub fn find(connection: &Connection, id: i64) -> Result<Option<AdmissionRequest>> {
    connection.find(&format!("select {COLUMNS} from admission_requests where id = :id"), params![id])
}

/// Finds an application that has to be there.
///
/// # Errors
/// 404 when there is none.
pub fn get(connection: &Connection, id: i64) -> Result<AdmissionRequest> {
    find(connection, id)?.ok_or_else(AdmissionRequest::not_found)
}

/// The applications of a student.
pub fn of_student(connection: &Connection, student_id: i64) -> Result<Vec<AdmissionRequest>> {
    let sql = format!("select {COLUMNS} from admission_requests where student_id = :student_id order by id");
    connection.list(&sql, params![student_id])
}

/// What else the family wrote.
pub fn details(connection: &Connection, id: i64) -> Result<ApplicationDetails> {
    let sql = "select city, province, postal_code, gender, guardian_phone, relationship, start_term, wanted_courses,
            message, language
        from admission_requests where id = :id";
    connection.one(sql, params![id])
}

/// A student's applications with what else the families wrote, newest first.
pub fn with_details(connection: &Connection, student_id: i64) -> Result<Vec<StudentApplication>> {
    let details = |request: AdmissionRequest| {
        Ok(StudentApplication { details: details(connection, request.id)?, request })
    };
    of_student(connection, student_id)?.into_iter().rev().map(details).collect()
}

/// The applications of a mailbox, the family's or the guardian's, since an instant, which the office did not stop
/// disclosing to it; newest first.
pub fn list_of_mailbox(
    connection: &Connection,
    email: &Email,
    since: Timestamp,
) -> Result<Vec<AdmissionRequest>> {
    let sql = format!(
        "select {COLUMNS} from admission_requests
             where id in (
                 select id from admission_requests where email = :email and created_at > :since
                 union select id from admission_requests where guardian_email = :email and created_at > :since)
               and not exists (select 1 from admission_stops s where s.request_id = id and s.email = :email)
             order by created_at desc, id desc limit 20"
    );
    connection.list(&sql, params![email = email.as_str(), since = since.as_second()])
}

/// Puts an application into another state.
pub fn set_status(
    connection: &Connection,
    id: i64,
    status: AdmissionRequestStatus,
    since: Timestamp,
) -> Result<()> {
    let sql = "update admission_requests set status = :status, state_since = :since where id = :id";
    connection.run(sql, params![id, status, since = since.as_second()])
}

/// Writes an application as the office corrected it.
pub fn rewrite(connection: &Connection, id: i64, new: &NewApplication) -> Result<()> {
    let sql = "update admission_requests set first_name = :first_name, last_name = :last_name,
            date_of_birth = :date_of_birth, gender = :gender, email = :email, phone = :phone, country = :country,
            address = :address, city = :city, province = :province, postal_code = :postal_code, grade = :grade,
            previous_school = :previous_school, guardian_name = :guardian_name, guardian_email = :guardian_email,
            guardian_phone = :guardian_phone, relationship = :relationship, start_term = :start_term,
            wanted_courses = :wanted_courses, language = :language, version = version + 1
        where id = :id";
    let values = params! {
        id, first_name = new.first_name, last_name = new.last_name,
        date_of_birth = new.date_of_birth.to_string(), gender = new.gender, email = new.email.as_str(),
        phone = new.phone, country = new.country, address = new.address, city = new.city, province = new.province,
        postal_code = new.postal_code, grade = new.grade, previous_school = new.previous_school,
        guardian_name = new.guardian_name, guardian_email = new.guardian_email.as_ref().map(Email::as_str),
        guardian_phone = new.guardian_phone, relationship = new.relationship, start_term = new.start_term,
        wanted_courses = json!(new.wanted_courses).to_string(), language = new.language,
    };
    connection.run(sql, values)
}

/// Takes the mark off that says to look twice.
pub fn clear_look_twice(connection: &Connection, id: i64) -> Result<()> {
    connection.run("update admission_requests set look_twice = 0 where id = :id", params![id])
}

/// Says who works on an application.
pub fn assign(connection: &Connection, id: i64, user_id: Option<i64>) -> Result<()> {
    connection
        .run("update admission_requests set assignee_id = :user_id where id = :id", params![id, user_id])
}

/// The open applications that a member of the staff works on, the oldest first.
pub fn held_by(connection: &Connection, user_id: i64) -> Result<Vec<HeldItem>> {
    let sql = "select id, reference, first_name || ' ' || last_name as name, created_at as since
        from admission_requests indexed by admission_requests_open
        where assignee_id = :user_id and status in ('pending', 'in_review', 'info_requested', 'waitlisted', 'offered')
        order by created_at, id";
    connection.list(sql, params![user_id])
}

/// Moves the applications of an account to the account that it goes on as.
pub fn move_student(connection: &Connection, from: i64, to: i64) -> Result<()> {
    connection
        .run("update admission_requests set student_id = :to where student_id = :from", params![from, to])
}

/// Links an application to a student.
pub fn link_student(connection: &Connection, id: i64, student_id: i64) -> Result<()> {
    let sql = "update admission_requests set student_id = :student_id where id = :id";
    connection.run(sql, params![id, student_id])
}

/// Writes the address of the application alone.
pub fn write_email(connection: &Connection, id: i64, email: &Email) -> Result<()> {
    let sql = "update admission_requests set email = :email, version = version + 1 where id = :id";
    connection.run(sql, params![id, email = email.as_str()])
}

/// Writes corrected contact data.
pub fn write_contact(connection: &Connection, id: i64, change: &ContactChange) -> Result<()> {
    let sql = "update admission_requests set email = :email, phone = :phone, country = :country, address = :address,
            city = :city, province = :province, postal_code = :postal_code, guardian_phone = :guardian_phone,
            version = version + 1
        where id = :id";
    let values = params! {
        id, email = change.email.as_str(), phone = change.phone, country = change.country,
        address = change.address, city = change.city, province = change.province,
        postal_code = change.postal_code, guardian_phone = change.guardian_phone,
    };
    connection.run(sql, values)
}

/// Whether another person applies from the address of an application, or has applied and was admitted.
pub fn is_address_of_another_applicant(connection: &Connection, request: &AdmissionRequest) -> Result<bool> {
    let sql = "select exists (select 1 from admission_requests o indexed by admission_requests_email
        where o.email = :email and o.id <> :id
            and o.status in ('pending', 'in_review', 'info_requested', 'waitlisted', 'offered', 'accepted')
            and (o.date_of_birth is not :born or o.first_name <> :first_name collate nocase
                or o.last_name <> :last_name))";
    let values = params! {
        id = request.id, email = request.email, born = request.date_of_birth.map(|born| born.to_string()),
        first_name = request.first_name, last_name = request.last_name,
    };
    connection.one(sql, values)
}

/// Whether another person applies from the address of an application, or studies here with it.
pub fn is_address_of_another(connection: &Connection, request: &AdmissionRequest) -> Result<bool> {
    let sql = "select exists (select 1 from students where email = :email and date_of_birth is not :born)";
    let born = request.date_of_birth.map(|born| born.to_string());
    let studies: bool = connection.one(sql, params![email = request.email, born])?;
    Ok(studies || is_address_of_another_applicant(connection, request)?)
}

/// Deletes an application that led to no admission, with everything about it.
pub fn delete(connection: &Connection, id: i64) -> Result<()> {
    mailed::end_all(connection, MailedLinkPurpose::Application, id)?;
    connection.run("delete from admission_requests where id = :id", params![id])
}

/// Number of applications in a state.
pub fn count(connection: &Connection, status: AdmissionRequestStatus) -> Result<i64> {
    connection.one("select count(*) from admission_requests where status = :status", params![status])
}

/// Applications that wait for the office: new ones, and those in review.
pub fn waiting(connection: &Connection) -> Result<Waits> {
    const SQL: &str = "select count(*) as count, min(created_at) as oldest
         from admission_requests where status in ('pending', 'in_review')";
    Waits::read(connection, SQL, [])
}

/// Applications whose families were asked something, and have not answered.
pub fn asked(connection: &Connection) -> Result<Waits> {
    const SQL: &str = "select count(*) as count, min(state_since) as oldest
         from admission_requests indexed by admission_requests_status where status = 'info_requested'";
    Waits::read(connection, SQL, [])
}

/// Every application in the order of the list, as a sheet has it.
pub fn list_all(
    connection: &Connection,
    reading: &AdmissionsReading,
) -> Result<Listed<ListedAdmissionRequest>> {
    list(connection, &PageRequest::default(), &AdmissionsFilter::default(), reading)
}

/// The applications of a page, newest first unless the filter says otherwise.
pub fn list(
    connection: &Connection,
    page: &PageRequest,
    filter: &AdmissionsFilter,
    reading: &AdmissionsReading,
) -> Result<Listed<ListedAdmissionRequest>> {
    let assignee = filter.assignee.and_then(Assignee::user_id);
    let today = reading.today.to_string();
    let own: [(&str, &dyn ToSql); 2] = [(":assignee", &assignee), (":today", &today)];
    let Listed { rows, total } = page.read::<AdmissionRequest>(connection, &rows(filter, &own))?;
    let mut listed = Vec::with_capacity(rows.len());
    for request in rows {
        listed.push(as_listed(connection, request, reading)?);
    }
    Ok(Listed { rows: listed, total })
}

/// An application as the list has it.
pub fn as_listed(
    connection: &Connection,
    request: AdmissionRequest,
    reading: &AdmissionsReading,
) -> Result<ListedAdmissionRequest> {
    let assignee = request.assignee_id.map(|user_id| {
        connection.one::<Colleague>("select id, username from users where id = :user_id", params![user_id])
    });
    Ok(ListedAdmissionRequest {
        is_duplicate: duplicates::has_any(connection, &request)?,
        is_late: reading.is_late(&request),
        assignee: assignee.transpose()?,
        question: FamilyQuestion::read(connection, &request, reading)?,
        account: UnopenedAccount::read(connection, &request)?,
        request,
    })
}

fn rows<'a>(filter: &AdmissionsFilter, parameters: &'a [(&'a str, &'a dyn ToSql)]) -> List<'a> {
    // One state comes from its index in the order of the list, several from the same and are sorted; the rows of a
    // colleague are few.
    let own = if filter.assignee.is_some() || filter.waits.is_some() { "+" } else { "" };
    let index = match filter.states.len() {
        2.. if own.is_empty() => "indexed by admission_requests_status",
        _ => "",
    };
    let states: Vec<_> = filter.states.iter().map(|state| format!("'{}'", state.as_str())).collect();
    let state = match &*states {
        [] => None,
        [one] => Some(format!("{own}status = {one}")),
        many => Some(format!("{own}status in ({})", many.join(", "))),
    };
    let assignee = filter.assignee.map(|_| "assignee_id is :assignee".to_owned());
    let conditions = [state, assignee, filter.waits.map(AdmissionWait::condition)];
    let conditions: Vec<_> = conditions.into_iter().flatten().collect();
    let condition = if conditions.is_empty() { "true".to_owned() } else { conditions.join(" and ") };
    let direction = if filter.is_oldest_first { "asc" } else { "desc" };
    List {
        rows: format!(
            "select {COLUMNS} from admission_requests {index}
             where {condition} and matches_terms(concat_ws(' ', first_name, last_name, email, phone,
                 guardian_phone, reference), :words)
             order by created_at {direction}, id {direction} limit :limit offset :offset"
        ),
        count: if conditions.is_empty() {
            "select count(*) from admission_requests".to_owned()
        } else {
            format!(
                "select count(*) from admission_requests where {}",
                condition.replace("+status", "status")
            )
        },
        filter: parameters,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::db;
    use crate::web::pagination::testing::assert_comes_from_index;

    #[test]
    fn the_first_page_of_applications_comes_from_an_index() {
        let folder = tempfile::tempdir().unwrap();
        let connection = db::open(&folder.path().join("school.db")).unwrap();
        let all = AdmissionsFilter::default();
        assert_comes_from_index(&connection, &rows(&all, &[]), "admission_requests_created");
        let pending = AdmissionsFilter {
            states: vec![AdmissionRequestStatus::Pending],
            is_oldest_first: true,
            ..AdmissionsFilter::default()
        };
        assert_comes_from_index(&connection, &rows(&pending, &[]), "admission_requests_status");
        let mine = AdmissionsFilter { assignee: Some(Assignee::Colleague(7)), ..AdmissionsFilter::default() };
        assert_comes_from_index(&connection, &rows(&mine, &[]), "admission_requests_assignee");
        let waiting = AdmissionsFilter {
            states: vec![AdmissionRequestStatus::Pending, AdmissionRequestStatus::InReview],
            ..AdmissionsFilter::default()
        };
        assert!(rows(&waiting, &[]).rows.contains("indexed by admission_requests_status"));
    }
}
