//! Examination of uploads, what is stored of them, and how they are served.

use std::io::Write;
use std::path::Path;

use jpeg_encoder::{ColorType, Encoder};
use reqwest::StatusCode;
use schoolhouse::testing::examine_stored;
use serde_json::json;
use sha2::{Digest, Sha256};

use super::PNG;
use crate::support::{Actor, PASSWORD, PDF, Program, School, pdf_with, read_spool, wait_for};

/// A PDF whose script runs when it is opened.
fn scripted() -> Vec<u8> {
    pdf_with("/Type/Catalog", "/Type/Catalog/OpenAction<</S/JavaScript/JS(app.alert(1))>>")
}

/// A page that carries a signature, which everyone sees.
const SIGNED: &[u8] = include_bytes!("../../../src/documents/examine/tests/files/signed.pdf");

/// A photo that was taken upside down, with the place where it was.
fn photo() -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, 90);
    let exif = b"Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0GPS 43.65N 79.38W";
    encoder.add_app_segment(1, exif.to_vec()).unwrap();
    encoder.encode(&[128; 40 * 20 * 3], 40, 20, ColorType::Rgb).unwrap();
    bytes
}

#[tokio::test]
async fn a_file_that_cannot_be_kept_is_refused_and_leaves_nothing() {
    let school = School::open().await;
    let student = school.student().await;
    let large = {
        let mut bytes = PNG.to_vec();
        bytes[16..24].copy_from_slice(&[0, 0, 0x75, 0x30, 0, 0, 0x75, 0x30]);
        let mut sum = flate2::Crc::new();
        sum.update(&bytes[12..29]);
        bytes[29..33].copy_from_slice(&sum.sum().to_be_bytes());
        bytes
    };
    for (name, bytes, status, words) in [
        (
            "page.pdf",
            b"<html><script>alert(document.domain)</script>".to_vec(),
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "This file is not a PDF, JPG or PNG. Please choose another file.",
        ),
        (
            "folder.pdf",
            pdf_with("/Type/Catalog", "/Type/Catalog/Collection<<>>"),
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "This PDF is a folder with other files in it. Please open the one that is meant, save it by itself, and upload that.",
        ),
        (
            "locked.pdf",
            include_bytes!("../../../src/documents/examine/tests/files/needs-password.pdf").to_vec(),
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "This PDF opens only with a password. Please open it, print it to PDF without the password, and upload that.",
        ),
        (
            "half.png",
            PNG[..PNG.len() / 2].to_vec(),
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "This picture is cut short: the end of its file is missing, as after a transfer that was interrupted. Please copy or send it once more from where it came, and upload that.",
        ),
        (
            "large.png",
            large,
            StatusCode::PAYLOAD_TOO_LARGE,
            "This picture has 900 million pixels, which is too many. Please save it smaller, and upload that.",
        ),
    ] {
        let refused = student.upload("other", name, bytes).await.expect(status);
        assert_eq!(refused.message(), words, "{name}");
    }
    assert_eq!(student.get("/api/students/documents/usage").await.json()["bytes"], 0);
    assert_eq!(school.count("select count(*) from student_documents"), 0);
    for folder in ["tmp", "documents"] {
        let left = std::fs::read_dir(school.path().join(folder)).unwrap().count();
        assert_eq!(left, 0, "{folder} holds something");
    }
}

