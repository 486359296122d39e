//! Work moves with the account: disabling a colleague, and a role that no longer allows it.

use reqwest::StatusCode;
use schoolhouse::testing::{Role, hand_over};
use serde_json::{Value, json};

use crate::admissions::{application, apply, call, number};
use crate::support::{Actor, School};

async fn id_of(admin: &Actor, username: &str) -> i64 {
    let rows = admin.get("/api/admin/staff").await.expect(StatusCode::OK).json();
    let found = rows.as_array().unwrap().iter().find(|row| row["username"] == username).unwrap().clone();
    found["id"].as_i64().unwrap()
}

/// A colleague who works on a message and an application, both by number.
async fn busy_colleague(school: &School, admin: &Actor) -> (i64, i64, i64) {
    school.hire("leaver", Role::Registrar).await;
    let leaver = id_of(admin, "leaver").await;
    let visitor = school.visitor();
    for text in ["Is the office open?", "Thank you."] {
        visitor.write_message("Li", "li@mail.example", text).await.expect(StatusCode::OK);
    }
    let application = number(admin, &apply(&visitor, &application("Mei", "tanaka")).await).await;
    let assigned = json!({ "userId": leaver });
    for path in ["/api/admin/messages/1/assign", "/api/admin/messages/2/assign", &call(application, "assign")]
    {
        admin.post(path, &assigned).await.expect(StatusCode::OK);
    }
    admin.post("/api/admin/messages/2/close", &json!({})).await.expect(StatusCode::OK);
    (leaver, 1, application)
}

/// Who works on the message and the application.
async fn holders(admin: &Actor, message: i64, application: i64) -> [Value; 2] {
    let of = async |path: String| admin.get(&path).await.expect(StatusCode::OK).json()["assigneeId"].clone();
    let message = of(format!("/api/admin/messages/{message}")).await;
    [message, of(format!("/api/admin/admission-requests/{application}")).await]
}

#[tokio::test]
async fn disabling_hands_the_work_to_a_colleague_in_the_same_act() {
    let school = School::open().await;
    let admin = school.staff().await;
    let (leaver, message, application) = busy_colleague(&school, &admin).await;
    school.hire("heir", Role::Registrar).await;
    school.hire("bursar", Role::Bursar).await;
    let (heir, bursar) = (id_of(&admin, "heir").await, id_of(&admin, "bursar").await);
    let staff = |verb: &str| format!("/api/admin/staff/{leaver}/{verb}");

    let work = admin.get(&staff("work")).await.expect(StatusCode::OK).json();
    assert_eq!(work["count"], 2, "a closed message stays with the colleague who closed it: {work}");
    let kinds: Vec<_> = work["kinds"].as_array().unwrap().iter().map(|one| one["kind"].clone()).collect();
    assert_eq!(kinds, ["messages", "applications"]);
    assert_eq!(
        (&work["kinds"][0]["items"][0]["name"], &work["kinds"][1]["items"][0]["name"]),
        (&json!("Li"), &json!("Mei Tanaka"))
    );
    let names: Vec<_> = work["colleagues"].as_array().unwrap().iter().map(|one| one["id"].clone()).collect();
    assert!(
        names.contains(&json!(heir)) && !names.contains(&json!(bursar)) && !names.contains(&json!(leaver))
    );

    for wrong in [bursar, leaver, 999] {
        let refused = admin.post(&staff("disable"), &json!({ "handOverTo": wrong })).await.fields();
        assert_eq!(refused, json!({ "handOverTo": "Choose a colleague who may answer messages, or none" }));
    }
    let row = admin.get("/api/admin/staff").await.json();
    let row = row.as_array().unwrap().iter().find(|row| row["id"] == leaver).unwrap().clone();
    assert_eq!(row["state"], "active", "nothing was done");
    let body = json!({ "handOverTo": heir, "version": row["version"] });
    let disabled = admin.post(&staff("disable"), &body).await.expect(StatusCode::OK).json();
    assert_eq!(disabled["state"], "disabled");
    assert_eq!(holders(&admin, message, application).await, [json!(heir), json!(heir)]);
    let second = admin.post(&staff("disable"), &body).await.expect(StatusCode::CONFLICT).json();
    assert_eq!(second["current"]["state"], "disabled", "another administrator is told");
    let detail = "select detail from audit where action = 'hand over' and object = 'user'";
    let detail: String = school.database().query_row(detail, [], |row| row.get(0)).unwrap();
    let detail: Value = serde_json::from_str(&detail).unwrap();
    assert_eq!(
        detail,
        json!({ "to": heir, "items": { "messages": [message], "applications": [application] } })
    );
    admin.post(&staff("enable"), &json!({})).await.expect(StatusCode::OK);
    assert_eq!(holders(&admin, message, application).await, [json!(heir), json!(heir)], "it stays there");
}

#[tokio::test]
async fn without_a_colleague_the_work_is_unassigned_and_a_lesser_role_hands_over_too() {
    let school = School::open().await;
    let admin = school.staff().await;
    let (leaver, message, application) = busy_colleague(&school, &admin).await;
    let path = format!("/api/admin/staff/{leaver}");
    let none = admin.get(&format!("{path}/work?role=admin")).await.json();
    assert_eq!(none["count"], 0, "an administrator may keep it");
    assert_eq!(admin.get(&format!("{path}/work?role=bursar")).await.json()["count"], 2);
    admin.get(&format!("{path}/work?role=head")).await.expect(StatusCode::BAD_REQUEST);
    let own = admin.get("/api/user").await.json()["id"].clone();
    let version = async || {
        let rows = admin.get("/api/admin/staff").await.json();
        rows.as_array().unwrap().iter().find(|row| row["id"] == leaver).unwrap()["version"].clone()
    };
    let demoted = json!({ "role": "bursar", "handOverTo": own, "version": version().await });
    admin.patch(&path, &demoted).await.expect(StatusCode::OK);
    assert_eq!(holders(&admin, message, application).await, [own.clone(), own]);

    let promoted = json!({ "role": "registrar", "version": version().await });
    admin.patch(&path, &promoted).await.expect(StatusCode::OK);
    admin.post("/api/admin/messages/1/assign", &json!({ "userId": leaver })).await.expect(StatusCode::OK);
    admin.post(&format!("{path}/disable"), &json!({})).await.expect(StatusCode::OK);
    assert_eq!(holders(&admin, message, application).await[0], json!(null));
    for path in ["/api/admin/messages/1/assign", &call(application, "assign")] {
        let refused = admin.post(path, &json!({ "userId": leaver })).await.fields();
        assert!(refused["userId"].as_str().unwrap().starts_with("Choose a colleague who"), "{refused}");
    }
}

#[tokio::test]
async fn what_disabled_accounts_held_before_is_unassigned() {
    let school = School::open().await;
    let admin = school.staff().await;
    let (leaver, message, application) = busy_colleague(&school, &admin).await;
    hand_over(school.app()).await.unwrap();
    assert_eq!(holders(&admin, message, application).await, [json!(leaver), json!(leaver)]);
    school.database().execute("update users set disabled_at = 1 where id = ?", [leaver]).unwrap();
    hand_over(school.app()).await.unwrap();
    assert_eq!(holders(&admin, message, application).await, [json!(null), json!(null)]);
    assert_eq!(school.count("select count(*) from audit where action = 'hand over' and user_id is null"), 1);
}
