//! The `enrollments` table, read together with the course it names; [`transitions`] change it.

mod transitions;

use jiff::Timestamp;
use jiff::civil::Date;
use rusqlite::{Connection, Params};

pub use self::transitions::*;
use super::status::EnrollmentStatus;
use super::{EnrolledCourse, Enrollment, PendingEnrollment, UnpricedEnrollment};
use crate::base::email::Email;
use crate::base::error::{Error, Result};
use crate::base::money::Money;
use crate::config::Config;
use crate::courses::values::{CourseCode, Credits};
use crate::enrollments::requests::prices::{Prices, QuoteTerms};
use crate::enrollments::requests::rules::{self, EarlierEnrollment, Repeat};
use crate::enrollments::seats::by_section::CURRENT_PRICE;
use crate::enrollments::seats::sections::{OWN_SECTION, SECTION};
use crate::school::letters;
use crate::storage::columns::Columns;
use crate::storage::statements::{FromRow, Statements, from_row, params};
use crate::students::Student;
use crate::students::status::StudentStatus;
use crate::web::id::Numbered;
use crate::web::pagination::{List, Listed, PageRequest};

/// Recipient of an email about an enrollment.
#[derive(Debug, Clone)]
pub struct Addressee {
    /// Number of the account.
    pub id: i64,
    /// The student's address.
    pub email: Email,
    /// The state of the account.
    pub status: StudentStatus,
    /// The student's name, once the profile has it.
    pub full_name: Option<String>,
    /// The account's part of the payment code; `None` before anything is charged.
    code: Option<String>,
}

impl Addressee {
    /// A student.
    ///
    /// # Errors
    /// Database errors.
    pub fn new(connection: &Connection, student: &Student) -> Result<Self> {
        Ok(Self { code: Some(letters::code(connection, student.id)?), ..Self::asking(student)? })
    }

    /// A student who asks for a course: a request has no statement to spare for the code, which the approval says.
    ///
    /// # Errors
    /// When the account has no address.
    pub fn asking(student: &Student) -> Result<Self> {
        Ok(Self {
            id: student.id,
            email: student.address()?,
            status: student.status,
            full_name: student.profile.full_name.clone(),
            code: None,
        })
    }

    /// What the family writes into the message of a transfer.
    pub fn payment_code(&self, config: &Config) -> String {
        match &self.code {
            Some(code) => letters::with(&config.school().name, code),
            None => "You get it with the approval.".to_owned(),
        }
    }
}

/// Waiting list position of the enrollment `e`; null if it is not on one.
pub const POSITION: &str = "iif(e.status <> 'waitlisted', null, (select count(*) from enrollments w \
    where w.course_id = e.course_id and w.section_id is e.section_id and w.status = 'waitlisted' \
    and (w.waitlisted_at, w.id) <= (e.waitlisted_at, e.id)))";

// From the few courses of that code, and not from everything that the student ever took.
const EARLIER: &str = "select e.id, e.course_id, e.status, c.code, e.final_mark
    from courses c cross join enrollments e on e.course_id = c.id and e.student_id = :student_id
    where c.code between :start and :start || '~' and substr(c.code, 1, :characters) = :start
    order by e.id desc";

/// A student's enrollments in courses of the same code, newest first.
fn earlier(connection: &Connection, student_id: i64, code: &CourseCode) -> Result<Vec<EarlierEnrollment>> {
    let start = code.as_str().get(..rules::CODE_CHARACTERS).unwrap_or(code.as_str());
    connection.list(EARLIER, params![student_id, start, characters = rules::CODE_CHARACTERS as i64])
}

from_row!(EarlierEnrollment { id, course_id, status, code, mark = "final_mark" });

/// Refuses to open a second enrollment of the same student and course.
///
/// # Errors
/// [`Error::Conflict`] when there is one.
pub fn check_no_other_open(connection: &Connection, id: i64) -> Result<()> {
    let sql = "select e.student_id, c.code from enrollments e join courses c on c.id = e.course_id
        where e.id = :id";
    let (student_id, code): (i64, CourseCode) = connection.one(sql, params![id])?;
    let others = earlier(connection, student_id, &code)?;
    if others.iter().any(|one| one.id != id && one.status.is_open()) {
        let words =
            "The student has asked for this course again since, so this one cannot be opened beside it.";
        return Err(Error::conflict(words, &find(connection, id)?));
    }
    Ok(())
}

