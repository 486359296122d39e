//! A document as a page to print: it needs no scripts and no network.

use std::sync::LazyLock;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use maud::{DOCTYPE, PreEscaped, html};
use sha2::{Digest as _, Sha256};

use super::Paper;

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;margin:0;color:#1b2733;background:#fff}\
    main{max-width:44rem;margin:0 auto;padding:2rem 1.25rem}header{display:flex;flex-wrap:wrap;gap:1rem 2rem;\
    justify-content:space-between;border-bottom:2px solid;padding-bottom:1rem}h1{font:600 1.75rem/1.2 Georgia,serif;\
    margin:1.5rem 0 0}h2{font-size:1rem;margin:1.5rem 0 0}p{margin:0}header p:first-child{font-weight:600}\
    .headline{font-size:1.25rem;font-weight:600;margin-top:.75rem}.note{white-space:pre-line}\
    table{border-collapse:collapse;width:100%;margin-top:1.5rem}th,td{border-top:1px solid #b9c3cd;padding:.4rem 0;\
    text-align:left;font-weight:400;vertical-align:top;overflow-wrap:anywhere}th:not(:last-child),td:not(:last-child){padding-right:\
    1rem}thead th{border:0;font-size:.875rem}small{display:block}.money{text-align:right;white-space:nowrap;\
    font-variant-numeric:tabular-nums}.date{white-space:nowrap}tr.total>*{font-weight:600;border-top-width:2px}\
    .void{border:3px solid #b3261e;color:#b3261e;padding:.5rem 1rem;margin-top:1.5rem}\
    .void strong{font-size:1.5rem;letter-spacing:.2em}tr{break-inside:avoid}\
    @media screen and (prefers-color-scheme:dark){body{color:#e6ebf0;background:#14202b}th,td{border-color:#46586a}\
    .void{color:#f2b8b5;border-color:#f2b8b5}}.screen{margin-bottom:1.5rem}a{color:inherit}\
    @page{margin:2cm}@media print{main{padding:0}.screen{display:none}}\
    @media(max-width:30rem){body{font-size:14px}th:not(:last-child),td:not(:last-child){padding-right:.5rem}\
    .date{white-space:normal;overflow-wrap:normal;min-width:3.5em}}";

/// Hash of the style sheet, for the policy of the page.
pub static STYLE_HASH: LazyLock<String> = LazyLock::new(|| BASE64_STANDARD.encode(Sha256::digest(STYLE)));

/// Writes the page; `pdf` is the address of the PDF, if it can show every letter. On paper its link is left out.
pub fn write(paper: &Paper, pdf: Option<&str>) -> String {
    let words = paper.words();
    let class = |index: usize| match index {
        index if index >= words => Some("money"),
        0 if words > 1 => Some("date"),
        _ => None,
    };
    let wide = (paper.columns.len() > 2).then(|| paper.columns.len() - 1);
    let page = html! {
        (DOCTYPE)
        html lang="en-CA" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="robots" content="noindex";
                title { (paper.title()) }
                style { (PreEscaped(STYLE)) }
            }
            body { main {
                p.screen {
                    @match pdf {
                        Some(pdf) => a href=(pdf) { "Download as PDF" },
                        None => "It has letters that our PDFs cannot show: please print this page.",
                    }
                }
                header {
                    div { @for line in &paper.letterhead { p { (line) } } }
                    p { (paper.issued) }
                }
                h1 { (paper.title()) }
                @if let Some(mark) = &paper.mark {
                    div.void {
                        p { strong { (mark.word) } }
                        p { (mark.reason) }
                    }
                }
                @if let Some(headline) = &paper.headline { p.headline { (headline) } }
                table {
                    @for (name, value) in &paper.facts {
                        tr { th scope="row" { (name) } td { bdi { (value) } } }
                    }
                }
                table {
                    @if !paper.columns.is_empty() {
                        thead { tr {
                            @for (index, name) in paper.columns.iter().enumerate() {
                                th scope="col" class=[class(index)] { (name) }
                            }
                        } }
                    }
                    tbody {
                        @for row in &paper.rows {
                            tr {
                                @for (index, cell) in row.cells.iter().enumerate() {
                                    td class=[class(index)] {
                                        bdi { (cell) }
                                        @if index + 1 == words && !row.detail.is_empty() { small { bdi { (row.detail) } } }
                                    }
                                }
                            }
                        }
                        @for sum in &paper.sums {
                            tr.total[sum.is_total] {
                                th scope="row" colspan=[wide] { (sum.label) }
                                td.money { (sum.amount) }
                            }
                        }
                    }
                }
                @for (heading, text) in &paper.notes {
                    h2 { (heading) }
                    p.note { (text) }
                }
            } }
        }
    };
    page.into_string()
}
