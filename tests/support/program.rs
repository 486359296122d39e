//! The real binary as a separate process.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};

use super::actors::choose_cryptography;

/// The real binary, serving a folder on a free port until it is dropped.
pub struct Program {
    pub child: Child,
    pub address: String,
    printed: Arc<Mutex<String>>,
}

impl Program {
    pub fn serve(folder: &Path, environment: &[(&str, &str)]) -> Self {
        choose_cryptography();
        let mut command = Command::new(env!("CARGO_BIN_EXE_schoolhouse"));
        command
            .args(["--data-dir", folder.to_str().unwrap(), "serve", "--listen", "127.0.0.1:0"])
            .env_clear()
            .envs(environment.iter().copied());
        Self::start(&mut command).unwrap_or_else(|printed| panic!("the server ended: {printed}"))
    }

    /// Runs a command that serves, until it says where; what it printed instead if it ended.
    pub fn start(command: &mut Command) -> Result<Self, String> {
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
        let printed = Arc::<Mutex<String>>::default();
        let append = |printed: &Mutex<String>, line: &str| *printed.lock().unwrap() += &format!("{line}\n");
        for line in lines.by_ref() {
            append(&printed, &line);
            if let Some((_, address)) = line.split_once(" on http://") {
                let address = format!("http://{}", address.trim());
                // Whatever else it says is read, so that it never blocks on a full pipe.
                let output = printed.clone();
                std::thread::spawn(move || lines.for_each(|line| append(&output, &line)));
                return Ok(Self { child, address, printed });
            }
        }
        child.wait().unwrap();
        Err(printed.lock().unwrap().clone())
    }

    /// Whether its log has these words by now.
    pub fn has_printed(&self, words: &str) -> bool {
        self.printed.lock().unwrap().contains(words)
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
