//! Receipts, statements and invoices on paper and as PDFs, opened with the readers that `make tools` installs.

use std::path::Path;
use std::process::Command;

use mail_parser::{MessageParser, MimeHeaders as _};
use reqwest::StatusCode;
use schoolhouse::testing::Role;
use serde_json::{Value, json};

use super::{PAYMENTS, charged, paid, payment};
use crate::support::{Actor, School, Student, profile};

const CHIDI: &str = "chidi@mail.example";
const INVOICES: &str = "/api/admin/invoices";

/// What `PDFium`, `MuPDF` and qpdf find wrong in PDFs, and the text of each.
fn read(pdfs: &[(&str, &[u8])]) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in pdfs {
        std::fs::write(folder.path().join(format!("{name}.pdf")), bytes).unwrap();
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let python = root.join("target/readers/bin/python");
    assert!(python.exists(), "the readers are not there: sh .ci/install-readers");
    let script = root.join("tests/support/readers.py");
    let run = Command::new(python).arg(script).arg("papers").arg(folder.path()).output().unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    assert_eq!(String::from_utf8(run.stdout).unwrap(), "");
    let text = |name| std::fs::read_to_string(folder.path().join(format!("{name}.txt"))).unwrap();
    pdfs.iter().map(|(name, _)| text(name)).collect()
}

async fn pdf(actor: &Actor, path: &str) -> Vec<u8> {
    let answer = actor.get(path).await.expect(StatusCode::OK);
    assert_eq!(answer.header("content-type"), "application/pdf");
    answer.bytes.clone()
}

/// A guardian who opened the link that was asked for.
async fn guardian(school: &School, email: &str) -> Actor {
    let visitor = school.visitor();
    visitor.post("/api/family/link", &json!({ "email": email })).await.expect(StatusCode::OK);
    let token = school.mail(email, "Your family page").await.token("/family/");
    visitor.post("/api/family/session", &json!({ "token": token })).await.expect(StatusCode::OK);
    visitor
}

async fn name(student: &Student, name: &str) {
    let mut facts = profile(&student.email);
    (facts["fullName"], facts["dateOfBirth"]) = (json!(name), json!("2011-05-04"));
    student.patch("/api/students/me", &facts).await.expect(StatusCode::OK);
}

