//! The catalogue: the public list, the office's changes, and their history.

use reqwest::StatusCode;
use schoolhouse::testing::Role;
use serde_json::{Value, json};

use crate::support::School;

/// The public fields of a course without sections, and without its seats.
fn public(course: &Value) -> Value {
    let mut course = course.clone();
    let fields = course.as_object_mut().unwrap();
    assert!(fields.remove("capacity").is_some() && fields.remove("archivedAt").is_some());
    fields.insert("hasSections".into(), json!(false));
    course
}

#[tokio::test]
async fn a_course_is_created_changed_and_deleted_and_visitors_see_it_at_once() {
    let school = School::open().await;
    let staff = school.staff().await;
    let visitor = school.visitor();
    let body = json!({ "code": " eng4u ", "name": "English", "description": "Reading and writing.", "grade": 12,
        "courseType": "University", "isCompulsory": true, "prerequisite": "ENG3U", "price": "549.50" });
    let made = staff.post("/api/admin/courses", &body).await.expect(StatusCode::CREATED).json();
    assert_eq!(
        made,
        json!({ "id": made["id"], "code": "ENG4U", "name": "English", "description": "Reading and writing.",
        "prerequisite": "ENG3U", "courseType": "University", "isCompulsory": true, "grade": 12, "price": 549.5,
        "credits": 1, "isOpen": true, "capacity": null, "archivedAt": null, "subject": "English", "level": "U" })
    );
    assert_eq!(visitor.get("/api/courses").await.json(), json!([public(&made)]));
    let mut row = made.clone();
    for key in ["seatsTaken", "seatsTakenToday", "active", "waitlistLength", "requests"] {
        row[key] = json!(0);
    }
    assert_eq!(staff.get("/api/admin/courses").await.json(), json!([row]));

    let path = format!("/api/admin/courses/{}", made["id"]);
    let changed = staff
        .patch(&path, &json!({ "price": null, "prerequisite": "", "name": "English, again" }))
        .await
        .expect(StatusCode::OK)
        .json();
    assert_eq!(
        (&changed["price"], &changed["prerequisite"], &changed["name"], &changed["code"]),
        (&json!(null), &json!(null), &json!("English, again"), &json!("ENG4U"))
    );
    assert_eq!(visitor.get("/api/courses").await.json(), json!([public(&changed)]));

    staff.delete(&path).await.expect(StatusCode::NO_CONTENT);
    assert_eq!(visitor.get("/api/courses").await.json(), json!([]));
    staff.delete(&path).await.expect(StatusCode::NOT_FOUND);
    staff.patch(&path, &json!({})).await.expect(StatusCode::NOT_FOUND);
    assert_eq!(school.count("select count(*) from audit where object = 'course'"), 3);
}

