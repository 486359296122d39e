//! The contact form (stored, confirmed, copied to the school) and the office's list of messages.

mod replies;

use reqwest::{RequestBuilder, StatusCode};
use schoolhouse::testing::Role;
use serde_json::json;

use crate::support::{Actor, School};

#[tokio::test]
async fn a_message_is_kept_confirmed_and_copied_to_the_school() {
    let school = School::open().await;
    let body = json!({ "name": "Zoë <Li>", "email": "zoe@mail.example", "phone": "+86 10 5555 0142",
        "subject": "admission", "message": "May I join in January?\n\nThank you & <b>goodbye</b>" });
    let answer = school.visitor().post("/api/contact", &body).await.expect(StatusCode::OK);
    assert_eq!(
        answer.message(),
        "Thank you for your message. A confirmation email has been sent to your inbox."
    );

    let confirmation = school.mail("zoe@mail.example", "We have your message").await;
    assert!(confirmation.text.contains("Admission Inquiry"), "{}", confirmation.text);
    assert!(!confirmation.text.contains("January"), "a stranger's words are not mailed on");

    let copy = school.mail("office@northgate.example", "Admission Inquiry: Zoë <Li>").await;
    assert_eq!(copy.reply_to.as_deref(), Some("zoe@mail.example"));
    assert!(
        copy.text.contains("May I join in January?") && copy.text.contains("+86 10 5555 0142"),
        "{}",
        copy.text
    );
    assert!(copy.html.contains("Thank you &amp; &lt;b&gt;goodbye&lt;/b&gt;"), "{}", copy.html);
    assert_eq!(school.count("select count(*) from contact_messages where status = 'new'"), 1);
}

#[tokio::test]
async fn broken_rules_are_named_and_nothing_is_kept_or_sent() {
    let school = School::open().await;
    let fields = school.visitor().post("/api/contact", &json!({})).await.fields();
    assert_eq!(
        fields,
        json!({ "name": "Name must be at least 2 characters",
        "email": "Please enter a valid email address", "subject": "Please select a subject",
        "message": "Message must be at least 10 characters" })
    );
    assert_eq!(school.count("select count(*) from contact_messages"), 0);
    assert_eq!(school.count("select count(*) from outbox"), 0);
}

/// A message as a browser without scripts sends it.
fn form(visitor: &Actor, fields: &str) -> RequestBuilder {
    let form = visitor.request("POST", "/contact").body(fields.to_owned());
    form.header("content-type", "application/x-www-form-urlencoded")
}

#[tokio::test]
async fn a_form_without_scripts_is_taken_once_and_refused_as_a_page_that_keeps_it() {
    let school = School::open_with(|config| config.limits.contacts_per_hour = 1).await;
    let visitor = school.visitor();
    let fields =
        "name=Zo%C3%AB&email=zoe%40mail.example&phone=&subject=general&message=May+I%0D%0Ajoin%3F+%3Cb%3E";
    let short = fields.replace("May+I%0D%0Ajoin%3F+%3Cb%3E", "%3C%2Fb%3E");
    let refused = visitor.send(form(&visitor, &short)).await.expect(StatusCode::BAD_REQUEST);
    let html = refused.text();
    assert_eq!(refused.header("content-type"), "text/html; charset=utf-8");
    assert!(refused.header("content-security-policy").contains("'sha256-"));
    assert_eq!(refused.header("cache-control"), "private, no-store");
    assert!(html.contains("Message must be at least 10 characters") && html.contains("&lt;/b&gt;"), "{html}");
    assert!(
        html.contains("value=\"zoe@mail.example\"") && html.contains("value=\"general\" selected"),
        "{html}"
    );
    assert!(!html.contains("<script type=\"module\"") && !html.contains("id=\"boot\""), "{html}");
    assert_eq!(school.count("select count(*) from contact_messages"), 0);

    let sent = visitor.send(form(&visitor, fields)).await.expect(StatusCode::OK);
    assert!(
        sent.text().contains("Message Sent"),
        "the browser is sent on to a page that can be loaded again"
    );
    let staff = school.staff().await;
    let list = staff.get("/api/admin/messages").await;
    assert_eq!(list.column("message"), [json!("May I\njoin? <b>")]);

    let limited = visitor.send(form(&visitor, fields)).await.expect(StatusCode::TOO_MANY_REQUESTS);
    let html = limited.text();
    assert!(
        html.contains("then try again. What you wrote is still here.") && html.contains("join? &lt;b&gt;"),
        "{html}"
    );
    let foreign = form(&visitor, fields).header("sec-fetch-site", "cross-site");
    visitor.send(foreign).await.expect(StatusCode::FORBIDDEN);
    let json = visitor.request("POST", "/contact").json(&json!({}));
    visitor.send(json).await.expect(StatusCode::UNSUPPORTED_MEDIA_TYPE);
    assert_eq!(school.count("select count(*) from contact_messages"), 1);
}

