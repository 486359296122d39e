//! Refunds by policy: from the school's rules over a withdrawal to the money that is paid back by its day.

use reqwest::StatusCode;
use schoolhouse::testing::Role;
use serde_json::{Value, json};

use super::{PAYMENTS, paid, payment};
use crate::support::{Actor, School, Student};

const POLICIES: &str = "/api/admin/refund-policies";

fn rule(until: &str, percent: i64, keep: &Value) -> Value {
    json!({ "until": until, "percent": percent, "keep": keep })
}

fn usual() -> Value {
    json!({ "name": "Full before day 6", "provinces": null, "effectiveOn": "2026-01-01", "rules": [
        rule("start-1d", 100, &json!(0)), rule("start+5sd", 100, &json!("100.00")), rule("start+10sd", 50, &json!(null)),
        rule("end", 0, &json!(0)),
    ] })
}

async fn put(actor: &Actor, policies: Value, status: StatusCode) -> Value {
    let body = json!({ "policies": policies });
    actor.send(actor.request("PUT", POLICIES).json(&body)).await.expect(status).json()
}

async fn due(actor: &Actor) -> Vec<Value> {
    let rows = actor.get("/api/admin/money/refunds-due").await.expect(StatusCode::OK).json();
    let lines = actor.get("/api/admin/waiting").await.json();
    let line = lines.as_array().unwrap().iter().find(|line| line["kind"] == "refunds_due").unwrap().clone();
    let rows = rows.as_array().unwrap().clone();
    let oldest = rows.first().map_or(Value::Null, |row| row["dueOn"].clone());
    assert_eq!((&line["count"], &line["oldest"]), (&json!(rows.len()), &oldest));
    rows
}

#[tokio::test]
async fn policies_are_dated_versions_that_only_those_of_money_write() {
    let school = School::open().await;
    let (bursar, registrar) = (school.staff_as(Role::Bursar).await, school.staff_as(Role::Registrar).await);
    let wrong = json!([{ "name": " ", "provinces": ["ON", "Ontario"], "effectiveOn": "soon", "rules": [
        rule("start+5", 101, &json!(0)), { "until": "end", "percent": 12.5, "keep": -1 }] }]);
    let fields = put(&bursar, wrong, StatusCode::BAD_REQUEST).await["fields"].clone();
    let names: Vec<_> = fields.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(
        names,
        [
            "effectiveOn",
            "name",
            "provinces",
            "rules.0.percent",
            "rules.0.until",
            "rules.1.keep",
            "rules.1.percent"
        ]
        .map(|name| format!("policies.0.{name}"))
    );
    put(&bursar, json!([]), StatusCode::BAD_REQUEST).await;
    put(
        &bursar,
        json!([{ "name": "No rules", "effectiveOn": "2026-01-01", "rules": [] }]),
        StatusCode::BAD_REQUEST,
    )
    .await;
    let quebec = json!({ "name": "Quebec", "provinces": ["qc"], "effectiveOn": "2026-01-01",
        "rules": [rule("end", 90, &json!(50))] });
    let all = put(&bursar, json!([usual(), quebec]), StatusCode::OK).await;
    assert_eq!((&all[0]["name"], &all[0]["provinces"]), (&json!("Quebec"), &json!(["QC"])));
    assert_eq!(all[1]["rules"][1], json!({ "until": "start+5sd", "percent": 100, "keep": 100 }));
    // The same again adds nothing; what differs is one more.
    assert_eq!(put(&bursar, json!([usual(), quebec]), StatusCode::OK).await, all);
    let mut later = usual();
    later["effectiveOn"] = json!("2027-01-01");
    let more = put(&bursar, json!([later]), StatusCode::OK).await;
    assert_eq!((more.as_array().unwrap().len(), &more[0]["effectiveOn"]), (3, &json!("2027-01-01")));
    let list = bursar.get(POLICIES).await;
    assert_eq!((list.total(), list.json()), (3, more));
    assert_eq!(bursar.get(&format!("{POLICIES}?q=quebec&page=1")).await.total(), 1);
    assert_eq!(school.count("select count(*) from audit where object = 'refund_policy'"), 3);
    registrar.get(POLICIES).await.expect(StatusCode::FORBIDDEN);
    put(&registrar, json!([usual()]), StatusCode::FORBIDDEN).await;
    assert!(school.database().execute("update refund_policies set name = 'Other'", []).is_err());
}

