//! The catalogue: public list, the office's changes, history kept.

use reqwest::StatusCode;
use serde_json::json;

use crate::support::School;

#[tokio::test]
async fn a_course_is_created_changed_and_deleted_and_everybody_sees_it_at_once() {
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
        "credits": 1 })
    );
    assert_eq!(visitor.get("/api/courses").await.json(), json!([made]));
    assert_eq!(staff.get("/api/admin/courses").await.json(), json!([made]));

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
    assert_eq!(visitor.get("/api/courses").await.json(), json!([changed]));

    staff.delete(&path).await.expect(StatusCode::NO_CONTENT);
    assert_eq!(visitor.get("/api/courses").await.json(), json!([]));
    staff.delete(&path).await.expect(StatusCode::NOT_FOUND);
    staff.patch(&path, &json!({})).await.expect(StatusCode::NOT_FOUND);
    assert_eq!(school.count("select count(*) from audit where object = 'course'"), 3);
}

#[tokio::test]
async fn every_rule_of_the_form_is_told_at_once() {
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
    staff.post(&format!("/api/admin/enrollments/{id}/approve"), &json!({})).await.expect(StatusCode::OK);
    assert_eq!(staff.get("/api/admin/dashboard").await.json()["totalFeeDue"], 500);
    // Its code is free again.
    school.course(&staff, "ENG4U", json!(1)).await;
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
