//! One flipped byte in each page of the database, in archives, in documents.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::process::Output;

use fastrand::Rng;
use rusqlite::{Connection, OpenFlags};

use crate::crowd::{CLIENTS, Errand};
use crate::figures::{Kind, Row};
use crate::inspection::look_into;
use crate::plan::Plan;
use crate::stage::{Stage, schoolhouse, succeed};

const PAGE: usize = 4096;

/// Makes a school that has something in each of its tables, and closes it.
async fn closed_school() -> Stage {
    let mut stage = Stage::open().await;
    for errands in [[Errand::Enroll, Errand::Upload(6000)], [Errand::Approve, Errand::Write]] {
        stage.crowd.send(&stage.program.address, vec![errands.to_vec(); CLIENTS]).await;
    }
    stage.drain_mail().await;
    stage.end();
    stage
}

/// How many flips each check finds.
#[derive(Default)]
struct Found {
    /// The check after a start.
    quickly: u32,
    /// The check of every night, in addition.
    in_full: u32,
    /// `doctor --full` alone, by the chain over the audit trail or a document's checksum.
    by_doctor: u32,
    /// None of them: characters of an unindexed text, for example.
    unseen: u32,
    unseen_in: BTreeMap<String, u32>,
}

/// In the used part of each page of the database, in turn: whatever SQLite finds is reported, and no earlier archive
/// suffers from it.
pub async fn pages(plan: Plan) -> Vec<Row> {
    let stage = closed_school().await;
    let data = stage.data();
    let mut row = Row::new("a flipped byte in each page of the database", Kind::Other);
    succeed(&backup(data));
    let archives = archives(data);
    let whole = fs::read(data.join("schoolhouse.db")).unwrap();
    let (owners, mut found, mut rng) = (owners(data), Found::default(), plan.rng());
    let every = plan.pick(1, 9);
    for page in (0..whole.len() / PAGE).step_by(every) {
        let Some(offset) = used_byte(&whole[page * PAGE..][..PAGE], page, &mut rng) else { continue };
        flip(&data.join("schoolhouse.db"), page * PAGE + offset, &mut rng);
        let owner = owners.get(&page).map_or("free", String::as_str);
        let mut problems = look(data, owner, &mut found);
        let backup = backup(data);
        if !matches!(backup.status.code(), Some(0 | 1 | 3)) {
            problems.push(format!("backup ends with {}", backup.status));
        }
        let mut left = self::archives(data);
        for (path, content) in &archives {
            if left.remove(path).as_ref() != Some(content) {
                problems.push(format!("{} is not what it was", path.display()));
            }
        }
        row.count(&format!("page {page}"), &problems);
        for path in left.keys() {
            fs::remove_file(path).unwrap();
        }
        fs::write(data.join("schoolhouse.db"), &whole).unwrap();
        for left in ["schoolhouse.db-wal", "schoolhouse.db-shm"] {
            let _ = fs::remove_file(data.join(left));
        }
    }
    row.note = format!(
        "found by a start {}, by the nightly check {} more, by doctor --full {} more, by none {} (in {:?})",
        found.quickly, found.in_full, found.by_doctor, found.unseen, found.unseen_in
    );
    vec![row]
}

/// Counts who finds the flip in a page of `owner`; `doctor --full` has to report what SQLite finds.
fn look(data: &Path, owner: &str, found: &mut Found) -> Vec<String> {
    let doctor = schoolhouse(data).args(["doctor", "--full"]).output().unwrap();
    let report = String::from_utf8_lossy(&doctor.stdout);
    let is_reported =
        ["Database", "References"].iter().any(|name| report.contains(&format!("PROBLEM  {name} ")));
    // On a connection that may not write, SQLite checks no CHECK constraint; the doctor has such a one, the night has not.
    let uri = format!("file:{}?immutable=1", data.join("schoolhouse.db").display());
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
    let damage = full_check(&Connection::open_with_flags(uri, flags).unwrap());
    let database = look_into(data);
    if check(&database, "quick_check").is_some() {
        found.quickly += 1;
    } else if full_check(&database).is_some() {
        found.in_full += 1;
    } else if doctor.status.code() == Some(1) {
        found.by_doctor += 1;
    } else {
        found.unseen += 1;
        *found.unseen_in.entry(owner.to_owned()).or_insert(0) += 1;
    }
    let is_right = match damage {
        Some(_) => doctor.status.code() == Some(1) && is_reported,
        None => matches!(doctor.status.code(), Some(0 | 1)) && !is_reported,
    };
    if is_right { Vec::new() } else { vec![format!("SQLite says {damage:?}, and doctor: {report}")] }
}

fn full_check(database: &Connection) -> Option<String> {
    check(database, "integrity_check").or_else(|| check(database, "foreign_key_check"))
}

