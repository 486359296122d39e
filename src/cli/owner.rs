//! Root at the command line acts as the owner of the data folder.
//!
//! Under systemd the folder belongs to a user of the service's own. What root made in it, a lock or
//! an archive, the service could not open afterwards.

use std::os::unix::fs::{MetadataExt, lchown};
use std::path::Path;

use anyhow::Context;
use rustix::thread::{CapabilitySet, CapabilitySets, set_capabilities, set_keep_capabilities};

use crate::base::user::User;

/// Makes files as the folder's owner, if root is asked and that is another user; goes on to reach what
/// root does: systemd keeps the folder in /var/lib/private, which its own user cannot enter, and an
/// archive may be wanted in a place of root's. Goes on to give files away, too: see [`give_to_owner_of`].
///
/// Call it before any thread is started: rights belong to threads, and new ones inherit them.
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
    // A container's root may not have it; then the owner's own rights have to do.
    if let Err(error) = set_capabilities(None, kept) {
        tracing::debug!("acting with the rights of the folder's owner alone: {error}");
    }
    Ok(())
}

/// Gives a file to the owner of its folder, unless that is root: systemd 257 shows the data folder as nobody's, so that
/// the owner of another folder of the service's is another user.
pub(super) fn give_to_owner_of(folder: &Path, file: &Path) {
    let Some(owner) = folder.metadata().ok().filter(|found| found.uid() != 0) else { return };
    if let Err(error) = lchown(file, Some(owner.uid()), Some(owner.gid())) {
        tracing::warn!("{} does not belong to the owner of its folder: {error}", file.display());
    }
}
