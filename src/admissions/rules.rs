//! What an application must be: the family's form, and what of it may be corrected.

use jiff::civil::Date;
use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};

use super::status::FamilyLanguage;
use super::{AdmissionRequest, ApplicationDetails};
use crate::base::email::Email;
use crate::base::error::FieldErrors;
use crate::courses::values::{CourseCode, Grade};
use crate::students::age;
use crate::students::guardians::Relationship;
use crate::students::profile::choices::Gender;
use crate::students::profile::{formats, places};
use crate::web::form::{Field, form};

form! {
    /// `POST /api/applications`' body.
    pub struct ApplicationForm {
        /// Which door: `place` for a place at this school, the default.
        #[schema(required = false)]
        pub door: String,
        pub first_name: String,
        pub last_name: String,
        pub email: String,
        pub phone: String,
        /// Postal address, in one text.
        pub address: String,
        /// 9 to 12.
        pub grade: Grade,
        pub date_of_birth: Date,
        /// What the family consents to: `privacy`, and `marketing` for news by email. In the family's own form the first
        /// is required.
        #[schema(required = false)]
        pub consents: Vec<String>,
        /// Required where the student is under 18.
        pub guardian_name: Option<String>,
        /// Required where the student is under 18.
        pub guardian_email: Option<String>,
        /// Two letters of ISO 3166-1; otherwise `CA`.
        pub country: Option<String>,
        pub city: Option<String>,
        pub province: Option<String>,
        pub postal_code: Option<String>,
        pub gender: Option<Gender>,
        pub guardian_phone: Option<String>,
        pub relationship: Option<Relationship>,
        pub previous_school: Option<String>,
        /// When the student would like to begin.
        pub start_term: Option<String>,
        /// Codes of courses.
        pub wanted_courses: Option<Vec<String>>,
        pub message: Option<String>,
        /// In which the family wants to be written to; otherwise `en`.
        pub language: Option<FamilyLanguage>,
        /// Not shown to people: an application that fills it in is kept, and marked for the office to look twice.
        pub website: Option<String>,
        /// The birth date that was asked about already, empty before; a form that sends this field is asked once whether
        /// a birth date is right that is no student's. Who does not send it is not asked.
        pub asked_birth_date: Option<String>,
    }
}

impl ApplicationForm {
    /// The form as a browser sends it by itself: a name that is sent several times is a list, a grade a number.
    pub fn of_pairs(pairs: impl IntoIterator<Item = (String, String)>) -> Self {
        let mut fields = Map::new();
        for (name, value) in pairs {
            match &*name {
                "consents" | "wantedCourses" => {
                    let list = fields.entry(name).or_insert_with(|| Value::Array(Vec::new()));
                    if let Value::Array(list) = list
                        && !value.trim().is_empty()
                    {
                        list.push(value.into());
                    }
                }
                "grade" => {
                    let number = value.trim().parse::<u8>().map_or(Value::Null, Value::from);
                    fields.insert(name, number);
                }
                // A choice that was not made.
                "gender" | "relationship" | "language" | "country" | "door" if value.is_empty() => {}
                _ => {
                    fields.insert(name, value.replace("\r\n", "\n").into());
                }
            }
        }
        serde_json::from_value(Value::Object(fields)).unwrap_or_default()
    }
}

/// A validated application.
#[derive(Debug, Clone)]
pub struct NewApplication {
    /// The student's first name.
    pub first_name: String,
    /// The student's last name.
    pub last_name: String,
    /// The student's date of birth.
    pub date_of_birth: Date,
    /// The student's gender.
    pub gender: Option<Gender>,
    /// Where the family is reached.
    pub email: Email,
    /// Telephone number.
    pub phone: String,
    /// Two letters of ISO 3166-1.
    pub country: String,
    /// Postal address.
    pub address: String,
    /// City.
    pub city: Option<String>,
    /// Province.
    pub province: Option<String>,
    /// Postal code.
    pub postal_code: Option<String>,
    /// The grade asked for.
    pub grade: Grade,
    /// The school attended so far.
    pub previous_school: Option<String>,
    /// A parent's or guardian's name.
    pub guardian_name: Option<String>,
    /// Where the parent or guardian is reached.
    pub guardian_email: Option<Email>,
    /// The parent's or guardian's telephone number.
    pub guardian_phone: Option<String>,
    /// What the parent or guardian is to the student.
    pub relationship: Option<Relationship>,
    /// When the student would like to begin.
    pub start_term: Option<String>,
    /// Codes of courses.
    pub wanted_courses: Vec<String>,
    /// What the family wrote beside.
    pub message: Option<String>,
    /// In which the family wants to be written to.
    pub language: FamilyLanguage,
    /// Whether the field that people do not see was filled in.
    pub look_twice: bool,
}

