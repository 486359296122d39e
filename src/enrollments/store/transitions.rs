//! Every change of a row of `enrollments`, each with its event. Callers have checked the state.

use std::sync::LazyLock;

use jiff::Timestamp;
use jiff::civil::Date;
use rusqlite::Connection;

use super::{earlier, find};
use crate::audit::By;
use crate::base::clock::from_seconds;
use crate::base::error::{Error, Result};
use crate::base::money::Money;
use crate::courses::Course;
use crate::enrollments::decisions::{Midterm, Reschedule, Withdraw};
use crate::enrollments::events::Event;
use crate::enrollments::requests::rules::{self, EarlierEnrollment, NewEnrollment, Repeat};
use crate::enrollments::status::EnrollmentStatus;
use crate::enrollments::verb::Verb;
use crate::enrollments::{EnrolledCourse, Enrollment};
use crate::money::ledger::TransferPrice;
use crate::storage::statements::{NamedValue, Statements, params};
use crate::terms::{self, Section};

/// Stores a request as pending, at the course's price of today. An earlier completed or unsuccessful one is kept; the
/// new row refers to it.
///
/// # Errors
/// [`crate::base::error::Error::Conflict`] while an earlier request is open.
pub fn request(
    connection: &Connection,
    student_id: i64,
    new: &NewEnrollment,
    course: &Course,
    now: Timestamp,
) -> Result<Enrollment> {
    let event = Event::new(0, By::Student, Verb::Request, None, EnrollmentStatus::Pending);
    insert(connection, student_id, new, course, event, now)
}

/// As [`request`], with the event of the requester, whose enrollment id is filled in here.
///
/// # Errors
/// As [`request`].
pub fn insert(
    connection: &Connection,
    student_id: i64,
    new: &NewEnrollment,
    course: &Course,
    event: Event<'_>,
    now: Timestamp,
) -> Result<Enrollment> {
    let earlier = earlier(connection, student_id, &course.code)?;
    let repeated = may_request(connection, &earlier, course.id)?;
    let sql = "insert into enrollments (student_id, course_id, section_id, start_date, end_date, status,
            created_at, quoted_price_cents, quoted_at, repeat_of)
        values (:student_id, :course_id, :section_id, :start_date, :end_date, 'pending', :now,
            :price, iif(:price is null, null, :now), :repeat_of)";
    let values = params! {
        student_id, course_id = course.id, section_id = new.section_id,
        start_date = new.start_date, end_date = new.end_date, now = now.as_second(),
        price = course.price, repeat_of = repeated.map(|one| one.id),
    };
    let id = connection.insert(sql, values)?;
    Event { enrollment_id: id, ..event }.record(connection, now)?;
    let section = match new.section_id {
        Some(section_id) => terms::store::find(connection, section_id)?,
        None => None,
    };
    let section = section.map(|section| section.without_links().into());
    Ok(Enrollment { section, ..requested(id, new, course, repeated, now) })
}

/// A request as [`super::find`] would read it.
fn requested(
    id: i64,
    new: &NewEnrollment,
    course: &Course,
    repeated: Option<&EarlierEnrollment>,
    now: Timestamp,
) -> Enrollment {
    let completed = repeated.filter(|one| one.status == EnrollmentStatus::Completed);
    let now = from_seconds(now.as_second());
    let price = course.price;
    let name = course.name.clone();
    let code = course.code.as_str().to_owned();
    Enrollment {
        id,
        course_id: course.id,
        course: EnrolledCourse { name, code, grade: course.grade, credits: course.credits, price },
        status: EnrollmentStatus::Pending,
        start_date: new.start_date,
        end_date: new.end_date,
        quoted_price: price,
        quoted_at: price.map(|_| now),
        charged_price: None,
        repeat_of: repeated.map(|one| one.id),
        repeat: completed.map(|one| Repeat::of(one.mark)),
        repeated_mark: completed.and_then(|one| one.mark),
        better_attempt: None,
        requested_at: now,
        decided_at: None,
        reason: None,
        final_mark: None,
        withdrawn_on: None,
        waitlist_position: None,
        offered_until: None,
        leave_asked_at: None,
        leave_reason: None,
        midterm_mark: None,
        earned_credits: None,
        section: None,
        transferred_to: None,
        transferred_from: None,
        version: 1,
    }
}

/// Columns that transitions may change.
const CHANGING: [&str; 22] = [
    "status",
    "start_date",
    "end_date",
    "reason",
    "withdrawn_on",
    "final_mark",
    "decided_at",
    "approved_at",
    "decided_by",
    "quoted_price_cents",
    "quoted_at",
    "charged_price_cents",
    "waitlisted_at",
    "offered_until",
    "leave_asked_at",
    "leave_reason",
    "midterm_mark",
    "midterm_on",
    "mark_by",
    "mark_at",
    "credits_hundredths",
    "section_id",
];

