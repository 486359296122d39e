//! The mailer with a test mail server, without one, and with an unreachable one.

use jiff::SignedDuration;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};

use super::*;
use crate::base::clock::from_seconds;
use crate::mail::budget::Cause;
use crate::mail::outbox::tests::sample;
use crate::storage::db;
use crate::storage::disk::Disk;
use crate::storage::statements::Statements;

struct Office {
    root: tempfile::TempDir,
    db: Db,
    clock: Clock,
    config: Arc<Config>,
}

impl Office {
    /// A school that delivers to `port`, or into files.
    fn new(port: Option<u16>) -> Self {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("schoolhouse.db");
        db::open(&path).unwrap();
        let mut config = Config::default();
        if let Some(port) = port {
            config.mail.smtp_host = "127.0.0.1".into();
            config.mail.smtp_port = port;
            config.mail.security = crate::config::MailSecurity::None;
        }
        let (db, _) = Db::start(&path, Arc::new(Disk::new(root.path(), 0))).unwrap();
        let clock = Clock::set_to(from_seconds(1_795_237_200));
        Self { root, db, clock, config: Arc::new(config) }
    }

    fn spool(&self) -> PathBuf {
        self.root.path().join("mail")
    }

    async fn queue(&self) {
        let config = self.config.clone();
        let now = self.clock.now();
        self.db
            .write(move |connection| outbox::enqueue(connection, &sample(), Cause::Office, &config, now))
            .await
            .unwrap();
    }

    async fn flush(&self) {
        flush_once(&self.db, &self.config, &self.clock, &self.spool()).await.unwrap();
    }

    /// State, attempts and reason of each email.
    async fn emails(&self) -> Vec<(String, i64, Option<String>)> {
        let work = |connection: &rusqlite::Connection| {
            connection.list("select state, attempts, last_error from outbox order by id", [])
        };
        self.db.read(work).await.unwrap()
    }

    fn start(&self, stop: watch::Receiver<bool>, wake: Arc<Notify>) -> JoinHandle<()> {
        spawn(self.db.clone(), self.config.clone(), self.clock.clone(), self.spool(), wake, stop)
    }
}

/// A mail server that replies `rcpt` to RCPT, and sends each message's text to the receiver.
async fn server(rcpt: &'static str) -> (u16, tokio::sync::mpsc::UnboundedReceiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let (heard, messages) = tokio::sync::mpsc::unbounded_channel();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(converse(stream, rcpt, heard.clone()));
        }
    });
    (port, messages)
}

async fn converse(
    mut stream: TcpStream,
    rcpt: &'static str,
    heard: tokio::sync::mpsc::UnboundedSender<String>,
) -> std::io::Result<()> {
    let (reader, mut writer) = stream.split();
    let mut lines = BufReader::new(reader).lines();
    writer.write_all(b"220 test\r\n").await?;
    while let Some(line) = lines.next_line().await? {
        let answer = match line.split([' ', ':']).next().unwrap_or_default() {
            "RCPT" => rcpt,
            "DATA" => {
                writer.write_all(b"354 go on\r\n").await?;
                let mut message = String::new();
                while let Some(line) = lines.next_line().await?.filter(|line| line != ".") {
                    message.push_str(&line);
                    message.push('\n');
                }
                let _ = heard.send(message);
                "250 taken"
            }
            _ => "250 fine",
        };
        writer.write_all(format!("{answer}\r\n").as_bytes()).await?;
    }
    Ok(())
}

#[tokio::test]
async fn without_a_mail_server_emails_become_files() {
    let office = Office::new(None);
    office.queue().await;
    office.queue().await;
    office.flush().await;
    let mut names: Vec<_> =
        std::fs::read_dir(office.spool()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["20261121T050000Z-1.eml", "20261121T050000Z-2.eml"]);
    assert!(office.emails().await.iter().all(|(state, ..)| state == "sent"));
}

#[tokio::test]
async fn a_mail_server_gets_each_email_once() {
    let (port, mut messages) = server("250 fine").await;
    let office = Office::new(Some(port));
    for _ in 0..3 {
        office.queue().await;
    }
    office.flush().await;
    office.flush().await;
    let mut ids = Vec::new();
    while let Ok(message) = messages.try_recv() {
        assert!(message.contains("https://school.example/verify?token=secret"), "{message}");
        ids.extend(message.lines().find(|line| line.starts_with("Message-ID: ")).map(str::to_owned));
    }
    ids.dedup();
    assert_eq!(ids.len(), 3);
    assert_eq!(office.emails().await, vec![("sent".to_owned(), 1, None); 3]);
}

#[tokio::test]
async fn a_refusal_for_now_is_repeated_and_one_for_good_is_not() {
    let cases = [
        ("450 4.2.1 <mei@example.org> is busy", "queued", 2),
        ("550 5.1.1 <mei@example.org>: no mailbox", "dead", 1),
        ("530 5.7.0 log in first", "queued", 2),
    ];
    for (answer, state, attempts) in cases {
        let (port, _messages) = server(answer).await;
        let office = Office::new(Some(port));
        office.queue().await;
        office.flush().await;
        office.clock.advance(SignedDuration::from_secs(59));
        office.flush().await;
        assert_eq!(office.emails().await[0].1, 1, "{answer}: not before the pause is over");
        office.clock.advance(SignedDuration::from_secs(1));
        office.flush().await;
        let (found, counted, reason) = office.emails().await.remove(0);
        assert_eq!((found.as_str(), counted), (state, attempts), "{answer}");
        let reason = reason.unwrap();
        assert!(reason.contains(&answer[..3]) && !reason.contains("mei"), "{reason}");
    }
}

#[tokio::test]
async fn emails_wait_for_a_server_that_is_away() {
    // A free port without a listener.
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let office = Office::new(Some(free));
    for _ in 0..20 {
        office.queue().await;
    }
    office.flush().await;
    let emails = office.emails().await;
    assert!(emails.iter().all(|(state, attempts, _)| state == "queued" && *attempts == 1), "{emails:?}");
    assert!(emails[0].2.as_ref().unwrap().contains("refused"), "{emails:?}");
}

#[tokio::test]
async fn a_ring_delivers_at_once_and_the_end_delivers_what_is_left() {
    let (port, mut messages) = server("250 fine").await;
    let office = Office::new(Some(port));
    let (stop, stopping) = watch::channel(false);
    let wake = Arc::new(Notify::new());
    let mailer = office.start(stopping, wake.clone());
    office.queue().await;
    wake.notify_one();
    messages.recv().await.unwrap();
    office.queue().await;
    stop.send(true).unwrap();
    mailer.await.unwrap();
    assert!(messages.try_recv().is_ok());
    assert!(office.emails().await.iter().all(|(state, ..)| state == "sent"));
}

#[tokio::test]
async fn a_silent_server_does_not_delay_the_shutdown() {
    // Accepted by the listen backlog and never answered.
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let office = Office::new(Some(silent.local_addr().unwrap().port()));
    office.queue().await;
    let (stop, stopping) = watch::channel(false);
    let begun = tokio::time::Instant::now();
    let mailer = office.start(stopping, Arc::new(Notify::new()));
    stop.send(true).unwrap();
    mailer.await.unwrap();
    assert!(begun.elapsed() <= LAST_RUN_TIMEOUT + Duration::from_secs(1), "{:?}", begun.elapsed());
}