/// Whether an enrollment takes a seat: it is active, or a seat is kept for it.
pub fn takes_seat(connection: &Connection, id: i64, now: Timestamp) -> Result<bool> {
    let enrollment = find(connection, id)?;
    Ok(match enrollment.status {
        EnrollmentStatus::Active => true,
        EnrollmentStatus::Waitlisted => enrollment.offered_until.is_some_and(|until| until > now),
        _ => false,
    })
}

/// The state of an enrollment, if it is this student's.
pub fn own_status(connection: &Connection, id: i64, student_id: i64) -> Result<Option<EnrollmentStatus>> {
    let sql = "select status from enrollments where id = :id and student_id = :student_id";
    connection.find(sql, params![id, student_id])
}

/// Possible prices of an enrollment.
///
/// # Errors
/// 404 when there is none.
pub fn prices(connection: &Connection, id: i64) -> Result<Prices> {
    let sql = format!(
        "select e.quoted_price_cents, e.quoted_at, {CURRENT_PRICE}
         from enrollments e join courses c on c.id = e.course_id where e.id = :id"
    );
    connection.find(&sql, params![id])?.ok_or_else(Enrollment::not_found)
}

// Of an enrollment `e` and its course `c`.
from_row!(Prices { quoted = "quoted_price_cents", quoted_at, current = "price_cents" });

/// The enrollment that goes on in the place of the enrollment `e`, after a transfer.
pub(super) const TRANSFERRED_TO: &str = "(select n.id from enrollments n where n.transferred_from = e.id)";

const COLUMNS: &str = "e.id, e.quoted_price_cents, e.charged_price_cents, e.course_id, c.name, c.code, c.grade, \
    c.credits_hundredths, e.quoted_at, e.repeat_of, e.created_at, e.decided_at, e.status, e.start_date, \
    e.end_date, e.reason, e.final_mark, e.withdrawn_on, e.offered_until, e.leave_asked_at, e.leave_reason, \
    e.midterm_mark, e.credits_hundredths as earned_hundredths, e.version, e.transferred_from, r.id as repeated_id, \
    r.final_mark as repeated_mark, \
    (select better_id from better_attempts b where b.id = e.id order by better_mark desc, better_id limit 1) \
        as better_attempt";

/// The completed enrollment `r` that the enrollment `e` repeats.
pub(super) const REPEATED: &str = "left join enrollments r on r.id = e.repeat_of and r.status = 'completed'";

/// One enrollment.
///
/// # Errors
/// 404 when there is none.
pub fn find(connection: &Connection, id: i64) -> Result<Enrollment> {
    find_with(connection, &SECTION, params![id])
}

/// One enrollment as its student sees it, with the links of its classes.
///
/// # Errors
/// 404 when there is none.
pub fn find_own(connection: &Connection, id: i64, today: Date) -> Result<Enrollment> {
    find_with(connection, &OWN_SECTION, params![id, today])
}

fn find_with(connection: &Connection, section: &str, parameters: impl Params) -> Result<Enrollment> {
    let sql = format!(
        "select {COLUMNS}, {POSITION} as position, {section} as section, {TRANSFERRED_TO} as transferred_to
         from enrollments e join courses c on c.id = e.course_id {REPEATED} where e.id = :id"
    );
    connection.find(&sql, parameters)?.ok_or_else(Enrollment::not_found)
}

/// A student's enrollments, newest first.
pub fn list_for_student(connection: &Connection, student_id: i64) -> Result<Vec<Enrollment>> {
    list_with(connection, &SECTION, params![student_id])
}

/// A student's enrollments as they see them, with the links of their classes.
pub fn list_own(connection: &Connection, student_id: i64, today: Date) -> Result<Vec<Enrollment>> {
    list_with(connection, &OWN_SECTION, params![student_id, today])
}

