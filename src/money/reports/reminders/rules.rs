//! What the calls about reminders must be, and which reminder is due.

use std::collections::BTreeSet;

use jiff::civil::Date;

use crate::base::closed_set::closed_set;
use crate::base::error::FieldErrors;
use crate::money::charges::rules::reason;
use crate::web::form::{Field, form};

closed_set! {
    /// Whether a family is reminded.
    pub enum ReminderMode {
        /// As usual.
        Normal = "normal",
        /// Not while an arrangement holds.
        Arrangement = "arrangement",
        /// Not at all.
        Never = "never",
    }
}

closed_set! {
    /// Which reminder it is, the mildest first.
    pub enum Step {
        /// Nothing is late.
        Before = "before",
        /// The first after a due date.
        First = "first",
        /// A later one.
        Second = "second",
    }
}

closed_set! {
    /// Why a family is not reminded.
    pub enum NotReminded {
        /// An arrangement with the family holds.
        Arrangement = "arrangement",
        /// The family is never reminded, or the student is suspended or has left.
        Never = "never",
        /// What is on account covers it.
        Covered = "covered",
        /// Nothing is to be paid.
        NothingDue = "nothing_due",
        /// A reminder left today, or leaves on the same day.
        AlreadyToday = "already_today",
        /// No address was confirmed: neither the student's, nor one that has opened a link of an application.
        NoAddress = "no_address",
    }
}

form! {
    /// `PUT /api/admin/students/{id}/reminders`' body.
    pub struct ReminderModeForm {
        mode: ReminderMode,
        /// What was agreed, for the office: at most 500 characters.
        note: Option<String>,
        /// The last day of it, today or later; null: until it is changed.
        until: Option<Date>,
    }
}

/// A validated mode.
#[derive(Debug, Clone)]
pub struct NewMode {
    /// Whether the family is reminded.
    pub mode: ReminderMode,
    /// What was agreed.
    pub note: Option<String>,
    /// The last day of it.
    pub until: Option<Date>,
}

impl NewMode {
    /// Validates a form.
    pub fn parse(form: &ReminderModeForm, today: Date) -> Result<Self, FieldErrors> {
        let mut errors = FieldErrors::default();
        let mode = errors.take("mode", form.mode.one_of());
        let note = errors.take("note", form.note.optional(500));
        let until = match form.until.optional_date() {
            Ok(Some(day)) if day < today => Err("Must be today or later".to_owned()),
            until => until,
        };
        let until = errors.take("until", until);
        let parsed = || Some(Self { mode: mode?, note: note?, until: until? });
        errors.finish(parsed())
    }
}

form! {
    /// `POST /api/admin/reminders`' body.
    pub struct RemindersForm {
        /// 1 to 200 students.
        student_ids: Vec<i64>,
        /// Whether nothing is sent, and the answer says what would be.
        dry_run: Option<bool>,
    }
}

impl RemindersForm {
    /// The students, each once, and whether nothing is sent.
    pub fn parse(&self) -> Result<(Vec<i64>, bool), FieldErrors> {
        let mut errors = FieldErrors::default();
        let ids = match &self.student_ids {
            Field::Value(ids) if (1..=crate::web::bulk::MAX).contains(&ids.len()) => {
                let mut ids = ids.clone();
                let mut seen = BTreeSet::new();
                ids.retain(|id| seen.insert(*id));
                Ok(ids)
            }
            _ => Err("Choose 1 to 200 students"),
        };
        let ids = errors.take("studentIds", ids);
        let is_dry = match self.dry_run {
            Field::Absent | Field::Null => Ok(false),
            Field::Value(is_dry) => Ok(is_dry),
            Field::Wrong => Err("Must be true or false"),
        };
        let is_dry = errors.take("dryRun", is_dry);
        errors.finish(ids.zip(is_dry))
    }
}

form! {
    /// `POST /api/admin/students/{id}/reminders/skip`' body.
    pub struct SkipForm {
        /// The day on which the next reminder leaves.
        on: Date,
        /// Why it does not, for the office: 3 to 500 characters.
        reason: String,
    }
}

/// A validated skip.
#[derive(Debug, Clone)]
pub struct Skip {
    /// The day on which the reminder would leave.
    pub on: Date,
    /// Why it does not.
    pub reason: String,
}

impl Skip {
    /// Validates a form.
    pub fn parse(form: &SkipForm) -> Result<Self, FieldErrors> {
        let mut errors = FieldErrors::default();
        let on = errors.take("on", form.on.date("Say which day"));
        let reason = errors.take("reason", reason(&form.reason));
        errors.finish(on.zip(reason).map(|(on, reason)| Self { on, reason }))
    }
}

form! {
    /// `POST /api/admin/students/{id}/reminders/unskip`' body.
    pub struct UnskipForm {
        /// The skipped day.
        on: Date,
    }
}

impl UnskipForm {
    /// The day.
    pub fn parse(&self) -> Result<Date, FieldErrors> {
        self.on.date("Say which day").map_err(|message| FieldErrors::one("on", message))
    }
}

/// The reminder that a number of days after the earliest due date asks for, where the schedule has these days.
pub fn step_on(days_late: i64, schedule: &[i64]) -> Step {
    let after = schedule.iter().filter(|day| **day >= 0 && **day <= days_late).count();
    match after {
        _ if days_late <= 0 => Step::Before,
        0 | 1 => Step::First,
        _ => Step::Second,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_step_follows_from_how_late_the_earliest_part_is() {
        for (late, step) in [
            (-30, Step::Before),
            (0, Step::Before),
            (1, Step::First),
            (7, Step::First),
            (20, Step::First),
            (21, Step::Second),
            (90, Step::Second),
        ] {
            assert_eq!(step_on(late, &[-3, 7, 21]), step, "{late}");
        }
        assert_eq!(step_on(90, &[]), Step::First);
    }
}
