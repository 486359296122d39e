//! Collects the metrics for a scrape.

use std::collections::HashMap;

use jiff::Timestamp;
use rusqlite::Connection;

use super::request_counts;
use super::text::Exposition;
use crate::base::closed_set::ClosedSet;
use crate::base::error::Result;
use crate::base::{meters, release};
use crate::documents::faults;
use crate::mail::{self, EmailStatus, Kind, Limit};
use crate::operations::https;
use crate::operations::maintenance::TaskName;
use crate::storage::data_dir::DATABASE;
use crate::storage::statements::{Statements, params};
use crate::web::app::App;

/// All metrics; one that cannot be read is omitted, as Prometheus expects.
pub(super) async fn everything(app: &App) -> String {
    let mut page = Exposition::default();
    page.begin("build_info", "gauge", "The program's version, commit and the commit's day.");
    let labels = [("version", release::NUMBER), ("commit", release::COMMIT), ("date", release::DATE)];
    page.value("build_info", &labels, 1);
    write_requests(&mut page);
    write_database(&mut page, app);
    write_disk(&mut page, app);
    if let Ok(Some(state)) = https::state(&app.config.https, &app.data_dir)
        && let Some(facts) = state.certificate
    {
        let help = "When the certificate expires, in seconds since 1970.";
        page.single("certificate_expiry_seconds", "gauge", help, facts.not_after.as_second());
    }
    let now = app.clock.now();
    if let Ok(kept) = app.db.query(move |connection| DatabaseFigures::read(connection, now)).await {
        kept.write(&mut page);
    }
    write_process(&mut page);
    page.0
}

fn write_requests(page: &mut Exposition) {
    page.begin("http_requests_total", "counter", "Requests by route template, method and status class.");
    for route in request_counts::asked() {
        for (method, class, count) in route.counts() {
            let labels = [("route", route.name.as_str()), ("method", method), ("status", class)];
            page.value("http_requests_total", &labels, count);
        }
    }
    page.begin("http_request_seconds", "histogram", "Time until the answer began, by route template.");
    for route in request_counts::asked() {
        page.histogram("http_request_seconds", &[("route", &route.name)], &route.seconds);
    }
    page.single("connections", "gauge", "Open connections.", meters::CONNECTIONS.get());
    let refused = meters::REFUSED_CONNECTIONS.get();
    page.single(
        "connections_refused_total",
        "counter",
        "Connections refused because too many were in use.",
        refused,
    );
    let evicted = meters::EVICTED_CONNECTIONS.get();
    page.single(
        "connections_evicted_total",
        "counter",
        "Idle or slow connections closed to make room for another.",
        evicted,
    );
    let timed_out = meters::TIMED_OUT_CONNECTIONS.get();
    page.single(
        "connections_timed_out_total",
        "counter",
        "Connections closed because they were idle or too slow for too long.",
        timed_out,
    );
    page.single("uploads_total", "counter", "Documents received.", meters::UPLOADS.get());
    page.single("uploaded_bytes_total", "counter", "Their bytes.", meters::UPLOADED_BYTES.get());
}

fn write_database(page: &mut Exposition, app: &App) {
    page.single("writes_waiting", "gauge", "Writes waiting for the writer.", app.db.waiting_writes());
    page.begin("commit_writes", "histogram", "Writes per commit.");
    page.histogram("commit_writes", &[], &meters::COMMIT_WRITES);
    page.begin("commit_seconds", "histogram", "Time from the start of a transaction until it is on disk.");
    page.histogram("commit_seconds", &[], &meters::COMMIT_SECONDS);
    page.single("commits_failed_total", "counter", "Failed commits.", meters::FAILED_COMMITS.get());
    page.begin("reader_wait_seconds", "histogram", "Waiting times for a read connection.");
    page.histogram("reader_wait_seconds", &[], &meters::READER_WAITS);
    page.single("passwords_waiting", "gauge", "Passwords waiting to be hashed.", app.passwords.waiting());
}