fn list_with(connection: &Connection, section: &str, parameters: impl Params) -> Result<Vec<Enrollment>> {
    let sql = format!(
        "select {COLUMNS}, {POSITION} as position, {section} as section, {TRANSFERRED_TO} as transferred_to
         from enrollments e join courses c on c.id = e.course_id {REPEATED}
         where e.student_id = :student_id order by e.created_at desc, e.id desc"
    );
    connection.list(&sql, parameters)
}

impl FromRow for Enrollment {
    fn read(row: &Columns<'_, '_>) -> rusqlite::Result<Self> {
        let better_attempt = row.read("better_attempt")?;
        let quoted_price: Option<Money> = row.read("quoted_price_cents")?;
        let charged_price: Option<Money> = row.read("charged_price_cents")?;
        Ok(Self {
            id: row.read("id")?,
            course_id: row.read("course_id")?,
            course: EnrolledCourse {
                name: row.read("name")?,
                code: row.read("code")?,
                grade: row.read("grade")?,
                credits: row.read("credits_hundredths")?,
                price: charged_price.or(quoted_price),
            },
            quoted_price,
            quoted_at: row.read("quoted_at")?,
            charged_price,
            repeat_of: row.read("repeat_of")?,
            repeat: repeat(row)?,
            repeated_mark: row.read("repeated_mark")?,
            better_attempt,
            requested_at: row.read("created_at")?,
            decided_at: row.read("decided_at")?,
            status: row.read("status")?,
            start_date: row.read("start_date")?,
            end_date: row.read("end_date")?,
            reason: row.read("reason")?,
            final_mark: row.read("final_mark")?,
            withdrawn_on: row.read("withdrawn_on")?,
            offered_until: row.read("offered_until")?,
            leave_asked_at: row.read("leave_asked_at")?,
            leave_reason: row.read("leave_reason")?,
            midterm_mark: row.read("midterm_mark")?,
            earned_credits: match better_attempt {
                Some(_) => Some(Credits::NONE),
                None => row.read("earned_hundredths")?,
            },
            version: row.read("version")?,
            transferred_from: row.read("transferred_from")?,
            waitlist_position: row.read("position")?,
            section: row.read("section")?,
            transferred_to: row.read("transferred_to")?,
        })
    }
}

/// The open enrollments of a section, in their order.
pub fn open_in_section(connection: &Connection, section_id: i64) -> Result<Vec<Enrollment>> {
    let sql = "select id from enrollments indexed by enrollments_section
        where section_id = :section_id and status in ('active', 'pending', 'waitlisted') order by id";
    let ids: Vec<i64> = connection.list(sql, params![section_id])?;
    ids.into_iter().map(|id| find(connection, id)).collect()
}

/// SQL: the enrollment `e` of a cancelled section waits for another one.
pub const OF_CANCELLED: &str = "e.status in ('cancelled', 'active', 'pending', 'waitlisted')";

/// The numbers of a section's enrollments that can go on in another one, in their order.
pub fn in_section(connection: &Connection, section_id: i64) -> Result<Vec<i64>> {
    let sql = format!(
        "select e.id from enrollments e indexed by enrollments_section
         where e.section_id = :section_id and {OF_CANCELLED} order by e.id"
    );
    connection.list(&sql, params![section_id])
}

/// Why the completed enrollment `r` is repeated, if there is one.
pub(super) fn repeat(row: &Columns<'_, '_>) -> rusqlite::Result<Option<Repeat>> {
    let is_repeat = row.read::<Option<i64>>("repeated_id")?.is_some();
    Ok(if is_repeat { Some(Repeat::of(row.read("repeated_mark")?)) } else { None })
}

