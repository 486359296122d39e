//! Terms and sections in the office: set up, copied to the next year, changed and deleted.

use reqwest::StatusCode;
use schoolhouse::testing::Role;
use serde_json::{Value, json};

use crate::support::School;

const LINK: &str = "https://meet.example/secret-room";

#[tokio::test]
#[expect(clippy::too_many_lines, reason = "one year of a school is walked through")]
async fn a_term_is_set_up_with_its_sections_and_copied_to_the_next_year() {
    let school = School::open().await;
    let (staff, viewer) = (school.staff_as(Role::Registrar).await, school.staff_as(Role::Viewer).await);
    let course = json!({ "code": "MHF4U", "name": "Advanced Functions", "description": "Functions and their graphs.",
        "grade": 12, "courseType": "University", "price": 549, "capacity": 25 });
    let course =
        staff.post("/api/admin/courses", &course).await.expect(StatusCode::CREATED).json()["id"].clone();
    let body = json!({ "name": "Winter 2027", "startsOn": "2027-02-01", "endsOn": "2027-06-25",
        "joinUntil": "2027-02-19", "daysOff": ["2027-03-16", "2027-02-15"], "isPublished": true });
    let term = staff.post("/api/admin/terms", &body).await.expect(StatusCode::CREATED).json();
    assert_eq!(
        term,
        json!({ "id": term["id"], "name": "Winter 2027", "startsOn": "2027-02-01", "endsOn": "2027-06-25",
            "requestsFrom": null, "requestsUntil": null, "joinUntil": "2027-02-19", "midtermOn": null,
            "firstReportOn": null, "finalOn": null, "daysOff": ["2027-02-15", "2027-03-16"], "isPublished": true,
            "version": 1 })
    );
    // Days, seats and the label come from the term, the course and the alphabet.
    let hours = json!([{ "weekday": 2, "startsAt": "19:00", "endsAt": "20:30", "link": LINK }]);
    let body =
        json!({ "courseId": course, "termId": term["id"], "teacherName": "Imani Sample", "meetings": hours });
    let first = staff.post("/api/admin/sections", &body).await.expect(StatusCode::CREATED).json();
    assert_eq!(
        first,
        json!({ "id": first["id"], "courseId": course, "courseCode": "MHF4U", "courseName": "Advanced Functions",
            "termId": term["id"], "termName": "Winter 2027", "label": "A", "kind": "regular",
            "delivery": "synchronous", "startsOn": "2027-02-01", "endsOn": "2027-06-25", "capacity": 25,
            "price": null, "teacherName": "Imani Sample", "status": "planned", "taken": 0, "waiting": 0,
            "version": 1, "clashes": [], "cancelledClasses": [], "meetings": [{ "id": first["meetings"][0]["id"], "weekday": 2,
                "startsAt": "19:00", "endsAt": "20:30", "link": LINK }] })
    );
    // The same teacher at the same hour is a warning on both rows.
    let second = staff.post("/api/admin/sections", &body).await.expect(StatusCode::CREATED).json();
    assert_eq!((&second["label"], &second["clashes"][0]["label"]), (&json!("B"), &json!("A")));
    let query = format!("/api/admin/sections?term={}&course={course}&status=planned", term["id"]);
    let rows = staff.get(&query).await.expect(StatusCode::OK);
    assert_eq!(
        rows.column("clashes").iter().map(|clashes| &clashes[0]["sectionId"]).collect::<Vec<_>>(),
        [&second["id"], &first["id"]]
    );
    assert_eq!(
        viewer.get(&query).await.json()[0]["meetings"][0]["link"],
        Value::Null,
        "a secret of the enrolled"
    );
    assert!(staff.get("/api/admin/sections?status=all").await.fields()["status"].is_string());
    assert_eq!(
        staff
            .post("/api/admin/sections", &json!({ "courseId": course, "termId": term["id"], "label": "A" }))
            .await
            .fields(),
        json!({ "label": "The course has a section of this label in the same term" })
    );
    assert_eq!(
        staff
            .post("/api/admin/sections", &json!({ "courseId": 999 }))
            .await
            .fields()
            .as_object()
            .unwrap()
            .len(),
        3,
        "the course and both days"
    );

    // A changed term takes along what no student has asked for; a version that is old is refused with the current one.
    let path = format!("/api/admin/terms/{}", term["id"]);
    let body = json!({ "endsOn": "2027-06-24", "version": 1 });
    let changed = staff.patch(&path, &body).await.expect(StatusCode::OK).json();
    assert_eq!((&changed["endsOn"], &changed["version"]), (&json!("2027-06-24"), &json!(2)));
    let late =
        staff.patch(&path, &json!({ "name": "Winter", "version": 1 })).await.expect(StatusCode::CONFLICT);
    assert_eq!(
        (&late.json()["current"]["endsOn"], &late.json()["current"]["version"]),
        (&changed["endsOn"], &changed["version"])
    );
    assert_eq!(staff.get(&query).await.column("endsOn"), ["2027-06-24", "2027-06-24"]);

    // A year on: 364 days, so every weekday stays.
    let copy = json!({ "name": "Winter 2028", "startsOn": "2028-01-31" });
    let copied = staff.post(&format!("{path}/copy"), &copy).await.expect(StatusCode::CREATED).json();
    let (new, sections) = (&copied["term"], copied["sections"].as_array().unwrap());
    assert_eq!(
        (&new["endsOn"], &new["joinUntil"], &new["daysOff"], &new["isPublished"]),
        (&json!("2028-06-22"), &json!("2028-02-18"), &json!(["2028-02-14", "2028-03-14"]), &json!(false))
    );
    assert_eq!(sections.len(), 2);
    assert_eq!(
        (
            &sections[0]["status"],
            &sections[0]["startsOn"],
            &sections[0]["meetings"][0]["link"],
            &sections[0]["taken"]
        ),
        (&json!("planned"), &json!("2028-01-31"), &json!(LINK), &json!(0))
    );
    assert_eq!(staff.get("/api/admin/terms").await.column("name"), ["Winter 2028", "Winter 2027"]);
    // One call opens what is planned, and leaves the other terms alone; again it changes nothing.
    let open = format!("/api/admin/terms/{}/open-sections", new["id"]);
    for _ in 0..2 {
        let opened = staff.post(&open, &json!({})).await.expect(StatusCode::OK);
        assert_eq!(opened.column("status"), ["open", "open"]);
        assert_eq!(opened.column("version"), [json!(2), json!(2)]);
    }
    staff.post("/api/admin/terms/99/open-sections", &json!({})).await.expect(StatusCode::NOT_FOUND);
    // Visitors see what is published and has not ended, and no trail keeps a link.
    assert_eq!(
        school.visitor().get("/api/terms").await.json(),
        json!([{ "id": term["id"], "name": "Winter 2027", "startsOn": "2027-02-01", "endsOn": "2027-06-24",
            "joinUntil": "2027-02-19" }])
    );
    assert_eq!(school.count("select count(*) from audit where detail like '%secret-room%'"), 0);
}

