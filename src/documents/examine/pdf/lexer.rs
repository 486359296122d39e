//! The words of a PDF (ISO 32000-1, 7.2 and 7.3), read as leniently as the most lenient reader: whatever
//! one of them might take for a name is one here.

use std::borrow::Cow;

/// One word.
#[derive(Debug, PartialEq)]
pub enum Token<'a> {
    DictionaryStart,
    DictionaryEnd,
    ArrayStart,
    ArrayEnd,
    /// Without its slash, and with `#4A` replaced.
    Name(Cow<'a, [u8]>),
    Integer(i64),
    /// A text, a number with a fraction.
    Other,
    Keyword(&'a [u8]),
    End,
}

/// Reads words from `at` on.
pub struct Lexer<'a> {
    pub bytes: &'a [u8],
    pub at: usize,
}

pub fn is_space(byte: u8) -> bool {
    matches!(byte, 0 | b'\t' | b'\n' | 0x0c | b'\r' | b' ')
}

fn is_regular(byte: u8) -> bool {
    !is_space(byte) && !b"()<>[]{}/%".contains(&byte)
}

impl<'a> Lexer<'a> {
    pub fn new(bytes: &'a [u8], at: usize) -> Self {
        Self { bytes, at }
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// Skips white space and comments.
    pub fn skip_space(&mut self) {
        while let Some(byte) = self.peek() {
            if byte == b'%' {
                while self.peek().is_some_and(|byte| !matches!(byte, b'\n' | b'\r')) {
                    self.at += 1;
                }
            } else if is_space(byte) {
                self.at += 1;
            } else {
                return;
            }
        }
    }

    pub fn next(&mut self) -> Token<'a> {
        self.skip_space();
        let Some(byte) = self.peek() else { return Token::End };
        self.at += 1;
        let doubled = self.peek() == Some(byte);
        match byte {
            b'<' if doubled => {
                self.at += 1;
                Token::DictionaryStart
            }
            b'>' if doubled => {
                self.at += 1;
                Token::DictionaryEnd
            }
            b'[' => Token::ArrayStart,
            b']' => Token::ArrayEnd,
            b'/' => Token::Name(unescape(self.regular())),
            b'(' => {
                self.skip_text();
                Token::Other
            }
            b'<' => {
                while self.peek().is_some_and(|byte| byte.is_ascii_hexdigit() || is_space(byte)) {
                    self.at += 1;
                }
                if self.peek() == Some(b'>') {
                    self.at += 1;
                }
                Token::Other
            }
            _ => {
                self.at -= 1;
                let word = self.regular();
                if word.is_empty() {
                    // A bracket of no meaning here.
                    self.at += 1;
                    return Token::Keyword(&self.bytes[self.at - 1..self.at]);
                }
                number(word).unwrap_or(Token::Keyword(word))
            }
        }
    }

    fn regular(&mut self) -> &'a [u8] {
        let start = self.at;
        while self.peek().is_some_and(is_regular) {
            self.at += 1;
        }
        &self.bytes[start..self.at]
    }

    fn skip_text(&mut self) {
        let mut depth = 1_usize;
        while let Some(byte) = self.peek() {
            self.at += 1;
            match byte {
                b'\\' => self.at += 1,
                b'(' => depth += 1,
                b')' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return;
            }
        }
        self.at = self.bytes.len();
    }
}

fn number<'a>(word: &[u8]) -> Option<Token<'a>> {
    let text = std::str::from_utf8(word).ok()?;
    match text.parse() {
        Ok(number) => Some(Token::Integer(number)),
        Err(_) => {
            text.bytes().all(|byte| byte.is_ascii_digit() || b"+-.".contains(&byte)).then_some(Token::Other)
        }
    }
}

fn unescape(name: &[u8]) -> Cow<'_, [u8]> {
    if !name.contains(&b'#') {
        return Cow::Borrowed(name);
    }
    let digit = |at: usize| name.get(at).and_then(|byte| char::from(*byte).to_digit(16));
    let (mut plain, mut at) = (Vec::with_capacity(name.len()), 0);
    while at < name.len() {
        match (name[at], digit(at + 1), digit(at + 2)) {
            (b'#', Some(high), Some(low)) => {
                plain.push((16 * high + low) as u8);
                at += 3;
            }
            (byte, ..) => {
                plain.push(byte);
                at += 1;
            }
        }
    }
    Cow::Owned(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &[u8]) -> Vec<Token<'_>> {
        let mut lexer = Lexer::new(text, 0);
        std::iter::from_fn(|| Some(lexer.next()).filter(|token| *token != Token::End)).collect()
    }

    #[test]
    fn names_are_read_as_they_are_meant() {
        let name = |text: &'static str| Token::Name(Cow::Borrowed(text.as_bytes()));
        assert_eq!(words(b"/J#61vaScript/J#53"), [name("JavaScript"), name("JS")]);
        assert_eq!(words(b"/A#/B#4/C#4g"), [name("A#"), name("B#4"), name("C#4g")]);
        assert_eq!(words(b"/S%not/this\n/T"), [name("S"), name("T")]);
    }

    #[test]
    fn texts_end_where_a_reader_ends_them() {
        for text in [r"(a(b)c)", r"(\))", r"(\\)", "<48 65>", "<4>"] {
            assert_eq!(words(text.as_bytes()), [Token::Other], "{text}");
        }
        assert_eq!(words(b"(open"), [Token::Other]);
        assert_eq!(words(b"(open\\"), [Token::Other]);
        assert_eq!(
            words(b"1 -2 +3 .5 4. --6"),
            [
                Token::Integer(1),
                Token::Integer(-2),
                Token::Integer(3),
                Token::Other,
                Token::Other,
                Token::Other
            ]
        );
        assert_eq!(words(b")}"), [Token::Keyword(b")"), Token::Keyword(b"}")]);
    }
}
