//! Staff login.

mod colleagues;
mod handover;
mod invitations;
mod members;
mod own_account;
mod reset_password;
mod step_up;

use jiff::SignedDuration;
use reqwest::StatusCode;
use schoolhouse::testing::Role;
use serde_json::json;

use crate::support::{PASSWORD, School};

#[tokio::test]
async fn there_is_no_account_until_one_is_made() {
    let school = School::open().await;
    assert_eq!(school.count("select count(*) from users"), 0);
    for (name, password) in [("admin", "admin"), ("admin", "password"), ("admin", "admin123")] {
        let body = json!({ "username": name, "password": password });
        let answer = school.visitor().post("/api/login", &body).await.expect(StatusCode::UNAUTHORIZED);
        assert_eq!(answer.text(), "Invalid username or password");
        assert_eq!(answer.header("content-type"), "text/plain; charset=utf-8");
    }
}

#[tokio::test]
async fn a_member_of_the_staff_logs_in_and_out() {
    let school = School::open().await;
    school.hire("registrar", Role::Registrar).await;
    let actor = school.visitor();
    let body = json!({ "username": "Registrar", "password": PASSWORD });
    let user = actor.post("/api/login", &body).await.expect(StatusCode::OK).json();
    assert_eq!(user["username"], "registrar");
    assert_eq!(user["role"], "registrar");
    assert_eq!(user["duties"], json!(OFFICE));
    assert_eq!(actor.get("/api/user").await.expect(StatusCode::OK).json(), user);
    actor.post("/api/logout", &json!({})).await.expect(StatusCode::OK);
    actor.get("/api/user").await.expect(StatusCode::UNAUTHORIZED);
}

const OFFICE: [&str; 12] = [
    "courses",
    "enrollments",
    "admissions",
    "documents",
    "messages",
    "assigned_messages",
    "mail",
    "students",
    "records",
    "balances",
    "exports",
    "audit",
];

#[tokio::test]
async fn role_descriptions_match_what_is_enforced() {
    let school = School::open().await;
    school.visitor().write_message("Li", "li@mail.example", "Ten letters").await.expect(StatusCode::OK);
    // A request for each duty that returns neither 401 nor 403 to a role with it.
    let calls = [
        ("courses", "DELETE", "/api/admin/courses/999999"),
        ("enrollments", "POST", "/api/admin/enrollments/999999/approve"),
        ("admissions", "GET", "/api/admin/admission-requests"),
        ("documents", "GET", "/api/admin/documents"),
        ("assigned_messages", "GET", "/api/admin/messages"),
        ("assigned_messages", "GET", "/api/admin/messages/1"),
        ("messages", "POST", "/api/admin/messages/1/read"),
        ("mail", "GET", "/api/admin/mail"),
        ("students", "POST", "/api/admin/students/999999/reinstate"),
        ("balances", "GET", "/api/admin/students?format=csv"),
        ("exports", "GET", "/api/admin/enrollments?format=csv"),
        ("merging", "POST", "/api/admin/students/999999/merge"),
        ("mail", "POST", "/api/admin/mail/999999/retry"),
        ("exports", "GET", "/api/admin/courses/999999/class-list?format=csv"),
        ("exports", "GET", "/api/admin/documents?format=csv"),
        ("staff", "GET", "/api/admin/staff"),
        ("settings", "GET", "/api/admin/settings"),
        ("privacy", "GET", "/api/admin/retention"),
        ("audit", "GET", "/api/admin/audit"),
        ("every_audit", "GET", "/api/admin/audit/chain"),
    ];
    for (role, duties) in [
        (
            Role::Admin,
            &[
                &OFFICE[..7],
                &["money"],
                &OFFICE[7..10],
                &["merging", "exports", "staff", "settings", "privacy", "audit", "every_audit"],
            ]
            .concat()[..],
        ),
        (Role::Registrar, &OFFICE),
        (Role::Bursar, &["assigned_messages", "money", "balances", "audit"]),
        (Role::Viewer, &["admissions", "records"]),
    ] {
        let actor = school.staff_as(role).await;
        assert_eq!(actor.get("/api/user").await.json()["duties"], json!(duties), "{role:?}");
        for (duty, method, path) in calls {
            let status = actor.send(actor.request(method, path)).await.status;
            assert_eq!(status != StatusCode::FORBIDDEN, duties.contains(&duty), "{role:?} {duty}: {status}");
        }
        // Totals are visible to all roles; waiting items only to those with access.
        let figures = actor.get("/api/admin/dashboard").await.expect(StatusCode::OK).json();
        assert_eq!(figures["totalFeeDue"], json!(0), "{role:?}");
        for (duty, figure) in [
            ("messages", "newMessagesCount"),
            ("admissions", "pendingAdmissionRequestsCount"),
            ("mail", "deadMailCount"),
        ] {
            assert_eq!(figures[figure].is_i64(), duties.contains(&duty), "{role:?} {figure}: {figures}");
        }
        assert_eq!(figures["identityChangesCount"].is_i64(), duties.contains(&"enrollments"), "{role:?}");
        assert_eq!(figures["mailNotSent"].is_object(), duties.contains(&"mail"), "{role:?}: {figures}");
    }
}

