//! Reads a CSV file row by row: memory does not grow with the number of cells.
//!
//! Accepts a byte order mark, UTF-16, any line ends, `sep=;`, commas, semicolons or tabs as separators, columns in any
//! order, spaces around values, missing cells at the end of a row, and empty columns without a heading.

use std::borrow::Cow;

use super::cell;
use super::columns::{
    Column, ColumnChoice, Header, Heading, MAX_COLUMNS, UnknownHeading, headings, too_wide,
};
use super::number;
use super::problem::{Problem, Problems};

/// A row below the header, not blank.
pub struct Row {
    /// Line number from 1.
    pub line: u64,
    /// Problems of its format, before validation by the import.
    pub problems: Vec<Problem>,
    cells: Vec<(&'static str, String)>,
}

impl Row {
    /// The cell in the named column, if the file has it.
    pub fn cell(&self, name: &str) -> Option<&str> {
        self.cells.iter().find(|(column, _)| *column == name).map(|(_, text)| text.as_str())
    }
}

/// A file with a parsed header.
pub struct Sheet {
    lines: Lines,
    /// Start of the rows below the header.
    below: RowStart,
    headings: Vec<Heading>,
    /// Headings that no column has.
    pub(super) unknown: Vec<UnknownHeading>,
    /// Line number of the header.
    pub(super) header: u64,
}

impl Sheet {
    /// Opens a file with these columns; also returns the problems of its header.
    ///
    /// # Errors
    /// Why it is not a table at all.
    pub fn open_with(
        bytes: Vec<u8>,
        known: &[Column],
        chosen: &ColumnChoice,
    ) -> Result<(Self, Problems), Problem> {
        let text = decode(bytes)?;
        let mut lines = Lines::new(text);
        if let Some(at) = lines.open_quote() {
            let rule = "a quotation mark is opened on this line and never closed";
            return Err(Problem::of_line(1 + lines.ends(0..at), rule));
        }
        let Some(header) = lines.next() else {
            return Err(Problem::of_line(1, "the file is empty"));
        };
        let first = Header { line: header.line, cells: &header.cells, width: header.width };
        let (headings, problems) = headings(&first, known, chosen)?;
        let below = lines.place;
        let first = lines.next();
        lines.go_to(below);
        let samples = first.into_iter().flat_map(|row| row.cells).chain(std::iter::repeat(String::new()));
        let of_file = headings.iter().zip(&header.cells).zip(samples);
        let unknown = of_file
            .filter(|((heading, _), _)| matches!(heading, Heading::Unknown))
            .map(|((_, heading), sample)| UnknownHeading { heading: heading.clone(), sample });
        let unknown = unknown.collect();
        Ok((Self { below, lines, headings, unknown, header: header.line }, problems))
    }

    /// The same, where nothing was chosen.
    #[cfg(test)]
    pub fn open(bytes: Vec<u8>, known: &[Column]) -> Result<(Self, Problems), Problem> {
        Self::open_with(bytes, known, &ColumnChoice::default())
    }

    /// Names of those of these columns that no heading has.
    pub(super) fn free_columns(&self, known: &[Column]) -> Vec<&'static str> {
        let is_free = |column: &&Column| {
            let has = |heading: &Heading| matches!(heading, Heading::Known(one) if one == *column);
            !column.is_ignored && !self.headings.iter().any(has)
        };
        known.iter().filter(is_free).map(|column| column.name).collect()
    }

    /// Goes back to the first row.
    pub fn rewind(&mut self) {
        self.lines.go_to(self.below);
    }

    fn row(&self, record: Record) -> Row {
        let line = record.line;
        let mut problems = Vec::new();
        if record.width > MAX_COLUMNS {
            problems.push(too_wide(line));
        } else if record.width > self.headings.len() {
            let rule = format!("{} columns, where the header has {}", record.width, self.headings.len());
            problems.push(Problem::of_line(line, rule));
        }
        let mut cells = Vec::new();
        // Some programs omit trailing separators of a row.
        let values = record.cells.into_iter().chain(std::iter::repeat(String::new()));
        for (index, (heading, value)) in self.headings.iter().zip(values).enumerate() {
            match heading {
                Heading::Known(column) => {
                    let told = |rule| Problem::of_cell(line, column.name, &value, rule);
                    problems.extend(cell::spoiled(&value).map(told));
                    if value.contains('\0') {
                        let shown = value.replace('\0', "\u{2400}");
                        let rule = "there is a NUL character in it (shown as \u{2400}). Type the cell again";
                        problems.push(Problem::of_cell(line, column.name, &shown, rule));
                    }
                    let text = match cell::read(&value) {
                        number if column.is_number && self.lines.delimiter != b',' => {
                            number::plain_number(&number, None).map(Cow::into_owned)
                        }
                        text => Ok(text.into_owned()),
                    };
                    problems.extend(text.as_ref().err().copied().map(told));
                    cells.push((column.name, text.unwrap_or_default()));
                }
                Heading::Blank if !value.is_empty() => {
                    let rule =
                        "there is a value, but no heading above it. Give the column a heading, or empty it";
                    problems.push(Problem::of_cell(line, format!("column {}", index + 1), &value, rule));
                }
                Heading::Ignored | Heading::Blank | Heading::Unknown | Heading::Wrong => {}
            }
        }
        Row { line, problems, cells }
    }
}

