//! The command line, for operators and systemd.
//!
//! Results go to stdout, everything else to stderr. Exit status: 0 done, 1 failed, 2 wrong usage, 3 backup complete
//! except for lost document files, 78 wrong configuration or a newer schema.

mod accounts;
mod archives;
mod configuration;
mod documents;
mod guide;
mod health;
mod imports;
mod lists;
mod manual;
mod owner;
mod places;
mod staff;

use std::io::Write;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::LazyLock;

use anyhow::anyhow;
use clap::{Parser, Subcommand, ValueHint};
use clap_complete::Shell;
use indicatif::{ProgressBar, ProgressStyle};

use self::places::{CommandPaths, FolderUse};
use crate::base::clock::Clock;
use crate::base::email::Email;
use crate::base::release::RELEASE;
use crate::base::runtime;
use crate::base::zone_rules;
use crate::config::{self, Config, ConfigError};
use crate::mail;
use crate::operations::backup;
use crate::operations::doctor;
use crate::records::sheets::ExportList;
use crate::server::log;
use crate::server::run;
use crate::storage::data_dir::DataDir;
use crate::storage::db;
use crate::storage::db::integrity::Depth;
use crate::web::sheet::SheetStyle;

/// Printed by `--version`; `-V` prints the release alone.
static LONG_VERSION: LazyLock<String> =
    LazyLock::new(|| format!("{RELEASE}\ntime-zone rules: {}", *zone_rules::IN_FORCE));

/// The website, student portal and office of a private Ontario secondary school
#[derive(Parser)]
#[command(version = RELEASE, long_version = LONG_VERSION.as_str(), arg_required_else_help = true, disable_help_subcommand = true, term_width = 90)]
#[command(after_help = "How to install and operate it: man schoolhouse-guide")]
struct Cli {
    /// Read the configuration from this file [default: /etc/schoolhouse/config.toml if it exists]
    #[arg(long, global = true, value_name = "FILE", env = "SCHOOLHOUSE_CONFIG")]
    config: Option<PathBuf>,
    /// Keep the database, documents and mail in this folder [default: /var/lib/schoolhouse if
    /// /etc/schoolhouse/config.toml exists, else ./data, which only serve creates]
    #[arg(
        long,
        global = true,
        value_name = "DIR",
        env = "SCHOOLHOUSE_DATA_DIR",
        value_hint = ValueHint::DirPath
    )]
    data_dir: Option<DataDir>,
    #[command(subcommand)]
    invocation: Invocation,
}

#[derive(Subcommand)]
enum Invocation {
    #[command(flatten)]
    Command(Command),
    /// Print shell completions
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Read a PDF from standard input and write the sanitized copy (started by the server for each PDF)
    #[command(name = crate::documents::PDF_COMMAND, hide = true)]
    ExaminePdf {
        /// Memory limit in bytes
        memory_bytes: u64,
        /// Limit of processor time in seconds
        seconds: u64,
        /// Limit of the output in bytes
        stored_bytes: u64,
    },
    /// Write the manual pages: the guide, and one for each command
    Man {
        /// Existing folder for them
        #[arg(value_hint = ValueHint::DirPath)]
        folder: PathBuf,
    },
}

/// What a command works on.
#[derive(Clone, Copy)]
struct Machine<'a> {
    data_dir: &'a DataDir,
    config: &'a Config,
    clock: &'a Clock,
}

