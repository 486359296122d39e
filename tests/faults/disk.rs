//! A full disk, and one that turned read-only.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use reqwest::StatusCode;
use serde_json::json;

use crate::crowd::{CLIENTS, Errand};
use crate::figures::{Kind, Row};
use crate::plan::Plan;
use crate::room;
use crate::stage::{Stage, schoolhouse, succeed, wait_until_ready};
use crate::support::{Actor, PASSWORD, TIMEOUT, numbered_pdf};
use crate::tracer::Tracer;

/// A file system of its own, unmounted when it goes.
pub struct Mount {
    _folder: tempfile::TempDir,
    pub path: PathBuf,
}

impl Mount {
    /// In memory, with so many megabytes.
    pub fn in_memory(megabytes: u32) -> Self {
        Self::made_by(|path| {
            let mut command = Command::new("mount");
            command.args(["-t", "tmpfs", "-o", &format!("size={megabytes}m"), "none"]).arg(path);
            command
        })
    }

    fn made_by(command: impl FnOnce(&Path) -> Command) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("disk");
        fs::create_dir(&path).unwrap();
        succeed(&command(&path).output().unwrap());
        Self { _folder: folder, path }
    }

    fn data(&self) -> PathBuf {
        self.path.join("data")
    }

    fn free(&self) -> u64 {
        let stat = rustix::fs::statvfs(&self.path).unwrap();
        stat.f_bavail * stat.f_frsize
    }

    /// Leaves so many bytes free, whatever was there before.
    fn leave(&self, bytes: u64) {
        let path = self.path.join("others");
        let mut filler = File::options().append(true).create(true).open(path).unwrap();
        while self.free() > bytes {
            let size = usize::try_from((self.free() - bytes).min(1 << 20)).unwrap();
            if filler.write_all(&vec![7; size.max(4096)]).is_err() {
                break;
            }
        }
    }

    fn make_room(&self) {
        let _ = fs::remove_file(self.path.join("others"));
    }
}

impl Drop for Mount {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("--lazy").arg(&self.path).status();
    }
}

/// Others fill the disk, up to the reserve and then to the last byte.
pub async fn full(plan: Plan) -> Vec<Row> {
    if !room::may_mount() {
        return vec![cannot_mount("a full disk")];
    }
    // With this reserve the reserve file is as large as with the default one.
    let disk = Mount::in_memory(128);
    let settings = [("SCHOOLHOUSE_SERVER_DISK_RESERVE_MB", "64")];
    let mut stage = Stage::open_in(&disk.data(), &settings).await;
    let mut short = Row::new("less than the reserve is free", Kind::Other);
    disk.leave(8 << 20);
    let mut problems = check_reading(&stage).await;
    problems.extend(check_login(&stage).await);
    problems.extend(check_refused_upload(&stage).await);
    let outcome =
        stage.crowd.send(&stage.program.address, vec![vec![Errand::Write, Errand::Enroll]; CLIENTS]).await;
    if outcome.refused + outcome.cut > 0 {
        problems.push(format!("small writes need the reserve: {outcome:?}"));
    }
    problems.extend(check_recovery(&mut stage, &disk, &mut short).await);
    short.count("", &problems);
    let mut whole = Row::new("no byte is free", Kind::Other);
    let mut eaten = Row::new("no byte is free, the reserve file is gone too", Kind::Other);
    for round in 0..plan.pick(3, 1) {
        disk.leave(0);
        let mut problems = check_full(&mut stage).await;
        problems.extend(check_login(&stage).await);
        whole.recovered(stage.restart_full().await);
        problems.extend(check_reading(&stage).await);
        problems.extend(check_login(&stage).await);
        whole.count(&format!("round {round}"), &problems);
        // Nothing is left to give way: now only reading is promised, and honesty.
        disk.leave(0);
        let mut problems = check_full(&mut stage).await;
        eaten.recovered(stage.restart_full().await);
        problems.extend(check_reading(&stage).await);
        problems.extend(check_recovery(&mut stage, &disk, &mut eaten).await);
        eaten.count(&format!("round {round}"), &problems);
    }
    vec![short, whole, eaten, page_by_page(&mut stage, &disk, plan).await]
}

async fn check_full(stage: &mut Stage) -> Vec<String> {
    for _ in 0..3 {
        // The first ones may meet the full disk; what gives way gives way then.
        stage
            .crowd
            .send(&stage.program.address, vec![vec![Errand::Write, Errand::Upload(9000)]; CLIENTS])
            .await;
    }
    let mut problems = check_reading(stage).await;
    problems.extend(check_refused_upload(stage).await);
    problems.extend(stage.inspect());
    problems
}