#[tokio::test]
#[expect(clippy::too_many_lines, reason = "one school is walked through, as each takes its time to open")]
async fn a_student_who_leaves_gets_back_what_the_policy_says_by_its_day() {
    let school = School::open_with(|config| config.office.undo_seconds = 60).await;
    let (admin, bursar) = (school.staff().await, school.staff_as(Role::Bursar).await);
    let student = school.student().await;
    let course = school.course(&admin, "ENG4U", json!(769)).await;
    let days_off: Vec<_> =
        (21..32).map(|day| format!("2026-12-{day}")).chain(["2026-11-25".into()]).collect();
    let term = json!({ "name": "Winter", "startsOn": "2026-11-23", "endsOn": "2027-02-26", "joinUntil": "2026-12-10",
        "daysOff": days_off, "isPublished": true });
    let term = admin.post("/api/admin/terms", &term).await.expect(StatusCode::CREATED).json()["id"].clone();
    let section = json!({ "courseId": course, "termId": term, "status": "open" });
    let section =
        admin.post("/api/admin/sections", &section).await.expect(StatusCode::CREATED).json()["id"].clone();
    let wanted = json!({ "courseId": course, "sectionId": section });
    let quote = async |actor: &Student, body: &Value| {
        actor.post("/api/students/enrollments/quote", body).await.expect(StatusCode::OK).json()
    };
    assert_eq!(quote(&student, &wanted).await, json!({ "policy": null, "steps": [] }), "without a policy");
    let asked = student.post("/api/students/enrollments", &wanted).await.expect(StatusCode::CREATED);
    let id = asked.json()["id"].as_i64().unwrap();
    let of = |what: &str| format!("/api/admin/enrollments/{id}/{what}");
    let propose = async |body: Value| bursar.post(&of("refund-proposal"), &body).await;
    let leaving = json!({ "effectiveOn": "2026-11-26" });

    // Never approved, then without a policy, then by it.
    let refused = propose(leaving.clone()).await.expect(StatusCode::CONFLICT).json();
    assert_eq!(refused["reason"], Value::Null, "{refused}");
    admin.post(&of("approve"), &json!({})).await.expect(StatusCode::OK);
    let refused = propose(leaving.clone()).await.expect(StatusCode::CONFLICT).json();
    assert_eq!(refused["reason"], "no_policy");
    let own = format!("/api/students/enrollments/{id}/leaving");
    assert_eq!(student.get(&own).await.json(), json!({ "policy": null, "steps": [] }));
    let quebec = json!({ "name": "Quebec", "provinces": ["QC"], "effectiveOn": "2026-01-01",
        "rules": [rule("end", 90, &json!(50))] });
    let mut to_come = usual();
    to_come["name"] = json!("To come");
    to_come["effectiveOn"] = json!("2026-11-22");
    put(&bursar, json!([usual(), quebec, to_come]), StatusCode::OK).await;
    paid(&bursar.post(PAYMENTS, &payment(&student, &json!(769), "CA1")).await);
    let found = propose(json!({ "effectiveOn": "2026-11-26", "noticeOn": "2026-11-20" })).await.json();
    assert_eq!(
        ["waive", "refund", "kept", "repayBy"].map(|name| found[name].clone()),
        [json!(669), json!(669), json!(100), json!("2026-12-05")]
    );
    assert_eq!(
        (&found["policy"]["name"], &found["policy"]["until"]),
        (&json!("Full before day 6"), &json!("2026-11-30"))
    );
    let words = found["arithmetic"].to_string();
    for part in ["school day 3 of 58", "$769.00", "$100.00", "$669.00", "December 5, 2026"] {
        assert!(words.contains(part), "{part}: {words}");
    }
    assert_eq!(propose(leaving.clone()).await.json()["repayBy"], "2026-12-06", "notice today");
    for wrong in [json!({}), json!({ "effectiveOn": "2026-11-31" })] {
        assert!(propose(wrong).await.fields()["effectiveOn"].is_string());
    }
    let early = json!({ "effectiveOn": "2026-11-26", "noticeOn": "2026-11-22" });
    assert!(propose(early).await.fields()["noticeOn"].is_string());
    school.database().execute("update students set province = 'QC'", []).unwrap();
    assert_eq!(propose(leaving.clone()).await.json()["policy"]["name"], "Quebec");
    school.database().execute("update students set province = 'ON'", []).unwrap();

    // The student and the office read what it costs until when.
    let steps = student.get(&own).await.expect(StatusCode::OK).json();
    let words: Vec<_> =
        steps["steps"].as_array().unwrap().iter().map(|step| step["words"].as_str().unwrap()).collect();
    assert_eq!(
        words,
        [
            "Until November 22, 2026 leaving costs nothing.",
            "Until November 30, 2026 leaving costs $100.00 of the fee of $769.00.",
            "Until December 7, 2026 leaving costs $384.50 of the fee of $769.00.",
            "From December 8, 2026 the whole fee of $769.00 is payable.",
        ]
    );
    assert_eq!(admin.get(&of("leaving")).await.json(), steps);
    let other = school.student().await;
    other.get(&own).await.expect(StatusCode::NOT_FOUND);
    assert_eq!(quote(&other, &wanted).await, steps, "before it is asked for");
    let wrong = json!({ "courseId": course, "startDate": "2026-12-01", "endDate": "2026-11-30" });
    assert!(other.post("/api/students/enrollments/quote", &wrong).await.fields()["endDate"].is_string());
    assert_eq!(school.count("select count(*) from enrollments"), 1, "nothing is kept");

    // Withdrawn by the policy: the part is waived, and the rest is to be paid back by its day; undone, neither.
    let withdraw =
        json!({ "reason": "The family has moved away", "effectiveOn": "2026-11-26", "refund": "policy" });
    let left = admin.post(&of("withdraw"), &withdraw).await.expect(StatusCode::OK).json();
    let rows = due(&bursar).await;
    assert_eq!(
        ["enrollmentId", "amount", "credit", "noticeOn", "dueOn"].map(|name| rows[0][name].clone()),
        [json!(id), json!(669), json!(669), json!("2026-11-21"), json!("2026-12-06")]
    );
    let undo = format!("/api/admin/decisions/{}/undo", left["undo"]["id"].as_str().unwrap());
    admin.post(&undo, &json!({})).await.expect(StatusCode::OK);
    assert!(due(&bursar).await.is_empty());
    let ledger = format!("/api/admin/students/{}/ledger", student.id);
    assert_eq!(bursar.get(&ledger).await.json()["perItem"][0]["waived"], 0);
    admin.post(&of("withdraw"), &withdraw).await.expect(StatusCode::OK);
    school.advance(jiff::SignedDuration::from_secs(61));
    let mail = school.mail(&student.email, "You have left a course").await;
    assert!(mail.text.contains("$100.00 of the fee of $769.00 remains payable"), "{}", mail.text);
    assert!(mail.text.contains("$669.00 will be refunded to you by December 6, 2026"), "{}", mail.text);

    // Asked again, the decision stands: what it waived is given, and what it kept is kept.
    let figures = ["waive", "refund", "kept", "fee"];
    let again = async || {
        let found = propose(leaving.clone()).await.expect(StatusCode::OK).json();
        figures.map(|name| found[name].as_i64().unwrap())
    };
    assert_eq!(again().await, [0, 669, 100, 769]);

    // In two parts; taking one back asks for it again.
    let refunds = format!("/api/admin/students/{}/refunds", student.id);
    let refund = |amount: i64| {
        json!({ "enrollmentId": id, "amount": amount, "method": "e_transfer",
        "paidOn": "2026-11-21", "reason": "Refund policy" })
    };
    bursar.post(&refunds, &refund(600)).await.expect(StatusCode::CREATED);
    assert_eq!(due(&bursar).await[0]["amount"], 69);
    assert_eq!(again().await, [0, 69, 100, 769]);
    // The student's ledger and the student's own fees say the same.
    assert_eq!(bursar.get(&ledger).await.json()["refundsDue"], json!(due(&bursar).await));
    let own_refunds =
        async |student: &Student| student.get("/api/students/fees").await.json()["refundsDue"].clone();
    assert_eq!(own_refunds(&student).await, json!([{ "amount": 69, "dueOn": "2026-12-06" }]));
    assert_eq!(own_refunds(&other).await, json!([]));
    let last = bursar.post(&refunds, &refund(69)).await.expect(StatusCode::CREATED).json();
    assert!(due(&bursar).await.is_empty());
    assert_eq!(own_refunds(&student).await, json!([]));
    assert_eq!(again().await, [0, 0, 100, 769]);
    let item = bursar.get(&ledger).await.json()["perItem"][0].clone();
    assert_eq!(
        ["charged", "waived", "paid", "refunded", "due", "credit"].map(|name| item[name].clone()),
        [json!(769), json!(669), json!(769), json!(669), json!(0), json!(0)],
        "exactly what is kept is left"
    );
    let reverse = format!("/api/admin/ledger/{}/reverse", last["entry"]["id"]);
    bursar.post(&reverse, &json!({ "reason": "The cheque came back" })).await.expect(StatusCode::CREATED);
    assert_eq!(due(&bursar).await[0]["amount"], 69);
    let settle = format!("/api/admin/money/refunds-due/{}/settle", due(&bursar).await[0]["id"]);
    assert!(bursar.post(&settle, &json!({})).await.fields()["reason"].is_string());
    bursar.post(&settle, &json!({ "reason": "Kept for the next term" })).await.expect(StatusCode::OK);
    assert!(due(&bursar).await.is_empty());
    bursar.post(&settle, &json!({ "reason": "Kept for the next term" })).await.expect(StatusCode::NOT_FOUND);

    // Taken back, the waiver is proposed again; posted by hand, it is given.
    let find =
        |rows: &Value| rows.as_array().unwrap().iter().find(|row| row["kind"] == "waiver").unwrap().clone();
    let waiver = find(&bursar.get(&ledger).await.json()["entries"]);
    let reverse = format!("/api/admin/ledger/{}/reverse", waiver["id"]);
    bursar.post(&reverse, &json!({ "reason": "By hand instead" })).await.expect(StatusCode::CREATED);
    assert_eq!(again().await, [669, 69, 100, 769]);
    let waive = json!({ "enrollmentId": id, "amount": 669, "reason": "Refund policy" });
    let waivers = format!("/api/admin/students/{}/waivers", student.id);
    bursar.post(&waivers, &waive).await.expect(StatusCode::CREATED);
    assert_eq!(again().await, [0, 69, 100, 769]);
}

