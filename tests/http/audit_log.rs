//! The audit log as the office reads it, and whether its chain is complete.

use reqwest::StatusCode;
use schoolhouse::testing::{Role, maintenance};
use serde_json::{Value, json};

use crate::cli::{out, run};
use crate::support::{Actor, PDF, School, profile, wait_for};

async fn entries(staff: &Actor, query: &str) -> Vec<Value> {
    let listed = staff.get(&format!("/api/admin/audit?{query}")).await.expect(StatusCode::OK);
    listed.json().as_array().unwrap().clone()
}

fn short(entry: &Value) -> String {
    let text = |key: &str| entry[key].as_str().unwrap_or("-").to_owned();
    format!("{} {} {} {}", text("user"), text("action"), text("object"), entry["objectId"])
}

/// A student viewed and changed by the registrar, and a course.
async fn busy_day(school: &School) -> (Actor, Actor, i64, i64) {
    let (admin, registrar) = (school.staff().await, school.staff_as(Role::Registrar).await);
    let student = school.student().await;
    student.patch("/api/students/me", &profile(&student.email)).await.expect(StatusCode::OK);
    let document = student.upload("transcript", "a.pdf", PDF.to_vec()).await.json()["id"].clone();
    registrar.get(&format!("/api/documents/{document}")).await.expect(StatusCode::OK);
    let record = registrar.get(&format!("/api/admin/students/{}", student.id)).await.json();
    let change =
        json!({ "city": "Toronto", "version": record["student"]["version"], "reason": "They moved" });
    registrar.patch(&format!("/api/admin/students/{}", student.id), &change).await.expect(StatusCode::OK);
    let course = school.course(&admin, "ENG4U", json!(500)).await;
    admin
        .patch(&format!("/api/admin/courses/{course}"), &json!({ "price": 600 }))
        .await
        .expect(StatusCode::OK);
    (admin, registrar, student.id, course)
}

#[tokio::test]
async fn the_trail_has_who_saw_and_changed_what_with_before_and_after() {
    let school = School::open().await;
    let (admin, _, student, course) = busy_day(&school).await;
    let all = entries(&admin, "page=1").await;
    assert_eq!(
        all.iter().map(short).collect::<Vec<_>>(),
        [
            format!("staff0 update course {course}"),
            format!("staff0 create course {course}"),
            format!("staff1 change student {student}"),
            "staff1 view document 1".to_owned(),
        ]
    );
    assert_eq!(all[0]["about"], "ENG4U A course");
    let price = json!([{ "field": "price", "before": "500", "after": "600" }]);
    assert_eq!(all[0]["changes"], price);
    let moved = json!([{ "field": "city", "before": "Mississauga", "after": "Toronto" }]);
    assert_eq!((&all[2]["changes"], &all[2]["detail"]), (&moved, &json!({ "reason": "They moved" })));
    assert_eq!(
        (&all[2]["about"], &all[3]["about"]),
        (&json!("Amara Okonkwo"), &json!("Amara Okonkwo, transcript"))
    );
    assert_eq!(all[3]["studentId"], student);
}

#[tokio::test]
async fn every_filter_finds_what_it_says() {
    let school = School::open().await;
    let (admin, _, student, course) = busy_day(&school).await;
    for (query, expected) in [
        (format!("student={student}"), vec!["change", "view"]),
        ("user=staff1".into(), vec!["change", "view"]),
        ("user=2".into(), vec!["change", "view"]),
        ("action=view".into(), vec!["view"]),
        ("object=course".into(), vec!["update", "create"]),
        (format!("object=course&objectId={course}&action=create"), vec!["create"]),
        (format!("student={student}&object=document"), vec!["view"]),
        ("from=2026-11-21&to=2026-11-21".into(), vec!["update", "create", "change", "view"]),
        ("from=2026-11-22".into(), vec![]),
        ("to=2026-11-20".into(), vec![]),
        ("user=unknown".into(), vec![]),
    ] {
        let answer = admin.get(&format!("/api/admin/audit?page=1&{query}")).await.expect(StatusCode::OK);
        let found: Vec<_> = answer.column("action");
        assert_eq!(found, expected, "{query}");
        assert_eq!(answer.total(), i64::try_from(expected.len()).unwrap(), "{query}");
    }
    let wrong = admin.get("/api/admin/audit?student=x&from=soon&to=2026-13-01").await.fields();
    assert_eq!(wrong.as_object().unwrap().len(), 3, "{wrong}");
    let backwards = admin.get("/api/admin/audit?from=2026-11-22&to=2026-11-21").await.fields();
    assert_eq!(backwards, json!({ "to": "Must not be before the first day" }));
    let words = admin.get("/api/admin/audit/words").await.expect(StatusCode::OK).json();
    assert_eq!(words["actions"], json!(["change", "create", "update", "view"]));
    assert_eq!(
        (&words["users"], &words["objects"]),
        (&json!(["staff0", "staff1"]), &json!(["course", "document", "student"]))
    );
}

