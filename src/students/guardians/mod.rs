//! The guardians of a student, and replacing their list. That of a student under 18 can change but not become empty. A
//! guardian that the office stopped disclosing to stays unchanged.

pub mod store;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use jiff::Timestamp;
use rusqlite::Connection;

pub use self::store::{Guardian, GuardianFacts, Relationship};
use super::confirmations::{self, PreviousGuardian};
use super::history::{self, HistoryChange};
use super::profile::{OWN_ADDRESS, formats};
use super::{Student, age};
use crate::audit::By;
use crate::base::contact::{self, Contact};
use crate::base::email::Email;
use crate::base::error::{Error, FieldErrors, Result};
use crate::config::Config;
use crate::web::form::{Field, form};

/// Both parents, their partners, and an agency.
const MAX: usize = 6;

form! {
    /// A row of a list of guardians.
    pub struct GuardianInput {
        /// Number of a known guardian; absent for a new one.
        pub id: Option<i64>,
        /// 1 to 200 characters.
        pub name: String,
        /// Not the student's own, unless an acceptance made it the guardian's, too.
        pub email: Option<String>,
        /// At most 200 characters; an address in it, with no other, is the guardian's.
        pub phone: Option<String>,
        /// What they are to the student.
        pub relationship: Option<Relationship>,
        /// At most one is; otherwise the first.
        pub is_primary: Option<bool>,
        /// Default true.
        pub gets_mail: Option<bool>,
    }
}

/// A row whose every field is right.
struct NewGuardian {
    id: Option<i64>,
    facts: GuardianFacts,
}

impl NewGuardian {
    fn parse(form: &GuardianInput, at: usize, errors: &mut FieldErrors) -> Option<Self> {
        let id = match &form.id {
            Field::Absent | Field::Null => Ok(None),
            Field::Value(id) => Ok(Some(*id)),
            Field::Wrong => Err("Must be a number"),
        };
        let tick = |field: &Field<bool>, default| match field {
            Field::Absent | Field::Null => Ok(default),
            Field::Value(value) => Ok(*value),
            Field::Wrong => Err("Must be true or false"),
        };
        let email = match form.email.optional(254) {
            Ok(Some(text)) => {
                Email::parse(&text).map(|email| Some(email.as_str().to_owned())).map_err(String::from)
            }
            Ok(None) => Ok(None),
            Err(message) => Err(message),
        };
        let id = errors.take(format!("{at}.id"), id);
        let name = errors.take(format!("{at}.name"), form.name.person(1, 200, "Enter the guardian’s name"));
        let email = errors.take(format!("{at}.email"), email);
        let phone = formats::optional_phone(&form.phone, contact::MAX_PHONE_CHARACTERS, None);
        let phone = errors.take(format!("{at}.phone"), phone);
        let relationship = errors.take(format!("{at}.relationship"), form.relationship.optional_one_of());
        let is_primary = errors.take(format!("{at}.isPrimary"), tick(&form.is_primary, false));
        let gets_mail = errors.take(format!("{at}.getsMail"), tick(&form.gets_mail, true));
        let Contact { email, phone } = Contact::of(email?, phone?);
        let facts = GuardianFacts {
            name: name?,
            email,
            phone,
            relationship: relationship?,
            is_primary: is_primary?,
            gets_mail: gets_mail?,
        };
        Some(Self { id: id?, facts })
    }
}

/// A student's list in one transaction: who changes it, and when.
pub struct GuardianContext<'a> {
    /// Connection of the write.
    pub connection: &'a Connection,
    /// The student as before.
    pub student: &'a Student,
    /// Who changes it.
    pub by: By,
    /// Configuration.
    pub config: &'a Config,
    /// Now.
    pub now: Timestamp,
}

/// Why the office stops disclosing to a guardian, and who of the staff.
#[derive(Debug, Clone, Copy)]
pub struct GuardianStop<'a> {
    /// For the office alone.
    pub reason: &'a str,
    /// Number of the colleague; none once they are deleted.
    pub user_id: Option<i64>,
}

