//! One visitor, or one student, with as many connections as there are: the server's threads, memory and files
//! stay within bounds, and the others are served.

use std::net::Ipv4Addr;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use reqwest::StatusCode;
use reqwest::header::{ACCEPT_ENCODING, RETRY_AFTER};
use reqwest::multipart::{Form, Part};
use tokio::sync::Barrier;
use tokio::task::JoinSet;

use crate::support::{Actor, Unread, noise};
use crate::table::{Plan, Row};
use crate::target::Target;

/// What a flood may cost beyond what the server has before it.
const MAX_MIB: f64 = 96.0;
const MAX_THREADS: i64 = 48;
/// How long the full form floods.
const FLOOD: Duration = Duration::from_secs(8);

pub async fn attack(plan: Plan) -> Vec<Row> {
    let mut rows = vec![searches(plan, 100, 1).await];
    if plan.pick(true, false) {
        rows.push(searches(plan, 960, 8).await);
    }
    rows.push(unread(plan).await);
    rows.push(pictures(plan).await);
    rows.push(downloads(plan).await);
    rows
}

/// A school with a whole catalogue.
async fn with_courses() -> Target {
    let target = Target::open().await;
    let sheet = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/ontario-courses.csv");
    let mut import = Command::new(env!("CARGO_BIN_EXE_schoolhouse"));
    import.arg("--data-dir").arg(target.path()).arg("import-courses").arg(sheet);
    let status = import.env_clear().stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap();
    assert!(status.success(), "the catalogue is there");
    target
}

/// A figure of the server's process, as Linux tells it.
fn figure(target: &Target, name: &str) -> i64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", target.program.child.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

fn mib(target: &Target, name: &str) -> f64 {
    figure(target, name) as f64 / 1024.0
}

/// A search in the catalogue that differs from every other, so that nothing kept answers it.
async fn searches(plan: Plan, connections: u32, addresses: u32) -> Row {
    let mut row = Row::new(&format!("searches over {connections} connections"));
    let target = Arc::new(with_courses().await);
    let other = target.visitor_at(500);
    // Common pages are cached from now on.
    for path in HONEST {
        look(&other, path).await.expect("a page");
    }
    let (memory, threads) = (mib(&target, "VmRSS:"), figure(&target, "Threads:"));
    let (is_over, refused) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
    let begin = Arc::new(Barrier::new(connections as usize));
    let end = Instant::now() + FLOOD;
    let strangers: Vec<_> = (0..addresses).map(|number| Arc::new(target.visitor_at(number))).collect();
    let mut flood = JoinSet::new();
    for number in 0..connections {
        let stranger = strangers[(number % addresses) as usize].clone();
        let (begin, refused) = (begin.clone(), refused.clone());
        flood.spawn(async move {
            begin.wait().await;
            let mut broken = Vec::new();
            let mut round = 0;
            while round < 3 || (plan.pick(true, false) && Instant::now() < end) {
                let path = format!("/courses?grade=12&q=e{number}-{round}");
                let request = stranger.request("GET", &path).header(ACCEPT_ENCODING, "br");
                round += 1;
                // Beyond its connections it may be turned away, or ended for another.
                let Ok(answer) = stranger.attempt(request).await else { continue };
                let waits = answer.headers.contains_key(RETRY_AFTER);
                match answer.status.as_u16() {
                    200 => {}
                    503 | 429 if waits => drop(refused.fetch_add(1, Ordering::Relaxed)),
                    status => broken.push(format!("{path}: {status}")),
                }
            }
            (round, broken)
        });
    }
    let honest = tokio::spawn({
        let is_over = is_over.clone();
        async move { visit(&other, plan.pick(usize::MAX, 20), &is_over).await }
    });
    let (mut asked, mut most) = (0, 0);
    while let Some(done) = flood.join_next().await {
        let (round, broken): (u32, Vec<String>) = done.unwrap();
        asked += round;
        for what in broken {
            row.check(false, || what);
        }
        most = most.max(figure(&target, "Threads:"));
    }
    most = most.max(figure(&target, "Threads:"));
    is_over.store(true, Ordering::Relaxed);
    let looks = honest.await.unwrap();
    let mut took = [Vec::new(), Vec::new()];
    for (number, look) in looks.into_iter().enumerate() {
        row.tried(look.is_ok(), || look.clone().unwrap_err());
        took[number % HONEST.len()].extend(look);
    }
    let peak = mib(&target, "VmHWM:");
    row.check(peak - memory < MAX_MIB, || format!("{memory:.0} MiB of memory became {peak:.0}"));
    row.check(most - threads < MAX_THREADS, || format!("{threads} threads became {most}"));
    row.check(target.is_well().await, || "the server is not well".into());
    let refused = refused.load(Ordering::Relaxed);
    let [home, catalogue] = took.map(p90);
    row.noted(format!(
        "{asked} searches, {refused} refused; memory {memory:.0} to {peak:.0} MiB, threads {threads} to {most}; \
         others' p90 {home} ms for the home page, {catalogue} ms for the catalogue"
    ))
}

/// In milliseconds.
fn p90(mut took: Vec<Duration>) -> u128 {
    took.sort_unstable();
    took.get(took.len() * 9 / 10).map_or(0, Duration::as_millis)
}

/// What the others ask for: the home page and the catalogue.
const HONEST: [&str; 2] = ["/", "/courses"];

