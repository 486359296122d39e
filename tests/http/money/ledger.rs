//! From a charge to what is paid back: every entry, what it changes, what it refuses, and who is told.

use reqwest::StatusCode;
use schoolhouse::testing::Role;
use serde_json::{Value, json};

use super::{PAYMENTS, charged, keyed, paid, payment};
use crate::support::{Actor, School, Student};

const WHY: &str = "Agreed with the family";

struct Place {
    school: School,
    admin: Actor,
    bursar: Actor,
    student: Student,
    ids: Vec<i64>,
}

impl Place {
    async fn open(courses: &[(&str, Value)]) -> Self {
        let school = School::open_with(|config| config.office.undo_seconds = 60).await;
        let (admin, bursar) = (school.staff().await, school.staff_as(Role::Bursar).await);
        let (student, ids) = charged(&school, &admin, courses).await;
        Self { school, admin, bursar, student, ids }
    }

    fn of_student(&self, what: &str) -> String {
        format!("/api/admin/students/{}/{what}", self.student.id)
    }

    async fn post(&self, path: &str, body: Value, status: StatusCode) -> Value {
        self.bursar.post(path, &body).await.expect(status).json()
    }

    async fn ledger(&self) -> Value {
        self.bursar.get(&self.of_student("ledger")).await.expect(StatusCode::OK).json()
    }

    async fn item(&self, id: i64) -> Value {
        let ledger = self.ledger().await;
        let items = ledger["perItem"].as_array().unwrap().iter();
        items.clone().find(|item| item["enrollmentId"] == id).unwrap().clone()
    }

    /// The same sum wherever it is shown.
    async fn due(&self) -> Value {
        let due = self.admin.get("/api/admin/dashboard").await.json()["totalFeeDue"].clone();
        let summary = self.bursar.get("/api/admin/money/summary").await.json();
        assert_eq!(summary["due"], due);
        let rows = self.bursar.get("/api/admin/money/balances").await.json();
        let row = rows.as_array().unwrap().iter().find(|row| row["studentId"] == self.student.id).unwrap();
        assert_eq!(row["due"], due, "the only student who owes");
        let fees = self.student.get("/api/students/fees").await.json();
        let file = self.admin.get(&format!("/api/admin/students/{}", self.student.id)).await.json();
        assert_eq!((&row["balance"], &row["balance"]), (&fees["balance"], &file["money"]["balance"]));
        let aging: f64 = row["aging"].as_object().unwrap().values().map(|part| part.as_f64().unwrap()).sum();
        let aged = aging + row["covered"].as_f64().unwrap();
        assert!((aged - due.as_f64().unwrap()).abs() < 0.001, "{row}");
        due
    }
}

