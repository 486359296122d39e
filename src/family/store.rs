//! What the family page reads, and a guardian's answers.

use std::sync::Arc;

use jiff::Timestamp;
use jiff::civil::{Date, date};
use rusqlite::Connection;

use super::{ConfirmationScope, Family, FamilyChild, FamilyEnrollment};
use crate::base::dates::date_in_words;
use crate::base::error::{Error, Result};
use crate::base::money::Money;
use crate::config::Config;
use crate::enrollments::requests::prices::QuoteTerms;
use crate::enrollments::seats::waitlist::WaitlistContext;
use crate::enrollments::status::EnrollmentStatus;
use crate::enrollments::{self, Enrollment, HOW_TO_CANCEL, store as enrollment_store};
use crate::money::ledger;
use crate::money::payments::own;
use crate::storage::statements::{Statements, params};
use crate::students::confirmations::{self, FamilyConfirmation};
use crate::students::guardians::{Guardian, store as guardians};
use crate::students::{self, Student, age, lacks};
use crate::web::app::App;
use crate::web::id::Numbered;

/// Configuration, date and time of a call.
pub(super) struct FamilyContext {
    config: Arc<Config>,
    pub(super) terms: QuoteTerms,
    pub(super) now: Timestamp,
}

/// An enrollment of a student who names the caller's address.
pub(super) struct Known {
    enrollment: Enrollment,
    /// The guardians of that student with the address.
    guardians: Vec<Guardian>,
}

impl FamilyContext {
    pub fn new(app: &App) -> Self {
        Self { config: app.config.clone(), terms: enrollments::quote_terms(app), now: app.clock.now() }
    }

    /// The family page of an address.
    pub fn family(&self, connection: &Connection, email: &str) -> Result<Family> {
        let mut all = guardians::with_email(connection, email, self.terms.today)?;
        let mut children = Vec::new();
        while let Some(first) = all.first().map(|guardian| guardian.student_id) {
            let (own, others): (Vec<_>, Vec<_>) = all.into_iter().partition(|one| one.student_id == first);
            children.push(self.child(connection, &own)?);
            all = others;
        }
        Ok(Family {
            email: email.to_owned(),
            total: Money::from_cents(children.iter().map(|child| child.fees.to_pay().cents()).sum()),
            children,
            due_days: self.config.money.due_days(),
            how_to_pay: self.config.how_to_pay(),
            how_to_cancel: HOW_TO_CANCEL,
            refunds: self.config.refunds(),
        })
    }

    fn child(&self, connection: &Connection, own: &[Guardian]) -> Result<FamilyChild> {
        let Some(guardian) = own.first() else { return Err(Student::not_found()) };
        let id = guardian.student_id;
        let student = students::store::find(connection, id)?.ok_or_else(Student::not_found)?;
        let enrollments = enrollment_store::list_for_student(connection, id)?;
        let enrollments = enrollments.into_iter().map(|enrollment| self.row(connection, enrollment, own));
        Ok(FamilyChild {
            id,
            full_name: student.profile.full_name,
            guardian_name: guardian.name.clone(),
            enrollments: enrollments.collect::<Result<_>>()?,
            wanted: lacks::wanted(connection, id, &self.config.office, self.terms.today)?,
            balance: ledger::balance_of_student(connection, id)?,
            fees: own::read(connection, id, &self.config, self.terms.today)?,
        })
    }

    fn row(
        &self,
        connection: &Connection,
        enrollment: Enrollment,
        own: &[Guardian],
    ) -> Result<FamilyEnrollment> {
        let is_missing = self.is_missing(connection, enrollment.id)?;
        let mine = next_to_confirm(connection, enrollment.id, own)?.is_none();
        // A transfer is asked about although it holds, and nothing that has ended.
        let is_open = match enrollment.status {
            EnrollmentStatus::Pending | EnrollmentStatus::Waitlisted => true,
            EnrollmentStatus::Active => enrollment.transferred_from.is_some(),
            EnrollmentStatus::Declined
            | EnrollmentStatus::Withdrawn
            | EnrollmentStatus::Completed
            | EnrollmentStatus::Cancelled => false,
        };
        let is_open = is_open && enrollment.end_date >= self.terms.today;
        let Enrollment { id, course, status, start_date, end_date, section, requested_at, reason, .. } =
            enrollment;
        Ok(FamilyEnrollment {
            id,
            price: course.price,
            course,
            status,
            start_date,
            end_date,
            section,
            requested_at,
            reason,
            guardian_confirmed: mine || self.is_confirmed(connection, id)?,
            is_asked: is_open && is_missing && !mine,
            is_waiting_for_others: is_open && is_missing && mine,
            school_year_ends_on: school_year_end(start_date),
        })
    }

    /// Whether a confirmation that the school asks for is missing.
    fn is_missing(&self, connection: &Connection, id: i64) -> Result<bool> {
        let missing = lacks::no_guardian_of_request(&self.config.office);
        let sql = format!(
            "select {missing} from enrollments e join students s on s.id = e.student_id where e.id = :id"
        );
        connection.one(&sql, params![id, of_age = age::last_birth_of_age(self.terms.today)])
    }

