//! Selects the configuration and the data folder of a command.
//!
//! A flag or a variable names them. Otherwise they are those of the installed service, or else `./data`, which only
//! `serve` creates: a command in the wrong place must not create a school.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};

use crate::config::{CONFIG_FILE, Config, DATA_DIR, is_same};
use crate::operations::backup;
use crate::storage::data_dir::DataDir;

/// How a command uses the data folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FolderUse {
    /// Works without a school, or only reads.
    Look,
    /// Needs an existing school.
    Open,
    /// Needs a school, and creates one if the folder was named.
    Begin,
}

/// The configuration and the data folder of a command.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct CommandPaths {
    pub(super) config_file: Option<PathBuf>,
    pub(super) data_dir: DataDir,
    /// Whether a school may be created in the folder: it was named, or is the service's.
    may_begin: bool,
}

impl CommandPaths {
    /// From flags or variables, else from the installed service, else `./data`.
    pub(super) fn find(config_file: Option<PathBuf>, data_dir: Option<DataDir>) -> Self {
        Self::resolve(config_file, data_dir, Path::new(CONFIG_FILE).exists())
    }

    fn resolve(config_file: Option<PathBuf>, data_dir: Option<DataDir>, has_service: bool) -> Self {
        // Naming one of the two still means the service's school, unless it is another configuration or folder.
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

    /// Prints on stderr which school a command works on.
    ///
    /// # Errors
    /// When a required school does not exist; when the folder cannot be read or written.
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
                 created if it does not exist",
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
    fn flags_take_precedence_over_the_service_and_the_service_over_the_local_folder() {
        let own = Some("/srv/school.toml");
        let other = Some("/srv/school");
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
            let found = CommandPaths::resolve(
                config_file.map(PathBuf::from),
                data_dir.map(DataDir::new),
                has_service,
            );
            let expected = CommandPaths {
                config_file: expected_config.map(PathBuf::from),
                data_dir: DataDir::new(expected_folder),
                may_begin,
            };
            assert_eq!(found, expected, "{config_file:?} {data_dir:?} {has_service}");
        }
    }
}
