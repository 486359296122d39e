//! Which page an address is, and which tables are refused.

use super::*;

#[test]
fn addresses_name_pages() {
    let pages = Pages::load().unwrap();
    let table = [
        ("/", None, "/"),
        ("/about", None, "/about"),
        ("/about/", None, "/about"),
        ("/About", None, "/404"),
        ("/courses", None, "/courses"),
        ("/courses", Some("grade=12"), "/courses?grade=12"),
        ("/courses", Some("q=x&grade=9"), "/courses?grade=9"),
        ("/courses", Some("grade=13"), "/courses"),
        ("/courses", Some("grade=011"), "/courses"),
        ("/courses", Some("grade=%31%32&grade=9"), "/courses?grade=12"),
        ("/courses/ENG4U", None, "/courses/ENG4U"),
        ("/courses/eng4u/", Some("grade=9"), "/courses/ENG4U"),
        ("/courses/x", None, "/404"),
        ("/courses/ENG%204U", None, "/404"),
        ("/courses/ENG4U/x", None, "/404"),
        ("/student", None, "/student/auth"),
        ("/student/auth", Some("verified=true"), "/student/auth"),
        ("/student/verify/abc", None, "/student/verify/:token?"),
        ("/student/verify/abc/", None, "/student/verify/:token?"),
        ("/student/verify/", None, "/student/verify/:token?"),
        ("/student/verify/a/b", None, "/student/auth"),
        ("/student/verify//b", None, "/student/auth"),
        ("/student/dashboard/", None, "/student/dashboard"),
        ("/students", None, "/404"),
        ("/admin", None, "/admin/login"),
        ("/admin/courses", None, "/admin/courses"),
        ("/admin/students/7", None, "/admin/students/:id"),
        ("/admin/students/x", None, "/admin/login"),
        ("/admin/students/7/x", None, "/admin/login"),
        ("/admin/courses/7", None, "/admin/courses/:id"),
        ("/admin/courses/7/", None, "/admin/courses/:id"),
        ("/admin/courses/x", None, "/admin/login"),
        ("/admin/courses/7/8", None, "/admin/login"),
        ("/admin/reset-password/abc", None, "/admin/reset-password/:token"),
        ("/admin/reset-password", None, "/admin/login"),
        ("/administration", None, "/404"),
        ("//student/dashboard", None, "/404"),
        ("/nothing", None, "/404"),
    ];
    for (path, query, expected) in table {
        assert_eq!(pages.at(path, query).address(), expected, "{path} {query:?}");
    }
}

#[test]
fn a_visitor_is_redirected_to_the_login_and_back_to_the_requested_page_after_it() {
    let pages = Pages::load().unwrap();
    let to = |to: &str| PortalAccess::Elsewhere(to.to_owned());
    let open = || PortalAccess::Open;
    let login = || PortalAccess::Login;
    for (path, query, visitor, owner) in [
        ("/student/dashboard", None, to("/student/auth"), open()),
        (
            "/student/dashboard",
            Some("tab=profile"),
            to("/student/auth?next=%2Fstudent%2Fdashboard%3Ftab%3Dprofile"),
            open(),
        ),
        ("/admin/students/7", None, to("/admin/login?next=%2Fadmin%2Fstudents%2F7"), open()),
        ("/student/auth", None, login(), to("/student/dashboard")),
        ("/student/auth/", Some("tab=register"), login(), to("/student/dashboard")),
        ("/admin/login", Some("next=/admin/mail"), login(), to("/admin/mail")),
        ("/admin/login", Some("next=/admin/mail%23top"), login(), to("/admin/mail")),
        ("/student/auth", Some("next=/student/courses?q=a%26b"), login(), to("/student/courses?q=a&b=")),
        (
            "/student/auth",
            Some("next=/student/courses?q=%C3%A9%0A"),
            login(),
            to("/student/courses?q=%C3%A9%0A"),
        ),
        ("/student/auth", Some("next=/admin/mail"), login(), to("/student/dashboard")),
        ("/student/auth", Some("next=/student/auth"), login(), to("/student/dashboard")),
        ("/admin/login", Some("next=//evil.example/admin/mail"), login(), to("/admin/dashboard")),
        ("/admin/login", Some("next=https://evil.example"), login(), to("/admin/dashboard")),
        (
            "/student/nothing",
            Some("next=/student/courses"),
            to("/student/auth?next=%2Fstudent%2Fcourses"),
            to("/student/courses"),
        ),
        ("/admin", None, to("/admin/login"), to("/admin/dashboard")),
        ("/student/verify/abc", None, open(), open()),
        ("/admin/forgot-password", None, open(), open()),
        ("/courses", None, open(), open()),
    ] {
        assert_eq!(pages.door(path, query, false), visitor, "{path} {query:?}");
        assert_eq!(pages.door(path, query, true), owner, "{path} {query:?}");
    }
}