#[tokio::test]
async fn a_form_without_scripts_may_be_as_long_in_any_script_and_hears_when_it_is_too_long() {
    let school = School::open().await;
    let visitor = school.visitor();
    let fields = |signs| {
        format!("name=Li+Wei&email=li%40mail.example&subject=other&message={}", "%E5%AD%A6".repeat(signs))
    };
    visitor.send(form(&visitor, &fields(10_000))).await.expect(StatusCode::OK);
    let refused = visitor.send(form(&visitor, &fields(30_000))).await.expect(StatusCode::PAYLOAD_TOO_LARGE);
    let html = refused.text();
    assert!(html.contains("Please shorten it, and try again. What you wrote is where Back"), "{html}");
    assert_eq!(school.count("select count(*) from contact_messages"), 1);
}

/// A school with three messages, an hour apart; the numbers are those of their order.
async fn school_with_messages() -> School {
    let school = School::open().await;
    for (name, email, text) in [
        ("Zoë Müller", "zoe@mail.example", "Do you teach physics?"),
        ("José Núñez", "jose@mail.example", "Where do I send the transcript?"),
        ("Li Wei", "li.wei@mail.example", "Is physics taught by Ms Müller?"),
    ] {
        school.visitor().write_message(name, email, text).await.expect(StatusCode::OK);
        school.advance(jiff::SignedDuration::from_hours(1));
    }
    school
}

#[tokio::test]
async fn staff_read_and_search_messages_of_visitors() {
    let school = school_with_messages().await;
    let staff = school.staff_as(Role::Registrar).await;
    let list = staff.get("/api/admin/messages").await.expect(StatusCode::OK);
    assert_eq!(
        (list.column("name"), list.total()),
        (vec!["Li Wei".into(), "José Núñez".into(), "Zoë Müller".into()], 3)
    );
    assert_eq!(
        list.json()[2],
        json!({ "id": 1, "name": "Zoë Müller", "email": "zoe@mail.example", "phone": null,
        "subject": "general", "message": "Do you teach physics?", "status": "new",
        "createdAt": "2026-11-21T15:00:00Z", "reference": list.json()[2]["reference"], "firstReplyAt": null, "assigneeId": null,
        "assignee": null, "requestId": null })
    );
    for (query, ids) in [
        ("?q=muller", json!([3, 1])),
        ("?q=MULLER%20zoe", json!([1])),
        ("?q=li.wei", json!([3])),
        ("?q=nunez+send&page=1", json!([2])),
        ("?q=general", json!([])),
        ("?status=new&q=physics", json!([3, 1])),
        ("?status=spam", json!([])),
    ] {
        let found = staff.get(&format!("/api/admin/messages{query}")).await.expect(StatusCode::OK);
        assert_eq!(json!(found.column("id")), ids, "{query}");
    }
}

