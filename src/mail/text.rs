//! Renders the plain text body of an email.

use std::fmt::Write;

use super::blocks::{Block, lines};
use crate::base::email::Email;
use crate::config::School;

/// Renders the complete text.
pub(super) fn render(blocks: &[Block], school: &School) -> String {
    let mut text = String::new();
    for block in blocks {
        let _ = match block {
            Block::Greeting(words) | Block::Paragraph(words) => {
                writeln!(text, "{}\n", lines(words).join("\n"))
            }
            Block::Facts(facts) => {
                for (name, value) in facts {
                    let _ = writeln!(text, "{name}: {}", lines(value).join(" "));
                }
                writeln!(text)
            }
            Block::Button { label, url } | Block::Link { label, url } => {
                writeln!(text, "{label}:\n{url}\n")
            }
            Block::Attachment(paper) => writeln!(text, "Attached: {}\n", paper.file_name()),
            Block::Quote(words) => {
                for line in lines(words) {
                    // A quoted empty line is only ">", without trailing space.
                    let _ = writeln!(text, "{}", format!("> {line}").trim_end());
                }
                writeln!(text)
            }
        };
    }
    let _ = writeln!(text, "-- ");
    let email = school.email.as_ref().map_or("", Email::as_str);
    for line in
        [&school.name, &school.address(), &school.phone, email].into_iter().filter(|line| !line.is_empty())
    {
        let _ = writeln!(text, "{line}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::kind::Kind;
    use super::super::message::EmailMessage;
    use super::*;

    #[test]
    fn the_text_part_shows_the_link_on_a_line_of_its_own_and_signs_with_the_school() {
        let recipient = Email::parse("mei@example.org").unwrap();
        let message = EmailMessage::to(Kind::Verification, &recipient, "Verify your email address")
            .greeting(Some("Mei  \r\n Tanaka"))
            .paragraph("Please confirm your address.")
            .facts(&[("Start date", "December 1, 2026"), ("Note", "two\nlines")])
            .button("Verify my email address", "https://school.example/verify?token=abc&x=1")
            .quote("one\r\n\r\nthree");
        let text = message.render(&School::default()).unwrap().text;
        assert_eq!(
            text,
            "Hello Mei Tanaka,\n\nPlease confirm your address.\n\n\
             Start date: December 1, 2026\nNote: two lines\n\nVerify my email address:\n\
             https://school.example/verify?token=abc&x=1\n\n> one\n>\n> three\n\n-- \n\
             Northgate Academy\n120 Example Street, Suite 300, Toronto, ON M5V 0A0\n(416) 555-0142\n\
             office@northgate.example\n"
        );
    }
}