#[tokio::test]
async fn a_receipt_is_a_pdf_that_readers_open_and_read_aloud() {
    let school = School::open().await;
    let staff = school.staff().await;
    let (student, _) = charged(&school, &staff, &[("ENG4U", json!(1500)), ("MHF4U", json!(2769.5))]).await;
    let (other, _) = charged(&school, &staff, &[("CHV2O", json!(300))]).await;
    name(&student, "Nguyễn Thị Ánh Ольга").await;
    name(&other, "李小龍").await;
    let chidi = json!([{ "name": "Chidi Okonkwo", "email": CHIDI, "relationship": "father",
        "isPrimary": true, "getsMail": true }]);
    student.send(student.request("PUT", "/api/students/guardians").json(&chidi)).await.expect(StatusCode::OK);
    let mut body = payment(&student, &json!(1734.5), "CA1");
    body["sendReceipt"] = json!(true);
    body["payerName"] = json!("Łukasz Wójcik");
    let recorded = paid(&staff.post(PAYMENTS, &body).await);
    let mut unwritable = payment(&other, &json!(10), "CA2");
    unwritable["sendReceipt"] = json!(true);
    paid(&staff.post(PAYMENTS, &unwritable).await);

    // The same for the office, the student and the guardian; of no other student.
    let first = "receipts/2026-000001.pdf";
    let bytes = pdf(&staff, &format!("/api/admin/{first}")).await;
    assert_eq!(pdf(&student, &format!("/api/students/{first}")).await, bytes);
    let family = guardian(&school, CHIDI).await;
    assert_eq!(pdf(&family, &format!("/api/family/{first}")).await, bytes);
    family.get("/api/family/receipts/2026-000001").await.expect(StatusCode::OK);
    other.get(&format!("/api/students/{first}")).await.expect(StatusCode::NOT_FOUND);
    for number in ["2026-000002", "2026-000009", "x"] {
        student.get(&format!("/api/students/receipts/{number}.pdf")).await.expect(StatusCode::NOT_FOUND);
        family.get(&format!("/api/family/receipts/{number}.pdf")).await.expect(StatusCode::NOT_FOUND);
    }
    school.visitor().get(&format!("/api/family/{first}")).await.expect(StatusCode::UNAUTHORIZED);

    // A name without a shape is refused, and printed from its page.
    let page = staff.get("/api/admin/receipts/2026-000001").await.text();
    assert!(page.contains("\"2026-000001.pdf\""), "{page}");
    let refused =
        other.get("/api/students/receipts/2026-000002.pdf").await.expect(StatusCode::CONFLICT).json();
    let page = "/api/students/receipts/2026-000002";
    assert_eq!((&refused["reason"], &refused["printUrl"]), (&json!("script_missing"), &json!(page)));
    let page = other.get(page).await.expect(StatusCode::OK).text();
    assert!(
        page.contains("李小龍") && !page.contains(".pdf") && page.contains("please print this page"),
        "{page}"
    );

    // Its email has one file, the same; the one that has none says why.
    let mail = school.mail(&student.email, "Receipt 2026-000001").await;
    assert!(mail.text.contains("Attached: receipt-2026-000001.pdf"), "{}", mail.text);
    let attached = attachments(&school, "Receipt 2026-000001", &student.email);
    assert_eq!(attached, [("receipt-2026-000001.pdf".to_owned(), bytes.clone())]);
    assert_eq!(attachments(&school, "Receipt 2026-000001", CHIDI).len(), 1);
    let mail = school.mail(&other.email, "Receipt 2026-000002").await;
    assert!(
        mail.text.contains("none is attached") && mail.text.contains("/student/dashboard"),
        "{}",
        mail.text
    );
    assert_eq!(attachments(&school, "Receipt 2026-000002", &other.email), []);
    assert_eq!(school.count("select count(*) from outbox where content like '%attachment%'"), 0, "sent");

    let path = format!("{PAYMENTS}/{}/reverse", recorded["payment"]["id"]);
    paid(&staff.post(&path, &json!({ "reason": "The cheque bounced" })).await);
    let void = pdf(&student, &format!("/api/students/{first}")).await;
    let texts = read(&[("receipt", &bytes), ("void", &void)]);
    for words in [
        "Receipt 2026-000001",
        "Nguyễn Thị Ánh Ольга",
        "Łukasz Wójcik",
        "CA1",
        "e-Transfer",
        "November 21, 2026",
        "ENG4U · A course",
        "$1,500.00",
        "$234.50",
        "$1,734.50",
        "$2,535.00",
        "Northgate Academy",
    ] {
        assert!(texts.iter().all(|text| text.contains(words)), "{words}: {texts:?}");
    }
    assert!(texts[1].contains("VOID · Since November 21, 2026: The cheque bounced"), "{}", texts[1]);
    assert!(!texts[0].contains("VOID"), "{}", texts[0]);
}

/// Opening balance, amounts and closing balance of a statement, in cents; each row's balance is checked.
fn sums(statement: &Value) -> (i64, Vec<i64>, i64) {
    let cents = |value: &Value| (value.as_f64().unwrap() * 100.0).round() as i64;
    let rows = statement["rows"].as_array().unwrap();
    let amounts: Vec<_> = rows.iter().map(|row| cents(&row["amount"])).collect();
    let mut balance = cents(&statement["opening"]);
    for row in rows {
        balance += cents(&row["amount"]);
        assert_eq!(cents(&row["balance"]), balance, "{statement}");
    }
    assert_eq!(cents(&statement["closing"]), balance, "{statement}");
    (cents(&statement["opening"]), amounts, balance)
}

/// A student with two charges, of which one is waived in part, and the student's guardian.
async fn waived(school: &School, staff: &Actor) -> Student {
    let (student, ids) = charged(school, staff, &[("ENG4U", json!(1500)), ("MHF4U", json!(2769.5))]).await;
    name(&student, "Zoë Ångström").await;
    let chidi = json!([{ "name": "Chidi Okonkwo", "email": CHIDI, "relationship": "father",
        "isPrimary": true, "getsMail": true }]);
    student.send(student.request("PUT", "/api/students/guardians").json(&chidi)).await.expect(StatusCode::OK);
    let waiver = json!({ "enrollmentId": ids[1], "amount": 100, "reason": "Bursary" });
    let path = format!("/api/admin/students/{}/waivers", student.id);
    staff.post(&path, &waiver).await.expect(StatusCode::CREATED);
    student
}

