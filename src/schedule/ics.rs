//! Writing iCalendar (RFC 5545), for feeds that calendar programs read.
//!
//! Written here, as the format needs little of a writer: lines, their folding, and the rules of a time zone. Crates for
//! it bring another library of time with zones of its own.

use std::fmt::Write as _;
use std::iter;

use jiff::civil::{Date, DateTime};
use jiff::tz::Offset;
use jiff::{Timestamp, ToSpan as _};

use super::clock_changes::{ClockChange, YearlyChange};
use crate::config::Zone;

/// Octets of a line; a longer one continues on the next, behind a space.
const LINE: usize = 75;

/// A calendar being written.
#[derive(Debug)]
pub struct Calendar(String);

/// An event.
#[derive(Debug)]
pub struct Event<'a> {
    /// Identifies it among all events of the world.
    pub uid: &'a str,
    /// What tells a reader that it was changed.
    pub revision: Revision,
    /// When it is.
    pub when: EventTime<'a>,
    /// One line.
    pub summary: &'a str,
    /// More lines.
    pub description: &'a str,
    /// A page about it.
    pub link: Option<&'a str>,
    /// Whether it does not take place.
    pub is_cancelled: bool,
}

/// Which of several versions of an event is the newest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Revision {
    /// Rises with each change.
    pub sequence: i64,
    /// When it was last changed.
    pub changed_at: Timestamp,
}

/// When an event is.
#[derive(Debug)]
pub enum EventTime<'a> {
    /// On a whole day, wherever the reader is.
    Day(Date),
    /// From one time to another of a zone, which the calendar describes.
    Hours(DateTime, DateTime, &'a Zone),
}

impl Calendar {
    /// Begins a calendar of this name, which is to be read again every 12 hours.
    pub fn new(name: &str) -> Self {
        let mut calendar = Self(String::new());
        calendar.line("BEGIN", "VCALENDAR");
        calendar.line("VERSION", "2.0");
        calendar.line("PRODID", "-//schoolhouse//schedule//EN");
        calendar.line("CALSCALE", "GREGORIAN");
        calendar.line("METHOD", "PUBLISH");
        calendar.line("REFRESH-INTERVAL;VALUE=DURATION", "PT12H");
        calendar.line("X-PUBLISHED-TTL", "PT12H");
        calendar.text("NAME", name);
        calendar.text("X-WR-CALNAME", name);
        calendar
    }

    /// Describes a time zone for times between two instants, and from then on where its clocks follow a yearly rule:
    /// programs repeat events, and keep what they have read.
    pub fn time_zone(&mut self, zone: &Zone, from: Timestamp, until: Timestamp) {
        self.line("BEGIN", "VTIMEZONE");
        self.line("TZID", zone.name());
        let rules = zone.rules();
        // Without a change of clocks before: the rule of ever.
        let first = rules.preceding(from).next().map_or(Timestamp::UNIX_EPOCH, |change| change.timestamp());
        let dated = rules.following(from).map(|change| change.timestamp()).take_while(|at| *at < until);
        for at in iter::once(first).chain(dated) {
            if let Some(yearly) = YearlyChange::pair_from(rules, at) {
                for one in &yearly {
                    self.observance(&one.first, Some(&one.rule));
                }
                break;
            }
            self.observance(&ClockChange::at(rules, at), None);
        }
        self.line("END", "VTIMEZONE");
    }

    /// What holds from a change of clocks on, which a rule repeats.
    fn observance(&mut self, change: &ClockChange, rule: Option<&str>) {
        let kind = if change.is_daylight { "DAYLIGHT" } else { "STANDARD" };
        self.line("BEGIN", kind);
        self.line("DTSTART", &local(change.on));
        self.line("TZOFFSETFROM", &offset(change.from));
        self.line("TZOFFSETTO", &offset(change.to));
        self.text("TZNAME", &change.name);
        if let Some(rule) = rule {
            self.line("RRULE", rule);
        }
        self.line("END", kind);
    }

