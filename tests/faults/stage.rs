//! A school in a folder of its own, served by the real binary, with its people; struck, started
//! again and looked over.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use reqwest::StatusCode;
use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;
use tokio::sync::OnceCell;

use schoolhouse::testing::Keys;

use crate::crowd::Crowd;
use crate::inspection::{self, Inspector};
use crate::support::{Actor, PASSWORD, Program, wait_for};

/// Courses of the catalogue; together with the students they make the enrollments that can be asked for.
const COURSES: u64 = 900;
/// Behind them, courses without a price.
const UNPRICED: u64 = 30;
/// Ready again within this long, says the promise; on a busy machine a start that nothing disturbed takes
/// as long.
const PROMPT: Duration = Duration::from_secs(2);

/// The slowest start of this run after an orderly end.
static UNDISTURBED: Mutex<Duration> = Mutex::new(Duration::ZERO);

/// The slowest start of this run after an orderly end.
pub fn undisturbed_start() -> Duration {
    *UNDISTURBED.lock().unwrap()
}

const ENVIRONMENT: &[(&str, &str)] = &[
    ("SCHOOLHOUSE_LIMITS_LOGINS_PER_MINUTE", "1000000"),
    ("SCHOOLHOUSE_LIMITS_REGISTRATIONS_PER_HOUR", "1000000"),
    ("SCHOOLHOUSE_LIMITS_REGISTRATIONS_PER_BLOCK_PER_HOUR", "1000000"),
    ("SCHOOLHOUSE_LIMITS_CONTACTS_PER_HOUR", "1000000"),
    ("SCHOOLHOUSE_LIMITS_CONTACTS_PER_BLOCK_PER_HOUR", "1000000"),
    ("SCHOOLHOUSE_LIMITS_APPLICATIONS_PER_HOUR", "1000000"),
    ("SCHOOLHOUSE_LIMITS_APPLICATIONS_PER_BLOCK_PER_HOUR", "1000000"),
    ("SCHOOLHOUSE_LIMITS_UPLOADS_PER_HOUR", "1000000"),
    ("SCHOOLHOUSE_LIMITS_UPLOADS_PER_BLOCK_PER_HOUR", "1000000"),
    ("SCHOOLHOUSE_DOCUMENTS_FILES_PER_STUDENT", "1000000"),
    ("SCHOOLHOUSE_DOCUMENTS_MB_PER_STUDENT", "1000000"),
    ("SCHOOLHOUSE_DOCUMENTS_DISK_PERCENT", "100"),
    ("SCHOOLHOUSE_MAIL_RECIPIENT_PER_HOUR", "1000000"),
    ("SCHOOLHOUSE_MAIL_RECIPIENT_PER_DAY", "1000000"),
    ("SCHOOLHOUSE_MAIL_RECIPIENT_IN_ALL_PER_DAY", "1000000"),
    ("SCHOOLHOUSE_MAIL_ACCOUNT_PER_DAY", "1000000"),
    ("SCHOOLHOUSE_MAIL_STRANGERS_PER_DAY", "1000000"),
    ("SCHOOLHOUSE_MAIL_OFFICE_COPIES_PER_HOUR", "1000000"),
    ("SCHOOLHOUSE_SERVER_DISK_RESERVE_MB", "1"),
    ("SCHOOLHOUSE_LOG", "warn,schoolhouse::server::run=info"),
];

pub struct Stage {
    /// Where it lies, unless on a file system of the fault's own.
    _folder: Option<TempDir>,
    data: PathBuf,
    pub program: Program,
    pub crowd: Arc<Crowd>,
    inspector: Inspector,
    environment: Vec<(&'static str, String)>,
}

/// The binary with the environment of every fault, on a data folder.
pub fn schoolhouse(data: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_schoolhouse"));
    command.arg("--data-dir").arg(data).env_clear().envs(ENVIRONMENT.iter().copied());
    command
}

/// Made once, since hashing passwords takes its time; every fault gets a copy.
static MODEL: OnceCell<Model> = OnceCell::const_new();

/// A school whose people are signed in.
struct Model {
    folder: PathBuf,
    crowd: Crowd,
}

impl Model {
    async fn make() -> Self {
        let folder = tempfile::tempdir().unwrap().keep();
        seed(&folder);
        let mut program = serve(&folder, &[]).unwrap_or_else(|said| panic!("the server ended: {said}"));
        wait_until_ready(&program).await;
        let crowd = Crowd::sign_in(&program, &folder, COURSES).await;
        let queued = "select count(*) from outbox where state = 'queued'";
        wait_for(|| (inspection::count(&folder, queued) == 0).then_some(())).await;
        terminate(&mut program);
        drop(program);
        // Its size follows the settings, which are each fault's own.
        let _ = std::fs::remove_file(folder.join("ballast"));
        Self { folder, crowd }
    }

