//! Debian's `pebble`, a real certificate authority, on free ports of this machine.

use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use reqwest::Certificate;
use schoolhouse::testing::Https;
use serde_json::json;
use tempfile::TempDir;

use crate::support::{browser, free_port};

/// The name that the tests' schools go by; pebble is told that it leads to this machine.
pub const DOMAIN: &str = "school.example";

/// A certificate authority with a DNS of its own; both end when it is dropped.
pub struct Pebble {
    folder: TempDir,
    children: Vec<Child>,
    listen: u16,
    management: u16,
    dns_management: u16,
    percent: u8,
    /// Where it looks for the TLS-ALPN proof: the server's HTTPS port.
    pub tls_port: u16,
    /// Where it looks for the HTTP proof: the server's port for plain HTTP.
    pub http_port: u16,
}

/// Waits until a port of this machine has a listener.
pub fn wait_for_port(port: u16) {
    for _ in 0..1000 {
        if TcpStream::connect(("127.0.0.1", port)).is_ok() {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    panic!("nothing listens on port {port}");
}

impl Pebble {
    /// Starts it. Its certificates live for 90 days.
    pub fn start() -> Self {
        Self::start_losing(0)
    }

    /// The same, but it says of so many messages in a hundred that they are not fresh (`badNonce`).
    pub fn start_losing(percent: u8) -> Self {
        let mut pebble = Self {
            percent,
            folder: tempfile::tempdir().unwrap(),
            children: Vec::new(),
            listen: free_port(),
            management: free_port(),
            dns_management: free_port(),
            tls_port: free_port(),
            http_port: free_port(),
        };
        pebble.write_own_certificate();
        pebble.run();
        pebble
    }

    /// Restarts it on the same ports, without its state.
    pub fn restart(&mut self) {
        self.stop();
        self.run();
    }

    pub fn stop(&mut self) {
        for mut child in self.children.drain(..) {
            let _ = child.kill();
            let _ = child.wait();
        }
    }

    fn run(&mut self) {
        let dns = free_port();
        let config = json!({ "pebble": {
            "listenAddress": format!("127.0.0.1:{}", self.listen),
            "managementListenAddress": format!("127.0.0.1:{}", self.management),
            "certificate": self.folder.path().join("own.pem"),
            "privateKey": self.folder.path().join("own.key"),
            "httpPort": self.http_port, "tlsPort": self.tls_port,
            "certificateValidityPeriod": 90 * 24 * 3600,
            "ocspResponderURL": "", "externalAccountBindingRequired": false,
        } });
        let path = self.folder.path().join("pebble.json");
        std::fs::write(&path, config.to_string()).unwrap();
        let names = Command::new("pebble-challtestsrv")
            .args(["-http01", "", "-https01", "", "-tlsalpn01", "", "-defaultIPv6", ""])
            .args(["-dns01", &format!("127.0.0.1:{dns}")])
            .args(["-management", &format!("127.0.0.1:{}", self.dns_management)])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("pebble is installed by `make test`");
        self.children.push(names);
        wait_for_port(self.dns_management);
        let authority = Command::new("pebble")
            .arg("-config")
            .arg(&path)
            .args(["-dnsserver", &format!("127.0.0.1:{dns}")])
            // No pause before it looks.
            .envs([("PEBBLE_VA_NOSLEEP", "1"), ("PEBBLE_AUTHZREUSE", "0")])
            .env("PEBBLE_WFE_NONCEREJECT", self.percent.to_string())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        self.children.push(authority);
        wait_for_port(self.listen);
        wait_for_port(self.management);
    }

    /// The certificate of its own web server, which `ca_file` vouches for.
    fn write_own_certificate(&self) {
        let params = rcgen::CertificateParams::new(vec!["localhost".to_owned()]).unwrap();
        let key = rcgen::KeyPair::generate().unwrap();
        let certificate = params.self_signed(&key).unwrap();
        std::fs::write(self.folder.path().join("own.pem"), certificate.pem()).unwrap();
        std::fs::write(self.folder.path().join("own.key"), key.serialize_pem()).unwrap();
    }

    pub fn directory(&self) -> String {
        format!("https://localhost:{}/dir", self.listen)
    }

    /// Settings of a school where this authority looks for it, without a dry run.
    pub fn settings(&self) -> Https {
        let here = |port| std::net::SocketAddr::from(([127, 0, 0, 1], port));
        Https {
            domain: DOMAIN.into(),
            email: "office@school.example".parse().ok(),
            listen: here(self.tls_port),
            redirect_listen: Some(here(self.http_port)),
            directory: self.directory(),
            staging_directory: String::new(),
            ca_file: Some(self.folder.path().join("own.pem")),
            ..Https::default()
        }
    }

    /// Lets every name lead nowhere, or to this machine again.
    pub async fn lead(&self, leads: bool) {
        let address = if leads { "127.0.0.1" } else { "" };
        let url = format!("http://127.0.0.1:{}/set-default-ipv4", self.dns_management);
        let body = json!({ "ip": address }).to_string();
        let answer = browser().build().unwrap().post(url).body(body).send().await.unwrap();
        assert!(answer.status().is_success());
    }

    /// The root of the certificates it gives, for a browser to trust.
    pub async fn root(&self) -> Certificate {
        let own = std::fs::read(self.folder.path().join("own.pem")).unwrap();
        let http = browser().tls_certs_only([Certificate::from_pem(&own).unwrap()]).build().unwrap();
        let url = format!("https://localhost:{}/roots/0", self.management);
        Certificate::from_pem(&http.get(url).send().await.unwrap().bytes().await.unwrap()).unwrap()
    }
}

impl Drop for Pebble {
    fn drop(&mut self) {
        self.stop();
    }
}
