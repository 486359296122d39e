//! The systemd service on this machine, as its unit and drop-ins define its next start: its credentials, and the
//! folders it may write to.
//!
//! Read from the unit files, so that a command knows it before the service starts and without asking systemd. Not
//! supported: specifiers (`%S`) and settings that are not needed here.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::base::user::User;

/// Default configuration file.
pub const CONFIG_FILE: &str = "/etc/schoolhouse/config.toml";
/// Default data folder.
pub const DATA_DIR: &str = "/var/lib/schoolhouse";

const UNIT: &str = "schoolhouse.service";
/// Where systemd maps its dynamic users to their ids.
const DYNAMIC_USERS: &str = "/run/systemd/dynamic-uid";
/// Unit search path of systemd, highest priority first.
const UNITS: [&str; 4] =
    ["/etc/systemd/system", "/run/systemd/system", "/usr/lib/systemd/system", "/lib/systemd/system"];
/// Search path of systemd for a credential without a path.
const STORES: [&str; 3] = ["/etc/credstore", "/run/credstore", "/usr/lib/credstore"];

/// The settings of the unit's section `[Service]`, in the order in which systemd reads them.
#[derive(Debug, Clone, Default)]
pub struct Service(Vec<(String, String)>);

impl Service {
    /// The service on this machine; `None` when no unit is installed.
    pub fn find() -> Option<Self> {
        Self::find_in(&UNITS.map(PathBuf::from))
    }

    /// The service, if it serves this data folder.
    pub fn of(data_dir: &Path) -> Option<Self> {
        if is_same(data_dir, Path::new(DATA_DIR)) { Self::find() } else { None }
    }

    fn find_in(folders: &[PathBuf]) -> Option<Self> {
        let unit = folders.iter().find_map(|folder| std::fs::read_to_string(folder.join(UNIT)).ok())?;
        let mut service = Self::default();
        service.add(&unit);
        // Sorted by name across folders; a file in an earlier folder replaces one of the same name in a later folder.
        let mut drop_ins = BTreeMap::new();
        for folder in folders.iter().rev() {
            let entries = std::fs::read_dir(folder.join(format!("{UNIT}.d"))).into_iter().flatten().flatten();
            let paths = entries.map(|entry| entry.path());
            for path in paths.filter(|path| path.extension().is_some_and(|kind| kind == "conf")) {
                drop_ins.insert(path.file_name().map(ToOwned::to_owned), path);
            }
        }
        for text in drop_ins.values().filter_map(|path| std::fs::read_to_string(path).ok()) {
            service.add(&text);
        }
        Some(service)
    }

    fn add(&mut self, text: &str) {
        let text = text.replace("\\\n", " ");
        let mut is_ours = false;
        for line in text.lines().map(str::trim).filter(|line| !line.starts_with(['#', ';'])) {
            if line.starts_with('[') {
                is_ours = line == "[Service]";
            } else if let Some((key, value)) = line.split_once('=').filter(|_| is_ours) {
                self.0.push((key.trim().to_owned(), value.trim().to_owned()));
            }
        }
    }

    /// The service's dynamic user; `None` while it is not running. Since systemd 257 the owner of its folder is
    /// different: files of user 65534 appear to the service as its own.
    pub fn user(&self) -> Option<User> {
        let link = std::fs::read_link(format!("{DYNAMIC_USERS}/direct:{}", self.last("User"))).ok()?;
        let uid = link.to_str()?.parse().ok()?;
        Some(User::numbered(uid))
    }

    /// The values of a key that may be repeated; an empty value clears those before it.
    fn values<'a>(&'a self, key: &'a str) -> impl Iterator<Item = &'a str> {
        let all = || self.0.iter().filter(move |(found, _)| found == key).map(|(_, value)| value.as_str());
        let emptied = all().enumerate().filter(|(_, value)| value.is_empty()).map(|(at, _)| at + 1).last();
        all().skip(emptied.unwrap_or(0))
    }

