//! Reminders: by hand and by the schedule, who gets them, when, and what they say; and the settings behind them.

use jiff::Timestamp;
use reqwest::StatusCode;
use schoolhouse::testing::{Role, reminder_clock};
use serde_json::{Value, json};

use super::{PAYMENTS, charged, paid, payment};
use crate::support::{Actor, School, Student};

const REMINDERS: &str = "/api/admin/reminders";

async fn remind(bursar: &Actor, student: &Student, is_dry: bool) -> Value {
    let body = json!({ "studentIds": [student.id], "dryRun": is_dry });
    bursar.post(REMINDERS, &body).await.expect(StatusCode::OK).json()["reminders"][0].clone()
}

async fn set(bursar: &Actor, student: &Student, body: Value, status: StatusCode) -> Value {
    let path = format!("/api/admin/students/{}/reminders", student.id);
    bursar.send(bursar.request("PUT", &path).json(&body)).await.expect(status).json()
}

async fn row(bursar: &Actor, student: &Student) -> Value {
    let rows = bursar.get("/api/admin/money/balances").await.expect(StatusCode::OK).json();
    rows.as_array().unwrap().iter().find(|row| row["studentId"] == student.id).unwrap().clone()
}

fn to(school: &School, instant: &str) {
    school.advance(instant.parse::<Timestamp>().unwrap().duration_since(school.clock.now()));
}

