//! `kill -9` and errors at the writes of what handles the whole school: backup, restore, migration.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use rusqlite::Connection;
use schoolhouse::testing::db;

use crate::archive;
use crate::crowd::{CLIENTS, Errand, Promises};
use crate::disk::Mount;
use crate::figures::{Kind, Row};
use crate::inspection::{Inspector, check_database, look_into};
use crate::plan::Plan;
use crate::room;
use crate::stage::{Stage, schoolhouse, serve, succeed, wait_until_ready};
use crate::support::Program;
use crate::tracer::{NAMES_AND_SYNCS, SYNCS, Struck, WRITES, WRITES_OF_SQLITE, strike};

/// How a command is struck.
#[derive(Clone, Copy)]
struct Strike {
    calls: &'static [&'static str],
    what: &'static str,
}

const KILL: Strike = Strike { calls: NAMES_AND_SYNCS, what: "signal=SIGKILL" };

/// A kill at each of the calls that leave a trace, and each error of the disk at each of these.
fn strikes(plan: Plan, writes: &'static [&'static str]) -> Vec<(&'static str, Strike)> {
    let mut all = vec![
        ("kill -9 at each sync and name", KILL),
        ("ENOSPC at each sync, name or write", Strike { calls: writes, what: "error=ENOSPC" }),
        ("EIO at each sync, name or write", Strike { calls: writes, what: "error=EIO" }),
    ];
    all.truncate(plan.pick(3, 2));
    all
}

impl Strike {
    fn at(self, call: &str, nth: u32) -> Vec<String> {
        strike(call, self.what, nth, &[])
    }

    fn row(self, fault: &str) -> Row {
        Row::new(fault, if self.is_kill() { Kind::Kill } else { Kind::Error })
    }

    fn is_kill(self) -> bool {
        self.what == KILL.what
    }
}

/// Every occasion of a kill; of an error, ever fewer, since the later writes repeat the earlier ones.
fn occasions(plan: Plan, strike: Strike) -> Box<dyn Iterator<Item = u32> + Send> {
    if strike.is_kill() || !plan.is_full {
        return plan.occasions();
    }
    Box::new(std::iter::successors(Some(1_u32), |nth| Some(nth + 1 + nth / 8)))
}

/// A backup beside 32 clients who write, and one by itself.
pub async fn backups_struck(plan: Plan) -> Vec<Row> {
    let mut stage = Stage::open().await;
    let all_clients =
        (0..CLIENTS).map(|client| vec![Errand::Upload(500 + 100 * client), Errand::Enroll]).collect();
    stage.crowd.send(&stage.program.address, all_clients).await;
    let mut rows = vec![backups_beside_work(plan, &mut stage).await];
    stage.kill();
    for (name, strike) in strikes(plan, WRITES) {
        let mut row = strike.row(&format!("{name} of a backup"));
        strike_backups(plan, &stage, strike, &mut row);
        rows.push(row);
    }
    rows
}

async fn backups_beside_work(plan: Plan, stage: &mut Stage) -> Row {
    let mut row = Row::new("kill -9 at each sync of a backup, 32 clients writing", Kind::Kill);
    for nth in plan.occasions() {
        let (crowd, address) = (stage.crowd.clone(), stage.program.address.clone());
        let lists = (0..CLIENTS).map(|_| vec![Errand::Enroll, Errand::Upload(2000), Errand::Write]).collect();
        let work = tokio::spawn(async move { crowd.send(&address, lists).await });
        let data = stage.data().to_owned();
        let words = strike(SYNCS, KILL.what, nth, &[]);
        let struck = tokio::task::spawn_blocking(move || strike_backup(&data, &words)).await.unwrap();
        let outcome = work.await.unwrap();
        let Some(mut problems) = struck else { break };
        problems.extend(stage.inspect());
        if outcome.refused + outcome.cut > 0 {
            problems.push(format!("the server did not go on: {outcome:?}"));
        }
        row.count(&format!("at sync {nth}"), &problems);
    }
    row
}

fn strike_backups(plan: Plan, stage: &Stage, strike: Strike, row: &mut Row) {
    for call in strike.calls {
        for nth in occasions(plan, strike) {
            let Some(problems) = strike_backup(stage.data(), &strike.at(call, nth)) else { break };
            row.count(&format!("at {call} {nth}"), &problems);
        }
    }
}

