//! The Debian package: its files and their places.

use std::path::Path;
use std::process::Command;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Runs a program and returns what it prints.
fn run(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output().unwrap();
    assert!(output.status.success(), "{program}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

/// Prints nothing, and writes a page of each section of the manual.
const STUB: &str = "#!/bin/sh\n[ \"$1\" != man ] || touch \"$2/schoolhouse.1\" \"$2/schoolhouse-guide.7\"\n";

#[test]
fn the_package_holds_the_documents_and_everything_they_name() {
    let folder = tempfile::tempdir().unwrap();
    let (stub, place) = (folder.path().join("stub"), folder.path().to_str().unwrap());
    std::fs::write(&stub, STUB).unwrap();
    std::fs::set_permissions(&stub, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let build = format!("{ROOT}/systemd/deb/build");
    let package = run(&build, &[stub.to_str().unwrap(), place, "9.9"]);
    let architecture = run("dpkg", &["--print-architecture"]);
    assert!(package.ends_with(&format!("schoolhouse_9.9_{architecture}.deb")), "{package}");
    assert_eq!(run("dpkg-deb", &["--field", &package, "Architecture"]), architecture);

    let inside = run("dpkg-deb", &["--contents", &package]);
    // A link is followed by what it leads to.
    let paths = inside.lines().filter_map(|line| Some(line.split(" -> ").next()?.rsplit_once(" .")?.1));
    let files: Vec<&str> = paths.map(|path| path.trim_end_matches('/')).collect();
    let mut documents = String::new();
    for entry in std::fs::read_dir(Path::new(ROOT).join("docs")).unwrap() {
        let path = entry.unwrap().path();
        let installed = format!("/usr/share/schoolhouse/docs/{}", path.file_name().unwrap().display());
        assert!(files.contains(&&*installed), "{installed}: {files:?}");
        documents += &std::fs::read_to_string(path).unwrap();
    }
    let words = documents.split(|c: char| c.is_whitespace() || "`()".contains(c));
    let named: Vec<_> = words.filter(|word| word.starts_with("/usr/share/")).collect();
    assert!(named.len() > 3, "{named:?}");
    // What the documents link to beside themselves.
    let linked = documents.split("](../").skip(1).map(|rest| rest.split([')', '#']).next().unwrap());
    let linked = linked.map(|path| format!("/usr/share/schoolhouse/{path}"));
    for path in named.into_iter().map(str::to_owned).chain(linked) {
        assert!(files.contains(&&*path), "the documents name {path}: {files:?}");
    }
    for path in [
        "schoolhouse/config.example.toml",
        "schoolhouse/examples/fail2ban/filter.conf",
        "schoolhouse/examples/fail2ban/jail.conf",
        "man/man1/schoolhouse.1.gz",
        "man/man7/schoolhouse-guide.7.gz",
    ] {
        assert!(files.contains(&&*format!("/usr/share/{path}")), "{path}: {files:?}");
    }
    // Many containers leave the documentation out: only links and the copyright are installed.
    let links: Vec<_> = inside.lines().filter_map(|line| line.split_once(" ./usr/share/doc/")).collect();
    let files_there = links.iter().filter(|(about, _)| about.starts_with('-')).map(|(_, path)| *path);
    assert_eq!(files_there.collect::<Vec<_>>(), ["schoolhouse/copyright"]);
    let links = links.iter().filter(|(about, _)| about.starts_with('l')).map(|(_, path)| *path);
    let expected = ["CHANGELOG.md", "SECURITY.md", "docs"]
        .map(|name| format!("schoolhouse/{name} -> ../../schoolhouse/{name}"));
    assert_eq!(links.collect::<Vec<_>>(), expected);
}
