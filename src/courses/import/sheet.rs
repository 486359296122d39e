//! Reading a sheet of courses, as spreadsheet programs save it.
//!
//! What means one thing is tidied: a byte order mark, any line ends, spaces around a value, codes in
//! lower case, columns in any order, commas, semicolons or tabs between them, yes and no in several
//! spellings, `$1,200.00`. Anything else is a [`Problem`], and all of a file's are found at once.

use std::collections::HashMap;

use super::{Problem, Sheet};
use crate::base::error::FieldErrors;
use crate::courses::rules::{CourseInput, NewCourse, PriceInput};
use crate::courses::values::CourseCode;
use crate::web::form::Field;

/// The columns by their wire names, and whether a sheet must have them.
const COLUMNS: [(&str, bool); 11] = [
    ("code", true),
    ("name", true),
    ("description", true),
    ("grade", true),
    ("courseType", true),
    ("isCompulsory", false),
    ("prerequisite", false),
    ("price", false),
    ("credits", false),
    ("capacity", false),
    ("isOpen", false),
];

/// Reads a file.
///
/// # Errors
/// Everything that is wrong with it, by line.
pub fn read(bytes: &[u8]) -> Result<Sheet, Vec<Problem>> {
    let Table { columns, rows, mut problems } = table(bytes, &COLUMNS, "course")?;
    let mut courses = Vec::new();
    let mut lines = HashMap::new();
    for row in rows {
        let input = input(|name| row.cell(&columns, name));
        problems.extend(repeated_code(&input, row.line, &mut lines));
        match NewCourse::parse(&input) {
            Ok(new) => courses.push(new),
            Err(errors) => problems.extend(broken_rules(&errors, &row, &columns)),
        }
    }
    problems.sort_by_key(|problem| problem.line);
    if problems.is_empty() { Ok(Sheet { courses }) } else { Err(problems) }
}

/// The columns that a sheet may have, and whether it must have them.
pub type Known = [(&'static str, bool)];

/// A file as a table whose columns are known; nothing in it has been judged yet.
pub struct Table {
    /// What stands in which column.
    pub columns: Columns,
    /// The rows below the header that have as many cells as it.
    pub rows: Vec<SheetRow>,
    /// What is wrong with the file so far.
    pub problems: Vec<Problem>,
}

/// Reads a file with these columns; `thing` is what a row of it is called.
///
/// # Errors
/// What keeps it from being a table at all.
pub fn table(bytes: &[u8], known: &Known, thing: &str) -> Result<Table, Vec<Problem>> {
    let text = decode(bytes).map_err(|problem| vec![problem])?;
    let delimiter = delimiter(&text);
    if let Some(line) = open_quote(&text, delimiter) {
        let rule = "a quotation mark is opened on this line and never closed";
        return Err(vec![of_line(line, rule)]);
    }
    let mut rows = rows(&text, delimiter).map_err(|problem| vec![problem])?.into_iter();
    let Some(header) = rows.next() else {
        return Err(vec![of_line(1, "the file is empty")]);
    };
    let (columns, mut problems) = header_columns(&header, known)?;
    if rows.len() == 0 {
        problems.push(of_line(header.line, format!("there is no {thing} below the header")));
    }
    let (whole, odd): (Vec<_>, Vec<_>) = rows.partition(|row| row.cells.len() == columns.len());
    problems.extend(odd.iter().map(|row| {
        let rule = format!("{} columns, where the header has {}", row.cells.len(), columns.len());
        of_line(row.line, rule)
    }));
    Ok(Table { columns, rows: whole, problems })
}

/// A row of a sheet.
pub struct SheetRow {
    /// The line in the file, from 1.
    pub line: u64,
    cells: Vec<String>,
}

/// The wire name at each place of the header; none where there is no such column.
pub type Columns = Vec<Option<&'static str>>;

impl SheetRow {
    /// What stands in the column of this name, if there is one.
    pub fn cell(&self, columns: &Columns, name: &str) -> Option<&str> {
        let place = columns.iter().position(|column| *column == Some(name))?;
        self.cells.get(place).map(String::as_str)
    }
}

/// Something that is wrong with a line as a whole.
pub fn of_line(line: u64, rule: impl Into<String>) -> Problem {
    Problem { line, column: None, value: String::new(), rule: rule.into() }
}

/// The text with one kind of line end, without a byte order mark.
fn decode(bytes: &[u8]) -> Result<String, Problem> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let valid = &bytes[..error.valid_up_to()];
        let line = 1 + valid.iter().filter(|byte| **byte == b'\n').count() as u64;
        of_line(
            line,
            "the file is not in UTF-8. Save it again: in Excel as \"CSV UTF-8 (Comma delimited)\", \
             in LibreOffice with the character set \"Unicode (UTF-8)\"",
        )
    })?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    Ok(text.replace("\r\n", "\n").replace('\r', "\n"))
}

