//! Who goes to the demo school.

use super::sample::{AccountState, SAMPLE};

/// What the student whose password is printed logs in with.
pub const AMARA: &str = "amara.okonkwo@mail.example";

/// Whoever is drawn from the sample's people, by place.
pub type StudentIndex = usize;

/// Who comes before this one has been at the school for months.
const FIRST_NEWCOMER: StudentIndex = 43;

/// Those with a complete profile, but for the last of them.
pub fn regulars() -> Vec<StudentIndex> {
    (0..FIRST_NEWCOMER).collect()
}

/// Those with a complete profile who have only just come.
pub fn newcomers() -> Vec<StudentIndex> {
    with(AccountState::Complete).into_iter().filter(|who| *who >= FIRST_NEWCOMER).collect()
}

/// Those with an account of this kind.
pub fn with(account: AccountState) -> Vec<StudentIndex> {
    (0..SAMPLE.people.len()).filter(|who| SAMPLE.people[*who].account == account).collect()
}
