//! Staff of the demo, one of each role, with random passwords that are printed.

use std::net::Ipv4Addr;
use std::path::Path;

use anyhow::anyhow;
use jiff::{SignedDuration, Timestamp};
use rusqlite::Connection;

use super::names::AMARA;
use crate::base::email::Email;
use crate::base::error::{Error, Result};
use crate::base::password::Password;
use crate::base::random;
use crate::staff;
use crate::staff::Role;
use crate::staff::store::NewUser;
use crate::web::app::App;
use crate::web::rate_limit::ClientAddr;

/// The administrator.
pub const OFFICE: &str = "office";
/// The registrar, who made the past decisions.
pub const REGISTRAR: &str = "registrar";

const STAFF: [(&str, Role, &str); 4] = [
    (OFFICE, Role::Admin, "everything"),
    (REGISTRAR, Role::Registrar, "students, courses, messages"),
    ("bursar", Role::Bursar, "money"),
    ("viewer", Role::Viewer, "reads"),
];

/// Accounts that can log in to the demo.
pub struct DemoLogins {
    student: DemoPassword,
    staff: Vec<DemoPassword>,
}

struct DemoPassword {
    password: String,
    hash: String,
}

impl DemoPassword {
    async fn draw(app: &App) -> Result<Self> {
        let password = random::password()?;
        let parsed = Password::parse(&password, &[]).map_err(|message| Error::Internal(anyhow!(message)))?;
        let here = ClientAddr::new(Ipv4Addr::LOCALHOST.into());
        let hash = app.passwords.hash(&parsed, here.lane()).await?;
        Ok(Self { password, hash })
    }
}

/// Ids of the staff in the demo's history.
#[derive(Debug, Clone, Copy)]
pub struct Team {
    /// The administrator.
    pub office: i64,
    /// The registrar.
    pub registrar: i64,
}

impl DemoLogins {
    /// Generates the passwords.
    pub async fn draw(app: &App) -> Result<Self> {
        let student = DemoPassword::draw(app).await?;
        let mut staff = Vec::new();
        for _ in STAFF {
            staff.push(DemoPassword::draw(app).await?);
        }
        Ok(Self { student, staff })
    }

    /// The hash of the student's password.
    pub fn student_hash(&self) -> String {
        self.student.hash.clone()
    }

    /// The hashes of the staff's passwords.
    pub fn staff_hashes(&self) -> Vec<String> {
        self.staff.iter().map(|secret| secret.hash.clone()).collect()
    }

    /// Text printed when the demo starts.
    pub fn notice(&self, url: &str, folder: &Path) -> String {
        let mut staff = STAFF.iter().zip(&self.staff);
        let office = staff.next().map_or("", |(_, secret)| &secret.password);
        let others: String = staff
            .map(|((name, _, about), secret)| {
                format!("           {name}   {}   ({about})\n", secret.password)
            })
            .collect();
        format!(
            "\n  The demo school is open at {url}\n\n  \
             Student  {url}/student/auth\n           {}   {}\n  \
             Office   {url}/admin/login\n           {OFFICE}   {office}\n{others}\n  \
             Emails are never sent, but written to {}\n  \
             Everything is thrown away when you stop it with Ctrl-C.\n",
            AMARA,
            self.student.password,
            folder.join("mail").display()
        )
    }
}

/// Creates the staff accounts: the administrator's now, the others' when the school opened.
pub fn insert(connection: &Connection, hashes: &[String], now: Timestamp) -> Result<Team> {
    let mut ids = Vec::new();
    for ((username, role, _), password_hash) in STAFF.into_iter().zip(hashes) {
        let email = address(&format!("{username}@northgate.example"))?;
        let at = if role == Role::Admin { now } else { now - AGE };
        let new = NewUser { username, email: &email, password_hash, role };
        ids.push(staff::store::insert(connection, &new, at)?);
    }
    match ids[..] {
        [office, registrar, ..] => Ok(Team { office, registrar }),
        _ => Err(Error::Internal(anyhow!("the demo has an office"))),
    }
}

/// A fictitious address.
pub fn address(text: &str) -> Result<Email> {
    Email::parse(text).map_err(|message| Error::Internal(anyhow!("{text}: {message}")))
}

/// Age of the demo school.
pub const AGE: SignedDuration = SignedDuration::from_hours(24 * 300);
