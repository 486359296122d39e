//! PDF: rewritten from what its pages draw.
//!
//! [`hayro_syntax`] reads the file, repairing and decrypting it like viewers, and [`pdf_writer`] writes the new one;
//! between them is an allow-list of objects ([`shapes`]). Everything else is dropped: actions, scripts, links,
//! attachments, forms, media, metadata. Annotations keep only their appearance, layers only their visibility. Digital
//! signatures are lost: [`RewrittenPdf::was_signed`].

mod apart;
mod appearances;
mod copy;
mod problem;
mod shapes;
mod stream;

use std::panic::{AssertUnwindSafe, catch_unwind};

use hayro_syntax::object::{Array, Dict, MaybeRef, Object, Rect, Stream};
use hayro_syntax::page::{A4, Page, Rotation};
use hayro_syntax::{DecryptionError, LoadPdfError, Pdf};
use pdf_writer::types::AnnotationFlags;
use pdf_writer::{Name, Ref};

pub use self::apart::{COMMAND, examine_here, separate, write_apart};
use self::copy::Copier;
pub use self::problem::PdfProblem;
use self::shapes::{Multiplicity, RESOURCES, Shape};
use crate::base::budget::{DecodeLimits, TimeBudget};
use crate::documents::rules;

/// A rewritten PDF.
#[derive(Debug, PartialEq, Eq)]
pub struct RewrittenPdf {
    pub bytes: Vec<u8>,
    /// Whether the original had a digital signature.
    pub was_signed: bool,
}

/// Rewrites a PDF on this thread.
pub fn write(bytes: &[u8], limits: &DecodeLimits, budget: &TimeBudget) -> Result<RewrittenPdf, PdfProblem> {
    // A panic of the library is caused by the file and must not end the program.
    catch_unwind(AssertUnwindSafe(|| {
        let start = rules::pdf_start(bytes).ok_or(PdfProblem::Damaged)?;
        let pdf = open(bytes[start..].to_vec())?;
        let written = write_pages(&pdf, limits, budget)?;
        if written.bytes.len() as u64 > limits.stored_bytes {
            return Err(PdfProblem::GrownTooLarge);
        }
        check(&written.bytes, pdf.pages().len())?;
        Ok(written)
    }))
    .unwrap_or(Err(PdfProblem::Damaged))
}

fn open(bytes: Vec<u8>) -> Result<Pdf, PdfProblem> {
    Pdf::new(bytes).map_err(|error| match error {
        LoadPdfError::Decryption(DecryptionError::PasswordProtected) => PdfProblem::Password,
        LoadPdfError::Decryption(_) => PdfProblem::Unusual,
        LoadPdfError::Invalid => PdfProblem::Damaged,
    })
}

fn catalog(pdf: &Pdf) -> Result<Dict<'_>, PdfProblem> {
    pdf.xref().get(pdf.xref().root_id()).ok_or(PdfProblem::Damaged)
}

fn write_pages(pdf: &Pdf, limits: &DecodeLimits, budget: &TimeBudget) -> Result<RewrittenPdf, PdfProblem> {
    let catalog = catalog(pdf)?;
    if catalog.contains_key("Collection") {
        return Err(PdfProblem::Portfolio);
    }
    let form = catalog.get::<Dict<'_>>("AcroForm").unwrap_or_default();
    if form.contains_key("XFA") && catalog.get::<bool>("NeedsRendering") == Some(true) {
        return Err(PdfProblem::DynamicForm);
    }
    check_count(pdf, &catalog)?;
    let mut copier = Copier::new(pdf, limits, budget);
    let mut out = pdf_writer::Pdf::with_settings(pdf_writer::Settings { pretty: false });
    let root = copier.number();
    let tree = copier.number();
    let mut written = out.catalog(root);
    written.pages(tree);
    if let Some(layers) = catalog.get_raw::<Object<'_>>("OCProperties") {
        copier.write(
            layers,
            Multiplicity::One(Shape::LayerProperties),
            written.insert(Name(b"OCProperties")),
        )?;
    }
    if let Some(all) = catalog.get::<Array<'_>>("OutputIntents") {
        let mut intents = written.insert(Name(b"OutputIntents")).array();
        for intent in all.iter::<Dict<'_>>() {
            let mut copied = intents.push().dict();
            copied.pair(Name(b"Type"), Name(b"OutputIntent")).pair(Name(b"S"), Name(b"GTS_PDFX"));
            copier.entries(&intent, Shape::OutputIntent.entries(), &mut copied, 0)?;
        }
    }
    drop(written);
    let mut kids = Vec::new();
    let mut draws = false;
    let mut has_lost = false;
    for page in pdf.pages().iter() {
        let number = copier.number();
        match write_page(page, number, tree, &mut copier, &mut out)? {
            Drawing::Some => draws = true,
            Drawing::Blank => {}
            Drawing::Lost => has_lost = true,
        }
        kids.push(number);
        // Objects of a page are copied before the next page, so that limits apply early.
        copier.finish(&mut out)?;
    }
    // Pages that are blank in the original are taken; contents that are gone are a fault of the file.
    if has_lost && !draws {
        return Err(PdfProblem::NoPages);
    }
    out.pages(tree).count(kids.len() as i32).kids(kids);
    copier.finish(&mut out)?;
    Ok(RewrittenPdf { bytes: out.finish(), was_signed: appearances::is_signed(&form) })
}

