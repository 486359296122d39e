//! Valid student files, and the problems reported for invalid ones.

mod fuzz;

use super::*;
use crate::storage::db;
use crate::storage::statements::Statements;
use crate::web::sheet::Importing;

fn importer() -> Importer {
    Importer {
        config: Arc::default(),
        actor: Actor::command_line(),
        user_id: None,
        is_invited: false,
        today: "2026-11-21".parse().unwrap(),
        now: Timestamp::from_second(1_795_000_000).unwrap(),
        orders: DateOrders::default(),
    }
}

fn importing(text: impl AsRef<[u8]>) -> Importing<Importer> {
    Importing::open(importer(), text.as_ref().to_vec())
}

/// Dry run of a file.
fn look(connection: &Connection, text: impl AsRef<[u8]>) -> Imported {
    Imported::of::<Importer>(importing(text).validate(connection).unwrap())
}

/// Import of a file.
fn import(connection: &Connection, text: impl AsRef<[u8]>) -> Imported {
    let mut importing = importing(text);
    let announced = Imported::of::<Importer>(importing.validate(connection).unwrap());
    while importing.write_step(connection).unwrap() {}
    if announced.problems.is_empty() {
        assert_eq!(Imported::of::<Importer>(importing.done()), announced);
    }
    announced
}

fn school() -> (tempfile::TempDir, Connection) {
    let folder = tempfile::tempdir().unwrap();
    let connection = db::open(&folder.path().join("school.db")).unwrap();
    (folder, connection)
}

fn count(connection: &Connection) -> i64 {
    connection.one("select count(*) from students", []).unwrap()
}

#[test]
fn a_sheet_adds_updates_and_leaves_alone() {
    let (_folder, connection) = school();
    let sheet = "\u{feff}Email;Full Name;phone number;Canadian status;province\r\n\
        jane@mail.example;Jane Doe;6475550101;Permanent Resident;on\r\n\
        Zoe@Mail.Example;Zoë Müller;;;\r\n";
    let dry = look(&connection, sheet);
    assert_eq!((dry.added, dry.problems.len(), count(&connection)), (2, 0, 0));
    let first = import(&connection, sheet);
    assert_eq!((first.added, first.updated, first.unchanged), (2, 0, 0), "{:?}", first.problems);
    let again = import(&connection, sheet);
    assert_eq!((again.added, again.updated, again.unchanged), (0, 0, 2));
    // An empty cell leaves the value unchanged.
    let later = "email,fullName,phoneNumber,city\nJANE@mail.example,Jane Doe,,Ottawa\n";
    let changed = import(&connection, later);
    assert_eq!((changed.updated, changed.rows[0].email.as_deref()), (1, Some("jane@mail.example")));
    let facts: (String, String, String) =
        connection.one("select phone_number, city, canadian_status from students where id = 1", []).unwrap();
    assert_eq!(facts, ("(647) 555-0101".into(), "Ottawa".into(), "permanent_resident".into()));
}

#[test]
fn a_single_mistake_imports_nothing_and_every_one_is_named() {
    let (_folder, connection) = school();
    let sheet = "email,fullName,dateOfBirth,gender,shoe size\n\
        jane@mail.example,Jane Doe,2009-03-01,female,38\n\
        jane,J,2009-02-30,robot,\n\
        Jane@mail.example,Jane Doe,,,\n\
        zoe@mail.example,,,,\n\
        three@mail.example,more,,female,38,cells\n";
    let outcome = import(&connection, sheet);
    assert_eq!(count(&connection), 0);
    let text = outcome.problems.join("\n");
    for part in [
        "line 1, column 5: there is no such column",
        "line 3, email: Please enter a valid email address (found \"jane\")",
        "line 4, email: the same address is already on line 2",
        "line 5, fullName: Full name is required",
        "line 6: 6 columns, where the header has 5",
    ] {
        assert!(text.contains(part), "{part} is missing in:\n{text}");
    }
    assert_eq!((outcome.added, outcome.rows.len()), (0, 0));
    let bad = "email,fullName,dateOfBirth,gender\njane@mail.example,\u{200B},2009-02-30,robot\n";
    let outcome = import(&connection, bad);
    assert_eq!(outcome.problems.len(), 3, "{:?}", outcome.problems);
    let empty = import(&connection, "");
    assert_eq!(empty.problems, ["line 1: the file is empty"]);
}

