//! Files as people save them, good and bad.

mod fuzz;

use std::path::Path;

use super::*;
use crate::base::closed_set::ClosedSet as _;
use crate::base::money::Money;
use crate::courses::catalogue::TOPIC;
use crate::courses::values::Credits;
use crate::storage::db;
use crate::storage::statements::Statements;
use crate::web::form::Field;
use crate::web::sheet::{Importing, Sheet, SheetStyle};

const HEADER: &str = "code,name,description,grade,courseType,isCompulsory,prerequisite,price,credits";

fn importing(text: impl AsRef<[u8]>) -> Importing<CourseImport> {
    let now = Timestamp::from_second(1_750_000_000).unwrap();
    Importing::open(CourseImport { actor: Actor::command_line(), now }, text.as_ref().to_vec())
}

fn problems(text: impl AsRef<[u8]>) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let mut importing = importing(text);
    let problems = &importing.validate(&open(folder.path())).unwrap().problems;
    assert_eq!(problems.more(), 0);
    problems.first().iter().map(ToString::to_string).collect()
}

/// Half a credit.
fn half() -> Credits {
    Credits::parse(&Field::Value(0.5)).unwrap()
}

fn with_header(rows: &str) -> String {
    format!("{HEADER}\n{rows}")
}

fn open(folder: &Path) -> Connection {
    db::open(&folder.join("school.db")).unwrap()
}

/// Numbers of courses added, updated and unchanged.
fn import(connection: &mut Connection, text: impl AsRef<[u8]>, dry_run: bool) -> [usize; 3] {
    let mut importing = importing(text);
    let announced = importing.validate(connection).unwrap().clone();
    assert!(announced.problems.is_empty(), "{}", announced.problems);
    if !dry_run {
        importing.write(connection, &mut |_, _| {}).unwrap();
        assert_eq!(*importing.done(), announced);
    }
    [announced.added, announced.updated, announced.unchanged]
}

fn imported(text: impl AsRef<[u8]>) -> Vec<Course> {
    let folder = tempfile::tempdir().unwrap();
    let mut connection = open(folder.path());
    import(&mut connection, text, false);
    store::list(&connection).unwrap()
}

#[test]
fn the_sample_catalogue_is_imported_once_and_then_unchanged() {
    let folder = tempfile::tempdir().unwrap();
    let mut connection = open(folder.path());
    assert_eq!(import(&mut connection, SAMPLE, true), [158, 0, 0]);
    assert_eq!(store::list(&connection).unwrap(), [], "a dry run leaves nothing");
    assert_eq!(import(&mut connection, SAMPLE, false), [158, 0, 0]);

    let courses = store::list(&connection).unwrap();
    assert_eq!(courses.len(), 158);
    assert_eq!(courses.iter().filter(|course| course.is_compulsory).count(), 39);
    assert_eq!(courses.iter().filter(|course| course.price.is_none()).count(), 10);
    assert_eq!(courses.iter().filter(|course| course.prerequisite.is_some()).count(), 86);
    assert_eq!(courses.iter().filter(|course| course.credits == half()).count(), 2);

    let before = facts(&connection);
    assert_eq!(import(&mut connection, SAMPLE, false), [0, 0, 158]);
    assert_eq!(facts(&connection), before, "neither the revision nor the audit trail grew");
}

/// The revision and how many audit rows there are.
fn facts(connection: &Connection) -> (i64, i64) {
    let rows = connection.one("select count(*) from audit", []).unwrap();
    (db::revision(connection, TOPIC).unwrap(), rows)
}

#[test]
fn known_codes_are_updated_new_ones_added_and_none_deleted() {
    let folder = tempfile::tempdir().unwrap();
    let mut connection = open(folder.path());
    let first = "ENG4U,English,Reading and writing.,12,University,yes,ENG3U,549.00,0.5\n\
                 ENG3U,English,Reading and writing.,11,University,no,,,\n";
    import(&mut connection, with_header(first), false);
    let second = "code,name,description,grade,courseType\n\
                  eng4u,English again,Reading and writing.,12,University\n\
                  MHF4U,Functions,Reading and writing.,12,University\n";
    assert_eq!(import(&mut connection, second, false), [1, 1, 0]);
    let courses = store::list(&connection).unwrap();
    assert_eq!(courses.len(), 3);
    let english = courses.iter().find(|course| course.code.to_string() == "ENG4U").unwrap();
    assert_eq!(english.name, "English again");
    assert!(english.is_compulsory, "a column that is absent keeps what is known");
    assert_eq!(english.price, Some(Money::from_cents(54_900)));
    assert_eq!(english.credits, half());
    let functions = courses.iter().find(|course| course.code.to_string() == "MHF4U").unwrap();
    assert_eq!((functions.is_compulsory, functions.price), (false, None));
    assert_eq!(functions.credits, Credits::default());
}

