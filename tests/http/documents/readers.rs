//! What is kept of a PDF, seen by the readers that people and offices use: `PDFium`, `MuPDF` and qpdf find nothing in it
//! but pages, and the pages look as before. `make tools` installs them.

use std::path::Path;
use std::process::Command;

use reqwest::StatusCode;

use super::examined::served;

#[path = "../../../src/documents/examine/tests/make.rs"]
#[expect(dead_code, reason = "the pictures are for the other tests")]
mod make;
#[path = "../../../src/documents/examine/tests/scripts.rs"]
mod scripts;

/// What the readers find.
fn found(task: &str, folder: &Path) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let python = root.join("target/readers/bin/python");
    assert!(python.exists(), "the readers are not there: sh .ci/install-readers");
    let run = Command::new(python)
        .arg(root.join("tests/support/readers.py"))
        .arg(task)
        .arg(folder)
        .output()
        .unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    String::from_utf8(run.stdout).unwrap()
}

#[tokio::test]
async fn other_readers_find_the_same_pages_and_nothing_else_in_what_is_kept() {
    let (folder, data) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let folder = folder.path();
    found("make", folder);
    for (name, bytes) in scripts::ways() {
        std::fs::write(folder.join(format!("script {name}.pdf")), bytes).unwrap();
    }
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/documents/examine/tests/files");
    for case in std::fs::read_dir(cases).unwrap().map(|entry| entry.unwrap().path()) {
        let is_pdf = case.extension().is_some_and(|ending| ending == "pdf");
        if is_pdf && !case.ends_with("needs-password.pdf") {
            std::fs::copy(&case, folder.join(case.file_name().unwrap())).unwrap();
        }
    }
    let environment = [
        ("SCHOOLHOUSE_LIMITS_UPLOADS_PER_HOUR", "1000"),
        ("SCHOOLHOUSE_DOCUMENTS_FILES_PER_STUDENT", "1000"),
    ];
    let (_program, student) = served(data.path(), &environment).await;
    let files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(files.len() > 70, "{} files", files.len());
    for file in &files {
        let made = student.upload("other", "a.pdf", std::fs::read(file).unwrap()).await;
        assert_eq!(made.status, StatusCode::CREATED, "{}: {}", file.display(), made.text());
        let shown =
            student.get(&format!("/api/documents/{}", made.json()["id"])).await.expect(StatusCode::OK);
        std::fs::write(file.with_added_extension("kept"), &shown.bytes).unwrap();
    }
    assert_eq!(found("compare", folder), "");

    // As they came, the same readers find the script, and that another page is another one.
    for (name, other) in [("scripted", "scripted.pdf"), ("plain", "turned.pdf")] {
        std::fs::copy(folder.join(other), folder.join(format!("{name}.pdf.kept"))).unwrap();
    }
    let told = found("compare", folder);
    assert!(told.contains("scripted.pdf: the catalog has /OpenAction"), "{told}");
    assert!(told.contains("plain.pdf: draw_by_pdfium: page 0 looks different"), "{told}");
    assert!(told.contains("plain.pdf: draw_by_mupdf: page 0 looks different"), "{told}");
}
