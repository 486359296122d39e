//! Applications for a place.

mod doors;
mod family;
mod identities;
mod invitations;
mod many_offers;
mod offers;
mod office;
mod page;
mod parts;
mod questions;
mod reviewers;

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::support::{Actor, School};

/// An application for a student under 18, under this family's address.
pub fn application(first_name: &str, mailbox: &str) -> Value {
    json!({ "firstName": first_name, "lastName": "Tanaka", "email": format!("{mailbox}@mail.example"),
        "phone": "647 555 0199", "address": "88 Sample Crescent, Toronto", "grade": 11,
        "dateOfBirth": "2010-03-01", "guardianName": "Emi Tanaka",
        "guardianEmail": format!("{mailbox}.mother@mail.example"), "consents": ["privacy"] })
}

/// Applies, and returns the reference.
pub async fn apply(visitor: &Actor, body: &Value) -> String {
    let answer = visitor.post("/api/applications", body).await.expect(StatusCode::CREATED).json();
    assert_eq!(answer.as_object().unwrap().len(), 1, "the reference and nothing else");
    answer["reference"].as_str().unwrap().to_owned()
}

/// The number of the application with a reference.
pub async fn number(staff: &Actor, reference: &str) -> i64 {
    let found =
        staff.get(&format!("/api/admin/admission-requests?q={reference}")).await.expect(StatusCode::OK);
    assert_eq!(found.total(), 1, "{reference}");
    found.json()[0]["id"].as_i64().unwrap()
}

/// The office's call about an application.
pub fn call(id: i64, verb: &str) -> String {
    format!("/api/admin/admission-requests/{id}/{verb}")
}

/// Opens the application by the link in an email, in a browser of its own.
pub async fn open(school: &School, to: &str, subject: &str) -> Actor {
    let token = school.mail(to, subject).await.token("/application/");
    let family = school.visitor();
    family.post("/api/applications/session", &json!({ "token": token })).await.expect(StatusCode::OK);
    family
}
