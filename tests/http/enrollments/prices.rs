//! Prices of enrollments: quoted at the request, charged at the approval, never today's price.

use jiff::SignedDuration;
use reqwest::StatusCode;
use schoolhouse::testing::Role;
use serde_json::{Value, json};

use crate::support::{Actor, School, Student};

async fn set_price(staff: &Actor, course: i64, price: Value) {
    let path = format!("/api/admin/courses/{course}");
    staff.patch(&path, &json!({ "price": price })).await.expect(StatusCode::OK);
}

async fn approve(staff: &Actor, id: &Value, body: &Value) -> crate::support::Answer {
    staff.post(&format!("/api/admin/enrollments/{id}/approve"), body).await
}

async fn due(staff: &Actor) -> Value {
    staff.get("/api/admin/dashboard").await.json()["totalFeeDue"].clone()
}

async fn unpriced(staff: &Actor) -> Value {
    staff.get("/api/admin/dashboard").await.json()["unpricedEnrollmentsCount"].clone()
}

/// What the student reads of the newest enrollment.
async fn shown(student: &Student) -> Value {
    student.get("/api/students/enrollments").await.json()[0]["course"]["price"].clone()
}

#[tokio::test]
async fn an_approval_charges_the_price_of_the_request() {
    let school = School::open().await;
    let (staff, student) = (school.staff().await, school.student().await);
    let course = school.course(&staff, "ENG4U", json!(500)).await;
    let requested = student.enroll(course).await.json();
    assert_eq!((&requested["quotedPrice"], &requested["chargedPrice"]), (&json!(500), &json!(null)));
    set_price(&staff, course, json!(900)).await;
    assert_eq!(shown(&student).await, 500);
    let row = staff.get("/api/admin/enrollments/pending").await.json()[0].clone();
    assert_eq!(
        (&row["course_fee"], &row["quoted_fee"], &row["current_fee"], &row["quoted_until"]),
        (&json!(500), &json!(500), &json!(900), &json!("2026-12-21"))
    );
    // As section 7 has it: without a body.
    let path = format!("/api/admin/enrollments/{}/approve", requested["id"]);
    let approved = staff.send(staff.request("POST", &path)).await.expect(StatusCode::OK).json();
    assert_eq!((&approved["status"], &approved["isChanged"]), (&json!("active"), &json!(true)));
    assert_eq!(due(&staff).await, 500);
    set_price(&staff, course, json!(1)).await;
    assert_eq!((due(&staff).await, shown(&student).await), (json!(500), json!(500)));
}

#[tokio::test]
async fn a_quote_that_has_run_out_gives_way_to_the_price_of_the_day() {
    let school = School::open().await;
    let (staff, student) = (school.staff().await, school.student().await);
    let mut ids = Vec::new();
    for code in ["AAA4U", "BBB4U"] {
        let course = school.course(&staff, code, json!(500)).await;
        ids.push(student.enroll(course).await.json()["id"].clone());
        set_price(&staff, course, json!(650)).await;
    }
    school.advance(SignedDuration::from_hours(30 * 24));
    let staff = school.staff().await;
    approve(&staff, &ids[0], &json!({})).await.expect(StatusCode::OK);
    assert_eq!(due(&staff).await, 500, "the last day is whole");
    school.advance(SignedDuration::from_hours(24));
    let staff = school.staff().await;
    let row = staff.get("/api/admin/enrollments/pending").await.json()[0].clone();
    assert_eq!((&row["course_fee"], &row["quoted_fee"]), (&json!(650), &json!(500)));
    let policy =
        json!({ "name": "Usual", "effectiveOn": "2026-01-01", "rules": [{ "until": "end", "percent": 0 }] });
    let policies = staff.request("PUT", "/api/admin/refund-policies").json(&json!({ "policies": [policy] }));
    staff.send(policies).await.expect(StatusCode::OK);
    for reader in [
        format!("/api/admin/enrollments/{}/leaving", ids[1]),
        format!("/api/students/enrollments/{}/leaving", ids[1]),
    ] {
        let actor: &Actor = if reader.contains("admin") { &staff } else { &student };
        let words = actor.get(&reader).await.json()["steps"].to_string();
        assert!(words.contains("$650.00"), "the fee that the approval charges: {words}");
    }
    approve(&staff, &ids[1], &json!({})).await.expect(StatusCode::OK);
    assert_eq!(due(&staff).await, 1150);
}

