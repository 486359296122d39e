//! Durability by the order of system calls: `kill -9` is no power loss, but no answer may leave
//! before everything that it promises was brought to the disk.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::calls::Kind as Call;
use crate::crowd::Errand;
use crate::figures::{Kind, Row};
use crate::plan::Plan;
use crate::stage::Stage;
use crate::tracer::Tracer;

const CALLS: &str = "--trace=fsync,fdatasync,pwrite64,write,ftruncate,rename,writev,sendto";
/// The mailer may write to the log of the database while an answer leaves, which is not its affair.
/// An answer that did not wait would be early every time.
const TRIALS: usize = 8;

/// One client's write of each kind, traced.
pub async fn responses_wait(plan: Plan) -> Vec<Row> {
    let mut stage = Stage::open_with(&[("SCHOOLHOUSE_OFFICE_UNDO_SECONDS", "0")]).await;
    let mut row = Row::new("no answer before its sync, by the trace", Kind::Other);
    for _ in 0..plan.pick(4, 1) {
        for errand in [
            Errand::Write,
            Errand::Register,
            Errand::Enroll,
            Errand::Ask,
            Errand::Approve,
            Errand::Upload(300_000),
            Errand::Call(Call::Apply),
            Errand::Call(Call::Offer),
            Errand::Call(Call::Accept),
            Errand::Call(Call::Confirm),
            Errand::Call(Call::Reply),
            Errand::Call(Call::Pay),
        ] {
            let mut early = Vec::new();
            for _ in 0..TRIALS {
                stage.drain_mail().await;
                stage.take_stock().await;
                let tracer =
                    Tracer::attach(&stage.program.child, &[CALLS.into(), "--string-limit=200".into()]);
                let outcome = stage.crowd.send(&stage.program.address, vec![vec![errand]]).await;
                assert_eq!(outcome.kept, 1, "{errand:?}");
                early = unsynced_at_answer(&tracer.finish().0, stage.data());
                if early.is_empty() {
                    break;
                }
            }
            row.count(&format!("{errand:?}"), &early);
        }
    }
    row.note = "each waits for the file, its folder and the row".into();
    vec![row]
}

/// What had been written, or had got a name, and was not yet on the disk when the first answer left;
/// emails, which are on their own way, do not count.
fn unsynced_at_answer(trace: &str, data: &Path) -> Vec<String> {
    let data = data.to_str().unwrap();
    let mut pending: BTreeSet<String> = BTreeSet::new();
    let mut syncing = BTreeMap::new();
    let mut syncs = 0;
    for line in trace.lines() {
        let (thread, call) = line.split_once(' ').unwrap();
        let call = call.trim_start();
        if call.contains("HTTP/1.1 2") {
            let mut early: Vec<_> = pending.iter().map(|path| format!("{path} is not synced")).collect();
            if syncs == 0 {
                early.push("nothing was synced".into());
            }
            return early;
        }
        if call.starts_with("rename(") {
            // A name is in its folder: rename("from", "to").
            let to = call.split('"').nth(3).unwrap();
            if to.starts_with(&format!("{data}/documents")) {
                pending.insert(Path::new(to).parent().unwrap().to_str().unwrap().to_owned());
            }
            continue;
        }
        let path =
            call.split_once('<').and_then(|(_, rest)| rest.split_once('>')).map(|(path, _)| path.to_owned());
        let is_sync = call.contains("sync");
        if is_sync && call.ends_with("<unfinished ...>") {
            syncing.insert(thread, path.unwrap());
        } else if is_sync && call.ends_with("= 0") {
            let path =
                if call.contains("resumed>") { syncing.remove(thread).unwrap() } else { path.unwrap() };
            pending.remove(&path);
            syncs += 1;
        } else if let Some(path) = path.filter(|path| path.starts_with(data))
            && !path.starts_with(&format!("{data}/mail"))
        {
            pending.insert(path);
        }
    }
    vec!["no answer is in the trace".into()]
}
