//! The settings as the office sends them, and the rules of each field.

use std::collections::HashSet;

use jiff::ToSpan as _;
use jiff::civil::Date;

use super::facts::FactsInput;
use super::money::MoneySettings;
use super::pictures::PictureId;
use super::{Banner, BannerLink, OnByDefault, Portrait, Settings, Shown};
use crate::base::closed_set::ClosedSet as _;
use crate::base::dates::date_in_words;
use crate::base::error::FieldErrors;
use crate::school::Question;
use crate::school::hours::{Day, Minute, OpeningHours};
use crate::school::look::Colour;
use crate::school::semesters::Semester;
use crate::school::texts::OwnTexts;
use crate::web::form::{Field, form, read_as};

/// Maximum number of each.
const MAX_HOURS: usize = 7;
const MAX_UNIVERSITIES: usize = 60;
const MAX_QUESTIONS: usize = 20;
const MAX_CAMPUS: usize = 6;
const MAX_PEOPLE: usize = 12;
const MAX_TEXT: usize = 40_000;
const MAX_SEMESTERS: usize = 12;
/// Months that a semester may last.
const MAX_SEMESTER_MONTHS: i32 = 12;

form! {
    /// When the office is open.
    pub struct HoursInput {
        /// One day at least.
        days: Vec<Day>,
        /// As `08:30`.
        #[schema(example = "08:30")]
        opens: String,
        /// As `16:30`, later than it opens.
        #[schema(example = "16:30")]
        closes: String,
    }
}

form! {
    /// A question and its answer.
    pub struct QuestionInput {
        /// 5 to 200 characters.
        question: String,
        /// 5 to 2,000 characters.
        answer: String,
    }
}

form! {
    /// An announcement.
    pub struct BannerInput {
        /// 3 to 200 characters.
        text: String,
        /// What its link says: at most 40 characters, with `linkTo`.
        link_text: Option<String>,
        /// A page of the site (`/courses`), or an address with https.
        link_to: Option<String>,
        from: Option<Date>,
        until: Option<Date>,
    }
}

form! {
    /// A picture and what is on it.
    pub struct ShownInput {
        picture: PictureId,
        /// 3 to 200 characters.
        alt: String,
    }
}

form! {
    /// A person of the school.
    pub struct PortraitInput {
        picture: PictureId,
        /// 2 to 80 characters.
        name: String,
        /// 2 to 80 characters.
        role: String,
    }
}

form! {
    /// A semester.
    pub struct SemesterInput {
        /// 2 to 40 characters, unlike any other's.
        name: String,
        start_date: Date,
        /// After the first day, at most 12 months, and before any other semester begins.
        end_date: Date,
        /// From the first day to the last.
        join_until: Date,
    }
}

read_as! {
    Colour => String,
    PictureId => String,
    FactsInput => FactsInput,
    TextsInput => TextsInput,
    BannerInput => BannerInput,
    ShownInput => ShownInput,
    Vec<Day> => Vec<String>,
    Vec<String> => Vec<String>,
    Vec<HoursInput> => Vec<HoursInput>,
    Vec<QuestionInput> => Vec<QuestionInput>,
    Vec<ShownInput> => Vec<ShownInput>,
    Vec<PortraitInput> => Vec<PortraitInput>,
    Vec<SemesterInput> => Vec<SemesterInput>,
}

form! {
    /// The school's own texts, each of 20 to 40,000 characters; null or blank: the built-in one, or none.
    pub struct TextsInput {
        terms: Option<String>,
        privacy: Option<String>,
        refunds: Option<String>,
        how_to_pay: Option<String>,
    }
}

impl TextsInput {
    fn parse(&self, errors: &mut FieldErrors) -> OwnTexts {
        let mut text = |name, field: &Field<String>| {
            let text = if field.is_blank() {
                Ok(None)
            } else {
                field.between(20, MAX_TEXT, "Please write at least 20 characters").map(Some)
            };
            errors.take(name, text).flatten().map(|text| text.replace("\r\n", "\n"))
        };
        OwnTexts {
            terms: text("texts.terms", &self.terms),
            privacy: text("texts.privacy", &self.privacy),
            refunds: text("texts.refunds", &self.refunds),
            how_to_pay: text("texts.howToPay", &self.how_to_pay),
        }
    }
}

