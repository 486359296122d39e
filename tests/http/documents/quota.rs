//! The storage quota of a student, and removing documents.

use std::time::Duration;

use jiff::SignedDuration;
use reqwest::multipart::{Form, Part};
use reqwest::{Body, StatusCode};
use schoolhouse::testing::Config;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio_util::io::ReaderStream;

use crate::support::{Answer, PASSWORD, PDF, School, Student, numbered_pdf, wait_for};

const MEGABYTE: usize = 1024 * 1024;
const WAY_OUT: &str = "remove a document that the office has not looked at yet, or write to the office.";

fn pdf_of(size: usize, number: usize) -> Vec<u8> {
    numbered_pdf(number as u64, size)
}

/// Ten megabytes, of which one upload may take all.
fn ten_megabytes(config: &mut Config) {
    config.documents.mb_per_student = 10;
}

async fn usage(student: &Student) -> Value {
    student.get("/api/students/documents/usage").await.expect(StatusCode::OK).json()
}

async fn remove(student: &Student, id: &Value) -> Answer {
    student.delete(&format!("/api/students/documents/{id}")).await
}

/// An upload whose file is written as the test goes on; the form's length is told when `size` is.
fn slow_upload(student: &Student, size: Option<usize>) -> (DuplexStream, reqwest::RequestBuilder) {
    let (pen, paper) = duplex(64 * 1024);
    let body = Body::wrap_stream(ReaderStream::new(paper));
    let part = match size {
        Some(size) => Part::stream_with_length(body, size as u64),
        None => Part::stream(body),
    };
    let form = Form::new().text("documentType", "other").part("document", part.file_name("slow.pdf"));
    (pen, student.request("POST", "/api/students/documents").multipart(form))
}

#[tokio::test]
async fn one_student_cannot_take_the_room_of_the_others() {
    let school = School::open_with(ten_megabytes).await;
    let (greedy, other) = (school.student().await, school.student().await);
    let mut uploads = JoinSet::new();
    for number in 0..20 {
        // The rest of each megabyte is for the form around it.
        let request = greedy.document("other", "a.pdf", pdf_of(MEGABYTE - 1024, number));
        uploads.spawn(async move { request.send().await.unwrap() });
    }
    let responses = uploads.join_all().await;
    let count = |status| responses.iter().filter(|response| response.status() == status).count();
    assert_eq!((count(StatusCode::CREATED), count(StatusCode::PAYLOAD_TOO_LARGE)), (10, 10));
    assert_eq!(school.count("select bytes from documents_total"), 10 * (MEGABYTE as i64 - 1024));
    let stored = walk(&school.path().join("documents")) + walk(&school.path().join("tmp"));
    assert_eq!(stored, 10 * (MEGABYTE as u64 - 1024), "refused files are not on the disk");
    other.upload("other", "a.pdf", pdf_of(10 * MEGABYTE, 0)).await.expect(StatusCode::CREATED);
}

fn walk(folder: &std::path::Path) -> u64 {
    std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| {
            let entry = entry.unwrap();
            if entry.path().is_dir() { walk(&entry.path()) } else { entry.metadata().unwrap().len() }
        })
        .sum()
}

#[tokio::test]
async fn a_file_that_cannot_fit_is_refused_before_it_is_sent() {
    let school = School::open_with(ten_megabytes).await;
    let student = school.student().await;
    student.upload("other", "a.pdf", pdf_of(4 * MEGABYTE, 0)).await.expect(StatusCode::CREATED);
    // Nothing of the file is ever written.
    let (_pen, request) = slow_upload(&student, Some(7 * MEGABYTE));
    let refused = student.send(request).await.expect(StatusCode::PAYLOAD_TOO_LARGE);
    assert_eq!(
        refused.message(),
        format!(
            "Your documents take up 4 of 10 MB, and this would be more. Please choose a smaller file, {WAY_OUT}"
        )
    );
    let exact = pdf_of(6 * MEGABYTE, 1);
    student.upload("other", "b.pdf", exact).await.expect(StatusCode::CREATED);
    assert_eq!(usage(&student).await["bytes"], 10 * MEGABYTE);
    let (_pen, request) = slow_upload(&student, Some(1));
    student.send(request).await.expect(StatusCode::PAYLOAD_TOO_LARGE);
}

#[tokio::test]
async fn a_browser_that_goes_on_sending_hears_why_it_was_refused() {
    let school = School::open_with(ten_megabytes).await;
    let student = school.student().await;
    student.upload("other", "a.pdf", pdf_of(10 * MEGABYTE, 0)).await.expect(StatusCode::CREATED);
    for number in 1..6 {
        let refused = student.upload("other", "b.pdf", pdf_of(10 * MEGABYTE, number)).await;
        assert!(refused.expect(StatusCode::PAYLOAD_TOO_LARGE).message().ends_with(WAY_OUT));
    }
}

