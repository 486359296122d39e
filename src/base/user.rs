//! Acting as another user, for root: to create files owned by the service's user, and to check what that user may open.

use std::fs::File;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use rustix::fs::{Access, access};
use rustix::process::{Gid, Uid, geteuid};
use rustix::thread::{
    CapabilitySet, CapabilitySets, set_capabilities, set_thread_groups, set_thread_res_gid,
    set_thread_res_uid,
};

/// The system's unprivileged user and group, by number.
const UNPRIVILEGED: u32 = 65534;

/// A user and their groups.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    uid: Uid,
    /// The first is the primary group.
    groups: Vec<Gid>,
}

impl User {
    /// The owner of a file; `None` when it belongs to root or cannot be read.
    pub fn owner_of(path: &Path) -> Option<Self> {
        let found = path.metadata().ok().filter(|found| found.uid() != 0)?;
        Some(Self { uid: Uid::from_raw(found.uid()), groups: vec![Gid::from_raw(found.gid())] })
    }

    /// A user with a group of the same id.
    pub fn numbered(id: u32) -> Self {
        Self { uid: Uid::from_raw(id), groups: vec![Gid::from_raw(id)] }
    }

    /// The unprivileged user.
    pub fn unprivileged() -> Self {
        Self::numbered(UNPRIVILEGED)
    }

    /// Adds a group; ignored if it does not exist.
    #[must_use]
    pub fn with_group(mut self, name: &str) -> Self {
        let groups = std::fs::read_to_string("/etc/group").unwrap_or_default();
        let line = groups.lines().find(|line| line.split(':').next() == Some(name));
        let id = line.and_then(|line| line.split(':').nth(2)?.parse().ok());
        self.groups.extend(id.map(Gid::from_raw));
        self
    }

    /// Switches the calling thread, and threads it starts, to this user.
    ///
    /// # Errors
    /// When the caller is not root.
    pub fn become_it(&self) -> rustix::io::Result<()> {
        let main = self.groups.first().copied().unwrap_or(Gid::from_raw(UNPRIVILEGED));
        set_thread_groups(&self.groups)?;
        set_thread_res_gid(main, main, main)?;
        set_thread_res_uid(self.uid, self.uid, self.uid)
    }

    /// Runs `work` with only this user's rights, on a temporary thread.
    fn run<T: Send>(&self, work: impl FnOnce() -> io::Result<T> + Send) -> io::Result<T> {
        let with_rights = || {
            if geteuid().is_root() {
                self.become_it()?;
            }
            // Root's capabilities went with its uid; a command that acts as the owner has kept one.
            let none = CapabilitySet::empty();
            let _ = set_capabilities(
                None,
                CapabilitySets { effective: none, permitted: none, inheritable: none },
            );
            work()
        };
        std::thread::scope(|scope| scope.spawn(with_rights).join())
            .unwrap_or_else(|_| Err(io::Error::other("the thread that tried it ended")))
    }
}

/// Checks that a user may read a file; `None` means the caller.
///
/// # Errors
/// The system's error.
pub fn can_read(user: Option<&User>, file: &Path) -> io::Result<()> {
    let open = || File::open(file).map(drop);
    user.map_or_else(open, |user| user.run(open))
}

/// Checks that a user may create files in a folder, without creating one; `None` means the caller.
///
/// # Errors
/// The system's error.
pub fn can_write(user: Option<&User>, folder: &Path) -> io::Result<()> {
    let ask = || Ok(access(folder, Access::WRITE_OK | Access::EXEC_OK)?);
    user.map_or_else(ask, |user| user.run(ask))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, chown};

    use super::*;

    #[test]
    fn acting_as_another_user_does_not_change_roots_rights() {
        if !geteuid().is_root() {
            eprintln!("not tried: only root can become another user");
            return;
        }
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("secret");
        std::fs::write(&file, "").unwrap();
        let set =
            |path: &Path, mode| std::fs::set_permissions(path, PermissionsExt::from_mode(mode)).unwrap();
        set(folder.path(), 0o755);
        let stranger = User::unprivileged();
        for (mode, group, may_read) in
            [(0o600, 0, false), (0o640, 0, false), (0o640, UNPRIVILEGED, true), (0o644, 0, true)]
        {
            set(&file, mode);
            chown(&file, Some(0), Some(group)).unwrap();
            assert_eq!(can_read(Some(&stranger), &file).is_ok(), may_read, "{mode:o} {group}");
            assert!(can_read(None, &file).is_ok(), "{mode:o}");
        }
        assert_eq!(
            can_write(Some(&stranger), folder.path()).unwrap_err().kind(),
            io::ErrorKind::PermissionDenied
        );
        chown(folder.path(), Some(UNPRIVILEGED), None).unwrap();
        assert!(can_write(Some(&stranger), folder.path()).is_ok());
        assert_eq!(User::owner_of(folder.path()).unwrap().uid, stranger.uid);
        assert_eq!(User::owner_of(&file), None, "root is no other user");
    }
}
