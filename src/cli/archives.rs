//! `backup`, `verify` and `restore`: archives of the whole school.

use std::fs::DirBuilder;
use std::io::{BufRead, IsTerminal, Write};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, ensure};
use clap::Args;
use jiff::Timestamp;
use serde_json::{Value, json};

use super::{Machine, configuration, owner, progress_of_bytes};
use crate::audit::{self, Actor};
use crate::base::age::{Identities, Recipient};
use crate::config::Config;
use crate::documents;
use crate::operations::backup::places::Place;
use crate::operations::backup::restore::{LockedDataDir, RESTORED_CONFIGURATION};
use crate::operations::backup::restored;
use crate::operations::backup::single::ArchiveFile;
use crate::operations::backup::{self, FinishedBackup, Incomplete, MissingFile, Stage};
use crate::operations::maintenance;
use crate::storage::data_dir::DataDir;
use crate::storage::db;

#[derive(Args)]
pub(super) struct BackupArgs {
    /// A folder (created if its parent exists), a new file name, or - for standard output [default: backup.folder of
    /// the configuration, else DIR/backups]
    dest: Option<PathBuf>,
    /// Afterwards delete archives in the same folder, except the newest of each of the last N days, weeks and months;
    /// use a separate folder for each school
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    keep: Option<u16>,
    /// Encrypt for this age recipient (age1…); can be repeated [default: the configured ones]
    #[arg(long, value_name = "RECIPIENT")]
    recipient: Vec<Recipient>,
    /// Write to the system's disk although the folder was on another one
    #[arg(long)]
    same_disk: bool,
}

/// Writes an archive and prints its path.
///
/// # Errors
/// When this is not a data folder, or the backup fails.
pub(super) fn make_backup(machine: Machine<'_>, wanted: &BackupArgs) -> anyhow::Result<()> {
    let Machine { data_dir, config, clock } = machine;
    backup::settle(data_dir)?;
    // The server has priority. On Linux niceness is per thread.
    if let Err(error) = rustix::process::nice(10) {
        tracing::debug!("the backup keeps its priority: {error}");
    }
    let recipients = if wanted.recipient.is_empty() {
        config.backup.age_recipient.clone()
    } else {
        wanted.recipient.clone()
    };
    if let Some(dest) = &wanted.dest {
        make_folder(dest)?;
    }
    let dest = wanted.dest.as_deref().or_else(|| config.backup.folder());
    ensure!(
        wanted.dest.is_some() || dest.is_none_or(Path::is_dir),
        "backup.folder {} does not exist: is its disk mounted?",
        config.backup.folder.display()
    );
    let bar = progress_of_bytes();
    let mut report = |stage, done, total| {
        bar.set_message(match stage {
            Stage::Pack => "packing",
            Stage::Check => "checking",
            Stage::Send => "sending",
        });
        bar.set_length(total);
        bar.set_position(done);
    };
    if dest == Some(Path::new("-")) {
        ensure!(wanted.keep.is_none(), "--keep needs a folder to delete archives in");
        ensure!(
            !std::io::stdout().is_terminal(),
            "an archive cannot be written to a terminal; name a file, or pipe the output"
        );
        let mut sink = std::io::stdout().lock();
        let sent = backup::backup_to(data_dir, &mut sink, &recipients, config, clock, &mut report);
        bar.finish_and_clear();
        let missing = sent?;
        let detail = json!({ "by": maintenance::COMMAND, "missing": missing, "place": Place::pipe() });
        record_success(data_dir, &detail, config, clock.now());
        return whole(missing);
    }
    ensure!(
        wanted.keep.is_none() || dest.is_none_or(Path::is_dir),
        "--keep needs a folder to delete archives in"
    );
    let place = Place::of(data_dir, dest)?;
    if !wanted.same_disk {
        ensure_mounted(data_dir, &place, clock.now())?;
    }
    let made = backup::backup(data_dir, dest, &recipients, config, clock, &mut report);
    bar.finish_and_clear();
    let made = made?;
    let FinishedBackup { path, missing } = &made;
    if wanted.dest.is_none()
        && let Some(folder) = config.backup.folder()
    {
        owner::give_to_owner_of(folder, path);
    }
    let size_bytes = path.metadata().map_or(0, |archive| archive.len());
    let detail = json!({
        "by": maintenance::COMMAND,
        "file": path.display().to_string(),
        "size_bytes": size_bytes,
        "missing": missing,
        "place": place,
    });
    record_success(data_dir, &detail, config, clock.now());
    // The archive is complete even if the pipe was closed.
    let _ = writeln!(std::io::stdout(), "{}", path.display());
    for path in made.thin_older(wanted.keep.unwrap_or(0).into())? {
        eprintln!("deleted {}, which is no longer needed", path.display());
    }
    whole(made.missing)
}