#[tokio::test]
async fn the_office_chooses_between_the_two_prices() {
    let school = School::open().await;
    let (staff, student) = (school.staff().await, school.student().await);
    let mut ids = Vec::new();
    for code in ["AAA4U", "BBB4U", "CCC4U"] {
        let course = school.course(&staff, code, json!(500)).await;
        ids.push(student.enroll(course).await.json()["id"].clone());
        set_price(&staff, course, if code == "CCC4U" { json!(null) } else { json!(650.25) }).await;
    }
    let wrong = approve(&staff, &ids[0], &json!({ "price": "cheapest", "expected": "new" })).await.fields();
    assert_eq!(
        wrong,
        json!({ "price": "Price must be quoted or current",
            "expected": "Must be one of pending, active, waitlisted, declined, withdrawn, completed, cancelled" })
    );
    approve(&staff, &ids[0], &json!({ "price": "current" })).await.expect(StatusCode::OK);
    assert_eq!((due(&staff).await, shown(&student).await), (json!(650.25), json!(500)));
    let none = approve(&staff, &ids[2], &json!({ "price": "current" })).await.fields();
    assert_eq!(
        none,
        json!({ "price": "The course has no price today. Set one first, or choose the quoted price." })
    );
    school.advance(SignedDuration::from_hours(40 * 24));
    let staff = school.staff().await;
    approve(&staff, &ids[1], &json!({ "price": "quoted" })).await.expect(StatusCode::OK);
    // The quote has run out, but it is the only price there is.
    approve(&staff, &ids[2], &json!({})).await.expect(StatusCode::OK);
    assert_eq!((due(&staff).await, unpriced(&staff).await), (json!(1650.25), json!(0)));
}

#[tokio::test]
async fn the_e_mails_name_the_price_when_it_is_due_how_it_is_paid_and_the_terms() {
    let school =
        School::open_with(|config| config.server.public_url = "https://school.example".parse().ok()).await;
    let (staff, student) = (school.staff().await, school.student().await);
    let course = school.course(&staff, "ENG4U", json!(1549.5)).await;
    let id = student.enroll(course).await.json()["id"].clone();
    let pay = "How to pay: Please ask the office how to pay before you send any money.";
    let mail = school.mail(&student.email, "We have your enrollment request").await;
    for words in [
        "Price: $1,549.50, for requests approved by December 21, 2026",
        "Due: Nothing yet. 14 days after the office has approved your request.",
        pay,
        "https://school.example/terms",
        "withdraw it in the student portal at no cost",
        "120 Example Street",
    ] {
        assert!(mail.text.contains(words), "{words}: {}", mail.text);
    }
    approve(&staff, &id, &json!({})).await.expect(StatusCode::OK);
    let mail = school.mail(&student.email, "Your enrollment is approved").await;
    for words in [
        "Price: $1,549.50\r\nDue: December 5, 2026\r\n",
        pay,
        "Payment code: NA-",
        "Terms: https://school.example/terms",
    ] {
        assert!(mail.text.contains(words), "{words}: {}", mail.text);
    }
    assert_eq!(school.count("select count(*) from ledger where due_on = '2026-12-05'"), 1);
}

#[tokio::test]
async fn a_free_course_is_a_price_and_not_the_lack_of_one() {
    let school = School::open().await;
    let (staff, student) = (school.staff().await, school.student().await);
    let course = school.course(&staff, "ENG4U", json!(0)).await;
    let id = student.enroll(course).await.json()["id"].clone();
    set_price(&staff, course, json!(700)).await;
    approve(&staff, &id, &json!({})).await.expect(StatusCode::OK);
    assert_eq!(
        (due(&staff).await, unpriced(&staff).await, shown(&student).await),
        (json!(0), json!(0), json!(0))
    );
    let mail = school.mail(&student.email, "Your enrollment is approved").await;
    assert!(mail.text.contains("Price: Free of charge\r\n") && !mail.text.contains("Due:"), "{}", mail.text);
}

