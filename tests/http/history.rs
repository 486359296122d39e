//! History: requests, decisions and profile changes are appended, never overwritten.

use jiff::SignedDuration;
use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::support::{School, profile};

#[tokio::test]
async fn a_repeated_request_is_a_new_row_and_the_first_keeps_its_reason() {
    let school = School::open().await;
    let (staff, student) = (school.staff().await, school.student().await);
    let course = school.course(&staff, "ENG4U", json!(500)).await;
    let first = student.enroll(course).await.json()["id"].as_i64().unwrap();
    let refusal = json!({ "reason": "The class is full." });
    staff.post(&format!("/api/admin/enrollments/{first}/decline"), &refusal).await.expect(StatusCode::OK);
    let again = student.enroll(course).await.expect(StatusCode::CREATED).json();
    assert_ne!(again["id"], first);
    assert_eq!((&again["repeatOf"], &again["status"]), (&json!(first), &json!("pending")));
    let own = student.get("/api/students/enrollments").await.json();
    assert_eq!(own.as_array().unwrap().len(), 2);
    let declined = own.as_array().unwrap().iter().find(|one| one["id"] == first).unwrap();
    assert_eq!(
        (&declined["status"], &declined["reason"], &declined["decidedAt"]),
        (&json!("declined"), &json!("The class is full."), &json!("2026-11-21T15:00:00Z"))
    );
}

#[tokio::test]
async fn every_transition_leaves_an_event_that_nothing_can_change() {
    let school = School::open().await;
    let (staff, student) = (school.staff().await, school.student().await);
    let course = school.course(&staff, "ENG4U", json!(500)).await;
    let first = student.enroll(course).await.json()["id"].clone();
    student
        .post(&format!("/api/students/enrollments/{first}/withdraw"), &json!({}))
        .await
        .expect(StatusCode::OK);
    let second = student.enroll(course).await.expect(StatusCode::CREATED).json()["id"].clone();
    staff.post(&format!("/api/admin/enrollments/{second}/approve"), &json!({})).await.expect(StatusCode::OK);
    let database = school.database();
    let sql = "select enrollment_id || ' ' || actor_kind || ' ' || coalesce(user_id, '-') || ' '
        || coalesce(from_status, '-') || ' ' || to_status from enrollment_events order by id";
    let events: Vec<String> = database
        .prepare(sql)
        .unwrap()
        .query_map([], |row| row.get(0))
        .unwrap()
        .collect::<Result<_, _>>()
        .unwrap();
    assert_eq!(
        events,
        [
            format!("{first} student - - pending"),
            format!("{first} student - pending withdrawn"),
            format!("{second} student - - pending"),
            format!("{second} staff 1 pending active"),
        ]
    );
    assert!(database.execute("update enrollment_events set reason = 'x'", []).is_err());
    assert!(database.execute("delete from enrollment_events", []).is_err());
}

#[tokio::test]
async fn a_course_is_its_code_whatever_row_of_the_catalogue_has_it() {
    let school = School::open().await;
    let (staff, student) = (school.staff().await, school.student().await);
    let spring = school.course(&staff, "ENG4U-1", json!(500)).await;
    let winter = school.course(&staff, "ENG4U-2", json!(300)).await;
    let id = student.enroll(spring).await.expect(StatusCode::CREATED).json()["id"].clone();
    let refused = student.enroll(winter).await.expect(StatusCode::CONFLICT);
    assert_eq!(refused.message(), "You have already requested ENG4U-1, which is the same course.");
    staff.post(&format!("/api/admin/enrollments/{id}/approve"), &json!({})).await.expect(StatusCode::OK);
    // The row leaves the catalogue, and another one is created with the code.
    staff.delete(&format!("/api/admin/courses/{spring}")).await.expect(StatusCode::NO_CONTENT);
    let remade = school.course(&staff, "ENG4U-1", json!(500)).await;
    let refused = student.enroll(remade).await.expect(StatusCode::CONFLICT);
    assert_eq!(refused.message(), "You are already enrolled in ENG4U-1, which is the same course.");
    student.enroll(school.course(&staff, "ENG3U", json!(1)).await).await.expect(StatusCode::CREATED);

    // All at once, one of them counts.
    let other = school.student().await;
    let (a, b, c) = tokio::join!(other.enroll(winter), other.enroll(remade), other.enroll(winter));
    let created = [a, b, c].iter().filter(|answer| answer.status == StatusCode::CREATED).count();
    assert_eq!(created, 1);
}

