//! The bank's file: from its lines to payments, and back.

use std::fmt::Write as _;

use jiff::SignedDuration;
use reqwest::StatusCode;
use schoolhouse::testing::Role;
use serde_json::{Value, json};

use super::{charged, keyed};
use crate::support::{Actor, Answer, School, Student};

pub const IMPORTS: &str = "/api/admin/bank-imports";

pub async fn send(staff: &Actor, query: &str, file: impl Into<reqwest::Body>) -> Answer {
    let address = format!("{IMPORTS}?{query}");
    staff.send(staff.request("POST", &address).header("content-type", "text/csv").body(file)).await
}

pub fn named(statement: &Value, state: &str) -> Vec<Value> {
    let lines = statement["lines"].as_array().unwrap();
    lines.iter().filter(|line| line["state"] == state).map(|line| json!({ "lineId": line["id"] })).collect()
}

pub async fn code(staff: &Actor, student: &Student) -> String {
    let ledger = staff.get(&format!("/api/admin/students/{}/ledger", student.id)).await.json();
    ledger["paymentCode"].as_str().unwrap().to_owned()
}

async fn due(staff: &Actor) -> Value {
    staff.get("/api/admin/money/summary").await.json()["due"].clone()
}

#[expect(clippy::too_many_lines, reason = "one school is walked through, as each takes its time to open")]
#[tokio::test]
async fn a_banks_file_is_imported_posted_and_undone_to_the_cent() {
    let school = School::open_with(|config| config.office.undo_seconds = 60).await;
    let (admin, bursar) = (school.staff().await, school.staff_as(Role::Bursar).await);
    let (ada, _) = charged(&school, &admin, &[("ENG4U", json!(500)), ("MHF4U", json!(769.5))]).await;
    let (ben, _) = charged(&school, &admin, &[("CHV2O", json!(300))]).await;
    let (eve, _) = charged(&school, &admin, &[("SPH3U", json!(640))]).await;
    school
        .database()
        .execute("update students set full_name = 'Bën Sample-Okoye' where id = ?", [ben.id])
        .unwrap();
    let before = due(&bursar).await;
    let ada_code = code(&admin, &ada).await.to_lowercase().replace('-', " ");
    let mut file = String::from("When,What,How much\n");
    writeln!(file, "2026-11-19,e-Transfer {ada_code},\"1,000.25\"").unwrap();
    writeln!(file, "11/20/2026,BEN SAMPLEOKOYE,300").unwrap();
    writeln!(file, "20261120,J MORALES,640.00").unwrap();
    writeln!(file, "2026-11-20,MONTHLY FEE,-15").unwrap();
    writeln!(file, "2026-11-20,J MORALES,640.00").unwrap();
    let unknown =
        send(&bursar, "account=Chequing", file.clone()).await.expect(StatusCode::BAD_REQUEST).json();
    assert_eq!(
        (&unknown["reason"], &unknown["columns"]),
        (&json!("columns_unknown"), &json!(["When", "What", "How much"]))
    );
    let columns = "account=Chequing&date=when&text=What&amount=3";
    let dry = send(&bursar, &format!("{columns}&dryRun=1"), file.clone()).await.expect(StatusCode::OK).json();
    assert_eq!((&dry["id"], &dry["lines"][0]["id"]), (&Value::Null, &Value::Null));
    assert_eq!(school.count("select count(*) from bank_imports"), 0);

    let imported = send(&bursar, columns, file.clone()).await.expect(StatusCode::CREATED).json();
    let states: Vec<_> =
        imported["lines"].as_array().unwrap().iter().map(|line| line["state"].clone()).collect();
    assert_eq!(states, ["matched", "suggested", "unknown", "ignored", "unknown"]);
    assert_eq!(imported["lines"][0]["match"]["studentId"], ada.id);
    assert_eq!(
        imported["lines"][1]["match"],
        json!({ "studentId": ben.id, "studentName": "Bën Sample-Okoye", "why": "name_amount", "owes": 300 })
    );
    assert_eq!(
        (&imported["lines"][0]["date"], &imported["lines"][0]["amount"]),
        (&json!("2026-11-19"), &json!(1000.25))
    );
    assert_eq!((&imported["lines"][1]["line"], due(&bursar).await), (&json!(3), before.clone()));
    let again = send(&bursar, columns, file.clone()).await.expect(StatusCode::CONFLICT).json();
    assert_eq!((&again["reason"], &again["current"]["id"]), (&json!("seen_before"), &imported["id"]));
    let list = admin.get(&format!("{IMPORTS}?page=1")).await.expect(StatusCode::OK);
    assert_eq!((list.total(), &list.json()[0]["waitingCount"]), (1, &json!(4)));

    // Only the lines that are named; one is of two children, and one refusal stops no other.
    let import = format!("{IMPORTS}/{}", imported["id"]);
    let id = |at: usize| imported["lines"][at]["id"].clone();
    let lines = json!({ "lines": [
        { "lineId": id(0) },
        { "lineId": id(2), "studentId": eve.id, "amount": 400 },
        { "lineId": id(3), "studentId": eve.id },
        { "lineId": id(4) },
        { "lineId": id(2), "studentId": ben.id, "amount": "240.00" },
        { "lineId": 999_999, "studentId": eve.id },
    ] });
    let post = format!("{import}/post");
    let posted =
        bursar.send(keyed(&bursar, &post, "key-of-the-post-1", &lines)).await.expect(StatusCode::OK).json();
    let ok: Vec<_> = posted["results"].as_array().unwrap().iter().map(|one| one["ok"].clone()).collect();
    assert_eq!(ok, [true, true, false, false, true, false], "{posted}");
    assert_eq!(posted["results"][4]["receiptNumber"], "2026-000003");
    assert_eq!(
        (&posted["results"][3]["status"], &posted["results"][5]["status"]),
        (&json!(400), &json!(404))
    );
    let repeated =
        bursar.send(keyed(&bursar, &post, "key-of-the-post-1", &lines)).await.expect(StatusCode::OK).json();
    assert_eq!(repeated, posted);
    // Without the key, too, a line is recorded once.
    let once = bursar.post(&post, &json!({ "lines": [{ "lineId": id(0) }] })).await.json();
    assert_eq!(once["results"][0]["paymentId"], posted["results"][0]["paymentId"]);
    let other =
        bursar.post(&post, &json!({ "lines": [{ "lineId": id(0), "studentId": eve.id }] })).await.json();
    assert_eq!(other["results"][0]["status"], 409);
    let parts = json!({ "lines": [{ "lineId": id(1), "amount": 100 }] });
    let parts = bursar.post(&post, &parts).await.json();
    assert_eq!(parts["results"][0]["message"], "The parts add up to $100.00, but the line is $300.00.");
    let part = |student: &Student, amount: i64| json!({ "lineId": id(1), "studentId": student.id, "amount": amount });
    let twice = json!({ "lines": [part(&eve, 100), part(&ben, 100), part(&eve, 100)] });
    let twice = bursar.post(&post, &twice).await.json();
    for result in twice["results"].as_array().unwrap() {
        assert!(result["message"].as_str().unwrap().starts_with("A student is named twice"), "{result}");
    }
    assert_eq!(due(&bursar).await, json!(before.as_f64().unwrap() - 1000.25 - 640.0));
    let first = &bursar.get("/api/admin/payments?q=000001").await.json()[0];
    assert_eq!(
        (&first["receivedOn"], &first["method"], &first["unapplied"]),
        (&json!("2026-11-19"), &json!("e_transfer"), &json!(0))
    );
    // Its receipt waits as the emails of a decision do.
    assert_eq!(
        school.count("select count(*) from outbox where subject like 'Receipt%' and decision_id is not null"),
        3
    );
    assert!(school.all_mails().await.iter().all(|mail| !mail.subject.starts_with("Receipt")));
    let ignored = json!({ "lines": [id(4), id(0)] });
    let ignored = bursar.post(&format!("{import}/ignore"), &ignored).await.expect(StatusCode::OK).json();
    assert_eq!((&ignored["results"][0]["ok"], &ignored["results"][1]["status"]), (&json!(true), &json!(409)));
    let waiting = bursar.get("/api/admin/waiting").await.json();
    let waiting =
        waiting.as_array().unwrap().iter().find(|line| line["kind"] == "bank_lines").unwrap().clone();
    assert_eq!(waiting["count"], 1, "the suggested one");

    // What was decided by mistake is up for review again, and can be decided again.
    let reopen = format!("{import}/reopen");
    let lines_back = json!({ "lines": [id(4), id(0), id(3)] });
    let reopened = bursar.post(&reopen, &lines_back).await.expect(StatusCode::OK).json();
    let ok: Vec<_> = reopened["results"].as_array().unwrap().iter().map(|one| one["ok"].clone()).collect();
    assert_eq!(ok, [true, true, false], "{reopened}");
    let statement = bursar.get(&import).await.json();
    assert_eq!(
        (&statement["lines"][4]["state"], &statement["lines"][0]["state"]),
        (&json!("unknown"), &json!("matched"))
    );
    assert_eq!(due(&bursar).await, json!(before.as_f64().unwrap() - 640.0), "its payment is reversed");
    assert_eq!(
        school.count("select count(*) from outbox where subject like 'Receipt%'"),
        2,
        "its receipt is withdrawn"
    );
    let again = bursar.post(&post, &json!({ "lines": [{ "lineId": id(0) }] })).await.json();
    assert_eq!(again["results"][0]["receiptNumber"], "2026-000004");
    bursar.post(&format!("{import}/ignore"), &json!({ "lines": [id(4)] })).await.expect(StatusCode::OK);

    // Undone within the minute: no email ever leaves, and everything nets to zero.
    let undo = format!("{import}/undo");
    let keyed_undo = || bursar.send(keyed(&bursar, &undo, "undo-of-the-file", &json!({})));
    let undone = keyed_undo().await.expect(StatusCode::OK).json();
    assert_eq!((&undone["reversed"], &undone["total"]), (&json!(3), &json!(1640.25)));
    assert_eq!(keyed_undo().await.expect(StatusCode::OK).json(), undone, "the same call again");
    assert_eq!(due(&bursar).await, before);
    assert_eq!(school.count("select count(*) from receipts where voided_at is null"), 0);
    assert_eq!(school.count("select count(*) from outbox where subject like 'Receipt%'"), 0);
    assert_eq!(bursar.post(&undo, &json!({})).await.expect(StatusCode::OK).json()["reversed"], 0);
    bursar.post(&post, &lines).await.expect(StatusCode::CONFLICT);

    // The file and its lines are free; the columns of an import that was undone are not remembered.
    send(&bursar, "account=chequing", file.clone()).await.expect(StatusCode::BAD_REQUEST);
    let second = send(&bursar, &columns.replace("Chequing", "chequing"), file.clone())
        .await
        .expect(StatusCode::CREATED)
        .json();
    assert_eq!(second["lines"][0]["state"], "matched");
    let import = format!("{IMPORTS}/{}", second["id"]);
    let posted =
        bursar.post(&format!("{import}/post"), &json!({ "lines": named(&second, "matched") })).await.json();
    assert_eq!(posted["results"][0]["receiptNumber"], "2026-000005");
    school.advance(SignedDuration::from_secs(61));
    school.mail(&ada.email, "Receipt 2026-000005").await;
    bursar.post(&format!("{import}/undo"), &json!({})).await.expect(StatusCode::OK);
    school.mail(&ada.email, "Receipt 2026-000005 is void").await;
    assert_eq!(due(&bursar).await, before);
}

