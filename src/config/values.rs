//! Types of configuration values, parsed once when the configuration is loaded.

use std::fmt::{self, Display};
use std::str::FromStr;
use std::sync::{PoisonError, RwLock};

use jiff::civil::Time;
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};

use crate::base::zone_rules;

/// What the office has published over the file, if it has; not part of the written configuration, and of a copy its own.
#[derive(Debug)]
pub struct InForce<T>(RwLock<Option<T>>);

impl<T: Clone> InForce<T> {
    pub(super) fn get(&self) -> Option<T> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn set(&self, published: Option<T>) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = published;
    }
}

impl<T> Default for InForce<T> {
    fn default() -> Self {
        Self(RwLock::new(None))
    }
}

impl<T: Clone> Clone for InForce<T> {
    fn clone(&self) -> Self {
        Self(RwLock::new(self.get()))
    }
}

impl<T> PartialEq for InForce<T> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl<T> Eq for InForce<T> {}

/// The public URL: `https://school.example`, without a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublicUrl(String);

impl PublicUrl {
    /// The URL, without a trailing slash.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for PublicUrl {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let url = text.trim_end_matches('/');
        let host = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
        if host.is_none_or(|host| host.is_empty() || host.contains(['/', '?', '#', ' '])) {
            return Err(format!("must be like https://school.example, without a path (found {text:?})"));
        }
        Ok(Self(url.to_owned()))
    }
}

impl Display for PublicUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A time of the day in the school's time zone: `02:30`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeOfDay(pub Time);

impl FromStr for TimeOfDay {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Time::strptime("%H:%M", text)
            .map(Self)
            .map_err(|_| format!("must be like \"02:30\", or \"\" (found {text:?})"))
    }
}

impl Display for TimeOfDay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.strftime("%H:%M"))
    }
}

/// A time zone by its IANA name.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(try_from = "String", into = "String")]
pub struct Zone(TimeZone);

impl Zone {
    /// The sample school's time zone.
    pub(super) fn toronto() -> Self {
        // The zones are compiled in.
        Self(zone_rules::IN_FORCE.zone("America/Toronto").unwrap_or(TimeZone::UTC))
    }

    /// The zone's rules.
    pub fn rules(&self) -> &TimeZone {
        &self.0
    }

    /// Its name, like `America/Toronto`.
    pub fn name(&self) -> &str {
        self.0.iana_name().unwrap_or("UTC")
    }

    /// Suffix of a displayed time of day: `Toronto time`.
    pub fn words(&self) -> String {
        match self.name().rsplit('/').next().unwrap_or_default() {
            "UTC" => "UTC".to_owned(),
            place => format!("{} time", place.replace('_', " ")),
        }
    }
}

impl TryFrom<String> for Zone {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        zone_rules::IN_FORCE
            .zone(&name)
            .map(Self)
            .ok_or_else(|| format!("must be an IANA name such as America/Toronto (found {name:?})"))
    }
}

impl From<Zone> for String {
    fn from(zone: Zone) -> Self {
        zone.name().to_owned()
    }
}

/// An optional value, whose absence is written as an empty string: an omitted key means its default.
pub(super) mod optional {
    use super::{Display, FromStr};
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    #[expect(clippy::ref_option, reason = "serde hands the field as it is")]
    pub fn serialize<T: Display, S: Serializer>(value: &Option<T>, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&value.as_ref().map(ToString::to_string).unwrap_or_default())
    }

    pub fn deserialize<'de, T, D>(deserializer: D) -> Result<Option<T>, D::Error>
    where
        T: FromStr<Err: Display>,
        D: Deserializer<'de>,
    {
        let text = String::deserialize(deserializer)?;
        if text.is_empty() { Ok(None) } else { text.parse().map(Some).map_err(D::Error::custom) }
    }
}

/// The same for a listening address, whose own parse error would not say what is expected.
pub(super) mod optional_address {
    pub use super::optional::serialize;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer};
    use std::net::SocketAddr;

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<SocketAddr>, D::Error> {
        let text = String::deserialize(deserializer)?;
        let wrong = |_| D::Error::custom(format!("must be like 127.0.0.1:9464, or empty (found {text:?})"));
        if text.is_empty() { Ok(None) } else { text.parse().map(Some).map_err(wrong) }
    }
}

/// A list of values separated by spaces.
pub(super) mod list {
    use super::{Display, FromStr};
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<T: Display, S: Serializer>(values: &[T], serializer: S) -> Result<S::Ok, S::Error> {
        let texts: Vec<_> = values.iter().map(ToString::to_string).collect();
        serializer.serialize_str(&texts.join(" "))
    }

    pub fn deserialize<'de, T, D>(deserializer: D) -> Result<Vec<T>, D::Error>
    where
        T: FromStr<Err: Display>,
        D: Deserializer<'de>,
    {
        let text = String::deserialize(deserializer)?;
        text.split_whitespace().map(|text| text.parse().map_err(D::Error::custom)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_values_are_refused_with_their_rule() {
        for (url, expected) in [
            ("https://school.example/", Some("https://school.example")),
            ("http://127.0.0.1:8080", Some("http://127.0.0.1:8080")),
            ("school.example", None),
            ("https://", None),
            ("https://school.example/path", None),
        ] {
            assert_eq!(url.parse::<PublicUrl>().ok().as_ref().map(PublicUrl::as_str), expected, "{url}");
        }
        assert_eq!("02:30".parse::<TimeOfDay>().map(|time| time.to_string()), Ok("02:30".into()));
        assert!("2:61".parse::<TimeOfDay>().unwrap_err().contains("must be like \"02:30\""));
        assert_eq!(Zone::try_from("America/Toronto".to_owned()).unwrap().name(), "America/Toronto");
        assert!(Zone::try_from("Ontario".to_owned()).unwrap_err().contains("IANA"));
        for (name, words) in
            [("America/St_Johns", "St Johns time"), ("UTC", "UTC"), ("America/Toronto", "Toronto time")]
        {
            assert_eq!(Zone::try_from(name.to_owned()).unwrap().words(), words);
        }
    }
}
