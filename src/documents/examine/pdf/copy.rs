//! Copies the objects that a page refers to, by an allow-list ([`Shape`]).

use std::collections::{HashMap, VecDeque};

use hayro_syntax::Pdf;
use hayro_syntax::object::{Array, Dict, MaybeRef, Number, ObjRef, Object, Stream};
use pdf_writer::{Chunk, Name, Null, Obj, Ref, Str};

use super::problem::PdfProblem;
use super::shapes::{EntryRule, Multiplicity, Shape};
use super::stream::StreamDecoder;
use crate::base::budget::{DecodeLimits, TimeBudget};

/// Maximum nesting; deeper than any program writes.
const MAX_DEPTH: usize = 64;
/// Maximum objects per file: a thousand pages with a hundred pictures each.
const MAX_OBJECTS: usize = 100_000;
/// Maximum values in all objects.
const MAX_VALUES: usize = 20_000_000;

/// Copies objects of one file; each object once per kind.
pub struct Copier<'p> {
    pdf: &'p Pdf,
    budget: &'p TimeBudget,
    max_bytes: u64,
    unpacker: StreamDecoder<'p>,
    numbers: HashMap<(ObjRef, Multiplicity), Ref>,
    waiting: VecDeque<(ObjRef, Multiplicity, Ref)>,
    next: Ref,
    values: usize,
}

impl<'p> Copier<'p> {
    pub fn new(pdf: &'p Pdf, limits: &DecodeLimits, budget: &'p TimeBudget) -> Self {
        Self {
            pdf,
            budget,
            max_bytes: limits.stored_bytes,
            unpacker: StreamDecoder::new(limits, budget),
            numbers: HashMap::new(),
            waiting: VecDeque::new(),
            next: Ref::new(1),
            values: 0,
        }
    }

    /// Allocates an object number.
    pub fn number(&mut self) -> Ref {
        self.next.bump()
    }

    /// The new number of a copied object.
    pub fn reference(&mut self, object: ObjRef, kind: Multiplicity) -> Ref {
        // A layer is the same object, alone or in a list.
        let kind = match kind {
            Multiplicity::Many(shape) if !matches!(self.find(object), Some(Object::Array(_))) => {
                Multiplicity::One(shape)
            }
            kind => kind,
        };
        if let Some(number) = self.numbers.get(&(object, kind)) {
            return *number;
        }
        let number = self.number();
        self.numbers.insert((object, kind), number);
        self.waiting.push_back((object, kind, number));
        number
    }

