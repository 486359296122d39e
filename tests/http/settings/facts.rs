//! The school's facts: set by the office or by the configuration, and never the sample's.

use reqwest::StatusCode;
use serde_json::{Value, json};

use super::{publish, put, save};
use crate::support::School;
use schoolhouse::testing::Config;

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
    assert_eq!((&shown["isSample"], &shown["phoneLink"]), (&json!(false), &json!("tel:+1-613-555-0199")));
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

/// The facts in the packaged configuration up to 0.3.
const OLD_FACTS: &str = r#"
tagline = "Private secondary school, Ontario"
inspection_id = "880000"
registration_number = "880000"
founded_year = 2008
street = "120 Example Street, Suite 300"
city = "Toronto"
province = "ON"
postal_code = "M5V 0A0"
phone = "(416) 555-0142"
email = "office@northgate.example"
hours = "Monday to Friday, 8:30 AM to 4:30 PM"
time_zone = "America/Toronto"
universities = ["University of Toronto", "University of British Columbia", "McGill University", "McMaster University",
    "University of Waterloo", "Western University", "Queen's University", "York University",
    "Toronto Metropolitan University", "University of Ottawa", "University of Alberta", "Simon Fraser University"]
"#;

/// What `config check` says of a configuration, and the configuration as a school takes it.
fn check(text: &str) -> (String, Config) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("config.toml");
    std::fs::write(&file, text).unwrap();
    let output = crate::cli::schoolhouse(folder.path())
        .arg("--config")
        .arg(&file)
        .args(["config", "check"])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", crate::cli::err(&output));
    (crate::cli::err(&output), toml::from_str(text).unwrap())
}

#[tokio::test]
async fn an_old_copy_of_the_samples_file_with_another_name_is_no_set_of_facts() {
    for name in ["Lakeview College", "Northgate Academy"] {
        let (said, config) = check(&format!("[school]\nname = \"{name}\"{OLD_FACTS}"));
        let school = School::open_with(|own| own.school_file = config.school_file).await;
        let shown = school.visitor().get("/api/school").await.json();
        assert_eq!(shown["isSample"], true, "{shown}");
        if name == "Northgate Academy" {
            assert!(said.contains("school.name is not set"), "{said}");
            // The office names the school, and the file is as before.
            let staff = school.staff().await;
            publish(&staff, &save(&staff, json!({ "facts": { "name": "Lakeview College" } })).await).await;
        } else {
            assert!(said.contains("left out of pages and emails: email, phone, street, city"), "{said}");
            assert!(said.contains("still the sample's in [school], and not published: "), "{said}");
        }
        let visitor = school.visitor();
        let shown = visitor.get("/api/school").await.json().to_string() + &visitor.get("/").await.text();
        for sample in
            ["555-0142", "Example Street", "880000", "2008", "McGill", "M5V 0A0", "northgate.example"]
        {
            assert!(!shown.contains(sample), "{sample}: {shown}");
        }
        assert!(shown.contains("\"isSample\":true"), "{shown}");
    }
}

#[tokio::test]
async fn a_school_in_toronto_keeps_what_it_wrote_wherever_it_is_read() {
    let own = [
        ("email", "office@lakeview.example"),
        ("phone", "(416) 555-0155"),
        ("street", "9 King Street West"),
        ("postal_code", "M5H 1A1"),
        ("inspection_id", "665544"),
    ];
    let example = include_str!("../../../config.example.toml");
    let filled = [
        ("name", "Lakeview College"),
        ("city", "Toronto"),
        ("hours", "Monday to Friday, 8:30 AM to 4:30 PM"),
    ];
    let filled = filled.iter().chain(&own).fold(example.to_owned(), |text, (key, value)| {
        let line = format!("\n{key} = \"\"\n");
        assert!(text.contains(&line), "{key} is blank in the packaged file");
        text.replace(&line, &format!("\n{key} = \"{value}\"\n"))
    });
    let edited =
        own.iter().fold(format!("[school]\nname = \"Lakeview College\"{OLD_FACTS}"), |text, (key, value)| {
            let lines = text.lines().map(|line| match line.split_once(" = ") {
                Some((found, _)) if found == *key => format!("{key} = \"{value}\""),
                _ => line.to_owned(),
            });
            lines.collect::<Vec<_>>().join("\n")
        });
    for text in [filled, edited] {
        let (said, config) = check(&text);
        assert!(!said.contains("city") && !said.contains("hours"), "{said}");
        let school = School::open_with(|own| own.school_file = config.school_file).await;
        let visitor = school.visitor();
        let shown = visitor.get("/api/school").await.json();
        assert_eq!(
            (&shown["address"]["city"], &shown["address"]["province"], &shown["isSample"]),
            (&json!("Toronto"), &json!("ON"), &json!(false))
        );
        let page = visitor.get("/").await.text();
        assert!(
            page.contains("\"opens\":\"08:30\"") && page.contains("\"addressLocality\":\"Toronto\""),
            "{page}"
        );
        let staff = school.staff().await;
        let missing = staff.get("/api/admin/dashboard").await.json()["missingFacts"].to_string();
        assert!(!missing.contains("city") && !missing.contains("hours"), "{missing}");
        visitor.write_message("Zoë", "zoe@mail.example", "A question about the next semester.").await;
        let mail = school.mail("zoe@mail.example", "We have your message").await;
        assert!(
            mail.text.replace('\r', "").contains("\n9 King Street West, Toronto, ON M5H 1A1\n"),
            "{}",
            mail.text
        );
    }
}
