//! Compares the program's claims with the facts at four schools: the demo, one that only has an administrator, one of
//! four lines, and one that requires everything. Each claim is one check, which reads the API and the public pages of
//! each school; a school is started once for all of its checks.

mod classes;
mod credits;
mod fees;
mod office;
mod people;
pub mod site;

use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::atomic::{AtomicUsize, Ordering};

use reqwest::StatusCode;
use schoolhouse::testing::{Config, Demand, RequiredDocument};
use serde_json::{Map, Value, json};

use crate::support::{Actor, School, Student, profile};

/// The price of every course that a check adds: no page shows it by chance.
const PRICE: f64 = 731.5;

/// A course that is over, one that runs, and one that is to begin; the clock stands on November 21, 2026.
const OVER: [&str; 2] = ["2026-10-05", "2026-11-10"];
const RUNNING: [&str; 2] = ["2026-10-05", "2027-01-31"];
const LATER: [&str; 2] = ["2027-02-01", "2027-06-20"];

const WHY: &str = "The family asked the office for it.";

/// One of the four schools, and its administrator.
pub struct Place {
    pub school: School,
    pub staff: Actor,
    courses: AtomicUsize,
}

type Check = fn(Rc<Place>) -> Pin<Box<dyn Future<Output = ()>>>;

/// The claims, in the order in which they are checked: the last ones publish semesters and move the clock, and read
/// every email that the others caused.
macro_rules! claims {
    ($($words:literal => $check:path,)*) => { [$(($words, |place| Box::pin($check(place)))),*] };
}

const CLAIMS: [(&str, Check); 22] = claims! {
    "a consent is a text that was shown, and an act" => people::consents_are_acts,
    "a confirmation counts for its guardian and its day" => people::a_confirmation_is_about_its_guardian,
    "portal, record and rows want the same" => people::all_agree_on_what_is_missing,
    "only a comparison is an identity check" => people::only_a_comparison_is_an_identity_check,
    "an approval keeps what was missing" => people::an_approval_keeps_what_was_missing,
    "what a role may not know is unknown to it" => people::a_role_does_not_see_whether_something_is_missing,
    "last activity and undo are what the words say" => people::words_say_what_is_so,
    "seats are taken by dates" => classes::seats_are_taken_by_dates,
    "a student who leaves later keeps the seat until then" => classes::a_seat_is_taken_until_the_day_of_leaving,
    "a final mark waits for the course" => classes::a_final_mark_waits_for_the_course,
    "a failed course can be taken again" => credits::a_repeat_is_a_repeat,
    "credits from elsewhere are recorded" => credits::credits_from_elsewhere_are_recorded,
    "the office sees what a course asks for" => credits::the_row_shows_what_the_course_asks_for,
    "a request is told what it costs and how to leave" => fees::a_request_shows_its_terms,
    "what is due falls as well as rises" => fees::what_is_due_falls_too,
    "no public page shows a fee" => fees::no_public_page_shows_a_fee,
    "sheets come back unchanged" => office::sheets_come_back_unchanged,
    "what waits is counted, listed and left" => office::waiting_counts_match_their_lists,
    "first steps are ticked by their facts" => office::first_steps_follow_the_facts,
    "semesters are the office's" => site::semesters_are_the_offices,
    "other dates begin today" => site::dates_of_a_request,
    "every fact has an owner" => site::every_fact_has_an_owner,
};

/// Holds every claim at a school, and tells all that do not hold.
async fn hold(school: School) {
    let staff = school.staff().await;
    let place = Rc::new(Place { school, staff, courses: AtomicUsize::new(0) });
    let mut broken = Vec::new();
    let tasks = tokio::task::LocalSet::new();
    tasks
        .run_until(async {
            for (claim, check) in CLAIMS {
                // What was seen instead stands above, where the check panicked.
                if tokio::task::spawn_local(check(place.clone())).await.is_err() {
                    broken.push(claim);
                }
            }
        })
        .await;
    assert!(broken.is_empty(), "these do not hold: {broken:#?}");
}

#[tokio::test]
async fn claims_hold_at_the_demo() {
    let school = School::open().await;
    schoolhouse::testing::seed_demo(school.app()).await.unwrap();
    hold(school).await;
}

#[tokio::test]
async fn claims_hold_at_a_school_that_only_has_an_administrator() {
    hold(School::open().await).await;
}

#[tokio::test]
async fn claims_hold_at_a_school_of_four_lines() {
    hold(School::open_with(four_lines).await).await;
}

/// The configuration of a school's first evening.
pub fn four_lines(config: &mut Config) {
    config.school_file.name = Some("Lakeview College".into());
    config.school_file.email = "office@lakeview.example".parse().ok();
    config.school_file.city = Some("Kingston".into());
    config.school_file.phone = Some("(613) 555-0155".into());
}

