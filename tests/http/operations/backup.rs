//! The commands `backup`, `verify` and `restore` of the real binary.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use reqwest::StatusCode;

use crate::cli::schoolhouse;
use crate::support::{Actor, PASSWORD, PDF, Program, School};

fn run(data_dir: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_schoolhouse"))
        .arg("--data-dir")
        .arg(data_dir)
        .args(arguments)
        .env_clear()
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

#[track_caller]
fn done(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(0), "{}", err(output));
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

fn err(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A school with a student and a document, and its archive outside of it.
async fn archived(school: &School, into: &Path) -> (String, PathBuf) {
    let student = school.student().await;
    student.upload("other", "a.pdf", PDF.to_vec()).await.expect(StatusCode::CREATED);
    let archive = done(&run(school.path(), &["backup", into.to_str().unwrap()]));
    (student.email.clone(), archive.into())
}

#[tokio::test]
async fn a_school_comes_back_on_another_machine() {
    let school = School::open().await;
    let place = tempfile::tempdir().unwrap();
    let (email, archive) = archived(&school, place.path()).await;
    let archive = archive.to_str().unwrap();
    let data_dir = place.path().join("data");

    let words = done(&run(&data_dir, &["verify", archive]));
    assert!(words.contains("is intact") && words.contains("1 students"), "{words}");
    let words = done(&run(&data_dir, &["restore", archive]));
    assert!(words.contains("1 documents in 1 files") && !words.contains("before"), "{words}");

    let program = Program::serve(&data_dir, &[]);
    let student = Actor::new(&program.address);
    student.log_in(&email, PASSWORD).await.expect(StatusCode::OK);
    let documents = student.get("/api/students/documents").await.expect(StatusCode::OK).json();
    let file = student.get(&format!("/api/documents/{}", documents[0]["id"])).await;
    assert_eq!(file.expect(StatusCode::OK).bytes, PDF);
}

#[tokio::test]
async fn an_inhabited_folder_is_replaced_only_with_yes_and_a_running_school_never() {
    let school = School::open().await;
    let place = tempfile::tempdir().unwrap();
    let (_, archive) = archived(&school, place.path()).await;
    let archive = archive.to_str().unwrap();
    let running = run(school.path(), &["restore", archive, "--yes"]);
    assert_eq!(running.status.code(), Some(1));
    assert!(err(&running).contains("already serving"), "{}", err(&running));

    let data_dir = place.path().join("data");
    done(&run(&data_dir, &["restore", archive]));
    let refused = run(&data_dir, &["restore", archive]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(err(&refused).contains("is not empty; with --yes"), "{}", err(&refused));
    let words = done(&run(&data_dir, &["restore", archive, "--yes"]));
    let aside = words.split_once("what was there before is in ").unwrap().1.split(';').next().unwrap();
    assert!(Path::new(aside).join("schoolhouse.db").exists(), "{words}");
}

#[tokio::test]
async fn a_damaged_archive_is_refused_with_the_reason() {
    let school = School::open().await;
    let place = tempfile::tempdir().unwrap();
    let (_, archive) = archived(&school, place.path()).await;
    let mut bytes = std::fs::read(&archive).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&archive, bytes).unwrap();
    for command in ["verify", "restore"] {
        let refused = run(&place.path().join("data"), &[command, archive.to_str().unwrap()]);
        assert_eq!((refused.status.code(), refused.stdout.len()), (Some(1), 0));
        assert!(err(&refused).contains("cannot be used"), "{}", err(&refused));
    }
    let missing = run(place.path(), &["verify", "/nowhere.tar.zst"]);
    assert!(err(&missing).contains("opening /nowhere.tar.zst"), "{}", err(&missing));
}

#[tokio::test]
async fn an_encrypted_archive_is_for_the_holder_of_the_key_alone() {
    let school = School::open().await;
    let place = tempfile::tempdir().unwrap();
    let key = place.path().join("key.txt");
    assert!(Command::new("age-keygen").arg("-o").arg(&key).output().unwrap().status.success());
    let text = std::fs::read_to_string(&key).unwrap();
    let recipient = text.lines().find_map(|line| line.strip_prefix("# public key: ")).unwrap();
    school.student().await;
    let into = place.path().to_str().unwrap();
    let archive = done(&run(school.path(), &["backup", into, "--recipient", recipient]));
    assert!(archive.ends_with(".tar.zst.age"), "{archive}");

    let closed = run(place.path(), &["verify", &archive]);
    assert!(err(&closed).contains("--identity"), "{}", err(&closed));
    let key = key.to_str().unwrap();
    done(&run(place.path(), &["verify", &archive, "--identity", key]));
    assert_eq!(school.count("select count(*) from upkeep where task = 'opened'"), 0, "on another machine");
    done(&run(school.path(), &["verify", &archive, "--identity", key]));
    let opened =
        format!("select count(*) from upkeep where task = 'opened' and detail ->> 'file' = '{archive}'");
    assert_eq!(school.count(&opened), 1);
    let data_dir = place.path().join("data");
    let words = done(&run(&data_dir, &["restore", &archive, "--identity", key]));
    assert!(words.contains("1 students"), "{words}");
    // Debian's own tool reads it as well, and what it wrote is an archive.
    let plain = place.path().join("plain.tar.zst");
    let age = Command::new("age").args(["-d", "-i", key, "-o"]).arg(&plain).arg(&archive).output().unwrap();
    assert!(age.status.success(), "{}", err(&age));
    done(&run(place.path(), &["verify", plain.to_str().unwrap()]));
    let left = std::fs::read_dir(school.path().join("tmp")).unwrap().count();
    assert_eq!(left, 1, "only backup.lock stays");
}

#[tokio::test]
async fn an_archive_goes_through_a_pipe_and_a_closed_one_is_an_error() {
    let school = School::open().await;
    let place = tempfile::tempdir().unwrap();
    school.student().await;
    let output = run(school.path(), &["backup", "-"]);
    assert!(output.status.success(), "{}", err(&output));
    let archive = place.path().join("piped.tar.zst");
    std::fs::write(&archive, &output.stdout).unwrap();
    done(&run(place.path(), &["verify", archive.to_str().unwrap()]));

    let mut child = Command::new(env!("CARGO_BIN_EXE_schoolhouse"))
        .arg("--data-dir")
        .arg(school.path())
        .args(["backup", "-"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let text = err(&output);
    assert!(text.contains("sending the archive") && !text.contains("panicked"), "{text}");
}

#[tokio::test]
async fn old_archives_are_thinned_and_named() {
    let school = School::open().await;
    let place = tempfile::tempdir().unwrap();
    let old = place.path().join("schoolhouse-20250101-000000.tar.zst");
    let other = place.path().join("schoolhouse-of-another.tar.zst");
    for path in [&old, &other] {
        std::fs::write(path, b"").unwrap();
    }
    let output = run(school.path(), &["backup", place.path().to_str().unwrap(), "--keep", "1"]);
    let archive = done(&output);
    assert!(err(&output).contains(&format!("deleted {}", old.display())), "{}", err(&output));
    assert!(Path::new(&archive).exists() && other.exists() && !old.exists());
    let wrong = run(school.path(), &["backup", "--keep", "0"]);
    assert_eq!(wrong.status.code(), Some(2), "{}", err(&wrong));
}

#[tokio::test]
async fn a_folder_that_is_not_there_is_made_unless_its_own_is_missing() {
    let (school, place) = (School::open().await, tempfile::tempdir().unwrap());
    let weekly = place.path().join("weekly");
    let archive = done(&run(school.path(), &["backup", weekly.to_str().unwrap(), "--keep", "2"]));
    assert_eq!(Path::new(&archive).parent(), Some(weekly.as_path()));
    assert_eq!(weekly.metadata().unwrap().permissions().mode() & 0o777, 0o700);
    let unmounted = place.path().join("disk/weekly");
    let output = run(school.path(), &["backup", unmounted.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    assert!(err(&output).contains("(is its disk mounted?)"), "{}", err(&output));
    assert!(!place.path().join("disk").exists());
    let misspelt = place.path().join("school.tar.gz");
    let output = run(school.path(), &["backup", misspelt.to_str().unwrap()]);
    assert!(err(&output).contains("nor a file name ending in .tar.zst"), "{}", err(&output));
}

#[tokio::test]
async fn a_lost_document_ends_no_backup_and_comes_out_of_an_older_archive() {
    let school = School::open().await;
    let staff = school.staff().await;
    let place = tempfile::tempdir().unwrap();
    let (_, archive) = archived(&school, place.path()).await;
    let document: i64 = school.count("select max(id) from student_documents");
    let sql = "select document_path from student_documents";
    let path: String = school.database().query_row(sql, [], |row| row.get(0)).unwrap();
    let file = school.path().join(path);
    std::fs::write(&file, b"rot").unwrap();

    // No archive is thinned out meanwhile: the older one has the file.
    let made = run(school.path(), &["backup", place.path().to_str().unwrap(), "--keep", "1"]);
    assert_eq!(made.status.code(), Some(3), "{}", err(&made));
    assert!(err(&made).contains(&format!("document {document} (changed)")), "{}", err(&made));
    let newer = String::from_utf8(made.stdout).unwrap().trim().to_owned();
    let words = done(&run(school.path(), &["verify", &newer]));
    assert!(
        words.contains("is intact") && words.contains(&format!("document {document} (changed)")),
        "{words}"
    );
    assert!(words.contains("not in it: passwords, keys"), "{words}");
    assert_eq!(school.count("select count(*) from outbox where subject = 'A document''s file is lost'"), 1);
    let count = async || staff.get("/api/admin/dashboard").await.json()["lostDocumentsCount"].clone();
    assert_eq!(count().await, 1);

    // The newer archive does not have it; the older one has.
    let number = document.to_string();
    let refused = run(school.path(), &["restore", "--document", &number, &newer]);
    assert_eq!(refused.status.code(), Some(1), "{}", err(&refused));
    let words = done(&run(school.path(), &["restore", "--document", &number, archive.to_str().unwrap()]));
    assert!(words.contains("was restored"), "{words}");
    assert_eq!(std::fs::read(&file).unwrap(), PDF);
    assert_eq!(count().await, 0);
    let copy = place.path().join("copy.pdf");
    let to = ["restore", "--document", &number, archive.to_str().unwrap(), "--to", copy.to_str().unwrap()];
    done(&run(school.path(), &to));
    assert_eq!(std::fs::read(&copy).unwrap(), PDF);
    done(&run(school.path(), &["backup", place.path().to_str().unwrap()]));
    assert_eq!(
        school.count("select count(*) from audit where action = 'restore' and object = 'document'"),
        1
    );

    // Lost again, and written off: backups are whole again.
    std::fs::remove_file(&file).unwrap();
    assert_eq!(run(school.path(), &["backup", place.path().to_str().unwrap()]).status.code(), Some(3));
    let path = format!("/api/admin/documents/{document}/write-off");
    staff.post(&path, &serde_json::json!({ "reason": "the disk failed" })).await.expect(StatusCode::OK);
    done(&run(school.path(), &["backup", place.path().to_str().unwrap()]));
    assert_eq!(count().await, 0);
}

#[tokio::test]
async fn a_restored_school_does_not_open_as_another_one() {
    let place = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = place.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    };
    let own = "[server]\npublic_url = \"https://harbour.example\"\n[mail]\nsmtp_host = \"127.0.0.1\"\nsecurity = \"none\"\n\
        password = \"secret\"\n[school]\nname = \"Harbour School\"\ncity = \"Toronto\"\n";
    let own = file("own.toml", own);
    let command = |config: &Path, data: &Path, arguments: &[&str]| {
        schoolhouse(data).arg("--config").arg(config).args(arguments).stdin(Stdio::null()).output().unwrap()
    };
    let old = place.path().join("old");
    done(&command(&own, &old, &["import-courses", crate::cli::CATALOGUE]));
    let archive = done(&command(&own, &old, &["backup"]));
    let serve = |config: &Path, data: &Path| {
        Program::start(schoolhouse(data).arg("--config").arg(config).args([
            "serve",
            "--listen",
            "127.0.0.1:0",
        ]))
    };
    let is_refused = |config: &Path, data: &Path| {
        let output = command(config, data, &["serve", "--listen", "127.0.0.1:0"]);
        (output.status.code() == Some(78)).then(|| err(&output))
    };

    // The packaged configuration.
    let new = place.path().join("new");
    let packaged = file("packaged.toml", include_str!("../../../config.example.toml"));
    let said = err(&command(&packaged, &new, &["restore", &archive]));
    let served = is_refused(&packaged, &new).unwrap();
    for words in
        ["\"Harbour School\"", "no email is sent", "https://harbour.example", "config-of-archive.toml"]
    {
        assert!(said.contains(words) && served.contains(words), "{words}: {said}{served}");
    }
    let doctor = String::from_utf8(command(&packaged, &new, &["doctor"]).stdout).unwrap();
    assert!(
        doctor.contains("PROBLEM  Configuration   the restored school had another configuration"),
        "{doctor}"
    );
    // Another school's.
    let other = file("other.toml", "[school]\nname = \"Lakeview College\"\n");
    assert!(is_refused(&other, &new).unwrap().contains("was \"Harbour School\" and is \"Lakeview College\""));

    // The archive's own, which holds no secret.
    let words = done(&command(&packaged, &new, &["restore", &archive, "--yes", "--with-config"]));
    let kept = words.split_once("the previous one is in ").unwrap().1.split(": ").next().unwrap();
    assert_eq!(std::fs::read_to_string(kept).unwrap(), include_str!("../../../config.example.toml"));
    let checked = command(&packaged, &new, &["config", "check"]);
    assert_eq!(checked.status.code(), Some(78));
    assert!(err(&checked).contains("mail.password: no archive holds a secret"), "{}", err(&checked));
    let text = std::fs::read_to_string(&packaged).unwrap();
    std::fs::write(&packaged, text.replace("\"(hidden)\"", "\"secret\"")).unwrap();
    done(&command(&packaged, &new, &["config", "check"]));
    let program = serve(&packaged, &new).unwrap_or_else(|said| panic!("{said}"));
    let shown = Actor::new(&program.address).get("/api/school").await.json();
    assert_eq!((&shown["name"], &shown["address"]["city"]), (&"Harbour School".into(), &"Toronto".into()));
    drop(program);
    // From then on the operator may change it.
    drop(serve(&other, &new).unwrap_or_else(|said| panic!("{said}")));

    // The operator's word, and the same configuration on the same machine.
    done(&command(&own, &new, &["restore", &archive, "--yes"]));
    assert!(is_refused(&other, &new).is_some());
    std::fs::remove_file(new.join("config-of-archive.toml")).unwrap();
    drop(serve(&other, &new).unwrap_or_else(|said| panic!("{said}")));
    let same = command(&own, &old, &["restore", &archive, "--yes"]);
    assert!(!err(&same).contains("will not start"), "{}", err(&same));
    drop(serve(&own, &old).unwrap_or_else(|said| panic!("{said}")));
}
