//! The layout of a document: pages, breaks, and what stands where.

use super::fonts::Fonts;
use super::layout::{Layout, Line, MARGIN, PAGE, lay_out};
use super::*;

fn receipt() -> Paper {
    let mut paper = Paper {
        kind: "Receipt".into(),
        number: "2026-000123".into(),
        issued: "Issued on November 21, 2026".into(),
        letterhead: [
            "Northgate Academy",
            "1200 Birchmount Road",
            "Toronto ON M1P 4S8",
            "416 555 0123",
            "office@northgate.example",
        ]
        .map(str::to_owned)
        .to_vec(),
        headline: Some("$1,234.50 received on November 21, 2026".into()),
        columns: vec!["For".into(), "Amount".into()],
        rows: [("ENG4U · English, Grade 12", "$500.00"), ("MHF4U · Advanced Functions, Grade 12", "$703.75")]
            .map(|(name, amount)| Row { cells: vec![name.into(), amount.into()], detail: String::new() })
            .to_vec(),
        ..Paper::default()
    };
    paper.fact("Student", "Chidi Okonkwo");
    paper.fact("Paid by", "Nguyễn Thị Ánh, Łukasz Wójcik, Ольга Ивановна, Ελένη");
    paper.fact("Method", "e-Transfer");
    paper.sum("On account", "$30.75", false);
    paper.sum("Received", "$1,234.50", true);
    paper.sum("Balance owing", "$269.25", false);
    paper
}

fn statement(rows: usize) -> Paper {
    let row = |index: usize| Row {
        cells: vec!["Nov 21, 2026".into(), format!("Payment {index}"), "−$10.00".into(), "$1,234.50".into()],
        detail: if index.is_multiple_of(7) { "ENG4U · English, Grade 12 ".repeat(5) } else { String::new() },
    };
    Paper {
        kind: "Statement".into(),
        columns: ["Date", "What", "Amount", "Balance"].map(str::to_owned).to_vec(),
        rows: (0..rows).map(row).collect(),
        notes: vec![("How to pay".into(), "Send an e-Transfer.\nWrite the code into its message.".into())],
        ..receipt()
    }
}

fn layout(paper: &Paper) -> Layout {
    lay_out(paper, Fonts::get().unwrap()).unwrap()
}

/// Everything that is written stands inside the margins, and no two lines of one page on one another.
fn assert_inside(layout: &Layout) {
    let fonts = Fonts::get().unwrap();
    for (page, sheet) in layout.sheets.iter().enumerate() {
        let area = |line: &Line| {
            let width = fonts.width(line.text.trim_end(), line.style) * line.size;
            (line.x, line.x + width, line.y - line.size * 0.7, line.y + line.size * 0.2)
        };
        let all: Vec<_> = sheet.lines.iter().chain(&sheet.repeated).collect();
        for (index, line) in all.iter().enumerate() {
            let (left, right, top, bottom) = area(line);
            let is_inside = left >= MARGIN - 0.1
                && right <= PAGE.0 - MARGIN + 0.1
                && top >= 20.0
                && bottom < PAGE.1 - 40.0;
            assert!(is_inside, "page {page}: {line:?} up to {right}");
            for other in &all[..index] {
                let (x, to_x, y, to_y) = area(other);
                let is_apart = right <= x || to_x <= left || bottom <= y || to_y <= top;
                assert!(is_apart || line.text.is_empty(), "page {page}: {line:?} on {other:?}");
            }
        }
    }
}

#[test]
fn nothing_is_written_outside_a_page_or_on_other_text() {
    let word = "Wolfeschlegelsteinhausenbergerdorff".repeat(4);
    let words = "Maria Aparecida dos Santos Rodrigues de Oliveira e Silva ".repeat(4);
    for text in [word, words] {
        let mut paper = receipt();
        paper.mark = Some(Mark { word: "VOID".into(), reason: text.clone() });
        paper.letterhead[0].clone_from(&text);
        paper.letterhead[1].clone_from(&text);
        paper.number.clone_from(&text);
        paper.facts[0].1.clone_from(&text);
        paper.rows[0].cells[0].clone_from(&text);
        paper.rows[0].detail.clone_from(&text);
        paper.sums[0].label.clone_from(&text);
        paper.notes.push((text.clone(), text));
        let layout = layout(&paper);
        assert_inside(&layout);
        let all: String = layout.sheets[0].lines.iter().map(|line| line.text.as_str()).collect();
        assert!(all.contains("Wolfeschlegel") || all.contains("de Oliveira e Silva Maria"), "{all}");
    }
}

#[test]
fn the_head_of_a_long_table_is_on_every_page_and_no_row_is_torn_apart() {
    for rows in [0, 1, 20, 21, 22, 23, 24, 25, 26, 27, 200] {
        let paper = statement(rows);
        let layout = layout(&paper);
        assert_inside(&layout);
        assert!(
            layout.sheets.len() > rows / 30 && layout.sheets.len() < rows / 15 + 3,
            "{}",
            layout.sheets.len()
        );
        for sheet in &layout.sheets[1..] {
            let words: Vec<_> = sheet.repeated.iter().map(|line| line.text.as_str()).collect();
            let is_notes_only = sheet.lines.iter().all(|line| !line.text.contains('$'));
            assert!(is_notes_only || words.starts_with(&["Date", "What", "Amount", "Balance"]), "{words:?}");
        }
        let found: Vec<_> = (layout.sheets.iter().flat_map(|sheet| &sheet.lines))
            .filter(|line| line.text.starts_with("Payment "))
            .map(|line| line.text.clone())
            .collect();
        assert_eq!(found, (0..rows).map(|index| format!("Payment {index}")).collect::<Vec<_>>());
        for part in &layout.parts {
            if let super::layout::Part::Table { rows, .. } = part {
                for row in rows {
                    let pages: Vec<_> = row.iter().flatten().map(|(page, _)| page).collect();
                    assert!(pages.windows(2).all(|pair| pair[0] == pair[1]), "{pages:?}");
                }
            }
        }
    }
    assert!(lay_out(&statement(10_000), Fonts::get().unwrap()).is_err(), "not without end");
}

#[test]
fn gaps_are_smaller_where_that_keeps_how_to_pay_on_the_first_page() {
    let pages = |rows| layout(&statement(rows)).sheets.len();
    assert_eq!([14, 15].map(pages), [1, 2], "with the usual gaps, 11 rows have room");
}

#[test]
fn a_pdf_is_the_same_each_time_and_refuses_letters_without_a_shape() {
    let mut paper = receipt();
    assert!(pdf::covers(&paper).unwrap());
    let first = pdf::write(&paper).unwrap();
    assert_eq!(first, pdf::write(&paper).unwrap());
    for name in ["李小龍", "محمد", "अमित", "😀"] {
        paper.facts[0].1 = name.into();
        assert!(!pdf::covers(&paper).unwrap(), "{name}");
        assert!(pdf::write(&paper).is_err(), "never without a letter");
    }
    // Accents that stand by themselves are put onto their letters, and marks without a shape are left out.
    paper.facts[0].1 =
        "Jose\u{301} \u{200f}Nguye\u{302}\u{303}n\u{a0}\u{2011} \u{202a}Zoe\u{308}\u{202c}".into();
    assert!(pdf::covers(&paper).unwrap());
}
