//! Backups of a real, small school.

use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::sync::atomic::{AtomicBool, Ordering};

use sha2::{Digest, Sha256};

use super::*;
use crate::base::clock::from_seconds;
use crate::base::file_encryption::Keys;
use crate::base::random::hex;
use crate::storage::db;
use crate::storage::statements::{Statements, params};

mod fuzz;
mod restore;
mod verify;

struct School {
    data_dir: DataDir,
    _root: tempfile::TempDir,
}

impl School {
    fn open() -> Self {
        Self::of_schema(db::newest_schema())
    }

    /// A school with the schema of an older program.
    fn of_schema(version: i32) -> Self {
        let root = tempfile::tempdir().unwrap();
        db::testing::open_at(&root.path().join(DATABASE), version)
            .execute_batch(
                "insert into students (id, email, password_hash, created_at, updated_at)
                 values (1, 'mei@example.org', 'x', 0, 0)",
            )
            .unwrap();
        Self { data_dir: DataDir::new(root.path()), _root: root }
    }

    fn dir(&self) -> &DataDir {
        &self.data_dir
    }

    fn connection(&self) -> rusqlite::Connection {
        db::connect(&self.dir().join(DATABASE)).unwrap()
    }

    /// Stores a document and returns its file's path.
    fn add_document(&self, id: i64, content: &[u8]) -> PathBuf {
        let sha256 = hex(&Sha256::digest(content));
        let path = self.dir().join(document_path(&sha256));
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, content).unwrap();
        let sql = "insert into student_documents (id, student_id, document_type, document_path, sha256,
                content_type, size_bytes, original_name, uploaded_at)
            values (:id, 1, 'transcript', :path, :sha256, 'application/pdf', :size, 'a.pdf', 0)";
        let values = params! {
            id, path = document_path(&sha256), sha256, size = content.len() as i64,
        };
        self.connection().run(sql, values).unwrap();
        path
    }

    fn backup(&self, dest: Option<&Path>) -> anyhow::Result<PathBuf> {
        let made = backup(self.dir(), dest, &[], &Config::default(), &noon(), &mut |_, _, _| {})?;
        assert_eq!(made.missing, []);
        Ok(made.path)
    }

    /// Files left where a backup works.
    fn leftovers(&self) -> Vec<String> {
        ["tmp", "backups"]
            .iter()
            .flat_map(|folder| std::fs::read_dir(self.dir().join(folder)).unwrap())
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .filter(|name| name != "backup.lock")
            .collect()
    }
}

fn noon() -> Clock {
    Clock::set_to(from_seconds(1_795_262_400))
}

fn entries(archive: &Path) -> Vec<(String, Vec<u8>)> {
    let file = std::fs::File::open(archive).unwrap();
    let mut tar = tar::Archive::new(zstd::Decoder::new(file).unwrap());
    tar.entries()
        .unwrap()
        .map(|entry| {
            let mut entry = entry.unwrap();
            let mut content = Vec::new();
            entry.read_to_end(&mut content).unwrap();
            (entry.path().unwrap().to_string_lossy().into_owned(), content)
        })
        .collect()
}

fn database_of(archive: &Path, into: &Path) -> rusqlite::Connection {
    let (_, content) = entries(archive).into_iter().find(|(name, _)| name == DATABASE).unwrap();
    let path = into.join("restored.db");
    std::fs::write(&path, content).unwrap();
    rusqlite::Connection::open(path).unwrap()
}

#[test]
fn a_drill_opens_an_encrypted_archive_only_with_its_key() {
    let school = School::open();
    let key = school.dir().join("key.txt");
    let made = std::process::Command::new("age-keygen").arg("-o").arg(&key).output().unwrap();
    let said = String::from_utf8(made.stderr).unwrap();
    let recipient = said.trim().rsplit(' ').next().unwrap().parse().unwrap();
    let mut config = Config::default();
    config.backup.age_recipient = vec![recipient];
    let archive =
        backup(school.dir(), None, &config.backup.age_recipient, &config, &noon(), &mut |_, _, _| {})
            .unwrap()
            .path;
    let opened = |config: &Config| {
        drill(school.dir(), None, config, &noon(), &mut |_, _, _| {}).map(|done| done.opened)
    };
    assert_eq!(opened(&config).unwrap(), None);
    config.backup.identity_file = Some(key.clone());
    assert_eq!(opened(&config).unwrap(), Some(archive.clone()));
    let bytes = std::fs::read(&archive).unwrap();
    std::fs::write(&archive, &bytes[..bytes.len() - 1]).unwrap();
    assert!(opened(&config).is_err(), "a damaged archive fails it");
    std::fs::write(&key, "nonsense").unwrap();
    assert!(format!("{:#}", opened(&config).unwrap_err()).contains("backup.identity_file"));
}

