//! Terms and sections that move, and colleagues who decide about a section at once.

use reqwest::StatusCode;
use serde_json::{Value, json};

use super::{course, section};
use crate::support::{Actor, School, Student, profile};

/// A term with a section on its own days and one with days of its own, a student in each, and a section without students.
struct Scene {
    school: School,
    staff: Actor,
    term: Value,
    sections: Vec<Value>,
    students: Vec<Student>,
    ids: Vec<Value>,
}

impl Scene {
    async fn open() -> Self {
        let school = School::open_with(|config| config.office.undo_seconds = 60).await;
        let staff = school.staff().await;
        let (course, term) = course(&school, &staff).await;
        let own = json!({ "startsOn": "2026-11-09", "endsOn": "2027-01-29" });
        let sections = vec![
            section(&staff, course, &term, json!({})).await,
            section(&staff, course, &term, own).await,
            section(&staff, course, &term, json!({})).await,
        ];
        let (mut students, mut ids) = (Vec::new(), Vec::new());
        for section in [&sections[0], &sections[0], &sections[1]] {
            let student = school.student().await;
            student.patch("/api/students/me", &profile(&student.email)).await.expect(StatusCode::OK);
            let body = json!({ "courseId": course, "sectionId": section });
            let made =
                student.post("/api/students/enrollments", &body).await.expect(StatusCode::CREATED).json();
            let approve = format!("/api/admin/enrollments/{}/approve", made["id"]);
            staff.post(&approve, &json!({})).await.expect(StatusCode::OK);
            ids.push(made["id"].clone());
            students.push(student);
        }
        // The second keeps days of its own within the first section.
        let dates = json!({ "startDate": "2026-11-10", "endDate": "2027-02-10", "reason": "Joins for a shorter time." });
        let path = format!("/api/admin/enrollments/{}/dates", ids[1]);
        staff.post(&path, &dates).await.expect(StatusCode::OK);
        Self { school, staff, term, sections, students, ids }
    }

    async fn ends(&self) -> [Vec<Value>; 2] {
        let sections =
            self.staff.get(&format!("/api/admin/sections?term={}", self.term)).await.column("endsOn");
        let mut ends = Vec::new();
        for student in &self.students {
            ends.push(student.get("/api/students/enrollments").await.json()[0]["endDate"].clone());
        }
        [sections, ends]
    }

    fn held(&self) -> i64 {
        self.school.count(
            "select count(*) from outbox where decision_id in (select id from decisions where verb in ('change_term', 'change_section'))",
        )
    }
}

#[tokio::test]
async fn a_term_takes_along_its_sections_and_their_students_as_the_dialog_shows() {
    let scene = Scene::open().await;
    let before = scene.ends().await;
    let path = format!("/api/admin/terms/{}", scene.term);
    let body = json!({ "endsOn": "2027-03-12", "version": 1 });
    let shown = scene.staff.post(&format!("{path}/preview"), &body).await.expect(StatusCode::OK).json();
    let rows = |name: &str| {
        let rows = shown[name].as_array().unwrap().iter();
        rows.map(|row| [row["id"].clone(), row["enrollments"].clone(), row["moved"].clone()])
            .collect::<Vec<_>>()
    };
    let one = |at: usize, enrollments: i64, moved: i64| {
        [scene.sections[at].clone(), json!(enrollments), json!(moved)]
    };
    assert_eq!(rows("moving"), [one(0, 2, 1), one(2, 0, 0)]);
    assert_eq!(rows("staying"), [one(1, 1, 0)]);
    assert_eq!((&shown["told"], &shown["emails"]), (&json!(2), &json!(2)), "{shown}");
    assert_eq!((scene.ends().await, scene.held()), (before.clone(), 0), "nothing is changed");

    let changed = scene.staff.patch(&path, &body).await.expect(StatusCode::OK).json();
    assert_eq!((&changed["told"], &changed["endsOn"]), (&shown["told"], &json!("2027-03-12")));
    assert_eq!(shown["emails"], scene.held());
    let (new, own) = (json!("2027-03-12"), json!("2027-01-29"));
    assert_eq!(
        scene.ends().await,
        [vec![new.clone(), own.clone(), new.clone()], vec![new, json!("2027-02-10"), own]]
    );
    let late = scene.staff.patch(&path, &body).await.expect(StatusCode::CONFLICT).json();
    assert_eq!(late["current"]["version"], 2);

    let undo = format!("/api/admin/decisions/{}/undo", changed["undo"]["id"].as_str().unwrap());
    scene.staff.post(&undo, &json!({})).await.expect(StatusCode::OK);
    let noted = "select count(*) from audit where action = 'undo' and object = 'term'";
    assert_eq!(scene.school.count(noted), 1);
    assert_eq!((scene.ends().await, scene.held()), (before, 0));
    let terms = scene.staff.get("/api/admin/terms").await.json();
    assert_eq!((&terms[0]["endsOn"], &terms[0]["version"]), (&json!("2027-02-26"), &json!(3)));
}

