//! PDFs: what is dropped, kept and refused, and the variants that viewers open.

use hayro_syntax::Pdf;
use hayro_syntax::object::{Array, Dict, Name, Stream};

use super::make::{PAGE, packed, pdf, pdf_of, stream};
use super::scripts::ways;
use super::{LIMITS, assert_refused as refused, rewritten};
use crate::base::budget::DecodeLimits;
use crate::documents::examine::look_into;
use crate::documents::examine::pdf::PdfProblem;

/// Words that occur in the files of [`ways`] and must not occur in the results.
const TRAITORS: [&[u8]; 14] = [
    b"JavaScript",
    b"/JS",
    b"app.alert",
    b"Launch",
    b"cmd.exe",
    b"EmbeddedFile",
    b"GoToR",
    b"SubmitForm",
    b"ImportData",
    b"XFA",
    b"RichMedia",
    b"OpenAction",
    b"/AA",
    b"evil.example",
];

fn assert_refused(table: Vec<(&str, Vec<u8>, PdfProblem)>) {
    refused(table.into_iter().map(|(name, bytes, problem)| (name, bytes, problem.into())).collect());
}

fn has(bytes: &[u8], word: &[u8]) -> bool {
    bytes.windows(word.len()).any(|window| window == word)
}

/// The decompressed page contents.
fn drawn(bytes: &[u8]) -> String {
    let file = Pdf::new(bytes.to_vec()).unwrap();
    file.pages()
        .iter()
        .map(|page| String::from_utf8_lossy(page.page_stream().unwrap_or(b"-")).into_owned())
        .collect()
}

