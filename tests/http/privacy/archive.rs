//! A student's download of personal data: every column with personal data is marked and found in it.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Cursor, Read};
use std::net::Ipv4Addr;

use reqwest::StatusCode;
use rusqlite::Connection;
use serde_json::{Value, json};

use super::columns::{DECISIONS, Decision, VALUES};
use crate::documents::encrypted::KeyFile;
use crate::support::{Answer, PDF, School, Student, Unread, eventually, noise, profile};

/// The tables that a student has rows of, in the order in which rows may refer to each other.
const FILLED: [&str; 44] = [
    "admission_requests",
    "admission_offers",
    "admission_events",
    "admission_notes",
    "admissions",
    "links",
    "contact_messages",
    "message_events",
    "message_notes",
    "message_replies",
    "enrollments",
    "guardians",
    "confirmations",
    "confirmation_asks",
    "enrollment_events",
    "payments",
    "receipts",
    "invoices",
    "payouts",
    "instalments",
    "tasks",
    "reminders",
    "reminder_modes",
    "account_holds",
    "reminder_skips",
    "ledger",
    "student_documents",
    "admission_documents",
    "document_events",
    "document_requirements",
    "document_waivers",
    "external_credits",
    "document_removals",
    "outbox",
    "consents",
    "sessions",
    "second_factors",
    "recovery_codes",
    "passkeys",
    "student_tokens",
    "audit",
    "privacy_requests",
    "student_notes",
    "student_history",
];

/// A column and how it was declared.
struct Column {
    name: String,
    kind: String,
    is_key: bool,
}

fn columns(connection: &Connection, table: &str) -> Vec<Column> {
    let mut select = connection.prepare(&format!("pragma table_info({table})")).unwrap();
    let read = |row: &rusqlite::Row<'_>| {
        Ok(Column { name: row.get("name")?, kind: row.get("type")?, is_key: row.get::<_, i64>("pk")? > 0 })
    };
    select.query_map([], read).unwrap().map(Result::unwrap).collect()
}

fn tables(connection: &Connection) -> Vec<String> {
    let mut select = connection
        .prepare(
            "select name from sqlite_schema where type = 'table' and name not like 'sqlite%' order by name",
        )
        .unwrap();
    let names: Vec<String> = select.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    // The migrations' own table.
    names.into_iter().filter(|name| name != "refinery_schema_history").collect()
}

/// `postal_code` as `postalCode`.
fn camel(column: &str) -> String {
    let mut words = column.split('_');
    let first = words.next().unwrap().to_owned();
    words.fold(first, |name, word| name + &word[..1].to_uppercase() + &word[1..])
}

/// The file and the name there of each column that is in the download.
fn wanted() -> BTreeMap<String, (&'static str, String)> {
    let mut wanted = BTreeMap::new();
    for (table, columns, decision) in DECISIONS {
        let Decision::In(file) = decision else { continue };
        for column in columns.split_whitespace() {
            let (column, name) =
                column.split_once('=').map_or((column, camel(column)), |(c, n)| (c, n.to_owned()));
            wanted.insert(format!("{table}.{column}"), (*file, name));
        }
    }
    wanted
}

#[tokio::test]
async fn every_column_is_decided_about_once() {
    let school = School::open().await;
    let connection = school.database();
    let mut decided = BTreeSet::new();
    for (table, columns, decision) in DECISIONS {
        if let Decision::Out(reason) = decision {
            assert!(reason.len() > 10, "{table}: a reason");
        }
        for column in columns.split_whitespace() {
            let column = format!("{table}.{}", column.split('=').next().unwrap());
            assert!(decided.insert(column.clone()), "{column} is decided about twice");
        }
    }
    let mut there = BTreeSet::new();
    for table in tables(&connection) {
        there.extend(
            self::columns(&connection, &table).into_iter().map(|column| format!("{table}.{}", column.name)),
        );
    }
    let open: Vec<_> = there.difference(&decided).collect();
    assert!(open.is_empty(), "decide in tests/http/privacy/columns.rs whether a student downloads {open:?}");
    let gone: Vec<_> = decided.difference(&there).collect();
    assert!(gone.is_empty(), "{gone:?} are no columns any more");
}