/// The disk gets full at each page that the work needs, one after the other.
async fn page_by_page(stage: &mut Stage, disk: &Mount, plan: Plan) -> Row {
    let mut row = Row::new("the disk gets full at each page of the work", Kind::Error);
    for pages in 0..plan.pick(60, 4) {
        let reserve_file = stage.data().join("ballast");
        let _ = fs::remove_file(reserve_file);
        disk.leave(pages * 4096);
        let all_clients = (0..CLIENTS).map(|client| match client % 4 {
            0 => vec![Errand::Write],
            1 => vec![Errand::Enroll],
            2 => vec![Errand::Approve],
            _ => vec![Errand::Upload(5000)],
        });
        stage.crowd.send(&stage.program.address, all_clients.collect()).await;
        let mut problems = check_recovery(stage, disk, &mut row).await;
        let (recovery, found) = stage.restart_and_inspect().await;
        row.recovered(recovery);
        problems.extend(found);
        row.count(&format!("with {pages} pages free"), &problems);
    }
    row
}

async fn check_recovery(stage: &mut Stage, disk: &Mount, row: &mut Row) -> Vec<String> {
    disk.make_room();
    let begun = Instant::now();
    loop {
        let outcome = stage
            .crowd
            .send(&stage.program.address, vec![vec![Errand::Upload(9000), Errand::Write]; 4])
            .await;
        if outcome.refused + outcome.cut == 0 {
            break;
        }
        if begun.elapsed() > TIMEOUT {
            return vec![format!("{outcome:?} {} s after there was space", TIMEOUT.as_secs())];
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    wait_until_ready(&stage.program).await;
    row.recovered(begun.elapsed());
    stage.inspect()
}

/// Visitors, students and the office read what they always read.
async fn check_reading(stage: &Stage) -> Vec<String> {
    let mut problems = Vec::new();
    let address = &stage.program.address;
    let (visitor, student) = (Actor::new(address), stage.crowd.student(address));
    let office = stage.crowd.staff(address);
    let pages = [(&visitor, "/"), (&visitor, "/api/courses"), (&student, "/api/students/documents")];
    for (who, page) in pages.into_iter().chain([(&office, "/api/admin/dashboard")]) {
        let answer = who.get(page).await;
        if answer.status != StatusCode::OK {
            problems.push(format!("{page} answers {}: {}", answer.status, answer.text()));
        }
    }
    problems
}

async fn check_login(stage: &Stage) -> Vec<String> {
    let mut problems = Vec::new();
    let visitor = Actor::new(&stage.program.address);
    let student = visitor.log_in("student0@mail.example", PASSWORD).await;
    let office = visitor.post("/api/login", &json!({ "username": "office", "password": PASSWORD })).await;
    for (who, answer) in [("student", student), ("office", office)] {
        if answer.status != StatusCode::OK {
            problems.push(format!("login of the {who} answers {}: {}", answer.status, answer.text()));
        }
    }
    problems
}

async fn check_refused_upload(stage: &Stage) -> Vec<String> {
    let student = stage.crowd.student(&stage.program.address);
    let answer = student.upload("other", "refused.pdf", numbered_pdf(9_999_999, 50_000)).await;
    let mut problems = Vec::new();
    if answer.status != StatusCode::SERVICE_UNAVAILABLE || !answer.message().contains("disk space") {
        problems.push(format!("an upload answers {}: {}", answer.status, answer.text()));
    }
    // On another connection: this one was closed with the rest of the upload unread.
    let ready = Actor::new(&stage.program.address).get("/readyz").await;
    if ready.status != StatusCode::SERVICE_UNAVAILABLE || ready.json()["disk"] != false {
        problems.push(format!("/readyz answers {}: {}", ready.status, ready.text()));
    }
    problems
}

fn cannot_mount(what: &str) -> Row {
    let mut row = Row::new(what, Kind::Other);
    row.note = "NOT TRIED: mounting needs root, or unprivileged namespaces".into();
    row
}

/// Every write of the data folder answers "read-only file system", for a while.
pub async fn read_only(_: Plan) -> Vec<Row> {
    let mut stage = Stage::open().await;
    let mut row = Row::new("the file system is read-only for a while", Kind::Other);
    let mut words = vec![
        "--trace=pwrite64,ftruncate,fsync,fallocate".to_owned(),
        "--inject=pwrite64,ftruncate,fsync,fallocate:error=EROFS".to_owned(),
    ];
    words.extend(stage.database_files().iter().map(|path| format!("--trace-path={}", path.display())));
    let tracer = Tracer::attach(&stage.program.child, &words);
    let mut problems = check_reading(&stage).await;
    let outcome =
        stage.crowd.send(&stage.program.address, vec![vec![Errand::Write, Errand::Enroll]; CLIENTS]).await;
    if outcome.kept + outcome.cut > 0 {
        problems.push(format!("writes are not refused: {outcome:?}"));
    }
    problems.extend(check_not_ready(&stage).await);
    let hits = tracer.finish().injected();
    let begun = Instant::now();
    wait_until_ready(&stage.program).await;
    let outcome =
        stage.crowd.send(&stage.program.address, vec![vec![Errand::Write, Errand::Upload(5000)]; 4]).await;
    if outcome.refused + outcome.cut > 0 {
        problems.push(format!("it does not recover: {outcome:?}"));
    }
    row.recovered(begun.elapsed());
    problems.extend(stage.restart_and_inspect().await.1);
    row.count("", &problems);
    row.note = format!("{hits} calls refused");
    vec![row, turned_read_only().await]
}

async fn check_not_ready(stage: &Stage) -> Vec<String> {
    let ready = Actor::new(&stage.program.address).get("/readyz").await;
    if ready.status == StatusCode::SERVICE_UNAVAILABLE && ready.json()["database_write"] == false {
        return Vec::new();
    }
    vec![format!("/readyz answers {}: {}", ready.status, ready.text())]
}

/// A real ext4 that met an error and turned read-only under the open school; repaired, it goes on.
async fn turned_read_only() -> Row {
    let what = "ext4 turns read-only under the open school";
    if !room::may_mount() {
        return cannot_mount(what);
    }
    let image = tempfile::NamedTempFile::new().unwrap();
    image.as_file().set_len(96 << 20).unwrap();
    succeed(&Command::new("mkfs.ext4").arg("-q").arg(image.path()).output().unwrap());
    let disk = Mount::made_by(|path| {
        let mut command = Command::new("mount");
        command.args(["-o", "loop,errors=remount-ro"]).arg(image.path()).arg(path);
        command
    });
    let mut row = Row::new(what, Kind::Other);
    let mut stage = Stage::open_in(&disk.data(), &[]).await;
    // The school is a copy that `cp` left in memory; from here on the server alone brings to the disk what it answers.
    succeed(&Command::new("sync").arg("-f").arg(&disk.path).output().unwrap());
    stage.crowd.send(&stage.program.address, vec![vec![Errand::Write, Errand::Upload(5000)]; CLIENTS]).await;
    fs::write(trigger_of(&disk.path), "1").unwrap();
    let mut problems = check_reading(&stage).await;
    let outcome =
        stage.crowd.send(&stage.program.address, vec![vec![Errand::Write, Errand::Upload(5000)]; 4]).await;
    if outcome.kept + outcome.cut > 0 {
        problems.push(format!("writes are not refused: {outcome:?}"));
    }
    problems.extend(check_not_ready(&stage).await);
    stage.kill();
    let mut start = schoolhouse(&disk.data());
    let refused = start.args(["serve", "--listen", "127.0.0.1:0"]).output().unwrap();
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    if refused.status.code() != Some(1) || !said.contains("ead-only") {
        problems.push(format!("a start on it says: {said}"));
    }
    succeed(&Command::new("umount").arg(&disk.path).output().unwrap());
    let repaired = Command::new("fsck.ext4").args(["-f", "-y"]).arg(image.path()).output().unwrap();
    assert!(repaired.status.code() <= Some(1), "{}", String::from_utf8_lossy(&repaired.stdout));
    succeed(&Command::new("mount").args(["-o", "loop"]).arg(image.path()).arg(&disk.path).output().unwrap());
    let (recovery, found) = stage.restart_and_inspect().await;
    row.recovered(recovery);
    problems.extend(found);
    row.count("", &problems);
    stage.kill();
    row
}

/// Where ext4 takes the order to find an error.
fn trigger_of(mounted: &Path) -> PathBuf {
    let mounts = fs::read_to_string("/proc/mounts").unwrap();
    let line = mounts.lines().find(|line| line.split(' ').nth(1) == mounted.to_str()).unwrap();
    let device = Path::new(line.split(' ').next().unwrap()).file_name().unwrap();
    Path::new("/sys/fs/ext4").join(device).join("trigger_fs_error")
}
