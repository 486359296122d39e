//! Appearance streams of annotations: filled-in fields, stamps, marks and signatures; and detection of digital
//! signatures.

use std::collections::HashSet;

use hayro_syntax::object::{Array, Dict, MaybeRef, Name, ObjRef, Object, Rect, Stream};
use hayro_syntax::page::Page;

use super::problem::PdfProblem;

/// Maximum nesting of form fields.
const MAX_DEPTH: usize = 32;
const MAX_FIELDS: usize = 20_000;

const HIDDEN: u32 = 1 << 1;
const NO_VIEW: u32 = 1 << 5;

/// Appearance of an annotation.
pub struct Appearances<'a> {
    pub place: Rect,
    pub flags: u32,
    pub layer: Option<MaybeRef<Object<'a>>>,
    /// The appearance stream.
    pub form: ObjRef,
}

/// Appearances of a page's annotations, bottom first.
pub fn of<'a>(page: &Page<'a>) -> Result<Vec<Appearances<'a>>, PdfProblem> {
    let mut looks = Vec::new();
    let Some(all) = page.raw().get::<Array<'a>>("Annots") else { return Ok(looks) };
    for annotation in all.iter::<Object<'a>>().filter_map(Object::into_dict) {
        let flags = annotation.get::<i32>("F").unwrap_or(0).cast_unsigned();
        if flags & (HIDDEN | NO_VIEW) != 0 {
            continue;
        }
        let form = form(&annotation);
        let kind = annotation.get::<Name<'_>>("Subtype");
        let kind = kind.as_ref().map_or("", |kind| kind.as_str());
        if is_unseen(&annotation, kind, form.as_ref().map(|(_, form)| form)) {
            return Err(PdfProblem::UnseenMarks);
        }
        let (Some((form, _)), Some(place)) = (form, annotation.get::<Rect>("Rect")) else { continue };
        // A popup opens on a click; its parent shows an icon.
        if !matches!(kind, "Popup" | "Link") {
            looks.push(Appearances { place, flags, layer: annotation.get_raw("OC"), form });
        }
    }
    Ok(looks)
}

/// The current appearance of an annotation; a checkbox has several.
fn form<'a>(annotation: &Dict<'a>) -> Option<(ObjRef, Stream<'a>)> {
    let looks = annotation.get::<Dict<'a>>("AP")?;
    if let Some(form) = looks.get::<Stream<'a>>("N") {
        return Some((looks.get_ref("N")?, form));
    }
    let states = looks.get::<Dict<'a>>("N")?;
    let parent = annotation.get::<Dict<'a>>("Parent").unwrap_or_default();
    let state = ["AS", "V"].iter().find_map(|key| annotation.get::<Name<'a>>(key));
    let state = state.or_else(|| parent.get::<Name<'a>>("V"))?;
    Some((states.get_ref(&*state)?, states.get(&*state)?))
}

/// Whether viewers generate an appearance that is not in the file and would be lost.
fn is_unseen(annotation: &Dict<'_>, kind: &str, form: Option<&Stream<'_>>) -> bool {
    match kind {
        "Widget" => is_filled_in(annotation) && !form.is_some_and(has_text),
        "FreeText" | "Line" | "Square" | "Circle" | "Polygon" | "PolyLine" | "Highlight" | "Underline"
        | "Squiggly" | "StrikeOut" | "Ink" | "Stamp" | "Redact" => form.is_none(),
        _ => false,
    }
}

/// Whether a text or choice field has a value.
fn is_filled_in(widget: &Dict<'_>) -> bool {
    let parent = widget.get::<Dict<'_>>("Parent").unwrap_or_default();
    let own = |key: &str| widget.get::<Object<'_>>(key).or_else(|| parent.get::<Object<'_>>(key));
    let is_text = matches!(own("FT"), Some(Object::Name(kind)) if matches!(kind.as_str(), "Tx" | "Ch"));
    let has_value = match own("V") {
        Some(Object::String(text)) => {
            let text = text.as_bytes().strip_prefix(b"\xFE\xFF").unwrap_or(text.as_bytes());
            text.iter().any(|byte| !matches!(byte, 0 | b' ' | b'\r' | b'\n' | b'\t'))
        }
        Some(Object::Array(all)) => all.raw_iter().next().is_some(),
        _ => false,
    };
    is_text && has_value
}

/// Whether it draws text, or a picture that may contain text.
fn has_text(form: &Stream<'_>) -> bool {
    let Ok(content) = form.decoded_data() else { return true };
    content.windows(2).any(|two| matches!(two, b"Tj" | b"TJ" | b"Do"))
        || content.iter().any(|byte| matches!(byte, b'\'' | b'"'))
}

/// Whether a form has a signed field.
pub fn is_signed(form: &Dict<'_>) -> bool {
    let mut seen = HashSet::new();
    let mut waiting = vec![(form.get::<Array<'_>>("Fields"), false, 0)];
    while let Some((fields, is_signature, depth)) = waiting.pop() {
        let Some(fields) = fields.filter(|_| depth < MAX_DEPTH) else { continue };
        for (reference, field) in fields.raw_iter().zip(fields.iter::<Object<'_>>()) {
            let is_new = reference.as_obj_ref().is_none_or(|reference| seen.insert(reference));
            let Some(field) = field.into_dict().filter(|_| is_new && seen.len() < MAX_FIELDS) else {
                continue;
            };
            let own = field.get::<Name<'_>>("FT");
            let is_signature = own.map_or(is_signature, |kind| kind.as_str() == "Sig");
            if is_signature && field.get::<Dict<'_>>("V").is_some_and(|value| value.contains_key("Contents"))
            {
                return true;
            }
            waiting.push((field.get::<Array<'_>>("Kids"), is_signature, depth + 1));
        }
    }
    false
}
