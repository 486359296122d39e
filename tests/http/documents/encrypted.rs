//! Documents encrypted on disk with a key stored elsewhere.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use reqwest::StatusCode;
use rusqlite::Connection;
use schoolhouse::testing::{encrypt_stored, sweep_files};
use serde_json::Value;

use super::PNG;
use crate::support::{PDF, School, numbered_pdf};

/// A key in a folder of its own.
pub struct KeyFile(tempfile::TempDir);

impl KeyFile {
    pub fn make() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("key");
        let made = schoolhouse(&folder.path().join("data"), &["documents-key", file.to_str().unwrap()]);
        assert!(made.status.success(), "{}", said(&made));
        Self(folder)
    }

    pub fn path(&self) -> PathBuf {
        self.0.path().join("key")
    }

    /// The line of a key: the secret.
    fn line(&self) -> String {
        let text = std::fs::read_to_string(self.path()).unwrap();
        text.lines().find(|line| !line.starts_with('#')).unwrap().to_owned()
    }

    /// The id, as the file's note has it.
    fn id(&self) -> String {
        let text = std::fs::read_to_string(self.path()).unwrap();
        text.lines().next().unwrap().rsplit(' ').next().unwrap().to_owned()
    }
}

fn schoolhouse(data: &Path, arguments: &[&str]) -> Output {
    command(data, arguments).output().unwrap()
}

fn with_key(data: &Path, key: &KeyFile, arguments: &[&str]) -> Output {
    command(data, arguments).env("SCHOOLHOUSE_DOCUMENTS_KEY_FILE", key.path()).output().unwrap()
}

fn command(data: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_schoolhouse"));
    command.arg("--data-dir").arg(data).args(arguments).env_clear();
    command
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout)
}

/// A photo's bytes that no other file has, for a search.
fn needle(content: &[u8]) -> &[u8] {
    &content[content.len() / 3..][..(content.len() / 3).min(48)]
}

/// Files under a folder that hold some of these bytes, or are named by their sum.
fn holding(folder: &Path, content: &[u8]) -> Vec<PathBuf> {
    use sha2::{Digest, Sha256};
    let sum = Sha256::digest(content);
    let name: String = sum.iter().map(|byte| format!("{byte:02x}")).collect();
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(holding(&path, content));
            continue;
        }
        let bytes = std::fs::read(&path).unwrap();
        let has = |part: &[u8]| bytes.windows(part.len()).any(|window| window == part);
        if has(needle(content)) || has(name.as_bytes()) || has(&sum) || path.ends_with(&name) {
            found.push(path);
        }
    }
    found
}

/// The file of each document, relative to the data folder, and the key it is under.
fn files(database: &Connection) -> Vec<(String, Option<String>)> {
    let mut select =
        database.prepare("select document_path, key_id from student_documents order by id").unwrap();
    let rows = select.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    rows.map(Result::unwrap).collect()
}

async fn open(folder: tempfile::TempDir, key: Option<&KeyFile>) -> School {
    School::open_in(folder, |config| config.documents.key_file = key.map(KeyFile::path)).await
}

/// Makes every file old enough to be swept, and sweeps.
async fn a_day_later(school: &School) {
    for folder in std::fs::read_dir(school.path().join("documents")).unwrap() {
        for file in std::fs::read_dir(folder.unwrap().path()).unwrap() {
            let file = std::fs::File::options().write(true).open(file.unwrap().path()).unwrap();
            let past = file.metadata().unwrap().modified().unwrap() - std::time::Duration::from_hours(25);
            file.set_modified(past).unwrap();
        }
    }
    sweep_files(school.app()).await.unwrap();
}

