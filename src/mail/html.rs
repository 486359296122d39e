//! Renders the HTML body of an email.
//!
//! One column of at most 600 px without images or external resources, so that it looks the same in every client and
//! does not reveal that it was opened. Styles are inline, because many clients drop style sheets; the sheet only adds
//! dark colours. Outlook's desktop program supports neither max-width nor padding of links: it gets a fixed-width
//! table, and buttons are table cells.
//!
//! Lines break between elements: a line over 998 characters would make the message base64-encoded and its source
//! unreadable.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::blocks::{Block, lines};
use crate::config::School;

/// Renders the complete HTML document.
pub(super) fn render(subject: &str, blocks: &[Block], school: &School) -> String {
    // Preview text in an inbox: the content, not the greeting.
    let preview = blocks.iter().find_map(|block| match block {
        Block::Paragraph(words) => Some(lines(words).join(" ")),
        _ => None,
    });
    let page = html! {
        (DOCTYPE) "\n"
        html lang="en" {
            (head(subject)) "\n"
            body.page style=(BODY) {
                "\n" div style=(UNSEEN) { (preview.unwrap_or_default()) } "\n"
                div.page style=(PAGE) {
                    "\n" (PreEscaped(OUTLOOK_BEGIN)) "\n"
                    div.sheet style=(SHEET) {
                        "\n" div style=(BANNER) { (school.name) } "\n"
                        div style="padding:28px 28px 12px;overflow-wrap:break-word" {
                            "\n" h1.title style=(TITLE) { (subject) } "\n"
                            @for block in blocks { (part(block)) "\n" }
                        }
                        "\n" (signature(school)) "\n"
                    }
                    "\n" (PreEscaped(OUTLOOK_END)) "\n"
                }
            }
        }
    };
    page.into_string()
}

fn head(subject: &str) -> Markup {
    html! {
        head {
            "\n" meta charset="utf-8";
            "\n" meta name="viewport" content="width=device-width, initial-scale=1";
            "\n" meta name="color-scheme" content="light dark";
            "\n" meta name="supported-color-schemes" content="light dark";
            "\n" title { (subject) }
            "\n" style { (PreEscaped(DARK)) }
        }
    }
}

fn part(block: &Block) -> Markup {
    html! {
        @match block {
            Block::Greeting(words) | Block::Paragraph(words) => {
                p style="margin:0 0 16px" { (broken(words)) }
            }
            Block::Facts(facts) => {
                dl style=(FACTS) {
                    @for (name, value) in facts {
                        div style="padding:3px 0" {
                            dt.quiet style=(FACT_NAME) { (name) }
                            dd dir="auto" style=(FACT) { (broken(value)) }
                        }
                        "\n"
                    }
                }
            }
            Block::Button { label, url } => (button(label, url)),
            Block::Link { label, url } => {
                p style="margin:0 0 16px" { a.link href=(url) style="color:#14284f" { (label) } }
            }
            Block::Attachment(paper) => {
                p style="margin:0 0 16px" { "Attached: " (paper.file_name()) }
            }
            Block::Quote(words) => {
                blockquote.quote dir="auto" style=(QUOTE) { (broken(words)) }
            }
        }
    }
}

fn button(label: &str, url: &str) -> Markup {
    html! {
        table role="presentation" style="margin:24px 0 12px;border-spacing:0" {
            tr {
                "\n" td.button bgcolor="#14284f" style="border-radius:6px;background:#14284f" {
                    a.button href=(url) style=(BUTTON) { (label) }
                }
                "\n"
            }
        }
        "\n" p.quiet style=(BESIDE_BUTTON) {
            "If the button does not work, copy this address into your browser:" br; (url)
        }
    }
}

fn signature(school: &School) -> Markup {
    html! {
        div.quiet style=(SIGNATURE) {
            strong { (school.name) }
            @for line in [&school.address(), &school.phone].into_iter().filter(|line| !line.is_empty()) {
                br; (line)
            }
            @if let Some(email) = &school.email {
                br; a href={ "mailto:" (email) } style="color:#5b6478" { (email) }
            }
        }
    }
}

/// Text with line breaks.
fn broken(text: &str) -> Markup {
    html! {
        @for (nth, line) in lines(text).iter().enumerate() {
            @if nth > 0 { br; "\n" }
            (line)
        }
    }
}

const BODY: &str = "margin:0;padding:0;background:#f4f1e8";
const UNSEEN: &str = "display:none;max-height:0;overflow:hidden";
const PAGE: &str = "padding:24px 12px;background:#f4f1e8";
const SHEET: &str = "max-width:600px;margin:0 auto;box-sizing:border-box;background:#ffffff;color:#1d2433;\
    border:1px solid #e2dccb;border-radius:8px;overflow:hidden;\
    font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;font-size:16px;line-height:24px";
