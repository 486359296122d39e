//! Dates of the demo, relative to today at the school.

use anyhow::Context as _;
use jiff::civil::{Date, Weekday};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, ToSpan as _};

use super::dice::Dice;
use crate::base::error::Result;
use crate::web::app::App;

/// The current time and date at the school.
#[derive(Clone)]
pub struct Calendar {
    /// Current time.
    pub now: Timestamp,
    /// Today's date at the school.
    pub today: Date,
    /// Time zone of the school.
    pub zone: TimeZone,
}

impl Calendar {
    /// The calendar of a school.
    pub fn of(app: &App) -> Self {
        let zone = app.config.school().zone();
        Self { now: app.clock.now(), today: app.clock.today(&zone), zone }
    }

    /// The date this many days from today.
    pub fn day(&self, from_today: i64) -> Date {
        self.today.saturating_add(from_today.days())
    }

    /// The date at the school at an instant.
    pub fn date_of(&self, at: Timestamp) -> Date {
        at.to_zoned(self.zone.clone()).date()
    }

    /// A time at which a student is active: during waking hours, never later than now.
    pub fn at_home(&self, from_today: i64, dice: &mut Dice) -> Result<Timestamp> {
        let minute = dice.between(7 * 60, 22 * 60 - 1);
        let at = self.instant(self.day(from_today), minute)?;
        // Part of today may still be in the future.
        Ok(at.min(self.now - SignedDuration::from_mins(22 * 60 - minute)))
    }

    /// A time at which the office works; a weekend is moved to the Friday before.
    pub fn at_work(&self, from_today: i64, dice: &mut Dice) -> Result<Timestamp> {
        let day = self.day(from_today);
        let back = match day.weekday() {
            Weekday::Saturday => 1,
            Weekday::Sunday => 2,
            _ => 0,
        };
        let minute = dice.between(9 * 60, 16 * 60 + 29);
        let at = self.instant(day.saturating_sub(back.days()), minute)?;
        Ok(at.min(self.now - SignedDuration::from_mins(1)))
    }

    fn instant(&self, day: Date, minute: i64) -> Result<Timestamp> {
        let hour = (minute / 60) as i8;
        let minute = (minute % 60) as i8;
        let at = day.at(hour, minute, 0, 0).to_zoned(self.zone.clone()).context("an hour of the demo")?;
        Ok(at.timestamp())
    }
}