#[tokio::test]
async fn a_stolen_disk_or_backup_shows_no_passport_and_people_notice_nothing() {
    let key = KeyFile::make();
    let school = open(tempfile::tempdir().unwrap(), Some(&key)).await;
    let (student, other, staff) = (school.student().await, school.student().await, school.staff().await);
    let pdf = numbered_pdf(7, 300_000);
    let made =
        student.upload("government_id", "passport.png", PNG.to_vec()).await.expect(StatusCode::CREATED);
    let passport = student.get(&format!("/api/documents/{}", made.json()["id"])).await.expect(StatusCode::OK);
    assert_eq!(made.json()["sizeBytes"], passport.bytes.len());
    assert_eq!(passport.header("content-length"), passport.bytes.len().to_string());
    let large =
        student.upload("transcript", "marks.pdf", pdf.clone()).await.expect(StatusCode::CREATED).json();
    for actor in [&*student, &staff] {
        let shown = actor.get(&format!("/api/documents/{}", large["id"])).await.expect(StatusCode::OK);
        assert_eq!(shown.bytes, pdf);
        assert_eq!(shown.header("content-type"), "application/pdf");
    }
    let used = student.get("/api/students/documents/usage").await.json();
    assert_eq!(used["bytes"], passport.bytes.len() + pdf.len(), "what was uploaded counts");
    // The same file of another student is stored once.
    other.upload("transcript", "marks.pdf", pdf.clone()).await.expect(StatusCode::CREATED);
    // And one that was removed again.
    let removed = other.upload("other", "letter.pdf", numbered_pdf(8, 90_000)).await.json();
    other.delete(&format!("/api/students/documents/{}", removed["id"])).await.expect(StatusCode::NO_CONTENT);
    let database = school.database();
    let stored = files(&database);
    assert_eq!((stored[1].0 == stored[2].0, stored.len()), (true, 3));
    assert!(stored.iter().all(|(_, id)| id.as_deref() == Some(&*key.id())), "{stored:?}");

    let backed_up = schoolhouse(school.path(), &["backup"]);
    assert!(backed_up.status.success(), "no key is needed: {}", said(&backed_up));
    let archive = String::from_utf8(backed_up.stdout).unwrap().trim().to_owned();
    let unpacked = tempfile::tempdir().unwrap();
    let packed = std::fs::read(&archive).unwrap();
    tar::Archive::new(zstd::Decoder::new(&*packed).unwrap()).unpack(unpacked.path()).unwrap();
    for content in [&*passport.bytes, &pdf, &numbered_pdf(8, 90_000)] {
        for folder in [school.path(), unpacked.path()] {
            assert_eq!(holding(folder, content), Vec::<PathBuf>::new());
        }
    }
    let key_holders = |folder: &Path| holding(folder, key.line().as_bytes());
    assert!(key_holders(school.path()).is_empty() && key_holders(unpacked.path()).is_empty());

    // A restore names the key that it needs, and whether it exists.
    let empty = tempfile::tempdir().unwrap();
    for arguments in [&["verify", &archive][..], &["restore", "--yes", &archive]] {
        let told = said(&schoolhouse(empty.path(), arguments));
        assert!(told.contains(&format!("documents are encrypted, with the key {}", key.id())), "{told}");
        assert!(told.contains(&format!("the key {} is not configured", key.id())), "{told}");
    }
    let told = said(&with_key(empty.path(), &key, &["verify", &archive]));
    assert!(told.contains(&key.id()) && !told.contains("not configured"), "{told}");
    let restored = open(empty, Some(&key)).await;
    let again = restored.staff().await.get(&format!("/api/documents/{}", large["id"])).await;
    assert_eq!(again.expect(StatusCode::OK).bytes, pdf);
}

