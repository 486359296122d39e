//! Reading a file, a row at a time: memory does not grow with its cells.
//!
//! What means one thing is tidied: a byte order mark, UTF-16, any line ends, `sep=;`, commas, semicolons or tabs
//! between columns, columns in any order, spaces around a value, cells that are missing at the end of a row, and
//! columns with neither a heading nor a value.

use std::borrow::Cow;

use super::cell;
use super::problem::{Problem, Problems};

/// Columns that a file may use. A spreadsheet saves some as far as it was ever formatted; these are empty.
const MAX_COLUMNS: usize = 100;

/// A column that a file may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    name: &'static str,
    is_required: bool,
    is_number: bool,
    is_ignored: bool,
}

impl Column {
    /// One that every file has.
    pub const fn required(name: &'static str) -> Self {
        Self { name, is_required: true, is_number: false, is_ignored: false }
    }

    /// One that may be left out.
    pub const fn optional(name: &'static str) -> Self {
        Self { name, is_required: false, is_number: false, is_ignored: false }
    }

    /// One that an export has and an import passes over.
    pub const fn ignored(name: &'static str) -> Self {
        Self { is_ignored: true, ..Self::optional(name) }
    }

    /// The same with numbers in it.
    pub const fn of_numbers(self) -> Self {
        Self { is_number: true, ..self }
    }

    pub(super) fn name(self) -> &'static str {
        self.name
    }

    pub(super) fn is_required(self) -> bool {
        self.is_required
    }
}

/// A row below the header that is not blank.
pub struct Row {
    /// The line in the file, from 1.
    pub line: u64,
    /// What is wrong with it, before the rules of what it stands for.
    pub problems: Vec<Problem>,
    cells: Vec<(&'static str, String)>,
}

impl Row {
    /// What stands in the column of this name, if the file has it.
    pub fn cell(&self, name: &str) -> Option<&str> {
        self.cells.iter().find(|(column, _)| *column == name).map(|(_, text)| text.as_str())
    }
}

/// What stands at a place of the header.
#[derive(Clone, Copy)]
enum Heading {
    Known(Column),
    /// A column that an import passes over.
    Ignored,
    /// Nothing.
    Blank,
    /// A column that there is not, or a second time; the problems say so.
    Wrong,
}

/// A file whose header is known.
pub struct Sheet {
    lines: Lines,
    /// Where the rows below the header begin.
    below: RowStart,
    headings: Vec<Heading>,
    /// Its line.
    pub(super) header: u64,
}

impl Sheet {
    /// Opens a file with these columns; also says what is wrong with its header.
    ///
    /// # Errors
    /// What keeps it from being a table at all.
    pub fn open(bytes: Vec<u8>, known: &[Column]) -> Result<(Self, Problems), Problem> {
        let text = decode(bytes)?;
        let mut lines = Lines::new(text);
        if let Some(at) = lines.open_quote() {
            let rule = "a quotation mark is opened on this line and never closed";
            return Err(Problem::of_line(1 + lines.ends(0..at), rule));
        }
        let Some(header) = lines.next() else {
            return Err(Problem::of_line(1, "the file is empty"));
        };
        let (headings, problems) = headings(&header, known)?;
        Ok((Self { below: lines.place, lines, headings, header: header.line }, problems))
    }

    /// Goes back to the first row.
    pub fn rewind(&mut self) {
        self.lines.go_to(self.below);
    }

