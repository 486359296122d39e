//! The command line: what a volunteer and systemd type.
//!
//! Results go to stdout, everything else to stderr. Exit status: 0 done, 1 failed, 2 wrong usage,
//! 78 wrong configuration or a newer schema.

use std::io::{IsTerminal, Read};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, anyhow};
use clap::{Args, Parser, Subcommand};
use indicatif::{ProgressBar, ProgressStyle};
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use super::clock::Clock;
use super::config::{Config, ConfigError};
use super::form::{Email, Field, Password};
use super::{app, backup, db, mail, passwords, run};
use crate::audit::{self, Actor};
use crate::courses::import;
use crate::staff::{self, Role};

/// The website, student portal and office of a private Ontario secondary school
#[derive(Parser)]
#[command(version, arg_required_else_help = true, disable_help_subcommand = true, term_width = 90)]
struct Cli {
    /// Read the configuration from this file
    #[arg(long, global = true, value_name = "FILE", env = "SCHOOLHOUSE_CONFIG")]
    config: Option<PathBuf>,
    /// Keep the database, documents and mail in this folder
    #[arg(long, global = true, value_name = "DIR", env = "SCHOOLHOUSE_DATA_DIR", default_value = "data")]
    data_dir: PathBuf,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Serve the school until it is told to stop (Ctrl-C or SIGTERM)
    Serve {
        /// Listen on this address instead of the configured one
        #[arg(long, value_name = "ADDR")]
        listen: Option<SocketAddr>,
        /// Open a throw-away school with a sample catalogue, a student and a member of the staff
        #[arg(long)]
        demo: bool,
    },
    /// Make an account for a member of the staff; asks for the password
    CreateAdmin(CreateAdmin),
    /// Read the catalogue from a spreadsheet saved as CSV: adds new codes, updates known ones, deletes none
    ImportCourses {
        /// The file, with the columns code, name, description, grade and courseType, and optionally
        /// isCompulsory, prerequisite, price and credits
        file: PathBuf,
        /// Say what would change, and change nothing
        #[arg(long)]
        dry_run: bool,
    },
    /// Write an archive of the database and the documents; the server may be running
    Backup {
        /// A folder or a file name [default: DIR/backups]
        dest: Option<PathBuf>,
    },
    /// Send a test message and say how each step went
    MailTest {
        /// Where the message goes
        address: String,
    },
    /// Check or show the configuration
    #[command(subcommand)]
    Config(ConfigCommand),
}

#[derive(Args)]
struct CreateAdmin {
    /// Name to log in with
    #[arg(long, value_name = "NAME")]
    username: String,
    /// Where the school reaches them
    #[arg(long)]
    email: String,
    /// What they may do
    #[arg(long, value_enum, default_value = "admin")]
    role: Role,
    /// Read the password from standard input instead of asking
    #[arg(long)]
    password_stdin: bool,
}

#[derive(Subcommand)]
enum ConfigCommand {
    /// Say whether the configuration is right, naming every key that is not
    Check,
    /// Print the configuration in force, defaults included and secrets hidden
    Show,
}

/// Runs the command line and answers the exit status.
pub fn run() -> ExitCode {
    let cli = Cli::parse();
    // Whatever this program writes, documents and mail among it, is for its owner alone.
    rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o077));
    start_log();
    match obey(cli) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let is_misconfigured = error.is::<ConfigError>();
            eprintln!("{}: {error:#}", if is_misconfigured { "configuration" } else { "error" });
            let is_newer = error.chain().any(|cause| cause.is::<db::NewerSchema>());
            ExitCode::from(if is_misconfigured || is_newer { 78 } else { 1 })
        }
    }
}

/// Logs to stderr; `SCHOOLHOUSE_LOG` says how much, for example `debug`.
fn start_log() {
    let wanted = std::env::var("SCHOOLHOUSE_LOG").unwrap_or_else(|_| "info".into());
    let filter = format!("{wanted},refinery=warn,refinery_core=warn").parse().unwrap_or_else(|_| {
        eprintln!("SCHOOLHOUSE_LOG: must be error, warn, info, debug or trace (found {wanted:?})");
        Targets::new().with_default(LevelFilter::INFO)
    });
    let lines = tracing_subscriber::fmt::layer()
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal())
        .with_target(false);
    tracing_subscriber::registry().with(lines).with(filter).init();
}

