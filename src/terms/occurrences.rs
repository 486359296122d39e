//! The dated classes of a section: its weekly hours from the first to the last day, without days off.

use jiff::Timestamp;
use jiff::ToSpan as _;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use super::Meeting;
use crate::base::dates::DateRange;

/// A class on a date.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Occurrence<'a> {
    /// The date at the school.
    pub date: Date,
    /// The weekly hour that it is one of.
    pub meeting: &'a Meeting,
    /// When it begins.
    pub starts: Timestamp,
    /// When it ends.
    pub ends: Timestamp,
}

/// The classes of some weekly hours from the first to the last of some days, in order. The hours are the school's, so a
/// class keeps its hour there when the clocks change; abroad it shifts.
pub fn occurrences<'a>(
    meetings: &'a [Meeting],
    days: DateRange,
    days_off: &[Date],
    zone: &TimeZone,
) -> Vec<Occurrence<'a>> {
    let days = days.first.series(1.day()).take_while(|day| *day <= days.last);
    let days = days.filter(|day| !days_off.contains(day));
    let of_day = |date: Date| {
        let weekday = date.weekday().to_monday_one_offset();
        meetings.iter().filter(move |meeting| meeting.weekday == weekday).map(move |meeting| Occurrence {
            date,
            meeting,
            starts: meeting.starts_at.on(date, zone),
            ends: meeting.ends_at.on(date, zone),
        })
    };
    let mut all: Vec<_> = days.flat_map(of_day).collect();
    all.sort_by_key(|one| (one.starts, one.meeting.id));
    all
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;
    use crate::base::zone_rules;
    use crate::terms::TimeOfDay;

    fn zone(name: &str) -> TimeZone {
        zone_rules::IN_FORCE.zone(name).unwrap()
    }

    fn meeting(weekday: i8, starts_at: &str, ends_at: &str) -> Meeting {
        let time = |text| TimeOfDay::parse(text).unwrap();
        Meeting {
            id: i64::from(weekday),
            weekday,
            starts_at: time(starts_at),
            ends_at: time(ends_at),
            link: None,
        }
    }

    /// Day and hour of each class as a reader's clock shows them.
    fn read_in(reader: &str, found: &[Occurrence<'_>]) -> Vec<String> {
        let local =
            |one: &Occurrence<'_>| one.starts.to_zoned(zone(reader)).strftime("%a %m-%d %H:%M").to_string();
        found.iter().map(local).collect()
    }

    #[test]
    fn an_hour_stays_at_the_school_when_clocks_change_and_shifts_abroad() {
        let evening = [meeting(2, "19:00", "20:30"), meeting(4, "19:00", "20:30")];
        // Toronto sets its clocks forward on March 14, 2027; Lagos, Shanghai and Honolulu never do.
        let days = DateRange { first: date(2027, 3, 9), last: date(2027, 3, 18) };
        let found = occurrences(&evening, days, &[], &zone("America/Toronto"));
        let table = [
            ("America/Toronto", ["Tue 03-09 19:00", "Thu 03-11 19:00", "Tue 03-16 19:00", "Thu 03-18 19:00"]),
            ("Africa/Lagos", ["Wed 03-10 01:00", "Fri 03-12 01:00", "Wed 03-17 00:00", "Fri 03-19 00:00"]),
            ("Asia/Shanghai", ["Wed 03-10 08:00", "Fri 03-12 08:00", "Wed 03-17 07:00", "Fri 03-19 07:00"]),
            (
                "Pacific/Honolulu",
                ["Tue 03-09 14:00", "Thu 03-11 14:00", "Tue 03-16 13:00", "Thu 03-18 13:00"],
            ),
        ];
        for (reader, expected) in table {
            assert_eq!(read_in(reader, &found), expected, "{reader}");
        }
        assert!(found.iter().all(|one| one.ends.duration_since(one.starts).as_mins() == 90));
        // And back on November 7, on a Sunday with a class at an hour that comes twice, as on the day in March at one
        // that does not come.
        let night = [meeting(7, "01:30", "02:30")];
        let days = DateRange { first: date(2027, 11, 1), last: date(2027, 11, 14) };
        let autumn = occurrences(&night, days, &[], &zone("America/Toronto"));
        assert_eq!(read_in("America/Toronto", &autumn), ["Sun 11-07 01:30", "Sun 11-14 01:30"]);
        assert_eq!(read_in("Africa/Lagos", &autumn), ["Sun 11-07 06:30", "Sun 11-14 07:30"]);
        let skipped = [meeting(7, "02:15", "02:45")];
        let days = DateRange { first: date(2027, 3, 14), last: date(2027, 3, 14) };
        let spring = occurrences(&skipped, days, &[], &zone("America/Toronto"));
        assert_eq!(read_in("America/Toronto", &spring), ["Sun 03-14 03:15"]);
    }

    #[test]
    fn days_off_are_left_out_and_the_days_include_the_first_and_the_last() {
        let meetings =
            [meeting(1, "18:00", "19:00"), meeting(1, "09:00", "10:00"), meeting(3, "09:00", "10:00")];
        let days = DateRange { first: date(2026, 12, 14), last: date(2026, 12, 28) };
        let off = [date(2026, 12, 21), date(2026, 12, 23)];
        let found = occurrences(&meetings, days, &off, &zone("America/Toronto"));
        assert_eq!(
            read_in("America/Toronto", &found),
            ["Mon 12-14 09:00", "Mon 12-14 18:00", "Wed 12-16 09:00", "Mon 12-28 09:00", "Mon 12-28 18:00"]
        );
        let swapped = DateRange { first: days.last, last: days.first };
        assert_eq!(occurrences(&meetings, swapped, &[], &zone("America/Toronto")), []);
    }
}