/// The row as it is, for its event.
pub fn snapshot(connection: &Connection, id: i64) -> Result<String> {
    static SELECT: LazyLock<String> = LazyLock::new(|| {
        let pairs: Vec<_> = CHANGING.iter().map(|column| format!("'{column}', {column}")).collect();
        format!("select json_object({}) from enrollments where id = :id", pairs.join(", "))
    });
    connection.one(&SELECT, params![id])
}

/// Gives an enrollment what it was before a transition.
pub fn restore(connection: &Connection, undoing: Event<'_>, before: &str, now: Timestamp) -> Result<()> {
    static UPDATE: LazyLock<String> = LazyLock::new(|| {
        // Older events do not hold every column.
        let set = |column: &&str| {
            format!(
                "{column} = iif(json_type(:before, '$.{column}') is null, {column}, :before ->> '$.{column}')"
            )
        };
        let sets: Vec<_> = CHANGING.iter().map(set).collect();
        format!("update enrollments set {} where id = :id", sets.join(", "))
    });
    undoing.record(connection, now)?;
    connection.run(&UPDATE, params![id = undoing.enrollment_id, before])
}

/// Records the event, then changes the row; `sql` names what it sets, and `:id` and `:now`.
fn change(
    connection: &Connection,
    event: Event<'_>,
    sql: &str,
    bound: &[NamedValue<'_>],
    now: Timestamp,
) -> Result<()> {
    event.record(connection, now)?;
    let id = event.enrollment_id;
    let at = now.as_second();
    let own: [NamedValue<'_>; 3] = [(":id", &id), (":now", &at), (":status", &event.to)];
    let own = connection.named(sql, &own)?;
    connection.run(sql, &*[&*own, bound].concat())
}

/// Ends an unsuccessful request: withdrawn by its student, or lapsed.
pub fn close(connection: &Connection, event: Event<'_>, today: Date, now: Timestamp) -> Result<()> {
    let event = Event { effective_on: Some(today), ..event };
    change(
        connection,
        event,
        "update enrollments set status = :status, withdrawn_on = :today, decided_at = :now, decided_by = :user_id,
             reason = :reason, offered_until = null
         where id = :id",
        &[(":today", &today.to_string()), (":reason", &event.reason), (":user_id", &event.by.user_id())],
        now,
    )
}

/// Makes an enrollment active, at this price; `user_id` is `None` if its student accepted an offered place.
pub fn approve(
    connection: &Connection,
    event: Event<'_>,
    price: Option<Money>,
    user_id: Option<i64>,
    now: Timestamp,
) -> Result<()> {
    change(
        connection,
        event,
        "update enrollments set status = :status, decided_at = :now, approved_at = :now, decided_by = :user_id,
             charged_price_cents = :price, offered_until = null
         where id = :id",
        &[(":user_id", &user_id), (":price", &price)],
        now,
    )
}

/// Declines a request, with a reason that the student reads.
pub fn decline(
    connection: &Connection,
    event: Event<'_>,
    reason: &str,
    user_id: i64,
    now: Timestamp,
) -> Result<()> {
    change(
        connection,
        Event { reason: Some(reason), ..event },
        "update enrollments set status = :status, reason = :reason, decided_at = :now, decided_by = :user_id,
             offered_until = null
         where id = :id",
        &[(":reason", &reason), (":user_id", &user_id)],
        now,
    )
}

/// Adds a request to the end of the waiting list.
pub fn waitlist(connection: &Connection, event: Event<'_>, user_id: i64, now: Timestamp) -> Result<()> {
    change(
        connection,
        event,
        "update enrollments set status = :status, waitlisted_at = :now, decided_at = :now, decided_by = :user_id
         where id = :id",
        &[(":user_id", &user_id)],
        now,
    )
}

/// Reserves a free seat for the next student, with a new quote.
pub fn offer_place(
    connection: &Connection,
    event: Event<'_>,
    until: Timestamp,
    price: Option<Money>,
    now: Timestamp,
) -> Result<()> {
    change(
        connection,
        event,
        "update enrollments set offered_until = :until, quoted_price_cents = :price,
             quoted_at = iif(:price is null, null, :now)
         where id = :id",
        &[(":until", &until.as_second()), (":price", &price)],
        now,
    )
}

/// Ends an active enrollment from a day on.
pub fn end(
    connection: &Connection,
    event: Event<'_>,
    withdraw: &Withdraw,
    user_id: i64,
    now: Timestamp,
) -> Result<()> {
    let Withdraw { effective_on, reason, mark, .. } = withdraw;
    change(
        connection,
        Event { reason: Some(reason), effective_on: Some(*effective_on), mark: *mark, ..event },
        "update enrollments set status = :status, reason = :reason, withdrawn_on = :effective_on,
             final_mark = :mark, decided_at = :now, decided_by = :user_id, leave_asked_at = null
         where id = :id",
        &[
            (":reason", reason),
            (":effective_on", &effective_on.to_string()),
            (":mark", mark),
            (":user_id", &user_id),
        ],
        now,
    )
}

/// Completes an enrollment with its mark, or gives it another one; 50 earns the course's credit.
pub fn complete(
    connection: &Connection,
    event: Event<'_>,
    final_mark: i64,
    user_id: i64,
    now: Timestamp,
) -> Result<()> {
    change(
        connection,
        Event { mark: Some(final_mark), ..event },
        "update enrollments set status = :status, final_mark = :mark, mark_by = :user_id, mark_at = :now,
             decided_at = :now, decided_by = :user_id, leave_asked_at = null,
             credits_hundredths = iif(:mark >= :pass,
                 (select c.credits_hundredths from courses c where c.id = enrollments.course_id), 0)
         where id = :id",
        &[(":mark", &final_mark), (":user_id", &user_id), (":pass", &rules::PASS_MARK)],
        now,
    )
}

/// Notes the mark in the middle of a course.
pub fn midterm(
    connection: &Connection,
    event: Event<'_>,
    midterm: &Midterm,
    user_id: i64,
    now: Timestamp,
) -> Result<()> {
    let on = midterm.mark.map(|_| midterm.on.to_string());
    change(
        connection,
        Event { mark: midterm.mark, effective_on: Some(midterm.on), ..event },
        "update enrollments set midterm_mark = :mark, midterm_on = :on, mark_by = :user_id, mark_at = :now
         where id = :id",
        &[(":mark", &midterm.mark), (":on", &on), (":user_id", &user_id)],
        now,
    )
}

/// Opens what was ended; the mark is in its events.
pub fn reopen(
    connection: &Connection,
    event: Event<'_>,
    reason: &str,
    user_id: i64,
    now: Timestamp,
) -> Result<()> {
    change(
        connection,
        Event { reason: Some(reason), ..event },
        "update enrollments set status = :status, reason = null, final_mark = null, credits_hundredths = null,
             decided_at = :now, decided_by = :user_id
         where id = :id",
        &[(":user_id", &user_id)],
        now,
    )
}

/// Turns an active enrollment back into a request without charges.
pub fn reverse_approval(
    connection: &Connection,
    event: Event<'_>,
    reason: &str,
    user_id: i64,
    now: Timestamp,
) -> Result<()> {
    change(
        connection,
        Event { reason: Some(reason), ..event },
        "update enrollments set status = :status, reason = null, approved_at = null, charged_price_cents = null,
             decided_at = :now, decided_by = :user_id, leave_asked_at = null
         where id = :id",
        &[(":user_id", &user_id)],
        now,
    )
}

/// Moves a course to other days.
pub fn change_dates(
    connection: &Connection,
    event: Event<'_>,
    reschedule: &Reschedule,
    now: Timestamp,
) -> Result<()> {
    let start = reschedule.start_date.to_string();
    let end = reschedule.end_date.to_string();
    change(
        connection,
        Event { reason: Some(&reschedule.reason), effective_on: Some(reschedule.start_date), ..event },
        "update enrollments set start_date = :start, end_date = :end where id = :id",
        &[(":start", &start), (":end", &end)],
        now,
    )
}

/// Ends an enrollment whose student goes on elsewhere.
pub fn leave_for(
    connection: &Connection,
    event: Event<'_>,
    today: Date,
    user_id: i64,
    now: Timestamp,
) -> Result<()> {
    change(
        connection,
        Event { effective_on: Some(today), ..event },
        "update enrollments set status = :status, reason = :reason, withdrawn_on = :today, decided_at = :now,
             decided_by = :user_id, leave_asked_at = null
         where id = :id",
        &[(":reason", &event.reason), (":today", &today.to_string()), (":user_id", &user_id)],
        now,
    )
}

/// Cancels an active enrollment with its section.
pub fn cancel(connection: &Connection, event: Event<'_>, now: Timestamp) -> Result<()> {
    change(
        connection,
        event,
        "update enrollments set status = :status, reason = :reason, decided_at = :now, decided_by = :user_id,
             leave_asked_at = null
         where id = :id",
        &[(":reason", &event.reason), (":user_id", &event.by.user_id())],
        now,
    )
}

/// Gives a request another section, with its days and its price of today.
pub fn move_request(
    connection: &Connection,
    event: Event<'_>,
    to: &Section,
    price: Option<Money>,
    now: Timestamp,
) -> Result<()> {
    change(
        connection,
        event,
        "update enrollments set section_id = :section_id, start_date = :start_date, end_date = :end_date,
             quoted_price_cents = :price, quoted_at = iif(:price is null, null, :now), offered_until = null
         where id = :id",
        &[
            (":section_id", &to.id),
            (":start_date", &to.starts_on.to_string()),
            (":end_date", &to.ends_on.to_string()),
            (":price", &price),
        ],
        now,
    )
}

/// The decision that cancelled an enrollment with its section, and when.
pub fn cancelled_by(connection: &Connection, id: i64) -> Result<Option<(String, i64)>> {
    let sql = "select decision_id, at from enrollment_events
        where enrollment_id = :id and verb = 'cancel' and decision_id is not null order by id desc limit 1";
    connection.find(sql, params![id])
}

/// Which enrollment is transferred, and its new course, section and dates.
#[derive(Debug, Clone, Copy)]
pub struct Destination<'a> {
    /// The enrollment that has ended.
    pub from: i64,
    /// Its student.
    pub student_id: i64,
    /// The course.
    pub course: &'a Course,
    /// The section; none for own dates.
    pub section_id: Option<i64>,
    /// First day.
    pub start_date: Date,
    /// Last day.
    pub end_date: Date,
    /// What it costs.
    pub price: TransferPrice,
}

/// [`rules::may_request`], with the open enrollment as the row of the conflict.
fn may_request<'a>(
    connection: &Connection,
    earlier: &'a [EarlierEnrollment],
    course_id: i64,
) -> Result<Option<&'a EarlierEnrollment>> {
    rules::may_request(earlier, course_id)
        .or_else(|(id, words)| Err(Error::conflict(words, &find(connection, id)?)))
}