/// Fails if the archive lacks files.
fn whole(missing: Vec<MissingFile>) -> anyhow::Result<()> {
    if missing.is_empty() { Ok(()) } else { Err(Incomplete(missing).into()) }
}

/// Creates the folder of an archive if its parent exists: a longer missing path often means an unmounted disk. A name
/// with an extension is a file.
fn make_folder(dest: &Path) -> anyhow::Result<()> {
    if dest == Path::new("-") || dest.exists() || dest.extension().is_some() {
        return Ok(());
    }
    let made = DirBuilder::new().mode(0o700).create(dest);
    made.with_context(|| format!("making the folder {} (is its disk mounted?)", dest.display()))
}

/// Refuses a folder whose disk is not mounted, and records that for the office.
fn ensure_mounted(data_dir: &DataDir, place: &Place, now: Timestamp) -> anyhow::Result<()> {
    let connection = db::connect(&data_dir.database())?;
    place.ensure_mounted(&connection).inspect_err(|refusal| {
        let reason = format!("{refusal:#}");
        if let Err(error) = maintenance::failed(&connection, maintenance::BACKUP.name, &reason, now) {
            tracing::warn!("the refusal could not be recorded: {error}");
        }
    })
}

/// Records the backup for the server.
fn record_success(data_dir: &DataDir, detail: &Value, config: &Config, now: Timestamp) {
    let noted = db::connect(&data_dir.database()).and_then(|connection| {
        maintenance::succeeded(&connection, maintenance::BACKUP.name, detail, now)
            .and_then(|()| maintenance::note_backup(&connection, detail, config, now))
            .map_err(|error| anyhow!("{error}"))
    });
    if let Err(error) = noted {
        tracing::warn!("the backup is complete, but could not be recorded: {error:#}");
    }
}

#[derive(Args)]
pub(super) struct VerifyArgs {
    /// The archive
    archive: PathBuf,
    /// File with the secret key for an encrypted archive, as written by age-keygen
    #[arg(long, value_name = "FILE")]
    identity: Option<PathBuf>,
}

/// Checks an archive and prints its contents.
///
/// # Errors
/// The first problem.
pub(super) fn verify(machine: Machine<'_>, wanted: &VerifyArgs) -> anyhow::Result<()> {
    let Machine { data_dir, config, .. } = machine;
    let archive = &wanted.archive;
    let identities = wanted.identity.as_deref().map(Identities::load).transpose()?;
    // The data folder's disk has room for a copy; the system's temporary folder may be in memory.
    let sibling = archive.canonicalize().ok().and_then(|archive| archive.parent().map(Path::to_owned));
    let own = Some(data_dir.tmp()).filter(|tmp| tmp.is_dir());
    let places: Vec<_> = [own, Some(std::env::temp_dir()), sibling].into_iter().flatten().collect();
    let contents =
        watched("checking", |report| backup::verify(archive, identities.as_ref(), &places, report))?;
    println!("{} is intact:\n{}", archive.display(), contents.in_words(&config.school().zone()));
    warn_of_missing_keys(data_dir, &contents, config);
    record_opened(machine, archive)?;
    Ok(())
}