/// Strikes a backup and says what it left that it should not; none if it was over before.
///
/// The next backup must work, and clear away what the struck one left.
fn strike_backup(data: &Path, words: &[String]) -> Option<Vec<String>> {
    let mut backup = schoolhouse(data);
    backup.arg("backup");
    let (output, trace) = Struck::new(&backup, words).run();
    let made = archives(data);
    if !trace.was_struck() {
        succeed(&output);
        for path in made {
            std::fs::remove_file(path).unwrap();
        }
        return None;
    }
    let mut problems = Vec::new();
    if output.status.success() && made.is_empty() {
        problems.push("it says that it succeeded, and there is no archive".into());
    }
    for path in made {
        problems.extend(archive::check(&path));
        std::fs::remove_file(path).unwrap();
    }
    succeed(&backup.output().unwrap());
    let left = archives(data);
    problems.extend(archive::check(left.first().expect("the next backup makes an archive")));
    for folder in ["backups", "tmp"] {
        for entry in std::fs::read_dir(data.join(folder)).unwrap().flatten() {
            let name = entry.file_name().into_string().unwrap();
            if name.ends_with(".partial") || name == "backup" {
                problems.push(format!("{folder}/{name} is left"));
            }
        }
    }
    for path in left {
        std::fs::remove_file(path).unwrap();
    }
    Some(problems)
}

/// An archive in the place of a school that has gone on since.
pub async fn restores_struck(plan: Plan) -> Vec<Row> {
    let mut stage = Stage::open().await;
    let all_clients = || (0..CLIENTS).map(|_| vec![Errand::Upload(800), Errand::Write]).collect();
    stage.crowd.send(&stage.program.address, all_clients()).await;
    succeed(&schoolhouse(stage.data()).arg("backup").output().unwrap());
    let archive = archives(stage.data()).remove(0);
    stage.crowd.send(&stage.program.address, all_clients()).await;
    // The log too is part of what must be kept.
    stage.kill();
    // A restore syncs its whole file system: others' work on this machine's disk is not its affair.
    let disk = room::may_mount().then(|| Mount::in_memory(256));
    let place = disk.as_ref().map_or_else(std::env::temp_dir, |disk| disk.path.clone());
    let mut rows = Vec::new();
    for (name, strike) in strikes(plan, WRITES) {
        let mut row = strike.row(&format!("{name} of a restore"));
        let mut outcomes = [0, 0];
        for call in strike.calls {
            for nth in occasions(plan, strike) {
                let folder = tempfile::tempdir_in(&place).unwrap();
                let data = folder.path().join("data");
                let copied = Command::new("cp").arg("-a").args([stage.data(), &data]).output();
                succeed(&copied.unwrap());
                let words = strike.at(call, nth);
                let Some((recovery, problems)) = strike_restore(&data, &archive, &words, &mut outcomes).await
                else {
                    break;
                };
                row.recovered(recovery);
                row.count(&format!("at {call} {nth}"), &problems);
            }
        }
        row.note = format!("{} times the old school, {} times the archive's", outcomes[0], outcomes[1]);
        rows.push(row);
    }
    rows
}

/// Strikes a restore and looks at what the next start makes of it; none if it was over before. A
/// restore after that must work.
async fn strike_restore(
    data: &Path,
    archive: &Path,
    words: &[String],
    outcomes: &mut [u32; 2],
) -> Option<(Duration, Vec<String>)> {
    let mut restore = schoolhouse(data);
    restore.arg("restore").arg(archive).arg("--yes");
    let (output, trace) = Struck::new(&restore, words).run();
    if !trace.was_struck() {
        succeed(&output);
        return None;
    }
    let begun = Instant::now();
    let program = match serve(data, &[]) {
        Ok(program) => program,
        Err(said) => return Some((begun.elapsed(), vec![format!("it does not start again: {said}")])),
    };
    wait_until_ready(&program).await;
    let recovery = begun.elapsed();
    let mut problems = check_restored(data, output.status.success(), outcomes);
    drop(program);
    succeed(&restore.output().unwrap());
    problems.extend(check_restored(data, true, &mut [0, 0]));
    Some((recovery, problems))
}

/// The old school, or the archive's with the old one beside it; nothing in between.
fn check_restored(data: &Path, is_done: bool, outcomes: &mut [u32; 2]) -> Vec<String> {
    let mut problems = Inspector::default().inspect(data, &Promises::default());
    let found = messages(data);
    let old = usize::from(found == CLIENTS as i64);
    if old == 0 && (found != 2 * CLIENTS as i64 || is_done) {
        problems.push(format!("{found} messages are neither the old school nor the archive's"));
    }
    outcomes[old] += 1;
    let kept = std::fs::read_dir(data).unwrap().flatten().map(|entry| entry.path());
    let kept = kept.filter(|path| path.file_name().unwrap().to_string_lossy().starts_with("before-restore-"));
    let kept: Vec<_> = kept.map(|path| messages(&path)).collect();
    if old == 1 && !kept.contains(&(2 * CLIENTS as i64)) {
        problems.push("the old school is not kept aside".into());
    }
    if old == 0 && !kept.is_empty() {
        problems.push("something was set aside although nothing was restored".into());
    }
    problems
}

