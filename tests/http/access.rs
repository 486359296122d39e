//! Who may call what: every endpoint of the OpenAPI document, by every kind of caller.

use std::collections::BTreeSet;

use reqwest::StatusCode;
use schoolhouse::base::closed_set::ClosedSet;
use schoolhouse::server::router;
use schoolhouse::staff::Role;
use serde_json::json;

use crate::support::{Actor, School};

/// Who gets in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Access {
    Anybody,
    Student,
    /// Staff with one of these roles.
    Staff(&'static [Role]),
    /// Students, for what is theirs, and staff with one of these roles.
    Owner(&'static [Role]),
}

use Role::{Admin, Bursar, Registrar, Viewer};
const EVERYBODY: Access = Access::Staff(&[Admin, Registrar, Bursar, Viewer]);
const OFFICE: Access = Access::Staff(&[Admin, Registrar]);
const READERS: Access = Access::Staff(&[Admin, Registrar, Viewer]);

/// Method, path in the document, path to request, access. An endpoint missing here fails the test.
const ENDPOINTS: [(&str, &str, &str, Access); 29] = [
    ("GET", "/healthz", "/healthz", Access::Anybody),
    ("GET", "/readyz", "/readyz", Access::Anybody),
    ("GET", "/api/school", "/api/school", Access::Anybody),
    ("GET", "/api/courses", "/api/courses", Access::Anybody),
    ("POST", "/api/contact", "/api/contact", Access::Anybody),
    ("POST", "/api/login", "/api/login", Access::Anybody),
    ("POST", "/api/logout", "/api/logout", Access::Anybody),
    ("POST", "/api/reset-password", "/api/reset-password", Access::Anybody),
    ("POST", "/api/students/register", "/api/students/register", Access::Anybody),
    ("POST", "/api/students/login", "/api/students/login", Access::Anybody),
    ("POST", "/api/students/logout", "/api/students/logout", Access::Anybody),
    ("GET", "/api/students/verify/{token}", "/api/students/verify/none", Access::Anybody),
    ("POST", "/api/students/resend-verification", "/api/students/resend-verification", Access::Anybody),
    ("POST", "/api/students/forgot-password", "/api/students/forgot-password", Access::Anybody),
    ("POST", "/api/students/reset-password", "/api/students/reset-password", Access::Anybody),
    ("GET", "/api/students/me", "/api/students/me", Access::Student),
    ("PATCH", "/api/students/me", "/api/students/me", Access::Student),
    ("GET", "/api/students/documents", "/api/students/documents", Access::Student),
    ("POST", "/api/students/documents", "/api/students/documents", Access::Student),
    ("GET", "/api/students/enrollments", "/api/students/enrollments", Access::Student),
    ("POST", "/api/students/enrollments", "/api/students/enrollments", Access::Student),
    ("GET", "/api/documents/{id}", "/api/documents/999999", Access::Owner(&[Admin, Registrar])),
    ("GET", "/api/user", "/api/user", EVERYBODY),
    ("GET", "/api/admin/dashboard", "/api/admin/dashboard", EVERYBODY),
    ("GET", "/api/admin/enrollments/pending", "/api/admin/enrollments/pending", EVERYBODY),
    ("GET", "/api/admin/courses", "/api/admin/courses", EVERYBODY),
    ("POST", "/api/admin/courses", "/api/admin/courses", OFFICE),
    ("PATCH", "/api/admin/courses/{id}", "/api/admin/courses/999999", OFFICE),
    ("DELETE", "/api/admin/courses/{id}", "/api/admin/courses/999999", OFFICE),
];
const MORE_ENDPOINTS: [(&str, &str, &str, Access); 28] = [
    ("POST", "/api/students/password", "/api/students/password", Access::Student),
    ("GET", "/api/students/sessions", "/api/students/sessions", Access::Student),
    ("DELETE", "/api/students/sessions", "/api/students/sessions", Access::Student),
    ("DELETE", "/api/students/sessions/{id}", "/api/students/sessions/none", Access::Student),
    ("POST", "/api/user/password", "/api/user/password", EVERYBODY),
    ("GET", "/api/user/sessions", "/api/user/sessions", EVERYBODY),
    ("DELETE", "/api/user/sessions", "/api/user/sessions", EVERYBODY),
    ("DELETE", "/api/user/sessions/{id}", "/api/user/sessions/none", EVERYBODY),
    ("GET", "/api/students/documents/usage", "/api/students/documents/usage", Access::Student),
    ("DELETE", "/api/students/documents/{id}", "/api/students/documents/999999", Access::Student),
    ("POST", "/api/students/not-me", "/api/students/not-me", Access::Anybody),
    ("POST", "/api/students/undo-email-change", "/api/students/undo-email-change", Access::Anybody),
    (
        "POST",
        "/api/students/enrollments/{id}/withdraw",
        "/api/students/enrollments/999999/withdraw",
        Access::Student,
    ),
    ("GET", "/api/students/enrollments/dates", "/api/students/enrollments/dates", Access::Student),
    ("GET", "/api/admin/enrollments/unpriced", "/api/admin/enrollments/unpriced", EVERYBODY),
    (
        "POST",
        "/api/admin/students/{id}/charges",
        "/api/admin/students/999999/charges",
        Access::Staff(&[Admin, Bursar]),
    ),
    ("GET", "/api/admin/students/identity-changes", "/api/admin/students/identity-changes", OFFICE),
    (
        "POST",
        "/api/admin/students/{id}/confirm-identity",
        "/api/admin/students/999999/confirm-identity",
        OFFICE,
    ),
    ("GET", "/api/admin/messages", "/api/admin/messages", OFFICE),
    ("GET", "/api/admin/messages/{id}", "/api/admin/messages/999999", OFFICE),
    ("POST", "/api/admin/messages/{id}/read", "/api/admin/messages/999999/read", OFFICE),
    ("POST", "/api/admin/messages/{id}/unread", "/api/admin/messages/999999/unread", OFFICE),
    ("GET", "/api/admin/admission-requests", "/api/admin/admission-requests", READERS),
    ("POST", "/api/admin/enrollments/{id}/approve", "/api/admin/enrollments/999999/approve", OFFICE),
    ("GET", "/api/admin/documents", "/api/admin/documents", OFFICE),
    ("GET", "/api/admin/mail", "/api/admin/mail", OFFICE),
    ("POST", "/api/admin/mail/retry", "/api/admin/mail/retry", OFFICE),
    ("POST", "/api/admin/mail/{id}/retry", "/api/admin/mail/999999/retry", OFFICE),
];

async fn call(actor: &Actor, method: &str, path: &str) -> StatusCode {
    let request = actor.request(method, path);
    let request = if method == "GET" { request } else { request.json(&json!({})) };
    actor.send(request).await.status
}

#[tokio::test]
async fn every_call_lets_in_whom_it_should_and_nobody_else() {
    let school = School::open().await;
    walk(&school, |_, _| false).await;
}

#[tokio::test]
async fn a_viewer_may_open_documents_where_the_school_says_so_and_nothing_else_opens_with_it() {
    let school = School::open_with(|config| config.office.viewer_opens_documents = true).await;
    walk(&school, |role, path| role == Viewer && path.contains("/documents") && !path.contains("/students/"))
        .await;
}

/// Tries every endpoint as everybody; `also` names what is open beside what the table says.
async fn walk(school: &School, also: impl Fn(Role, &str) -> bool) {
    let (visitor, student) = (school.visitor(), school.student().await);
    let mut staff = Vec::new();
    for role in [Admin, Registrar, Bursar, Viewer] {
        staff.push((role, school.staff_as(role).await));
    }
    for (method, _, path, access) in ENDPOINTS.into_iter().chain(MORE_ENDPOINTS) {
        if path.ends_with("/logout") {
            continue;
        }
        let check = async |who: &str, actor: &Actor, expected: bool| {
            // The two logins answer 400 to an empty body; they are open all the same.
            let status = call(actor, method, path).await;
            let is_open = !matches!(status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN);
            assert_eq!(is_open, expected, "{who}: {method} {path} answered {status}");
            assert!(!status.is_server_error(), "{who}: {method} {path} answered {status}");
        };
        check("visitor", &visitor, access == Access::Anybody).await;
        check("student", &student, matches!(access, Access::Anybody | Access::Student | Access::Owner(_)))
            .await;
        for (role, actor) in &staff {
            let expected = match access {
                Access::Anybody => true,
                Access::Student => false,
                Access::Staff(roles) | Access::Owner(roles) => roles.contains(role) || also(*role, path),
            };
            check(role.as_str(), actor, expected).await;
        }
    }
}

#[tokio::test]
async fn the_document_and_this_table_name_the_same_calls() {
    let document = serde_json::to_value(router::openapi()).unwrap();
    let mut described = BTreeSet::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for method in item.as_object().unwrap().keys() {
            described.insert((method.to_uppercase(), path.clone()));
        }
    }
    let known: BTreeSet<_> = ENDPOINTS
        .into_iter()
        .chain(MORE_ENDPOINTS)
        .map(|(method, path, _, _)| (method.to_owned(), path.to_owned()))
        .collect();
    assert_eq!(described, known);
}

