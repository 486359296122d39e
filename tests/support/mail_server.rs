//! A real mail server (Debian's aiosmtpd) on a free port of this machine, and what it can do wrong.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use schoolhouse::testing::{Config, MailSecurity};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{School, wait_for};

pub struct MailServer {
    child: Child,
    pub port: u16,
    folder: TempDir,
    certificate: Option<Certificate>,
}

impl MailServer {
    /// Starts one with what `mail_server.py` understands.
    pub fn with(mut wanted: Value) -> Self {
        let folder = tempfile::tempdir().unwrap();
        wanted["folder"] = folder.path().to_str().unwrap().into();
        let mut child = Command::new("/usr/bin/python3")
            .args(["-W", "ignore", concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/mail_server.py")])
            .arg(wanted.to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            // It tells at length of each handshake that a test lets fail.
            .stderr(Stdio::null())
            .spawn()
            .expect("python3-aiosmtpd is installed by `make test`");
        let mut port = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut port).unwrap();
        let port = port.trim().parse().expect("the mail server tells its port");
        Self { child, port, folder, certificate: None }
    }

    pub fn start() -> Self {
        Self::with(json!({}))
    }

    /// Whether a client waits for the held response.
    pub fn is_holding(&self) -> bool {
        self.folder.path().join("held").exists()
    }

    /// Gives the answer that is held back, and all that follow.
    pub fn release(&self) {
        std::fs::write(self.folder.path().join("released"), "").unwrap();
    }

    /// One that is encrypted ("starttls" or "tls") with a certificate of this name.
    pub fn encrypted(protection: &str, name: &str, mut wanted: Value) -> Self {
        let certificate = Certificate::from_name(name);
        wanted["protection"] = protection.into();
        wanted["certificate"] = certificate.path("certificate.pem").to_str().unwrap().into();
        wanted["key"] = certificate.path("key.pem").to_str().unwrap().into();
        let mut server = Self::with(wanted);
        server.certificate = Some(certificate);
        server
    }

    /// Makes a school deliver here.
    pub fn configure(&self, config: &mut Config, security: MailSecurity) {
        config.mail.smtp_host = "localhost".into();
        config.mail.smtp_port = self.port;
        config.mail.security = security;
        config.mail.ca_file = self.certificate.as_ref().map(|one| one.path("certificate.pem"));
    }

    /// A school that delivers here without encryption.
    pub async fn school(&self) -> School {
        School::open_with(|config| self.configure(config, MailSecurity::None)).await
    }

    /// What it took, oldest first.
    pub fn received(&self) -> Vec<Vec<u8>> {
        let files = std::fs::read_dir(self.folder.path()).unwrap();
        let mut paths: Vec<PathBuf> = files
            .map(|file| file.unwrap().path())
            .filter(|path| path.extension().is_some_and(|ending| ending == "eml"))
            .collect();
        paths.sort();
        paths.iter().map(|path| std::fs::read(path).unwrap()).collect()
    }

    /// Waits until it has taken so many.
    pub async fn receive(&self, count: usize) -> Vec<Vec<u8>> {
        wait_for(|| Some(self.received()).filter(|all| all.len() >= count)).await
    }
}

impl Drop for MailServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A key and a certificate that signs itself, as a volunteer makes them.
struct Certificate(TempDir);

impl Certificate {
    fn from_name(name: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let output = Command::new("openssl")
            .args(["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"])
            .args(["-keyout", "key.pem", "-out", "certificate.pem", "-days", "30"])
            .args(["-subj", &format!("/CN={name}"), "-addext", &format!("subjectAltName=DNS:{name}")])
            .args(["-addext", "basicConstraints=critical,CA:FALSE"])
            .current_dir(folder.path())
            .output()
            .expect("openssl is installed by `make test`");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        Self(folder)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }
}

/// What `schoolhouse mail-test` prints with these settings, and what it says when it failed.
pub fn mail_test(config: &str) -> (Option<String>, String) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("config.toml");
    std::fs::write(&file, config).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_schoolhouse"))
        .args(["--config", file.to_str().unwrap()])
        .args(["--data-dir", folder.path().join("data").to_str().unwrap(), "mail-test", "it@mail.example"])
        .env_clear()
        .output()
        .unwrap();
    let advice = (!output.status.success()).then(|| String::from_utf8(output.stderr).unwrap());
    (advice, String::from_utf8(output.stdout).unwrap())
}

impl MailServer {
    /// The `[mail]` section that leads here.
    pub fn section(&self, security: &str, rest: &str) -> String {
        let ca = self.certificate.as_ref().map_or(String::new(), |one| {
            let path: &Path = &one.path("certificate.pem");
            format!("ca_file = \"{}\"\n", path.display())
        });
        format!(
            "[mail]\nsmtp_host = \"localhost\"\nsmtp_port = {}\nsecurity = \"{security}\"\n{ca}{rest}",
            self.port
        )
    }
}