/// A page tree with a higher count than pages means a truncated file.
fn check_count(pdf: &Pdf, catalog: &Dict<'_>) -> Result<(), PdfProblem> {
    let tree = catalog.get::<Dict<'_>>("Pages").ok_or(PdfProblem::Damaged)?;
    let promised = tree.get::<i32>("Count").and_then(|count| usize::try_from(count).ok()).unwrap_or(0);
    match pdf.pages().len() {
        0 => Err(PdfProblem::Damaged),
        count if count < promised || !tree.contains_key("Kids") => Err(PdfProblem::Damaged),
        _ => Ok(()),
    }
}

/// What a page draws.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Drawing {
    /// Contents or annotations.
    Some,
    /// Nothing: it has no contents, or empty ones.
    Blank,
    /// Nothing, because the file lacks the contents that the page names.
    Lost,
}

impl Drawing {
    /// What the contents of a page draw.
    fn of_contents(page: &Dict<'_>) -> Self {
        let is_null =
            matches!(page.get_raw::<Object<'_>>("Contents"), Some(MaybeRef::NotRef(Object::Null(_))));
        if is_null || !page.contains_key("Contents") {
            return Self::Blank;
        }
        match page.get::<Object<'_>>("Contents") {
            Some(Object::Stream(stream)) => Self::of_stream(&stream),
            Some(Object::Array(parts)) => {
                let count = parts.raw_iter().count();
                let streams: Vec<_> = parts.iter::<Stream<'_>>().map(|part| Self::of_stream(&part)).collect();
                match streams.contains(&Self::Some) {
                    true => Self::Some,
                    false if streams.len() < count || streams.contains(&Self::Lost) => Self::Lost,
                    false => Self::Blank,
                }
            }
            _ => Self::Lost,
        }
    }

    fn of_stream(stream: &Stream<'_>) -> Self {
        let length = stream.dict().get::<i64>("Length").unwrap_or(0);
        match stream.raw_data().is_empty() {
            false => Self::Some,
            true if length > 0 => Self::Lost,
            true => Self::Blank,
        }
    }
}