#[tokio::test]
async fn an_upload_that_cannot_fit_is_refused_before_its_body_is_sent() {
    let school = School::open_with(ten_megabytes).await;
    let student = school.student().await;
    student.upload("other", "a.pdf", pdf_of(10 * MEGABYTE, 0)).await.expect(StatusCode::CREATED);
    let login = student.log_in(&student.email, PASSWORD).await.expect(StatusCode::OK);
    let cookie = login.header("set-cookie").split(';').next().unwrap().to_owned();
    let address = school.url("").replace("http://", "");
    let mut stream = TcpStream::connect(&address).await.unwrap();
    let head = format!(
        "POST /api/students/documents HTTP/1.1\r\nhost: {address}\r\ncookie: {cookie}\r\nexpect: 100-continue\r\n\
         content-type: multipart/form-data; boundary=x\r\ncontent-length: 5000000\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 413 "), "{answer}");
    assert!(answer.ends_with(&format!("{WAY_OUT}\"}}")), "{answer}");
}

#[tokio::test]
async fn a_file_of_untold_length_is_cut_off_where_the_room_ends() {
    let school = School::open_with(ten_megabytes).await;
    let student = school.student().await;
    student.upload("other", "a.pdf", pdf_of(9 * MEGABYTE, 0)).await.expect(StatusCode::CREATED);
    let (mut pen, request) = slow_upload(&student, None);
    let writing = async {
        pen.write_all(&pdf_of(2 * MEGABYTE, 1)).await.unwrap();
        drop(pen);
    };
    let (answer, ()) = tokio::join!(student.send(request), writing);
    let message = answer.expect(StatusCode::PAYLOAD_TOO_LARGE).message();
    assert!(message.starts_with("Your documents take up 9 of 10 MB"), "{message}");
    assert_eq!(school.count("select count(*) from student_documents"), 1);
    assert_eq!(walk(&school.path().join("tmp")), 0);
}

