//! Privacy requests of the demo, and one entry in the breach register.

use serde_json::json;

use super::form;
use super::names::{StudentIndex, with};
use super::plan::Plan;
use super::sample::AccountState;
use super::scene::Scene;
use super::staff::OFFICE;
use crate::audit::{ActingStaff, Actor};
use crate::base::error::Result;
use crate::privacy::breaches::{self, BreachForm};
use crate::privacy::requests::decisions::{self, NotedRequest};

/// Days ago, who asked, kind, and details.
const REQUESTS: [(i64, &str, &str, &str); 2] = [
    (
        12,
        "guardian",
        "correction",
        "The mother says that the date of birth is a day off. She brings the passport.",
    ),
    (6, "student", "access", "Wants to know who has opened the passport, and when."),
];

/// Schedules two open requests and a resolved breach.
pub fn add(plan: &mut Plan) -> Result<()> {
    let known: Vec<StudentIndex> = with(AccountState::Complete)
        .into_iter()
        .filter(|who| plan.first_request(*who).is_some_and(|asked| asked < -30))
        .collect();
    for (number, (ago, asked_by, kind, details)) in REQUESTS.into_iter().enumerate() {
        let who = known[(number * 7 + 3) % known.len()];
        let at = plan.calendar.at_work(-ago, &mut plan.dice)?;
        plan.diary.note(at, move |scene| scene.note_privacy_request(who, asked_by, kind, details));
    }
    let discovered = plan.calendar.at_work(-64, &mut plan.dice)?;
    plan.diary.note(discovered, |scene| scene.record_breach());
    Ok(())
}

impl Scene<'_> {
    /// The administrator, who handles privacy requests.
    fn administrator(&self) -> Actor {
        Actor::staff(self.team.office, OFFICE)
    }

    fn note_privacy_request(
        &self,
        who: StudentIndex,
        asked_by: &str,
        kind: &str,
        details: &str,
    ) -> Result<()> {
        let form: NotedRequest = form(json!({
            "studentId": self.student(who)?,
            "askedBy": asked_by,
            "kind": kind,
            "details": details,
            "receivedOn": self.today(),
        }))?;
        let new = form.parse(self.team.office, self.today())?;
        decisions::note(self.connection, &new, &self.administrator(), &self.app.config, self.now).map(drop)
    }

    fn record_breach(&self) -> Result<()> {
        let form: BreachForm = form(json!({
            "happenedOn": self.today(),
            "discoveredOn": self.today(),
            "what": "A class list with names and email addresses was left on the printer of the library.",
            "affected": "Students of one class",
            "affectedCount": 24,
            "risk": "low",
            "riskReason": "It was found within the hour by a teacher; no one else had been in the room.",
            "measures": "The list was shredded. Class lists are printed in the office now.",
        }))?;
        let new = form.parse(self.today())?;
        let by = ActingStaff { id: self.team.office, actor: &self.administrator() };
        breaches::record(self.connection, &new, by, self.now).map(drop)
    }
}
