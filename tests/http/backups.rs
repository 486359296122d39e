//! Backup, verify and restore as the volunteer types them, with the real binary.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use reqwest::StatusCode;

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
    assert!(words.contains("is whole") && words.contains("1 students"), "{words}");
    let words = done(&run(&data_dir, &["restore", archive]));
    assert!(words.contains("1 documents in 1 files") && !words.contains("before"), "{words}");

    let program = Program::serve(&data_dir, &[]);
    let student = Actor::at(&program.address);
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
