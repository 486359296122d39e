//! Registers the demo's students, and suspends or closes two accounts.

use jiff::{SignedDuration, Timestamp};
use serde_json::json;

use super::form;
use super::names::StudentIndex;
use super::plan::Plan;
use super::sample::{AccountState, SAMPLE};
use super::scene::Scene;
use super::site;
use super::staff::address;
use crate::audit::{self, By};
use crate::base::change::Change;
use crate::base::closed_set::ClosedSet;
use crate::base::error::{Error, Result};
use crate::base::hashing;
use crate::students::history::{self, HistoryChange};
use crate::students::profile::{ProfileForm, ProfileUpdate};
use crate::students::status::StudentStatus;
use crate::students::{self, Student, identity};
use crate::web::id::Numbered;

/// Schedules registrations some days before each student's first request. Only the student with the printed password
/// can log in.
pub fn add(plan: &mut Plan) -> Result<()> {
    for (who, person) in SAMPLE.people.iter().enumerate() {
        let day = match plan.first_request(who) {
            Some(asked) => asked - plan.dice.between(1, 9),
            None => -plan.dice.between(2, 25),
        };
        let at = plan.calendar.at_home(day, &mut plan.dice)?;
        plan.diary.note(at, move |scene| scene.register(who));
        let minutes = plan.dice.between(2, 50);
        let verified = at + SignedDuration::from_mins(minutes);
        match person.account {
            AccountState::Unverified => {}
            AccountState::Bare => plan.diary.note(verified, move |scene| scene.verify(who)),
            AccountState::Complete | AccountState::Suspended | AccountState::Closed => {
                let profile = plan.members[who].profile.clone();
                plan.diary.note(verified, move |scene| scene.verify(who));
                let filled_in = verified + SignedDuration::from_mins(minutes / 2);
                plan.diary.note(filled_in, move |scene| scene.fill_in(who, profile));
            }
        }
        shut(plan, who, person.account)?;
    }
    Ok(())
}

fn shut(plan: &mut Plan, who: StudentIndex, account: AccountState) -> Result<()> {
    let (day, status, verb, reason) = match account {
        AccountState::Suspended => (
            -12,
            StudentStatus::Suspended,
            "suspend",
            "The study permit ran out, and two letters about it were not answered.",
        ),
        AccountState::Closed => {
            (-31, StudentStatus::Closed, "close", "Moved to Calgary; the new school has the file.")
        }
        AccountState::Complete | AccountState::Bare | AccountState::Unverified => return Ok(()),
    };
    let at: Timestamp = plan.calendar.at_work(day, &mut plan.dice)?;
    plan.diary.note(at, move |scene| scene.shut(who, status, verb, reason));
    Ok(())
}

impl Scene<'_> {
    fn register(&mut self, who: StudentIndex) -> Result<()> {
        let email = address(&format!("{}@mail.example", SAMPLE.people[who].mailbox))?;
        let id = students::store::insert(self.connection, &email, hashing::NO_PASSWORD, self.now)?;
        site::accept(self.app, self.connection, id, None, self.now)?;
        self.students.insert(who, id);
        Ok(())
    }

    fn verify(&self, who: StudentIndex) -> Result<()> {
        students::store::mark_verified(self.connection, self.student(who)?, self.today(), self.now)
    }

    fn fill_in(&self, who: StudentIndex, profile: serde_json::Value) -> Result<()> {
        let before = self.account(who)?;
        let form: ProfileForm = form(profile)?;
        let update = ProfileUpdate::parse(&form, &before, self.today())?;
        students::store::update_profile(self.connection, before.id, &update, self.now)?;
        let after = self.account(who)?;
        identity::record_changes(
            self.connection,
            By::Student,
            Change { before: &before, after: &after },
            None,
            &self.app.config,
            self.now,
        )
        .map(drop)
    }

    /// Suspends or closes an account as the office does; no sessions exist.
    fn shut(&self, who: StudentIndex, to: StudentStatus, verb: &str, reason: &str) -> Result<()> {
        let before = self.account(who)?;
        if to == StudentStatus::Suspended {
            before.status.suspend().map_err(|words| Error::conflict(words, &before))?;
        }
        students::store::set_status(self.connection, before.id, to, Some(reason), self.now)?;
        let old = Some(before.status.as_str());
        let new = Some(to.as_str());
        let change = HistoryChange { field: "status", before: old, after: new, reason: Some(reason) };
        history::add(self.connection, before.id, By::Staff(self.team.registrar), change, self.now)?;
        let detail = json!({ "from": before.status, "to": to, "reason": reason });
        audit::record(self.connection, &self.registrar(), verb, "student", before.id, detail, self.now)
    }

    fn account(&self, who: StudentIndex) -> Result<Student> {
        let found = students::store::find(self.connection, self.student(who)?)?;
        found.ok_or_else(|| -> Error { Student::not_found() })
    }
}
