//! A line of a student CSV file: its columns, parsing and export. Cells are validated by the profile's rules; words may
//! be in any case, dates and places in common notations.

use std::borrow::Cow;

use crate::base::error::FieldErrors;
use crate::storage::search::fold;
use crate::students::profile::{Profile, StudentChange};
use crate::web::sheet::{self, Column, DateOrders, Row, WrittenDate};

/// Columns that are not part of the profile and ignored by an import: of an export, and of the users of `OneRoster` 1.1 and 1.2
/// (1EdTech, users.csv; its passwords are never read).
const PASSED_OVER: [&str; 27] = [
    "number",
    "status",
    "age",
    "flags",
    "documentsAccepted",
    "documentsRequired",
    "openCourses",
    "balance",
    "created",
    "lastActivity",
    "sourcedId",
    "dateLastModified",
    "enabledUser",
    "orgSourcedIds",
    "username",
    "userIds",
    "middleName",
    "identifier",
    "sms",
    "agentSourcedIds",
    "grades",
    "password",
    "userMasterIdentifier",
    "preferredMiddleName",
    "preferredFamilyName",
    "primaryOrgSourcedId",
    "pronouns",
];

/// The parts of a name where a file has them apart.
const FIRST_NAME: &str = "firstName";
const LAST_NAME: &str = "lastName";
/// What `OneRoster` says a user is.
const ROLE: &str = "role";

/// Headings of a column that other programs write, in English and French.
fn headings(name: &str) -> &'static [&'static str] {
    match name {
        "email" => &[
            "emailaddress",
            "studentemail",
            "primaryemail",
            "courriel",
            "adressecourriel",
            "adresseemail",
            "adresseelectronique",
        ],
        "fullName" => {
            &["name", "studentname", "displayname", "nomcomplet", "nometprenom", "nomdeleleve", "eleve"]
        }
        FIRST_NAME => &["givenname", "forename", "studentfirstname", "legalfirstname", "prenom"],
        LAST_NAME => &["familyname", "surname", "studentlastname", "legallastname", "nom", "nomdefamille"],
        "preferredName" => {
            &["preferredgivenname", "preferredfirstname", "nickname", "knownas", "prenomusuel"]
        }
        "dateOfBirth" => &["birthdate", "birthday", "dob", "born", "datedenaissance", "neele", "nele"],
        "gender" => &["sex", "sexe", "genre"],
        "phoneNumber" => &[
            "phone",
            "telephone",
            "telephonenumber",
            "mobile",
            "mobilephone",
            "cell",
            "cellphone",
            "numerodetelephone",
            "cellulaire",
        ],
        "country" => &["pays", "countryofresidence"],
        "address" => &["street", "streetaddress", "address1", "addressline1", "adresse", "rue"],
        "city" => &["town", "ville", "municipality"],
        "province" => &["state", "region", "stateprovince", "provincestate"],
        "postalCode" => &["postcode", "zip", "zipcode", "codepostal"],
        "parentName" => &["guardianname", "guardian", "parent", "nomduparent", "parentguardian"],
        "parentContact" => {
            &["guardianemail", "guardianphone", "parentemail", "parentphone", "courrielduparent"]
        }
        "lastSchool" => &["previousschool", "ecoleprecedente"],
        "homeSchool" => &["ecoledattache"],
        _ => &[],
    }
}

/// The columns.
pub(super) fn columns() -> Vec<Column> {
    let profile = Profile::WIRE.iter().map(|name| match *name {
        "fullName" => Column::required(name).or(LAST_NAME),
        _ => Column::optional(name),
    });
    let names = [FIRST_NAME, LAST_NAME, ROLE].map(Column::optional);
    let read = [Column::required("email")].into_iter().chain(profile).chain(names);
    read.map(|column| column.also(headings(column.name())))
        .chain(PASSED_OVER.into_iter().map(Column::ignored))
        .collect()
}

/// Whether a row of `OneRoster` is about no student.
pub(super) fn is_left_out(row: &Row) -> bool {
    let role = row.cell(ROLE).filter(|role| !role.is_empty());
    role.is_some_and(|role| !matches!(&*fold(role), "student" | "eleve" | "etudiant"))
}

/// The whole name, from its parts where a file has them apart.
fn full_name(row: &Row) -> Option<Cow<'_, str>> {
    if let Some(name) = row.cell("fullName") {
        return Some(name.into());
    }
    let parts = [FIRST_NAME, LAST_NAME].map(|part| row.cell(part).unwrap_or_default());
    Some(parts.join(" ").trim().to_owned().into())
}

/// The fields of a profile as cells, by column.
pub fn cells(profile: &Profile) -> Vec<(&'static str, String)> {
    let cell = |name, text: Option<String>| match (name, text.as_deref()) {
        ("transferringCredits", Some("true")) => "yes".to_owned(),
        ("transferringCredits", Some("false")) => "no".to_owned(),
        _ => text.unwrap_or_default(),
    };
    profile.facts().into_iter().map(|(name, text)| (name, cell(name, text))).collect()
}

/// The change that a line makes to a stored profile; `None` without changes. Empty cells are ignored, and so are cells
/// equal to an export of the profile, even if the stored value is invalid by newer rules.
pub(super) fn change(
    row: &Row,
    stored: &Profile,
    orders: DateOrders,
) -> Option<(StudentChange, FieldErrors)> {
    let mut errors = FieldErrors::default();
    let known = cells(stored);
    let is_known = |name: &str, text: &str| {
        known.iter().any(|(column, cell)| *column == name && sheet::as_read(cell) == text)
    };
    let full_name = full_name(row);
    let cell = |name: &str| {
        let text = if name == "fullName" { full_name.as_deref() } else { row.cell(name) };
        text.filter(|text| !text.is_empty() && !is_known(name, text))
    };
    if known.iter().all(|(name, _)| cell(name).is_none()) {
        return None;
    }
    let born = cell("dateOfBirth").map(|text| orders.read(text));
    if let Some(Err(Some(rule))) = born.map(WrittenDate::one) {
        errors.add("dateOfBirth", rule);
    }
    let change = StudentChange::from_cells(|name| {
        let text = cell(name)?;
        match name {
            "dateOfBirth" => match born? {
                WrittenDate::None => Some(text.to_owned()),
                written => written.certain().map(|day| day.to_string()),
            },
            "gender" | "canadianStatus" => Some(text.to_lowercase().replace([' ', '-'], "_")),
            // A numeric column turns it into `4165550100.0`.
            "phoneNumber" | "parentContact" => Some(text.strip_suffix(".0").unwrap_or(text).to_owned()),
            _ => Some(text.to_owned()),
        }
    });
    Some((change, errors))
}