#[test]
fn seats_and_whether_it_is_open_are_two_columns_that_may_be_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let mut connection = open(folder.path());
    let header = "code,name,description,grade,courseType,Capacity,is open\n";
    let row = "ENG4U,English,Reading and writing.,12,University";
    let mut seen = |cells: &str| {
        import(&mut connection, format!("{header}{row},{cells}\n"), false);
        let course = store::list(&connection).unwrap().remove(0);
        (course.capacity, course.is_open)
    };
    assert_eq!(seen("25,no"), (Some(25), false));
    assert_eq!(seen("30,"), (Some(30), false), "an empty cell leaves a closed course closed");
    assert_eq!(seen(",yes"), (None, true), "no number is no limit");
    assert_eq!(seen("12,"), (Some(12), true));
    import(&mut connection, with_header(&format!("{row},,,,\n")), false);
    let course = store::list(&connection).unwrap().remove(0);
    assert_eq!((course.capacity, course.is_open), (Some(12), true), "columns that are absent change nothing");
    const SEATS: &str = "Seats must be a whole number from 1 to 10,000, or empty for no limit";
    assert_eq!(
        problems(format!("{header}{row},0,x\n")),
        [
            format!("line 2, capacity: {SEATS} (found \"0\")"),
            "line 2, isOpen: Must be true or false (found \"x\")".to_owned(),
        ]
    );
}

#[test]
fn unambiguous_values_are_normalized() {
    let clean = imported(with_header(
        "ENG4U,English Literature,\"Reading, then writing.\",12,University,true,ENG3U,1200.00,1.0\n",
    ));
    for (case, text) in [
        (
            "byte order mark, CRLF",
            "\u{feff}code,name,description,grade,courseType,isCompulsory,prerequisite,price,credits\r\n\
          ENG4U,English Literature,\"Reading, then writing.\",12,University,true,ENG3U,1200.00,1.0\r\n",
        ),
        (
            "old line ends, no last one",
            "code,name,description,grade,courseType,isCompulsory,prerequisite,price,credits\r\
          ENG4U,English Literature,\"Reading, then writing.\",12,University,true,ENG3U,1200.00,1.0",
        ),
        (
            "spaces, lower case, a typed price",
            "code,name,description,grade,courseType,isCompulsory,prerequisite,price,credits\n\
          \u{a0} eng 4u , English  Literature ,\" Reading, then writing. \", 12.0 ,University , YES , eng3u ,\" $1,200 \", 1 \n",
        ),
        (
            "line breaks in quotes",
            "code,name,description,grade,courseType,isCompulsory,prerequisite,price,credits\n\
          ENG4U,\"English\r\nLiterature\",\"Reading, then writing.\r\n\",12,University,1,ENG3U,1200,1\n",
        ),
        (
            "blank rows",
            "\n\n , ,,,,,,,\ncode,name,description,grade,courseType,isCompulsory,prerequisite,price,credits\n\n\
          ,,,,,,,,\n   \nENG4U,English Literature,\"Reading, then writing.\",12,University,y,ENG3U,1200,1\n\n",
        ),
        (
            "headers in another order and spelling",
            "Price;COURSE_TYPE;Is Compulsory;Name;Code;Grade;description;Prerequisite;credits\n\
          1200;University;True;English Literature;ENG4U;12;Reading, then writing.;ENG3U;1\n",
        ),
        (
            "tabs",
            "code\tname\tdescription\tgrade\tcourseType\tisCompulsory\tprerequisite\tprice\tcredits\n\
          ENG4U\tEnglish Literature\tReading, then writing.\t12\tUniversity\ttrue\tENG3U\t1200\t\n",
        ),
    ] {
        assert_eq!(imported(text), clean, "{case}");
    }
    for (word, value) in [
        ("TRUE", true),
        ("Yes", true),
        ("Y", true),
        ("1", true),
        ("false", false),
        ("No", false),
        ("N", false),
        ("0", false),
        ("VRAI", true),
        ("faux", false),
        ("", false),
    ] {
        let row = format!("ENG4U,English,Reading and writing.,12,University,{word},,,\n");
        assert_eq!(imported(with_header(&row))[0].is_compulsory, value, "{word}");
    }
}