#[tokio::test]
#[expect(clippy::too_many_lines, reason = "one school is walked through, as each takes its time to open")]
async fn every_entry_changes_what_is_due_everywhere_and_the_student_is_told() {
    let place = Place::open(&[("ENG4U", json!(500)), ("MHF4U", json!(769.5))]).await;
    let Place { school, bursar, student, ids, .. } = &place;
    assert_eq!(place.due().await, json!(1269.5));

    // A charge, sent twice.
    let charges = place.of_student("charges");
    let body = json!({ "enrollmentId": ids[0], "amount": "40.25", "description": "Lab coat", "item": "material",
        "dueOn": "2026-12-01" });
    let first =
        bursar.send(keyed(bursar, &charges, "key-of-a-charge", &body)).await.expect(StatusCode::CREATED);
    let again = bursar.send(keyed(bursar, &charges, "key-of-a-charge", &body)).await.expect(StatusCode::OK);
    assert_eq!(first.json(), again.json());
    assert_eq!(
        (&first.json()["item"]["charged"], &first.json()["entry"]["running"]),
        (&json!(540.25), &json!(1309.75))
    );
    assert_eq!(place.due().await, json!(1309.75));
    let mails = school.all_mails().await;
    let told = |subject: &str| mails.iter().filter(|mail| mail.subject == subject).count();
    assert_eq!(told("A new charge"), 1, "sent twice, told once");
    let mail = school.mail(&student.email, "A new charge").await;
    let code = student.get("/api/students/fees").await.json()["howToPay"]["code"].clone();
    let code = format!("Payment code: {}", code.as_str().unwrap());
    for words in ["Owing for this course: $540.25", "Balance owing: $1,309.75", &code] {
        assert!(mail.text.contains(words), "{words}: {}", mail.text);
    }
    let foreign = json!({ "enrollmentId": 999, "amount": 5 });
    place.post(&charges, foreign, StatusCode::NOT_FOUND).await;

    // A waiver is no more than the charge, and says why.
    let waivers = place.of_student("waivers");
    let fields = bursar.post(&waivers, &json!({ "enrollmentId": ids[0], "amount": 5 })).await.fields();
    assert!(fields["reason"].is_string(), "{fields}");
    let much = json!({ "enrollmentId": ids[0], "amount": 540.26, "reason": WHY });
    let refused = place.post(&waivers, much, StatusCode::CONFLICT).await;
    assert_eq!(refused["message"], "At most $540.25 of it can be waived.");
    let waived = json!({ "enrollmentId": ids[0], "amount": 100.25, "reason": WHY });
    let waived = place.post(&waivers, waived, StatusCode::CREATED).await;
    assert_eq!(
        (&waived["entry"]["description"], &waived["item"]["waived"], place.due().await),
        (&json!(WHY), &json!(100.25), json!(1209.5))
    );

    // In parts, which a later waiver shortens from the end.
    let plan = format!("/api/admin/enrollments/{}/instalments", ids[1]);
    let put = async |body: Value, status| {
        bursar.send(bursar.request("PUT", &plan).json(&body)).await.expect(status).json()
    };
    let parts = put(json!({ "count": 3, "firstDueOn": "2026-12-01" }), StatusCode::OK).await;
    assert_eq!(parts["instalments"][2], json!({ "n": 3, "dueOn": "2027-02-01", "amount": 256.5 }));
    let wrong = json!({ "instalments": [{ "dueOn": "2026-12-01", "amount": 769 }] });
    put(wrong, StatusCode::BAD_REQUEST).await;
    let less = json!({ "enrollmentId": ids[1], "amount": 300, "reason": WHY });
    place.post(&waivers, less, StatusCode::CREATED).await;
    let parts = place.item(ids[1]).await["instalments"].clone();
    assert_eq!((parts.as_array().unwrap().len(), &parts[1]["amount"]), (2, &json!(213)));
    let open = place.item(ids[1]).await["open"].clone();
    assert_eq!(open[0], json!({ "dueOn": "2026-12-01", "amount": 256.5 }));
    // Month by month: the plan's parts, and beside them what was charged with a date of its own.
    let months = async |query: &str| bursar.get(&format!("/api/admin/money/months?{query}")).await;
    let december = json!({ "month": "2026-12", "due": 696.5, "open": 696.5, "received": 0 });
    let found = months("from=2026-11-30&to=2027-01-01").await.json();
    assert_eq!((found.as_array().unwrap().len(), &found[1], &found[2]["due"]), (3, &december, &json!(213)));

    // Oldest due first goes by the parts' dates; the rest stays on account.
    let mut received = payment(student, &json!(1000), "CA1");
    received["receivedOn"] = json!("2026-11-20");
    let recorded = paid(&bursar.post(PAYMENTS, &received).await);
    assert_eq!((&recorded["unapplied"], place.due().await), (&json!(90.5), json!(0)));
    let id = &recorded["payment"]["id"];
    let charge = json!({ "enrollmentId": ids[0], "amount": 50, "description": "Field trip" });
    let trip = place.post(&charges, charge, StatusCode::CREATED).await;
    assert_eq!(place.due().await, 50, "money on account is not applied by itself");
    let applied = place.post(&format!("{PAYMENTS}/{id}/allocate"), json!({}), StatusCode::OK).await;
    assert_eq!((&applied["unapplied"], place.due().await), (&json!(40.5), json!(0)));

    // A part is taken back, and goes to the other course.
    let refund = json!({ "enrollmentId": ids[0], "amount": 90, "method": "e_transfer", "paidOn": "2026-11-21",
        "reason": WHY });
    place.post(&place.of_student("refunds"), refund, StatusCode::CREATED).await;
    assert_eq!(place.due().await, 90);
    let much = json!({ "enrollmentId": ids[0], "amount": 401, "method": "cash", "paidOn": "2026-11-21", "reason": WHY });
    let refused = place.post(&place.of_student("refunds"), much, StatusCode::CONFLICT).await;
    assert_eq!(refused["message"], "At most $400.00 of it can be refunded.");
    let moving = json!({ "fromEnrollmentId": ids[1], "toEnrollmentId": ids[0], "amount": 60 });
    place.post(&format!("{PAYMENTS}/{id}/move"), moving, StatusCode::OK).await;
    assert_eq!(
        (&place.item(ids[0]).await["due"], &place.item(ids[1]).await["due"]),
        (&json!(30), &json!(60))
    );
    // What is on account is paid back, and no more than that.
    let back =
        |amount: f64| json!({ "amount": amount, "method": "cheque", "paidOn": "2026-11-21", "reason": WHY });
    place.post(&place.of_student("refunds"), back(40.51), StatusCode::CONFLICT).await;
    let returned = place.post(&place.of_student("refunds"), back(40.5), StatusCode::CREATED).await;
    assert_eq!((&returned["unapplied"], &returned["entry"]), (&json!(0), &Value::Null));
    let reverse = format!("{PAYMENTS}/{id}/reverse");
    place.post(&reverse, json!({ "reason": WHY }), StatusCode::CONFLICT).await;
    // That was a mistake: it is taken back once, is on account again, and is paid back again.
    let payout = format!("/api/admin/payouts/{}/reverse", place.ledger().await["payouts"][0]["id"]);
    assert!(bursar.post(&payout, &json!({ "reason": "no" })).await.fields()["reason"].is_string());
    let corrected = place.post(&payout, json!({ "reason": WHY }), StatusCode::CREATED).await;
    assert_eq!((&corrected["unapplied"], &place.ledger().await["payouts"]), (&json!(40.5), &json!([])));
    let again = place.post(&payout, json!({ "reason": WHY }), StatusCode::CONFLICT).await;
    assert_eq!(again["current"]["amount"], 40.5);
    let told = school.mail(&student.email, "A correction to your fees").await;
    assert!(told.text.contains("$40.50") && told.text.contains(WHY), "{}", told.text);
    place.post("/api/admin/payouts/999/reverse", json!({ "reason": WHY }), StatusCode::NOT_FOUND).await;
    place.post(&place.of_student("refunds"), back(40.5), StatusCode::CREATED).await;

    // An entry is taken back once, with a reason; a reversal never.
    let entry = format!("/api/admin/ledger/{}/reverse", trip["entry"]["id"]);
    assert!(bursar.post(&entry, &json!({})).await.fields()["reason"].is_string());
    let before = place.due().await.as_f64().unwrap();
    let reversed = place.post(&entry, json!({ "reason": WHY }), StatusCode::CREATED).await;
    assert_eq!(reversed["entry"]["reversesId"], trip["entry"]["id"]);
    assert!((before - place.due().await.as_f64().unwrap() - 30.0).abs() < 0.001, "20 of it were paid");
    place.post(&entry, json!({ "reason": WHY }), StatusCode::CONFLICT).await;
    let reversal = format!("/api/admin/ledger/{}/reverse", reversed["entry"]["id"]);
    place.post(&reversal, json!({ "reason": WHY }), StatusCode::CONFLICT).await;
    let waiver = format!("/api/admin/ledger/{}/reverse", waived["entry"]["id"]);
    place.post(&waiver, json!({ "reason": WHY }), StatusCode::CREATED).await;
    place.post("/api/admin/ledger/999999/reverse", json!({ "reason": WHY }), StatusCode::NOT_FOUND).await;
    let ledger = place.ledger().await;
    let code = student.get("/api/students/fees").await.json()["howToPay"]["code"].clone();
    assert_eq!(ledger["paymentCode"], code);
    let mails = school.all_mails().await;
    for subject in ["Part of your fee has been waived", "Your refund", "A correction to your fees"] {
        assert!(mails.iter().any(|mail| mail.subject == subject), "{subject}");
    }

    // The drawer, and the bank.
    let deposited = format!("{PAYMENTS}/deposited");
    let late = json!({ "ids": [id], "on": "2026-11-22" });
    assert!(bursar.post(&deposited, &late).await.fields()["on"].is_string());
    let done = place.post(&deposited, json!({ "ids": [id, 999], "on": "2026-11-21" }), StatusCode::OK).await;
    assert_eq!(
        (&done["results"][0]["row"]["depositedOn"], &done["results"][1]["status"]),
        (&json!("2026-11-21"), &json!(404))
    );
    let earlier = place.post(&deposited, json!({ "ids": [id], "on": "2026-11-20" }), StatusCode::OK).await;
    assert_eq!(earlier["results"][0]["row"]["depositedOn"], "2026-11-20");
    let before = place.post(&deposited, json!({ "ids": [id], "on": "2026-11-19" }), StatusCode::OK).await;
    assert_eq!(
        (&before["results"][0]["status"], &before["results"][0]["message"]),
        (&json!(409), &json!("Received on November 20, 2026: it cannot have been deposited before."))
    );
    let entries = "select count(*) from audit where action = 'deposit'";
    assert_eq!(school.count(entries), 3, "noted, taken back, noted");
    let totals = bursar.get(&format!("{PAYMENTS}/totals?from=2026-11-01&to=2026-11-30")).await.json();
    assert_eq!(
        totals,
        json!([{ "day": "2026-11-20", "total": 1000, "count": 1, "methods": { "e_transfer": 1000 } }])
    );
    let turned = bursar.get(&format!("{PAYMENTS}/totals?from=2026-12-01&to=2026-11-30")).await;
    let message = turned.expect(StatusCode::BAD_REQUEST).json();
    assert_eq!(message["fields"]["from"], "Must not be after the last day");

    let sums = |found: &Value, name: &str| -> f64 {
        found.as_array().unwrap().iter().map(|month| month[name].as_f64().unwrap()).sum()
    };
    let year = months("").await.json();
    assert_eq!((year.as_array().unwrap().len(), &year[8]["received"]), (12, &json!(1000)));
    assert!((sums(&year, "open") - place.due().await.as_f64().unwrap()).abs() < 0.001, "{year}");
    for wrong in ["from=2026-02-30", "from=2026-12-01&to=2026-11-01", "from=2020-01-01&to=2025-01-01"] {
        months(wrong).await.expect(StatusCode::BAD_REQUEST);
    }

    // A past day stays as it was; one to come ages what is due.
    let summary = async |day: &str| bursar.get(&format!("/api/admin/money/summary?asOf={day}")).await;
    assert_eq!(summary("2026-11-20").await.json()["due"], 0);
    let future = summary("2027-06-01").await.json();
    assert_eq!(future["due"], future["overdue"]);
    summary("2026-02-30").await.expect(StatusCode::BAD_REQUEST);
    let overdue = "/api/admin/money/balances?asOf=2027-06-01&filter=overdue&q=%20&page=1&sort=-overdue";
    assert_eq!(bursar.get(overdue).await.total(), 1);
    let sheet = bursar.get("/api/admin/money/balances?format=csv").await.expect(StatusCode::OK).text();
    let heading = "Number,Student,Email,Courses,Admission,Total due,Overdue,Credit,On account,Balance,Overdue since,Last payment,Last reminder";
    assert!(sheet.contains(heading), "{sheet}");
    let registrar = school.staff_as(Role::Registrar).await;
    registrar.get("/api/admin/money/balances?format=csv").await.expect(StatusCode::FORBIDDEN);
    let waive = json!({ "enrollmentId": ids[0], "amount": 1, "reason": WHY });
    registrar.post(&waivers, &waive).await.expect(StatusCode::FORBIDDEN);

    let part = json!({ "instalments": [{ "dueOn": "2026-12-01", "amount": 100_000_000 }] });
    for (at, wrong) in [(0, part), (1, json!({ "count": 1, "firstDueOn": "2026-12-01" }))] {
        // Three charges, each the largest there is: one part of all would be larger.
        let most = json!({ "enrollmentId": ids[1], "amount": 99_999_999.99 });
        let mut charges = Vec::new();
        for _ in 0..at * 3 {
            charges.push(
                place
                    .post(
                        &format!("/api/admin/students/{}/charges", student.id),
                        most.clone(),
                        StatusCode::CREATED,
                    )
                    .await,
            );
        }
        let said = put(wrong, StatusCode::BAD_REQUEST).await["fields"]["instalments"].to_string();
        assert!(said.contains("at most $99,999,999.99"), "{said}");
        for charge in charges {
            let reverse = format!("/api/admin/ledger/{}/reverse", charge["entry"]["id"]);
            place.post(&reverse, json!({ "reason": WHY }), StatusCode::CREATED).await;
        }
    }
}