#[test]
fn files_are_accepted_as_spreadsheets_save_them() {
    let files: [(&[u8], usize); 2] = [
        (include_bytes!("tests/files/students-excel-left-commas-out.csv"), 25),
        (include_bytes!("tests/files/students-empty-columns-behind.csv"), 2),
    ];
    for (file, added) in files {
        let (_folder, connection) = school();
        let outcome = import(&connection, file);
        assert_eq!((outcome.added, outcome.problems), (added, vec![]));
    }
    let (_folder, connection) = school();
    let jane = "email\tfullName\tphoneNumber\njane@mail.example\tZoë Doe\t'+1 647 555 0101\n";
    let utf16 = |number: fn(u16) -> [u8; 2]| -> Vec<u8> {
        format!("\u{feff}{jane}").replace('\n', "\r\n").encode_utf16().flat_map(number).collect()
    };
    assert_eq!(import(&connection, jane).added, 1);
    for (case, text) in [
        ("Excel's Unicode Text", utf16(u16::to_le_bytes)),
        ("the other UTF-16", utf16(u16::to_be_bytes)),
        ("old line ends", jane.replace('\n', "\r").into()),
        ("a separator that is named", format!("sep=|\n{}", jane.replace('\t', "|")).into()),
        (
            "the same in capitals and quotes",
            format!("\u{feff}\"SEP=;\"\r\n{}", jane.replace('\t', ";")).into(),
        ),
        (
            "texts as formulas",
            jane.replace("'+1 647 555 0101", "=\"6475550101\"").replace("Zoë Doe", "=\"Zoë Doe\"").into(),
        ),
        ("a table of numbers", jane.replace("'+1 647 555 0101", "6475550101.0").into()),
        ("an empty column between", jane.replace('\t', "\t\t").into()),
        ("a line break in quotes", jane.replace("Zoë Doe", "\"Zoë\r\nDoe\"").into()),
    ] {
        let outcome = look(&connection, text);
        assert_eq!((outcome.unchanged, outcome.problems), (1, vec![]), "{case}");
    }
}

fn names(connection: &Connection) -> Vec<(String, Option<String>)> {
    connection.list("select full_name, date_of_birth from students order by id", []).unwrap()
}

#[test]
fn names_in_two_columns_are_joined_and_headings_of_other_programs_are_known() {
    for sheet in [
        "Email,First name,Last name,Date of birth,Phone\na@mail.example,Sample,Learner,2009-03-01,416-555-0100\n",
        "Courriel;Prénom;Nom;Date de naissance;Téléphone\na@mail.example;Sample;Learner;1er mars 2009;416-555-0100\n",
        "Email_Address,Student Name,DOB,Zip Code\na@mail.example,Sample Learner,\"Mar 1, 2009\",M5V 0A0\n",
    ] {
        let (_folder, connection) = school();
        let outcome = import(&connection, sheet);
        assert_eq!((outcome.added, outcome.problems), (1, vec![]), "{sheet}");
        assert_eq!(names(&connection), [("Sample Learner".into(), Some("2009-03-01".into()))], "{sheet}");
        assert_eq!(import(&connection, sheet).unchanged, 1);
    }
    let (_folder, connection) = school();
    let nameless = import(&connection, "email,first name,last name\na@mail.example,,\n");
    assert_eq!(nameless.problems, ["line 2, fullName: Full name is required"]);
    let missing = import(&connection, "email,first name\na@mail.example,Ann\n");
    assert_eq!(missing.problems, ["line 1, fullName: this column is missing"]);
}

#[test]
fn the_students_of_a_file_of_users_are_imported_and_its_passwords_are_not_read() {
    let (_folder, connection) = school();
    let users = "sourcedId,status,dateLastModified,enabledUser,orgSourcedIds,role,username,userIds,givenName,\
        familyName,middleName,identifier,email,sms,phone,agentSourcedIds,grades,password\n\
        1,active,2026-11-01,true,9,student,ann,,Ann,Lee,,1,ann@mail.example,,416-555-0100,,11,hidden\n\
        2,active,2026-11-01,true,9,teacher,bea,,Bea,Roy,,2,bea@mail.example,,416-555-0101,,,hidden\n";
    let outcome = import(&connection, users);
    assert_eq!((outcome.added, outcome.left_out, outcome.problems), (1, 1, vec![]));
    assert_eq!(names(&connection), [("Ann Lee".into(), None)]);
}

#[test]
fn one_date_of_a_file_decides_the_order_of_the_others() {
    let (_folder, connection) = school();
    let sheet = |last: &str| {
        format!("email,fullName,dateOfBirth\na@mail.example,Ann,3/1/2009\nb@mail.example,Bea,{last}\n")
    };
    let asked = import(&connection, sheet("4/2/2009"));
    assert_eq!(asked.problems.len(), 2, "{:?}", asked.problems);
    assert_eq!(import(&connection, sheet("13/2/2009")).added, 2);
    assert_eq!(names(&connection)[0].1.as_deref(), Some("2009-01-03"));
    assert_eq!(import(&connection, sheet("2/13/2009")).updated, 1);
    assert_eq!(names(&connection)[0].1.as_deref(), Some("2009-03-01"));
}

