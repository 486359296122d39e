//! `kill -9` at every sync of the commands that handle the whole school: backup and migration.

use std::path::{Path, PathBuf};
use std::time::Instant;

use rusqlite::Connection;
use schoolhouse::plumbing::db;

use crate::archive;
use crate::crowd::{CLIENTS, Errand};
use crate::figures::{Kind, Row};
use crate::inspection::{check_database, look_into};
use crate::plan::Plan;
use crate::stage::{READY, Stage, schoolhouse, serve, succeed, wait_until_ready};
use crate::tracer::{NAMES_AND_SYNCS, SYNCS, strike, traced, was_killed};

/// A backup by itself, and one beside 32 clients who write.
pub async fn backups_struck(plan: Plan) -> Vec<Row> {
    let mut stage = Stage::open().await;
    let everybody =
        (0..CLIENTS).map(|client| vec![Errand::Upload(500 + 100 * client), Errand::Enroll]).collect();
    stage.crowd.send(&stage.program.address, everybody).await;
    let mut beside = Row::new("kill -9 at each sync of a backup, 32 clients writing", Kind::Kill);
    for nth in plan.occasions() {
        let crowd = stage.crowd.clone();
        let address = stage.program.address.clone();
        let lists = (0..CLIENTS).map(|_| vec![Errand::Enroll, Errand::Upload(2000), Errand::Write]).collect();
        let work = tokio::spawn(async move { crowd.send(&address, lists).await });
        let data = stage.data().to_owned();
        let struck = tokio::task::spawn_blocking(move || strike_backup(&data, SYNCS, nth)).await.unwrap();
        let answers = work.await.unwrap();
        let Some(mut problems) = struck else { break };
        problems.extend(stage.inspect());
        if answers.refused + answers.cut > 0 {
            problems.push(format!("the school did not go on: {answers:?}"));
        }
        beside.count(&format!("at sync {nth}"), &problems);
    }
    stage.kill();
    let mut alone = Row::new("kill -9 at each sync and name of a backup alone", Kind::Kill);
    for nth in plan.occasions() {
        let Some(problems) = strike_backup(stage.data(), NAMES_AND_SYNCS, nth) else { break };
        alone.count(&format!("at call {nth}"), &problems);
    }
    vec![beside, alone]
}

/// Kills a backup and says what it left that it should not; none if it was over before.
///
/// The next backup must work, and clear away what the killed one left.
fn strike_backup(data: &Path, calls: &str, nth: u32) -> Option<Vec<String>> {
    let mut backup = schoolhouse(data);
    backup.arg("backup");
    let status = traced(&backup, &strike(calls, "signal=SIGKILL", nth, &[])).output().unwrap().status;
    if !was_killed(status) {
        assert!(status.success(), "the backup failed by itself");
        return None;
    }
    let mut problems = Vec::new();
    for path in archives(data) {
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
    left.into_iter().for_each(|path| std::fs::remove_file(path).unwrap());
    Some(problems)
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
    let mut row = Row::new("kill -9 at each sync of a migration", Kind::Kill);
    for version in if plan.is_full { (0..newest).collect() } else { vec![0, 4, newest - 1] } {
        for nth in plan.occasions() {
            let folder = tempfile::tempdir().unwrap();
            let data = folder.path().join("data");
            make_old_school(&data, version);
            if !strike_start(&data, nth) {
                break;
            }
            let mut problems = check_old_school(&data, version, &[version, newest]);
            let begun = Instant::now();
            match serve(&data, &[]) {
                Ok(program) => {
                    wait_until_ready(&program).await;
                    if begun.elapsed() > READY {
                        problems.push(format!("ready after {} ms", begun.elapsed().as_millis()));
                    }
                    row.recovered(begun.elapsed());
                    problems.extend(check_old_school(&data, version, &[newest]));
                }
                Err(said) => problems.push(format!("it does not start again: {said}")),
            }
            row.count(&format!("schema {version}, at sync {nth}"), &problems);
        }
    }
    row.note = format!("from each schema to {newest}");
    vec![row]
}

/// A school as the program with that schema left it.
fn make_old_school(data: &Path, version: i32) {
    std::fs::create_dir_all(data).unwrap();
    let mut connection = db::connect(&data.join("schoolhouse.db")).unwrap();
    connection.pragma_update(None, "application_id", db::APPLICATION_ID).unwrap();
    if version == 0 {
        return;
    }
    let target = refinery::Target::Version(version.try_into().unwrap());
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

/// Starts the program and kills it at its `nth` sync; false if it came to serve before.
fn strike_start(data: &Path, nth: u32) -> bool {
    let mut command = schoolhouse(data);
    command.args(["serve", "--listen", "127.0.0.1:0"]);
    crate::support::Program::start(traced(&command, &strike(SYNCS, "signal=SIGKILL", nth, &[]))).is_err()
}