/// The line of a quotation mark that is never closed: it would silently swallow the rows after it.
fn open_quote(text: &str, delimiter: u8) -> Option<u64> {
    let (mut line, mut opened, mut at_start) = (1, None, true);
    for character in text.chars() {
        match (character, opened) {
            ('"', None) if at_start => opened = Some(line),
            // A doubled mark closes and opens again at once: at_start stays true for the second.
            ('"', Some(_)) => opened = None,
            _ => {}
        }
        line += u64::from(character == '\n');
        at_start =
            opened.is_none() && (matches!(character, '\n' | '"') || character == char::from(delimiter));
    }
    opened
}

/// The rows that are not blank, their cells trimmed.
fn rows(text: &str, delimiter: u8) -> Result<Vec<SheetRow>, Problem> {
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(delimiter)
        .from_reader(text.as_bytes());
    let (mut line, mut counted) = (1, 0);
    let mut rows = Vec::new();
    let mut record = csv::StringRecord::new();
    while reader
        .read_record(&mut record)
        .map_err(|error| of_line(line, format!("the file cannot be read: {error}")))?
    {
        // The position of a record is that of the empty lines before it.
        let start = record.position().map_or(counted, |position| position.byte() as usize);
        let blank = text[start..].len() - text[start..].trim_start_matches('\n').len();
        line += text[counted..start + blank].matches('\n').count() as u64;
        counted = start + blank;
        let cells: Vec<String> = record.iter().map(|cell| cell.trim().to_owned()).collect();
        if cells.iter().any(|cell| !cell.is_empty()) {
            rows.push(SheetRow { line, cells });
        }
    }
    Ok(rows)
}

/// What separates the columns: whichever the first line that is not blank has most of.
fn delimiter(text: &str) -> u8 {
    let header = text.lines().find(|line| !line.trim().is_empty()).unwrap_or("");
    let count = |delimiter: &u8| header.bytes().filter(|byte| byte == delimiter).count();
    // The last of equals wins: a comma where there is none of them.
    *b"\t;,".iter().max_by_key(|delimiter| count(delimiter)).unwrap_or(&b',')
}

/// The columns and what is wrong with them. A file without a header is only told that: every row of
/// it would be wrong.
fn header_columns(header: &SheetRow, known_columns: &Known) -> Result<(Columns, Vec<Problem>), Vec<Problem>> {
    let names = known_columns.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
    let mut columns = Columns::new();
    let mut problems = Vec::new();
    for cell in &header.cells {
        let known = known_columns.iter().map(|(name, _)| *name).find(|name| plain(name) == plain(cell));
        let rule = match known {
            None => Some(format!("there is no such column; the columns are {names}")),
            Some(_) if columns.contains(&known) => Some("this column is there twice".to_owned()),
            Some(_) => None,
        };
        // The second of two columns is not read: only the first one's values are checked.
        columns.push(known.filter(|_| rule.is_none()));
        problems.extend(rule.map(|rule| Problem {
            line: header.line,
            column: Some(known.map_or_else(|| format!("column {}", columns.len()), str::to_owned)),
            value: cell.clone(),
            rule,
        }));
    }
    if columns.iter().all(Option::is_none) {
        let rule = format!("the first line must name the columns: {names}");
        return Err(vec![of_line(header.line, rule)]);
    }
    for (name, _) in
        known_columns.iter().filter(|(name, required)| *required && !columns.contains(&Some(name)))
    {
        problems.push(Problem {
            line: header.line,
            column: Some((*name).to_owned()),
            value: String::new(),
            rule: "this column is missing".into(),
        });
    }
    Ok((columns, problems))
}

