//! What cards say, how their words are set, and what they weigh.

use super::drawing::draw;
use super::letters::{Family, Style};
use super::*;
use crate::courses::details::CourseDetails;
use crate::courses::details::tests::course;
use crate::settings::site::Site;
use jiff::civil::date;

const TITLE: Style = Style { family: Family::Serif, size: 60.0, tracking: 0.0 };

fn school() -> Arc<site::SiteSnapshot> {
    Site::new(std::sync::Arc::default(), date(2026, 11, 24)).latest().unwrap()
}

fn card(title: &str) -> Card {
    let page = Pages::load().unwrap().at("/about", None);
    let card = Card::new(&page, &school(), "https://school.example", &PageContent::default());
    Card { title: title.into(), ..card }
}

#[test]
fn lines_are_wrapped_to_the_width_and_balanced() {
    let letters = read_letters().unwrap();
    let words = "Ontario high school credits, taught live by certified teachers";
    let lines = letters.wrap(words, TITLE, 640.0, 3);
    assert_eq!(lines.join(" "), words);
    let widths: Vec<_> = lines.iter().map(|line| letters.line(line, TITLE).width).collect();
    assert!(widths.iter().all(|width| (350.0..=640.0).contains(width)), "{lines:?}: {widths:?}");
    assert!(letters.wrap(" \u{a0}\n ", TITLE, 640.0, 3).is_empty());
    assert_eq!(letters.wrap("About\u{a0} Us", TITLE, 640.0, 3), ["About Us"]);
}

#[test]
fn what_does_not_fit_ends_in_an_ellipsis() {
    let letters = read_letters().unwrap();
    let lines = letters.wrap("Communities, Conflict, and Cooperation in a Changing Nation", TITLE, 500.0, 2);
    assert_eq!(lines, ["Communities,", "Conflict, and…"]);
    let word = "Donaudampfschifffahrtsgesellschaftskapitän";
    for width in [0.0, 1.0, 30.0, 200.0, 900.0] {
        let lines = letters.wrap(&format!("{word} {word} {word} {word}"), TITLE, width, 3);
        let fits = |line: &String| line == "…" || letters.line(line, TITLE).width <= width;
        assert!(lines.len() <= 3 && lines.iter().all(fits), "{width}: {lines:?}");
    }
}

#[test]
fn a_character_that_no_family_has_is_left_out() {
    let letters = read_letters().unwrap();
    let drawable = |text| letters.drawable(text, Family::Serif);
    assert_eq!(drawable("Mandarin (普通话), level\u{200b} 1 \u{1f393}"), "Mandarin level 1");
    assert_eq!(drawable("Español & Français: Łódź, Çeşme, Țara"), "Español & Français: Łódź, Çeşme, Țara");
    assert_eq!(drawable("北门学院"), "");
    assert_eq!(letters.line("北门", TITLE).letters.len(), 0);
    assert!(
        letters.line("AV", TITLE).width < letters.line("A", TITLE).width + letters.line("V", TITLE).width
    );
}

#[test]
fn every_text_becomes_a_card_of_the_size_that_is_told() {
    let letters = read_letters().unwrap();
    let long = "Wörter und noch mehr ".repeat(200);
    for text in [
        "",
        " ",
        "北门学院",
        "مدرسة البوابة الشمالية",
        "\u{202e}sdrawkcab\u{202c}",
        "e\u{301}\u{301}",
        "🎓",
        &long,
    ] {
        let card = Card {
            code: Some(text.into()),
            school: text.into(),
            host: text.into(),
            eyebrow: text.into(),
            ..card(text)
        };
        let png = draw(&card, &letters).unwrap();
        let reader = png::Decoder::new(std::io::Cursor::new(&png)).read_info().unwrap();
        assert_eq!((reader.info().width, reader.info().height), (WIDTH.into(), HEIGHT.into()));
        assert!(png.len() < 60_000, "{} bytes", png.len());
    }
}

#[test]
fn a_card_has_another_version_when_it_says_something_else() {
    let one = card("Courses");
    assert_eq!(one.version(), card("Courses").version());
    let colours = Colours { gold: [1, 2, 3], ..one.colours };
    for other in [card("Course"), Card { school: "x".into(), ..one.clone() }, Card { colours, ..one.clone() }]
    {
        assert_ne!(one.version(), other.version(), "{other:?}");
    }
}

#[test]
fn the_home_page_says_what_its_card_says() {
    let home = Pages::load().unwrap().at("/", None);
    let card = Card::new(&home, &school(), "https://school.example", &PageContent::default());
    let page = files::templates().find(|(name, _)| name == "home").unwrap().1;
    assert!(page.contains(&card.title) && page.contains(&card.eyebrow), "{card:?}");
    assert_eq!((card.host.as_str(), card.code), ("school.example", None));
}

#[test]
fn a_course_is_told_by_its_code_its_name_and_what_it_prepares_for() {
    let course = course("MHF4U", "");
    let page = Pages::load().unwrap().at("/courses/MHF4U", None);
    let details = OneCourse::Offered(CourseDetails::new(&course, &[]).into());
    let content = PageContent { course: Some(details), ..PageContent::default() };
    let card = Card::new(&page, &school(), "https://school.example", &content);
    assert_eq!((card.code.as_deref(), &card.title), (Some("MHF4U"), &course.name));
    assert_eq!(card.eyebrow, "Grade 12 · University Preparation");
    assert_eq!(address(&page).unwrap(), "/cards/courses/MHF4U.png");
}

#[test]
fn the_colours_are_those_of_the_interface() {
    let tokens = include_str!("../../../ui/src/styles/tokens.css");
    let Colours { deep, night, sky, glow, field, gold, gold_light, brass, ink, muted } = Colours::default();
    for colour in [deep, night, sky, glow, field, gold, gold_light, brass, ink, muted] {
        assert!(tokens.contains(&format!("#{}", hex(&colour))), "#{}", hex(&colour));
    }
}

#[tokio::test]
async fn however_many_ask_at_once_a_card_is_drawn_once() {
    let courses = vec![course("MHF4U", "")];
    let json = Encoded::new("application/json", "no-cache", Vec::new());
    let catalogue = Arc::new(CatalogueSnapshot { revision: 1, courses, archived: Vec::new(), json });
    let (cards, pages) = (Arc::<Cards>::default(), Pages::load().unwrap());
    let page = page_at("/cards/courses/MHF4U.png", &pages, &catalogue).unwrap();
    let get = |title| cards.clone().get(page.clone(), card(title), catalogue.clone());
    let (one, other) = tokio::join!(get("Advanced Functions"), get("Advanced Functions"));
    let (one, other) = (one.unwrap(), other.unwrap());
    assert!(Arc::ptr_eq(&one, &other));
    assert!(Arc::ptr_eq(&one, &get("Advanced Functions").await.unwrap()));
    assert!(!Arc::ptr_eq(&one, &get("Functions").await.unwrap()), "it says something else");

    let json = Encoded::new("application/json", "no-cache", Vec::new());
    let without =
        Arc::new(CatalogueSnapshot { revision: 2, courses: Vec::new(), archived: Vec::new(), json });
    assert_eq!(page_at("/cards/courses/MHF4U.png", &pages, &without), None);
    cards.clone().get(pages.at("/about", None), card("About Us"), without).await.unwrap();
    assert_eq!(cards.drawn.lock().unwrap().len(), 1, "of a course that is gone nothing is kept");
}
