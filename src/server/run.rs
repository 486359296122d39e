//! Starts and stops the server: lock, database, mail, maintenance, network.

use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, anyhow};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::{Notify, watch};
use tokio::task::JoinHandle;

use super::maintenance;
use super::{router, systemd};
use crate::base::clock::Clock;
use crate::base::error::{Error, Result};
use crate::base::runtime;
use crate::config::{self, Config, ConfigError, Https, ServerProcess};
use crate::documents::encryption;
use crate::enrollments::decisions::{are_left_behind, cancel_left_behind};
use crate::enrollments::seats::waitlist;
use crate::mail;
use crate::money::ledger::kept;
use crate::operations::backup;
use crate::operations::https;
use crate::operations::metrics;
use crate::records::document_requirements;
use crate::school::letters;
use crate::settings::versions;
use crate::storage::data_dir::{DataDir, Lock};
use crate::web::app::{App, OpenedApp};
use crate::web::listener;
use crate::web::listener::{ConnectionLimits, InheritedSockets, Listener, Sockets, Timeouts};
use crate::web::request_queue::{self, Queue};
use crate::{admissions, demo, family, staff, students};

/// Request queues for visitors.
static REQUESTS: [Queue; 4] =
    [students::requests::QUEUE, staff::forgotten::QUEUE, admissions::links::QUEUE, family::QUEUE];

/// What follows from the writes of a commit.
fn settle(connection: &rusqlite::Connection) -> Result<()> {
    kept::settle(connection)?;
    admissions::account::settle(connection)
}

/// Serves a data folder until a signal stops it.
pub fn serve(data_dir: &DataDir, config: Config, clock: Clock) -> anyhow::Result<()> {
    let inherited = InheritedSockets::take()?;
    allow_open_files(config.server.max_connections);
    warn_of_obstacles(data_dir, &config);
    runtime::start()?.block_on(async {
        let signals = Signals::listen()?;
        let school = RunningServer::start_on(inherited, data_dir, config, clock).await?;
        tracing::info!("serving {} on http://{}", school.app().config.school().name, school.address);
        if school.app().config.https.is_on() {
            tracing::info!("the public address is {}", school.app().config.public_url());
        }
        if school.app().is_mail_spooled() {
            tracing::warn!(
                "no mail server is configured: messages are written to {}",
                data_dir.spool().display()
            );
        }
        systemd::ready(&format!("Serving {} on {}", school.app().config.school().name, school.address));
        signals.wait().await;
        systemd::stopping();
        tracing::info!("stopping");
        school.stop().await;
        Ok(())
    })
}

/// Logs configured files and folders that this process cannot use: without a readable password it sends no email, and
/// without its folder there is no nightly backup.
fn warn_of_obstacles(data_dir: &DataDir, config: &Config) {
    let own = ServerProcess::Running(std::process::id());
    let files = config::obstacles_to_files(config, None, data_dir);
    for obstacle in files.into_iter().chain(config::obstacle_to_backups(config, data_dir, own)) {
        tracing::warn!("{}", config::in_one_line(&obstacle));
    }
}

/// Raises the limit of open files: every connection is a file, many shells allow 1,024, and the database needs some.
fn allow_open_files(connections: usize) {
    /// Reserve for the database, downloads, mail, and closing connections.
    const OTHERS: u64 = 1024;
    let wanted = OTHERS + 2 * connections as u64;
    let limit = getrlimit(Resource::Nofile);
    if limit.current.is_none_or(|current| current >= wanted) {
        return;
    }
    let current = Some(limit.maximum.map_or(wanted, |maximum| maximum.min(wanted)));
    if let Err(error) = setrlimit(Resource::Nofile, Rlimit { current, ..limit }) {
        tracing::warn!("at most {:?} files can be open: {error}", limit.current);
    }
}