/// The requests of a page that wait for the office, oldest first.
pub fn list_pending(
    connection: &Connection,
    page: &PageRequest,
    terms: &QuoteTerms,
) -> Result<Listed<PendingEnrollment>> {
    page.read_by(connection, &pending(), |row| {
        let prices = Prices::read(row)?;
        Ok(PendingEnrollment {
            id: row.read("id")?,
            student_name: row.read("student_name")?,
            student_email: row.read("email")?,
            course_name: row.read("name")?,
            course_code: row.read("code")?,
            course_grade: row.read("grade")?,
            start_date: row.read("start_date")?,
            end_date: row.read("end_date")?,
            course_fee: prices.usual(terms),
            quoted_fee: prices.quoted,
            quoted_until: prices.quoted_at.map(|at| terms.last_day(at)),
            current_fee: prices.current,
            identity_changed: row.read("identity_changed")?,
            status: row.read("status")?,
            section: row.read("section")?,
        })
    })
}

fn pending() -> List<'static> {
    List {
        rows: format!(
            "select e.quoted_price_cents, e.quoted_at, {CURRENT_PRICE}, e.id,
                   coalesce(s.full_name, 'Student #' || s.id) as student_name, s.email,
                   c.name, c.code, c.grade, e.start_date, e.end_date,
                   s.identity_changed_at is not null as identity_changed, e.status, {} as section
               from enrollments e
               join students s on s.id = e.student_id
               join courses c on c.id = e.course_id
               where e.status = 'pending' and matches_terms(concat_ws(' ',
                   coalesce(s.full_name, 'Student #' || s.id), s.email, c.code, c.name), :words)
               order by e.created_at, e.id limit :limit offset :offset",
            *SECTION
        ),
        count: "select count(*) from enrollments where status = 'pending'".into(),
        filter: &[],
    }
}

/// An active enrollment that was never charged, because its course had no price: a matter of the
/// ledger, whatever the course costs today. A free course (0.00) has a price.
pub(super) const UNPRICED: &str = "enrollments e indexed by enrollments_unpriced \
    where e.status = 'active' and e.quoted_price_cents is null and e.charged_price_cents is null \
    and not exists (select 1 from ledger l where l.enrollment_id = e.id and l.kind = 'charge' \
        and not exists (select 1 from ledger r where r.reverses_id = l.id))";

/// Whether this enrollment is one that was never charged because it had no price.
pub fn is_unpriced(connection: &Connection, id: i64) -> Result<bool> {
    connection.one(&format!("select exists (select 1 from {UNPRICED} and e.id = :id)"), params![id])
}

/// The active enrollments that were never charged because it had no price, oldest approval first; a charge is usually
/// due on the given day.
pub fn list_unpriced(connection: &Connection, usual_due_on: Date) -> Result<Vec<UnpricedEnrollment>> {
    let sql = format!(
        "select e.id, e.student_id, e.approved_at, coalesce(s.full_name, 'Student #' || s.id) as student_name,
             s.email, c.name, c.code, {CURRENT_PRICE}
         from students s, courses c, {UNPRICED}
             and s.id = e.student_id and c.id = e.course_id
         order by e.approved_at, e.id"
    );
    connection.list_by(&sql, [], |row| {
        Ok(UnpricedEnrollment {
            id: row.read("id")?,
            student_id: row.read("student_id")?,
            student_name: row.read("student_name")?,
            student_email: row.read("email")?,
            course_name: row.read("name")?,
            course_code: row.read("code")?,
            approved_at: row.read("approved_at")?,
            current_fee: row.read("price_cents")?,
            usual_due_on,
        })
    })
}

/// The student of an enrollment.
///
/// # Errors
/// 404 when there is no such enrollment.
pub fn student_of(connection: &Connection, id: i64) -> Result<Addressee> {
    let student_id = connection
        .find("select student_id from enrollments where id = :id", params![id])?
        .ok_or_else(Enrollment::not_found)?;
    let student = crate::students::store::find(connection, student_id)?.ok_or_else(Enrollment::not_found)?;
    Addressee::new(connection, &student)
}

/// Number of enrollments in a state.
pub fn count(connection: &Connection, status: EnrollmentStatus) -> Result<i64> {
    connection.one("select count(*) from enrollments where status = :status", params![status])
}

#[cfg(test)]
mod tests;
