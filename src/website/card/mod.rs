//! Cards: the pictures that messengers show beside a link to a page (Open Graph, `og:image`).
//!
//! Each public page has one, and each course that is offered; nothing else is drawn, whatever is asked for. A
//! card is drawn when it is first asked for and kept until its words change; one at a time, however many ask.

mod canvas;
mod crest;
mod drawing;
mod indexed;
mod letters;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Context as _;
use sha2::{Digest as _, Sha256};

use super::content::{OneCourse, PageContent};
use super::files;
use super::pages::{Page, Pages, Topic};
use crate::base::error::Result;
use crate::base::random::hex;
use crate::courses::catalogue::CatalogueSnapshot;
use crate::school::look::{self, Colour};
use crate::settings::site;
use crate::web::cached_response::Encoded;
use indexed::Rgb;
use letters::Type;

/// Width of a card in pixels.
pub const WIDTH: u16 = 1200;
/// Height of a card in pixels.
pub const HEIGHT: u16 = 630;

/// To be raised when cards with the same words look different: messengers then fetch them anew.
const DRAWING: u8 = 1;

/// Between the beginning and the end of a card's address stands its name.
const ADDRESS: (&str, &str) = ("/cards/", ".png");

/// What a card says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Card {
    /// The small line above the title.
    pub eyebrow: String,
    /// Of a course: its code, which stands large.
    pub code: Option<String>,
    /// What the page is about.
    pub title: String,
    /// The school's name.
    pub school: String,
    /// Where the site is.
    pub host: String,
    /// Whether the drawn crest is the school's.
    pub has_drawn_crest: bool,
    /// What it is drawn in.
    pub colours: Colours,
}

/// The colours of a card.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Colours {
    /// The ground where it is darkest: the corner below.
    pub deep: Rgb,
    /// The ground further up.
    pub night: Rgb,
    /// The ground above.
    pub sky: Rgb,
    /// The light behind the crest.
    pub glow: Rgb,
    /// The crest's shield.
    pub field: Rgb,
    /// The crest's lines, and the line above the school's name.
    pub gold: Rgb,
    /// What fills the crest, and a course's code.
    pub gold_light: Rgb,
    /// The small line above the title.
    pub brass: Rgb,
    /// The title and the school's name.
    pub ink: Rgb,
    /// Where the site is.
    pub muted: Rgb,
}

/// Those of the interface's dark bands (`ui/src/styles/tokens.css`).
impl Default for Colours {
    fn default() -> Self {
        Self {
            deep: [0x08, 0x13, 0x29],
            night: [0x0b, 0x1a, 0x3d],
            sky: [0x10, 0x27, 0x5a],
            glow: [0x24, 0x46, 0x8c],
            field: [0x0d, 0x1e, 0x45],
            gold: [0xd9, 0xb5, 0x66],
            gold_light: [0xe8, 0xcb, 0x8c],
            brass: [0xe2, 0xc2, 0x7c],
            ink: [0xf5, 0xf0, 0xe4],
            muted: [0xa4, 0xae, 0xc3],
        }
    }
}

impl Colours {
    /// As a school has them that chose its own.
    fn turned(self, chosen: look::Colours) -> Self {
        let turn = |colour: Rgb| chosen.turn(Colour::of_parts(colour)).parts();
        Self {
            deep: turn(self.deep),
            night: turn(self.night),
            sky: turn(self.sky),
            glow: turn(self.glow),
            field: turn(self.field),
            gold: turn(self.gold),
            gold_light: turn(self.gold_light),
            brass: turn(self.brass),
            ink: turn(self.ink),
            muted: turn(self.muted),
        }
    }
}

impl Card {
    /// What the card of a page says.
    pub fn new(page: &Page, site: &site::SiteSnapshot, public_url: &str, content: &PageContent<'_>) -> Self {
        let school = &site.school;
        let (eyebrow, code, title) = match (&content.course, &page.topic) {
            (Some(OneCourse::Offered(details)), _) => {
                let course = &details.course;
                let eyebrow = format!("Grade {} · {}", course.grade.number(), details.level_name);
                (eyebrow, Some(course.code.to_string()), course.name.clone())
            }
            (_, Topic::Grade(grade)) => (school.tagline.clone(), None, format!("Grade {grade} courses")),
            // As the home page itself begins.
            _ if page.path == "/" => (
                "Grades 9 to 12 · OSSD credits".into(),
                None,
                "Ontario high school credits, taught live by certified teachers".into(),
            ),
            _ => (school.tagline.clone(), None, page.title.into()),
        };
        let host = public_url.split_once("://").map_or(public_url, |(_, host)| host);
        Self {
            eyebrow,
            code,
            title,
            school: school.name.clone(),
            host: host.into(),
            has_drawn_crest: site.crest.is_none(),
            colours: Colours::default().turned(site.colours),
        }
    }

