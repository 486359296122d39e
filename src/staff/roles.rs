//! What each role of the office may do: the one list that handlers, screens, e-mails and tests read.

use crate::base::closed_set::closed_set;
use crate::config::Office;
pub use crate::config::Role;

impl Role {
    /// Whether the school wants a second factor of whoever has the role.
    pub fn takes_second_factor(self, office: &Office) -> bool {
        office.second_factor_required.contains(&self)
    }

    /// What the role lets somebody do, in words; what includes another is said alone.
    pub fn explained(self, office: &Office) -> Vec<&'static str> {
        let duties = self.duties(office);
        let is_said = |duty: &Duty| !(*duty == Duty::Audit && duties.contains(&Duty::EveryAudit));
        let open = "Read the catalogue, classes and enrollments, and students’ names and contacts";
        [open].into_iter().chain(duties.iter().copied().filter(is_said).map(Duty::label)).collect()
    }

    /// What the role includes: the one list that [`super::CurrentStaff::require`] and the wire read.
    pub fn duties(self, office: &Office) -> &'static [Duty] {
        use Duty::{
            Admissions, Audit, Balances, Courses, Documents, Enrollments, EveryAudit, Exports, Mail, Merging,
            Messages, Money, Privacy, Records, Settings, Staff, Students,
        };
        match self {
            Self::Admin => &[
                Courses,
                Enrollments,
                Admissions,
                Documents,
                Messages,
                Mail,
                Money,
                Students,
                Records,
                Balances,
                Merging,
                Exports,
                Staff,
                Settings,
                Privacy,
                Audit,
                EveryAudit,
            ],
            Self::Registrar => &[
                Courses,
                Enrollments,
                Admissions,
                Documents,
                Messages,
                Mail,
                Students,
                Records,
                Balances,
                Exports,
                Audit,
            ],
            Self::Bursar => &[Money, Balances, Audit],
            Self::Viewer if office.viewer_opens_documents => &[Admissions, Documents, Records],
            Self::Viewer => &[Admissions, Records],
        }
    }
}

closed_set! {
    /// A part of the work that a role may or may not do. What needs none is open to every role: the
    /// catalogue, the requests that wait with the names and addresses of their students, and the totals.
    pub enum Duty {
        /// Changing the catalogue.
        Courses = "courses" => "Change courses, their prices and seats",
        /// Deciding about enrollments.
        Enrollments = "enrollments" => "Decide about enrollments and enter marks",
        /// Reading what families wrote who ask for a place.
        Admissions = "admissions" => "Read requests for admission",
        /// Looking into the documents of students.
        Documents = "documents" => "Open students’ documents",
        /// Reading and working through what visitors wrote.
        Messages = "messages" => "Work through visitors’ messages",
        /// Reading to whom the school wrote, and sending again what did not arrive.
        Mail = "mail" => "See to whom the school wrote, and send again what did not arrive",
        /// Charging fees.
        Money = "money" => "Post charges",
        /// Making students' accounts, changing their profiles, shutting them out, writing notes and e-mails.
        Students = "students" => "Invite students, change their profiles, shut accounts, write to them",
        /// Reading what is kept of a student beside names, contacts and courses: birth dates, what is wanted,
        /// the states of documents, notes, the history.
        Records = "records" => "Read students’ records: birth dates, notes, history",
        /// Reading what each student owes.
        Balances = "balances" => "See what each student owes",
        /// Joining two accounts of one student, which cannot be undone.
        Merging = "merging" => "Join two accounts of one student",
        /// Taking lists of students, classes and enrollments away as sheets.
        Exports = "exports" => "Save lists as CSV files",
        /// Inviting colleagues, changing their roles, shutting them out.
        Staff = "staff" => "Invite colleagues, change their roles, shut their accounts",
        /// Saying what the public site shows of the school: pictures, colours, hours, announcements.
        Settings = "settings" => "Change what the public site shows: pictures, colours, hours, announcements",
        /// Running the privacy desk: what people ask about their data, how long what is kept, breaches.
        Privacy = "privacy" => "Run the privacy desk: requests, retention, breaches",
        /// Reading what oneself did in the audit trail.
        Audit = "audit" => "Read their own entries in the audit trail",
        /// Reading what everybody did there.
        EveryAudit = "every_audit" => "Read all entries in the audit trail",
    }
}