#[test]
fn no_two_calls_share_a_name_in_the_document() {
    let document = serde_json::to_value(router::openapi()).unwrap();
    let mut names = Vec::new();
    for item in document["paths"].as_object().unwrap().values() {
        names
            .extend(item.as_object().unwrap().values().map(|operation| operation["operationId"].to_string()));
    }
    let distinct: BTreeSet<_> = names.iter().collect();
    assert_eq!(distinct.len(), names.len(), "{names:?}");
}

/// The interface's types are made from this copy. To renew it: `UPDATE_OPENAPI=1 cargo test`, then
/// `npm run types` in `ui/`.
#[test]
fn the_interfaces_copy_of_the_document_is_current() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/ui/openapi.json");
    let current = format!("{}\n", router::openapi().to_pretty_json().unwrap());
    if std::env::var_os("UPDATE_OPENAPI").is_some() {
        std::fs::write(path, &current).unwrap();
    }
    assert!(std::fs::read_to_string(path).unwrap() == current, "ui/openapi.json is not current");
}

#[tokio::test]
async fn the_document_is_served_and_every_call_of_it_exists() {
    let school = School::open().await;
    let visitor = school.visitor();
    let served = visitor.get("/api/openapi.json").await.expect(StatusCode::OK).json();
    assert_eq!(served, serde_json::to_value(router::openapi()).unwrap());
    for (method, _, path, _) in ENDPOINTS.into_iter().chain(MORE_ENDPOINTS) {
        let answer = visitor.send(visitor.request(method, path).json(&json!({}))).await;
        assert_ne!(answer.text(), "{\"message\":\"There is no such call.\"}", "{method} {path}");
        assert_ne!(answer.status, StatusCode::METHOD_NOT_ALLOWED, "{method} {path}");
    }
}

