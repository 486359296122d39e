//! Streams of a PDF: how large they are once unpacked, and the objects that lie packed in them.

use std::io::Read;

use flate2::read::ZlibDecoder;

use super::lexer::{Lexer, Token, is_space};
use super::object::{Reader, Value};
use crate::base::budget::{Budget, Limits};
use crate::documents::examine::refusal::Refusal;

/// Packed objects are few bytes each.
const MAX_OBJECT_STREAM_BYTES: u64 = 16 * 1024 * 1024;
/// All streams together against the largest: a reader unpacks a page at a time.
const ALL_TO_ONE: u64 = 4;

/// A stream with what stands before it.
pub struct Stream {
    pub dictionary: Value,
    /// Where its content begins.
    pub at: usize,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Filter {
    Flate,
    Ascii85,
    /// Of pictures, or of one byte for another: what comes out is bounded by the picture's own size, or by
    /// 64 times what goes in.
    Bounded,
}

/// Unpacks streams one after the other.
pub struct Unpacker<'b> {
    budget: &'b Budget,
    max_each: u64,
    left: u64,
}

impl<'b> Unpacker<'b> {
    pub fn new(limits: &Limits, budget: &'b Budget) -> Self {
        Self { budget, max_each: limits.memory_bytes, left: ALL_TO_ONE * limits.memory_bytes }
    }

    /// Looks into a stream; returns the objects in it, with their numbers.
    pub fn look_into(
        &mut self,
        stream: &Stream,
        file: &[u8],
        reader: &mut Reader<'_>,
    ) -> Result<Vec<(u32, Value)>, Refusal> {
        if self.budget.is_over() {
            return Err(Refusal::TooSlow);
        }
        let filters = filters(&stream.dictionary)?;
        let is_picture = stream.dictionary.entry("Width").is_some();
        if is_picture && pixels(&stream.dictionary) > self.max_each {
            return Err(Refusal::TooComplicated);
        }
        let packed = &file[stream.at..];
        // Whatever its type says: these two are what it is read by.
        let has_objects = ["N", "First"].iter().all(|key| stream.dictionary.entry(key).is_some())
            || stream.dictionary.entry("Type").is_some_and(|kind| kind.is_name("ObjStm"));
        if !has_objects {
            return self.measure(packed, &filters).map(|()| Vec::new());
        }
        match &*filters {
            [] => read_objects(&stream.dictionary, packed, reader),
            [Filter::Flate] if !has_predictor(&stream.dictionary) => {
                let mut content = Vec::new();
                self.inflate(packed, MAX_OBJECT_STREAM_BYTES, |bytes| content.extend_from_slice(bytes))?;
                reader.allow(content.len());
                read_objects(&stream.dictionary, &content, reader)
            }
            _ => Err(Refusal::Unusual),
        }
    }

    fn measure(&mut self, packed: &[u8], filters: &[Filter]) -> Result<(), Refusal> {
        let (max, nothing) = (self.max_each, |_: &[u8]| {});
        match filters {
            [Filter::Flate, rest @ ..] if !rest.contains(&Filter::Flate) => {
                self.inflate(packed, max, nothing)
            }
            [Filter::Ascii85, Filter::Flate, rest @ ..] if !rest.contains(&Filter::Flate) => {
                self.inflate(&ascii85(packed), max, nothing)
            }
            // What is packed twice grows a million times.
            _ if filters.contains(&Filter::Flate) => Err(Refusal::Unusual),
            _ => Ok(()),
        }
    }

    /// The content ends by itself, wherever its dictionary says that it does. What is damaged is read as
    /// far as it goes, as readers do.
    fn inflate(&mut self, packed: &[u8], max: u64, mut take: impl FnMut(&[u8])) -> Result<(), Refusal> {
        let mut decoder = ZlibDecoder::new(packed);
        let (mut chunk, mut each) = ([0; 16 * 1024], 0);
        while let Ok(count @ 1..) = decoder.read(&mut chunk) {
            each += count as u64;
            self.left = self.left.checked_sub(count as u64).ok_or(Refusal::Unpacks)?;
            if each > max {
                return Err(Refusal::Unpacks);
            }
            if self.budget.is_over() {
                return Err(Refusal::TooSlow);
            }
            take(&chunk[..count]);
        }
        Ok(())
    }
}