#[tokio::test]
async fn course_details_are_public_until_the_course_is_archived() {
    let school = School::open().await;
    let (staff, student, visitor) = (school.staff().await, school.student().await, school.visitor());
    let first = school.course(&staff, "MCR3U", json!(500)).await;
    let body = json!({ "code": "MHF4U", "name": "Advanced Functions", "description": "Polynomials and more.",
        "grade": 12, "courseType": "University", "prerequisite": "MCR3U*", "price": 1769 });
    staff.post("/api/admin/courses", &body).await.expect(StatusCode::CREATED);
    let course = visitor.get("/api/courses/mhf4u").await.expect(StatusCode::OK).json();
    assert_eq!(
        (&course["code"], &course["subject"], &course["level"], &course["levelName"]),
        (&json!("MHF4U"), &json!("Mathematics"), &json!("U"), &json!("University Preparation"))
    );
    assert_eq!((&course["hours"], &course["priceText"]), (&json!(110), &json!("$1,769.00")));
    assert_eq!(course["prerequisites"]["items"][0]["course"]["code"], "MCR3U");
    assert_eq!(course["prerequisites"]["items"][0]["note"], "It may be taken at the same time.");
    assert!(course.get("capacity").is_none() && course.get("archivedAt").is_none(), "the office's own");
    let before = visitor.get("/api/courses/MCR3U").await.expect(StatusCode::OK).json();
    assert_eq!(before["leadsTo"][0]["code"], "MHF4U");

    for code in ["MHF4C", "x", "MHF4U%20OR%201", "%F0%9F%98%80"] {
        visitor.get(&format!("/api/courses/{code}")).await.expect(StatusCode::NOT_FOUND);
    }
    // A course with enrollments is archived; its page says what to take instead.
    student.enroll(first).await.expect(StatusCode::CREATED);
    staff.delete(&format!("/api/admin/courses/{first}")).await.expect(StatusCode::NO_CONTENT);
    let gone = visitor.get("/api/courses/MCR3U").await.expect(StatusCode::GONE).json();
    assert_eq!(gone["message"], "This course is no longer offered.");
    assert_eq!(gone["current"]["code"], "MCR3U");
    assert_eq!(gone["current"]["successors"][0]["code"], "MHF4U", "what the subject has in its grade");
    let item = &visitor.get("/api/courses/MHF4U").await.json()["prerequisites"]["items"][0];
    assert_eq!((&item["code"], &item["course"]), (&json!("MCR3U"), &json!(null)));
    // A course that takes the code over is found at its URL.
    school.course(&staff, "MCR3U", json!(1)).await;
    visitor.get("/api/courses/MCR3U").await.expect(StatusCode::OK);
}

#[tokio::test]
async fn all_field_errors_of_the_form_are_returned_together() {
    let school = School::open().await;
    let staff = school.staff().await;
    let body = json!({ "code": "E", "name": "En", "description": "Short", "grade": 13, "courseType": "", "price": -1 });
    let fields = staff.post("/api/admin/courses", &body).await.fields();
    assert_eq!(
        fields,
        json!({ "code": "Course code must be at least 2 characters",
        "name": "Course name must be at least 3 characters",
        "description": "Description must be at least 10 characters",
        "grade": "Grade must be a whole number from 9 to 12", "courseType": "Course type is required",
        "price": "Price cannot be negative" })
    );
    let long = json!({ "code": "ABCDEFGHIJK", "name": "Name", "description": "0123456789", "grade": 9, "courseType": "Open" });
    let fields = staff.post("/api/admin/courses", &long).await.fields();
    assert_eq!(fields, json!({ "code": "Course code must be less than 10 characters" }));
}

#[tokio::test]
async fn a_code_is_used_once() {
    let school = School::open().await;
    let staff = school.staff().await;
    school.course(&staff, "ENG4U", json!(1)).await;
    let other = school.course(&staff, "ENG3U", json!(1)).await;
    let body = json!({ "code": "eng4u", "name": "English", "description": "0123456789", "grade": 12, "courseType": "Open" });
    let expected = json!({ "code": "A course with this code already exists" });
    assert_eq!(staff.post("/api/admin/courses", &body).await.fields(), expected);
    let path = format!("/api/admin/courses/{other}");
    assert_eq!(staff.patch(&path, &json!({ "code": "ENG4U" })).await.fields(), expected);
    staff.patch(&path, &json!({ "code": "ENG3U" })).await.expect(StatusCode::OK);
}

#[tokio::test]
async fn a_course_with_enrollments_leaves_the_lists_and_stays_under_them() {
    let school = School::open().await;
    let (staff, student) = (school.staff().await, school.student().await);
    let course = school.course(&staff, "ENG4U", json!(500)).await;
    let id = student.enroll(course).await.expect(StatusCode::CREATED).json()["id"].clone();
    staff.delete(&format!("/api/admin/courses/{course}")).await.expect(StatusCode::NO_CONTENT);
    assert_eq!(school.visitor().get("/api/courses").await.json(), json!([]));
    assert_eq!(staff.get("/api/admin/courses").await.json(), json!([]));
    assert_eq!(student.get("/api/students/enrollments").await.json()[0]["course"]["code"], "ENG4U");
    staff
        .post(
            &format!("/api/admin/enrollments/{id}/approve"),
            &json!({ "override": { "archived": "It is taught once more." } }),
        )
        .await
        .expect(StatusCode::OK);
    assert_eq!(staff.get("/api/admin/dashboard").await.json()["totalFeeDue"], 500);
    // Its code is free again.
    school.course(&staff, "ENG4U", json!(1)).await;
}

