//! The Debian package: what is in it, and where.

use std::path::Path;
use std::process::Command;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Runs a program and returns what it prints.
fn run(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output().unwrap();
    assert!(output.status.success(), "{program}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

#[test]
fn the_package_holds_what_the_guide_names_outside_the_documentation() {
    let folder = tempfile::tempdir().unwrap();
    let (stub, place) = (folder.path().join("stub"), folder.path().to_str().unwrap());
    std::fs::write(&stub, "#!/bin/sh\n").unwrap();
    std::fs::set_permissions(&stub, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let build = format!("{ROOT}/systemd/deb/build");
    let package = run(&build, &[stub.to_str().unwrap(), place, "9.9"]);
    let architecture = run("dpkg", &["--print-architecture"]);
    assert!(package.ends_with(&format!("schoolhouse_9.9_{architecture}.deb")), "{package}");
    assert_eq!(run("dpkg-deb", &["--field", &package, "Architecture"]), architecture);

    let inside = run("dpkg-deb", &["--contents", &package]);
    let files: Vec<&str> = inside.lines().filter_map(|line| Some(line.rsplit_once(" .")?.1)).collect();
    let guide = std::fs::read_to_string(Path::new(ROOT).join("README.md")).unwrap();
    let words = guide.split(|c: char| c.is_whitespace() || "`()".contains(c));
    let named: Vec<_> = words.filter(|word| word.starts_with("/usr/share/")).collect();
    assert!(named.len() > 3, "{named:?}");
    for path in named {
        let is_there = files.iter().any(|file| *file == path || file.starts_with(&format!("{path}/")));
        assert!(is_there, "the guide names {path}: {files:?}");
    }
    for path in
        ["README.md", "config.example.toml", "examples/fail2ban/filter.conf", "examples/fail2ban/jail.conf"]
    {
        assert!(files.contains(&&*format!("/usr/share/schoolhouse/{path}")), "{path}: {files:?}");
    }
    // Many containers leave the documentation out.
    let left_out = files.iter().filter(|file| file.starts_with("/usr/share/doc/") && !file.ends_with('/'));
    assert_eq!(left_out.collect::<Vec<_>>(), [&"/usr/share/doc/schoolhouse/copyright"]);
}
