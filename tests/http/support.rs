//! A school of its own for each test, and typed actors who use it over HTTP.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use jiff::ToSpan;
use jiff::civil::Date;
use mail_parser::MessageParser;
use reqwest::{Client, RequestBuilder, Response, StatusCode};
use schoolhouse::testing::{
    ClientAddr, Clock, Config, DataDir, Email, NewUser, Password, Role, RunningServer,
};
use serde_json::{Value, json};
use tempfile::TempDir;

pub const PASSWORD: &str = "correct horse battery";

/// A running school on a free port, with a clock that the test moves.
pub struct School {
    running: RunningServer,
    pub folder: TempDir,
    pub clock: Clock,
    people: AtomicUsize,
}

/// A mail as it lies in the spool.
#[derive(Debug)]
pub struct Mail {
    pub to: String,
    pub reply_to: Option<String>,
    pub subject: String,
    pub text: String,
    pub html: String,
}

impl Mail {
    /// The first link of the text whose path begins so; its last segment is the token.
    pub fn token(&self, path: &str) -> String {
        let start = self.text.find(path).unwrap_or_else(|| panic!("no {path} in {}", self.text));
        self.text[start + path.len()..].split_whitespace().next().unwrap().to_owned()
    }
}

impl School {
    pub async fn open() -> Self {
        Self::open_with(|_| {}).await
    }

    pub async fn open_with(change: impl FnOnce(&mut Config)) -> Self {
        Self::open_in(tempfile::tempdir().unwrap(), change).await
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
            &mut config.limits.contacts_per_hour,
            &mut config.limits.uploads_per_hour,
            &mut config.limits.password_resets_per_hour,
            &mut config.limits.links_per_hour,
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
            &mut mail.account_per_day,
            &mut mail.strangers_per_day,
            &mut mail.office_copies_per_hour,
        ] {
            *budget = 10_000;
        }
        change(&mut config);
        let running =
            RunningServer::start(&DataDir::new(folder.path()), config, clock.clone()).await.unwrap();
        Self { running, folder, clock, people: AtomicUsize::new(0) }
    }

    /// Ends it, and opens it again on the same folder.
    pub async fn reopen(self) -> Self {
        let Self { running, folder, clock, people } = self;
        let config = Config::clone(&running.app().config);
        running.stop().await;
        let running =
            RunningServer::start(&DataDir::new(folder.path()), config, clock.clone()).await.unwrap();
        Self { running, folder, clock, people }
    }

    /// Has the certificate manager look at the clock.
    pub fn check_certificate(&self) {
        self.running.check_certificate();
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.running.address)
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

    /// Somebody without an account.
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
        // What was asked for by somebody who is not signed in becomes an e-mail a moment later.
        let due = format!(
            "select (select count(*) from account_requests)
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

pub fn read_spool(folder: &Path) -> Vec<Mail> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "eml"))
        .collect();
    // The outbox's number is the last part of the name.
    files.sort_by_key(|path| {
        let stem = path.file_stem().unwrap().to_str().unwrap().to_owned();
        stem.rsplit('-').next().unwrap().parse::<i64>().unwrap_or(0)
    });
    files.iter().map(|path| parse(&std::fs::read(path).unwrap())).collect()
}

pub fn parse(bytes: &[u8]) -> Mail {
    let message = MessageParser::default().parse(bytes).unwrap();
    let address = |list: Option<&mail_parser::Address<'_>>| {
        list.and_then(|list| list.first()).and_then(|one| one.address()).map(str::to_owned)
    };
    Mail {
        to: address(message.to()).unwrap(),
        reply_to: address(message.reply_to()),
        subject: message.subject().unwrap().to_owned(),
        text: message.body_text(0).unwrap().into_owned(),
        html: message.body_html(0).unwrap().into_owned(),
    }
}

/// A browser with a cookie jar.
pub fn browser() -> reqwest::ClientBuilder {
    choose_cryptography();
    Client::builder().cookie_store(true)
}

