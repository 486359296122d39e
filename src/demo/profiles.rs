//! Profiles of the demo's students: ages, homes and telephone numbers are random, and everything passes the form's
//! validation.

use jiff::ToSpan as _;
use jiff::civil::Date;
use serde_json::{Value, json};

use super::calendar::Calendar;
use super::dice::Dice;
use super::sample::{Abroad, DemoStudent, SAMPLE};

/// A student with a generated profile.
#[derive(Debug, Clone)]
pub struct DemoProfile {
    /// The grade whose courses are taken: 9 to 12.
    pub grade: usize,
    /// `PATCH /api/students/me`'s body.
    pub profile: Value,
}

/// Ages, weighted by repetition; more than half are under 18.
const AGES: [i64; 14] = [14, 15, 15, 16, 16, 17, 17, 17, 18, 18, 18, 18, 19, 19];

/// Generates all students of the sample, in order.
pub fn draw(calendar: &Calendar, dice: &mut Dice) -> Vec<DemoProfile> {
    SAMPLE.people.iter().map(|person| member(person, calendar, dice)).collect()
}

fn member(person: &DemoStudent, calendar: &Calendar, dice: &mut Dice) -> DemoProfile {
    let age = dice.pick(&AGES).copied().unwrap_or(16);
    let born = calendar.today.saturating_sub(age.years()).saturating_sub(dice.between(3, 360).days());
    let home = match &person.abroad {
        Some(abroad) => foreign_home(abroad),
        None => canadian_home(dice),
    };
    let mut profile = about(person, born, dice);
    for (key, value) in home.as_object().into_iter().flatten() {
        profile[key] = value.clone();
    }
    // A few students under 18 have no guardian in their profile.
    if age < 18 && dice.chance(85) {
        profile["parentName"] = json!(person.parent);
        let number = dice.between(100, 199);
        profile["parentContact"] = match number % 2 {
            0 => json!(format!("(416) 555-0{number}")),
            _ => json!(format!("family.{}@mail.example", person.mailbox)),
        };
    }
    let grade = (age - 5 - i64::from(dice.chance(30))).clamp(9, 12);
    if dice.chance(60) {
        profile["lastSchool"] = json!(dice.pick(&SAMPLE.schools));
        profile["lastGradeCompleted"] = json!(format!("Grade {}", grade - 1));
        profile["transferringCredits"] = json!(dice.chance(40));
    }
    DemoProfile { grade: grade as usize, profile }
}

fn about(person: &DemoStudent, born: Date, dice: &mut Dice) -> Value {
    let status = match dice.between(1, 100) {
        _ if person.abroad.is_some() => "international_student",
        1..=52 => "citizen",
        53..=76 => "permanent_resident",
        77..=89 => "international_student",
        _ => "other",
    };
    json!({
        "fullName": person.name, "dateOfBirth": born, "gender": person.gender, "canadianStatus": status,
    })
}

fn canadian_home(dice: &mut Dice) -> Value {
    let [city, province, area, code] = dice.pick(&SAMPLE.cities).unwrap_or(&SAMPLE.cities[0]);
    let street = dice.pick(&SAMPLE.streets).unwrap_or(&SAMPLE.streets[0]);
    let postal_code = format!("{area} {}A{}", dice.between(1, 9), dice.between(1, 9));
    json!({
        "country": "CA", "address": format!("{} {street}", dice.between(1, 480)), "city": city,
        "province": province, "postalCode": postal_code,
        "phoneNumber": format!("({code}) 555-0{}", dice.between(100, 199)),
    })
}

/// Without a province, which many countries do not have.
fn foreign_home(Abroad { country, city, address, phone }: &Abroad) -> Value {
    json!({ "country": country, "address": address, "city": city, "phoneNumber": phone })
}