#[tokio::test]
async fn one_message_is_read_by_its_number() {
    let school = school_with_messages().await;
    let staff = school.staff_as(Role::Registrar).await;
    let message = staff.get("/api/admin/messages/2").await.expect(StatusCode::OK).json();
    let mut row = staff.get("/api/admin/messages").await.json()[1].clone();
    let thread = json!({ "studentId": null, "studentNumber": null, "replies": [], "notes": [],
        "decidedAt": null, "undo": null });
    row.as_object_mut().unwrap().extend(thread.as_object().unwrap().clone());
    assert_eq!(message, row);
    let query = format!("/api/admin/messages?q={}", message["reference"].as_str().unwrap());
    assert_eq!(staff.get(&query).await.column("id"), [json!(2)], "people quote it");
    for number in ["4", "0", "-1", "two", "99999999999999999999"] {
        let answer = staff.get(&format!("/api/admin/messages/{number}")).await;
        assert_eq!(answer.expect(StatusCode::NOT_FOUND).message(), "Message not found", "{number}");
    }
    school.student().await.get("/api/admin/messages/2").await.expect(StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn a_message_is_marked_read_and_unread_and_each_real_change_is_recorded() {
    let school = school_with_messages().await;
    let staff = school.staff_as(Role::Registrar).await;
    let audit = "select count(*) from audit where object = 'message'";
    let (read, unread) = ("/api/admin/messages/2/read", "/api/admin/messages/2/unread");
    assert_eq!(staff.get("/api/admin/dashboard").await.json()["newMessagesCount"], 3);

    let before = staff.post(unread, &json!({})).await.expect(StatusCode::OK).json();
    assert_eq!((&before["status"], school.count(audit)), (&json!("new"), 0));
    let opened = staff.post(read, &json!({})).await.expect(StatusCode::OK).json();
    let mut expected = before.clone();
    expected["status"] = "open".into();
    assert_eq!(opened, expected);
    assert_eq!(staff.post(read, &json!({})).await.expect(StatusCode::OK).json(), opened, "again is no error");
    assert_eq!(school.count(audit), 1);
    assert_eq!(staff.get("/api/admin/dashboard").await.json()["newMessagesCount"], 2);
    assert_eq!(staff.get("/api/admin/messages?status=open").await.json(), json!([opened]));

    assert_eq!(staff.post(unread, &json!({})).await.expect(StatusCode::OK).json(), before);
    assert_eq!(school.count(audit), 2);
    let recorded: (String, String, String) = school
        .database()
        .query_row("select actor, action, detail from audit where object = 'message' and id > 1", [], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?))
        })
        .unwrap();
    assert_eq!(recorded.0, staff.get("/api/user").await.json()["username"]);
    assert_eq!((&*recorded.1, &*recorded.2), ("unread", r#"{"from":"open","to":"new"}"#));
}

#[tokio::test]
async fn a_message_past_reading_is_not_marked_any_more() {
    let school = school_with_messages().await;
    let staff = school.staff().await;
    for (status, words) in [
        ("replied", "This message has been answered and can no longer be marked as"),
        ("closed", "This message is closed and can no longer be marked as"),
        ("spam", "This message is marked as spam and can no longer be marked as"),
    ] {
        school.database().execute("update contact_messages set status = ? where id = 1", [status]).unwrap();
        for mark in ["read", "unread"] {
            let answer = staff.post(&format!("/api/admin/messages/1/{mark}"), &json!({})).await;
            assert_eq!(answer.expect(StatusCode::CONFLICT).message(), format!("{words} {mark}."));
        }
    }
    for id in ["77", "x", "99999999999999999999"] {
        let answer = staff.post(&format!("/api/admin/messages/{id}/read"), &json!({})).await;
        assert_eq!(answer.expect(StatusCode::NOT_FOUND).message(), "Message not found");
    }
    let viewer = school.staff_as(Role::Viewer).await;
    viewer.post("/api/admin/messages/2/read", &json!({})).await.expect(StatusCode::FORBIDDEN);
    assert_eq!(school.count("select count(*) from contact_messages where status = 'open'"), 0);
    assert_eq!(school.count("select count(*) from audit where object = 'message'"), 0);
}