/// No client can be built before: reqwest brings no cryptography of its own here.
fn choose_cryptography() {
    let _ = tokio_rustls::rustls::crypto::ring::default_provider().install_default();
}

/// Somebody with a cookie jar.
pub struct Actor {
    pub client: Client,
    pub base: String,
}

/// A student who is logged in.
pub struct Student {
    actor: Actor,
    pub id: i64,
    pub email: String,
}

impl std::ops::Deref for Student {
    type Target = Actor;

    fn deref(&self) -> &Actor {
        &self.actor
    }
}

/// An answer, read whole.
#[derive(Debug)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: reqwest::header::HeaderMap,
    pub bytes: Vec<u8>,
}

impl Answer {
    async fn from_response(response: Response) -> reqwest::Result<Self> {
        let (status, headers) = (response.status(), response.headers().clone());
        Ok(Self { status, headers, bytes: response.bytes().await?.to_vec() })
    }

    #[track_caller]
    pub fn expect(self, status: StatusCode) -> Self {
        assert_eq!(self.status, status, "{}", self.text());
        self
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }

    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.bytes).unwrap_or_else(|_| panic!("no JSON: {}", self.text()))
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    #[track_caller]
    pub fn message(&self) -> String {
        self.json()["message"].as_str().unwrap().to_owned()
    }

    /// One key of every row of a list.
    #[track_caller]
    pub fn column(&self, key: &str) -> Vec<Value> {
        let rows = self.json();
        rows.as_array().unwrap().iter().map(|row| row[key].clone()).collect()
    }

    /// How many rows of a list match, on this page or another.
    #[track_caller]
    pub fn total(&self) -> i64 {
        self.header("x-total-count").parse().unwrap()
    }

    /// The field errors of a 400.
    #[track_caller]
    pub fn fields(&self) -> Value {
        assert_eq!(self.status, StatusCode::BAD_REQUEST, "{}", self.text());
        self.json()["fields"].clone()
    }
}

impl Actor {
    /// Somebody who is not signed in.
    pub fn new(base: &str) -> Self {
        Self::with(browser(), base)
    }

    /// Somebody whose browser is set up in a particular way.
    pub fn with(browser: reqwest::ClientBuilder, base: &str) -> Self {
        Self { client: browser.build().unwrap(), base: base.to_owned() }
    }

    pub fn request(&self, method: &str, path: &str) -> RequestBuilder {
        self.client.request(method.parse().unwrap(), format!("{}{path}", self.base))
    }

    pub async fn send(&self, request: RequestBuilder) -> Answer {
        self.attempt(request).await.unwrap()
    }

    /// Sends a request to a school that may fall silent.
    pub async fn attempt(&self, request: RequestBuilder) -> reqwest::Result<Answer> {
        Answer::from_response(request.send().await?).await
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.send(self.request("GET", path)).await
    }

    pub async fn post(&self, path: &str, body: &Value) -> Answer {
        self.send(self.request("POST", path).json(body)).await
    }

    pub async fn patch(&self, path: &str, body: &Value) -> Answer {
        self.send(self.request("PATCH", path).json(body)).await
    }

    pub async fn delete(&self, path: &str) -> Answer {
        self.send(self.request("DELETE", path)).await
    }

    pub async fn register(&self, email: &str) -> Answer {
        self.send(self.registration(email)).await.expect(StatusCode::CREATED)
    }

    pub fn registration(&self, email: &str) -> RequestBuilder {
        let body = json!({ "email": email, "password": PASSWORD, "confirmPassword": PASSWORD });
        self.request("POST", "/api/students/register").json(&body)
    }

    pub async fn log_in(&self, email: &str, password: &str) -> Answer {
        self.post("/api/students/login", &json!({ "email": email, "password": password })).await
    }

    pub async fn upload(&self, document_type: &str, name: &str, bytes: Vec<u8>) -> Answer {
        self.send(self.document(document_type, name, bytes)).await
    }