#[test]
fn every_problem_of_a_file_is_named_with_line_column_value_and_rule() {
    let text = with_header(
        "ENG4U,English,\"Reading\nand writing.\",12,University,true,,549,1\n\
         \n\
         E,En,Short,8,Honours,maybe,,-5,0\n\
         ENG3U,English,Reading and writing.,11,University,true,,549,1,more\n\
         eng4u,English,Reading and writing.,12,,true,,abc,x\n",
    );
    assert_eq!(
        problems(text),
        [
            "line 5, code: Course code must be at least 2 characters (found \"E\")",
            "line 5, courseType: Must be one of Academic, Applied, Open, University, University/College, College, Workplace (found \"Honours\")",
            "line 5, credits: Credits must be more than 0 and at most 4, with at most two decimals (found \"0\")",
            "line 5, description: Description must be at least 10 characters (found \"Short\")",
            "line 5, grade: Grade must be a whole number from 9 to 12 (found \"8\")",
            "line 5, isCompulsory: Must be true or false (found \"maybe\")",
            "line 5, name: Course name must be at least 3 characters (found \"En\")",
            "line 5, price: Price cannot be negative (found \"-5\")",
            "line 6: 10 columns, where the header has 9",
            "line 7, code: the same code is already on line 2 (found \"eng4u\")",
            "line 7, courseType: Course type is required",
            "line 7, credits: Credits must be more than 0 and at most 4, with at most two decimals (found \"x\")",
            "line 7, price: Price must be a number (found \"abc\")",
        ]
    );
}

#[test]
fn lines_are_counted_as_an_editor_counts_them() {
    for end in ["\n", "\r\n", "\r"] {
        let text = format!(
            "{HEADER}\nAA,\"Two\nlines\",Reading and writing.,12,Open,,,,\n\n\nBB,English,Reading and writing.,13,Open,,,,\nCC,English,Reading and writing.,14,Open,,,,\n"
        );
        let found = problems(text.replace('\n', end));
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].starts_with("line 6, grade"), "{end:?}: {}", found[0]);
        assert!(found[1].starts_with("line 7, grade"), "{end:?}: {}", found[1]);
    }
}

#[test]
fn a_wrong_header_is_explained() {
    let names = "code, name, description, grade, courseType, isCompulsory, prerequisite, price, credits, capacity, isOpen";
    assert_eq!(
        problems("code,name,grade,Code,level\nENG4U,English,13,ENG3U,x\n"),
        [
            "line 1, code: this column is there twice (found \"Code\")".to_owned(),
            format!("line 1, column 5: there is no such column; the columns are {names} (found \"level\")"),
            "line 1, description: this column is missing".to_owned(),
            "line 1, courseType: this column is missing".to_owned(),
            "line 2, grade: Grade must be a whole number from 9 to 12 (found \"13\")".to_owned(),
        ]
    );
    let headless = "ENG4U,English,Reading and writing.,12,University\n";
    assert_eq!(problems(headless), [format!("line 1: the first line must name the columns: {names}")]);
    assert_eq!(problems(""), ["line 1: the file is empty"]);
    assert_eq!(problems("\u{feff}\n \n"), ["line 1: the file is empty"]);
    assert_eq!(problems(HEADER), ["line 1: there is no course below the header"]);
}

#[test]
fn an_ambiguous_file_is_refused() {
    let mut bytes =
        with_header("ENG4U,English,Reading and writing.,12,University,,,,\nFSF1D,Fran").into_bytes();
    bytes.extend(b"\xe7ais\n");
    let found = problems(bytes);
    assert_eq!(found.len(), 1);
    assert!(found[0].starts_with("line 3: the file is not in UTF-8. Save it again"), "{}", found[0]);

    // UTF-16 without the mark that says so.
    let plain: Vec<u8> = with_header("AA,x").encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert!(problems(plain)[0].starts_with("line 1: the file is not in UTF-8. Save it again"));

    // A stray NUL is one on its line, and the other lines are still read.
    let stray = with_header(
        "AA1O,Art,Seeing and drawing.,9,Open,,,,\nBB1O,Mu\0sic,Hearing.,9,Open,,,,\nCC1O,Dance,Moving to music.,99,Open,,,,\n",
    );
    let found = problems(stray);
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[0].starts_with("line 3, name:") && found[0].contains("a NUL character"), "{found:?}");
    assert!(found[1].starts_with("line 4, grade:"), "{found:?}");

    let unclosed = with_header(
        "AA,\"He said \"\"no\"\"\",Reading and writing.,12,Open,,,,\n\
         BB,\"English,Reading and writing.,12,Open,,,,\nCC,English,Reading and writing.,12,Open,,,,\n",
    );
    assert_eq!(problems(unclosed), ["line 3: a quotation mark is opened on this line and never closed"]);
}