#[tokio::test]
async fn the_registrar_and_the_bursar_read_their_own_audit_entries_and_a_viewer_none() {
    let school = School::open().await;
    let (_, registrar, _, _) = busy_day(&school).await;
    let own = entries(&registrar, "page=1").await;
    assert_eq!(
        own.iter().map(|entry| entry["user"].as_str().unwrap()).collect::<Vec<_>>(),
        ["staff1", "staff1"]
    );
    assert_eq!(entries(&registrar, "user=staff0").await, Vec::<Value>::new());
    let words = registrar.get("/api/admin/audit/words").await.json();
    assert_eq!(words["users"], json!(["staff1"]));
    registrar.get("/api/admin/audit/chain").await.expect(StatusCode::FORBIDDEN);
    let bursar = school.staff_as(Role::Bursar).await;
    assert_eq!(entries(&bursar, "page=1").await, Vec::<Value>::new());
    let viewer = school.staff_as(Role::Viewer).await;
    viewer.get("/api/admin/audit").await.expect(StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn exporting_the_audit_trail_is_recorded_and_secrets_are_masked() {
    let school = School::open().await;
    let (admin, ..) = busy_day(&school).await;
    let detail = r#"{"oen":{"from":null,"to":"123456789"},"token":"abc","inner":{"password":"x"}}"#;
    school
        .database()
        .execute(
            "insert into audit (at, actor, action, object, detail) values (1, '=cmd', 'x', 'y', ?1)",
            [detail],
        )
        .unwrap();
    let odd = entries(&admin, "action=x").await;
    assert_eq!(odd[0]["changes"], json!([{ "field": "oen", "before": null, "after": "•••" }]));
    assert_eq!(odd[0]["detail"], json!({ "token": "•••", "inner": { "password": "•••" } }));
    let sheet = admin.get("/api/admin/audit?format=csv").await.expect(StatusCode::OK);
    assert!(sheet.header("content-disposition").contains("audit-2026-11-21.csv"));
    assert_eq!(sheet.text().lines().count(), 6, "{}", sheet.text());
    assert!(sheet.text().contains("'=cmd") && !sheet.text().contains("123456789"), "{}", sheet.text());
    let newest = entries(&admin, "page=1").await;
    assert_eq!(
        (short(&newest[0]), &newest[0]["detail"]["rows"]),
        ("staff0 export audit null".into(), &json!(5))
    );
}

#[tokio::test]
async fn the_chain_is_valid_until_the_database_is_edited_directly() {
    let school = School::open().await;
    let (admin, ..) = busy_day(&school).await;
    let chain = async || admin.get("/api/admin/audit/chain").await.expect(StatusCode::OK).json();
    let whole = chain().await;
    assert_eq!((&whole["state"], &whole["rows"]), (&json!("intact"), &json!(4)));
    assert_eq!(school.count("select count(*) from audit_chain"), 4);
    let database = school.database();
    for entry in
        ["update audit_chain set hash = zeroblob(32)", "delete from audit_chain", "delete from audit"]
    {
        assert!(database.execute(entry, []).is_err(), "{entry}");
    }
    database
        .execute_batch("drop trigger audit_is_never_edited; update audit set actor = 'x' where id = 2")
        .unwrap();
    let broken = chain().await;
    assert_eq!(broken["state"], "broken");
    assert!(broken["problem"].as_str().unwrap().starts_with("row 2 does not follow"), "{broken}");
    let doctor = out(&run(school.path(), &["doctor"]));
    assert!(doctor.contains("PROBLEM  Audit trail     row 2 does not follow"), "{doctor}");
}

#[tokio::test]
async fn the_night_notes_where_the_trail_ends_and_a_tail_that_was_cut_off_is_found() {
    let school = School::open().await;
    let (admin, ..) = busy_day(&school).await;
    maintenance::run_due(school.app()).await.unwrap();
    school.advance(jiff::SignedDuration::from_hours(17));
    maintenance::run_due(school.app()).await.unwrap();
    let noted = "select detail ->> 'id' from upkeep where task = 'audit' and failure is null";
    let id: i64 = school.count(&format!("select cast(({noted}) as integer)"));
    assert!(id >= 4, "{id}");
    drop(admin);
    let database = school.database();
    database
        .execute_batch(&format!(
            "pragma foreign_keys = off; drop trigger audit_is_never_shortened;
             drop trigger audit_chain_is_never_shortened;
             delete from audit_chain where audit_id >= {id}; delete from audit where id >= {id}"
        ))
        .unwrap();
    let admin = school.staff().await;
    let chain = admin.get("/api/admin/audit/chain").await.expect(StatusCode::OK).json();
    assert_eq!(chain["state"], "broken", "{chain}");
    assert!(chain["problem"].as_str().unwrap().contains("cut off"), "{chain}");
}

#[tokio::test]
async fn rows_from_before_the_chain_are_linked_after_the_start() {
    let folder = tempfile::tempdir().unwrap();
    {
        let database = schoolhouse::testing::db::open(&folder.path().join("schoolhouse.db")).unwrap();
        database
            .execute_batch(
                "with recursive n(i) as (select 1 union all select i + 1 from n where i < 5000)
                 insert into audit (at, actor, action, object, object_id)
                     select i, 'registrar', 'approve', 'enrollment', i from n",
            )
            .unwrap();
    }
    let school = School::open_in(folder, |_| {}).await;
    wait_for(|| (school.count("select count(*) from audit_chain") == 5000).then_some(())).await;
    let admin = school.staff().await;
    let chain = admin.get("/api/admin/audit/chain").await.json();
    assert_eq!((&chain["state"], &chain["rows"]), (&json!("intact"), &json!(5000)));
}