fn write_disk(page: &mut Exposition, app: &App) {
    let length = |name: &str| app.data_dir.join(name).metadata().map(|file| file.len());
    if let Ok(bytes) = length(DATABASE) {
        page.single("database_bytes", "gauge", "Size of the database file.", bytes);
    }
    // The file is missing after a clean shutdown, so its size is 0.
    let bytes = length("schoolhouse.db-wal").unwrap_or(0);
    page.single("wal_bytes", "gauge", "Size of the write-ahead log.", bytes);
    if let Ok(bytes) = app.disk.free() {
        page.single("disk_free_bytes", "gauge", "Free space on the disk of the data folder.", bytes);
    }
    let reserve = app.config.server.disk_reserve_mb.saturating_mul(1024 * 1024);
    page.single("disk_reserve_bytes", "gauge", "Uploads are refused below this much free space.", reserve);
}

/// Figures from the database.
struct DatabaseFigures {
    mails: HashMap<EmailStatus, i64>,
    oldest_mail_seconds: i64,
    /// Kind, limit, and number of emails not sent within a day.
    mails_not_sent: Vec<(Kind, Limit, i64)>,
    lost_documents: i64,
    /// Task, and seconds since its last success.
    maintenance: Vec<(TaskName, i64)>,
}

impl DatabaseFigures {
    fn read(connection: &Connection, now: Timestamp) -> Result<Self> {
        let mails =
            connection.list("select state, count(*) from outbox group by state", [])?.into_iter().collect();
        let sql = "select task, :now - succeeded_at from upkeep where succeeded_at is not null order by task";
        let maintenance = connection.list(sql, params![now = now.as_second()])?;
        let oldest_mail_seconds = mail::oldest_due_age(connection, now)?.unwrap_or(0);
        let mails_not_sent = mail::unsent::not_sent(connection, now)?;
        let lost_documents = faults::waiting(connection)?.count;
        Ok(Self { mails, oldest_mail_seconds, mails_not_sent, lost_documents, maintenance })
    }

    fn write(&self, page: &mut Exposition) {
        page.begin("mails", "gauge", "Emails by state.");
        for state in EmailStatus::ALL {
            page.value("mails", &[("state", state.as_str())], self.mails.get(state).unwrap_or(&0));
        }
        let oldest = self.oldest_mail_seconds;
        page.single("mail_oldest_queued_seconds", "gauge", "Age of the oldest queued email.", oldest);
        let help = "Emails not sent within the last day because of a budget.";
        page.begin("mails_not_sent", "gauge", help);
        for (kind, limit, count) in &self.mails_not_sent {
            page.value("mails_not_sent", &[("kind", kind.as_str()), ("limit", limit.as_str())], count);
        }
        page.single("documents_lost", "gauge", "Documents whose file is lost.", self.lost_documents);
        page.begin("upkeep_age_seconds", "gauge", "Time since the last successful backup, drill or check.");
        for (task, age) in &self.maintenance {
            page.value("upkeep_age_seconds", &[("task", task.as_str())], age);
        }
    }
}

/// From `/proc/self`, so on Linux only.
fn write_process(page: &mut Exposition) {
    if let Some(bytes) = resident_bytes() {
        page.single("process_resident_bytes", "gauge", "Memory in use.", bytes);
    }
    if let Ok(files) = std::fs::read_dir("/proc/self/fd") {
        page.single("process_open_files", "gauge", "Open files and connections.", files.count());
    }
    if let Some(threads) = std::fs::read_dir("/proc/self/task").ok().map(Iterator::count) {
        page.single("process_threads", "gauge", "Threads.", threads);
    }
    if let Some(start) = meters::STARTED.get() {
        let help = "When the server started, in seconds since 1970.";
        page.single("process_start_seconds", "gauge", help, start.as_second());
    }
}

fn resident_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let kilobytes = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(kilobytes.trim().strip_suffix(" kB")?.parse::<u64>().ok()? * 1024)
}
