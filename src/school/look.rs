//! The school's own colours and crest, as a style sheet over the interface's.
//!
//! The office chooses two colours; what is taken of them is the hue and how strong it is. Each colour of the
//! interface that is of the same family as the sample's navy or brass is turned to it and keeps its relative
//! luminance (WCAG 2.2): whatever is chosen, every contrast stays what it was.

use std::fmt;
use std::fmt::Write as _;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use utoipa::ToSchema;

const TOKENS: &str = include_str!("../../ui/src/styles/tokens.css");
/// The colours of the sample, from which the others are turned.
const NAVY: Colour = Colour([0x0d, 0x1e, 0x45]);
const BRASS: Colour = Colour([0xb9, 0x8a, 0x2e]);
/// How far the hues of a family lie around the colour that it is named after, in degrees.
const NAVY_SPAN: f64 = 38.0;
const BRASS_SPAN: f64 = 30.0;
/// Below, a colour of a family is a paper or a gray, and stays.
const MIN_CHROMA: f64 = 0.013;
/// Beyond, a strong colour would shout from every surface.
const MAX_STRENGTH: f64 = 1.5;
/// What means something by its colour keeps it.
const MEANINGS: [&str; 8] =
    ["--danger", "--success", "--green", "--yellow", "--blue", "--red", "--pico-icon", "--qr"];

/// A colour of the screen: `#0d1e45` on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ToSchema)]
#[schema(value_type = String, example = "#0d1e45")]
pub struct Colour([u8; 3]);

impl Colour {
    /// Reads `#0d1e45`, in any case.
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6 && digits.is_ascii())?;
        let part = |at: usize| u8::from_str_radix(&digits[at..at + 2], 16).ok();
        digits.bytes().all(|digit| digit.is_ascii_hexdigit()).then_some(())?;
        Some(Self([part(0)?, part(2)?, part(4)?]))
    }

    /// Red, green and blue in linear light, 0 to 1.
    fn linear(self) -> [f64; 3] {
        self.0.map(|part| {
            let part = f64::from(part) / 255.0;
            if part <= 0.040_45 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
        })
    }

    fn of_linear(parts: [f64; 3]) -> Self {
        Self(parts.map(|part| {
            let part = part.clamp(0.0, 1.0);
            let part = if part <= 0.003_130_8 { part * 12.92 } else { 1.055 * part.powf(1.0 / 2.4) - 0.055 };
            (part * 255.0).round() as u8
        }))
    }

    /// Relative luminance (WCAG 2.2), 0 to 1.
    fn luminance(self) -> f64 {
        let [red, green, blue] = self.linear();
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    }

    /// Lightness, chroma and hue in degrees (Björn Ottosson, Oklab, 2020).
    fn lch(self) -> (f64, f64, f64) {
        let [r, g, b] = self.linear();
        let l = (0.412_221_470_8 * r + 0.536_332_536_3 * g + 0.051_445_992_9 * b).cbrt();
        let m = (0.211_903_498_2 * r + 0.680_699_545_1 * g + 0.107_396_956_6 * b).cbrt();
        let s = (0.088_302_461_9 * r + 0.281_718_837_6 * g + 0.629_978_700_5 * b).cbrt();
        let lightness = 0.210_454_255_3 * l + 0.793_617_785 * m - 0.004_072_046_8 * s;
        let a = 1.977_998_495_1 * l - 2.428_592_205 * m + 0.450_593_709_9 * s;
        let b = 0.025_904_037_1 * l + 0.782_771_766_2 * m - 0.808_675_766 * s;
        (lightness, a.hypot(b), b.atan2(a).to_degrees().rem_euclid(360.0))
    }

    fn of_lch(lightness: f64, chroma: f64, hue: f64) -> Self {
        let (sin, cos) = hue.to_radians().sin_cos();
        let a = chroma * cos;
        let b = chroma * sin;
        let l = (lightness + 0.396_337_777_4 * a + 0.215_803_757_3 * b).powi(3);
        let m = (lightness - 0.105_561_345_8 * a - 0.063_854_172_8 * b).powi(3);
        let s = (lightness - 0.089_484_177_5 * a - 1.291_485_548 * b).powi(3);
        Self::of_linear([
            4.076_741_662_1 * l - 3.307_711_591_3 * m + 0.230_969_929_2 * s,
            -1.268_438_004_6 * l + 2.609_757_401_1 * m - 0.341_319_396_5 * s,
            -0.004_196_086_3 * l - 0.703_418_614_7 * m + 1.707_614_701 * s,
        ])
    }

    /// This colour turned from one family to another, as light as it is.
    fn turned(self, from: Self, to: Self) -> Self {
        let (_, chroma, _) = self.lch();
        let (_, base, _) = from.lch();
        let (_, wanted, hue) = to.lch();
        let chroma = chroma * (wanted / base).min(MAX_STRENGTH);
        let mut low = 0.0;
        let mut high = 1.0;
        // Luminance grows with lightness: twenty halves are finer than a screen.
        for _ in 0..20 {
            let middle = f64::midpoint(low, high);
            if Self::of_lch(middle, chroma, hue).luminance() < self.luminance() {
                low = middle;
            } else {
                high = middle;
            }
        }
        let nearest = |one: &Self, other: &Self| {
            let far = |colour: &Self| (colour.luminance() - self.luminance()).abs();
            far(one).total_cmp(&far(other))
        };
        [Self::of_lch(low, chroma, hue), Self::of_lch(high, chroma, hue)]
            .into_iter()
            .min_by(nearest)
            .unwrap_or(self)
    }

    /// Whether it is of the family of another: near in hue, and coloured at all.
    fn is_of(self, family: Self, span: f64) -> bool {
        let (_, chroma, hue) = self.lch();
        let (_, _, center) = family.lch();
        let distance = (hue - center + 540.0).rem_euclid(360.0) - 180.0;
        chroma >= MIN_CHROMA && distance.abs() <= span
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [red, green, blue] = self.0;
        write!(f, "#{red:02x}{green:02x}{blue:02x}")
    }
}

