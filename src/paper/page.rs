//! A document as a page to print: it needs no scripts and no network.

use std::sync::LazyLock;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use maud::{DOCTYPE, PreEscaped, html};
use sha2::{Digest as _, Sha256};

use super::Paper;
use super::fonts::PAGE_FONTS;

/// The same order, colours and typefaces as in the PDF.
const RULES: &str = "body{font:400 16px/1.45 Text,system-ui,sans-serif;margin:0;color:#2a3550;background:#fff;border-top:\
    7px solid #b98a2e}main{max-width:44rem;margin:0 auto;padding:2rem 1.25rem}header{display:flex;flex-wrap:wrap;\
    gap:1rem 2rem;justify-content:space-between;margin-bottom:1.75rem}h1,h2,.headline,tr.total>*{color:#0f2147}\
    h1{font:600 2.1rem/1.2 Title,Georgia,serif;margin:0}h1 span{display:block;font:600 1.15rem/1.4 Text,system-ui,sans-serif}\
    h1 span,.quiet{color:#56607a}h2{font-size:1rem;font-weight:600;margin:2rem 0 0}p{margin:0}.school{text-align:right;\
    font-size:.85rem;color:#56607a}.school p:first-child{font:600 1.25rem/1.4 Title,Georgia,serif;color:#0f2147}\
    .headline{font-size:1.5rem;line-height:1.3;font-weight:600}.note{white-space:pre-line}\
    table{border-collapse:collapse;width:100%;margin-top:1.25rem}th,td{padding:.4rem 0;text-align:left;font-weight:400;\
    vertical-align:top;overflow-wrap:anywhere}th:not(:last-child),td:not(:last-child){padding-right:1rem}\
    .facts th,.facts td{padding-top:.1rem;padding-bottom:.1rem}.facts th{width:10rem;color:#56607a}\
    tbody.rows>*>*{border-bottom:1px solid #d6dae4}thead th{border-bottom:2px solid #0f2147;padding:0 0 .2rem;\
    font-size:.85rem;color:#56607a}small{display:block;color:#56607a}.money{text-align:right;white-space:nowrap;\
    font-variant-numeric:tabular-nums}.date{white-space:nowrap}.sums th{padding-left:42%}tr.total>*{font-weight:600}\
    .void{border:2px solid;color:#a11c36;padding:.5rem 1rem;margin-bottom:1.5rem}\
    .void strong{font-size:1.5rem;letter-spacing:.2em}tr{break-inside:avoid}.screen{margin-bottom:1.5rem}a{color:inherit}\
    @media screen and (prefers-color-scheme:dark){body{color:#e6ebf0;background:#14202b}h1,h2,.headline,\
    tr.total>*,.school p:first-child{color:#fff}h1 span,.quiet,.school,.facts th,thead th,small{color:#b4bfcc}\
    tbody.rows>*>*,thead th{border-color:#46586a}.void{color:#f2b8b5}}\
    @page{margin:2cm}@media print{body{border:0}main{padding:0}.screen{display:none}}\
    @media(max-width:30rem){body{font-size:14px}.school{text-align:left}th:not(:last-child),td:not(:last-child){\
    padding-right:.5rem}.facts th{width:7.5rem}.sums th{padding-left:0}\
    .date{white-space:normal;overflow-wrap:normal;min-width:3.5em}}";

/// With the typefaces in it, so that a page that was saved keeps them.
static STYLE: LazyLock<String> = LazyLock::new(|| {
    let face = |(family, weight, woff): &(&str, u16, &[u8])| {
        let woff = BASE64_STANDARD.encode(woff);
        format!(
            "@font-face{{font-family:{family};font-weight:{weight};src:url(data:font/woff;base64,{woff})}}"
        )
    };
    PAGE_FONTS.iter().map(face).chain([RULES.to_owned()]).collect()
});

/// Hash of the style sheet, for the policy of the page.
pub static STYLE_HASH: LazyLock<String> = LazyLock::new(|| BASE64_STANDARD.encode(Sha256::digest(&*STYLE)));

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
                style { (PreEscaped(&*STYLE)) }
            }
            body { main {
                p.screen {
                    @match pdf {
                        Some(pdf) => a href=(pdf) { "Download as PDF" },
                        None => "It has letters that our PDFs cannot show: please print this page.",
                    }
                }
                header {
                    div {
                        h1 { (paper.kind) " " span { (paper.number) } }
                        p.quiet { (paper.issued) }
                    }
                    div.school { @for line in &paper.letterhead { p { (line) } } }
                }
                @if let Some(mark) = &paper.mark {
                    div.void {
                        p { strong { (mark.word) } }
                        p { (mark.reason) }
                    }
                }
                @if let Some(headline) = &paper.headline { p.headline { (headline) } }
                table.facts {
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
                    tbody.rows {
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
                    }
                    tbody.sums {
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
