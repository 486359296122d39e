//! Validation rules of a profile.

use jiff::Timestamp;

use super::*;

fn empty_student() -> Student {
    Student {
        id: 1,
        email: "a@example.com".into(),
        pending_email: None,
        is_verified: true,
        has_second_factor: false,
        profile: Profile { country: "CA".into(), ..Profile::default() },
        created_at: Timestamp::UNIX_EPOCH,
        version: 1,
        status: crate::students::status::StudentStatus::Active,
        origin: crate::students::status::Origin::Registration,
    }
}

fn complete() -> serde_json::Value {
    serde_json::json!({
        "fullName": "Li", "email": "a@example.com", "phoneNumber": "4165550142", "dateOfBirth": "2009-03-01",
        "gender": "female", "canadianStatus": "citizen", "address": "1 Main St", "city": "Toronto",
        "province": "ON", "postalCode": "m5v0a0",
    })
}

fn check(body: serde_json::Value) -> Result<ProfileUpdate, FieldErrors> {
    let form = serde_json::from_value(body).unwrap();
    ProfileUpdate::parse(&form, &empty_student(), "2026-11-21".parse().unwrap())
}

#[test]
fn a_complete_profile_passes_and_is_normalised() {
    let profile = check(complete()).unwrap().profile;
    assert_eq!(profile.postal_code.as_deref(), Some("M5V 0A0"));
    assert_eq!(profile.phone_number.as_deref(), Some("(416) 555-0142"));
    assert_eq!(profile.country, "CA");
}

#[test]
fn the_list_names_each_field_as_the_wire_does() {
    let profile = Profile { full_name: Some("Li".into()), transferring_credits: true, ..Profile::default() };
    let wire = serde_json::to_value(&profile).unwrap();
    let facts = profile.facts();
    assert_eq!(wire.as_object().unwrap().len(), facts.len());
    for (name, text) in facts {
        let sent = wire.get(name).unwrap_or_else(|| panic!("{name} is not on the wire: {wire}"));
        assert_eq!(
            sent.as_str().map_or_else(|| sent.as_bool().map(|b| b.to_string()), |t| Some(t.into())),
            text
        );
    }
}

#[test]
fn a_profile_is_completed_from_abroad_by_the_rules_of_the_country() {
    let mut body = complete();
    for (name, value) in [
        ("country", "hk"),
        ("city", "Kowloon"),
        ("phoneNumber", "00852 5555 0142"),
        ("province", " "),
        ("postalCode", ""),
    ] {
        body[name] = value.into();
    }
    let profile = check(body.clone()).unwrap().profile;
    assert_eq!((profile.country.as_str(), profile.province, profile.postal_code), ("HK", None, None));
    assert_eq!(profile.phone_number.as_deref(), Some("+852 5555 0142"));
    body["country"] = "GB".into();
    body["province"] = " Greater  London ".into();
    body["postalCode"] = "sw1a  1aa".into();
    let profile = check(body.clone()).unwrap().profile;
    assert_eq!(profile.province.as_deref(), Some("Greater London"));
    assert_eq!(profile.postal_code.as_deref(), Some("sw1a 1aa"));
    for (value, message) in [
        ("", "Country is required"),
        ("XX", "Country must be a code of two letters, such as CA, or a name, such as Canada"),
    ] {
        body["country"] = value.into();
        let Err(errors) = check(body.clone()) else { panic!("{value:?} passed") };
        assert!(errors.iter().any(|error| error == ("country", message)), "{errors:?}");
    }
}

#[test]
fn a_postal_code_that_was_kept_unchecked_stays_until_it_is_changed() {
    let mut before = empty_student();
    before.profile.postal_code = Some("K1A 0B".into());
    let today = "2026-11-21".parse().unwrap();
    let parse = |postal_code: Option<&str>| {
        let mut body = complete();
        match postal_code {
            Some(code) => body["postalCode"] = code.into(),
            None => drop(body.as_object_mut().unwrap().remove("postalCode")),
        }
        ProfileUpdate::parse(&serde_json::from_value(body).unwrap(), &before, today)
    };
    for same in [None, Some("K1A 0B")] {
        assert_eq!(parse(same).unwrap().profile.postal_code.as_deref(), Some("K1A 0B"), "{same:?}");
    }
    assert!(parse(Some("K1A 0")).is_err());
    assert_eq!(parse(Some("k1a0b1")).unwrap().profile.postal_code.as_deref(), Some("K1A 0B1"));
}

