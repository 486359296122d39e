//! The office's list of students, and the search on every screen.

mod accounts;
mod bulk;
mod closing;
mod doors;

use reqwest::StatusCode;
use schoolhouse::testing::Role;
use serde_json::json;

use crate::support::{PDF, School, profile};

#[tokio::test]
async fn students_are_found_by_whatever_the_office_knows_of_them() {
    let school = School::open().await;
    let (staff, jane, other) = (school.staff().await, school.student().await, school.student().await);
    let mut facts = profile(&jane.email);
    for (name, value) in
        [("fullName", "Zoë Doe"), ("parentName", "Chidi Doe"), ("parentContact", "416-555-0199")]
    {
        facts[name] = value.into();
    }
    jane.patch("/api/students/me", &facts).await.expect(StatusCode::OK);
    let course = school.course(&staff, "ENG4U", json!(500)).await;
    jane.enroll(course).await.expect(StatusCode::CREATED);
    for q in [
        "zoe",
        "DOE zo",
        "2026-0001",
        "student1@",
        "6475550188",
        "647-555-0188",
        "(647) 555",
        "chidi",
        "4165550199",
        "eng4u",
        "doe eng4",
    ] {
        let ids = staff.get(&format!("/api/admin/students?q={}", q.replace(' ', "+"))).await.column("id");
        assert_eq!(ids, [json!(jane.id)], "{q}");
    }
    for q in ["absent", "zoe mhf4u", "6475550189"] {
        let ids = staff.get(&format!("/api/admin/students?q={}", q.replace(' ', "+"))).await.column("id");
        assert!(ids.is_empty(), "{q}");
    }
    let all = staff.get("/api/admin/students?page=1").await;
    assert_eq!((all.column("id"), all.total()), (vec![json!(jane.id), json!(other.id)], 2));
}

#[tokio::test]
async fn filters_find_what_their_counts_say() {
    let school = School::open().await;
    let (staff, jane, other) = (school.staff().await, school.student().await, school.student().await);
    jane.patch("/api/students/me", &profile(&jane.email)).await.expect(StatusCode::OK);
    let mut abroad = profile(&other.email);
    abroad["canadianStatus"] = "international_student".into();
    abroad["dateOfBirth"] = "2000-01-01".into();
    other.patch("/api/students/me", &abroad).await.expect(StatusCode::OK);
    let course = school.course(&staff, "ENG4U", json!(500)).await;
    jane.enroll(course).await.expect(StatusCode::CREATED);
    jane.upload("transcript", "a.pdf", PDF.to_vec()).await.expect(StatusCode::CREATED);
    school.visitor().register("waits@mail.example").await;
    school.mail("waits@mail.example", "Verify your email address").await;
    let counts = staff.get("/api/admin/students/flags").await.expect(StatusCode::OK).json();
    let expected = json!({ "unverified": 1, "profile_incomplete": 1, "document_waiting": 1, "request_waiting": 1,
        "guardian_not_confirmed": 2, "past_end_no_mark": 0, "under_18": 1, "international": 1, "suspended": 0,
        "closed": 0 });
    for count in counts.as_array().unwrap() {
        let flag = count["flag"].as_str().unwrap();
        assert_eq!(count["count"], expected[flag], "{flag}");
        let listed =
            staff.get(&format!("/api/admin/students?page=1&flags={flag}")).await.expect(StatusCode::OK);
        assert_eq!(listed.total(), count["count"].as_i64().unwrap(), "{flag}");
        for row in listed.json().as_array().unwrap() {
            assert!(row["flags"].as_array().unwrap().contains(&json!(flag)), "{row}");
        }
    }
    let both =
        staff.get("/api/admin/students?flags=under_18,request_waiting&course=ENG4U&grade=12&page=1").await;
    assert_eq!(both.column("id"), [json!(jane.id)]);
    assert_eq!(staff.get("/api/admin/students?course=MHF4U").await.column("id").len(), 0);
    let fields = staff.get("/api/admin/students?flags=tall&status=gone&sort=height&grade=x").await.fields();
    assert_eq!(fields.as_object().unwrap().len(), 4, "{fields}");
    let viewer = school.staff_as(Role::Viewer).await;
    assert!(viewer.get("/api/admin/students?sort=balance").await.fields()["sort"].is_string());
}

#[tokio::test]
async fn the_list_comes_in_each_of_its_orders() {
    let school = School::open().await;
    let staff = school.staff().await;
    let (first, second, third) = (school.student().await, school.student().await, school.student().await);
    for (student, name) in [(&first, "Mia"), (&second, "adam")] {
        let mut facts = profile(&student.email);
        facts["fullName"] = name.into();
        student.patch("/api/students/me", &facts).await.expect(StatusCode::OK);
    }
    let course = school.course(&staff, "ENG4U", json!(500)).await;
    let id = second.enroll(course).await.expect(StatusCode::CREATED).json()["id"].clone();
    staff.post(&format!("/api/admin/enrollments/{id}/approve"), &json!({})).await.expect(StatusCode::OK);
    school.advance(jiff::SignedDuration::from_hours(2));
    first.get("/api/students/me").await.expect(StatusCode::OK);
    let staff = school.staff().await;
    for (sort, expected) in [
        ("name", [&second, &first, &third]),
        ("-name", [&first, &second, &third]),
        ("created", [&first, &second, &third]),
        ("-created", [&third, &second, &first]),
        ("-lastActivity", [&first, &third, &second]),
        ("-balance", [&second, &third, &first]),
    ] {
        let ids = staff.get(&format!("/api/admin/students?sort={sort}&page=1")).await.column("id");
        assert_eq!(ids, expected.map(|student| json!(student.id)), "{sort}");
    }
}

