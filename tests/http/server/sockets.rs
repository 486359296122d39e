//! Sockets passed by systemd.

use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use reqwest::StatusCode;

use crate::operations::https::Files;
use crate::support::pebble::wait_for_port;
use crate::support::{Actor, browser, free_port};

/// systemd's own tool for this: it listens, and starts the program at the first connection.
struct Activated(Child);

impl Activated {
    fn start(folder: &Path, ports: &[u16], names: Option<&str>, environment: &[(&str, &str)]) -> Self {
        let mut command = Command::new("systemd-socket-activate");
        for port in ports {
            command.arg(format!("--listen=127.0.0.1:{port}"));
        }
        if let Some(names) = names {
            command.arg(format!("--fdname={names}"));
        }
        for (name, value) in environment {
            command.arg(format!("--setenv={name}={value}"));
        }
        let child = command
            .arg(env!("CARGO_BIN_EXE_schoolhouse"))
            .args(["--data-dir", folder.to_str().unwrap(), "serve"])
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("systemd is installed by `make test`");
        for port in ports {
            wait_for_port(*port);
        }
        Self(child)
    }

    fn ask_to_end(&self) {
        let process = rustix::process::Pid::from_child(&self.0);
        rustix::process::kill_process(process, rustix::process::Signal::TERM).unwrap();
    }

    /// Waits for its end, while clients may say good-bye; returns its status and what it said.
    async fn end(self) -> (Option<i32>, String) {
        tokio::task::spawn_blocking(|| self.wait()).await.unwrap()
    }

    fn wait(mut self) -> (Option<i32>, String) {
        let mut said = String::new();
        self.0.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        (self.0.wait().unwrap().code(), said)
    }
}

impl Drop for Activated {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[tokio::test]
async fn a_single_socket_is_the_front_door_whatever_the_configuration_says() {
    let folder = tempfile::tempdir().unwrap();
    let (port, configured) = (free_port(), free_port());
    let address = format!("127.0.0.1:{configured}");
    let environment = [("SCHOOLHOUSE_SERVER_LISTEN", address.as_str())];
    let school = Activated::start(folder.path(), &[port], None, &environment);
    let visitor = Actor::with(browser(), &format!("http://127.0.0.1:{port}"));
    visitor.get("/healthz").await.expect(StatusCode::OK);
    assert!(std::net::TcpStream::connect(&address).is_err(), "the configured address is ignored");
    school.ask_to_end();
    let (status, said) = school.end().await;
    assert_eq!(status, Some(0), "{said}");
    assert!(said.contains("passed by systemd; the configured address is ignored"), "{said}");
}

#[tokio::test]
async fn two_sockets_are_known_by_their_names_or_their_ports() {
    for names in [Some("http:https"), None] {
        let (folder, files, plain) = (tempfile::tempdir().unwrap(), Files::write(), free_port());
        let config = format!(
            "[server]\nlisten = \"127.0.0.1:0\"\n[https]\ndomain = \"school.example\"\ncert_file = {:?}\n\
             key_file = {:?}\n",
            files.certificate(),
            files.key()
        );
        let ports = format!("listen = \"[::]:{}\"\nredirect_listen = \"[::]:{plain}\"\n", files.port);
        let path = folder.path().join("config.toml");
        std::fs::write(&path, if names.is_some() { config } else { config + &ports }).unwrap();
        let environment = [("SCHOOLHOUSE_CONFIG", path.to_str().unwrap())];
        let school = Activated::start(folder.path(), &[plain, files.port], names, &environment);
        let answer = files.visitor(&files.root()).get(files.url("/healthz")).send().await.unwrap();
        assert_eq!(answer.status(), StatusCode::OK);
        let browser = browser().redirect(reqwest::redirect::Policy::none());
        let visitor = Actor::with(browser, &format!("http://127.0.0.1:{plain}"));
        let answer = visitor.get("/about").await.expect(StatusCode::PERMANENT_REDIRECT);
        assert_eq!(answer.header("location"), "https://school.example/about");
        school.ask_to_end();
        let (status, said) = school.end().await;
        assert_eq!(status, Some(0), "{said}");
    }
}

#[test]
fn an_unused_socket_is_reported_with_status_78() {
    let folder = tempfile::tempdir().unwrap();
    let ports = [free_port(), free_port()];
    let (status, said) = Activated::start(folder.path(), &ports, None, &[]).wait();
    assert_eq!(status, Some(78), "{said}");
    assert!(said.contains("without https.domain only one socket is of use"), "{said}");
}
