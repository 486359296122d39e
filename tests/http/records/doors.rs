//! One reading for every door: what was typed about a place, a telephone or a day is kept alike by the student's own form, the
//! office's, a file, a family's application, and the office's correction of it.

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::admissions::{application, apply, number, open};
use crate::support::{Actor, School, Student, profile};

/// What was typed in a field, in which country, and what is kept; `None` if it is asked back.
type Cell = (&'static str, &'static str, &'static str, Option<&'static str>);

const CELLS: &[Cell] = &[
    ("country", "CA", "Canada", Some("CA")),
    ("country", "CA", "United States of America", Some("US")),
    ("country", "CA", "États-Unis", Some("US")),
    ("country", "CA", "Corée du Sud", Some("KR")),
    ("country", "CA", "Ivory Coast", Some("CI")),
    ("country", "CA", "Kosovo", Some("XK")),
    ("country", "CA", "hk", Some("HK")),
    ("country", "CA", "Atlantis", None),
    ("province", "CA", "Ontario", Some("ON")),
    ("province", "CA", "ont.", Some("ON")),
    ("province", "CA", "Québec", Some("QC")),
    ("province", "CA", "Colombie-Britannique", Some("BC")),
    ("province", "CA", "Lagos", None),
    ("province", "NG", "Lagos", Some("Lagos")),
    ("postalCode", "CA", "m5v0a0", Some("M5V 0A0")),
    ("postalCode", "CA", "K1AOB1", Some("K1A 0B1")),
    ("postalCode", "CA", "K1A 0B", None),
    ("postalCode", "CA", "90210", None),
    ("postalCode", "US", "90210-1234", Some("90210-1234")),
    ("phone", "CA", "\u{202a}+1 416-555-0100\u{202c}", Some("(416) 555-0100")),
    ("phone", "CA", "416‑555‑0100", Some("(416) 555-0100")),
    ("phone", "CA", "tel:+1-416-555-0100", Some("(416) 555-0100")),
    ("phone", "CA", "6555 0142", None),
    ("phone", "SG", "6555 0142", Some("6555 0142")),
    ("phone", "FR", "0033 1 55 50 01 42", Some("+33 1 55 50 01 42")),
    ("dateOfBirth", "CA", "March 1, 2010", Some("2010-03-01")),
    ("dateOfBirth", "CA", "1er mars 2010", Some("2010-03-01")),
    ("dateOfBirth", "CA", "13/1/2010", Some("2010-01-13")),
    ("dateOfBirth", "CA", "1.3.2010", Some("2010-03-01")),
    ("dateOfBirth", "CA", "3/1/2010", None),
    ("city", "SG", "", Some("")),
];

/// The doors, by the names that a wrong cell is reported under.
struct Doors {
    school: School,
    staff: Actor,
    student: Student,
    family: Actor,
    request_id: i64,
}

impl Doors {
    async fn open() -> Self {
        let school = School::open().await;
        let staff = school.staff().await;
        let student = school.student().await;
        let reference = apply(&school.visitor(), &application("Mei", "tanaka")).await;
        let family =
            open(&school, "tanaka@mail.example", &format!("We have your application {reference}")).await;
        let request_id = number(&staff, &reference).await;
        Self { school, staff, student, family, request_id }
    }

    /// The whole profile with a cell.
    fn profile(&self, (field, country, typed, _): Cell) -> Value {
        let mut body = profile(&self.student.email);
        body["country"] = country.into();
        for (name, value) in [("province", "ON"), ("postalCode", "M5V 0A0")] {
            body[name] = if country == "CA" { value } else { "" }.into();
        }
        body["phoneNumber"] = "+49 170 5550100".into();
        body[if field == "phone" { "phoneNumber" } else { field }] = typed.into();
        // Another country has other rules for what is not typed.
        if field == "country" {
            body["province"] = "ON".into();
        }
        body
    }

    /// What each door keeps; `None` if it asks back.
    async fn keep(&self, place: usize, cell: Cell) -> Vec<(&'static str, Option<String>)> {
        let (field, country, typed, _) = cell;
        let own = if field == "phone" { "phoneNumber" } else { field };
        let kept = |answer: &Value, name: &str| Some(answer[name].as_str().unwrap_or_default().to_owned());
        let mut all = Vec::new();

        let answer = self.student.patch("/api/students/me", &self.profile(cell)).await;
        all.push(("profile", answer.status.is_success().then(|| kept(&answer.json(), own)).flatten()));

        let path = format!("/api/admin/students/{}", self.student.id);
        let before = self.staff.get(&path).await.json();
        let mut body = self.profile(cell);
        body.as_object_mut().unwrap().remove("email");
        body["version"] = before["student"]["version"].clone();
        let answer = self.staff.patch(&path, &body).await;
        all.push(("office", answer.status.is_success().then(|| kept(&answer.json(), own)).flatten()));

        let mut sheet = csv::Writer::from_writer(Vec::new());
        let email = format!("learner{place}@mail.example");
        let cells = [("email", &*email), ("fullName", "New Learner"), ("country", country)];
        let cells: Vec<_> =
            cells.into_iter().filter(|(name, _)| *name != own).chain([(own, typed)]).collect();
        sheet.write_record(cells.iter().map(|(name, _)| name)).unwrap();
        sheet.write_record(cells.iter().map(|(_, cell)| cell)).unwrap();
        let request =
            self.staff.request("POST", "/api/admin/students/import").header("content-type", "text/csv");
        let done =
            self.staff.send(request.body(sheet.into_inner().unwrap())).await.expect(StatusCode::OK).json();
        all.push((
            "import",
            match done["added"].as_i64() {
                Some(1) => {
                    let sql = format!("select id from students where email = '{email}'");
                    let file =
                        self.staff.get(&format!("/api/admin/students/{}", self.school.count(&sql))).await;
                    kept(&file.json()["student"], own)
                }
                _ => None,
            },
        ));

        if field != "dateOfBirth" {
            let answer =
                self.family.patch("/api/applications/me", &json!({ "country": country, field: typed })).await;
            all.push((
                "application",
                answer.status.is_success().then(|| kept(&answer.json(), field)).flatten(),
            ));
        }

        let path = format!("/api/admin/admission-requests/{}", self.request_id);
        let before = self.staff.get(&path).await.json();
        let mut body =
            json!({ "country": country, "province": "", "postalCode": "", "phone": "+49 170 5550100" });
        body[field] = typed.into();
        body["version"] = before["version"].clone();
        let answer = self.staff.patch(&path, &body).await;
        all.push(("correction", answer.status.is_success().then(|| kept(&answer.json(), field)).flatten()));
        all
    }
}

#[tokio::test]
async fn a_cell_is_read_alike_at_every_door() {
    let doors = Doors::open().await;
    let mut wrong = Vec::new();
    for (place, cell) in CELLS.iter().enumerate() {
        for (door, kept) in doors.keep(place, *cell).await {
            if kept.as_deref() != cell.3 {
                wrong.push(format!("{cell:?} at {door}: {kept:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}