#[tokio::test]
async fn existing_documents_are_encrypted_in_steps_and_decrypted_when_the_key_is_dropped() {
    let (old, new) = (KeyFile::make(), KeyFile::make());
    let school = open(tempfile::tempdir().unwrap(), None).await;
    let student = school.student().await;
    let pdf = numbered_pdf(1, 100_000);
    let first = student.upload("transcript", "marks.pdf", pdf.clone()).await.json();
    let removed = student.upload("other", "letter.pdf", numbered_pdf(2, 90_000)).await.json();
    student
        .delete(&format!("/api/students/documents/{}", removed["id"]))
        .await
        .expect(StatusCode::NO_CONTENT);
    let stored = school.path().join(&files(&school.database())[0].0);
    assert!(holding(school.path(), &pdf).contains(&stored), "in the clear it is found");

    let ids = [old.id(), new.id()];
    std::fs::write(new.path(), format!("{}\n{}\n", new.line(), old.line())).unwrap();
    let path = format!("/api/documents/{}", first["id"]);
    let mut school = school;
    // Encrypted with the first key, then with the second; the key file holds both.
    for (key, id) in [&old, &new].into_iter().zip(ids) {
        school = school.reopen_with(|config| config.documents.key_file = Some(key.path())).await;
        encrypt_stored(school.app()).await.unwrap();
        assert_eq!(encrypt_stored(school.app()).await.unwrap(), 0, "what is done stays");
        assert_eq!(files(&school.database())[0].1, Some(id));
        let shown = school.staff().await.get(&path).await.expect(StatusCode::OK);
        assert_eq!(shown.bytes, pdf);
    }
    a_day_later(&school).await;
    let found = std::fs::read_dir(school.path().join("documents")).unwrap();
    let left = found.flat_map(|folder| std::fs::read_dir(folder.unwrap().path()).unwrap()).count();
    assert_eq!(left, 1, "the old files are gone");
    let refused = with_key(school.path(), &new, &["decrypt-documents"]);
    assert!(!refused.status.success() && said(&refused).contains("stop it first"), "{}", said(&refused));
    let folder = school.close().await;
    for content in [&pdf, &numbered_pdf(2, 90_000)] {
        assert_eq!(holding(folder.path(), content), Vec::<PathBuf>::new());
    }
    let refused = with_key(folder.path(), &old, &["decrypt-documents"]);
    assert!(
        said(&refused).contains("document 1") && said(&refused).contains("is not available"),
        "{}",
        said(&refused)
    );
    let decrypted = with_key(folder.path(), &new, &["decrypt-documents"]);
    assert!(decrypted.status.success() && said(&decrypted).contains("1 files were"), "{}", said(&decrypted));
    let school = open(folder, None).await;
    assert_eq!(files(&school.database())[0].1, None);
    let staff = school.staff_as(schoolhouse::testing::Role::Registrar).await;
    assert_eq!(staff.get(&path).await.expect(StatusCode::OK).bytes, pdf);
    assert_eq!(school.count("select count(*) from audit where action = 'decrypt'"), 1);
}

#[tokio::test]
async fn without_its_key_the_server_does_not_start_and_says_what_to_do() {
    let (key, other) = (KeyFile::make(), KeyFile::make());
    let school = open(tempfile::tempdir().unwrap(), Some(&key)).await;
    school.student().await.upload("transcript", "marks.pdf", PDF.to_vec()).await.expect(StatusCode::CREATED);
    let folder = school.close().await;
    let serve = ["serve", "--listen", "127.0.0.1:0"];
    let id = key.id();
    let doctor = |output: Output| -> Value {
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        let checks = report["checks"].as_array().unwrap();
        checks.iter().find(|check| check["name"] == "Documents' key").unwrap().clone()
    };
    let missing = schoolhouse(folder.path(), &serve);
    let words =
        format!("1 document is encrypted with the key {id}, and no key is configured: name its file in");
    assert!(said(&missing).contains(&words), "{}", said(&missing));
    assert_eq!(missing.status.code(), Some(78), "trying again does not help");
    let found = doctor(schoolhouse(folder.path(), &["doctor", "--json"]));
    assert_eq!(found["status"], "problem");
    assert!(found["found"].as_str().unwrap().starts_with(&words), "{found}");

    let wrong = with_key(folder.path(), &other, &serve);
    assert!(said(&wrong).contains("put its line there, below the others"), "{}", said(&wrong));
    std::fs::write(other.path(), "a passport\n").unwrap();
    let broken = with_key(folder.path(), &other, &serve);
    assert!(said(&broken).contains("documents.key_file") && said(&broken).contains("line 1 must be a key"));
    assert!(!said(&broken).contains("passport"), "a secret is not repeated");
    std::fs::remove_file(other.path()).unwrap();
    let gone = with_key(folder.path(), &other, &serve);
    assert!(said(&gone).contains("No such file") && gone.status.code() == Some(78), "{}", said(&gone));
    let found = doctor(with_key(folder.path(), &key, &["doctor", "--json"]));
    assert_eq!(found["found"], format!("{id}: 1 documents are encrypted, none is not"));

    // A key beside what it protects is none.
    let inside = folder.path().join("key");
    std::fs::copy(key.path(), &inside).unwrap();
    let refused =
        command(folder.path(), &serve).env("SCHOOLHOUSE_DOCUMENTS_KEY_FILE", &inside).output().unwrap();
    assert!(said(&refused).contains("must not be in the data folder"), "{}", said(&refused));
    std::fs::remove_file(&inside).unwrap();
    // Systemd hands it over by itself.
    let credentials = tempfile::tempdir().unwrap();
    std::fs::copy(key.path(), credentials.path().join("documents_key")).unwrap();
    let found = command(folder.path(), &["doctor", "--json"])
        .env("CREDENTIALS_DIRECTORY", credentials.path())
        .output()
        .unwrap();
    assert_eq!(doctor(found)["status"], "ok");
}

