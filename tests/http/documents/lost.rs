//! Documents whose file is missing or damaged: what is shown, who is told, and how the office mends it.

use std::path::PathBuf;

use reqwest::StatusCode;
use reqwest::multipart::{Form, Part};
use schoolhouse::testing::{Role, sweep_files};
use serde_json::{Value, json};

use crate::support::{Actor, Answer, PDF, School, numbered_pdf};

fn file_of(school: &School, id: &Value) -> PathBuf {
    let sql = "select document_path from student_documents where id = ?1";
    let path: String = school.database().query_row(sql, [id.as_i64().unwrap()], |row| row.get(0)).unwrap();
    school.path().join(path)
}

async fn replace(staff: &Actor, id: &Value, bytes: Vec<u8>) -> Answer {
    let form = Form::new()
        .text("documentType", "transcript")
        .part("document", Part::bytes(bytes).file_name("copy.pdf"));
    staff.send(staff.request("POST", &format!("/api/admin/documents/{id}/file")).multipart(form)).await
}

async fn fault(staff: &Actor, id: &Value) -> Value {
    let listed = staff.get("/api/admin/documents").await.json();
    let found = listed.as_array().unwrap().iter().find(|row| row["id"] == *id).unwrap();
    found["fault"].clone()
}

#[tokio::test]
async fn a_damaged_file_is_refused_with_a_message_and_reported_once() {
    let school = School::open().await;
    let (student, staff) = (school.student().await, school.staff().await);
    let made = student.upload("transcript", "r.pdf", numbered_pdf(1, 9000)).await.json();
    let gone = student.upload("other", "o.pdf", numbered_pdf(2, 9000)).await.json();
    let (changed, missing) = (file_of(&school, &made["id"]), file_of(&school, &gone["id"]));
    let mut bytes = std::fs::read(&changed).unwrap();
    bytes[4321] ^= 1;
    std::fs::write(&changed, bytes).unwrap();
    std::fs::remove_file(&missing).unwrap();
    for (id, word) in [(&made["id"], "changed"), (&gone["id"], "missing")] {
        assert_eq!(fault(&staff, id).await, Value::Null);
        for actor in [&*student, &staff, &*student] {
            let refused = actor.get(&format!("/api/documents/{id}")).await.expect(StatusCode::CONFLICT);
            assert!(refused.text().contains("missing or damaged"), "{}", refused.text());
            assert!(!refused.text().contains("%PDF"));
        }
        assert_eq!(fault(&staff, id).await, word);
    }
    let found = staff.get("/api/admin/documents?page=1&q=file+lost").await;
    assert_eq!(found.total(), 2);
    let mails = school.all_mails().await;
    let told: Vec<_> = mails.iter().filter(|mail| mail.subject == "A document's file is lost").collect();
    assert_eq!(told.len(), 2, "one email for each file to the one administrator");
    assert!(told[0].text.contains(&format!("#{}", made["id"])), "{}", told[0].text);
    let taken = student.get("/api/students/archive").await;
    assert_ne!(taken.status, StatusCode::INTERNAL_SERVER_ERROR);
}

