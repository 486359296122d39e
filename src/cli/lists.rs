//! `export`: every list as a spreadsheet.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use anyhow::Context;

use super::{Machine, open_database};
use crate::audit::{self, Actor};
use crate::base::closed_set::ClosedSet;
use crate::records::sheets::{self, ExportList};
use crate::web::sheet::SheetStyle;

/// Writes a list to a new file, or to stdout; records the export in the audit trail.
///
/// # Errors
/// When there is no such data folder, or the file cannot be written.
pub(super) fn export(
    machine: Machine<'_>,
    list: ExportList,
    style: SheetStyle,
    file: Option<&Path>,
) -> anyhow::Result<()> {
    let connection = open_database(machine.data_dir)?;
    let now = machine.clock.now();
    let config = Arc::new(machine.config.clone());
    let sheet = sheets::export(&connection, &config, list, style, now)?;
    let detail = serde_json::json!({ "rows": sheet.rows });
    audit::record(&connection, &Actor::command_line(), "export", list.as_str(), None, detail, now)?;
    match file {
        None => std::io::stdout().write_all(&sheet.bytes).context("writing to stdout"),
        Some(path) => {
            let write = || -> std::io::Result<()> {
                let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
                file.write_all(&sheet.bytes)?;
                file.sync_all()
            };
            write().with_context(|| format!("writing {}", path.display()))?;
            eprintln!("{} rows written to {}", sheet.rows, path.display());
            Ok(())
        }
    }
}
