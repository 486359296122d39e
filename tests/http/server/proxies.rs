//! Behind real proxies, with the configurations of `docs/install.md`.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use reqwest::StatusCode;
use serde_json::json;

use crate::operations::https::Files;
use crate::support::pebble::{DOMAIN, wait_for_port};
use crate::support::{Actor, PASSWORD, School, browser, free_port, numbered_pdf};

/// A proxy in front of a school; it ends when it is dropped.
struct Proxy {
    child: Child,
    files: Files,
    _folder: tempfile::TempDir,
}

impl Proxy {
    fn nginx(school: &School) -> Self {
        let (files, folder) = (Files::write(), tempfile::tempdir().unwrap());
        let plain = free_port();
        let site = sample("nginx.conf")
            .replace("    listen [::]:80;\n", "")
            .replace("    listen [::]:443 ssl http2;\n", "")
            .replace("listen 80;", &format!("listen 127.0.0.1:{plain};"))
            .replace("listen 443 ssl", &format!("listen 127.0.0.1:{} ssl", files.port))
            .replace("/etc/letsencrypt/live/school.example/fullchain.pem", &text(&files.certificate()))
            .replace("/etc/letsencrypt/live/school.example/privkey.pem", &text(&files.key()))
            .replace("127.0.0.1:8080", &address(school));
        let path = folder.path().join("nginx.conf");
        let own = text(folder.path());
        let temporary: String = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .iter()
            .map(|name| format!("{name}_temp_path {own}/{name};\n"))
            .collect();
        // What Debian's nginx.conf does around a site.
        let config = format!(
            "daemon off; worker_processes 1; pid {own}/pid; error_log {own}/error.log;\n\
             events {{}}\nhttp {{ access_log off; gzip on; {temporary}\n{site} }}\n"
        );
        std::fs::write(&path, config).unwrap();
        let mut command = Command::new("/usr/sbin/nginx");
        command.args(["-e", &format!("{own}/start.log"), "-c"]).arg(&path);
        if rustix::process::geteuid().is_root() {
            command.args(["-g", "user root;"]);
        }
        Self::start(command, files, folder)
    }

    fn caddy(school: &School) -> Self {
        let (files, folder) = (Files::write(), tempfile::tempdir().unwrap());
        // The certificate comes from files: there is no authority to ask here.
        let head = "{\n\tadmin off\n\tauto_https disable_redirects\n}\n";
        let name = format!(
            "https://{DOMAIN}:{} {{\n\ttls {} {}\n",
            files.port,
            text(&files.certificate()),
            text(&files.key())
        );
        let site = sample("Caddyfile")
            .replace("\nschool.example {\n", &format!("\n{name}"))
            .replace("127.0.0.1:8080", &address(school));
        let path = folder.path().join("Caddyfile");
        std::fs::write(&path, format!("{head}{site}")).unwrap();
        let mut command = Command::new("caddy");
        command.args(["run", "--adapter", "caddyfile", "--config"]).arg(&path);
        command.env("XDG_DATA_HOME", folder.path()).env("XDG_CONFIG_HOME", folder.path());
        Self::start(command, files, folder)
    }

    fn start(mut command: Command, files: Files, folder: tempfile::TempDir) -> Self {
        let child = command
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("nginx and caddy are installed by `make test`");
        let proxy = Self { child, files, _folder: folder };
        wait_for_port(proxy.files.port);
        proxy
    }

    /// A client with this address, on the other side of the proxy.
    fn visitor(&self, from: Ipv4Addr) -> Actor {
        let browser = browser()
            .tls_certs_only([self.files.root()])
            .resolve(DOMAIN, SocketAddr::from(([127, 0, 0, 1], self.files.port)))
            .local_address(IpAddr::from(from));
        Actor::with(browser, self.files.url("").as_str())
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        // nginx's worker ends with its master only if the master is asked.
        let asked = rustix::process::kill_process(
            rustix::process::Pid::from_child(&self.child),
            rustix::process::Signal::TERM,
        );
        if asked.is_err() {
            let _ = self.child.kill();
        }
        let _ = self.child.wait();
    }
}

fn sample(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/proxy").join(name);
    std::fs::read_to_string(path).unwrap()
}

fn text(path: &Path) -> String {
    path.to_str().unwrap().to_owned()
}

fn address(school: &School) -> String {
    school.url("").replace("http://", "")
}

/// The configuration that both samples name.
async fn open() -> School {
    for name in ["nginx.conf", "Caddyfile"] {
        let sample = sample(name);
        let named: String = sample.lines().filter_map(|line| line.strip_prefix("#     ")).fold(
            String::new(),
            |mut text, line| {
                text.push_str(line);
                text.push('\n');
                text
            },
        );
        let named: schoolhouse::testing::Config = toml::from_str(&named).unwrap();
        assert_eq!(named.server.trusted_proxies, ["127.0.0.1/32".parse().unwrap()], "{name}");
        assert_eq!(named.server.public_url, "https://school.example".parse().ok(), "{name}");
    }
    School::open_with(|config| {
        config.server.public_url = format!("https://{DOMAIN}").parse().ok();
        config.server.trusted_proxies = vec!["127.0.0.1/32".parse().unwrap()];
        config.limits.logins_per_minute = 3;
    })
    .await
}