impl Iterator for Sheet {
    type Item = Row;

    fn next(&mut self) -> Option<Row> {
        self.lines.next().map(|record| self.row(record))
    }
}

/// A line of a file whose columns are not known beforehand, not blank.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RawRow {
    /// Line number from 1.
    pub line: u64,
    /// The trimmed cells.
    pub cells: Vec<String>,
}

/// A file of lines.
#[derive(Debug)]
pub struct RawTable {
    /// Whether commas divide its cells, so that a comma in a number is seldom a decimal one.
    pub has_commas: bool,
    /// Its lines.
    pub rows: Vec<RawRow>,
}

/// The text of a file that another program wrote: in UTF-8 or UTF-16, otherwise taken for Windows-1252.
///
/// # Errors
/// Why it is no text.
pub fn foreign_text(bytes: Vec<u8>) -> Result<String, Problem> {
    if !bytes.starts_with(&[0xFF, 0xFE]) && !bytes.starts_with(&[0xFE, 0xFF]) && bytes.contains(&0) {
        return Err(Problem::of_line(1, "this is not a CSV file"));
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok(text),
        Err(error) if matches!(error.as_bytes(), [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..]) => {
            decode(error.into_bytes())
        }
        Err(error) => Ok(error.as_bytes().iter().copied().map(western).collect()),
    }
}

/// The lines of a text.
///
/// # Errors
/// Why it is not a table at all.
pub fn raw_rows(text: String) -> Result<RawTable, Problem> {
    let lines = Lines::new(text);
    if let Some(at) = lines.open_quote() {
        let rule = "a quotation mark is opened on this line and never closed";
        return Err(Problem::of_line(1 + lines.ends(0..at), rule));
    }
    let has_commas = lines.delimiter == b',';
    let plain = |cells: Vec<String>| cells.iter().map(|text| cell::read(text).into_owned()).collect();
    let rows = lines.map(|Record { line, cells, .. }| RawRow { line, cells: plain(cells) }).collect();
    Ok(RawTable { has_commas, rows })
}

/// What a byte of Windows-1252 is, as browsers read it.
fn western(byte: u8) -> char {
    const FROM_128: [char; 32] = [
        '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
        '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
    ];
    let place = usize::from(byte).checked_sub(0x80);
    place.and_then(|place| FROM_128.get(place).copied()).unwrap_or_else(|| char::from(byte))
}

/// The text of a file. Excel's "Unicode Text" is UTF-16; without its byte order mark it is full of zeros.
fn decode(bytes: Vec<u8>) -> Result<String, Problem> {
    const UNKNOWN: &str = "the file is not in UTF-8. Save it again: in Excel as \"CSV UTF-8 (Comma delimited)\", \
         in LibreOffice with the character set \"Unicode (UTF-8)\"";
    let utf16 = |number: fn([u8; 2]) -> u16| {
        let (pairs, rest) = bytes[2..].as_chunks::<2>();
        let text = char::decode_utf16(pairs.iter().map(|pair| number(*pair)));
        text.collect::<Result<String, _>>().ok().filter(|_| rest.is_empty())
    };
    match bytes.as_slice() {
        [0xFF, 0xFE, ..] => utf16(u16::from_le_bytes).ok_or_else(|| Problem::of_line(1, UNKNOWN)),
        [0xFE, 0xFF, ..] => utf16(u16::from_be_bytes).ok_or_else(|| Problem::of_line(1, UNKNOWN)),
        _ => {
            // A stray NUL is named where it stands; in UTF-16 without its mark every second byte is one.
            let zeros = bytes.iter().filter(|byte| **byte == 0).count();
            let first = bytes.iter().position(|byte| *byte == 0).filter(|_| zeros * 4 > bytes.len());
            let readable = first.unwrap_or(bytes.len());
            let valid = str::from_utf8(&bytes).map_or_else(|error| error.valid_up_to(), str::len);
            let line = 1 + line_ends(&bytes, 0..readable.min(valid));
            let text = String::from_utf8(bytes).ok().filter(|text| text.len() == readable);
            text.ok_or_else(|| Problem::of_line(line, UNKNOWN))
        }
    }
}

/// Number of line ends in a range: `\n`, `\r` and `\r\n`, as editors count.
fn line_ends(text: &[u8], range: std::ops::Range<usize>) -> u64 {
    let ends = |at: &usize| match text[*at] {
        b'\n' => *at == 0 || text[*at - 1] != b'\r',
        byte => byte == b'\r',
    };
    range.filter(ends).count() as u64
}

/// Start of a row.
#[derive(Clone, Copy)]
struct RowStart {
    at: usize,
    line: u64,
}

