//! A school of its own for each test, and typed actors who use it over HTTP.

mod actors;
mod document;
mod emails;
pub mod mail_server;
pub mod pebble;
mod program;
mod unread;

use std::net::SocketAddr;
use std::path::Path;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use jiff::SignedDuration;
use reqwest::StatusCode;
use schoolhouse::testing::{
    ClientAddr, Clock, Config, DataDir, Email, NewUser, Password, Role, RunningServer,
};
use serde_json::{Value, json};
use tempfile::TempDir;

use actors::choose_cryptography;
pub use actors::{Actor, Answer, PDF, Student, browser, numbered_pdf, pdf_with, profile};
pub use emails::{Mail, parse, read_spool};
pub use program::Program;
pub use unread::{Unread, noise};

/// No test waits for longer, and nothing takes so long on a busy machine: what is not there by then does
/// not come.
pub const TIMEOUT: Duration = Duration::from_mins(1);

pub const PASSWORD: &str = "correct horse battery";

/// A database that nothing has been written to: the migrations take as long as everything else of a start.
static NEW_DATABASE: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("schoolhouse.db");
    drop(schoolhouse::testing::db::open(&path).unwrap());
    std::fs::read(path).unwrap()
});

/// A running school on a free port, with a clock that the test moves.
pub struct School {
    running: RunningServer,
    pub folder: TempDir,
    pub clock: Clock,
    people: AtomicUsize,
}

impl School {
    pub async fn open() -> Self {
        Self::open_with(|_| {}).await
    }

