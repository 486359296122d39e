//! Uploaded documents, and who may see them.

pub mod encrypted;
mod examined;
mod lost;
mod queue;
mod quota;
mod readers;
mod requirements;
mod review;

use std::net::Ipv4Addr;

use reqwest::StatusCode;
use schoolhouse::testing::Role;
use serde_json::json;

use crate::support::{PDF, School, Unread, eventually, noise, profile};

const PNG: &[u8] = include_bytes!("../../../src/demo/passport.png");
const TEN_MEGABYTES: usize = 10 * 1024 * 1024;

fn pdf_of(size: usize) -> Vec<u8> {
    let mut bytes = PDF.to_vec();
    bytes.resize(size, b' ');
    bytes
}

#[tokio::test]
async fn a_document_is_uploaded_listed_and_shown_to_its_owner_and_to_staff() {
    let school = School::open().await;
    let (student, staff) = (school.student().await, school.staff().await);
    let made = student
        .upload("transcript", "Relevé 2026.pdf", PDF.to_vec())
        .await
        .expect(StatusCode::CREATED)
        .json();
    assert_eq!((&made["documentType"], &made["studentId"]), (&json!("transcript"), &json!(student.id)));
    assert!(made["createdAt"].as_str().unwrap().starts_with("2026-11-21T15:00:00"));
    assert_eq!(student.get("/api/students/documents").await.json(), json!([made]));

    let listed = staff.get("/api/admin/documents").await.expect(StatusCode::OK).json();
    assert_eq!(listed[0]["student"], json!({ "fullName": null, "email": student.email }));
    assert_eq!(listed[0]["uploadedAt"], made["createdAt"]);

    let path = format!("/api/documents/{}", made["id"]);
    for actor in [&*student, &staff] {
        let shown = actor.get(&path).await.expect(StatusCode::OK);
        assert_eq!(shown.bytes, PDF);
        assert_eq!(shown.header("content-type"), "application/pdf");
        assert_eq!(
            shown.header("content-disposition"),
            "inline; filename=\"Relev_ 2026.pdf\"; filename*=UTF-8''Relev%C3%A9%202026.pdf"
        );
        assert_eq!(
            shown.header("content-security-policy"),
            "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; sandbox"
        );
        assert_eq!(shown.header("cache-control"), "private, no-store");
        assert_eq!(shown.header("x-content-type-options"), "nosniff");
    }
    assert_eq!(school.count("select count(*) from audit where action = 'view' and object = 'document'"), 1);
}

#[tokio::test]
async fn the_office_uploads_for_a_student_who_sees_that_and_cannot_remove_it() {
    let school = School::open_with(|config| config.documents.files_per_student = 2).await;
    let (student, staff) = (school.student().await, school.staff().await);
    let send = |kind: &str, bytes: Vec<u8>| {
        let part = reqwest::multipart::Part::bytes(bytes).file_name("paper.pdf");
        let form =
            reqwest::multipart::Form::new().text("documentType", kind.to_owned()).part("document", part);
        staff.request("POST", &format!("/api/admin/students/{}/documents", student.id)).multipart(form)
    };
    // The same checks as the student's own upload has.
    let fields = staff.send(send("passport", Vec::new())).await.fields();
    assert_eq!(fields.as_object().unwrap().len(), 2, "{fields}");
    staff
        .send(send("transcript", b"no pdf at all".to_vec()))
        .await
        .expect(StatusCode::UNSUPPORTED_MEDIA_TYPE);
    staff.send(send("transcript", pdf_of(TEN_MEGABYTES + 1))).await.expect(StatusCode::PAYLOAD_TOO_LARGE);

    let made = staff.send(send("transcript", PDF.to_vec())).await.expect(StatusCode::CREATED).json();
    assert_eq!((&made["studentId"], &made["isFromOffice"]), (&json!(student.id), &json!(true)));
    let own = student.get("/api/students/documents").await.json();
    assert_eq!((&own[0]["isFromOffice"], &own[0]["isRemovable"]), (&json!(true), &json!(false)));
    let path = format!("/api/students/documents/{}", made["id"]);
    student.delete(&path).await.expect(StatusCode::CONFLICT);
    student.get(&format!("/api/documents/{}", made["id"])).await.expect(StatusCode::OK);
    let page = staff.get(&format!("/api/admin/students/{}", student.id)).await.json();
    assert_eq!(
        (&page["history"][0]["field"], &page["history"][0]["after"], &page["history"][0]["by"]),
        (&json!("officeUpload"), &json!("School Transcript"), &json!("staff1"))
    );
    let audited = format!(
        "select count(*) from audit where action = 'upload' and object = 'document' and object_id = {}
             and actor = 'staff1'",
        made["id"]
    );
    assert_eq!(school.count(&audited), 1);
    // And the same room.
    let own = student.upload("other", "mine.pdf", PDF.to_vec()).await.expect(StatusCode::CREATED).json();
    assert_eq!(own["isFromOffice"], false);
    let full = staff.send(send("other", PDF.to_vec())).await;
    assert!(full.status.is_client_error(), "{}", full.status);
    for role in [Role::Bursar, Role::Viewer] {
        let actor = school.staff_as(role).await;
        let form = reqwest::multipart::Form::new();
        let request = actor.request("POST", &format!("/api/admin/students/{}/documents", student.id));
        actor.send(request.multipart(form)).await.expect(StatusCode::FORBIDDEN);
    }
}

