//! "No space left" and "input/output error" at the writes of requests.
//!
//! A request that meets one is answered 5xx, with a sentence, or was durable all the same; nothing
//! is half done; the next requests succeed; and what was promised after the error outlives a kill.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use reqwest::multipart::{Form, Part};
use reqwest::{Body, StatusCode};
use tokio::io::{AsyncWriteExt, DuplexStream};
use tokio::task::JoinHandle;
use tokio_util::io::ReaderStream;

use crate::crowd::{CLIENTS, Errand};
use crate::figures::{Kind, Row};
use crate::plan::Plan;
use crate::stage::Stage;
use crate::support::{Answer, numbered_pdf, wait_for};
use crate::tracer::{SYNCS, Tracer, strike};

const ERRORS: [&str; 2] = ["ENOSPC", "EIO"];

fn errand(client: usize) -> Errand {
    match client % 8 {
        0 | 1 => Errand::Write,
        2 | 3 => Errand::Enroll,
        4 => Errand::Approve,
        _ => Errand::Upload(1500 * (client + 1)),
    }
}

fn all_clients() -> Vec<Vec<Errand>> {
    (0..CLIENTS).map(|client| vec![errand(client)]).collect()
}

/// Every one at first, then ever fewer: the later ones repeat what the first ones did.
fn occasions(plan: Plan) -> Vec<u32> {
    let all = std::iter::successors(Some(1_u32), |nth| Some(nth + 1 + nth / 6)).take(36).collect();
    plan.pick(all, vec![2, 12])
}

/// At the writes, syncs, cuts and names of the database, the documents and the emails.
pub async fn injected(plan: Plan) -> Vec<Row> {
    let mut stage = Stage::open().await;
    let database = stage.database_files();
    let calls: [(&str, &str, &[PathBuf]); 5] = [
        ("write of the database", "pwrite64", &database),
        ("sync of the database", SYNCS, &database),
        ("sync of a thread", SYNCS, &[]),
        ("name given", "rename", &[]),
        ("folder made", "mkdir", &[]),
    ];
    let mut rows = Vec::new();
    for (what, calls, paths) in calls {
        for error in ERRORS {
            let mut row = Row::new(&format!("{error} at a {what}"), Kind::Error);
            strike_each(&mut stage, &mut row, plan, &|nth| {
                strike(calls, &format!("error={error}"), nth, paths)
            })
            .await;
            rows.push(row);
        }
    }
    rows
}

async fn strike_each(
    stage: &mut Stage,
    row: &mut Row,
    plan: Plan,
    words: &(dyn Fn(u32) -> Vec<String> + Sync),
) {
    let mut refused = 0;
    for nth in occasions(plan) {
        let tracer = Tracer::attach(&stage.program.child, &words(nth));
        let outcome = stage.crowd.send(&stage.program.address, all_clients()).await;
        stage.drain_mail().await;
        let hits = tracer.finish().injected();
        if hits == 0 {
            break;
        }
        refused += outcome.refused;
        let mut problems = Vec::new();
        let ended = Instant::now();
        if stage.program.child.try_wait().unwrap().is_some() {
            // It may give up; then it must come back by itself.
            row.recovered(stage.restart().await);
        }
        let after = stage.crowd.send(&stage.program.address, all_clients()).await;
        row.recovered(ended.elapsed());
        if after.refused + after.cut > 0 {
            problems.push(format!("it does not recover: {after:?}"));
        }
        let (recovery, found) = stage.restart_and_inspect().await;
        row.recovered(recovery);
        problems.extend(found);
        row.count(&format!("at call {nth}"), &problems);
    }
    row.note = format!("{refused} requests refused");
}

/// At each write of one upload, while it arrives piece by piece.
pub async fn uploads_injected(plan: Plan) -> Vec<Row> {
    let mut stage = Stage::open().await;
    let mut rows = Vec::new();
    for error in ERRORS {
        let mut row = Row::new(&format!("{error} at each write of an upload"), Kind::Error);
        for nth in plan.occasions() {
            let number = 1_000_000 + rows.len() as u64 * 1000 + u64::from(nth);
            let (status, hits) = upload_in_pieces(&stage, number, nth, error).await;
            if hits == 0 {
                assert_eq!(status, StatusCode::CREATED);
                break;
            }
            let mut problems = stage.inspect();
            if !status.is_server_error() {
                problems.push(format!("answered {status}"));
            }
            if !temporary(stage.data()).is_empty() {
                problems.push("the torn upload stays in tmp/".into());
            }
            row.count(&format!("at write {nth}"), &problems);
        }
        let after = stage.crowd.send(&stage.program.address, all_clients()).await;
        assert_eq!(after.refused + after.cut, 0, "it does not recover");
        rows.push(row);
    }
    rows.last_mut().unwrap().recovered(stage.restart().await);
    rows
}

type Sent = JoinHandle<reqwest::Result<Answer>>;
const PIECE: usize = 16 * 1024;

/// Sends the first piece of a form, and waits until it lies in a file or is answered.
async fn begin_upload(stage: &Stage, bytes: &[u8]) -> (DuplexStream, Sent, Option<PathBuf>) {
    let (mut pen, paper) = tokio::io::duplex(PIECE);
    let part = Part::stream(Body::wrap_stream(ReaderStream::new(paper))).file_name("long.pdf");
    let form = Form::new().text("documentType", "other").part("document", part);
    let student = stage.crowd.student(&stage.program.address);
    let request = student.request("POST", "/api/students/documents").multipart(form);
    let answer = tokio::spawn(async move { student.attempt(request).await });
    let _ = pen.write_all(&bytes[..PIECE]).await;
    let file = wait_for(|| match temporary(stage.data()).pop() {
        None if !answer.is_finished() => None,
        found => Some(found),
    });
    let file = file.await;
    (pen, answer, file)
}

async fn upload_in_pieces(stage: &Stage, number: u64, nth: u32, error: &str) -> (StatusCode, usize) {
    let bytes = numbered_pdf(number, 20 * PIECE);
    let (mut pen, answer, file) = loop {
        // The connection of the upload before may just be closing, with the rest of it unread.
        if let (pen, answer, Some(file)) = begin_upload(stage, &bytes).await {
            break (pen, answer, file);
        }
    };
    let tracer =
        Tracer::attach(&stage.program.child, &strike("write", &format!("error={error}"), nth, &[file]));
    for piece in bytes[PIECE..].chunks(PIECE) {
        if pen.write_all(piece).await.is_err() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    drop(pen);
    let status = answer.await.unwrap().map_or(StatusCode::BAD_GATEWAY, |answer| answer.status);
    (status, tracer.finish().injected())
}

fn temporary(data: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(data.join("tmp")).unwrap().flatten().map(|entry| entry.path());
    entries.filter(|path| path.file_name().unwrap().to_string_lossy().starts_with(".tmp")).collect()
}