impl NewApplication {
    /// SHA-256 of the whole form; names and addresses in another case are the same.
    pub fn digest(&self, wants_news: bool) -> [u8; 32] {
        let Self {
            first_name,
            last_name,
            date_of_birth,
            gender,
            email,
            phone,
            country,
            address,
            city,
            province,
            postal_code,
            grade,
            previous_school,
            guardian_name,
            guardian_email,
            guardian_phone,
            relationship,
            start_term,
            wanted_courses,
            message,
            language,
            look_twice: _,
        } = self;
        let guardian_email = guardian_email.as_ref().map(|email| email.as_str().to_lowercase());
        let form = json!([
            [
                first_name.to_lowercase(),
                last_name.to_lowercase(),
                email.as_str().to_lowercase(),
                date_of_birth
            ],
            [gender, phone, country, address, city, province, postal_code, grade, previous_school],
            [
                guardian_name.as_ref().map(|name| name.to_lowercase()),
                guardian_email,
                guardian_phone,
                relationship
            ],
            [start_term, wanted_courses, message, language, wants_news],
        ]);
        Sha256::digest(form.to_string()).into()
    }
}

/// A country as typed; Canada where none is.
fn country(field: &Field<String>) -> Result<String, String> {
    if field.is_blank() { Ok(places::CANADA.to_owned()) } else { formats::country(field) }
}

fn optional_email(field: &Field<String>) -> Result<Option<Email>, String> {
    if field.is_blank() { Ok(None) } else { Ok(Some(Email::parse(field.text())?)) }
}

fn course_codes(field: &Field<Vec<String>>) -> Result<Vec<String>, String> {
    /// More than a year's courses.
    const MAX: usize = 20;
    let sent = match field {
        Field::Absent | Field::Null => return Ok(Vec::new()),
        Field::Wrong => return Err("Must be a list of course codes".into()),
        Field::Value(sent) if sent.len() > MAX => return Err(format!("Choose at most {MAX} courses")),
        Field::Value(sent) => sent,
    };
    let mut codes: Vec<String> = Vec::with_capacity(sent.len());
    for text in sent {
        let code = CourseCode::parse(&Field::Value(text.clone()))?;
        if !codes.iter().any(|known| known == code.as_str()) {
            codes.push(code.as_str().to_owned());
        }
    }
    Ok(codes)
}

impl NewApplication {
    /// Checks the form, but for the consents.
    ///
    /// # Errors
    /// Every field that is wrong.
    pub fn parse(form: &ApplicationForm, today: Date) -> Result<Self, FieldErrors> {
        let mut errors = FieldErrors::default();
        let new = Self::take(form, today, &mut errors);
        errors.finish(new)
    }

    /// The same of a family's own form, which is asked once about a birth date that is most likely a parent's or this
    /// year's: of a student younger than 10, or older than 25.
    pub fn take_asking(form: &ApplicationForm, today: Date, errors: &mut FieldErrors) -> Option<Self> {
        if let (Ok(born), Field::Value(asked)) =
            (formats::date_of_birth(&form.date_of_birth, today), &form.asked_birth_date)
        {
            let age = age::years(born, today);
            if !(10..=25).contains(&age) && asked.trim() != form.date_of_birth.text().trim() {
                let words = "years old. If that is right, send the form again";
                errors.add("dateOfBirth", format!("The student would be {age} {words}"));
            }
        }
        Self::take(form, today, errors)
    }

    /// The same for an application whose guardian's address the office has stopped.
    ///
    /// # Errors
    /// As [`Self::parse`].
    pub fn parse_without_guardian(form: &ApplicationForm, today: Date) -> Result<Self, FieldErrors> {
        let mut errors = FieldErrors::default();
        let new = Self::read(form, today, &mut errors);
        errors.finish(new)
    }

    /// The same, beside other checks of the same form.
    pub fn take(form: &ApplicationForm, today: Date, errors: &mut FieldErrors) -> Option<Self> {
        let new = Self::read(form, today, errors);
        let born = formats::date_of_birth(&form.date_of_birth, today).ok();
        if born.is_some_and(|born| age::is_minor(Some(born), today)) {
            if form.guardian_name.optional_person(200) == Ok(None) {
                errors.add("guardianName", "A parent’s or guardian’s name is required for students under 18");
            }
            if form.guardian_email.is_blank() {
                errors.add(
                    "guardianEmail",
                    "A parent’s or guardian’s email address is required for students under 18",
                );
            }
        }
        new
    }

