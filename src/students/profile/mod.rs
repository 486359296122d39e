//! The list of profile fields with rules and messages (specification, section 5). A new field needs an entry and a
//! column; forms, history, CSV, download, blanking and merging follow.

pub mod choices;
mod fields;
pub mod formats;
pub mod places;
#[cfg(test)]
mod tests;

use jiff::civil::Date;
use rusqlite::ToSql;
use serde::Serialize;
use utoipa::ToSchema;

use self::choices::{CanadianStatus, Gender, Region};
use self::fields::{FromCell, Known, Sent, profile_fields};
use self::formats::{city, country, date_of_birth, phone_number, postal_code, province, yes_or_no};
pub use self::places::{CANADA, COUNTRY_NAMES};
use super::{Student, age};
use crate::base::contact::{self, Contact};
use crate::base::email::Email;
use crate::base::error::FieldErrors;
use crate::storage::columns::Columns;
use crate::web::form::{Declared, Field, form};

profile_fields! {
    /// Full name.
    full_name: Option<String> = "fullName" "Full name", form(String),
        |field, _| field.person(2, 200, "Full name is required").map(Some);
    /// Preferred name.
    preferred_name: Option<String> = "preferredName" "Preferred name", form(Option<String>),
        |field, _| field.optional_person(100);
    /// Date of birth.
    date_of_birth: Option<Date> = "dateOfBirth" "Date of birth", form(Date),
        |field, known| date_of_birth(field, known.today).map(Some);
    /// Gender.
    gender: Option<Gender> = "gender" "Gender", form(Gender),
        |field, _| field.filled("Gender is required")?.one_of().map(Some);
    /// Status in Canada.
    canadian_status: Option<CanadianStatus> = "canadianStatus" "Canadian status", form(CanadianStatus),
        |field, _| field.filled("Canadian status is required")?.one_of().map(Some);
    /// Two letters of ISO 3166-1; default `CA`.
    country: String = "country" "Country", form(String, example = "CA"), |field, _| country(field);
    /// Street and number.
    address: Option<String> = "address" "Address", form(String),
        |field, _| field.between(1, 500, "Address is required").map(Some);
    /// City.
    city: Option<String> = "city" "City", form(String),
        |field, known| city(field, known.country);
    /// In Canada one of the 13 provinces and territories, two letters; elsewhere optional free text.
    #[schema(value_type = Option<Region>)]
    province: Option<String> = "province" "Province", form(Option<Region>),
        |field, known| province(field, known.country);
    /// Postal code.
    postal_code: Option<String> = "postalCode" "Postal code", form(Option<String>),
        |field, known| postal_code(field, known.country);
    /// Telephone number.
    phone_number: Option<String> = "phoneNumber" "Phone number", form(String),
        |field, known| phone_number(field, known.country).map(Some);
    /// A parent's or guardian's name.
    parent_name: Option<String> = "parentName" "Parent name", form(Option<String>),
        |field, _| field.optional_person(200);
    /// Email address, telephone number, or both, of the parent or guardian.
    parent_contact: Option<String> = "parentContact" "Parent contact", form(Option<String>),
        |field, _| field.optional(contact::MAX_CHARACTERS);
    /// Previous school.
    last_school: Option<String> = "lastSchool" "Last school", form(Option<String>),
        |field, _| field.optional(200);
    /// The last grade completed there.
    last_grade_completed: Option<String> = "lastGradeCompleted" "Last grade completed", form(Option<String>),
        |field, _| field.optional(200);
    /// School attended in addition to this one.
    home_school: Option<String> = "homeSchool" "Home school", form(Option<String>), |field, _| field.optional(200);
    /// Whether credits are to be transferred.
    transferring_credits: bool = "transferringCredits" "Transferring credits", form(Option<bool>),
        |field, _| yes_or_no(field);
}

/// Columns that stay when a profile is blanked: identity, and a column that cannot be null.
const STAYS: [&str; 3] = ["full_name", "date_of_birth", "transferring_credits"];

impl Profile {
    /// Columns to blank, with wire names.
    pub fn blanked() -> impl Iterator<Item = (&'static str, &'static str)> {
        let all = Self::COLUMNS.iter().copied().zip(Self::WIRE.iter().copied());
        all.filter(|(column, _)| !STAYS.contains(column))
    }
}

/// A validated change of a profile.
#[derive(Debug, Clone)]
pub struct ProfileUpdate {
    /// Email address; a changed one takes effect after confirmation.
    pub email: Email,
    /// The complete new profile.
    pub profile: Profile,
}

impl ProfileForm {
    /// Whether the form has an email address.
    pub fn names_email(&self) -> bool {
        self.email.is_sent()
    }

    /// The version of the account when it was read, if given.
    ///
    /// # Errors
    /// When it is not a number.
    pub fn seen_version(&self) -> Result<Option<i64>, FieldErrors> {
        match self.version {
            Field::Absent | Field::Null => Ok(None),
            Field::Value(version) => Ok(Some(version)),
            Field::Wrong => Err(FieldErrors::one("version", "Must be a whole number")),
        }
    }

    /// The current password as typed; not trimmed.
    pub fn current_password(&self) -> &str {
        self.current_password.untrimmed()
    }
}

impl ProfileUpdate {
    /// Merges the form over the stored profile and validates the result.
    pub fn parse(form: &ProfileForm, before: &Student, today: Date) -> Result<Self, FieldErrors> {
        let mut errors = FieldErrors::default();
        let email = email(form, before, &mut errors);
        let (profile, _) = validate(form, &before.profile, today, &mut errors);
        let is_changed = profile.parent_contact != before.profile.parent_contact;
        if is_changed && is_own_address(&profile, before, email.as_ref()) {
            errors.add("parentContact", OWN_ADDRESS);
        }
        errors.finish(email.map(|email| Self { email, profile }))
    }
}