#[tokio::test]
async fn claims_hold_at_a_school_that_requires_everything() {
    let strict = |config: &mut Config| {
        four_lines(config);
        let text = |text: &str| Some(text.to_owned());
        config.school_file.street = text("9 Princess Street");
        config.school_file.postal_code = text("K7L 1A1");
        config.school_file.inspection_id = text("665544");
        config.school_file.registration_number = text("778899");
        config.school_file.tagline = text("A small school on the lake");
        config.school_file.hours = text("Monday to Thursday, 9:00 AM to 3:00 PM");
        config.school_file.founded_year = Some(2011);
        config.school_file.universities = Some(vec!["Queen’s University".into()]);
        config.office.guardian_confirmation = Demand::Required;
        config.office.documents = Demand::Required;
        config.office.profile = Demand::Required;
        config.office.required_documents = vec![
            RequiredDocument::GovernmentId,
            RequiredDocument::Transcript,
            RequiredDocument::ProofOfAddress,
            RequiredDocument::HealthInsurance,
        ];
    };
    hold(School::open_with(strict).await).await;
}

impl Place {
    /// A new course, with its code.
    async fn course(&self) -> (i64, String) {
        let letter = |place: usize| char::from(b'A' + u8::try_from(place % 26).unwrap());
        let number = self.courses.fetch_add(1, Ordering::SeqCst);
        let code = format!("X{}{}4U", letter(number / 26), letter(number));
        (self.school.course(&self.staff, &code, json!(PRICE)).await, code)
    }

    /// A student of 17 with a complete profile and a guardian.
    async fn student(&self) -> Student {
        let student = self.school.student().await;
        let mut facts = profile(&student.email);
        facts["parentName"] = "Chidi Okonkwo".into();
        facts["parentContact"] = format!("guardian-of-{}", student.email).into();
        student.patch("/api/students/me", &facts).await.expect(StatusCode::OK);
        student
    }

    async fn request(&self, student: &Student, course: i64, [start, end]: [&str; 2]) -> Value {
        let body = json!({ "courseId": course, "startDate": start, "endDate": end });
        student.post("/api/students/enrollments", &body).await.expect(StatusCode::CREATED).json()
    }

    /// The office's row of an enrollment.
    async fn row(&self, reader: &Actor, student: &Student, id: &Value) -> Value {
        let rows = reader.get(&format!("/api/admin/enrollments?student={}", student.id)).await;
        let rows = rows.expect(StatusCode::OK).json();
        rows.as_array().unwrap().iter().find(|row| row["id"] == *id).unwrap().clone()
    }

    async fn file(&self, student: i64) -> Value {
        self.staff.get(&format!("/api/admin/students/{student}")).await.expect(StatusCode::OK).json()
    }

    async fn decide(&self, verb: &str, id: &Value, body: &Value) -> crate::support::Answer {
        self.staff.post(&format!("/api/admin/enrollments/{id}/{verb}"), body).await
    }

    /// Approves a request, with a reason for each thing that this school requires and the student lacks.
    async fn approve(&self, student: &Student, id: &Value) -> Value {
        let end = self.row(&self.staff, student, id).await["endDate"].clone();
        let end = end.as_str().unwrap();
        // One for a course that has ended is approved as on its last day.
        let ends = |on: &str| {
            let sql = "update enrollments set end_date = ? where id = ? and end_date <> ?1";
            self.school.database().execute(sql, rusqlite::params![on, id.as_i64()]).unwrap();
        };
        ends(end.max("2026-11-21"));
        let required = self.row(&self.staff, student, id).await["required"].clone();
        let reasons: Map<String, Value> = required
            .as_array()
            .unwrap()
            .iter()
            .map(|one| (one.as_str().unwrap().to_owned(), json!("Known to the office.")))
            .collect();
        let body = if reasons.is_empty() { json!({}) } else { json!({ "override": reasons }) };
        let approved = self.decide("approve", id, &body).await.expect(StatusCode::OK).json();
        ends(end);
        approved
    }

    /// A student enrolled in a new course on these dates.
    async fn enrolled(&self, dates: [&str; 2]) -> (Student, i64, Value) {
        let student = self.student().await;
        let (course, _) = self.course().await;
        let id = self.request(&student, course, dates).await["id"].clone();
        self.approve(&student, &id).await;
        (student, course, id)
    }

    /// Whether approvals of this school wait for what the student lacks.
    fn is_strict(&self) -> bool {
        self.school.app().config.office.documents == Demand::Required
    }
}

/// An email as one line: where its lines break says nothing.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
