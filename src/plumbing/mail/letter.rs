//! What a letter says, and how it looks as plain text and as HTML.
//!
//! The HTML is one column of at most 600 px without tables, images or anything fetched from
//! elsewhere: it looks the same in every client and tells nobody that it was opened. Styles are
//! inline, because many clients drop a style sheet; the sheet only adds the dark colours. Every
//! text is escaped here, whoever wrote it.

use std::fmt::Write;

use crate::plumbing::error::{Error, Result};
use crate::plumbing::form::Email;
use crate::school::School;

/// A letter in the making; a room says what, the look is decided here.
#[derive(Debug, Clone)]
pub struct Letter {
    recipient: Email,
    subject: String,
    reply_to: Option<Email>,
    blocks: Vec<Block>,
}

#[derive(Debug, Clone)]
enum Block {
    Paragraph(String),
    Button { label: String, url: String },
    Quote(String),
}

/// The two bodies of a letter, ready to be sent.
#[derive(Debug)]
pub(super) struct Bodies {
    pub(super) text: String,
    pub(super) html: String,
}

impl Letter {
    /// Begins a letter.
    #[must_use]
    pub fn to(recipient: &Email, subject: &str) -> Self {
        Self { recipient: recipient.clone(), subject: subject.to_owned(), reply_to: None, blocks: Vec::new() }
    }

    /// Addresses the reader, by name where it is known.
    #[must_use]
    pub fn greeting(self, name: Option<&str>) -> Self {
        // A name that was typed with a line break would otherwise begin a paragraph of its own.
        let name = name.unwrap_or("").split_whitespace().collect::<Vec<_>>().join(" ");
        let line = if name.is_empty() { "Hello,".to_owned() } else { format!("Hello {name},") };
        self.with(Block::Paragraph(line))
    }

    /// Adds a paragraph of plain text; its line breaks are kept.
    #[must_use]
    pub fn paragraph(self, text: &str) -> Self {
        self.with(Block::Paragraph(text.to_owned()))
    }

    /// Adds the one thing to do next; `url` must begin with http:// or https://.
    #[must_use]
    pub fn button(self, label: &str, url: &str) -> Self {
        self.with(Block::Button { label: label.to_owned(), url: url.to_owned() })
    }

    /// Adds what somebody else wrote, set apart, line by line.
    #[must_use]
    pub fn quote(self, text: &str) -> Self {
        self.with(Block::Quote(text.to_owned()))
    }

    /// Sends answers to somebody other than the sender.
    #[must_use]
    pub fn reply_to(mut self, address: &Email) -> Self {
        self.reply_to = Some(address.clone());
        self
    }

    fn with(mut self, block: Block) -> Self {
        self.blocks.push(block);
        self
    }

    /// Whom it is for.
    pub fn recipient(&self) -> &Email {
        &self.recipient
    }

    /// What it is about; one line once [`outbox::enqueue`](super::outbox::enqueue) has taken it.
    pub fn subject(&self) -> &str {
        &self.subject
    }

    /// Where answers go, if not to the sender.
    pub fn answers_to(&self) -> Option<&Email> {
        self.reply_to.as_ref()
    }

    /// Both bodies.
    ///
    /// # Errors
    /// When a header would hold a control character, or a button leads anywhere but to a web page.
    pub(super) fn render(&self, school: &School) -> Result<Bodies> {
        let answers_to = self.reply_to.iter().map(Email::as_str);
        for value in [self.subject(), self.recipient.as_str()].into_iter().chain(answers_to) {
            one_line(value)?;
        }
        for block in &self.blocks {
            if let Block::Button { url, .. } = block
                && !is_web_address(url)
            {
                return Err(Error::Internal(anyhow::anyhow!("a letter's button leads to no web page")));
            }
        }
        Ok(Bodies { text: self.text(school), html: self.html(school) })
    }

