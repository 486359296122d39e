//! Rewrites streams: decompressed within limits and compressed again, unless they use plain Flate already or are images
//! with a codec.

use std::borrow::Cow;
use std::io::{self, Read, Write};

use flate2::Compression;
use flate2::bufread::ZlibDecoder;
use flate2::write::ZlibEncoder;
use hayro_syntax::object::{Dict, Object, ObjectIdentifier, Stream};
use hayro_syntax::{Filter, Pdf};
use pdf_writer::Ref;

use super::problem::PdfProblem;
use crate::base::budget::{DecodeLimits, TimeBudget};

/// Limit of all streams together as a multiple of the largest, since viewers decompress one page at a time.
const ALL_TO_ONE: u64 = 4;

/// A stream's bytes with their filter.
pub struct EncodedStream<'a> {
    pub bytes: Cow<'a, [u8]>,
    pub filter: &'static str,
    /// The settings of the filter.
    pub settings: Option<Dict<'a>>,
}

/// Decompresses streams and counts their total size.
pub struct StreamDecoder<'b> {
    budget: &'b TimeBudget,
    max_each: u64,
    left: u64,
}

impl<'b> StreamDecoder<'b> {
    pub fn new(limits: &DecodeLimits, budget: &'b TimeBudget) -> Self {
        Self { budget, max_each: limits.memory_bytes, left: ALL_TO_ONE * limits.memory_bytes }
    }

    /// The rewritten bytes of a stream.
    pub fn pack<'a>(&mut self, stream: &Stream<'a>) -> Result<EncodedStream<'a>, PdfProblem> {
        let mut filters = Filters::of(stream.dict())?;
        let mut bytes = stream.raw_data();
        if filters.0.first().is_some_and(|(filter, _)| *filter == Filter::Crypt) {
            filters.0.remove(0);
        }
        if let Some(name) = filters.0.last().and_then(|(filter, _)| codec(*filter)) {
            let settings = filters.0.pop().and_then(|(_, settings)| settings);
            self.check_pixels(stream.dict())?;
            if !filters.0.is_empty() {
                bytes = Cow::Owned(self.unpack(&bytes, &filters)?);
            }
            if name == "DCTDecode" {
                bytes = without_texts(bytes);
            }
            return Ok(EncodedStream { bytes, filter: name, settings });
        }
        if let [(Filter::FlateDecode, settings)] = &mut *filters.0
            && let Some(length) = self.measure(&bytes)?
        {
            let settings = settings.take().filter(|settings| !settings.is_empty());
            let bytes = match bytes {
                Cow::Borrowed(bytes) => Cow::Borrowed(&bytes[..length]),
                Cow::Owned(mut bytes) => {
                    bytes.truncate(length);
                    Cow::Owned(bytes)
                }
            };
            return Ok(EncodedStream { bytes, filter: "FlateDecode", settings });
        }
        let content = if filters.0.is_empty() { bytes } else { Cow::Owned(self.unpack(&bytes, &filters)?) };
        self.count(content.len())?;
        let packed = pack(&content).map_err(|_| PdfProblem::Damaged)?;
        Ok(EncodedStream { bytes: Cow::Owned(packed), filter: "FlateDecode", settings: None })
    }

    fn count(&mut self, bytes: usize) -> Result<(), PdfProblem> {
        let bytes = bytes as u64;
        self.left = self.left.checked_sub(bytes).ok_or(PdfProblem::Unpacks)?;
        if bytes > self.max_each { Err(PdfProblem::Unpacks) } else { Ok(()) }
    }

    /// Length of the compressed data; `None` if damaged.
    fn measure(&mut self, packed: &[u8]) -> Result<Option<usize>, PdfProblem> {
        let mut decoder = ZlibDecoder::new(packed);
        let mut chunk = [0; 16 * 1024];
        let mut unpacked = 0;
        loop {
            match decoder.read(&mut chunk) {
                Ok(0) => break,
                Ok(count) => unpacked += count,
                Err(_) => return Ok(None),
            }
            if unpacked as u64 > self.max_each {
                return Err(PdfProblem::Unpacks);
            }
            if self.budget.tick() {
                return Err(PdfProblem::TooSlow);
            }
        }
        self.count(unpacked)?;
        Ok(usize::try_from(decoder.total_in()).ok())
    }

    /// Applies filters with the library, by wrapping the stream in a PDF, as it only opens files.
    fn unpack(&mut self, packed: &[u8], filters: &Filters<'_>) -> Result<Vec<u8>, PdfProblem> {
        let [catalog, pages, content] = [1, 2, 3].map(Ref::new);
        let mut file = pdf_writer::Pdf::with_capacity(packed.len() + 1024);
        file.catalog(catalog).pages(pages);
        file.pages(pages).kids([]).count(0);
        let mut stream = file.stream(content, packed);
        let mut names = stream.insert(pdf_writer::Name(b"Filter")).array();
        for (filter, _) in &filters.0 {
            names.item(pdf_writer::Name(name(*filter).as_bytes()));
        }
        drop(names);
        let mut all = stream.insert(pdf_writer::Name(b"DecodeParms")).array();
        for (_, settings) in &filters.0 {
            let mut written = all.push().dict();
            for key in ["Predictor", "Colors", "BitsPerComponent", "Columns", "EarlyChange"] {
                if let Some(number) = settings.as_ref().and_then(|settings| settings.get::<i32>(key)) {
                    written.pair(pdf_writer::Name(key.as_bytes()), number);
                }
            }
        }
        drop(all);
        drop(stream);
        let file = Pdf::new(file.finish()).map_err(|_| PdfProblem::Damaged)?;
        let stream = file.xref().get::<Stream<'_>>(ObjectIdentifier::new(3, 0));
        let content = stream.and_then(|stream| Some(stream.decoded_data().ok()?.into_owned()));
        let content = content.ok_or(PdfProblem::Damaged)?;
        self.count(content.len())?;
        Ok(content)
    }

    /// Checks the decoded size of an image.
    fn check_pixels(&self, dictionary: &Dict<'_>) -> Result<(), PdfProblem> {
        let side = |key| dictionary.get::<u32>(key).map_or(0, u64::from);
        match side("Width").saturating_mul(side("Height")) {
            pixels if pixels > self.max_each => Err(PdfProblem::Unpacks),
            _ => Ok(()),
        }
    }
}