#[tokio::test]
async fn families_are_reminded_on_school_days_alone_and_not_where_the_office_or_the_money_says_so() {
    let school = School::open().await;
    let (admin, bursar) = (school.staff().await, school.staff_as(Role::Bursar).await);
    let (student, _) = charged(&school, &admin, &[("ENG4U", json!(500))]).await;
    let settings = json!({ "eTransfer": "pay@school.example", "dueDays": 10, "reminders": true, "reminderDays": [7, -3] });
    let path = "/api/admin/settings/money";
    let saved = bursar.send(bursar.request("PUT", path).json(&settings)).await.expect(StatusCode::OK).json();
    assert_eq!(saved["settings"]["reminderDays"], json!([-3, 7]));
    assert_eq!(saved["defaults"]["dueDays"], 14);
    let wrong = json!({ "eTransfer": "pay", "dueDays": 400, "reminders": "on", "reminderDays": [] });
    let fields = bursar.send(bursar.request("PUT", path).json(&wrong)).await.fields();
    assert_eq!(fields.as_object().unwrap().len(), 4, "{fields}");
    let fees = student.get("/api/students/fees").await.json();
    assert_eq!(fees["howToPay"]["email"], "pay@school.example");
    let (other, _) = charged(&school, &admin, &[("MHF4U", json!(300))]).await;
    assert_eq!(other.get("/api/students/fees").await.json()["nextDueOn"], "2026-12-01", "ten days");

    // It is Saturday: what is asked for waits until Monday, nine o'clock.
    let seen = remind(&bursar, &student, true).await;
    assert_eq!(
        ["amount", "step", "send", "why", "sendOn"].map(|name| seen[name].clone()),
        [json!(500), json!("before"), json!(true), Value::Null, json!("2026-11-23")]
    );
    assert_eq!(school.count("select count(*) from reminders"), 0, "a dry run");
    assert_eq!(remind(&bursar, &student, false).await, seen);
    assert_eq!(remind(&bursar, &student, true).await["why"], "already_today");
    reminder_clock(school.app()).await.unwrap();
    to(&school, "2026-11-23T13:59:59Z");
    reminder_clock(school.app()).await.unwrap();
    assert_eq!(school.count("select count(*) from reminders where sent_at is not null"), 0);
    to(&school, "2026-11-23T14:00:00Z");
    reminder_clock(school.app()).await.unwrap();
    let bursar = school.staff_as(Role::Bursar).await;
    let mail = school.mail(&student.email, "Reminder: $500.00 due on December 5, 2026").await;
    let code = fees["howToPay"]["code"].as_str().unwrap();
    for part in ["ENG4U", "$500.00", "December 5, 2026", "pay@school.example", code] {
        assert!(mail.text.contains(part), "{part}: {}", mail.text);
    }
    assert_eq!(row(&bursar, &student).await["lastReminderOn"], "2026-11-23");
    let sheet = bursar.get("/api/admin/money/balances?format=csv").await.text();
    assert!(sheet.contains("2026-11-23"), "{sheet}");

    // By the schedule: seven days after December 5 is a Saturday, so it is Monday; once, whatever the clock does.
    to(&school, "2026-12-08T15:00:00Z");
    reminder_clock(school.app()).await.unwrap();
    to(&school, "2026-12-12T15:00:00Z");
    reminder_clock(school.app()).await.unwrap();
    let bursar = school.staff_as(Role::Bursar).await;
    assert_eq!(
        row(&bursar, &student).await["lastReminderOn"],
        "2026-12-08",
        "three days before, which the server slept through"
    );
    to(&school, "2026-12-14T15:00:00Z");
    for _ in 0..2 {
        reminder_clock(school.app()).await.unwrap();
    }
    let mail = school.mail(&student.email, "Overdue: $500.00 was due on December 5, 2026").await;
    assert!(mail.text.contains("/student/dashboard"), "{}", mail.text);
    let bursar = school.staff_as(Role::Bursar).await;
    assert_eq!(row(&bursar, &student).await["lastReminderOn"], "2026-12-14");
    let to_student =
        format!("select count(*) from reminders where student_id = {} and sent_at is not null", student.id);
    assert_eq!(school.count(&to_student), 3);
    let seen = remind(&bursar, &student, true).await;
    assert_eq!((&seen["send"], &seen["why"]), (&json!(false), &json!("already_today")));

    // Not by an arrangement until its day has ended, never, or where nothing is to be paid.
    to(&school, "2026-12-15T15:00:00Z");
    let bursar = school.staff_as(Role::Bursar).await;
    let until = json!({ "mode": "arrangement", "note": "In parts from January", "until": "2026-12-15" });
    let state = set(&bursar, &student, until, StatusCode::OK).await;
    assert_eq!(
        (&state["state"]["mode"], &state["lastReminderOn"]),
        (&json!("arrangement"), &json!("2026-12-14"))
    );
    assert_eq!(remind(&bursar, &student, false).await["why"], "arrangement");
    to(&school, "2026-12-16T15:00:00Z");
    let bursar = school.staff_as(Role::Bursar).await;
    assert_eq!(remind(&bursar, &student, true).await["send"], true);
    set(&bursar, &student, json!({ "mode": "never", "note": null }), StatusCode::OK).await;
    assert_eq!(remind(&bursar, &student, true).await["why"], "never");
    let ledger = bursar.get(&format!("/api/admin/students/{}/ledger", student.id)).await.json();
    assert_eq!(ledger["reminders"]["state"]["mode"], "never");
    for wrong in [json!({ "mode": "rarely" }), json!({ "mode": "never", "until": "2026-12-15" })] {
        set(&bursar, &student, wrong, StatusCode::BAD_REQUEST).await;
    }
    set(&bursar, &student, json!({ "mode": "normal" }), StatusCode::OK).await;
    let mut held = payment(&student, &json!(500), "CA1");
    held["allocations"] = json!([]);
    paid(&bursar.post(PAYMENTS, &held).await);
    assert_eq!(remind(&bursar, &student, true).await["why"], "covered");
    assert_eq!(remind(&bursar, &other, true).await["send"], true);
    paid(&bursar.post(PAYMENTS, &payment(&other, &json!(300), "CA2")).await);
    assert_eq!(remind(&bursar, &other, true).await["why"], "nothing_due");
    for wrong in [
        json!({}),
        json!({ "studentIds": [] }),
        json!({ "studentIds": [1], "dryRun": "yes" }),
        json!({ "studentIds": [999] }),
    ] {
        bursar.post(REMINDERS, &wrong).await.expect(StatusCode::BAD_REQUEST);
    }
    let registrar = school.staff_as(Role::Registrar).await;
    registrar.post(REMINDERS, &json!({ "studentIds": [student.id] })).await.expect(StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn an_unconfirmed_address_is_the_reason_where_there_is_no_other() {
    let school = School::open().await;
    let (admin, bursar) = (school.staff().await, school.staff_as(Role::Bursar).await);
    let (student, _) = charged(&school, &admin, &[("ENG4U", json!(500))]).await;
    let why = async || remind(&bursar, &student, true).await["why"].clone();
    school.database().execute("update students set status = 'unverified'", []).unwrap();
    assert_eq!(why().await, "no_address");
    for (mode, expected) in [("arrangement", "arrangement"), ("never", "never"), ("normal", "no_address")] {
        set(&bursar, &student, json!({ "mode": mode }), StatusCode::OK).await;
        assert_eq!(why().await, expected);
    }
    let mut held = payment(&student, &json!(500), "CA1");
    held["allocations"] = json!([]);
    let held = paid(&bursar.post(PAYMENTS, &held).await)["payment"]["id"].clone();
    assert_eq!(why().await, "covered");
    let reverse = json!({ "reason": "The cheque bounced" });
    paid(&bursar.post(&format!("{PAYMENTS}/{held}/reverse"), &reverse).await);
    paid(&bursar.post(PAYMENTS, &payment(&student, &json!(500), "CA2")).await);
    assert_eq!(why().await, "nothing_due");
}

#[tokio::test]
async fn a_reminder_is_skipped_with_a_reason_and_those_after_it_leave() {
    let school = School::open().await;
    let (admin, bursar) = (school.staff().await, school.staff_as(Role::Bursar).await);
    let settings = json!({ "eTransfer": "pay@school.example", "dueDays": 14, "reminders": true, "reminderDays": [-3, 7] });
    bursar
        .send(bursar.request("PUT", "/api/admin/settings/money").json(&settings))
        .await
        .expect(StatusCode::OK);
    let (student, _) = charged(&school, &admin, &[("ENG4U", json!(500))]).await;
    reminder_clock(school.app()).await.unwrap();
    let listed = async |bursar: &Actor| {
        let list = bursar.get(&format!("{REMINDERS}?page=1")).await.expect(StatusCode::OK);
        assert_eq!(list.total(), 1);
        list.json()[0].clone()
    };
    let row = listed(&bursar).await;
    assert_eq!(
        ["studentId", "amount", "lastReminderOn", "overdueSince", "why", "skipped", "state"]
            .map(|name| row[name].clone()),
        [json!(student.id), json!(500), Value::Null, Value::Null, Value::Null, json!([]), Value::Null]
    );
    assert_eq!(row["next"], json!({ "on": "2026-12-02", "step": "before", "isByHand": false }));

    // What the office asked for on a Saturday is the next one, and is skipped and taken back.
    remind(&bursar, &student, false).await;
    let monday = json!({ "on": "2026-11-23", "step": "before", "isByHand": true });
    assert_eq!(listed(&bursar).await["next"], monday);
    let path = |verb: &str| format!("/api/admin/students/{}/reminders/{verb}", student.id);
    let skip = |on: &str| json!({ "on": on, "reason": "They pay on Friday" });
    let other = bursar.post(&path("skip"), &skip("2026-12-02")).await.expect(StatusCode::CONFLICT).json();
    assert_eq!(other["current"]["next"], monday);
    let without = json!({ "on": "2026-11-23", "reason": " " });
    assert!(bursar.post(&path("skip"), &without).await.fields()["reason"].is_string());
    for _ in 0..2 {
        let skipped = bursar.post(&path("skip"), &skip("2026-11-23")).await.expect(StatusCode::OK).json();
        assert_eq!(skipped["next"]["on"], "2026-12-02");
        assert_eq!(
            (&skipped["skipped"][0]["on"], &skipped["skipped"][0]["reason"]),
            (&json!("2026-11-23"), &json!("They pay on Friday"))
        );
    }
    assert_eq!(school.count("select count(*) from audit where action = 'skip_reminder'"), 1);
    for _ in 0..2 {
        let back = bursar.post(&path("unskip"), &json!({ "on": "2026-11-23" })).await.expect(StatusCode::OK);
        assert_eq!((&back.json()["next"], &back.json()["skipped"]), (&monday, &json!([])));
    }
    bursar.post(&path("skip"), &skip("2026-11-23")).await.expect(StatusCode::OK);
    let sent = "select count(*) from reminders where sent_at is not null";
    to(&school, "2026-11-23T15:00:00Z");
    reminder_clock(school.app()).await.unwrap();
    assert_eq!(school.count(sent), 0);
    let bursar = school.staff_as(Role::Bursar).await;
    bursar.post(&path("unskip"), &json!({ "on": "2026-11-23" })).await.expect(StatusCode::CONFLICT);

    // A step of the schedule is skipped alike, also while the server does not run on its day.
    let skipped = bursar.post(&path("skip"), &skip("2026-12-02")).await.expect(StatusCode::OK).json();
    assert_eq!(skipped["next"], json!({ "on": "2026-12-14", "step": "first", "isByHand": false }));
    to(&school, "2026-12-03T15:00:00Z");
    reminder_clock(school.app()).await.unwrap();
    assert_eq!(school.count(sent), 0);
    to(&school, "2026-12-14T15:00:00Z");
    let bursar = school.staff_as(Role::Bursar).await;
    let row = listed(&bursar).await;
    assert_eq!((&row["next"]["on"], &row["overdueSince"]), (&json!("2026-12-14"), &json!("2026-12-05")));
    reminder_clock(school.app()).await.unwrap();
    school.mail(&student.email, "Overdue: $500.00 was due on December 5, 2026").await;
    assert_eq!(school.count(sent), 1);
    let row = listed(&bursar).await;
    assert_eq!(
        (&row["next"], &row["lastReminderOn"], &row["sentCount"]),
        (&Value::Null, &json!("2026-12-14"), &json!(1))
    );

    // What the office said of the family stands beside it.
    set(&bursar, &student, json!({ "mode": "never", "note": "Told by phone" }), StatusCode::OK).await;
    let row = listed(&bursar).await;
    assert_eq!((&row["why"], &row["state"]["note"]), (&json!("never"), &json!("Told by phone")));
    bursar.post(&path("skip"), &skip("2026-12-15")).await.expect(StatusCode::CONFLICT);
}
