//! Missing requirements of a student are the same in the office's rows, the record, its flags and the portal, for
//! random students, settings and documents.

use std::sync::Arc;

use rusqlite::Connection;
use serde_json::json;

use super::file;
use super::flags::StudentFlag;
use super::list::ListContext;
use crate::audit::{ActingStaff, Actor};
use crate::base::closed_set::ClosedSet;
use crate::config::{Config, Demand, RequiredDocument};
use crate::documents::faults::Fault;
use crate::documents::rules::{DocumentStatus, DocumentType};
use crate::enrollments;
use crate::enrollments::requests::requirements::Requirement;
use crate::enrollments::status::EnrollmentStatus;
use crate::staff::Role;
use crate::storage::db;
use crate::storage::statements::{Statements, params};
use crate::students::confirmations::{self, FamilyConfirmation, GuardianHow};
use crate::students::guardians::{GuardianFacts, GuardianStop, Relationship, store as guardians};
use crate::students::lacks::{self, WantedKind};
use crate::students::profile::choices::CanadianStatus;

const SCHOOLS: u64 = 60;
const STUDENTS: i64 = 60;
const TODAY: &str = "2026-11-21";

/// A document that the school of this test asks for.
#[derive(Debug, Clone)]
struct Asked {
    id: i64,
    document: RequiredDocument,
    is_for_approval: bool,
    status: Option<CanadianStatus>,
    ages: (Option<i16>, Option<i16>),
    grade_min: Option<i64>,
    has_prerequisite: Option<bool>,
}

/// A school as this test knows it: its settings, and what it asks for.
#[derive(Debug)]
struct Settings {
    config: Arc<Config>,
    asked: Vec<Asked>,
}

/// A student as this test knows them, beside the database.
#[derive(Debug, Default)]
struct Known {
    has_profile: bool,
    is_minor: bool,
    /// None if the birth date is unknown.
    age: Option<i16>,
    status: Option<CanadianStatus>,
    /// Guardians who may be asked, other than agencies.
    guardians: Vec<i64>,
    /// By guardian: what each has confirmed.
    confirmed: Vec<(Option<i64>, Confirmed)>,
    /// Each with its course, whose grade is 8 more, and which has a prerequisite where it is even.
    requests: Vec<(i64, EnrollmentStatus, i64)>,
    /// Those whose files are there.
    documents: Vec<(DocumentType, DocumentStatus)>,
    waived: Vec<i64>,
}

/// What a confirmation is about.
#[derive(Debug, Clone)]
enum Confirmed {
    /// The requests that there were.
    Requests(Vec<i64>),
    /// One of them.
    Request(i64),
    /// All that begin in the school year of these.
    SchoolYear,
}

impl Confirmed {
    fn covers(&self, request: i64) -> bool {
        match self {
            Self::Requests(all) => all.contains(&request),
            Self::Request(one) => *one == request,
            // Every request of this test begins in the same year.
            Self::SchoolYear => true,
        }
    }
}

impl Asked {
    fn is_made_of(&self, known: &Known, course: Option<i64>) -> bool {
        let age = known.age.unwrap_or(17);
        let fits = |course: i64| {
            self.grade_min.is_none_or(|min| course + 8 >= min)
                && self.has_prerequisite.is_none_or(|has| has == (course % 2 == 0))
        };
        let of_any = || known.requests.iter().any(|(_, status, course)| status.is_request() && fits(*course));
        let is_of_course = match course {
            Some(course) => fits(course),
            None => self.grade_min.is_none() && self.has_prerequisite.is_none() || of_any(),
        };
        is_of_course
            && self.status.is_none_or(|status| known.status == Some(status))
            && self.ages.0.is_none_or(|min| age >= min)
            && self.ages.1.is_none_or(|max| age <= max)
    }
}

impl Known {
    fn has(&self, one: RequiredDocument, status: DocumentStatus) -> bool {
        self.documents.iter().any(|(kind, found)| kind.as_str() == one.as_str() && *found == status)
    }