    fn find(&self, object: ObjRef) -> Option<Object<'p>> {
        self.pdf.xref().get(object.into())
    }

    /// Copies all objects referred to so far, transitively.
    pub fn finish(&mut self, out: &mut Chunk) -> Result<(), PdfProblem> {
        while let Some((object, kind, number)) = self.waiting.pop_front() {
            if self.numbers.len() > MAX_OBJECTS {
                return Err(PdfProblem::TooComplicated);
            }
            match self.find(object) {
                Some(Object::Stream(stream)) => self.stream(&stream, kind, number, out)?,
                Some(found) => self.write(MaybeRef::NotRef(found), kind, out.indirect(number))?,
                None => out.indirect(number).primitive(Null),
            }
            if out.len() as u64 > self.max_bytes {
                return Err(PdfProblem::GrownTooLarge);
            }
        }
        Ok(())
    }

    fn stream(
        &mut self,
        stream: &Stream<'_>,
        kind: Multiplicity,
        number: Ref,
        out: &mut Chunk,
    ) -> Result<(), PdfProblem> {
        let shape = match kind {
            Multiplicity::One(shape) | Multiplicity::Many(shape) => concrete(shape, stream.dict()),
            Multiplicity::Named(_) => None,
        };
        let Some(shape) = shape.filter(|shape| shape.is_stream()) else {
            out.indirect(number).primitive(Null);
            return Ok(());
        };
        let packed = self.unpacker.pack(stream)?;
        let mut written = out.stream(number, &packed.bytes);
        written.pair(Name(b"Filter"), Name(packed.filter.as_bytes()));
        if let Some(settings) = packed.settings {
            let mut entries = written.insert(Name(b"DecodeParms")).dict();
            self.entries(&settings, Shape::FilterSettings.entries(), &mut entries, 0)?;
        }
        self.entries(stream.dict(), shape.entries(), &mut written, 0)
    }

    /// Writes a nested value.
    pub fn write(
        &mut self,
        value: MaybeRef<Object<'_>>,
        kind: Multiplicity,
        out: Obj<'_>,
    ) -> Result<(), PdfProblem> {
        self.value(value, kind, out, 0)
    }

    /// Writes the allowed entries of a dictionary.
    pub fn entries(
        &mut self,
        dictionary: &Dict<'_>,
        entries: &[EntryRule],
        out: &mut pdf_writer::Dict<'_>,
        depth: usize,
    ) -> Result<(), PdfProblem> {
        for (key, kind) in entries {
            if let Some(value) = dictionary.get_raw::<Object<'_>>(key) {
                self.value(value, *kind, out.insert(Name(key.as_bytes())), depth + 1)?;
            }
        }
        Ok(())
    }

    fn value(
        &mut self,
        value: MaybeRef<Object<'_>>,
        kind: Multiplicity,
        out: Obj<'_>,
        depth: usize,
    ) -> Result<(), PdfProblem> {
        self.values += 1;
        if depth > MAX_DEPTH || self.values > MAX_VALUES {
            return Err(PdfProblem::TooComplicated);
        }
        if self.budget.tick() {
            return Err(PdfProblem::TooSlow);
        }
        let value = match value {
            MaybeRef::Ref(object) => {
                out.primitive(self.reference(object, kind));
                return Ok(());
            }
            MaybeRef::NotRef(value) => value,
        };
        match (value, kind) {
            (Object::Array(all), _) => self.array(&all, kind, out, depth)?,
            (Object::Dict(dictionary), Multiplicity::Named(shape)) => {
                self.named(&dictionary, shape, out, depth)?;
            }
            (Object::Dict(dictionary), Multiplicity::One(shape) | Multiplicity::Many(shape)) => {
                match concrete(shape, &dictionary) {
                    Some(Shape::Plain) | None => out.primitive(Null),
                    Some(shape) => self.entries(&dictionary, shape.entries(), &mut out.dict(), depth)?,
                }
            }
            (scalar, _) => write_scalar(&scalar, kind, out),
        }
        Ok(())
    }

    fn array(
        &mut self,
        all: &Array<'_>,
        kind: Multiplicity,
        out: Obj<'_>,
        depth: usize,
    ) -> Result<(), PdfProblem> {
        let kind = match kind {
            // Its items are names, numbers, strings, colour spaces and their parts.
            Multiplicity::One(Shape::Color | Shape::ColorOperand) => Multiplicity::One(Shape::ColorOperand),
            Multiplicity::One(Shape::Plain) | Multiplicity::Many(_) => kind,
            Multiplicity::One(_) | Multiplicity::Named(_) => {
                out.primitive(Null);
                return Ok(());
            }
        };
        let mut written = out.array();
        for item in all.raw_iter() {
            self.value(item, kind, written.push(), depth + 1)?;
        }
        Ok(())
    }

    fn named(&mut self, all: &Dict<'_>, shape: Shape, out: Obj<'_>, depth: usize) -> Result<(), PdfProblem> {
        let mut written = out.dict();
        for (name, value) in all.entries() {
            let found = match &value {
                MaybeRef::Ref(object) => self.find(*object),
                MaybeRef::NotRef(found) => Some(found.clone()),
            };
            let is_kept = match found {
                Some(Object::Dict(_) | Object::Array(_) | Object::Stream(_)) => true,
                Some(Object::Name(name)) => shape == Shape::Color && COLORS.contains(&name.as_str()),
                _ => false,
            };
            if !is_kept {
                continue;
            }
            self.value(value, Multiplicity::One(shape), written.insert(Name(&name)), depth + 1)?;
        }
        Ok(())
    }
}

/// Resolves a shape with alternatives by the object's type; `None` if it matches none.
fn concrete(shape: Shape, dictionary: &Dict<'_>) -> Option<Shape> {
    match shape {
        Shape::Color | Shape::ColorOperand => Some(Shape::ColorPart),
        Shape::XObject => match dictionary.get::<hayro_syntax::object::Name<'_>>("Subtype") {
            Some(kind) if kind.as_str() == "Image" => Some(Shape::Image),
            Some(kind) if kind.as_str() == "Form" => Some(Shape::Form),
            None if dictionary.contains_key("Width") => Some(Shape::Image),
            None if dictionary.contains_key("BBox") => Some(Shape::Form),
            _ => None,
        },
        shape => Some(shape),
    }
}

/// Colour spaces identified by a name only.
const COLORS: [&str; 10] =
    ["DeviceGray", "DeviceRGB", "DeviceCMYK", "Pattern", "CalGray", "CalRGB", "CalCMYK", "G", "RGB", "CMYK"];

/// Strings are never copied under names chosen by the file, so that nothing can be read as an action.
fn write_scalar(value: &Object<'_>, kind: Multiplicity, out: Obj<'_>) {
    use Shape::{Bytes, CharacterMap, Color, ColorOperand, Encoding, Function, Plain, SoftMask};
    let is_free = matches!(kind, Multiplicity::One(Plain | ColorOperand) | Multiplicity::Many(Plain));
    match value {
        Object::Boolean(value) if is_free => out.primitive(*value),
        Object::Number(number) if is_free || matches!(kind, Multiplicity::Many(_)) => {
            write_number(*number, out);
        }
        Object::String(text) if is_free => out.primitive(Str(text.as_bytes())),
        Object::Name(name) => {
            let is_allowed = match kind {
                Multiplicity::One(Function | SoftMask | Encoding | CharacterMap | Bytes)
                | Multiplicity::Many(_) => true,
                Multiplicity::One(Color) => COLORS.contains(&name.as_str()),
                _ => is_free,
            };
            if is_allowed { out.primitive(Name(name)) } else { out.primitive(Null) }
        }
        _ => out.primitive(Null),
    }
}

fn write_number(number: Number, out: Obj<'_>) {
    match i32::try_from(number.as_i64()) {
        Ok(whole) if f64::from(whole) == number.as_f64() => out.primitive(whole),
        _ => out.primitive(number.as_f32()),
    }
}