#[test]
fn an_archive_holds_the_manifest_the_database_and_each_document_once() {
    let school = School::open();
    school.add_document(1, b"%PDF-1.7 one");
    school.add_document(2, b"%PDF-1.7 two");
    school.add_document(3, b"%PDF-1.7 one");
    let mut heard = Vec::new();
    let mut config = Config::default();
    config.mail.password = "sesame".into();
    let mut hear = |stage, done, total| heard.push((stage, done, total));
    let path = backup(school.dir(), None, &[], &config, &noon(), &mut hear).unwrap().path;
    assert_eq!(path, school.dir().join("backups/schoolhouse-20261121-120000.tar.zst"));
    assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(school.leftovers(), ["schoolhouse-20261121-120000.tar.zst"]);

    let entries = entries(&path);
    let manifest: Manifest = serde_json::from_slice(&entries[0].1).unwrap();
    assert_eq!(manifest.format, FORMAT);
    assert_eq!(manifest.schema_version, db::newest_schema());
    assert_eq!(manifest.created_at, noon().now());
    let recorded: Vec<_> = std::iter::once((DATABASE.to_owned(), &manifest.database))
        .chain(manifest.configuration.iter().map(|entry| (CONFIGURATION.to_owned(), entry)))
        .chain(manifest.documents.iter().map(|entry| (document_path(&entry.sha256), entry)))
        .collect();
    assert_eq!((entries[0].0.as_str(), entries.len(), recorded.len()), (MANIFEST, 5, 4));
    for ((name, content), (recorded_name, entry)) in entries[1..].iter().zip(recorded) {
        assert_eq!(*name, recorded_name);
        assert_eq!(
            (hex(&Sha256::digest(content)), content.len() as u64),
            (entry.sha256.clone(), entry.size_bytes)
        );
    }
    let configuration = String::from_utf8(entries[2].1.clone()).unwrap();
    assert!(
        configuration.contains("smtp_port = 587") && !configuration.contains("sesame"),
        "{configuration}"
    );
    let total = entries[1..].iter().map(|(_, content)| content.len() as u64).sum::<u64>();
    let length = std::fs::metadata(&path).unwrap().len();
    let of = |stage: Stage| heard.iter().filter(move |one| one.0 == stage);
    assert_eq!(of(Stage::Pack).next(), Some(&(Stage::Pack, 0, total)));
    assert_eq!(of(Stage::Pack).next_back(), Some(&(Stage::Pack, total, total)));
    assert_eq!(heard.last(), Some(&(Stage::Check, length, length)));
    let restored = database_of(&path, school.dir());
    let id: i32 = restored.one("pragma application_id", []).unwrap();
    assert_eq!(id, db::APPLICATION_ID);
}

#[test]
fn a_missing_or_changed_document_is_named_and_everything_else_is_in_the_archive() {
    type Harm = fn(&Path);
    let harms: [(Harm, Fault, &str); 3] = [
        (
            |path| std::fs::remove_file(path).unwrap(),
            Fault::Missing,
            "document 7 (missing), document 8 (missing)",
        ),
        (
            |path| std::fs::write(path, b"%PDF-1.7 longer than before").unwrap(),
            Fault::Changed,
            "document 7 (changed), document 8 (changed)",
        ),
        (
            |path| std::fs::write(path, b"%PDF-1.7 zwei").unwrap(),
            Fault::Changed,
            "document 7 (changed), document 8 (changed)",
        ),
    ];
    for (harm, fault, expected) in harms {
        let school = School::open();
        school.add_document(3, b"%PDF-1.7 fine");
        harm(&school.add_document(7, b"%PDF-1.7 good"));
        school.connection().execute_batch(
            "insert into student_documents (id, student_id, document_type, document_path, sha256, content_type, size_bytes,
                 original_name, uploaded_at)
             select 8, 1, 'other', document_path, sha256, content_type, size_bytes, 'b.pdf', 0 from student_documents
             where id = 7",
        ).unwrap();
        let config = Config::default();
        let made = backup(school.dir(), None, &[], &config, &noon(), &mut |_, _, _| {}).unwrap();
        assert_eq!(MissingFile::in_words(&made.missing), expected);
        assert_eq!(made.missing[0].fault, fault);
        assert_eq!(school.leftovers(), ["schoolhouse-20261121-120000.tar.zst"]);
        let names: Vec<_> = entries(&made.path).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names.len(), 4, "{names:?}");
        let place = school.dir().tmp();
        let found = super::verify(&made.path, None, &[place], &mut |_, _| {}).unwrap();
        assert_eq!((found.files, &found.missing), (1, &made.missing));
        let words = found.in_words(&jiff::tz::TimeZone::UTC);
        assert!(words.contains(expected) && words.contains("everything else is intact"), "{words}");
        drill(school.dir(), None, &config, &noon(), &mut |_, _, _| {}).unwrap();
        // Once the office has written them off, there is nothing to report.
        school
            .connection()
            .execute_batch("update student_documents set fault = 'written_off' where id > 3")
            .unwrap();
        school.backup(None).unwrap();
    }
}

