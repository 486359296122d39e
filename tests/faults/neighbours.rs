//! Others on the same folder and machine: a second server, commands beside the first, and
//! strangers who hold every connection.

use std::net::TcpStream;
use std::process::Command;
use std::time::{Duration, Instant};

use reqwest::StatusCode;

use crate::crowd::{CLIENTS, Errand};
use crate::figures::{Kind, Row};
use crate::plan::Plan;
use crate::stage::{Stage, give, schoolhouse};
use crate::support::{Actor, PASSWORD};

/// A second server is refused, and commands do their work, while 32 clients write.
pub async fn on_one_folder(plan: Plan) -> Vec<Row> {
    let mut stage = Stage::open().await;
    let mut row = Row::new("a second server and commands beside 32 clients", Kind::Other);
    for round in 0..plan.pick(10, 2) {
        let (crowd, address) = (stage.crowd.clone(), stage.program.address.clone());
        let lists = vec![vec![Errand::Write, Errand::Enroll, Errand::Upload(4000), Errand::Approve]; CLIENTS];
        let work = tokio::spawn(async move { crowd.send(&address, lists).await });
        let data = stage.data().to_owned();
        let commands = tokio::task::spawn_blocking(move || run_commands(&data, round));
        let mut problems = commands.await.unwrap();
        let outcome = work.await.unwrap();
        if outcome.refused + outcome.cut > 0 {
            problems.push(format!("the server did not go on: {outcome:?}"));
        }
        problems.extend(stage.inspect());
        row.count(&format!("round {round}"), &problems);
    }
    vec![row]
}

fn run_commands(data: &std::path::Path, round: u32) -> Vec<String> {
    let mut problems = Vec::new();
    let second = schoolhouse(data).args(["serve", "--listen", "127.0.0.1:0"]).output().unwrap();
    let said = String::from_utf8_lossy(&second.stderr).into_owned();
    if second.status.code() != Some(1) || !said.contains("another schoolhouse is already serving") {
        problems.push(format!("a second server says: {said}"));
    }
    let name = format!("person{round}");
    let mut admin = schoolhouse(data);
    admin.args(["create-admin", "--username", &name, "--email", "p@school.example", "--password-stdin"]);
    let sheet = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/ontario-courses.csv");
    let mut import = schoolhouse(data);
    import.args(["import-courses", sheet]);
    let mut backup = schoolhouse(data);
    backup.arg("backup");
    for (what, output) in [
        ("create-admin", give(admin, PASSWORD.as_bytes())),
        ("import-courses", import.output().unwrap()),
        ("backup", backup.output().unwrap()),
    ] {
        if !output.status.success() {
            problems.push(format!("{what}: {}", String::from_utf8_lossy(&output.stderr)));
        }
    }
    problems
}

/// Strangers open more connections than the program may have files.
pub async fn hold_every_file(plan: Plan) -> Vec<Row> {
    let mut row = Row::new("file descriptors exhausted by idle connections", Kind::Other);
    let mut stage = Stage::open().await;
    let mut limit = Command::new("prlimit");
    limit.args([format!("--pid={}", stage.program.child.id()), "--nofile=64:64".into()]);
    assert!(limit.status().unwrap().success());
    let address = stage.program.address.trim_start_matches("http://").to_owned();
    for round in 0..plan.pick(5, 1) {
        let known = Actor::new(&stage.program.address);
        known.get("/healthz").await.expect(StatusCode::OK);
        let strangers: Vec<_> = (0..100).map(|_| TcpStream::connect(&address).unwrap()).collect();
        tokio::time::sleep(Duration::from_millis(300)).await;
        let mut problems = Vec::new();
        // Existing clients are served all the time.
        for _ in 0..5 {
            let answer = known.attempt(known.request("GET", "/api/courses")).await;
            if !answer.as_ref().is_ok_and(|answer| answer.status == StatusCode::OK) {
                problems.push(format!("a connection that was open is not served: {answer:?}"));
            }
        }
        let begun = Instant::now();
        drop(strangers);
        Actor::new(&stage.program.address).get("/readyz").await.expect(StatusCode::OK);
        row.recovered(begun.elapsed());
        let outcome = stage
            .crowd
            .send(&stage.program.address, vec![vec![Errand::Write, Errand::Upload(3000)]; 8])
            .await;
        if outcome.refused + outcome.cut > 0 {
            problems.push(format!("it does not recover: {outcome:?}"));
        }
        problems.extend(stage.inspect());
        row.count(&format!("round {round}"), &problems);
    }
    vec![row]
}