form! {
    /// The settings, unchecked: the whole of them.
    pub struct SettingsInput {
        facts: Option<FactsInput>,
        texts: Option<TextsInput>,
        /// At most 7; none: as the configuration says.
        hours: Option<Vec<HoursInput>>,
        /// At most 60 of 2 to 120 characters; null: as the configuration says.
        universities: Option<Vec<String>>,
        banner: Option<BannerInput>,
        /// At most 20.
        questions: Option<Vec<QuestionInput>>,
        colour: Option<Colour>,
        accent: Option<Colour>,
        crest: Option<PictureId>,
        hero: Option<ShownInput>,
        /// At most 6.
        campus: Option<Vec<ShownInput>>,
        /// At most 12.
        people: Option<Vec<PortraitInput>>,
        /// At most 12, in any order.
        semesters: Option<Vec<SemesterInput>>,
        /// Whether the public pages show what a course costs; otherwise they do not.
        show_fees: Option<bool>,
        /// Whether they show how many seats a section has left.
        show_seats: Option<bool>,
        /// Whether every guardian of a student under 18 has to confirm; null: as the configuration says.
        every_guardian_confirms: Option<bool>,
        /// Absent: yes.
        waiting_email: Option<bool>,
    }
}

impl SettingsInput {
    /// Checks every rule of them.
    ///
    /// # Errors
    /// Field errors: of a row under a name like `questions.2.answer`.
    pub fn parse(&self) -> Result<Settings, FieldErrors> {
        let mut errors = FieldErrors::default();
        let mut settings = Settings {
            // The bursar's: it has a page of its own.
            money: MoneySettings::default(),
            facts: match &self.facts {
                Field::Value(facts) => facts.parse(&mut errors),
                other => none(other, "facts", &mut errors).unwrap_or_default(),
            },
            texts: match &self.texts {
                Field::Value(texts) => texts.parse(&mut errors),
                other => none(other, "texts", &mut errors).unwrap_or_default(),
            },
            hours: rows(&self.hours, "hours", MAX_HOURS, &mut errors, opening_hours),
            universities: match &self.universities {
                Field::Absent | Field::Null => None,
                list => Some(rows(
                    list,
                    "universities",
                    MAX_UNIVERSITIES,
                    &mut errors,
                    |name: &String, at, errors| university(name, at, errors),
                )),
            },
            banner: match &self.banner {
                Field::Value(banner) => self::banner(banner, &mut errors),
                other => none(other, "banner", &mut errors),
            },
            questions: rows(&self.questions, "questions", MAX_QUESTIONS, &mut errors, question),
            colour: colour(&self.colour, "colour", &mut errors),
            accent: colour(&self.accent, "accent", &mut errors),
            crest: if self.crest.is_blank() { None } else { errors.take("crest", picture(&self.crest)) },
            hero: match &self.hero {
                Field::Value(hero) => shown(hero, "hero", &mut errors),
                other => none(other, "hero", &mut errors),
            },
            campus: rows(&self.campus, "campus", MAX_CAMPUS, &mut errors, shown),
            people: rows(&self.people, "people", MAX_PEOPLE, &mut errors, portrait),
            semesters: rows(&self.semesters, "semesters", MAX_SEMESTERS, &mut errors, semester),
            show_fees: errors.take("showFees", yes_or_no(&self.show_fees, false)).unwrap_or_default(),
            show_seats: errors.take("showSeats", yes_or_no(&self.show_seats, false)).unwrap_or_default(),
            every_guardian_confirms: match self.every_guardian_confirms {
                Field::Absent | Field::Null => None,
                ref field => errors.take("everyGuardianConfirms", yes_or_no(field, false)),
            },
            waiting_email: OnByDefault(
                errors.take("waitingEmail", yes_or_no(&self.waiting_email, true)).unwrap_or(true),
            ),
        };
        let question = |row: &Question| row.question.clone();
        no_twice("questions", "question", settings.questions.iter().map(question), &mut errors);
        no_twice("universities", "", settings.universities.iter().flatten().cloned(), &mut errors);
        let campus = settings.campus.iter().map(|shown| shown.picture.to_string());
        no_twice("campus", "picture", campus, &mut errors);
        let semester = |row: &Semester| row.name.to_lowercase();
        no_twice("semesters", "name", settings.semesters.iter().map(semester), &mut errors);
        no_overlap(&settings.semesters, &mut errors);
        settings.semesters.sort_by_key(|semester| semester.start_date);
        errors.finish(Some(settings))
    }
}

