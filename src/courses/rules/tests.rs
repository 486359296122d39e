//! Every rule of the course form at its boundary.

use serde_json::{Value, json};

use super::*;
use crate::base::closed_set::ClosedSet;
use crate::courses::values::CourseLevel;

/// The form with every required field right and one field as given.
fn form(key: &str, value: Value) -> CourseInput {
    let mut body = json!({
        "code": "ENG4U", "name": "English", "description": "Reading and writing.",
        "grade": 12, "courseType": "University",
    });
    body[key] = value;
    serde_json::from_value(body).unwrap()
}

/// The message under the field, or none when all is right; never one under another field.
fn verdict(key: &str, value: &Value) -> Option<String> {
    let message = |errors: &FieldErrors| {
        let all: Vec<_> = errors.iter().collect();
        assert_eq!(all.len(), 1, "{key} = {value}: {all:?}");
        assert_eq!(all[0].0, key);
        all[0].1.to_owned()
    };
    let input = form(key, value.clone());
    let created = NewCourse::parse(&input).err().as_ref().map(message);
    let updated = CourseUpdate::parse(&input).err().as_ref().map(message);
    assert_eq!(created, updated, "{key} = {value}: create and update differ");
    created
}

fn check(key: &str, table: Vec<(Value, Option<&str>)>) {
    for (value, expected) in table {
        assert_eq!(verdict(key, &value).as_deref(), expected, "{key} = {value}");
    }
}

#[test]
fn a_code_has_2_to_10_letters_digits_or_hyphens() {
    const SHORT: Option<&str> = Some("Course code must be at least 2 characters");
    const LONG: Option<&str> = Some("Course code must be less than 10 characters");
    const ODD: Option<&str> = Some("Course code must contain only letters, digits and hyphens");
    check(
        "code",
        vec![
            (json!(""), SHORT),
            (json!("A"), SHORT),
            (json!("  A  "), SHORT),
            (json!(null), SHORT),
            (json!(42), SHORT),
            (json!("AB"), None),
            (json!("ABCDEFGHIJ"), None),
            (json!("AB CD EF GH IJ"), None),
            (json!("ABCDEFGHIJK"), LONG),
            (json!("ENG-4U"), None),
            (json!("-ENG4U"), ODD),
            (json!("ENG_4U"), ODD),
            (json!("ÉNG4U"), ODD),
            (json!("EN\u{0}G"), ODD),
        ],
    );
    let code = NewCourse::parse(&form("code", json!(" eng 4u\t"))).unwrap().code;
    assert_eq!(code.to_string(), "ENG4U");
}

#[test]
fn a_name_has_3_to_200_characters_on_one_line() {
    const SHORT: Option<&str> = Some("Course name must be at least 3 characters");
    check(
        "name",
        vec![
            (json!("  ab "), SHORT),
            (json!(null), SHORT),
            (json!(["abc"]), SHORT),
            (json!("Art"), None),
            (json!("É".repeat(200)), None),
            (json!("a".repeat(201)), Some("Must be at most 200 characters")),
            (json!("Art\u{7}s"), Some("Must not contain control characters")),
        ],
    );
    let name = NewCourse::parse(&form("name", json!(" Media \r\n Arts "))).unwrap().name;
    assert_eq!(name, "Media Arts");
}

#[test]
fn a_description_has_10_to_5000_characters() {
    const SHORT: Option<&str> = Some("Description must be at least 10 characters");
    check(
        "description",
        vec![
            (json!("123456789"), SHORT),
            (json!("123456789 "), SHORT),
            (json!("1234567890"), None),
            (json!("a".repeat(5000)), None),
            (json!("a".repeat(5001)), Some("Must be at most 5000 characters")),
        ],
    );
    let text = NewCourse::parse(&form("description", json!("One line.\r\nAnother."))).unwrap();
    assert_eq!(text.description, "One line.\nAnother.");
}

#[test]
fn a_grade_is_a_whole_number_from_9_to_12() {
    const WRONG: Option<&str> = Some("Grade must be a whole number from 9 to 12");
    let mut table = vec![(json!(9), None), (json!(12), None), (json!(10.0), None)];
    table.extend(
        [json!(8), json!(13), json!(9.5), json!(-9), json!(1e300), json!("9"), json!(true), json!(null)]
            .map(|value| (value, WRONG)),
    );
    check("grade", table);
}

#[test]
fn a_course_type_is_one_of_the_seven() {
    const UNKNOWN: Option<&str> =
        Some("Must be one of Academic, Applied, Open, University, University/College, College, Workplace");
    const MISSING: Option<&str> = Some("Course type is required");
    let mut table = vec![
        (json!(""), MISSING),
        (json!(null), MISSING),
        (json!(3), MISSING),
        (json!("open"), UNKNOWN),
        (json!("Honours"), UNKNOWN),
    ];
    table.extend(CourseType::ALL.iter().map(|course_type| (json!(course_type.as_str()), None)));
    check("courseType", table);
    for course_type in CourseType::ALL {
        assert_eq!(json!(course_type), json!(course_type.as_str()), "the wire and the database agree");
    }
}

