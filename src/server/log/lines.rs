//! Format of log lines.

use std::fmt::{self, Write as _};
use std::io::Write;

use serde_json::Value;
use tracing::field::{Field, Visit};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::layer::{Context, Layer};

use crate::base::{clock, request_id};
use crate::config::LogFormat;

/// Format of a line, depending on its destination.
#[derive(Debug, Clone, Copy)]
pub(super) struct LineStyle {
    pub(super) format: LogFormat,
    /// The journal reads the priority from a prefix and adds the time itself.
    pub(super) is_journal: bool,
    pub(super) is_terminal: bool,
}

/// Writes each event as one line.
pub(super) struct LineWriter {
    look: LineStyle,
    write: fn(&[u8]),
}

impl LineWriter {
    pub(super) fn to_stderr(look: LineStyle) -> Self {
        // A closed stderr must not stop the server.
        Self { look, write: |line| drop(std::io::stderr().lock().write_all(line)) }
    }
}

impl<S: Subscriber> Layer<S> for LineWriter {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let mut fields = Fields::default();
        event.record(&mut fields);
        request_id::with_current(|current| {
            for (name, value) in
                [("request", &*current.id), ("method", current.method.as_str()), ("route", current.route())]
            {
                fields.more.push((name, value.into()));
            }
        });
        let line = self.look.line(*event.metadata().level(), fields);
        (self.write)(line.as_bytes());
    }
}

impl LineStyle {
    fn line(self, level: Level, fields: Fields) -> String {
        let mut line = String::with_capacity(160);
        if self.is_journal {
            let _ = write!(line, "<{}>", priority(level));
        }
        match self.format {
            LogFormat::Json => Self::json(&mut line, level, fields),
            LogFormat::Text => self.text(&mut line, level, &fields),
        }
        line.push('\n');
        line
    }

    fn json(line: &mut String, level: Level, fields: Fields) {
        let first = [
            ("time", now().into()),
            ("level", level.as_str().to_lowercase().into()),
            ("message", Value::from(fields.message)),
        ];
        for (at, (name, value)) in first.into_iter().chain(fields.more).enumerate() {
            let _ = write!(line, "{}{}:{value}", if at == 0 { "{" } else { "," }, Value::from(name));
        }
        line.push('}');
    }

    fn text(self, line: &mut String, level: Level, fields: &Fields) {
        if !self.is_journal {
            let (before, after) = if self.is_terminal { (colour(level), "\x1b[0m") } else { ("", "") };
            let _ = write!(line, "{} {before}{level:>5}{after} ", now());
        }
        push_plain(line, &fields.message);
        for (name, value) in &fields.more {
            let _ = write!(line, " {name}=");
            match value {
                Value::String(text) => push_plain(line, text),
                other => line.push_str(&other.to_string()),
            }
        }
    }
}

/// Appends text, escaping line breaks and control characters.
fn push_plain(line: &mut String, text: &str) {
    for c in text.chars() {
        if c.is_control() { line.extend(c.escape_default()) } else { line.push(c) }
    }
}

fn now() -> String {
    clock::log_time().strftime("%Y-%m-%dT%H:%M:%S%.3fZ").to_string()
}

/// Syslog priorities, see sd-daemon(3).
fn priority(level: Level) -> u8 {
    match level {
        Level::ERROR => 3,
        Level::WARN => 4,
        Level::INFO => 6,
        Level::DEBUG | Level::TRACE => 7,
    }
}

fn colour(level: Level) -> &'static str {
    match level {
        Level::ERROR => "\x1b[31m",
        Level::WARN => "\x1b[33m",
        Level::INFO => "\x1b[32m",
        Level::DEBUG | Level::TRACE => "\x1b[34m",
    }
}

#[derive(Default)]
struct Fields {
    message: String,
    /// In order of occurrence.
    more: Vec<(&'static str, Value)>,
}

impl Fields {
    fn put(&mut self, field: &Field, value: Value) {
        self.more.push((field.name(), value));
    }
}

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        if field.name() == "message" {
            self.message = format!("{value:?}");
        } else {
            self.put(field, format!("{value:?}").into());
        }
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        if field.name() == "message" {
            value.clone_into(&mut self.message);
        } else {
            self.put(field, value.into());
        }
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.put(field, value.into());
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.put(field, value.into());
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        self.put(field, value.into());
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.put(field, value.into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(format: LogFormat, is_journal: bool) -> String {
        let mut fields = Fields { message: "a \"b\"\nc\u{1b}[31m".into(), ..Fields::default() };
        fields.more.push(("status", 503.into()));
        fields.more.push(("route", "/api/x".into()));
        LineStyle { format, is_journal, is_terminal: false }.line(Level::WARN, fields)
    }

    #[test]
    fn a_line_is_one_line_whatever_the_message_holds() {
        let text = line(LogFormat::Text, false);
        let (time, rest) = text.split_once(' ').unwrap();
        assert!(time.ends_with('Z') && time.len() == "2026-11-21T15:00:00.000Z".len(), "{time}");
        assert_eq!(rest, " WARN a \"b\"\\nc\\u{1b}[31m status=503 route=/api/x\n");
    }

    #[test]
    fn journal_lines_have_a_priority_and_no_time() {
        assert_eq!(line(LogFormat::Text, true), "<4>a \"b\"\\nc\\u{1b}[31m status=503 route=/api/x\n");
    }

    #[test]
    fn a_json_line_is_one_object() {
        for is_journal in [false, true] {
            let line = line(LogFormat::Json, is_journal);
            let object: Value = serde_json::from_str(line.trim_start_matches("<4>")).unwrap();
            assert_eq!(object["level"], "warn");
            assert_eq!(object["message"], "a \"b\"\nc\u{1b}[31m");
            assert_eq!(object["status"], 503);
            assert!(object["time"].as_str().unwrap().ends_with('Z'));
            assert_eq!(line.matches('\n').count(), 1);
        }
    }
}
