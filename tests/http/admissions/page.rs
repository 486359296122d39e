//! The application and the lost link as a browser without scripts sends them.

use reqwest::StatusCode;
use reqwest::redirect::Policy;

use super::apply;
use crate::support::{Actor, Answer, School, browser};

async fn submit(actor: &Actor, address: &str, fields: &[(&str, &str)]) -> Answer {
    let form = form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
    let request = actor.request("POST", address).body(form);
    actor.send(request.header("content-type", "application/x-www-form-urlencoded")).await
}

/// A browser that does not follow redirects.
fn visitor(school: &School) -> Actor {
    Actor::with(browser().redirect(Policy::none()), &school.url(""))
}

const FIELDS: [(&str, &str); 12] = [
    ("firstName", "Mei"),
    ("lastName", "Tanaka"),
    ("dateOfBirth", "2010-03-01"),
    ("grade", "11"),
    ("email", "mei@mail.example"),
    ("phone", "+81 3 5555 0199"),
    ("country", "JP"),
    ("address", "1 Sample, <b>"),
    ("guardianName", "Emi Tanaka"),
    ("guardianEmail", "emi@mail.example"),
    ("wantedCourses", "eng4u; MHF4U"),
    ("relationship", ""),
];

/// A parent types the own birth date; the mother of a late learner is right.
#[tokio::test]
async fn a_form_without_scripts_asks_once_about_a_birth_date_that_is_no_students() {
    let school = School::open().await;
    let visitor = visitor(&school);
    let page = visitor.get("/apply").await.expect(StatusCode::OK).text();
    assert!(page.contains("name=\"askedBirthDate\""), "{page}");
    let mut form = [&FIELDS[..], &[("consents", "privacy")]].concat();
    form[2].1 = "1979-03-01";
    let first = [&form[..], &[("askedBirthDate", "")]].concat();
    let asked = submit(&visitor, "/apply", &first).await.expect(StatusCode::BAD_REQUEST).text();
    assert!(asked.contains("years old. If that is right, send the form again"), "{asked}");
    assert!(asked.contains("name=\"askedBirthDate\" value=\"1979-03-01\""), "{asked}");
    let second = [&form[..], &[("askedBirthDate", "1979-03-01")]].concat();
    submit(&visitor, "/apply", &second).await.expect(StatusCode::SEE_OTHER);
    assert_eq!(school.count("select count(*) from admission_requests where date_of_birth = '1979-03-01'"), 1);
}

/// A parent's browser offers the parent's own name and birth date.
#[tokio::test]
async fn no_browser_fills_in_the_fields_of_the_child_on_either_page() {
    let school = School::open().await;
    let visitor = visitor(&school);
    let drawn = visitor.get("/apply").await.expect(StatusCode::OK).text();
    let refused = submit(&visitor, "/apply", &FIELDS[..3]).await.expect(StatusCode::BAD_REQUEST).text();
    for html in [drawn, refused].map(|html| html.to_lowercase()) {
        let completes = |name: &str| {
            let tag = html.split('<').find(|tag| tag.contains(&format!("name=\"{}\"", name.to_lowercase())));
            let (_, rest) = tag.unwrap().split_once("autocomplete=\"").unwrap();
            rest.split('"').next().unwrap().to_owned()
        };
        for name in ["firstName", "lastName", "dateOfBirth", "guardianName"] {
            assert_eq!(completes(name), "off", "{name}");
        }
        assert_eq!(completes("address"), "street-address", "the family's are");
    }
}

#[tokio::test]
async fn a_form_without_scripts_is_refused_as_a_page_that_keeps_it_and_taken_once() {
    let school = School::open().await;
    let visitor = visitor(&school);
    let page = visitor.get("/apply").await.expect(StatusCode::OK).text();
    let (_, rest) = page.split_once("name=\"opened\" value=\"").unwrap();
    let opened = rest.split('"').next().unwrap();
    let consents = [("consents", "privacy"), ("consents", "marketing")];
    let count = || school.count("select count(*) from admission_requests");

    let soon = [&FIELDS[..], &consents, &[("opened", opened)]].concat();
    let refused = submit(&visitor, "/apply", &soon).await.expect(StatusCode::BAD_REQUEST);
    let html = refused.text();
    assert_eq!(refused.header("cache-control"), "private, no-store");
    assert!(html.contains("What you typed is still here.") && html.contains("Send Again"), "{html}");
    for kept in [
        "value=\"Mei\"",
        "value=\"JP\" selected",
        "value=\"11\" selected",
        "1 Sample, &lt;b&gt;",
        "value=\"eng4u; MHF4U\"",
        "value=\"privacy\" checked",
        "value=\"marketing\" checked",
        &format!("name=\"opened\" value=\"{opened}\""),
    ] {
        assert!(html.contains(kept), "{kept} in {html}");
    }
    assert!(!html.contains("What are you looking for?"), "what is wrong stands at the top");

    let without = submit(&visitor, "/apply", &FIELDS[1..]).await.expect(StatusCode::BAD_REQUEST).text();
    for (field, message) in [("firstName", "First name is required"), ("consents", "Privacy Policy")] {
        assert!(without.contains(&format!("id=\"apply-{field}-error\"")), "{without}");
        assert!(without.contains(message), "{without}");
    }
    assert_eq!(count(), 0);

    let form = [&FIELDS[..], &consents].concat();
    let sent = submit(&visitor, "/apply", &form).await.expect(StatusCode::SEE_OTHER);
    let address = sent.header("location").to_owned();
    let reference = address.strip_prefix("/apply?sent=").unwrap();
    let shown = visitor.get(&address).await.expect(StatusCode::OK).text();
    assert!(shown.contains(&format!("<strong>{reference}</strong>")), "{shown}");
    let again = submit(&visitor, "/apply", &form).await.expect(StatusCode::SEE_OTHER);
    assert_eq!(again.header("location"), address, "the same form is the same application");
    assert_eq!(count(), 1);
    assert_eq!(school.count("select count(*) from consents where request_id is not null"), 2);
    let courses = "select count(*) from admission_requests where wanted_courses = '[\"ENG4U\",\"MHF4U\"]'";
    assert_eq!(school.count(courses), 1);

    let robot = [&form[..], &[("website", "https://spam.example")]].concat();
    submit(&visitor, "/apply", &robot).await.expect(StatusCode::SEE_OTHER);
    assert_eq!(count(), 1, "the same form is the same application");
    let odd = visitor.get("/apply?sent=%3Cb%3E").await.expect(StatusCode::OK).text();
    assert!(odd.contains("Application for a Place") && !odd.contains("<b>"), "{odd}");
}

#[tokio::test]
async fn a_lost_link_is_asked_for_without_scripts() {
    let school = School::open().await;
    let visitor = visitor(&school);
    apply(&visitor, &super::application("Mei", "lost")).await;
    let wrong = submit(&visitor, "/application", &[("email", "lost@mail")]).await;
    let html = wrong.expect(StatusCode::BAD_REQUEST).text();
    assert!(html.contains("id=\"lost-email-error\"") && html.contains("value=\"lost@mail\""), "{html}");
    for address in ["lost@mail.example", "unknown@mail.example"] {
        let sent = submit(&visitor, "/application", &[("email", address)]).await;
        assert_eq!(sent.expect(StatusCode::SEE_OTHER).header("location"), "/application?sent");
    }
    let shown = visitor.get("/application?sent").await.expect(StatusCode::OK).text();
    assert!(shown.contains("Check Your Inbox") && shown.contains("noindex"), "{shown}");
}