#[tokio::test]
async fn the_office_finds_documents_by_what_their_rows_show() {
    let school = School::open().await;
    let (named, unnamed, staff) = (school.student().await, school.student().await, school.staff().await);
    let mut complete = profile(&named.email);
    complete["fullName"] = "Zoë Müller".into();
    named.patch("/api/students/me", &complete).await.expect(StatusCode::OK);
    for (student, kind) in [
        (&named, "transcript"),
        (&unnamed, "transcript"),
        (&unnamed, "other"),
        (&named, "government_id"),
        (&named, "proof_of_address"),
        (&named, "health_insurance"),
    ] {
        student.upload(kind, "secret.pdf", PDF.to_vec()).await.expect(StatusCode::CREATED);
    }
    for (query, ids) in [
        ("", vec![6, 5, 4, 3, 2, 1]),
        ("?page=1", vec![6, 5, 4, 3, 2, 1]),
        ("?q=school+TRANSCRIPT", vec![2, 1]),
        ("?q=zoe+transcript", vec![1]),
        ("?q=other%20document", vec![3]),
        ("?q=government", vec![4]),
        ("?q=of+address", vec![5]),
        ("?q=health%20ins", vec![6]),
        ("?q=muller", vec![6, 5, 4, 1]),
        (&*format!("?q={}", unnamed.email), vec![3, 2]),
        (&*format!("?q=student+%23{}", unnamed.id), vec![3, 2]),
        // Neither the stored word nor the file's name is shown, so neither is looked into.
        ("?q=government_id", vec![]),
        ("?q=secret", vec![]),
    ] {
        let found = staff.get(&format!("/api/admin/documents{query}")).await.expect(StatusCode::OK);
        assert_eq!(found.column("id"), ids, "{query}");
        assert_eq!(found.total(), ids.len() as i64, "{query}");
    }
}

#[tokio::test]
async fn strangers_learn_nothing_about_a_document() {
    let school = School::open().await;
    let (student, other) = (school.student().await, school.student().await);
    let id = student.upload("government_id", "id.pdf", PDF.to_vec()).await.json()["id"].clone();
    let (mine, none) = (format!("/api/documents/{id}"), "/api/documents/424242");
    school.visitor().get(&mine).await.expect(StatusCode::UNAUTHORIZED);
    let theirs = other.get(&mine).await.expect(StatusCode::NOT_FOUND);
    let missing = other.get(none).await.expect(StatusCode::NOT_FOUND);
    assert_eq!(theirs.bytes, missing.bytes);
    let bursar = school.staff_as(Role::Bursar).await;
    let refused = bursar.get(&mine).await.expect(StatusCode::FORBIDDEN);
    assert_eq!(refused.message(), "Your role (bursar) does not allow this. Please ask an administrator.");
    assert_eq!(other.get("/api/students/documents").await.json(), json!([]));
    assert_eq!(school.count("select count(*) from audit where action = 'view'"), 0);
}

/// A browser's own request for a page, as opposed to the interface's calls.
const BROWSER: &str = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

