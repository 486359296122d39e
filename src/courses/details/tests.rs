//! What a course's page says of it, by tables of codes and prerequisites.

use super::*;
use crate::courses::values::Credits;
use crate::web::form::Field;

/// A university course of the grade in its code.
pub fn course(code: &str, prerequisite: &str) -> Course {
    let code = CourseCode::parse(&Field::Value(code.into())).unwrap();
    let grade = code.parts().and_then(|parts| parts.grade.parse::<usize>().ok()).map_or(3, |digit| digit - 1);
    Course {
        id: i64::from_str_radix(code.as_str(), 36).unwrap(),
        subject: Subject::of(&code),
        level: CourseType::University.level(&code),
        name: format!("Name of {code}"),
        code,
        description: "About something.".into(),
        prerequisite: Some(prerequisite.to_owned()).filter(|text| !text.is_empty()),
        course_type: CourseType::University,
        is_compulsory: false,
        grade: Grade::ALL[grade],
        price: None,
        credits: Credits::default(),
        is_open: true,
        capacity: None,
        archived_at: None,
    }
}

fn offered() -> Vec<Course> {
    [
        ("MTH1W", ""),
        ("MPM2D", "MPM1D"),
        ("MCR3U", "MPM2D"),
        ("MHF4U", "MCR3U or MCT4C"),
        ("MCV4U", "MHF4U*"),
        ("MCV4UX", "MHF4U"),
        ("SPH4U", "SPH3U and MCR3U"),
        ("CHY4U", "Any university course in Canadian and world studies"),
    ]
    .map(|(code, prerequisite)| course(code, prerequisite))
    .into()
}

fn of(code: &str) -> CourseDetails {
    let all = offered();
    CourseDetails::new(all.iter().find(|each| each.code.as_str() == code).unwrap(), &all)
}

fn codes(links: &[CourseLink]) -> Vec<String> {
    links.iter().map(|link| link.code.to_string()).collect()
}

