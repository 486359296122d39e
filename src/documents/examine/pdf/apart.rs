//! Rewrites PDFs in a separate process of this program, with limited memory and processor time, so that a malicious
//! file can do no harm beyond it.

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

/// Command of the child process.
pub const COMMAND: &str = "examine-pdf";

/// The running program, even if its file was replaced.
const PROGRAM: &str = "/proc/self/exe";

/// Factor for the process's memory: the largest stream while it grows, the original and the rewritten file.
const MEMORY_TO_LIMIT: u64 = 4;

static IS_SEPARATE: AtomicBool = AtomicBool::new(false);

/// Turns the separate process on. Tests run as another program and leave it off.
pub fn separate() {
    IS_SEPARATE.store(true, Ordering::Relaxed);
}

/// Rewrites a PDF, in the separate process if turned on.
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
    // It always ends: its processor time and its input are limited.
    let status = child.wait().context("the examination of a PDF")?;
    match (status.code(), status.signal().and_then(Signal::from_named_raw)) {
        (Some(0), _) => read(&answer?),
        (_, Some(Signal::XCPU | Signal::KILL)) => Ok(Err(PdfProblem::TooSlow)),
        // Out of memory or stack.
        (_, Some(Signal::ABORT | Signal::SEGV | Signal::BUS)) => Ok(Err(PdfProblem::TooComplicated)),
        _ => bail!("the examination of a PDF ended with {status}"),
    }
}

fn exchange(child: &mut Child, bytes: &[u8], limits: &DecodeLimits) -> anyhow::Result<Vec<u8>> {
    let (mut input, output) = child.stdin.take().zip(child.stdout.take()).context("the pipes")?;
    // It reads everything before it writes; if it ended early, its status tells why.
    let _ = input.write_all(bytes);
    drop(input);
    let mut answer = Vec::new();
    output.take(limits.stored_bytes + 1024).read_to_end(&mut answer).context("reading a PDF")?;
    Ok(answer)
}

/// Parses the output: a line of JSON with the result, then the file.
fn read(mut answer: &[u8]) -> anyhow::Result<Result<RewrittenPdf, PdfProblem>> {
    let mut line = String::new();
    answer.read_line(&mut line).context("an answer")?;
    let result: Result<bool, PdfProblem> = serde_json::from_str(&line).context("an answer")?;
    Ok(result.map(|was_signed| RewrittenPdf { bytes: answer.to_vec(), was_signed }))
}

/// The child process: reads a PDF and writes the rewritten one.
///
/// # Errors
/// When the limits cannot be set; then nothing is done.
pub fn examine_here(memory_bytes: u64, seconds: u64, stored_bytes: u64) -> anyhow::Result<()> {
    // The child must not outlive a killed server.
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
    let mut bytes = Vec::new();
    let mut out = std::io::stdout().lock();
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
