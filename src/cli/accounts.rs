//! `create-admin`, `reset-password` and `reset-second-factor`: account management from the command line.

use std::io::{IsTerminal, Read};

use anyhow::{Context, anyhow};
use clap::Args;
use jiff::Timestamp;
use rusqlite::Connection;

use super::{Machine, open_database};
use crate::accounts::links::{self, Purpose};
use crate::audit::{self, Actor, By};
use crate::base::closed_set::ClosedSet;
use crate::base::email::Email;
use crate::base::hashing;
use crate::base::password::Password;
use crate::config::Config;
use crate::staff::links::StaffLinkPurpose;
use crate::staff::members::{StaffAccounts, check_username};
use crate::staff::{self, Role};
use crate::students::links::LinkPurpose;
use crate::students::{self, Student};

#[derive(Args)]
pub(super) struct CreateAdmin {
    /// Login name
    #[arg(long, value_name = "NAME")]
    username: String,
    /// Email address
    #[arg(long)]
    email: String,
    /// Role
    #[arg(long, value_enum, default_value = "admin")]
    role: Role,
    /// Read the password from standard input instead of asking
    #[arg(long)]
    password_stdin: bool,
}

/// Creates a staff account.
///
/// # Errors
/// When an argument is invalid, or the name or address is in use.
pub(super) fn create_admin(machine: Machine<'_>, new: &CreateAdmin) -> anyhow::Result<()> {
    let Machine { data_dir, config, clock } = machine;
    let username = new.username.trim();
    check_username(username).map_err(|rule| anyhow!("--username: {rule} (found {:?})", new.username))?;
    let email =
        Email::parse(&new.email).map_err(|message| anyhow!("--email: {message} (found {:?})", new.email))?;
    let password = read_password(
        new.password_stdin,
        &config.known_names(&config.school(), &[username, email.as_str()]),
    )?;
    let password_hash = hashing::hash_now(&password)?;
    let mut connection = open_database(data_dir)?;
    let transaction = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    let user =
        staff::store::NewUser { username, email: &email, password_hash: &password_hash, role: new.role };
    let id = staff::store::insert(&transaction, &user, clock.now())?;
    let detail = serde_json::json!({ "username": username, "role": new.role });
    audit::record(&transaction, &Actor::command_line(), "create", "user", id, detail, clock.now())?;
    transaction.commit()?;
    println!("created {username} ({})", new.role.as_str());
    Ok(())
}

#[derive(Args)]
#[group(required = true, multiple = false)]
pub(super) struct AccountArg {
    /// A staff member's login name
    #[arg(long, value_name = "NAME")]
    username: Option<String>,
    /// A student's email address
    #[arg(long, value_name = "EMAIL")]
    student: Option<String>,
}

/// Prints a one-time link to choose a new password.
///
/// # Errors
/// When there is no such account, or it is closed.
pub(super) fn reset_password(machine: Machine<'_>, account: &AccountArg) -> anyhow::Result<()> {
    let Machine { data_dir, config, clock } = machine;
    let mut connection = open_database(data_dir)?;
    let transaction = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    let now = clock.now();
    let (object, id, link, lifetime) = match (&account.username, &account.student) {
        (Some(username), _) => {
            let (id, link) = staff_link(&transaction, config, username.trim(), now)?;
            ("user", id, link, StaffLinkPurpose::ResetPassword.valid_for())
        }
        (None, Some(email)) => {
            let (id, link) = student_link(&transaction, config, email, now)?;
            ("student", id, link, LinkPurpose::ResetPassword.valid_for())
        }
        (None, None) => anyhow::bail!("name an account with --username or --student"),
    };
    let actor = Actor::command_line();
    audit::record(&transaction, &actor, "reset_password", object, id, serde_json::json!({}), now)?;
    transaction.commit()?;
    println!("{link}");
    eprintln!(
        "The link works once, for {} minutes. Anyone who has it can choose the password: give it only to the account's owner.",
        lifetime.as_mins()
    );
    if config.server.public_url.is_none() {
        eprintln!("server.public_url is not set: the link works on this machine only.");
    }
    Ok(())
}

/// Resets a lost second factor.
///
/// # Errors
/// When there is no such account.
pub(super) fn reset_second_factor(machine: Machine<'_>, account: &AccountArg) -> anyhow::Result<()> {
    let Machine { data_dir, config, clock } = machine;
    let mut connection = open_database(data_dir)?;
    let transaction = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    let actor = &Actor::command_line();
    let now = clock.now();
    let (name, reset) = match (&account.username, &account.student) {
        (Some(username), _) => {
            let office = StaffAccounts { connection: &transaction, config, actor, now };
            let member = office.find(username.trim())?;
            (member.account.username.clone(), office.reset_second_factor(&member)?)
        }
        (None, Some(email)) => {
            let student = find_student(&transaction, email)?;
            let by = By::System;
            let reset = students::owner::reset_second_factor(&transaction, &student, by, actor, config, now)?;
            (student.email, reset)
        }
        (None, None) => anyhow::bail!("name an account with --username or --student"),
    };
    transaction.commit()?;
    match reset {
        None => println!("{name} has no second factor"),
        Some(sessions) => {
            println!("reset the second factor of {name}");
            eprintln!(
                "{}; the password alone opens the account until they set up a new one.",
                super::staff::ended(sessions)
            );
        }
    }
    Ok(())
}

fn find_student(connection: &Connection, email: &str) -> anyhow::Result<Student> {
    let email = Email::parse(email).map_err(|message| anyhow!("--student: {message} (found {email:?})"))?;
    students::store::find_by_email(connection, &email)?
        .with_context(|| format!("there is no student with the address {}", email.as_str()))
}

fn staff_link(
    connection: &Connection,
    config: &Config,
    username: &str,
    now: Timestamp,
) -> anyhow::Result<(i64, String)> {
    let member = staff::store::find_member(connection, username)?
        .with_context(|| format!("there is no member of the staff named {username:?}"))?;
    let account = member.account;
    anyhow::ensure!(
        !member.is_disabled,
        "the account {0:?} is disabled; a new password would not open it (see enable-staff)",
        account.username
    );
    Ok((account.id, account.make_reset_link(connection, config, now)?))
}

fn student_link(
    connection: &Connection,
    config: &Config,
    email: &str,
    now: Timestamp,
) -> anyhow::Result<(i64, String)> {
    let student = find_student(connection, email)?;
    anyhow::ensure!(
        student.status.may_reset_password(),
        "the account of {} is {}; a new password would not open it",
        student.email,
        student.status.as_str()
    );
    if !student.is_verified {
        // The usual reason to need this is that mail does not arrive.
        eprintln!(
            "This address is not verified yet. Using the link verifies it: make sure that you give it to the right person."
        );
    }
    links::end(connection, student.id, LinkPurpose::ResetPassword)?;
    Ok((student.id, students::account::reset_link(connection, config, &student, now)?))
}

fn read_password(from_stdin: bool, own: &[&str]) -> anyhow::Result<Password> {
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
        let second = rpassword::prompt_password("Repeat the password: ")?;
        anyhow::ensure!(first == second, "Passwords don't match");
        first
    };
    Password::parse(&text, own).map_err(|message| anyhow!(message))
}