#[test]
fn a_file_with_one_fault_imports_nothing_and_a_long_list_is_cut() {
    let folder = tempfile::tempdir().unwrap();
    let mut connection = open(folder.path());
    let rows: String =
        (0..150).map(|n| format!("A{n:03},English,Reading and writing.,13,Open,,,,\n")).collect();
    let mut importing = importing(with_header(&rows));
    let announced = importing.validate(&connection).unwrap();
    assert_eq!((announced.problems.first().len(), announced.problems.more()), (20, 130));
    let printed = announced.problems.to_string();
    assert_eq!(printed.lines().count(), 21);
    assert!(printed.ends_with("\nand 130 more problems"), "{printed}");
    importing.write(&mut connection, &mut |_, _| {}).unwrap();
    assert_eq!(store::list(&connection).unwrap(), [], "nothing is written of a file with a fault");
}

#[test]
fn exported_courses_can_be_imported_unchanged() {
    let folder = tempfile::tempdir().unwrap();
    let mut connection = open(folder.path());
    import(&mut connection, include_bytes!("tests/files/courses-that-look-like-formulas.csv"), false);
    import(
        &mut connection,
        with_header(
            "FRM3X,\"'Tis a name\",\"'=Quoted, in\n\ntwo parts\",11,Open,no,-,,\n\
             FRM4X,\"=\"\"x\"\" is a text\",\"'Tis ''what it is'', \"\"quoted\"\".\",11,Open,no,+1,0.5,0.5\n",
        ),
        false,
    );
    let before = store::list(&connection).unwrap();
    let name = |code: &str| before.iter().find(|course| course.code.as_str() == code).unwrap().name.clone();
    assert_eq!((&*name("FRM1X"), &*name("FRM2X")), ("-Art and Design", "@Home Learning"));
    assert_eq!(before.iter().filter(|course| course.description.contains('\n')).count(), 1);
    for style in SheetStyle::ALL {
        let sheet = crate::web::sheet::write(&before, *style).unwrap();
        assert_eq!(import(&mut connection, sheet, false), [0, 0, 4], "{style:?}");
        assert_eq!(store::list(&connection).unwrap(), before, "{style:?}");
    }
}

#[test]
fn french_numbers_are_read_where_semicolons_divide_the_columns() {
    let course = imported(include_bytes!("tests/files/courses-french-numbers.csv")).remove(0);
    assert_eq!(
        (course.price, course.credits, &*course.name),
        (Some(Money::from_cents(120_000)), half(), "Demi-crédit")
    );
    let sheet = |head: &str, price: &str, credits: &str| {
        let header = HEADER.replace(',', ";");
        format!("{head}{header}\nFRA1X;French;Reading and writing.;10;Open;;;{price};{credits}\n")
    };
    for (price, cents) in
        [("1\u{202f}200,50\u{a0}$", 120_050), ("$1,200.00", 120_000), ("549", 54_900), ("0,50", 50)]
    {
        assert_eq!(
            imported(sheet("sep=;\r\n", price, "0,5"))[0].price,
            Some(Money::from_cents(cents)),
            "{price}"
        );
    }
    let found = problems(sheet("", "1,200", "x"));
    assert!(
        found.len() == 1
            && found[0].starts_with("line 2, price: three digits behind a comma or a point can be"),
        "{found:?}"
    );
    // Between commas a comma divides thousands.
    let english = "FRA1X,French,Reading and writing.,10,Open,,,\"1,200\",0.5\n";
    assert_eq!(imported(with_header(english))[0].price, Some(Money::from_cents(120_000)));
    assert_eq!(
        problems(with_header(&english.replace("1,200", "12,50"))),
        ["line 2, price: Price must be a number (found \"12,50\")"]
    );
}

#[test]
fn an_archived_course_is_not_brought_back_by_an_import() {
    let folder = tempfile::tempdir().unwrap();
    let mut connection = open(folder.path());
    let text = with_header("ENG4U,English,Reading and writing.,12,University,,,,\n");
    import(&mut connection, &text, false);
    let old = store::list(&connection).unwrap().remove(0);
    store::archive(&connection, old.id, Timestamp::UNIX_EPOCH).unwrap();
    assert_eq!(import(&mut connection, &text, false), [1, 0, 0]);
    let courses = store::list(&connection).unwrap();
    assert_eq!(courses.len(), 1);
    assert_ne!(courses[0].id, old.id);
}
