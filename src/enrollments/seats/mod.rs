//! The seats of a course. An enrollment in a section takes one of the section's, as long as it is active or one is kept
//! for it. The others have own dates and take the course's: a seat is taken from the first to the last day of an active
//! enrollment, or of one that a seat is kept for, and after a withdrawal until the day before it takes effect; an
//! enrollment that has ended takes none, even while its mark is missing. So how many are taken depends on the days: a
//! class is full for a request when on some day of it, from today on, all seats are taken.

pub mod by_section;
pub mod sections;
pub mod waitlist;

use std::sync::LazyLock;

use jiff::Timestamp;
use jiff::civil::Date;
use rusqlite::Connection;

use crate::base::error::Result;
use crate::enrollments::Enrollment;
use crate::storage::statements::{Statements, params};
use crate::web::id::Numbered;

/// The enrollments `o` that may take a seat, from an index of nothing else.
const TAKERS: &str = "enrollments o indexed by enrollments_taken";
/// Which these are: the condition of the index, word for word.
const MAY_TAKE: &str = "(o.section_id is null and (o.status in ('active', 'waitlisted')
                          or (o.status = 'withdrawn' and o.withdrawn_on > o.start_date)))";

/// Condition: `o` takes a seat of the course `c` on this day or on one after it. It takes `:now`.
fn takes_from(day: &str) -> String {
    format!(
        "{MAY_TAKE} and o.course_id = c.id and o.end_date >= {day}
             and case o.status when 'active' then 1 when 'waitlisted' then o.offered_until > :now
                 else o.withdrawn_on > {day} end"
    )
}

/// Seats of the course `c` taken on a day; `but` adds conditions.
fn taken_on(day: &str, but: &str) -> String {
    format!("(select count(*) from {TAKERS} where {} and o.start_date <= {day} {but})", takes_from(day))
}

/// Capacity that holds for the enrollment `e` in the course `c`: its section's, else the course's; null means unlimited.
pub const CAPACITY: &str =
    "iif(e.section_id is null, c.capacity, (select x.capacity from sections x where x.id = e.section_id))";

/// The same as [`FULL`] for an enrollment in a section, whose seats its active enrollments take, and those that one is
/// kept for.
static SECTION_FULL: LazyLock<String> = LazyLock::new(|| {
    let others = |status: &str| {
        format!(
            "(select count(*) from enrollments o indexed by enrollments_section
              where o.section_id = e.section_id and o.status = {status} and o.id <> e.id)"
        )
    };
    format!(
        "exists (select 1 from sections x where x.id = e.section_id and x.capacity <= {} + {})",
        others("'active'"),
        others("'waitlisted' and o.offered_until > :now")
    )
});

/// A condition: the class of the course `c` is full for the enrollment `e`, not counting its own seat. It takes
/// `:today` and `:now`.
pub static FULL: LazyLock<String> = LazyLock::new(|| {
    let others = format!(
        "{} and o.start_date <= e.end_date and e.end_date >= :today and o.id <> e.id",
        takes_from("max(e.start_date, :today)")
    );
    // Most classes have fewer students in total than seats, so no day needs checking. A class becomes fuller only on a
    // start date.
    format!(
        "case when e.section_id is not null then {}
              when c.capacity is null then 0
              when (select count(*) from {TAKERS} where {others}) < c.capacity then 0
              else exists (select 1 from (select distinct max(o.start_date, e.start_date, :today) as day
                               from {TAKERS} where {others})
                           where {} >= c.capacity) end",
        *SECTION_FULL,
        taken_on("day", "and o.id <> e.id")
    )
});

/// Number of seats of the course `c` that are taken today. It takes `:today` and `:now`.
pub static TODAY: LazyLock<String> = LazyLock::new(|| taken_on(":today", ""));

/// The most seats of the course `c` that are taken on one day from today on, and the first such day: columns
/// `taken` and `day` of one row at most. It takes `:today` and `:now`.
pub static FULLEST: LazyLock<String> = LazyLock::new(|| {
    format!(
        "(select day, {} as taken
          from (select distinct max(o.start_date, :today) as day
                from {TAKERS} where {})
          order by taken desc, day limit 1)",
        taken_on("day", ""),
        takes_from(":today")
    )
});

/// Whether the class of an enrollment is full for its dates, not counting its own seat.
///
/// # Errors
/// 404 when there is no such enrollment.
pub fn is_full(connection: &Connection, id: i64, today: Date, now: Timestamp) -> Result<bool> {
    let sql =
        format!("select {} from enrollments e join courses c on c.id = e.course_id where e.id = :id", *FULL);
    connection.find(&sql, params![id, today, now = now.as_second()])?.ok_or_else(Enrollment::not_found)
}

/// Whether the class of an enrollment has a limit of seats.
///
/// # Errors
/// 404 when there is no such enrollment.
pub fn is_limited(connection: &Connection, id: i64) -> Result<bool> {
    let sql = format!(
        "select {CAPACITY} is not null from enrollments e join courses c on c.id = e.course_id where e.id = :id"
    );
    connection.find(&sql, params![id])?.ok_or_else(Enrollment::not_found)
}

#[cfg(test)]
mod tests {
    use jiff::ToSpan as _;

