//! Starts and ends the server: lock, database, mail, maintenance, network.

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
use crate::base::runtime;
use crate::config::{self, Config, ConfigError, Https, ServerProcess};
use crate::documents::encryption;
use crate::enrollments::waitlist;
use crate::mail;
use crate::operations::backup;
use crate::operations::https;
use crate::operations::metrics;
use crate::settings::versions;
use crate::storage::data_dir::{DataDir, Lock};
use crate::web::app::{App, OpenedApp};
use crate::web::listener;
use crate::web::listener::{ConnectionLimits, InheritedSockets, Listener, Sockets, Timeouts};
use crate::web::request_queue::{self, Queue};
use crate::{demo, staff, students};

/// What somebody who is not signed in may ask for.
static REQUESTS: [Queue; 2] = [students::requests::QUEUE, staff::forgotten::QUEUE];

/// Serves what is in a data folder until a signal says stop.
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

/// Says in the log what the configuration names and this process cannot use: with a key that it cannot read it
/// sends no e-mail, and without its folder the night makes no backup.
fn warn_of_obstacles(data_dir: &DataDir, config: &Config) {
    let own = ServerProcess::Running(std::process::id());
    let files = config::obstacles_to_files(config, None, data_dir);
    for obstacle in files.into_iter().chain(config::obstacle_to_backups(config, data_dir, own)) {
        tracing::warn!("{}", config::in_one_line(&obstacle));
    }
}

/// Every connection is a file, and many a shell allows 1,024 of these, of which the database needs some.
fn allow_open_files(connections: usize) {
    /// For the database, documents on their way, mail, and connections that are just ending.
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

/// Serves a throw-away school in a temporary folder and prints who may log in.
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

/// Leaves out of a configuration what reaches beyond a throw-away school.
fn make_throw_away(config: &mut Config) {
    // It must not ask for the real one's certificate.
    config.https = Https::default();
    // Its past is full of e-mails to invented people: they become files, whatever mail server is configured.
    config.mail.smtp_host = String::new();
    // What is thrown away needs no backup.
    config.backup.nightly_at = None;
}

/// A server that serves; made by [`RunningServer::start`], ended by [`RunningServer::stop`].
pub struct RunningServer {
    /// Where it listens, with the port that was really taken.
    pub address: std::net::SocketAddr,
    opened: OpenedApp,
    stop: watch::Sender<bool>,
    renewal_wakeup: Arc<Notify>,
    /// In the order in which they are waited for at the end.
    tasks: Vec<JoinHandle<()>>,
    lock: Lock,
}

impl RunningServer {
    /// Locks the folder, opens the database, binds the address and begins to serve.
    ///
    /// # Errors
    /// Whatever keeps it from starting; a second process on the same folder among it.
    pub async fn start(data_dir: &DataDir, config: Config, clock: Clock) -> anyhow::Result<Self> {
        Self::start_on(InheritedSockets::default(), data_dir, config, clock).await
    }

    /// The same, on sockets that systemd handed over.
    ///
    /// # Errors
    /// Like [`RunningServer::start`], and when a socket has no use.
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
        // Port 0 asks for any; links must name the one that was given.
        config.server.listen = address;
        let starting = systemd::StartupNotice::begin();
        let opened = OpenedApp::open(data_dir, config, clock)?;
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
            tracing::info!("figures for Prometheus: http://{address}/metrics");
            let listener = Listener::plain(socket, metrics::router(app.clone()));
            tokio::spawn(listener::serve(vec![listener], for_figures, stopped.clone()))
        });
        let maintenance = tokio::spawn(maintenance::run(app.clone(), stopped.clone()));
        let waiting_lists = tokio::spawn(waitlist::run(app.clone(), stopped.clone()));
        let watchdog = tokio::spawn(systemd::feed_watchdog(app.clone(), stopped));
        let mut tasks = vec![network, certificate, maintenance, waiting_lists, requests, mailer, watchdog];
        tasks.extend(figures);
        Ok(Self { address, opened, stop, renewal_wakeup, tasks, lock })
    }

    /// What the handlers share.
    pub fn app(&self) -> &App {
        &self.opened.app
    }

    /// Makes the certificate manager check now instead of at its next interval.
    pub fn check_certificate(&self) {
        self.renewal_wakeup.notify_one();
    }

    /// Stops accepting, lets requests finish, sends what mail it can, and closes the database.
    pub async fn stop(self) {
        let _ = self.stop.send(true);
        for task in self.tasks {
            if let Err(error) = task.await {
                tracing::warn!("a task failed: {error}");
            }
        }
        let opened = self.opened;
        // A handler that outlived the drain may still hold the database: do not wait for it forever.
        let finish = tokio::task::spawn_blocking(move || opened.finish());
        if tokio::time::timeout(Duration::from_secs(10), finish).await.is_err() {
            tracing::warn!("the database was not closed in time; nothing committed is lost");
        }
        drop(self.lock);
    }
}

/// The signals that shut the server down; listened for before it serves, so that none is missed.
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