#[tokio::test]
async fn a_photo_is_stored_upright_without_its_place_and_counts_as_it_is_stored() {
    let school = School::open().await;
    let student = school.student().await;
    let made = student.upload("government_id", "passport\u{202E}gpj.html", photo()).await;
    let made = made.expect(StatusCode::CREATED).json();
    assert_eq!(
        (&made["originalName"], &made["contentType"], &made["examination"]),
        (&json!("passportgpj.jpg"), &json!("image/jpeg"), &json!("passed"))
    );
    let shown = student.get(&format!("/api/documents/{}", made["id"])).await.expect(StatusCode::OK);
    assert_eq!(made["sizeBytes"], shown.bytes.len());
    assert_eq!(student.get("/api/students/documents/usage").await.json()["bytes"], shown.bytes.len());
    assert!(!shown.bytes.windows(3).any(|three| three == b"GPS" || three == b"Exi"));
    // The frame's height, then its width.
    let frame = shown.bytes.windows(2).position(|two| two == b"\xFF\xC0").unwrap();
    assert_eq!(shown.bytes[frame + 5..frame + 9], [0, 40, 0, 20]);
    let sha256: String = Sha256::digest(&shown.bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    assert!(
        school.path().join(format!("documents/{}/{sha256}", &sha256[..2])).exists(),
        "named by what is stored"
    );
    for (header, value) in [
        ("content-type", "image/jpeg"),
        ("x-content-type-options", "nosniff"),
        ("content-security-policy", "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; sandbox"),
        ("content-disposition", "inline; filename=\"passportgpj.jpg\"; filename*=UTF-8''passportgpj.jpg"),
    ] {
        assert_eq!(shown.header(header), value, "{header}");
    }
}

#[tokio::test]
async fn a_pdf_is_kept_without_its_script_and_counts_as_it_is_kept() {
    let school = School::open().await;
    let (student, staff) = (school.student().await, school.staff().await);
    let made = student.upload("other", "a.pdf", scripted()).await.expect(StatusCode::CREATED).json();
    let shown = student.get(&format!("/api/documents/{}", made["id"])).await.expect(StatusCode::OK);
    assert_eq!((shown.bytes.as_ref(), &made["sizeBytes"]), (PDF, &json!(PDF.len())));
    assert_eq!(student.get("/api/students/documents/usage").await.json()["bytes"], PDF.len());
    let sha256: String = Sha256::digest(PDF).iter().map(|byte| format!("{byte:02x}")).collect();
    assert!(school.path().join(format!("documents/{}/{sha256}", &sha256[..2])).exists());
    let signed =
        student.upload("transcript", "b.pdf", SIGNED.to_vec()).await.expect(StatusCode::CREATED).json();
    assert_eq!((&made["wasSigned"], &signed["wasSigned"]), (&json!(false), &json!(true)));
    for list in [student.get("/api/students/documents").await, staff.get("/api/admin/documents").await] {
        let marks: Vec<_> =
            list.json().as_array().unwrap().iter().map(|row| row["wasSigned"].clone()).collect();
        assert_eq!(marks, [json!(true), json!(false)]);
    }
}

#[tokio::test]
async fn documents_of_older_versions_stay_hidden_until_examined() {
    let school = School::open().await;
    let (student, staff) = (school.student().await, school.staff().await);
    // As before: taken by their first bytes, under the name they came with.
    for (id, (kind, bytes)) in (1..).zip([
        ("image/jpeg", [&photo()[..], b"<script>"].concat()),
        ("application/pdf", scripted()),
        ("application/pdf", SIGNED.to_vec()),
        ("application/pdf", PDF[..PDF.len() / 4].to_vec()),
    ]) {
        use sha2::{Digest, Sha256};
        let sum: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        let path = format!("documents/{}/{sum}", &sum[..2]);
        std::fs::create_dir_all(school.path().join(&path[..12])).unwrap();
        std::fs::write(school.path().join(&path), &bytes).unwrap();
        let add = "insert into student_documents (id, student_id, document_type, document_path, sha256, content_type,
                size_bytes, original_name, uploaded_at)
            values (:id, :student, 'other', :path, substr(:path, 14), :kind, :size, :name, 0)";
        let name = "transcript\u{202E}fdp.html";
        school
            .database()
            .execute(
                add,
                rusqlite::named_params! { ":id": id, ":student": student.id, ":path": path,
                ":kind": kind, ":size": bytes.len() as i64, ":name": name },
            )
            .unwrap();
    }
    let handed_out = async || {
        let mut all = Vec::new();
        for id in 1..=4 {
            let shown = staff.get(&format!("/api/documents/{id}")).await.expect(StatusCode::OK);
            assert_eq!(
                shown.header("content-security-policy"),
                "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; sandbox"
            );
            all.push(shown.header("content-disposition").split("; filename*").next().unwrap().to_owned());
        }
        all
    };
    let saved = |ending: &str| format!("attachment; filename=\"transcriptfdp.{ending}\"");
    let opened = |ending: &str| format!("inline; filename=\"transcriptfdp.{ending}\"");
    assert_eq!(handed_out().await, [saved("jpg"), saved("pdf"), saved("pdf"), saved("pdf")]);

    assert_eq!(examine_stored(school.app()).await.unwrap(), (3, 1));
    assert_eq!(handed_out().await, [opened("jpg"), opened("pdf"), opened("pdf"), saved("pdf")]);
    let listed = staff.get("/api/admin/documents").await.json();
    let states: Vec<_> =
        listed.as_array().unwrap().iter().map(|row| row["examination"].as_str().unwrap()).collect();
    assert_eq!(states, ["refused", "passed", "passed", "passed"]);
    assert_eq!(listed[1]["wasSigned"], true);
    let shown = staff.get("/api/documents/2").await;
    assert!(!shown.bytes.windows(10).any(|ten| ten == b"JavaScript"), "the script is gone");
    let shown = staff.get("/api/documents/1").await;
    assert!(!shown.bytes.windows(3).any(|three| three == b"GPS"), "the place is gone");
    assert_eq!(
        school.count("select sum(size_bytes) from student_documents"),
        school.count("select bytes from documents_total")
    );
    assert_eq!(examine_stored(school.app()).await.unwrap(), (0, 0), "nothing is looked into twice");
}