/// Writes one row of a table for a student, with a mark in each column that takes one.
fn fill(connection: &Connection, table: &str, who: &str, student: &Student, staff: i64, n: &mut i64) {
    let mut names = Vec::new();
    let mut values = Vec::new();
    for column in columns(connection, table) {
        let place = format!("{table}.{}", column.name);
        *n += 1;
        let value = match VALUES.iter().find(|(known, _)| *known == place) {
            Some((_, value)) => value
                .replace("{who}", who)
                .replace("{student}", &student.id.to_string())
                .replace("{staff}", &staff.to_string())
                .replace("{email}", &student.email)
                .replace("{n}", &(900_000 + *n).to_string()),
            None if column.is_key => continue,
            None if column.kind == "INTEGER" || column.kind == "integer" => (1_700_000_000 + *n).to_string(),
            None => format!("'{who}-{place}'"),
        };
        names.push(column.name);
        values.push(value);
    }
    let sql = if table == "students" {
        let sets: Vec<_> =
            names.iter().zip(&values).map(|(name, value)| format!("{name} = {value}")).collect();
        format!("update students set {} where id = {}", sets.join(", "), student.id)
    } else {
        format!("insert into {table} ({}) values ({})", names.join(", "), values.join(", "))
    };
    connection.execute_batch(&sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
}

/// What is in a ZIP, by name.
fn unpack(answer: &Answer) -> BTreeMap<String, Vec<u8>> {
    let mut zip = zip::ZipArchive::new(Cursor::new(&answer.bytes)).unwrap();
    (0..zip.len())
        .map(|at| {
            let mut file = zip.by_index(at).unwrap();
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes).unwrap();
            (file.name().unwrap().into_owned(), bytes)
        })
        .collect()
}

/// The rows of one file of a student's download.
pub async fn download(student: &crate::support::Actor, file: &str) -> Vec<Value> {
    rows(&unpack(&student.get("/api/students/archive").await.expect(StatusCode::OK)), file)
}

fn rows(files: &BTreeMap<String, Vec<u8>>, file: &str) -> Vec<Value> {
    let bytes = files.get(&format!("data/{file}.json")).unwrap_or_else(|| panic!("no {file}"));
    serde_json::from_slice(bytes).unwrap()
}

#[tokio::test]
async fn the_download_holds_every_column_with_personal_data_and_none_of_other_students() {
    let school = School::open().await;
    let staff = school.staff().await;
    let staff_id = staff.get("/api/user").await.json()["id"].as_i64().unwrap();
    school.course(&staff, "ENG4U", json!(500)).await;
    let (mine, theirs) = (school.student().await, school.student().await);
    mine.upload("transcript", "my transcript.pdf", PDF.to_vec()).await.expect(StatusCode::CREATED);
    let connection = school.database();
    let mut n = 0;
    for (who, student) in [("mine", &mine), ("theirs", &theirs)] {
        for table in FILLED.into_iter().chain(["retention_proposals", "students"]) {
            fill(&connection, table, who, student, staff_id, &mut n);
        }
    }
    let answer = mine.get("/api/students/archive").await.expect(StatusCode::OK);
    assert_eq!(answer.header("content-type"), "application/zip");
    assert_eq!(answer.header("content-disposition"), "attachment; filename=\"my-data-2026-11-21.zip\"");
    assert_eq!(answer.header("cache-control"), "private, no-store");
    let files = unpack(&answer);
    for (place, (file, name)) in wanted() {
        // Rows that come from the catalogue are not marked.
        if place.starts_with("courses.") {
            assert!(!rows(&files, file)[0][&name].is_null(), "{place}");
            continue;
        }
        let value = VALUES.iter().find(|(known, _)| *known == place).map(|(_, value)| *value);
        let rows = rows(&files, file);
        assert!(rows.iter().all(|row| row.get(&name).is_some()), "{place} is no {name} of {file}: {rows:?}");
        let found: Vec<_> = rows.iter().map(|row| &row[&name]).filter(|value| !value.is_null()).collect();
        let is_marked = || found.iter().any(|found| found.to_string().contains(&format!("mine-{place}")));
        let marked = match value {
            Some("null") => true,
            Some(value) if !value.contains("{who}") => !found.is_empty(),
            _ => is_marked() || found.iter().any(|found| is_figure(found)),
        };
        assert!(marked, "{place} is not in {file} as {name}: {found:?}");
    }
    // The files: the one that was uploaded, and word of the one that is gone.
    let documents: Vec<_> = files.keys().filter(|name| name.starts_with("documents/")).collect();
    assert!(documents.iter().any(|name| name.ends_with("my transcript.pdf")), "{documents:?}");
    assert!(documents.iter().any(|name| name.ends_with(".missing.txt")), "{documents:?}");
    let index = String::from_utf8(files["index.html"].clone()).unwrap();
    assert!(index.contains("mine-students.full_name") && index.contains("documents/"), "{index}");
    assert!(!index.contains("<script") && !index.contains("http://") && !index.contains("https://"));
    // No other student's data, and nothing that is excluded.
    for (name, bytes) in &files {
        let text = String::from_utf8_lossy(bytes);
        assert!(!text.contains("theirs-") && !text.contains(&theirs.email), "{name}");
        for (table, columns, decision) in DECISIONS {
            if matches!(decision, Decision::Out(_)) {
                for column in columns.split_whitespace() {
                    assert!(
                        !text.contains(&format!("mine-{table}.{column}")),
                        "{table}.{column} is in {name}"
                    );
                }
            }
        }
        assert!(!text.contains("staff0") && !text.contains("staff1"), "{name} names a staff member");
    }
}

