//! What one list of a profile's fields makes: the profile as it is stored and shown, the form that
//! changes it, and how both meet the columns of `students`.

use jiff::civil::Date;

use crate::base::closed_set::ClosedSet;
use crate::web::form::{Declared, Field};
use crate::web::sheet::yes_or_no;

/// A value of a profile as a form would send it again.
pub trait Sent: Declared {
    /// The field of a body that leaves it as it is.
    fn sent(&self) -> Field<Self::Read>;

    /// What the history keeps of it.
    fn as_text(&self) -> Option<String>;
}

impl Sent for String {
    fn sent(&self) -> Field<Self> {
        Field::Value(self.clone())
    }

    fn as_text(&self) -> Option<String> {
        Some(self.clone())
    }
}

impl Sent for Option<String> {
    fn sent(&self) -> Field<String> {
        self.clone().map_or(Field::Absent, Field::Value)
    }

    fn as_text(&self) -> Option<String> {
        self.clone()
    }
}

impl<T: ClosedSet> Sent for Option<T> {
    fn sent(&self) -> Field<String> {
        self.map_or(Field::Absent, |member| Field::Value(member.as_str().to_owned()))
    }

    fn as_text(&self) -> Option<String> {
        self.map(|member| member.as_str().to_owned())
    }
}

impl Sent for Option<Date> {
    fn sent(&self) -> Field<String> {
        self.map_or(Field::Absent, |date| Field::Value(date.to_string()))
    }

    fn as_text(&self) -> Option<String> {
        self.map(|date| date.to_string())
    }
}

impl Sent for bool {
    fn sent(&self) -> Field<Self> {
        Field::Value(*self)
    }

    fn as_text(&self) -> Option<String> {
        Some(self.to_string())
    }
}

/// What a field of a form takes from a cell of a sheet.
pub trait FromCell: Sized {
    /// The field that this text fills.
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

/// What the rule of a field needs to know beside the field.
#[derive(Debug, Clone, Copy)]
pub struct Known<'a> {
    /// The country of the profile as it would be; none where the country is wrong.
    pub country: Option<&'a str>,
    /// The calendar date where the school is.
    pub today: Date,
}

/// Each field: what it is, its column, the type it is stored as, its name on the wire (which is the column's
/// in camelCase), its heading in a sheet (the same in words), how the body of a change is described, and its rule.
macro_rules! profile_fields {
    ($($(#[$attribute:meta])* $field:ident: $stored:ty = $wire:literal $heading:literal,
        form($form:ty $(, $($schema:tt)+)?), $rule:expr;)+) => {
        /// What a student says about themselves; most of it is empty until they have said it.
        #[derive(Debug, Clone, Default, Serialize, ToSchema)]
        #[serde(rename_all = "camelCase")]
        pub struct Profile {
            $($(#[$attribute])* pub $field: $stored,)+
        }

        impl Profile {
            /// The columns of `students` that hold it.
            pub const COLUMNS: &[&str] = &[$(stringify!($field)),+];
            /// Their names on the wire, in the same order.
            pub const WIRE: &[&str] = &[$($wire),+];
            /// Their headings in a sheet, in the same order.
            pub const HEADINGS: &[&str] = &[$($heading),+];

            /// Takes it from a row.
            ///
            /// # Errors
            /// When a column is missing, or holds what it never may.
            pub fn read(row: &Columns<'_, '_>) -> rusqlite::Result<Self> {
                Ok(Self { $($field: row.get(stringify!($field))?,)+ })
            }

            /// Every value with the name that a statement gives it: `:full_name`.
            pub fn parameters(&self) -> Vec<(&str, &dyn ToSql)> {
                vec![$((concat!(":", stringify!($field)), &self.$field),)+]
            }

            /// One profile of two: of each field the other's value where the function says so, which is told
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

            /// Every field by its name on the wire, and its value as a text.
            pub fn facts(&self) -> Vec<(&'static str, Option<String>)> {
                vec![$(($wire, self.$field.as_text()),)+]
            }
        }

        form! {
            /// `PATCH /api/students/me`'s body. Other keys (id, isVerified …) are not the caller's to set.
            pub struct ProfileForm {
                #[schema(required = false)]
                email: String,
                /// Asked for when `email` is neither the address in use nor the one that waits.
                #[schema(required = false)]
                current_password: String,
                /// The version of the account that was seen; with another one nothing is changed.
                version: Option<i64>,
                $(#[schema(required = false $(, $($schema)+)?)] $field: $form,)+
            }
        }

        form! {
            /// `PATCH /api/admin/students/{id}`'s body: any of the profile's fields.
            pub struct StudentChange {
                /// The version of the account that was seen; with another one nothing is changed.
                pub version: i64,
                /// Why, for the history.
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
            /// The change that a line of a sheet makes: `cell` has the text of a field, by its name on the wire.
            pub fn from_cells(cell: impl Fn(&str) -> Option<String>) -> Self {
                Self {
                    $($field: cell($wire).map_or(Field::Absent, FromCell::from_cell),)+
                    ..Self::default()
                }
            }
        }

        impl ProfileForm {
            /// The profile that the form describes, with the rules that it breaks among the errors.
            fn judged(&self, known: Known<'_>, errors: &mut FieldErrors) -> Profile {
                Profile {
                    $($field: {
                        let rule: fn(&Field<<$form as Declared>::Read>, Known<'_>) -> Result<$stored, String> = $rule;
                        errors.take($wire, rule(&self.$field, known)).unwrap_or_default()
                    },)+
                }
            }

            /// The fields with nothing in them.
            fn blanks(&self) -> Vec<&'static str> {
                let all = [$(($wire, self.$field.is_blank()),)+];
                all.into_iter().filter(|(_, is_blank)| *is_blank).map(|(name, _)| name).collect()
            }

            /// The form with what is stored in the place of what it leaves out.
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