/// Stores the active enrollment that goes on in the place of another, which has ended; returns its number. Within the
/// same course it keeps the midterm mark.
///
/// # Errors
/// [`crate::base::error::Error::Conflict`] while the student has another open enrollment in the course.
pub fn go_on(connection: &Connection, to: &Destination<'_>, event: Event<'_>, now: Timestamp) -> Result<i64> {
    let Destination { from, student_id, .. } = *to;
    let earlier = earlier(connection, student_id, &to.course.code)?;
    may_request(connection, &earlier, to.course.id)?;
    let completed = earlier.iter().find(|one| one.status == EnrollmentStatus::Completed);
    let (is_new, price) = match to.price {
        TransferPrice::Kept => (false, None),
        TransferPrice::New(price, _) => (true, price),
    };
    let sql = "insert into enrollments (student_id, course_id, section_id, start_date, end_date, status, created_at,
            decided_at, approved_at, decided_by, quoted_price_cents, quoted_at, charged_price_cents, repeat_of,
            midterm_mark, midterm_on, mark_by, mark_at, transferred_from)
        select student_id, :course_id, :section_id, :start_date, :end_date, 'active', :now, :now, :now, :user_id,
            iif(:is_new, :price, quoted_price_cents), iif(:is_new, iif(:price is null, null, :now), quoted_at),
            iif(:is_new, :price, charged_price_cents), :repeat_of,
            iif(course_id = :course_id, midterm_mark, null), iif(course_id = :course_id, midterm_on, null),
            iif(course_id = :course_id, mark_by, null), iif(course_id = :course_id, mark_at, null), id
        from enrollments where id = :from";
    let values = params! {
        from, course_id = to.course.id, section_id = to.section_id, start_date = to.start_date.to_string(),
        end_date = to.end_date.to_string(), now = now.as_second(), user_id = event.by.user_id(),
        is_new, price, repeat_of = completed.map(|one| one.id),
    };
    let id = connection.insert(sql, values)?;
    Event { enrollment_id: id, ..event }.record(connection, now)?;
    Ok(id)
}

/// Forgets that an enrollment went on from another, after the transfer was undone.
pub fn forget_transfer(connection: &Connection, id: i64) -> Result<()> {
    connection.run("update enrollments set transferred_from = null where id = :id", params![id])
}

/// Notes that the student wants to leave the course.
pub fn ask_to_leave(connection: &Connection, event: Event<'_>, reason: &str, now: Timestamp) -> Result<()> {
    change(
        connection,
        Event { reason: Some(reason), ..event },
        "update enrollments set leave_asked_at = :now, leave_reason = :reason where id = :id",
        &[(":reason", &reason)],
        now,
    )
}

/// Notes that the student stays in the course.
pub fn forget_leave(connection: &Connection, event: Event<'_>, now: Timestamp) -> Result<()> {
    let sql = "update enrollments set leave_asked_at = null, leave_reason = null where id = :id";
    change(connection, event, sql, &[], now)
}

/// Notes the price of an active enrollment that had none.
pub fn set_charged_price(connection: &Connection, id: i64, price: Money) -> Result<()> {
    connection.run("update enrollments set charged_price_cents = :price where id = :id", params![id, price])
}
