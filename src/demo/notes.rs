//! Guardian confirmations and internal notes of the demo's office.

use super::names::{StudentIndex, with};
use super::plan::Plan;
use super::sample::{AccountState, SAMPLE, SampleNote};
use super::scene::Scene;
use crate::audit::ActingStaff;
use crate::base::error::Result;
use crate::records::notes;
use crate::students::confirmations::{self, GuardianHow};
use crate::students::{self, age, guardians};

/// Ways in which guardians confirm.
const WAYS: [GuardianHow; 3] = [GuardianHow::Phone, GuardianHow::Paper, GuardianHow::InPerson];

/// Two thirds of the guardians confirm some days after the profile was completed; eight students have a note.
pub fn add(plan: &mut Plan) -> Result<()> {
    // Three days after the first request the student exists, even if the office was closed the day before.
    let there = |who: &StudentIndex| {
        plan.first_request(*who).filter(|asked| *asked < -5).map(|asked| (*who, asked + 3))
    };
    let known: Vec<(StudentIndex, i64)> = with(AccountState::Complete).iter().filter_map(there).collect();
    for (number, (who, day)) in known.iter().copied().enumerate() {
        if number % 3 < 2 {
            let how = WAYS[number % WAYS.len()];
            let at = plan.calendar.at_work(day, &mut plan.dice)?;
            plan.diary.note(at, move |scene| scene.confirm_guardian(who, how));
        }
    }
    for (number, SampleNote { text, is_pinned }) in SAMPLE.notes.iter().enumerate() {
        let (who, day) = known[(number * 5 + 1) % known.len()];
        let at = plan.calendar.at_work(plan.dice.between(day, -1), &mut plan.dice)?;
        plan.diary.note(at, move |scene| scene.write_note(who, text, *is_pinned));
    }
    Ok(())
}

impl Scene<'_> {
    /// Skips adults, and students without a guardian in their profile.
    fn confirm_guardian(&self, who: StudentIndex, how: GuardianHow) -> Result<()> {
        let id = self.student(who)?;
        let student = students::store::find(self.connection, id)?;
        let is_due = student.is_some_and(|student| {
            student.profile.parent_name.is_some()
                && age::is_minor(student.profile.date_of_birth, self.today())
        });
        if is_due && confirmations::is_outstanding(self.connection, id, &self.app.config.office)? {
            let by = ActingStaff { id: self.team.registrar, actor: &self.registrar() };
            let guardians = guardians::store::list(self.connection, id)?;
            let primary = guardians.first().map(|guardian| guardian.id);
            confirmations::record(self.connection, id, how, primary, by, self.now)?;
        }
        Ok(())
    }

    fn write_note(&self, who: StudentIndex, text: &str, is_pinned: bool) -> Result<()> {
        let by = ActingStaff { id: self.team.registrar, actor: &self.registrar() };
        notes::write(self.connection, self.student(who)?, text, is_pinned, by, self.now).map(drop)
    }
}
