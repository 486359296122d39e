//! Credits of the demo's students from other schools, recorded by the registrar.

use jiff::civil::Date;
use serde_json::{Value, json};

use super::form;
use super::names::{StudentIndex, with};
use super::plan::Plan;
use super::sample::{AccountState, SAMPLE};
use super::scene::Scene;
use crate::base::error::Result;
use crate::enrollments::credits::{self, CreditFacts, NewExternalCredit};

/// Courses completed in the last year at the previous school, by grade.
fn courses(grade: usize) -> &'static [(&'static str, &'static str)] {
    match grade {
        10 => &[("ENL1W", "English"), ("MTH1W", "Mathematics"), ("SNC1W", "Science")],
        11 => &[
            ("ENG2D", "English"),
            ("MPM2D", "Principles of Mathematics"),
            ("SNC2D", "Science"),
            ("CHC2D", "Canadian History since World War I"),
            ("FSF2D", "Core French"),
        ],
        12 => &[("ENG3U", "English"), ("MCR3U", "Functions"), ("SBI3U", "Biology")],
        _ => &[],
    }
}

/// A third of the students brought some courses; students from abroad get one row for each earlier year.
pub fn add(plan: &mut Plan) -> Result<()> {
    let there = |who: &StudentIndex| {
        plan.first_request(*who).filter(|asked| *asked < -5).map(|asked| (*who, asked + 3))
    };
    let known: Vec<(StudentIndex, i64)> = with(AccountState::Complete).iter().filter_map(there).collect();
    for (number, (who, day)) in known.into_iter().enumerate() {
        let is_from_abroad = SAMPLE.people[who].abroad.is_some();
        let member = &plan.members[who];
        let grade = member.grade;
        let school = member.profile["lastSchool"].as_str().unwrap_or("Example Heights Secondary School");
        let credit = |code: &str, name: &str, credits: usize, mark: Option<usize>, years: i16| {
            let completed_on = Date::constant(plan.calendar.day(day).year() - years, 6, 25);
            json!({ "code": code, "name": name, "credits": credits, "mark": mark, "completedOn": completed_on, "school": school })
        };
        let brought: Vec<Value> = if is_from_abroad {
            let years = (9..grade).map(|before| {
                let years = i16::try_from(grade - before).unwrap_or(1);
                let name = format!("Equivalent of grade {before}");
                credit(&format!("EQUIV{before}"), &name, 8, None, years)
            });
            years.collect()
        } else if number % 3 == 0 {
            let marks = (0..).map(|place| 62 + (number * 7 + place * 11) % 35);
            courses(grade)
                .iter()
                .zip(marks)
                .map(|((code, name), mark)| credit(code, name, 1, Some(mark), 1))
                .collect()
        } else {
            Vec::new()
        };
        let at = plan.calendar.at_work(day, &mut plan.dice)?;
        plan.diary.note(at, move |scene| scene.record_credits(who, brought));
    }
    Ok(())
}

impl Scene<'_> {
    fn record_credits(&self, who: StudentIndex, brought: Vec<Value>) -> Result<()> {
        let student = self.student(who)?;
        let user_id = self.team.registrar;
        let registrar = self.registrar();
        for credit in brought {
            let facts = CreditFacts::parse(&form::<NewExternalCredit>(credit)?, None, self.today())?;
            credits::record(self.connection, student, &facts, user_id, &registrar, self.now)?;
        }
        Ok(())
    }
}