#[tokio::test]
async fn an_unknown_call_is_a_json_404_and_a_wrong_method_a_405() {
    let school = School::open().await;
    let visitor = school.visitor();
    let answer = visitor.get("/api/nothing").await.expect(StatusCode::NOT_FOUND);
    assert_eq!(answer.header("content-type"), "application/json");
    visitor.delete("/api/contact").await.expect(StatusCode::METHOD_NOT_ALLOWED);
}

#[tokio::test]
async fn another_site_cannot_make_a_browser_act() {
    let school = School::open().await;
    let visitor = school.visitor();
    let host = school.url("");
    // Headers, and whether the request is let through to the form's own 400.
    let table: [(&[(&str, &str)], bool); 9] = [
        (&[], true),
        (&[("sec-fetch-site", "same-origin")], true),
        (&[("sec-fetch-site", "none")], true),
        (&[("sec-fetch-site", "cross-site")], false),
        (&[("sec-fetch-site", "same-site")], false),
        (&[("origin", "https://evil.example")], false),
        (&[("origin", "null")], false),
        (&[("user-agent", "Mozilla/5.0")], false),
        (&[("sec-fetch-site", "cross-site"), ("origin", "http://127.0.0.1")], false),
    ];
    for (headers, passes) in table {
        let mut request = visitor.request("POST", "/api/contact").json(&json!({}));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let expected = if passes { StatusCode::BAD_REQUEST } else { StatusCode::FORBIDDEN };
        assert_eq!(visitor.send(request).await.status, expected, "{headers:?}");
    }
    let own = visitor.request("POST", "/api/contact").json(&json!({})).header("origin", host);
    visitor.send(own).await.expect(StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn a_body_that_is_no_json_object_is_refused_with_its_reason() {
    let school = School::open().await;
    let visitor = school.visitor();
    let table = [
        ("text/plain", "{}".to_owned(), StatusCode::UNSUPPORTED_MEDIA_TYPE),
        ("application/json", "[1]".to_owned(), StatusCode::BAD_REQUEST),
        ("application/json", "{".to_owned(), StatusCode::BAD_REQUEST),
        ("application/json", String::new(), StatusCode::BAD_REQUEST),
        (
            "application/json",
            format!("{{\"name\":\"{}\"}}", "x".repeat(70_000)),
            StatusCode::PAYLOAD_TOO_LARGE,
        ),
    ];
    for (kind, body, expected) in table {
        let request = visitor.request("POST", "/api/contact").header("content-type", kind).body(body);
        let answer = visitor.send(request).await.expect(expected);
        assert!(!answer.message().is_empty());
    }
}

#[tokio::test]
async fn every_answer_carries_the_strict_headers() {
    let school = School::open().await;
    let visitor = school.visitor();
    for path in ["/", "/nothing", "/api/courses", "/api/user", "/api/nothing"] {
        let answer = visitor.get(path).await;
        let policy = answer.header("content-security-policy");
        assert!(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"), "{path}");
        assert!(!policy.contains("unsafe"), "{path}");
        assert_eq!(answer.header("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(answer.header("referrer-policy"), "strict-origin-when-cross-origin", "{path}");
    }
    assert_eq!(visitor.get("/api/user").await.header("cache-control"), "private, no-store");
}