const BANNER: &str = "padding:18px 28px;background:#14284f;border-bottom:4px solid #c9a24b;color:#ffffff;\
    font-family:Georgia,'Times New Roman',serif;font-size:18px;line-height:26px;font-weight:bold;\
    overflow-wrap:break-word";
const TITLE: &str = "margin:0 0 20px;color:#14284f;font-family:Georgia,'Times New Roman',serif;font-size:25px;\
    line-height:32px;font-weight:bold";
const FACTS: &str = "margin:0 0 20px;padding:0;font-size:16px;line-height:24px";
/// Stands beside its value where both have room, and above it on a phone, also where style sheets are dropped.
const FACT_NAME: &str = "display:inline-block;width:150px;padding:0 10px 0 0;box-sizing:border-box;color:#5b6478;\
    vertical-align:top";
const FACT: &str =
    "display:inline-block;width:100%;max-width:380px;margin:0;vertical-align:top;overflow-wrap:anywhere";
const BUTTON: &str = "display:inline-block;padding:12px 24px;border-radius:6px;background:#14284f;color:#ffffff;\
    font-weight:bold;text-decoration:none";
const BESIDE_BUTTON: &str = "margin:0 0 24px;color:#5b6478;font-size:13px;line-height:20px;overflow-wrap:anywhere;\
    word-break:break-word";
const QUOTE: &str = "margin:0 0 20px;padding:14px 18px;border-left:4px solid #c9a24b;\
    background:#f6f1e3;color:#1d2433;overflow-wrap:anywhere";
const SIGNATURE: &str = "margin:0 28px;padding:16px 0 24px;border-top:1px solid #c9a24b;color:#5b6478;\
    font-size:13px;line-height:20px;overflow-wrap:anywhere";

const OUTLOOK_BEGIN: &str = r##"<!--[if mso]><table role="presentation" width="600" align="center" bgcolor="#ffffff"><tr><td><![endif]-->"##;
const OUTLOOK_END: &str = "<!--[if mso]></td></tr></table><![endif]-->";

const DARK: &str = "
@media (prefers-color-scheme: dark) {
.page { background: #10151f !important; }
.sheet { background: #1a2130 !important; color: #e8eaf0 !important; border-color: #333d52 !important; }
.title { color: #f3e6c4 !important; }
.quiet, .quiet a { color: #a9b2c5 !important; }
.link { color: #f3e6c4 !important; }
.quote { background: #242c3d !important; color: #e8eaf0 !important; }
.button { background: #c9a24b !important; color: #10151f !important; }
}
";

#[cfg(test)]
mod tests {
    use super::super::kind::Kind;
    use super::super::message::EmailMessage;
    use super::*;
    use crate::base::email::Email;

    #[test]
    fn the_preview_text_is_the_content_not_the_greeting() {
        let message =
            EmailMessage::to(Kind::Verification, &Email::parse("mei@example.org").unwrap(), "Hello")
                .greeting(Some("Mei"))
                .paragraph("The office\nhas approved it.")
                .paragraph("Another.");
        let html = message.render(&School::default()).unwrap().html;
        let (before, after) = html.split_once("overflow:hidden\">The office has approved it.</div>").unwrap();
        assert!(!before.contains("Mei") && after.contains("<p style=\"margin:0 0 16px\">Hello Mei,</p>"));
    }

    #[test]
    fn user_input_is_escaped_in_the_html_part() {
        let mut school = School::default();
        school.name = "Smith & \"Sons\" <b>".into();
        let nasty = "<script>alert('1')</script> & {school}\nsecond";
        let message = EmailMessage::to(
            Kind::Verification,
            &Email::parse("mei@example.org").unwrap(),
            nasty.lines().next().unwrap(),
        )
        .greeting(Some(nasty))
        .paragraph(nasty)
        .facts(&[("Name", nasty)])
        .button(nasty, "https://school.example/?a=1&b=\"><i>")
        .quote(nasty);
        let html = message.render(&school).unwrap().html;
        assert!(!html.contains("<script") && !html.contains("<i>") && !html.contains("<b>"), "{html}");
        let escaped = "&lt;script&gt;alert('1')&lt;/script&gt; &amp; {school}<br>\nsecond";
        assert_eq!(html.matches(escaped).count(), 3, "paragraph, fact and quote: {html}");
        assert!(html.contains("href=\"https://school.example/?a=1&amp;b=&quot;&gt;&lt;i&gt;\""), "{html}");
        assert!(html.contains("Smith &amp; &quot;Sons&quot; &lt;b&gt;"), "{html}");
        assert!(html.lines().all(|line| line.len() <= 998), "{html}");
    }
}