const VISITOR: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 2);
const NEIGHBOUR: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 3);

#[tokio::test]
async fn behind_nginx_everything_passes_unharmed() {
    let school = open().await;
    let proxy = Proxy::nginx(&school);
    passes_unharmed(&school, &proxy).await;
}

#[tokio::test]
async fn behind_caddy_everything_passes_unharmed() {
    let school = open().await;
    let proxy = Proxy::caddy(&school);
    passes_unharmed(&school, &proxy).await;
}

async fn passes_unharmed(school: &School, proxy: &Proxy) {
    let visitor = proxy.visitor(VISITOR);
    pages_pass(school, &visitor).await;
    documents_pass(school, &visitor).await;
    addresses_are_counted_separately(proxy).await;
}

/// Compressed bytes, their marks and "not modified" are those of the server.
async fn pages_pass(school: &School, visitor: &Actor) {
    for encoding in ["br", "gzip", "identity"] {
        let ask = |actor: &Actor| actor.request("GET", "/").header("accept-encoding", encoding);
        let direct = school.visitor();
        let original = direct.send(ask(&direct)).await.expect(StatusCode::OK);
        let passed = visitor.send(ask(visitor)).await.expect(StatusCode::OK);
        assert_eq!(passed.bytes, original.bytes, "{encoding}");
        for name in ["content-encoding", "content-type", "etag", "vary", "content-security-policy"] {
            assert_eq!(passed.header(name), original.header(name), "{encoding} {name}");
        }
        assert!(!passed.header("etag").is_empty());
        let again = ask(visitor).header("if-none-match", passed.header("etag"));
        let again = visitor.send(again).await.expect(StatusCode::NOT_MODIFIED);
        assert!(again.bytes.is_empty());
    }
}

/// Cookies, links and documents.
async fn documents_pass(school: &School, visitor: &Actor) {
    visitor.register("mei@mail.example").await;
    let token = school
        .mail("mei@mail.example", "Verify your email address")
        .await
        .token("https://school.example/student/verify/");
    visitor.get(&format!("/api/students/verify/{token}")).await.expect(StatusCode::OK);
    let answer = visitor.log_in("mei@mail.example", PASSWORD).await.expect(StatusCode::OK);
    let cookie = answer.header("set-cookie");
    assert!(cookie.starts_with("__Host-schoolhouse_student=") && cookie.contains("Secure"), "{cookie}");
    let device = answer.headers.get_all("set-cookie").iter().nth(1).unwrap().to_str().unwrap();
    assert!(device.starts_with("__Host-schoolhouse_device=") && device.ends_with("; Secure"), "{device}");
    assert!(device.contains("; Path=/;") && device.contains("; HttpOnly;"), "{device}");
    assert_eq!(answer.header("strict-transport-security"), "max-age=31536000");

    let mut document = numbered_pdf(1, 10 * 1024 * 1024);
    let made = visitor.upload("transcript", "Relevé.pdf", document.clone()).await;
    let made = made.expect(StatusCode::CREATED).json();
    let shown = visitor.get(&format!("/api/documents/{}", made["id"])).await.expect(StatusCode::OK);
    assert!(shown.bytes == document, "the document came back changed");
    assert_eq!(
        shown.header("content-security-policy"),
        "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; sandbox"
    );
    document.push(b' ');
    let refused = visitor.upload("transcript", "large.pdf", document).await;
    assert!(!refused.expect(StatusCode::PAYLOAD_TOO_LARGE).message().is_empty());
}

/// A visitor cannot pretend to be another one, nor use up another one's attempts.
async fn addresses_are_counted_separately(proxy: &Proxy) {
    let neighbour = proxy.visitor(NEIGHBOUR);
    let try_to_log_in = async |actor: &Actor, claim: String| {
        let body = json!({ "email": "mei@mail.example", "password": "wrong password" });
        let request = actor.request("POST", "/api/students/login").header("x-forwarded-for", claim);
        actor.send(request.json(&body)).await.status
    };
    let mut statuses = Vec::new();
    for attempt in 0..4 {
        statuses.push(try_to_log_in(&neighbour, format!("198.51.100.{attempt}")).await.as_u16());
    }
    assert_eq!(statuses, [401, 401, 401, 429]);
    let other = proxy.visitor(VISITOR);
    assert_eq!(try_to_log_in(&other, "127.0.0.3".into()).await, StatusCode::UNAUTHORIZED);
}
