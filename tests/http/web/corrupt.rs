//! A word in the database that its set does not have is an error: never another word, never a row that
//! is left out.

use reqwest::StatusCode;
use serde_json::json;

use crate::admissions::{application, apply};
use crate::support::{Actor, PASSWORD, PDF, School};

#[tokio::test]
async fn an_unknown_enum_value_is_an_error() {
    let school = School::open().await;
    let (staff, student, visitor) = (school.staff().await, school.student().await, school.visitor());
    let course = school.course(&staff, "ENG4U", json!(549)).await;
    student.enroll(course).await.expect(StatusCode::CREATED);
    student.upload("transcript", "a.pdf", PDF.to_vec()).await.expect(StatusCode::CREATED);
    visitor.write_message("Zoë", "zoe@mail.example", "Where do I find you?").await.expect(StatusCode::OK);
    apply(&visitor, &application("Zoë", "zoe")).await;
    visitor.register("new@mail.example").await;
    let link = school.mail("new@mail.example", "Verify your email address").await.token("/student/verify/");
    school.all_mails().await;

    let verify = format!("/api/students/verify/{link}");
    let table: [(&str, &str, &Actor, &str); 12] = [
        ("users", "role", &staff, "/api/user"),
        ("students", "status", &student, "/api/students/me"),
        ("students", "gender", &student, "/api/students/me"),
        ("students", "canadian_status", &student, "/api/students/me"),
        ("student_tokens", "purpose", &visitor, &verify),
        ("enrollments", "status", &student, "/api/students/enrollments"),
        ("student_documents", "document_type", &student, "/api/students/documents"),
        ("student_documents", "status", &student, "/api/students/documents"),
        ("contact_messages", "subject", &staff, "/api/admin/messages"),
        ("contact_messages", "status", &staff, "/api/admin/messages"),
        ("admission_requests", "grade", &staff, "/api/admin/admission-requests"),
        ("admission_requests", "status", &staff, "/api/admin/admission-requests"),
    ];
    for (table, column, actor, path) in table {
        let case = format!("{table}.{column}");
        let database = school.database();
        let kept = format!("create temp table kept as select id, {column} as word from {table}");
        let kept = if table == "student_tokens" { kept.replace("id,", "token_hash as id,") } else { kept };
        let key = if table == "student_tokens" { "token_hash" } else { "id" };
        let wrong = if column == "grade" { "8" } else { "'nonsense'" };
        let spoil = format!("{kept}; update {table} set {column} = {wrong}");
        database.execute_batch(&format!("pragma ignore_check_constraints = on; {spoil}")).unwrap();
        assert_eq!(actor.get(path).await.status, StatusCode::INTERNAL_SERVER_ERROR, "{case}");
        let restore = format!("update {table} set {column} = (select word from kept where kept.id = {key})");
        database.execute_batch(&restore).unwrap();
        assert_eq!(actor.get(path).await.status, StatusCode::OK, "{case}");
    }
    assert_eq!(visitor.log_in("new@mail.example", PASSWORD).await.status, StatusCode::OK);
}