#[test]
fn a_heading_that_no_column_has_is_matched_by_hand() {
    let (_folder, connection) = school();
    let sheet = "Email,Nombre,Shoe size\na@mail.example,Ana Ruiz,38\n";
    let asked = look(&connection, sheet);
    let headings: Vec<_> = asked.unknown.iter().map(|one| (&*one.heading, &*one.sample)).collect();
    assert_eq!(headings, [("Nombre", "Ana Ruiz"), ("Shoe size", "38")]);
    let offers = |name: &str| asked.columns.iter().any(|column| column == name);
    assert!(offers("fullName") && !offers("email") && asked.problems.len() == 3);
    let with = |chosen: &str| {
        let chosen = ColumnChoice::parse(chosen).unwrap();
        let mut importing = Importing::open_with(importer(), sheet.into(), &chosen);
        Imported::of::<Importer>(importing.validate(&connection).unwrap())
    };
    let chosen = with(r#"{"Nombre":"fullName","Shoe size":""}"#);
    assert_eq!((chosen.added, chosen.problems, chosen.unknown), (1, vec![], vec![]));
    assert_eq!(with(r#"{"Nombre":"fullName"}"#).problems.len(), 1);
    for no_choice in [r#"{"Nombre":"password","Shoe size":""}"#, r#"{"Nombre":"status","Shoe size":""}"#] {
        assert_eq!(with(no_choice).problems.len(), 2, "{no_choice}");
    }
    let twice = with(r#"{"Nombre":"fullName","Shoe size":"fullName"}"#);
    assert!(twice.problems[0].contains("there twice"), "{:?}", twice.problems);
    assert!(ColumnChoice::parse("[1]").is_err());
}

#[test]
fn damage_by_a_spreadsheet_is_reported_with_its_line() {
    let (_folder, connection) = school();
    let outcome = import(&connection, include_bytes!("tests/files/students-phone-in-powers.csv"));
    assert_eq!(
        outcome.problems,
        [
            "line 2, phoneNumber: the spreadsheet has shortened a long number to a power of ten, and its last digits \
            are lost. Format the column as text, type the number again, then save the file again (found \
            \"4.16556E+09\")"
        ]
    );
    let sheet = "email,fullName,dateOfBirth,lastSchool,\n\
        a@mail.example,Ann,########,Northgate\nb@mail.example,Bea,,#NAME?\nc@mail.example,Cy,,,left over\n";
    let found = import(&connection, sheet).problems.join("\n");
    for part in [
        "line 2, dateOfBirth: the spreadsheet wrote # signs because the column was too narrow",
        "line 3, lastSchool: the spreadsheet took the text for a formula",
        "line 4: 5 columns, where the header has 4",
    ] {
        assert!(found.contains(part), "{part} is missing in:\n{found}");
    }
    let between = "email,,fullName\na@mail.example,left over,Ann\n";
    let found = import(&connection, between).problems;
    assert!(found[0].starts_with("line 2, column 2: there is a value, but no heading above it"), "{found:?}");
    assert_eq!(count(&connection), 0);
}

#[test]
fn twenty_problems_of_a_million_are_listed() {
    let (_folder, connection) = school();
    let wide = |columns: usize| format!("email,fullName{}\n", ",x".repeat(columns));
    let outcome = look(&connection, wide(100_000));
    assert_eq!(
        (outcome.problems, outcome.more_problems),
        (vec!["line 1: there are more than 100 columns. Delete those that are not imported".to_owned()], 0)
    );
    // Any number of empty columns is ignored.
    let empty = format!("email,fullName{}\na@mail.example,Ann\n", ",".repeat(16_382));
    assert_eq!(look(&connection, empty).added, 1);
    let outcome = look(&connection, format!("email,fullName\n{}", "no,address\n".repeat(30_000)));
    assert_eq!((outcome.problems.len(), outcome.more_problems, outcome.rows.len()), (20, 29_980, 0));
    assert!(serde_json::to_vec(&outcome).unwrap().len() < 4_000);
}

#[test]
fn others_can_write_between_two_steps_and_a_line_that_became_invalid_is_skipped() {
    let (folder, mut connection) = school();
    let rows: String = (0..120).map(|n| format!("s{n}@mail.example,Student {n}\n")).collect();
    let mut importing = importing(format!("email,fullName\n{rows}"));
    assert_eq!(importing.validate(&connection).unwrap().added, 120);
    let other = db::connect(&folder.path().join("school.db")).unwrap();
    // Fails at once if the lock is held.
    other.busy_timeout(std::time::Duration::ZERO).unwrap();
    let mut steps = Vec::new();
    let mut between = |done, of| {
        steps.push((done, of, count(&other)));
        // Both are added by others meanwhile, and the second account is closed.
        other
            .execute_batch(
                "insert or ignore into students (email, password_hash, status, created_at, updated_at)
                 values ('s118@mail.example', '', 'active', 0, 0), ('s119@mail.example', '', 'closed', 0, 0)",
            )
            .unwrap();
    };
    importing.write(&mut connection, &mut between).unwrap();
    assert_eq!(steps, [(50, 120, 50), (100, 120, 102)]);
    let done = Imported::of::<Importer>(importing.done());
    assert_eq!((done.added, done.updated, count(&connection)), (118, 1, 120));
    assert_eq!(
        done.problems,
        ["line 121, email: This address belongs to a closed account (found \"s119@mail.example\")"]
    );
}