#[tokio::test]
async fn an_approval_without_a_price_stays_unpriced_until_the_office_posts_the_charge() {
    let school = School::open().await;
    let (staff, student) = (school.staff().await, school.student().await);
    let course = school.course(&staff, "ENG4U", json!(null)).await;
    let id = student.enroll(course).await.json()["id"].clone();
    let mail = school.mail(&student.email, "We have your enrollment request").await;
    assert!(mail.text.contains("Price: Not set yet."), "{}", mail.text);
    approve(&staff, &id, &json!({})).await.expect(StatusCode::OK);
    assert_eq!((due(&staff).await, unpriced(&staff).await), (json!(0), json!(1)));
    set_price(&staff, course, json!(480)).await;
    assert_eq!(
        (due(&staff).await, unpriced(&staff).await),
        (json!(0), json!(1)),
        "pricing it changes nothing"
    );
    assert_eq!(shown(&student).await, json!(null));

    let bursar = school.staff_as(Role::Bursar).await;
    let rows = bursar.get("/api/admin/enrollments/unpriced").await.expect(StatusCode::OK).json();
    assert_eq!(rows.as_array().unwrap().len(), 1);
    assert_eq!(
        (&rows[0]["id"], &rows[0]["current_fee"], &rows[0]["usual_due_on"]),
        (&id, &json!(480), &json!("2026-12-05"))
    );
    let charges = format!("/api/admin/students/{}/charges", student.id);
    let fields = bursar.post(&charges, &json!({ "amount": 0, "dueOn": "2026-11-20" })).await.fields();
    assert_eq!(
        fields,
        json!({ "enrollmentId": "Enrollment is required",
            "amount": "Amount must be more than $0.00 and at most $99,999,999.99, with at most two decimals",
            "dueOn": "Due date must be today or later" })
    );
    let body = json!({ "enrollmentId": id, "amount": 480 });
    let registrar = school.staff_as(Role::Registrar).await;
    registrar.post(&charges, &body).await.expect(StatusCode::FORBIDDEN);
    let elsewhere = format!("/api/admin/students/{}/charges", student.id + 1);
    bursar.post(&elsewhere, &body).await.expect(StatusCode::NOT_FOUND);
    let charged = bursar.post(&charges, &body).await.expect(StatusCode::CREATED).json();
    assert_eq!(
        (&charged["entry"]["amount"], &charged["entry"]["description"], &charged["item"]["due"]),
        (&json!(480), &json!("A course"), &json!(480))
    );
    assert_eq!((due(&staff).await, unpriced(&staff).await), (json!(480), json!(0)));
    // The list's own call charges what has no price and nothing else.
    let again =
        json!({ "rows": [{ "enrollmentId": id, "amount": 480 }, { "enrollmentId": 999, "amount": 1 }] });
    let again = bursar.post("/api/admin/charges", &again).await.expect(StatusCode::OK).json();
    assert_eq!((&again["results"][0]["status"], &again["results"][1]["status"]), (&json!(409), &json!(404)));
    assert!(again["results"][0]["message"].as_str().unwrap().starts_with("It already has a price"));
    assert_eq!(due(&staff).await, 480, "a second press charges nothing");
    assert_eq!(shown(&student).await, 480);
    let mail = school.mail(&student.email, "The fee of your course").await;
    assert!(mail.text.contains("Price: $480.00\r\nDue: December 5, 2026\r\n"), "{}", mail.text);
    assert_eq!(
        school.count("select count(*) from audit where action = 'charge' and object = 'enrollment'"),
        1
    );

    // A student who left without a price has none, and is charged by itself.
    let unpriced_id =
        student.enroll(school.course(&staff, "MHF4U", json!(null)).await).await.json()["id"].clone();
    staff
        .post(&format!("/api/admin/enrollments/{unpriced_id}/approve"), &json!({}))
        .await
        .expect(StatusCode::OK);
    let leave =
        json!({ "reason": "The family has moved away", "effectiveOn": "2026-11-21", "refund": "none" });
    let withdraw = format!("/api/admin/enrollments/{unpriced_id}/withdraw");
    staff.post(&withdraw, &leave).await.expect(StatusCode::OK);
    let left = json!({ "rows": [{ "enrollmentId": unpriced_id, "amount": 480 }] });
    let left = bursar.post("/api/admin/charges", &left).await.expect(StatusCode::OK).json();
    let said = left["results"][0]["message"].as_str().unwrap();
    assert!(said.starts_with("The student is not in this course"), "{said}");
}

