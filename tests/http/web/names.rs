//! Names of people: what is typed for one goes out in the school's letters.

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::admissions::application;
use crate::support::{School, profile};

const WRONG: [&str; 6] = [
    "Win at https://pills.example",
    "www.pills.example",
    "pills@pills.example",
    "\u{3164}\u{115F}\u{FE0F}",
    "\u{200B}\u{202E}\u{2800}",
    "--- ...",
];

#[tokio::test]
async fn no_form_takes_an_address_or_an_invisible_text_for_a_name() {
    let school = School::open().await;
    let (visitor, student, staff) = (school.visitor(), school.student().await, school.staff().await);
    let with = |mut body: Value, field: &str, name: &str| {
        body[field] = name.into();
        body
    };
    for name in WRONG {
        for field in ["firstName", "lastName", "guardianName"] {
            let body = with(application("Mei", "names"), field, name);
            let refused = visitor.post("/api/applications", &body).await.expect(StatusCode::BAD_REQUEST);
            assert!(refused.fields()[field].is_string(), "{field} {name:?}");
        }
        let refused = visitor.send(visitor.message(name, "li@mail.example", "May I join the school?")).await;
        assert!(refused.expect(StatusCode::BAD_REQUEST).fields()["name"].is_string(), "{name:?}");
        let refused =
            student.patch("/api/students/me", &with(profile(&student.email), "fullName", name)).await;
        assert!(refused.expect(StatusCode::BAD_REQUEST).fields()["fullName"].is_string(), "{name:?}");
        let rows = json!([{ "name": name, "email": "mother@mail.example" }]);
        let refused = student.send(student.request("PUT", "/api/students/guardians").json(&rows)).await;
        assert!(refused.expect(StatusCode::BAD_REQUEST).fields()["0.name"].is_string(), "{name:?}");
        let body = json!({ "fullName": name, "email": "new@mail.example" });
        let refused = staff.post("/api/admin/students", &body).await.expect(StatusCode::BAD_REQUEST);
        assert!(refused.fields()["fullName"].is_string(), "{name:?}");
    }
}
