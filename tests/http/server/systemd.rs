//! The service as systemd sees it: what it is notified of, and what the units allow.

use std::collections::BTreeSet;
use std::os::unix::net::UnixDatagram;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use reqwest::StatusCode;
use tempfile::TempDir;

use crate::support::{Actor, PASSWORD, PDF, TIMEOUT, profile, read_spool, wait_for};

const UNITS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/systemd");

/// The real binary under an ear of our own in systemd's place.
struct Service {
    child: Child,
    folder: TempDir,
    ear: UnixDatagram,
}

impl Service {
    fn start(watchdog: Duration, command: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let socket = folder.path().join("notify");
        let ear = UnixDatagram::bind(&socket).unwrap();
        ear.set_read_timeout(Some(TIMEOUT)).unwrap();
        let program: Vec<&str> = command.iter().copied().chain([env!("CARGO_BIN_EXE_schoolhouse")]).collect();
        let child = Command::new(program[0])
            .args(&program[1..])
            .args([
                "--data-dir",
                folder.path().join("data").to_str().unwrap(),
                "serve",
                "--listen",
                "127.0.0.1:0",
            ])
            .env_clear()
            .env("PATH", "/usr/bin:/bin")
            .env("NOTIFY_SOCKET", &socket)
            .env("WATCHDOG_USEC", watchdog.as_micros().to_string())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        Self { child, folder, ear }
    }

    /// The next message, unless none comes for a while.
    fn hear(&self, wait: Duration) -> Option<String> {
        self.ear.set_read_timeout(Some(wait)).unwrap();
        let mut buffer = [0; 1024];
        let length = self.ear.recv(&mut buffer).ok()?;
        Some(String::from_utf8_lossy(&buffer[..length]).into_owned())
    }