    fn row(&self, record: Record) -> Row {
        let (line, mut problems) = (record.line, Vec::new());
        if record.width > MAX_COLUMNS {
            problems.push(too_wide(line));
        } else if record.width > self.headings.len() {
            let rule = format!("{} columns, where the header has {}", record.width, self.headings.len());
            problems.push(Problem::of_line(line, rule));
        }
        let mut cells = Vec::new();
        // The end of a row may be missing: some programs leave commas out behind which there is nothing.
        let values = record.cells.into_iter().chain(std::iter::repeat(String::new()));
        for (index, (heading, value)) in self.headings.iter().zip(values).enumerate() {
            match heading {
                Heading::Known(column) => {
                    let told = |rule| Problem::of_cell(line, column.name, &value, rule);
                    problems.extend(cell::spoiled(&value).map(told));
                    let text = match cell::read(&value) {
                        number if column.is_number && self.lines.delimiter != b',' => {
                            cell::plain_number(&number).map(Cow::into_owned)
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
                Heading::Ignored | Heading::Blank | Heading::Wrong => {}
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

fn too_wide(line: u64) -> Problem {
    let rule = format!("there are more than {MAX_COLUMNS} columns. Delete those that are not imported");
    Problem::of_line(line, rule)
}

/// The columns and what is wrong with them. A file without a header is only told that: every row of
/// it would be wrong.
fn headings(header: &Record, known: &[Column]) -> Result<(Vec<Heading>, Problems), Problem> {
    if header.width > MAX_COLUMNS {
        return Err(too_wide(header.line));
    }
    let read = known.iter().filter(|column| !column.is_ignored);
    let names = read.map(|column| column.name).collect::<Vec<_>>().join(", ");
    let (mut headings, mut problems) = (Vec::new(), Problems::default());
    let has = |headings: &[Heading], wanted: Column| {
        headings.iter().any(|heading| matches!(heading, Heading::Known(column) if *column == wanted))
    };
    for (index, cell) in header.cells.iter().take(header.width).enumerate() {
        let place = format!("column {}", index + 1);
        let found = known.iter().copied().find(|column| plain(column.name) == plain(cell));
        let (heading, problem) = match found {
            Some(column) if column.is_ignored => (Heading::Ignored, None),
            Some(column) if !has(&headings, column) => (Heading::Known(column), None),
            Some(column) => {
                (Heading::Wrong, Some((column.name.to_owned(), "this column is there twice".into())))
            }
            None if cell.is_empty() => (Heading::Blank, None),
            None => {
                let rule = format!("there is no such column; the columns are {names}");
                (Heading::Wrong, Some((place, rule)))
            }
        };
        headings.push(heading);
        if let Some((column, rule)) = problem {
            problems.push(Problem::of_cell(header.line, column, cell, rule));
        }
    }
    if !headings.iter().any(|heading| matches!(heading, Heading::Known(_))) {
        let rule = format!("the first line must name the columns: {names}");
        return Err(Problem::of_line(header.line, rule));
    }
    for column in known.iter().filter(|column| column.is_required && !has(&headings, **column)) {
        problems.push(Problem::of_cell(header.line, column.name, "", "this column is missing"));
    }
    Ok((headings, problems))
}

/// A heading without what people vary: case, spaces, underscores, hyphens.
fn plain(heading: &str) -> String {
    heading.chars().filter(|c| !matches!(c, ' ' | '_' | '-')).flat_map(char::to_lowercase).collect()
}

/// The text of a file. Excel's "Unicode Text" is UTF-16; without the mark that begins it, it is full of zeros.
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
            let readable = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
            let valid = str::from_utf8(&bytes).map_or_else(|error| error.valid_up_to(), str::len);
            let line = 1 + line_ends(&bytes, 0..readable.min(valid));
            let text = String::from_utf8(bytes).ok().filter(|text| text.len() == readable);
            text.ok_or_else(|| Problem::of_line(line, UNKNOWN))
        }
    }
}

/// How often a line ends between two places: at `\n`, `\r` and `\r\n`, as an editor counts.
fn line_ends(text: &[u8], range: std::ops::Range<usize>) -> u64 {
    let ends = |at: &usize| match text[*at] {
        b'\n' => *at == 0 || text[*at - 1] != b'\r',
        byte => byte == b'\r',
    };
    range.filter(ends).count() as u64
}

/// Where a row begins.
#[derive(Clone, Copy)]
struct RowStart {
    at: usize,
    line: u64,
}

/// The cells of a line, without the blanks around them.
struct Record {
    line: u64,
    /// As many as a file may have columns.
    cells: Vec<String>,
    /// How many there are, without those at the end that are empty.
    width: usize,
}

/// The lines of a text that are not blank.
struct Lines {
    text: String,
    delimiter: u8,
    place: RowStart,
    reader: csv_core::Reader,
    /// Of one cell.
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

    /// Where a quotation mark is that is never closed: it would silently swallow the rows after it.
    fn open_quote(&self) -> Option<usize> {
        let (mut opened, mut at_start) = (None, true);
        for (at, byte) in self.text.bytes().enumerate().skip(self.place.at) {
            match (byte, opened) {
                (b'"', None) if at_start => opened = Some(at),
                // A doubled mark closes and opens again at once: at_start stays true for the second.
                (b'"', Some(_)) => opened = None,
                _ => {}
            }
            at_start = opened.is_none() && (matches!(byte, b'\r' | b'\n' | b'"') || byte == self.delimiter);
        }
        opened
    }

    /// Reads a cell into the buffer; returns its length, and whether it is the last of its line.
    fn cell(&mut self) -> (usize, bool) {
        let mut length = 0;
        loop {
            let rest = &self.text.as_bytes()[self.place.at..];
            let (result, read, written) = self.reader.read_field(rest, &mut self.buffer[length..]);
            self.place.at += read;
            length += written;
            match result {
                // Called again with nothing, it knows that this is the end.
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
            // Cut where ASCII is, it stays UTF-8.
            let text = String::from_utf8_lossy(&self.buffer[..length]);
            let text = text.trim();
            if !text.is_empty() {
                record.width = index + 1;
            }
            if index < MAX_COLUMNS {
                record.cells.push(cell::tidy(text));
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

/// What a line `sep=;` says, which spreadsheet programs put before the header, and understand.
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

/// What separates the columns: whichever the first line that is not blank has most of.
fn delimiter(text: &str) -> u8 {
    let header = text.split(['\r', '\n']).find(|line| !line.trim().is_empty()).unwrap_or("");
    let count = |delimiter: &u8| header.bytes().filter(|byte| byte == delimiter).count();
    // The last of equals wins: a comma where there is none of them.
    *b"\t;,".iter().max_by_key(|delimiter| count(delimiter)).unwrap_or(&b',')
}
