//! A picture of at most 256 colours as PNG: a byte for each pixel instead of three.

use std::collections::HashMap;
use std::iter;

use anyhow::Context as _;
use png::{BitDepth, ColorType, Compression, Encoder, Filter};

/// Red, green and blue.
pub type Rgb = [u8; 3];

/// As many as one byte tells apart.
const MAX_COLOURS: usize = 256;

/// Some of a picture's colours, each with the number of its pixels.
type Shades = Vec<(Rgb, usize)>;

/// Writes pixels, row after row of `width`, as PNG.
///
/// # Errors
/// When they are not so many rows.
pub fn encode(pixels: &[Rgb], width: u32, height: u32) -> anyhow::Result<Vec<u8>> {
    let groups = groups(pixels);
    let palette: Vec<Rgb> = groups.iter().map(|shades| mean(shades)).collect();
    let indices: HashMap<Rgb, u8> = groups
        .iter()
        .zip(0..=u8::MAX)
        .flat_map(|(shades, index)| shades.iter().map(move |(colour, _)| (*colour, index)))
        .collect();
    let runs = pixels.chunk_by(Rgb::eq).filter_map(|run| Some((*indices.get(run.first()?)?, run.len())));
    let indices: Vec<u8> = runs.flat_map(|(index, length)| iter::repeat_n(index, length)).collect();
    let mut png = Vec::new();
    let mut encoder = Encoder::new(&mut png, width, height);
    encoder.set_color(ColorType::Indexed);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_palette(palette.concat());
    // A difference of indices says nothing: rows repeat as they are.
    encoder.set_filter(Filter::NoFilter);
    encoder.set_compression(Compression::High);
    let mut writer = encoder.write_header().context("the head of a PNG")?;
    writer.write_image_data(&indices).context("the rows of a PNG")?;
    writer.finish().context("the end of a PNG")?;
    Ok(png)
}

/// The colours in as many groups as there may be, by median cut: the group whose colours differ most from their
/// mean is parted, again and again. From dark to bright.
fn groups(pixels: &[Rgb]) -> Vec<Shades> {
    let mut counts: HashMap<Rgb, usize> = HashMap::new();
    for run in pixels.chunk_by(Rgb::eq) {
        *counts.entry(run[0]).or_default() += run.len();
    }
    let mut all: Shades = counts.into_iter().collect();
    // The same picture has the same bytes, whatever the order of a map.
    all.sort_unstable();
    let mut groups = vec![(spread(&all), all)];
    while groups.len() < MAX_COLOURS {
        let widest = groups.iter_mut().max_by(|a, b| a.0.1.total_cmp(&b.0.1));
        // Two colours differ by half a square at least; less is rounding.
        let Some(((channel, error), shades)) = widest.filter(|((_, error), _)| *error > 0.4) else { break };
        let other = part(shades, *channel);
        (*channel, *error) = spread(shades);
        groups.push((spread(&other), other));
    }
    let mut groups: Vec<Shades> = groups.into_iter().map(|(_, shades)| shades).collect();
    groups.sort_by_key(|shades| mean(shades).map(u32::from).iter().sum::<u32>());
    groups
}

/// The channel in which some colours differ most, and the sum of the squares of what they differ from their mean.
fn spread(shades: &[(Rgb, usize)]) -> (usize, f64) {
    let all: f64 = shades.iter().map(|(_, count)| *count as f64).sum();
    let errors = [0, 1, 2].map(|channel: usize| {
        let moment = |power: i32| -> f64 {
            shades.iter().map(|(colour, count)| f64::from(colour[channel]).powi(power) * *count as f64).sum()
        };
        moment(2) - moment(1).powi(2) / all
    });
    let widest = (0..3).max_by(|a, b| errors[*a].total_cmp(&errors[*b])).unwrap_or_default();
    (widest, errors.iter().sum())
}

/// Takes the colours above the mean of a channel out of a group.
fn part(shades: &mut Shades, channel: usize) -> Shades {
    let mean = mean(shades)[channel];
    let (below, above): (Shades, Shades) = shades.iter().partition(|(colour, _)| colour[channel] <= mean);
    *shades = below;
    above
}

fn mean(shades: &[(Rgb, usize)]) -> Rgb {
    let all: u64 = shades.iter().map(|(_, count)| *count as u64).sum();
    [0, 1, 2].map(|channel: usize| {
        let sum: u64 = shades.iter().map(|(colour, count)| u64::from(colour[channel]) * *count as u64).sum();
        u8::try_from(sum / all.max(1)).unwrap_or(u8::MAX)
    })
}
