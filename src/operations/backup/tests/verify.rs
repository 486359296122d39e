//! Intact, damaged and malicious archives.

use std::io::Write;

use super::*;
use crate::base::zone_rules;
use crate::operations::backup::seal::Sealing;
use crate::operations::backup::verify::Contents;

fn check(archive: &Path) -> anyhow::Result<Contents> {
    verify(archive, None, &[std::env::temp_dir()], &mut |_, _| {})
}

#[track_caller]
fn assert_refused(archive: &Path, part: &str) {
    let error = format!("{:#}", check(archive).unwrap_err());
    assert!(error.contains(part), "{part:?} is not in {error:?}");
}

/// A school with two documents, and its archive.
fn archived() -> (School, PathBuf) {
    let school = School::open();
    school.add_document(1, b"%PDF-1.7 one");
    school.add_document(2, b"%PDF-1.7 two");
    let archive = school.backup(None).unwrap();
    (school, archive)
}

fn changed(archive: &Path, change: impl FnOnce(&mut Vec<u8>)) -> tempfile::NamedTempFile {
    let mut bytes = std::fs::read(archive).unwrap();
    change(&mut bytes);
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(&bytes).unwrap();
    file
}

#[test]
fn a_whole_archive_says_what_is_in_it() {
    let (_school, archive) = archived();
    let contents = check(&archive).unwrap();
    let counts = Counts { students: 1, documents: 2, enrollments: 0, ledger_cents: 0 };
    assert_eq!((contents.counts, contents.files, contents.created_at), (counts, 2, noon().now()));
    let words = contents.in_words(&zone_rules::IN_FORCE.zone("America/Toronto").unwrap());
    assert!(words.starts_with("the data as of 21 November 2026, 07:00 (EST)\n"), "{words}");
    assert!(
        words.contains("1 students, 0 enrollments, 2 documents in 2 files, $0.00 in the ledger"),
        "{words}"
    );
}

#[test]
fn every_flipped_byte_is_found() {
    let (_school, archive) = archived();
    let length = std::fs::metadata(&archive).unwrap().len() as usize;
    let places = (0..length).step_by(1024).chain(0..16).chain(length - 48..length);
    let mut tried = 0;
    for place in places {
        // Flips a single bit, which is harder to detect than a changed byte.
        let file = changed(&archive, |bytes| bytes[place] ^= 1 << (place % 8));
        assert!(check(file.path()).is_err(), "byte {place} of {length}");
        tried += 1;
    }
    assert!(tried > 64, "{tried}");
}

#[test]
fn a_cut_or_lengthened_archive_is_refused() {
    let (_school, archive) = archived();
    let length = std::fs::metadata(&archive).unwrap().len() as usize;
    for cut in [0, 1, 39, 40, 41, length / 2, length - 41, length - 40, length - 1] {
        assert!(check(changed(&archive, |bytes| bytes.truncate(cut)).path()).is_err(), "cut to {cut}");
    }
    for more in [&b"x"[..], &[0; 512], &[0x50, 0x2A, 0x4D, 0x18, 0, 0, 0, 0]] {
        assert!(check(changed(&archive, |bytes| bytes.extend(more)).path()).is_err(), "{more:?}");
    }
    let twice = changed(&archive, |bytes| bytes.extend_from_within(..));
    assert!(check(twice.path()).is_err());
}

/// An archive with a valid seal and arbitrary contents.
struct Forgery {
    tar: tar::Builder<zstd::Encoder<'static, Sealing<Vec<u8>>>>,
}

impl Forgery {
    fn begin() -> Self {
        let encoder = zstd::Encoder::new(Sealing::new(Vec::new()), 3).unwrap();
        Self { tar: tar::Builder::new(encoder) }
    }

    fn entry(self, name: &str, content: &[u8]) -> Self {
        self.entry_of(name, tar::EntryType::Regular, content.len() as u64, content)
    }

