//! Free space under the data folder, and a reserve file to delete when the disk is full.
//!
//! A full disk must not keep people from logging in. Uploads are refused while less than the reserve is free. If
//! something else uses up the reserve, too, the empty reserve file `ballast` is deleted, so that the small writes of a
//! working day continue until the operator frees space. Then it is created again.

use std::fs::{self, File, OpenOptions};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::fs::{FallocateFlags, fallocate, statvfs};

/// Its name in the data folder.
pub const RESERVE_FILE: &str = "ballast";
const MEBIBYTE: u64 = 1024 * 1024;
/// The reserve file is deleted when less than this is free: the write-ahead log grows to 4 MiB between two checkpoints,
/// but most of that is already allocated.
const LOW: u64 = 2 * MEBIBYTE;
/// Enough for weeks of logins and messages.
const MAX_RESERVE_FILE: u64 = 16 * MEBIBYTE;

/// The file system that holds the data folder.
#[derive(Debug)]
pub struct Disk {
    folder: PathBuf,
    reserve: u64,
    has_reserve_file: AtomicBool,
    /// False once the file system turned out not to support preallocation (ZFS).
    can_take: AtomicBool,
}

impl Disk {
    /// The disk of a data folder; `reserve_mb` megabytes of it should stay free.
    pub fn new(data_dir: &Path, reserve_mb: u64) -> Self {
        let disk = Self {
            folder: data_dir.to_owned(),
            reserve: reserve_mb.saturating_mul(MEBIBYTE),
            has_reserve_file: AtomicBool::new(data_dir.join(RESERVE_FILE).exists()),
            can_take: AtomicBool::new(true),
        };
        disk.rebalance();
        disk
    }

    /// Free bytes, the reserve file not counted.
    pub fn free(&self) -> std::io::Result<u64> {
        let stat = statvfs(&self.folder)?;
        Ok(stat.f_bavail.saturating_mul(stat.f_frsize))
    }

    /// All bytes, used or not.
    pub fn size(&self) -> std::io::Result<u64> {
        let stat = statvfs(&self.folder)?;
        Ok(stat.f_blocks.saturating_mul(stat.f_frsize))
    }

    /// Whether more than the reserve is free.
    pub fn has_room(&self) -> std::io::Result<bool> {
        Ok(self.free()? >= self.reserve)
    }

    /// Deletes the reserve file when the disk is full, and creates it again when there is room. Called before every
    /// commit; takes a microsecond when there is nothing to do.
    pub fn rebalance(&self) {
        let Ok(free) = self.free() else { return };
        let has_reserve_file = self.has_reserve_file.load(Ordering::Relaxed);
        if has_reserve_file && free < LOW {
            tracing::error!(
                "the disk is full; {} is deleted so that people can go on",
                self.reserve_file().display()
            );
            let _ = fs::remove_file(self.reserve_file());
            self.has_reserve_file.store(false, Ordering::Relaxed);
        } else if !has_reserve_file
            && free >= self.reserve.saturating_add(self.reserve_file_size())
            && self.can_take.load(Ordering::Relaxed)
        {
            let taken = self.create_reserve_file().is_ok();
            self.has_reserve_file.store(taken, Ordering::Relaxed);
            self.can_take.store(taken, Ordering::Relaxed);
        }
    }

    fn reserve_file(&self) -> PathBuf {
        self.folder.join(RESERVE_FILE)
    }

    fn reserve_file_size(&self) -> u64 {
        (self.reserve / 4).clamp(MEBIBYTE, MAX_RESERVE_FILE)
    }

    fn create_reserve_file(&self) -> std::io::Result<()> {
        let file: File = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .mode(0o600)
            .open(self.reserve_file())?;
        let taken = fallocate(&file, FallocateFlags::empty(), 0, self.reserve_file_size());
        if taken.is_err() {
            let _ = fs::remove_file(self.reserve_file());
        }
        Ok(taken?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reserve_file_is_created_where_there_is_room_and_counts_as_used() {
        let folder = tempfile::tempdir().unwrap();
        let disk = Disk::new(folder.path(), 8);
        assert_eq!(folder.path().join(RESERVE_FILE).metadata().unwrap().len(), 2 * MEBIBYTE);
        assert!(disk.has_room().unwrap());
        let greedy = Disk::new(tempfile::tempdir().unwrap().path(), u64::MAX);
        assert!(!greedy.has_reserve_file.load(Ordering::Relaxed), "a full disk gets no reserve file");
    }
}