fn messages(folder: &Path) -> i64 {
    let count = "select count(*) from contact_messages";
    look_into(folder).query_row(count, [], |row| row.get(0)).unwrap_or(-1)
}

fn archives(data: &Path) -> Vec<PathBuf> {
    let folder = std::fs::read_dir(data.join("backups")).into_iter().flatten().flatten();
    folder.map(|entry| entry.path()).filter(|path| path.to_string_lossy().ends_with(".tar.zst")).collect()
}

mod migrations {
    refinery::embed_migrations!("migrations");
}

/// The first start of this program on what each older one left.
pub async fn migrations_struck(plan: Plan) -> Vec<Row> {
    let newest = db::newest_schema();
    let mut rows = Vec::new();
    for (name, strike) in strikes(plan, WRITES_OF_SQLITE) {
        let mut row = strike.row(&format!("{name} of a migration"));
        let all = plan.is_full && strike.is_kill();
        let mut older = db::schema_versions();
        older.insert(0, 0);
        older.pop();
        // Every occasion from these; from the others the first ones, as the later ones repeat what these did.
        let whole = plan.pick(vec![0, 4, older[older.len() - 1]], vec![4]);
        if !all {
            older.clone_from(&whole);
        }
        for version in older {
            let few = Plan { is_full: false, ..plan };
            let occasion = if whole.contains(&version) { plan } else { few };
            for call in strike.calls {
                for nth in occasions(occasion, strike) {
                    let folder = tempfile::tempdir().unwrap();
                    let data = folder.path().join("data");
                    make_old_school(&data, version);
                    if !strike_start(&data, &strike.at(call, nth)) {
                        break;
                    }
                    let (recovery, problems) = check_start(&data, version).await;
                    row.recovered(recovery);
                    row.count(&format!("schema {version}, at {call} {nth}"), &problems);
                }
            }
        }
        row.note = format!("to schema {newest}{}", if all { " from each before" } else { "" });
        rows.push(row);
    }
    rows
}

async fn check_start(data: &Path, version: i32) -> (Duration, Vec<String>) {
    let newest = db::newest_schema();
    let mut problems = check_old_school(data, version, &[version, newest]);
    let begun = Instant::now();
    match serve(data, &[]) {
        Ok(program) => {
            wait_until_ready(&program).await;
            // However long the disk takes: no other process may have the database.
            if program.has_printed("event=database.locked") {
                problems.push(format!("it waited for a lock, {} ms in all", begun.elapsed().as_millis()));
            }
            problems.extend(check_old_school(data, version, &[newest]));
        }
        Err(said) => problems.push(format!("it does not start again: {said}")),
    }
    (begun.elapsed(), problems)
}

/// A school as the program with that schema left it.
fn make_old_school(data: &Path, version: i32) {
    std::fs::create_dir_all(data).unwrap();
    let mut connection = db::connect(&data.join("schoolhouse.db")).unwrap();
    connection.pragma_update(None, "application_id", db::APPLICATION_ID).unwrap();
    if version == 0 {
        return;
    }
    let target = refinery::Target::Version(version);
    migrations::migrations::runner().set_grouped(true).set_target(target).run(&mut connection).unwrap();
    connection
        .execute_batch(
            "with recursive n(i) as (select 1 union all select i + 1 from n where i < 500)
             insert into users (id, username, password_hash, email, created_at)
             select i, 'person' || i, hex(randomblob(50)), 'p' || i || '@school.example', i from n;
             insert into audit (at, user_id, actor, action, object) select id, id, 'x', 'create', 'user' from users",
        )
        .unwrap();
}

fn check_old_school(data: &Path, version: i32, expected: &[i32]) -> Vec<String> {
    let database = look_into(data);
    let mut problems = check_database(&database);
    let found = db::schema_version(&database).unwrap();
    if !expected.contains(&found) {
        problems.push(format!("the schema is {found}, neither old nor new"));
    }
    if version > 0 && rows(&database) != (500, 500) {
        problems.push("rows are gone".into());
    }
    problems
}

fn rows(database: &Connection) -> (i64, i64) {
    let sql = "select (select count(*) from users), (select count(*) from audit)";
    database.query_row(sql, [], |row| Ok((row.get(0)?, row.get(1)?))).unwrap_or_default()
}

/// Starts the program and strikes; false if it came to serve unharmed.
fn strike_start(data: &Path, words: &[String]) -> bool {
    let mut command = schoolhouse(data);
    command.args(["serve", "--listen", "127.0.0.1:0"]);
    let mut struck = Struck::new(&command, words);
    match Program::start(&mut struck.command) {
        Ok(program) => {
            // What strikes after it serves is the affair of others.
            let is_struck = struck.trace().was_struck();
            drop(program);
            is_struck
        }
        Err(_) => true,
    }
}