/// The most memory that a process ever had, in bytes.
fn peak(program: &Program) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", program.child.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() * 1024
}

/// The real program with a student who is signed in.
pub async fn served(folder: &Path, environment: &[(&str, &str)]) -> (Program, Actor) {
    let program = Program::serve(folder, environment);
    let student = Actor::new(&program.address);
    student.register("mei@mail.example").await;
    let mail = wait_for(|| read_spool(&folder.join("mail")).pop()).await;
    let token = mail.token(&format!("{}/student/verify/", program.address));
    student.get(&format!("/api/students/verify/{token}")).await.expect(StatusCode::OK);
    student.log_in("mei@mail.example", PASSWORD).await.expect(StatusCode::OK);
    (program, student)
}

#[tokio::test]
async fn a_pdf_that_unpacks_to_gigabytes_ends_the_process_that_reads_it_and_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let (program, student) = served(folder.path(), &[("SCHOOLHOUSE_DOCUMENTS_CHECK_MB", "16")]).await;
    let before = peak(&program);
    // The page itself is packed, with 300 MB of spaces behind it: no reader comes to it without unpacking them.
    let mut packed = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    packed.write_all(b"3 0 <</Type/Page/Parent 2 0 R/Contents 4 0 R>>").unwrap();
    let spaces = vec![b' '; 1 << 20];
    (0..300).for_each(|_| packed.write_all(&spaces).unwrap());
    let packed = packed.finish().unwrap();
    let head = "%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n\
        4 0 obj<</Length 5>>stream\n0 0 m\nendstream endobj\n";
    let objects =
        format!("5 0 obj<</Type/ObjStm/N 1/First 4/Filter/FlateDecode/Length {}>>stream\n", packed.len());
    let tail = b"\nendstream endobj\ntrailer<</Root 1 0 R>>\n";
    let bomb = [head.as_bytes(), objects.as_bytes(), &packed, tail].concat();
    let refused = student.upload("other", "a.pdf", bomb).await.expect(StatusCode::UNSUPPORTED_MEDIA_TYPE);
    let words =
        "This PDF is too complicated to be checked. Please open it, print it to PDF again, and upload that.";
    assert_eq!(refused.message(), words);
    assert!(peak(&program) - before < 16 * 1024 * 1024, "the server itself unpacks nothing");
    let taken = student.upload("other", "b.pdf", scripted()).await.expect(StatusCode::CREATED).json();
    let shown = student.get(&format!("/api/documents/{}", taken["id"])).await.expect(StatusCode::OK);
    assert_eq!(shown.bytes, PDF, "the next one is read");
}

#[tokio::test]
async fn many_large_pictures_at_once_take_the_memory_of_one() {
    const MEBIBYTE: u64 = 1024 * 1024;
    // Drawn before the first request: while this thread draws, it does not hear a connection being closed.
    // 4,700 by 4,700 pixels of three bytes: 63.2 of 64 MB.
    let side = 4_700_u16;
    let samples = vec![90; usize::from(side).pow(2) * 3];
    let mut photo = Vec::new();
    Encoder::new(&mut photo, 90).encode(&samples, side, side, ColorType::Rgb).unwrap();
    let mut drawing = Vec::new();
    let mut encoder = png::Encoder::new(&mut drawing, side.into(), side.into());
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_compression(png::Compression::Fast);
    encoder.write_header().unwrap().write_image_data(&samples).unwrap();
    drop(samples);
    let folder = tempfile::tempdir().unwrap();
    let limits = [("SCHOOLHOUSE_DOCUMENTS_CHECK_MB", "64"), ("SCHOOLHOUSE_DOCUMENTS_CHECK_SECONDS", "20")];
    let (program, student) = served(folder.path(), &limits).await;
    let before = peak(&program);
    let (photo, drawing) = (&photo, &drawing);
    let one = async |kind: &str, bytes: &[u8]| {
        // On a busy machine the last of them hears that it waited too long, and comes again.
        loop {
            let answer = student.upload(kind, "large.png", bytes.to_vec()).await;
            if answer.status != StatusCode::SERVICE_UNAVAILABLE {
                break answer.expect(StatusCode::CREATED);
            }
        }
    };
    tokio::join!(one("other", photo), one("other", drawing), one("other", photo), one("other", drawing));
    let taken = peak(&program) - before;
    // Beside the pixels: the file as it came and as it is stored, and what the connections hold.
    assert!(taken < 96 * MEBIBYTE, "{} MB were taken", taken / MEBIBYTE);
}
