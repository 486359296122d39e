//! Metrics for Prometheus.

use std::collections::HashMap;
use std::net::TcpListener;
use std::process::Command;

use reqwest::StatusCode;
use serde_json::json;

use crate::cli::run;
use crate::support::{Actor, PASSWORD, PDF, Program, profile, read_spool, wait_for};

/// A port that was free a moment ago.
fn free() -> String {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string()
}

/// Every value by its name with labels; the format is checked on the way.
fn read(page: &str) -> HashMap<String, f64> {
    let mut kinds = HashMap::new();
    let mut values = HashMap::new();
    for line in page.lines() {
        if let Some(kind) = line.strip_prefix("# TYPE ") {
            let (name, kind) = kind.split_once(' ').unwrap();
            assert!(kinds.insert(name.to_owned(), kind.to_owned()).is_none(), "{name} twice");
        } else if !line.starts_with("# HELP ") {
            let (name, value) = line.rsplit_once(' ').unwrap();
            let bare = name.split('{').next().unwrap();
            let family = ["_bucket", "_sum", "_count"].iter().find_map(|end| bare.strip_suffix(end));
            assert!(
                kinds.contains_key(bare) || family.is_some_and(|name| kinds[name] == "histogram"),
                "{line}"
            );
            assert!(values.insert(name.to_owned(), value.parse().unwrap()).is_none(), "{name} twice");
        }
    }
    values
}

#[tokio::test]
async fn the_metrics_count_events_without_personal_data() {
    let folder = tempfile::tempdir().unwrap();
    let address = free();
    let program = Program::serve(folder.path(), &[("SCHOOLHOUSE_METRICS_LISTEN", &address)]);
    let (visitor, prometheus) = (Actor::new(&program.address), Actor::new(&format!("http://{address}")));
    visitor.get("/metrics").await.expect(StatusCode::NOT_FOUND);
    visitor.register("recognisable@mail.example").await;
    let mail = wait_for(|| read_spool(&folder.path().join("mail")).pop()).await;
    let token = mail.token("/student/verify/");
    visitor.get(&format!("/api/students/verify/{token}")).await.expect(StatusCode::OK);
    visitor.get("/api/students/verify/another").await.expect(StatusCode::NOT_FOUND);
    visitor.get("/recognisable/page?q=recognisable").await.expect(StatusCode::NOT_FOUND);
    visitor.get("/api/recognisable").await.expect(StatusCode::NOT_FOUND);
    visitor.send(visitor.request("BREW", "/api/contact")).await;
    visitor.log_in("recognisable@mail.example", PASSWORD).await.expect(StatusCode::OK);
    visitor.patch("/api/students/me", &profile("recognisable@mail.example")).await.expect(StatusCode::OK);
    visitor.upload("other", "recognisable.pdf", PDF.to_vec()).await.expect(StatusCode::CREATED);
    visitor.post("/api/login", &json!({ "username": "x", "password": "y" })).await;
    rusqlite::Connection::open(folder.path().join("schoolhouse.db"))
        .unwrap()
        .execute("insert into mail_hours values (unixepoch() / 3600, 'verification', 'recipient', 1)", [])
        .unwrap();
    rusqlite::Connection::open(folder.path().join("schoolhouse.db"))
        .unwrap()
        .execute("insert or replace into upkeep (task, since, succeeded_at) values ('backup', 0, unixepoch() - 100)", [])
        .unwrap();

    let answer = prometheus.get("/metrics").await.expect(StatusCode::OK);
    assert_eq!(answer.header("content-type"), "text/plain; version=0.0.4; charset=utf-8");
    let page = answer.text();
    assert!(!page.contains("recognisable") && !page.contains(&token), "{page}");
    let values = read(&page);
    let requests = |route: &str, method: &str, status: &str| {
        let name = format!(
            "schoolhouse_http_requests_total{{route=\"{route}\",method=\"{method}\",status=\"{status}\"}}"
        );
        values.get(&name).copied().unwrap_or(0.0)
    };
    assert_eq!(requests("/api/students/verify/{token}", "GET", "2xx"), 1.0, "{page}");
    assert_eq!(requests("/api/students/verify/{token}", "GET", "4xx"), 1.0);
    assert_eq!(requests("(page)", "GET", "4xx"), 2.0, "{page}");
    assert_eq!(requests("/api/{*rest}", "GET", "4xx"), 1.0);
    assert_eq!(requests("/api/contact", "other", "4xx"), 1.0, "{page}");
    assert_eq!(requests("/api/login", "POST", "4xx"), 1.0);
    let histogram = "schoolhouse_http_request_seconds_count{route=\"/api/students/verify/{token}\"}";
    assert_eq!(values[histogram], 2.0);
    let value = |name: &str| values[&format!("schoolhouse_{name}")];
    assert_eq!(value("uploads_total"), 1.0);
    assert_eq!(value("uploaded_bytes_total"), PDF.len() as f64);
    assert_eq!(value("mails{state=\"sent\"}"), 1.0);
    assert_eq!(value("mail_oldest_queued_seconds"), 0.0);
    assert_eq!(value("mails_not_sent{kind=\"verification\",limit=\"recipient\"}"), 1.0, "{page}");
    assert_eq!(value("writes_waiting"), 0.0);
    assert_eq!(value("commits_failed_total"), 0.0);
    assert!(value("connections") >= 1.0 && value("connections") <= 10.0);
    assert!(
        value("commit_seconds_count") >= 5.0 && value("commit_writes_sum") >= value("commit_seconds_count")
    );
    assert!((100.0..200.0).contains(&value("upkeep_age_seconds{task=\"backup\"}")), "{page}");
    for name in
        ["database_bytes", "wal_bytes", "disk_free_bytes", "process_resident_bytes", "process_open_files"]
    {
        assert!(value(name) > 1.0, "{name}: {page}");
    }
    assert!(value("process_start_seconds") > 1.7e9);
    let release = format!("build_info{{version=\"{}\",commit=", env!("CARGO_PKG_VERSION"));
    assert!(page.lines().any(|line| line.contains(&release) && line.ends_with("\"} 1")), "{page}");
}

#[test]
fn without_an_address_there_are_no_figures_and_a_taken_one_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let output = Command::new(env!("CARGO_BIN_EXE_schoolhouse"))
        .args(["--data-dir", folder.path().to_str().unwrap(), "serve", "--listen", "127.0.0.1:0"])
        .env_clear()
        .env("SCHOOLHOUSE_METRICS_LISTEN", &address)
        .output()
        .unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && error.contains(&address), "{error}");
    assert!(run(folder.path(), &["config", "check"]).status.success());
}