    fn text(&self, school: &School) -> String {
        let mut text = String::new();
        for block in &self.blocks {
            let _ = match block {
                Block::Paragraph(words) => writeln!(text, "{}\n", lines(words).join("\n")),
                Block::Button { label, url } => writeln!(text, "{label}:\n{url}\n"),
                Block::Quote(words) => {
                    for line in lines(words) {
                        // A quoted empty line is ">" alone: a space at the end of a line gets lost.
                        let _ = writeln!(text, "{}", format!("> {line}").trim_end());
                    }
                    writeln!(text)
                }
            };
        }
        let _ = writeln!(text, "-- \n{}\n{}\n{}", school.name, address(school), school.phone);
        text
    }

    fn html(&self, school: &School) -> String {
        let mut body = String::new();
        for block in &self.blocks {
            let _ = match block {
                Block::Paragraph(words) => {
                    writeln!(body, "<p style=\"margin:0 0 16px\">{}</p>", escape_lines(words))
                }
                Block::Button { label, url } => writeln!(
                    body,
                    "<p style=\"margin:24px 0 8px\"><a class=\"button\" href=\"{url}\" style=\"{BUTTON}\">{label}</a></p>\n\
                     <p class=\"quiet\" style=\"margin:0 0 24px;color:#5b6478;font-size:13px;line-height:20px;overflow-wrap:anywhere\">\
                     If the button does not work, copy this address into your browser:<br>{url}</p>",
                    label = escape(label),
                    url = escape(url),
                ),
                Block::Quote(words) => writeln!(
                    body,
                    "<blockquote class=\"quote\" style=\"{QUOTE}\">{}</blockquote>",
                    escape_lines(words)
                ),
            };
        }
        PAGE.replace("{subject}", &escape(&self.subject))
            .replace("{school}", &escape(&school.name))
            .replace("{address}", &escape(&address(school)))
            .replace("{phone}", &escape(&school.phone))
            .replace("{body}", body.trim_end())
    }
}

const BUTTON: &str = "display:inline-block;max-width:100%;box-sizing:border-box;padding:12px 24px;\
    border-radius:6px;background:#14284f;color:#ffffff;font-weight:bold;text-decoration:none";
const QUOTE: &str = "margin:0 0 16px;padding:12px 16px;border-left:4px solid #c9a24b;\
    background:#f4f1e8;color:#1d2433;overflow-wrap:anywhere";