    fn read(form: &ApplicationForm, today: Date, errors: &mut FieldErrors) -> Option<Self> {
        if !matches!(form.door.text(), "" | "place") {
            errors.add("door", "Must be place");
        }
        let first_name = errors.take("firstName", form.first_name.person(1, 100, "First name is required"));
        let last_name = errors.take("lastName", form.last_name.person(1, 100, "Last name is required"));
        let email = errors.take("email", Email::parse(form.email.text()));
        let country = errors.take("country", country(&form.country));
        let phone = errors.take("phone", formats::phone_number(&form.phone, country.as_deref()));
        let address = errors.take("address", form.address.between(1, 500, "Address is required"));
        let city = errors.take("city", form.city.optional(200));
        let province = formats::optional_province(&form.province, country.as_deref());
        let province = errors.take("province", province);
        let postal_code = formats::optional_postal_code(&form.postal_code, country.as_deref());
        let postal_code = errors.take("postalCode", postal_code);
        let grade = errors.take("grade", Grade::parse(&form.grade));
        let date_of_birth = errors.take("dateOfBirth", formats::date_of_birth(&form.date_of_birth, today));
        let gender = errors.take("gender", form.gender.optional_one_of());
        let previous_school = errors.take("previousSchool", form.previous_school.optional(200));
        let guardian_name = errors.take("guardianName", form.guardian_name.optional_person(200));
        let guardian_email = errors.take("guardianEmail", optional_email(&form.guardian_email));
        let guardian_phone = formats::optional_phone(&form.guardian_phone, 50, country.as_deref());
        let guardian_phone = errors.take("guardianPhone", guardian_phone);
        let relationship = errors.take("relationship", form.relationship.optional_one_of());
        let start_term = errors.take("startTerm", form.start_term.optional(100));
        let wanted_courses = errors.take("wantedCourses", course_codes(&form.wanted_courses));
        let message = errors.take("message", form.message.optional(4000));
        let language = errors.take("language", form.language.optional_one_of());
        Some(Self {
            first_name: first_name?,
            last_name: last_name?,
            date_of_birth: date_of_birth?,
            gender: gender?,
            email: email?,
            phone: phone?,
            country: country?,
            address: address?,
            city: city?,
            province: province?,
            postal_code: postal_code?,
            grade: grade?,
            previous_school: previous_school?,
            guardian_name: guardian_name?,
            guardian_email: guardian_email?,
            guardian_phone: guardian_phone?,
            relationship: relationship?,
            start_term: start_term?,
            wanted_courses: wanted_courses?,
            message: message?,
            language: language?.unwrap_or(FamilyLanguage::English),
            look_twice: !form.website.is_blank(),
        })
    }
}

form! {
    /// `PATCH /api/applications/me`'s body; what is absent stays.
    pub struct OwnApplicationForm {
        email: Option<String>,
        phone: Option<String>,
        address: Option<String>,
        city: Option<String>,
        province: Option<String>,
        postal_code: Option<String>,
        country: Option<String>,
        guardian_phone: Option<String>,
    }
}

/// Contact data of an application, as changed.
pub struct ContactChange {
    /// As of the application.
    pub email: Email,
    /// As of the application.
    pub phone: String,
    /// As of the application.
    pub country: String,
    /// As of the application.
    pub address: String,
    /// As of the application.
    pub city: Option<String>,
    /// As of the application.
    pub province: Option<String>,
    /// As of the application.
    pub postal_code: Option<String>,
    /// As of the application.
    pub guardian_phone: Option<String>,
}

/// What a field says, or what is stored where it was not sent.
fn sent_or<T: Clone>(
    field: &Field<String>,
    stored: &T,
    read: impl FnOnce(&Field<String>) -> Result<T, String>,
) -> Result<T, String> {
    if field.is_sent() { read(field) } else { Ok(stored.clone()) }
}

