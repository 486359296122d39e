//! `kill -9` at every sync to the disk, and at any moment, while 32 clients write.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::calls::Kind as Call;
use crate::crowd::{CLIENTS, Errand};
use crate::figures::{Kind, Row};
use crate::inspection;
use crate::plan::Plan;
use crate::stage::Stage;
use crate::tracer::{Tracer, kill_at_sync};

/// Messages with two emails each, registrations, enrollments and approvals with what belongs to them.
fn writes(client: usize) -> Vec<Errand> {
    match client {
        0..6 => vec![Errand::Write, Errand::Enroll],
        6..18 => vec![Errand::Enroll, Errand::Write],
        18..31 => vec![Errand::Enroll, Errand::Approve],
        _ => vec![Errand::Register],
    }
}

/// What an application, a message and an enrollment lead to, each call once.
fn calls(client: usize) -> Vec<Errand> {
    let [first, second] = match client {
        0..6 => [Call::Apply, Call::Offer],
        6..12 => [Call::Offer, Call::Apply],
        12..18 => [Call::Accept, Call::Apply],
        18..22 => [Call::Confirm, Call::Confirm],
        22..26 => [Call::Reply, Call::Reply],
        _ => [Call::Pay, Call::Pay],
    };
    let before = match client {
        18..22 => Errand::Ask,
        22..26 => Errand::Write,
        26..30 => Errand::Approve,
        _ => return vec![Errand::Call(first), Errand::Call(second)],
    };
    vec![Errand::Call(first), before, Errand::Call(second)]
}

/// One client alone, so that each call has its own commit.
fn calls_in_turn(client: usize) -> Vec<Errand> {
    let all = [Call::Apply, Call::Offer, Call::Accept, Call::Confirm, Call::Reply, Call::Pay];
    if client == 0 { all.map(Errand::Call).into() } else { Vec::new() }
}

fn uploads(client: usize) -> Vec<Errand> {
    vec![Errand::Upload(1000 + client * 3000); 2]
}

fn all_clients(errands: fn(usize) -> Vec<Errand>) -> Vec<Vec<Errand>> {
    (0..CLIENTS).map(errands).collect()
}

/// At every commit, then at every sync of whatever else writing causes, mail files among it.
pub async fn writes_struck(plan: Plan) -> Vec<Row> {
    let mut stage = Stage::open().await;
    let commits = stage.database_files();
    let mut committed = Row::new("kill -9 at each commit, 32 clients writing", Kind::Kill);
    strike_each(&mut stage, &mut committed, plan, writes, &commits).await;
    let mut synced = Row::new("kill -9 at each sync of a thread, 32 writing", Kind::Kill);
    strike_each(&mut stage, &mut synced, plan, writes, &[]).await;
    vec![committed, synced]
}

/// At every commit, then at every sync, of applications, offers, acceptances, confirmations, replies and payments. What
/// was not answered is sent again, and is done once.
pub async fn calls_struck(plan: Plan) -> Vec<Row> {
    let mut stage = Stage::open_with(&[("SCHOOLHOUSE_OFFICE_UNDO_SECONDS", "0")]).await;
    for _ in 0..3 {
        stage.take_stock().await;
        let outcome = stage.crowd.send(&stage.program.address, all_clients(calls)).await;
        assert_eq!(outcome.refused + outcome.cut, 0, "nothing disturbs the first calls");
        stage.drain_mail().await;
    }
    let commits = stage.database_files();
    let mut alone = Row::new("kill -9 at each commit, one call after the other", Kind::Kill);
    strike_each(&mut stage, &mut alone, plan, calls_in_turn, &commits).await;
    let mut committed = Row::new("kill -9 at each commit, 32 applying, paying, …", Kind::Kill);
    strike_each(&mut stage, &mut committed, plan, calls, &commits).await;
    let mut synced = Row::new("kill -9 at each sync of a thread, 32 applying, …", Kind::Kill);
    strike_each(&mut stage, &mut synced, plan, calls, &[]).await;
    let promises = stage.crowd.promises.lock().unwrap();
    let made = promises.calls.iter().map(|(kind, made)| format!("{kind:?} {}", made.len()));
    synced.note = format!("{}; {}", synced.note, made.collect::<Vec<_>>().join(", "));
    drop(promises);
    vec![alone, committed, synced]
}

