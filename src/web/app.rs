//! What every handler shares, and how it is opened and closed with the data folder.

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
use crate::base::turns::{Capacity, Turns};
use crate::base::webauthn::challenges::{Ceremony, Challenges};
use crate::config::Config;
use crate::mail;
use crate::storage::data_dir::DataDir;
use crate::storage::db::{self, Db, Inspection, Writer};
use crate::storage::disk::Disk;
use crate::web::portal::Portal;
use crate::web::rate_limit::{RateLimiter, Remembered};

/// A hundred uploads take the memory of one, and who reads a page hardly waits for them.
const EXAMINATION: Capacity =
    Capacity { name: "documents", at_once: 1, places: 128, each: 128, busy: CHECKING, own: CHECKING };
const CHECKING: &str = "Many documents are being checked right now. Please try again in a moment.";

/// A document leaves in pieces of 64 kB, of which a slow reader keeps one or two waiting.
const DOCUMENTS: Capacity = Capacity {
    name: "sending",
    at_once: 1,
    places: 1024,
    each: 32,
    busy: "Many documents are being opened right now. Please try again in a moment.",
    own: "Many of the documents that you opened are still on their way. Please wait for them, then try again.",
};

/// What every handler shares. Cheap to clone.
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
    /// The time.
    pub clock: Clock,
    /// What encrypts documents on the disk, and opens them.
    pub document_keys: Arc<Keys>,
    /// Hashes and verifies passwords.
    pub passwords: Passwords,
    /// How often somebody may try something.
    pub limits: RateLimiter,
    /// What passkeys were asked to sign: of which portal's account, and for what.
    pub challenges: Challenges<(Portal, i64, Ceremony)>,
    /// Notified when an e-mail was queued.
    pub mailer_wakeup: Arc<Notify>,
    /// Rings when somebody who is not signed in asked for an account or a link.
    pub request_wakeup: Notify,
    /// Notified when a course may have more free seats than before.
    pub seats_wakeup: Notify,
    /// Held by whoever does what is due at night: one at a time.
    pub maintenance: Mutex<()>,
    /// For looking into documents and pictures: one at a time.
    pub examination: Arc<Turns<()>>,
    /// For documents on their way to a reader, by portal and account.
    pub documents: Arc<Turns<(Portal, i64)>>,
    /// For requests with a body that is read into memory, by client.
    pub bodies: Arc<Turns<IpAddr>>,
}

impl Shared {
    /// The calendar date where the school is.
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

/// State whose database is open; [`OpenedApp::finish`] closes it cleanly.
pub struct OpenedApp {
    /// What handlers share.
    pub app: App,
    inspection: Inspection,
    writer: Writer,
}

impl OpenedApp {
    /// Opens the data folder, brings the schema up to date and starts the writer and password threads.
    /// The database is checked meanwhile (see [`db::inspection`]).
    pub fn open(data_dir: &DataDir, config: Config, clock: Clock) -> anyhow::Result<Self> {
        data_dir.make()?;
        let document_keys = Arc::new(config.documents.keys(data_dir)?);
        let path = data_dir.database();
        let remembered = Remembered::load(&db::open(&path)?)?;
        let disk = Arc::new(Disk::new(data_dir, config.server.disk_reserve_mb));
        let (db, writer) = Db::start(&path, disk.clone())?;
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

/// Over HTTP/2 a connection carries a hundred requests, each with a body of up to 192 kB: together there are no
/// more at once than connections.
fn bodies(config: &Config) -> Capacity {
    Capacity {
        name: "bodies",
        at_once: 1,
        places: config.server.max_connections,
        each: config.server.max_connections_per_client,
        busy: "The school’s website is very busy. Please try again in a moment.",
        own: "Too many requests from your network are being answered right now. Please try again in a moment.",
    }
}

impl FromRef<App> for Arc<Config> {
    fn from_ref(app: &App) -> Self {
        app.config.clone()
    }
}

impl App {
    /// Carries out a write that may queue e-mails, and wakes the mailer.
    ///
    /// # Errors
    /// What the write returned.
    pub async fn write_and_notify<T, F>(&self, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&rusqlite::Connection) -> Result<T> + Send + 'static,
    {
        let answer = self.db.write(work).await?;
        self.mailer_wakeup.notify_one();
        Ok(answer)
    }

    /// Whether mail is written into files instead of being delivered.
    pub fn is_mail_spooled(&self) -> bool {
        mail::is_spooled(&self.config)
    }
}
