//! Who may call what: every endpoint of the OpenAPI document, by every kind of caller.

use std::collections::BTreeSet;

use jiff::SignedDuration;
use reqwest::StatusCode;
use schoolhouse::testing::{ClosedSet, Office, Role, openapi};
use serde_json::{Value, json};

use crate::second_factor::App;
use crate::support::{Actor, School};

/// An endpoint as the OpenAPI document describes it.
pub(super) struct Endpoint {
    pub(super) method: String,
    /// With its placeholders.
    pub(super) template: String,
    /// The ways in: a portal, and the duty that it takes there. Empty means everyone.
    ways_in: Vec<(String, Option<String>)>,
    /// Whether the caller has to have proved lately who they are.
    pub(super) is_recent: bool,
    /// Whether it hands a list out in pages.
    is_paged: bool,
    /// Whether it hands a list out as a sheet, too.
    pub(super) is_sheet: bool,
    /// Whether the sheet can be for French Excel.
    pub(super) takes_style: bool,
}

impl Endpoint {
    /// An address of it that names nothing.
    pub(super) fn path(&self) -> String {
        self.template
            .replace("sessions/{id}", "sessions/none")
            .replace("{id}", "999999")
            .replace("{token}", "none")
    }

    /// As the lists of the matrix call it.
    pub(super) fn name(&self) -> String {
        format!("{} {}", self.method, self.template)
    }

    fn is_public(&self) -> bool {
        self.ways_in.is_empty()
    }

    /// Whether it admits only who opened a link in an email.
    fn is_for_mailed_links(&self) -> bool {
        self.ways_in.iter().any(|(portal, _)| portal == "application" || portal == "family")
    }

    fn is_for_students(&self) -> bool {
        self.is_public() || self.ways_in.iter().any(|(portal, _)| portal == "student")
    }

    /// Whether it admits only staff.
    pub(super) fn is_for_some_staff(&self) -> bool {
        self.ways_in.iter().any(|(portal, _)| portal == "staff")
    }

    pub(super) fn is_for(&self, role: Role, office: &Office) -> bool {
        let may = |duty: &str| role.duties(office).iter().any(|own| own.as_str() == duty);
        let is_open = |duty: &Option<String>| duty.as_deref().is_none_or(may);
        self.is_public() || self.ways_in.iter().any(|(portal, duty)| portal == "staff" && is_open(duty))
    }
}

/// Every endpoint; who may call it comes from the first parameter of its handler.
pub(super) fn endpoints() -> Vec<Endpoint> {
    let document = serde_json::to_value(openapi()).unwrap();
    let mut found = Vec::new();
    for (template, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let ways_in = operation["security"].as_array().into_iter().flatten().map(|way| {
                let (portal, duties) = way.as_object().unwrap().iter().next().unwrap();
                (portal.clone(), duties[0].as_str().map(str::to_owned))
            });
            let takes = |name: &str| {
                let parameters = operation["parameters"].as_array();
                parameters.is_some_and(|all| all.iter().any(|parameter| parameter["name"] == name))
            };
            found.push(Endpoint {
                method: method.to_uppercase(),
                template: template.clone(),
                ways_in: ways_in.collect(),
                is_recent: operation["x-recent-proof"] == true,
                is_paged: takes("page"),
                is_sheet: operation["responses"]["200"]["content"]["text/csv"].is_object() && takes("format"),
                takes_style: takes("sheet"),
            });
        }
    }
    assert!(found.len() > 50, "the endpoints were found");
    found
}

async fn call(actor: &Actor, method: &str, path: &str, body: &Value) -> StatusCode {
    let request = actor.request(method, path);
    let request = if method == "GET" { request } else { request.json(body) };
    actor.send(request).await.status
}

#[tokio::test]
async fn every_call_admits_exactly_its_roles() {
    let school = School::open().await;
    walk(&school).await;
}

#[tokio::test]
async fn a_viewer_may_open_documents_where_the_school_says_so_and_nothing_else_opens_with_it() {
    let school = School::open_with(|config| config.office.viewer_opens_documents = true).await;
    walk(&school).await;
}

