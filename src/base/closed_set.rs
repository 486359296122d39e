//! Closed sets of words: states, types, kinds.
//!
//! Each is an enum that `closed_set!` writes. The database, the wire and the OpenAPI document (and from there the
//! interface) use the word beside each member, so a word is spelled in one place. An unknown word is an error wherever
//! it is read, also in a database row: an unknown state must not pass for a known one.

/// Common interface of all closed sets.
pub trait ClosedSet: Copy + PartialEq + 'static {
    /// Every member, in display order.
    const ALL: &'static [Self];

    /// The member's word.
    fn as_str(self) -> &'static str;

    /// The member with this word.
    fn parse(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|member| member.as_str() == word)
    }

    /// The member with this word, for input.
    ///
    /// # Errors
    /// A sentence that lists the valid words.
    fn choose(word: &str) -> Result<Self, String> {
        Self::parse(word).ok_or_else(|| format!("Must be one of {}", Self::words()))
    }

    /// Every word, separated by commas.
    fn words() -> String {
        Self::ALL.iter().map(|member| member.as_str()).collect::<Vec<_>>().join(", ")
    }
}

/// Declares an enum whose members are words of the database and the wire; where each has what people call it behind
/// an arrow, it has a `label`, too.
// The word is a `tt`, because utoipa ignores a `literal` that a macro produces.
macro_rules! closed_set {
    ($(#[$of_set:meta])* $visibility:vis enum $set:ident {
        $($(#[$of_member:meta])* $member:ident = $word:tt => $label:literal,)+
    }) => {
        $crate::base::closed_set::closed_set!(
            $(#[$of_set])* $visibility enum $set { $($(#[$of_member])* $member = $word,)+ }
        );

        impl $set {
            /// What people call it.
            $visibility fn label(self) -> &'static str {
                match self {
                    $(Self::$member => $label,)+
                }
            }
        }
    };
    ($(#[$of_set:meta])* $visibility:vis enum $set:ident {
        $($(#[$of_member:meta])* $member:ident = $word:tt,)+
    }) => {
        $(#[$of_set])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[derive(serde::Serialize, serde::Deserialize, utoipa::ToSchema)]
        $visibility enum $set {
            $($(#[$of_member])* #[serde(rename = $word)] $member,)+
        }

        impl $crate::base::closed_set::ClosedSet for $set {
            const ALL: &'static [Self] = &[$(Self::$member),+];

            fn as_str(self) -> &'static str {
                match self {
                    $(Self::$member => $word,)+
                }
            }
        }

        impl rusqlite::types::ToSql for $set {
            fn to_sql(&self) -> rusqlite::Result<rusqlite::types::ToSqlOutput<'_>> {
                Ok($crate::base::closed_set::ClosedSet::as_str(*self).into())
            }
        }

        impl rusqlite::types::FromSql for $set {
            fn column_result(value: rusqlite::types::ValueRef<'_>) -> rusqlite::types::FromSqlResult<Self> {
                let word = value.as_str()?;
                $crate::base::closed_set::ClosedSet::parse(word).ok_or_else(|| {
                    let unknown = format!(concat!(stringify!($set), " knows no {:?}"), word);
                    rusqlite::types::FromSqlError::Other(unknown.into())
                })
            }
        }
    };
}
pub(crate) use closed_set;

#[cfg(test)]
mod tests {
    use rusqlite::Connection;

    use super::*;

    closed_set! {
        /// The colour of a light.
        enum Light {
            Red = "red",
            RedAmber = "red/amber",
        }
    }

    #[test]
    fn a_word_goes_through_the_database_the_wire_and_the_schema_unchanged() {
        let connection = Connection::open_in_memory().unwrap();
        for light in Light::ALL {
            let read: Light = connection.query_row("select ?", [light], |row| row.get(0)).unwrap();
            assert_eq!(read, *light);
            let sent = serde_json::to_value(light).unwrap();
            assert_eq!(sent, light.as_str());
            assert_eq!(serde_json::from_value::<Light>(sent).unwrap(), *light);
        }
        let schema = serde_json::to_value(<Light as utoipa::PartialSchema>::schema()).unwrap();
        assert_eq!(schema["enum"], serde_json::json!(["red", "red/amber"]));
        assert_eq!(schema["description"], "The colour of a light.");
        assert_eq!(Light::words(), "red, red/amber");
    }

    #[test]
    fn a_word_that_is_none_of_the_set_is_an_error() {
        let connection = Connection::open_in_memory().unwrap();
        for wrong in ["blue", "Red", " red", ""] {
            let read = connection.query_row("select ?", [wrong], |row| row.get::<_, Light>(0));
            let error = read.unwrap_err().to_string();
            assert!(error.contains(&format!("Light knows no {wrong:?}")), "{error}");
            assert_eq!(Light::parse(wrong), None);
            assert!(serde_json::from_value::<Light>(wrong.into()).is_err());
        }
        assert!(connection.query_row("select null", [], |row| row.get::<_, Light>(0)).is_err());
    }
}
