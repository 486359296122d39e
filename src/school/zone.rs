//! The school's time zone as the interface needs it: a browser's own rules may be older than the server's.

use jiff::Timestamp;
use jiff::civil::{Date, date};
use jiff::tz::TimeZone;
use serde::Serialize;
use utoipa::ToSchema;

use crate::config::Zone;

/// Whole years before and after this one whose offsets are listed.
const YEARS: i16 = 3;

/// A time zone with its offsets around now.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct SchoolZone {
    /// IANA name: `America/Toronto`.
    pub name: String,
    /// The first offset of the third year before this one, and each change until the third year after it.
    pub offsets: Vec<ZoneOffset>,
}

/// A zone's distance from UTC, until the next one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct ZoneOffset {
    /// Since when.
    pub from: Timestamp,
    /// Minutes by which the zone's clock is ahead of UTC: -300.
    pub minutes: i32,
}

impl SchoolZone {
    /// The offsets of the years around a day.
    pub fn new(zone: &Zone, today: Date) -> Self {
        let rules = zone.rules();
        let new_year = |year| midnight(date(today.year() + year, 1, 1), rules);
        let first = new_year(-YEARS);
        let end = new_year(YEARS + 1);
        let changes = rules.following(first).map(|change| change.timestamp()).take_while(|at| *at < end);
        let mut offsets: Vec<_> = std::iter::once(first)
            .chain(changes)
            .map(|from| ZoneOffset { from, minutes: rules.to_offset(from).seconds() / 60 })
            .collect();
        // Winnipeg's change of November 2026 is one of the name alone.
        offsets.dedup_by_key(|offset| offset.minutes);
        Self { name: zone.name().to_owned(), offsets }
    }
}

fn midnight(day: Date, zone: &TimeZone) -> Timestamp {
    day.to_zoned(zone.clone()).map(|day| day.timestamp()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Instants and minutes of a zone's offsets.
    fn offsets(name: &str) -> Vec<(String, i32)> {
        let zone = Zone::try_from(name.to_owned()).unwrap();
        let found = SchoolZone::new(&zone, date(2026, 11, 28)).offsets;
        found.into_iter().map(|offset| (offset.from.to_string(), offset.minutes)).collect()
    }

    #[test]
    fn the_offsets_of_some_years_are_those_of_the_newest_rules() {
        let spring =
            |offsets: &[(String, i32)]| offsets.iter().filter(|(from, _)| from.contains("-03-")).count();
        let toronto = offsets("America/Toronto");
        assert_eq!((toronto.len(), spring(&toronto)), (15, 7));
        assert_eq!(toronto[0], ("2023-01-01T05:00:00Z".to_owned(), -300));
        assert!(toronto.contains(&("2026-11-01T06:00:00Z".to_owned(), -300)));
        // Since March 2026 Winnipeg keeps its time.
        let winnipeg = offsets("America/Winnipeg");
        assert_eq!(winnipeg.last(), Some(&("2026-03-08T08:00:00Z".to_owned(), -300)));
        assert_eq!(offsets("UTC"), [("2023-01-01T00:00:00Z".to_owned(), 0)]);
    }
}
