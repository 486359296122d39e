//! What the Privacy page promises, sentence by sentence, and the test or the code that keeps each promise. An added or
//! changed sentence fails here until its test is named.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use reqwest::StatusCode;
use schoolhouse::testing::Role;
use serde_json::json;

use crate::support::{PASSWORD, PDF, School};

/// What the page is drawn from.
const PAGE: &str = include_str!("../../../src/school/texts/privacy.md");

/// What no program can keep: the school's people do.
const PEOPLE: &str = "people";

/// How a sentence begins, as it stands on the page without its markup, and `file::name` of what keeps it.
const PROMISES: &[(&str, &[&str])] = &[
    // Information We Collect
    ("You can read every public page without", &["tests/http/server/access.rs::public_calls_are_listed"]),
    (
        "We store only what you give us",
        &["tests/http/privacy/archive.rs::every_column_is_decided_about_once"],
    ),
    (
        "Messages. Your name",
        &[
            "src/messages/store.rs::insert",
            "tests/http/privacy/archive.rs::the_download_holds_every_column_with_personal_data_and_none_of_other_students",
        ],
    ),
    ("A student account. An email address", &["src/students/store.rs::insert"]),
    (
        "The password itself is never stored",
        &["src/base/hashing/mod.rs::a_password_matches_its_own_hash_and_no_other"],
    ),
    ("A student profile. Name", &["src/students/profile/fields.rs::Profile"]),
    ("Documents that a student uploads", &["tests/http/documents/mod.rs::the_content_decides_not_the_name"]),
    (
        "Enrollments. The courses",
        &["tests/http/enrollments/mod.rs::status_and_student_are_not_the_callers_to_set"],
    ),
    (
        "With it we keep when you gave it",
        &[
            "tests/http/privacy/requests.rs::accepted_consents_are_stored_with_their_text",
            "src/web/signed_in.rs::a_device_is_named_by_browser_and_system_and_by_nothing_else",
        ],
    ),
    (
        "Beside this we keep an audit trail",
        &["tests/http/audit_log.rs::the_chain_is_valid_until_the_database_is_edited_directly"],
    ),
    // How We Use Information
    ("We use it to answer messages", &[PEOPLE]),
    ("We do not use it for advertising", &[PEOPLE]),
    ("There is no analytics on this site", &["src/server/headers.rs::CONTENT_SECURITY_POLICY"]),
    (
        "To slow down abuse, the server counts",
        &[
            "src/web/rate_limit/rate.rs::the_attempt_after_the_last_allowed_one_is_refused_and_other_addresses_are_not",
        ],
    ),
    (
        "Failed logins are counted under a key",
        &["src/web/rate_limit/secret.rs::sign", "src/web/rate_limit/ledger.rs::sweep"],
    ),
    // Disclosure
    ("We do not sell or rent", &[PEOPLE]),
    (
        "It is seen by the members of staff",
        &["tests/http/server/matrix.rs::every_endpoint_of_the_office_is_open_to_the_roles_of_the_matrix"],
    ),
    ("We pass it on only where", &[PEOPLE]),
    (
        "Emails travel through the school’s mail service",
        &[
            "tests/http/mail/protection.rs::a_mail_server_with_another_certificate_gets_no_email_and_its_own_error",
        ],
    ),
    // How We Protect Information
    ("Everything is kept on the school’s own server", &["src/config/mod.rs::Config"]),
    ("Passwords are kept as Argon2id", &["src/base/hashing/mod.rs::MEMORY_KIB"]),
    ("Staff have accounts of their own", &["src/staff/roles.rs::Duty"]),
    ("The pages of this site load nothing", &["src/server/headers.rs::CONTENT_SECURITY_POLICY"]),
    ("No system is perfect", &[PEOPLE]),
    (
        "If something happens that puts your information",
        &["tests/http/privacy/breaches.rs::a_breach_is_written_down_judged_and_reported"],
    ),
    // Student Records
    (
        "Enrollments, marks and credits form",
        &["tests/http/privacy/retention.rs::marks_and_the_ledger_are_in_no_proposal_after_a_hundred_years"],
    ),
    (
        "Students see their own and nobody else’s",
        &[
            "tests/http/privacy/archive.rs::the_download_holds_every_column_with_personal_data_and_none_of_other_students",
        ],
    ),
    (
        "Documents can be opened by the student",
        &[
            "tests/http/privacy/promises.rs::each_view_of_a_document_by_staff_is_written_down_and_its_student_reads_of_it",
        ],
    ),
    (
        "Ontario’s rules decide how long",
        &[
            "tests/http/privacy/retention.rs::the_night_proposes_and_deletes_nothing_and_the_admin_types_how_many_go",
        ],
    ),
    // Cookies
    (
        "We use strictly necessary cookies",
        &["tests/http/privacy/promises.rs::there_are_two_cookies_and_scripts_read_neither"],
    ),
    (
        "One keeps you signed in",
        &["tests/http/privacy/promises.rs::there_are_two_cookies_and_scripts_read_neither"],
    ),
    (
        "Another tells the server",
        &[
            "src/web/rate_limit/device.rs::MAX_AGE_SECONDS",
            "tests/http/privacy/promises.rs::there_are_two_cookies_and_scripts_read_neither",
        ],
    ),
    (
        "Scripts can read neither",
        &["tests/http/privacy/promises.rs::there_are_two_cookies_and_scripts_read_neither"],
    ),
    (
        "There are no tracking cookies",
        &["tests/http/privacy/promises.rs::there_are_two_cookies_and_scripts_read_neither"],
    ),
    ("Your browser also remembers", &["ui/src/components/scrollKey.ts::scrollKey"]),
    ("This is never sent to us", &["ui/src/components/scrollKey.ts::scrollKey"]),
    // Third-Party Links
    ("Some pages link to other sites", &["ui/src/school/links.ts::mailLink"]),
    ("They are plain links", &["src/server/headers.rs::CONTENT_SECURITY_POLICY"]),
    ("Nothing of those sites is embedded", &["src/server/headers.rs::CONTENT_SECURITY_POLICY"]),
    ("Their own policies apply", &[PEOPLE]),
    // Children’s Privacy
    ("Many of our students are under 18", &[PEOPLE]),
    ("We ask for no more than a school needs", &["ui/src/students/RegisterForm.tsx::AcceptedTexts"]),
    (
        "A parent or guardian may ask",
        &[
            "tests/http/privacy/requests.rs::the_office_notes_what_came_on_paper",
            "tests/http/privacy/archive.rs::the_office_can_download_the_same_archive_and_it_is_audited",
        ],
    ),
    // Your Rights
    (
        "You may ask what we hold about you",
        &[
            "tests/http/privacy/requests.rs::a_request_names_its_deadline_and_can_be_withdrawn",
            "tests/http/privacy/requests.rs::granting_a_withdrawal_of_consent_closes_the_account_and_says_so",
        ],
    ),
    (
        "Students can see and edit their profile",
        &[
            "tests/http/students/mod.rs::the_profile_is_completed_and_changed_and_nothing_else_can_be_set",
            "tests/http/privacy/archive.rs::the_download_holds_every_column_with_personal_data_and_none_of_other_students",
        ],
    ),
    (
        "We answer within 30 days",
        &[
            "src/privacy/requests/mod.rs::DAYS",
            "tests/http/privacy/requests.rs::a_request_names_its_deadline_and_can_be_withdrawn",
        ],
    ),
    (
        "We delete what we no longer need on request",
        &[
            "tests/http/privacy/retention.rs::a_granted_wish_to_be_deleted_is_proposed_at_once_whatever_the_years",
        ],
    ),
    (
        "If our answer does not satisfy you",
        &["tests/http/privacy/requests.rs::a_refusal_tells_the_reason_and_where_to_complain"],
    ),
    // Changes to This Policy
    (
        "If we change this policy, we change the date",
        &["src/school/texts/mod.rs::a_version_is_the_words_with_the_facts_in_them"],
    ),
    ("If a change concerns what we already hold", &["src/records/bulk.rs::routes"]),
    // Contact
    ("For anything about privacy write to", &["src/school/texts/mod.rs::written_to"]),
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The sentences of the page: what stands between its headings, without marks.
fn sentences() -> Vec<String> {
    let lines = PAGE.lines().filter(|line| !line.starts_with("# ") && !line.is_empty());
    lines.flat_map(|line| split(&line.trim_start_matches("- ").replace("**", ""))).collect()
}

fn split(text: &str) -> Vec<String> {
    let mut sentences: Vec<String> = Vec::new();
    for piece in text.split_inclusive(". ") {
        match sentences.last_mut() {
            // "Messages. Your name …": a heading of one or three words belongs to what follows.
            Some(last) if last.split(' ').count() <= 3 => *last = format!("{last} {}", piece.trim()),
            _ => sentences.push(piece.trim().to_owned()),
        }
    }
    sentences
}

#[test]
fn every_sentence_of_the_privacy_page_says_who_keeps_it() {
    let sentences = sentences();
    assert!(sentences.len() > 40, "the page was read: {sentences:#?}");
    let open: Vec<_> =
        sentences.iter().filter(|s| !PROMISES.iter().any(|(start, _)| s.starts_with(start))).collect();
    assert!(open.is_empty(), "say in tests/http/privacy/promises.rs what keeps {open:#?}");
    let idle: Vec<_> = PROMISES
        .iter()
        .map(|(start, _)| start)
        .filter(|start| !sentences.iter().any(|s| s.starts_with(**start)))
        .collect();
    assert!(idle.is_empty(), "these stand on the page no more: {idle:#?}");
}

#[test]
fn what_keeps_a_promise_is_there() {
    let mut missing = BTreeSet::new();
    for keeper in PROMISES.iter().flat_map(|(_, keepers)| *keepers).filter(|keeper| **keeper != PEOPLE) {
        let (file, name) = keeper.split_once("::").unwrap();
        let source = fs::read_to_string(root().join(file)).unwrap_or_default();
        if !source.contains(name) {
            missing.insert(*keeper);
        }
    }
    assert!(missing.is_empty(), "{missing:#?}");
}

#[tokio::test]
async fn there_are_two_cookies_and_scripts_read_neither() {
    let school = School::open().await;
    let visitor = school.visitor();
    // A visitor who only reads gets none.
    for page in ["/", "/privacy", "/api/school", "/api/students/me"] {
        let answer = visitor.get(page).await;
        assert!(answer.headers.get("set-cookie").is_none(), "{page} sets a cookie");
    }
    let student = school.student().await;
    let answer = student.log_in(&student.email, PASSWORD).await.expect(StatusCode::OK);
    let cookies: Vec<_> = answer.headers.get_all("set-cookie").iter().map(|c| c.to_str().unwrap()).collect();
    assert_eq!(cookies.len(), 2, "{cookies:?}");
    for cookie in cookies {
        assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite"), "{cookie}");
        let value = cookie.split_once('=').unwrap().1;
        assert!(!value.contains("student") && !value.contains('@'), "it contains no personal data: {cookie}");
    }
}

#[tokio::test]
async fn each_view_of_a_document_by_staff_is_written_down_and_its_student_reads_of_it() {
    let school = School::open().await;
    let (student, other) = (school.student().await, school.student().await);
    let id =
        student.upload("transcript", "a.pdf", PDF.to_vec()).await.expect(StatusCode::CREATED).json()["id"]
            .clone();
    let path = format!("/api/documents/{id}");
    other.get(&path).await.expect(StatusCode::NOT_FOUND);
    student.get(&path).await.expect(StatusCode::OK);
    let registrar = school.staff_as(Role::Registrar).await;
    for _ in 0..2 {
        registrar.get(&path).await.expect(StatusCode::OK);
    }
    let looked = super::archive::download(&student, "who-looked").await;
    let views: Vec<_> = looked.iter().map(|row| json!([row["action"], row["object"], row["role"]])).collect();
    assert_eq!(views, vec![json!(["view", "document", "registrar"]); 2]);
}