/// The trimmed cells of a line.
struct Record {
    line: u64,
    /// Up to the maximum number of columns.
    cells: Vec<String>,
    /// Number of cells without empty ones at the end.
    width: usize,
}

/// Iterator over the non-blank lines.
struct Lines {
    text: String,
    delimiter: u8,
    place: RowStart,
    reader: csv_core::Reader,
    /// Buffer for one cell.
    buffer: Vec<u8>,
}

impl Lines {
    fn new(text: String) -> Self {
        let begin = if text.starts_with('\u{feff}') { 3 } else { 0 };
        let first = text[begin..].split(['\r', '\n']).next().unwrap_or_default();
        let named = separator(first);
        let delimiter = named.unwrap_or_else(|| delimiter(&text[begin..]));
        let at = begin + named.map_or(0, |_| first.len());
        let mut lines = Self {
            delimiter,
            text,
            place: RowStart { at, line: 1 },
            reader: csv_core::Reader::new(),
            buffer: vec![0; 256],
        };
        lines.go_to(lines.place);
        lines
    }

    fn go_to(&mut self, place: RowStart) {
        self.place = place;
        self.reader = csv_core::ReaderBuilder::new().delimiter(self.delimiter).build();
    }

    fn ends(&self, range: std::ops::Range<usize>) -> u64 {
        line_ends(self.text.as_bytes(), range)
    }

    /// Position of an unclosed quotation mark, which would silently swallow the following rows.
    fn open_quote(&self) -> Option<usize> {
        let mut opened = None;
        let mut at_start = true;
        for (at, byte) in self.text.bytes().enumerate().skip(self.place.at) {
            match (byte, opened) {
                (b'"', None) if at_start => opened = Some(at),
                // A doubled mark closes and reopens: at_start stays true for the second.
                (b'"', Some(_)) => opened = None,
                _ => {}
            }
            at_start = opened.is_none() && (matches!(byte, b'\r' | b'\n' | b'"') || byte == self.delimiter);
        }
        opened
    }

    /// Reads a cell into the buffer; returns its length and whether it is the last of its line.
    fn cell(&mut self) -> (usize, bool) {
        let mut length = 0;
        loop {
            let rest = &self.text.as_bytes()[self.place.at..];
            let (result, read, written) = self.reader.read_field(rest, &mut self.buffer[length..]);
            self.place.at += read;
            length += written;
            match result {
                // The next call with empty input signals the end.
                csv_core::ReadFieldResult::InputEmpty => {}
                csv_core::ReadFieldResult::OutputFull => self.buffer.resize(2 * self.buffer.len(), 0),
                csv_core::ReadFieldResult::Field { record_end } => return (length, record_end),
                csv_core::ReadFieldResult::End => return (length, true),
            }
        }
    }

    /// The next line, blank or not.
    fn record(&mut self) -> Option<Record> {
        let start = self.place.at;
        let rest = &self.text.as_bytes()[start..];
        let first = start + rest.iter().position(|byte| !matches!(byte, b'\r' | b'\n'))?;
        let line = self.place.line + self.ends(start..first);
        let mut record = Record { line, cells: Vec::new(), width: 0 };
        for index in 0.. {
            let (length, is_last) = self.cell();
            // Separators are ASCII, so the cell is valid UTF-8.
            let text = String::from_utf8_lossy(&self.buffer[..length]);
            let text = text.trim();
            if !text.is_empty() {
                record.width = index + 1;
            }
            if index < MAX_COLUMNS {
                record.cells.push(cell::normalize_line_ends(text));
            }
            if is_last {
                break;
            }
        }
        self.place.line = line + self.ends(first..self.place.at);
        Some(record)
    }
}

impl Iterator for Lines {
    type Item = Record;

    fn next(&mut self) -> Option<Record> {
        loop {
            let record = self.record()?;
            if record.width > 0 {
                return Some(record);
            }
        }
    }
}

/// The separator from a line `sep=;`, which spreadsheet programs write before the header.
fn separator(line: &str) -> Option<u8> {
    let line = line.strip_prefix('"').and_then(|line| line.strip_suffix('"')).unwrap_or(line);
    let (name, separator) = line.split_at_checked(4)?;
    match separator.as_bytes() {
        [byte] if name.eq_ignore_ascii_case("sep=") && (*byte == b'\t' || byte.is_ascii_punctuation()) => {
            Some(*byte).filter(|byte| *byte != b'"')
        }
        _ => None,
    }
}

/// Detects the separator: the most frequent candidate in the first non-blank line.
fn delimiter(text: &str) -> u8 {
    let header = text.split(['\r', '\n']).find(|line| !line.trim().is_empty()).unwrap_or("");
    let count = |delimiter: &u8| header.bytes().filter(|byte| byte == delimiter).count();
    // The last of equals wins: a comma if there is none.
    *b"\t;,".iter().max_by_key(|delimiter| count(delimiter)).unwrap_or(&b',')
}