#[tokio::test]
async fn the_bursar_waives_and_pays_back_in_one_act_or_pays_back_what_a_full_refund_freed() {
    let school = School::open().await;
    let (admin, bursar) = (school.staff().await, school.staff_as(Role::Bursar).await);
    let (student, ids) =
        super::charged(&school, &admin, &[("ENG4U", json!(500)), ("MHF4U", json!(300))]).await;
    paid(&bursar.post(PAYMENTS, &payment(&student, &json!(800), "CA1")).await);
    let refunds = format!("/api/admin/students/{}/refunds", student.id);
    let mut both = json!({ "enrollmentId": ids[0], "waive": 400.01, "amount": 400, "method": "cheque",
        "paidOn": "2026-11-21", "reason": "Refund policy" });
    let posted = bursar.post(&refunds, &both).await.expect(StatusCode::CREATED).json();
    assert_eq!(
        ["waived", "refunded", "due", "credit"].map(|name| posted["item"][name].clone()),
        [json!(400.01), json!(400), json!(0), json!(0.01)]
    );
    // Too much waived, or paid back: neither is posted.
    both["waive"] = json!(99);
    both["amount"] = json!(101);
    bursar.post(&refunds, &both).await.expect(StatusCode::CONFLICT);
    assert_eq!(school.count("select count(*) from ledger where kind = 'waiver'"), 1);
    both["enrollmentId"] = Value::Null;
    assert!(bursar.post(&refunds, &both).await.fields()["waive"].is_string());

    let leave =
        json!({ "reason": "The family has moved away", "effectiveOn": "2026-11-21", "refund": "full" });
    admin.post(&format!("/api/admin/enrollments/{}/withdraw", ids[1]), &leave).await.expect(StatusCode::OK);
    let rows = due(&bursar).await;
    assert_eq!((&rows[0]["amount"], &rows[0]["credit"], rows.len()), (&json!(300), &json!(0), 1));
    let back = json!({ "amount": 300, "method": "cheque", "paidOn": "2026-11-21", "reason": "Left before it began" });
    bursar.post(&refunds, &back).await.expect(StatusCode::CREATED);
    assert!(due(&bursar).await.is_empty());
}