impl GuardianContext<'_> {
    fn is_minor(&self) -> bool {
        let today = self.now.to_zoned(self.config.school().zone()).date();
        age::is_minor(self.student.profile.date_of_birth, today)
    }

    /// Replaces the list; returns it with whether it changed.
    ///
    /// # Errors
    /// Field errors.
    pub fn replace(&self, rows: &[GuardianInput]) -> Result<(Vec<Guardian>, bool)> {
        let connection = self.connection;
        let student_id = self.student.id;
        let before = store::list(connection, student_id)?;
        let new = self.parse(rows, &before)?;
        let kept: BTreeSet<_> = new.iter().filter_map(|row| row.id).collect();
        for gone in before.iter().filter(|one| one.stopped_at.is_none() && !kept.contains(&one.id)) {
            self.void(gone)?;
            store::remove(connection, gone.id)?;
        }
        if !new.is_empty() {
            store::clear_primary(connection, student_id)?;
        }
        for NewGuardian { id, facts } in &new {
            let known = before.iter().find(|one| Some(one.id) == *id);
            let is_same =
                |known: &Guardian| known.name == facts.name && known.contact().key() == facts.contact().key();
            if let Some(replaced) = known.filter(|known| !is_same(known)) {
                self.void(replaced)?;
            }
            store::write(connection, student_id, *id, facts, self.now)?;
        }
        let after = store::list(connection, student_id)?;
        if after == before {
            return Ok((after, false));
        }
        store::lead_profile(connection, student_id, self.now)?;
        self.note(&before, &after)?;
        Ok((after, true))
    }

    fn parse(&self, rows: &[GuardianInput], before: &[Guardian]) -> Result<Vec<NewGuardian>, FieldErrors> {
        let mut errors = FieldErrors::default();
        let stopped: Vec<_> = before.iter().filter(|one| one.stopped_at.is_some()).collect();
        let is_stopped = |id: Option<i64>| stopped.iter().any(|one| Some(one.id) == id);
        let own = [Some(&self.student.email), self.student.pending_email.as_ref()];
        let mut new: Vec<NewGuardian> = Vec::new();
        let mut seen = BTreeSet::new();
        for (at, row) in rows.iter().enumerate() {
            let Some(row) = NewGuardian::parse(row, at, &mut errors) else { continue };
            if is_stopped(row.id) {
                continue;
            }
            let is_known = |id: i64| before.iter().any(|known| known.id == id);
            if row.id.is_some_and(|id| !seen.insert(id) || !is_known(id)) {
                errors.add(format!("{at}.id"), "There is no such guardian, or it is named twice");
            }
            let is_kept = |known: &Guardian| Some(known.id) == row.id && known.email == row.facts.email;
            if let Some(email) = row.facts.email.as_ref().filter(|_| !before.iter().any(is_kept)) {
                if own.iter().flatten().any(|own| own.eq_ignore_ascii_case(email)) {
                    errors.add(format!("{at}.email"), OWN_ADDRESS);
                } else if stopped.iter().any(|one| one.email.as_ref() == Some(email)) {
                    errors.add(
                        format!("{at}.email"),
                        "The office does not write to this address about this student. Please ask the office.",
                    );
                }
            }
            new.push(row);
        }
        if new.iter().filter(|row| row.facts.is_primary).count() > 1 {
            errors.add("guardians", "Only one guardian can be the first to contact.");
        }
        if new.len() > MAX {
            errors.add("guardians", format!("There may be at most {MAX} guardians."));
        }
        let had_any = before.iter().any(|one| one.stopped_at.is_none());
        if new.is_empty() && had_any && self.is_minor() {
            errors.add(
                "guardians",
                "A student under 18 needs a parent or guardian. Enter the new name instead of removing this one.",
            );
        } else if self.is_minor()
            && before.iter().any(|one| one.contact().key().is_some())
            && !new.is_empty()
            && !new.iter().any(|row| row.facts.contact().key().is_some())
        {
            errors.add(
                "0.email",
                "We need a way to reach the parent or guardian of a student under 18. Enter an email address or a \
                 phone number.",
            );
        }
        if new.iter().all(|row| !row.facts.is_primary)
            && let Some(first) = new.first_mut()
        {
            first.facts.is_primary = true;
        }
        errors.finish(Some(new))
    }

    fn void(&self, gone: &Guardian) -> Result<()> {
        let replaced = PreviousGuardian {
            id: Some(gone.id),
            is_primary: gone.is_primary,
            name: Some(&gone.name),
            email: gone.email.as_deref(),
        };
        let Self { connection, student, by, config, now } = *self;
        confirmations::void_replaced(connection, by, student, self.is_minor(), &replaced, config, now)
    }

    /// One entry for each guardian that was added, changed or removed.
    fn note(&self, before: &[Guardian], after: &[Guardian]) -> Result<()> {
        let words = |all: &[Guardian], id: i64| all.iter().find(|one| one.id == id).map(Guardian::words);
        let ids: BTreeSet<_> = before.iter().chain(after).map(|one| one.id).collect();
        for id in ids {
            let old = words(before, id);
            let new = words(after, id);
            if old != new {
                let old = old.as_deref();
                let new = new.as_deref();
                let change = HistoryChange { field: "guardian", before: old, after: new, reason: None };
                history::add(self.connection, self.student.id, self.by, change, self.now)?;
            }
        }
        Ok(())
    }

    /// Stops disclosing anything to a guardian, or resumes; false if it is so already.
    ///
    /// # Errors
    /// 404 when the student has no such guardian.
    pub fn set_stopped(&self, id: i64, stopped: Option<GuardianStop<'_>>) -> Result<bool> {
        let connection = self.connection;
        let student_id = self.student.id;
        let guardian = store::find(connection, student_id, id)?
            .ok_or_else(|| Error::NotFound("Guardian not found".into()))?;
        if guardian.stopped_at.is_some() == stopped.is_some() {
            return Ok(false);
        }
        store::set_stopped(connection, id, stopped, self.now)?;
        if stopped.is_some() {
            let why = "the guardian was stopped";
            confirmations::void(connection, student_id, Some(id), guardian.is_primary, why, self.now)?;
            self.pass_on_primary(&guardian)?;
        }
        let (before, after) =
            if stopped.is_some() { (None, Some(&*guardian.name)) } else { (Some(&*guardian.name), None) };
        let change = HistoryChange { field: "guardianStopped", before, after, reason: None };
        history::add(connection, student_id, self.by, change, self.now)?;
        Ok(true)
    }

    /// Stops disclosing anything to an address, of one guardian or of several; a guardian of this name is given the
    /// address, or one is added, where none has it.
    ///
    /// # Errors
    /// Database errors.
    pub fn stop_address(&self, name: &str, email: &str, stop: GuardianStop<'_>) -> Result<()> {
        let connection = self.connection;
        let student_id = self.student.id;
        let all = store::list(connection, student_id)?;
        let has_address =
            |one: &&Guardian| one.email.as_deref().is_some_and(|known| known.eq_ignore_ascii_case(email));
        let mut ids: Vec<i64> = all.iter().filter(has_address).map(|one| one.id).collect();
        if ids.is_empty() {
            let known = all.iter().find(|one| one.email.is_none() && one.name == name);
            let facts = GuardianFacts {
                name: name.to_owned(),
                email: Some(email.to_owned()),
                phone: known.and_then(|one| one.phone.clone()),
                relationship: known.and_then(|one| one.relationship),
                is_primary: known.is_some_and(|one| one.is_primary),
                gets_mail: known.is_none_or(|one| one.gets_mail),
            };
            ids.push(store::write(connection, student_id, known.map(|one| one.id), &facts, self.now)?);
        }
        for id in ids {
            self.set_stopped(id, Some(stop))?;
        }
        Ok(())
    }

    /// Another guardian becomes the one that class lists and the profile name.
    fn pass_on_primary(&self, stopped: &Guardian) -> Result<()> {
        let connection = self.connection;
        let student_id = self.student.id;
        let others = store::list(connection, student_id)?;
        let Some(next) =
            others.into_iter().find(|one| one.stopped_at.is_none()).filter(|_| stopped.is_primary)
        else {
            return Ok(());
        };
        store::clear_primary(connection, student_id)?;
        let Guardian { id, name, email, phone, relationship, gets_mail, .. } = next;
        let facts = GuardianFacts { name, email, phone, relationship, gets_mail, is_primary: true };
        store::write(connection, student_id, Some(id), &facts, self.now)?;
        store::lead_profile(connection, student_id, self.now)
    }
}