const PAGE: &str = r#"<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>{subject}</title>
<style>
@media (prefers-color-scheme: dark) {
.page { background: #10151f !important; }
.sheet { background: #1a2130 !important; color: #e8eaf0 !important; border-color: #333d52 !important; }
.quiet { color: #a9b2c5 !important; }
.quote { background: #242c3d !important; color: #e8eaf0 !important; }
.button { background: #c9a24b !important; color: #10151f !important; }
}
</style>
</head>
<body class="page" style="margin:0;padding:0;background:#eef0f4">
<div class="page" style="padding:24px 12px;background:#eef0f4">
<div class="sheet" style="max-width:600px;margin:0 auto;box-sizing:border-box;background:#ffffff;color:#1d2433;border:1px solid #d9dde6;border-radius:8px;overflow:hidden;font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;font-size:16px;line-height:24px">
<div style="padding:20px 28px;background:#14284f;border-bottom:4px solid #c9a24b;color:#ffffff;font-family:Georgia,'Times New Roman',serif;font-size:20px;line-height:28px;font-weight:bold">{school}</div>
<div style="padding:28px 28px 12px;overflow-wrap:break-word">
{body}
</div>
<div class="quiet" style="margin:0 28px;padding:16px 0 24px;border-top:1px solid #c9a24b;color:#5b6478;font-size:13px;line-height:20px"><strong>{school}</strong><br>{address}<br>{phone}</div>
</div>
</div>
</body>
</html>
"#;

fn address(school: &School) -> String {
    format!("{}, {}, {} {}", school.street, school.city, school.province, school.postal_code)
}

fn is_web_address(url: &str) -> bool {
    (url.starts_with("https://") || url.starts_with("http://"))
        && !url.contains(|c: char| c.is_control() || c.is_whitespace())
}

/// Refuses what would end a header line early and begin another one.
///
/// # Errors
/// When the value holds a control character.
pub(super) fn one_line(value: &str) -> Result<()> {
    if value.chars().any(char::is_control) {
        return Err(Error::BadRequest("A subject and an address must be one line.".into()));
    }
    Ok(())
}

/// Lines without their ends, whichever system typed them; other control characters are dropped.
fn lines(text: &str) -> Vec<String> {
    let text = text.trim_end().replace("\r\n", "\n").replace('\r', "\n");
    text.split('\n').map(|line| line.chars().filter(|c| *c == '\t' || !c.is_control()).collect()).collect()
}

fn escape_lines(text: &str) -> String {
    lines(text).iter().map(|line| escape(line)).collect::<Vec<_>>().join("<br>\n")
}

fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            // Nothing a person wrote is taken for one of the template's names.
            '{' => escaped.push_str("&#123;"),
            _ => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    fn email(text: &str) -> Email {
        Email::parse(text).unwrap()
    }

    #[test]
    fn the_text_part_shows_the_link_on_a_line_of_its_own_and_signs_with_the_school() {
        let letter = Letter::to(&email("mei@example.org"), "Verify your email address")
            .greeting(Some("Mei  \r\n Tanaka"))
            .paragraph("Please confirm your address.")
            .button("Verify my email address", "https://school.example/verify?token=abc&x=1")
            .quote("one\r\n\r\nthree");
        let text = letter.render(&School::default()).unwrap().text;
        assert_eq!(
            text,
            "Hello Mei Tanaka,\n\nPlease confirm your address.\n\nVerify my email address:\n\
             https://school.example/verify?token=abc&x=1\n\n> one\n>\n> three\n\n-- \n\
             Northgate Academy\n120 Example Street, Suite 300, Toronto, ON M5V 0A0\n(416) 555-0142\n"
        );
    }

    #[test]
    fn whatever_a_person_wrote_is_text_in_the_html_part() {
        let school = School { name: "Smith & \"Sons\" <b>".into(), ..School::default() };
        let nasty = "<script>alert('1')</script> & {school}\nsecond";
        let letter = Letter::to(&email("mei@example.org"), nasty.lines().next().unwrap())
            .greeting(Some(nasty))
            .paragraph(nasty)
            .button(nasty, "https://school.example/?a=1&b=\"><i>")
            .quote(nasty);
        let html = letter.render(&school).unwrap().html;
        assert!(!html.contains("<script") && !html.contains("<i>") && !html.contains("<b>"), "{html}");
        let escaped = "&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt; &amp; &#123;school}<br>\nsecond";
        assert_eq!(html.matches(escaped).count(), 2, "paragraph and quote: {html}");
        assert!(html.contains("href=\"https://school.example/?a=1&amp;b=&quot;&gt;&lt;i&gt;\""), "{html}");
        assert!(html.contains("Smith &amp; &quot;Sons&quot; &lt;b&gt;"), "{html}");
    }

    #[test]
    fn a_second_header_cannot_be_smuggled_in() {
        for subject in ["Hello\r\nBcc: all@example.org", "Hello\nBcc: x", "Hello\rBcc: x", "Hello\0"] {
            let refused = Letter::to(&email("mei@example.org"), subject).render(&School::default());
            assert!(matches!(refused, Err(Error::BadRequest(_))), "{subject:?}");
        }
    }

    #[test]
    fn a_button_leads_to_web_pages_only() {
        for url in ["javascript:alert(1)", "//school.example", "https://school.example/\nX", ""] {
            let letter = Letter::to(&email("mei@example.org"), "Hello").button("Go", url);
            assert!(letter.render(&School::default()).is_err(), "{url:?}");
        }
    }
}
