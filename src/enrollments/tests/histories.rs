//! Thousands of random histories of actions by the office, students and the clock: no enrollment reaches a state
//! outside the transition table, no event is lost, nothing is charged twice, and no class exceeds its capacity.

use std::sync::Arc;

use jiff::civil::Date;
use jiff::{SignedDuration, Timestamp, ToSpan as _};
use rusqlite::Connection;

use crate::audit::Actor;
use crate::base::error::{Error, Result};
use crate::base::money::Money;
use crate::base::zone_rules;
use crate::config::Config;
use crate::courses::{self, Course};
use crate::decisions;
use crate::enrollments::decisions::decline::DeclineCode;
use crate::enrollments::decisions::{
    Approve, Complete, DecisionContext, Decline, Enroll, Explanation, Midterm, Refund, Reschedule, Withdraw,
};
use crate::enrollments::requests::own;
use crate::enrollments::requests::prices::QuoteTerms;
use crate::enrollments::requests::rules::NewEnrollment;
use crate::enrollments::seats::waitlist::{self, WaitlistContext};
use crate::enrollments::status::EnrollmentStatus::{
    self, Active, Completed, Declined, Pending, Waitlisted, Withdrawn,
};
use crate::enrollments::store;
use crate::enrollments::verb::Verb;
use crate::staff::context::StaffContext;
use crate::storage::db;
use crate::storage::statements::{Statements, params};

const HISTORIES: u64 = 2000;
const STEPS: usize = 25;
/// Checked only every few steps, since events are never deleted and errors persist.
const LOOKED_AT_EVERY: usize = 5;
const STUDENTS: i64 = 4;
const WHY: &str = "For the sake of this test.";

/// The verbs, and which states they lead from and to; undoing leads back from where one of them led.
const LEGAL: &[(Verb, &[Option<EnrollmentStatus>], EnrollmentStatus)] = &[
    (Verb::Request, &[None], Pending),
    (Verb::Enroll, &[None], Pending),
    (Verb::Approve, &[Some(Pending), Some(Waitlisted)], Active),
    (Verb::Decline, &[Some(Pending), Some(Waitlisted)], Declined),
    (Verb::Waitlist, &[Some(Pending)], Waitlisted),
    (Verb::OfferPlace, &[Some(Waitlisted)], Waitlisted),
    (Verb::AcceptPlace, &[Some(Waitlisted)], Active),
    (Verb::DeclinePlace, &[Some(Waitlisted)], Withdrawn),
    (Verb::Lapse, &[Some(Waitlisted)], Withdrawn),
    (Verb::Withdraw, &[Some(Pending), Some(Waitlisted), Some(Active)], Withdrawn),
    (Verb::AskToLeave, &[Some(Active)], Active),
    (Verb::Stay, &[Some(Active)], Active),
    (Verb::RefuseLeave, &[Some(Active)], Active),
    (Verb::Midterm, &[Some(Active)], Active),
    (Verb::Complete, &[Some(Active)], Completed),
    (Verb::CorrectMark, &[Some(Completed)], Completed),
    (Verb::Reopen, &[Some(Declined)], Pending),
    (Verb::Reopen, &[Some(Completed)], Active),
    (Verb::ReverseApproval, &[Some(Active)], Pending),
    (Verb::ChangeDates, &[Some(Pending)], Pending),
    (Verb::ChangeDates, &[Some(Waitlisted)], Waitlisted),
    (Verb::ChangeDates, &[Some(Active)], Active),
];

/// A school of two courses, one of them with two seats, and what has happened in it so far.
struct History<'a> {
    connection: &'a Connection,
    random: fastrand::Rng,
    config: Arc<Config>,
    now: Timestamp,
    courses: Vec<Course>,
    decisions: Vec<String>,
    told: Vec<String>,
}

