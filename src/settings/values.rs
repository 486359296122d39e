//! What the office may give the site beside the configuration.

use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::facts::Facts;
use super::money::MoneySettings;
use super::pictures::PictureId;
use crate::config::SchoolFile;
use crate::school::Question;
use crate::school::hours::{self, OpeningHours};
use crate::school::look::{Colour, Colours};
use crate::school::semesters::Semester;
use crate::school::texts::{OwnTexts, markup};

/// What a school says and shows of itself.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Settings {
    /// What the school is called, where it is, and how it is reached.
    pub facts: Facts,
    /// What people read before they agree to anything.
    pub texts: OwnTexts,
    /// When the office is open; empty: as the configuration says.
    pub hours: Vec<OpeningHours>,
    /// Universities that accepted graduates; null: as the configuration says.
    #[schema(required)]
    pub universities: Option<Vec<String>>,
    /// A line above every public page.
    #[schema(required)]
    pub banner: Option<Banner>,
    /// What families ask, with the answers.
    pub questions: Vec<Question>,
    /// In the place of navy.
    #[schema(required)]
    pub colour: Option<Colour>,
    /// In the place of brass.
    #[schema(required)]
    pub accent: Option<Colour>,
    /// In the place of the drawn crest: a PNG.
    #[schema(required)]
    pub crest: Option<PictureId>,
    /// Beside the first words of the home page.
    #[schema(required)]
    pub hero: Option<Shown>,
    /// The place.
    pub campus: Vec<Shown>,
    /// Teachers and staff.
    pub people: Vec<Portrait>,
    /// By their first days.
    pub semesters: Vec<Semester>,
    /// Whether the public pages show what a course costs.
    pub show_fees: bool,
    /// Whether they show how many seats a section has left.
    pub show_seats: bool,
    /// Whether every guardian of a student under 18 has to confirm; null: as the configuration says.
    #[schema(required)]
    pub every_guardian_confirms: Option<bool>,
    /// How families pay, and when they are reminded: the bursar's.
    pub money: MoneySettings,
    /// Whether the office is emailed on weekday mornings what waits for it.
    #[schema(value_type = bool)]
    pub waiting_email: OnByDefault,
}

/// A switch that is on until the office turns it off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct OnByDefault(pub bool);

impl Default for OnByDefault {
    fn default() -> Self {
        Self(true)
    }
}

/// An announcement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Banner {
    /// What there is to say.
    pub text: String,
    /// Where more is told.
    #[schema(required)]
    pub link: Option<BannerLink>,
    /// The first day on which it is shown; null: at once.
    #[schema(required)]
    pub from: Option<Date>,
    /// The last day on which it is shown; null: until it is taken away.
    #[schema(required)]
    pub until: Option<Date>,
}

impl Banner {
    /// Whether it is shown on a day.
    pub fn is_shown_on(&self, day: Date) -> bool {
        self.from.is_none_or(|from| from <= day) && self.until.is_none_or(|until| day <= until)
    }
}

/// Target of an announcement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct BannerLink {
    /// What it says.
    pub text: String,
    /// A page of the site (`/courses`), or an address with https.
    pub to: String,
}

/// A picture with its alternative text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Shown {
    /// Which picture.
    pub picture: PictureId,
    /// What is on it.
    pub alt: String,
}

/// A person of the school.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Portrait {
    /// Which picture.
    pub picture: PictureId,
    /// Name.
    pub name: String,
    /// What they do there.
    pub role: String,
}

impl Settings {
    /// What they set of the configuration's `[school]`.
    pub fn over_file(&self) -> SchoolFile {
        SchoolFile {
            hours: (!self.hours.is_empty()).then(|| hours::in_words(&self.hours)),
            universities: self.universities.clone(),
            refunds: self.texts.refunds.as_deref().map(|text| markup::render(text).plain),
            how_to_pay: self.texts.how_to_pay.as_deref().map(|text| markup::render(text).plain),
            ..self.facts.over_file()
        }
    }

    /// What stands in the place of a key of the configuration's `[school]`.
    pub fn replaced(&self, key: &str) -> Option<toml::Value> {
        match key {
            "hours" => (!self.hours.is_empty()).then(|| hours::in_words(&self.hours).into()),
            "universities" => self.universities.clone().map(Into::into),
            "money.e_transfer" => self.money.e_transfer.clone().map(Into::into),
            "money.due_days" => self.money.due_days.map(|days| i64::from(days).into()),
            "money.reminders" => self.money.reminders.map(Into::into),
            "money.reminder_days" => self.money.reminder_days.clone().map(Into::into),
            "office.every_guardian_confirms" => self.every_guardian_confirms.map(Into::into),
            key => self.facts.replaced(key),
        }
    }

    /// The colours that were chosen.
    pub fn colours(&self) -> Colours {
        Colours { main: self.colour, accent: self.accent }
    }

    /// Every picture that they show, with the name of its field.
    pub fn pictures(&self) -> impl Iterator<Item = (String, &PictureId)> {
        let crest = self.crest.iter().map(|id| ("crest".to_owned(), id));
        let hero = self.hero.iter().map(|shown| ("hero.picture".to_owned(), &shown.picture));
        let campus = self.campus.iter().enumerate();
        let campus = campus.map(|(place, shown)| (format!("campus.{place}.picture"), &shown.picture));
        let people = self.people.iter().enumerate();
        let people = people.map(|(place, person)| (format!("people.{place}.picture"), &person.picture));
        crest.chain(hero).chain(campus).chain(people)
    }

    /// Which parts of them differ from others, in the words of the office's page.
    pub fn changes(&self, before: &Self) -> Vec<&'static str> {
        let parts = [
            ("School facts", self.facts != before.facts),
            ("Terms of Service", self.texts.terms != before.texts.terms),
            ("Privacy Policy", self.texts.privacy != before.texts.privacy),
            ("Refunds", self.texts.refunds != before.texts.refunds),
            ("How to pay", self.texts.how_to_pay != before.texts.how_to_pay),
            ("Announcement", self.banner != before.banner),
            ("Semesters", self.semesters != before.semesters),
            ("Fees on the website", self.show_fees != before.show_fees),
            ("Seats on the website", self.show_seats != before.show_seats),
            ("Questions", self.questions != before.questions),
            ("Hours", self.hours != before.hours),
            ("Universities", self.universities != before.universities),
            ("Colours", self.colours() != before.colours()),
            ("Crest", self.crest != before.crest),
            ("Hero picture", self.hero != before.hero),
            ("Campus pictures", self.campus != before.campus),
            ("People", self.people != before.people),
            ("Guardians", self.every_guardian_confirms != before.every_guardian_confirms),
            ("Payment settings", self.money != before.money),
            ("Weekday email", self.waiting_email != before.waiting_email),
        ];
        parts.into_iter().filter(|(_, differs)| *differs).map(|(part, _)| part).collect()
    }
}

#[cfg(test)]
mod tests;
