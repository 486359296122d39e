//! Exported files, and reading them back.

use super::*;
use crate::base::closed_set::ClosedSet as _;
use crate::base::money::Money;

struct Pair(&'static str, &'static str);

impl SheetRow for Pair {
    const LIST: &'static str = "pairs";
    const HEADINGS: &'static [&'static str] = &["Name", "Amount"];

    fn cells(&self) -> Vec<SheetCell> {
        vec![self.0.cell(), self.1.cell()]
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
    let sheet = String::from_utf8(write(&ROWS[..4], SheetStyle::English).unwrap()).unwrap();
    let expected = "\u{feff}Name,Amount\r\n\"Zoë \"\"Zo\"\" Müller, 王\",-12.50\r\n\
        \"'=HYPERLINK(\"\"http://x\"\")\",'+1 416 555 0100\r\n'@SUM(1),\r\n'\tx,'-a\r\n";
    assert_eq!(sheet, expected);
}

#[test]
fn an_export_can_be_read_back_unchanged() {
    let columns = [Column::required("name"), Column::required("amount")];
    for style in SheetStyle::ALL {
        let Ok((sheet, problems)) = Sheet::open(write(&ROWS, *style).unwrap(), &columns) else {
            panic!("it is a table")
        };
        assert!(problems.is_empty(), "{problems}");
        let cells: Vec<_> = sheet
            .map(|row| [row.cell("name").unwrap().to_owned(), row.cell("amount").unwrap().to_owned()])
            .collect();
        assert_eq!(cells, ROWS.map(|Pair(name, amount)| [name.to_owned(), amount.to_owned()]), "{style:?}");
    }
}

/// A price beside a text that looks like one.
struct Priced(&'static str, Money);

impl SheetRow for Priced {
    const LIST: &'static str = "prices";
    const HEADINGS: &'static [&'static str] = &["Reference", "Price"];

    fn cells(&self) -> Vec<SheetCell> {
        vec![self.0.cell(), self.1.cell()]
    }
}

#[test]
fn french_excel_has_semicolons_and_a_decimal_comma_in_numbers_alone() {
    let rows = [
        Priced("12.50", Money::from_cents(120_050)),
        Priced("a; b, c", Money::from_cents(-5)),
        Priced("=1;+1", Money::from_cents(0)),
        Priced("-12,50", Money::from_cents(-123_400)),
    ];
    let sheet = String::from_utf8(write(&rows, SheetStyle::French).unwrap()).unwrap();
    let expected = "\u{feff}sep=;\r\nReference;Price\r\n12.50;1200,50\r\n\"a; b, c\";-0,05\r\n\"'=1;+1\";0,00\r\n\
        '-12,50;-1234,00\r\n";
    assert_eq!(sheet, expected);
    let columns = [Column::required("reference"), Column::required("price").of_numbers()];
    let Ok((read, problems)) = Sheet::open(sheet.into_bytes(), &columns) else { panic!("it is a table") };
    assert!(problems.is_empty(), "{problems}");
    let prices: Vec<_> = read.map(|row| row.cell("price").unwrap().to_owned()).collect();
    assert_eq!(prices, ["1200.50", "-0.05", "0.00", "-1234.00"]);
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
