//! Files of the bank that went wrong in other programs: the same money twice, money that comes back, whose it is.

use reqwest::StatusCode;
use serde_json::{Value, json};

use super::bank::{IMPORTS, code, named, send};
use super::charged;
use crate::support::{Actor, School, Student};

const COLUMNS: &str = "account=A&date=Date&text=Text&amount=Amount";

/// A school with a student who owes 769.
async fn school() -> (School, Actor, Student, String) {
    let school = School::open().await;
    let staff = school.staff().await;
    let (ada, _) = charged(&school, &staff, &[("ENG4U", json!(769))]).await;
    let code = code(&staff, &ada).await;
    (school, staff, ada, code)
}

async fn import(staff: &Actor, lines: &str) -> Value {
    let file = format!("Date,Text,Amount\n{lines}");
    send(staff, COLUMNS, file).await.expect(StatusCode::CREATED).json()
}

async fn act(staff: &Actor, statement: &Value, verb: &str, body: Value) -> Value {
    let path = format!("{IMPORTS}/{}/{verb}", statement["id"]);
    staff.post(&path, &body).await.expect(StatusCode::OK).json()["results"].clone()
}

async fn undo(staff: &Actor, statement: &Value) {
    staff.post(&format!("{IMPORTS}/{}/undo", statement["id"]), &json!({})).await.expect(StatusCode::OK);
}

async fn again(staff: &Actor, statement: &Value) -> Value {
    staff.get(&format!("{IMPORTS}/{}", statement["id"])).await.expect(StatusCode::OK).json()
}

fn states(statement: &Value) -> Vec<Value> {
    statement["lines"].as_array().unwrap().iter().map(|line| line["state"].clone()).collect()
}

#[tokio::test]
async fn the_same_money_is_recorded_once_however_its_text_changes() {
    let (school, staff, ada, code) = school().await;
    let first = import(&staff, &format!("2026-11-20,\"E-TRANSFER {code}\",42.00\n")).await;
    act(&staff, &first, "post", json!({ "lines": named(&first, "matched") })).await;
    // In another case it is the same line; with another text it looks recorded, and is never recorded unasked.
    let second = import(&staff, &format!("2026-11-20,\"e-Transfer {code}\",42.00\n")).await;
    assert_eq!(states(&second), ["seen"]);
    let third = import(&staff, &format!("2026-11-20,\"E-TRANSFER REF C1A2 {code}\",42.00\n")).await;
    assert_eq!(states(&third), ["looks_recorded"]);
    assert_eq!(third["lines"][0]["known"]["receiptNumber"], "2026-000001");
    let id = third["lines"][0]["id"].clone();
    let refused = act(&staff, &third, "post", json!({ "lines": [{ "lineId": id }] })).await;
    assert_eq!((&refused[0]["status"], &refused[0]["known"]), (&json!(409), &third["lines"][0]["known"]));
    assert_eq!(refused[0]["message"], "It looks like receipt 2026-000001. Say whether it is the same money.");
    for _ in 0..2 {
        let same = act(&staff, &third, "same", json!({ "lines": [id] })).await;
        assert_eq!(same[0]["ok"], true, "{same}");
    }
    let now = again(&staff, &third).await;
    assert_eq!(
        (&states(&now)[0], &now["lines"][0]["known"]["receiptNumber"]),
        (&json!("same"), &json!("2026-000001"))
    );
    let refused = act(&staff, &third, "post", json!({ "lines": [{ "lineId": id }] })).await;
    assert_eq!(refused[0]["status"], 409, "{refused}");
    // Taken back, it can be recorded all the same.
    act(&staff, &third, "reopen", json!({ "lines": [id] })).await;
    let other = act(&staff, &third, "post", json!({ "lines": [{ "lineId": id, "again": true }] })).await;
    assert_eq!(other[0]["ok"], true, "{other}");

    // A payment that was recorded by hand, and twice the same amount in one file, of which one is it.
    let by_hand =
        json!({ "studentId": ada.id, "amount": 43, "method": "e_transfer", "receivedOn": "2026-11-17" });
    staff.post("/api/admin/payments", &by_hand).await.expect(StatusCode::CREATED);
    let lines = format!("2026-11-19,{code},43.00\n2026-11-19,{code},43.00\n");
    let fourth = import(&staff, &lines).await;
    assert_eq!(states(&fourth), ["looks_recorded", "matched"]);
    let matched = act(&staff, &fourth, "post", json!({ "lines": named(&fourth, "matched") })).await;
    assert_eq!(matched[0]["ok"], true, "what the first line looks like is not the second's: {matched}");
    act(&staff, &fourth, "same", json!({ "lines": [fourth["lines"][0]["id"]] })).await;
    // An import that is undone holds nothing: its lines look the same again.
    undo(&staff, &fourth).await;
    let fourth = import(&staff, &format!("{lines}2026-11-20,x,1.00\n")).await;
    assert_eq!(states(&fourth)[0], "looks_recorded");
    undo(&staff, &fourth).await;
    // Another family's line of the same day and amount is other money.
    let (ben, _) = charged(&school, &staff, &[("CHV2O", json!(43))]).await;
    let own = super::bank::code(&staff, &ben).await;
    // A line without a code looks like no payment until the office names the student.
    let bare = import(&staff, "2026-11-18,ALBERT,42.00\n").await;
    assert_eq!(states(&bare), ["unknown"]);
    let wish = json!({ "lines": [{ "lineId": bare["lines"][0]["id"], "studentId": ada.id }] });
    let refused = act(&staff, &bare, "post", wish).await;
    assert!(refused[0]["known"]["receiptNumber"].is_string(), "{refused}");
    let fifth = import(&staff, &format!("2026-11-20,{own},42.00\n")).await;
    assert_eq!(states(&fifth), ["matched"]);
}

