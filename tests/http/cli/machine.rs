//! A machine that has the service: its own school is found by every command, and looked at as the service would.
//!
//! Tried in a root of its own with the files of the package, where systemd keeps them and with their owners; only
//! root can do that.

use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

use super::{err, out};
use crate::support::PASSWORD;
use crate::support::mail_server::MailServer;

/// The user that systemd made up for the service.
const SERVICE: u32 = 61184;
const UNIT: &str = include_str!("../../../systemd/schoolhouse.service");
const CONFIG: &str = "/etc/schoolhouse/config.toml";
const DROP_IN: &str = "/etc/systemd/system/schoolhouse.service.d/override.conf";
const SCHOOL: &str = "[school]\nname = \"Harbour School\"\n";

struct Machine(TempDir);

impl Machine {
    /// None where the tests are not root's.
    fn install() -> Option<Self> {
        if !rustix::process::geteuid().is_root() {
            eprintln!("not tried: only root can change the root folder");
            return None;
        }
        // Beside the program, so that it can be linked there.
        let machine = Self(tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap());
        set_mode(machine.0.path(), 0o755);
        std::fs::hard_link(env!("CARGO_BIN_EXE_schoolhouse"), machine.at("/schoolhouse")).unwrap();
        // Files in the place of devices, which the program reads once.
        let random: String = std::iter::repeat_n("0123456789abcdef", 4096).collect();
        machine.write("/dev/random", &random, 0o644);
        machine.write("/dev/urandom", &random, 0o644);
        machine.write("/usr/lib/systemd/system/schoolhouse.service", UNIT, 0o644);
        machine.write(CONFIG, SCHOOL, 0o644);
        Some(machine)
    }

    fn at(&self, path: &str) -> PathBuf {
        self.0.path().join(path.trim_start_matches('/'))
    }

    fn make(&self, folder: &str) {
        std::fs::create_dir_all(self.at(folder)).unwrap();
        let mut path = self.at(folder);
        while path != self.0.path() {
            set_mode(&path, 0o755);
            path.pop();
        }
    }

    fn write(&self, path: &str, text: &str, mode: u32) {
        self.make(Path::new(path).parent().unwrap().to_str().unwrap());
        std::fs::write(self.at(path), text).unwrap();
        set_mode(&self.at(path), mode);
    }

    /// What systemd makes when it starts the service: the folder of a user who cannot enter the one above it.
    fn start_once(&self) {
        self.make("/var/lib/private/schoolhouse");
        set_mode(&self.at("/var/lib/private"), 0o700);
        let folder = self.at("/var/lib/private/schoolhouse");
        set_mode(&folder, 0o700);
        chown(&folder, Some(SERVICE), Some(SERVICE)).unwrap();
        symlink("private/schoolhouse", self.at("/var/lib/schoolhouse")).unwrap();
        self.make("/run/systemd/dynamic-uid");
        symlink(SERVICE.to_string(), self.at("/run/systemd/dynamic-uid/direct:schoolhouse")).unwrap();
    }

    /// A command of root's, without a variable, in the folder `/`.
    fn run(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new("chroot");
        command
            .arg(self.0.path())
            .arg("/schoolhouse")
            .args(arguments)
            .env_clear()
            .env("PATH", "/usr/sbin:/usr/bin");
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // A command that asks for no password has ended before.
        let _ = std::io::Write::write_all(&mut child.stdin.take().unwrap(), PASSWORD.as_bytes());
        child.wait_with_output().unwrap()
    }

    fn succeed(&self, arguments: &[&str]) -> Output {
        let output = self.run(arguments);
        assert!(output.status.success(), "{arguments:?}: {}{}", out(&output), err(&output));
        output
    }

    fn create_admin(&self, more: &[&str]) -> Output {
        let words =
            ["create-admin", "--username", "head", "--email", "head@school.example", "--password-stdin"];
        self.succeed(&[more, &words].concat())
    }

    /// Status and words of one of the doctor's checks.
    fn diagnose(&self, name: &str) -> (String, String) {
        let report: serde_json::Value = serde_json::from_str(&out(&self.run(&["doctor", "--json"]))).unwrap();
        let check = report["checks"].as_array().unwrap().iter().find(|check| check["name"] == name).unwrap();
        let text = |key: &str| check[key].as_str().unwrap().to_owned();
        (text("status"), text("found") + "\n" + &text("advice"))
    }
}

fn set_mode(path: &Path, mode: u32) {
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
}

