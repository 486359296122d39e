//! `strace`, which injects a fault at a given system call.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

/// What `strace` does to a running program until it is dropped.
pub struct Tracer {
    child: Child,
    log: tempfile::NamedTempFile,
}

/// The calls that bring something to the disk.
pub const SYNCS: &str = "fsync,fdatasync,syncfs";
/// Those, and every call that gives, changes or takes a name. strace counts each kind by itself: of
/// several at once it would strike the most frequent alone.
pub const NAMES_AND_SYNCS: &[&str] =
    &["fsync", "fdatasync", "syncfs", "rename", "link", "unlink", "unlinkat", "mkdir", "rmdir"];
/// Those, and every call that writes to a file.
pub const WRITES: &[&str] = &[
    "pwrite64",
    "write",
    "ftruncate",
    "fallocate",
    "fsync",
    "syncfs",
    "rename",
    "unlink",
    "unlinkat",
    "mkdir",
];
/// Those without `write`, with which a server wakes its threads and tells that it serves.
pub const WRITES_OF_SQLITE: &[&str] =
    &["pwrite64", "ftruncate", "fallocate", "fsync", "rename", "unlink", "mkdir"];

/// Does `what` (`signal=SIGKILL`, `error=EIO`) at a thread's `nth` call of one of these; with
/// `paths`, on those files alone.
pub fn strike(calls: &str, what: &str, nth: u32, paths: &[PathBuf]) -> Vec<String> {
    let mut words = vec![format!("--trace={calls}"), format!("--inject={calls}:{what}:when={nth}")];
    words.extend(paths.iter().map(|path| format!("--trace-path={}", path.display())));
    words
}

/// Kills at a thread's `nth` sync.
pub fn kill_at_sync(nth: u32, paths: &[PathBuf]) -> Vec<String> {
    strike(SYNCS, "signal=SIGKILL", nth, paths)
}

/// A command that is struck from its first call on; its process stays our child.
pub struct Struck {
    pub command: Command,
    log: tempfile::NamedTempFile,
}

impl Struck {
    pub fn new(command: &Command, words: &[String]) -> Self {
        let log = tempfile::NamedTempFile::new().unwrap();
        let mut traced = Command::new("strace");
        traced.args(["--daemonize", "--follow-forks", "--quiet=attach,personality", "--output"]);
        traced.arg(log.path()).args(words);
        traced.arg(command.get_program()).args(command.get_args()).env_clear();
        traced.envs(command.get_envs().filter_map(|(key, value)| Some((key, value?))));
        Self { command: traced, log }
    }

    /// Runs it to its end. It shares its output with strace, which therefore has ended too.
    pub fn run(mut self) -> (Output, Trace) {
        let output = self.command.output().expect("strace is installed by `make test`");
        (output, self.trace())
    }

    /// What was traced of a command that has ended.
    pub fn trace(&self) -> Trace {
        Trace(fs::read_to_string(self.log.path()).unwrap())
    }
}

impl Tracer {
    /// Attaches to every thread of a program, those to come among them.
    pub fn attach(program: &Child, words: &[String]) -> Self {
        let log = tempfile::NamedTempFile::new().unwrap();
        let mut child = Command::new("strace")
            .args(["--follow-forks", "--decode-fds=path", "--output"])
            .arg(log.path())
            .args(words)
            .arg(format!("--attach={}", program.id()))
            .stderr(Stdio::piped())
            .spawn()
            .expect("strace is installed by `make test`");
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
        let first = lines.find(|line| line.contains(" attached") || line.contains("not permitted"));
        let first = first.unwrap_or_default();
        assert!(first.contains(" attached"), "strace may not attach (see kernel.yama.ptrace_scope): {first}");
        std::thread::spawn(move || lines.for_each(drop));
        Self { child, log }
    }

    /// Lets go of the program, or finds that it has ended, and returns what was traced.
    pub fn finish(mut self) -> Trace {
        self.let_go();
        Trace(fs::read_to_string(self.log.path()).unwrap())
    }

    fn let_go(&mut self) {
        if self.child.try_wait().unwrap().is_some() {
            return;
        }
        // First not SIGKILL, which could leave the program stopped.
        let _ = kill_process(Pid::from_child(&self.child), Signal::INT);
        for _ in 0..600 {
            if self.child.try_wait().unwrap().is_some() {
                return;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        // A program that was killed while it made a thread can keep strace waiting for ever.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Tracer {
    fn drop(&mut self) {
        self.let_go();
    }
}

/// Lines like `1234 fsync(13</data/schoolhouse.db-wal>) = 0`.
pub struct Trace(pub String);

impl Trace {
    /// The file of the call that did not return because the program was killed there.
    pub fn killed_at(&self) -> Option<&Path> {
        let last = self.0.lines().rev().find(|line| line.contains("sync(") && !line.ends_with("= 0"))?;
        last.split_once('<')?.1.split_once('>').map(|(path, _)| Path::new(path))
    }

    /// How many calls were answered with an injected error.
    pub fn injected(&self) -> usize {
        self.0.lines().filter(|line| line.ends_with("(INJECTED)")).count()
    }

    /// Whether anything was done to the program.
    pub fn was_struck(&self) -> bool {
        self.injected() > 0 || self.0.contains("+++ killed by SIGKILL")
    }
}
