//! The subject: the release binary on a folder of its own, with people who are signed in.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context, ensure};
use jiff::ToSpan;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use mail_parser::MessageParser;
use rustix::process::{Pid, Signal, kill_process};
use schoolhouse::testing::{Clock, db};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tower_sessions::session::Id;

use crate::client::{Connection, request};
use crate::contender::{Form, Header, Interface, Operation, Who};
use crate::floor;

const CATALOGUE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/ontario-courses.csv");
/// The password of all accounts.
pub const PASSWORD: &str = "correct horse battery";
const EMAIL: &str = "student@mail.example";
/// Students who are signed in: together with the courses they make 80,000 requests, more than a run sends.
const STUDENTS: i64 = 640;
/// The number of the first of them, behind those of any school here.
pub const FIRST_STUDENT: i64 = 1_000_001;

/// A server in a process of its own; dropping it kills it.
pub struct Process {
    child: Child,
    /// Where it listens.
    pub address: SocketAddr,
}

impl Process {
    /// The bare HTTP server; with a folder it answers the operations out of its database, too.
    pub fn floor(folder: Option<&Path>) -> anyhow::Result<Self> {
        let mut command = Command::new(std::env::current_exe().context("finding this program")?);
        command.arg(floor::ARGUMENT).args(folder);
        Self::start(command)
    }

    /// Starts a server and waits until it says on stderr where it listens.
    pub fn start(mut command: Command) -> anyhow::Result<Self> {
        let mut child = command
            .stderr(Stdio::piped())
            .spawn()
            .with_context(|| format!("starting {}", command.get_program().display()))?;
        let mut lines = BufReader::new(child.stderr.take().context("no stderr")?).lines();
        // From here on the child is ended whatever happens.
        let mut process = Self { child, address: SocketAddr::from(([127, 0, 0, 1], 0)) };
        let mut said = String::new();
        let address = loop {
            let Some(line) = lines.next() else { anyhow::bail!("the server ended: {said}") };
            let line = line?;
            if let Some((_, address)) = line.split_once(" on http://") {
                break address.trim().to_owned();
            }
            said += &line;
        };
        process.address = address.parse().context("the server's address")?;
        // Whatever else it says is read, so that it never blocks on a full pipe.
        std::thread::spawn(move || lines.for_each(drop));
        Ok(process)
    }

    /// Asks it to stop and waits until it has.
    pub fn end(mut self) -> anyhow::Result<()> {
        kill_process(Pid::from_child(&self.child), Signal::TERM).context("stopping the server")?;
        self.child.wait().context("waiting for the server's end")?;
        Ok(())
    }

    /// Processor time so far, its own and the system's for it.
    pub fn cpu(&self) -> anyhow::Result<Duration> {
        let stat = self.read("stat")?;
        // After the name, which may hold spaces: utime and stime are the 12th and 13th (proc(5)).
        let (_, fields) = stat.rsplit_once(") ").context("/proc/PID/stat")?;
        let mut ticks = 0;
        for field in fields.split(' ').skip(11).take(2) {
            ticks += field.parse::<u64>().context("/proc/PID/stat")?;
        }
        // USER_HZ is 100 on every Linux that the release runs on.
        Ok(Duration::from_millis(ticks * 10))
    }