/// The lines that are to go into the drop-in.
fn drop_in(advice: &str) -> String {
    let lines = advice.lines().filter_map(|line| line.strip_prefix("    "));
    lines.map(|line| format!("{line}\n")).collect()
}

#[test]
fn a_machines_own_school_is_found_without_a_word_and_stays_the_services() {
    let Some(machine) = Machine::install() else { return };
    machine.start_once();
    let made = machine.create_admin(&[]);
    assert!(
        err(&made).contains("Working on Harbour School in /var/lib/schoolhouse, a new school\n"),
        "{}",
        err(&made)
    );
    let listed = machine.succeed(&["list-staff"]);
    assert!(err(&listed).contains("Working on Harbour School in /var/lib/schoolhouse\n"), "{}", err(&listed));
    assert!(out(&listed).contains("head"));
    let archive = out(&machine.succeed(&["backup"]));
    assert!(archive.starts_with("/var/lib/schoolhouse/backups/"), "{archive}");
    assert!(!machine.at("/data").exists(), "a command made a folder of its own");
    let mut folders = vec![machine.at("/var/lib/private/schoolhouse")];
    while let Some(folder) = folders.pop() {
        for path in std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()) {
            assert_eq!(path.metadata().unwrap().uid(), SERVICE, "{}", path.display());
            folders.extend(path.is_dir().then_some(path));
        }
    }
    // One that an older program began in the wrong place is told of, and not worked on.
    let stray = machine.create_admin(&["--data-dir", "data"]);
    assert!(err(&stray).contains("Working on Northgate Academy in /data, a new school"), "{}", err(&stray));
    let listed = machine.succeed(&["list-staff"]);
    assert!(
        err(&listed).contains("in /var/lib/schoolhouse\n") && err(&listed).contains("./data"),
        "{}",
        err(&listed)
    );
}

#[test]
fn a_restore_comes_before_the_first_start() {
    let Some(machine) = Machine::install() else { return };
    machine.create_admin(&["--data-dir", "/srv/old"]);
    machine.succeed(&["--data-dir", "/srv/old", "backup", "/school.tar.zst"]);
    let restored = machine.succeed(&["restore", "/school.tar.zst"]);
    assert!(err(&restored).contains("Working on Harbour School in /var/lib/schoolhouse, a new school"));
    assert!(out(&machine.succeed(&["list-staff"])).contains("head"));
}

#[test]
fn files_that_only_root_can_read_are_reported_with_the_commands_to_fix_it() {
    let Some(machine) = Machine::install() else { return };
    let key = rcgen::KeyPair::generate().unwrap();
    let certificate = rcgen::CertificateParams::new(vec!["school.example".to_owned()]).unwrap();
    let live = "/etc/letsencrypt/live/school.example";
    machine.write(&format!("{live}/fullchain.pem"), &certificate.self_signed(&key).unwrap().pem(), 0o644);
    machine.write(&format!("{live}/privkey.pem"), &key.serialize_pem(), 0o600);
    set_mode(&machine.at("/etc/letsencrypt/live"), 0o700);
    machine.write("/etc/schoolhouse/password", "secret", 0o600);
    machine.make("/mnt/backup");
    let https = format!(
        "[https]\ndomain = \"school.example\"\ncert_file = \"{live}/fullchain.pem\"\nkey_file = \"{live}/privkey.pem\"\n"
    );
    let mail = "[mail]\npassword_file = \"/etc/schoolhouse/password\"\n";
    let backup = "[backup]\nfolder = \"/mnt/backup\"\n";
    let with_drop_in = [
        (
            "Named files",
            &*https,
            vec![
                format!("LoadCredential=tls_certificate:{live}/fullchain.pem"),
                format!("LoadCredential=tls_key:{live}/privkey.pem"),
            ],
        ),
        ("Named files", mail, vec!["LoadCredential=smtp_password:/etc/schoolhouse/password".into()]),
        (
            "Backup folder",
            backup,
            vec![
                "ReadWritePaths=-/mnt/backup".into(),
                "ExecStartPre=-+/bin/chown --reference=/var/lib/schoolhouse /mnt/backup".into(),
            ],
        ),
    ];
    // Before the first start as well, when the user is not known yet.
    for has_started in [false, true] {
        if has_started {
            machine.start_once();
            machine.create_admin(&[]);
        }
        for (check, text, lines) in &with_drop_in {
            machine.write(CONFIG, &format!("{SCHOOL}{text}"), 0o644);
            let refused = machine.run(&["config", "check"]);
            assert_eq!(refused.status.code(), Some(78), "{text}{}", out(&refused));
            let expected = format!("[Service]\n{}\n", lines.join("\n"));
            assert_eq!(drop_in(&err(&refused)), expected, "{}", err(&refused));
            let (status, found) = machine.diagnose(check);
            assert!(status == "problem" && drop_in(&found).trim() == expected.trim(), "{found}");
            machine.write(DROP_IN, &expected, 0o644);
            assert_eq!(out(&machine.succeed(&["config", "check"])), "the configuration is valid\n");
            std::fs::remove_file(machine.at(DROP_IN)).unwrap();
        }
    }
    // What a drop-in names and is not there keeps the service from starting.
    machine.write(
        DROP_IN,
        "[Service]\nLoadCredential=tls_key:/etc/letsencrypt/live/other/privkey.pem\n",
        0o644,
    );
    let refused = machine.run(&["config", "check"]);
    assert!(
        err(&refused).contains("live/other/privkey.pem: the unit passes it to the service"),
        "{}",
        err(&refused)
    );
}