#[tokio::test]
async fn money_that_comes_back_is_pointed_out_and_its_receipt_reversed_by_a_person() {
    let (school, staff, _, code) = school().await;
    let first =
        import(&staff, &format!("2026-11-10,CHEQUE {code},769.00\n2026-11-11,CHEQUE {code},5.00\n")).await;
    act(&staff, &first, "post", json!({ "lines": named(&first, "matched") })).await;
    let back = format!(
        "2026-11-20,RETURNED CHEQUE NSF {code},-769.00\n2026-11-20,RENT,-769.00\n2026-11-20,NSF FEE,-45.00\n"
    );
    let second = import(&staff, &back).await;
    assert_eq!(states(&second), ["returned", "ignored", "ignored"]);
    assert_eq!(second["lines"][0]["known"]["receiptNumber"], "2026-000001");
    let waiting = staff.get("/api/admin/waiting").await.json();
    let line = waiting.as_array().unwrap().iter().find(|line| line["kind"] == "bank_lines").unwrap().clone();
    assert_eq!(line["count"], 1);
    let due = async || staff.get("/api/admin/money/summary").await.json()["due"].clone();
    assert_eq!(due().await, 0);
    let id = second["lines"][0]["id"].clone();
    // Ignored by mistake, it is up for review again; the rent is not.
    act(&staff, &second, "ignore", json!({ "lines": [id] })).await;
    assert_eq!(again(&staff, &second).await["lines"][0]["known"], second["lines"][0]["known"]);
    let both = json!({ "lines": [id, second["lines"][1]["id"]] });
    let reopened = act(&staff, &second, "reopen", both).await;
    assert_eq!((&reopened[0]["ok"], &reopened[1]["status"]), (&json!(true), &json!(409)));
    assert_eq!(states(&again(&staff, &second).await)[0], "returned");
    let wrong = act(&staff, &second, "same", json!({ "lines": [id] })).await;
    assert_eq!(wrong[0]["status"], 409, "{wrong}");
    for _ in 0..2 {
        let reversed = act(&staff, &second, "returned", json!({ "lines": [id] })).await;
        assert_eq!(reversed[0]["ok"], true, "{reversed}");
    }
    assert_eq!((due().await, &states(&again(&staff, &second).await)[0]), (json!(769), &json!("reversed")));
    assert_eq!(school.count("select count(*) from receipts where voided_at is not null"), 1);
}