#[tokio::test]
async fn a_refused_document_is_explained_in_a_page() {
    let school = School::open().await;
    let (student, other) = (school.student().await, school.student().await);
    let id = student.upload("government_id", "id.pdf", PDF.to_vec()).await.json()["id"].clone();
    let path = format!("/api/documents/{id}");
    let (visitor, bursar) = (school.visitor(), school.staff_as(Role::Bursar).await);
    for (actor, status, words, links) in [
        (&visitor, StatusCode::UNAUTHORIZED, "Please log in to continue.", ["/student/auth", "/admin/login"]),
        (
            &*other,
            StatusCode::NOT_FOUND,
            "your account may not see it.",
            ["/student/dashboard", "/admin/dashboard"],
        ),
        (&bursar, StatusCode::FORBIDDEN, "Your role (bursar) does not allow this.", ["/admin/dashboard"; 2]),
    ] {
        let page = actor.send(actor.request("GET", &path).header("accept", BROWSER)).await.expect(status);
        assert_eq!(page.header("content-type"), "text/html; charset=utf-8");
        assert_eq!(page.header("cache-control"), "private, no-store");
        assert!(page.header("content-security-policy").contains("default-src 'none'"));
        let html = page.text();
        assert!(html.contains(words) && html.contains("rel=\"stylesheet\""), "{html}");
        assert!(links.iter().all(|link| html.contains(&format!("href=\"{link}"))), "{html}");
        assert!(!html.contains("<script") && !html.contains("style="), "{html}");
        for accept in ["*/*", "application/json"] {
            let answer = actor.send(actor.request("GET", &path).header("accept", accept)).await;
            assert_eq!(answer.header("content-type"), "application/json", "{accept}");
        }
    }
    let shown = student.send(student.request("GET", &path).header("accept", BROWSER)).await;
    assert_eq!(shown.expect(StatusCode::OK).header("content-type"), "application/pdf");
}

#[tokio::test]
async fn exactly_ten_megabytes_pass_and_one_byte_more_does_not() {
    let school = School::open().await;
    let student = school.student().await;
    student.upload("other", "full.pdf", pdf_of(TEN_MEGABYTES)).await.expect(StatusCode::CREATED);
    let answer = student.upload("other", "over.pdf", pdf_of(TEN_MEGABYTES + 1)).await;
    assert_eq!(
        answer.expect(StatusCode::PAYLOAD_TOO_LARGE).message(),
        "The file is larger than 10 MB. Please choose a smaller one."
    );
    student.upload("other", "far.pdf", pdf_of(3 * TEN_MEGABYTES)).await.expect(StatusCode::PAYLOAD_TOO_LARGE);
    assert_eq!(school.count("select count(*) from student_documents"), 1);
    assert_eq!(std::fs::read_dir(school.path().join("tmp")).unwrap().count(), 0, "nothing is left behind");
}

#[tokio::test]
async fn the_content_decides_not_the_name() {
    let school = School::open().await;
    let student = school.student().await;
    let made = student.upload("other", "really.pdf", PNG.to_vec()).await.expect(StatusCode::CREATED).json();
    assert_eq!((&made["contentType"], &made["originalName"]), (&json!("image/png"), &json!("really.png")));
    let shown = student.get(&format!("/api/documents/{}", made["id"])).await;
    assert_eq!(shown.header("content-type"), "image/png");
    for (name, bytes) in [
        ("page.pdf", b"<html><script>alert(1)</script>".to_vec()),
        ("program.png", b"MZ\x90\0".to_vec()),
        ("image.jpg", b"RIFF\x04\0\0\0WAVE".to_vec()),
        ("drawing.png", b"<svg xmlns='http://www.w3.org/2000/svg'/>".to_vec()),
    ] {
        let answer = student.upload("other", name, bytes).await.expect(StatusCode::UNSUPPORTED_MEDIA_TYPE);
        assert_eq!(answer.message(), "This file is not a PDF, JPG or PNG. Please choose another file.");
    }
}