#[tokio::test]
async fn a_file_that_was_changed_or_swapped_is_not_shown() {
    let key = KeyFile::make();
    let school = open(tempfile::tempdir().unwrap(), Some(&key)).await;
    let student = school.student().await;
    let mut made = Vec::new();
    for number in [1, 2] {
        made.push(student.upload("other", "x.pdf", numbered_pdf(number, 200_000)).await.json()["id"].clone());
    }
    let stored = files(&school.database());
    let [first, second] = [0, 1].map(|index| school.path().join(&stored[index].0));
    let (good, other) = (std::fs::read(&first).unwrap(), std::fs::read(&second).unwrap());
    let path = format!("/api/documents/{}", made[0]);
    // Behind the first chunk, too.
    let mut changed = good.clone();
    changed[150_000] ^= 1;
    for bad in [&other[..], &good[..good.len() - 1], &changed] {
        std::fs::write(&first, bad).unwrap();
        student.get(&path).await.expect(StatusCode::CONFLICT);
    }
    std::fs::write(&first, &good).unwrap();
    assert_eq!(student.get(&path).await.expect(StatusCode::OK).bytes, numbered_pdf(1, 200_000));
}

#[tokio::test]
async fn an_upload_that_is_cut_off_leaves_nothing_that_can_be_read() {
    let key = KeyFile::make();
    let school = open(tempfile::tempdir().unwrap(), Some(&key)).await;
    let student = school.student().await;
    let pdf = numbered_pdf(3, 3_000_000);
    let request = student.document("other", "x.pdf", pdf.clone()).build().unwrap();
    let (length, kind) = (3_000_600, request.headers()["content-type"].clone());
    // Most of it, and then no more.
    let head = format!(
        "--{boundary}\r\nContent-Disposition: form-data; name=\"document\"; filename=\"x.pdf\"\r\n\r\n",
        boundary = kind.to_str().unwrap().split("boundary=").nth(1).unwrap()
    );
    let (sender, body) = tokio::sync::mpsc::channel::<Result<Vec<u8>, std::io::Error>>(4);
    sender.send(Ok(head.into_bytes())).await.unwrap();
    let stream = futures_util::stream::unfold(body, |mut body| async { Some((body.recv().await?, body)) });
    let sending = student
        .request("POST", "/api/students/documents")
        .header("content-type", kind)
        .header("content-length", length)
        .body(reqwest::Body::wrap_stream(stream));
    let attempt = tokio::spawn(sending.send());
    for part in pdf.chunks(100_000) {
        sender.send(Ok(part.to_vec())).await.unwrap();
    }
    let tmp = school.path().join("tmp");
    // While it arrives, it lies there, and is not to be read.
    crate::support::wait_for(|| {
        let size: u64 = std::fs::read_dir(&tmp)
            .unwrap()
            .flatten()
            .map(|file| file.metadata().map_or(0, |f| f.len()))
            .sum();
        (size > 1_000_000).then_some(())
    })
    .await;
    assert_eq!(holding(&tmp, &pdf), Vec::<PathBuf>::new());
    attempt.abort();
    drop(sender);
    crate::support::wait_for(|| (std::fs::read_dir(&tmp).unwrap().count() == 0).then_some(())).await;
}

#[test]
fn a_key_is_made_for_its_owner_alone_and_never_in_the_data_folder() {
    let key = KeyFile::make();
    assert_eq!(key.path().metadata().unwrap().permissions().mode() & 0o777, 0o600);
    let data = tempfile::tempdir().unwrap();
    let inside = data.path().join("key");
    for arguments in
        [&["documents-key", inside.to_str().unwrap()][..], &["documents-key", key.path().to_str().unwrap()]]
    {
        let refused = schoolhouse(data.path(), arguments);
        assert!(!refused.status.success() && refused.stdout.is_empty(), "{}", said(&refused));
    }
    let redirected = command(data.path(), &["documents-key"])
        .stdout(std::fs::File::create(&inside).unwrap())
        .output()
        .unwrap();
    assert!(!redirected.status.success(), "{}", said(&redirected));
    assert_eq!(inside.metadata().unwrap().len(), 0);
    let printed = schoolhouse(data.path(), &["documents-key"]);
    let text = String::from_utf8(printed.stdout).unwrap();
    assert!(text.lines().count() == 2 && text.contains("SCHOOLHOUSE-KEY-1"), "{text}");
    assert_ne!(text.lines().nth(1).unwrap(), key.line());
}