async fn look(visitor: &Actor, path: &str) -> Result<Duration, String> {
    let begun = Instant::now();
    let request = visitor.request("GET", path).header(ACCEPT_ENCODING, "br");
    match visitor.attempt(request).await {
        Ok(answer) if answer.status == StatusCode::OK => Ok(begun.elapsed()),
        Ok(answer) => Err(format!("another visitor's {path}: {}", answer.status)),
        Err(error) => Err(format!("another visitor's {path}: {error}")),
    }
}

/// Another visitor, who looks at a page now and then: how long each took, or why it was not shown.
async fn visit(visitor: &Actor, at_most: usize, is_over: &AtomicBool) -> Vec<Result<Duration, String>> {
    let mut looks = Vec::new();
    for path in HONEST.iter().cycle().take(at_most) {
        looks.push(look(visitor, path).await);
        if is_over.load(Ordering::Relaxed) && looks.len() >= 20 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    looks
}

/// From one address.
const STRANGER: Ipv4Addr = Ipv4Addr::new(127, 4, 0, 1);

/// Searches whose answers are not read: what waits for a reader is bounded, too.
async fn unread(plan: Plan) -> Row {
    let mut row = Row::new("searches whose answers are not read");
    let target = with_courses().await;
    let visitor = target.visitor_at(500);
    let memory = mib(&target, "VmRSS:");
    let mut held = Vec::new();
    for number in 0..plan.pick(120, 40) {
        let path = format!("/courses?grade=9&q=+{number}");
        let asked = Unread::ask(STRANGER, target.address(), &path, "").await;
        row.tried(matches!(asked.status, 200 | 503), || format!("search {number}: {}", asked.status));
        held.push(asked);
    }
    let sent = held.iter().filter(|asked| asked.status == 200).count();
    row.check(sent <= 20, || format!("{sent} answers wait for their reader"));
    let answer = visitor.get("/courses?q=english").await;
    row.check(answer.status.is_success(), || format!("another visitor's search: {}", answer.status));
    row.noted(format!("{sent} wait; memory {memory:.0} to {:.0} MiB", mib(&target, "VmHWM:")))
}

/// A large picture of the site, asked for over and over and not read.
async fn pictures(plan: Plan) -> Row {
    let mut row = Row::new("pictures of the site that are not read");
    let target = Target::open().await;
    let office = target.office().await;
    let file = Part::bytes(noise(960, 1)).file_name("noise.png");
    let form = Form::new().part("picture", file);
    let made = office.send(office.request("POST", "/api/admin/pictures").multipart(form)).await;
    let made = made.expect(StatusCode::CREATED).json();
    let largest = made["srcset"].as_str().unwrap().split(", ").last().unwrap().split(' ').next().unwrap();
    let size = office.get(largest).await.expect(StatusCode::OK).bytes.len();
    let memory = mib(&target, "VmRSS:");
    let mut held = Vec::new();
    for number in 0..plan.pick(120, 60) {
        let asked = Unread::ask(STRANGER, target.address(), largest, "").await;
        row.tried(asked.status == 200, || format!("picture {number}: {}", asked.status));
        held.push(asked);
    }
    let (now, size) = (mib(&target, "VmRSS:"), size as f64 / 1024.0 / 1024.0);
    row.check(now - memory < 20.0 * size, || format!("{memory:.0} MiB of memory became {now:.0}"));
    row.noted(format!("{} times {size:.1} MiB; memory {memory:.0} to {now:.0} MiB", held.len()))
}

/// One student takes everything home many times at once, and reads next to nothing of it.
async fn downloads(plan: Plan) -> Row {
    let mut row = Row::new("everything about a student, twenty times and unread");
    let target = Target::open().await;
    let (student, _) = target.student("amara").await;
    for number in 0..plan.pick(20, 2) {
        student.upload("other", "noise.png", noise(1500, number)).await.expect(StatusCode::CREATED);
    }
    let fields = format!("cookie: {}\r\n", student.cookies("amara@mail.example").await);
    let memory = mib(&target, "VmRSS:");
    let mut held = Vec::new();
    for number in 0..20 {
        let asked = Unread::ask(STRANGER, target.address(), "/api/students/archive", &fields).await;
        row.tried(matches!(asked.status, 200 | 503), || format!("download {number}: {}", asked.status));
        held.push(asked);
    }
    let sent = held.iter().filter(|asked| asked.status == 200).count();
    row.check(sent == 1, || format!("{sent} are on their way at once"));
    let nameless = nameless_bytes(&target);
    row.check(nameless == 0, || format!("{nameless} bytes of nameless files"));
    let peak = mib(&target, "VmHWM:");
    row.check(peak - memory < MAX_MIB, || format!("{memory:.0} MiB of memory became {peak:.0}"));
    row.check(target.is_well().await, || "the server is not well".into());
    row.noted(format!("{sent} on its way, {nameless} bytes of files; memory {memory:.0} to {peak:.0} MiB"))
}

/// Bytes of the data folder's files that have no name any more and that the server still holds open.
fn nameless_bytes(target: &Target) -> u64 {
    let folder = format!("/proc/{}/fd", target.program.child.id());
    let open = std::fs::read_dir(folder).unwrap().flatten();
    let nameless = open.filter(|file| {
        let name = std::fs::read_link(file.path()).unwrap_or_default();
        name.starts_with(target.path()) && name.to_string_lossy().ends_with("(deleted)")
    });
    nameless.filter_map(|file| Some(std::fs::metadata(file.path()).ok()?.len())).sum()
}