fn with_page(bytes: &[u8], check: impl FnOnce(&Dict<'_>)) {
    let file = Pdf::new(bytes.to_vec()).unwrap();
    check(file.pages()[0].raw());
}

#[test]
fn nothing_but_the_page_is_left() {
    for (name, bytes) in ways() {
        let kept = rewritten(name, &bytes);
        for traitor in TRAITORS {
            assert!(!has(&kept, traitor), "{name}: {} is left", String::from_utf8_lossy(traitor));
        }
        assert!(!drawn(&kept).is_empty() && drawn(&kept) == drawn(&bytes), "{name} draws {:?}", drawn(&kept));
        let again = rewritten(name, &kept);
        assert!(rewritten(name, &again) == again, "{name}: rewriting is idempotent");
    }
}

#[test]
fn variants_that_viewers_open_are_accepted() {
    for (name, bytes) in [
        ("a mark before", &include_bytes!("files/byte-order-mark-before.pdf")[..]),
        ("Ctrl-Z behind", include_bytes!("files/ctrl-z-behind.pdf")),
        ("an end without its last byte", include_bytes!("files/end-mark-cut.pdf")),
        ("LZW", include_bytes!("files/lzw.pdf")),
        ("a page without a type", include_bytes!("files/page-without-type.pdf")),
        ("a type that is there twice", include_bytes!("files/type-twice.pdf")),
        ("packed objects with a predictor", include_bytes!("files/packed-objects-with-predictor.pdf")),
        ("a font called EF", include_bytes!("files/font-called-EF.pdf")),
        ("protection without a password", include_bytes!("files/no-password-to-open-aes256.pdf")),
        ("a script that prints", include_bytes!("files/prints-itself.pdf")),
        ("an attachment", include_bytes!("files/attachment.pdf")),
        ("the demo's", include_bytes!("../../../demo/transcript.pdf")),
    ] {
        let kept = rewritten(name, bytes);
        let text = drawn(&kept);
        assert!(text.contains("Tj") || text.contains("TJ") || text.contains(" re"), "{name} draws {text:?}");
        with_page(&kept, |page| assert!(page.contains_key("MediaBox"), "{name}"));
    }
    let good = pdf("", &[]);
    let page = b"<html><script>alert(1)</script>";
    for (name, bytes) in [
        ("a page of the web before", [page, &*good].concat()),
        ("one behind", [&*good, page].concat()),
        ("an archive behind", [&*good, b"PK\x05\x06\0\0\0\0\x01\0\x01\0"].concat()),
        ("spaces behind", [&*good, &b" ".repeat(5_000_000)].concat()),
        ("no end", good[..good.len() - 60].to_vec()),
        ("tables in a circle", {
            let table = pdf_of(&PAGE, "").windows(5).position(|five| five == b"\nxref").unwrap() + 1;
            pdf_of(&PAGE, &format!("/Prev {table}"))
        }),
    ] {
        let kept = rewritten(name, &bytes);
        assert!(
            drawn(&kept).contains("(Transcript) Tj") && !has(&kept, b"script>") && kept.len() < 2_000,
            "{name}"
        );
    }
}

#[test]
fn the_appearance_of_a_page_is_kept() {
    // Inherited sizes and resources, rotation, crop box, and layers, one of them hidden.
    let objects = [
        "<< /Type /Catalog /Pages 2 0 R /OCProperties << /OCGs [6 0 R 7 0 R] /D << /OFF [7 0 R] /Order [6 0 R] >> >> >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 300 400] /CropBox [10 10 290 390] /Rotate 270 \
         /Resources << /Font << /F1 5 0 R >> /Properties << /One 6 0 R /Two 7 0 R >> >> >>",
        "<< /Type /Page /Parent 2 0 R /Contents [4 0 R 4 0 R] /UserUnit 2 /Annots [8 0 R 9 0 R] >>",
        "<< /Length 40 >>\nstream\nBT /F1 24 Tf 72 720 Td (Transcript) Tj ET\nendstream",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding << /Differences [65 /B] >> >>",
        "<< /Type /OCG /Name (shown) >>",
        "<< /Type /OCG /Name (hidden) >>",
        "<< /Subtype /Widget /FT /Btn /Rect [9 9 99 99] /AS /On /AP << /N << /On 10 0 R /Off 11 0 R >> >> /OC 7 0 R >>",
        "<< /Subtype /Widget /FT /Tx /F 2 /Rect [9 9 99 99] /V (hidden) >>",
        "<< /Subtype /Form /BBox [0 0 9 9] /Length 9 >>\nstream\n1 1 8 8 re\nendstream",
        "<< /Subtype /Form /BBox [0 0 9 9] /Length 9 >>\nstream\n2 2 8 8 re\nendstream",
    ];
    let kept = rewritten("a page", &pdf_of(&objects, ""));
    let file = Pdf::new(kept.clone()).unwrap();
    let page = file.pages()[0].raw();
    let numbers = |key: &str| page.get::<Array<'_>>(key).unwrap().iter::<i32>().collect::<Vec<_>>();
    assert_eq!((numbers("MediaBox"), numbers("CropBox")), (vec![0, 0, 300, 400], vec![10, 10, 290, 390]));
    assert_eq!((page.get::<i32>("Rotate"), page.get::<i32>("UserUnit")), (Some(270), Some(2)));
    assert_eq!(drawn(&kept).matches("(Transcript) Tj").count(), 2);
    let font = page
        .get::<Dict<'_>>("Resources")
        .unwrap()
        .get::<Dict<'_>>("Font")
        .unwrap()
        .get::<Dict<'_>>("F1")
        .unwrap();
    assert!(font.get::<Dict<'_>>("Encoding").unwrap().contains_key("Differences"));
    let annotations = page.get::<Array<'_>>("Annots").unwrap();
    let looks: Vec<_> = annotations.iter::<Dict<'_>>().collect();
    assert_eq!(looks.len(), 1, "what is hidden stays so");
    assert_eq!(looks[0].get::<Name<'_>>("Subtype").unwrap().as_str(), "Stamp");
    let look = looks[0].get::<Dict<'_>>("AP").unwrap().get::<Stream<'_>>("N").unwrap();
    assert_eq!(look.decoded().unwrap().as_ref(), b"1 1 8 8 re", "the box is ticked");
    let catalog = file.xref().get::<Dict<'_>>(file.xref().root_id()).unwrap();
    let layers = catalog.get::<Dict<'_>>("OCProperties").unwrap();
    let hidden = layers.get::<Dict<'_>>("D").unwrap().get::<Array<'_>>("OFF").unwrap();
    let hidden = hidden.raw_iter().next().unwrap().as_obj_ref();
    let names = page.get::<Dict<'_>>("Resources").unwrap().get::<Dict<'_>>("Properties").unwrap();
    assert_eq!((names.get_ref("Two"), looks[0].get_ref("OC")), (hidden, hidden), "one layer is one object");
}

#[test]
fn streams_are_packed_one_way_and_pictures_stay_as_they_are() {
    let lines = b"0 0 m 9 9 l S ".repeat(50);
    let letters = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>() + ">";
    let flate = packed(&lines);
    for (name, entries, bytes) in [
        ("plain", "", lines.clone()),
        ("flate", "/Filter /FlateDecode", flate.clone()),
        ("flate with something behind", "/Filter [/Fl]", [&flate[..], b"7 0 obj app.alert"].concat()),
        ("letters", "/Filter /ASCIIHexDecode", letters(&lines).into_bytes()),
        (
            "letters of packed",
            "/Filter [/AHx /Fl] /DecodeParms [null << /Predictor 1 >>]",
            letters(&flate).into_bytes(),
        ),
        ("packed twice", "/Filter [/FlateDecode /FlateDecode]", packed(&flate)),
        ("packed and cut", "/Filter /FlateDecode", flate[..flate.len() - 4].to_vec()),
        (
            "settings that say nothing",
            "/Filter /FlateDecode /DecodeParms null /DP << /Predictor 15 /Columns 3 >>",
            flate.clone(),
        ),
    ] {
        let mut objects: Vec<Vec<u8>> = PAGE.iter().map(|object| object.as_bytes().to_vec()).collect();
        objects[3] = stream(entries, &bytes);
        let kept = rewritten(name, &pdf_of(&objects, ""));
        assert_eq!(drawn(&kept).trim_end().as_bytes(), lines.trim_ascii_end(), "{name}");
        assert!(has(&kept, b"/Filter/FlateDecode") && !has(&kept, b"app.alert"), "{name}");
    }
    let photo = super::make::jpeg(32, 32, |_| {});
    let with_place =
        super::make::jpeg(32, 32, |encoder| encoder.add_app_segment(1, super::make::exif(6)).unwrap());
    let picture = |filter: &str, bytes: &[u8]| {
        let entries = format!(
            "/Type /XObject /Subtype /Image /Width 32 /Height 32 /ColorSpace /DeviceRGB /BitsPerComponent 8 {filter}"
        );
        let mut objects: Vec<Vec<u8>> = PAGE.iter().map(|object| object.as_bytes().to_vec()).collect();
        objects[2] = PAGE[2].replace("/Resources <<", "/Resources << /XObject << /P 6 0 R >>").into_bytes();
        objects.push(stream(&entries, bytes));
        rewritten(filter, &pdf_of(&objects, ""))
    };
    assert!(has(&picture("/Filter /DCTDecode", &photo), &photo));
    let kept = picture("/Filter /DCTDecode", &with_place);
    assert!(has(&kept, &photo) && !has(&kept, b"GPS"), "where it was taken is gone");
    assert!(has(
        &picture(
            "/Filter [/AHx /DCT] /DecodeParms [null << /ColorTransform 1 /X (app.alert) >>]",
            letters(&photo).as_bytes()
        ),
        &photo
    ));
    assert!(has(&picture("/Filter [/FlateDecode /DCTDecode]", &packed(&photo)), &photo));
}

#[test]
fn lossy_or_unreadable_pdfs_are_refused() {
    let good = pdf("", &[]);
    let annotation = |entries: &str| {
        let mut objects = PAGE.map(str::to_owned);
        objects[2] = PAGE[2]
            .replace("/Type /Page ", &format!("/Type /Page /Annots [<< /Rect [0 0 9 9] {entries} >>] "));
        pdf_of(&objects, "")
    };
    let form = |content: &str| {
        let mut objects = PAGE.map(str::to_owned).to_vec();
        objects[2] = PAGE[2].replace("/Type /Page ", "/Type /Page /Annots [<< /Subtype /Widget /FT /Tx /V (Amara) /Rect [0 0 9 9] /AP << /N 6 0 R >> >>] ");
        objects.push(format!(
            "<< /Subtype /Form /BBox [0 0 9 9] /Length {} >>\nstream\n{content}\nendstream",
            content.len()
        ));
        pdf_of(&objects, "")
    };
    assert!(look_into(&form("BT (Amara) Tj ET"), &LIMITS).is_ok());
    assert!(look_into(&annotation("/Subtype /Link /Border [0 0 1]"), &LIMITS).is_ok());
    let cut =
        pdf_of(&[PAGE[0], "<< /Type /Pages /Kids [3 0 R 9 0 R] /Count 2 >>", PAGE[2], PAGE[3], PAGE[4]], "");
    assert_refused(vec![
        ("a password", include_bytes!("files/needs-password.pdf").to_vec(), PdfProblem::Password),
        ("a folder of files", pdf("/Collection << >>", &[]), PdfProblem::Portfolio),
        (
            "pages that build themselves",
            pdf("/NeedsRendering true /AcroForm << /XFA [] >>", &[]),
            PdfProblem::DynamicForm,
        ),
        ("a value without looks", annotation("/Subtype /Widget /FT /Tx /V (Amara)"), PdfProblem::UnseenMarks),
        ("a value that its looks do not show", form("0 0 9 9 re"), PdfProblem::UnseenMarks),
        (
            "a mark without looks",
            annotation("/Subtype /Highlight /QuadPoints [0 0 9 0 0 9 9 9]"),
            PdfProblem::UnseenMarks,
        ),
        ("a page that is not there", cut, PdfProblem::Damaged),
        ("five bytes", b"%PDF-".to_vec(), PdfProblem::Damaged),
        ("half of it", good[..good.len() / 4].to_vec(), PdfProblem::Damaged),
        ("no objects", b"%PDF-1.7\nstartxref\n0\n%%EOF".to_vec(), PdfProblem::Damaged),
        ("no page", pdf_of(&[PAGE[0], "<< /Type /Pages /Kids [] >>"], ""), PdfProblem::Damaged),
        (
            "pages in a circle",
            pdf_of(&[PAGE[0], "<< /Type /Pages /Kids [2 0 R] >>"], ""),
            PdfProblem::Damaged,
        ),
        (
            "contents that are not there",
            pdf_of(&[PAGE[0], PAGE[1], "<< /Type /Page /Contents 9 0 R >>"], ""),
            PdfProblem::NoPages,
        ),
        (
            "parts that are not there",
            pdf_of(&[PAGE[0], PAGE[1], "<< /Type /Page /Contents [8 0 R 9 0 R] >>"], ""),
            PdfProblem::NoPages,
        ),
    ]);
}

#[test]
fn pages_that_are_blank_in_the_original_are_taken() {
    let page = |entries: &str| format!("<< /Type /Page /MediaBox [0 0 612 792] {entries} >>");
    let empty = "<< /Length 0 >>\nstream\n\nendstream";
    for (name, objects) in [
        ("no contents", vec![page("")]),
        ("no parts", vec![page("/Contents []")]),
        ("null", vec![page("/Contents null")]),
        ("an empty stream", vec![page("/Contents 4 0 R"), empty.to_owned()]),
        ("empty parts", vec![page("/Contents [4 0 R 4 0 R]"), empty.to_owned()]),
    ] {
        let mut all = vec![PAGE[0].to_owned(), PAGE[1].to_owned()];
        all.extend(objects);
        let kept = rewritten(name, &pdf_of(&all, ""));
        assert_eq!(Pdf::new(kept.clone()).unwrap().pages().len(), 1, "{name}");
        assert!(["", "-"].contains(&drawn(&kept).trim()), "{name} draws {:?}", drawn(&kept));
        assert_eq!(rewritten(name, &kept), kept, "{name}: rewriting is idempotent");
    }
    // A blank back of a scanned sheet stays a page.
    let kids = PAGE[1].replace("[3 0 R]", "[3 0 R 6 0 R]").replace("/Count 1", "/Count 2");
    let all = [PAGE[0], &kids, PAGE[2], PAGE[3], PAGE[4], "<< /Type /Page /Parent 2 0 R >>"];
    let kept = rewritten("a blank back", &pdf_of(&all, ""));
    assert_eq!(Pdf::new(kept).unwrap().pages().len(), 2);
}

#[test]
fn a_pdf_that_takes_too_much_is_refused() {
    let with_content = |entries: &str, bytes: &[u8]| {
        let mut objects: Vec<Vec<u8>> = PAGE.iter().map(|object| object.as_bytes().to_vec()).collect();
        objects[3] = stream(entries, bytes);
        pdf_of(&objects, "")
    };
    let with_contents = |all: &[Vec<u8>]| {
        let mut objects: Vec<Vec<u8>> = PAGE.iter().map(|object| object.as_bytes().to_vec()).collect();
        let numbers: String = (6..6 + all.len()).map(|number| format!("{number} 0 R ")).collect();
        objects[2] = PAGE[2].replace("/Contents 4 0 R", &format!("/Contents [{numbers}]")).into_bytes();
        objects.extend(all.iter().cloned());
        pdf_of(&objects, "")
    };
    let picture = {
        let mut objects: Vec<Vec<u8>> = PAGE.iter().map(|object| object.as_bytes().to_vec()).collect();
        objects[2] = PAGE[2].replace("/Resources <<", "/Resources << /XObject << /P 6 0 R >>").into_bytes();
        objects.push(stream("/Subtype /Image /Width 1048576 /Height 1048576 /Filter /CCITTFaxDecode", b""));
        pdf_of(&objects, "")
    };
    let nested = {
        let mut objects = PAGE.map(str::to_owned);
        let deep = format!("{}{}", "<< /Functions [".repeat(100), "] >>".repeat(100));
        let state = format!("/ExtGState << /G << /TR {deep} >> >> /Font <<");
        objects[2] = PAGE[2].replace("/Font <<", &state);
        pdf_of(&objects, "")
    };
    let bomb = packed(&vec![0; 140_000_000]);
    let part = stream("/Filter /FlateDecode", &packed(&vec![0; 120_000_000]));
    assert_refused(vec![
        ("a bomb", with_content("/Filter /FlateDecode", &bomb), PdfProblem::Unpacks),
        (
            "a bomb in a bomb",
            with_content("/Filter [/FlateDecode /FlateDecode]", &packed(&bomb)),
            PdfProblem::Unpacks,
        ),
        ("five that are none alone", with_contents(&vec![part; 5]), PdfProblem::Unpacks),
        ("many pixels", picture, PdfProblem::Unpacks),
        ("deep objects", nested, PdfProblem::TooComplicated),
    ]);
    let noise: Vec<u8> = (0..20_000).map(|_| fastrand::u8(..)).collect();
    let limits = DecodeLimits { stored_bytes: 10_000, ..LIMITS };
    assert_eq!(
        look_into(&with_content("", &noise), &limits).map(|_| ()),
        Err(PdfProblem::GrownTooLarge.into())
    );
}

#[test]
fn a_signature_is_recorded_and_its_appearance_is_kept() {
    let signed = look_into(include_bytes!("files/signed.pdf"), &LIMITS).unwrap();
    assert!(signed.was_signed);
    with_page(&signed.rewritten, |page| assert!(page.contains_key("Annots")));
    assert!(!look_into(&signed.rewritten, &LIMITS).unwrap().was_signed);
    let field = |entries: &str| {
        pdf(&format!("/AcroForm << /SigFlags 3 /Fields [<< /Kids [<< /FT /Sig {entries} >>] >>] >>"), &[])
    };
    let was_signed = |bytes: &[u8]| look_into(bytes, &LIMITS).unwrap().was_signed;
    assert!(was_signed(&field("/V << /Contents <00> /ByteRange [0 1 2 3] >>")));
    assert!(!was_signed(&field("")), "a field that waits for a signature");
}