/// Calls every endpoint as every kind of caller.
async fn walk(school: &School) {
    let office = &school.app().config.office;
    let (visitor, student) = (school.visitor(), school.student().await);
    let mut staff = Vec::new();
    for role in Role::ALL {
        staff.push((*role, school.staff_as(*role).await));
    }
    for endpoint in endpoints() {
        let (method, path) = (&endpoint.method, endpoint.path());
        if path.ends_with("/logout") {
            continue;
        }
        let check = async |who: &str, actor: &Actor, expected: bool| {
            // The two logins answer 400 to an empty body; they are open all the same.
            let mut status = call(actor, method, &path, &json!({})).await;
            if method == "POST" && path.ends_with("/waivers") && status == StatusCode::FORBIDDEN {
                // Of a fee; a document is another duty's.
                status = call(actor, method, &path, &json!({ "requirementId": 1 })).await;
            }
            let is_open = !matches!(status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN);
            assert_eq!(is_open, expected, "{who}: {method} {path} answered {status}");
            assert!(!status.is_server_error(), "{who}: {method} {path} answered {status}");
        };
        check("visitor", &visitor, endpoint.is_public()).await;
        check("student", &student, endpoint.is_for_students()).await;
        for (role, actor) in &staff {
            check(role.as_str(), actor, endpoint.is_for(*role, office)).await;
        }
    }
}

/// Ten minutes after the login a proof is wanted by what says so, and by nothing else.
#[tokio::test]
async fn calls_that_need_a_recent_proof_are_refused_without_one() {
    let school = School::open().await;
    let admin = school.staff().await;
    school.advance(SignedDuration::from_mins(10));
    let (mut recent, mut sheets) = (0, 0);
    for endpoint in endpoints().into_iter().filter(Endpoint::is_for_some_staff) {
        let (method, path) = (&endpoint.method, endpoint.path());
        let is_refused = async |path: &str| {
            let request = admin.request(method, path);
            let request = if method == "GET" { request } else { request.json(&json!({})) };
            let answer = admin.send(request).await;
            let is_json = answer.header("content-type") == "application/json";
            answer.status == StatusCode::FORBIDDEN && is_json && answer.json()["reason"] == "step_up"
        };
        assert_eq!(is_refused(&path).await, endpoint.is_recent, "{method} {path}");
        recent += usize::from(endpoint.is_recent);
        if endpoint.is_sheet {
            assert!(is_refused(&format!("{path}?format=csv")).await, "{path} as a sheet");
            sheets += 1;
        }
    }
    assert!(recent > 10 && sheets > 3, "the endpoints were found: {recent} and {sheets}");
}

#[tokio::test]
async fn a_list_without_a_sheet_says_so_when_asked_for_one() {
    let school = School::open().await;
    let admin = school.staff().await;
    let lists = endpoints().into_iter().filter(|endpoint| endpoint.is_paged && !endpoint.is_sheet);
    let mut count = 0;
    for path in lists.map(|endpoint| endpoint.path()) {
        let answer = admin.get(&format!("{path}?format=csv")).await.expect(StatusCode::BAD_REQUEST);
        assert_eq!(answer.json()["fields"]["format"], "This list has no sheet: leave it out", "{path}");
        count += 1;
    }
    assert!(count > 5, "the lists were found: {count}");
}

/// Staff whose role requires a second factor and who have none only reach their own account.
#[tokio::test]
async fn without_the_second_factor_of_the_role_only_the_own_account_is_open() {
    let school = School::open_with(|config| config.office.second_factor_required = vec![Role::Admin]).await;
    let (admin, registrar) = (school.staff().await, school.staff_as(Role::Registrar).await);
    let user = admin.get("/api/user").await.expect(StatusCode::OK).json();
    assert_eq!((&user["needsSecondFactor"], &user["hasSecondFactor"]), (&json!(true), &json!(false)));
    for endpoint in endpoints().into_iter().filter(Endpoint::is_for_some_staff) {
        let (method, path) = (&endpoint.method, endpoint.path());
        let request = admin.request(method, &path);
        let request = if method == "GET" { request } else { request.json(&json!({})) };
        let answer = admin.send(request).await;
        let is_own = endpoint.template.starts_with("/api/user");
        let is_closed = answer.status == StatusCode::FORBIDDEN;
        assert_eq!(is_closed, !is_own, "{method} {path} answered {}", answer.status);
        if is_closed && answer.header("content-type") == "application/json" {
            assert_eq!(answer.json()["reason"], "second_factor_required", "{method} {path}");
        }
    }
    registrar.get("/api/admin/messages").await.expect(StatusCode::OK);
    App::set_up(&school, &admin).await;
    admin.get("/api/admin/messages").await.expect(StatusCode::OK);
}