#[tokio::test]
async fn file_and_type_are_both_required_and_the_file_must_not_be_empty() {
    let school = School::open().await;
    let student = school.student().await;
    let missing = "File and document type are required";
    let form = reqwest::multipart::Form::new().text("unrelated", "x");
    let answer = student.send(student.request("POST", "/api/students/documents").multipart(form)).await;
    assert_eq!(answer.fields(), json!({ "document": missing, "documentType": missing }));
    assert_eq!(answer.message(), missing);
    let answer = student.upload("", "a.pdf", PDF.to_vec()).await;
    assert_eq!(answer.fields(), json!({ "documentType": missing }));
    let form = reqwest::multipart::Form::new().text("documentType", "other");
    let answer = student.send(student.request("POST", "/api/students/documents").multipart(form)).await;
    assert_eq!(answer.fields(), json!({ "document": missing }));
    let answer = student.upload("other", "", Vec::new()).await;
    assert_eq!(answer.fields(), json!({ "document": missing }), "no file was chosen");
    let answer = student.upload("passport", "a.pdf", PDF.to_vec()).await;
    assert_eq!(
        answer.fields()["documentType"],
        "Document type must be one of: Government ID, School Transcript, Proof of Address, Health Insurance, \
         Study Permit, Custodianship Declaration, Immunization Record, Individual Education Plan, Other Document"
    );
    let answer = student.upload("other", "a.pdf", Vec::new()).await;
    assert_eq!(answer.fields(), json!({ "document": "The file is empty. Please choose another file." }));
    let answer = student.post("/api/students/documents", &json!({})).await;
    answer.expect(StatusCode::UNSUPPORTED_MEDIA_TYPE);
}

#[tokio::test]
async fn a_name_cannot_leave_its_folder_or_split_a_header() {
    let school = School::open().await;
    let student = school.student().await;
    let made =
        student.upload("other", "../../x\".pdf", PDF.to_vec()).await.expect(StatusCode::CREATED).json();
    assert_eq!(made["originalName"], "x\".pdf");
    let path: String = school
        .database()
        .query_row("select document_path from student_documents", [], |row| row.get(0))
        .unwrap();
    let stored = std::fs::read(school.path().join(&path)).unwrap();
    assert_eq!(stored, PDF);
    assert!(path.starts_with("documents/") && path.len() == "documents/ab/".len() + 64, "{path}");
}

#[tokio::test]
async fn a_newer_document_of_the_same_type_supersedes_the_waiting_one() {
    let school = School::open().await;
    let student = school.student().await;
    for kind in ["transcript", "transcript", "other", "other"] {
        student.upload(kind, "a.pdf", PDF.to_vec()).await.expect(StatusCode::CREATED);
    }
    let list = student.get("/api/students/documents").await.json();
    let states: Vec<_> = list
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["documentType"].as_str().unwrap(), one["status"].as_str().unwrap()))
        .collect();
    assert_eq!(
        states,
        [
            ("other", "pending_review"),
            ("other", "pending_review"),
            ("transcript", "pending_review"),
            ("transcript", "superseded")
        ]
    );
}

#[tokio::test]
async fn a_removed_document_leaves_a_line_for_the_office_and_the_one_before_counts_again() {
    let school = School::open().await;
    let (student, staff) = (school.student().await, school.staff().await);
    let upload = async |name: &str| {
        student.upload("transcript", name, PDF.to_vec()).await.expect(StatusCode::CREATED).json()["id"]
            .clone()
    };
    let remove = async |id: &serde_json::Value| {
        student.delete(&format!("/api/students/documents/{id}")).await.expect(StatusCode::NO_CONTENT);
    };
    let states = async || {
        let list = student.get("/api/students/documents").await.json();
        let rows = list.as_array().unwrap().iter();
        rows.map(|one| format!("{} {}", one["originalName"], one["status"])).collect::<Vec<_>>()
    };
    let history = async || {
        let page = staff.get(&format!("/api/admin/students/{}", student.id)).await.json();
        let rows = page["history"].as_array().unwrap().iter();
        let removed = rows.filter(|row| row["field"] == "documentRemoved");
        removed
            .map(|row| format!("{} {} {}", row["actorKind"], row["after"], row["reason"]))
            .collect::<Vec<_>>()
    };
    let first = upload("first.pdf").await;
    let course = school.course(&staff, "ENG4U", json!(500)).await;
    let id = student.enroll(course).await.expect(StatusCode::CREATED).json()["id"].clone();
    staff.post(&format!("/api/admin/enrollments/{id}/approve"), &json!({})).await.expect(StatusCode::OK);
    school.clock.advance(jiff::SignedDuration::from_mins(5));
    let second = upload("second.pdf").await;
    assert_eq!(states().await, ["\"second.pdf\" \"pending_review\"", "\"first.pdf\" \"superseded\""]);
    remove(&second).await;
    assert_eq!(states().await, ["\"first.pdf\" \"pending_review\""]);
    assert_eq!(history().await, ["\"student\" \"School Transcript\" null"]);
    remove(&first).await;
    let counted = "\"student\" \"School Transcript\" \"Removed by the student after the approval of ENG4U\"";
    assert_eq!(history().await[0], counted);
    let audited =
        "select count(*) from audit where action = 'remove' and object = 'document' and actor = 'student'";
    assert_eq!(school.count(audited), 2);
    // Of several that the office never saw the last two stay, and the office reads what became of the first.
    for name in ["a.pdf", "b.pdf", "c.pdf"] {
        school.clock.advance(jiff::SignedDuration::from_mins(1));
        upload(name).await;
    }
    assert_eq!(states().await, ["\"c.pdf\" \"pending_review\"", "\"b.pdf\" \"superseded\""]);
    assert_eq!(history().await[0], "\"student\" \"School Transcript\" \"Replaced by two newer uploads\"");
}

