//! The data folder: all persistent data, and the names of its parts.

use std::fs::File;
use std::net::SocketAddr;
use std::ops::Deref;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use anyhow::Context;
use rustix::fs::{Access, access};
use rustix::io::Errno;

/// The database's name in the data folder.
pub const DATABASE: &str = "schoolhouse.db";
/// The documents' folder in the data folder; the database names files relative to the data folder.
pub const DOCUMENTS: &str = "documents";

/// The data folder; a path with named parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataDir(PathBuf);

impl DataDir {
    /// A data folder at a path, which need not exist.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self(path.into())
    }

    /// The database.
    pub fn database(&self) -> PathBuf {
        self.0.join(DATABASE)
    }

    /// Uploaded documents.
    pub fn documents(&self) -> PathBuf {
        self.0.join(DOCUMENTS)
    }

    /// Emails as files, when no mail server is configured.
    pub fn spool(&self) -> PathBuf {
        self.0.join("mail")
    }

    /// Unfinished files.
    pub fn tmp(&self) -> PathBuf {
        self.0.join("tmp")
    }

    /// Archives of the nightly backup, unless the configuration names another folder.
    pub fn backups(&self) -> PathBuf {
        self.0.join("backups")
    }

    /// ACME accounts and the certificate.
    pub fn https(&self) -> PathBuf {
        self.0.join("https")
    }

    /// Lock file of the serving process.
    pub fn lock_file(&self) -> PathBuf {
        self.0.join("lock")
    }

    /// The address recorded by the process that holds the lock.
    pub fn served_address(&self) -> Option<SocketAddr> {
        std::fs::read_to_string(self.lock_file()).ok()?.trim().parse().ok()
    }

    /// Whether a file is, or would be, in the folder, with links resolved.
    pub fn holds(&self, file: &Path) -> bool {
        let parent = || file.parent().map(|parent| if parent == "" { Path::new(".") } else { parent });
        let place = file.canonicalize().ok().or_else(|| parent()?.canonicalize().ok());
        place.zip(self.0.canonicalize().ok()).is_some_and(|(place, folder)| place.starts_with(folder))
    }

    /// Refuses a disk that is mounted read-only, with advice.
    ///
    /// # Errors
    /// When the file system of the folder, or of its future parent, is read-only.
    pub fn ensure_writable(&self) -> anyhow::Result<()> {
        let path = std::path::absolute(&self.0)?;
        let there = path.ancestors().find(|place| place.exists()).unwrap_or(&path);
        anyhow::ensure!(
            access(there, Access::WRITE_OK) != Err(Errno::ROFS),
            "the disk of {} is mounted read-only, so that nothing can be written there. Linux mounts a disk so that \
             fails: look at `dmesg`, and copy the folder elsewhere before anything else; if the disk is sound, mount \
             it for writing again",
            path.display()
        );
        Ok(())
    }

    /// Creates the folder and its parts, readable only by their owner.
    pub fn make(&self) -> anyhow::Result<()> {
        use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
        self.ensure_writable()?;
        for path in [self.0.clone(), self.documents(), self.spool(), self.backups(), self.tmp()] {
            std::fs::DirBuilder::new()
                .recursive(true)
                .mode(0o700)
                .create(&path)
                .and_then(|()| std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o700)))
                .with_context(|| format!("making the folder {}", path.display()))?;
        }
        Ok(())
    }

    /// Locks the folder against a second process until the lock is dropped.
    ///
    /// # Errors
    /// When another process holds the folder.
    pub fn lock(&self) -> anyhow::Result<Lock> {
        Lock::take(&self.lock_file())?.with_context(|| {
            format!("another schoolhouse is already serving {}; stop it first", self.0.display())
        })
    }
}

/// A lock file, held by one process at a time.
pub struct Lock(File);

impl Lock {
    /// Creates and locks the file; `None` while another process holds it.
    ///
    /// # Errors
    /// When the file cannot be opened.
    pub fn take(path: &Path) -> anyhow::Result<Option<Self>> {
        let file = File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .open(path)
            .with_context(|| format!("opening {}", path.display()))?;
        Ok(file.try_lock().is_ok().then_some(Self(file)))
    }

    /// Records the served address for the doctor, as a flag may override the configuration.
    pub fn write_address(&self, address: SocketAddr) {
        let text = format!("{address}\n");
        let written = self.0.set_len(0).and_then(|()| self.0.write_all_at(text.as_bytes(), 0));
        if let Err(error) = written {
            tracing::debug!("the served address was not recorded: {error}");
        }
    }
}

impl Drop for Lock {
    /// Unlocks explicitly: a child just forked by another thread shares the file until it executes its program.
    fn drop(&mut self) {
        let _ = self.0.unlock();
    }
}

impl Deref for DataDir {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.0
    }
}

impl AsRef<Path> for DataDir {
    fn as_ref(&self) -> &Path {
        &self.0
    }
}

impl From<std::ffi::OsString> for DataDir {
    fn from(path: std::ffi::OsString) -> Self {
        Self(path.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_process_holds_the_lock_and_releases_it_even_if_a_child_shares_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let data_dir = DataDir::new(folder.path());
        let lock = data_dir.lock().unwrap();
        assert!(data_dir.lock().is_err());
        let child = lock.0.try_clone().unwrap();
        drop(lock);
        drop((data_dir.lock().unwrap(), child));
    }

    #[test]
    fn a_file_in_the_folder_is_recognized_through_links_and_before_it_exists() {
        let around = tempfile::tempdir().unwrap();
        let data_dir = DataDir::new(around.path().join("data"));
        std::fs::create_dir_all(data_dir.documents()).unwrap();
        std::os::unix::fs::symlink(data_dir.documents(), around.path().join("link")).unwrap();
        std::fs::write(around.path().join("key"), "").unwrap();
        for (name, expected) in [
            ("data/key", true),
            ("data/documents/../key", true),
            ("link/key", true),
            ("key", false),
            ("new", false),
            ("nowhere/key", false),
        ] {
            assert_eq!(data_dir.holds(&around.path().join(name)), expected, "{name}");
        }
        assert!(!data_dir.holds(Path::new("Cargo.toml")) && !data_dir.holds(Path::new("new")));
    }
}