/// A number, an amount of money, an instant, or yes or no.
fn is_figure(value: &Value) -> bool {
    let is_written = |text: &str| text.parse::<jiff::Timestamp>().is_ok() || text.parse::<f64>().is_ok();
    value.is_number() || value.is_boolean() || value.as_str().is_some_and(is_written)
}

#[tokio::test]
async fn the_download_holds_former_addresses_and_what_came_to_them() {
    let school = School::open().await;
    let (student, staff) = (school.student().await, school.staff().await);
    let old = student.email.clone();
    student.patch("/api/students/me", &profile(&old)).await.expect(StatusCode::OK);
    school.visitor().write_message("Amara", &old, "Is the office open?").await.expect(StatusCode::OK);
    let change = json!({ "email": "new@mail.example", "confirmed": true, "reason": "Spelled on the phone" });
    staff.post(&format!("/api/admin/students/{}/email", student.id), &change).await.expect(StatusCode::OK);
    student.log_in("new@mail.example", crate::support::PASSWORD).await.expect(StatusCode::OK);
    // Another student has the old address now.
    school.advance(jiff::SignedDuration::from_hours(24 * 30));
    school.visitor().write_message("A stranger", &old, "A secret of mine").await.expect(StatusCode::OK);
    student.log_in("new@mail.example", crate::support::PASSWORD).await.expect(StatusCode::OK);
    let files = unpack(&student.get("/api/students/archive").await.expect(StatusCode::OK));
    let messages: Vec<_> = rows(&files, "messages").iter().map(|row| row["message"].clone()).collect();
    assert_eq!(messages, [json!("Is the office open?")]);
    let changes = rows(&files, "changes");
    assert!(changes.iter().any(|row| row["field"] == "email" && row["before"] == json!(old)), "{changes:?}");
    let emails: Vec<_> = rows(&files, "emails").iter().map(|row| row["recipient"].clone()).collect();
    assert!(emails.contains(&json!(old)), "{emails:?}");
    // That they downloaded it is part of the next one.
    let files = unpack(&student.get("/api/students/archive").await.expect(StatusCode::OK));
    assert!(rows(&files, "changes").iter().any(|row| row["field"] == "archive"));
}

