//! Emails pass a DKIM-signing relay and a real Postfix unchanged.

use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use schoolhouse::testing::MailSecurity;
use serde_json::json;
use tempfile::TempDir;

use crate::support::mail_server::MailServer;
use crate::support::{School, free_port, parse};

/// Debian's Postfix as it stands between servers, in a folder of its own.
struct Postfix {
    child: Child,
    folder: TempDir,
    port: u16,
}

impl Postfix {
    /// Starts one that hands everything to the server on port `next`.
    fn start(next: u16) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (port, path) = (free_port(), folder.path().display());
        // Its daemons run as users of their own and must get in.
        std::fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o755)).unwrap();
        for name in ["etc", "queue", "data"] {
            std::fs::create_dir(folder.path().join(name)).unwrap();
        }
        run(Command::new("chown").arg("postfix").arg(folder.path().join("data")));
        let settings = format!(
            "compatibility_level = 3.6\nqueue_directory = {path}/queue\ndata_directory = {path}/data\n\
             command_directory = /usr/sbin\ndaemon_directory = /usr/lib/postfix/sbin\n\
             mail_owner = postfix\nsetgid_group = postdrop\nmyhostname = relay.test\nmydestination =\n\
             inet_interfaces = 127.0.0.1\ninet_protocols = ipv4\nmynetworks = 127.0.0.0/8\n\
             relayhost = [127.0.0.1]:{next}\nalias_maps =\nalias_database =\nlocal_recipient_maps =\n\
             smtpd_relay_restrictions = permit_mynetworks, reject\n\
             maillog_file = {path}/log\nmaillog_file_prefixes = {path}\n"
        );
        let services = format!(
            "127.0.0.1:{port} inet n - n - - smtpd\ncleanup unix n - n - 0 cleanup\n\
             qmgr unix n - n 300 1 qmgr\nrewrite unix - - n - - trivial-rewrite\n\
             bounce unix - - n - 0 bounce\ndefer unix - - n - 0 bounce\nsmtp unix - - n - - smtp\n\
             relay unix - - n - - smtp\nerror unix - - n - - error\nretry unix - - n - - error\n\
             anvil unix - - n - 1 anvil\nscache unix - - n - 1 scache\n\
             postlog unix-dgram n - n - 1 postlogd\n"
        );
        std::fs::write(folder.path().join("etc/main.cf"), settings).unwrap();
        std::fs::write(folder.path().join("etc/master.cf"), services).unwrap();
        let mut command = postfix(folder.path(), "start-fg");
        let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        let postfix = Self { child: child.expect("postfix is installed by `make test`"), folder, port };
        for _ in 0..500 {
            if TcpStream::connect(("127.0.0.1", port)).is_ok() {
                return postfix;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        panic!("{}", std::fs::read_to_string(postfix.folder.path().join("log")).unwrap_or_default());
    }
}