/// Records in the school of this machine, if there is one, that an archive was opened with its key.
fn record_opened(Machine { data_dir, config, clock }: Machine<'_>, archive: &Path) -> anyhow::Result<()> {
    if !backup::is_encrypted(archive) || !data_dir.database().exists() {
        return Ok(());
    }
    owner::act_as_owner(data_dir)?;
    let detail = json!({ "opened": archive.display().to_string() });
    let noted = db::connect(&data_dir.database()).and_then(|connection| {
        maintenance::note_backup(&connection, &detail, config, clock.now())
            .map_err(|error| anyhow!("{error}"))
    });
    if let Err(error) = noted {
        tracing::warn!("that it was opened with its key could not be recorded: {error:#}");
    }
    Ok(())
}

#[derive(Args)]
pub(super) struct RestoreArgs {
    /// The archive
    archive: PathBuf,
    /// File with the secret key for an encrypted archive, as written by age-keygen
    #[arg(long, value_name = "FILE")]
    identity: Option<PathBuf>,
    /// Set the current data aside without asking
    #[arg(long)]
    yes: bool,
    /// Put the archive's configuration, which has no secrets, in the place of the one in force, which is kept beside it
    #[arg(long, conflicts_with = "document")]
    with_config: bool,
    /// Restore only the file of this document number; the server may be running
    #[arg(long, value_name = "NUMBER", conflicts_with = "yes")]
    document: Option<i64>,
    /// Write the archived document to this new file instead
    #[arg(long, value_name = "FILE", requires = "document")]
    to: Option<PathBuf>,
}

impl RestoreArgs {
    /// Whether only one document is restored.
    pub(super) fn is_single(&self) -> bool {
        self.document.is_some()
    }
}

/// Restores one document from an archive.
fn restore_document(
    Machine { data_dir, config, clock }: Machine<'_>,
    restore: &RestoreArgs,
    id: i64,
    identities: Option<&Identities>,
) -> anyhow::Result<()> {
    let archived = ArchiveFile { path: &restore.archive, identities };
    if let Some(file) = &restore.to {
        let keys = config.documents.keys(data_dir)?;
        watched("reading", |report| archived.write_to(file, data_dir, id, &keys, report))?;
        println!("document {id} is in {}", file.display());
        return Ok(());
    }
    let sha256 = watched("restoring", |report| archived.put_back(data_dir, id, report))?;
    let connection = super::open_database(data_dir)?;
    let noted = documents::mending::found_again(&connection, &sha256).and_then(|()| {
        let detail = json!({ "archive": restore.archive.display().to_string() });
        audit::record(&connection, &Actor::command_line(), "restore", "document", id, detail, clock.now())
    });
    noted.map_err(|error| anyhow!("the file was restored, but that could not be recorded: {error}"))?;
    println!("the file of document {id} was restored");
    Ok(())
}