    /// The documents that are wanted, for a course or for any request: each with whether it is with the office, and
    /// whether an approval lacks it.
    fn documents_wanted(
        &self,
        course: Option<i64>,
        school: &Settings,
    ) -> Vec<(RequiredDocument, bool, bool)> {
        let asked = school.asked.iter().filter(|_| school.config.office.documents != Demand::Off);
        let made = asked.filter(|one| one.is_made_of(self, course) && !self.waived.contains(&one.id));
        let missing = made.filter(|one| !self.has(one.document, DocumentStatus::Accepted));
        missing
            .map(|one| {
                let is_with_office = self.has(one.document, DocumentStatus::PendingReview);
                (one.document, is_with_office, one.is_for_approval || !is_with_office)
            })
            .collect()
    }

    fn lacks_profile(&self, config: &Config) -> bool {
        config.office.profile != Demand::Off && !self.has_profile
    }

    fn lacks_guardian(&self, request: Option<i64>, config: &Config) -> bool {
        let is_by = |guardian: Option<i64>, request: i64| {
            let of = |by: Option<i64>| guardian.is_none() || by == guardian;
            self.confirmed.iter().any(|(by, confirmed)| of(*by) && confirmed.covers(request))
        };
        let is_enough = |request: i64| {
            let mut asked = self.guardians.iter().filter(|_| config.office.every_guardian_confirms);
            is_by(None, request) && asked.all(|one| is_by(Some(*one), request))
        };
        let is_covered = match request {
            Some(request) => is_enough(request),
            None => {
                let mut open = self.requests.iter().filter(|(_, status, _)| status.is_request());
                !self.confirmed.is_empty() && open.all(|(id, ..)| is_enough(*id))
            }
        };
        config.office.guardian_confirmation != Demand::Off && self.is_minor && !is_covered
    }

    fn missing(&self, request: i64, school: &Settings) -> Vec<Requirement> {
        let config = &school.config;
        let course = self.requests.iter().find(|(id, ..)| *id == request).map(|(.., course)| *course);
        let lacks_documents =
            self.documents_wanted(course, school).iter().any(|(.., is_lacking)| *is_lacking);
        [
            (Requirement::Profile, self.lacks_profile(config)),
            (Requirement::Guardian, self.lacks_guardian(Some(request), config)),
            (Requirement::Documents, lacks_documents),
        ]
        .into_iter()
        .filter_map(|(one, is_missing)| is_missing.then_some(one))
        .collect()
    }

