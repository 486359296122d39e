//! Shared state of all handlers: opened and closed with the data folder.

use std::net::IpAddr;
use std::ops::Deref;
use std::sync::Arc;

use axum::extract::FromRef;
use jiff::civil::Date;
use tokio::sync::{Mutex, Notify};

use crate::base::clock::Clock;
use crate::base::error::Result;
use crate::base::file_encryption::Keys;
use crate::base::hashing::Passwords;
use crate::base::json::Json;
use crate::base::turns::{Capacity, Turns};
use crate::base::webauthn::challenges::{Ceremony, Challenges};
use crate::config::Config;
use crate::mail;
use crate::storage::data_dir::DataDir;
use crate::storage::db::{self, Db, Inspection, Writer};
use crate::storage::disk::Disk;
use crate::web::portal::Portal;
use crate::web::rate_limit::{RateLimiter, Remembered};

/// A hundred uploads need the memory of one, and page views hardly wait for them.
const EXAMINATION: Capacity =
    Capacity { name: "documents", at_once: 1, places: 128, each: 128, busy: CHECKING, own: CHECKING };
const CHECKING: &str = "Many documents are being checked right now. Please try again in a moment.";

/// A document is sent in pieces of 64 kB, of which a slow client holds one or two.
const DOCUMENTS: Capacity = Capacity {
    name: "sending",
    at_once: 1,
    places: 1024,
    each: 32,
    busy: "Many documents are being opened right now. Please try again in a moment.",
    own: "Many of the documents that you opened are still on their way. Please wait for them, then try again.",
};

/// A PDF is written within milliseconds; a statement of many years takes some tens of them.
const PRINTING: Capacity =
    Capacity { name: "printing", at_once: 1, places: 64, each: 64, busy: PRINTING_BUSY, own: PRINTING_BUSY };
const PRINTING_BUSY: &str = "Many PDFs are being written right now. Please try again in a moment.";

/// Shared state of all handlers. Cheap to clone.
#[derive(Clone)]
pub struct App(Arc<Shared>);

/// The contents of an [`App`].
pub struct Shared {
    /// The configuration, as loaded.
    pub config: Arc<Config>,
    /// The data folder.
    pub data_dir: DataDir,
    /// The database.
    pub db: Db,
    /// The disk under the data folder.
    pub disk: Arc<Disk>,
    /// The clock.
    pub clock: Clock,
    /// Keys for documents on disk.
    pub document_keys: Arc<Keys>,
    /// Hashes and verifies passwords.
    pub passwords: Passwords,
    /// Rate limits.
    pub limits: RateLimiter,
    /// Open passkey challenges, by portal, account and ceremony.
    pub challenges: Challenges<(Portal, i64, Ceremony)>,
    /// Notified when an email was queued.
    pub mailer_wakeup: Arc<Notify>,
    /// Notified when a visitor requested an account or a link.
    pub request_wakeup: Notify,
    /// Notified when a course may have more free seats than before.
    pub seats_wakeup: Notify,
    /// Held during a maintenance run: one at a time.
    pub maintenance: Mutex<()>,
    /// Turns for examining documents and pictures: one at a time.
    pub examination: Arc<Turns<()>>,
    /// Turns for writing PDFs: one at a time.
    pub printing: Arc<Turns<()>>,
    /// Places for documents being downloaded, by portal and account.
    pub documents: Arc<Turns<(Portal, i64)>>,
    /// Places for request bodies that are read into memory, by client.
    pub bodies: Arc<Turns<IpAddr>>,
}

impl Shared {
    /// Today's date in the school's time zone.
    pub fn today(&self) -> Date {
        self.clock.today(&self.config.school().zone())
    }
}

impl Deref for App {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}

/// An [`App`] with an open database, which [`OpenedApp::finish`] closes cleanly.
pub struct OpenedApp {
    /// The shared state.
    pub app: App,
    inspection: Inspection,
    writer: Writer,
}

impl OpenedApp {
    /// Opens the data folder, migrates the database and starts the writer and password threads. The database is checked
    /// meanwhile (see [`db::inspection`]).
    pub fn open(
        data_dir: &DataDir,
        config: Config,
        clock: Clock,
        before_commit: db::BeforeCommit,
    ) -> anyhow::Result<Self> {
        data_dir.make()?;
        let document_keys = Arc::new(config.documents.keys(data_dir)?);
        let path = data_dir.database();
        let remembered = Remembered::load(&db::open(&path)?)?;
        let disk = Arc::new(Disk::new(data_dir, config.server.disk_reserve_mb));
        let (db, writer) = Db::start_with(&path, disk.clone(), before_commit)?;
        let inspection = Inspection::begin(&db, &path)?;
        let config = Arc::new(config);
        let passwords = Passwords::start()?;
        let limits =
            RateLimiter::new(&config.limits, remembered, db.clone(), clock.clone(), passwords.clone());
        let app = App(Arc::new(Shared {
            data_dir: data_dir.to_owned(),
            db,
            disk,
            clock,
            document_keys,
            passwords,
            limits,
            challenges: Challenges::default(),
            mailer_wakeup: Arc::new(Notify::new()),
            request_wakeup: Notify::new(),
            seats_wakeup: Notify::new(),
            maintenance: Mutex::new(()),
            examination: Turns::new(EXAMINATION),
            printing: Turns::new(PRINTING),
            documents: Turns::new(DOCUMENTS),
            bodies: Turns::new(bodies(&config)),
            config,
        }));
        Ok(Self { app, inspection, writer })
    }

    /// Waits for the last write and empties the write-ahead log. Every clone of the app must be gone.
    pub fn finish(self) {
        self.inspection.end();
        drop(self.app);
        self.writer.finish();
    }
}

/// An HTTP/2 connection carries up to a hundred requests, each with a body of up to 192 kB; this limits them in total
/// to the number of connections.
fn bodies(config: &Config) -> Capacity {
    Capacity {
        name: "bodies",
        at_once: 1,
        places: config.server.max_connections,
        each: config.server.max_connections_per_client,
        busy: "The school’s website is very busy. Please try again in a moment.",
        own: "Too many requests from your network right now. Please try again in a moment.",
    }
}

impl FromRef<App> for Arc<Config> {
    fn from_ref(app: &App) -> Self {
        app.config.clone()
    }
}

impl App {
    /// Performs a write that may queue emails, and wakes the mailer.
    ///
    /// # Errors
    /// The error of the write.
    pub async fn write_and_notify<T, F>(&self, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&rusqlite::Connection) -> Result<T> + Send + 'static,
    {
        let answer = self.db.write(work).await?;
        self.mailer_wakeup.notify_one();
        Ok(answer)
    }

    /// Carries out a write, and answers with what it returned.
    ///
    /// # Errors
    /// What the write returned.
    pub async fn carry_out<T, F>(&self, work: F) -> Result<Json<T>>
    where
        T: Send + 'static,
        F: FnOnce(&rusqlite::Connection) -> Result<T> + Send + 'static,
    {
        self.db.write(work).await.map(Json)
    }

    /// The same of a write that may queue emails.
    ///
    /// # Errors
    /// What the write returned.
    pub async fn carry_out_and_notify<T, F>(&self, work: F) -> Result<Json<T>>
    where
        T: Send + 'static,
        F: FnOnce(&rusqlite::Connection) -> Result<T> + Send + 'static,
    {
        self.write_and_notify(work).await.map(Json)
    }

    /// Whether emails are written as files instead of being delivered.
    pub fn is_mail_spooled(&self) -> bool {
        mail::is_spooled(&self.config)
    }
}
