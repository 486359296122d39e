//! `[office]`: how the office works.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

use crate::base::closed_set::closed_set;

/// `[office]`
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Office {
    /// Whether the role `viewer` may open students' documents.
    pub viewer_opens_documents: bool,
    /// Seconds for which a decision can be undone; its e-mails wait for as long. 0 sends them at once.
    pub undo_seconds: u32,
    /// Whether a parent or guardian has to agree before a student under 18 is approved.
    pub guardian_confirmation: Demand,
    /// Whether the required documents have to be there before a student is approved.
    pub documents: Demand,
    /// Whether the profile has to be complete before a student is approved.
    pub profile: Demand,
    /// The types of the documents that every student is asked for.
    pub required_documents: Vec<RequiredDocument>,
    /// Days for which a freed seat is kept for the next on the waiting list.
    pub place_days: u32,
    /// The roles that take a second factor.
    pub second_factor_required: Vec<Role>,
}

closed_set! {
    /// What a member of the staff may do.
    #[derive(clap::ValueEnum)]
    pub enum Role {
        /// Everything.
        Admin = "admin" => "Administrator",
        /// Students, documents, enrollments, admissions, messages, marks.
        Registrar = "registrar" => "Registrar",
        /// Money.
        Bursar = "bursar" => "Bursar",
        /// Reads.
        Viewer = "viewer" => "Viewer",
    }
}

/// How much the school makes of something that a request may lack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Demand {
    /// Nothing is said about it.
    Off,
    /// The office is shown that it is missing.
    Recommended,
    /// Without it an approval needs a reason.
    Required,
}

closed_set! {
    /// A type of document that can be asked of every student.
    pub enum RequiredDocument {
        /// A passport, say.
        GovernmentId = "government_id" => "Government ID",
        /// What another school certifies.
        Transcript = "transcript" => "School Transcript",
        /// A bill, say.
        ProofOfAddress = "proof_of_address" => "Proof of Address",
        /// A card or a policy.
        HealthInsurance = "health_insurance" => "Health Insurance",
    }
}

impl Default for Office {
    fn default() -> Self {
        Self {
            viewer_opens_documents: false,
            undo_seconds: 60,
            guardian_confirmation: Demand::Recommended,
            documents: Demand::Recommended,
            profile: Demand::Recommended,
            required_documents: vec![RequiredDocument::GovernmentId, RequiredDocument::Transcript],
            place_days: 3,
            second_factor_required: Vec::new(),
        }
    }
}

impl Office {
    /// Longer, and a student would hear of a decision on the next day.
    const MAX_UNDO_SECONDS: u32 = 3600;
    /// Longer, and a seat stands empty for half of a short course.
    const MAX_PLACE_DAYS: u32 = 30;

    pub(super) fn check(&self, wrong: &mut String) {
        let (max, found) = (Self::MAX_UNDO_SECONDS, self.undo_seconds);
        if found > max {
            let _ = writeln!(wrong, "office.undo_seconds: must be at most {max} (found {found})");
        }
        let (max, found) = (Self::MAX_PLACE_DAYS, self.place_days);
        if !(1..=max).contains(&found) {
            let _ = writeln!(wrong, "office.place_days: must be 1 to {max} (found {found})");
        }
    }
}