#[tokio::test]
async fn lines_of_an_earlier_file_are_seen_until_that_is_undone() {
    let school = School::open().await;
    let staff = school.staff().await;
    let (ada, _) = charged(&school, &staff, &[("ENG4U", json!(500))]).await;
    let code = code(&staff, &ada).await;
    let bare = "account=A&date=1&text=2&amount=3";
    let first = format!("2026-11-18,{code},100\n2026-11-18,{code},100\n2026-11-18,X,7\n");
    let first = send(&staff, bare, first).await.expect(StatusCode::CREATED).json();
    assert_eq!(named(&first, "matched").len(), 2, "two equal lines are two");
    let more =
        format!("2026-11-18,{code},100\n2026-11-18,{code},100.00\n2026-11-18,{code},100\n2026-11-19,Y,7\n");
    let second = send(&staff, "account=A", more.clone()).await.expect(StatusCode::CREATED).json();
    let states = |statement: &Value| -> Vec<_> {
        statement["lines"]
            .as_array()
            .unwrap()
            .iter()
            .map(|line| line["state"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(states(&second), ["seen", "seen", "matched", "unknown"]);
    // Another account has its own lines, and no file comes twice.
    send(&staff, "account=B&date=1&text=2&amount=3", more.clone()).await.expect(StatusCode::CONFLICT);
    let other = send(&staff, "account=B&date=1&text=2&amount=3", format!("{more}\n")).await.json();
    assert_eq!(states(&other), ["matched", "matched", "matched", "unknown"]);
    let path = |statement: &Value, verb: &str| format!("{IMPORTS}/{}{verb}", statement["id"]);
    let seen = named(&second, "seen");
    let refused = staff.post(&path(&second, "/post"), &json!({ "lines": seen })).await.json();
    assert_eq!(refused["results"][0]["status"], 409);

    // What a file had alone counts in the later one, once it is undone.
    staff.post(&path(&first, "/undo"), &json!({})).await.expect(StatusCode::OK);
    let now = staff.get(&path(&second, "")).await.expect(StatusCode::OK).json();
    assert_eq!(states(&now), ["matched", "matched", "matched", "unknown"]);

    // A payment that was reversed by hand is not reversed again, and its line can be posted once more.
    let posted = staff.post(&path(&now, "/post"), &json!({ "lines": named(&now, "matched") })).await.json();
    let payment = &posted["results"][0]["paymentId"];
    let reverse = format!("/api/admin/payments/{payment}/reverse");
    staff.post(&reverse, &json!({ "reason": "It was another family's" })).await.expect(StatusCode::CREATED);
    let one = json!({ "lines": [named(&now, "matched")[0]] });
    let again = staff.post(&path(&now, "/post"), &one).await.json();
    assert!(again["results"][0]["ok"] == true && again["results"][0]["paymentId"] != *payment, "{again}");
    // The payment of which money was paid back is left, and its line stays taken.
    let refund = json!({ "amount": 50, "method": "cash", "paidOn": "2026-11-21", "reason": "Left the course",
        "enrollmentId": school.count("select max(id) from enrollments") });
    let refunds = format!("/api/admin/students/{}/refunds", ada.id);
    let refund = staff.post(&refunds, &refund).await.expect(StatusCode::CREATED).json();
    let undone = staff.post(&path(&now, "/undo"), &json!({})).await.expect(StatusCode::OK).json();
    assert_eq!((&undone["reversed"], &undone["total"]), (&json!(2), &json!(200)), "{undone}");
    let left = undone["left"].as_array().unwrap();
    assert_eq!((left.len(), &left[0]["studentId"]), (1, &json!(ada.id)), "{undone}");
    assert!(left[0]["message"].as_str().unwrap().contains("Reverse the refund first"), "{undone}");
    let shown = staff.get(&path(&now, "")).await.json();
    assert!(shown["undoneAt"].is_string(), "{shown}");
    let third = send(&staff, bare, more.clone()).await.expect(StatusCode::CREATED).json();
    assert_eq!(states(&third), ["matched", "seen", "matched", "unknown"]);
    assert_eq!(school.count("select count(*) from receipts where voided_at is null"), 1);

    // Once the refund is reversed, the rest is undone, and the lines count in the later file.
    let entry = &refund["entry"]["id"];
    let reverse = format!("/api/admin/ledger/{entry}/reverse");
    staff.post(&reverse, &json!({ "reason": "It was never sent" })).await.expect(StatusCode::CREATED);
    let rest = staff.post(&path(&now, "/undo"), &json!({})).await.expect(StatusCode::OK).json();
    assert_eq!((&rest["reversed"], &rest["total"], &rest["left"]), (&json!(1), &json!(100), &json!([])));
    assert_eq!(rest["import"]["undoneAt"], shown["undoneAt"]);
    assert_eq!(school.count("select count(*) from receipts where voided_at is null"), 0);
    let third = staff.get(&path(&third, "")).await.json();
    assert_eq!(states(&third), ["matched", "matched", "matched", "unknown"]);
    let again = staff.post(&path(&now, "/undo"), &json!({})).await.expect(StatusCode::OK).json();
    assert_eq!(again["reversed"], 0);
}

#[tokio::test]
async fn a_file_of_which_nothing_can_be_read_names_its_lines_and_is_not_kept() {
    let school = School::open().await;
    let (bursar, viewer) = (school.staff_as(Role::Bursar).await, school.staff_as(Role::Viewer).await);
    let columns = "account=A&date=1&text=2&amount=3";
    let wrong = "Date,Text,Amount\n2026-11-18,Ada,12.505\n2026-13-18,Eve,5\n";
    let fields = send(&bursar, columns, wrong).await.expect(StatusCode::BAD_REQUEST).fields();
    let said = fields["file"].as_str().unwrap();
    assert!(said.contains("line 2: The amount") && said.contains("line 3: The date"), "{said}");
    for (query, field) in [
        ("account=A&date=1&text=2&amount=8", "amount"),
        ("account=A&date=1&text=2&credit=3", "debit"),
        ("account=A&date=1&text=2&amount=3&dateFormat=ydm", "dateFormat"),
        (&*format!("account={}&date=1&text=2&amount=3", "x".repeat(41)), "account"),
    ] {
        let fields =
            send(&bursar, query, "2026-11-18,Ada,5\n").await.expect(StatusCode::BAD_REQUEST).fields();
        assert!(fields[field].is_string(), "{query}: {fields}");
    }
    let large = vec![b'x'; 1024 * 1024 + 1];
    let refused = send(&bursar, columns, large).await.expect(StatusCode::PAYLOAD_TOO_LARGE).json();
    assert!(refused["message"].as_str().unwrap().contains("1 MB"), "{refused}");
    // The duty answers before the body is read.
    send(&viewer, columns, wrong).await.expect(StatusCode::FORBIDDEN);
    assert_eq!(school.count("select count(*) from bank_imports"), 0);
    // Windows-1252, and the key of the form.
    let western = b"Date,Text,Amount\r\n18/11/2026,Zo\xEB,5\r\n".to_vec();
    let address = format!("{IMPORTS}?{columns}&dateFormat=dmy");
    let with_key = || {
        bursar.request("POST", &address).header("Idempotency-Key", "key-of-the-file-1").body(western.clone())
    };
    let first = bursar.send(with_key()).await.expect(StatusCode::CREATED).json();
    assert_eq!(
        (&first["lines"][0]["text"], &first["lines"][0]["date"]),
        (&json!("Zoë"), &json!("2026-11-18"))
    );
    assert_eq!(bursar.send(with_key()).await.expect(StatusCode::OK).json(), first);
    bursar.get(&format!("{IMPORTS}/9")).await.expect(StatusCode::NOT_FOUND);
    bursar.post(&format!("{IMPORTS}/9/undo"), &json!({})).await.expect(StatusCode::NOT_FOUND);
}