fn obey(cli: Cli) -> anyhow::Result<()> {
    let mut config = Config::load(cli.config.as_deref(), std::env::vars())?;
    let clock = Clock::System;
    match cli.command {
        Command::Serve { listen, demo } => {
            if let Some(listen) = listen {
                config.server.listen = listen;
            }
            if demo { run::serve_demo(config, clock) } else { run::serve(&cli.data_dir, config, clock) }
        }
        Command::CreateAdmin(new) => create_admin(&cli.data_dir, &new, &clock),
        Command::ImportCourses { file, dry_run } => import_courses(&cli.data_dir, &file, dry_run, &clock),
        Command::Backup { dest } => make_backup(&cli.data_dir, dest.as_deref(), &clock),
        Command::MailTest { address } => test_mail(&cli.data_dir, &config, &address),
        Command::Config(ConfigCommand::Check) => {
            config.mail_password()?;
            println!("the configuration is right");
            Ok(())
        }
        Command::Config(ConfigCommand::Show) => {
            print!("{}", config.show()?);
            Ok(())
        }
    }
}

/// Opens the database of a data folder that may be in use by a running server.
fn open_database(data_dir: &Path) -> anyhow::Result<rusqlite::Connection> {
    app::make_folders(data_dir)?;
    db::open(&data_dir.join("schoolhouse.db"))
}

fn create_admin(data_dir: &Path, new: &CreateAdmin, clock: &Clock) -> anyhow::Result<()> {
    let username = new.username.trim();
    anyhow::ensure!(
        (1..=64).contains(&username.chars().count()) && !username.contains(char::is_whitespace),
        "--username: must be 1 to 64 characters without spaces (found {:?})",
        new.username
    );
    let email =
        Email::parse(&new.email).map_err(|message| anyhow!("--email: {message} (found {:?})", new.email))?;
    let password = read_password(new.password_stdin)?;
    let password_hash = passwords::hash_now(&password)?;
    let mut connection = open_database(data_dir)?;
    let transaction = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    let user =
        staff::store::NewUser { username, email: &email, password_hash: &password_hash, role: new.role };
    let id = staff::store::insert(&transaction, &user, clock.now())?;
    let detail = serde_json::json!({ "username": username, "role": new.role.name() });
    audit::record(&transaction, &Actor::command_line(), "create", "user", id, detail, clock.now())?;
    transaction.commit()?;
    println!("created {username} ({})", new.role.name());
    Ok(())
}

fn read_password(from_stdin: bool) -> anyhow::Result<Password> {
    let text = if from_stdin {
        let mut text = String::new();
        std::io::stdin().read_to_string(&mut text).context("reading the password")?;
        text.trim_end_matches(['\r', '\n']).to_owned()
    } else {
        anyhow::ensure!(
            std::io::stdin().is_terminal(),
            "there is no terminal to ask for the password; use --password-stdin"
        );
        let first = rpassword::prompt_password("Password (at least 8 characters): ")?;
        let second = rpassword::prompt_password("The same again: ")?;
        anyhow::ensure!(first == second, "Passwords don't match");
        first
    };
    Password::parse(&Field::Value(text)).map_err(|message| anyhow!(message))
}

fn import_courses(data_dir: &Path, file: &Path, dry_run: bool, clock: &Clock) -> anyhow::Result<()> {
    let bytes = std::fs::read(file).with_context(|| format!("reading {}", file.display()))?;
    let sheet = import::read(&bytes)
        .map_err(|problems| anyhow!("{} was not imported:\n{}", file.display(), import::report(&problems)))?;
    let mut connection = open_database(data_dir)?;
    let bar = progress("courses");
    let outcome = import::apply(&mut connection, &sheet, dry_run, clock.now(), &mut |done, total| {
        bar.set_length(total as u64);
        bar.set_position(done as u64);
    });
    bar.finish_and_clear();
    let outcome = outcome?;
    let would = if dry_run { "would be " } else { "" };
    println!(
        "{} {would}added, {} {would}updated, {} unchanged",
        outcome.added, outcome.updated, outcome.unchanged
    );
    Ok(())
}

fn make_backup(data_dir: &Path, dest: Option<&Path>, clock: &Clock) -> anyhow::Result<()> {
    anyhow::ensure!(
        data_dir.join("schoolhouse.db").exists(),
        "{} is not the data folder of a school (schoolhouse.db is missing)",
        data_dir.display()
    );
    let bar = progress("bytes");
    let path = backup::backup(data_dir, dest, clock, &mut |done, total| {
        bar.set_length(total);
        bar.set_position(done);
    });
    bar.finish_and_clear();
    println!("{}", path?.display());
    Ok(())
}

fn test_mail(data_dir: &Path, config: &Config, address: &str) -> anyhow::Result<()> {
    let to = Email::parse(address).map_err(|message| anyhow!("{message} (found {address:?})"))?;
    app::make_folders(data_dir)?;
    let mut tell = |step: &mail::Step| println!("{step}");
    run::runtime()?.block_on(mail::test(config, &data_dir.join("mail"), &to, &mut tell))
}

fn progress(unit: &str) -> ProgressBar {
    let style = ProgressStyle::with_template(&format!("{{bar:40}} {{pos}} of {{len}} {unit}"))
        .unwrap_or_else(|_| ProgressStyle::default_bar());
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
