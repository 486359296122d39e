//! Where the faults happen: a mount and process namespace of their own, with a time limit.
//!
//! Whatever ends the run, a limit, Ctrl-C or a crash, nothing stays mounted and no process stays
//! behind: the kernel clears the namespace away with its first process.

use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode, Stdio};

use crate::plan::Plan;

const INSIDE: &str = "FAULTS_ROOM";

/// Starts this program again inside such a place and returns how it could not; none if we are in.
pub fn enter(plan: &Plan) -> Option<ExitCode> {
    if std::env::var_os(INSIDE).is_some() {
        return None;
    }
    let limit = plan.max_seconds().to_string();
    let mut command = Command::new("timeout");
    command.args(["--foreground", "--kill-after=1", &limit]);
    let closed = closed_room();
    if closed.is_empty() {
        eprintln!("no namespaces here (root, or unprivileged ones, are needed): nothing will be mounted");
    }
    command.args(closed).arg(std::env::current_exe().unwrap()).args(std::env::args().skip(1));
    let error = command.env(INSIDE, if closed.is_empty() { "open" } else { "closed" }).exec();
    eprintln!("starting the faults: {error}");
    Some(ExitCode::FAILURE)
}

/// Whether file systems may be mounted.
pub fn may_mount() -> bool {
    std::env::var(INSIDE).is_ok_and(|room| room == "closed")
}

fn closed_room() -> &'static [&'static str] {
    const AS_ROOT: &[&str] =
        &["unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc", "--propagation=private"];
    const AS_ORDINARY_USER: &[&str] =
        &["unshare", "--map-root-user", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"];
    let works = |words: &[&str]| {
        let mut trial = Command::new(words[0]);
        trial
            .args(&words[1..])
            .arg("true")
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|status| status.success())
    };
    [AS_ROOT, AS_ORDINARY_USER].into_iter().find(|words| works(words)).unwrap_or_default()
}