#[tokio::test]
async fn a_section_shows_who_moves_along_before_it_is_saved() {
    let scene = Scene::open().await;
    let path = format!("/api/admin/sections/{}", scene.sections[0]);
    let body = json!({ "endsOn": "2027-03-05", "version": 1 });
    let before = scene.ends().await;
    let shown = scene.staff.post(&format!("{path}/preview"), &body).await.expect(StatusCode::OK).json();
    assert_eq!(shown, json!({ "moved": 1, "kept": 1, "told": 2, "emails": 2 }));
    assert_eq!(scene.ends().await, before);
    let saved = scene.staff.patch(&path, &body).await.expect(StatusCode::OK).json();
    assert_eq!((&saved["moved"], &saved["kept"], &saved["told"]), (&json!(1), &json!(1), &json!(2)));
    let room = scene.staff.post(&format!("{path}/preview"), &json!({ "capacity": 9 })).await.json();
    assert_eq!(room, json!({ "moved": 0, "kept": 0, "told": 0, "emails": 0 }), "no date has changed");
}

#[tokio::test]
async fn a_second_copy_of_a_term_asks_first() {
    let scene = Scene::open().await;
    let path = format!("/api/admin/terms/{}/copy", scene.term);
    let copy = json!({ "name": "Fall 2027", "startsOn": "2027-11-01" });
    scene.staff.post(&path, &copy).await.expect(StatusCode::CREATED);
    for same in [
        json!({ "name": "fall 2027", "startsOn": "2028-10-30" }),
        json!({ "name": "Autumn", "startsOn": "2027-11-01" }),
    ] {
        let refused = scene.staff.post(&path, &same).await.expect(StatusCode::CONFLICT).json();
        assert_eq!(refused["current"]["name"], "Fall 2027");
        let mut again = same.clone();
        again["again"] = json!(true);
        scene.staff.post(&path, &again).await.expect(StatusCode::CREATED);
        let id = scene.school.count("select max(id) from terms");
        scene.school.database().execute("delete from sections where term_id = ?", [id]).unwrap();
        scene.school.database().execute("delete from terms where id = ?", [id]).unwrap();
    }
}

#[tokio::test]
async fn of_two_colleagues_one_cancels_or_moves_and_the_other_is_told() {
    let scene = Scene::open().await;
    let other = scene.school.staff().await;
    let path = format!("/api/admin/sections/{}/cancel", scene.sections[0]);
    let body = json!({ "reason": "The teacher has left the school.", "version": 1 });
    let (first, second) = tokio::join!(scene.staff.post(&path, &body), other.post(&path, &body));
    let mut answers = [first, second];
    answers.sort_by_key(|answer| answer.status);
    assert_eq!(answers[0].status, StatusCode::OK);
    assert_eq!(
        (answers[1].status, &answers[1].json()["current"]["status"]),
        (StatusCode::CONFLICT, &json!("cancelled"))
    );
    assert_eq!(scene.school.count("select count(*) from enrollment_events where verb = 'cancel'"), 2);
    // Both move the same students, to different sections.
    let path = format!("/api/admin/sections/{}/transfer", scene.sections[0]);
    let to = |section: &Value| json!({ "toSectionId": section, "enrollmentIds": &scene.ids[..2] });
    let bodies = [to(&scene.sections[1]), to(&scene.sections[2])];
    let (first, second) = tokio::join!(scene.staff.post(&path, &bodies[0]), other.post(&path, &bodies[1]));
    let ok = |answer: Value| {
        let results = answer["results"].as_array().unwrap().clone();
        results.iter().filter(|one| one["ok"] == true).count()
    };
    let (first, second) = (first.expect(StatusCode::OK).json(), second.expect(StatusCode::OK).json());
    let told = [&first, &second].into_iter().find(|answer| answer["results"][0]["ok"] == false).unwrap();
    assert_eq!(told["results"][0]["status"], 409);
    assert!(told["results"][0]["message"].as_str().unwrap().contains("was moved to section"), "{told}");
    assert_eq!(ok(first) + ok(second), 2, "each went to one section");
    let sql = "select count(*) from enrollments where transferred_from is not null and status = 'active'";
    assert_eq!(scene.school.count(sql), 2);
}
