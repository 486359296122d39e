//! PDF: kept as it is, byte for byte, because transcripts are signed; but only if it is nothing but pages.
//!
//! A library reads the objects that the cross-reference table names, and a reader that finds the table
//! broken reads others. So every object of the file is looked at here, whether a table names it or not,
//! in texts and streams and other objects, too: what no reader can find is refused as well.

mod lexer;
pub mod names;
mod object;
mod stream;

use std::collections::{HashMap, HashSet};

use memchr::memmem;

use self::lexer::{Lexer, Token, is_space};
use self::object::{Reader, Value};
use self::stream::{Stream, Unpacker};
use super::refusal::Refusal;
use crate::base::budget::{Budget, Limits};

const END: &[u8] = b"%%EOF";

/// What was found in a file.
#[derive(Default)]
struct Found {
    objects: HashMap<u32, Value>,
    streams: Vec<(Option<u32>, Stream)>,
    roots: Vec<u32>,
}

/// Refuses a PDF that is more, or less, than its pages.
pub fn check(bytes: &[u8], limits: &Limits, budget: &Budget) -> Result<(), Refusal> {
    check_ends(bytes)?;
    let mut reader = Reader::new(bytes.len(), budget);
    let mut found = Found::default();
    // Names before streams: of an encrypted file is said that it is encrypted, not that it is damaged.
    for at in memmem::find_iter(bytes, b"obj") {
        if !bytes[..at].ends_with(b"end") {
            found.take_object(bytes, at, &mut reader)?;
        }
    }
    for at in memmem::find_iter(bytes, b"trailer") {
        let trailer = reader.read(&mut Lexer::new(bytes, at + b"trailer".len()))?;
        found.roots.extend(trailer.reference("Root"));
    }
    let mut unpacker = Unpacker::new(limits, budget);
    for (_, stream) in std::mem::take(&mut found.streams) {
        for (number, value) in unpacker.look_into(&stream, bytes, &mut reader)? {
            found.keep(number, value);
        }
    }
    check_tables(bytes, &mut reader)?;
    found.check_pages()
}

/// Nothing stands before the header or behind the end, which programs would take for another kind of file.
fn check_ends(bytes: &[u8]) -> Result<(), Refusal> {
    let length = bytes.len() - bytes.iter().rev().take_while(|byte| is_space(**byte)).count();
    if bytes[..length].ends_with(END) {
        Ok(())
    } else if memmem::find(bytes, END).is_some() {
        Err(Refusal::BehindEnd)
    } else {
        Err(Refusal::DamagedPdf)
    }
}

impl Found {
    fn take_object(&mut self, bytes: &[u8], at: usize, reader: &mut Reader<'_>) -> Result<(), Refusal> {
        let number = number_before(bytes, at);
        let mut lexer = Lexer::new(bytes, at + b"obj".len());
        let value = reader.read(&mut lexer)?;
        self.roots.extend(value.reference("Root"));
        let is_stream =
            matches!(value, Value::Dictionary(_)) && reader.next(&mut lexer)? == Token::Keyword(b"stream");
        if is_stream {
            // Behind the word stands one end of a line.
            let rest = &bytes[lexer.at..];
            let skipped = if rest.starts_with(b"\r\n") {
                2
            } else {
                usize::from(rest.starts_with(b"\n") || rest.starts_with(b"\r"))
            };
            self.streams.push((number, Stream { dictionary: value, at: lexer.at + skipped }));
        } else if let Some(number) = number {
            self.keep(number, value);
        }
        Ok(())
    }

    /// Of objects with one number the last counts, as where a file was changed.
    fn keep(&mut self, number: u32, value: Value) {
        let leads_on = matches!(value, Value::Array(_))
            || ["Type", "Pages", "Kids"].iter().any(|key| value.entry(key).is_some());
        if leads_on {
            self.objects.insert(number, value);
        }
    }

    fn get<'a>(&'a self, value: &'a Value) -> Option<&'a Value> {
        match value {
            Value::Reference(number) => self.objects.get(number),
            value => Some(value),
        }
    }

    /// There is a page, and no way through the tree of pages leads back.
    fn check_pages(&self) -> Result<(), Refusal> {
        let root = self.roots.iter().rev().find_map(|root| self.objects.get(root)?.entry("Pages"));
        let mut waiting = vec![root.ok_or(Refusal::DamagedPdf)?];
        let (mut seen, mut pages) = (HashSet::new(), 0);
        while let Some(node) = waiting.pop() {
            if let Value::Reference(number) = node
                && !seen.insert(*number)
            {
                return Err(Refusal::DamagedPdf);
            }
            let Some(node) = self.get(node) else { continue };
            match node.entry("Kids").and_then(|kids| self.get(kids)) {
                Some(Value::Array(kids)) => waiting.extend(kids),
                _ => pages += usize::from(node.entry("Type").is_some_and(|kind| kind.is_name("Page"))),
            }
        }
        if pages == 0 { Err(Refusal::DamagedPdf) } else { Ok(()) }
    }
}

/// The object's number, which stands with another one before the word.
fn number_before(bytes: &[u8], at: usize) -> Option<u32> {
    let line = &bytes[at.saturating_sub(24)..at];
    let mut words = line.split(|byte| is_space(*byte)).rev().filter(|word| !word.is_empty());
    let _generation = words.next()?;
    let word = words.next()?;
    let digits = word.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    std::str::from_utf8(&word[word.len() - digits..]).ok()?.parse().ok()
}

/// Follows the cross-reference tables, each of which names the one before it, and refuses a circle. A
/// table that is not where it should be is mended by readers.
fn check_tables(bytes: &[u8], reader: &mut Reader<'_>) -> Result<(), Refusal> {
    let start = memmem::rfind(bytes, b"startxref").ok_or(Refusal::DamagedPdf)?;
    let mut waiting = Vec::new();
    if let Token::Integer(at) = reader.next(&mut Lexer::new(bytes, start + b"startxref".len()))? {
        waiting.push(at);
    }
    let mut seen = HashSet::new();
    while let Some(at) = waiting.pop() {
        let Some(at) = usize::try_from(at).ok().filter(|at| *at < bytes.len()) else { continue };
        if !seen.insert(at) {
            return Err(Refusal::DamagedPdf);
        }
        let mut lexer = Lexer::new(bytes, at);
        let dictionary = match reader.next(&mut lexer)? {
            Token::Keyword(b"xref") => skip_to(b"trailer", &mut lexer, reader)?,
            Token::Integer(_) => skip_to(b"obj", &mut lexer, reader)?,
            _ => continue,
        };
        if dictionary {
            let dictionary = reader.read(&mut lexer)?;
            waiting.extend(["Prev", "XRefStm"].iter().filter_map(|key| dictionary.integer(key)));
        }
    }
    Ok(())
}

fn skip_to(wanted: &[u8], lexer: &mut Lexer<'_>, reader: &mut Reader<'_>) -> Result<bool, Refusal> {
    loop {
        match reader.next(lexer)? {
            Token::Keyword(word) if word == wanted => return Ok(true),
            Token::Integer(_) | Token::Keyword(b"n" | b"f") => {}
            _ => return Ok(false),
        }
    }
}