#[tokio::test]
async fn a_stale_decision_is_answered_with_the_current_state_and_a_repetition_changes_nothing() {
    let school = School::open().await;
    let (staff, student) = (school.staff().await, school.student().await);
    let course = school.course(&staff, "ENG4U", json!(500)).await;
    let id = student.enroll(course).await.json()["id"].clone();
    let answer =
        approve(&staff, &id, &json!({ "expected": "waitlisted" })).await.expect(StatusCode::CONFLICT);
    assert_eq!(
        (answer.message(), &answer.json()["current"]["status"]),
        ("This enrollment is now pending.".into(), &json!("pending"))
    );
    approve(&staff, &id, &json!({ "expected": "pending" })).await.expect(StatusCode::OK);
    let again = approve(&staff, &id, &json!({ "expected": "pending", "price": "current" })).await;
    assert_eq!(again.expect(StatusCode::OK).json()["isChanged"], false);
    assert_eq!(school.count("select count(*) from ledger"), 1);
    assert_eq!(school.count("select count(*) from enrollment_events where to_status = 'active'"), 1);
    school.database().execute("update enrollments set status = 'withdrawn'", []).unwrap();
    let answer = approve(&staff, &id, &json!({})).await.expect(StatusCode::CONFLICT);
    assert_eq!(answer.json()["current"]["status"], "withdrawn");
}

/// Many histories of prices, requests and approvals: the card is the sum of what the students read.
#[tokio::test]
async fn the_card_is_the_sum_of_what_the_students_read() {
    let school = School::open().await;
    let mut staff = school.staff().await;
    let students = [school.student().await, school.student().await, school.student().await];
    let mut courses = Vec::new();
    for number in 0..12 {
        courses.push(school.course(&staff, &format!("A{number:02}4U"), json!(null)).await);
    }
    // The same histories each time.
    let mut rng = fastrand::Rng::with_seed(42);
    for _ in 0..150 {
        let (course, student) = (*rng.choice(&courses).unwrap(), rng.choice(&students).unwrap());
        match rng.u8(..5) {
            0 => {
                let price =
                    if rng.u8(..4) == 0 { json!(null) } else { json!(f64::from(rng.u32(..90_000)) / 100.0) };
                set_price(&staff, course, price).await;
            }
            1 | 2 => drop(student.enroll(course).await),
            3 => {
                school.advance(SignedDuration::from_hours(36));
                staff = school.staff().await;
            }
            _ => {
                let rows = staff.get("/api/admin/enrollments/pending").await.json();
                let rows = rows.as_array().unwrap();
                if rows.is_empty() {
                    continue;
                }
                let row = rng.choice(rows).unwrap();
                let before = due(&staff).await.as_f64().unwrap();
                approve(&staff, &row["id"], &json!({})).await.expect(StatusCode::OK);
                let fee = row["course_fee"].as_f64().unwrap_or(0.0);
                let after = due(&staff).await.as_f64().unwrap();
                assert!((after - before - fee).abs() < 0.001, "{before} + {fee} is not {after}: {row}");
            }
        }
    }
    let (mut sum, mut without) = (0.0, 0);
    for student in &students {
        let own = student.get("/api/students/enrollments").await.json();
        for one in own.as_array().unwrap().iter().filter(|one| one["status"] == "active") {
            sum += one["course"]["price"].as_f64().unwrap_or(0.0);
            without += i64::from(one["course"]["price"].is_null());
        }
    }
    let figures = staff.get("/api/admin/dashboard").await.json();
    assert!(sum > 0.0 && (figures["totalFeeDue"].as_f64().unwrap() - sum).abs() < 0.001, "{figures} {sum}");
    assert_eq!(figures["unpricedEnrollmentsCount"], without);
    assert!(without > 0, "some were approved without a price");
}