/// Commands that need a configuration.
#[derive(Subcommand)]
enum Command {
    /// Serve the website until stopped (Ctrl-C or SIGTERM)
    Serve {
        /// Listen on this address instead of the configured one
        #[arg(long, value_name = "ADDR")]
        listen: Option<SocketAddr>,
        /// Serve a temporary demo: the sample catalogue, sixty students with enrollments and documents in every state,
        /// and accounts for a student and for staff in each role, with printed passwords; emails become files and are
        /// never sent
        #[arg(long)]
        demo: bool,
    },
    /// Create a staff account; asks for the password
    CreateAdmin(accounts::CreateAdmin),
    /// Print a one-time link for a staff member or a student to choose a new password
    ResetPassword(accounts::AccountArg),
    /// Disable a staff account: end its sessions and password links at once, and refuse logins; records of its actions
    /// stay
    DisableStaff(staff::Username),
    /// Enable a staff account again, with its previous password
    EnableStaff(staff::Username),
    /// Change the role of a staff account, and end its sessions so that the change applies at once
    SetRole(staff::SetRole),
    /// Reset the lost second factor of a staff member or a student, and end their sessions
    ResetSecondFactor(accounts::AccountArg),
    /// List staff accounts: name, role, state, date created, email
    ListStaff,
    /// Import the catalogue from a CSV file: adds new codes, updates known ones, deletes none
    ImportCourses {
        /// CSV file with the columns code, name, description, grade and courseType, and optionally isCompulsory,
        /// prerequisite, price, credits, capacity and isOpen
        file: PathBuf,
        /// Only report what would change
        #[arg(long)]
        dry_run: bool,
    },
    /// Import students from a CSV file: adds new addresses, updates known ones, deletes none
    ImportStudents {
        /// The file.
        #[arg(help = imports::student_file())]
        file: PathBuf,
        /// Only report what would change
        #[arg(long)]
        dry_run: bool,
        /// Send each new student an invitation to choose a password
        #[arg(long)]
        invite: bool,
    },
    /// Export a list as CSV to a file or stdout
    Export {
        /// List to export
        list: ExportList,
        /// New file [default: stdout]
        #[arg(value_hint = ValueHint::FilePath)]
        file: Option<PathBuf>,
        /// Spreadsheet program to write for
        #[arg(long, value_enum, default_value_t)]
        sheet: SheetStyle,
    },
    /// Write a verified archive of the database and the documents; the server may be running
    Backup(archives::BackupArgs),
    /// Restore an archive into a temporary folder and check everything in it
    Verify(archives::VerifyArgs),
    /// Restore an archive into the data folder; the current data is kept beside it
    Restore(archives::RestoreArgs),
    /// Create a key to encrypt documents on disk and in backups
    DocumentsKey {
        /// New file, outside the data folder [default: stdout]
        #[arg(value_hint = ValueHint::FilePath)]
        file: Option<PathBuf>,
    },
    /// Decrypt every document on disk, to stop using a key; the server must be stopped
    DecryptDocuments,
    /// Send a test message and report each step
    MailTest {
        /// Recipient
        address: String,
    },
    /// Run all self-checks and give advice; changes nothing
    Doctor {
        /// Print the findings as JSON
        #[arg(long)]
        json: bool,
        /// Read the whole database and every document: takes minutes for a large school
        #[arg(long)]
        full: bool,
    },
    /// Check that the server responds, for a container's health check
    Health {
        /// Check this address instead of the configured one
        #[arg(long, value_name = "ADDR")]
        listen: Option<SocketAddr>,
    },
    /// Check or show the configuration
    #[command(subcommand)]
    Config(ConfigCommand),
}

impl Command {
    /// How the command uses the data folder, if it does.
    fn folder_use(&self, config: &Config) -> Option<FolderUse> {
        Some(match self {
            Self::Serve { .. } | Self::Verify(_) | Self::DocumentsKey { .. } | Self::Health { .. } => {
                return None;
            }
            Self::Doctor { .. } | Self::Config(_) => FolderUse::Look,
            Self::MailTest { .. } if !mail::is_spooled(config) => FolderUse::Look,
            Self::Restore(restore) if restore.is_single() => FolderUse::Open,
            Self::CreateAdmin(_)
            | Self::ImportCourses { .. }
            | Self::ImportStudents { .. }
            | Self::Restore(_)
            | Self::MailTest { .. } => FolderUse::Begin,
            Self::ResetPassword(_)
            | Self::DisableStaff(_)
            | Self::EnableStaff(_)
            | Self::SetRole(_)
            | Self::ResetSecondFactor(_)
            | Self::ListStaff
            | Self::Export { .. }
            | Self::Backup(_)
            | Self::DecryptDocuments => FolderUse::Open,
        })
    }
}

#[derive(Subcommand)]
enum ConfigCommand {
    /// Check the configuration and name every invalid key
    Check,
    /// Print the effective configuration with defaults, without secrets, and with the office's overrides
    Show,
}

/// Runs the command line and returns the exit status.
pub fn run() -> ExitCode {
    let cli = Cli::parse();
    crate::documents::separate_pdfs();
    let result = match cli.invocation {
        Invocation::ExaminePdf { memory_bytes, seconds, stored_bytes } => {
            crate::documents::examine_pdf_here(memory_bytes, seconds, stored_bytes)
        }
        Invocation::Command(command) => run_command(command, cli.config, cli.data_dir),
        Invocation::Completions { shell } => manual::print_completions(shell),
        Invocation::Man { folder } => manual::write_pages(&folder),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let is_misconfigured = error.is::<ConfigError>();
            eprintln!("{}: {error:#}", if is_misconfigured { "configuration" } else { "error" });
            if is_denied(&error) && !rustix::process::geteuid().is_root() {
                eprintln!("Run it as root, for example with sudo.");
            }
            let is_newer = error.chain().any(|cause| cause.is::<db::NewerSchema>());
            ExitCode::from(match () {
                () if is_misconfigured || is_newer => 78,
                () if error.is::<backup::Incomplete>() => 3,
                () => 1,
            })
        }
    }
}

/// Whether the error is a lack of permission.
fn is_denied(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let denied = std::io::ErrorKind::PermissionDenied;
        cause.downcast_ref().is_some_and(|error: &std::io::Error| error.kind() == denied)
    })
}

