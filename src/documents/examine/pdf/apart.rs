//! A PDF is written again by a process of its own: this program, started once more. It may take so much memory
//! and processor time and nothing else, and what a hostile file makes of the library ends with it.

use std::io::{BufRead, Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context, bail};
use rustix::process::{Resource, Rlimit, Signal, set_parent_process_death_signal, setrlimit};

use super::problem::PdfProblem;
use super::{RewrittenPdf, write};
use crate::base::budget::{DecodeLimits, TimeBudget};

/// The command that the other process is started with.
pub const COMMAND: &str = "examine-pdf";

/// The program itself, even where its file was replaced meanwhile.
const PROGRAM: &str = "/proc/self/exe";

/// Memory of the process: the largest stream while it grows, the file as it came and as it is kept.
const MEMORY_TO_LIMIT: u64 = 4;

static IS_SEPARATE: AtomicBool = AtomicBool::new(false);

/// Has PDFs written by another process from now on. Tests, whose program this is not, leave it.
pub fn separate() {
    IS_SEPARATE.store(true, Ordering::Relaxed);
}

/// Writes a PDF again, in another process where there is one.
pub fn write_apart(bytes: &[u8], limits: &DecodeLimits) -> anyhow::Result<Result<RewrittenPdf, PdfProblem>> {
    if !IS_SEPARATE.load(Ordering::Relaxed) {
        return Ok(write(bytes, limits, &TimeBudget::new(limits.time)));
    }
    let mut child = Command::new(PROGRAM)
        .arg(COMMAND)
        .args(
            [limits.memory_bytes, limits.time.as_secs(), limits.stored_bytes]
                .map(|number| number.to_string()),
        )
        .env_clear()
        .current_dir("/")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .context("starting the examination of a PDF")?;
    let answer = exchange(&mut child, bytes, limits);
    // It ends by itself: its processor time is limited, and its input has an end.
    let status = child.wait().context("the examination of a PDF")?;
    match (status.code(), status.signal().and_then(Signal::from_named_raw)) {
        (Some(0), _) => read(&answer?),
        (_, Some(Signal::XCPU | Signal::KILL)) => Ok(Err(PdfProblem::TooSlow)),
        // Out of memory, or of its stack.
        (_, Some(Signal::ABORT | Signal::SEGV | Signal::BUS)) => Ok(Err(PdfProblem::TooComplicated)),
        _ => bail!("the examination of a PDF ended with {status}"),
    }
}

fn exchange(child: &mut Child, bytes: &[u8], limits: &DecodeLimits) -> anyhow::Result<Vec<u8>> {
    let (mut input, output) = child.stdin.take().zip(child.stdout.take()).context("the pipes")?;
    // It reads to the end before it writes; where it ended before, its status says why.
    let _ = input.write_all(bytes);
    drop(input);
    let mut answer = Vec::new();
    output.take(limits.stored_bytes + 1024).read_to_end(&mut answer).context("reading a PDF")?;
    Ok(answer)
}

/// A line in JSON that says what came of it, and the file.
fn read(mut answer: &[u8]) -> anyhow::Result<Result<RewrittenPdf, PdfProblem>> {
    let mut line = String::new();
    answer.read_line(&mut line).context("an answer")?;
    let result: Result<bool, PdfProblem> = serde_json::from_str(&line).context("an answer")?;
    Ok(result.map(|was_signed| RewrittenPdf { bytes: answer.to_vec(), was_signed }))
}

/// The other process: reads a PDF and writes what is kept of it.
///
/// # Errors
/// When the limits cannot be set; then it does nothing.
pub fn examine_here(memory_bytes: u64, seconds: u64, stored_bytes: u64) -> anyhow::Result<()> {
    // A server that is killed leaves nothing behind.
    set_parent_process_death_signal(Some(Signal::KILL)).context("the death signal")?;
    let whole = |max| Rlimit { current: Some(max), maximum: Some(max) };
    for (resource, limit) in [
        (Resource::Data, whole(MEMORY_TO_LIMIT * memory_bytes)),
        (Resource::Cpu, Rlimit { current: Some(seconds + 1), maximum: Some(seconds + 2) }),
        (Resource::Core, whole(0)),
        (Resource::Nofile, whole(3)),
    ] {
        setrlimit(resource, limit).with_context(|| format!("the limit {resource:?}"))?;
    }
    let (mut bytes, mut out) = (Vec::new(), std::io::stdout().lock());
    std::io::stdin().lock().read_to_end(&mut bytes).context("reading")?;
    let limits = DecodeLimits { memory_bytes, time: Duration::from_secs(seconds), stored_bytes };
    let (result, file) = match write(&bytes, &limits, &TimeBudget::new(limits.time)) {
        Ok(RewrittenPdf { bytes, was_signed }) => (Ok(was_signed), bytes),
        Err(refusal) => (Err(refusal), Vec::new()),
    };
    serde_json::to_writer(&mut out, &result).context("answering")?;
    out.write_all(b"\n")
        .and_then(|()| out.write_all(&file))
        .and_then(|()| out.flush())
        .context("answering")?;
    Ok(())
}