fn pixels(dictionary: &Value) -> u64 {
    let side = |key| dictionary.integer(key).unwrap_or(0).max(0).cast_unsigned();
    side("Width").saturating_mul(side("Height"))
}

fn filters(dictionary: &Value) -> Result<Vec<Filter>, Refusal> {
    let listed = match dictionary.entry("Filter") {
        None => &[][..],
        Some(Value::Array(names)) => names,
        Some(name) => std::slice::from_ref(name),
    };
    // With this the content lies in a file of its own.
    if dictionary.entry("F").is_some() {
        return Err(Refusal::Unusual);
    }
    listed
        .iter()
        .map(|filter| match filter {
            Value::Name(name) => match &**name {
                b"FlateDecode" | b"Fl" => Ok(Filter::Flate),
                b"ASCII85Decode" | b"A85" => Ok(Filter::Ascii85),
                b"DCTDecode" | b"DCT" | b"CCITTFaxDecode" | b"CCF" | b"JBIG2Decode" | b"JPXDecode"
                | b"RunLengthDecode" | b"RL" | b"ASCIIHexDecode" | b"AHx" => Ok(Filter::Bounded),
                _ => Err(Refusal::Unusual),
            },
            _ => Err(Refusal::Unusual),
        })
        .collect()
}

fn has_predictor(dictionary: &Value) -> bool {
    let settings = dictionary.entry("DecodeParms").or_else(|| dictionary.entry("DP"));
    match settings {
        None => false,
        Some(Value::Array(all)) => !all.is_empty(),
        Some(settings @ Value::Dictionary(_)) => {
            settings.entry("Predictor").is_some_and(|one| *one != Value::Integer(1))
        }
        Some(Value::Other) => false,
        Some(_) => true,
    }
}

/// The objects of an object stream (ISO 32000-1, 7.5.7), each where its table says that it is.
fn read_objects(
    dictionary: &Value,
    content: &[u8],
    reader: &mut Reader<'_>,
) -> Result<Vec<(u32, Value)>, Refusal> {
    let number =
        |key| dictionary.integer(key).and_then(|number| usize::try_from(number).ok()).ok_or(Refusal::Unusual);
    let (count, first) = (number("N")?, number("First")?);
    let mut table = Lexer::new(content, 0);
    let mut objects = Vec::new();
    for _ in 0..count {
        let (Token::Integer(number), Token::Integer(offset)) =
            (reader.next(&mut table)?, reader.next(&mut table)?)
        else {
            return Err(Refusal::DamagedPdf);
        };
        let at = usize::try_from(offset).ok().and_then(|offset| first.checked_add(offset));
        let at = at.filter(|at| *at <= content.len()).ok_or(Refusal::DamagedPdf)?;
        let value = reader.read(&mut Lexer::new(content, at))?;
        objects.push((u32::try_from(number).unwrap_or(0), value));
    }
    Ok(objects)
}

/// Four bytes for five letters, up to `~>`.
fn ascii85(text: &[u8]) -> Vec<u8> {
    let (mut out, mut group) = (Vec::new(), Vec::with_capacity(5));
    let number = |group: &[u8]| {
        group.iter().fold(0_u32, |sum, letter| sum.wrapping_mul(85).wrapping_add(u32::from(letter - b'!')))
    };
    for letter in text.iter().copied().filter(|letter| !is_space(*letter)) {
        match letter {
            b'z' if group.is_empty() => out.extend([0; 4]),
            b'!'..=b'u' => group.push(letter),
            _ => break,
        }
        if group.len() == 5 {
            out.extend(number(&group).to_be_bytes());
            group.clear();
        }
    }
    if group.len() > 1 {
        let kept = group.len() - 1;
        group.resize(5, b'u');
        out.extend(&number(&group).to_be_bytes()[..kept]);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_of_ascii85_are_bytes() {
        assert_eq!(ascii85(b"87cUR\nD]i,\"Ebo80~>x"), b"Hello World!");
        assert_eq!(ascii85(b"z87cUR~>"), b"\0\0\0\0Hell");
        assert_eq!(ascii85(b"87cURDZ~>"), b"Hello");
    }
}
