//! `create-admin`: accounts from the command line, for whoever has the machine.

use std::io::{IsTerminal, Read};
use std::path::Path;

use anyhow::{Context, anyhow};
use clap::Args;

use super::open_database;
use crate::audit::{self, Actor};
use crate::plumbing::clock::Clock;
use crate::plumbing::form::{Email, Field, Password};
use crate::plumbing::passwords;
use crate::staff::{self, Role};

#[derive(Args)]
pub(super) struct CreateAdmin {
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

/// Makes an account for a member of the staff.
///
/// # Errors
/// When an argument breaks its rule, or the name or address is taken.
pub(super) fn create_admin(data_dir: &Path, new: &CreateAdmin, clock: &Clock) -> anyhow::Result<()> {
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
