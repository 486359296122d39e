//! The archive's configuration after a restore: until the first start, a server whose configuration is another school's
//! or lacks what that one had does not start.
//!
//! The marker [`UNSERVED`] says that the restored school was not served yet. Afterwards the operator may change what
//! they like; the copy of the configuration stays for reference and has no effect.

use std::fs;
use std::path::PathBuf;

use crate::config::{CONFIG_FILE, Config};
use crate::storage::data_dir::DataDir;

/// File name of the archive's configuration in the data folder, where it has no effect.
pub const RESTORED_CONFIGURATION: &str = "config-of-archive.toml";
/// File in the data folder from a restore until the first start.
const UNSERVED: &str = "config-of-archive.pending";

/// Marks the restored school as not served yet.
pub(super) fn mark(data_dir: &DataDir) -> std::io::Result<()> {
    fs::write(marker(data_dir), b"")?;
    super::belong(&marker(data_dir), data_dir);
    Ok(())
}

/// Removes the mark; from here on the configuration in force is the school's.
pub fn served(data_dir: &DataDir) {
    let path = marker(data_dir);
    if path.exists()
        && let Err(error) = fs::remove_file(&path)
    {
        tracing::warn!("deleting {}: {error}", path.display());
    }
}

/// Why a server must not start on a restored school: what the archive's configuration has and the one in force lacks.
pub fn obstacle(data_dir: &DataDir, config: &Config) -> Option<String> {
    if !marker(data_dir).exists() {
        return None;
    }
    let path = data_dir.join(RESTORED_CONFIGURATION);
    // One of an older version may have keys that no longer exist; it is for people to read.
    let archived = Config::load(Some(&path), std::iter::empty()).ok()?;
    let lacking = lacking(&archived, config);
    (!lacking.is_empty()).then(|| {
        format!(
            "the restored school had another configuration: {}. Take over what is in {path}, for example with \
             `install -m 644 {path} {CONFIG_FILE}`, and put the secrets back, which no archive holds. To serve the \
             school with the configuration in force instead, delete {path}",
            lacking.join("; "),
            path = path.display(),
        )
    })
}

fn marker(data_dir: &DataDir) -> PathBuf {
    data_dir.join(UNSERVED)
}

fn lacking(archived: &Config, config: &Config) -> Vec<String> {
    let mut lacking = Vec::new();
    let then = archived.school();
    let here = config.school();
    // A name that the office has published is in the database, and the same with any configuration.
    let is_published = here.name != config.name_in_file();
    if then.is_named() && !is_published && then.name != here.name {
        lacking.push(format!("school.name was {:?} and is {:?}", then.name, here.name));
    }
    if !archived.mail.smtp_host.is_empty() && config.mail.smtp_host.is_empty() {
        lacking.push(format!("mail.smtp_host was {:?}, and now no email is sent", archived.mail.smtp_host));
    }
    if archived.has_public_url() && !config.has_public_url() {
        let was = archived.public_url();
        let is = config.public_url();
        lacking.push(format!("the address of the site was {was}, and links would begin with {is}"));
    }
    if !archived.backup.age_recipient.is_empty() && config.backup.age_recipient.is_empty() {
        lacking.push("backup.age_recipient was set, and backups would not be encrypted".into());
    }
    lacking
}