    fn wanted(&self, school: &Settings) -> Vec<(WantedKind, Option<RequiredDocument>, bool)> {
        let config = &school.config;
        let plain = [
            (WantedKind::Profile, self.lacks_profile(config)),
            (WantedKind::GuardianConfirmation, self.lacks_guardian(None, config)),
        ];
        let plain = plain.into_iter().filter_map(|(kind, is)| is.then_some((kind, None, false)));
        let documents = self.documents_wanted(None, school).into_iter();
        plain.chain(documents.map(|(one, with, _)| (WantedKind::Document, Some(one), with))).collect()
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

fn settings(connection: &Connection, random: &mut fastrand::Rng) -> Settings {
    let mut config = Config::default();
    config.office.profile = demand(random);
    config.office.guardian_confirmation = demand(random);
    config.office.documents = demand(random);
    config.office.every_guardian_confirms = random.bool();
    let mut asked = Vec::new();
    for id in 1..=random.i64(1..7) {
        let mut some = |chance: u8| random.u8(0..chance) == 0;
        let [of_status, of_min, of_max, of_grade, of_prerequisite, is_off] =
            [some(3), some(4), some(3), some(4), some(4), some(6)];
        let ages = (of_min.then(|| random.i16(14..20)), of_max.then(|| random.i16(15..20)));
        let one = Asked {
            id,
            document: RequiredDocument::ALL[random.usize(0..RequiredDocument::ALL.len())],
            is_for_approval: random.bool(),
            status: of_status.then(|| CanadianStatus::ALL[random.usize(0..4)]),
            ages,
            grade_min: of_grade.then(|| random.i64(9..13)),
            has_prerequisite: of_prerequisite.then(|| random.bool()),
        };
        let applies = json!({
            "canadianStatus": one.status.map(|status| vec![status, CanadianStatus::Other]),
            "minAge": one.ages.0, "maxAge": one.ages.1, "gradeMin": one.grade_min,
            "hasPrerequisite": one.has_prerequisite,
        });
        let needed_for = if one.is_for_approval { "approval" } else { "request" };
        let sql =
            "insert into document_requirements (id, document_type, label, applies, needed_for, is_active,
                position)
            values (:id, :document, 'A document', :applies, :needed_for, :is_active, :id)";
        let values = params! {
            id, document = one.document, applies = applies.to_string(), needed_for, is_active = !is_off,
        };
        connection.run(sql, values).unwrap();
        if !is_off {
            asked.push(one);
        }
    }
    Settings { config: Arc::new(config), asked }
}

fn draw(connection: &Connection, id: i64, school: &Settings, random: &mut fastrand::Rng) -> Known {
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
    let born = [
        None,
        Some(("2008-11-22", 17)),
        Some(("2011-02-03", 15)),
        Some(("2008-11-21", 18)),
        Some(("2006-02-28", 20)),
    ];
    match born[random.usize(0..5)] {
        None => known.has_profile = false,
        Some((born, age)) => {
            known.is_minor = age < 18;
            known.age = Some(age);
            sets += &format!(", date_of_birth = '{born}'");
        }
    }
    if random.bool() {
        let status = CanadianStatus::ALL[random.usize(0..3)];
        sets += &format!(", canadian_status = '{}'", status.as_str());
        known.status = Some(status);
    }
    connection
        .execute_batch(&format!(
            "insert into students (id, email, password_hash, status, created_at, updated_at)
             values ({id}, 's{id}@mail.example', '', 'active', 0, 0);
             update students set email = email{sets} where id = {id}"
        ))
        .unwrap();
    for _ in 0..random.usize(0..6) {
        let kind = DocumentType::ALL[random.usize(0..DocumentType::ALL.len())];
        let status = DocumentStatus::ALL[random.usize(0..5)];
        let fault = (random.u8(0..4) == 0).then(|| Fault::ALL[random.usize(0..3)]);
        let sql =
            "insert into student_documents (student_id, document_type, document_path, sha256, content_type,
                size_bytes, original_name, status, uploaded_at, fault)
            values (:id, :kind, 'x', printf('%064d', :id), 'application/pdf', 1, 'x', :status, 0, :fault)";
        connection.run(sql, params![id, kind, status, fault]).unwrap();
        if fault.is_none() {
            known.documents.push((kind, status));
        }
    }
    for one in school.asked.iter().filter(|_| random.u8(0..6) == 0) {
        let sql = "insert into document_waivers (student_id, requirement_id, reason, user_id, at)
            values (:student, :requirement, 'Not needed', 1, 0)";
        connection.run(sql, params![student = id, requirement = one.id]).unwrap();
        known.waived.push(one.id);
    }
    for (place, name) in ["Chidi", "Ngozi"].into_iter().take(random.usize(0..3)).enumerate() {
        let is_agency = random.u8(0..5) == 0;
        let facts = GuardianFacts {
            name: name.into(),
            email: None,
            phone: None,
            relationship: is_agency.then_some(Relationship::Agency),
            is_primary: place == 0,
            gets_mail: true,
        };
        let now = jiff::Timestamp::UNIX_EPOCH;
        let guardian = guardians::write(connection, id, None, &facts, now).unwrap();
        let is_stopped = random.u8(0..5) == 0;
        if is_stopped {
            let stop = GuardianStop { reason: "Custody", user_id: Some(1) };
            guardians::set_stopped(connection, guardian, Some(stop), now).unwrap();
        }
        if !is_agency && !is_stopped {
            known.guardians.push(guardian);
        }
    }
    let mut courses: Vec<i64> = (1..=4).collect();
    random.shuffle(&mut courses);
    for course in courses.into_iter().take(random.usize(0..5)) {
        confirm(connection, id, &mut known, random);
        let status = EnrollmentStatus::ALL[random.usize(0..EnrollmentStatus::ALL.len())];
        let sql = "insert into enrollments (student_id, course_id, start_date, end_date, status, created_at)
            values (:id, :course, '2026-09-01', '2027-01-30', :status, 0)";
        connection.run(sql, params![id, course, status]).unwrap();
        known.requests.push((connection.last_insert_rowid(), status, course));
    }
    known
}

