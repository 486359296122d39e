//! Sheets for French Excel, at every endpoint that hands out a list as a sheet.

use std::collections::BTreeSet;

use reqwest::StatusCode;
use serde_json::json;

use super::access::endpoints;
use crate::support::{School, wait_for};

/// The rows of a sheet, with the separator that it promises.
fn rows(sheet: &str, delimiter: u8) -> Vec<Vec<String>> {
    let mut reader =
        csv::ReaderBuilder::new().delimiter(delimiter).has_headers(false).from_reader(sheet.as_bytes());
    // A row of another width than the first is an error.
    reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect()
}

fn is_amount(cell: &str) -> bool {
    let cell = cell.strip_prefix('-').unwrap_or(cell);
    cell.split_once('.').is_some_and(|(whole, decimals)| {
        !whole.is_empty() && decimals.len() == 2 && [whole, decimals].concat().parse::<u64>().is_ok()
    })
}

#[tokio::test]
async fn every_sheet_can_be_written_for_french_excel() {
    let school = School::open().await;
    schoolhouse::testing::seed_demo(school.app()).await.unwrap();
    // The list of emails says of each whether it was sent.
    wait_for(|| (school.count("select count(*) from outbox where state = 'queued'") == 0).then_some(()))
        .await;
    let admin = school.staff().await;
    let enrollments = admin.get("/api/admin/enrollments?status=active").await.expect(StatusCode::OK).json();
    let course = enrollments[0]["courseId"].to_string();
    let mut priced = BTreeSet::new();
    let mut count = 0;
    for endpoint in endpoints().into_iter().filter(|endpoint| endpoint.is_sheet) {
        let path = endpoint.template.replace("{id}", &course);
        assert!(endpoint.takes_style, "{path} documents the choice");
        let english = admin.get(&format!("{path}?format=csv")).await.expect(StatusCode::OK).text();
        let same = admin.get(&format!("{path}?format=csv&sheet=en")).await.expect(StatusCode::OK).text();
        let answer = admin.get(&format!("{path}?format=csv&sheet=fr")).await.expect(StatusCode::OK);
        assert_eq!(answer.header("content-type"), "text/csv; charset=utf-8", "{path}");
        assert!(answer.header("content-disposition").starts_with("attachment"), "{path}");
        let french = answer.text();
        let heading = |sheet: &str| sheet.lines().next().unwrap().to_owned();
        assert_eq!(heading(&english), heading(&same), "{path}");
        let start = "\u{feff}sep=;\r\n";
        let french = french.strip_prefix(start).unwrap_or_else(|| panic!("{path}: {}", heading(&french)));
        let (english, french) = (rows(english.trim_start_matches('\u{feff}'), b','), rows(french, b';'));
        // The exports before it are rows of the audit trail by then, the newest first.
        let newer = french.len() - english.len();
        assert!(english.len() > 1 && (newer == 0 || path.ends_with("/audit")), "{path}: {newer} more");
        assert_eq!(french[0], english[0], "{path}");
        for (french_row, english_row) in french[1 + newer..].iter().zip(&english[1..]) {
            for (heading, (french, english)) in english[0].iter().zip(french_row.iter().zip(english_row)) {
                if is_amount(english) {
                    priced.insert(format!("{heading} of {}", path.rsplit('/').next().unwrap()));
                    assert_eq!(*french, english.replace('.', ","), "{path}: {heading}");
                } else {
                    assert_eq!(french, english, "{path}: {heading}");
                }
            }
        }
        count += 1;
        admin.get(&format!("{path}?format=csv&sheet=de")).await.expect(StatusCode::BAD_REQUEST);
    }
    assert_eq!(count, 10, "every sheet was found");
    let amounts = [
        "Admission of balances",
        "Amount of payments",
        "Balance of balances",
        "Balance of students",
        "Charged price of enrollments",
        "Courses of balances",
        "Credit of balances",
        "On account of balances",
        "On account of payments",
        "Overdue of balances",
        "Quoted price of enrollments",
        "Total due of balances",
    ];
    assert_eq!(priced.iter().collect::<Vec<_>>(), amounts);

    let students = admin.get("/api/admin/students?format=csv&sheet=fr").await.expect(StatusCode::OK).text();
    let import =
        admin.request("POST", "/api/admin/students/import?dryRun=1").header("content-type", "text/csv");
    let back = admin.send(import.body(students)).await.expect(StatusCode::OK).json();
    let total = admin.get("/api/admin/students?page=1").await.total();
    assert_eq!((&back["unchanged"], &back["problems"]), (&json!(total), &json!([])), "{back}");
}