#[test]
fn prerequisites_are_shown_as_text_with_links() {
    const NOT_HERE: Option<&str> = Some("It is not taught here: a credit from another school counts.");
    type Items<'a> = &'a [(&'a str, Option<&'a str>, Option<&'a str>)];
    let table: [(&str, &str, Items<'_>); 7] = [
        ("MTH1W", "No other course has to come first.", &[]),
        (
            "MPM2D",
            "You need a credit in this course.",
            &[("MPM1D", Some("MTH1W"), Some("It has taken the place of MPM1D."))],
        ),
        ("MCR3U", "You need a credit in this course.", &[("MPM2D", Some("MPM2D"), None)]),
        (
            "MHF4U",
            "You need a credit in one of these courses.",
            &[("MCR3U", Some("MCR3U"), None), ("MCT4C", None, NOT_HERE)],
        ),
        (
            "MCV4U",
            "You need a credit in this course.",
            &[("MHF4U", Some("MHF4U"), Some("It may be taken at the same time."))],
        ),
        (
            "SPH4U",
            "You need a credit in each of these courses.",
            &[("SPH3U", None, NOT_HERE), ("MCR3U", Some("MCR3U"), None)],
        ),
        ("CHY4U", "It asks for: Any university course in Canadian and world studies.", &[]),
    ];
    for (code, words, items) in table {
        let prerequisites = of(code).prerequisites;
        assert_eq!(prerequisites.words, words, "{code}");
        let found: Vec<_> = prerequisites
            .items
            .iter()
            .map(|item| {
                let course = item.course.as_ref().map(|course| course.code.as_str());
                (item.code.as_str(), course, item.note.as_deref())
            })
            .collect();
        assert_eq!(found, items, "{code}");
    }
}

#[test]
fn an_entry_rule_in_the_description_is_pointed_at() {
    for (description, expected) in [
        ("Entry requires an audition.", true),
        ("For some, entry expects a portfolio.", true),
        ("Entry depends on a test", true),
        ("Reentry requires nothing.", false),
        ("Entry requirements are none.", false),
        ("Its entry is open.", false),
        ("", false),
    ] {
        assert_eq!(has_entry_rule(&description.to_lowercase()), expected, "{description}");
    }
    let audition = Course { description: "Entry requires an audition.".into(), ..course("ADA1O", "") };
    assert_eq!(prerequisites(&audition, &[]).words, "The description says what this course asks for.");
}

#[test]
fn codes_are_found_in_any_text() {
    for (text, expected, around) in [
        ("MCR3U", vec!["MCR3U"], ""),
        ("MCR3U*, or (MCT4C)", vec!["MCR3U*", "MCT4C"], ", or ()"),
        ("Grade 10 Mathematics", vec![], "Grade 10 Mathematics"),
        ("mcr3u is shown as it stands", vec![], "mcr3u is shown as it stands"),
        ("XMCR3UX", vec![], "XMCR3UX"),
        ("ONE GRADE 11 CREDIT AT LEVEL 3", vec![], "ONE GRADE 11 CREDIT AT LEVEL 3"),
        ("ESLCO or é", vec!["ESLCO"], " or é"),
    ] {
        let (found, rest) = named(text);
        let found: Vec<_> = found
            .iter()
            .map(|each| format!("{}{}", each.code, if each.is_concurrent { "*" } else { "" }))
            .collect();
        assert_eq!(
            (found, rest.as_str()),
            (expected.into_iter().map(String::from).collect(), around),
            "{text}"
        );
    }
}

#[test]
fn the_way_to_a_course_and_on_from_it_is_followed() {
    assert_eq!(codes(&of("MCV4U").usual_way), ["MTH1W", "MPM2D", "MCR3U", "MHF4U"]);
    assert_eq!(codes(&of("MTH1W").usual_way), [""; 0]);
    assert_eq!(codes(&of("MTH1W").leads_to), ["MPM2D"]);
    assert_eq!(codes(&of("MCR3U").leads_to), ["MHF4U", "SPH4U"]);
    assert_eq!(codes(&of("MHF4U").leads_to), ["MCV4U", "MCV4UX"]);
    assert_eq!(codes(&of("CHY4U").leads_to), [""; 0]);
}

#[test]
fn courses_that_ask_for_each_other_end_the_way() {
    let all = [course("AAA3U", "BBB3U"), course("BBB3U", "AAA3U"), course("CCC3U", "CCC3U")];
    assert_eq!(codes(&CourseDetails::new(&all[0], &all).usual_way), ["BBB3U"]);
    assert_eq!(codes(&CourseDetails::new(&all[2], &all).usual_way), [""; 0]);
    assert_eq!(codes(&CourseDetails::new(&all[2], &all).leads_to), [""; 0]);
}

#[test]
fn a_course_never_precedes_itself_and_each_code_appears_once() {
    let all = [course("MHF4UX", "MHF4U and SPH3U or MHF4U and SCH3U"), course("SPH3U", "")];
    let details = CourseDetails::new(&all[0], &all);
    let items: Vec<_> =
        details.prerequisites.items.iter().map(|item| (&*item.code, item.course.is_some())).collect();
    assert_eq!(items, [("MHF4U", false), ("SPH3U", true), ("SCH3U", false)]);
    assert_eq!(codes(&details.usual_way), ["SPH3U"]);
}

#[test]
fn a_code_is_read_letter_by_letter() {
    let read = |code: &str| {
        let parts = code_parts(&course(code, ""));
        parts
            .into_iter()
            .map(|part| format!("{} {}: {}", part.characters, part.meaning, part.value))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        read("SCH4U"),
        [
            "SC Subject: Science",
            "H Sub-category: Name of SCH4U",
            "4 Grade: Grade 12",
            "U Level: University Preparation"
        ]
    );
    assert_eq!(read("MTH1WX")[3..], ["W Level: De-streamed", "X Version: The school’s own"]);
    assert_eq!(read("ESLCO")[2], "C Language level: Level C, of A to E");
    assert!(read("ROBOTS").is_empty());
    // The code says what it says, whatever the form was told.
    let moved = Course {
        course_type: CourseType::College,
        level: CourseLevel::College,
        grade: Grade::ALL[0],
        ..course("ENG4U", "")
    };
    assert_eq!(code_parts(&moved)[2].value, "Grade 12");
    assert_eq!(code_parts(&moved)[3].value, "University Preparation");
    assert_eq!(moved.level.label(), "College Preparation");
}

#[test]
fn what_to_take_instead_of_an_archived_course() {
    let all = [
        course("MTH1W", ""),
        course("SCH4U", ""),
        course("SCH4C", ""),
        course("SBI4U", ""),
        course("HHS4U", ""),
    ];
    for (code, expected) in [
        ("MPM1D", vec!["MTH1W"]),
        ("SCH4UX", vec!["SCH4U"]),
        ("SCH4E", vec!["SCH4U", "SCH4C", "SBI4U"]),
        ("SPH4U", vec!["SCH4U", "SCH4C", "SBI4U"]),
        ("SPH3U", vec![]),
        ("ROBOTS", vec![]),
    ] {
        let archived = ArchivedCourse::new(&course(code, ""), &all);
        assert_eq!(codes(&archived.successors), expected, "{code}");
        let takes_its_place = ["MPM1D", "SCH4UX"].contains(&code);
        assert_eq!(archived.advice == "What to Take Instead", takes_its_place, "{code}");
    }
}