/// Serves a temporary demo school and prints its accounts.
pub fn serve_demo(mut config: Config, clock: Clock) -> anyhow::Result<()> {
    make_throw_away(&mut config);
    let folder = tempfile::Builder::new()
        .prefix("schoolhouse-demo-")
        .tempdir()
        .context("making a temporary folder")?;
    runtime::start()?.block_on(async {
        let signals = Signals::listen()?;
        let school = RunningServer::start(&DataDir::new(folder.path()), config, clock).await?;
        let accounts = demo::seed(school.app()).await?;
        let notice = accounts.notice(&school.app().config.public_url(), folder.path());
        // A closed pipe must not stop the server.
        let _ = writeln!(std::io::stdout(), "{notice}");
        signals.wait().await;
        school.stop().await;
        Ok(())
    })
}

/// Removes settings that have effects outside a demo school.
fn make_throw_away(config: &mut Config) {
    // It must not order the real school's certificate.
    config.https = Https::default();
    // Its history contains emails to fictitious people, so they become files even if a mail server is configured.
    config.mail.smtp_host = String::new();
    // A temporary school needs no backup.
    config.backup.nightly_at = None;
}

/// A running server, from [`RunningServer::start`] to [`RunningServer::stop`].
pub struct RunningServer {
    /// Listening address, with the actual port.
    pub address: std::net::SocketAddr,
    opened: OpenedApp,
    stop: watch::Sender<bool>,
    renewal_wakeup: Arc<Notify>,
    /// In the order in which shutdown waits for them.
    tasks: Vec<JoinHandle<()>>,
    lock: Lock,
}

impl RunningServer {
    /// Locks the folder, opens the database, binds the address and starts serving.
    ///
    /// # Errors
    /// Any startup failure, including a second process on the same folder.
    pub async fn start(data_dir: &DataDir, config: Config, clock: Clock) -> anyhow::Result<Self> {
        Self::start_on(InheritedSockets::default(), data_dir, config, clock).await
    }

    /// The same, with sockets inherited from systemd.
    ///
    /// # Errors
    /// Like [`RunningServer::start`], and when a socket has no role.
    pub async fn start_on(
        inherited: InheritedSockets,
        data_dir: &DataDir,
        mut config: Config,
        clock: Clock,
    ) -> anyhow::Result<Self> {
        data_dir.make()?;
        let lock = data_dir.lock()?;
        backup::complete(data_dir)?;
        let sockets = Sockets::open(&config, inherited)?;
        let address = sockets.plain.local_addr().context("the listening address")?;
        lock.write_address(address);
        let figures = metrics::bind(&config.metrics)?;
        // With port 0 the system chooses; links need the actual port.
        config.server.listen = address;
        let starting = systemd::StartupNotice::begin();
        let opened = OpenedApp::open(data_dir, config, clock, settle)?;
        drop(starting);
        let app = &opened.app;
        let keys = app.document_keys.clone();
        let missing = app.db.read(move |connection| encryption::missing_key(connection, &keys)).await;
        if let Some(missing) =
            missing.map_err(|error| anyhow!("looking for the documents' keys: {error:?}"))?
        {
            return Err(ConfigError(missing).into());
        }
        let config = app.config.clone();
        let facts = app.db.read(move |connection| versions::use_published(connection, &config)).await;
        facts.map_err(|error| anyhow!("reading the school's facts: {error:?}"))?;
        if let Some(found) = backup::restored::obstacle(data_dir, &app.config) {
            return Err(ConfigError(found).into());
        }
        let name = app.config.school().name.clone();
        write_at_start(app, "keeping the letters of payment codes", move |connection| {
            letters::keep(connection, &name)
        })
        .await?;
        let are_left = app.db.read(are_left_behind).await;
        if are_left.map_err(|error| anyhow!("looking for enrollments of cancelled sections: {error:?}"))? {
            let config = app.config.clone();
            let now = app.clock.now();
            write_at_start(app, "cancelling the enrollments of cancelled sections", move |connection| {
                cancel_left_behind(connection, &config, now)
            })
            .await?;
        }
        let begun = app.db.read(document_requirements::has_begun).await;
        if !begun.map_err(|error| anyhow!("reading what documents are asked for: {error:?}"))? {
            let config = app.config.clone();
            let now = app.clock.now();
            write_at_start(app, "writing down what documents are asked for", move |connection| {
                document_requirements::begin(connection, &config.office, now)
            })
            .await?;
        }
        let (stop, stopped) = watch::channel(false);
        let capacity = ConnectionLimits {
            connections: app.config.server.max_connections,
            per_client: app.config.server.max_connections_per_client,
            trusted_proxies: app.config.server.trusted_proxies.clone(),
            timeouts: Timeouts::default(),
        };
        let for_figures = ConnectionLimits { connections: 8, per_client: 8, ..capacity.clone() };
        let https = https::Setup::prepare(app)?;
        let renewal_wakeup = https.renewal_wakeup();
        let listeners = https.listeners(sockets, router::router(app.clone())?, app)?;
        let network = tokio::spawn(listener::serve(listeners, capacity, stopped.clone()));
        let certificate = https.run_manager(stopped.clone());
        let mailer = mail::worker::spawn(
            app.db.clone(),
            app.config.clone(),
            app.clock.clone(),
            data_dir.spool(),
            app.mailer_wakeup.clone(),
            stopped.clone(),
        );
        let requests = request_queue::spawn(app.clone(), &REQUESTS, stopped.clone());
        let figures = figures.map(|socket| {
            let address = socket.local_addr().map_or_else(|_| String::new(), |address| address.to_string());
            tracing::info!("metrics for Prometheus: http://{address}/metrics");
            let listener = Listener::plain(socket, metrics::router(app.clone()));
            tokio::spawn(listener::serve(vec![listener], for_figures, stopped.clone()))
        });
        let maintenance = tokio::spawn(maintenance::run(app.clone(), stopped.clone()));
        let waiting_lists = tokio::spawn(waitlist::run(app.clone(), stopped.clone()));
        let watchdog = tokio::spawn(systemd::feed_watchdog(app.clone(), stopped));
        let mut tasks = vec![network, certificate, maintenance, waiting_lists, requests, mailer, watchdog];
        tasks.extend(figures);
        backup::restored::served(data_dir);
        Ok(Self { address, opened, stop, renewal_wakeup, tasks, lock })
    }