#[tokio::test]
async fn the_office_can_download_the_same_archive_and_it_is_audited() {
    let school = School::open().await;
    let (student, staff) = (school.student().await, school.staff().await);
    let path = format!("/api/admin/students/{}/archive", student.id);
    let files = unpack(&staff.get(&path).await.expect(StatusCode::OK));
    assert_eq!(rows(&files, "profile")[0]["email"], json!(student.email));
    let entries = staff.get(&format!("/api/admin/audit?student={}", student.id)).await.json();
    assert_eq!(entries[0]["action"], "export");
    // The student sees that the office downloaded the record.
    let files = unpack(&student.get("/api/students/archive").await.expect(StatusCode::OK));
    let looked = rows(&files, "who-looked");
    assert_eq!((&looked[0]["action"], &looked[0]["role"]), (&json!("export"), &json!("admin")));
    staff.get("/api/admin/students/99999/archive").await.expect(StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn missing_prices_and_credits_are_not_shown_as_zero() {
    let school = School::open().await;
    let (staff, student) = (school.staff().await, school.student().await);
    let course = school.course(&staff, "ENG4U", Value::Null).await;
    student.enroll(course).await.expect(StatusCode::CREATED);
    let [enrollment] = &download(&student, "enrollments").await[..] else { panic!("one enrollment") };
    for column in ["credits", "quotedPrice", "chargedPrice"] {
        assert_eq!(enrollment[column], Value::Null, "{column}");
    }
}

/// A school with a student whose documents are more than any kernel takes of an unread response.
async fn with_large_documents() -> (School, Student) {
    let school = School::open().await;
    let student = school.student().await;
    for number in 0..3 {
        let file = noise(1500, number);
        student.upload("other", "noise.png", file).await.expect(StatusCode::CREATED);
    }
    (school, student)
}

#[tokio::test]
async fn downloads_of_a_student_run_one_at_a_time_and_use_no_disk() {
    let (school, student) = with_large_documents().await;
    let (staff, other) = (school.staff().await, school.student().await);
    let fields = format!("cookie: {}\r\n", student.cookies(&student.email).await);
    let held = Unread::ask(Ipv4Addr::LOCALHOST, school.address(), "/api/students/archive", &fields).await;
    assert_eq!(held.status, 200);
    let refused = student.get("/api/students/archive").await.expect(StatusCode::SERVICE_UNAVAILABLE);
    assert!(refused.message().starts_with("This download is under way already."), "{}", refused.message());
    let page = student.request("GET", "/api/students/archive").header("accept", "text/html");
    let page = student.client.execute(page.build().unwrap()).await.unwrap().text().await.unwrap();
    assert!(
        page.contains("<h1>Please Wait</h1>") && page.contains("Please wait until it has ended"),
        "{page}"
    );
    let files = std::fs::read_dir(school.path().join("tmp")).unwrap().count();
    assert_eq!((files, nameless(school.path())), (0, 0), "nothing of it lies on the disk");
    // What the office and other students download has its own.
    staff.get(&format!("/api/admin/students/{}/archive", student.id)).await.expect(StatusCode::OK);
    other.get("/api/students/archive").await.expect(StatusCode::OK);
    drop(held);
    let whole = eventually(async || {
        let answer = student.get("/api/students/archive").await;
        (answer.status == StatusCode::OK).then_some(answer)
    })
    .await;
    assert_eq!(whole.header("content-length"), whole.bytes.len().to_string());
    let pictures = unpack(&whole).into_iter().filter(|(name, _)| name.ends_with("noise.png"));
    let pictures: Vec<_> = pictures.map(|(_, bytes)| bytes.len()).collect();
    assert!(pictures.len() == 3 && pictures.iter().all(|size| *size > 2_000_000), "{pictures:?}");
}

/// Files of a folder that have no name any more and are still open.
fn nameless(folder: &std::path::Path) -> usize {
    let open = std::fs::read_dir("/proc/self/fd").unwrap().flatten();
    let names = open.filter_map(|file| std::fs::read_link(file.path()).ok());
    names.filter(|name| name.starts_with(folder) && name.to_string_lossy().ends_with("(deleted)")).count()
}

#[tokio::test]
async fn a_student_downloads_everything_a_few_times_a_day() {
    let school = School::open_with(|config| config.limits.data_downloads_per_day = 2).await;
    let (student, other) = (school.student().await, school.student().await);
    let path = "/api/students/archive";
    student.get(path).await.expect(StatusCode::OK);
    school.advance(jiff::SignedDuration::from_hours(2));
    student.get(path).await.expect(StatusCode::OK);
    let refused = student.get(path).await.expect(StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(refused.header("retry-after"), (22 * 3600).to_string());
    assert_eq!(
        refused.message(),
        "Too many attempts. Please wait 22 hours, then try again. What you downloaded last holds the same, \
         and the office can send you a copy."
    );
    other.get(path).await.expect(StatusCode::OK);
    let office = school.staff().await;
    office.get(&format!("/api/admin/students/{}/archive", student.id)).await.expect(StatusCode::OK);
    school.advance(jiff::SignedDuration::from_hours(22));
    student.get(path).await.expect(StatusCode::OK);
    student.get(path).await.expect(StatusCode::TOO_MANY_REQUESTS);
}

#[tokio::test]
async fn encrypted_documents_are_downloaded_decrypted() {
    let key = KeyFile::make();
    let school = School::open_with(|config| config.documents.key_file = Some(key.path())).await;
    let student = school.student().await;
    let file = noise(600, 1);
    let made = student.upload("other", "noise.png", file).await.expect(StatusCode::CREATED).json();
    let shown = student.get(&format!("/api/documents/{}", made["id"])).await.expect(StatusCode::OK);
    let answer = student.get("/api/students/archive").await.expect(StatusCode::OK);
    assert_eq!(answer.header("content-length"), answer.bytes.len().to_string());
    let files = unpack(&answer);
    assert!(files[&format!("documents/{}-noise.png", made["id"])] == shown.bytes, "the picture");
}