#[tokio::test]
async fn uploads_in_progress_count_until_they_finish_or_fail() {
    let school = School::open_with(ten_megabytes).await;
    let student = school.student().await;
    let (mut pen, request) = slow_upload(&student, Some(8 * MEGABYTE));
    let first = tokio::spawn(request.send());
    pen.write_all(&pdf_of(MEGABYTE, 0)).await.unwrap();
    wait_for(|| (walk(&school.path().join("tmp")) > 0).then_some(())).await;
    let refused = student.upload("other", "b.pdf", pdf_of(3 * MEGABYTE, 1)).await;
    refused.expect(StatusCode::PAYLOAD_TOO_LARGE);
    student.upload("other", "c.pdf", pdf_of(MEGABYTE, 2)).await.expect(StatusCode::CREATED);
    // The first one is given up.
    first.abort();
    drop(pen);
    let mut tries = 0;
    while student.upload("other", "d.pdf", pdf_of(3 * MEGABYTE, 3)).await.status != StatusCode::CREATED {
        tries += 1;
        assert!(tries < 200, "the room is never given back");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

#[tokio::test]
async fn a_full_list_says_what_to_do_and_a_removed_document_makes_room() {
    let school = School::open_with(|config| config.documents.files_per_student = 2).await;
    let student = school.student().await;
    assert_eq!(
        usage(&student).await,
        json!({ "files": 0, "bytes": 0, "maxFiles": 2, "maxBytes": 100 * MEGABYTE, "refusal": null })
    );
    // The same file twice is two entries of the list, and each can be removed by itself.
    let mut made = Vec::new();
    for _ in 0..2 {
        made.push(student.upload("other", "a.pdf", PDF.to_vec()).await.expect(StatusCode::CREATED).json());
    }
    let full = format!("You have 2 documents, which is the maximum. Please {WAY_OUT}");
    let now = usage(&student).await;
    assert_eq!((&now["files"], &now["bytes"]), (&json!(2), &json!(2 * PDF.len())));
    assert_eq!(now["refusal"], full);
    let refused = student.upload("other", "b.pdf", PDF.to_vec()).await;
    assert_eq!(refused.expect(StatusCode::PAYLOAD_TOO_LARGE).message(), full);
    assert!(made.iter().all(|one| one["isRemovable"] == true));
    remove(&student, &made[1]["id"]).await.expect(StatusCode::NO_CONTENT);
    assert_eq!(usage(&student).await["refusal"], Value::Null);
    assert_eq!(student.get("/api/students/documents").await.column("id"), [made[0]["id"].clone()]);
    let next = student.upload("other", "b.pdf", PDF.to_vec()).await.expect(StatusCode::CREATED).json();
    assert_ne!(next["id"], made[1]["id"], "an address leads to one document for ever");
    assert_eq!(
        school.count("select count(*) from document_removals where cause = 'removed' and document_id = 2"),
        1
    );
}

#[tokio::test]
async fn only_what_the_office_has_not_looked_at_can_be_removed_and_only_by_its_student() {
    let school = School::open().await;
    let (student, other, staff) = (school.student().await, school.student().await, school.staff().await);
    let id = student.upload("transcript", "a.pdf", PDF.to_vec()).await.json()["id"].clone();
    let missing = remove(&other, &json!(424_242)).await.expect(StatusCode::NOT_FOUND);
    assert_eq!(remove(&other, &id).await.expect(StatusCode::NOT_FOUND).bytes, missing.bytes);
    remove(&other, &json!("x")).await.expect(StatusCode::NOT_FOUND);
    // Its owner's own look does not count.
    student.get(&format!("/api/documents/{id}")).await.expect(StatusCode::OK);
    staff.get(&format!("/api/documents/{id}")).await.expect(StatusCode::OK);
    let refused = remove(&student, &id).await.expect(StatusCode::CONFLICT);
    assert_eq!(
        refused.message(),
        "The office has looked at this document already, so it stays in your file. Please write to the office if it should be removed."
    );
    assert_eq!(student.get("/api/students/documents").await.json()[0]["isRemovable"], false);
    for status in ["accepted", "rejected", "expired"] {
        let next = student.upload("other", "b.pdf", PDF.to_vec()).await.json()["id"].clone();
        school
            .database()
            .execute("update student_documents set status = ?1 where id = ?2", (status, next.as_i64()))
            .unwrap();
        remove(&student, &next).await.expect(StatusCode::CONFLICT);
    }
    let gone = student.upload("other", "c.pdf", PDF.to_vec()).await.json()["id"].clone();
    remove(&student, &gone).await.expect(StatusCode::NO_CONTENT);
    remove(&student, &gone).await.expect(StatusCode::NOT_FOUND);
    staff.get(&format!("/api/documents/{gone}")).await.expect(StatusCode::NOT_FOUND);
    assert_eq!(school.count("select count(*) from audit where object_id = 5 and action = 'view'"), 0);
}

#[tokio::test]
async fn a_removed_file_stays_a_day_for_a_backup_and_then_goes() {
    let school = School::open().await;
    let student = school.student().await;
    let made = student.upload("other", "a.pdf", PDF.to_vec()).await.json();
    let twin = student.upload("other", "a.pdf", PDF.to_vec()).await.json();
    let file = school.path().join(
        school
            .database()
            .query_row("select document_path from student_documents", [], |row| row.get::<_, String>(0))
            .unwrap(),
    );
    let age = |hours: u64| {
        let file = std::fs::File::options().write(true).open(&file).unwrap();
        let modified = file.metadata().unwrap().modified().unwrap() - Duration::from_secs(hours * 3600);
        file.set_modified(modified).unwrap();
    };
    let sweep = || schoolhouse::testing::sweep_files(school.app());
    age(48);
    remove(&student, &made["id"]).await.expect(StatusCode::NO_CONTENT);
    age(48);
    assert_eq!(sweep().await.unwrap(), 0, "another document has the same content");
    remove(&student, &twin["id"]).await.expect(StatusCode::NO_CONTENT);
    assert_eq!(sweep().await.unwrap(), 0, "it was removed just now");
    age(25);
    assert_eq!(sweep().await.unwrap(), 1);
    assert!(!file.exists());
}

#[tokio::test]
async fn replacing_frees_room_and_does_not_fill_the_disk() {
    let school = School::open_with(ten_megabytes).await;
    let student = school.student().await;
    for number in 0..3 {
        let answer = student.upload("transcript", "a.pdf", pdf_of(4 * MEGABYTE, number)).await;
        answer.expect(StatusCode::CREATED);
        let now = usage(&student).await;
        assert_eq!((&now["files"], &now["bytes"]), (&json!(1), &json!(4 * MEGABYTE)));
    }
    let states = student.get("/api/students/documents").await.column("status");
    assert_eq!(states, ["pending_review", "superseded"], "only the latest of the replaced ones stays");
    let mut kept = 3;
    loop {
        let answer = student.upload("transcript", "a.pdf", pdf_of(4 * MEGABYTE, kept)).await;
        if answer.status != StatusCode::CREATED {
            let message = answer.expect(StatusCode::PAYLOAD_TOO_LARGE).message();
            assert!(message.starts_with("You have uploaded and removed a great deal today."), "{message}");
            break;
        }
        kept += 1;
        assert!(kept < 20, "replacing has no end");
    }
    assert!(walk(&school.path().join("documents")) <= 24 * MEGABYTE as u64);
    school.advance(SignedDuration::from_hours(25));
    student.upload("transcript", "a.pdf", pdf_of(4 * MEGABYTE, kept)).await.expect(StatusCode::CREATED);
}

#[tokio::test]
async fn all_students_together_leave_the_rest_of_the_disk_alone() {
    let school = School::open().await;
    let student = school.student().await;
    school.database().execute("update documents_total set bytes = 1 << 60", []).unwrap();
    let full = "The school’s server has no room for more documents at the moment. Please tell the office, and try again later.";
    assert_eq!(usage(&student).await["refusal"], full);
    let refused = student.upload("other", "a.pdf", PDF.to_vec()).await;
    assert_eq!(refused.expect(StatusCode::SERVICE_UNAVAILABLE).message(), full);
}