#[test]
fn moving_to_another_country_clears_the_province() {
    let mut before = empty_student();
    before.profile.province = Some("ON".into());
    before.profile.postal_code = Some("M5V 0A0".into());
    let mut body = complete();
    body["country"] = "NG".into();
    for name in ["province", "postalCode"] {
        body.as_object_mut().unwrap().remove(name);
    }
    let today = "2026-11-21".parse().unwrap();
    let form = |body: &serde_json::Value| serde_json::from_value(body.clone()).unwrap();
    let profile = ProfileUpdate::parse(&form(&body), &before, today).unwrap().profile;
    assert_eq!((profile.province, profile.postal_code), (None, None));
    before.profile.country = "NG".into();
    before.profile.province = Some("Lagos".into());
    body["country"] = "CA".into();
    let Err(errors) = ProfileUpdate::parse(&form(&body), &before, today) else { panic!("passed") };
    assert_eq!(
        errors.iter().collect::<Vec<_>>(),
        [("postalCode", "Postal code is required"), ("province", "Province is required")]
    );
}

#[test]
fn a_telephone_number_is_written_as_its_country_does() {
    for (country, text, expected) in [
        ("CA", "416.555.0142", "(416) 555-0142"),
        ("US", "+1 416 555 0142", "(416) 555-0142"),
        ("CA", "1-416-555-0142", "(416) 555-0142"),
        ("CA", "(416) 555-0142 ext. 7", "(416) 555-0142 ext. 7"),
        ("CA", "+86 10 5555 0142", "+86 10 5555 0142"),
        ("CN", "0086 10  5555 0142", "+86 10 5555 0142"),
        ("DE", "0170 5550100", "0170 5550100"),
        ("CA", "\u{202a}+1 416-555-0100\u{202c}", "(416) 555-0100"),
        ("CA", "416‑555‑0100", "(416) 555-0100"),
        ("CA", "TEL:+1-416-555-0100", "(416) 555-0100"),
    ] {
        let field = Field::Value(text.to_owned());
        assert_eq!(phone_number(&field, Some(country)).as_deref(), Ok(expected), "{country} {text}");
    }
}

#[test]
fn every_rule_has_its_message() {
    let table = [
        ("fullName", " \u{200B} ", "Full name is required"),
        ("fullName", "L", "Full name is required"),
        ("email", "a@", "Invalid email address"),
        ("phoneNumber", "416555014", "Valid phone number required"),
        ("phoneNumber", "please call", "Valid phone number required"),
        ("phoneNumber", "(416) 55 - 5 -", "Valid phone number required"),
        ("dateOfBirth", "", "Date of birth is required"),
        ("dateOfBirth", "2009-02-29", "Must be a real date in the form YYYY-MM-DD"),
        (
            "dateOfBirth",
            "09-03-2009",
            "This can be September 3, 2009 or March 9, 2009. Write 2009-09-03 or 2009-03-09",
        ),
        ("dateOfBirth", "2026-11-21", "Date of birth must be in the past"),
        ("dateOfBirth", "2909-03-01", "Date of birth must be in the past"),
        ("dateOfBirth", "2026-11-20", "Please check the year of birth"),
        ("dateOfBirth", "2021-11-22", "Please check the year of birth"),
        ("dateOfBirth", "1926-11-20", "Please check the year of birth"),
        ("dateOfBirth", "1809-03-01", "Please check the year of birth"),
        ("dateOfBirth", "0009-03-01", "Please check the year of birth"),
        ("gender", " ", "Gender is required"),
        ("gender", "MALE", "Must be one of male, female, other"),
        ("canadianStatus", "", "Canadian status is required"),
        ("address", "", "Address is required"),
        ("city", "", "City is required"),
        ("province", "", "Province is required"),
        ("postalCode", "", "Postal code is required"),
    ];
    for (name, value, message) in table {
        let mut body = complete();
        body[name] = value.into();
        let Err(errors) = check(body) else { panic!("{name} {value:?} passed") };
        assert_eq!(errors.iter().collect::<Vec<_>>(), [(name, message)]);
    }
}

#[test]
fn values_at_the_limits_pass() {
    for (name, value) in [
        ("dateOfBirth", "2021-11-21"),
        ("dateOfBirth", "1926-11-21"),
        ("phoneNumber", "555 0142 x"),
        ("phoneNumber", "+86 10 5555 0142"),
        ("phoneNumber", "４１６５５５０１４２"),
    ] {
        let mut body = complete();
        body[name] = value.into();
        assert!(check(body).is_ok(), "{name} {value:?}");
    }
}

#[test]
fn an_empty_form_names_every_required_field_at_once() {
    let Err(errors) = check(serde_json::json!({})) else { panic!("passed") };
    let names: Vec<_> = errors.iter().map(|(name, _)| name).collect();
    assert_eq!(
        names,
        [
            "address",
            "canadianStatus",
            "city",
            "dateOfBirth",
            "fullName",
            "gender",
            "phoneNumber",
            "postalCode",
            "province"
        ]
    );
}