/// The filters of a stream in order, with their parameters.
struct Filters<'a>(Vec<(Filter, Option<Dict<'a>>)>);

impl<'a> Filters<'a> {
    /// Full names take precedence, as in most viewers; abbreviations are for inline images.
    fn of(dictionary: &Dict<'a>) -> Result<Self, PdfProblem> {
        let listed = |keys: [&str; 2]| {
            let key = keys.iter().find(|key| dictionary.contains_key(key))?;
            match dictionary.get::<Object<'a>>(key)? {
                Object::Array(all) => Some(all.iter::<Object<'a>>().collect()),
                Object::Null(_) => None,
                one => Some(vec![one]),
            }
        };
        let filters = match listed(["Filter", "F"]) {
            // This entry means that the content is in an external file, which does not exist.
            Some(all) if matches!(&*all, [Object::String(_) | Object::Dict(_)]) => Vec::new(),
            all => all.unwrap_or_default(),
        };
        let mut settings = listed(["DecodeParms", "DP"]).unwrap_or_default().into_iter();
        let with_settings = |filter: Object<'a>| {
            let word = filter.into_name()?;
            let known = NAMES.iter().find(|(_, names)| names.iter().any(|name| *name == word.as_str()))?;
            Some((known.0, settings.next().and_then(Object::into_dict)))
        };
        // Filters of a single vendor are not supported by viewers.
        let all: Option<Vec<_>> = filters.into_iter().map(with_settings).collect();
        all.map(Self).ok_or(PdfProblem::Unusual)
    }
}

/// Full and abbreviated names of the filters.
const NAMES: [(Filter, [&str; 2]); 10] = [
    (Filter::AsciiHexDecode, ["ASCIIHexDecode", "AHx"]),
    (Filter::Ascii85Decode, ["ASCII85Decode", "A85"]),
    (Filter::LzwDecode, ["LZWDecode", "LZW"]),
    (Filter::FlateDecode, ["FlateDecode", "Fl"]),
    (Filter::RunLengthDecode, ["RunLengthDecode", "RL"]),
    (Filter::CcittFaxDecode, ["CCITTFaxDecode", "CCF"]),
    (Filter::Jbig2Decode, ["JBIG2Decode", "JBIG2Decode"]),
    (Filter::DctDecode, ["DCTDecode", "DCT"]),
    (Filter::JpxDecode, ["JPXDecode", "JPXDecode"]),
    (Filter::Crypt, ["Crypt", "Crypt"]),
];

fn name(filter: Filter) -> &'static str {
    NAMES.iter().find(|(known, _)| *known == filter).map_or("", |(_, [name, _])| name)
}

/// Name of an image filter.
fn codec(filter: Filter) -> Option<&'static str> {
    use Filter::{CcittFaxDecode, DctDecode, Jbig2Decode, JpxDecode};
    matches!(filter, CcittFaxDecode | DctDecode | Jbig2Decode | JpxDecode).then(|| name(filter))
}

fn pack(content: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(content)?;
    encoder.finish()
}

/// Removes metadata of a JPEG: location, camera, author. Segments needed for decoding stay, including Adobe's.
fn without_texts(jpeg: Cow<'_, [u8]>) -> Cow<'_, [u8]> {
    let mut kept = vec![0xFF, 0xD8];
    let mut at = 2;
    let is_text = |marker: u8| matches!(marker, 0xE1 | 0xE3..=0xED | 0xEF | 0xFE);
    while let Some(&[0xFF, marker, high, low]) = jpeg.get(at..at + 4) {
        let end = at + 2 + usize::from(u16::from_be_bytes([high, low]));
        let Some(segment) = jpeg.get(at..end).filter(|_| marker != 0xDA && marker >= 0xC0) else { break };
        if !is_text(marker) {
            kept.extend_from_slice(segment);
        }
        at = end;
    }
    if kept.len() == at || !jpeg.starts_with(&[0xFF, 0xD8]) {
        return jpeg;
    }
    kept.extend_from_slice(&jpeg[at..]);
    Cow::Owned(kept)
}
