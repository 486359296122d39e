//! Root at the command line acts as the owner of the data folder.
//!
//! Under systemd the folder belongs to a user of the service's own. What root made in it, a lock or
//! an archive, the service could not open afterwards.

use std::os::unix::fs::MetadataExt;
use std::path::Path;

use anyhow::Context;
use rustix::process::{Gid, Uid};
use rustix::thread::{
    CapabilitySet, CapabilitySets, set_capabilities, set_keep_capabilities, set_thread_groups,
    set_thread_res_gid, set_thread_res_uid,
};

/// Makes files as the folder's owner, if root is asked and that is somebody else; goes on to reach what
/// root does: systemd keeps the folder in /var/lib/private, which its own user cannot enter, and an
/// archive may be wanted in a place of root's.
///
/// Call it before any thread is started: rights belong to threads, and new ones inherit them.
pub(super) fn act_as_owner(data_dir: &Path) -> anyhow::Result<()> {
    let Ok(folder) = data_dir.metadata() else { return Ok(()) };
    if !rustix::process::geteuid().is_root() || folder.uid() == 0 {
        return Ok(());
    }
    let (uid, gid) = (Uid::from_raw(folder.uid()), Gid::from_raw(folder.gid()));
    let reach = CapabilitySet::DAC_OVERRIDE;
    let kept = CapabilitySets { effective: reach, permitted: reach, inheritable: CapabilitySet::empty() };
    set_keep_capabilities(true)
        .and_then(|()| set_thread_groups(&[gid]))
        .and_then(|()| set_thread_res_gid(gid, gid, gid))
        .and_then(|()| set_thread_res_uid(uid, uid, uid))
        .with_context(|| format!("acting as the owner of {}", data_dir.display()))?;
    // A container's root may not have it; then the owner's own rights have to do.
    if let Err(error) = set_capabilities(None, kept) {
        tracing::debug!("acting with the rights of the folder's owner alone: {error}");
    }
    Ok(())
}