    pub fn document(&self, document_type: &str, name: &str, bytes: Vec<u8>) -> RequestBuilder {
        let part = reqwest::multipart::Part::bytes(bytes).file_name(name.to_owned());
        let form = reqwest::multipart::Form::new()
            .text("documentType", document_type.to_owned())
            .part("document", part);
        self.request("POST", "/api/students/documents").multipart(form)
    }

    /// Writes to the school as somebody of this name; the text says who it is.
    pub async fn write_message(&self, name: &str, email: &str, text: &str) -> Answer {
        self.send(self.message(name, email, text)).await
    }

    pub fn message(&self, name: &str, email: &str, text: &str) -> RequestBuilder {
        let body = json!({ "name": name, "email": email, "subject": "general", "message": text });
        self.request("POST", "/api/contact").json(&body)
    }

    /// Asks for a course: by the clock of the tests from December 1, 2026 on, by the machine's likewise
    /// some days ahead.
    pub async fn enroll(&self, course: i64) -> Answer {
        let dates = self.get("/api/students/enrollments/dates").await.expect(StatusCode::OK).json();
        let earliest: Date = dates["earliestStart"].as_str().unwrap().parse().unwrap();
        self.send(self.enrollment(course, earliest.saturating_add(66.days()))).await
    }

    pub fn enrollment(&self, course: i64, start: Date) -> RequestBuilder {
        let end = start.saturating_add(4.months());
        let body = json!({ "courseId": course, "startDate": start.to_string(), "endDate": end.to_string() });
        self.request("POST", "/api/students/enrollments").json(&body)
    }
}

/// A complete profile for an address, with the password that a new address takes.
pub fn profile(email: &str) -> Value {
    json!({ "fullName": "Amara Okonkwo", "email": email, "currentPassword": PASSWORD, "phoneNumber": "(647) 555-0188",
        "dateOfBirth": "2009-03-01", "gender": "female", "canadianStatus": "permanent_resident",
        "address": "88 Sample Crescent", "city": "Mississauga", "province": "ON", "postalCode": "l5b0a1" })
}

pub const PDF: &[u8] = b"%PDF-1.7\n1 0 obj\n<< >>\nendobj\ntrailer\n<< >>\n%%EOF\n";

/// The real binary, serving a folder on a free port until it is dropped.
pub struct Program {
    pub child: Child,
    pub address: String,
    said: Arc<Mutex<String>>,
}

impl Program {
    pub fn serve(folder: &Path, environment: &[(&str, &str)]) -> Self {
        choose_cryptography();
        let mut command = Command::new(env!("CARGO_BIN_EXE_schoolhouse"));
        command
            .args(["--data-dir", folder.to_str().unwrap(), "serve", "--listen", "127.0.0.1:0"])
            .env_clear()
            .envs(environment.iter().copied());
        Self::start(&mut command).unwrap_or_else(|said| panic!("the server ended: {said}"))
    }

    /// Runs a command that serves, until it says where; what it said instead if it ended.
    pub fn start(command: &mut Command) -> Result<Self, String> {
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
        let said = Arc::<Mutex<String>>::default();
        let hear = |said: &Mutex<String>, line: &str| *said.lock().unwrap() += &format!("{line}\n");
        for line in lines.by_ref() {
            hear(&said, &line);
            if let Some((_, address)) = line.split_once(" on http://") {
                let address = format!("http://{}", address.trim());
                // Whatever else it says is read, so that it never blocks on a full pipe.
                let heard = said.clone();
                std::thread::spawn(move || lines.for_each(|line| hear(&heard, &line)));
                return Ok(Self { child, address, said });
            }
        }
        child.wait().unwrap();
        Err(said.lock().unwrap().clone())
    }

    /// Whether its log has these words by now.
    pub fn has_said(&self, words: &str) -> bool {
        self.said.lock().unwrap().contains(words)
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Looks for something that is on its way.
pub async fn wait_for<T>(mut look: impl FnMut() -> Option<T>) -> T {
    for _ in 0..2000 {
        if let Some(found) = look() {
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
