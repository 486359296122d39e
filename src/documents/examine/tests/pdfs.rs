//! PDFs: what is more than pages, what leads readers astray, and the good ones of several programs.

use super::make::{PAGE, object_stream, packed, pdf, pdf_of, stream};
use super::{LIMITS, assert_refused};
use crate::documents::examine::pdf::names::Forbidden;
use crate::documents::examine::{Refusal, look_into};

#[test]
fn a_pdf_that_is_more_than_pages_is_refused() {
    use Forbidden::{Attachment, DynamicForm, Encryption, Media, OtherFile, Program, Script, Sending};
    let annotation = |entries: &str| format!("<< /Type /Annot /Rect [0 0 9 9] {entries} >>").into_bytes();
    let action = |entries: &str| pdf("/OpenAction 6 0 R", &[format!("<< {entries} >>").as_bytes()]);
    let script = "/S /JavaScript /JS (app.alert(1))";
    let hidden = format!("7 0 obj << {script} >> endobj");
    assert_refused(vec![
        ("a script on opening", action(script), Refusal::Active(Script)),
        ("a script on printing", pdf(&format!("/AA << /WP << {script} >> >>"), &[]), Refusal::Active(Script)),
        (
            "a script by name",
            pdf("/Names << /JavaScript << /Names [(a) 6 0 R] >> >>", &[b"<< >>"]),
            Refusal::Active(Script),
        ),
        (
            "a script behind a link",
            pdf("", &[&annotation(&format!("/Subtype /Link /A << {script} >>"))]),
            Refusal::Active(Script),
        ),
        (
            "a script that is packed",
            pdf("", &[&object_stream(&format!("<< {script} >>"))]),
            Refusal::Active(Script),
        ),
        (
            "a script that is packed without a type",
            pdf("", &[&stream("/N 1 /First 4", format!("7 0 << {script} >>").as_bytes())]),
            Refusal::Active(Script),
        ),
        ("a script in other letters", action("/S /J#61vaScript /J#53 (x)"), Refusal::Active(Script)),
        (
            "a script's name elsewhere",
            pdf("/OpenAction << /S 6 0 R >>", &[b"/JavaScript"]),
            Refusal::Active(Script),
        ),
        ("a script that no table names", pdf_of(&PAGE, &format!(">> {hidden} <<")), Refusal::Active(Script)),
        ("a script within a text", pdf("", &[format!("({hidden})").as_bytes()]), Refusal::Active(Script)),
        ("a script within a stream", pdf("", &[&stream("", hidden.as_bytes())]), Refusal::Active(Script)),
        (
            "a script within a comment",
            pdf("", &[format!("null\n% {hidden}\n").as_bytes()]),
            Refusal::Active(Script),
        ),
        ("a program", action("/S /Launch /F (cmd.exe)"), Refusal::Active(Program)),
        ("attachments", pdf("/Names << /EmbeddedFiles 6 0 R >>", &[b"<< >>"]), Refusal::Active(Attachment)),
        (
            "an attachment on a page",
            pdf("", &[&annotation("/Subtype /FileAttachment")]),
            Refusal::Active(Attachment),
        ),
        (
            "an associated file",
            pdf("/AF [6 0 R]", &[b"<< /Type /Filespec /EF << /F 7 0 R >> >>"]),
            Refusal::Active(Attachment),
        ),
        ("rich media", pdf("", &[&annotation("/Subtype /RichMedia")]), Refusal::Active(Media)),
        ("another file", action("/S /GoToR /F (x.pdf)"), Refusal::Active(OtherFile)),
        ("an attached file", action("/S /GoToE"), Refusal::Active(OtherFile)),
        ("a form that sends", action("/S /SubmitForm /F (http://x.example)"), Refusal::Active(Sending)),
        ("a form that loads", action("/S /ImportData"), Refusal::Active(Sending)),
        ("a form of its own", pdf("/AcroForm << /XFA 6 0 R >>", &[b"[]"]), Refusal::Active(DynamicForm)),
        ("protection", pdf_of(&PAGE, "/Encrypt 6 0 R"), Refusal::Active(Encryption)),
        (
            "protection of packed objects",
            [
                pdf("", &[&stream("/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode", b"secret")]),
                pdf_of(&PAGE, "/Encrypt 6 0 R"),
            ]
            .concat(),
            Refusal::Active(Encryption),
        ),
    ]);
}

#[test]
fn a_pdf_that_is_something_else_too_is_refused() {
    let good = pdf("", &[]);
    let mut end = pdf("", &[]);
    end.truncate(end.len() - 7);
    assert_refused(vec![
        ("five bytes", b"%PDF-".to_vec(), Refusal::DamagedPdf),
        ("a page before", [b"<html><script>alert(1)</script>", &*good].concat(), Refusal::BeforeStart),
        ("a mark of its encoding before", [b"\xEF\xBB\xBF", &*good].concat(), Refusal::BeforeStart),
        ("a page behind", [&*good, b"<html><script>alert(1)</script>"].concat(), Refusal::BehindEnd),
        ("an archive behind", [&*good, b"PK\x05\x06\0\0\0\0\x01\0\x01\0"].concat(), Refusal::BehindEnd),
        ("half of it", good[..good.len() / 2].to_vec(), Refusal::DamagedPdf),
        ("all but its end", end, Refusal::DamagedPdf),
        ("no objects", b"%PDF-1.7\nstartxref\n0\n%%EOF".to_vec(), Refusal::DamagedPdf),
        (
            "no page",
            pdf_of(&["<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [] >>"], ""),
            Refusal::DamagedPdf,
        ),
    ]);
}