    /// Adds an event.
    pub fn event(&mut self, event: &Event<'_>) {
        let changed_at = event.revision.changed_at.strftime("%Y%m%dT%H%M%SZ").to_string();
        self.line("BEGIN", "VEVENT");
        self.text("UID", event.uid);
        self.line("DTSTAMP", &changed_at);
        self.line("LAST-MODIFIED", &changed_at);
        self.line("SEQUENCE", &event.revision.sequence.to_string());
        match &event.when {
            EventTime::Day(day) => {
                self.line("DTSTART;VALUE=DATE", &date(*day));
                // The first day after it.
                self.line("DTEND;VALUE=DATE", &date(day.saturating_add(1.day())));
                self.line("TRANSP", "TRANSPARENT");
            }
            EventTime::Hours(start, end, zone) => {
                self.line(&format!("DTSTART;TZID={}", zone.name()), &local(*start));
                self.line(&format!("DTEND;TZID={}", zone.name()), &local(*end));
            }
        }
        self.text("SUMMARY", event.summary);
        if !event.description.is_empty() {
            self.text("DESCRIPTION", event.description);
        }
        if let Some(link) = event.link {
            self.text("LOCATION", link);
            self.line("URL", link);
        }
        self.line("STATUS", if event.is_cancelled { "CANCELLED" } else { "CONFIRMED" });
        self.line("END", "VEVENT");
    }

    /// Ends the calendar. One without any component is not valid (RFC 5545, section 3.6), and some programs refuse it: it
    /// describes the school's zone, as it is now.
    pub fn finish(mut self, zone: &Zone, now: Timestamp) -> Vec<u8> {
        if !self.0.contains("BEGIN:VEVENT") {
            self.time_zone(zone, now, now);
        }
        self.line("END", "VCALENDAR");
        self.0.into_bytes()
    }

    /// A property whose value is text.
    fn text(&mut self, name: &str, value: &str) {
        let mut escaped = String::with_capacity(value.len());
        for c in value.chars() {
            match c {
                '\\' | ';' | ',' => escaped.extend(['\\', c]),
                '\n' => escaped.push_str("\\n"),
                c => escaped.push(c),
            }
        }
        self.line(name, &escaped);
    }

    /// A line, folded; control characters, which would end it, are left out.
    fn line(&mut self, name: &str, value: &str) {
        let mut length = 0;
        for c in name.chars().chain([':']).chain(value.chars().filter(|c| !c.is_control())) {
            if length + c.len_utf8() > LINE {
                self.0.push_str("\r\n ");
                length = 1;
            }
            self.0.push(c);
            length += c.len_utf8();
        }
        self.0.push_str("\r\n");
    }
}

fn date(day: Date) -> String {
    day.strftime("%Y%m%d").to_string()
}

fn local(at: DateTime) -> String {
    at.strftime("%Y%m%dT%H%M%S").to_string()
}