    /// The words of the card, for whoever does not see it.
    pub fn words(&self) -> String {
        let title = self.code.as_ref().map_or(self.title.clone(), |code| format!("{code}, {}", self.title));
        format!("{title}. {}. {}", self.eyebrow, self.school)
    }

    /// What stands in the address of the picture, so that another one is fetched when it changes.
    pub fn version(&self) -> String {
        hex(&Sha256::digest(format!("{DRAWING} {self:?}"))[..4])
    }
}

/// The address of a page's card; none for a page that search engines should not list.
pub fn address(page: &Page) -> Option<String> {
    let name = match &page.topic {
        _ if !page.is_public() => return None,
        Topic::Archived(_) | Topic::Unknown => return None,
        Topic::Course(code) => format!("courses/{code}"),
        Topic::Sent => Page { topic: Topic::Itself, ..page.clone() }.template(),
        Topic::Itself | Topic::Grade(_) => page.template(),
    };
    Some(format!("{}{name}{}", ADDRESS.0, ADDRESS.1))
}

/// The page whose card is at an address.
pub fn page_at(path: &str, pages: &Pages, catalogue: &CatalogueSnapshot) -> Option<Page> {
    let name = path.strip_prefix(ADDRESS.0)?.strip_suffix(ADDRESS.1)?;
    let page = if name.starts_with("courses/") {
        Some(pages.at(&format!("/{name}"), None).in_catalogue(catalogue))
    } else {
        pages.public().find(|page| page.template() == name)
    };
    page.filter(|page| address(page).as_deref() == Some(path))
}

/// The cards that have been drawn.
#[derive(Default)]
pub struct Cards {
    drawn: Mutex<HashMap<Page, Drawn>>,
    /// Whose turn it is to draw.
    turn: Arc<tokio::sync::Mutex<()>>,
}

#[derive(Clone)]
struct Drawn {
    version: String,
    png: Arc<Encoded>,
}

impl Cards {
    /// The picture of a page's card, as it is kept or drawn now.
    ///
    /// # Errors
    /// When it cannot be drawn.
    pub async fn get(
        self: Arc<Self>,
        page: Page,
        card: Card,
        catalogue: Arc<CatalogueSnapshot>,
    ) -> Result<Arc<Encoded>> {
        let version = card.version();
        if let Some(png) = self.kept(&page, &version) {
            return Ok(png);
        }
        let turn = self.turn.clone().lock_owned().await;
        // Whoever had the turn before may have drawn it.
        if let Some(png) = self.kept(&page, &version) {
            return Ok(png);
        }
        tokio::task::spawn_blocking(move || {
            // Held by the drawing, not by the request: whoever hangs up makes no room for one more.
            let _turn = turn;
            let png = drawing::draw(&card, &read_letters()?)?;
            let png = Arc::new(Encoded::of_plain("image/png", "public, max-age=86400", png.into()));
            let mut drawn = self.drawn.lock().unwrap_or_else(PoisonError::into_inner);
            // Of a course that is no longer offered nobody asks for the card.
            drawn.retain(|page, _| page.clone().in_catalogue(&catalogue) == *page);
            drawn.insert(page, Drawn { version, png: png.clone() });
            Ok(png)
        })
        .await
        .context("drawing a card")?
    }

    fn kept(&self, page: &Page, version: &str) -> Option<Arc<Encoded>> {
        let drawn = self.drawn.lock().unwrap_or_else(PoisonError::into_inner);
        drawn.get(page).filter(|drawn| drawn.version == version).map(|drawn| drawn.png.clone())
    }
}

/// Unpacked for each card: it takes 3 ms, and would be 400 kB that are seldom needed.
fn read_letters() -> anyhow::Result<Type> {
    let packed = |family| files::letters(family).with_context(|| format!("the embedded {family} letters"));
    Type::read(&packed("serif")?, &packed("sans")?)
}

#[cfg(test)]
mod tests;
