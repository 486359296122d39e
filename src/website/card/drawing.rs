//! How a card looks: where its words stand, and in which size.

use zeno::{Fill, Transform};

use super::canvas::{Canvas, Ink, mix};
use super::indexed::{self, Rgb};
use super::letters::{Family, Style, Type};
use super::{Card, Colours, HEIGHT, WIDTH, crest};

/// Where the words begin, in pixels from the left.
const LEFT: f32 = 80.0;
/// How wide they may be beside the crest.
const COLUMN: f32 = 690.0;
/// Where the line above the school's name is, from the top.
const RULE: f32 = 508.0;
/// The middle of the crest, and how much larger than its own drawing it is.
const CREST: ((f32, f32), f32) = ((958.0, 262.0), 2.5);
/// How many shades the night has.
const SHADES: f32 = 48.0;
/// How many rows have the same ones: were each of them different, the file would grow by a third.
const ROWS: f32 = 9.0;

/// Between the eyebrow and what is below it.
const EYEBROW_GAP: f32 = 34.0;
const EYEBROW: Style = Style { family: Family::Sans, size: 25.0, tracking: 0.11 };
const SCHOOL: Style = Style { family: Family::Serif, size: 34.0, tracking: 0.0 };
const HOST: Style = Style { family: Family::Sans, size: 27.0, tracking: 0.01 };

/// Draws a card, as PNG.
///
/// # Errors
/// When the picture cannot be written.
pub fn draw(card: &Card, letters: &Type) -> anyhow::Result<Vec<u8>> {
    let colours = &card.colours;
    let mut canvas = Canvas::new(WIDTH, HEIGHT, |x, y| night(colours, x, y));
    let ((x, y), size) = CREST;
    let middle = Transform::translation(-crest::SIZE.0 / 2.0, -crest::SIZE.1 / 2.0);
    if card.has_drawn_crest {
        crest::draw(&mut canvas, colours, middle.then_scale(size, size).then_translate(x, y));
    }
    words(&mut canvas, card, letters);
    foot(&mut canvas, card, letters);
    indexed::encode(&canvas.pixels, WIDTH.into(), HEIGHT.into())
}

/// The eyebrow, a course's code, and the title: together in the middle of what is above the line.
fn words(canvas: &mut Canvas, card: &Card, letters: &Type) {
    let colours = &card.colours;
    let (title, lines) = title(card, letters);
    let leading = title.size * 1.14;
    let code = card.code.as_ref().map(|code| (code, code_style(code, letters)));
    let code_height = code.as_ref().map_or(0.0, |(_, style)| style.size * 0.98);
    let height = EYEBROW.size + EYEBROW_GAP + code_height + leading * lines.len() as f32;
    let mut baseline = (RULE - height) / 2.0 + EYEBROW.size;
    let eyebrow = letters.wrap(&card.eyebrow.to_uppercase(), EYEBROW, COLUMN, 1).concat();
    write(canvas, letters, &eyebrow, EYEBROW, (LEFT, baseline), colours.brass);
    baseline += EYEBROW_GAP;
    if let Some((code, style)) = code {
        baseline += code_height * 0.84;
        // A large letter has more space before it than a small one.
        write(canvas, letters, code, style, (LEFT - style.size * 0.03, baseline), colours.gold_light);
        baseline += code_height * 0.16;
    }
    for (line, number) in lines.iter().zip(0_u8..) {
        let at = baseline + title.size * 0.86 + f32::from(number) * leading;
        write(canvas, letters, line, title, (LEFT - title.size * 0.02, at), colours.ink);
    }
}

/// The title in the largest size in which it stands in few lines.
fn title(card: &Card, letters: &Type) -> (Style, Vec<String>) {
    let sizes: &[(f32, usize)] = if card.code.is_some() {
        &[(62.0, 1), (56.0, 2), (48.0, 3)]
    } else {
        &[(96.0, 1), (84.0, 2), (68.0, 3), (58.0, 3)]
    };
    let style = |size: f32| Style { family: Family::Serif, size, tracking: -0.005 };
    let mut last = (style(0.0), Vec::new());
    for (size, max_lines) in sizes {
        let lines = letters.wrap(&card.title, style(*size), COLUMN, *max_lines);
        let fits = !lines.iter().any(|line| line.ends_with('…'));
        last = (style(*size), lines);
        if fits {
            break;
        }
    }
    last
}

/// A code is large; a long one of the school's own is as large as there is room.
fn code_style(code: &str, letters: &Type) -> Style {
    let style = Style { family: Family::Serif, size: 132.0, tracking: 0.01 };
    let width = letters.line(code, style).width;
    Style { size: style.size * (COLUMN / width.max(1.0)).min(1.0), ..style }
}

/// The line, the school's name and where it is to be found.
fn foot(canvas: &mut Canvas, card: &Card, letters: &Type) {
    let colours = &card.colours;
    let room = f32::from(WIDTH) - 2.0 * LEFT;
    let rule = format!("M{LEFT} {RULE}h{room}v2h-{room}Z");
    canvas.paint(&rule, Fill::NonZero, Transform::IDENTITY, Ink { colour: colours.gold, opacity: 0.55 });
    let baseline = RULE + 70.0;
    let host = letters.wrap(&card.host, HOST, room / 2.0, 1).concat();
    let host_width = letters.line(&host, HOST).width;
    let right = f32::from(WIDTH) - LEFT - host_width;
    write(canvas, letters, &host, HOST, (right, baseline), colours.muted);
    let name = letters.wrap(&card.school, SCHOOL, room - host_width - 40.0, 1).concat();
    write(canvas, letters, &name, SCHOOL, (LEFT, baseline), colours.ink);
}

/// Writes a line from its beginning on the baseline.
fn write(canvas: &mut Canvas, letters: &Type, text: &str, style: Style, at: (f32, f32), colour: Rgb) {
    let size = style.size / 1000.0;
    for (left, outline) in letters.line(text, style).letters {
        let place = Transform::scale(size, -size).then_translate(at.0 + left, at.1);
        canvas.paint(outline, Fill::NonZero, place, colour);
    }
}

/// The ground at a point: the site's `--night` and its glow (`ui/src/styles/tokens.css`), in so few shades that
/// their edges cannot be seen.
fn night(colours: &Colours, x: f32, y: f32) -> Rgb {
    let y = (y / ROWS).floor() * ROWS;
    let (width, height) = (f32::from(WIDTH), f32::from(HEIGHT));
    // As far as a CSS gradient of 165 degrees runs.
    let (sin, cos) = 165_f32.to_radians().sin_cos();
    let length = width * sin.abs() + height * cos.abs();
    let up = 0.5 - ((x - width / 2.0) * sin - (y - height / 2.0) * cos) / length;
    let glow = (1.0 - ((x - CREST.0.0) / 800.0).hypot((y - CREST.0.1 * 0.7) / 540.0)).max(0.0);
    // From the deepest to the brightest.
    let light = up.clamp(0.0, 1.0) * 0.5;
    let light = light + (1.0 - light) * 0.85 * glow * glow * (3.0 - 2.0 * glow);
    let light = (light * SHADES).round() / SHADES;
    if light < 0.25 {
        mix(colours.deep, colours.night, light * 4.0)
    } else if light < 0.5 {
        mix(colours.night, colours.sky, light * 4.0 - 1.0)
    } else {
        mix(colours.sky, colours.glow, light * 2.0 - 1.0)
    }
}