/// Some of the guardians, or one without a name, confirm some of the requests.
fn confirm(connection: &Connection, id: i64, known: &mut Known, random: &mut fastrand::Rng) {
    let now = jiff::Timestamp::UNIX_EPOCH;
    let by = ActingStaff { id: 1, actor: &Actor::staff(1, "office") };
    let guardians: Vec<Option<i64>> = match &*known.guardians {
        [] => vec![None],
        all => all.iter().copied().map(Some).collect(),
    };
    for guardian in guardians {
        let newest = known.requests.last().map(|(request, ..)| *request);
        match (random.u8(0..9), guardian, newest) {
            (0 | 1, ..) => {
                confirmations::record(connection, id, GuardianHow::Phone, guardian, by, now).unwrap();
                let all = known.requests.iter().map(|(request, ..)| *request).collect();
                known
                    .confirmed
                    .retain(|(by, what)| *by != guardian || !matches!(what, Confirmed::Requests(_)));
                known.confirmed.push((guardian, Confirmed::Requests(all)));
            }
            (2 | 3, Some(of), Some(newest)) => {
                let until = random.bool().then(|| "2027-08-31".parse().unwrap());
                let confirmation =
                    FamilyConfirmation { enrollment_id: newest, until, name: "Chidi", texts: &[] };
                let of = guardians::find(connection, id, of).unwrap().unwrap();
                confirmations::give(connection, &of, &confirmation, now).unwrap();
                let what = until.map_or(Confirmed::Request(newest), |_| Confirmed::SchoolYear);
                known.confirmed.push((guardian, what));
            }
            _ => {}
        }
    }
}

#[test]
fn rows_record_flags_and_portal_agree_on_what_is_missing() {
    let folder = tempfile::tempdir().unwrap();
    let connection = db::open(&folder.path().join("school.db")).unwrap();
    connection
        .execute_batch(
            "insert into users (id, username, password_hash, email, created_at) values (1, 'office', '', 'x@x.x', 0);
             insert into courses (id, code, name, description, grade, course_type, prerequisite, created_at, updated_at)
             select value, 'C00' || value, 'Course', 'What it is about.', 8 + value, 'Open',
                 iif(value % 2 = 0, 'C001', null), 0, 0
             from json_each('[1, 2, 3, 4]')",
        )
        .unwrap();
    let today = TODAY.parse().unwrap();
    let mut lacking = 0;
    for seed in 0..SCHOOLS {
        let mut random = fastrand::Rng::with_seed(seed);
        connection.execute_batch("begin").unwrap();
        let school = settings(&connection, &mut random);
        let config = &school.config;
        let duties = Role::Admin.duties(&config.office);
        let reading = ListContext { duties, today, config: config.clone() };
        let known: Vec<_> =
            (1..=STUDENTS).map(|id| (id, draw(&connection, id, &school, &mut random))).collect();
        let rows = enrollments::list_all(&connection, config, jiff::Timestamp::UNIX_EPOCH, today).unwrap();
        for (id, known) in &known {
            let told =
                format!("school {seed}, student {id}: {known:?}, {:?}, {:?}", config.office, school.asked);
            let file = file::read(&connection, *id, &reading).unwrap();
            let portal = lacks::explained(&connection, *id, &config.office, today).unwrap();
            assert_eq!(file.wanted.as_ref(), Some(&portal), "{told}");
            let wanted: Vec<_> =
                portal.iter().map(|one| (one.kind, one.document_type, one.is_with_office)).collect();
            assert_eq!(wanted, known.wanted(&school), "{told}");
            let is_wanted = |one: Requirement| portal.iter().any(|wanted| one.is_about(wanted));
            let has = |flag| file.flags.contains(&flag);
            assert_eq!(has(StudentFlag::ProfileIncomplete), is_wanted(Requirement::Profile), "{told}");
            assert_eq!(has(StudentFlag::GuardianNotConfirmed), is_wanted(Requirement::Guardian), "{told}");
            let own: Vec<_> = rows.iter().filter(|row| row.student_id == *id).collect();
            assert_eq!(own.len(), known.requests.len());
            for row in &own {
                assert_eq!(row.missing, known.missing(row.id, &school), "{told}");
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