    pub async fn open_with(change: impl FnOnce(&mut Config)) -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("schoolhouse.db"), &*NEW_DATABASE).unwrap();
        Self::open_in(folder, change).await
    }

    /// The same on a folder that may hold a database already.
    pub async fn open_in(folder: TempDir, change: impl FnOnce(&mut Config)) -> Self {
        choose_cryptography();
        let clock = Clock::set_to("2026-11-21T15:00:00Z".parse().unwrap());
        let mut config = Config::default();
        config.server.listen = "127.0.0.1:0".parse().unwrap();
        config.server.disk_reserve_mb = 1;
        for rate in [
            &mut config.limits.logins_per_minute,
            &mut config.limits.registrations_per_hour,
            &mut config.limits.registrations_per_block_per_hour,
            &mut config.limits.contacts_per_hour,
            &mut config.limits.contacts_per_block_per_hour,
            &mut config.limits.applications_per_hour,
            &mut config.limits.applications_per_block_per_hour,
            &mut config.limits.uploads_per_hour,
            &mut config.limits.uploads_per_block_per_hour,
            &mut config.limits.password_resets_per_hour,
            &mut config.limits.links_per_hour,
            &mut config.limits.links_per_block_per_hour,
            &mut config.limits.failed_logins_per_site_per_hour,
            &mut config.limits.failed_logins_in_all_per_hour,
            &mut config.limits.wrong_passwords_per_account_per_hour,
            &mut config.limits.wrong_passwords,
        ] {
            *rate = 10_000;
        }
        let mail = &mut config.mail;
        for budget in [
            &mut mail.recipient_per_hour,
            &mut mail.recipient_per_day,
            &mut mail.recipient_in_all_per_day,
            &mut mail.account_per_day,
            &mut mail.strangers_per_day,
            &mut mail.office_copies_per_hour,
        ] {
            *budget = 10_000;
        }
        // Emails of decisions are read at once; what undoes decisions sets a time.
        config.office.undo_seconds = 0;
        change(&mut config);
        let running =
            RunningServer::start(&DataDir::new(folder.path()), config, clock.clone()).await.unwrap();
        Self { running, folder, clock, people: AtomicUsize::new(0) }
    }

    /// Ends it, and opens it again on the same folder.
    pub async fn reopen(self) -> Self {
        self.reopen_with(|_| {}).await
    }

    /// The same, with another configuration.
    pub async fn reopen_with(self, change: impl FnOnce(&mut Config)) -> Self {
        let Self { running, folder, clock, people } = self;
        let mut config = Config::clone(&running.app().config);
        // The port may be another school's by now.
        config.server.listen.set_port(0);
        change(&mut config);
        running.stop().await;
        let running =
            RunningServer::start(&DataDir::new(folder.path()), config, clock.clone()).await.unwrap();
        Self { running, folder, clock, people }
    }

    /// Ends it and leaves its folder.
    pub async fn close(self) -> TempDir {
        self.running.stop().await;
        self.folder
    }

    /// Moves the clock, and has the mailer look at it: alone it would find out within half a minute.
    pub fn advance(&self, by: SignedDuration) {
        self.clock.advance(by);
        self.app().mailer_wakeup.notify_one();
    }

    /// Has the certificate manager look at the clock.
    pub fn check_certificate(&self) {
        self.running.check_certificate();
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.running.address)
    }

    pub fn address(&self) -> SocketAddr {
        self.running.address
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    pub fn app(&self) -> &schoolhouse::testing::App {
        self.running.app()
    }

    /// A connection of our own to look into the database.
    pub fn database(&self) -> rusqlite::Connection {
        rusqlite::Connection::open(self.path().join("schoolhouse.db")).unwrap()
    }

    pub fn count(&self, sql: &str) -> i64 {
        self.database().query_row(sql, [], |row| row.get(0)).unwrap()
    }

    /// A visitor without an account.
    pub fn visitor(&self) -> Actor {
        Actor::new(&self.url(""))
    }

    /// A verified student who is logged in.
    pub async fn student(&self) -> Student {
        let number = self.people.fetch_add(1, Ordering::SeqCst);
        let email = format!("student{number}@mail.example");
        let actor = self.visitor();
        actor.register(&email).await;
        let token = self.mail(&email, "Verify your email address").await.token("/student/verify/");
        actor.get(&format!("/api/students/verify/{token}")).await.expect(StatusCode::OK);
        let body = actor.log_in(&email, PASSWORD).await.expect(StatusCode::OK).json();
        Student { actor, id: body["student"]["id"].as_i64().unwrap(), email }
    }

    /// An administrator who is logged in.
    pub async fn staff(&self) -> Actor {
        self.staff_as(Role::Admin).await
    }

    pub async fn staff_as(&self, role: Role) -> Actor {
        let number = self.people.fetch_add(1, Ordering::SeqCst);
        let username = format!("staff{number}");
        self.hire(&username, role).await;
        let actor = self.visitor();
        actor
            .post("/api/login", &json!({ "username": username, "password": PASSWORD }))
            .await
            .expect(StatusCode::OK);
        actor
    }

    pub async fn hire(&self, username: &str, role: Role) {
        let app = self.app();
        let password = Password::parse(PASSWORD, &[]).unwrap();
        let hash =
            app.passwords.hash(&password, ClientAddr::new([127, 0, 0, 1].into()).lane()).await.unwrap();
        let (now, username) = (self.clock.now(), username.to_owned());
        app.db
            .write(move |connection| {
                let email = Email::parse(&format!("{username}@school.example")).unwrap();
                let new = NewUser { username: &username, email: &email, password_hash: &hash, role };
                schoolhouse::testing::insert_user(connection, &new, now)
            })
            .await
            .unwrap();
    }

    /// Waits for a mail in the spool; the newest one to that address with that subject.
    pub async fn mail(&self, to: &str, subject: &str) -> Mail {
        wait_for(|| self.mails().into_iter().rev().find(|mail| mail.to == to && mail.subject == subject))
            .await
    }

    /// Waits until nothing is due, then returns everything that was ever sent, oldest first.
    pub async fn all_mails(&self) -> Vec<Mail> {
        let now = self.clock.now().as_second();
        // A visitor's request becomes an email a moment later.
        let due = format!(
            "select (select count(*) from account_requests) + (select count(*) from staff_requests)
                 + (select count(*) from link_requests)
                 + (select count(*) from outbox
                    where state = 'queued' and (attempts > 0 or next_attempt_at <= {now}))"
        );
        wait_for(|| (self.count(&due) == 0).then(|| self.mails())).await
    }

    fn mails(&self) -> Vec<Mail> {
        read_spool(&self.path().join("mail"))
    }

    /// Adds a course and returns its number.
    pub async fn course(&self, staff: &Actor, code: &str, price: Value) -> i64 {
        let body = json!({ "code": code, "name": "A course", "description": "What it is about.", "grade": 12,
            "courseType": "University", "price": price });
        staff.post("/api/admin/courses", &body).await.expect(StatusCode::CREATED).json()["id"]
            .as_i64()
            .unwrap()
    }
}

/// Looks for something that is on its way.
pub async fn wait_for<T>(mut look: impl FnMut() -> Option<T>) -> T {
    eventually(|| std::future::ready(look())).await
}

/// The same where looking takes a request.
pub async fn eventually<T, F: Future<Output = Option<T>>>(mut look: impl FnMut() -> F) -> T {
    let begun = Instant::now();
    while begun.elapsed() < TIMEOUT {
        if let Some(found) = look().await {
            return found;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("it does not come");
}

/// A port for a program that cannot be told to take any. It is none of those that the system hands
/// out itself, or another test could get it before the program does.
pub fn free_port() -> u16 {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    loop {
        let number = std::process::id() as usize % 100 * 200 + NEXT.fetch_add(1, Ordering::SeqCst);
        let port = 10_000 + u16::try_from(number % 20_000).unwrap();
        if std::net::TcpListener::bind(("127.0.0.1", port)).is_ok() {
            return port;
        }
    }
}
