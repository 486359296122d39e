//! Prometheus' text format, version 0.0.4.

use std::fmt::{Display, Write};

use crate::base::meters::Histogram;

/// The text so far.
#[derive(Default)]
pub(super) struct Exposition(pub(super) String);

type Labels<'a> = &'a [(&'a str, &'a str)];

impl Exposition {
    /// Starts a metric: its name without the common prefix, its type and its help text.
    pub(super) fn begin(&mut self, name: &str, kind: &str, help: &str) {
        let _ = write!(self.0, "# HELP schoolhouse_{name} {help}\n# TYPE schoolhouse_{name} {kind}\n");
    }

    /// One value of the current metric.
    pub(super) fn value(&mut self, name: &str, labels: Labels<'_>, value: impl Display) {
        let _ = writeln!(self.0, "schoolhouse_{name}{} {value}", between_braces(labels, None));
    }

    /// A metric with a single value.
    pub(super) fn single(&mut self, name: &str, kind: &str, help: &str, value: impl Display) {
        self.begin(name, kind, help);
        self.value(name, &[], value);
    }

    /// The values of a histogram.
    pub(super) fn histogram<const N: usize>(&mut self, name: &str, labels: Labels<'_>, from: &Histogram<N>) {
        let (buckets, count, sum) = from.read();
        for (bound, heaped) in buckets {
            let braces = between_braces(labels, Some(&bound.to_string()));
            let _ = writeln!(self.0, "schoolhouse_{name}_bucket{braces} {heaped}");
        }
        let braces = between_braces(labels, Some("+Inf"));
        let _ = writeln!(self.0, "schoolhouse_{name}_bucket{braces} {count}");
        let braces = between_braces(labels, None);
        let _ = write!(
            self.0,
            "schoolhouse_{name}_sum{braces} {sum}\nschoolhouse_{name}_count{braces} {count}\n"
        );
    }
}

fn between_braces(labels: Labels<'_>, bound: Option<&str>) -> String {
    let all: Vec<String> = labels
        .iter()
        .copied()
        .chain(bound.map(|bound| ("le", bound)))
        .map(|(name, value)| {
            let value = value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
            format!("{name}=\"{value}\"")
        })
        .collect();
    if all.is_empty() { String::new() } else { format!("{{{}}}", all.join(",")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_format_is_prometheus_own() {
        static SECONDS: Histogram<1> = Histogram::new(&[0.5]);
        SECONDS.note(0.25);
        SECONDS.note(2.0);
        let mut page = Exposition::default();
        page.single("open", "gauge", "What is open.", 7);
        page.begin("seconds", "histogram", "How long.");
        page.histogram("seconds", &[("route", "/a\"b")], &SECONDS);
        assert_eq!(
            page.0,
            "# HELP schoolhouse_open What is open.\n# TYPE schoolhouse_open gauge\nschoolhouse_open 7\n\
             # HELP schoolhouse_seconds How long.\n# TYPE schoolhouse_seconds histogram\n\
             schoolhouse_seconds_bucket{route=\"/a\\\"b\",le=\"0.5\"} 1\n\
             schoolhouse_seconds_bucket{route=\"/a\\\"b\",le=\"+Inf\"} 2\n\
             schoolhouse_seconds_sum{route=\"/a\\\"b\"} 2.25\nschoolhouse_seconds_count{route=\"/a\\\"b\"} 2\n"
        );
    }
}