#[tokio::test]
async fn what_is_left_out_is_kept_with_its_reason_and_columns_can_be_forgotten() {
    let (school, staff, _, code) = school().await;
    let file =
        format!("Date,Text,Amount\n2026-11-18,Opening balance,\n2026-11-23,{code},769.00\nTotal,,769.00\n");
    let dry = send(&staff, &format!("{COLUMNS}&dryRun=1"), file.clone()).await.expect(StatusCode::OK).json();
    let first = send(&staff, COLUMNS, file).await.expect(StatusCode::CREATED).json();
    for shown in [&dry, &first, &again(&staff, &first).await] {
        let left: Vec<_> =
            shown["leftOut"].as_array().unwrap().iter().map(|one| one["line"].clone()).collect();
        assert_eq!(left, [2, 4], "{shown}");
        assert_eq!(shown["leftOut"][0]["reason"], "It has no amount.");
        assert_eq!(shown["columns"]["amount"], "Amount");
    }
    // On a Saturday the bank writes Monday; the payment came today.
    act(&staff, &first, "post", json!({ "lines": named(&first, "matched") })).await;
    assert_eq!(school.count("select count(*) from payments where received_on = '2026-11-21'"), 1);
    let next = |line: &str| format!("Date,Text,Amount\n{line}\n");
    send(&staff, "account=A&dryRun=1", next("2026-11-18,x,1.00")).await.expect(StatusCode::OK);
    for _ in 0..2 {
        let forget = staff.post(&format!("{IMPORTS}/forget-columns"), &json!({ "account": "a" })).await;
        forget.expect(StatusCode::NO_CONTENT);
    }
    send(&staff, "account=A", next("2026-11-18,x,1.00")).await.expect(StatusCode::BAD_REQUEST);
    // Nor are those of an import that was undone remembered.
    let wrong = send(&staff, "account=B&date=1&text=2&amount=3", next("2026-11-18,x,1.00")).await;
    let wrong = wrong.expect(StatusCode::CREATED).json();
    staff.post(&format!("{IMPORTS}/{}/undo", wrong["id"]), &json!({})).await.expect(StatusCode::OK);
    send(&staff, "account=B", next("2026-11-18,y,1.00")).await.expect(StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn the_way_of_payment_is_read_by_whole_words_and_can_be_changed() {
    let (_school, staff, _, code) = school().await;
    let lines = [
        ("BRANCH DEPOSIT CASH", "cash"),
        ("SAMPLE SWIFT INTERAC E-TRANSFER", "e_transfer"),
        ("Virement Interac", "e_transfer"),
        ("D\u{c9}P\u{d4}T MOBILE CH\u{c8}QUE", "cheque"),
        ("WIRE IN", "wire"),
        ("CASHMERE LTD", "other"),
        ("ATM deposit", "cash"),
    ];
    let rows =
        lines.iter().enumerate().map(|(at, (text, _))| format!("2026-11-20,{text} {code},{}.00\n", at + 1));
    let statement = import(&staff, &rows.collect::<String>()).await;
    for (line, (text, method)) in statement["lines"].as_array().unwrap().iter().zip(lines) {
        assert_eq!(line["method"], method, "{text}");
    }
    let id = &statement["lines"][5]["id"];
    let unknown = json!({ "lines": [{ "lineId": id, "studentId": 999_999 }] });
    assert_eq!(act(&staff, &statement, "post", unknown).await[0]["status"], 404);
    act(&staff, &statement, "post", json!({ "lines": [{ "lineId": id, "method": "card" }] })).await;
    assert_eq!(staff.get("/api/admin/payments?page=1").await.json()[0]["method"], "card");
}
