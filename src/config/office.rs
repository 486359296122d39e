//! `[office]`: rules of the office.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

use super::values::InForce;
use crate::base::closed_set::closed_set;

section! {
    /// `[office]`
    pub struct Office {
        /// Whether the role `viewer` may open students' documents.
        pub viewer_opens_documents: bool = false,
        /// Seconds for which a decision can be undone; its emails wait that long. 0 sends them at once.
        pub undo_seconds: u32 = 60,
        /// Whether approving a student under 18 needs a guardian's confirmation.
        pub guardian_confirmation: Demand = Demand::Recommended,
        /// Whether every guardian of such a student has to confirm, as where parents share custody; otherwise one is
        /// enough. [`Office::asks_every_guardian`] returns the effective value.
        pub every_guardian_confirms: bool = false,
        /// Whether approval needs the required documents.
        pub documents: Demand = Demand::Recommended,
        /// Whether approval needs a complete profile.
        pub profile: Demand = Demand::Recommended,
        /// Document types requested from every student.
        pub required_documents: Vec<RequiredDocument> =
            vec![RequiredDocument::GovernmentId, RequiredDocument::Transcript],
        /// Days for which a freed seat is reserved for the next student on the waiting list.
        pub place_days: u32 = 3,
        /// Roles that require a second factor.
        pub second_factor_required: Vec<Role> = Vec::new(),
        /// Whether every guardian has to confirm, as the office has published it.
        #[serde(skip)]
        pub in_force: InForce<bool> = InForce::default(),
    }
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

/// How strictly something is required before approval.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Demand {
    /// Not checked.
    Off,
    /// The office sees that it is missing.
    Recommended,
    /// Approving without it needs a reason.
    Required,
}

closed_set! {
    /// A type of document that can be asked of students.
    pub enum RequiredDocument {
        /// For example a passport.
        GovernmentId = "government_id" => "Government ID",
        /// Marks certified by another school.
        Transcript = "transcript" => "School Transcript",
        /// For example a bill.
        ProofOfAddress = "proof_of_address" => "Proof of Address",
        /// For example a card or a policy.
        HealthInsurance = "health_insurance" => "Health Insurance",
        /// Study permit of an international student.
        StudyPermit = "study_permit" => "Study Permit",
        /// Custodian in Canada of an international student under 18.
        Custodianship = "custodianship" => "Custodianship Declaration",
        /// A record of vaccinations.
        Immunization = "immunization" => "Immunization Record",
        /// A plan for a student with special needs.
        Iep = "iep" => "Individual Education Plan",
    }
}

impl Office {
    /// A longer wait would delay the news of a decision to the next day.
    const MAX_UNDO_SECONDS: u32 = 3600;
    /// A longer reservation would leave a seat empty for half of a short course.
    const MAX_PLACE_DAYS: u32 = 30;

    /// Whether every guardian has to confirm: as the office has published it, else as the file says.
    pub fn asks_every_guardian(&self) -> bool {
        self.in_force.get().unwrap_or(self.every_guardian_confirms)
    }

    pub(super) fn check(&self, wrong: &mut String) {
        let max = Self::MAX_UNDO_SECONDS;
        let found = self.undo_seconds;
        if found > max {
            let _ = writeln!(wrong, "office.undo_seconds: must be at most {max} (found {found})");
        }
        let max = Self::MAX_PLACE_DAYS;
        let found = self.place_days;
        if !(1..=max).contains(&found) {
            let _ = writeln!(wrong, "office.place_days: must be 1 to {max} (found {found})");
        }
    }
}
