//! Age of a student by the school's calendar. A birthday on February 29 counts on March 1.

use jiff::civil::Date;

/// Age from which no guardian confirmation is needed.
pub const OF_AGE: i16 = 18;

/// Age in whole years.
pub fn years(born: Date, today: Date) -> i16 {
    let is_before_birthday = (today.month(), today.day()) < (born.month(), born.day());
    today.year() - born.year() - i16::from(is_before_birthday)
}

/// Whether the student is under 18; an unknown age counts as under 18.
pub fn is_minor(born: Option<Date>, today: Date) -> bool {
    born.is_none_or(|born| years(born, today) < OF_AGE)
}

/// The last birth date, as text, of students of [`OF_AGE`]. It need not be a valid date, since texts are compared:
/// `2007-02-29` sorts correctly, too.
pub fn last_birth_of_age(today: Date) -> String {
    format!("{:04}-{:02}-{:02}", today.year() - OF_AGE, today.month(), today.day())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_birthday_makes_a_year_older_and_the_text_agrees() {
        for (born, today, age) in [
            ("2008-11-21", "2026-11-20", 17),
            ("2008-11-21", "2026-11-21", 18),
            ("2008-11-21", "2026-11-22", 18),
            ("2008-02-29", "2026-02-28", 17),
            ("2008-02-29", "2026-03-01", 18),
            ("2010-02-28", "2028-02-29", 18),
            ("2010-03-01", "2028-02-29", 17),
            ("2009-12-31", "2027-01-01", 17),
        ] {
            let born_on: Date = born.parse().unwrap();
            let today: Date = today.parse().unwrap();
            assert_eq!(years(born_on, today), age, "{born} {today}");
            assert_eq!(last_birth_of_age(today).as_str() < born, age < OF_AGE, "{born} {today}");
        }
    }
}