#[tokio::test]
async fn a_section_is_edited_by_its_roles_and_deleted_only_without_students() {
    let school = School::open().await;
    let (staff, bursar) = (school.staff_as(Role::Registrar).await, school.staff_as(Role::Bursar).await);
    let viewer = school.staff_as(Role::Viewer).await;
    let student = school.student().await;
    let course = school.course(&staff, "ENG4U", json!(549)).await;
    let body = json!({ "courseId": course, "startsOn": "2027-02-01", "endsOn": "2027-06-25",
        "meetings": [{ "weekday": 2, "startsAt": "19:00", "endsAt": "20:30", "link": LINK }] });
    let section = staff.post("/api/admin/sections", &body).await.expect(StatusCode::CREATED).json();
    let path = format!("/api/admin/sections/{}", section["id"]);
    // The bursar changes the price and nothing else, and sees no link.
    let priced =
        bursar.patch(&path, &json!({ "price": "450", "version": 1 })).await.expect(StatusCode::OK).json();
    assert_eq!(
        (&priced["price"], &priced["meetings"][0]["link"], &priced["undo"]),
        (&json!(450), &Value::Null, &Value::Null)
    );
    bursar.patch(&path, &json!({ "price": 450, "label": "B" })).await.expect(StatusCode::FORBIDDEN);
    bursar.delete(&path).await.expect(StatusCode::FORBIDDEN);
    viewer.patch(&path, &json!({ "price": 1 })).await.expect(StatusCode::FORBIDDEN);
    // A kept hour keeps its number; what is left out goes, what has none is new.
    let kept = &section["meetings"][0]["id"];
    let hours = json!([{ "id": kept, "weekday": 3, "startsAt": "19:00", "endsAt": "20:30", "link": LINK },
        { "weekday": 5, "startsAt": "09:00", "endsAt": "10:00" }]);
    let body =
        json!({ "status": "open", "meetings": hours, "version": 2, "delivery": "blended", "capacity": 1 });
    let changed = staff.patch(&path, &body).await.expect(StatusCode::OK).json();
    assert_eq!(
        (&changed["version"], &changed["meetings"][0]["id"], &changed["price"]),
        (&json!(3), kept, &json!(450))
    );
    assert_eq!(
        (&changed["meetings"][0]["weekday"], &changed["meetings"][1]["link"]),
        (&json!(3), &Value::Null)
    );
    let old = staff.patch(&path, &json!({ "label": "Z", "version": 2 })).await.expect(StatusCode::CONFLICT);
    assert_eq!(old.json()["current"]["version"], 3);
    assert!(staff.patch(&path, &json!({ "status": "cancelled" })).await.fields()["status"].is_string());
    // With a student it is no longer deleted.
    let sql = "insert into enrollments (student_id, course_id, section_id, start_date, end_date, status, created_at)
        values (?1, ?2, ?3, '2027-02-01', '2027-06-25', 'active', 0)";
    let values = (student.id, course, section["id"].as_i64().unwrap());
    school.database().execute(sql, values).unwrap();
    assert_eq!(staff.get("/api/admin/sections").await.column("taken"), [json!(1)]);
    staff.delete(&path).await.expect(StatusCode::CONFLICT);
    let other = json!({ "courseId": course, "startsOn": "2027-02-01", "endsOn": "2027-06-25" });
    let other = staff.post("/api/admin/sections", &other).await.expect(StatusCode::CREATED).json();
    let other = format!("/api/admin/sections/{}", other["id"]);
    staff.patch(&other, &json!({ "label": "Z" })).await.expect(StatusCode::OK);
    staff.delete(&other).await.expect(StatusCode::NO_CONTENT);
    staff.delete(&other).await.expect(StatusCode::NOT_FOUND);
}