/// All that is done with money, one after the other.
const MONEY: [Call; 19] = [
    Call::Hold,
    Call::Charge,
    Call::Pay,
    Call::Waive,
    Call::Plan,
    Call::Refund,
    Call::PayOut,
    Call::Allocate,
    Call::Move,
    Call::Deposit,
    Call::Reverse,
    Call::Void,
    Call::ChargeUnpriced,
    Call::Import,
    Call::PostLine,
    Call::UndoImport,
    Call::Invoice,
    Call::CancelInvoice,
    Call::ReversePayout,
];

fn money_in_turn(client: usize) -> Vec<Errand> {
    if client == 0 { MONEY.map(Errand::Call).into() } else { Vec::new() }
}

/// Two of them each, and something new to do them with.
fn money(client: usize) -> Vec<Errand> {
    let call = |place: usize| Errand::Call(MONEY[place % MONEY.len()]);
    vec![call(client), Errand::Approve, call(client + 6)]
}

/// At every commit of what is done with money, and at every sync; under its key each is done once.
pub async fn money_struck(plan: Plan) -> Vec<Row> {
    let mut stage = Stage::open().await;
    stage.enroll_unpriced(plan.pick(30, 4)).await;
    let opening =
        [vec![Errand::Enroll; 4], vec![Errand::Approve; 4], MONEY.map(Errand::Call).into()].concat();
    for _ in 0..2 {
        stage.take_stock().await;
        let outcome = stage.crowd.send(&stage.program.address, vec![opening.clone(); 8]).await;
        assert_eq!(outcome.refused + outcome.cut, 0, "nothing disturbs the first calls");
    }
    stage.drain_mail().await;
    let commits = stage.database_files();
    let mut alone = Row::new("kill -9 at each commit, one change of money after the other", Kind::Kill);
    strike_each(&mut stage, &mut alone, plan, money_in_turn, &commits).await;
    let mut rows = vec![alone];
    if plan.is_full {
        for (name, paths) in [("commit", &commits[..]), ("sync of a thread", &[])] {
            let mut row = Row::new(&format!("kill -9 at each {name}, 32 changing money"), Kind::Kill);
            strike_each(&mut stage, &mut row, plan, money, paths).await;
            rows.push(row);
        }
    }
    let promises = stage.crowd.promises.lock().unwrap();
    let made = promises.calls.iter().map(|(kind, made)| format!("{kind:?} {}", made.len()));
    let made = made.collect::<Vec<_>>().join(", ");
    drop(promises);
    if let Some(last) = rows.last_mut() {
        last.note = format!("{}; {made}", last.note);
    }
    rows
}

/// At every sync: of the file, its folder, its folder's folder, and the row.
pub async fn uploads_struck(plan: Plan) -> Vec<Row> {
    let mut stage = Stage::open().await;
    let mut any = Row::new("kill -9 at each sync of a thread, 32 uploading", Kind::Kill);
    strike_each(&mut stage, &mut any, plan, uploads, &[]).await;
    let mut rows = vec![any];
    let documents = [stage.data().join("documents")];
    let commits = stage.database_files();
    for (name, paths) in [("documents' folder", &documents[..]), ("rows", &commits)] {
        let mut row = Row::new(&format!("kill -9 at each sync of the {name}, 32 uploading"), Kind::Kill);
        strike_each(&mut stage, &mut row, plan, uploads, paths).await;
        rows.push(row);
    }
    rows
}

