//! Permissions of the office roles, used by handlers, interface, emails and tests.

use crate::base::closed_set::{ClosedSet, closed_set};
use crate::config::Office;
pub use crate::config::Role;

impl Role {
    /// Whether the role requires a second factor.
    pub fn takes_second_factor(self, office: &Office) -> bool {
        office.second_factor_required.contains(&self)
    }

    /// Describes the permissions; a duty that includes another is listed alone.
    pub fn explained(self, office: &Office) -> Vec<&'static str> {
        let duties = self.duties(office);
        let is_said = |duty: &Duty| match duty {
            Duty::Audit => !duties.contains(&Duty::EveryAudit),
            Duty::AssignedMessages => !duties.contains(&Duty::Messages),
            _ => true,
        };
        let open = "Read the catalogue, classes and enrollments, and students’ names and contacts";
        [open].into_iter().chain(duties.iter().copied().filter(is_said).map(Duty::label)).collect()
    }

    /// Duties of the role, for [`super::CurrentStaff::require`] and API responses.
    pub fn duties(self, office: &Office) -> &'static [Duty] {
        use Duty::{
            Admissions, AssignedMessages, Audit, Balances, Courses, Documents, Enrollments, Exports, Mail,
            Messages, Money, Records, Students,
        };
        match self {
            Self::Admin => Duty::ALL,
            Self::Registrar => &[
                Courses,
                Enrollments,
                Admissions,
                Documents,
                Messages,
                AssignedMessages,
                Mail,
                Students,
                Records,
                Balances,
                Exports,
                Audit,
            ],
            Self::Bursar => &[AssignedMessages, Money, Balances, Audit],
            Self::Viewer if office.viewer_opens_documents => &[Admissions, Documents, Records],
            Self::Viewer => &[Admissions, Records],
        }
    }
}

closed_set! {
    /// A permission. Some things need none and are open to every role: the catalogue, pending requests with their
    /// students' names and addresses, and totals.
    pub enum Duty {
        /// Changing the catalogue.
        Courses = "courses" => "Change courses, their prices and seats",
        /// Deciding about enrollments.
        Enrollments = "enrollments" => "Decide about enrollments and enter marks",
        /// Reading requests for a place.
        Admissions = "admissions" => "Read requests for admission",
        /// Viewing documents of students.
        Documents = "documents" => "Open students’ documents",
        /// Reading and processing messages of visitors.
        Messages = "messages" => "Work through visitors’ messages",
        /// Reading messages of visitors that are assigned to the caller.
        AssignedMessages = "assigned_messages" => "Read the visitors’ messages that are assigned to them",
        /// Viewing the list of emails, and resending failed ones.
        Mail = "mail" => "See the emails the school sent, and resend failed ones",
        /// Charging fees and recording payments.
        Money = "money" => "Post charges and record payments",
        /// Creating student accounts, changing profiles, suspending and closing accounts, writing notes and emails.
        Students = "students" => "Invite students, change their profiles, shut accounts, write to them",
        /// Reading student records beyond names, contacts and courses: birth dates, wishes, document states, notes,
        /// history.
        Records = "records" => "Read students’ records: birth dates, notes, history",
        /// Reading what each student owes and has paid.
        Balances = "balances" => "See what each student owes and has paid",
        /// Merging two accounts of one student, which cannot be undone.
        Merging = "merging" => "Join two accounts of one student",
        /// Exporting lists of students, classes and enrollments.
        Exports = "exports" => "Save lists as CSV files",
        /// Inviting colleagues, changing their roles, disabling their accounts.
        Staff = "staff" => "Invite colleagues, change their roles, shut their accounts",
        /// Editing what the public site shows: pictures, colours, hours, announcements.
        Settings = "settings" => "Change what the public site shows: pictures, colours, hours, announcements",
        /// Handling privacy: requests, retention, breaches.
        Privacy = "privacy" => "Run the privacy desk: requests, retention, breaches",
        /// Reading the own entries in the audit trail.
        Audit = "audit" => "Read their own entries in the audit trail",
        /// Reading all entries in the audit trail.
        EveryAudit = "every_audit" => "Read all entries in the audit trail",
    }
}