/// Nothing is public unintentionally.
#[test]
fn public_calls_are_listed() {
    let open: Vec<_> =
        endpoints().into_iter().filter(Endpoint::is_public).map(|endpoint| endpoint.name()).collect();
    let expected = [
        "POST /api/applications",
        "POST /api/applications/link",
        "POST /api/applications/session",
        "POST /api/applications/undo-email-change",
        "POST /api/confirm-email",
        "POST /api/contact",
        "GET /api/courses",
        "GET /api/courses/{code}",
        "POST /api/family/link",
        "POST /api/family/session",
        "POST /api/forgot-password",
        "POST /api/login",
        "POST /api/logout",
        "POST /api/reset-password",
        "GET /api/school",
        "GET /api/staff/invitations/{token}",
        "POST /api/staff/invitations/{token}",
        "GET /api/students/calendar.ics",
        "POST /api/students/forgot-password",
        "POST /api/students/login",
        "POST /api/students/logout",
        "POST /api/students/not-me",
        "POST /api/students/register",
        "POST /api/students/resend-verification",
        "POST /api/students/reset-password",
        "POST /api/students/undo-email-change",
        "GET /api/students/verify/{token}",
        "GET /api/terms",
        "GET /api/texts",
        "GET /api/texts/{kind}",
        "GET /calendar.ics",
        "GET /healthz",
        "GET /readyz",
    ];
    assert_eq!(open, expected);
}

/// A caller without permission gets 403, whatever else is wrong with the request.
#[tokio::test]
async fn unauthorized_callers_are_refused_before_the_body_is_read() {
    let school = School::open().await;
    let (visitor, viewer) = (school.visitor(), school.staff_as(Role::Viewer).await);
    for (actor, expected) in [(&visitor, StatusCode::UNAUTHORIZED), (&viewer, StatusCode::FORBIDDEN)] {
        let request =
            actor.request("POST", "/api/admin/courses").header("content-type", "text/plain").body("x");
        actor.send(request).await.expect(expected);
    }
}

/// It names nothing, whatever else is wrong with the request.
#[tokio::test]
async fn an_id_that_is_no_number_is_not_found() {
    let school = School::open().await;
    let (staff, student) = (school.staff().await, school.student().await);
    let document = serde_json::to_value(openapi()).unwrap();
    let mut count = 0;
    for endpoint in endpoints().into_iter().filter(|endpoint| !endpoint.is_for_mailed_links()) {
        let operation = &document["paths"][&endpoint.template][endpoint.method.to_lowercase()];
        let is_number =
            |parameter: &Value| parameter["in"] == "path" && parameter["schema"]["type"] == "integer";
        if !operation["parameters"].as_array().is_some_and(|parameters| parameters.iter().any(is_number)) {
            continue;
        }
        let actor: &Actor = if endpoint.is_for_students() { &student } else { &staff };
        for id in ["x", "1.5", "99999999999999999999", "%FF"] {
            let path = endpoint.template.replace("{id}", id);
            let request = actor.request(&endpoint.method, &path).json(&json!({}));
            let answer = actor.send(request).await.expect(StatusCode::NOT_FOUND);
            assert!(answer.message().ends_with(" not found"), "{path}: {}", answer.text());
        }
        count += 1;
    }
    assert!(count > 8, "the endpoints were found: {count}");
}

#[test]
fn no_two_calls_share_a_name_in_the_document() {
    let document = serde_json::to_value(openapi()).unwrap();
    let mut names = Vec::new();
    for item in document["paths"].as_object().unwrap().values() {
        names
            .extend(item.as_object().unwrap().values().map(|operation| operation["operationId"].to_string()));
    }
    let distinct: BTreeSet<_> = names.iter().collect();
    assert_eq!(distinct.len(), names.len(), "{names:?}");
}

/// The interface's types are made from this copy. To renew it: `UPDATE_OPENAPI=1 cargo test`.
#[test]
fn the_interfaces_copy_of_the_document_is_current() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/ui/openapi.json");
    let current = format!("{}\n", openapi().to_pretty_json().unwrap());
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
    assert!(
        served == serde_json::to_value(openapi()).unwrap(),
        "rebuild the interface: it has an older copy"
    );
    for endpoint in endpoints() {
        let (method, path) = (&endpoint.method, &endpoint.path());
        let answer = visitor.send(visitor.request(method, path).json(&json!({}))).await;
        assert_ne!(answer.text(), "{\"message\":\"There is no such endpoint.\"}", "{method} {path}");
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
