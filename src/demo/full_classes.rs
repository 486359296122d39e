//! Two courses without a free seat, for each of which three students wait, one with an offered place; and a full section
//! of the next term, for which two wait.

use serde_json::json;

use super::plan::{Code, Days, LENGTH, Plan};
use super::scene::Scene;
use super::schedule::{self, FULL};
use super::staff::OFFICE;
use crate::audit::{self, Actor};
use crate::base::error::Result;
use crate::base::money::Money;
use crate::courses::{self, Course};

/// A full class of biology, and one of calculus in which a place has become free.
pub fn add(plan: &mut Plan) -> Result<()> {
    fill(plan, "SBI4U", 12)?;
    let seats = fill(plan, "MCV4U", 10)?;
    // The next student on the waiting list has some days to respond.
    let at = plan.calendar.at_home(-1, &mut plan.dice)?;
    let leaver = seats[4];
    let words = "The family moves to British Columbia this week; agreed with them on the telephone.";
    plan.then(leaver, at, move |scene| scene.end(leaver, words, None));
    for day in [-6, -2] {
        let who = plan.one_free(12, "SBI4U")?;
        plan.ask(who, "SBI4U", Days { asked: day, start: 20 + day, end: 20 + day + LENGTH })?;
    }
    Ok(())
}

fn fill(plan: &mut Plan, code: Code, seats: i64) -> Result<Vec<usize>> {
    limit(plan, code, seats)?;
    let mut taken = Vec::new();
    for _ in 0..seats {
        let who = plan.one_free(12, code)?;
        let asked = plan.dice.between(-68, -60);
        taken.push(plan.take(who, code, Days { asked, start: -50, end: -50 + LENGTH })?);
    }
    for asked in [-24, -19, -11] {
        let who = plan.one_free(12, code)?;
        let request = plan.ask(who, code, Days { asked, start: 14, end: 14 + LENGTH })?;
        let at = plan.decided(asked)?;
        plan.then(request, at, move |scene| scene.waitlist(request));
    }
    Ok(taken)
}

fn limit(plan: &mut Plan, code: Code, seats: i64) -> Result<()> {
    let at = plan.calendar.at_work(-80, &mut plan.dice)?;
    plan.diary.note(at, move |scene| {
        scene.change_course(code, |course| Course { capacity: Some(seats), ..course })
    });
    Ok(())
}

/// A small live section of the next term: all seats taken, two students on its waiting list.
pub fn section(plan: &mut Plan) -> Result<()> {
    let (code, seats) = FULL;
    let section = schedule::next(&plan.calendar, code);
    let ask = |plan: &mut Plan, asked: i64| -> Result<(usize, Days)> {
        let who = plan.one_free(12, code)?;
        let days = Days { asked, start: 70, end: 70 + LENGTH };
        Ok((plan.ask_for(who, code, days, section)?, days))
    };
    for _ in 0..seats {
        let asked = plan.dice.between(-45, -25);
        let (request, days) = ask(plan, asked)?;
        plan.approve(request, days)?;
    }
    for asked in [-30, -26] {
        let (request, _) = ask(plan, asked)?;
        let at = plan.decided(asked)?;
        plan.then(request, at, move |scene| scene.waitlist(request));
    }
    Ok(())
}

/// The office raises the prices of two courses: requests from before keep the old one for a while.
pub fn raise_prices(plan: &mut Plan) -> Result<()> {
    let at = plan.calendar.at_work(-8, &mut plan.dice)?;
    plan.diary.note(at, |scene| {
        for (code, cents) in [("CHY4U", 76_900), ("ICS4U", 79_900)] {
            scene.change_course(code, |course| Course { price: Some(Money::from_cents(cents)), ..course })?;
        }
        Ok(())
    });
    Ok(())
}

impl Scene<'_> {
    fn change_course(&self, code: Code, change: impl FnOnce(Course) -> Course) -> Result<()> {
        let before = self.course(code)?;
        let after = change(before.clone());
        courses::store::update(self.connection, &after, self.now)?;
        let facts = [
            ("capacity", json!(before.capacity), json!(after.capacity)),
            ("price", json!(before.price), json!(after.price)),
        ];
        let changed = facts.into_iter().filter(|(_, from, to)| from != to);
        let detail: serde_json::Map<_, _> =
            changed.map(|(key, from, to)| (key.to_owned(), json!({ "from": from, "to": to }))).collect();
        let office = Actor::staff(self.team.office, OFFICE);
        audit::record(self.connection, &office, "update", "course", after.id, detail.into(), self.now)
    }
}