#[test]
fn the_sent_notice_ignores_other_parameters() {
    let pages = Pages::load().unwrap();
    for (query, is_sent) in [
        ("sent", true),
        ("sent=1&utm=x", true),
        ("subject=other&sent", true),
        ("sentence=1", false),
        ("", false),
    ] {
        assert_eq!(pages.at("/contact", Some(query)).topic == Topic::Sent, is_sent, "{query}");
    }
    assert_eq!(pages.at("/courses", Some("sent")).topic, Topic::Itself);
}

#[test]
fn a_sent_application_is_shown_by_a_reference_alone() {
    let pages = Pages::load().unwrap();
    for (query, reference) in [
        ("sent=A-26-7QK4", Some("A-26-7QK4")),
        ("sent=A-26-7QK4&utm=x", Some("A-26-7QK4")),
        ("sent", None),
        ("sent=A-26-7qk4", None),
        ("sent=A-26-7QK45", None),
        ("sent=B-26-7QK4", None),
        ("sent=%3Cb%3E-26-7Q", None),
    ] {
        let page = pages.at("/apply", Some(query));
        assert_eq!(page.reference(Some(query)).as_deref(), reference, "{query}");
        assert_eq!(page.is_timed(), reference.is_none(), "{query}");
    }
}

#[test]
fn search_engines_know_every_public_page_and_every_grade() {
    let listed: Vec<_> = Pages::load().unwrap().public().map(|page| page.address()).collect();
    for address in ["/", "/apply", "/terms", "/courses", "/courses?grade=9", "/courses?grade=12"] {
        assert!(listed.iter().any(|each| each == address), "{address} is not in {listed:?}");
    }
    assert_eq!(listed.len(), 14, "{listed:?}");
}

#[test]
fn a_malformed_table_is_refused() {
    let good = r#"{ "public": { "/": { "page": "school/HomePage" } }, "account": {}, "student": {}, "office": {
        "/admin/mail": { "page": "mail/MailPage", "title": "Mail", "nav": { "label": "Mail" },
            "duty": "mail" } } }"#;
    assert!(Pages::parse(good).is_ok());
    for (from, to) in [
        ("\"title\": \"Mail\", ", ""),
        ("\"title\"", "\"titel\""),
        ("\"duty\": \"mail\"", "\"duty\": \"post\""),
        ("\"page\": \"mail/MailPage\", ", ""),
        ("/admin/mail", "/student/mail"),
        ("/admin/mail", "/admin/mail/:name"),
        ("\"label\": \"Mail\"", "\"label\": \"Mail\", \"colour\": \"navy\""),
        ("\"student\"", "\"students\""),
        ("\"title\": \"Mail\"", "\"title\": \"Mail\", \"catches\": \"/*\""),
    ] {
        assert!(good.contains(from), "{from}");
        let bad = good.replace(from, to).leak();
        assert!(Pages::parse(bad).is_err(), "{from} became {to}");
    }
}