#[tokio::test]
async fn uploads_are_refused_while_the_disk_is_short() {
    let school = School::open_with(|config| config.server.disk_reserve_mb = u64::MAX).await;
    let student = school.student().await;
    student.upload("other", "a.pdf", PDF.to_vec()).await.expect(StatusCode::SERVICE_UNAVAILABLE);
    let ready = school.visitor().get("/readyz").await.expect(StatusCode::SERVICE_UNAVAILABLE).json();
    assert_eq!((&ready["disk"], &ready["database_write"]), (&json!(false), &json!(true)));
}

#[tokio::test]
async fn a_file_that_nothing_names_is_swept_after_a_day() {
    let school = School::open().await;
    let student = school.student().await;
    student.upload("other", "kept.pdf", PDF.to_vec()).await.expect(StatusCode::CREATED);
    let folder = school.path().join("documents/ff");
    std::fs::create_dir_all(&folder).unwrap();
    let (old, fresh) = (folder.join("f".repeat(64)), folder.join("e".repeat(64)));
    for path in [&old, &fresh] {
        std::fs::write(path, "left by a crash").unwrap();
    }
    let named: String = school
        .database()
        .query_row("select document_path from student_documents", [], |row| row.get(0))
        .unwrap();
    let named = school.path().join(named);
    for path in [&old, &named] {
        let two_days_ago =
            fresh.metadata().unwrap().modified().unwrap() - std::time::Duration::from_hours(48);
        std::fs::File::options().write(true).open(path).unwrap().set_modified(two_days_ago).unwrap();
    }
    assert_eq!(schoolhouse::testing::sweep_files(school.app()).await.unwrap(), 1);
    assert_eq!((old.exists(), fresh.exists(), named.exists()), (false, true, true));
}

#[tokio::test]
async fn a_refused_upload_ends_its_connection_and_says_so() {
    let school = School::open().await;
    let student = school.student().await;
    let kept = student.upload("other", "a.pdf", PDF.to_vec()).await.expect(StatusCode::CREATED);
    assert!(!kept.headers.contains_key("connection"));
    for (kind, bytes) in [("a secret", PDF.to_vec()), ("other", vec![0; 11_000_000])] {
        let refused = student.upload(kind, "a.pdf", bytes).await;
        assert!(refused.status.is_client_error(), "{}", refused.status);
        assert_eq!(refused.headers["connection"], "close", "{}", refused.status);
    }
}

#[tokio::test]
async fn documents_that_one_account_does_not_read_leave_room_for_the_others() {
    let school = School::open().await;
    let (student, staff) = (school.student().await, school.staff().await);
    let made = student.upload("other", "noise.png", noise(1500, 1)).await.expect(StatusCode::CREATED).json();
    let path = format!("/api/documents/{}", made["id"]);
    let fields = format!("cookie: {}\r\n", student.cookies(&student.email).await);
    let mut held = Vec::new();
    for _ in 0..32 {
        let asked = Unread::ask(Ipv4Addr::LOCALHOST, school.address(), &path, &fields).await;
        assert_eq!(asked.status, 200);
        held.push(asked);
    }
    let refused = student.get(&path).await.expect(StatusCode::SERVICE_UNAVAILABLE);
    assert!(refused.message().contains("are still on their way"), "{}", refused.message());
    staff.get(&path).await.expect(StatusCode::OK);
    held.clear();
    eventually(async || (student.get(&path).await.status == StatusCode::OK).then_some(())).await;
}
