//! Exported files, and reading them back.

use super::*;

struct Pair(&'static str, &'static str);

impl SheetRow for Pair {
    const LIST: &'static str = "pairs";
    const HEADINGS: &'static [&'static str] = &["Name", "Amount"];

    fn cells(&self) -> Vec<String> {
        vec![self.0.to_owned(), self.1.to_owned()]
    }
}

const ROWS: [Pair; 7] = [
    Pair("Zoë \"Zo\" Müller, 王", "-12.50"),
    Pair("=HYPERLINK(\"http://x\")", "+1 416 555 0100"),
    Pair("@SUM(1)", ""),
    Pair("\tx", "-a"),
    Pair("'=x", "'Tis"),
    Pair("=\"0042\"", "'"),
    Pair("two\n\nlines", "+"),
];

#[test]
fn no_cell_is_a_formula_and_every_letter_survives() {
    let sheet = String::from_utf8(write(&ROWS[..4]).unwrap()).unwrap();
    let expected = "\u{feff}Name,Amount\r\n\"Zoë \"\"Zo\"\" Müller, 王\",-12.50\r\n\
        \"'=HYPERLINK(\"\"http://x\"\")\",'+1 416 555 0100\r\n'@SUM(1),\r\n'\tx,'-a\r\n";
    assert_eq!(sheet, expected);
}

#[test]
fn an_export_can_be_read_back_unchanged() {
    let columns = [Column::required("name"), Column::required("amount")];
    let Ok((sheet, problems)) = Sheet::open(write(&ROWS).unwrap(), &columns) else { panic!("it is a table") };
    assert!(problems.is_empty(), "{problems}");
    let cells: Vec<_> = sheet
        .map(|row| [row.cell("name").unwrap().to_owned(), row.cell("amount").unwrap().to_owned()])
        .collect();
    assert_eq!(cells, ROWS.map(|Pair(name, amount)| [name.to_owned(), amount.to_owned()]));
}

#[test]
fn lines_are_counted_through_blank_ones_and_quotes() {
    for end in ["\n", "\r\n", "\r"] {
        let text = "\nname,amount\n\n\"a\n\nb\",1\n , \nc,2\n\nd".replace('\n', end);
        let columns = [Column::required("name"), Column::required("amount")];
        let Ok((mut sheet, _)) = Sheet::open(text.into_bytes(), &columns) else { panic!("it is a table") };
        for _ in 0..2 {
            let lines: Vec<_> = sheet.by_ref().map(|row| row.line).collect();
            assert_eq!(lines, [4, 8, 10], "{end:?}");
            sheet.rewind();
        }
    }
}