#[tokio::test]
async fn a_closed_course_says_so_and_cannot_be_requested() {
    let school = School::open().await;
    let (staff, student) = (school.staff().await, school.student().await);
    let course = school.course(&staff, "ENG4U", json!(500)).await;
    let path = format!("/api/admin/courses/{course}");
    let closed =
        staff.patch(&path, &json!({ "isOpen": false, "capacity": 25 })).await.expect(StatusCode::OK).json();
    assert_eq!((&closed["isOpen"], &closed["capacity"]), (&json!(false), &json!(25)));
    assert_eq!(school.visitor().get("/api/courses").await.json()[0]["isOpen"], false);
    let refused = student.enroll(course).await.expect(StatusCode::CONFLICT);
    assert_eq!(
        refused.message(),
        "ENG4U does not accept requests at the moment. Please choose another course or ask the office."
    );
    staff.patch(&path, &json!({ "isOpen": true })).await.expect(StatusCode::OK);
    student.enroll(course).await.expect(StatusCode::CREATED);
    let fields = staff.patch(&path, &json!({ "capacity": 0, "isOpen": "no" })).await.fields();
    assert_eq!(
        fields,
        json!({ "capacity": "Seats must be a whole number from 1 to 10,000, or empty for no limit",
            "isOpen": "Must be true or false" })
    );
    assert_eq!(staff.patch(&path, &json!({ "capacity": null })).await.json()["capacity"], Value::Null);
}