/// A heading without what people vary: case, spaces, underscores, hyphens.
fn plain(heading: &str) -> String {
    heading.chars().filter(|c| !matches!(c, ' ' | '_' | '-')).flat_map(char::to_lowercase).collect()
}

/// Notes a row's code; a code that came before is a problem, whatever else is wrong with the row.
fn repeated_code(input: &CourseInput, line: u64, lines: &mut HashMap<CourseCode, u64>) -> Option<Problem> {
    let code = CourseCode::parse(&input.code).ok()?;
    let first = *lines.entry(code).or_insert(line);
    (first != line).then(|| Problem {
        line,
        column: Some("code".into()),
        value: input.code.text().to_owned(),
        rule: format!("the same code is already on line {first}"),
    })
}

/// The rules that a row breaks, each with what the file says there.
pub fn broken_rules(errors: &FieldErrors, row: &SheetRow, columns: &Columns) -> Vec<Problem> {
    // A column that is missing was named once, in the header; not again for every row.
    let here = errors.iter().filter_map(|(name, rule)| Some((name, row.cell(columns, name)?, rule)));
    here.map(|(name, value, rule)| Problem {
        line: row.line,
        column: Some(name.to_owned()),
        value: value.to_owned(),
        rule: rule.to_owned(),
    })
    .collect()
}

/// A row in the shape of the form, so that one set of rules judges both.
fn input<'row>(cell: impl Fn(&str) -> Option<&'row str>) -> CourseInput {
    let text = |name: &str| cell(name).map_or(Field::Absent, |text| Field::Value(text.to_owned()));
    // No number: a grade is then missing, and credits are as if they had no column.
    let number = |name: &str| match cell(name) {
        None | Some("") => Field::Absent,
        Some(text) => text.parse().map_or(Field::Wrong, Field::Value),
    };
    let capacity = cell("capacity").map_or(Field::Absent, |text| match text {
        "" => Field::Null,
        _ => text.parse().map_or(Field::Wrong, Field::Value),
    });
    CourseInput {
        code: text("code"),
        name: text("name"),
        description: cell("description").map_or(Field::Absent, |text| Field::Value(one_line(text))),
        grade: number("grade"),
        course_type: text("courseType"),
        is_compulsory: cell("isCompulsory").map_or(Field::Absent, yes_or_no),
        prerequisite: text("prerequisite"),
        price: cell("price").map_or(Field::Absent, |text| Field::Value(PriceInput::Text(text.to_owned()))),
        credits: number("credits"),
        capacity,
        // An empty cell says nothing: a course is open unless somebody closed it.
        is_open: cell("isOpen").filter(|text| !text.is_empty()).map_or(Field::Absent, yes_or_no),
    }
}

fn one_line(text: &str) -> String {
    let lines: Vec<&str> = text.split('\n').map(str::trim).filter(|line| !line.is_empty()).collect();
    lines.join(" ")
}

fn yes_or_no(text: &str) -> Field<bool> {
    match text.to_ascii_lowercase().as_str() {
        "true" | "yes" | "y" | "1" => Field::Value(true),
        "false" | "no" | "n" | "0" | "" => Field::Value(false),
        _ => Field::Wrong,
    }
}
