//! When the office is open: as the configuration writes it, as the office chooses it, as pages and search
//! engines read it.

use std::fmt;

use jiff::civil::Time;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use utoipa::ToSchema;

use crate::base::closed_set::{ClosedSet, closed_set};

closed_set! {
    /// A day of the week, in the order in which people say them.
    pub enum Day {
        /// Monday.
        Monday = "monday" => "Monday",
        /// Tuesday.
        Tuesday = "tuesday" => "Tuesday",
        /// Wednesday.
        Wednesday = "wednesday" => "Wednesday",
        /// Thursday.
        Thursday = "thursday" => "Thursday",
        /// Friday.
        Friday = "friday" => "Friday",
        /// Saturday.
        Saturday = "saturday" => "Saturday",
        /// Sunday.
        Sunday = "sunday" => "Sunday",
    }
}

impl Day {
    fn of_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|day| day.label() == name)
    }
}

/// A time of day to the minute: `08:30` on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ToSchema)]
#[schema(value_type = String, example = "08:30")]
pub struct Minute(Time);

impl Minute {
    /// Reads `08:30`.
    pub fn parse(text: &str) -> Option<Self> {
        (text.len() == 5).then(|| Time::strptime("%H:%M", text).ok().map(Self)).flatten()
    }

    /// Reads `8:30 AM`.
    fn of_words(text: &str) -> Option<Self> {
        Time::strptime("%I:%M %p", text).ok().map(Self)
    }
}

/// On the wire and for machines.
impl fmt::Display for Minute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.strftime("%H:%M").fmt(f)
    }
}

impl Serialize for Minute {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Minute {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| serde::de::Error::custom(format!("no time of day: {text}")))
    }
}

/// On some days, from when to when.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct OpeningHours {
    /// One day at least, each once, in the order of the week.
    pub days: Vec<Day>,
    /// When the office opens.
    pub opens: Minute,
    /// When it closes, later than that.
    pub closes: Minute,
}

/// `Monday to Friday, 8:30 AM to 4:30 PM`.
impl fmt::Display for OpeningHours {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.days.iter().map(|day| day.label()).collect();
        let is_run = names.len() > 2
            && self.days.windows(2).all(|two| {
                let place = |day| Day::ALL.iter().position(|each| *each == day);
                place(two[0]).map(|place| place + 1) == place(two[1])
            });
        match &*names {
            [first, .., last] if is_run => write!(f, "{first} to {last}")?,
            [rest @ .., last] if !rest.is_empty() => write!(f, "{} and {last}", rest.join(", "))?,
            _ => f.write_str(&names.concat())?,
        }
        let words = |minute: Minute| minute.0.strftime("%-I:%M %p").to_string();
        write!(f, ", {} to {}", words(self.opens), words(self.closes))
    }
}

/// Several, as pages show them.
pub fn in_words(hours: &[OpeningHours]) -> String {
    hours.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

/// Reads what [`in_words`] writes; none if it is said in other words.
pub fn of_words(text: &str) -> Option<Vec<OpeningHours>> {
    text.split("; ").map(one_of_words).collect()
}

fn one_of_words(text: &str) -> Option<OpeningHours> {
    let (before, closes) = text.rsplit_once(" to ")?;
    let (days, opens) = before.rsplit_once(", ")?;
    let days = match days.split_once(" to ") {
        Some((first, last)) => {
            let place =
                |name| Day::of_name(name).and_then(|day| Day::ALL.iter().position(|each| *each == day));
            Day::ALL.get(place(first)?..=place(last)?)?.to_vec()
        }
        None => {
            days.split(", ").flat_map(|part| part.split(" and ")).map(Day::of_name).collect::<Option<_>>()?
        }
    };
    let opens = Minute::of_words(opens)?;
    let closes = Minute::of_words(closes)?;
    (opens < closes).then_some(OpeningHours { days, opens, closes })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hours_are_said_and_read_in_the_same_words() {
        for words in [
            "Monday to Friday, 8:30 AM to 4:30 PM",
            "Monday to Thursday, 9:00 AM to 12:00 PM; Saturday, 10:00 AM to 1:30 PM",
            "Tuesday and Thursday, 12:00 PM to 8:00 PM",
            "Monday, Wednesday and Friday, 8:00 AM to 9:00 AM",
        ] {
            let read = of_words(words).unwrap_or_else(|| panic!("{words}"));
            assert_eq!(in_words(&read), words);
        }
        let two = [Day::Saturday, Day::Sunday];
        let weekend = OpeningHours {
            days: two.to_vec(),
            opens: Minute::parse("10:00").unwrap(),
            closes: Minute::parse("16:00").unwrap(),
        };
        assert_eq!(weekend.to_string(), "Saturday and Sunday, 10:00 AM to 4:00 PM");
    }

    #[test]
    fn ambiguous_values_are_not_guessed() {
        for words in [
            "By appointment",
            "",
            "Monday to Friday",
            "Monday, 5:00 PM to 4:00 PM",
            "Mon, 8:00 AM to 9:00 AM",
        ] {
            assert_eq!(of_words(words), None, "{words}");
        }
    }

    #[test]
    fn a_time_of_day_is_a_time_of_day() {
        for text in ["24:00", "8:30", "08:60", "08:30:00", "", "ab:cd"] {
            assert_eq!(Minute::parse(text), None, "{text}");
        }
        assert_eq!(Minute::parse("08:05").unwrap().to_string(), "08:05");
    }
}