#[test]
fn a_configuration_that_only_root_can_read_is_the_services_too() {
    let Some(machine) = Machine::install() else { return };
    machine.start_once();
    machine.create_admin(&[]);
    machine.write(CONFIG, &format!("{SCHOOL}[mail]\npassword = \"secret\"\n"), 0o644);
    let (status, found) = machine.diagnose("Configuration");
    assert_eq!(
        (&*status, found.contains("Run `chmod o= /etc/schoolhouse/config.toml`.")),
        ("problem", true),
        "{found}"
    );
    // The doctor's own advice.
    machine.write(CONFIG, &format!("{SCHOOL}[mail]\npassword = \"secret\"\n"), 0o640);
    machine.succeed(&["config", "check"]);
    for check in ["Configuration", "Named files"] {
        assert_eq!(machine.diagnose(check).0, "ok", "{check}");
    }
    // A unit of one's own may hand nothing over.
    let own = UNIT.replace("LoadCredential=config.toml", "# ");
    machine.write("/etc/systemd/system/schoolhouse.service", &own, 0o644);
    let refused = machine.run(&["config", "check"]);
    let expected = "[Service]\nLoadCredential=config.toml:/etc/schoolhouse/config.toml\n";
    assert_eq!((refused.status.code(), &*drop_in(&err(&refused))), (Some(78), expected), "{}", err(&refused));
    set_mode(&machine.at(CONFIG), 0o644);
    let found = machine.diagnose("Configuration").1;
    assert!(
        found.contains(expected.trim().lines().last().unwrap()) && found.contains("Run `chmod o="),
        "{found}"
    );
}

#[test]
fn an_email_that_only_root_can_send_is_reported() {
    let Some(machine) = Machine::install() else { return };
    machine.start_once();
    let server = MailServer::start();
    let section = server.section("none", "password_file = \"/etc/schoolhouse/password\"\n");
    let section = section.replace("localhost", "127.0.0.1");
    machine.write(CONFIG, &format!("{SCHOOL}{section}"), 0o644);
    machine.write("/etc/schoolhouse/password", "secret", 0o600);
    let refused = machine.run(&["mail-test", "it@mail.example"]);
    assert_eq!(server.received().len(), 1, "{}", err(&refused));
    let lines = "[Service]\nLoadCredential=smtp_password:/etc/schoolhouse/password\n";
    assert_eq!((refused.status.code(), &*drop_in(&err(&refused))), (Some(1), lines), "{}", err(&refused));
    machine.write(DROP_IN, lines, 0o644);
    machine.succeed(&["mail-test", "it@mail.example"]);
}