    use super::*;
    use crate::storage::db;

    const NOW: i64 = 1_000_000;
    const FIRST: &str = "2026-09-01";

    /// An enrollment in the test's model.
    struct Stay {
        course_id: i64,
        start: Date,
        end: Date,
        status: &'static str,
        offered_until: Option<i64>,
        withdrawn_on: Option<Date>,
    }

    impl Stay {
        fn draw(random: &mut fastrand::Rng, first: Date) -> Self {
            let start = first.saturating_add(random.i64(0..40).days());
            let end = start.saturating_add(random.i64(1..25).days());
            let states = ["active", "active", "active", "waitlisted", "withdrawn", "pending", "completed"];
            let status = states[random.usize(..states.len())];
            let is_offered = status == "waitlisted" && random.bool();
            let offered_until = is_offered.then(|| NOW + random.i64(-1..2));
            let left = start.saturating_add(random.i64(-3..30).days());
            let withdrawn_on = (status == "withdrawn").then_some(left);
            Self { course_id: random.i64(1..3), start, end, status, offered_until, withdrawn_on }
        }

        fn takes(&self, course_id: i64, day: Date) -> bool {
            let has_seat = self.status == "active"
                || self.offered_until.is_some_and(|until| until > NOW)
                || self.withdrawn_on.is_some_and(|left| day < left);
            has_seat && self.course_id == course_id && self.start <= day && day <= self.end
        }
    }

    fn school(connection: &Connection, stays: &[Stay], capacity: i64) {
        let sql =
            "insert into courses (id, code, name, description, grade, course_type, capacity, created_at,
                updated_at)
            values (1, 'ENG4U', 'English', 'A course with seats.', 12, 'University', :capacity, 0, 0),
                (2, 'MHF4U', 'Functions', 'A course with seats.', 12, 'University', :capacity, 0, 0)";
        connection.run(sql, params![capacity]).unwrap();
        for (id, stay) in (1..).zip(stays) {
            let id: i64 = id;
            let sql = "insert into students (id, email, password_hash, created_at, updated_at)
                values (:id, 'student' || :id || '@mail.example', 'x', 0, 0)";
            connection.run(sql, params![id]).unwrap();
            let sql = "insert into enrollments (id, student_id, course_id, start_date, end_date, status,
                    offered_until, withdrawn_on, created_at)
                values (:id, :id, :course_id, :start, :end, :status, :offered_until, :withdrawn_on, 0)";
            let Stay { course_id, start, end, status, offered_until, withdrawn_on } = stay;
            let values = params![id, course_id, start, end, status, offered_until, withdrawn_on];
            connection.run(sql, values).unwrap();
        }
    }

    #[test]
    fn taken_seats_equal_a_count_of_every_day() {
        let folder = tempfile::tempdir().unwrap();
        let connection = db::open(&folder.path().join("school.db")).unwrap();
        let first: Date = FIRST.parse().unwrap();
        let now = Timestamp::from_second(NOW).unwrap();
        let mut full = 0;
        let mut free = 0;
        for seed in 0..300 {
            let mut random = fastrand::Rng::with_seed(seed);
            let stays: Vec<_> = (0..random.usize(1..14)).map(|_| Stay::draw(&mut random, first)).collect();
            let capacity = random.i64(1..4);
            let today = first.saturating_add(random.i64(0..50).days());
            connection.execute_batch("begin").unwrap();
            school(&connection, &stays, capacity);
            for (id, own) in (1..).zip(&stays) {
                let others = |day: &Date| {
                    let other =
                        |(other, stay): &(i64, &Stay)| *other != id && stay.takes(own.course_id, *day);
                    (1..).zip(&stays).filter(other).count()
                };
                let days = own.start.max(today).series(1.day()).take_while(|day| *day <= own.end);
                let expected = days.map(|day| others(&day)).max().unwrap_or(0) >= capacity as usize;
                assert_eq!(is_full(&connection, id, today, now).unwrap(), expected, "seed {seed}, {id}");
                if expected { full += 1 } else { free += 1 }
            }
            for course in [1, 2] {
                let sql = format!(
                    "select (select taken from {}) as taken, (select day from {0}) as day, {} as today
                     from courses c where c.id = :course",
                    *FULLEST, *TODAY
                );
                let values = params![course, today = today.to_string(), now = NOW];
                let (taken, day, now): (Option<i64>, Option<String>, i64) =
                    connection.one(&sql, values).unwrap();
                let days: Vec<Date> = today.series(1.day()).take(100).collect();
                let count = |day: Date| stays.iter().filter(|one| one.takes(course, day)).count();
                // Of equal days the last that is looked at, which is the earliest.
                let counted = days.into_iter().rev().map(|day| (day, count(day)));
                let max = counted.max_by_key(|(_, taken)| *taken).filter(|(_, taken)| *taken > 0);
                let max = max.map(|(day, taken)| (taken as i64, day.to_string()));
                assert_eq!(taken.zip(day), max, "seed {seed}, course {course}");
                assert_eq!(now, count(today) as i64, "seed {seed}, course {course}");
            }
            connection.execute_batch("rollback").unwrap();
        }
        assert!(full > 100 && free > 100, "{full} full, {free} free: the test looks at both");
    }
}