    /// Everything up to the message that holds these words.
    #[track_caller]
    fn hear_until(&self, words: &str) -> Vec<String> {
        let (start, mut heard) = (Instant::now(), Vec::new());
        while start.elapsed() < TIMEOUT {
            heard.extend(self.hear(TIMEOUT));
            if heard.last().is_some_and(|message| message.contains(words)) {
                return heard;
            }
        }
        panic!("never heard {words}, but {:?}", heard.last());
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    fn terminate(&self) {
        let pid = rustix::process::Pid::from_child(&self.child);
        rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn systemd_is_notified_of_ready_alive_and_stopping_and_of_nothing_while_the_database_hangs() {
    let period = Duration::from_millis(600);
    let mut service = Service::start(period, &[]);
    let start = service.hear_until("READY=1");
    assert!(start.iter().any(|message| message.contains("EXTEND_TIMEOUT_USEC=60000000")), "{start:?}");
    assert!(start.last().unwrap().contains("STATUS=Serving Northgate Academy on 127.0.0.1:"), "{start:?}");
    service.hear_until("WATCHDOG=1");
    service.hear_until("WATCHDOG=1");

    // Another process has the write lock and keeps it.
    let other = rusqlite::Connection::open(service.data().join("schoolhouse.db")).unwrap();
    other.execute_batch("begin immediate").unwrap();
    // What was fed before may still be on its way.
    service.hear_until("STATUS=The database does not answer");
    let heard = service.hear(4 * period);
    assert_eq!(heard, None, "the watchdog is fed although nothing can be written");
    other.execute_batch("rollback").unwrap();
    service.hear_until("WATCHDOG=1");

    service.terminate();
    service.hear_until("STOPPING=1");
    assert!(service.child.wait().unwrap().success());
}

fn analyze(arguments: &[&str]) -> String {
    let output = Command::new("systemd-analyze").args(arguments).output().unwrap();
    String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap()
}

fn units() -> Vec<PathBuf> {
    let mut units: Vec<_> = std::fs::read_dir(UNITS).unwrap().map(|entry| entry.unwrap().path()).collect();
    let kinds = ["service", "socket", "timer"];
    units.retain(|path| path.extension().is_some_and(|kind| kinds.iter().any(|known| kind == *known)));
    units.sort();
    units
}

#[test]
fn the_units_are_right_and_their_exposure_is_at_most_1_5() {
    // systemd-analyze wants the program to be where the unit says.
    let folder = tempfile::tempdir().unwrap();
    for unit in units() {
        let text = std::fs::read_to_string(&unit).unwrap();
        let text = text.replace("/usr/bin/schoolhouse", env!("CARGO_BIN_EXE_schoolhouse"));
        std::fs::write(folder.path().join(unit.file_name().unwrap()), text).unwrap();
    }
    for unit in units() {
        let copy = folder.path().join(unit.file_name().unwrap());
        let name = unit.file_name().unwrap().to_str().unwrap().to_owned();
        let found = analyze(&["verify", "--man=no", copy.to_str().unwrap()]);
        assert_eq!(found, "", "{name}");
        if !name.ends_with(".service") {
            continue;
        }
        let found = analyze(&["security", "--offline=true", "--no-pager", copy.to_str().unwrap()]);
        let score = found.lines().last().unwrap().rsplit(": ").next().unwrap();
        println!("{name}: {score}");
        let score: f32 = score.split(' ').next().unwrap().parse().unwrap();
        assert!(score <= 1.5, "{name}: {found}");
    }
}

/// The calls of systemd's set and of the sets within it.
fn calls_of(set: &str) -> BTreeSet<String> {
    analyze(&["syscall-filter", "--no-pager", set])
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#') && *line != set)
        .flat_map(
            |line| if line.starts_with('@') { calls_of(line) } else { BTreeSet::from([line.to_owned()]) },
        )
        .collect()
}

fn allowed(unit: &Path) -> BTreeSet<String> {
    let mut allowed = BTreeSet::new();
    let text = std::fs::read_to_string(unit).unwrap();
    for line in text.lines().filter_map(|line| line.strip_prefix("SystemCallFilter=")) {
        let (is_denied, sets) = line.strip_prefix('~').map_or((false, line), |sets| (true, sets));
        for set in sets.split(' ') {
            let calls = if set.starts_with('@') { calls_of(set) } else { BTreeSet::from([set.to_owned()]) };
            if is_denied {
                allowed.retain(|call| !calls.contains(call));
            } else {
                allowed.extend(calls);
            }
        }
    }
    allowed
}

#[tokio::test]
async fn the_unit_allows_everything_the_service_does() {
    let folder = tempfile::tempdir().unwrap();
    let trace = folder.path().join("trace");
    let strace = ["strace", "-f", "-qq", "-e", "signal=none", "-o", trace.to_str().unwrap()];
    let mut service = Service::start(Duration::from_secs(1), &strace);
    let ready = service.hear_until("READY=1").pop().unwrap();
    let address = format!("http://{}", ready.trim_end().rsplit(' ').next().unwrap());
    service.hear_until("WATCHDOG=1");
    let visitor = Actor::new(&address);
    visitor.register("traced@mail.example").await;
    let mail = wait_for(|| read_spool(&service.data().join("mail")).pop()).await;
    let token = mail.token("/student/verify/");
    visitor.get(&format!("/api/students/verify/{token}")).await.expect(StatusCode::OK);
    visitor.log_in("traced@mail.example", PASSWORD).await.expect(StatusCode::OK);
    visitor.patch("/api/students/me", &profile("traced@mail.example")).await.expect(StatusCode::OK);
    visitor.upload("other", "a.pdf", PDF.to_vec()).await.expect(StatusCode::CREATED);
    visitor.get("/api/documents/1").await.expect(StatusCode::OK);
    visitor.get("/readyz").await;
    // strace passes nothing on: the program itself gets the signal.
    let pid = std::fs::read_to_string(format!("/proc/{0}/task/{0}/children", service.child.id())).unwrap();
    let pid = rustix::process::Pid::from_raw(pid.trim().parse().unwrap()).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
    assert!(service.child.wait().unwrap().success());

    let allowed = allowed(&Path::new(UNITS).join("schoolhouse.service"));
    assert!(allowed.contains("fdatasync") && !allowed.contains("reboot"), "{allowed:?}");
    let trace = std::fs::read_to_string(trace).unwrap();
    let done: BTreeSet<&str> = trace
        .lines()
        .filter_map(|line| line.split_whitespace().nth(1)?.split_once('(').map(|(call, _)| call))
        .collect();
    assert!(done.contains("fsync") && done.contains("setpriority"), "{done:?}");
    let refused: Vec<_> = done.iter().filter(|call| !allowed.contains(**call)).collect();
    // SQLite gives what root makes to the database's owner; the service is not root.
    let harmless = ["fchown"];
    assert!(refused.iter().all(|call| harmless.contains(call)), "{refused:?}");
}

/// With `DynamicUser` the folder is a link into /var/lib/private, which only root can enter.
#[test]
fn root_at_the_command_line_reaches_the_folder_of_the_services_user_and_leaves_it_to_them() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};
    const OTHER_USER: u32 = 65534;
    if !rustix::process::geteuid().is_root() {
        eprintln!("not tried: only root can become another user");
        return;
    }
    let root = tempfile::tempdir().unwrap();
    let (private, data, roots) =
        (root.path().join("private"), root.path().join("schoolhouse"), root.path().join("roots"));
    let behind = private.join("schoolhouse");
    for folder in [&private, &behind, &roots] {
        std::fs::create_dir(folder).unwrap();
        std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o700)).unwrap();
    }
    chown(&behind, Some(OTHER_USER), Some(OTHER_USER)).unwrap();
    symlink(&behind, &data).unwrap();
    let sheet = roots.join("courses.csv");
    std::fs::copy(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/ontario-courses.csv"), &sheet).unwrap();
    let archive = roots.join("school.tar.zst");
    let commands: [&[&str]; 4] = [
        &["create-admin", "--username", "head", "--email", "head@school.example", "--password-stdin"],
        &["import-courses", sheet.to_str().unwrap()],
        &["backup"],
        &["backup", archive.to_str().unwrap()],
    ];
    for command in commands {
        let mut child = Command::new(env!("CARGO_BIN_EXE_schoolhouse"))
            .arg("--data-dir")
            .arg(&data)
            .args(command)
            .env_clear()
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        std::io::Write::write_all(&mut child.stdin.take().unwrap(), PASSWORD.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
    assert!(archive.exists());
    let mut folders = vec![behind];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            assert_eq!(path.metadata().unwrap().uid(), OTHER_USER, "{}", path.display());
            folders.extend(path.is_dir().then_some(path));
        }
    }
}