fn run_command(
    command: Command,
    config_file: Option<PathBuf>,
    data_dir: Option<DataDir>,
) -> anyhow::Result<()> {
    // All files, including documents and mail, are private to the owner.
    rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o077));
    let is_demo = matches!(command, Command::Serve { demo: true, .. });
    let named_config = config_file.clone();
    let places = CommandPaths::find(config_file, data_dir);
    let data_dir = &places.data_dir;
    // A demo does not use this machine's configuration.
    let config_file = if is_demo { named_config.as_deref() } else { places.config_file.as_deref() };
    let mut config = Config::load(config_file, std::env::vars())?;
    log::start(&config.log);
    let clock = Clock::System;
    if let Some(folder_use) = command.folder_use(&config) {
        places.enter(folder_use, &config)?;
        // Restore changes the owner of its files itself.
        if folder_use != FolderUse::Look
            && !matches!(&command, Command::Restore(restore) if !restore.is_single())
        {
            owner::act_as_owner(data_dir)?;
        }
        configuration::use_published(data_dir, &config);
    }
    if let Command::Serve { listen: Some(listen), .. } = command {
        config.server.listen = listen;
    }
    let machine = Machine { data_dir, config: &config, clock: &clock };
    match command {
        Command::Serve { demo, .. } => {
            if demo {
                run::serve_demo(config, clock)
            } else {
                run::serve(data_dir, config, clock)
            }
        }
        Command::CreateAdmin(new) => accounts::create_admin(machine, &new),
        Command::ResetPassword(account) => accounts::reset_password(machine, &account),
        Command::DisableStaff(account) => staff::disable(machine, &account),
        Command::EnableStaff(account) => staff::enable(machine, &account),
        Command::SetRole(change) => staff::set_role(machine, &change),
        Command::ResetSecondFactor(account) => accounts::reset_second_factor(machine, &account),
        Command::ListStaff => staff::list(machine),
        Command::ImportCourses { file, dry_run } => imports::import_courses(machine, &file, dry_run),
        Command::ImportStudents { file, dry_run, invite } => {
            imports::import_students(machine, &file, dry_run, invite)
        }
        Command::Export { list, file, sheet } => lists::export(machine, list, sheet, file.as_deref()),
        Command::Backup(backup) => archives::make_backup(machine, &backup),
        Command::Verify(verify) => archives::verify(machine, &verify),
        Command::Restore(restore) => archives::restore(machine, &restore, config_file),
        Command::DocumentsKey { file } => documents::make_key(data_dir, file.as_deref()),
        Command::DecryptDocuments => documents::decrypt(machine),
        Command::MailTest { address } => test_mail(data_dir, &config, &address),
        Command::Doctor { json, full } => {
            let depth = if full { Depth::Full } else { Depth::Quick };
            let findings = doctor::examine(data_dir, &config, config_file, depth, &clock)?;
            // The exit status reports problems even if the pipe is closed early.
            let text = if json { doctor::json(&findings)? + "\n" } else { doctor::report(&findings) };
            let _ = write!(std::io::stdout(), "{text}");
            let is_broken = findings.iter().any(|finding| finding.status == doctor::Status::Problem);
            if is_broken { Err(anyhow!("{}", doctor::summary(&findings))) } else { Ok(()) }
        }
        Command::Health { listen } => {
            // A flag may have overridden the configured address.
            let address = listen.or_else(|| data_dir.served_address());
            health::check(address.unwrap_or(config.server.listen))
        }
        Command::Config(ConfigCommand::Check) => configuration::check(data_dir, &config, config_file),
        Command::Config(ConfigCommand::Show) => configuration::show(data_dir, &config),
    }
}

/// Opens the database of a data folder that may be in use by a running server.
fn open_database(data_dir: &DataDir) -> anyhow::Result<rusqlite::Connection> {
    data_dir.make()?;
    backup::settle(data_dir)?;
    let path = data_dir.database();
    // Tables must not change under a running server of an older version.
    let _lock = if db::is_behind(&path)? { Some(data_dir.lock()?) } else { None };
    db::open(&path)
}

fn test_mail(data_dir: &DataDir, config: &Config, address: &str) -> anyhow::Result<()> {
    let to = Email::parse(address).map_err(|message| anyhow!("{message} (found {address:?})"))?;
    if mail::is_spooled(config) {
        data_dir.make()?;
    }
    let mut report = |step: &mail::Step| println!("{step}");
    runtime::start()?.block_on(mail::test(config, &data_dir.spool(), &to, &mut report))?;
    // Root can read every file; the service may not.
    let mut obstacles = config::obstacles_to_files(config, None, data_dir);
    obstacles.retain(|obstacle| obstacle.found.starts_with("mail."));
    let Some(first) = obstacles.first() else { return Ok(()) };
    Err(anyhow!(
        "the message was sent, but the service cannot send any: {}\n{}",
        first.found,
        config::advice(&obstacles)
    ))
}

fn progress(unit: &str) -> ProgressBar {
    draw(&format!("{{bar:40}} {{pos}} of {{len}} {unit}"))
}

/// A progress bar of bytes, with a message.
fn progress_of_bytes() -> ProgressBar {
    draw("{msg:8} {bar:40} {bytes} of {total_bytes}, {eta} to go")
}

fn draw(template: &str) -> ProgressBar {
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    // Drawn on stderr, and only on a terminal.
    ProgressBar::new(0).with_style(style)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }
}