#[tokio::test]
async fn a_statement_of_any_period_comes_to_the_balance() {
    let school = School::open().await;
    let staff = school.staff().await;
    let (student, other) = (waived(&school, &staff).await, school.student().await);
    let file = format!("/api/admin/students/{}", student.id);
    let recorded = paid(&staff.post(PAYMENTS, &payment(&student, &json!(1734.5), "CA1")).await);

    // Days pass: the payment is taken back, another is more than is due, and a part of that is paid back.
    school.advance(jiff::SignedDuration::from_hours(48));
    let (staff, bursar, viewer) =
        (school.staff().await, school.staff_as(Role::Bursar).await, school.staff_as(Role::Viewer).await);
    let path = format!("{PAYMENTS}/{}/reverse", recorded["payment"]["id"]);
    paid(&bursar.post(&path, &json!({ "reason": "The cheque bounced" })).await);
    paid(&bursar.post(PAYMENTS, &payment(&student, &json!(5000), "CA2")).await);
    let back = json!({ "amount": 30, "method": "cheque", "reference": "7", "paidOn": "2026-11-23", "reason": "Asked for" });
    bursar.post(&format!("{file}/refunds"), &back).await.expect(StatusCode::CREATED);
    let balance = async || staff.get(&file).await.json()["money"]["balance"].clone();
    let statement = async |query: &str| {
        let path = format!("{file}/statement?{query}");
        bursar.get(&path).await.expect(StatusCode::OK).json()
    };
    let all = statement("").await;
    let amounts = vec![150_000, 276_950, -10_000, -173_450, 173_450, -500_000, 3000];
    assert_eq!(sums(&all), (0, amounts.clone(), -80_050));
    assert_eq!(
        (&all["closing"], &all["from"], &all["to"]),
        (&balance().await, &json!("2026-11-21"), &json!("2026-11-23"))
    );
    let kinds: Vec<_> =
        all["rows"].as_array().unwrap().iter().map(|row| row["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["charge", "charge", "waiver", "payment", "reversal", "payment", "refund"]);
    for words in [
        "ENG4U · A course",
        "Waiver for MHF4U · A course: Bursary",
        "receipt 2026-000001: The cheque bounced",
    ] {
        assert!(all.to_string().contains(words), "{words}: {all}");
    }
    assert!(all["howToPay"]["code"].is_string() && all["howToPay"]["amount"] == 0, "{all}");
    // A past day stays as it was; the next begins where it ended.
    let first = statement("to=2026-11-22").await;
    assert_eq!(sums(&first), (0, amounts[..4].to_vec(), 243_500));
    assert_eq!(first["aging"]["notYetDue"], 2435, "{first}");
    assert_eq!(sums(&statement("from=2026-11-22&to=").await), (243_500, amounts[4..].to_vec(), -80_050));
    assert_eq!(sums(&statement("from=2026-01-01&to=2026-01-31").await), (0, vec![], 0));
    let path = format!("{file}/statement");
    for query in ["from=2026-02-30", "to=x", "from=2026-11-22&to=2026-11-21", "format=docx"] {
        bursar.get(&format!("{path}?{query}")).await.expect(StatusCode::BAD_REQUEST);
    }
    assert_eq!(student.get("/api/students/statement").await.json(), all);
    assert_eq!(sums(&other.get("/api/students/statement").await.json()), (0, vec![], 0));
    viewer.get(&path).await.expect(StatusCode::FORBIDDEN);
    staff.get("/api/admin/students/999999/statement").await.expect(StatusCode::NOT_FOUND);
    let family = guardian(&school, CHIDI).await;
    let own = format!("/api/family/students/{}/statement", student.id);
    assert_eq!(family.get(&own).await.json(), all);
    family.get(&format!("/api/family/students/{}/statement", other.id)).await.expect(StatusCode::NOT_FOUND);
    let page = bursar.get(&format!("{path}?to=2026-11-22&format=html")).await.expect(StatusCode::OK).text();
    assert!(page.contains("\"?to=2026-11-22&amp;format=pdf\"") && page.contains("$2,435.00 owing"), "{page}");
    let statement_pdf = pdf(&student, "/api/students/statement?to=2026-11-22&format=pdf").await;
    assert!(bursar.post(&path, &json!({ "to": 5 })).await.fields()["to"].is_string());
    let sent = bursar.post(&path, &json!({ "to": "2026-11-22" })).await.expect(StatusCode::OK).json();
    assert_eq!(sent["sentTo"], json!([student.email, CHIDI]));
    school.mail(CHIDI, "Your statement").await;
    assert_eq!(attachments(&school, "Your statement", CHIDI)[0].1, statement_pdf);
    let to_come = pdf(&bursar, &format!("{path}?to=2026-12-31&format=pdf")).await;
    let texts = read(&[("statement", &statement_pdf), ("to-come", &to_come)]);
    for words in ["Balance on Nov 23, 2026 −$800.50", "On account −$800.50"] {
        assert!(texts[1].contains(words), "{words}: {}", texts[1]);
    }
    let text = &texts[0];
    for words in [
        "Nov 21, 2026 Payment by e-Transfer, receipt 2026-000001 −$1,734.50 $2,435.00",
        "Balance on Nov 22, 2026 $2,435.00",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
}

#[tokio::test]
async fn what_is_posted_within_a_second_stands_in_the_order_of_entry() {
    let school = School::open().await;
    let staff = school.staff().await;
    let (student, ids) = charged(&school, &staff, &[("ENG4U", json!(500))]).await;
    let file = format!("/api/admin/students/{}", student.id);
    let recorded = paid(&staff.post(PAYMENTS, &payment(&student, &json!(400), "CA1")).await);
    let refund = json!({ "enrollmentId": ids[0], "amount": 50, "method": "cash", "paidOn": "2026-11-21", "reason": "Asked for" });
    let refunded = staff.post(&format!("{file}/refunds"), &refund).await.expect(StatusCode::CREATED).json();
    let reverse = format!("/api/admin/ledger/{}/reverse", refunded["entry"]["id"]);
    let why = json!({ "reason": "A mistake" });
    staff.post(&reverse, &why).await.expect(StatusCode::CREATED);
    paid(&staff.post(&format!("{PAYMENTS}/{}/reverse", recorded["payment"]["id"]), &why).await);
    let waiver = json!({ "enrollmentId": ids[0], "amount": 10, "reason": "Bursary" });
    staff.post(&format!("{file}/waivers"), &waiver).await.expect(StatusCode::CREATED);
    let statement = staff.get(&format!("{file}/statement")).await.json();
    assert_eq!(sums(&statement), (0, vec![50_000, -40_000, 5_000, -5_000, 40_000, -1_000], 49_000));
}

#[tokio::test]
async fn an_invoice_asks_only_for_what_is_not_paid() {
    let school = School::open().await;
    let staff = school.staff().await;
    let (student, ids) = charged(&school, &staff, &[("ENG4U", json!(500)), ("MHF4U", json!(769.5))]).await;
    paid(&staff.post(PAYMENTS, &payment(&student, &json!(400), "CA1")).await);
    let mut held = payment(&student, &json!(150), "CA2");
    held["allocations"] = json!([]);
    paid(&staff.post(PAYMENTS, &held).await);
    let body = json!({ "studentIds": [student.id], "dueOn": "2026-12-15", "send": true });
    let issued = staff.post(INVOICES, &body).await.expect(StatusCode::CREATED).json();
    assert_eq!(issued["invoices"][0]["total"], 1269.5);
    // What lies on account is deducted once, and the next charge is asked for whole.
    let charge =
        json!({ "enrollmentId": ids[0], "amount": 100, "description": "Lab coat", "dueOn": "2026-12-15" });
    let charges = format!("/api/admin/students/{}/charges", student.id);
    staff.post(&charges, &charge).await.expect(StatusCode::CREATED);
    staff.post(INVOICES, &body).await.expect(StatusCode::CREATED);
    let first = school.mail(&student.email, "Invoice INV-2026-000001").await.text;
    let sums = ["Total: $1,269.50", "Paid so far on these charges: −$400.00", "On account: −$150.00"];
    for words in sums.into_iter().chain(["INV-2026-000001: $719.50 is due on December 15, 2026."]) {
        assert!(first.contains(words), "{words}: {first}");
    }
    let second = school.mail(&student.email, "Invoice INV-2026-000002").await.text;
    assert!(second.contains("$100.00 is due on") && !second.contains("Still owing"), "{second}");

    // It stays as it was when all is paid; what is issued then asks for nothing.
    paid(&staff.post(PAYMENTS, &payment(&student, &json!(819.5), "CA3")).await);
    let bytes = pdf(&staff, &format!("{INVOICES}/INV-2026-000001.pdf")).await;
    let why = json!({ "reason": "Wrong due date" });
    staff.post(&format!("{INVOICES}/INV-2026-000001/cancel"), &why).await.expect(StatusCode::OK);
    staff.post(INVOICES, &body).await.expect(StatusCode::CREATED);
    let third = school.mail(&student.email, "Invoice INV-2026-000003").await.text;
    assert!(third.contains("Nothing is left to pay.") && !third.contains("How to pay"), "{third}");
    let text = read(&[("invoice", &bytes)]).remove(0);
    for words in ["$719.50 due on December 15, 2026", "Still owing $719.50", "On account −$150.00"] {
        assert!(text.contains(words), "{words}: {text}");
    }
}

#[tokio::test]
async fn an_invoice_holds_what_is_on_no_other_and_is_cancelled_by_a_credit_note() {
    let school = School::open().await;
    let (staff, bursar, viewer) =
        (school.staff().await, school.staff_as(Role::Bursar).await, school.staff_as(Role::Viewer).await);
    let (student, other) = (waived(&school, &staff).await, school.student().await);
    let family = guardian(&school, CHIDI).await;
    let before = student.get("/api/students/fees").await.json();
    // A dry run takes no number, what is on an invoice is on no other, and it moves no money.
    let body = |ids: Value| json!({ "studentIds": ids, "dueOn": "2026-12-15" });
    let mut dry = body(json!([student.id, other.id]));
    dry["dryRun"] = json!(true);
    for _ in 0..2 {
        let found = bursar.post(INVOICES, &dry).await.expect(StatusCode::OK).json();
        let invoice = &found["invoices"][0];
        assert_eq!((&invoice["number"], &invoice["total"]), (&Value::Null, &json!(4169.5)), "{found}");
        assert_eq!(
            (invoice["lines"].as_array().unwrap().len(), &found["nothingFor"][0]["studentId"]),
            (3, &json!(other.id))
        );
    }
    let key =
        |body: &Value| bursar.request("POST", INVOICES).header("Idempotency-Key", "an-invoice").json(body);
    let issued = bursar.send(key(&body(json!([student.id])))).await.expect(StatusCode::CREATED).json();
    assert_eq!(issued["invoices"][0]["number"], "INV-2026-000001");
    assert_eq!(bursar.send(key(&body(json!([student.id])))).await.expect(StatusCode::OK).json(), issued);
    let again = bursar.post(INVOICES, &body(json!([student.id]))).await.expect(StatusCode::CREATED).json();
    assert_eq!((&again["invoices"], again["nothingFor"].as_array().unwrap().len()), (&json!([]), 1));
    let after = student.get("/api/students/fees").await.json();
    assert_eq!((&after["balance"], &after["entries"]), (&before["balance"], &before["entries"]));
    for (wrong, field) in [(json!([]), "studentIds"), (json!("all"), "studentIds")] {
        assert!(bursar.post(INVOICES, &body(wrong)).await.fields()[field].is_string());
    }
    let yesterday = json!({ "studentIds": [student.id], "dueOn": "2026-11-20" });
    assert!(bursar.post(INVOICES, &yesterday).await.fields()["dueOn"].is_string());
    bursar.post(INVOICES, &body(json!([999_999]))).await.expect(StatusCode::NOT_FOUND);
    viewer.post(INVOICES, &body(json!([student.id]))).await.expect(StatusCode::FORBIDDEN);
    let first = "invoices/INV-2026-000001";
    let invoice = pdf(&bursar, &format!("/api/admin/{first}.pdf")).await;
    assert_eq!(pdf(&student, &format!("/api/students/{first}.pdf")).await, invoice);
    assert_eq!(pdf(&family, &format!("/api/family/{first}.pdf")).await, invoice);
    other.get(&format!("/api/students/{first}.pdf")).await.expect(StatusCode::NOT_FOUND);
    bursar.get(&format!("{INVOICES}/INV-2026-000009.pdf")).await.expect(StatusCode::NOT_FOUND);
    let own = &student.get("/api/students/fees").await.json()["invoices"][0];
    assert_eq!(
        (&own["number"], &own["total"], &own["dueOn"]),
        (&json!("INV-2026-000001"), &json!(4169.5), &json!("2026-12-15"))
    );
    let send = format!("/api/admin/{first}/send");
    bursar.send(bursar.request("POST", &send)).await.expect(StatusCode::OK);
    school.mail(&student.email, "Invoice INV-2026-000001").await;
    assert_eq!(attachments(&school, "Invoice INV-2026-000001", &student.email)[0].1, invoice);

    // It is cancelled by a credit note, and what was on it can be invoiced again.
    let cancel = format!("/api/admin/{first}/cancel");
    assert!(bursar.post(&cancel, &json!({ "reason": "" })).await.fields()["reason"].is_string());
    let why = json!({ "reason": "Wrong due date" });
    let cancelled = bursar.post(&cancel, &why).await.expect(StatusCode::OK).json();
    assert_eq!(cancelled["creditNoteNumber"], "CN-2026-000001");
    let repeated =
        bursar.post(&cancel, &json!({ "reason": "Once more" })).await.expect(StatusCode::OK).json();
    assert_eq!(repeated, cancelled);
    school.mail(&student.email, "Invoice INV-2026-000001 is cancelled").await;
    let mails = school.all_mails().await.into_iter().filter(|mail| mail.to == student.email);
    assert_eq!(mails.filter(|mail| mail.subject.ends_with("is cancelled")).count(), 1);
    let void = pdf(&student, &format!("/api/students/{first}.pdf")).await;
    let note = pdf(&student, "/api/students/invoices/CN-2026-000001.pdf").await;
    let again = bursar.post(INVOICES, &body(json!([student.id]))).await.expect(StatusCode::CREATED).json();
    assert_eq!(again["invoices"][0]["number"], "INV-2026-000002");
    let list = staff.get(&format!("{INVOICES}?page=1")).await.expect(StatusCode::OK);
    assert_eq!(
        (list.total(), list.column("number")),
        (2, vec![json!("INV-2026-000002"), json!("INV-2026-000001")])
    );
    assert_eq!(staff.get(&format!("{INVOICES}?q=cn-2026-000001")).await.column("total"), [json!(4169.5)]);
    for sql in [
        "update invoices set total_cents = 1",
        "delete from invoices",
        "update invoices set cancelled_at = 1",
    ] {
        assert!(school.database().execute(sql, []).is_err(), "{sql}");
    }

    let pdfs = [("invoice", &*invoice), ("void", &*void), ("note", &*note)];
    let texts = read(&pdfs);
    for (text, words) in [
        (0, "Invoice INV-2026-000001"),
        (0, "MHF4U · A course Waived: Bursary −$100.00"),
        (0, "Total $4,169.50"),
        (0, "Zoë Ångström"),
        (1, "CANCELLED · On November 21, 2026, with credit note CN-2026-000001: Wrong due date"),
        (2, "Credit note CN-2026-000001"),
        (2, "Total −$4,169.50"),
    ] {
        assert!(texts[text].contains(words), "{words}: {}", texts[text]);
    }
    let code = before["howToPay"]["code"].as_str().unwrap();
    assert!(texts[0].contains(code) && !texts[2].contains(code), "{code}: {texts:?}");
}

/// Names and contents of what is attached to an email.
fn attachments(school: &School, subject: &str, to: &str) -> Vec<(String, Vec<u8>)> {
    let files = std::fs::read_dir(school.path().join("mail")).unwrap();
    let mails = files.map(|file| std::fs::read(file.unwrap().path()).unwrap());
    let mail = mails.into_iter().find(|bytes| {
        let mail = MessageParser::default().parse(bytes).unwrap();
        let address = mail.to().and_then(|to| to.first()?.address()).unwrap().to_owned();
        mail.subject() == Some(subject) && address == to
    });
    let mail = mail.unwrap();
    let mail = MessageParser::default().parse(&mail).unwrap();
    (mail.attachments())
        .map(|part| (part.attachment_name().unwrap().to_owned(), part.contents().to_vec()))
        .collect()
}
