//! Missing requirements of a student are the same in the office's rows, the record, its flags and the portal, for
//! random students, settings and documents.

use std::sync::Arc;

use rusqlite::{Connection, named_params};

use super::file;
use super::flags::StudentFlag;
use super::list::ListContext;
use crate::audit::Actor;
use crate::base::closed_set::ClosedSet;
use crate::config::{Config, Demand, RequiredDocument};
use crate::documents::faults::Fault;
use crate::documents::rules::{DocumentStatus, DocumentType};
use crate::enrollments;
use crate::enrollments::requirements::Requirement;
use crate::enrollments::status::EnrollmentStatus;
use crate::staff::Role;
use crate::storage::db;
use crate::students::guardian::{self, GuardianHow};
use crate::students::lacks::{self, WantedKind};

const SCHOOLS: u64 = 60;
const STUDENTS: i64 = 60;
const TODAY: &str = "2026-11-21";

/// The test's own model of a student.
#[derive(Debug, Default)]
struct Known {
    has_profile: bool,
    is_minor: bool,
    /// Requests that existed when a guardian confirmed.
    confirmed: Option<Vec<i64>>,
    requests: Vec<(i64, EnrollmentStatus)>,
    /// Documents with existing files.
    documents: Vec<(DocumentType, DocumentStatus)>,
}

impl Known {
    fn has(&self, one: RequiredDocument, status: DocumentStatus) -> bool {
        self.documents.iter().any(|(kind, found)| kind.as_str() == one.as_str() && *found == status)
    }

    /// Required documents, each with whether it is uploaded.
    fn documents_wanted(&self, config: &Config) -> Vec<(RequiredDocument, bool)> {
        let mut asked = config.office.required_documents.clone();
        // In the order of the configuration, each once.
        let mut seen = Vec::new();
        asked.retain(|one| {
            !seen.contains(one) && {
                seen.push(*one);
                true
            }
        });
        let asked = asked.into_iter().filter(|_| config.office.documents != Demand::Off);
        let missing = asked.filter(|one| !self.has(*one, DocumentStatus::Accepted));
        missing.map(|one| (one, self.has(one, DocumentStatus::PendingReview))).collect()
    }

    fn lacks_profile(&self, config: &Config) -> bool {
        config.office.profile != Demand::Off && !self.has_profile
    }

    fn lacks_guardian(&self, request: Option<i64>, config: &Config) -> bool {
        let is_covered = match (&self.confirmed, request) {
            (None, _) => false,
            (Some(confirmed), Some(request)) => confirmed.contains(&request),
            (Some(confirmed), None) => {
                let mut open = self.requests.iter().filter(|(_, status)| status.is_request());
                open.all(|(id, _)| confirmed.contains(id))
            }
        };
        config.office.guardian_confirmation != Demand::Off && self.is_minor && !is_covered
    }

    fn missing(&self, request: i64, config: &Config) -> Vec<Requirement> {
        let lacks_documents = self.documents_wanted(config).iter().any(|(_, is_uploaded)| !is_uploaded);
        [
            (Requirement::Profile, self.lacks_profile(config)),
            (Requirement::Guardian, self.lacks_guardian(Some(request), config)),
            (Requirement::Documents, lacks_documents),
        ]
        .into_iter()
        .filter_map(|(one, is_missing)| is_missing.then_some(one))
        .collect()
    }

    fn wanted(&self, config: &Config) -> Vec<(WantedKind, Option<RequiredDocument>, bool)> {
        let plain = [
            (WantedKind::Profile, self.lacks_profile(config)),
            (WantedKind::GuardianConfirmation, self.lacks_guardian(None, config)),
        ];
        let plain = plain.into_iter().filter_map(|(kind, is)| is.then_some((kind, None, false)));
        let documents = self.documents_wanted(config).into_iter();
        plain.chain(documents.map(|(one, with)| (WantedKind::Document, Some(one), with))).collect()
    }
}

impl EnrollmentStatus {
    fn is_request(self) -> bool {
        matches!(self, Self::Pending | Self::Waitlisted)
    }
}

fn demand(random: &mut fastrand::Rng) -> Demand {
    [Demand::Off, Demand::Recommended, Demand::Required][random.usize(0..3)]
}

fn settings(random: &mut fastrand::Rng) -> Arc<Config> {
    let mut config = Config::default();
    config.office.profile = demand(random);
    config.office.guardian_confirmation = demand(random);
    config.office.documents = demand(random);
    let asked = (0..random.usize(0..5)).map(|_| RequiredDocument::ALL[random.usize(0..4)]);
    config.office.required_documents = asked.collect();
    Arc::new(config)
}

