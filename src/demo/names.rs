//! Names of the demo school's students.

use super::sample::{AccountState, SAMPLE};

/// Login of the student with the printed password.
pub const AMARA: &str = "amara.okonkwo@mail.example";

/// Index into the sample's people.
pub type StudentIndex = usize;

/// Students before this index have been at the school for months.
const FIRST_NEWCOMER: StudentIndex = 43;

/// Students with a complete profile who have been here for months.
pub fn regulars() -> Vec<StudentIndex> {
    (0..FIRST_NEWCOMER).collect()
}

/// Students with a complete profile who are new.
pub fn newcomers() -> Vec<StudentIndex> {
    with(AccountState::Complete).into_iter().filter(|who| *who >= FIRST_NEWCOMER).collect()
}

/// Students with an account in this state.
pub fn with(account: AccountState) -> Vec<StudentIndex> {
    (0..SAMPLE.people.len()).filter(|who| SAMPLE.people[*who].account == account).collect()
}