    /// Whether one guardian's confirmation stands, and is enough.
    fn is_confirmed(&self, connection: &Connection, id: i64) -> Result<bool> {
        let missing = confirmations::is_missing("e", &self.config.office);
        let sql = format!(
            "select not {missing} from enrollments e join students s on s.id = e.student_id where e.id = :id"
        );
        connection.one(&sql, params![id])
    }

    /// An enrollment of a student who names this address.
    ///
    /// # Errors
    /// 404 for any other.
    pub fn find(&self, connection: &Connection, email: &str, id: i64) -> Result<Known> {
        let student_id = enrollment_store::student_of(connection, id)?.id;
        let mut own = guardians::with_email(connection, email, self.terms.today)?;
        own.retain(|guardian| guardian.student_id == student_id);
        if own.is_empty() {
            return Err(Enrollment::not_found());
        }
        Ok(Known { enrollment: enrollment_store::find(connection, id)?, guardians: own })
    }

    /// The students who name an address and have not left the page.
    pub fn children(&self, connection: &Connection, email: &str) -> Result<Vec<i64>> {
        let mut ids: Vec<_> = guardians::with_email(connection, email, self.terms.today)?
            .into_iter()
            .map(|guardian| guardian.student_id)
            .collect();
        ids.dedup();
        Ok(ids)
    }

    /// Confirms an enrollment that has not ended.
    pub fn confirm(
        &self,
        connection: &Connection,
        known: Known,
        name: &str,
        scope: ConfirmationScope,
        texts: &[&str],
    ) -> Result<FamilyEnrollment> {
        let Known { enrollment, guardians: own } = known;
        if !enrollment.status.is_open() {
            let words = "This request is no longer open, so there is nothing to confirm.";
            return Err(self.moved(connection, words, enrollment, &own));
        }
        if enrollment.end_date < self.terms.today {
            let words = format!(
                "This course ended on {}, so there is nothing to confirm.",
                date_in_words(enrollment.end_date)
            );
            return Err(self.moved(connection, &words, enrollment, &own));
        }
        let next = next_to_confirm(connection, enrollment.id, &own)?;
        // A wider confirmation can follow one that is about this course.
        let wider = own.first().filter(|_| scope == ConfirmationScope::SchoolYear);
        let until = school_year_end(enrollment.start_date);
        let is_wider = |guardian: &Guardian| -> Result<bool> {
            let newest = confirmations::newest_of(connection, guardian.id)?;
            Ok(newest.is_none_or(|newest| newest.until != Some(until)))
        };
        let guardian = match (next, wider) {
            (Some(next), _) => Some(next),
            (None, Some(guardian)) if is_wider(guardian)? => Some(guardian),
            (None, _) => None,
        };
        if let Some(guardian) = guardian {
            let confirmation = FamilyConfirmation {
                enrollment_id: enrollment.id,
                until: (scope == ConfirmationScope::SchoolYear).then_some(until),
                name,
                texts,
            };
            confirmations::give(connection, guardian, &confirmation, self.now)?;
        }
        self.row(connection, enrollment, &own)
    }

    /// Withdraws a request that is open.
    pub fn refuse(&self, connection: &Connection, known: Known, reason: &str) -> Result<FamilyEnrollment> {
        let Known { enrollment, guardians: own } = known;
        let context = WaitlistContext { config: &self.config, terms: &self.terms, now: self.now };
        match enrollments::refuse_by_guardian(connection, enrollment.id, reason, &context) {
            Ok(()) => self.row(connection, enrollment_store::find(connection, enrollment.id)?, &own),
            Err(Error::Conflict(words, _)) => Err(self.moved(connection, &words, enrollment, &own)),
            Err(error) => Err(error),
        }
    }

    fn moved(&self, connection: &Connection, words: &str, enrollment: Enrollment, own: &[Guardian]) -> Error {
        match self.row(connection, enrollment, own) {
            Ok(row) => Error::conflict(words, &row),
            Err(error) => error,
        }
    }
}

/// Last day of the school year in which a day lies, for a confirmation that is given for a year. The law has no such
/// day for a private school: the program counts a summer's courses to the year before, and the family page names the
/// date beside the choice.
fn school_year_end(day: Date) -> Date {
    let end = date(day.year(), 8, 31);
    if day <= end { end } else { date(day.year() + 1, 8, 31) }
}

/// The first guardian with the caller's address who has not confirmed: parents may share a mailbox.
fn next_to_confirm<'a>(
    connection: &Connection,
    id: i64,
    own: &'a [Guardian],
) -> Result<Option<&'a Guardian>> {
    let by_guardian = confirmations::is_by_guardian("e");
    let sql = format!(
        "select {by_guardian} from enrollments e cross join guardians u where e.id = :id and u.id = :guardian_id"
    );
    for guardian in own {
        let has: bool = connection.one(&sql, params![id, guardian_id = guardian.id])?;
        if !has {
            return Ok(Some(guardian));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_school_year_ends_with_august() {
        for (day, end) in [
            ("2026-09-01", "2027-08-31"),
            ("2027-02-01", "2027-08-31"),
            ("2027-08-31", "2027-08-31"),
            ("2027-09-01", "2028-08-31"),
        ] {
            let [day, end]: [Date; 2] = [day, end].map(|text| text.parse().unwrap());
            assert_eq!(school_year_end(day), end, "{day}");
        }
    }
}