/// What SQLite finds by this pragma.
fn check(database: &Connection, pragma: &str) -> Option<String> {
    let first = || -> rusqlite::Result<Option<String>> {
        let mut statement = database.prepare(&format!("pragma {pragma}"))?;
        let first = statement.query_map([], |row| row.get(0))?.next();
        first.transpose()
    };
    first().unwrap_or_else(|error| Some(error.to_string())).filter(|found| found != "ok")
}

/// Every archive with its content.
fn archives(data: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let paths = fs::read_dir(data.join("backups")).unwrap().map(|entry| entry.unwrap().path());
    paths.map(|path| (path.clone(), fs::read(path).unwrap())).collect()
}

/// The table or index of each page, counted from 0.
fn owners(data: &Path) -> BTreeMap<usize, String> {
    let database = look_into(data);
    let mut select = database.prepare("select pageno - 1, name from dbstat").unwrap();
    let rows = select.query_map([], |row| Ok((row.get::<_, i64>(0)?, row.get(1)?))).unwrap();
    rows.map(|row| row.map(|(page, name)| (usize::try_from(page).unwrap(), name)).unwrap()).collect()
}

fn backup(data: &Path) -> Output {
    schoolhouse(data).arg("backup").output().unwrap()
}

/// An offset within the header or the content of a page, or none in a page that holds nothing.
fn used_byte(page: &[u8], number: usize, rng: &mut Rng) -> Option<usize> {
    let header = if number == 0 { 100 } else { 0 };
    let is_tree = matches!(page[header], 2 | 5 | 10 | 13);
    let content = usize::from(u16::from_be_bytes([page[header + 5], page[header + 6]]));
    let cells = usize::from(u16::from_be_bytes([page[header + 3], page[header + 4]]));
    let used: Vec<usize> = match is_tree {
        true => (header..header + 8 + 2 * cells).chain(content.max(header + 8)..PAGE).collect(),
        // Of an overflow page, the chain and the beginning of the text.
        false => (0..64).collect(),
    };
    (page.iter().any(|byte| *byte != 0) && !used.is_empty()).then(|| used[rng.usize(..used.len())])
}

fn flip(path: &Path, offset: usize, rng: &mut Rng) {
    let file = fs::File::options().read(true).write(true).open(path).unwrap();
    let mut byte = [0];
    file.read_exact_at(&mut byte, offset as u64).unwrap();
    byte[0] ^= 1 << rng.u8(..8);
    file.write_all_at(&byte, offset as u64).unwrap();
}

/// At every 4 KiB of an archive, in its header and its end, and in each document.
pub async fn files(plan: Plan) -> Vec<Row> {
    let stage = closed_school().await;
    let data = stage.data();
    succeed(&backup(data));
    let archive = fs::read_dir(data.join("backups")).unwrap().flatten().next().unwrap().path();
    let whole = fs::read(&archive).unwrap();
    let mut rng = plan.rng();
    let mut archives = Row::new("a flipped byte in an archive", Kind::Other);
    let steps = (0..whole.len()).step_by(plan.pick(4096, 65536));
    for offset in (0..16).chain(steps).chain(whole.len() - 16..whole.len()) {
        flip(&archive, offset, &mut rng);
        let output = schoolhouse(data).arg("verify").arg(&archive).output().unwrap();
        let is_reported = output.status.code() == Some(1);
        let problem = format!("verify says: {}", String::from_utf8_lossy(&output.stdout));
        archives.count(
            &format!("at byte {offset}"),
            if is_reported { &[] } else { std::slice::from_ref(&problem) },
        );
        fs::write(&archive, &whole).unwrap();
    }
    succeed(&schoolhouse(data).arg("verify").arg(&archive).output().unwrap());
    let mut documents = Row::new("a flipped byte in a document, backup and doctor", Kind::Other);
    for path in stored(data).into_iter().take(plan.pick(32, 4)) {
        let content = fs::read(&path).unwrap();
        let offset = rng.usize(..content.len());
        flip(&path, offset, &mut rng);
        let mut doctor = schoolhouse(data);
        doctor.args(["doctor", "--full"]);
        // A backup goes on without it, and says so by a status of its own.
        for (who, status, output) in [("backup", 3, backup(data)), ("doctor", 1, doctor.output().unwrap())] {
            let report = [output.stdout, output.stderr].concat();
            let report = String::from_utf8_lossy(&report).to_lowercase();
            let is_reported = output.status.code() == Some(status) && report.contains("document ");
            let problem = format!("{who} says: {report}");
            documents.count(
                &path.display().to_string(),
                if is_reported { &[] } else { std::slice::from_ref(&problem) },
            );
        }
        fs::write(&path, &content).unwrap();
    }
    succeed(&backup(data));
    vec![archives, documents]
}

fn stored(data: &Path) -> Vec<PathBuf> {
    let folders = fs::read_dir(data.join("documents")).unwrap().flatten();
    folders
        .flat_map(|folder| fs::read_dir(folder.path()).unwrap().flatten())
        .map(|file| file.path())
        .collect()
}
