//! What one list of a profile's fields makes: the profile as it is stored and shown, the form that
//! changes it, and how both meet the columns of `students`.

use jiff::civil::Date;

use crate::base::closed_set::ClosedSet;
use crate::web::form::Field;

/// A value of a profile as a form would send it again.
pub trait Sent {
    /// What a body holds of it.
    type As;

    /// The field of a body that leaves it as it is.
    fn sent(&self) -> Field<Self::As>;

    /// What the history keeps of it.
    fn as_text(&self) -> Option<String>;
}

impl Sent for String {
    type As = Self;

    fn sent(&self) -> Field<Self> {
        Field::Value(self.clone())
    }

    fn as_text(&self) -> Option<String> {
        Some(self.clone())
    }
}

impl Sent for Option<String> {
    type As = String;

    fn sent(&self) -> Field<String> {
        self.clone().map_or(Field::Absent, Field::Value)
    }

    fn as_text(&self) -> Option<String> {
        self.clone()
    }
}

impl<T: ClosedSet> Sent for Option<T> {
    type As = String;

    fn sent(&self) -> Field<String> {
        self.map_or(Field::Absent, |member| Field::Value(member.as_str().to_owned()))
    }

    fn as_text(&self) -> Option<String> {
        self.map(|member| member.as_str().to_owned())
    }
}

impl Sent for Option<Date> {
    type As = String;

    fn sent(&self) -> Field<String> {
        self.map_or(Field::Absent, |date| Field::Value(date.to_string()))
    }

    fn as_text(&self) -> Option<String> {
        self.map(|date| date.to_string())
    }
}

impl Sent for bool {
    type As = Self;

    fn sent(&self) -> Field<Self> {
        Field::Value(*self)
    }

    fn as_text(&self) -> Option<String> {
        Some(self.to_string())
    }
}

/// Each field: what it is, its column, the type it is stored as, its name on the wire (which is the column's
/// in camelCase), and how the body of a change is described.
macro_rules! profile_fields {
    ($($(#[$attribute:meta])* $field:ident: $stored:ty = $wire:literal, form($($schema:tt)*);)+) => {
        /// What a student says about themselves; most of it is empty until they have said it.
        #[derive(Debug, Clone, Default, Serialize, ToSchema)]
        #[serde(rename_all = "camelCase")]
        pub struct Profile {
            $($(#[$attribute])* pub $field: $stored,)+
        }

        impl Profile {
            /// The columns of `students` that hold it.
            pub const COLUMNS: &[&str] = &[$(stringify!($field)),+];

            /// Takes it from a row.
            ///
            /// # Errors
            /// When a column is missing, or holds what it never may.
            pub fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
                Ok(Self { $($field: row.get(stringify!($field))?,)+ })
            }

            /// Every value with the name that a statement gives it: `:full_name`.
            pub fn parameters(&self) -> Vec<(&str, &dyn ToSql)> {
                vec![$((concat!(":", stringify!($field)), &self.$field),)+]
            }

            /// Every field by its name on the wire, and its value as a text.
            pub fn facts(&self) -> Vec<(&'static str, Option<String>)> {
                vec![$(($wire, self.$field.as_text()),)+]
            }
        }

        /// `PATCH /api/students/me`'s body. Other keys (id, isVerified …) are not the caller's to set.
        #[derive(Debug, Default, Deserialize, ToSchema)]
        #[serde(rename_all = "camelCase")]
        pub struct ProfileForm {
            #[serde(default)]
            #[schema(value_type = String)]
            email: Field<String>,
            /// Asked for when `email` is neither the address in use nor the one that waits.
            #[serde(default)]
            #[schema(value_type = String)]
            current_password: Field<String>,
            $(#[serde(default)] #[schema($($schema)*)] $field: Field<<$stored as Sent>::As>,)+
        }

        impl ProfileForm {
            /// The form with what is stored in the place of what it leaves out.
            fn over(&self, stored: &Profile) -> Self {
                Self {
                    email: self.email.clone(),
                    current_password: self.current_password.clone(),
                    $($field: match &self.$field {
                        Field::Absent => stored.$field.sent(),
                        sent => sent.clone(),
                    },)+
                }
            }
        }
    };
}
pub(super) use profile_fields;
