//! The server and the students who write.

use std::fmt;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use reqwest::Client;
use reqwest::multipart::{Form, Part};
use rusqlite::{Connection, named_params};
use schoolhouse::testing::{DataDir, Password, db, hash_now};
use serde_json::json;

/// Students who write at once.
pub const CLIENTS: usize = 32;
const PASSWORD: &str = "correct horse battery";
/// One write in so many is an upload.
const UPLOADS: u64 = 50;
/// Rows of 4 KB that make the database large.
const FILLING: u32 = 24_000;

/// The longest time a write took.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Slowest(u64);

impl fmt::Display for Slowest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ms", self.0)
    }
}

#[derive(Default)]
struct Counts {
    acknowledged: [AtomicU64; CLIENTS],
    slowest_ms: AtomicU64,
    end: AtomicBool,
}

/// A served school under load; dropping it kills the server.
pub struct Load {
    child: Child,
    counts: Arc<Counts>,
}

impl Drop for Load {
    fn drop(&mut self) {
        self.counts.end.store(true, Ordering::SeqCst);
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Load {
    /// Fills a school, serves it and lets the students begin.
    pub async fn begin(binary: &Path, data_dir: &Path) -> anyhow::Result<Self> {
        fill(&DataDir::new(data_dir))?;
        let mut child = Command::new(binary)
            .arg("--data-dir")
            .arg(data_dir)
            .args(["serve", "--listen", "127.0.0.1:0"])
            .env("SCHOOLHOUSE_LIMITS_UPLOADS_PER_HOUR", "100000000")
            .env("SCHOOLHOUSE_DOCUMENTS_FILES_PER_STUDENT", "100000000")
            .env("SCHOOLHOUSE_DOCUMENTS_MB_PER_STUDENT", "100000000")
            .env("SCHOOLHOUSE_LIMITS_LOGINS_PER_MINUTE", "1000")
            .env("SCHOOLHOUSE_BACKUP_NIGHTLY_AT", "")
            .stderr(Stdio::piped())
            .spawn()
            .context("starting the server")?;
        let stderr = child.stderr.take().context("no stderr")?;
        let load = Self { child, counts: Arc::default() };
        let mut lines = BufReader::new(stderr).lines().map_while(Result::ok);
        let address = lines
            .find_map(|line| Some(line.split_once(" on http://")?.1.trim().to_owned()))
            .context("the server ended")?;
        std::thread::spawn(move || lines.for_each(drop));
        for client in 0..CLIENTS {
            let session = log_in(&address, client).await?;
            let (address, counts) = (address.clone(), load.counts.clone());
            tokio::spawn(async move {
                if let Err(error) = write(&address, &session, client, &counts).await
                    && !counts.end.load(Ordering::SeqCst)
                {
                    eprintln!("student {client}: {error:#}");
                    std::process::exit(1);
                }
            });
        }
        Ok(load)
    }

    /// The slowest write since this was asked the last time.
    pub fn slowest(&self) -> Slowest {
        Slowest(self.counts.slowest_ms.swap(0, Ordering::SeqCst))
    }

    /// What each student was told to be kept.
    pub fn acknowledged(&self) -> Vec<u64> {
        self.counts.acknowledged.iter().map(|count| count.load(Ordering::SeqCst)).collect()
    }
}

fn fill(data_dir: &DataDir) -> anyhow::Result<()> {
    data_dir.make()?;
    let password = Password::parse(PASSWORD, &[]).map_err(anyhow::Error::msg)?;
    let hash = hash_now(&password)?;
    let mut connection = db::open(&data_dir.database())?;
    let transaction = connection.transaction()?;
    for client in 0..CLIENTS {
        transaction.execute(
            "insert into students (id, email, password_hash, status, created_at, updated_at)
             values (:id, :email, :hash, 'active', 0, 0)",
            named_params! { ":id": id(client), ":email": email(client), ":hash": hash },
        )?;
    }
    transaction.execute(
        "with recursive n(i) as (select 1 union all select i + 1 from n where i < :filling)
         insert into audit (at, actor, action, object, object_id, detail)
         select i, 'drill', 'fill', 'drill', i, json_object('filling', hex(randomblob(2000))) from n",
        named_params! { ":filling": FILLING },
    )?;
    transaction.commit()?;
    Ok(())
}

fn id(client: usize) -> i64 {
    i64::try_from(client).unwrap_or(0) + 1
}

fn email(client: usize) -> String {
    format!("student{client}@mail.example")
}

/// The count that a student's name ends with.
pub fn written(database: &Connection, client: usize) -> anyhow::Result<u64> {
    let name: Option<String> = database.query_row(
        "select full_name from students where id = :id",
        named_params! { ":id": id(client) },
        |row| row.get(0),
    )?;
    let count = name.as_deref().and_then(|name| name.rsplit(' ').next()).map(str::parse).transpose()?;
    Ok(count.unwrap_or(0))
}

async fn log_in(address: &str, client: usize) -> anyhow::Result<Client> {
    // An error says that a provider is there already, which is as good.
    let _ = tokio_rustls::rustls::crypto::ring::default_provider().install_default();
    let session = Client::builder().cookie_store(true).build()?;
    let body = json!({ "email": email(client), "password": PASSWORD });
    let answer = session.post(format!("http://{address}/api/students/login")).json(&body).send().await?;
    ensure!(answer.status().is_success(), "login: {}", answer.text().await?);
    Ok(session)
}

/// A PDF of one page, with a mark that makes it another file.
fn page(mark: &str) -> Vec<u8> {
    format!(
        "%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n\
         2 0 obj\n<< /Type /Pages /Kids [3 0 R] >>\nendobj\n3 0 obj\n<< /Type /Page /Contents 4 0 R >>\nendobj\n\
         4 0 obj\n<< >>\nstream\n% {mark}\nendstream\nendobj\n\
         trailer\n<< /Root 1 0 R >>\nstartxref\n0\n%%EOF\n"
    )
    .into_bytes()
}

async fn write(address: &str, session: &Client, client: usize, counts: &Counts) -> anyhow::Result<()> {
    for count in 1_u64.. {
        let begun = Instant::now();
        let request = if count.is_multiple_of(UPLOADS) {
            let content = page(&format!("{client}-{count}"));
            let form = Form::new()
                .text("documentType", "other")
                .part("document", Part::bytes(content).file_name("drill.pdf"));
            session.post(format!("http://{address}/api/students/documents")).multipart(form)
        } else {
            let body = json!({ "fullName": format!("Drill {count}"), "email": email(client),
                "phoneNumber": "(647) 555-0188", "dateOfBirth": "2009-03-01", "gender": "female",
                "canadianStatus": "citizen", "address": "88 Sample Crescent", "city": "Mississauga",
                "province": "ON", "postalCode": "L5B 0A1" });
            session.patch(format!("http://{address}/api/students/me")).json(&body)
        };
        let answer = request.send().await?;
        ensure!(answer.status().is_success(), "{}", answer.text().await?);
        let took = u64::try_from(begun.elapsed().as_millis())?;
        counts.slowest_ms.fetch_max(took, Ordering::SeqCst);
        if !count.is_multiple_of(UPLOADS) {
            counts.acknowledged[client].store(count, Ordering::SeqCst);
        }
        // A person would wait longer; this keeps the machine's processor for the answers.
        tokio::time::sleep(Duration::from_millis(10)).await;
        if counts.end.load(Ordering::SeqCst) {
            break;
        }
    }
    Ok(())
}
