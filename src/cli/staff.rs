//! `disable-staff`, `enable-staff`, `set-role` and `list-staff`: management of staff accounts.
//!
//! A running server reads sessions and roles from the database, so changes apply at the next request.

use std::io::Write;

use clap::Args;
use rusqlite::TransactionBehavior;

use super::{Machine, open_database};
use crate::audit::Actor;
use crate::base::closed_set::ClosedSet;
use crate::base::error::Result;
use crate::handover;
use crate::staff::Role;
use crate::staff::members::{MembershipChange, StaffAccounts};
use crate::staff::store::{self, StaffMember};
use crate::web::portal::Portal;
use crate::web::session;

#[derive(Args)]
pub(super) struct Username {
    /// Login name
    #[arg(long, value_name = "NAME")]
    username: String,
}

#[derive(Args)]
pub(super) struct SetRole {
    #[command(flatten)]
    account: Username,
    /// New role
    #[arg(long, value_enum)]
    role: Role,
}

/// Disables a staff account.
///
/// # Errors
/// When there is no such account, or it is the last administrator's.
pub(super) fn disable(machine: Machine<'_>, account: &Username) -> anyhow::Result<()> {
    let mut unassigned = 0;
    let change = change(machine, |office| {
        let member = office.find(account.name())?;
        let change = office.disable(&member)?;
        unassigned = handover::release(office, member.account.id, None)?;
        Ok(change)
    })?;
    match change {
        MembershipChange::None => println!("{} is disabled already", account.name()),
        MembershipChange::Done { sessions } => {
            println!("disabled {}", account.name());
            eprintln!("{}; their password links no longer work.", ended(sessions));
            tell_unassigned(unassigned);
        }
    }
    Ok(())
}

/// Enables a staff account.
///
/// # Errors
/// When there is no such account.
pub(super) fn enable(machine: Machine<'_>, account: &Username) -> anyhow::Result<()> {
    match change(machine, |office| office.enable(&office.find(account.name())?))? {
        MembershipChange::None => println!("{} is enabled already", account.name()),
        MembershipChange::Done { .. } => {
            println!("enabled {}", account.name());
            eprintln!(
                "They log in with their password from before; `reset-password --username {}` makes a link to \
                 a new one.",
                account.name()
            );
        }
    }
    Ok(())
}

/// Changes the role of a staff account.
///
/// # Errors
/// When there is no such account, or it is the last administrator's.
pub(super) fn set_role(machine: Machine<'_>, wanted: &SetRole) -> anyhow::Result<()> {
    let username = wanted.account.name();
    let role = wanted.role;
    let mut unassigned = 0;
    match change(machine, |office| {
        let member = office.find(username)?;
        if !office.set_role(&member, role)? {
            return Ok(MembershipChange::None);
        }
        unassigned = handover::release(office, member.account.id, None)?;
        // The operator may be responding to a break-in, so open sessions end as well.
        let sessions = session::end_all(office.connection, Portal::Staff, member.account.id)?;
        Ok(MembershipChange::Done { sessions })
    })? {
        MembershipChange::None => println!("{username} is {} already", role.as_str()),
        MembershipChange::Done { sessions } => {
            println!("{username} is {} now", role.as_str());
            eprintln!("{}: they have to log in again, with the new role.", ended(sessions));
            tell_unassigned(unassigned);
        }
    }
    Ok(())
}

/// Prints staff accounts as a table: one line each, no spaces inside a column.
pub(super) fn list(Machine { data_dir, config, .. }: Machine<'_>) -> anyhow::Result<()> {
    let connection = open_database(data_dir)?;
    let members = store::list_members(&connection)?;
    let zone = config.school().zone();
    let rows = members.iter().map(|member| {
        let StaffMember { account, is_disabled, created_at, .. } = member;
        let state = if *is_disabled { "disabled" } else { "enabled" };
        let since = created_at.to_zoned(zone.clone()).date().to_string();
        [account.username.clone(), account.role.as_str().into(), state.into(), since, account.email.clone()]
    });
    let titles = ["USERNAME", "ROLE", "STATE", "SINCE", "EMAIL"].map(str::to_owned);
    // Ignore a pipe that is closed early.
    let _ = write!(std::io::stdout(), "{}", table(&[vec![titles], rows.collect()].concat()));
    if members.is_empty() {
        eprintln!("No accounts yet: create-admin makes the first one.");
    }
    Ok(())
}

impl Username {
    fn name(&self) -> &str {
        self.username.trim()
    }
}

fn change(
    Machine { data_dir, config, clock }: Machine<'_>,
    work: impl FnOnce(&StaffAccounts<'_>) -> Result<MembershipChange>,
) -> anyhow::Result<MembershipChange> {
    let mut connection = open_database(data_dir)?;
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let actor = Actor::command_line();
    let now = clock.now();
    let change = work(&StaffAccounts { connection: &transaction, config, actor: &actor, now })?;
    transaction.commit()?;
    Ok(change)
}

/// Prints how much work has no colleague now.
fn tell_unassigned(count: usize) {
    match count {
        0 => {}
        1 => eprintln!("1 message or application that they worked on is unassigned now."),
        _ => eprintln!("{count} messages and applications that they worked on are unassigned now."),
    }
}

/// Describes the number of ended sessions.
pub(super) fn ended(sessions: usize) -> String {
    match sessions {
        0 => "They were not logged in".into(),
        1 => "1 session ended".into(),
        _ => format!("{sessions} sessions ended"),
    }
}

fn table<const N: usize>(rows: &[[String; N]]) -> String {
    let widths: [usize; N] =
        std::array::from_fn(|column| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0));
    let line = |row: &[String; N]| {
        let cells = row.iter().zip(widths).map(|(cell, width)| format!("{cell:width$}"));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned() + "\n"
    };
    rows.iter().map(line).collect()
}