#[test]
fn seats_are_nothing_or_a_whole_number_from_1_to_10000() {
    const WRONG: Option<&str> = Some("Seats must be a whole number from 1 to 10,000, or empty for no limit");
    let mut table = vec![(json!(null), None), (json!(1), None), (json!(10_000), None)];
    table.extend(
        [json!(0), json!(10_001), json!(-1), json!(2.5), json!("25"), json!(true)]
            .map(|value| (value, WRONG)),
    );
    check("capacity", table);
    check(
        "isOpen",
        vec![(json!(false), None), (json!(null), None), (json!("no"), Some("Must be true or false"))],
    );
    let optional = |key, value| NewCourse::parse(&form(key, value)).unwrap().optional;
    assert_eq!(optional("capacity", json!(25)).capacity, Some(Some(25)));
    assert_eq!(optional("capacity", json!(null)).capacity, Some(None));
    assert_eq!(
        (optional("name", json!("Name")).capacity, optional("name", json!("Name")).is_open),
        (None, None)
    );
}

#[test]
fn a_price_is_nothing_or_dollars_and_cents() {
    check(
        "price",
        vec![
            (json!(null), None),
            (json!(""), None),
            (json!("  "), None),
            (json!(0), None),
            (json!(549), None),
            (json!("549.00"), None),
            (json!(99_999_999.99), None),
            (json!(-0.01), Some("Price cannot be negative")),
            (json!("-1"), Some("Price cannot be negative")),
            (json!(1.005), Some("Price must have at most two decimals")),
            (json!("1.005"), Some("Price must have at most two decimals")),
            (json!(100_000_000), Some("Price must be at most $99,999,999.99")),
            (json!("abc"), Some("Price must be a number")),
            (json!(true), Some("Price must be a number")),
            (json!([1]), Some("Price must be a number")),
        ],
    );
    let price = |value| NewCourse::parse(&form("price", value)).unwrap().optional.price;
    assert_eq!(price(json!("$1,200.5")), Some(Some(Money::from_cents(120_050))));
    assert_eq!(price(json!("")), Some(None));
}

#[test]
fn the_other_fields_may_be_left_out_but_not_be_wrong() {
    const CREDITS: Option<&str> =
        Some("Credits must be more than 0 and at most 4, with at most two decimals");
    check(
        "credits",
        vec![
            (json!(null), None),
            (json!(0.01), None),
            (json!(0.55), None),
            (json!(4), None),
            (json!(0), CREDITS),
            (json!(-1), CREDITS),
            (json!(4.01), CREDITS),
            (json!(0.125), CREDITS),
            (json!("1"), CREDITS),
        ],
    );
    check(
        "isCompulsory",
        vec![
            (json!(true), None),
            (json!(null), None),
            (json!("true"), Some("Must be true or false")),
            (json!(1), Some("Must be true or false")),
        ],
    );
    check(
        "prerequisite",
        vec![
            (json!(null), None),
            (json!(""), None),
            (json!("a".repeat(200)), None),
            (json!("a".repeat(201)), Some("Must be at most 200 characters")),
            (json!(4), Some("Must be a text")),
        ],
    );
    let prerequisite =
        |text: &str| NewCourse::parse(&form("prerequisite", json!(text))).unwrap().optional.prerequisite;
    assert_eq!(prerequisite(" mcr3u "), Some(Some("MCR3U".into())));
    assert_eq!(prerequisite("MCR3U or MCT4C"), Some(Some("MCR3U or MCT4C".into())));
    assert_eq!(prerequisite(" "), Some(None));
}

#[test]
fn all_errors_of_a_body_are_found_at_once() {
    let body = json!({
        "code": 1, "name": 2, "description": 3, "grade": "x", "courseType": 5,
        "isCompulsory": "x", "prerequisite": 7, "price": "x", "credits": "x", "capacity": "x", "isOpen": "x",
    });
    let input: CourseInput = serde_json::from_value(body).unwrap();
    assert_eq!(NewCourse::parse(&input).unwrap_err().iter().count(), 11);
    assert_eq!(CourseUpdate::parse(&input).unwrap_err().iter().count(), 11);
    assert_eq!(NewCourse::parse(&CourseInput::default()).unwrap_err().iter().count(), 5);
}

#[test]
fn an_update_changes_what_is_sent_and_null_clears() {
    let course = Course {
        id: 7,
        code: CourseCode::parse(&Field::Value("ENG4U".into())).unwrap(),
        name: "English".into(),
        description: "Reading and writing.".into(),
        prerequisite: Some("ENG3U".into()),
        subject: Subject::English,
        course_type: CourseType::University,
        level: CourseLevel::University,
        is_compulsory: true,
        grade: Grade::ALL[3],
        price: Some(Money::from_cents(54_900)),
        credits: Credits::default(),
        is_open: true,
        capacity: Some(25),
        archived_at: None,
    };
    let after = |body: Value| {
        let input: CourseInput = serde_json::from_value(body).unwrap();
        CourseUpdate::parse(&input).unwrap().applied_to(&course)
    };
    assert_eq!(after(json!({})), course);
    assert_eq!(after(json!({ "id": 9, "unknown": true })), course);
    assert_eq!(after(json!({ "prerequisite": null })), Course { prerequisite: None, ..course.clone() });
    assert_eq!(after(json!({ "price": "" })), Course { price: None, ..course.clone() });
    assert_eq!(after(json!({ "grade": 11 })), Course { grade: Grade::ALL[2], ..course.clone() });
    assert_eq!(after(json!({ "capacity": null })), Course { capacity: None, ..course.clone() });
    assert_eq!(after(json!({ "isOpen": false })), Course { is_open: false, ..course.clone() });
    assert_eq!(after(json!({ "isCompulsory": false })), Course { is_compulsory: false, ..course.clone() });
}