impl StudentChange {
    /// Merges the office's form over the stored profile. Empty fields may stay empty, as families may provide data
    /// later.
    pub fn parse(&self, before: &Profile, today: Date) -> Result<Profile, FieldErrors> {
        let mut errors = FieldErrors::default();
        let (profile, blank) = validate(&ProfileForm::from(self), before, today, &mut errors);
        let unknown: Vec<_> =
            before.facts().into_iter().filter(|(_, value)| value.is_none()).map(|(name, _)| name).collect();
        errors.forgive(|name| blank.contains(&name) && unknown.contains(&name));
        errors.finish(Some(profile))
    }

    /// The version when it was read, and the reason for the change.
    ///
    /// # Errors
    /// Field errors.
    pub fn version_and_reason(&self) -> Result<(i64, Option<String>), FieldErrors> {
        let mut errors = FieldErrors::default();
        let version = match self.version {
            Field::Value(version) => Ok(version),
            Field::Absent | Field::Null | Field::Wrong => Err("The version that was changed is required"),
        };
        let version = errors.take("version", version);
        let reason = errors.take("reason", self.reason.optional(500));
        let both = || Some((version?, reason?));
        errors.finish(both())
    }
}

/// Validates the merged profile; returns it with its blank fields.
fn validate(
    form: &ProfileForm,
    before: &Profile,
    today: Date,
    errors: &mut FieldErrors,
) -> (Profile, Vec<&'static str>) {
    let country = country(&form.over(before).country).ok();
    let form = form.over(&what_stays(before, country.as_deref()));
    let mut profile = form.judged(Known { country: country.as_deref(), today }, errors);
    // One that was kept before they were checked stays until it is changed.
    if let Some(kept) = before.postal_code.as_ref().filter(|kept| form.postal_code.text() == **kept) {
        errors.forgive(|name| name == "postalCode");
        profile.postal_code = Some(kept.clone());
    }
    check_guardian(&form, before, age::is_minor(profile.date_of_birth, today), errors);
    (profile, form.blanks())
}

/// The guardian of a student under 18 can be replaced but not removed.
fn check_guardian(form: &ProfileForm, before: &Profile, is_minor: bool, errors: &mut FieldErrors) {
    let is_emptied = |field: &Field<String>, stored: &Option<String>| stored.is_some() && field.is_blank();
    if is_minor && is_emptied(&form.parent_name, &before.parent_name) {
        errors.add("parentName", GUARDIAN_NAME_WANTED);
    }
    if is_minor && is_emptied(&form.parent_contact, &before.parent_contact) {
        errors.add("parentContact", GUARDIAN_CONTACT_WANTED);
    }
}

/// Whether a profile names the student's own address, present or new, as the guardian's.
fn is_own_address(profile: &Profile, before: &Student, new: Option<&Email>) -> bool {
    let contact = profile.parent_contact.as_deref().map(Contact::parse).unwrap_or_default();
    let own = [Some(&*before.email), before.pending_email.as_deref(), new.map(Email::as_str)];
    contact.email.is_some_and(|email| own.into_iter().flatten().any(|own| own.eq_ignore_ascii_case(&email)))
}

/// Refuses the student's own address where that of a guardian is typed.
pub const OWN_ADDRESS: &str = "This is the student’s own email address. Enter the guardian’s.";
const GUARDIAN_NAME_WANTED: &str =
    "A student under 18 needs a parent or guardian. Enter the new name instead of removing this one.";
const GUARDIAN_CONTACT_WANTED: &str = "We need a way to reach the parent or guardian of a student under 18. Enter \
    the new phone number or email address instead of removing this one.";

/// Refuses a merged profile that drops the guardian of a student under 18.
///
/// # Errors
/// A field error on `keep`.
pub fn check_joined_guardian(both: [&Profile; 2], joined: &Profile, today: Date) -> Result<(), FieldErrors> {
    let is_lost = |of: fn(&Profile) -> &Option<String>| {
        of(joined).is_none() && both.iter().any(|one| of(one).is_some())
    };
    let is_lost = is_lost(|one| &one.parent_name) || is_lost(|one| &one.parent_contact);
    if is_lost && age::is_minor(joined.date_of_birth, today) {
        let message = "A student under 18 needs a parent or guardian. Keep the name and the contact from the account \
            that has them.";
        return Err(FieldErrors::one("keep", message));
    }
    Ok(())
}

/// Clears province and postal code when the country changes.
fn what_stays(before: &Profile, country: Option<&str>) -> Profile {
    if country.is_none_or(|country| country == before.country) {
        return before.clone();
    }
    Profile { province: None, postal_code: None, ..before.clone() }
}

fn email(form: &ProfileForm, before: &Student, errors: &mut FieldErrors) -> Option<Email> {
    let text = if form.names_email() { form.email.text() } else { &before.email };
    let email =
        errors.take("email", Email::parse(text).map_err(|wrong| wrong.in_words("Invalid email address")));
    let is_new = email.as_ref().is_some_and(|email| is_new_address(email, before));
    if is_new && form.current_password().is_empty() {
        errors.add("currentPassword", "Please enter your current password to change your email address");
    }
    email
}

/// Whether an address is neither the current nor the pending one. A new address requires the password, since it
/// controls the account; for a pending one the link is just sent again.
pub fn is_new_address(email: &Email, before: &Student) -> bool {
    let is = |address: &str| address.eq_ignore_ascii_case(email.as_str());
    !is(&before.email) && !before.pending_email.as_deref().is_some_and(is)
}
