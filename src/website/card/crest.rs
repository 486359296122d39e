//! The school's crest, as the interface draws it (`ui/src/components/Crest.tsx`).

use zeno::{Cap, Fill, Stroke, Transform};

use super::Colours;
use super::canvas::Canvas;

/// Width and height of its own drawing.
pub const SIZE: (f32, f32) = (96.0, 112.0);

/// The shield.
const FIELD: &str = "M6 5h84v52c0 25-17 41-42 51C23 98 6 82 6 57Z";
/// Lines on it.
const LINES: [&str; 2] = ["M12 11h72v46c0 21.5-14 35-36 44.5C26 92 12 78.5 12 57Z", "M12 41h72"];
/// The northern star, the smaller ones and the book.
const SOLID: [&str; 3] = [
    "m48 15 3.1 7.9L59 26l-7.9 3.1L48 37l-3.1-7.9L37 26l7.9-3.1Z",
    "m24 22.5 1.2 2.9 2.9 1.2-2.9 1.2L24 30.7l-1.2-2.9-2.9-1.2 2.9-1.2ZM72 22.5l1.2 2.9 2.9 1.2-2.9 1.2-1.2 2.9-1.2-2.9-2.9-1.2 2.9-1.2Z",
    "M48 57c-6.5-5-14-6.5-23-6v27c9-.5 16.5 1 23 6 6.5-5 14-6.5 23-6V51c-9-.5-16.5 1-23 6Z",
];
/// What is written in the book.
const FINE: &str = "M48 57v27M30.5 58.5c4.5 0 8.5 1 12.5 3M30.5 65c4.5 0 8.5 1 12.5 3M30.5 71.5c4.5 0 8.5 1 12.5 3M65.5 58.5c-4.5 0-8.5 1-12.5 3M65.5 65c-4.5 0-8.5 1-12.5 3M65.5 71.5c-4.5 0-8.5 1-12.5 3";

/// Draws the crest where `place` brings its drawing.
pub fn draw(canvas: &mut Canvas, colours: &Colours, place: Transform) {
    canvas.paint(FIELD, Fill::NonZero, place, colours.field);
    canvas.paint(FIELD, Stroke::new(3.5), place, colours.gold);
    for line in LINES {
        canvas.paint(line, Stroke::new(1.5), place, colours.gold);
    }
    for path in SOLID {
        canvas.paint(path, Fill::NonZero, place, colours.gold_light);
    }
    canvas.paint(FINE, Stroke::new(1.5).cap(Cap::Round), place, colours.field);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_crest_of_the_interface() {
        let interface = include_str!("../../../ui/src/components/Crest.tsx");
        for path in LINES.into_iter().chain(SOLID).chain([FIELD, FINE]) {
            assert!(interface.contains(&format!("d=\"{path}\"")), "{path}");
        }
    }
}