#[tokio::test]
async fn dates_far_from_today_are_refused_with_the_rule() {
    let school = School::open().await;
    let (staff, student) = (school.staff().await, school.student().await);
    let course = school.course(&staff, "ENG4U", json!(500)).await;
    let dates = student.get("/api/students/enrollments/dates").await.expect(StatusCode::OK).json();
    let limits = json!([dates["earliestStart"], dates["latestStart"], dates["maxMonths"]]);
    assert_eq!(limits, json!(["2026-09-26", "2028-05-21", 24]));
    for (start, end, fields) in [
        (
            "1999-01-01",
            "1999-02-01",
            json!({ "startDate": "Start date must be September 26, 2026 or later, at most 8 weeks back" }),
        ),
        (
            "2028-05-22",
            "2028-09-01",
            json!({ "startDate": "Start date must be May 21, 2028 or earlier, at most 18 months ahead" }),
        ),
        (
            "2026-12-01",
            "2199-12-31",
            json!({ "endDate": "End date must be at most 24 months after start date" }),
        ),
    ] {
        let body = json!({ "courseId": course, "startDate": start, "endDate": end });
        assert_eq!(student.post("/api/students/enrollments", &body).await.fields(), fields, "{start} {end}");
    }
    let body = json!({ "courseId": course, "startDate": "2026-09-26", "endDate": "2028-09-26" });
    student.post("/api/students/enrollments", &body).await.expect(StatusCode::CREATED);
}

#[tokio::test]
async fn corrections_within_the_hour_are_one_row_and_a_day_has_a_hundred() {
    let school = School::open().await;
    let student = school.student().await;
    student.patch("/api/students/me", &profile(&student.email)).await.expect(StatusCode::OK);
    let rows = |field: &str| format!("select count(*) from student_history where field = '{field}'");
    let rename =
        async |field: &str, value: String| student.patch("/api/students/me", &json!({ field: value })).await;
    for number in 0..5 {
        rename("city", format!("Town {number}")).await.expect(StatusCode::OK);
    }
    let kept = "select coalesce(before, 'none') || '>' || after from student_history where field = 'city'";
    let kept: String = school.database().query_row(kept, [], |row| row.get(0)).unwrap();
    assert_eq!((kept, school.count(&rows("city"))), ("none>Town 4".to_owned(), 1));
    school.advance(SignedDuration::from_hours(2));
    rename("city", "Elsewhere".into()).await.expect(StatusCode::OK);
    assert_eq!(school.count(&rows("city")), 2, "the hour is over");
    // What the office looks at again stays row by row.
    let first = school.count("select count(*) from student_history where at > unixepoch('2026-11-20')");
    for number in first..100 {
        rename("fullName", format!("Amara {}", ["A", "B"][usize::try_from(number % 2).unwrap()]))
            .await
            .expect(StatusCode::OK);
    }
    let refused = rename("fullName", "Amara C".into()).await.expect(StatusCode::TOO_MANY_REQUESTS);
    assert!(refused.message().starts_with("Too many attempts"), "{}", refused.message());
    rename("city", "Nowhere".into()).await.expect(StatusCode::OK);
    school.advance(SignedDuration::from_hours(25));
    rename("fullName", "Amara C".into()).await.expect(StatusCode::OK);
}

#[tokio::test]
async fn a_changed_name_leaves_a_trace_and_after_an_approval_the_office_and_the_student_hear_of_it() {
    let school = School::open().await;
    let (staff, student) = (school.staff().await, school.student().await);
    let course = school.course(&staff, "ENG4U", json!(500)).await;
    student.patch("/api/students/me", &profile(&student.email)).await.expect(StatusCode::OK);
    let trace = "select count(*) from student_history";
    let first = school.count(trace);
    assert_eq!(first, 9, "the first profile, field by field");
    student.patch("/api/students/me", &json!({ "fullName": "Amara O." })).await.expect(StatusCode::OK);
    assert_eq!(school.count(trace), first + 1);
    student.patch("/api/students/me", &json!({ "fullName": "Amara O." })).await.expect(StatusCode::OK);
    assert_eq!(school.count(trace), first + 1, "nothing changed");
    let changes =
        || async { staff.get("/api/admin/students/identity-changes").await.expect(StatusCode::OK).json() };
    let count = || async { staff.get("/api/admin/dashboard").await.json()["identityChangesCount"].clone() };
    assert_eq!((changes().await, count().await), (json!([]), json!(0)), "she was not checked before");

    let id = student.enroll(course).await.json()["id"].clone();
    staff.post(&format!("/api/admin/enrollments/{id}/approve"), &json!({})).await.expect(StatusCode::OK);
    student.patch("/api/students/me", &json!({ "address": "1 Other Road" })).await.expect(StatusCode::OK);
    assert_eq!(count().await, 0, "an address says nothing about who she is");
    let body = json!({ "fullName": "Another Name", "dateOfBirth": "2008-03-01" });
    student.patch("/api/students/me", &body).await.expect(StatusCode::OK);
    let mail = school.mail(&student.email, "Your personal details were changed").await;
    assert!(mail.text.contains("Full name, Date of birth."), "{}", mail.text);
    let listed = changes().await;
    assert_eq!(count().await, 1);
    assert_eq!((&listed[0]["id"], &listed[0]["fullName"]), (&json!(student.id), &json!("Another Name")));
    let fields: Vec<&Value> =
        listed[0]["changes"].as_array().unwrap().iter().map(|one| &one["field"]).collect();
    assert!(fields.contains(&&json!("fullName")) && fields.contains(&&json!("dateOfBirth")), "{listed}");
    let renamed = listed[0]["changes"].as_array().unwrap().iter().find(|one| one["after"] == "Another Name");
    assert_eq!(renamed.unwrap()["before"], "Amara O.");

    // The next request of hers says so in the list, and approving it confirms nothing.
    let other = school.course(&staff, "MHF4U", json!(1)).await;
    let id = student.enroll(other).await.json()["id"].clone();
    let row = staff.get("/api/admin/enrollments/pending").await.json()[0].clone();
    assert_eq!(row["identity_changed"], true);
    staff.post(&format!("/api/admin/enrollments/{id}/approve"), &json!({})).await.expect(StatusCode::OK);
    assert_eq!(count().await, 1);
    let confirm = format!("/api/admin/students/{}/confirm-identity", student.id);
    for _ in 0..2 {
        staff.post(&confirm, &json!({})).await.expect(StatusCode::NO_CONTENT);
    }
    assert_eq!((changes().await, count().await), (json!([]), json!(0)));
    assert_eq!(school.count("select count(*) from audit where action = 'confirm identity'"), 1);
    let database = school.database();
    assert!(database.execute("update student_history set after = 'x'", []).is_err());
    assert!(database.execute("delete from student_history", []).is_err());
}