    fn entry_of(mut self, name: &str, kind: tar::EntryType, size: u64, content: &[u8]) -> Self {
        let mut header = tar::Header::new_gnu();
        // Not set_path: it refuses the names tested here.
        header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
        header.set_entry_type(kind);
        header.set_size(size);
        header.set_cksum();
        self.tar.append(&header, content).unwrap();
        self
    }

    fn end(self) -> tempfile::NamedTempFile {
        let bytes = self.tar.into_inner().unwrap().finish().unwrap().finish().unwrap();
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(&bytes).unwrap();
        file
    }
}

#[test]
fn entries_that_the_manifest_does_not_announce_are_refused() {
    use tar::EntryType;
    let (_school, archive) = archived();
    let all = entries(&archive);
    let [manifest, database, configuration, one, two] = &all[..] else { panic!("{} entries", all.len()) };
    let start = || {
        let forgery = Forgery::begin().entry(MANIFEST, &manifest.1).entry(DATABASE, &database.1);
        forgery.entry(CONFIGURATION, &configuration.1)
    };
    let with = |forgery: Forgery, entry: &(String, Vec<u8>)| forgery.entry(&entry.0, &entry.1);
    check(with(with(start(), one), two).end().path()).unwrap();

    let cases = [
        (with(start(), one), format!("{} is missing", two.0)),
        (with(with(with(start(), one), two), two), "something follows".into()),
        (with(with(start(), one), one), format!("it holds {:?} where {} should be", one.0, two.0)),
        (with(with(start(), two), one), "should be".into()),
        (start().entry("/etc/passwd", &one.1), "it holds \"/etc/passwd\" where".into()),
        (start().entry("documents/../../x", &one.1), "it holds \"documents/../../x\" where".into()),
        (start().entry(&one.0, b"%PDF-1.7 eno"), "is not what was recorded".into()),
        (start().entry(&one.0, b"%PDF-1.7 longer"), "has another length".into()),
        (start().entry_of(&one.0, EntryType::Symlink, 0, b""), "is not a plain file".into()),
        (start().entry_of(&one.0, EntryType::Link, 12, &one.1), "is not a plain file".into()),
        (start().entry_of(&one.0, EntryType::GNUSparse, 12, &one.1), "is not a plain file".into()),
        (start().entry_of("././@LongLink", EntryType::GNULongName, 12, &one.1), "it holds".into()),
        (start().entry_of(&one.0, EntryType::Regular, 1 << 60, &one.1), "another length".into()),
        (Forgery::begin().entry(DATABASE, &database.1), "where manifest.json should be".into()),
        (Forgery::begin(), "manifest.json is missing".into()),
    ];
    for (forgery, part) in cases {
        assert_refused(forgery.end().path(), &part);
    }
}