    /// Shared state of the handlers.
    pub fn app(&self) -> &App {
        &self.opened.app
    }

    /// Wakes the certificate manager for an immediate check.
    pub fn check_certificate(&self) {
        self.renewal_wakeup.notify_one();
    }

    /// Stops accepting connections, lets requests finish, sends due mail, and closes the database.
    pub async fn stop(self) {
        let _ = self.stop.send(true);
        for task in self.tasks {
            if let Err(error) = task.await {
                tracing::warn!("a task failed: {error}");
            }
        }
        let opened = self.opened;
        // A handler that did not finish in time may still hold the database; do not wait for it forever.
        let finish = tokio::task::spawn_blocking(move || opened.finish());
        if tokio::time::timeout(Duration::from_secs(10), finish).await.is_err() {
            tracing::warn!("the database was not closed in time; nothing committed is lost");
        }
        drop(self.lock);
    }
}

/// A damaged database is served without this write, which comes at the start after it is restored.
async fn write_at_start<F>(app: &App, what: &str, act: F) -> anyhow::Result<()>
where
    F: FnOnce(&rusqlite::Connection) -> crate::base::error::Result<()> + Send + 'static,
{
    match app.db.write(act).await {
        Ok(()) | Err(Error::ReadOnly) => Ok(()),
        Err(error) => Err(anyhow!("{what}: {error:?}")),
    }
}

/// Shutdown signals; registered before serving, so that none is missed.
struct Signals {
    terminate: Signal,
    interrupt: Signal,
}

impl Signals {
    fn listen() -> anyhow::Result<Self> {
        let listen = |kind| signal(kind).context("listening for signals");
        Ok(Self { terminate: listen(SignalKind::terminate())?, interrupt: listen(SignalKind::interrupt())? })
    }

    async fn wait(mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mail;

    #[test]
    fn a_demo_sends_no_email_whatever_is_configured() {
        let mut config = Config::default();
        config.mail.smtp_host = "smtp.school.example".into();
        assert!(!mail::is_spooled(&config), "a real school would");
        make_throw_away(&mut config);
        assert!(mail::is_spooled(&config));
    }
}