impl History<'_> {
    fn terms(&self) -> QuoteTerms {
        let zone = zone_rules::IN_FORCE.zone("America/Toronto").unwrap();
        QuoteTerms { days: 30, today: self.now.to_zoned(zone.clone()).date(), zone }
    }

    fn office(&self) -> DecisionContext {
        let actor = Actor::staff(1, "office");
        let config = self.config.clone();
        let terms = self.terms();
        let staff = StaffContext { user_id: 1, actor, config, now: self.now, today: terms.today };
        DecisionContext { staff, terms }
    }

    /// Running, past and future dates.
    fn dates(&mut self, course_id: i64) -> NewEnrollment {
        let start = self.terms().today.saturating_add(self.random.i64(-60..60).days());
        let end_date = start.saturating_add(self.random.i64(10..120).days());
        NewEnrollment { course_id, section_id: None, start_date: start, end_date }
    }

    /// No class has more students on a day to come than it has seats: counted day by day.
    fn check_seats(&self) {
        let today = self.terms().today;
        let sql =
            "select start_date, min(end_date, iif(status = 'withdrawn', date(withdrawn_on, '-1 day'), end_date))
                 as end_date, capacity
             from enrollments e join courses c on c.id = e.course_id
             where capacity is not null and (status in ('active', 'withdrawn') or offered_until is not null)";
        let taken: Vec<(Date, Date, i64)> = self.connection.list(sql, []).unwrap();
        for day in today.series(1.day()).take(180) {
            let there = taken.iter().filter(|(start, end, _)| (*start..=*end).contains(&day)).count() as i64;
            assert!(taken.iter().all(|(.., capacity)| there <= *capacity), "{day}: {:#?}", self.told);
        }
    }

    /// Any enrollment, existing or not.
    fn some_enrollment(&mut self) -> i64 {
        let max: i64 = self.connection.one("select coalesce(max(id), 1) from enrollments", []).unwrap();
        self.random.i64(1..=max)
    }

    /// Tries an action in a savepoint, like the writer; a refusal must leave no trace.
    fn step(&mut self) {
        let what = self.random.u32(0..22);
        let before = trace(self.connection);
        let terms = self.terms();
        let config = self.config.clone();
        let context = WaitlistContext { config: &config, terms: &terms, now: self.now };
        let id = self.some_enrollment();
        let done =
            db::in_savepoint(self.connection, |connection| self.attempt(connection, what, id, &context));
        self.told.push(format!(
            "{what} on {id}: {}",
            match &done {
                Ok(words) => words.clone(),
                Err(error) => format!("refused, {error}"),
            }
        ));
        match done {
            Ok(_) => assert!(trace(self.connection) >= before, "{:#?}", self.told),
            Err(error) if error.status().is_client_error() => {
                assert_eq!(trace(self.connection), before, "{:#?}", self.told);
            }
            Err(error) => panic!("{error:?} after {:#?}", self.told),
        }
    }

    fn attempt(
        &mut self,
        connection: &Connection,
        what: u32,
        id: i64,
        context: &WaitlistContext<'_>,
    ) -> Result<String> {
        let office = self.office();
        let status = store::find(connection, id).ok().map(|enrollment| enrollment.status);
        let known = || status.ok_or_else(|| Error::NotFound("none".into()));
        let explain = Explanation { reason: WHY.into(), expected: None };
        let decided = match what {
            0..=4 => {
                let course = self.random.choice(&self.courses).unwrap().clone();
                let student = self.random.i64(1..=STUDENTS);
                let new = self.dates(course.id);
                if what > 0 {
                    store::request(connection, student, &new, &course, self.now)?;
                    return Ok("requested".into());
                }
                let price = self.random.bool().then_some(Money::from_cents(12_300));
                let is_active = self.random.bool();
                let reason = WHY.to_owned();
                let overrides = vec![];
                office.enroll(
                    connection,
                    &Enroll { student_id: student, new, price, is_active, reason, overrides },
                )?
            }
            5..=7 => office.approve(connection, id, &Approve::default(), None)?,
            8 => {
                let decline = Decline { words: WHY.into(), code: DeclineCode::Other, expected: None };
                office.decline(connection, id, &decline, None)?
            }
            9 | 10 => office.waitlist(connection, id, None, None)?,
            11 => {
                let refund =
                    *self.random.choice([None, Some(Refund::Full), Some(Refund::None)].iter()).unwrap();
                let effective_on = context.terms.today.saturating_add(self.random.i64(0..40).days());
                let withdraw =
                    Withdraw { effective_on, reason: WHY.into(), mark: Some(61), refund, expected: None };
                office.withdraw(connection, id, &withdraw)?
            }
            12 => {
                let final_mark = self.random.i64(0..=100);
                office.complete(
                    connection,
                    id,
                    &Complete { final_mark, reason: Some(WHY.into()), mails_reason: false, expected: None },
                    None,
                )?
            }
            13 => office.reopen(connection, id, &explain)?,
            14 => office.reverse_approval(connection, id, &explain)?,
            15 => {
                let NewEnrollment { start_date, end_date, .. } = self.dates(1);
                office.change_dates(
                    connection,
                    id,
                    &Reschedule {
                        start_date,
                        end_date,
                        reason: WHY.into(),
                        expected: None,
                        overrides: vec![],
                        fee: None,
                    },
                )?
            }
            16 => office.refuse_leave(connection, id, &explain)?,
            17 => {
                let midterm = Midterm { mark: Some(self.random.i64(0..=100)), on: context.terms.today };
                office.midterm(connection, id, &midterm)?;
                return Ok("midterm".into());
            }
            18 => {
                match self.random.u8(0..5) {
                    0 => own::withdraw(connection, id, known()?, context)?,
                    1 => own::accept(connection, id, known()?, context)?,
                    2 => own::refuse_place(connection, id, known()?, context)?,
                    3 => own::leave(connection, id, known()?, WHY, context)?,
                    _ => own::stay(connection, id, known()?, context)?,
                }
                return Ok("by the student".into());
            }
            19 | 20 => {
                let Some(decision) = self.random.choice(&self.decisions).cloned() else {
                    return Ok("nothing to undo".into());
                };
                decisions::undo_each(connection, &decision, |connection, one| office.undo(connection, one))?;
                let left = "select count(*) from outbox where decision_id = :id";
                let left: i64 = connection.one(left, params![id = decision])?;
                assert_eq!(left, 0, "an email of what was undone");
                return Ok(format!("undid {decision}"));
            }
            _ => return self.let_time_pass(connection, context),
        };
        if let Some(undo) = &decided.undo {
            self.decisions.push(undo.id.clone());
        }
        Ok(format!("{:?}", decided.undo.map(|undo| undo.id)))
    }

    fn let_time_pass(&mut self, connection: &Connection, context: &WaitlistContext<'_>) -> Result<String> {
        let seconds = *self.random.choice([10, 90, 86_400, 5 * 86_400].iter()).unwrap();
        self.now += SignedDuration::from_secs(seconds);
        let terms = self.terms();
        let context = WaitlistContext { terms: &terms, now: self.now, ..*context };
        let events = || -> i64 {
            let sql = "select count(*) from enrollment_events";
            connection.one(sql, []).unwrap()
        };
        let before = events();
        let is_to_move = waitlist::is_to_move(connection, &context)?;
        waitlist::move_on_with(connection, &context)?;
        assert_eq!(events() > before, is_to_move, "{:#?}", self.told);
        assert!(!waitlist::is_to_move(connection, &context)?, "{:#?}", self.told);
        Ok(format!("{seconds} seconds passed"))
    }

    fn check(&self) {
        let broken = |sql: &str| {
            let count: i64 = self.connection.one(sql, []).unwrap();
            assert_eq!(count, 0, "{sql}\n{:#?}", self.told);
        };
        // The row is what its last event says, and each event begins where the one before ended.
        broken(
            "select count(*) from enrollments e where status is not
                 (select to_status from enrollment_events v where v.enrollment_id = e.id order by id desc limit 1)",
        );
        broken(
            "select count(*) from (select from_status,
                 lag(to_status) over (partition by enrollment_id order by id) as before from enrollment_events)
             where from_status is not before",
        );
        // A course is open once for a student.
        broken(
            "select count(*) from (select 1 from enrollments where status in ('pending', 'active', 'waitlisted')
             group by student_id, course_id having count(*) > 1)",
        );
        // At most one charge stands; on what is active it is the price, on what never began there is none.
        broken(
            "with standing as (
                 select e.id, e.status, coalesce(e.charged_price_cents, 0) as price,
                     (select coalesce(sum(amount_cents), 0) from ledger l where l.enrollment_id = e.id
                         and kind = 'charge' and not exists (select 1 from ledger r where r.reverses_id = l.id)) as due
                 from enrollments e)
             select count(*) from standing where case status
                 when 'active' then due <> price
                 when 'withdrawn' then due not in (0, price)
                 when 'completed' then due <> price
                 else due <> 0 or price <> 0 end",
        );
        self.check_seats();
        broken("select count(*) from enrollments where offered_until is not null and status <> 'waitlisted'");
        broken("select count(*) from enrollments where leave_asked_at is not null and status <> 'active'");
        broken(
            "select count(*) from enrollments where (status = 'completed') <> (credits_hundredths is not null)",
        );
        let sql = "select v.verb, v.from_status, v.to_status, u.from_status, u.to_status
            from enrollment_events v left join enrollment_events u on u.id = v.undoes_id";
        let events: Vec<RecordedTransition> = self.connection.list(sql, []).unwrap();
        for (verb, from, to, was_from, was_to) in events {
            let is_legal = if verb == Verb::Undo {
                was_to.is_some() && from == was_to && to == was_from.unwrap_or(Withdrawn)
            } else {
                LEGAL
                    .iter()
                    .any(|(legal, froms, leads)| *legal == verb && froms.contains(&from) && *leads == to)
            };
            assert!(is_legal, "{verb:?} from {from:?} to {to:?}: {:#?}", self.told);
        }
    }
}

