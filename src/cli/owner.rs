//! Commands run by root act as the owner of the data folder.
//!
//! Under systemd the folder belongs to the service's user, which could not open a lock or an archive created by root.

use std::os::unix::fs::{MetadataExt, lchown};
use std::path::Path;

use anyhow::Context;
use rustix::thread::{CapabilitySet, CapabilitySets, set_capabilities, set_keep_capabilities};

use crate::base::user::User;

/// If run by root, switches to the folder's owner but keeps root's access: systemd keeps the folder in
/// /var/lib/private, which its user cannot enter, and an archive may be written to a folder of root. Also keeps the
/// right to change owners, see [`give_to_owner_of`].
///
/// Call it before any thread is started: rights are per thread and inherited.
pub(super) fn act_as_owner(data_dir: &Path) -> anyhow::Result<()> {
    if !rustix::process::geteuid().is_root() {
        return Ok(());
    }
    let Some(owner) = User::owner_of(data_dir) else { return Ok(()) };
    let reach = CapabilitySet::DAC_OVERRIDE | CapabilitySet::CHOWN;
    let kept = CapabilitySets { effective: reach, permitted: reach, inheritable: CapabilitySet::empty() };
    set_keep_capabilities(true)
        .and_then(|()| owner.become_it())
        .with_context(|| format!("acting as the owner of {}", data_dir.display()))?;
    // Root in a container may lack the capabilities; then the owner's rights must suffice.
    if let Err(error) = set_capabilities(None, kept) {
        tracing::debug!("acting with only the rights of the folder's owner: {error}");
    }
    Ok(())
}

/// Changes a file's owner to that of its folder, unless that is root. Since systemd 257 shows the data folder as owned
/// by user 65534, another folder of the service has another owner.
pub(super) fn give_to_owner_of(folder: &Path, file: &Path) {
    let Some(owner) = folder.metadata().ok().filter(|found| found.uid() != 0) else { return };
    if let Err(error) = lchown(file, Some(owner.uid()), Some(owner.gid())) {
        tracing::warn!("{} does not belong to the owner of its folder: {error}", file.display());
    }
}
