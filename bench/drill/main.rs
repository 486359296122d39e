//! A backup every few seconds under write load, every one restored: `make drill`.
//!
//! 32 students write as fast as they are answered, into a database of about 100 MB; each keeps
//! count in their own name. Afterwards every archive is verified and restored by the binary itself, and must
//! hold at least what had been acknowledged when its backup began, and every document. Printed are
//! the slowest write during the backups and, to compare, without one. The time is the argument's;
//! deliberately absent is any assertion about it.

mod load;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};

use load::{CLIENTS, Load, Slowest};

/// Writing without a backup, to compare with.
const BEFORE: Duration = Duration::from_secs(20);

fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let usage = "usage: drill BINARY SECONDS EVERY";
    let binary = PathBuf::from(arguments.next().context(usage)?);
    let mut seconds = || -> anyhow::Result<Duration> {
        Ok(Duration::from_secs(arguments.next().context(usage)?.parse().context(usage)?))
    };
    let (time, every) = (seconds()?, seconds()?);
    schoolhouse::testing::start_runtime()?.block_on(drill(&binary, time, every))
}

async fn drill(binary: &Path, time: Duration, every: Duration) -> anyhow::Result<()> {
    // Beside the binary: the temporary folder of many machines is memory, where a sync is free.
    let beside = binary.parent().context("the binary's folder")?;
    let folder = tempfile::Builder::new().prefix("drill-").tempdir_in(beside)?;
    let data_dir = folder.path().join("data");
    let archives = folder.path().join("archives");
    std::fs::create_dir(&archives)?;
    let load = Load::begin(binary, &data_dir).await?;
    let megabytes = std::fs::metadata(data_dir.join("schoolhouse.db"))?.len() / 1_000_000;
    println!("{CLIENTS} students write into a database of {megabytes} MB");
    tokio::time::sleep(BEFORE).await;
    let calm = load.slowest();

    let (start, mut worst, mut archived) = (Instant::now(), Slowest::default(), Vec::new());
    while start.elapsed() < time {
        let next = Instant::now() + every;
        let acknowledged = load.acknowledged();
        load.slowest();
        let begun = Instant::now();
        let archive = run(binary, &data_dir, &["backup", path(&archives)?]).await?;
        let (took, slowest) = (begun.elapsed(), load.slowest());
        worst = worst.max(slowest);
        archived.push((PathBuf::from(archive.trim()), acknowledged));
        println!("backup {}: {:.1} s, slowest write {slowest}", archived.len(), took.as_secs_f64());
        tokio::time::sleep(next.saturating_duration_since(Instant::now())).await;
    }
    let written: u64 = load.acknowledged().iter().sum();
    drop(load);
    for (archive, acknowledged) in &archived {
        restore(binary, folder.path(), path(archive)?, acknowledged).await?;
        println!("{} verified and restored", archive.file_name().unwrap_or_default().display());
    }
    let count = archived.len();
    println!("\n{count} backups under {written} acknowledged writes: {count} verified and restored, 0 lost");
    println!("slowest write: {worst} during a backup, {calm} without one");
    Ok(())
}

/// Restores an archive, which verifies it, and looks for what had been acknowledged before.
async fn restore(binary: &Path, folder: &Path, archive: &str, acknowledged: &[u64]) -> anyhow::Result<()> {
    let restored = folder.join("restored");
    run(binary, &restored, &["verify", archive]).await?;
    run(binary, &restored, &["restore", archive]).await?;
    let database = rusqlite::Connection::open(restored.join("schoolhouse.db"))?;
    for (client, acknowledged) in acknowledged.iter().enumerate() {
        let found = load::written(&database, client)?;
        ensure!(found >= *acknowledged, "student {client}: {found} of {acknowledged} acknowledged writes");
    }
    let mut select = database.prepare("select document_path from student_documents")?;
    for document in select.query_map([], |row| row.get::<_, String>(0))? {
        let document = document?;
        ensure!(restored.join(&document).exists(), "{document} is missing");
    }
    std::fs::remove_dir_all(&restored)?;
    Ok(())
}

/// Runs a command of the binary and returns what it printed.
async fn run(binary: &Path, data_dir: &Path, arguments: &[&str]) -> anyhow::Result<String> {
    let mut command = Command::new(binary);
    command.arg("--data-dir").arg(data_dir).args(arguments).stdin(Stdio::null());
    let output = tokio::task::spawn_blocking(move || command.output()).await??;
    ensure!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    Ok(String::from_utf8(output.stdout)?)
}

fn path(path: &Path) -> anyhow::Result<&str> {
    path.to_str().context("the path is not UTF-8")
}