#[test]
fn one_document_comes_out_of_an_archive() {
    let school = School::open();
    let good = school.add_document(7, b"%PDF-1.7 good");
    let archive = school.backup(None).unwrap();
    std::fs::write(&good, b"rot").unwrap();
    let archived = single::ArchiveFile { path: &archive, identities: None };
    archived.put_back(school.dir(), 7, &mut |_, _| {}).unwrap();
    assert_eq!(std::fs::read(&good).unwrap(), b"%PDF-1.7 good");
    let error = archived.put_back(school.dir(), 9, &mut |_, _| {}).unwrap_err().to_string();
    assert!(error.contains("no document 9"), "{error}");
    // Replaced since: the archive holds another file, which can be written elsewhere.
    school.connection().execute_batch("update student_documents set sha256 = printf('%064d', 1)").unwrap();
    let error = archived.put_back(school.dir(), 7, &mut |_, _| {}).unwrap_err().to_string();
    assert!(error.contains("--to FILE"), "{error}");
    let to = school.dir().join("copy.pdf");
    archived.write_to(&to, school.dir(), 7, &Keys::default(), &mut |_, _| {}).unwrap();
    assert_eq!(std::fs::read(&to).unwrap(), b"%PDF-1.7 good");
    archived.write_to(&to, school.dir(), 7, &Keys::default(), &mut |_, _| {}).unwrap_err();
    assert_eq!(school.leftovers(), ["schoolhouse-20261121-120000.tar.zst"]);
}

#[test]
fn the_destination_is_a_folder_or_a_new_file_name() {
    let school = School::open();
    let folder = tempfile::tempdir().unwrap();
    let named = folder.path().join("monday.tar.zst");
    assert_eq!(school.backup(Some(&named)).unwrap(), named);
    assert!(school.backup(Some(&named)).unwrap_err().to_string().contains("exists already"));
    assert!(school.backup(Some(&folder.path().join("not-mounted"))).is_err());
    let first = folder.path().join("schoolhouse-20261121-120000.tar.zst");
    let second = folder.path().join("schoolhouse-20261121-120000-2.tar.zst");
    assert_eq!(school.backup(Some(folder.path())).unwrap(), first);
    assert_eq!(school.backup(Some(folder.path())).unwrap(), second, "nothing is overwritten");
}

#[test]
fn leftovers_of_a_killed_backup_are_deleted() {
    let school = School::open();
    for folder in ["tmp/backup", "backups"] {
        std::fs::create_dir_all(school.dir().join(folder)).unwrap();
    }
    std::fs::write(school.dir().join("tmp/backup/schoolhouse.db"), b"half").unwrap();
    std::fs::write(school.dir().join("backups/schoolhouse-20260101-000000.tar.zst.partial"), b"half")
        .unwrap();
    school.backup(None).unwrap();
    assert_eq!(school.leftovers(), ["schoolhouse-20261121-120000.tar.zst"]);
}

#[test]
fn only_one_backup_runs_at_a_time() {
    let school = School::open();
    std::fs::create_dir_all(school.dir().join("tmp")).unwrap();
    let lock = std::fs::File::create(school.dir().join("tmp/backup.lock")).unwrap();
    lock.lock().unwrap();
    assert!(school.backup(None).unwrap_err().to_string().contains("another backup is running"));
    drop(lock);
    school.backup(None).unwrap();
}

#[test]
fn a_dangling_foreign_key_is_damage() {
    let school = School::open();
    let connection = school.connection();
    school.add_document(1, b"%PDF-1.7 one");
    connection
        .execute_batch(
            "pragma foreign_keys=off; update payment_codes set student_id = null; delete from students",
        )
        .unwrap();
    let error = school.backup(None).unwrap_err().to_string();
    assert!(error.contains("a row of student_documents refers to nothing"), "{error}");
}

#[test]
fn a_backup_during_writes_is_consistent() {
    let school = School::open();
    let end = AtomicBool::new(false);
    // Each transaction adds a token and counts it in the same student's row: a copy from the middle of one would be
    // inconsistent.
    std::thread::scope(|scope| {
        let writer = scope.spawn(|| {
            let mut connection = school.connection();
            let mut count = 0;
            while !end.load(Ordering::SeqCst) {
                count += 1;
                let transaction = connection.transaction().unwrap();
                let sql = "insert into student_tokens (token_hash, student_id, purpose, email, created_at,
                        expires_at)
                    values (randomblob(32), 1, 'verify', 'mei@example.org', 0, 0)";
                transaction.run(sql, []).unwrap();
                transaction.run("update students set updated_at = updated_at + 1", []).unwrap();
                transaction.commit().unwrap();
            }
            count
        });
        let mut seen = Vec::new();
        while seen.len() < 5 || seen.first() == seen.last() {
            let folder = tempfile::tempdir().unwrap();
            let archive = school.backup(Some(folder.path())).unwrap();
            let restored = database_of(&archive, folder.path());
            let (counted, found): (i64, i64) = restored
                .one("select updated_at, (select count(*) from student_tokens) from students", [])
                .unwrap();
            assert_eq!(counted, found);
            seen.push(found);
        }
        end.store(true, Ordering::SeqCst);
        let written: i64 = writer.join().unwrap();
        assert!(seen.is_sorted() && seen.last() <= Some(&written), "{seen:?} of {written}");
    });
}
