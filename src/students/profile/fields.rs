//! Macro that generates, from one list of fields, the stored profile, the form that changes it, and their mapping to
//! the columns of `students`.

use jiff::civil::Date;

use crate::base::closed_set::ClosedSet;
use crate::web::form::{Declared, Field};
use crate::web::sheet::yes_or_no;

/// Conversion of a stored value to a form field.
pub trait Sent: Declared<Read: ToString> {
    /// The form field that leaves it unchanged.
    fn sent(&self) -> Field<Self::Read>;

    /// Text for the history.
    fn as_text(&self) -> Option<String> {
        match self.sent() {
            Field::Value(value) => Some(value.to_string()),
            Field::Absent | Field::Null | Field::Wrong => None,
        }
    }
}

impl Sent for String {
    fn sent(&self) -> Field<Self> {
        Field::Value(self.clone())
    }
}

impl Sent for Option<String> {
    fn sent(&self) -> Field<String> {
        self.clone().map_or(Field::Absent, Field::Value)
    }
}

impl<T: ClosedSet> Sent for Option<T> {
    fn sent(&self) -> Field<String> {
        self.map_or(Field::Absent, |member| Field::Value(member.as_str().to_owned()))
    }
}

impl Sent for Option<Date> {
    fn sent(&self) -> Field<String> {
        self.map_or(Field::Absent, |date| Field::Value(date.to_string()))
    }
}

impl Sent for bool {
    fn sent(&self) -> Field<Self> {
        Field::Value(*self)
    }
}

/// Conversion of a CSV cell to a form field.
pub trait FromCell: Sized {
    /// The form field with this text.
    fn from_cell(text: String) -> Field<Self>;
}

impl FromCell for String {
    fn from_cell(text: String) -> Field<Self> {
        Field::Value(text)
    }
}

impl FromCell for bool {
    fn from_cell(text: String) -> Field<Self> {
        yes_or_no(&text)
    }
}

/// Context for validating a field.
#[derive(Debug, Clone, Copy)]
pub struct Known<'a> {
    /// The country of the new profile; `None` if invalid.
    pub country: Option<&'a str>,
    /// Today's date at the school.
    pub today: Date,
}

/// For each field: documentation, column, stored type, wire name (the column in camelCase), CSV heading, type in the
/// request body, and validation rule.
macro_rules! profile_fields {
    ($($(#[$attribute:meta])* $field:ident: $stored:ty = $wire:literal $heading:literal,
        form($form:ty $(, $($schema:tt)+)?), $rule:expr;)+) => {
        /// Profile of a student; mostly empty at first.
        #[derive(Debug, Clone, Default, Serialize, ToSchema)]
        #[serde(rename_all = "camelCase")]
        pub struct Profile {
            $($(#[$attribute])* pub $field: $stored,)+
        }

        impl Profile {
            /// Its columns in `students`.
            pub const COLUMNS: &[&str] = &[$(stringify!($field)),+];
            /// Wire names, in the same order.
            pub const WIRE: &[&str] = &[$($wire),+];
            /// CSV headings, in the same order.
            pub const HEADINGS: &[&str] = &[$($heading),+];

            /// Reads it from a row.
            ///
            /// # Errors
            /// When a column is missing or has an invalid value.
            pub fn read(row: &Columns<'_, '_>) -> rusqlite::Result<Self> {
                Ok(Self { $($field: row.read(stringify!($field))?,)+ })
            }

            /// Named SQL parameters: `:full_name`.
            pub fn parameters(&self) -> Vec<(&str, &dyn ToSql)> {
                vec![$((concat!(":", stringify!($field)), &self.$field),)+]
            }

            /// Merges two profiles: takes the other's value of each field for which `takes_other` returns true, given
            /// the field's name and whether it is empty here.
            pub fn joined(&self, other: &Self, takes_other: impl Fn(&str, bool) -> bool) -> Self {
                Self {
                    $($field: if takes_other($wire, self.$field.as_text().is_none()) {
                        other.$field.clone()
                    } else {
                        self.$field.clone()
                    },)+
                }
            }

            /// All fields as text, by wire name.
            pub fn facts(&self) -> Vec<(&'static str, Option<String>)> {
                vec![$(($wire, self.$field.as_text()),)+]
            }
        }

        form! {
            /// `PATCH /api/students/me`'s body. Other keys (id, isVerified …) are ignored.
            pub struct ProfileForm {
                #[schema(required = false)]
                email: String,
                /// Required when `email` is neither the current nor the pending address.
                #[schema(required = false)]
                current_password: String,
                /// Version of the account when it was read; refused if outdated.
                version: Option<i64>,
                $(#[schema(required = false $(, $($schema)+)?)] $field: $form,)+
            }
        }

        form! {
            /// `PATCH /api/admin/students/{id}`'s body: any of the profile's fields.
            pub struct StudentChange {
                /// Version of the account when it was read; refused if outdated.
                pub version: i64,
                /// Reason, for the history.
                pub reason: Option<String>,
                $(#[schema(required = false $(, $($schema)+)?)] pub $field: $form,)+
            }
        }

        impl From<&StudentChange> for ProfileForm {
            fn from(change: &StudentChange) -> Self {
                Self {
                    email: Field::Absent,
                    current_password: Field::Absent,
                    version: Field::Absent,
                    $($field: change.$field.clone(),)+
                }
            }
        }

        impl StudentChange {
            /// The change from a CSV line; `cell` returns the text of a field, by wire name.
            pub fn from_cells(cell: impl Fn(&str) -> Option<String>) -> Self {
                Self {
                    $($field: cell($wire).map_or(Field::Absent, FromCell::from_cell),)+
                    ..Self::default()
                }
            }
        }

        impl ProfileForm {
            /// Validates the form; adds problems to `errors`.
            fn judged(&self, known: Known<'_>, errors: &mut FieldErrors) -> Profile {
                Profile {
                    $($field: {
                        let rule: fn(&Field<<$form as Declared>::Read>, Known<'_>) -> Result<$stored, String> = $rule;
                        errors.take($wire, rule(&self.$field, known)).unwrap_or_default()
                    },)+
                }
            }

            /// Names of empty fields.
            fn blanks(&self) -> Vec<&'static str> {
                let all = [$(($wire, self.$field.is_blank()),)+];
                all.into_iter().filter(|(_, is_blank)| *is_blank).map(|(name, _)| name).collect()
            }

            /// Fills absent fields with stored values.
            fn over(&self, stored: &Profile) -> Self {
                Self {
                    email: self.email.clone(),
                    current_password: self.current_password.clone(),
                    version: self.version.clone(),
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