#[test]
fn a_manifest_that_lies_is_refused() {
    let (school, archive) = archived();
    let all = entries(&archive);
    let honest: Manifest = serde_json::from_slice(&all[0].1).unwrap();
    let forge = |change: &dyn Fn(&mut Manifest), database: &[u8]| {
        let mut manifest = honest.clone();
        change(&mut manifest);
        manifest.database =
            ArchiveEntry { sha256: hex(&Sha256::digest(database)), size_bytes: database.len() as u64 };
        let mut forgery = Forgery::begin()
            .entry(MANIFEST, &serde_json::to_vec(&manifest).unwrap())
            .entry(DATABASE, database);
        if manifest.configuration.is_some() {
            forgery = forgery.entry(CONFIGURATION, &all[2].1);
        }
        for entry in &manifest.documents {
            let content =
                all.iter().find(|one| one.0 == document_path(&entry.sha256)).map_or(&b""[..], |one| &one.1);
            forgery = forgery.entry(&document_path(&entry.sha256), content);
        }
        forgery.end()
    };
    let database = &all[1].1;
    check(forge(&|_| {}, database).path()).unwrap();
    // As an older program created them.
    let older = |manifest: &mut Manifest| (manifest.format, manifest.configuration) = (1, None);
    check(forge(&older, database).path()).unwrap();
    let newer = db::newest_schema() + 1;
    assert_refused(forge(&|manifest| manifest.format = FORMAT + 1, database).path(), "use the newer program");
    assert_refused(
        forge(&|manifest| manifest.schema_version = newer, database).path(),
        "use the newer program",
    );
    assert_refused(forge(&|manifest| manifest.schema_version -= 1, database).path(), "not the one recorded");
    assert_refused(forge(&|manifest| manifest.counts.students = 2, database).path(), "not the recorded");
    assert_refused(
        forge(&|manifest| drop(manifest.documents.pop()), database).path(),
        "names other documents",
    );
    assert_refused(forge(&|manifest| manifest.documents.reverse(), database).path(), "malformed");
    let climb = |manifest: &mut Manifest| manifest.documents[0].sha256 = "../".repeat(21) + "x";
    assert_refused(forge(&climb, database).path(), "malformed");
    let huge = |manifest: &mut Manifest| manifest.documents[1].size_bytes = 1 << 60;
    assert_refused(forge(&huge, database).path(), "no room to unpack");
    let endless =
        |manifest: &mut Manifest| manifest.documents.iter_mut().for_each(|one| one.size_bytes = u64::MAX);
    assert_refused(forge(&endless, database).path(), "impossible");

    let other = tempfile::tempdir().unwrap();
    let path = other.path().join(DATABASE);
    std::fs::write(&path, database).unwrap();
    let connection = rusqlite::Connection::open(&path).unwrap();
    connection.pragma_update(None, "application_id", 7).unwrap();
    connection.close().unwrap();
    assert_refused(forge(&|_| {}, &std::fs::read(&path).unwrap()).path(), "is not schoolhouse's");
    assert_refused(forge(&|_| {}, b"not a database").path(), "not a database");
    drop(school);
}

#[test]
fn a_page_that_was_damaged_before_the_seal_is_found() {
    let (_school, archive) = archived();
    let all = entries(&archive);
    let mut damaged = all[1].1.clone();
    // The first byte of a page is its type; the second page belongs to a table.
    damaged[4096] = 0xFF;
    let mut manifest: Manifest = serde_json::from_slice(&all[0].1).unwrap();
    manifest.database.sha256 = hex(&Sha256::digest(&damaged));
    let mut forgery =
        Forgery::begin().entry(MANIFEST, &serde_json::to_vec(&manifest).unwrap()).entry(DATABASE, &damaged);
    for (name, content) in &all[2..] {
        forgery = forgery.entry(name, content);
    }
    assert_refused(forgery.end().path(), "the database is damaged");
}

#[test]
fn an_older_school_is_accepted_and_reported() {
    let school = School::of_schema(11);
    let contents = check(&school.backup(None).unwrap()).unwrap();
    assert_eq!(contents.schema_version, 11);
    let words = contents.in_words(&jiff::tz::TimeZone::UTC);
    assert!(words.contains("schema 11, older than this program's"), "{words}");
}

#[test]
fn an_older_school_that_cannot_be_brought_up_to_date_is_refused() {
    let school = School::of_schema(11);
    // The table that the next migration creates exists already.
    school.connection().execute_batch("create table upkeep (task text)").unwrap();
    let archive = school.backup(None);
    let error = format!("{:#}", archive.unwrap_err());
    assert!(error.contains("cannot be brought up to date"), "{error}");
}

#[test]
fn verifying_leaves_nothing_behind() {
    let (_school, archive) = archived();
    let place = tempfile::tempdir().unwrap();
    verify(&archive, None, &[place.path().to_owned()], &mut |_, _| {}).unwrap();
    let cut = changed(&archive, |bytes| bytes.truncate(bytes.len() - 1));
    verify(cut.path(), None, &[place.path().to_owned()], &mut |_, _| {}).unwrap_err();
    assert_eq!(std::fs::read_dir(place.path()).unwrap().count(), 0);
}