#[tokio::test]
async fn a_confirmation_of_outdated_details_is_refused() {
    let school = School::open().await;
    let (staff, student) = (school.staff().await, school.student().await);
    student.patch("/api/students/me", &profile(&student.email)).await.expect(StatusCode::OK);
    let course = school.course(&staff, "ENG4U", json!(500)).await;
    let id = student.enroll(course).await.json()["id"].clone();
    staff.post(&format!("/api/admin/enrollments/{id}/approve"), &json!({})).await.expect(StatusCode::OK);
    let rename = async |name: &str| {
        school.advance(jiff::SignedDuration::from_secs(60));
        student.patch("/api/students/me", &json!({ "fullName": name })).await.expect(StatusCode::OK);
    };
    let list = async || staff.get("/api/admin/students/identity-changes").await.expect(StatusCode::OK).json();
    rename("Amara O.").await;
    let seen = list().await[0]["changedAt"].clone();
    assert_eq!(seen, "2026-11-21T15:01:00Z");
    rename("Another Name").await;
    let confirm = format!("/api/admin/students/{}/confirm-identity", student.id);
    let refused = staff.post(&confirm, &json!({ "changedAt": seen })).await.expect(StatusCode::CONFLICT);
    assert_eq!(
        refused.message(),
        "This student changed these details again. Please look at them once more before you confirm them."
    );
    let waiting = list().await;
    assert_eq!(waiting[0]["fullName"], "Another Name", "it still waits");
    let fields = staff.post(&confirm, &json!({ "changedAt": "soon" })).await.fields();
    assert_eq!(fields, json!({ "changedAt": "Must be an instant such as 2026-11-21T15:00:00Z" }));
    let body = json!({ "changedAt": waiting[0]["changedAt"] });
    for _ in 0..2 {
        staff.post(&confirm, &body).await.expect(StatusCode::NO_CONTENT);
    }
    assert_eq!(list().await, json!([]));
}

#[tokio::test]
async fn a_profile_is_completed_from_abroad() {
    let school = School::open().await;
    let student = school.student().await;
    let mut form = profile(&student.email);
    for (name, value) in [
        ("country", json!("HK")),
        ("city", json!("Kowloon")),
        ("province", json!(null)),
        ("postalCode", json!(null)),
        ("phoneNumber", json!("+852 5555 0142")),
    ] {
        form[name] = value;
    }
    let saved = student.patch("/api/students/me", &form).await.expect(StatusCode::OK).json();
    assert_eq!(
        (&saved["country"], &saved["province"], &saved["postalCode"]),
        (&json!("HK"), &json!(null), &json!(null))
    );
    let moved = json!({ "country": "GB", "province": "Greater London", "postalCode": "SW1A 1AA" });
    let saved = student.patch("/api/students/me", &moved).await.expect(StatusCode::OK).json();
    assert_eq!((&saved["province"], &saved["postalCode"]), (&json!("Greater London"), &json!("SW1A 1AA")));
    let fields = student.patch("/api/students/me", &json!({ "country": "CA" })).await.fields();
    assert_eq!(
        fields,
        json!({ "province": "Province is required", "postalCode": "Postal code is required" })
    );
    let home = json!({ "country": "CA", "province": "ON", "postalCode": "m5v0a0" });
    let saved = student.patch("/api/students/me", &home).await.expect(StatusCode::OK).json();
    assert_eq!((&saved["province"], &saved["postalCode"]), (&json!("ON"), &json!("M5V 0A0")));
}
