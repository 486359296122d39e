//! The contact form: stored, confirmed, and copied to the school.

use reqwest::StatusCode;
use serde_json::json;

use crate::support::School;

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
