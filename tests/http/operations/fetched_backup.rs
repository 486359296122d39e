//! `fetch-backup`, the script with which another machine fetches backups, with the real binary at the other end of a
//! stand-in for ssh. `.ci/booted` runs it under a real cron.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use reqwest::StatusCode;
use tempfile::TempDir;

use crate::cli::{err, out, run};
use crate::support::{PDF, School};

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/backup/fetch-backup");
const GUIDE: &str = include_str!("../../../docs/install.md");

/// A machine whose `ssh` runs the rest of its line here.
struct OtherMachine {
    folder: TempDir,
}

impl OtherMachine {
    fn new(ssh: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("kept")).unwrap();
        let machine = Self { folder };
        machine.reach(ssh);
        machine
    }

    fn reach(&self, ssh: &str) {
        let path = self.folder.path().join("ssh");
        fs::write(&path, format!("#!/bin/sh\nwhile [ \"$1\" != -- ]; do shift; done\n{ssh}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// As cron starts it.
    fn fetch(&self, more: &[&str]) -> Output {
        let path = format!("{}:/usr/bin:/bin", self.folder.path().display());
        let mut command = Command::new("/bin/sh");
        command.arg(SCRIPT).args(["root@school.example", self.kept().to_str().unwrap()]).args(more);
        command.env_clear().env("PATH", path).current_dir("/").output().unwrap()
    }

    fn kept(&self) -> PathBuf {
        self.folder.path().join("kept")
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.kept()).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

/// The command at the other end.
fn backup_of(school: &Path, more: &str) -> String {
    let program = env!("CARGO_BIN_EXE_schoolhouse");
    format!(
        "[ \"$3 $4 $5\" = 'schoolhouse backup -' ] && exec {program} --data-dir {} backup - {more}",
        school.display()
    )
}

#[tokio::test]
async fn another_machine_fetches_archives_says_which_are_usable_and_keeps_the_last_good_ones() {
    let school = School::open().await;
    let student = school.student().await;
    student.upload("other", "a.pdf", PDF.to_vec()).await.expect(StatusCode::CREATED);
    let machine = OtherMachine::new(&backup_of(school.path(), ""));
    let old: Vec<_> = (1..=4).map(|day| format!("schoolhouse-2026010{day}-034500.tar.zst")).collect();
    for name in old.iter().map(String::as_str).chain(["notes.txt"]) {
        fs::write(machine.kept().join(name), "").unwrap();
    }

    // A complete one: quiet, private, usable, and only the newest are kept.
    let output = machine.fetch(&["3"]);
    assert_eq!((output.status.code(), out(&output), err(&output)), (Some(0), String::new(), String::new()));
    let names = machine.names();
    assert_eq!(
        (names.len(), &names[..3]),
        (4, &["notes.txt".to_owned(), old[2].clone(), old[3].clone()][..])
    );
    let archive = machine.kept().join(&names[3]);
    assert_eq!(archive.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    let checked = run(machine.folder.path(), &["verify", archive.to_str().unwrap()]);
    assert!(checked.status.success() && names[3].ends_with(".tar.zst"), "{}", err(&checked));

    // An encrypted one has another name.
    let key = Command::new("age-keygen").output().unwrap();
    let recipient = err(&key).trim().rsplit(' ').next().unwrap().to_owned();
    machine.reach(&backup_of(school.path(), &format!("--recipient {recipient}")));
    let output = machine.fetch(&[]);
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    assert!(machine.names().iter().any(|name| name.ends_with(".tar.zst.age")), "{:?}", machine.names());

    // One that lacks a lost document is kept, told of, and takes no older one's place.
    let path: String = school
        .database()
        .query_row("select document_path from student_documents", [], |row| row.get(0))
        .unwrap();
    fs::remove_file(school.path().join(path)).unwrap();
    let before = machine.names();
    // Another second, another name.
    let output = loop {
        let output = machine.fetch(&["1"]);
        if !err(&output).contains("cannot write") {
            break output;
        }
    };
    assert_eq!(output.status.code(), Some(3));
    assert!(
        err(&output).contains("(missing)") && err(&output).contains("is usable and lacks"),
        "{}",
        err(&output)
    );
    let after = machine.names();
    assert!(after.len() == before.len() + 1 && before.iter().all(|name| after.contains(name)), "{after:?}");

    // What ends half-way, or is no archive, or never came leaves everything as it was.
    for (ssh, status, words) in [
        ("printf half; echo 'the disk is full' >&2; exit 1", 1, "the disk is full"),
        ("exit 255", 255, "no backup came from root@school.example (status 255)"),
        ("echo Welcome", 1, "is not an archive of schoolhouse"),
    ] {
        machine.reach(ssh);
        let output = machine.fetch(&["1"]);
        assert_eq!(output.status.code(), Some(status), "{ssh}");
        assert!(err(&output).contains(words), "{ssh}: {}", err(&output));
        assert_eq!(machine.names(), after, "{ssh}");
    }
    for keep in ["0", "all"] {
        assert_eq!(machine.fetch(&[keep]).status.code(), Some(2), "{keep}");
    }
    fs::remove_dir_all(machine.kept()).unwrap();
    assert!(err(&machine.fetch(&[])).contains("is its disk mounted?"));
}

#[test]
fn the_documented_crontab_line_is_one_that_cron_runs_whole() {
    let lines = GUIDE.lines().map(str::trim).filter(|line| line.contains(" * * * "));
    let lines: Vec<_> = lines.collect();
    assert_eq!(lines.len(), 1, "{lines:?}");
    let fields: Vec<_> = lines[0].split(' ').collect();
    assert!(fields[0].parse::<u8>().unwrap() < 60 && fields[1].parse::<u8>().unwrap() < 24);
    assert_eq!((&fields[2..5], fields[5]), (&["*"; 3][..], "/usr/local/bin/fetch-backup"));
    assert!(!lines[0].contains('%'), "cron ends a command there");
}
