//! What each role of the office may do: the one list that handlers, screens, e-mails and tests read.

use crate::base::closed_set::{ClosedSet, closed_set};
use crate::config::Office;

closed_set! {
    /// What a member of the staff may do.
    #[derive(clap::ValueEnum)]
    pub enum Role {
        /// Everything.
        Admin = "admin",
        /// Students, documents, enrollments, admissions, messages, marks.
        Registrar = "registrar",
        /// Money.
        Bursar = "bursar",
        /// Reads.
        Viewer = "viewer",
    }
}

impl Role {
    /// The role in a word or two, as people read it.
    pub fn title(self) -> &'static str {
        match self {
            Self::Admin => "Administrator",
            Self::Registrar => "Registrar",
            Self::Bursar => "Bursar",
            Self::Viewer => "Viewer",
        }
    }

    /// Whether the school wants a second factor of whoever has the role.
    pub fn takes_second_factor(self, office: &Office) -> bool {
        office.second_factor_required.iter().any(|role| role.as_str() == self.as_str())
    }

    /// What the role lets somebody do, in words; what includes another is said alone.
    pub fn explained(self, office: &Office) -> Vec<&'static str> {
        let duties = self.duties(office);
        let is_said = |duty: &Duty| !(*duty == Duty::Audit && duties.contains(&Duty::EveryAudit));
        let open = "Read the catalogue, classes and enrollments, and students’ names and contacts";
        [open].into_iter().chain(duties.iter().copied().filter(is_said).map(Duty::words)).collect()
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
        Courses = "courses",
        /// Deciding about enrollments.
        Enrollments = "enrollments",
        /// Reading what families wrote who ask for a place.
        Admissions = "admissions",
        /// Looking into the documents of students.
        Documents = "documents",
        /// Reading and working through what visitors wrote.
        Messages = "messages",
        /// Reading to whom the school wrote, and sending again what did not arrive.
        Mail = "mail",
        /// Charging fees.
        Money = "money",
        /// Making students' accounts, changing their profiles, shutting them out, writing notes and e-mails.
        Students = "students",
        /// Reading what is kept of a student beside names, contacts and courses: birth dates, what is wanted,
        /// the states of documents, notes, the history.
        Records = "records",
        /// Reading what each student owes.
        Balances = "balances",
        /// Joining two accounts of one student, which cannot be undone.
        Merging = "merging",
        /// Taking lists of students, classes and enrollments away as sheets.
        Exports = "exports",
        /// Inviting colleagues, changing their roles, shutting them out.
        Staff = "staff",
        /// Saying what the public site shows of the school: pictures, colours, hours, announcements.
        Settings = "settings",
        /// Running the privacy desk: what people ask about their data, how long what is kept, breaches.
        Privacy = "privacy",
        /// Reading what oneself did in the audit trail.
        Audit = "audit",
        /// Reading what everybody did there.
        EveryAudit = "every_audit",
    }
}

impl Duty {
    /// What it lets somebody do, as a role is explained to people.
    pub fn words(self) -> &'static str {
        match self {
            Self::Courses => "Change courses, their prices and seats",
            Self::Enrollments => "Decide about enrollments and enter marks",
            Self::Admissions => "Read requests for admission",
            Self::Documents => "Open students’ documents",
            Self::Messages => "Work through visitors’ messages",
            Self::Mail => "See to whom the school wrote, and send again what did not arrive",
            Self::Money => "Post charges",
            Self::Students => "Invite students, change their profiles, shut accounts, write to them",
            Self::Records => "Read students’ records: birth dates, notes, history",
            Self::Balances => "See what each student owes",
            Self::Merging => "Join two accounts of one student",
            Self::Exports => "Save lists as CSV files",
            Self::Staff => "Invite colleagues, change their roles, shut their accounts",
            Self::Settings => "Change what the public site shows: pictures, colours, hours, announcements",
            Self::Privacy => "Run the privacy desk: requests, retention, breaches",
            Self::Audit => "Read their own entries in the audit trail",
            Self::EveryAudit => "Read all entries in the audit trail",
        }
    }
}