fn draw(connection: &Connection, id: i64, random: &mut fastrand::Rng) -> Known {
    let mut known = Known { has_profile: true, is_minor: true, ..Known::default() };
    let mut sets = String::new();
    for column in ["full_name", "phone_number", "address"] {
        if random.u8(0..6) > 0 {
            sets += &format!(", {column} = 'x'");
        } else {
            known.has_profile = false;
        }
    }
    // Of age today, tomorrow, long ago, or of unknown age.
    match random.u8(0..5) {
        0 => known.has_profile = false,
        1 => sets += ", date_of_birth = '2008-11-22'",
        2 => sets += ", date_of_birth = '2011-02-03'",
        day => {
            known.is_minor = false;
            sets +=
                if day == 3 { ", date_of_birth = '2008-11-21'" } else { ", date_of_birth = '1999-12-31'" };
        }
    }
    connection
        .execute_batch(&format!(
            "insert into students (id, email, password_hash, status, created_at, updated_at)
             values ({id}, 's{id}@mail.example', '', 'active', 0, 0);
             update students set email = email{sets} where id = {id}"
        ))
        .unwrap();
    for _ in 0..random.usize(0..6) {
        let (kind, status) = (DocumentType::ALL[random.usize(0..5)], DocumentStatus::ALL[random.usize(0..5)]);
        let fault = (random.u8(0..4) == 0).then(|| Fault::ALL[random.usize(0..3)]);
        connection
            .execute(
                "insert into student_documents (student_id, document_type, document_path, sha256, content_type,
                     size_bytes, original_name, status, uploaded_at, fault)
                 values (:id, :kind, 'x', printf('%064d', :id), 'application/pdf', 1, 'x', :status, 0, :fault)",
                named_params! { ":id": id, ":kind": kind, ":status": status, ":fault": fault },
            )
            .unwrap();
        if fault.is_none() {
            known.documents.push((kind, status));
        }
    }
    let mut courses: Vec<i64> = (1..=4).collect();
    random.shuffle(&mut courses);
    for course in courses.into_iter().take(random.usize(0..5)) {
        if random.u8(0..3) == 0 {
            let by = (1, &Actor::staff(1, "office"));
            guardian::confirm(connection, id, GuardianHow::Phone, by, jiff::Timestamp::UNIX_EPOCH).unwrap();
            known.confirmed = Some(known.requests.iter().map(|(request, _)| *request).collect());
        }
        let status = EnrollmentStatus::ALL[random.usize(0..6)];
        connection
            .execute(
                "insert into enrollments (student_id, course_id, start_date, end_date, status, created_at)
                 values (:id, :course, '2026-09-01', '2027-01-30', :status, 0)",
                named_params! { ":id": id, ":course": course, ":status": status },
            )
            .unwrap();
        known.requests.push((connection.last_insert_rowid(), status));
    }
    known
}

#[test]
fn rows_record_flags_and_portal_agree_on_what_is_missing() {
    let folder = tempfile::tempdir().unwrap();
    let connection = db::open(&folder.path().join("school.db")).unwrap();
    connection
        .execute_batch(
            "insert into users (id, username, password_hash, email, created_at) values (1, 'office', '', 'x@x.x', 0);
             insert into courses (id, code, name, description, grade, course_type, created_at, updated_at)
             select value, 'C00' || value, 'Course', 'What it is about.', 9, 'Open', 0, 0
             from json_each('[1, 2, 3, 4]')",
        )
        .unwrap();
    let today = TODAY.parse().unwrap();
    let mut lacking = 0;
    for seed in 0..SCHOOLS {
        let mut random = fastrand::Rng::with_seed(seed);
        let config = settings(&mut random);
        let duties = Role::Admin.duties(&config.office);
        let reading = ListContext { duties, today, config: config.clone() };
        connection.execute_batch("begin").unwrap();
        let known: Vec<_> = (1..=STUDENTS).map(|id| (id, draw(&connection, id, &mut random))).collect();
        let rows = enrollments::list_all(&connection, &config, jiff::Timestamp::UNIX_EPOCH, today).unwrap();
        for (id, known) in &known {
            let told = format!("school {seed}, student {id}: {known:?}, {:?}", config.office);
            let file = file::read(&connection, *id, &reading).unwrap();
            let portal = lacks::wanted(&connection, *id, &config.office, today).unwrap();
            assert_eq!(file.wanted.as_ref(), Some(&portal), "{told}");
            let wanted: Vec<_> =
                portal.iter().map(|one| (one.kind, one.document_type, one.is_with_office)).collect();
            assert_eq!(wanted, known.wanted(&config), "{told}");
            let is_wanted = |one: Requirement| portal.iter().any(|wanted| one.is_about(wanted));
            let has = |flag| file.flags.contains(&flag);
            assert_eq!(has(StudentFlag::ProfileIncomplete), is_wanted(Requirement::Profile), "{told}");
            assert_eq!(has(StudentFlag::GuardianNotConfirmed), is_wanted(Requirement::Guardian), "{told}");
            let own: Vec<_> = rows.iter().filter(|row| row.student_id == *id).collect();
            assert_eq!(own.len(), known.requests.len());
            for row in &own {
                assert_eq!(row.missing, known.missing(row.id, &config), "{told}");
            }
            // Exactly what any open request lacks is wanted.
            let mut open = own.iter().filter(|row| row.status.is_request()).peekable();
            if open.peek().is_some() {
                let any: Vec<_> = open.flat_map(|row| row.missing.clone()).collect();
                for one in [Requirement::Profile, Requirement::Guardian, Requirement::Documents] {
                    assert_eq!(any.contains(&one), is_wanted(one), "{one:?}, {told}");
                }
                lacking += i32::from(!any.is_empty());
            }
        }
        connection.execute_batch("rollback").unwrap();
    }
    assert!(lacking > 500, "the students differ: {lacking}");
}
