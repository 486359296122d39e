//! How an e-mail looks where HTML is shown.
//!
//! It is one column of at most 600 px without images or anything fetched from elsewhere: it
//! looks the same in every client and tells nobody that it was opened. Styles are inline, because
//! many clients drop a style sheet; the sheet only adds the dark colours. Outlook's desktop program
//! knows neither a greatest width nor padding around a link: it gets a table of that width, and every
//! button is a table's cell. Every text is escaped here, whoever wrote it.

use super::message::{Block, address, lines};
use crate::config::School;

/// The whole page of an e-mail.
pub(super) fn draw(subject: &str, blocks: &[Block], school: &School) -> String {
    let body: String = blocks.iter().map(in_html).collect();
    // What an inbox shows beside the subject: what the e-mail is about, not whom it greets.
    let preview = blocks.iter().find_map(|block| match block {
        Block::Paragraph(words) => Some(lines(words).join(" ")),
        _ => None,
    });
    PAGE.replace("{subject}", &escape(subject))
        .replace("{preview}", &escape(&preview.unwrap_or_default()))
        .replace("{school}", &escape(&school.name))
        .replace("{address}", &escape(&address(school)))
        .replace("{phone}", &escape(&school.phone))
        .replace("{email}", &escape(school.email.as_str()))
        .replace("{body}", body.trim_end())
}

fn in_html(block: &Block) -> String {
    match block {
        Block::Greeting(words) | Block::Paragraph(words) => {
            format!("<p style=\"margin:0 0 16px\">{}</p>\n", escape_lines(words))
        }
        Block::Facts(facts) => {
            let row = |(name, value): &(&str, String)| {
                format!(
                    "<tr><th scope=\"row\" class=\"quiet\" style=\"{FACT_NAME}\">{}</th>\
                     <td dir=\"auto\" style=\"padding:3px 0;overflow-wrap:anywhere\">{}</td></tr>\n",
                    escape(name),
                    escape_lines(value)
                )
            };
            let rows: String = facts.iter().map(row).collect();
            format!("<table class=\"facts\" style=\"{FACTS}\">\n{rows}</table>\n")
        }
        Block::Button { label, url } => {
            BUTTON.replace("{label}", &escape(label)).replace("{url}", &escape(url))
        }
        Block::Link { label, url } => {
            format!(
                "<p style=\"margin:0 0 16px\"><a class=\"link\" href=\"{}\" style=\"color:#14284f\">{}</a></p>\n",
                escape(url),
                escape(label)
            )
        }
        Block::Quote(words) => {
            format!(
                "<blockquote dir=\"auto\" class=\"quote\" style=\"{QUOTE}\">{}</blockquote>\n",
                escape_lines(words)
            )
        }
    }
}

const FACTS: &str = "margin:0 0 20px;padding:0;border-collapse:collapse;font-size:16px;line-height:24px";
const FACT_NAME: &str = "padding:3px 20px 3px 0;color:#5b6478;font-weight:normal;text-align:left;vertical-align:top;\
    white-space:nowrap";
const QUOTE: &str = "margin:0 0 20px;padding:14px 18px;border-left:4px solid #c9a24b;\
    background:#f6f1e3;color:#1d2433;overflow-wrap:anywhere";

const BUTTON: &str = r##"<table role="presentation" style="margin:24px 0 12px;border-spacing:0"><tr>
<td class="button" bgcolor="#14284f" style="border-radius:6px;background:#14284f"><a class="button" href="{url}" style="display:inline-block;padding:12px 24px;border-radius:6px;background:#14284f;color:#ffffff;font-weight:bold;text-decoration:none">{label}</a></td>
</tr></table>
<p class="quiet" style="margin:0 0 24px;color:#5b6478;font-size:13px;line-height:20px;overflow-wrap:anywhere;word-break:break-word">If the button does not work, copy this address into your browser:<br>{url}</p>
"##;

const PAGE: &str = r##"<!doctype html>
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
.title { color: #f3e6c4 !important; }
.quiet, .quiet a { color: #a9b2c5 !important; }
.link { color: #f3e6c4 !important; }
.quote { background: #242c3d !important; color: #e8eaf0 !important; }
.button { background: #c9a24b !important; color: #10151f !important; }
}
</style>
</head>
<body class="page" style="margin:0;padding:0;background:#f4f1e8">
<div style="display:none;max-height:0;overflow:hidden">{preview}</div>
<div class="page" style="padding:24px 12px;background:#f4f1e8">
<!--[if mso]><table role="presentation" width="600" align="center" bgcolor="#ffffff"><tr><td><![endif]-->
<div class="sheet" style="max-width:600px;margin:0 auto;box-sizing:border-box;background:#ffffff;color:#1d2433;border:1px solid #e2dccb;border-radius:8px;overflow:hidden;font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;font-size:16px;line-height:24px">
<div style="padding:18px 28px;background:#14284f;border-bottom:4px solid #c9a24b;color:#ffffff;font-family:Georgia,'Times New Roman',serif;font-size:18px;line-height:26px;font-weight:bold;overflow-wrap:break-word">{school}</div>
<div style="padding:28px 28px 12px;overflow-wrap:break-word">
<h1 class="title" style="margin:0 0 20px;color:#14284f;font-family:Georgia,'Times New Roman',serif;font-size:25px;line-height:32px;font-weight:bold">{subject}</h1>
{body}
</div>
<div class="quiet" style="margin:0 28px;padding:16px 0 24px;border-top:1px solid #c9a24b;color:#5b6478;font-size:13px;line-height:20px;overflow-wrap:anywhere"><strong>{school}</strong><br>{address}<br>{phone}<br><a href="mailto:{email}" style="color:#5b6478">{email}</a></div>
</div>
<!--[if mso]></td></tr></table><![endif]-->
</div>
</body>
</html>
"##;

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
    use super::super::kind::Kind;
    use super::super::message::EmailMessage;
    use super::*;
    use crate::base::email::Email;

    #[test]
    fn an_inbox_shows_what_the_email_is_about_beside_its_subject() {
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
    fn whatever_a_person_wrote_is_text_in_the_html_part() {
        let school = School { name: "Smith & \"Sons\" <b>".into(), ..School::default() };
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
        let escaped = "&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt; &amp; &#123;school}<br>\nsecond";
        assert_eq!(html.matches(escaped).count(), 3, "paragraph, fact and quote: {html}");
        assert!(html.contains("href=\"https://school.example/?a=1&amp;b=&quot;&gt;&lt;i&gt;\""), "{html}");
        assert!(html.contains("Smith &amp; &quot;Sons&quot; &lt;b&gt;"), "{html}");
    }
}
