//! Which school a command works on: its configuration and its data folder.
//!
//! A flag or a variable names them. On a machine that has the service they are else the service's own; elsewhere
//! the data folder is `./data`, which only `serve` makes: a command in the wrong place must not begin a school.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};

use crate::config::{CONFIG_FILE, Config, DATA_DIR, is_same};
use crate::operations::backup;
use crate::storage::data_dir::DataDir;

/// What a command does with the data folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FolderUse {
    /// Works without a school, or looks at whatever is there.
    Look,
    /// Needs a school.
    Open,
    /// Needs a school, and begins one where a folder is named.
    Begin,
}

/// The configuration and the data folder of a command.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Places {
    pub(super) config_file: Option<PathBuf>,
    pub(super) data_dir: DataDir,
    /// Whether a school may begin in the folder: it was named, or is the service's.
    may_begin: bool,
}

impl Places {
    /// Those of the flags or variables, else of this machine's service, else `./data`.
    pub(super) fn find(config_file: Option<PathBuf>, data_dir: Option<DataDir>) -> Self {
        Self::resolve(config_file, data_dir, Path::new(CONFIG_FILE).exists())
    }

    fn resolve(config_file: Option<PathBuf>, data_dir: Option<DataDir>, has_service: bool) -> Self {
        // Half of it named is still the service's school; another configuration or folder is another school.
        let is_services = has_service
            && config_file.as_deref().is_none_or(|named| is_same(named, Path::new(CONFIG_FILE)))
            && data_dir.as_deref().is_none_or(|named| is_same(named, Path::new(DATA_DIR)));
        let may_begin = is_services || data_dir.is_some();
        Self {
            config_file: config_file.or_else(|| is_services.then(|| CONFIG_FILE.into())),
            data_dir: data_dir.unwrap_or_else(|| DataDir::new(if is_services { DATA_DIR } else { "data" })),
            may_begin,
        }
    }

    /// Says on stderr which school a command works on.
    ///
    /// # Errors
    /// When there is none, and the command needs one; when the folder cannot be looked into or written to.
    pub(super) fn enter(&self, folder_use: FolderUse, config: &Config) -> anyhow::Result<()> {
        let folder = std::path::absolute(&self.data_dir)?;
        if folder_use != FolderUse::Look {
            self.data_dir.ensure_writable()?;
        }
        let is_there = match backup::has_school(&self.data_dir) {
            Err(_) if folder_use == FolderUse::Look => true,
            is_there => is_there.with_context(|| format!("looking into {}", folder.display()))?,
        };
        if !is_there && folder_use == FolderUse::Begin && !self.may_begin {
            bail!(
                "there is no school in {}; name its folder with --data-dir DIR (or SCHOOLHOUSE_DATA_DIR), which is \
                 made if it is not there",
                folder.display()
            );
        }
        ensure!(
            is_there || folder_use != FolderUse::Open,
            "{} is not a data folder of schoolhouse (schoolhouse.db is missing); --data-dir DIR names another",
            folder.display()
        );
        if !is_there && folder_use == FolderUse::Look {
            return Ok(());
        }
        let new = if is_there { "" } else { ", a new school" };
        eprintln!("Working on {} in {}{new}", config.school().name, folder.display());
        let beside = DataDir::new("data");
        if *self.data_dir == *Path::new(DATA_DIR) && beside.database().exists() {
            eprintln!("(There is another school in ./data; --data-dir data names it.)");
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_named_goes_before_the_service_and_the_service_before_the_folder_here() {
        let (own, other) = (Some("/srv/school.toml"), Some("/srv/school"));
        for (config_file, data_dir, has_service, expected_config, expected_folder, may_begin) in [
            (None, None, false, None, "data", false),
            (None, None, true, Some(CONFIG_FILE), DATA_DIR, true),
            (None, Some(DATA_DIR), true, Some(CONFIG_FILE), DATA_DIR, true),
            (None, Some("/var/lib/schoolhouse/"), true, Some(CONFIG_FILE), DATA_DIR, true),
            (Some(CONFIG_FILE), None, true, Some(CONFIG_FILE), DATA_DIR, true),
            (None, Some(DATA_DIR), false, None, DATA_DIR, true),
            (own, None, true, own, "data", false),
            (None, other, true, None, "/srv/school", true),
            (own, other, true, own, "/srv/school", true),
            (Some(CONFIG_FILE), other, true, Some(CONFIG_FILE), "/srv/school", true),
        ] {
            let found =
                Places::resolve(config_file.map(PathBuf::from), data_dir.map(DataDir::new), has_service);
            let expected = Places {
                config_file: expected_config.map(PathBuf::from),
                data_dir: DataDir::new(expected_folder),
                may_begin,
            };
            assert_eq!(found, expected, "{config_file:?} {data_dir:?} {has_service}");
        }
    }
}