    fn last<'a>(&'a self, key: &'a str) -> &'a str {
        self.values(key).last().unwrap_or_default()
    }

    /// The file of a credential, whether it exists or not; `None` when the unit defines no such credential.
    pub fn credential(&self, name: &str) -> Option<PathBuf> {
        let id = |value: &str| value.split(':').next() == Some(name);
        let value = self.values("LoadCredential").filter(|value| id(value)).last()?;
        let source = Path::new(value.split_once(':').map_or(value, |(_, source)| source));
        let stored = || STORES.iter().map(|store| Path::new(store).join(source)).find(|path| path.exists());
        if source.is_absolute() { Some(source.to_owned()) } else { stored() }
    }

    /// Files of required credentials that do not exist.
    pub fn missing_credentials(&self) -> Vec<PathBuf> {
        let has_default =
            |name: &str| self.values("SetCredential").any(|value| value.split(':').next() == Some(name));
        let named = self.values("LoadCredential").filter_map(|value| value.split_once(':'));
        let needed = named.filter(|(name, _)| !has_default(name)).map(|(_, source)| PathBuf::from(source));
        needed.filter(|source| source.is_absolute() && matches!(source.try_exists(), Ok(false))).collect()
    }

    /// Whether the credential is an encrypted one, which no command can open.
    pub fn has_encrypted(&self, name: &str) -> bool {
        self.values("LoadCredentialEncrypted").any(|value| value.split(':').next() == Some(name))
    }

    /// Its supplementary groups.
    pub fn groups(&self) -> impl Iterator<Item = &str> {
        self.values("SupplementaryGroups").flat_map(str::split_whitespace)
    }

    /// Whether its sandbox shows it the same file at this path.
    pub fn sees(&self, path: &Path) -> bool {
        let is_on = |key| matches!(self.last(key), "yes" | "true" | "on" | "1");
        let hidden = |folders: &[&str]| folders.iter().any(|folder| path.starts_with(folder));
        let is_bound =
            self.bound("BindPaths").chain(self.bound("BindReadOnlyPaths")).any(|at| path.starts_with(at));
        let is_home = !matches!(self.last("ProtectHome"), "" | "no" | "false" | "read-only")
            && hidden(&["/home", "/root", "/run/user"]);
        is_bound || !(is_home || is_on("PrivateTmp") && hidden(&["/tmp", "/var/tmp"]))
    }

    /// Whether its sandbox allows writing to a folder; ownership is checked separately.
    pub fn may_write(&self, folder: &Path) -> bool {
        if self.last("ProtectSystem") != "strict" {
            return true;
        }
        let listed = |key: &'static str| self.values(key).flat_map(str::split_whitespace);
        let named = listed("ReadWritePaths").map(|path| path.trim_start_matches(['-', '+']).to_owned());
        let state = listed("StateDirectory")
            .flat_map(|name| ["/var/lib", "/var/lib/private"].map(|parent| format!("{parent}/{name}")));
        named.chain(state).chain(self.bound("BindPaths")).any(|writable| folder.starts_with(writable))
    }

    /// Whether the unit changes a folder's owner to the service at start.
    pub fn is_given(&self, folder: &Path) -> bool {
        self.values("ExecStartPre").any(|command| {
            command.contains("chown") && command.split_whitespace().any(|word| Path::new(word) == folder)
        })
    }

    /// Mount points of its bind mounts.
    fn bound<'a>(&'a self, key: &'a str) -> impl Iterator<Item = String> + 'a {
        self.values(key).flat_map(str::split_whitespace).map(|value| {
            let mut parts = value.trim_start_matches('-').split(':');
            let source = parts.next().unwrap_or_default();
            parts.next().unwrap_or(source).to_owned()
        })
    }
}