#[tokio::test]
async fn the_office_puts_the_same_file_back_or_another_copy_in_its_place() {
    let school = School::open().await;
    let (student, staff) = (school.student().await, school.staff().await);
    let made = student.upload("transcript", "r.pdf", numbered_pdf(1, 9000)).await.json();
    let id = &made["id"];
    let path = format!("/api/documents/{id}");
    let file = file_of(&school, id);
    let stored = std::fs::read(&file).unwrap();
    replace(&staff, id, stored.clone()).await.expect(StatusCode::CONFLICT);
    std::fs::write(&file, b"rot").unwrap();
    student.get(&path).await.expect(StatusCode::CONFLICT);
    for role in [Role::Bursar, Role::Viewer] {
        let actor = school.staff_as(role).await;
        replace(&actor, id, stored.clone()).await.expect(StatusCode::FORBIDDEN);
    }
    let mended = replace(&staff, id, stored.clone()).await.expect(StatusCode::OK).json();
    assert_eq!((&mended["fault"], &mended["isFromOffice"]), (&Value::Null, &json!(false)));
    assert_eq!(student.get(&path).await.expect(StatusCode::OK).bytes, stored);

    std::fs::remove_file(file_of(&school, id)).unwrap();
    student.get(&path).await.expect(StatusCode::CONFLICT);
    replace(&staff, id, b"no document".to_vec()).await.expect(StatusCode::UNSUPPORTED_MEDIA_TYPE);
    let mended = replace(&staff, id, PDF.to_vec()).await.expect(StatusCode::OK).json();
    assert_eq!((&mended["fault"], &mended["isFromOffice"]), (&Value::Null, &json!(true)));
    let shown = student.get(&path).await.expect(StatusCode::OK).bytes;
    assert_eq!(shown, std::fs::read(file_of(&school, id)).unwrap());
    for verb in ["restore", "replace"] {
        let sql = format!(
            "select count(*) from audit where action = '{verb}' and object = 'document' and object_id = {id}"
        );
        assert_eq!(school.count(&sql), 1, "{verb}");
    }
    let page = staff.get(&format!("/api/admin/students/{}", student.id)).await.json();
    assert_eq!(page["history"][0]["after"], "School Transcript: Replaced with another copy");
}

#[tokio::test]
async fn a_lost_document_is_written_off_with_a_reason() {
    let school = School::open().await;
    let (student, staff) = (school.student().await, school.staff().await);
    let id = student.upload("transcript", "r.pdf", PDF.to_vec()).await.json()["id"].clone();
    let path = format!("/api/admin/documents/{id}/write-off");
    staff.post(&path, &json!({ "reason": "the disk failed" })).await.expect(StatusCode::CONFLICT);
    let is_there = async || {
        let wanted = student.get("/api/students/wanted").await.expect(StatusCode::OK).json();
        let transcript = wanted.as_array().unwrap().iter().find(|one| one["documentType"] == "transcript");
        transcript.unwrap()["isWithOffice"].clone()
    };
    assert_eq!(is_there().await, true);
    std::fs::remove_file(file_of(&school, &id)).unwrap();
    student.get(&format!("/api/documents/{id}")).await.expect(StatusCode::CONFLICT);
    assert_eq!(is_there().await, false, "what is lost has to be uploaded again");
    assert_eq!(staff.post(&path, &json!({ "reason": " " })).await.fields().as_object().unwrap().len(), 1);
    let gone = staff.post(&path, &json!({ "reason": "the disk failed" })).await.expect(StatusCode::OK).json();
    assert_eq!(gone["fault"], "written_off");
    student.get(&format!("/api/documents/{id}")).await.expect(StatusCode::CONFLICT);
    let told = staff.get("/api/admin/audit?object=document&action=write_off").await.json();
    assert_eq!(told[0]["detail"]["reason"], "the disk failed");
}

#[tokio::test]
async fn an_older_file_stays_as_long_as_a_copy_from_before_an_upgrade_names_it() {
    let school = School::open().await;
    let student = school.student().await;
    let id = student.upload("transcript", "r.pdf", PDF.to_vec()).await.json()["id"].clone();
    let file = file_of(&school, &id);
    let backups = school.path().join("backups");
    std::fs::create_dir_all(&backups).unwrap();
    let copy = backups.join("before-schema-40.db");
    school.database().execute("vacuum into ?1", [copy.to_str().unwrap()]).unwrap();
    student.delete(&format!("/api/students/documents/{id}")).await.expect(StatusCode::NO_CONTENT);
    let aged = std::fs::File::options().write(true).open(&file).unwrap();
    aged.set_modified(std::time::SystemTime::UNIX_EPOCH).unwrap();
    assert_eq!(sweep_files(school.app()).await.unwrap(), 0);
    assert!(file.exists(), "going back would miss it");
    // What cannot be read may name anything.
    let whole = std::fs::read(&copy).unwrap();
    std::fs::write(&copy, b"no database").unwrap();
    sweep_files(school.app()).await.unwrap_err();
    assert!(file.exists());
    std::fs::write(&copy, whole).unwrap();
    std::fs::remove_file(&copy).unwrap();
    assert_eq!(sweep_files(school.app()).await.unwrap(), 1);
    assert!(!file.exists());
}