impl Drop for Postfix {
    fn drop(&mut self) {
        let _ = postfix(self.folder.path(), "abort").stderr(Stdio::null()).status();
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn postfix(folder: &Path, command: &str) -> Command {
    let mut postfix = Command::new("/usr/sbin/postfix");
    postfix.arg("-c").arg(folder.join("etc")).arg(command);
    postfix
}

fn run(command: &mut Command) {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// A relay's key pair.
fn keys() -> (TempDir, PathBuf, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let (private, public) = (folder.path().join("private.pem"), folder.path().join("public.pem"));
    run(Command::new("openssl").args(["genrsa", "-traditional", "-out"]).arg(&private).arg("2048"));
    run(Command::new("openssl").args(["rsa", "-pubout", "-in"]).arg(&private).arg("-out").arg(&public));
    (folder, private, public)
}

fn is_whole(message: &[u8], public: &Path) -> bool {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), message).unwrap();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/signature.py");
    let status = Command::new("/usr/bin/python3").arg(script).arg(public).arg(file.path()).status();
    status.unwrap().success()
}

/// What a mail server may not have to repair, because repairing breaks a signature.
#[track_caller]
fn assert_needs_no_repair(message: &[u8]) {
    let text = std::str::from_utf8(message).unwrap();
    assert!(text.is_ascii(), "7 bits");
    assert!(!text.replace("\r\n", "").contains(['\r', '\n', '\0']), "lines end with CRLF and nothing else");
    let (head, body) = text.split_once("\r\n\r\n").unwrap();
    assert!(head.split("\r\n").all(|line| line.len() <= 100), "{head}");
    assert!(body.split("\r\n").all(|line| line.len() <= 998), "RFC 5321, 4.5.3.1.6");
    for name in ["From", "To", "Subject", "Date", "Message-ID", "Auto-Submitted", "MIME-Version"] {
        let count = head.split("\r\n").filter(|line| line.starts_with(&format!("{name}: "))).count();
        assert_eq!(count, 1, "{name}\n{head}");
    }
    assert!(head.contains("Auto-Submitted: auto-generated"), "{head}");
}

const NAME: &str = "Collège “Sainte-Anne”, \"North\" & Søns; Toronto";
const SENDER: &str = "Zoë O'Connor, \"the\" Müller";
const AWKWARD: &str = "From the start: hello.\r\n.\r\n..two dots\r\ntrailing blanks   \r\n\tand a tab\r\n\
    Ünïcödé 🎓 مرحبا\r\n\r\n\r\n-- \r\nthe end.";

#[tokio::test]
async fn emails_pass_signing_relays_unharmed() {
    let (_folder, private, public) = keys();
    let last = MailServer::start();
    // Postfix starts as root alone, as it does on a server; another mail server is not replaced by it.
    let has_postfix = rustix::process::geteuid().is_root() && Path::new("/usr/sbin/postfix").exists();
    let postfix = has_postfix.then(|| Postfix::start(last.port));
    let next = postfix.as_ref().map_or(last.port, |postfix| postfix.port);
    let relay = MailServer::with(json!({ "relay": { "port": next, "key": private } }));
    let school = School::open_with(|config| {
        relay.configure(config, MailSecurity::None);
        config.school_file.name = Some(NAME.to_owned());
        config.school_file.email = "office@lakeside.example".parse().ok();
        config.mail.from = "office@northgate.example".parse().ok();
    })
    .await;
    let text = format!("{AWKWARD}\r\n{}", "x".repeat(2500));
    school.visitor().write_message(SENDER, "zoe@mail.example", &text).await;
    school.visitor().register("mei@mail.example").await;

    relay.receive(3).await.iter().for_each(|message| assert_needs_no_repair(message));
    let arrived = last.receive(3).await;
    assert!(arrived.iter().all(|message| is_whole(message, &public)));
    assert_eq!(
        has_postfix,
        arrived.iter().all(|message| String::from_utf8_lossy(message).contains("(Postfix)"))
    );
    let mut harmed = arrived[0].clone();
    let at = harmed.windows(6).position(|six| six == b"Date: ").unwrap();
    harmed[at + 6] ^= 1;
    assert!(!is_whole(&harmed, &public), "the check can fail");

    for bytes in &arrived {
        let message = mail_parser::MessageParser::default().parse(bytes).unwrap();
        let from = message.from().and_then(|from| from.first()).unwrap();
        assert_eq!((from.name(), from.address()), (Some(NAME), Some("office@northgate.example")));
    }
    let copy = arrived.iter().map(|bytes| parse(bytes)).find(|mail| mail.reply_to.is_some()).unwrap();
    assert_eq!(copy.subject, format!("General Questions: {SENDER}"));
    for line in AWKWARD.lines().map(str::trim_end) {
        assert!(copy.text.contains(line), "{line}\n{}", copy.text);
    }
    assert!(copy.text.replace(['\r', '\n'], "").contains(&"x".repeat(2500)), "{}", copy.text);
}
