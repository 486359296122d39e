//! Pixels that paths are painted on.

use zeno::{Mask, Style, Transform};

use super::indexed::Rgb;

/// In how many shades an edge fades: each one more makes the file a twentieth larger, and nobody sees it.
const EDGE_SHADES: f32 = 5.0;

/// A colour and how much of the ground it covers, from 0 to 1.
#[derive(Debug, Clone, Copy)]
pub struct Ink {
    /// Its colour.
    pub colour: Rgb,
    /// How much it covers.
    pub opacity: f32,
}

impl From<Rgb> for Ink {
    fn from(colour: Rgb) -> Self {
        Self { colour, opacity: 1.0 }
    }
}

/// A picture in the making.
#[derive(Debug)]
pub struct Canvas {
    /// Row after row.
    pub pixels: Vec<Rgb>,
    width: usize,
}

impl Canvas {
    /// A canvas of so many pixels; `ground` gives the colour at each, from the left and from the top.
    pub fn new(width: u16, height: u16, ground: impl Fn(f32, f32) -> Rgb) -> Self {
        let rows = (0..height).map(f32::from);
        let pixels = rows.flat_map(|y| (0..width).map(f32::from).map(move |x| (x, y)));
        Self { pixels: pixels.map(|(x, y)| ground(x, y)).collect(), width: width.into() }
    }

    /// Paints an SVG path, which `transform` brings to its place. What lies outside of the canvas is left out.
    pub fn paint<'a>(
        &mut self,
        path: &str,
        style: impl Into<Style<'a>>,
        transform: Transform,
        ink: impl Into<Ink>,
    ) {
        let ink = ink.into();
        let (mask, place) = Mask::new(path).style(style).transform(Some(transform)).render();
        if mask.is_empty() {
            return;
        }
        for (row, y) in mask.chunks(place.width as usize).zip(place.top..) {
            let Ok(y) = usize::try_from(y) else { continue };
            for (cover, x) in row.iter().zip(place.left..) {
                let Some(x) = usize::try_from(x).ok().filter(|x| *x < self.width) else { continue };
                let cover = (f32::from(*cover) / 255.0 * EDGE_SHADES).round() / EDGE_SHADES;
                if let Some(pixel) = self.pixels.get_mut(y * self.width + x).filter(|_| cover > 0.0) {
                    *pixel = mix(*pixel, ink.colour, ink.opacity * cover);
                }
            }
        }
    }
}

/// A colour between two: the first at 0, the second at 1.
pub fn mix(one: Rgb, other: Rgb, part: f32) -> Rgb {
    let part = part.clamp(0.0, 1.0);
    std::array::from_fn(|channel| {
        let (one, other) = (f32::from(one[channel]), f32::from(other[channel]));
        (one + (other - one) * part).round() as u8
    })
}
