//! Requests that wait for the demo's office, and those that failed.

use jiff::SignedDuration;

use super::names::{StudentIndex, newcomers, regulars, with};
use super::papers;
use super::plan::{Code, Days, LENGTH, Plan};
use super::sample::AccountState;
use super::schedule;
use crate::base::error::Result;
use crate::enrollments::decisions::decline::DeclineCode;

/// Courses that students of a grade request in addition.
fn courses(grade: usize) -> &'static [Code] {
    match grade {
        9 => &["ADA1O", "AVI1O", "BEM1O", "HFN1O", "TAS1O", "GLS1O"],
        10 => &["AVI2O", "BEP2O", "CHV2O", "GLC2O", "HFN2O", "PPL2O"],
        11 => &["BAF3M", "CLU3M", "HSP3U", "ICS3U", "TEJ3M", "FSF3U"],
        _ => &["MCV4U", "SCH4U", "EWC4U", "HHS4U", "HZT4U", "SES4U"],
    }
}

/// Days of the newcomers' requests in [`requests`].
const NEWCOMERS_ASKED: [i64; 14] = [-14, -13, -11, -10, -9, -8, -7, -6, -5, -4, -3, -2, -1, 0];
const REGULARS_ASKED: [i64; 13] = [-33, -30, -27, -25, -22, -17, -15, -10, -7, -5, -4, -1, 0];

/// 37 pending requests, besides the two for a full class.
pub fn requests(plan: &mut Plan) -> Result<()> {
    let mut askers = Vec::new();
    let newcomers = newcomers();
    let regulars = regulars();
    for asked in NEWCOMERS_ASKED {
        let (who, code) = plan.deal(&newcomers, courses)?;
        askers.push(Asker { who, asked });
        wait(plan, who, code, asked)?;
    }
    for asked in REGULARS_ASKED {
        let (who, code) = plan.deal(&regulars, courses)?;
        askers.push(Asker { who, asked });
        wait(plan, who, code, asked)?;
    }
    for (code, asked) in [("CHY4U", -34), ("ICS4U", -21), ("CHY4U", -16), ("ICS4U", -12)] {
        let who = plan.one_free(12, code)?;
        wait(plan, who, code, asked)?;
    }
    // Requests with a prerequisite that is completed, or being taken.
    for (before, code, asked) in [("MCR3U", "MHF4U", -23), ("MHF4U", "MCV4U", -12)] {
        let who = plan.one_after(before, code)?;
        wait(plan, who, code, asked)?;
    }
    for (who, (code, asked)) in
        with(AccountState::Bare).into_iter().zip([("ENG3U", -15), ("MCR3U", -6), ("CHC2D", -1)])
    {
        wait(plan, who, code, asked)?;
    }
    asked_again(plan)?;
    documents(plan, &askers)
}

fn wait(plan: &mut Plan, who: StudentIndex, code: Code, asked: i64) -> Result<usize> {
    let start = asked + plan.dice.between(18, 45);
    let section = schedule::next(&plan.calendar, code);
    plan.ask_for(who, code, Days { asked, start, end: start + LENGTH }, section)
}

/// A request declined for its dates and repeated with others.
fn asked_again(plan: &mut Plan) -> Result<()> {
    let code = "CHA3U";
    let who = plan.one_free(11, code)?;
    let words = "American History does not run over the summer. Please ask again for September or later.";
    decline(plan, who, code, -38, DeclineCode::Dates, words)?;
    wait(plan, who, code, -9).map(drop)
}

/// A student who asks for a course on a day.
#[derive(Clone, Copy)]
struct Asker {
    who: StudentIndex,
    asked: i64,
}

/// A third of the students have uploaded documents, some only part of them.
fn documents(plan: &mut Plan, askers: &[Asker]) -> Result<()> {
    let mut seen = Vec::new();
    for &Asker { who, asked } in askers {
        if seen.contains(&who) || seen.len() == 19 {
            continue;
        }
        seen.push(who);
        let at = plan.calendar.at_home(asked, &mut plan.dice)?;
        papers::upload(&mut plan.diary, who, at, seen.len() % 4 != 0);
        if asked < -8 {
            let at = plan.decided(asked)?;
            let case = seen.len();
            plan.diary.note(at, move |scene| scene.review_documents(who, case));
        }
    }
    Ok(())
}

fn decline(
    plan: &mut Plan,
    who: StudentIndex,
    code: Code,
    asked: i64,
    why: DeclineCode,
    words: &'static str,
) -> Result<()> {
    let start = asked + 20;
    let request = plan.ask(who, code, Days { asked, start, end: start + LENGTH })?;
    let at = plan.decided(asked)?;
    plan.then(request, at, move |scene| scene.decline(request, why, words));
    Ok(())
}

const DECLINED: [(i64, DeclineCode, &str); 6] = [
    (-81, DeclineCode::ClassFull, "This class is full for the term. The next one begins in February."),
    (-64, DeclineCode::PrerequisiteMissing, "The course that comes before this one is not completed yet."),
    (-47, DeclineCode::DocumentsMissing, "We are still waiting for the transcript of your last school."),
    (-33, DeclineCode::Dates, "The course does not run in these months. Please choose other dates."),
    (-20, DeclineCode::PrerequisiteMissing, "Please complete the grade 10 course first, then ask again."),
    (
        -10,
        DeclineCode::Other,
        "You asked for six courses at once. Please write to us which four matter most.",
    ),
];

/// Declined, withdrawn and ended enrollments.
pub fn came_to_nothing(plan: &mut Plan) -> Result<()> {
    let regulars = regulars();
    for (asked, why, words) in DECLINED {
        let (who, code) = plan.deal(&regulars, courses)?;
        decline(plan, who, code, asked, why, words)?;
    }
    for asked in [-58, -29, -13] {
        let (who, code) = plan.deal(&regulars, courses)?;
        let request = wait(plan, who, code, asked)?;
        let at = plan.calendar.at_home(asked + 2, &mut plan.dice)?;
        plan.then(request, at, move |scene| scene.take_back(request));
    }
    for (start, ended, mark, words) in [
        (-90, -41, Some(61), "Changed to another school in the middle of the term."),
        (-75, -18, Some(47), "Too many missed lessons; agreed with the family in a meeting."),
        (12, -2, None, "The family asked for it before the first day of the course."),
    ] {
        let (who, code) = plan.deal(&regulars, courses)?;
        let days = plan.days(start);
        let request = plan.take(who, code, days)?;
        let at = plan.calendar.at_work(ended, &mut plan.dice)?;
        if mark.is_none() {
            // Paid and never begun: a refund is due.
            let paid = at - SignedDuration::from_hours(24);
            plan.then(request, paid, move |scene| scene.pay_all_of(request));
        }
        plan.then(request, at, move |scene| scene.end(request, words, mark));
    }
    Ok(())
}