#[test]
fn systemd_credentials_precede_the_configured_files() {
    let Some(machine) = Machine::install() else { return };
    machine.start_once();
    let live = "/etc/letsencrypt/live/school.example";
    let text = format!(
        "{SCHOOL}[mail]\npassword_file = \"/etc/schoolhouse/password\"\n[https]\ndomain = \"school.example\"\n\
         cert_file = \"{live}/fullchain.pem\"\nkey_file = \"{live}/privkey.pem\"\n"
    );
    machine.write(CONFIG, &text, 0o600);
    let handed = "/run/credentials/schoolhouse.service";
    let as_service = |arguments: &[&str], has_credentials: bool| {
        let mut command = Command::new("chroot");
        command.arg(format!("--userspec={SERVICE}:{SERVICE}")).arg(machine.0.path());
        command
            .args(["/schoolhouse", "--config", CONFIG, "--data-dir", "/var/lib/schoolhouse"])
            .args(arguments);
        command.env_clear().env("PATH", "/usr/sbin:/usr/bin");
        command.envs(has_credentials.then_some(("CREDENTIALS_DIRECTORY", handed))).output().unwrap()
    };
    let refused = as_service(&["config", "check"], false);
    assert!(
        refused.status.code() == Some(78) && err(&refused).contains("LoadCredential"),
        "{}",
        err(&refused)
    );
    machine.write(&format!("{handed}/config.toml"), &text, 0o644);
    let shown = out(&as_service(&["config", "show"], true));
    assert!(shown.contains("name = \"Harbour School\""), "{shown}");
    let refused = as_service(&["config", "check"], true);
    assert!(
        refused.status.code() == Some(78) && err(&refused).contains("https.key_file"),
        "{}",
        err(&refused)
    );
    let key = rcgen::KeyPair::generate().unwrap();
    let certificate = rcgen::CertificateParams::new(vec!["school.example".to_owned()]).unwrap();
    machine.write(&format!("{handed}/tls_certificate"), &certificate.self_signed(&key).unwrap().pem(), 0o644);
    machine.write(&format!("{handed}/tls_key"), &key.serialize_pem(), 0o644);
    machine.write(&format!("{handed}/smtp_password"), "secret", 0o644);
    let checked = as_service(&["config", "check"], true);
    assert_eq!(out(&checked), "the configuration is valid\n", "{}", err(&checked));
    let other = rcgen::CertificateParams::new(vec!["other.example".to_owned()]).unwrap();
    machine.write(&format!("{handed}/tls_certificate"), &other.self_signed(&key).unwrap().pem(), 0o644);
    let refused = as_service(&["config", "check"], true);
    assert!(err(&refused).contains("the certificate is not for school.example"), "{}", err(&refused));
}

#[test]
fn a_folder_for_backups_is_tried_as_the_services_user() {
    let Some(machine) = Machine::install() else { return };
    machine.start_once();
    machine.create_admin(&[]);
    machine.make("/mnt/backup");
    let lines = "[Service]\nReadWritePaths=-/mnt/backup\nExecStartPre=-+/bin/chown --reference=/var/lib/schoolhouse /mnt/backup\n";
    machine.write(DROP_IN, lines, 0o644);
    let configure = |folder: &str| {
        machine.write(CONFIG, &format!("{SCHOOL}[backup]\nfolder = \"{folder}\"\n"), 0o644);
    };
    configure("/mnt/backup");
    // The next start would give it the folder; today's service has not got it.
    machine.succeed(&["config", "check"]);
    let is_usable = || {
        let (status, found) = machine.diagnose("Backup folder");
        assert!(found.starts_with("/mnt/backup is on the system's disk, and no archive"), "{found}");
        status == "warning"
    };
    assert!(is_usable(), "no service runs, and the next may");
    chown(machine.at("/mnt/backup"), Some(SERVICE), Some(SERVICE)).unwrap();
    assert!(is_usable());
    // A command of root's writes there, too, and what it makes is the service's.
    let archive = out(&machine.succeed(&["backup"]));
    assert!(archive.starts_with("/mnt/backup/schoolhouse-"), "{archive}");
    assert_eq!(machine.at(archive.trim()).metadata().unwrap().uid(), SERVICE);
    // Where systemd maps the data folder for the service, this folder has another owner.
    chown(machine.at("/mnt/backup"), Some(SERVICE + 1), Some(SERVICE + 1)).unwrap();
    let archive = out(&machine.succeed(&["backup"]));
    assert_eq!(machine.at(archive.trim()).metadata().unwrap().uid(), SERVICE + 1);
    chown(machine.at("/mnt/backup"), Some(SERVICE), Some(SERVICE)).unwrap();
    std::fs::remove_file(machine.at(DROP_IN)).unwrap();
    assert!(
        machine.diagnose("Backup folder").1.contains("ReadWritePaths=-/mnt/backup"),
        "the sandbox is looked at"
    );
    for (folder, words) in [("/mnt/usb", "it does not exist"), ("/home/head/backup", "does not see")] {
        if folder.starts_with("/home") {
            machine.make(folder);
            chown(machine.at(folder), Some(SERVICE), Some(SERVICE)).unwrap();
        }
        configure(folder);
        let refused = machine.run(&["config", "check"]);
        assert!(
            refused.status.code() == Some(78) && err(&refused).contains(words),
            "{folder}: {}",
            err(&refused)
        );
    }
    configure("/mnt/usb");
    let refused = machine.run(&["backup"]);
    assert!(
        refused.status.code() == Some(1) && err(&refused).contains("is its disk mounted?"),
        "{}",
        err(&refused)
    );
}
