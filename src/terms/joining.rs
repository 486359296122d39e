//! Whether a section can be asked for on a day at the school.

use jiff::civil::Date;

use super::{Section, SectionStatus, Term};

/// A section that can be asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Joining {
    /// Whether it has begun, so that the student has to catch up.
    pub is_late: bool,
}

/// Why a section cannot be asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotJoinable {
    /// It takes no requests, or is not published.
    NotOpen,
    /// It takes requests from this day on.
    NotYet(Date),
    /// It took requests until this day, which has ended at the school.
    Over(Date),
}

impl Section {
    /// The last day on which a student may join: the term's, though never before the section begins. A section without
    /// a term can be joined until it ends, as long as the office keeps it open.
    pub fn join_until(&self, term: Option<&Term>) -> Date {
        term.map_or(self.ends_on, |term| term.join_until.max(self.starts_on).min(self.ends_on))
    }
}

/// Whether a section can be asked for on this day at the school; a day lasts until midnight there.
///
/// # Errors
/// Why it cannot.
pub fn joining(section: &Section, term: Option<&Term>, today: Date) -> Result<Joining, NotJoinable> {
    let is_published = term.is_none_or(|term| term.is_published);
    if section.status != SectionStatus::Open || !is_published {
        return Err(NotJoinable::NotOpen);
    }
    let last = section.join_until(term);
    let last = term.and_then(|term| term.requests_until).map_or(last, |until| until.min(last));
    match term.and_then(|term| term.requests_from) {
        Some(from) if today < from => Err(NotJoinable::NotYet(from)),
        _ if today > last => Err(NotJoinable::Over(last)),
        _ => Ok(Joining { is_late: today > section.starts_on }),
    }
}