#[tokio::test]
async fn the_last_activity_is_what_the_student_did_last_and_nothing_that_the_office_did() {
    let school = School::open().await;
    let staff = school.staff().await;
    let made = json!({ "fullName": "Ann", "email": "ann@mail.example", "invite": false });
    let id = staff.post("/api/admin/students", &made).await.expect(StatusCode::CREATED).json()["id"].clone();
    let ann = staff.get(&format!("/api/admin/students/{id}")).await.json();
    assert_eq!(ann["student"]["lastActivityAt"], json!(null), "the account was made by the office");
    let course = school.course(&staff, "ENG4U", json!(500)).await;
    let student = school.student().await;
    let last = async || {
        let list = staff.get("/api/admin/students?page=1").await.json();
        let row = list.as_array().unwrap().iter().find(|row| row["id"] == json!(student.id)).unwrap().clone();
        let page = staff.get(&format!("/api/admin/students/{}", student.id)).await.json();
        assert_eq!(row["lastActivityAt"], page["student"]["lastActivityAt"]);
        row["lastActivityAt"].as_str().unwrap().to_owned()
    };
    assert_eq!(last().await, "2026-11-21T15:00:00Z");
    school.advance(jiff::SignedDuration::from_mins(10));
    student.upload("transcript", "a.pdf", PDF.to_vec()).await.expect(StatusCode::CREATED);
    assert_eq!(last().await, "2026-11-21T15:10:00Z", "long before a visit is written again");
    school.advance(jiff::SignedDuration::from_mins(10));
    let enrollment = student.enroll(course).await.expect(StatusCode::CREATED).json()["id"].clone();
    assert_eq!(last().await, "2026-11-21T15:20:00Z");
    school.advance(jiff::SignedDuration::from_mins(10));
    student.patch("/api/students/me", &profile(&student.email)).await.expect(StatusCode::OK);
    assert_eq!(last().await, "2026-11-21T15:30:00Z");
    school.advance(jiff::SignedDuration::from_mins(10));
    staff
        .post(&format!("/api/admin/enrollments/{enrollment}/approve"), &json!({}))
        .await
        .expect(StatusCode::OK);
    staff
        .post(&format!("/api/admin/students/{}/notes", student.id), &json!({ "body": "Called." }))
        .await
        .expect(StatusCode::CREATED);
    assert_eq!(last().await, "2026-11-21T15:30:00Z", "what the office does is not the student's");
}

#[tokio::test]
async fn the_search_finds_eight_of_each_and_nothing_for_a_letter() {
    let school = School::open().await;
    let staff = school.staff().await;
    for number in 0..9 {
        let new = json!({ "fullName": format!("Jane Doe {number}"), "email": format!("jane{number}@mail.example"),
            "invite": false });
        staff.post("/api/admin/students", &new).await.expect(StatusCode::CREATED);
    }
    // The newest of all, whose address has the letters; a name that has them comes first.
    let other = json!({ "fullName": "Wei Chen", "email": "wei.jansen@mail.example", "invite": false });
    staff.post("/api/admin/students", &other).await.expect(StatusCode::CREATED);
    school.course(&staff, "JAN4U", json!(500)).await;
    let found = staff.get("/api/admin/search?q=jan").await.expect(StatusCode::OK).json();
    assert_eq!(found["students"].as_array().unwrap().len(), 8);
    assert_eq!(found["students"][0]["name"], "Jane Doe 8");
    assert_eq!(found["courses"][0]["code"], "JAN4U");
    let nothing = json!({ "students": [], "applications": [], "courses": [], "receipts": [] });
    assert_eq!(staff.get("/api/admin/search?q=j").await.json(), nothing);
    assert_eq!(staff.get("/api/admin/search").await.json(), nothing);
}

#[tokio::test]
async fn a_name_is_found_in_both_searches_however_its_joints_are_typed_and_by_its_one_letter() {
    let school = School::open().await;
    let staff = school.staff().await;
    for (number, name) in ["Seán O'Brien-Nuñez", "Fitz D’Arcy", "王小明", "李.", "R."].into_iter().enumerate()
    {
        let new = json!({ "fullName": name, "email": format!("n{number}@mail.example"), "invite": false });
        staff.post("/api/admin/students", &new).await.expect(StatusCode::CREATED);
    }
    for (q, name) in [
        ("obrien", "Seán O'Brien-Nuñez"),
        ("O’Brien", "Seán O'Brien-Nuñez"),
        ("nunez", "Seán O'Brien-Nuñez"),
        ("obriennunez", "Seán O'Brien-Nuñez"),
        ("darcy", "Fitz D’Arcy"),
        ("d'arcy", "Fitz D’Arcy"),
        ("王", "王小明"),
        ("李", "李."),
    ] {
        let found = staff.get(&format!("/api/admin/search?q={q}")).await.expect(StatusCode::OK).json();
        let names: Vec<_> =
            found["students"].as_array().unwrap().iter().map(|found| &found["name"]).collect();
        assert_eq!(names, [name], "{q}");
        let listed = staff.get(&format!("/api/admin/students?q={q}")).await.column("fullName");
        assert_eq!(listed, [name], "{q}");
    }
}
