//! Folders of archives: whether one is on a file system of its own, and whether it was.
//!
//! A disk that is not mounted leaves an empty folder on the system's disk, where archives would go unnoticed. So a
//! folder's file system is compared with those of the data and of the system, and remembered: where archives went to
//! a file system of their own, none is written to the data's or the system's, unless the operator says so once.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use anyhow::{Context, bail};
use jiff::{SignedDuration, Timestamp};
use rusqlite::Connection;
use serde::{Deserialize, Serialize};

use crate::base::error::Result;
use crate::storage::data_dir::DataDir;
use crate::storage::statements::{Statements, from_row, params};

/// Age at which an archive elsewhere no longer counts as a copy.
const COPY_COUNTS_FOR: SignedDuration = SignedDuration::from_hours(8 * 24);

/// Where archives go.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// The folder, with links resolved; `-` for a pipe.
    pub folder: String,
    /// Whether it is on another file system than the data and the system.
    pub is_separate: bool,
}

/// When an archive last went to a place.
pub struct LastArchive {
    /// The folder, or `-`.
    pub folder: String,
    /// The time.
    pub last_at: Timestamp,
}

from_row!(LastArchive { folder, last_at });

impl Place {
    /// Where an archive is going, as it is now: a folder, a file in one, or by default `backups/`, which is made.
    ///
    /// # Errors
    /// When the folder does not exist.
    pub fn of(data_dir: &DataDir, dest: Option<&Path>) -> anyhow::Result<Self> {
        let own = data_dir.backups();
        let folder = match dest {
            None => {
                super::private_folder(&own)?;
                super::belong(&own, data_dir);
                &own
            }
            Some(folder) if folder.is_dir() => folder,
            Some(file) => file.parent().filter(|folder| *folder != "").unwrap_or(Path::new(".")),
        };
        Self::look(data_dir, folder).with_context(|| format!("looking at {}", folder.display()))
    }

    /// A folder as it is now.
    ///
    /// # Errors
    /// When it does not exist.
    pub fn look(data_dir: &DataDir, folder: &Path) -> io::Result<Self> {
        Self::look_with(data_dir, folder, |path| Ok(fs::metadata(path)?.dev()))
    }

    fn look_with(
        data_dir: &DataDir,
        folder: &Path,
        device: impl Fn(&Path) -> io::Result<u64>,
    ) -> io::Result<Self> {
        let folder = folder.canonicalize()?;
        let own = device(&folder)?;
        let is_separate = own != device(data_dir)? && own != device(Path::new("/"))?;
        Ok(Self { folder: folder.display().to_string(), is_separate })
    }

    /// A pipe, to another machine for all that is known.
    pub fn pipe() -> Self {
        Self { folder: "-".into(), is_separate: true }
    }

    /// Why no archive may be written there: it was on a file system of its own, and is not.
    ///
    /// # Errors
    /// Database errors.
    pub fn obstacle(&self, connection: &Connection) -> Result<Option<String>> {
        if self.is_separate || !is_known(connection)? {
            return Ok(None);
        }
        let sql = "select folder, last_at from backup_places where folder = :folder and is_separate = 1";
        let last: Option<LastArchive> = connection.find(sql, params![folder = self.folder.as_str()])?;
        Ok(last.map(|LastArchive { last_at, .. }| {
            format!(
                "{} is on the system's disk now, and its last archive, of {}, went to another one: is its disk mounted?",
                self.folder,
                last_at.strftime("%-d %B %Y")
            )
        }))
    }

    /// Refuses a folder whose disk is not mounted.
    ///
    /// # Errors
    /// [`Place::obstacle`], with what to do.
    pub fn ensure_mounted(&self, connection: &Connection) -> anyhow::Result<()> {
        match self.obstacle(connection).map_err(|error| anyhow::anyhow!("{error}"))? {
            Some(found) => bail!("{found} {}", Self::advice()),
            None => Ok(()),
        }
    }

    /// What to do about a disk that is not mounted.
    pub fn advice() -> &'static str {
        "Mount it, and restart the service. If archives are to stay on the system's disk, run \
         `schoolhouse backup --same-disk` once, with the folder if it is not that of the configuration."
    }

    /// Remembers that an archive went there.
    ///
    /// # Errors
    /// Database errors.
    pub fn note(&self, connection: &Connection, now: Timestamp) -> Result<()> {
        if !is_known(connection)? {
            return Ok(());
        }
        let sql =
            "insert into backup_places (folder, is_separate, last_at) values (:folder, :is_separate, :now)
            on conflict (folder) do update set is_separate = :is_separate, last_at = :now";
        let folder = self.folder.as_str();
        connection.run(sql, params![folder, is_separate = self.is_separate, now = now.as_second()])
    }
}

/// The newest archive that went to another disk or machine in the last days, if any.
///
/// # Errors
/// Database errors.
pub fn newest_elsewhere(connection: &Connection, now: Timestamp) -> Result<Option<LastArchive>> {
    if !is_known(connection)? {
        return Ok(None);
    }
    let sql = "select folder, last_at from backup_places where is_separate = 1 and last_at > :since
        order by last_at desc limit 1";
    connection.find(sql, params![since = (now - COPY_COUNTS_FOR).as_second()])
}

/// Databases of older versions lack the table.
fn is_known(connection: &Connection) -> Result<bool> {
    Ok(connection.table_exists(None, "backup_places")?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::clock::from_seconds;
    use crate::storage::db;

    #[test]
    fn a_folder_whose_disk_is_gone_is_refused_and_every_other_one_is_not() {
        let root = tempfile::tempdir().unwrap();
        let data_dir = DataDir::new(root.path().join("data"));
        let folder = root.path().join("backup");
        for path in [&*data_dir, &folder] {
            fs::create_dir(path).unwrap();
        }
        let connection = db::open(&data_dir.database()).unwrap();
        let data = 1;
        let system = 2;
        let other = 3;
        let look = |found: u64| {
            let device = |path: &Path| {
                Ok(match path {
                    path if path == Path::new("/") => system,
                    path if path.ends_with("backup") => found,
                    _ => data,
                })
            };
            Place::look_with(&data_dir, &folder, device).unwrap()
        };
        let refused = |found| look(found).ensure_mounted(&connection).is_err();
        let note = |found, at| look(found).note(&connection, from_seconds(at)).unwrap();
        // Always on the data's disk: allowed, also on another one from now on.
        note(data, 1000);
        assert!(!refused(data) && !refused(system) && !refused(other));
        assert!(newest_elsewhere(&connection, from_seconds(2000)).unwrap().is_none());
        note(other, 2000);
        assert!(refused(data) && refused(system) && !refused(other));
        assert!(!refused(4), "a new disk in its place");
        let copy = newest_elsewhere(&connection, from_seconds(3000)).unwrap().unwrap();
        assert!(copy.folder.ends_with("/backup") && copy.last_at == from_seconds(2000));
        assert!(newest_elsewhere(&connection, from_seconds(2000 + 9 * 86_400)).unwrap().is_none());
        // Another folder has its own history, and the operator's word forgets that of this one.
        assert!(Place::look(&data_dir, root.path()).unwrap().ensure_mounted(&connection).is_ok());
        note(data, 4000);
        assert!(!refused(data));
    }
}