#[tokio::test]
async fn an_archived_course_is_brought_back_unless_its_code_is_taken() {
    let school = School::open().await;
    let (staff, student) = (school.staff().await, school.student().await);
    let course = school.course(&staff, "ENG4U", json!(500)).await;
    let path = format!("/api/admin/courses/{course}");
    student.enroll(course).await.expect(StatusCode::CREATED);
    staff.delete(&path).await.expect(StatusCode::NO_CONTENT);
    let archived = staff.get("/api/admin/courses?archived=1").await.json();
    assert_eq!((&archived[0]["id"], archived.as_array().unwrap().len()), (&json!(course), 1));
    assert!(archived[0]["archivedAt"].is_string());
    assert_eq!(staff.get(&path).await.expect(StatusCode::OK).json()["code"], "ENG4U");

    let other = school.course(&staff, "ENG4U", json!(1)).await;
    let refused = staff.post(&format!("{path}/restore"), &json!({})).await.expect(StatusCode::CONFLICT);
    assert!(refused.message().contains("has the code ENG4U too"), "{}", refused.message());
    staff.delete(&format!("/api/admin/courses/{other}")).await.expect(StatusCode::NO_CONTENT);
    for _ in 0..2 {
        let back = staff.post(&format!("{path}/restore"), &json!({})).await.expect(StatusCode::OK).json();
        assert_eq!((&back["id"], &back["archivedAt"]), (&json!(course), &Value::Null));
    }
    assert_eq!(school.count("select count(*) from audit where object = 'course' and action = 'restore'"), 1);
    assert_eq!(school.visitor().get("/api/courses").await.column("id"), [json!(course)]);
    assert_eq!(staff.get("/api/admin/courses?archived=1").await.json(), json!([]));
    staff.post("/api/admin/courses/999/restore", &json!({})).await.expect(StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn the_list_is_cached_compressed_and_tagged() {
    let school = School::open().await;
    let staff = school.staff().await;
    school.course(&staff, "ENG4U", json!(1)).await;
    let visitor = school.visitor();
    let ask = |encoding: &str| visitor.request("GET", "/api/courses").header("accept-encoding", encoding);
    let brotli = visitor.send(ask("br")).await.expect(StatusCode::OK);
    assert_eq!((brotli.header("content-encoding"), brotli.header("vary")), ("br", "accept-encoding"));
    assert_eq!(brotli.header("cache-control"), "no-cache");
    let tag = brotli.header("etag").to_owned();
    visitor.send(ask("br").header("if-none-match", &tag)).await.expect(StatusCode::NOT_MODIFIED);
    visitor.send(ask("identity").header("if-none-match", &tag)).await.expect(StatusCode::OK);
    school.course(&staff, "ENG3U", json!(1)).await;
    visitor.send(ask("br").header("if-none-match", &tag)).await.expect(StatusCode::OK);
}

#[tokio::test]
async fn the_catalogue_is_imported_in_the_browser_with_a_dry_run_first_and_comes_back_unchanged() {
    let school = School::open().await;
    let staff = school.staff().await;
    let send = |query: &str, text: &str| {
        let path = format!("/api/admin/courses/import{query}");
        staff.request("POST", &path).header("content-type", "text/csv").body(text.to_owned())
    };
    let sheet = "code,name,description,grade,courseType\neng4u,=English,Reading and writing.,12,University\n";
    let dry = staff.send(send("?dryRun=1", sheet)).await.expect(StatusCode::OK).json();
    let line = json!({ "line": 2, "action": "add", "code": "ENG4U" });
    assert_eq!(
        dry,
        json!({ "rows": [line], "added": 1, "updated": 0, "unchanged": 0, "leftOut": 0, "unknown": [], "columns": [],
            "problems": [], "moreProblems": 0 })
    );
    assert_eq!(school.count("select count(*) from courses"), 0);
    let bad = staff
        .send(send("", &format!("{sheet}FSF1D,F,Reading.,12,Open\n")))
        .await
        .expect(StatusCode::OK)
        .json();
    assert_eq!((&bad["added"], bad["problems"].as_array().unwrap().len()), (&json!(0), 2), "{bad}");
    assert_eq!(school.count("select count(*) from courses"), 0, "one mistake keeps the file out");
    assert_eq!(staff.send(send("", sheet)).await.expect(StatusCode::OK).json(), dry);
    assert_eq!(school.visitor().get("/api/courses").await.json()[0]["name"], "=English");
    let recorded =
        "select count(*) from audit where object = 'course' and action = 'create' and user_id is not null";
    assert_eq!(school.count(recorded), 1);

    // The sample needs no file, and is one that can be imported twice.
    let dry = staff.send(send("?sample=1&dryRun=1", "")).await.expect(StatusCode::OK).json();
    assert_eq!((&dry["added"], &dry["updated"]), (&json!(157), &json!(1)), "{dry}");
    assert_eq!(school.count("select count(*) from courses"), 1);
    staff.send(send("?sample=1", "")).await.expect(StatusCode::OK);
    let again = staff.send(send("?sample=1", "")).await.expect(StatusCode::OK).json();
    assert_eq!((&again["unchanged"], school.count("select count(*) from courses")), (&json!(158), 158));

    let mut large = sheet.to_owned();
    large.push_str(&" ".repeat(5 * 1024 * 1024));
    let refused = staff.send(send("?dryRun=1", &large)).await.expect(StatusCode::PAYLOAD_TOO_LARGE);
    assert_eq!(
        refused.message(),
        "The file must be at most 5 MB. Please divide it, and import one part after the other."
    );
    let viewer = school.staff_as(Role::Viewer).await;
    viewer.post("/api/admin/courses/import?sample=1", &json!({})).await.expect(StatusCode::FORBIDDEN);
}
