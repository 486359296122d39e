//! Days and hours of a section as the pages say them. The hours are written as `ui/src/meetings.ts` writes them.

use crate::base::dates::date_in_words;
use jiff::civil::Date;

use super::{Meeting, Section};

const WEEKDAYS: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

/// `Tue and Thu 19:00–20:30`; other hours behind a semicolon.
pub fn hours(meetings: &[Meeting]) -> String {
    let mut groups: Vec<(String, Vec<&str>)> = Vec::new();
    for Meeting { weekday, starts_at, ends_at, .. } in meetings {
        let day = usize::try_from(weekday - 1).ok().and_then(|place| WEEKDAYS.get(place)).unwrap_or(&"");
        let hours = format!("{starts_at}–{ends_at}");
        match groups.iter_mut().find(|(other, _)| *other == hours) {
            Some((_, days)) => days.push(day),
            None => groups.push((hours, vec![day])),
        }
    }
    let group = |(hours, days): &(String, Vec<&str>)| format!("{} {hours}", list(days));
    groups.iter().map(group).collect::<Vec<_>>().join("; ")
}

/// `Mon, Wed and Fri`.
fn list(words: &[&str]) -> String {
    match words.split_last() {
        Some((last, before)) if !before.is_empty() => format!("{} and {last}", before.join(", ")),
        _ => words.concat(),
    }
}

/// When a section is taught: its hours with the place whose time they are, or until when it is at the student's own
/// pace.
pub(super) fn when(section: &Section, time_zone: &str) -> String {
    if section.meetings.is_empty() {
        return format!("At your own pace until {}", date_in_words(section.ends_on));
    }
    let city = time_zone.rsplit('/').next().unwrap_or(time_zone).replace('_', " ");
    format!("{} {city} time", hours(&section.meetings))
}

/// `February 1 to June 25, 2027`.
pub(super) fn dates(first: Date, last: Date) -> String {
    let year = if first.year() == last.year() { "" } else { ", %Y" };
    let first = first.strftime(&format!("%B %-d{year}")).to_string();
    format!("{first} to {}", date_in_words(last))
}

/// `Join by February 15, 2027`.
pub(super) fn join_by(last: Date) -> String {
    format!("Join by {}", date_in_words(last))
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;
    use crate::terms::TimeOfDay;

    #[test]
    fn days_with_the_same_hours_are_said_together() {
        let meeting = |weekday, starts: &str, ends: &str| Meeting {
            id: 0,
            weekday,
            starts_at: TimeOfDay::parse(starts).unwrap(),
            ends_at: TimeOfDay::parse(ends).unwrap(),
            link: None,
        };
        let evenings = [2, 4].map(|day| meeting(day, "19:00", "20:30"));
        assert_eq!(hours(&evenings), "Tue and Thu 19:00–20:30");
        let all = [&evenings[..], &[meeting(5, "19:00", "20:30"), meeting(6, "09:05", "10:00")]].concat();
        assert_eq!(hours(&all), "Tue, Thu and Fri 19:00–20:30; Sat 09:05–10:00");
        assert_eq!(hours(&[]), "");
        assert_eq!(dates(date(2027, 2, 1), date(2027, 6, 25)), "February 1 to June 25, 2027");
        assert_eq!(dates(date(2026, 11, 2), date(2027, 2, 26)), "November 2, 2026 to February 26, 2027");
    }
}
