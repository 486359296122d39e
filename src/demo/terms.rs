//! The demo's terms: completed and current courses.

use super::names::{StudentIndex, regulars, with};
use super::plan::{Code, Days, LENGTH, Plan};
use super::sample::AccountState;
use super::schedule;
use crate::base::error::Result;

/// Courses of a grade.
fn courses(grade: usize) -> &'static [Code] {
    match grade {
        9 => &["ENL1W", "MTH1W", "SNC1W", "CGC1W", "FSF1D", "PPL1O"],
        10 => &["ENG2D", "MPM2D", "SNC2D", "CHC2D", "ICD2O", "FSF2D"],
        11 => &["ENG3U", "MCR3U", "SCH3U", "SPH3U", "SBI3U", "CHW3M"],
        _ => &["ENG4U", "MHF4U", "SCH4U", "SPH4U", "MDM4U", "HSB4U", "PSK4U"],
    }
}

/// Courses of the year before; students in grade 9 were at another school.
fn courses_before(grade: usize) -> &'static [Code] {
    if grade > 9 { courses(grade - 1) } else { &[] }
}

/// Courses of two past terms with marks, four of them failed.
pub fn past(plan: &mut Plan) -> Result<()> {
    let regulars_all = regulars();
    let mut among = with(AccountState::Closed);
    among.extend(with(AccountState::Suspended));
    for number in 0..46 {
        let from = if number % 2 == 0 { -270 } else { -165 };
        let start = from + plan.dice.between(0, 10);
        let days = plan.days(start);
        let shut = among.get(number % 10).copied().filter(|_| number < 13);
        let (who, code) = plan.deal(&shut.map_or(regulars_all.clone(), |who| vec![who]), courses_before)?;
        let mark = match number {
            7 => 38,
            19 => 46,
            28 => 41,
            37 => 48,
            _ => plan.mark(),
        };
        complete(plan, who, code, days, mark)?;
    }
    Ok(())
}

fn complete(plan: &mut Plan, who: StudentIndex, code: Code, days: Days, mark: i64) -> Result<()> {
    let request = plan.take(who, code, days)?;
    let middle = plan.calendar.at_work(days.start + LENGTH / 2, &mut plan.dice)?;
    let guess = (mark + plan.dice.between(-7, 7)).clamp(30, 100);
    plan.then(request, middle, move |scene| scene.midterm(request, guess));
    let day = days.end + plan.dice.between(3, 7);
    let end = plan.calendar.at_work(day, &mut plan.dice)?;
    plan.then(request, end, move |scene| scene.complete(request, mark, None));
    if mark == 48 {
        let at = plan.calendar.at_work(day + 9, &mut plan.dice)?;
        let reason = "A late assignment was marked after the term had ended.";
        plan.then(request, at, move |scene| scene.complete(request, 52, Some(reason)));
    }
    Ok(())
}

/// First and last start day, number of courses, and percentage with a midterm mark.
type StartDates = (i64, i64, usize, i64);

const RUNNING: [StartDates; 5] = [
    // Past their last day, without a final mark.
    (-138, -123, 6, 100),
    // They end within two weeks.
    (-118, -108, 9, 100),
    // In the middle.
    (-78, -52, 35, 60),
    // Just begun.
    (-20, -3, 11, 0),
    // Approved, not started.
    (7, 30, 5, 0),
];

/// Current courses.
pub fn current(plan: &mut Plan) -> Result<()> {
    let regulars = regulars();
    let mut running = Vec::new();
    for (earliest, latest, count, marked) in RUNNING {
        for _ in 0..count {
            let (who, code) = plan.deal(&regulars, courses)?;
            let start = plan.dice.between(earliest, latest);
            let days = plan.days(start);
            // Those in the middle of a course are in its section of the term.
            let section =
                if marked == 60 { schedule::begun(&plan.calendar, code, running.len()) } else { None };
            let request = plan.ask_for(who, code, days, section)?;
            plan.approve(request, days)?;
            running.push((request, days));
            if plan.dice.chance(marked) {
                let at = plan.calendar.at_work(start + 48, &mut plan.dice)?;
                let mark = plan.mark();
                plan.then(request, at, move |scene| scene.midterm(request, mark));
            }
        }
    }
    for who in with(AccountState::Suspended) {
        let days = plan.days(-70);
        plan.take(who, "ENG4U", days)?;
    }
    unpriced(plan)?;
    asked_to_leave(plan, running[20].0, running[27].0)?;
    let (request, days) = running[63];
    moved(plan, request, days)
}

/// One course had no price when it was approved.
fn unpriced(plan: &mut Plan) -> Result<()> {
    let code = "HFC3M";
    let who = plan.one_free(11, code)?;
    let days = plan.days(-25);
    plan.take(who, code, days).map(drop)
}

fn asked_to_leave(plan: &mut Plan, one: usize, other: usize) -> Result<()> {
    let at = plan.calendar.at_home(-3, &mut plan.dice)?;
    let words = "We are moving to Winnipeg in January and I cannot finish the course here.";
    plan.then(one, at, move |scene| scene.ask_to_leave(one, words));
    let at = plan.calendar.at_home(-1, &mut plan.dice)?;
    let words = "Five courses are too many for me this term. I would like to take this one in spring.";
    plan.then(other, at, move |scene| scene.ask_to_leave(other, words));
    Ok(())
}

fn moved(plan: &mut Plan, request: usize, days: Days) -> Result<()> {
    let at = plan.calendar.at_work(-2, &mut plan.dice)?;
    let start = plan.calendar.day(days.start + 7);
    let end = plan.calendar.day(days.end + 7);
    let words = "The teacher is away in the first week, so the course begins a week later than planned.";
    plan.then(request, at, move |scene| scene.move_to(request, start, end, words));
    Ok(())
}