impl Serialize for Colour {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Colour {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| serde::de::Error::custom(format!("no colour: {text}")))
    }
}

/// The two colours that a school may choose; none keeps the sample's.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Colours {
    /// In the place of navy: dark bands, headings, buttons, links.
    pub main: Option<Colour>,
    /// In the place of brass: lines, small headings, what is marked.
    pub accent: Option<Colour>,
}

impl Colours {
    /// A colour of the interface as this school has it.
    pub fn turn(self, colour: Colour) -> Colour {
        match (self.main, self.accent) {
            (Some(main), _) if colour.is_of(NAVY, NAVY_SPAN) => colour.turned(NAVY, main),
            (_, Some(accent)) if colour.is_of(BRASS, BRASS_SPAN) => colour.turned(BRASS, accent),
            _ => colour,
        }
    }

    /// The colour of the browser's own frame around the site.
    pub fn theme(self) -> Colour {
        self.turn(NAVY)
    }

    /// The declarations of the interface's colours that differ.
    fn declarations(self) -> String {
        let lines = TOKENS.lines().map(str::trim).filter(|line| line.starts_with("--"));
        let lines = lines.filter(|line| !MEANINGS.iter().any(|meaning| line.starts_with(meaning)));
        lines.filter_map(|line| Some(self.repainted(line)).filter(|painted| painted != line)).collect()
    }

    /// A line of the style sheet with each of its colours turned.
    fn repainted(self, line: &str) -> String {
        let mut parts = line.split('#');
        let mut painted = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let colour = part.get(..6).and_then(|digits| Colour::parse(&format!("#{digits}")));
            match colour {
                Some(colour) => {
                    let _ = write!(painted, "{}{}", self.turn(colour), &part[6..]);
                }
                None => {
                    painted.push('#');
                    painted.push_str(part);
                }
            }
        }
        painted
    }
}

/// The style sheet of a school's own look, `crest` being the address of a picture; empty if it has none.
pub fn style_sheet(colours: Colours, crest: Option<&str>) -> String {
    let mut sheet = String::new();
    let declarations = colours.declarations();
    if !declarations.is_empty() {
        // Twice, so that it counts wherever it stands.
        let _ = write!(sheet, ":root:root{{{declarations}}}");
    }
    if let Some(crest) = crest {
        let _ = write!(
            sheet,
            ".crest.crest{{background:url({crest}) center/contain no-repeat}}.crest.crest>*{{display:none}}"
        );
    }
    sheet
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHOSEN: [&str; 8] =
        ["#7a0019", "#005f3b", "#000000", "#ffffff", "#ffd100", "#008080", "#5b2a86", "#0033ff"];

    fn contrast(one: Colour, other: Colour) -> f64 {
        let one = one.luminance() + 0.05;
        let other = other.luminance() + 0.05;
        one.max(other) / one.min(other)
    }

    fn colours_of(sheet: &str) -> Vec<Colour> {
        sheet.split('#').skip(1).filter_map(|part| Colour::parse(&format!("#{}", part.get(..6)?))).collect()
    }

    #[test]
    fn every_chosen_colour_keeps_its_lightness() {
        let before = colours_of(TOKENS);
        assert!(before.len() > 60, "{}", before.len());
        for chosen in CHOSEN {
            let chosen = Colour::parse(chosen);
            let colours = Colours { main: chosen, accent: chosen };
            for colour in &before {
                let turned = colours.turn(*colour);
                assert!(contrast(*colour, turned) < 1.03, "{colour} became {turned} for {chosen:?}");
            }
        }
    }

    #[test]
    fn a_chosen_colour_is_seen_and_meanings_keep_theirs() {
        let main = Colour::parse("#7a0019");
        let sheet = style_sheet(Colours { main, accent: None }, None);
        for name in ["--navy:", "--ink:", "--accent-fill:", "--night:", "--focus:"] {
            assert!(sheet.contains(name), "{name} in {sheet}");
        }
        for name in ["--danger", "--blue", "--brass:", "--paper: light-dark(#fbf9f4, #0c1220)", "/*"] {
            assert!(!sheet.contains(name), "{name} in {sheet}");
        }
        let (_, _, hue) = Colours { main, accent: None }.theme().lch();
        let (_, _, wanted) = main.unwrap().lch();
        assert!((hue - wanted).abs() < 8.0, "{hue} for {wanted}");
        assert_eq!(sheet.matches('{').count(), sheet.matches('}').count());
    }

    #[test]
    fn nothing_chosen_changes_nothing() {
        assert_eq!(style_sheet(Colours::default(), None), "");
        let same = Colours { main: Some(NAVY), accent: Some(BRASS) };
        for (one, other) in colours_of(&same.declarations()).into_iter().zip(colours_of(TOKENS)) {
            assert!(contrast(one, other) < 30.0);
        }
    }

    #[test]
    fn a_colour_is_six_digits() {
        assert_eq!(Colour::parse("#0D1E45"), Some(NAVY));
        for text in ["0d1e45", "#0d1e4", "#0d1e4g", "#0d1e455", "#+d1e45", "", "#é1e45", "red"] {
            assert_eq!(Colour::parse(text), None, "{text}");
        }
    }
}