/// At every sync where documents are encrypted: whole or not there, and never in the clear.
pub async fn encrypted_uploads_struck(plan: Plan) -> Vec<Row> {
    let mut stage = Stage::open_encrypted().await;
    let mut row = Row::new("kill -9 at each sync of a thread, 32 uploading, encrypted", Kind::Kill);
    strike_each(&mut stage, &mut row, plan, uploads, &[]).await;
    let is_clear = |path: &PathBuf| {
        let bytes = std::fs::read(path).unwrap();
        bytes.windows(8).any(|window| window == b"%PDF-1.7")
    };
    let clear = inspection::files(stage.data()).into_iter().filter(is_clear);
    let problems: Vec<_> = clear.map(|path| format!("{} is in the clear", path.display())).collect();
    row.count("what is left", &problems);
    vec![row]
}

/// Strikes at the first sync, the second, and so on until the work is done without being struck.
async fn strike_each(
    stage: &mut Stage,
    row: &mut Row,
    plan: Plan,
    errands: fn(usize) -> Vec<Errand>,
    paths: &[PathBuf],
) {
    let mut places = BTreeMap::new();
    for nth in plan.occasions() {
        stage.take_stock().await;
        let tracer = Tracer::attach(&stage.program.child, &kill_at_sync(nth, paths));
        let outcome = stage.crowd.send(&stage.program.address, all_clients(errands)).await;
        if outcome.cut == 0 {
            stage.drain_mail().await;
        }
        let trace = tracer.finish();
        if outcome.cut == 0 && !trace.was_struck() {
            break;
        }
        assert!(stage.has_ended().await, "the connection was cut but the program goes on");
        let place = trace.killed_at().map_or("?".to_owned(), |path| kind_of(path, stage.data()));
        let (recovery, mut problems) = stage.restart_and_inspect().await;
        if outcome.refused > 0 {
            problems.push(format!("{} refused without a reason", outcome.refused));
        }
        row.recovered(recovery);
        row.count(&format!("at sync {nth} ({place})"), &problems);
        *places.entry(place).or_insert(0) += 1;
    }
    let places: Vec<_> = places.iter().map(|(place, times)| format!("{place} {times}")).collect();
    row.note = places.join(", ");
}

/// What kind of file it is, whatever its name.
fn kind_of(path: &Path, data: &Path) -> String {
    let path = path.strip_prefix(data).unwrap_or(path).to_string_lossy().into_owned();
    match path.split('/').collect::<Vec<_>>()[..] {
        ["schoolhouse.db"] => "database".into(),
        ["schoolhouse.db-wal"] => "log".into(),
        ["tmp", _] => "upload".into(),
        ["documents"] => "documents".into(),
        ["documents", _] => "document folder".into(),
        ["mail"] => "mail folder".into(),
        ["mail", _] => "email".into(),
        _ => path,
    }
}

/// Any moment of mixed work.
pub async fn at_random(plan: Plan) -> Vec<Row> {
    let mut stage = Stage::open().await;
    let mut row = Row::new("kill -9 at any moment, 32 writing and uploading", Kind::Kill);
    let mut rng = plan.rng();
    for round in 0..plan.pick(100, 5) {
        let (crowd, address) = (stage.crowd.clone(), stage.program.address.clone());
        let lists = (0..CLIENTS)
            .map(|client| [uploads(client), writes(client), writes(client), uploads(client)].concat())
            .collect();
        let work = tokio::spawn(async move { crowd.send(&address, lists).await });
        tokio::time::sleep(Duration::from_micros(rng.u64(..400_000))).await;
        stage.kill();
        work.await.unwrap();
        let (recovery, problems) = stage.restart_and_inspect().await;
        row.recovered(recovery);
        row.count(&format!("round {round}"), &problems);
    }
    let (swept, problems) = stage.sweep().await;
    if !problems.is_empty() {
        row.count("a day later", &problems);
    }
    row.note = format!("{swept} files without a row were swept a day later");
    vec![row]
}