#[test]
fn a_pdf_that_leads_readers_astray_is_refused() {
    let twice = packed(&packed(&vec![0; 1_000_000]));
    let table = pdf_of(&PAGE, "").windows(5).position(|five| five == b"\nxref").unwrap() + 1;
    let nested = "<< /A ".repeat(5_000);
    let many = b"0 0 obj 1\n".repeat(900_000);
    let overlapping = b"obj(".repeat(200_000);
    let zeros = packed(&vec![0; 140_000_000]);
    let bomb = stream("/Filter /FlateDecode", &zeros);
    let two = packed(&vec![0; 120_000_000]);
    let five: Vec<_> = (0..5).map(|_| stream("/Filter /FlateDecode", &two)).collect();
    let five: Vec<&[u8]> = five.iter().map(Vec::as_slice).collect();
    assert_refused(vec![
        ("tables in a circle", pdf_of(&PAGE, &format!("/Prev {table}")), Refusal::DamagedPdf),
        (
            "pages in a circle",
            pdf_of(&["<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [2 0 R] >>"], ""),
            Refusal::DamagedPdf,
        ),
        (
            "pages in a wide circle",
            pdf_of(
                &[
                    "<< /Type /Catalog /Pages 2 0 R >>",
                    "<< /Type /Pages /Kids [3 0 R] >>",
                    "<< /Type /Pages /Kids [2 0 R] >>",
                ],
                "",
            ),
            Refusal::DamagedPdf,
        ),
        ("deep objects", pdf("", &[nested.as_bytes()]), Refusal::TooComplicated),
        ("deep arrays", pdf("", &["[".repeat(100_000).as_bytes()]), Refusal::TooComplicated),
        ("a million objects", pdf("", &[&many]), Refusal::TooComplicated),
        ("objects within objects", pdf("", &[&overlapping]), Refusal::TooComplicated),
        ("a flate bomb", pdf("", &[&bomb]), Refusal::Unpacks),
        ("five that are none alone", pdf("", &five), Refusal::Unpacks),
        (
            "a bomb in a bomb",
            pdf("", &[&stream("/Filter [/FlateDecode /FlateDecode]", &twice)]),
            Refusal::Unusual,
        ),
        (
            "objects packed to a bomb",
            pdf("", &[&stream("/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode", &zeros)]),
            Refusal::Unpacks,
        ),
        (
            "objects packed otherwise",
            pdf("", &[&stream("/Type /ObjStm /N 1 /First 4 /Filter /ASCIIHexDecode", b"00>")]),
            Refusal::Unusual,
        ),
        (
            "objects of an unknown number",
            pdf("", &[&stream("/Type /ObjStm /N 7 0 R /First 4", b"7 0 null")]),
            Refusal::Unusual,
        ),
        ("a content elsewhere", pdf("", &[&stream("/F (http://x.example)", b"")]), Refusal::Unusual),
        ("a type that is there twice", pdf("/Pages 6 0 R", &[]), Refusal::Unusual),
        (
            "a picture of 2^40 pixels",
            pdf("", &[&stream("/Width 1048576 /Height 1048576 /Filter /CCITTFaxDecode", b"")]),
            Refusal::TooComplicated,
        ),
    ]);
}

#[test]
fn good_pdfs_are_taken_as_they_are() {
    let link =
        b"<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /A << /S /URI /URI (https://school.example) >> >>";
    let text = packed(b"BT (a) Tj ET");
    let updated = {
        let first = pdf("/Lang (en)", &[]);
        let start = first.windows(5).position(|five| five == b"\nxref").unwrap() + 1;
        let more = format!(
            "3 0 obj\n<< /Type /Page /Parent 2 0 R >>\nendobj\nxref\n3 1\n{:010} 00000 n \ntrailer\n<< /Root 1 0 R /Prev {start} >>\nstartxref\n{}\n%%EOF\n",
            first.len(),
            first.len() + 50
        );
        [first, more.into_bytes()].concat()
    };
    let mut padded = pdf("", &[]);
    padded.resize(5_000_000, b' ');
    for (name, bytes) in [
        ("the tests' own", plain()),
        ("the demo's", include_bytes!("../../../demo/transcript.pdf").to_vec()),
        ("one with a link", pdf("", &[link])),
        ("one that opens on its first page", pdf("/OpenAction [3 0 R /Fit]", &[])),
        ("one with packed text", pdf("", &[&stream("/Filter /FlateDecode", &text)])),
        ("one of ReportLab", pdf("", &[&stream("/Filter [/ASCII85Decode /FlateDecode]", b"GhQ?;~>")])),
        ("one with packed objects", pdf("", &[&object_stream("<< /A (JavaScript) >>")])),
        ("one with words about scripts", pdf("", &[b"(/JavaScript /Launch)"])),
        ("one that was changed", updated),
        ("one that is padded", padded),
    ] {
        let examined = look_into(&bytes, &LIMITS).unwrap_or_else(|refusal| panic!("{name}: {refusal:?}"));
        assert_eq!(examined.rewritten, None, "{name}");
    }
}

pub fn plain() -> Vec<u8> {
    pdf("", &[])
}
