//! Sheets of courses, corrupted: either every course meets the rules, or each problem has its line.

use super::*;
use crate::base::closed_set::ClosedSet;
use crate::tests::fuzz::{for_rounds, spoil};
use crate::web::sheet::{SheetCell, SheetRow, SheetStyle};

const WORDS: [&[u8]; 17] = [
    b"'",
    b"=\"",
    b",+",
    b"\"",
    b"\"\"",
    b"\r\n",
    b"\r",
    b"\n\n",
    b";",
    b"\t",
    b",",
    b"\xEF\xBB\xBF",
    b"1e309",
    b"-0.005",
    b"$1,200.00",
    b"\xE2\x80\xAE",
    b"code,code",
];

/// A course as a sheet has it.
struct Cells(Vec<String>);

impl SheetRow for Cells {
    const LIST: &'static str = "courses";
    const HEADINGS: &'static [&'static str] = <Course as SheetRow>::HEADINGS;

    fn cells(&self) -> Vec<SheetCell> {
        self.0.iter().cloned().map(SheetCell::Text).collect()
    }
}

/// The courses as they would leave.
fn written(courses: &[NewCourse]) -> Vec<u8> {
    let yes = |flag: Option<bool>| flag.unwrap_or_default().to_string();
    let cells = |course: &NewCourse| {
        let optional = &course.optional;
        let price = optional.price.flatten().map(|price| format!("{}", price.cents() as f64 / 100.0));
        let prerequisite = optional.prerequisite.clone().flatten().unwrap_or_default();
        let capacity = optional.capacity.flatten().map(|seats| seats.to_string()).unwrap_or_default();
        Cells(vec![
            course.code.to_string(),
            course.name.clone(),
            course.description.clone(),
            serde_json::to_string(&course.grade).unwrap(),
            course.course_type.as_str().to_owned(),
            yes(optional.is_compulsory),
            prerequisite,
            price.unwrap_or_default(),
            optional.credits.unwrap_or_default().to_string(),
            capacity,
            optional.is_open.unwrap_or(true).to_string(),
        ])
    };
    crate::web::sheet::write(&courses.iter().map(cells).collect::<Vec<_>>(), SheetStyle::English).unwrap()
}

fn read(connection: &Connection, bytes: &[u8]) -> Result<Vec<NewCourse>, String> {
    let mut importing = importing(bytes);
    let problems = &importing.validate(connection).unwrap().problems;
    let lines = bytes.iter().filter(|byte| matches!(byte, b'\n' | b'\r')).count() as u64 + 1;
    assert!(problems.first().is_sorted_by_key(|problem| problem.line), "{problems}");
    for problem in problems.first() {
        assert!((1..=lines).contains(&problem.line), "{problem:?} of {lines} lines");
        assert!(!problem.to_string().contains('\n'), "{problem}");
    }
    if !problems.is_empty() {
        return Err(problems.to_string());
    }
    let (sheet, _) =
        Sheet::open(bytes.to_vec(), &CourseImport::columns()).map_err(|problem| problem.to_string())?;
    Ok(sheet.map(|row| NewCourse::parse(&input(&row)).unwrap()).collect())
}

/// All values of a course, with defaults for missing ones.
fn facts(courses: &[NewCourse]) -> Vec<String> {
    let facts = |course: &NewCourse| {
        let optional = &course.optional;
        let mut course = course.clone();
        course.optional = crate::courses::rules::OptionalFields {
            is_compulsory: Some(optional.is_compulsory.unwrap_or_default()),
            prerequisite: Some(optional.prerequisite.clone().flatten()),
            price: Some(optional.price.flatten()),
            credits: Some(optional.credits.unwrap_or_default()),
            capacity: Some(optional.capacity.flatten()),
            is_open: Some(optional.is_open.unwrap_or(true)),
        };
        format!("{course:?}")
    };
    courses.iter().map(facts).collect()
}

#[test]
fn corrupted_sheets_are_courses_that_survive_a_round_trip_or_problems_with_their_lines() {
    let catalogue: Vec<&[u8]> = SAMPLE.split_inclusive(|byte| *byte == b'\n').collect();
    let folder = tempfile::tempdir().unwrap();
    let connection = open(folder.path());
    let mut good = 0;
    for_rounds("sheets of courses", 600, |random| {
        let mut bytes = catalogue[0].to_vec();
        for _ in 0..random.usize(1..6) {
            bytes.extend(*random.choice(&catalogue[1..]).unwrap());
        }
        if random.u8(..8) > 0 {
            spoil(&mut bytes, &WORDS, random);
        }
        let answer = read(&connection, &bytes);
        if let Ok(courses) = &answer {
            good += 1;
            let again = read(&connection, &written(courses)).unwrap();
            assert_eq!(facts(courses), facts(&again));
        }
        // What a program that saves it may do to it means nothing.
        let Ok(text) = std::str::from_utf8(&bytes) else { return };
        if !text.contains('\r') && !text.contains('\u{feff}') {
            assert_eq!(read(&connection, text.replace('\n', "\r\n").as_bytes()), answer);
            assert_eq!(read(&connection, format!("\u{feff}{text}").as_bytes()), answer);
        }
    });
    assert!(good > 50, "some sheets stay good: {good}");
}