/// Notes each row whose `part` an earlier row has as well, once no other rule is broken: until then rows are
/// missing, and places would be wrong.
fn no_twice(list: &str, part: &str, rows: impl Iterator<Item = String>, errors: &mut FieldErrors) {
    if errors.iter().next().is_some() {
        return;
    }
    let mut seen = HashSet::new();
    for (place, row) in rows.enumerate() {
        if !seen.insert(row) {
            let name = [list, &place.to_string(), part].join(".");
            errors.add(name.trim_end_matches('.').to_owned(), "This is here already");
        }
    }
}

/// Notes each semester that begins before an earlier one has ended, as [`no_twice`] does.
fn no_overlap(semesters: &[Semester], errors: &mut FieldErrors) {
    if errors.iter().next().is_some() {
        return;
    }
    let mut by_start: Vec<_> = semesters.iter().enumerate().collect();
    by_start.sort_by_key(|(_, semester)| semester.start_date);
    for pair in by_start.windows(2) {
        let [(_, before), (place, semester)] = pair else { continue };
        if semester.start_date <= before.end_date {
            let end = date_in_words(before.end_date);
            let message = format!("Must be after {end}, the last day of {}", before.name);
            errors.add(format!("semesters.{place}.startDate"), message);
        }
    }
}

fn yes_or_no(field: &Field<bool>, otherwise: bool) -> Result<bool, &'static str> {
    match field {
        Field::Absent | Field::Null => Ok(otherwise),
        Field::Value(value) => Ok(*value),
        Field::Wrong => Err("Must be true or false"),
    }
}

/// Nothing, of what is either not sent or of a wrong type.
fn none<T, V>(field: &Field<T>, name: &'static str, errors: &mut FieldErrors) -> Option<V> {
    if matches!(field, Field::Wrong) {
        errors.add(name, "Must be an object");
    }
    None
}

/// Every row that holds its rules; the others are noted under the name of the list and their place.
fn rows<Row, Parsed>(
    field: &Field<Vec<Row>>,
    name: &'static str,
    max: usize,
    errors: &mut FieldErrors,
    parse: impl Fn(&Row, &str, &mut FieldErrors) -> Option<Parsed>,
) -> Vec<Parsed> {
    match field {
        Field::Absent | Field::Null => Vec::new(),
        Field::Wrong => {
            errors.add(name, "Must be a list");
            Vec::new()
        }
        Field::Value(rows) if rows.len() > max => {
            errors.add(name, format!("{max} are the most; these are {}", rows.len()));
            Vec::new()
        }
        Field::Value(rows) => {
            let parse = |(place, row)| parse(row, &format!("{name}.{place}"), errors);
            rows.iter().enumerate().filter_map(parse).collect()
        }
    }
}

fn opening_hours(input: &HoursInput, at: &str, errors: &mut FieldErrors) -> Option<OpeningHours> {
    const WANTED: &str = "Choose at least one day";
    let days = match &input.days {
        Field::Value(words) => {
            let chosen: Option<Vec<_>> = words.iter().map(|word| Day::parse(word)).collect();
            let chosen = chosen.ok_or(WANTED);
            chosen.map(|chosen| Day::ALL.iter().copied().filter(|day| chosen.contains(day)).collect())
        }
        _ => Err(WANTED),
    };
    let days = days.and_then(|days: Vec<_>| if days.is_empty() { Err(WANTED) } else { Ok(days) });
    let days = errors.take(format!("{at}.days"), days);
    let minute = |field: &Field<String>| Minute::parse(field.text()).ok_or("Must be a time such as 08:30");
    let opens = errors.take(format!("{at}.opens"), minute(&input.opens));
    let closes = minute(&input.closes).and_then(|closes| match opens {
        Some(opens) if closes <= opens => Err("Must be later than it opens"),
        _ => Ok(closes),
    });
    let closes = errors.take(format!("{at}.closes"), closes);
    Some(OpeningHours { days: days?, opens: opens?, closes: closes? })
}

fn university(name: &str, at: &str, errors: &mut FieldErrors) -> Option<String> {
    let name = Field::Value(name.to_owned()).name(2, 120, "Please enter at least 2 characters");
    errors.take(at.to_owned(), name)
}

fn question(input: &QuestionInput, at: &str, errors: &mut FieldErrors) -> Option<Question> {
    let question = input.question.between(5, 200, "Please enter at least 5 characters");
    let answer = input.answer.between(5, 2000, "Please enter at least 5 characters");
    let question = errors.take(format!("{at}.question"), question);
    let answer = errors.take(format!("{at}.answer"), answer);
    Some(Question { question: question?, answer: answer? })
}