    /// Memory in use now (VmRSS).
    pub fn memory_mib(&self) -> anyhow::Result<f64> {
        let status = self.read("status")?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).context("VmRSS")?;
        let kib: f64 = line.trim().trim_end_matches(" kB").parse().context("VmRSS")?;
        Ok(kib / 1024.0)
    }

    fn read(&self, name: &str) -> anyhow::Result<String> {
        let path = format!("/proc/{}/{name}", self.child.id());
        std::fs::read_to_string(&path).with_context(|| format!("reading {path}"))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A data folder and the binary that serves it.
pub struct School {
    binary: PathBuf,
    folder: PathBuf,
    /// The cookie of a student who is signed in.
    pub student_cookie: String,
    /// The cookie of an administrator who is signed in.
    pub staff_cookie: String,
}

impl School {
    /// A folder as it is, whatever is in it.
    pub fn at(binary: &Path, folder: &Path) -> Self {
        let (student_cookie, staff_cookie) = (String::new(), String::new());
        Self { binary: binary.to_owned(), folder: folder.to_owned(), student_cookie, staff_cookie }
    }

    /// A school with its catalogue, a verified student and an administrator, both signed in.
    pub async fn prepare(binary: &Path, folder: &Path) -> anyhow::Result<Self> {
        let mut school = Self::at(binary, folder);
        school.import_courses()?;
        school.create_admin("office")?;

        let program = school.serve()?;
        let mut visitor = Connection::open(program.address).await?;
        let account = json!({ "email": EMAIL, "password": PASSWORD, "confirmPassword": PASSWORD });
        let status = visitor.exchange(&request("POST /api/students/register", &[], Some(&account))).await?;
        ensure!(status == 201, "registering answered {status}");
        let token = school.token().await?;
        let verify = format!("GET /api/students/verify/{token}");
        ensure!(visitor.exchange(&request(&verify, &[], None)).await? == 200, "verifying failed");
        school.student_cookie = sign_in(&mut visitor, &School::login_request()).await?;
        let login = json!({ "username": "office", "password": PASSWORD });
        school.staff_cookie = sign_in(&mut visitor, &request("POST /api/login", &[], Some(&login))).await?;
        drop(visitor);
        program.end()?;
        Ok(school)
    }

    /// Adds the catalogue of the examples.
    pub fn import_courses(&self) -> anyhow::Result<()> {
        self.run(&["import-courses", CATALOGUE], "")
    }

    /// Adds students who are signed in, each with three courses, and says what may be asked of the server.
    ///
    /// # Errors
    /// When the catalogue is not imported, or the database in use.
    pub fn interface(&self, clock: &Clock) -> anyhow::Result<Interface> {
        let path = self.folder.join("schoolhouse.db");
        let mut connection = db::connect(&path)?;
        // One of those that are taken for the same course (the rule looks at the first characters of a code).
        let mut courses: Vec<i64> = connection
            .prepare("select min(id) from courses group by substr(code, 1, 5) order by 1")?
            .query_map([], |row| row.get(0))?
            .collect::<rusqlite::Result<_>>()?;
        let theirs = courses.split_off(courses.len().saturating_sub(3));
        let now = clock.now().as_second();
        let mut students = Vec::new();
        let adding = connection.transaction()?;
        for number in 0..STUDENTS {
            let id = FIRST_STUDENT + number;
            adding.execute(
                "insert into students (id, email, password_hash, status, full_name, created_at, updated_at)
                 values (?1, 'bench' || ?1 || '@mail.example', 'x', 'active', 'Zoë Müller ' || ?1, ?2, ?2)",
                (id, now),
            )?;
            for course in &theirs {
                adding.execute(
                    "insert into enrollments (student_id, course_id, start_date, end_date, status, created_at,
                         quoted_price_cents, quoted_at, approved_at, charged_price_cents)
                     values (?1, ?2, '2026-09-02', '2027-06-20', 'active', ?3, 55000, ?3, ?3, 55000)",
                    (id, course, now),
                )?;
            }
            // More than all that is paid in a run: each payment finds something that is due.
            adding.execute(
                "insert into ledger (kind, amount_cents, enrollment_id, due_on, item, created_at)
                 values ('charge', 90000000, last_insert_rowid(), '2026-12-01', 'course', ?1)",
                [now],
            )?;
            students.push(Header::new("cookie", &sign_in_here(&adding, id, now)?));
        }
        adding.commit()?;
        drop(connection);
        let today = clock.now().to_zoned(TimeZone::UTC).date();
        let dates = (today.saturating_add(7.days()), today.saturating_add(100.days()));
        Ok(Interface {
            students,
            staff: Header::new("cookie", &self.staff_cookie),
            operations: operations(dates, today),
            courses: courses.into_iter().map(Value::from).collect(),
        })
    }

    /// Its folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Adds an administrator.
    pub fn create_admin(&self, name: &str) -> anyhow::Result<()> {
        let email = format!("{name}@mail.example");
        self.run(&["create-admin", "--username", name, "--email", &email, "--password-stdin"], PASSWORD)
    }

    /// The student's login.
    pub fn login_request() -> Vec<u8> {
        let login: Value = json!({ "email": EMAIL, "password": PASSWORD });
        request("POST /api/students/login", &[], Some(&login))
    }

    /// Serves on a free port.
    pub fn serve(&self) -> anyhow::Result<Process> {
        self.serve_with(&[])
    }

    /// Serves on a free port, with further configuration.
    pub fn serve_with(&self, environment: &[(&str, String)]) -> anyhow::Result<Process> {
        let mut command = self.command();
        command.envs(environment.iter().map(|(name, value)| (name, value)));
        command.args(["serve", "--listen", "127.0.0.1:0"]);
        for limit in [
            "LOGINS_PER_MINUTE",
            "REGISTRATIONS_PER_HOUR",
            "REGISTRATIONS_PER_BLOCK_PER_HOUR",
            "CONTACTS_PER_HOUR",
            "CONTACTS_PER_BLOCK_PER_HOUR",
            "UPLOADS_PER_HOUR",
            "UPLOADS_PER_BLOCK_PER_HOUR",
        ] {
            command.env(format!("SCHOOLHOUSE_LIMITS_{limit}"), "100000000");
        }
        command.env("SCHOOLHOUSE_MAIL_STRANGERS_PER_DAY", "100000000");
        // A student asks for every course there is.
        for budget in
            ["ACCOUNT_PER_DAY", "RECIPIENT_PER_HOUR", "RECIPIENT_PER_DAY", "RECIPIENT_IN_ALL_PER_DAY"]
        {
            command.env(format!("SCHOOLHOUSE_MAIL_{budget}"), "200");
        }
        command.env("SCHOOLHOUSE_DOCUMENTS_FILES_PER_STUDENT", "100000");
        command.env("SCHOOLHOUSE_DOCUMENTS_MB_PER_STUDENT", "1000000");
        Process::start(command)
    }

    /// Serves on a free port with the default limits, but for those that are given.
    pub fn serve_with_limits(&self, limits: &[(&str, &str)]) -> anyhow::Result<Process> {
        let mut command = self.command();
        command.envs(limits.iter().map(|(name, value)| (format!("SCHOOLHOUSE_LIMITS_{name}"), value)));
        command.args(["serve", "--listen", "127.0.0.1:0"]);
        Process::start(command)
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.binary);
        let unit = include_str!("../systemd/schoolhouse.service").lines();
        let environment = unit.filter_map(|line| line.strip_prefix("Environment=")?.split_once('='));
        command.env_clear().envs(environment).arg("--data-dir").arg(&self.folder);
        command
    }

    fn run(&self, arguments: &[&str], input: &str) -> anyhow::Result<()> {
        let mut child = self
            .command()
            .args(arguments)
            .env("SCHOOLHOUSE_LOG", "warn")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .with_context(|| format!("starting {}", self.binary.display()))?;
        if let Some(mut stdin) = child.stdin.take() {
            stdin.write_all(input.as_bytes()).context("writing its input")?;
        }
        ensure!(child.wait()?.success(), "{} failed", arguments.join(" "));
        Ok(())
    }

    /// The token of the email in the spool.
    async fn token(&self) -> anyhow::Result<String> {
        for _ in 0..1000 {
            for entry in std::fs::read_dir(self.folder.join("mail"))? {
                let path = entry?.path();
                if path.extension().is_some_and(|ending| ending == "eml") {
                    return token_of(&std::fs::read(path)?).context("no token in the email");
                }
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        anyhow::bail!("the email with the verification link does not come")
    }
}

/// A session as a login leaves it, without the time that hashing a password takes; returns its cookie.
fn sign_in_here(connection: &rusqlite::Connection, student: i64, now: i64) -> anyhow::Result<String> {
    let id = Id::default();
    let data = json!({ "subject": student, "seen": now, "device": "Bench", "proven": now * 1000 });
    connection.execute(
        "insert into sessions (id_hash, kind, subject_id, data, created_at, last_seen_at, expires_at)
         values (?1, 'student', ?2, ?3, ?4, ?4, ?4 + 86400)",
        (Sha256::digest(id.0.to_le_bytes()).to_vec(), student, data.to_string(), now),
    )?;
    Ok(format!("schoolhouse_student={id}"))
}

/// What is measured of the server.
fn operations((start, end): (Date, Date), today: Date) -> BTreeMap<String, Operation> {
    let ask = |line: &str, who, status| Operation {
        line: line.to_owned(),
        who,
        status,
        body: None,
        multipart: None,
    };
    let (student, staff) = (Some(Who::Student), Some(Who::Staff));
    let enroll = json!({ "courseId": "{course}", "startDate": start, "endDate": end });
    let contact = json!({ "name": "Li Wei", "email": "li.{number}@mail.example", "subject": "general",
        "message": "When does the next course begin?" });
    let payment = json!({ "studentId": "{student}", "amount": 5, "method": "e_transfer", "reference": "CA{number}",
        "receivedOn": today.saturating_sub(1.days()) });
    let upload = Form {
        field: "document".to_owned(),
        fields: [("documentType".to_owned(), "transcript".to_owned())].into(),
    };
    let operations = [
        ("courses", ask("GET /api/courses", None, 200)),
        ("home", ask("GET /", None, 200)),
        ("own", ask("GET /api/students/enrollments", student, 200)),
        ("pending", ask("GET /api/admin/enrollments/pending?page=1", staff, 200)),
        ("balances", ask("GET /api/admin/money/balances?page=1", staff, 200)),
        ("payment", Operation { body: Some(payment), ..ask("POST /api/admin/payments", staff, 201) }),
        ("enroll", Operation { body: Some(enroll), ..ask("POST /api/students/enrollments", student, 201) }),
        ("contact", Operation { body: Some(contact), ..ask("POST /api/contact", None, 200) }),
        (
            "upload",
            Operation { multipart: Some(upload), ..ask("POST /api/students/documents", student, 201) },
        ),
    ];
    operations.into_iter().map(|(name, operation)| (name.to_owned(), operation)).collect()
}

fn token_of(email: &[u8]) -> Option<String> {
    let message = MessageParser::default().parse(email)?;
    let text = message.body_text(0)?;
    let (_, link) = text.split_once("/student/verify/")?;
    link.split_whitespace().next().map(str::to_owned)
}

async fn sign_in(visitor: &mut Connection, login: &[u8]) -> anyhow::Result<String> {
    let status = visitor.exchange(login).await?;
    ensure!(status == 200, "signing in answered {status}");
    let cookie = visitor.header("set-cookie").context("signing in set no cookie")?;
    Ok(cookie.split(';').next().unwrap_or(cookie).to_owned())
}
