//! Objects of a PDF, as far as their structure matters here: most of what they hold is read and forgotten.

use super::lexer::{Lexer, Token};
use super::names;
use crate::base::budget::Budget;
use crate::documents::examine::refusal::Refusal;

/// Deeper than any program nests: readers that recurse would be led astray.
const MAX_DEPTH: usize = 64;
/// Objects of one file: a thousand richly tagged pages.
const MAX_OBJECTS: usize = 300_000;

/// What is kept of a value.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    Name(Box<[u8]>),
    Integer(i64),
    /// To an object, by its number.
    Reference(u32),
    /// Names, references and dictionaries in it.
    Array(Vec<Value>),
    /// Entries that [`KEPT`] names.
    Dictionary(Vec<(&'static str, Value)>),
    Other,
}

/// The entries that this examination asks for.
const KEPT: [&str; 15] = [
    "Type",
    "Filter",
    "F",
    "DecodeParms",
    "DP",
    "Predictor",
    "N",
    "First",
    "Root",
    "Pages",
    "Kids",
    "Prev",
    "XRefStm",
    "Width",
    "Height",
];

impl Value {
    pub fn entry(&self, key: &str) -> Option<&Value> {
        match self {
            Self::Dictionary(entries) => {
                entries.iter().find(|(name, _)| *name == key).map(|(_, value)| value)
            }
            _ => None,
        }
    }

    pub fn integer(&self, key: &str) -> Option<i64> {
        match self.entry(key) {
            Some(Self::Integer(number)) => Some(*number),
            _ => None,
        }
    }

    pub fn reference(&self, key: &str) -> Option<u32> {
        match self.entry(key) {
            Some(Self::Reference(number)) => Some(*number),
            _ => None,
        }
    }

    pub fn is_name(&self, wanted: &str) -> bool {
        matches!(self, Self::Name(name) if **name == *wanted.as_bytes())
    }
}

/// Reads objects, looks at every name in them, and counts what that costs.
pub struct Reader<'b> {
    budget: &'b Budget,
    objects: usize,
    bytes_left: usize,
}

impl<'b> Reader<'b> {
    /// For a file of `size` bytes.
    pub fn new(size: usize, budget: &'b Budget) -> Self {
        // Objects that lie in each other are read once for each beginning. Few do.
        Self { budget, objects: 0, bytes_left: 8 * size + 1024 * 1024 }
    }

    /// Counts what is unpacked of the file and read as well.
    pub fn allow(&mut self, bytes: usize) {
        self.bytes_left = self.bytes_left.saturating_add(8 * bytes);
    }

    /// Reads the object at the lexer.
    pub fn read(&mut self, lexer: &mut Lexer<'_>) -> Result<Value, Refusal> {
        self.objects += 1;
        if self.objects > MAX_OBJECTS {
            return Err(Refusal::TooComplicated);
        }
        let token = self.next(lexer)?;
        self.value(token, lexer, 0)
    }

    /// The next word, weighed.
    pub fn next<'a>(&mut self, lexer: &mut Lexer<'a>) -> Result<Token<'a>, Refusal> {
        let start = lexer.at;
        let token = lexer.next();
        self.bytes_left = self.bytes_left.checked_sub(lexer.at - start).ok_or(Refusal::TooComplicated)?;
        if self.budget.tick() {
            return Err(Refusal::TooSlow);
        }
        match &token {
            Token::Name(name) => names::judge(name).map_or(Ok(token), |found| Err(Refusal::Active(found))),
            _ => Ok(token),
        }
    }

    fn value(&mut self, token: Token<'_>, lexer: &mut Lexer<'_>, depth: usize) -> Result<Value, Refusal> {
        if depth > MAX_DEPTH {
            return Err(Refusal::TooComplicated);
        }
        match token {
            Token::DictionaryStart => self.dictionary(lexer, depth),
            Token::ArrayStart => self.array(lexer, depth),
            Token::Name(name) => Ok(Value::Name(name.into())),
            Token::Integer(number) => self.integer(number, lexer),
            _ => Ok(Value::Other),
        }
    }

    /// A number, or a reference: `12 0 R`.
    fn integer(&mut self, number: i64, lexer: &mut Lexer<'_>) -> Result<Value, Refusal> {
        let start = lexer.at;
        if let Token::Integer(_) = self.next(lexer)?
            && self.next(lexer)? == Token::Keyword(b"R")
        {
            return Ok(u32::try_from(number).map_or(Value::Other, Value::Reference));
        }
        lexer.at = start;
        Ok(Value::Integer(number))
    }

    fn dictionary(&mut self, lexer: &mut Lexer<'_>, depth: usize) -> Result<Value, Refusal> {
        let mut entries = Vec::new();
        loop {
            let start = lexer.at;
            match self.next(lexer)? {
                Token::DictionaryEnd | Token::End => break,
                Token::Keyword(b"endobj" | b"stream" | b"endstream") => {
                    lexer.at = start;
                    break;
                }
                Token::Name(key) => {
                    let kept = KEPT.iter().find(|kept| kept.as_bytes() == &*key);
                    let token = self.next(lexer)?;
                    if token == Token::DictionaryEnd {
                        break;
                    }
                    let value = self.value(token, lexer, depth + 1)?;
                    // Readers disagree about which of two counts.
                    if let Some(key) = kept {
                        if entries.iter().any(|(known, _)| known == key) {
                            return Err(Refusal::Unusual);
                        }
                        entries.push((*key, value));
                    }
                }
                token => drop(self.value(token, lexer, depth + 1)?),
            }
        }
        Ok(Value::Dictionary(entries))
    }

    fn array(&mut self, lexer: &mut Lexer<'_>, depth: usize) -> Result<Value, Refusal> {
        let mut kept = Vec::new();
        loop {
            let start = lexer.at;
            match self.next(lexer)? {
                Token::ArrayEnd | Token::End => break,
                Token::Keyword(b"endobj" | b"stream" | b"endstream") => {
                    lexer.at = start;
                    break;
                }
                token => {
                    let value = self.value(token, lexer, depth + 1)?;
                    if matches!(value, Value::Name(_) | Value::Reference(_) | Value::Dictionary(_)) {
                        kept.push(value);
                    }
                }
            }
        }
        if kept.len() > MAX_OBJECTS {
            return Err(Refusal::TooComplicated);
        }
        Ok(Value::Array(kept))
    }
}