    fn copy_to(&self, data: &Path) {
        succeed(&Command::new("cp").arg("-a").args([&self.folder, data]).output().unwrap());
    }
}

/// Removes what all faults shared.
pub fn clear_away() {
    if let Some(model) = MODEL.get() {
        let _ = std::fs::remove_dir_all(&model.folder);
    }
}

/// Makes a school with a member of the staff and a catalogue.
fn seed(data: &Path) {
    let mut office = schoolhouse(data);
    office.args([
        "create-admin",
        "--username",
        "office",
        "--email",
        "office@school.example",
        "--password-stdin",
    ]);
    succeed(&give(office, PASSWORD.as_bytes()));
    let sheet = data.join("courses.csv");
    let mut rows = "code,name,description,grade,courseType,price\n".to_owned();
    for number in 1..=COURSES {
        writeln!(rows, "C{number},Course {number},What it is about.,12,Open,100").unwrap();
    }
    for number in 1..=UNPRICED {
        writeln!(rows, "F{number},Course {number},What it is about.,12,Open,").unwrap();
    }
    std::fs::write(&sheet, rows).unwrap();
    succeed(&schoolhouse(data).arg("import-courses").arg(&sheet).output().unwrap());
    std::fs::remove_file(&sheet).unwrap();
}

/// Runs a command that reads from its standard input.
pub fn give(mut command: Command, input: &[u8]) -> Output {
    use std::io::Write;
    use std::process::Stdio;
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    child.wait_with_output().unwrap()
}

#[track_caller]
pub fn succeed(output: &Output) {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

impl Stage {
    pub async fn open() -> Self {
        Self::open_with(&[]).await
    }

    pub async fn open_with(environment: &[(&'static str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("data");
        Self { _folder: Some(folder), ..Self::open_in(&data, environment).await }
    }

    /// A school in this folder, with these settings on top of every fault's.
    pub async fn open_in(data: &Path, environment: &[(&'static str, &str)]) -> Self {
        let model = MODEL.get_or_init(Model::make).await;
        model.copy_to(data);
        let environment: Vec<_> =
            environment.iter().map(|(key, value)| (*key, (*value).to_owned())).collect();
        let begun = Instant::now();
        let program = serve(data, &environment).unwrap_or_else(|said| panic!("the server ended: {said}"));
        wait_until_ready(&program).await;
        let took = begun.elapsed().max(undisturbed_start());
        *UNDISTURBED.lock().unwrap() = took;
        let (data, crowd) = (data.to_owned(), Arc::new(model.crowd.at_a_copy()));
        Self { _folder: None, data, program, crowd, inspector: Inspector::default(), environment }
    }

    /// A school that encrypts its documents, with the key beside its data folder.
    pub async fn open_encrypted() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (data, key) = (folder.path().join("data"), folder.path().join("key"));
        succeed(&schoolhouse(&data).arg("documents-key").arg(&key).output().unwrap());
        let setting = ("SCHOOLHOUSE_DOCUMENTS_KEY_FILE", key.to_str().unwrap());
        let mut stage = Self { _folder: Some(folder), ..Self::open_in(&data, &[setting]).await };
        let keys = Keys::parse(&std::fs::read_to_string(&key).unwrap()).unwrap();
        Arc::get_mut(&mut stage.crowd).unwrap().keys = keys;
        stage
    }

    pub fn data(&self) -> &Path {
        &self.data
    }

    /// The database and its log, whose syncs are the commits.
    pub fn database_files(&self) -> Vec<PathBuf> {
        ["schoolhouse.db", "schoolhouse.db-wal"].map(|name| self.data.join(name)).into()
    }

    /// Waits for a program that was struck; whether it ended.
    pub async fn has_ended(&mut self) -> bool {
        for _ in 0..4000 {
            if self.program.child.try_wait().unwrap().is_some() {
                return true;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        false
    }

    pub fn kill(&mut self) {
        let _ = self.program.child.kill();
        self.program.child.wait().unwrap();
    }

    /// Stops the server as a person does.
    pub fn end(&mut self) {
        terminate(&mut self.program);
    }

    /// Starts the program again and returns how long it took to be ready.
    pub async fn restart(&mut self) -> Duration {
        self.kill();
        self.timed_start().await
    }

    async fn timed_start(&mut self) -> Duration {
        let begun = Instant::now();
        let started = serve(&self.data, &self.environment);
        self.program = started.unwrap_or_else(|said| panic!("it does not start again: {said}"));
        wait_until_ready(&self.program).await;
        begun.elapsed()
    }

    /// Starts the program again with a mail server on this port of the machine.
    pub async fn deliver_to(&mut self, port: u16) {
        self.environment.retain(|(key, _)| !key.starts_with("SCHOOLHOUSE_MAIL"));
        for (key, value) in [
            ("SCHOOLHOUSE_MAIL_SMTP_HOST", "127.0.0.1"),
            ("SCHOOLHOUSE_MAIL_SMTP_PORT", &port.to_string()),
            ("SCHOOLHOUSE_MAIL_SECURITY", "none"),
        ] {
            self.environment.push((key, value.to_owned()));
        }
        self.restart().await;
    }

    /// Waits until every email was tried at least once, and what came of it is recorded.
    pub async fn all_attempted(&self) {
        let open =
            "select count(*) from outbox where state = 'queued' and (attempts = 0 or last_error is null)";
        wait_for(|| (inspection::count(&self.data, open) == 0).then_some(())).await;
    }

    /// Starts the program on a full disk, where it serves without being ready, and returns how long
    /// that took.
    pub async fn restart_full(&mut self) -> Duration {
        self.kill();
        let begun = Instant::now();
        let started = serve(&self.data, &self.environment);
        self.program = started.unwrap_or_else(|said| panic!("it does not start on a full disk: {said}"));
        begun.elapsed()
    }

    /// Compares the stored data with the acknowledged writes, and finds partial ones.
    pub fn inspect(&mut self) -> Vec<String> {
        let promises = self.crowd.promises.lock().unwrap();
        self.inspector.inspect(&self.data, &promises)
    }

    /// A student in so many courses without a price, which the office has approved.
    pub async fn enroll_unpriced(&self, courses: u64) {
        let address = &self.program.address;
        let (student, staff) = (self.crowd.student(address), self.crowd.staff(address));
        for course in COURSES + 1..=COURSES + courses.min(UNPRICED) {
            let sent = student.enrollment(i64::try_from(course).unwrap(), crate::people::today());
            let id = student.send(sent).await.expect(StatusCode::CREATED).json()["id"].clone();
            let approve = format!("/api/admin/enrollments/{id}/approve");
            staff.post(&approve, &serde_json::json!({})).await.expect(StatusCode::OK);
        }
    }

    /// Looks at what waits for calls.
    pub async fn take_stock(&self) {
        self.crowd.take_stock(&self.data, &self.program.address).await;
    }

    /// Lets two days pass for every file and waits for the caretaker: what no row names must go, and
    /// nothing else. Returns how many files went.
    pub async fn sweep(&mut self) -> (usize, Vec<String>) {
        self.kill();
        let before = inspection::files(&self.data);
        for path in &before {
            grow_old(path);
        }
        self.restart().await;
        for _ in 0..1000 {
            if inspection::unnamed_files(&self.data).is_empty() {
                break;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        self.inspector = Inspector::default();
        let mut problems = self.inspect();
        for path in inspection::unnamed_files(&self.data) {
            problems.push(format!("{} is never swept", path.display()));
        }
        (before.len() - inspection::files(&self.data).len(), problems)
    }

    /// Starts it again, looks it over, and says so if it took much longer than undisturbed starts do.
    pub async fn restart_and_inspect(&mut self) -> (Duration, Vec<String>) {
        let first = self.restart().await;
        let mut recovery = first;
        // Others work on this machine: it is slow if it is so three times, from the same log.
        for _ in 0..2 {
            if recovery > PROMPT {
                recovery = recovery.min(self.restart().await);
            }
        }
        let mut problems = self.inspect();
        self.crowd.send_again(&self.program.address).await;
        problems.extend(self.inspect());
        if recovery > PROMPT {
            // As it is now on this machine.
            self.end();
            let undisturbed = self.timed_start().await.max(undisturbed_start());
            if recovery > undisturbed * 5 {
                let [recovery, undisturbed] = [recovery, undisturbed].map(|time| time.as_millis());
                problems.push(format!("ready after {recovery} ms, where nothing happened {undisturbed} ms"));
            }
        }
        (first, problems)
    }

    /// Waits until every untried email was tried, or the program ended; not for a mailer who met an error and comes
    /// again in half a minute.
    pub async fn drain_mail(&mut self) {
        let database = inspection::look_into(&self.data);
        let untouched = "select count(*) filter (where attempts = 0), count(*) filter (where state = 'sent')
                         from outbox";
        let (mut before, mut looks_without_news) = ((1, 0), 0);
        while looks_without_news < 8 {
            if self.program.child.try_wait().unwrap().is_some() {
                return;
            }
            let now: (i64, i64) =
                database.query_row(untouched, [], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
            if now.0 == 0 && now == before {
                return;
            }
            looks_without_news = if now == before { looks_without_news + 1 } else { 0 };
            before = now;
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
}

/// Ends a program as a person does.
fn terminate(program: &mut Program) {
    kill_process(Pid::from_child(&program.child), Signal::TERM).unwrap();
    assert!(program.child.wait().unwrap().success());
}

fn grow_old(path: &Path) {
    let file = std::fs::File::options().write(true).open(path).unwrap();
    let modified = file.metadata().unwrap().modified().unwrap();
    file.set_modified(modified - Duration::from_hours(48)).unwrap();
}

pub fn serve(data: &Path, environment: &[(&str, String)]) -> Result<Program, String> {
    let mut command = schoolhouse(data);
    command.args(["serve", "--listen", "127.0.0.1:0"]);
    Program::start(command.envs(environment.iter().map(|(key, value)| (key, value))))
}

/// Waits for a 200 of `/readyz`.
pub async fn wait_until_ready(program: &Program) {
    let visitor = Actor::new(&program.address);
    let mut said = String::new();
    for _ in 0..10_000 {
        if let Ok(answer) = visitor.attempt(visitor.request("GET", "/readyz")).await {
            if answer.status == StatusCode::OK {
                return;
            }
            said = answer.text();
        }
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    panic!("it does not get ready: {said}");
}