/// A transition, with the states of the one that it undoes.
type RecordedTransition =
    (Verb, Option<EnrollmentStatus>, EnrollmentStatus, Option<EnrollmentStatus>, Option<EnrollmentStatus>);

/// Counts of rows that must never be lost.
fn trace(connection: &Connection) -> (i64, i64, i64) {
    let sql = "select (select count(*) from enrollment_events), (select count(*) from ledger),
        (select count(*) from audit)";
    connection.one(sql, []).unwrap()
}

fn school(connection: &Connection) -> Vec<Course> {
    connection
        .execute_batch(
            "insert into users (id, username, email, password_hash, role, created_at)
             values (1, 'office', 'office@mail.example', 'x', 'admin', 0);
             with recursive n(i) as (select 1 union all select i + 1 from n where i < 4)
             insert into students (id, email, password_hash, status, full_name, created_at, updated_at)
             select i, 'student' || i || '@mail.example', 'x', 'active', 'Student ' || i, 0, 0 from n;
             insert into courses (id, code, name, description, grade, course_type, price_cents, capacity,
                 created_at, updated_at)
             values (1, 'ENG4U', 'English', 'A course with seats.', 12, 'University', 50000, 2, 0, 0),
                 (2, 'MHF4U', 'Functions', 'A course without a limit.', 12, 'University', null, null, 0, 0)",
        )
        .unwrap();
    courses::store::list(connection).unwrap()
}

#[test]
fn no_history_leads_to_an_illegal_state_a_lost_event_or_a_second_charge() {
    let folder = tempfile::tempdir().unwrap();
    let connection = db::open(&folder.path().join("school.db")).unwrap();
    let courses = school(&connection);
    let mut config = Config::default();
    config.office.undo_seconds = 60;
    let config = Arc::new(config);
    for seed in 0..HISTORIES {
        connection.execute_batch("begin").unwrap();
        let mut history = History {
            connection: &connection,
            random: fastrand::Rng::with_seed(seed),
            config: config.clone(),
            now: "2026-11-21T15:00:00Z".parse().unwrap(),
            courses: courses.clone(),
            decisions: Vec::new(),
            told: vec![format!("seed {seed}")],
        };
        for step in 1..=STEPS {
            history.step();
            if step % LOOKED_AT_EVERY == 0 {
                history.check();
            }
        }
        connection.execute_batch("rollback").unwrap();
    }
}
