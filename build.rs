//! Builds the interface in `ui/` and leaves it in `OUT_DIR/ui`, where the binary embeds it: a file
//! that has a compressed copy as that alone.
//!
//! The sources are copied first: nothing is ever written into the checkout. `npm ci` runs only when
//! the lock changed. `SCHOOLHOUSE_UI_DIR` names a ready-made build to use instead (no npm needed).
//!
//! It also tells the program which commit it is built from.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};

const SOURCES: [&str; 11] = [
    "src",
    "openapi.json",
    "pages.json",
    "public",
    "scripts",
    "index.html",
    "package.json",
    "package-lock.json",
    "vite.config.ts",
    "tsconfig.json",
    ".npmrc",
];

fn main() {
    println!("cargo::rerun-if-env-changed=SCHOOLHOUSE_UI_DIR");
    println!("cargo::rerun-if-changed=migrations");
    pack_relocations();
    tell_commit();
    if let Err(message) = build() {
        println!("cargo::error={message}");
    }
}

/// Hands the commit and its day to `src/base/release.rs`: from `SOURCE_COMMIT` ("HASH 2026-11-26", for sources
/// without their history), else from git. A development build has none: it would be built again after each commit.
fn tell_commit() {
    println!("cargo::rerun-if-env-changed=SOURCE_COMMIT");
    let commit = env::var("SOURCE_COMMIT").ok().or_else(|| {
        // Sources inside another project's checkout are no part of its history.
        let is_release = env::var("PROFILE").as_deref() == Ok("release");
        (is_release && git(&["ls-files", "build.rs"]).is_some()).then(|| {
            // It grows with each commit and each change of branch; where there is no history, there is no such file.
            if let Some(log) =
                git(&["rev-parse", "--git-path", "logs/HEAD"]).filter(|log| Path::new(log).exists())
            {
                println!("cargo::rerun-if-changed={log}");
            }
            // As long everywhere: git chooses by the number of objects.
            git(&["log", "-1", "--abbrev=12", "--format=%h %cs"])
        })?
    });
    let commit = commit.unwrap_or_default();
    let (hash, date) = commit.split_once(' ').unwrap_or((&commit, ""));
    println!("cargo::rustc-env=BUILD_COMMIT={hash}");
    println!("cargo::rustc-env=BUILD_DATE={date}");
}

fn git(arguments: &[&str]) -> Option<String> {
    let told = Command::new("git").args(arguments).output().ok().filter(|told| told.status.success())?;
    Some(String::from_utf8(told.stdout).ok()?.trim().to_owned()).filter(|told| !told.is_empty())
}

/// Packs what a static binary relocates at its start: 600 kB less. glibc reads it that way since 2.36; with
/// an older one the program would end at its first instruction.
fn pack_relocations() {
    let Ok(told) = Command::new("getconf").arg("GNU_LIBC_VERSION").output() else { return };
    let version = String::from_utf8_lossy(&told.stdout);
    let minor = version.trim().strip_prefix("glibc 2.").and_then(|minor| minor.parse::<u32>().ok());
    if minor.is_some_and(|minor| minor >= 36) {
        println!("cargo::rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
}

fn build() -> Result<(), String> {
    let out = PathBuf::from(env::var("OUT_DIR").map_err(|error| error.to_string())?);
    let built = out.join("ui");
    if let Ok(ready) = env::var("SCHOOLHOUSE_UI_DIR") {
        println!("cargo::rerun-if-changed={ready}");
        replace(Path::new(&ready), &built).map_err(|error| format!("copying {ready}: {error}"))?;
        return leave_what_is_served(&built).map_err(|error| format!("{}: {error}", built.display()));
    }
    let sources = Path::new("ui");
    for name in SOURCES {
        if sources.join(name).exists() {
            println!("cargo::rerun-if-changed=ui/{name}");
        }
    }
    let work = out.join("ui-work");
    fs::create_dir_all(&work).map_err(|error| format!("{}: {error}", work.display()))?;
    for name in SOURCES {
        let from = sources.join(name);
        if from.exists() {
            replace(&from, &work.join(name)).map_err(|error| format!("copying ui/{name}: {error}"))?;
        }
    }
    install(&work)?;
    let _ = fs::remove_dir_all(&built);
    let out_dir = built.to_str().ok_or("the path of OUT_DIR is not UTF-8")?;
    npm(&work, &["exec", "--", "vite", "build", "--outDir", out_dir, "--emptyOutDir"])?;
    leave_what_is_served(&built).map_err(|error| format!("{}: {error}", built.display()))
}

/// Deletes the build's own notes, and every file beside which a brotli copy lies: the server unpacks it for the rare
/// client that does not take it, and the binary is smaller by the text of the interface.
fn leave_what_is_served(folder: &Path) -> io::Result<()> {
    let _ = fs::remove_dir_all(folder.join(".vite"));
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            leave_what_is_served(&path)?;
        } else if path.with_added_extension("br").exists() {
            fs::remove_file(&path)?;
        }
    }
    Ok(())
}

/// Installs the packages that the lock names, unless they are in place.
fn install(work: &Path) -> Result<(), String> {
    let lock =
        fs::read(work.join("package-lock.json")).map_err(|error| format!("ui/package-lock.json: {error}"))?;
    let stamp = work.join("installed.lock");
    if fs::read(&stamp).is_ok_and(|installed| installed == lock) && work.join("node_modules").exists() {
        return Ok(());
    }
    npm(work, &["ci", "--no-audit", "--no-fund", "--loglevel=error"])?;
    fs::write(&stamp, lock).map_err(|error| format!("{}: {error}", stamp.display()))
}

fn npm(folder: &Path, arguments: &[&str]) -> Result<(), String> {
    let output = Command::new("npm").args(arguments).current_dir(folder).output().map_err(|error| {
        if error.kind() == io::ErrorKind::NotFound {
            "npm was not found: install Node.js 20 or newer, or name a ready-made interface in SCHOOLHOUSE_UI_DIR"
                .to_owned()
        } else {
            format!("npm: {error}")
        }
    })?;
    if output.status.success() {
        return Ok(());
    }
    let text = [output.stdout, output.stderr].concat();
    // A build script's error is one line; cargo shows each `cargo::error` as one.
    for line in String::from_utf8_lossy(&text).lines().filter(|line| !line.trim().is_empty()) {
        println!("cargo::error={line}");
    }
    Err(format!("npm {} failed", arguments.join(" ")))
}

/// Makes `to` a copy of `from`, a file or a folder.
fn replace(from: &Path, to: &Path) -> io::Result<()> {
    if from.is_dir() {
        let _ = fs::remove_dir_all(to);
        fs::create_dir_all(to)?;
        for entry in fs::read_dir(from)? {
            let entry = entry?;
            replace(&entry.path(), &to.join(entry.file_name()))?;
        }
        return Ok(());
    }
    fs::copy(from, to).map(|_| ())
}
