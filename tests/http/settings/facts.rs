//! The school's facts: set by the office or by the configuration, and never the sample's.

use reqwest::StatusCode;
use serde_json::{Value, json};

use super::{publish, put, save};
use crate::support::School;

#[tokio::test]
async fn the_office_sets_facts_and_pages_and_emails_say_them_from_then_on() {
    let school = School::open_with(crate::truth::four_lines).await;
    let (staff, visitor) = (school.staff().await, school.visitor());
    let page = staff.get("/api/admin/settings").await.json();
    assert_eq!(page["defaults"]["facts"]["phone"], "(613) 555-0155");
    assert_eq!((&page["defaults"]["facts"]["street"], &page["overrides"]), (&Value::Null, &json!([])));
    let wrong = json!({ "version": 0, "settings": { "facts": {
        "name": "X", "email": "absent", "phone": "call us now", "province": "Ontario", "foundedYear": 98,
    } } });
    let fields = put(&staff, &wrong).await.expect(StatusCode::BAD_REQUEST).fields();
    for field in ["name", "email", "phone", "province", "foundedYear"] {
        assert!(fields[format!("facts.{field}")].is_string(), "{field}: {fields}");
    }
    let facts = json!({
        "phone": "(613) 555-0199", "street": "9 Princess Street", "postalCode": "K7L 1A1",
        "inspectionId": "665544", "foundedYear": 2003,
    });
    let saved = save(&staff, json!({ "facts": facts })).await;
    assert_eq!(saved["changes"], json!(["School facts"]));
    assert_eq!(visitor.get("/api/school").await.json()["foundedYear"], Value::Null, "a draft is not public");
    let link = staff.post("/api/admin/settings/preview", &json!({})).await.json()["link"].clone();
    assert!(visitor.get(link.as_str().unwrap()).await.text().contains("Since 2003"));

    let published = publish(&staff, &saved).await;
    // An email that is written before a visitor has looked at any page.
    visitor.write_message("Zoë", "zoe@mail.example", "A question about the next semester.").await;
    let mail = school.mail("zoe@mail.example", "We have your message").await;
    assert!(mail.text.contains("Telephone: (613) 555-0199"), "{}", mail.text);
    let text = mail.text.replace('\r', "");
    let signed = "\nLakeview College\n9 Princess Street, Kingston, ON K7L 1A1\n(613) 555-0199\n";
    assert!(text.contains(signed), "{text}");
    let shown = visitor.get("/api/school").await.json();
    assert_eq!((&shown["foundedYear"], &shown["yearsOfTeaching"]), (&json!(2003), &json!(20)));
    assert_eq!((&shown["isSample"], &shown["phoneLink"]), (&json!(false), &json!("tel:+16135550199")));
    assert!(visitor.get("/").await.text().contains("\"streetAddress\":\"9 Princess Street\""));
    let keys: Vec<_> =
        published["overrides"].as_array().unwrap().iter().map(|each| each["key"].clone()).collect();
    assert_eq!(json!(keys), json!(["inspection_id", "founded_year", "street", "postal_code", "phone"]));
    let phone = &published["overrides"][4];
    assert_eq!((&phone["version"], &phone["value"]), (&json!(1), &json!("\"(613) 555-0199\"")));
    let missing = published["missingFacts"].as_array().unwrap().iter();
    assert!(missing.clone().all(|fact| fact["isRequired"] == false), "{published}");

    // The facts hold after a restart, before the first request.
    let school = school.reopen().await;
    let visitor = school.visitor();
    visitor.write_message("Ann", "ann@mail.example", "Another question about the next semester.").await;
    let mail = school.mail("ann@mail.example", "We have your message").await;
    assert!(mail.text.contains("9 Princess Street"), "{}", mail.text);
}

#[tokio::test]
async fn a_copy_of_the_samples_file_with_another_name_is_no_set_of_facts() {
    let example = include_str!("../../../config.example.toml");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("config.toml");
    std::fs::write(&file, example.replace("name = \"Northgate Academy\"", "name = \"Lakeview College\""))
        .unwrap();
    let run = |arguments: &[&str]| {
        let mut command = crate::cli::schoolhouse(folder.path());
        command.arg("--config").arg(&file).args(arguments).output().unwrap()
    };
    let checked = run(&["config", "check"]);
    assert!(checked.status.success());
    let said = String::from_utf8_lossy(&checked.stderr).into_owned();
    assert!(said.contains("not set, and left out of pages and emails: email, phone, street, city"), "{said}");
    let shown = String::from_utf8(run(&["config", "show"]).stdout).unwrap();
    for sample in ["555-0142", "Example Street", "880000", "2008", "McGill", "M5V 0A0"] {
        assert!(!shown.contains(sample), "{sample}: {shown}");
    }
}