impl OwnApplicationForm {
    /// Lays the form over what is stored; also returns the names of the fields that change.
    ///
    /// # Errors
    /// Every field that is wrong.
    pub fn parse(
        &self,
        before: &AdmissionRequest,
        known: &ApplicationDetails,
    ) -> Result<(ContactChange, Vec<&'static str>), FieldErrors> {
        let mut errors = FieldErrors::default();
        let country = errors.take("country", sent_or(&self.country, &before.country, country));
        let country_code = country.as_deref();
        let email = if self.email.is_sent() { self.email.text() } else { &before.email };
        let email = errors.take("email", Email::parse(email));
        let phone = sent_or(&self.phone, &before.phone, |field| formats::phone_number(field, country_code));
        let phone = errors.take("phone", phone);
        let address =
            sent_or(&self.address, &before.address, |field| field.between(1, 500, "Address is required"));
        let address = errors.take("address", address);
        let city = errors.take("city", sent_or(&self.city, &known.city, |field| field.optional(200)));
        let province =
            sent_or(&self.province, &known.province, |field| formats::optional_province(field, country_code));
        let province = errors.take("province", province);
        let postal_code = sent_or(&self.postal_code, &known.postal_code, |field| {
            formats::optional_postal_code(field, country_code)
        });
        let postal_code = errors.take("postalCode", postal_code);
        let guardian_phone = sent_or(&self.guardian_phone, &known.guardian_phone, |field| {
            formats::optional_phone(field, 50, country_code)
        });
        let guardian_phone = errors.take("guardianPhone", guardian_phone);
        let change = || {
            Some(ContactChange {
                email: email?,
                phone: phone?,
                country: country?,
                address: address?,
                city: city?,
                province: province?,
                postal_code: postal_code?,
                guardian_phone: guardian_phone?,
            })
        };
        let change = errors.finish(change())?;
        let changed = [
            ("email", change.email.as_str() != before.email),
            ("phone", change.phone != before.phone),
            ("country", change.country != before.country),
            ("address", change.address != before.address),
            ("city", change.city != known.city),
            ("province", change.province != known.province),
            ("postalCode", change.postal_code != known.postal_code),
            ("guardianPhone", change.guardian_phone != known.guardian_phone),
        ];
        Ok((
            change,
            changed.into_iter().filter_map(|(name, is_changed)| is_changed.then_some(name)).collect(),
        ))
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    fn wrong(change: impl FnOnce(&mut Value)) -> Vec<String> {
        let mut body = json!({ "firstName": "Mei", "lastName": "Tanaka", "email": "mei@mail.example",
            "phone": "647 555 0199", "address": "88 Sample Crescent, Toronto", "grade": 11,
            "dateOfBirth": "2008-11-21", "consents": ["privacy"] });
        change(&mut body);
        let form: ApplicationForm = serde_json::from_value(body).unwrap();
        let mut errors = FieldErrors::default();
        NewApplication::take(&form, date(2026, 11, 21), &mut errors);
        errors.iter().map(|(name, _)| name.to_owned()).collect()
    }

    #[test]
    fn every_rule_of_the_form_names_its_field() {
        assert!(wrong(|_| ()).is_empty(), "eighteen today");
        let minor = wrong(|body| body["dateOfBirth"] = json!("2008-11-22"));
        assert_eq!(minor, ["guardianEmail", "guardianName"]);
        for (field, value) in [
            ("firstName", json!(" ")),
            ("lastName", json!("")),
            ("email", json!("mei@")),
            ("phone", json!("12345")),
            ("address", json!("")),
            ("grade", json!(13)),
            ("dateOfBirth", json!("2027-01-01")),
            ("country", json!("Atlantis")),
            ("province", json!("Lagos")),
            ("postalCode", json!("90210")),
            ("gender", json!("girl")),
            ("relationship", json!("aunt")),
            ("guardianEmail", json!("x")),
            ("wantedCourses", json!(["!"])),
            ("message", json!("x".repeat(4001))),
            ("language", json!("de")),
            ("door", json!("courses")),
        ] {
            assert_eq!(wrong(|body| body[field] = value), [field]);
        }
        let all = wrong(|body| *body = json!({}));
        assert_eq!(all.len(), 7, "all at once: {all:?}");
    }

    #[test]
    fn a_birth_date_that_is_no_students_is_asked_about_once() {
        let is_asked = |born: &str, asked: Value| {
            let form = json!({ "dateOfBirth": born, "askedBirthDate": asked });
            let mut errors = FieldErrors::default();
            NewApplication::take_asking(
                &serde_json::from_value(form).unwrap(),
                date(2026, 11, 21),
                &mut errors,
            );
            errors
                .iter()
                .any(|(name, message)| name == "dateOfBirth" && message.contains("send the form again"))
        };
        for (born, asks) in [
            ("2000-11-22", false),
            ("2000-11-21", true),
            ("1985-03-02", true),
            ("2016-11-21", false),
            ("2016-11-22", true),
            ("", false),
        ] {
            assert_eq!(is_asked(born, json!("")), asks, "{born}");
            assert!(!is_asked(born, json!(born)), "{born}: asked already");
            assert!(!is_asked(born, Value::Null), "{born}: another caller");
        }
        assert!(is_asked("1985-03-02", json!("1985-03-20")), "corrected to another one");
    }

    #[test]
    fn a_browsers_own_form_is_read_like_the_calls_body() {
        let pairs = [
            ("firstName", "Mei"),
            ("grade", "11"),
            ("consents", "privacy"),
            ("consents", "marketing"),
            ("wantedCourses", "ENG4U"),
            ("gender", ""),
            ("message", "One\r\nTwo"),
        ];
        let form = ApplicationForm::of_pairs(pairs.map(|(name, value)| (name.into(), value.into())));
        assert_eq!(Grade::parse(&form.grade).unwrap().number(), 11);
        assert_eq!(form.consents, Field::Value(vec!["privacy".into(), "marketing".into()]));
        assert_eq!((form.gender.is_sent(), form.message.text()), (false, "One\nTwo"));
        assert_eq!(course_codes(&form.wanted_courses), Ok(vec!["ENG4U".into()]));
    }
}