fn banner(input: &BannerInput, errors: &mut FieldErrors) -> Option<Banner> {
    let text = errors.take("banner.text", input.text.between(3, 200, "Please enter at least 3 characters"));
    let wants_link = !input.link_text.is_blank() || !input.link_to.is_blank();
    let link = if wants_link {
        let words = input.link_text.between(1, 40, "Please say what the link reads");
        let words = errors.take("banner.linkText", words);
        let to = errors.take("banner.linkTo", address(input.link_to.text()));
        words.zip(to).map(|(text, to)| Some(BannerLink { text, to }))
    } else {
        Some(None)
    };
    let from = errors.take("banner.from", input.from.optional_date());
    let until = input.until.optional_date().and_then(|until| match (from.flatten(), until) {
        (Some(from), Some(until)) if until < from => Err("Must not be before the first day".to_owned()),
        _ => Ok(until),
    });
    let until = errors.take("banner.until", until);
    Some(Banner { text: text?, link: link?, from: from?, until: until? })
}

/// A page of this site or an address elsewhere: nothing that a browser runs, or would take for another host.
fn address(text: &str) -> Result<String, &'static str> {
    let is_page = text.starts_with('/') && !text.starts_with("//");
    let is_elsewhere = text.strip_prefix("https://").is_some_and(|rest| rest.contains('.'));
    let is_plain =
        text.len() <= 300 && !text.contains(|c: char| c.is_whitespace() || c.is_control() || c == '\\');
    if (is_page || is_elsewhere) && is_plain {
        return Ok(text.to_owned());
    }
    Err("Must be a page of this site, such as /courses, or an address that begins with https://")
}

fn colour(field: &Field<String>, name: &'static str, errors: &mut FieldErrors) -> Option<Colour> {
    if field.is_blank() {
        return None;
    }
    errors.take(name, Colour::parse(field.text()).ok_or("Must be a colour such as #0d1e45"))
}

fn picture(field: &Field<String>) -> Result<PictureId, &'static str> {
    PictureId::parse(field.text()).ok_or("Please choose a picture")
}

fn shown(input: &ShownInput, at: &str, errors: &mut FieldErrors) -> Option<Shown> {
    let picture = errors.take(format!("{at}.picture"), picture(&input.picture));
    let alt = input.alt.between(3, 200, "Please say in a few words what is on the picture");
    let alt = errors.take(format!("{at}.alt"), alt);
    Some(Shown { picture: picture?, alt: alt? })
}

fn portrait(input: &PortraitInput, at: &str, errors: &mut FieldErrors) -> Option<Portrait> {
    let picture = errors.take(format!("{at}.picture"), picture(&input.picture));
    let name = errors.take(format!("{at}.name"), input.name.person(1, 80, "Please enter a name"));
    let role = input.role.name(2, 80, "Please say what they do at the school");
    let role = errors.take(format!("{at}.role"), role);
    Some(Portrait { picture: picture?, name: name?, role: role? })
}

fn semester(input: &SemesterInput, at: &str, errors: &mut FieldErrors) -> Option<Semester> {
    let name = input.name.name(2, 40, "Please enter a name of at least 2 characters");
    let name = errors.take(format!("{at}.name"), name);
    let start = errors.take(format!("{at}.startDate"), input.start_date.date("Please enter the first day"));
    let end = input.end_date.date("Please enter the last day").and_then(|end| match start {
        Some(start) if end <= start => Err("The last day must be after the first day".to_owned()),
        Some(start) if end > start.saturating_add(MAX_SEMESTER_MONTHS.months()) => {
            Err(format!("A semester lasts at most {MAX_SEMESTER_MONTHS} months"))
        }
        _ => Ok(end),
    });
    let end = errors.take(format!("{at}.endDate"), end);
    let join =
        input.join_until.date("Please enter the last day to join").and_then(|join| match (start, end) {
            (Some(start), _) if join < start => {
                Err("The last day to join must not be before the first day".to_owned())
            }
            (_, Some(end)) if join > end => {
                Err("The last day to join must not be after the last day".to_owned())
            }
            _ => Ok(join),
        });
    let join = errors.take(format!("{at}.joinUntil"), join);
    Some(Semester { name: name?, start_date: start?, end_date: end?, join_until: join? })
}
