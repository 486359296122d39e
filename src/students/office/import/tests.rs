//! What a sheet of students may say, and what is said of one that is wrong.

mod fuzz;

use axum::body::Body;
use axum::extract::FromRequest;
use axum::http::Request;

use super::*;
use crate::storage::db;

fn import(connection: &Connection, text: &str, options: Options) -> ImportedStudents {
    let (config, actor) = (Config::default(), Actor::command_line());
    let today = "2026-11-21".parse().unwrap();
    let now = Timestamp::from_second(1_795_000_000).unwrap();
    let importer = Importer { connection, config: &config, actor: &actor, user_id: None, today, now };
    importer.import(text.as_bytes(), options).unwrap()
}

fn school() -> (tempfile::TempDir, Connection) {
    let folder = tempfile::tempdir().unwrap();
    let connection = db::open(&folder.path().join("school.db")).unwrap();
    (folder, connection)
}

fn count(connection: &Connection) -> i64 {
    connection.query_row("select count(*) from students", [], |row| row.get(0)).unwrap()
}

#[test]
fn a_sheet_adds_updates_and_leaves_alone() {
    let (_folder, connection) = school();
    let sheet = "\u{feff}Email;Full Name;phone number;Canadian status;province\r\n\
        jane@mail.example;Jane Doe;6475550101;Permanent Resident;on\r\n\
        Zoe@Mail.Example;Zoë Müller;;;\r\n";
    let dry = import(&connection, sheet, Options { is_dry_run: true, ..Options::default() });
    assert_eq!((dry.added, dry.problems.len(), count(&connection)), (2, 0, 0));
    let first = import(&connection, sheet, Options::default());
    assert_eq!((first.added, first.updated, first.unchanged), (2, 0, 0), "{:?}", first.problems);
    let again = import(&connection, sheet, Options::default());
    assert_eq!((again.added, again.updated, again.unchanged), (0, 0, 2));
    // An empty cell leaves what is there.
    let later = "email,fullName,phoneNumber,city\nJANE@mail.example,Jane Doe,,Ottawa\n";
    let changed = import(&connection, later, Options::default());
    assert_eq!((changed.updated, &*changed.rows[0].email), (1, "JANE@mail.example"));
    let facts: (String, String, String) = connection
        .query_row("select phone_number, city, canadian_status from students where id = 1", [], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?))
        })
        .unwrap();
    assert_eq!(facts, ("(647) 555-0101".into(), "Ottawa".into(), "permanent_resident".into()));
}

/// A body that breaks off.
struct Cut(Option<axum::Error>);

impl hyper::body::Body for Cut {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: std::pin::Pin<&mut Self>,
        _: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Result<hyper::body::Frame<Bytes>, axum::Error>>> {
        std::task::Poll::Ready(self.0.take().map(Err))
    }
}

#[tokio::test]
async fn a_file_that_is_not_read_is_refused_with_the_true_reason() {
    let cut = |error| Body::new(Cut(Some(error)));
    for (body, status) in [
        (cut(axum::Error::new(TooSlow)), StatusCode::REQUEST_TIMEOUT),
        (cut(axum::Error::new(std::io::Error::other("cut off"))), StatusCode::BAD_REQUEST),
        (Body::from(vec![b' '; 3 * 1024 * 1024]), StatusCode::PAYLOAD_TOO_LARGE),
    ] {
        // Two megabytes are what is read where no layer says another number.
        let rejection = Bytes::from_request(Request::new(body), &()).await.unwrap_err();
        assert_eq!(not_read(&rejection).status(), status);
    }
}

#[test]
fn a_single_mistake_imports_nothing_and_every_one_is_named() {
    let (_folder, connection) = school();
    let sheet = "email,fullName,dateOfBirth,gender,shoe size\n\
        jane@mail.example,Jane Doe,2009-03-01,female,38\n\
        jane,J,2009-02-30,robot,\n\
        Jane@mail.example,Jane Doe,,,\n\
        zoe@mail.example,,,,\n\
        three,cells,only\n";
    let outcome = import(&connection, sheet, Options::default());
    assert_eq!(count(&connection), 0);
    let text = outcome.problems.join("\n");
    for part in [
        "line 1, column 5: there is no such column",
        "line 3, email: Please enter a valid email address (found \"jane\")",
        "line 4, email: the same address is already on line 2",
        "line 5, fullName: Full name is required",
        "line 6: 3 columns, where the header has 5",
    ] {
        assert!(text.contains(part), "{part} is missing in:\n{text}");
    }
    let actions: Vec<_> = outcome.rows.iter().map(|row| row.action).collect();
    assert_eq!(actions, [ImportAction::Add, ImportAction::Error, ImportAction::Error, ImportAction::Error]);
    let bad = "email,fullName,dateOfBirth,gender\njane@mail.example,J,2009-02-30,robot\n";
    let outcome = import(&connection, bad, Options::default());
    assert_eq!(outcome.rows[0].errors.len(), 3, "{:?}", outcome.rows);
    let empty = import(&connection, "", Options::default());
    assert_eq!(empty.problems, ["line 1: the file is empty"]);
}