/// Whether two paths resolve to the same place.
pub fn is_same(path: &Path, other: &Path) -> bool {
    path == other || path.canonicalize().ok().is_some_and(|path| other.canonicalize().ok() == Some(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHIPPED: &str = include_str!("../../systemd/schoolhouse.service");

    fn shipped() -> Service {
        let mut service = Service::default();
        service.add(SHIPPED);
        service
    }

    #[test]
    fn the_shipped_unit_may_write_only_to_its_own_folder_until_a_drop_in_adds_another() {
        let mut service = shipped();
        let own = Path::new("/var/lib/private/schoolhouse/backups");
        let other = Path::new("/mnt/backup/school");
        assert!(service.may_write(own) && !service.may_write(other) && !service.is_given(other));
        assert!(service.sees(other) && !service.sees(Path::new("/home/head/backup")));
        assert!(!service.sees(Path::new("/tmp/backup")) && service.sees(Path::new("/etc/letsencrypt")));
        service.add(
            "[Unit]\nReadWritePaths=/nowhere\n[Service]\n# ReadWritePaths=/srv\nReadWritePaths=-/mnt/backup /media/usb\n\
             ExecStartPre=-+/bin/chown --reference=/var/lib/schoolhouse \\\n  /mnt/backup/school\nBindPaths=/home/x:/srv/x",
        );
        assert!(
            service.may_write(other) && service.is_given(other) && service.may_write(Path::new("/media/usb"))
        );
        assert!(service.may_write(Path::new("/srv/x")) && service.sees(Path::new("/srv/x")));
        assert!(!service.may_write(Path::new("/srv")) && !service.may_write(Path::new("/nowhere")));
        service.add("[Service]\nReadWritePaths=\nSupplementaryGroups=ssl-cert adm");
        assert!(!service.may_write(other));
        assert_eq!(service.groups().collect::<Vec<_>>(), ["ssl-cert", "adm"]);
        service.add("[Service]\nProtectSystem=full\nProtectHome=no\nPrivateTmp=no");
        assert!(
            service.may_write(other)
                && service.sees(Path::new("/root/key"))
                && service.sees(Path::new("/tmp/x"))
        );
    }

    #[test]
    fn credentials_are_found_from_the_unit_and_its_drop_ins() {
        let mut service = shipped();
        assert_eq!(service.credential("config.toml").as_deref(), Some(Path::new(CONFIG_FILE)));
        assert_eq!(service.credential("tls_key"), None);
        service.add("[Service]\nLoadCredential=tls_key:/etc/letsencrypt/live/school.example/privkey.pem");
        let found = service.credential("tls_key").unwrap();
        assert_eq!(found, Path::new("/etc/letsencrypt/live/school.example/privkey.pem"));
        service.add("[Service]\nLoadCredentialEncrypted=documents_key:schoolhouse.documents_key");
        assert!(service.has_encrypted("documents_key") && !service.has_encrypted("tls_key"));
        service.add("[Service]\nLoadCredential=");
        assert_eq!(service.credential("tls_key"), None);
    }

    #[test]
    fn drop_ins_are_sorted_by_name_and_local_ones_replace_the_packages() {
        let root = tempfile::tempdir().unwrap();
        let folders = ["etc", "lib"].map(|name| root.path().join(name));
        assert!(Service::find_in(&folders).is_none());
        let write = |path: &str, text: &str| {
            let path = root.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        write("lib/schoolhouse.service", SHIPPED);
        write("lib/schoolhouse.service.d/20-b.conf", "[Service]\nLoadCredential=x:/of/the/package");
        write("etc/schoolhouse.service.d/10-a.conf", "[Service]\nLoadCredential=x:/first");
        write("etc/schoolhouse.service.d/30.conf.off", "[Service]\nLoadCredential=x:/off");
        let found = || Service::find_in(&folders).unwrap().credential("x").unwrap();
        assert_eq!(found(), Path::new("/of/the/package"));
        write("etc/schoolhouse.service.d/20-b.conf", "[Service]\nLoadCredential=x:/of/the/machine");
        assert_eq!(found(), Path::new("/of/the/machine"));
    }
}