/// Replaces the contents of the data folder with an archive.
///
/// # Errors
/// While a server uses it; when it is not empty and the user does not confirm; when the archive is damaged or there is
/// too little space.
pub(super) fn restore(
    machine: Machine<'_>,
    restore: &RestoreArgs,
    config_file: Option<&Path>,
) -> anyhow::Result<()> {
    let Machine { data_dir, config, clock } = machine;
    let identities = restore.identity.as_deref().map(Identities::load).transpose()?;
    if let Some(id) = restore.document {
        return restore_document(machine, restore, id, identities.as_ref());
    }
    ensure!(
        !restore.with_config || config_file.is_some(),
        "--with-config replaces a configuration, and there is none in force; name the file with --config"
    );
    let folder = LockedDataDir::lock(data_dir)?;
    let is_confirmed = restore.yes || folder.is_empty()?;
    ensure!(
        is_confirmed || std::io::stdin().is_terminal(),
        "{} is not empty; with --yes its contents are set aside and replaced by the archive",
        data_dir.display()
    );
    let restored =
        watched("restoring", |report| folder.restore(&restore.archive, identities.as_ref(), clock, report))?;
    let words = restored.contents().in_words(&config.school().zone());
    if !is_confirmed {
        eprintln!("{} is intact:\n{words}", restore.archive.display());
        warn_of_missing_keys(data_dir, restored.contents(), config);
        ensure!(agrees(data_dir)?, "nothing was changed");
    }
    let contents = restored.contents().clone();
    let aside = restored.put_in_place()?;
    println!("{} holds\n{words}", data_dir.display());
    if let Some(aside) = aside {
        println!("what was there before is in {}; delete it when it is no longer needed", aside.display());
    }
    warn_of_missing_keys(data_dir, &contents, config);
    if contents.has_configuration {
        offer_configuration(data_dir, config, config_file.filter(|_| restore.with_config), clock.now())?;
    }
    record_opened(machine, &restore.archive)
}

/// Puts the archive's configuration in the place of `file`, or says where it is and what the one in force lacks.
fn offer_configuration(
    data_dir: &DataDir,
    config: &Config,
    file: Option<&Path>,
    now: Timestamp,
) -> anyhow::Result<()> {
    let archived = data_dir.join(RESTORED_CONFIGURATION);
    let Some(file) = file else {
        println!("the configuration of then, without secrets, is in {}", archived.display());
        configuration::use_published(data_dir, config);
        if let Some(found) = restored::obstacle(data_dir, config) {
            eprintln!("The server will not start: {found}.");
        }
        return Ok(());
    };
    let beside = |extension: &str| PathBuf::from(format!("{}.{extension}", file.display()));
    let kept = beside(&now.strftime("before-restore-%Y%m%d-%H%M%S").to_string());
    let new = beside("new");
    let put = || {
        std::fs::copy(file, &kept)?;
        std::fs::write(&new, std::fs::read(&archived)?)?;
        std::fs::set_permissions(&new, file.metadata()?.permissions())?;
        std::fs::rename(&new, file)
    };
    put().with_context(|| format!("replacing {} with {}", file.display(), archived.display()))?;
    println!(
        "{} is the configuration of then, without secrets, and the previous one is in {}: put the secrets back, and run \
         `schoolhouse config check`",
        file.display(),
        kept.display()
    );
    Ok(())
}

/// Warns of document keys that the restored data needs and the configuration lacks.
fn warn_of_missing_keys(data_dir: &DataDir, contents: &backup::Contents, config: &Config) {
    let configured = config.documents.keys(data_dir);
    for id in &contents.document_keys {
        match &configured {
            Ok(keys) if keys.find(*id).is_some() => {}
            Ok(_) => eprintln!(
                "the key {id} is not configured: put its line into the file that documents.key_file names, or no \
                 server starts on these data"
            ),
            Err(error) => eprintln!("whether the key {id} is configured is not known: {error}"),
        }
    }
}

fn agrees(data_dir: &DataDir) -> anyhow::Result<bool> {
    eprint!(
        "It will take the place of what is in {}, which is kept in a folder beside it. All users are \
         signed out. Go on? [y/N] ",
        data_dir.display()
    );
    std::io::stderr().flush()?;
    let mut answer = String::new();
    std::io::stdin().lock().read_line(&mut answer).context("reading the answer")?;
    Ok(matches!(answer.trim().to_lowercase().as_str(), "y" | "yes"))
}

/// Runs `work` with a progress bar of bytes.
fn watched<T>(
    what: &'static str,
    work: impl FnOnce(&mut dyn FnMut(u64, u64)) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    let bar = progress_of_bytes().with_message(what);
    let outcome = work(&mut |done, total| {
        bar.set_length(total);
        bar.set_position(done);
    });
    bar.finish_and_clear();
    outcome
}
