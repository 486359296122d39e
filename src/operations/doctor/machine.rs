//! Checks of the machine: program, disk, clock, service.

use std::path::{Path, PathBuf};

use indicatif::HumanBytes;
use jiff::Timestamp;
use rustix::fs::statvfs;

use super::{CheckContext, CheckOutcome, ok, problem, warning};
use crate::base::clock::from_seconds;
use crate::base::release::RELEASE;
use crate::base::zone_rules::IN_FORCE;
use crate::storage::statements::Statements;

/// Before this year the program did not exist, so the clock must be wrong.
const EARLIEST: i16 = 2026;
const LATEST: i16 = 2100;
/// Tolerated seconds behind the newest row, since clocks are corrected in steps.
const SLACK: i64 = 300;

pub(super) fn program(_: &CheckContext<'_>) -> anyhow::Result<CheckOutcome> {
    let path = std::env::current_exe().unwrap_or_else(|_| PathBuf::from("?"));
    Ok(ok(format!("schoolhouse {RELEASE}, {}", path.display())))
}

pub(super) fn disk(context: &CheckContext<'_>) -> anyhow::Result<CheckOutcome> {
    // The nearest existing parent, if the folder does not exist yet.
    let place = context.data_dir.ancestors().find(|place| place.exists()).unwrap_or(Path::new("/"));
    let stat = statvfs(place)?;
    let free = stat.f_bavail.saturating_mul(stat.f_frsize);
    let reserve = context.config.server.disk_reserve_mb.saturating_mul(1024 * 1024);
    let found = format!("{} free, {} of them kept in reserve", HumanBytes(free), HumanBytes(reserve));
    let advice = "Make room, or move the data folder to a larger disk.";
    if let Err(error) = context.data_dir.ensure_writable() {
        let found = error.to_string();
        let advice = "Mount it for writing again, then restart the server.";
        return Ok(problem(found, advice));
    }
    if stat.f_files > 0 && stat.f_favail < 1000 {
        return Ok(problem(format!("only {} more files can be made", stat.f_favail), advice));
    }
    Ok(match free {
        _ if free < reserve => problem(format!("{found}: uploads are refused"), advice),
        _ if free < reserve.saturating_mul(2) => warning(found, advice),
        _ => ok(found),
    })
}

pub(super) fn clock(context: &CheckContext<'_>) -> anyhow::Result<CheckOutcome> {
    const ADVICE: &str = "Set the clock, for example with `timedatectl set-ntp true`.";
    let time = context.now.strftime("%Y-%m-%d %H:%M UTC").to_string();
    let year = context.now.to_zoned(jiff::tz::TimeZone::UTC).year();
    if !(EARLIEST..LATEST).contains(&year) {
        return Ok(problem(format!("{time} cannot be right"), ADVICE));
    }
    if let Ok(connection) = context.connection() {
        let newest = newest_row(connection);
        if newest > context.now.as_second() + SLACK {
            let newest = from_seconds(newest).strftime("%Y-%m-%d %H:%M UTC");
            return Ok(problem(format!("{time}, but the database knows of {newest}"), ADVICE));
        }
    }
    let is_kept = Path::new("/run/systemd/timesync/synchronized").exists();
    Ok(ok(if is_kept { format!("{time}, synchronized over the network") } else { time }))
}

/// Which rules turn the hours of classes and deadlines into instants, and what the school's clock shows by them.
pub(super) fn zone_rules(context: &CheckContext<'_>) -> anyhow::Result<CheckOutcome> {
    let zone = &context.config.school().time_zone;
    let here = context.now.to_zoned(zone.rules().clone()).strftime("%H:%M (UTC%:z)");
    let found = format!("rules {}; {} is {here}", *IN_FORCE, zone.words());
    let advice = "Restart the server if it has run since before they were installed. The newest schoolhouse may bring rules \
                  as new.";
    Ok(if IN_FORCE.are_machines() { warning(found, advice) } else { ok(found) })
}

/// The latest timestamp in the database; missing tables are skipped.
fn newest_row(connection: &rusqlite::Connection) -> i64 {
    [
        "at) from audit",
        "created_at) from outbox",
        "last_seen_at) from sessions",
        "uploaded_at) from student_documents",
    ]
    .iter()
    .filter_map(|rest| connection.one(&format!("select max({rest}"), []).ok())
    .max()
    .unwrap_or(Timestamp::UNIX_EPOCH.as_second())
}

pub(super) fn service(_: &CheckContext<'_>) -> anyhow::Result<CheckOutcome> {
    if !Path::new("/run/systemd/system").exists() {
        return Ok(ok("systemd does not run here"));
    }
    let folders = ["/etc/systemd/system", "/usr/lib/systemd/system", "/lib/systemd/system"];
    let unit =
        folders.iter().map(|folder| Path::new(folder).join("schoolhouse.service")).find(|unit| unit.exists());
    let Some(unit) = unit else {
        return Ok(warning(
            "schoolhouse.service is not installed",
            "Install the .deb, or the unit as its first lines say, so that the server starts with the machine.",
        ));
    };
    if Path::new("/etc/systemd/system/multi-user.target.wants/schoolhouse.service").exists() {
        Ok(ok(format!("{}, started with the machine", unit.display())))
    } else {
        Ok(warning(
            format!("{} is not started with the machine", unit.display()),
            "Run `systemctl enable --now schoolhouse`.",
        ))
    }
}
