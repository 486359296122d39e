//! Checks that the server can open the configured files and folders, with the rights of its user and within its unit's
//! sandbox.
//!
//! Root can open everything, so a check as root says nothing about the service.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use rustix::fs::{Access, access};
use rustix::io::Errno;
use rustix::process::geteuid;

use super::{CONFIG_CREDENTIAL, Config, DATA_DIR, Service, handed};
use crate::base::user::{User, can_read, can_write};

/// A configured file or folder that the server cannot use.
#[derive(Debug)]
pub struct Obstacle {
    /// The key, its value and the problem.
    pub found: String,
    remedy: Remedy,
}

#[derive(Debug)]
enum Remedy {
    /// Lines for the unit's `[Service]` section.
    DropIn(Vec<String>),
    /// Another remedy.
    Do(String),
}

/// The server process to check for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ServerProcess {
    /// The next one to be started.
    Next,
    /// The running one, by process id.
    Running(u32),
}

/// Remedies for the obstacles: first all drop-in lines, ready to copy, then the rest.
pub fn advice(obstacles: &[Obstacle]) -> String {
    let mut lines = Vec::new();
    let mut others = Vec::new();
    for Obstacle { remedy, .. } in obstacles {
        match remedy {
            Remedy::DropIn(more) => lines.extend(more.iter().map(|line| format!("\n    {line}"))),
            Remedy::Do(what) => others.push(what.as_str()),
        }
    }
    if lines.is_empty() {
        return others.join("\n");
    }
    let drop_in = format!(
        "Run `systemctl edit schoolhouse`, add these lines, then run `systemctl restart schoolhouse`:\n    [Service]{}",
        lines.concat()
    );
    [others, vec![&drop_in]].concat().join("\n")
}

/// One obstacle with its remedy on one line, for a log or an email.
pub fn in_one_line(obstacle: &Obstacle) -> String {
    let advice =
        advice(std::slice::from_ref(obstacle)).replace(":\n    [Service]\n    ", ", under [Service]: ");
    format!("{}. {}", obstacle.found, advice.replace("\n    ", " and "))
}

/// How to protect a secret file from other users so that the server can still read it.
pub fn protection(path: &Path, credential: &str, data_dir: &Path) -> String {
    let host = DataFolderUser::of(data_dir);
    let chmod = format!("Run `chmod o= {}`.", path.display());
    if host.service.is_some() && !host.is_handed(credential, path) {
        let line = format!("LoadCredential={credential}:{}", path.display());
        let first = Obstacle { found: String::new(), remedy: Remedy::DropIn(vec![line]) };
        return format!("{}\n{chmod}", advice(&[first]));
    }
    match host.user {
        Some(_) if host.service.is_none() => format!(
            "Give it to the user who runs the server: `chown --reference={} {}`. {chmod}",
            data_dir.display(),
            path.display()
        ),
        _ => chmod,
    }
}

/// User and unit that serve a data folder.
struct DataFolderUser {
    /// The user to check for; `None` means the caller.
    user: Option<User>,
    service: Option<Service>,
}

impl DataFolderUser {
    fn of(data_dir: &Path) -> Self {
        let service = Service::of(data_dir);
        let user = geteuid()
            .is_root()
            .then(|| match &service {
                Some(service) => service.user().or_else(|| Some(User::unprivileged())),
                None => User::owner_of(data_dir),
            })
            .flatten();
        let groups: Vec<&str> = service.iter().flat_map(Service::groups).collect();
        let user = user.map(|user| groups.into_iter().fold(user, User::with_group));
        Self { user, service }
    }

    /// Whether systemd passes the file as this credential.
    fn is_handed(&self, name: &str, path: &Path) -> bool {
        if handed(name).is_some() {
            return true;
        }
        let Some(service) = &self.service else { return false };
        let source = service.credential(name).filter(|source| source.exists());
        // A key or password credential takes precedence over the configured file; a configuration credential does not.
        service.has_encrypted(name)
            || source.is_some_and(|source| name != CONFIG_CREDENTIAL || source == path)
    }

    fn obstacle_to_file(&self, key: &str, path: &Path, credential: Option<&str>) -> Option<Obstacle> {
        if credential.is_some_and(|name| self.is_handed(name, path)) {
            return None;
        }
        let is_hidden = self.service.as_ref().is_some_and(|service| !service.sees(path));
        let why = match can_read(self.user.as_ref(), path) {
            Ok(()) if is_hidden => "the service does not see this folder".to_owned(),
            Ok(()) => return None,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                let found = format!("{key} {}: it does not exist", path.display());
                return Some(Obstacle { found, remedy: Remedy::Do(format!("Correct {key}.")) });
            }
            Err(error) => format!("the server cannot read it ({error})"),
        };
        let found = format!("{key} {}: {why}", path.display());
        let remedy = match (credential, &self.service) {
            (Some(name), Some(_)) => {
                Remedy::DropIn(vec![format!("LoadCredential={name}:{}", path.display())])
            }
            (None, Some(_)) => Remedy::Do(format!(
                "Copy {} to /etc/schoolhouse, make the copy readable for all users (`chmod 644`: it is not a secret), and \
                 name it in {key}.",
                path.display()
            )),
            (_, None) => {
                Remedy::Do(format!("Make {} readable for the user who runs the server.", path.display()))
            }
        };
        Some(Obstacle { found, remedy })
    }
}