/// `-0500`; with seconds in the rare zone that has them.
fn offset(offset: Offset) -> String {
    let seconds = offset.seconds();
    let sign = if seconds < 0 { '-' } else { '+' };
    let all = seconds.unsigned_abs();
    let mut text = format!("{sign}{:02}{:02}", all / 3600, all / 60 % 60);
    if !all.is_multiple_of(60) {
        let _ = write!(text, "{:02}", all % 60);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn zone(name: &str) -> Zone {
        Zone::try_from(name.to_owned()).unwrap()
    }

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn lines_are_escaped_and_folded_between_characters() {
        let mut calendar = Calendar(String::new());
        calendar.text("SUMMARY", "Law; rights, duties\\\r\nBEGIN:VEVENT\u{7}");
        assert_eq!(calendar.0, "SUMMARY:Law\\; rights\\, duties\\\\\\nBEGIN:VEVENT\r\n");
        let mut calendar = Calendar(String::new());
        calendar.text("SUMMARY", &"é".repeat(100));
        let lines: Vec<_> = calendar.0.split_terminator("\r\n").collect();
        assert!(lines.iter().all(|line| line.len() <= LINE), "{lines:?}");
        assert!(lines[1..].iter().all(|line| line.starts_with(' ')), "{lines:?}");
        assert_eq!(calendar.0.replace("\r\n ", ""), format!("SUMMARY:{}\r\n", "é".repeat(100)));
    }

    #[test]
    fn a_calendar_without_events_describes_a_zone() {
        let empty = String::from_utf8(
            Calendar::new("Classes").finish(&zone("America/Toronto"), at("2027-02-01T00:00:00Z")),
        )
        .unwrap();
        assert!(empty.contains("END:VTIMEZONE\r\nEND:VCALENDAR"), "{empty}");
        let mut calendar = Calendar::new("Classes");
        calendar.event(&Event {
            uid: "1",
            revision: Revision { sequence: 3, changed_at: at("2027-02-01T00:00:00Z") },
            when: EventTime::Day("2027-02-01".parse().unwrap()),
            summary: "Winter begins",
            description: "",
            link: None,
            is_cancelled: false,
        });
        let one =
            String::from_utf8(calendar.finish(&zone("America/Toronto"), at("2027-02-01T00:00:00Z"))).unwrap();
        assert!(!one.contains("VTIMEZONE"), "{one}");
        let revision = "DTSTAMP:20270201T000000Z\r\nLAST-MODIFIED:20270201T000000Z\r\nSEQUENCE:3\r\n";
        assert!(one.contains(revision), "{one}");
    }

    #[test]
    fn a_zone_has_its_yearly_rule_or_the_changes_of_clocks_of_the_months_in_question() {
        let mut calendar = Calendar(String::new());
        calendar.time_zone(&zone("America/Toronto"), at("2027-02-01T00:00:00Z"), at("2027-06-30T00:00:00Z"));
        assert_eq!(
            calendar.0.split_terminator("\r\n").collect::<Vec<_>>(),
            [
                "BEGIN:VTIMEZONE",
                "TZID:America/Toronto",
                "BEGIN:STANDARD",
                "DTSTART:20261101T020000",
                "TZOFFSETFROM:-0400",
                "TZOFFSETTO:-0500",
                "TZNAME:EST",
                "RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=1SU",
                "END:STANDARD",
                "BEGIN:DAYLIGHT",
                "DTSTART:20270314T020000",
                "TZOFFSETFROM:-0500",
                "TZOFFSETTO:-0400",
                "TZNAME:EDT",
                "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU",
                "END:DAYLIGHT",
                "END:VTIMEZONE",
            ]
        );
        for (name, expected) in [("UTC", "+0000"), ("Asia/Kolkata", "+0530"), ("Pacific/Honolulu", "-1000")] {
            let mut calendar = Calendar(String::new());
            calendar.time_zone(&zone(name), at("2027-02-01T00:00:00Z"), at("2027-06-30T00:00:00Z"));
            assert!(calendar.0.contains(&format!("TZOFFSETTO:{expected}\r\n")), "{}", calendar.0);
            assert_eq!(calendar.0.matches("TZOFFSETTO").count(), 1, "{}", calendar.0);
            assert!(!calendar.0.contains("RRULE"), "{}", calendar.0);
        }
        // Without a rule, around Ramadan; and with a rule that begins after a dated change.
        for (name, from, until, dates, rules) in [
            ("Africa/Casablanca", "2025-02-01T00:00:00Z", "2025-06-30T00:00:00Z", 3, 0),
            ("America/Toronto", "2006-12-01T00:00:00Z", "2007-06-30T00:00:00Z", 3, 2),
        ] {
            let mut calendar = Calendar(String::new());
            calendar.time_zone(&zone(name), at(from), at(until));
            let found = ["DTSTART", "RRULE"].map(|line| calendar.0.matches(line).count());
            assert_eq!(found, [dates, rules], "{}", calendar.0);
        }
    }
}
