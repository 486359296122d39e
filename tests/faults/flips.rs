//! One flipped byte in each page of the database, in archives, in documents.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::process::Output;

use fastrand::Rng;

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

/// Which look finds it.
#[derive(Default)]
struct Found {
    by_sqlite: u32,
    by_backup: u32,
    by_sums: u32,
    by_nobody: u32,
    /// Table or index by page.
    owners: BTreeMap<usize, String>,
    missed: BTreeMap<String, u32>,
}

/// In the used part of each page of the database, in turn.
pub async fn pages(plan: Plan) -> Vec<Row> {
    let stage = closed_school().await;
    let data = stage.data();
    let mut row = Row::new("a flipped byte in each page of the database", Kind::Other);
    let whole = fs::read(data.join("schoolhouse.db")).unwrap();
    let sums = fs::read(data.join("schoolhouse.db.sum")).unwrap();
    let mut rng = plan.rng();
    let mut found = Found { owners: owners(data), ..Found::default() };
    let every = plan.pick(1, 9);
    for page in (0..whole.len() / PAGE).step_by(every) {
        let Some(offset) = used_byte(&whole[page * PAGE..][..PAGE], page, &mut rng) else { continue };
        flip(&data.join("schoolhouse.db"), page * PAGE + offset, &mut rng);
        let problem = look(data, page, &mut found);
        row.count(&format!("page {page}"), problem.as_slice());
        fs::write(data.join("schoolhouse.db"), &whole).unwrap();
        fs::write(data.join("schoolhouse.db.sum"), &sums).unwrap();
        for left in ["schoolhouse.db-wal", "schoolhouse.db-shm", "schoolhouse.db.changed"] {
            let _ = fs::remove_file(data.join(left));
        }
    }
    row.note = format!(
        "found by the sums {}; by SQLite at a start {}, by a backup {} more, not by those {} (in {:?})",
        found.by_sums, found.by_sqlite, found.by_backup, found.by_nobody, found.missed
    );
    vec![row]
}

/// The sums of the pages have to find it; what else would is only reported.
fn look(data: &Path, page: usize, found: &mut Found) -> Option<String> {
    let doctor = schoolhouse(data).arg("doctor").output().unwrap();
    let report = String::from_utf8_lossy(&doctor.stdout);
    let is_found =
        doctor.status.code() == Some(1) && report.contains("it has changed since the server was stopped");
    found.by_sums += u32::from(is_found);
    if !quick(data) {
        found.by_sqlite += 1;
    } else if !backup(data).status.success() {
        found.by_backup += 1;
    } else {
        found.by_nobody += 1;
        let owner = found.owners.get(&page).cloned().unwrap_or_else(|| "free".into());
        *found.missed.entry(owner).or_insert(0) += 1;
        for archive in fs::read_dir(data.join("backups")).unwrap().flatten() {
            fs::remove_file(archive.path()).unwrap();
        }
    }
    (!is_found).then(|| format!("doctor says: {report}"))
}

/// The table or index of each page, counted from 0.
fn owners(data: &Path) -> BTreeMap<usize, String> {
    let database = look_into(data);
    let mut select = database.prepare("select pageno - 1, name from dbstat").unwrap();
    let rows = select.query_map([], |row| Ok((row.get::<_, i64>(0)?, row.get(1)?))).unwrap();
    rows.map(|row| row.map(|(page, name)| (usize::try_from(page).unwrap(), name)).unwrap()).collect()
}

/// What the look at every start says.
fn quick(data: &Path) -> bool {
    let database = look_into(data);
    database.query_row("pragma quick_check", [], |row| row.get::<_, String>(0)).is_ok_and(|said| said == "ok")
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