/// Configured files that the server cannot read, including the configuration itself.
pub fn obstacles_to_files(config: &Config, config_file: Option<&Path>, data_dir: &Path) -> Vec<Obstacle> {
    let host = DataFolderUser::of(data_dir);
    let files: [(&str, Option<&Path>, Option<&str>); 8] = [
        ("the configuration", config_file, Some(CONFIG_CREDENTIAL)),
        ("mail.password_file", config.mail.password_file.as_deref(), Some("smtp_password")),
        ("mail.ca_file", config.mail.ca_file.as_deref(), None),
        ("https.cert_file", config.https.cert_file.as_deref(), Some("tls_certificate")),
        ("https.key_file", config.https.key_file.as_deref(), Some("tls_key")),
        ("https.ca_file", config.https.ca_file.as_deref(), None),
        ("documents.key_file", config.documents.key_file.as_deref(), Some("documents_key")),
        ("backup.identity_file", config.backup.identity_file.as_deref(), Some("backup_identity")),
    ];
    let named = files.into_iter().filter_map(|(key, path, credential)| Some((key, path?, credential)));
    let unreadable = named.filter_map(|(key, path, name)| host.obstacle_to_file(key, path, name));
    let missing = host.service.iter().flat_map(Service::missing_credentials).map(|source| Obstacle {
        found: format!(
            "{}: the unit passes it to the service, but the file does not exist",
            source.display()
        ),
        remedy: Remedy::Do(
            "Correct the path with `systemctl edit schoolhouse`: the service does not start without it."
                .into(),
        ),
    });
    unreadable.chain(missing).collect()
}

/// Why the nightly backup cannot use the configured folder; `None` if it can, or no folder is configured.
pub fn obstacle_to_backups(config: &Config, data_dir: &Path, process: ServerProcess) -> Option<Obstacle> {
    let named = config.backup.folder()?;
    let host = DataFolderUser::of(data_dir);
    let obstacle = |why: &str, remedy| {
        Some(Obstacle { found: format!("backup.folder {}: {why}", named.display()), remedy })
    };
    let todo = |what: &str| Remedy::Do(what.to_owned());
    let restart = || {
        todo("Run `systemctl restart schoolhouse`: its unit's setting for the folder is not in effect yet.")
    };
    let drop_in = || {
        Remedy::DropIn(vec![
            format!("ReadWritePaths=-{}", named.display()),
            format!("ExecStartPre=-+/bin/chown --reference={DATA_DIR} {}", named.display()),
        ])
    };
    let Ok(folder) = named.canonicalize() else {
        return obstacle(
            "it does not exist",
            todo("Is its disk mounted? The program does not create this folder."),
        );
    };
    let is_given = host.service.as_ref().is_some_and(|service| service.is_given(named));
    let is_prepared = is_given && host.service.as_ref().is_some_and(|service| service.may_write(&folder));
    match (can_write(host.user.as_ref(), &folder), &host.service) {
        (Err(error), Some(_)) if is_read_only(&error) && geteuid().is_root() => {
            return obstacle("its disk is mounted read-only", todo("Mount it for writing."));
        }
        (Err(error), None) => {
            let what = format!(
                "Give it to the user who runs the server: `chown --reference={} {}`.",
                data_dir.display(),
                named.display()
            );
            return obstacle(&format!("the server cannot write there ({error})"), Remedy::Do(what));
        }
        (Err(_), Some(_)) if is_given && process == ServerProcess::Next => {}
        (Err(error), Some(_)) => {
            let why = format!("the service cannot write there ({error})");
            return obstacle(&why, if is_prepared { restart() } else { drop_in() });
        }
        (Ok(()), _) => {}
    }
    let service = host.service.as_ref().filter(|_| geteuid().is_root())?;
    if !service.sees(&folder) {
        let what = "Name a folder outside /home, /root and /tmp, such as /srv/backup.";
        return obstacle("the service does not see this folder", todo(what));
    }
    if !service.may_write(&folder) {
        return obstacle("the unit does not let the service write there (Read-only file system)", drop_in());
    }
    // As seen by the running process.
    let ServerProcess::Running(id) = process else { return None };
    let inside = PathBuf::from(format!("/proc/{id}/root")).join(folder.strip_prefix("/").unwrap_or(&folder));
    let is_stale = matches!(access(inside, Access::WRITE_OK), Err(Errno::ROFS | Errno::NOENT));
    if is_stale { obstacle("the running service cannot write there", restart()) } else { None }
}

fn is_read_only(error: &io::Error) -> bool {
    error.kind() == ErrorKind::ReadOnlyFilesystem
}