/// Writes a page; returns what it draws.
fn write_page(
    page: &Page<'_>,
    number: Ref,
    tree: Ref,
    copier: &mut Copier<'_>,
    out: &mut pdf_writer::Pdf,
) -> Result<Drawing, PdfProblem> {
    let raw = page.raw();
    let mut written = out.page(number);
    written.parent(tree).media_box(rectangle(media_box(page)));
    if !are_same(page.crop_box(), page.media_box()) {
        written.crop_box(rectangle(page.crop_box()));
    }
    written.rotate(match page.rotation() {
        Rotation::None => 0,
        Rotation::Horizontal => 90,
        Rotation::Flipped => 180,
        Rotation::FlippedHorizontal => 270,
    });
    for (key, kind) in [
        ("UserUnit", Multiplicity::One(Shape::Plain)),
        ("Group", Multiplicity::One(Shape::Group)),
        ("Contents", Multiplicity::Many(Shape::Bytes)),
    ] {
        if let Some(value) = raw.get_raw::<Object<'_>>(key) {
            copier.write(value, kind, written.insert(Name(key.as_bytes())))?;
        }
    }
    let mut resources = written.insert(Name(b"Resources")).dict();
    let all = page.resources();
    let inherited = [
        &all.ext_g_states,
        &all.color_spaces,
        &all.patterns,
        &all.shadings,
        &all.x_objects,
        &all.fonts,
        &all.properties,
    ];
    for ((key, kind), names) in RESOURCES.iter().zip(inherited) {
        if !names.is_empty() {
            copier.write(
                MaybeRef::NotRef(Object::Dict(names.clone())),
                *kind,
                resources.insert(Name(key.as_bytes())),
            )?;
        }
    }
    drop(resources);
    let looks = appearances::of(page)?;
    let has_looks = !looks.is_empty();
    if has_looks {
        let mut annotations = written.insert(Name(b"Annots")).array();
        for look in looks {
            let mut annotation = annotations.push().dict();
            annotation.pair(Name(b"Type"), Name(b"Annot")).pair(Name(b"Subtype"), Name(b"Stamp"));
            annotation.pair(Name(b"Rect"), rectangle(look.place));
            let flags = AnnotationFlags::from_bits_truncate(look.flags)
                & (AnnotationFlags::PRINT | AnnotationFlags::NO_ZOOM | AnnotationFlags::NO_ROTATE);
            let flags = flags | AnnotationFlags::READ_ONLY | AnnotationFlags::LOCKED;
            annotation.pair(Name(b"F"), flags.bits().cast_signed());
            if let Some(layer) = look.layer {
                copier.write(layer, Multiplicity::One(Shape::Layer), annotation.insert(Name(b"OC")))?;
            }
            let form = copier.reference(look.form, Multiplicity::One(Shape::Form));
            annotation.insert(Name(b"AP")).dict().pair(Name(b"N"), form);
        }
    }
    Ok(if has_looks { Drawing::Some } else { Drawing::of_contents(raw) })
}

/// Pages without a size: the library uses A4, viewers use Letter.
fn media_box(page: &Page<'_>) -> Rect {
    let is_default = are_same(page.media_box(), A4) && !page.raw().contains_key("MediaBox");
    if is_default { Rect::new(0.0, 0.0, 612.0, 792.0) } else { page.media_box() }
}

fn are_same(one: Rect, other: Rect) -> bool {
    [(one.x0, other.x0), (one.y0, other.y0), (one.x1, other.x1), (one.y1, other.y1)]
        .iter()
        .all(|(a, b)| a == b)
}

fn rectangle(found: Rect) -> pdf_writer::Rect {
    let Rect { x0, y0, x1, y1 } = found;
    pdf_writer::Rect::new(x0 as f32, y0 as f32, x1 as f32, y1 as f32)
}

/// Verifies the output: the number of pages, and no unexpected entries.
fn check(bytes: &[u8], pages: usize) -> Result<(), PdfProblem> {
    let pdf = open(bytes.to_vec())?;
    let is_within =
        |dictionary: &Dict<'_>, known: &[&str]| dictionary.keys().all(|key| known.contains(&key.as_str()));
    let is_good = |page: &Page<'_>| {
        let annotations = page.raw().get::<Array<'_>>("Annots");
        is_within(page.raw(), &PAGE)
            && annotations.is_none_or(|all| all.iter::<Dict<'_>>().all(|one| is_within(&one, &ANNOTATION)))
    };
    let is_clean = is_within(&catalog(&pdf)?, &CATALOG) && pdf.pages().iter().all(is_good);
    if is_clean && pdf.pages().len() == pages { Ok(()) } else { Err(PdfProblem::Damaged) }
}

const CATALOG: [&str; 4] = ["Type", "Pages", "OCProperties", "OutputIntents"];
const PAGE: [&str; 10] = [
    "Type",
    "Parent",
    "MediaBox",
    "CropBox",
    "Rotate",
    "UserUnit",
    "Group",
    "Contents",
    "Resources",
    "Annots",
];
const ANNOTATION: [&str; 6] = ["Type", "Subtype", "Rect", "F", "OC", "AP"];