#[tokio::test]
async fn what_was_paid_on_a_course_is_on_account_once_its_fee_is_taken_back() {
    let place = Place::open(&[("ENG4U", json!(500))]).await;
    let Place { admin, bursar, student, ids, .. } = &place;
    let id = ids[0];
    paid(&bursar.post(PAYMENTS, &payment(student, &json!(400), "CA1")).await);
    let waive = json!({ "enrollmentId": id, "amount": 100, "reason": WHY });
    place.post(&place.of_student("waivers"), waive, StatusCode::CREATED).await;
    let refund =
        json!({ "enrollmentId": id, "amount": 30, "method": "cash", "paidOn": "2026-11-21", "reason": WHY });
    place.post(&place.of_student("refunds"), refund, StatusCode::CREATED).await;
    let leave =
        json!({ "reason": "The family has moved away", "effectiveOn": "2026-11-21", "refund": "full" });
    let left =
        admin.post(&format!("/api/admin/enrollments/{id}/withdraw"), &leave).await.expect(StatusCode::OK);
    let item = place.item(id).await;
    assert_eq!(
        ["charged", "waived", "paid", "refunded", "due", "credit"].map(|name| item[name].clone()),
        [json!(0), json!(0), json!(30), json!(30), json!(0), json!(0)],
        "neither the waiver nor the refund becomes a credit"
    );
    let ledger = place.ledger().await;
    assert_eq!((&ledger["unapplied"], place.due().await), (&json!(370), json!(0)));
    // Undone, everything stands as before.
    let undo = format!("/api/admin/decisions/{}/undo", left.json()["undo"]["id"].as_str().unwrap());
    admin.post(&undo, &json!({})).await.expect(StatusCode::OK);
    let item = place.item(id).await;
    assert_eq!(
        ["charged", "waived", "paid", "refunded", "due"].map(|name| item[name].clone()),
        [json!(500), json!(100), json!(400), json!(30), json!(30)]
    );
    assert_eq!((&place.ledger().await["unapplied"], place.due().await), (&json!(0), json!(30)));
}