#[tokio::test]
async fn a_role_without_records_sees_no_documents_in_a_request() {
    let school = School::open().await;
    let (staff, student) = (school.staff().await, school.student().await);
    let course = school.course(&staff, "ENG4U", json!(500)).await;
    student.enroll(course).await.expect(StatusCode::CREATED);
    for (role, documents, missing) in [
        (Role::Viewer, json!({ "present": 0, "required": 2 }), json!(["profile", "guardian", "documents"])),
        (Role::Bursar, json!(null), json!(["profile", "guardian"])),
    ] {
        let row = school.staff_as(role).await.get("/api/admin/enrollments").await.json()[0].clone();
        assert_eq!((&row["documents"], &row["missing"]), (&documents, &missing), "{role:?}");
    }
}

#[tokio::test]
async fn both_fields_are_asked_for_in_plain_text() {
    let school = School::open().await;
    for (body, message) in [
        (json!({}), "Username is required"),
        (json!({ "username": " ", "password": "x" }), "Username is required"),
        (json!({ "username": "x", "password": "" }), "Password is required"),
    ] {
        let answer = school.visitor().post("/api/login", &body).await.expect(StatusCode::BAD_REQUEST);
        assert_eq!(answer.text(), message);
    }
}

#[tokio::test]
async fn the_office_is_signed_out_after_an_idle_hour_and_after_twelve_in_any_case() {
    let school = School::open().await;
    let idle = school.staff().await;
    school.advance(SignedDuration::from_mins(59));
    idle.get("/api/user").await.expect(StatusCode::OK);
    school.advance(SignedDuration::from_mins(59));
    idle.get("/api/user").await.expect(StatusCode::OK);
    school.advance(SignedDuration::from_mins(60));
    idle.get("/api/user").await.expect(StatusCode::UNAUTHORIZED);

    let busy = school.staff().await;
    for _ in 0..15 {
        school.advance(SignedDuration::from_mins(48));
        let status = busy.get("/api/user").await.status;
        assert!(status != StatusCode::UNAUTHORIZED, "signed out early");
        if school
            .count("select (expires_at - created_at) / 60 from sessions order by created_at desc limit 1")
            == 720
        {
            break;
        }
    }
    school.advance(SignedDuration::from_mins(59));
    busy.get("/api/user").await.expect(StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn the_two_doors_share_nothing() {
    let school = School::open().await;
    let (student, staff) = (school.student().await, school.staff().await);
    student.get("/api/user").await.expect(StatusCode::UNAUTHORIZED);
    staff.get("/api/students/me").await.expect(StatusCode::UNAUTHORIZED);
    // One browser may be signed in at both, and sign out of one.
    let both = school.visitor();
    both.log_in(&student.email, PASSWORD).await.expect(StatusCode::OK);
    school.hire("both", Role::Admin).await;
    both.post("/api/login", &json!({ "username": "both", "password": PASSWORD }))
        .await
        .expect(StatusCode::OK);
    both.get("/api/user").await.expect(StatusCode::OK);
    both.get("/api/students/me").await.expect(StatusCode::OK);
    both.post("/api/logout", &json!({})).await.expect(StatusCode::OK);
    both.get("/api/user").await.expect(StatusCode::UNAUTHORIZED);
    both.get("/api/students/me").await.expect(StatusCode::OK);
}

#[tokio::test]
async fn a_login_gets_a_new_session_whatever_cookie_came_with_it() {
    let school = School::open().await;
    school.hire("fixed", Role::Admin).await;
    let actor = school.visitor();
    let planted = "schoolhouse_staff=AAAAAAAAAAAAAAAAAAAAAA";
    let request = actor
        .request("POST", "/api/login")
        .header("cookie", planted)
        .json(&json!({ "username": "fixed", "password": PASSWORD }));
    let answer = actor.send(request).await.expect(StatusCode::OK);
    assert!(!answer.header("set-cookie").starts_with(planted), "{}", answer.header("set-cookie"));
}
