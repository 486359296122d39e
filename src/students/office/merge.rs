//! Two accounts that are one student's: one goes on with what is right of both, the other is closed.

use std::collections::BTreeMap;

use jiff::Timestamp;
use rusqlite::Connection;
use serde_json::json;

use super::account::close;
use super::{StudentName, StudentRecord, store};
use crate::audit::{self, By};
use crate::base::closed_set::{ClosedSet, closed_set};
use crate::base::error::{FieldErrors, Result};
use crate::config::Config;
use crate::staff::CurrentStaff;
use crate::students::history::{self, Change};
use crate::students::profile::{Profile, check_joined_guardian};
use crate::students::{identity, notes};

closed_set! {
    /// Which of two accounts a field of the profile is kept from.
    pub enum KeptFrom {
        /// The account that stays.
        This = "this",
        /// The account that is closed.
        Other = "other",
    }
}

/// From which account each field is kept, by their names on the wire.
#[derive(Debug, Clone, Default)]
pub struct Keep(BTreeMap<String, KeptFrom>);

impl Keep {
    /// Reads `{"phoneNumber": "other", "fullName": "this"}`.
    ///
    /// # Errors
    /// When it names what is no field of a profile, or neither of the two.
    pub fn parse(words: &BTreeMap<String, String>) -> Result<Self, FieldErrors> {
        let known = Profile::default().facts();
        let mut kept = BTreeMap::new();
        for (field, word) in words {
            let is_known = known.iter().any(|(name, _)| name == field);
            let Some(from) = KeptFrom::parse(word).filter(|_| is_known) else {
                let message =
                    format!("{field}: each field of the profile is kept from \"this\" or \"other\"");
                return Err(FieldErrors::one("keep", message));
            };
            kept.insert(field.clone(), from);
        }
        Ok(Self(kept))
    }

    /// What is not named is kept from here, unless it is empty here.
    fn takes_other(&self, field: &str, is_empty: bool) -> bool {
        self.0.get(field).map_or(is_empty, |from| *from == KeptFrom::Other)
    }
}

/// Joins what the account holds: the profile, the notes; and closes the other account with a pointer. What
/// other rooms keep has been handed over before.
pub fn merge(
    connection: &Connection,
    staff: &CurrentStaff,
    (this, other): (&StudentRecord, &StudentRecord),
    keep: &Keep,
    config: &Config,
    now: Timestamp,
) -> Result<()> {
    let (id, other_id) = (this.student.id, other.student.id);
    let takes_other = |field: &str, is_empty| keep.takes_other(field, is_empty);
    let profile = this.student.profile.joined(&other.student.profile, takes_other);
    let today = now.to_zoned(config.school().zone()).date();
    check_joined_guardian([&this.student.profile, &other.student.profile], &profile, today)?;
    store::update_profile(connection, id, &profile, now)?;
    let after = crate::students::Student { profile, ..this.student.clone() };
    let reason = format!("Merged with {}", name(other).words());
    let (by, both) = (By::Staff(staff.id), (&this.student, &after));
    identity::record_changes(connection, by, both, Some(&reason), config, now)?;
    notes::hand_over(connection, other_id, id)?;
    let merged = name(other).words();
    let change = Change { field: "merged", before: None, after: Some(&merged), reason: None };
    history::add(connection, id, By::Staff(staff.id), change, now)?;
    close(connection, staff, other, &format!("Merged into {}", name(this).words()), now)?;
    store::set_merged(connection, other_id, id)?;
    let detail = json!({ "otherId": other_id });
    audit::record(connection, &staff.actor(), "merge", "student", id, detail, now)
}

fn name(record: &StudentRecord) -> StudentName {
    StudentName {
        id: record.student.id,
        number: record.number.clone(),
        full_name: record.student.profile.full_name.clone(),
        email: record.student.email.clone(),
    }
}
