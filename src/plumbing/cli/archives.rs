//! `backup`: archives of the whole school.

use std::path::Path;

use super::progress;
use crate::plumbing::backup;
use crate::plumbing::clock::Clock;

/// Writes an archive and prints its path.
///
/// # Errors
/// When this is no school's folder, or the backup fails.
pub(super) fn make_backup(data_dir: &Path, dest: Option<&Path>, clock: &Clock) -> anyhow::Result<()> {
    anyhow::ensure!(
        data_dir.join("schoolhouse.db").exists(),
        "{} is not the data folder of a school (schoolhouse.db is missing)",
        data_dir.display()
    );
    let bar = progress("bytes");
    let path = backup::backup(data_dir, dest, clock, &mut |done, total| {
        bar.set_length(total);
        bar.set_position(done);
    });
    bar.finish_and_clear();
    println!("{}", path?.display());
    Ok(())
}
