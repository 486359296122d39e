//! Mistakes of a decoder or an encoder are detected.

use std::time::Duration;

use jpeg_encoder::ColorType;

use super::*;
use crate::base::picture::orientation::Orientation;

const WIDTH: usize = 83;
const HEIGHT: usize = 61;

const LIMITS: DecodeLimits =
    DecodeLimits { memory_bytes: 1 << 24, time: Duration::from_secs(20), stored_bytes: 1 << 20 };

/// A picture of light and dark colours, and the three samples of each pixel.
fn drawing() -> (Vec<u8>, Vec<u8>) {
    let pixel = |at: usize| {
        let x = at % WIDTH;
        let y = at / WIDTH;
        [(3 * x) as u8, (4 * y) as u8, if (x / 20 + y / 20).is_multiple_of(2) { 30 } else { 220 }]
    };
    let pixels: Vec<u8> = (0..WIDTH * HEIGHT).flat_map(pixel).collect();
    let mut file = Vec::new();
    let mut encoder = Encoder::new(&mut file, 85);
    encoder.set_sampling_factor(SamplingFactor::F_2_2);
    encoder.set_chroma_subsampling_method(ChromaSubsamplingMethod::Average);
    encoder.encode(&pixels, WIDTH as u16, HEIGHT as u16, ColorType::Rgb).unwrap();
    let samples = decode(&file, &LIMITS, &budget()).unwrap().pixels;
    (file, samples)
}

fn budget() -> TimeBudget {
    TimeBudget::new(LIMITS.time)
}

fn shows(file: &[u8], samples: &[u8]) -> bool {
    let row = |y: usize, row: &mut [Vec<u8>; 4]| {
        for pixel in samples[3 * y * WIDTH..3 * (y + 1) * WIDTH].chunks_exact(3) {
            row.iter_mut().zip(pixel).for_each(|(row, sample)| row.push(*sample));
        }
    };
    Outline::read(file, &LIMITS, &budget()).unwrap().shows(row, &budget()).unwrap()
}

#[test]
fn decoder_mistakes_are_detected() {
    let (file, samples) = drawing();
    assert!(shows(&file, &samples));
    let at = |x: usize, y: usize, color: usize| 3 * (y * WIDTH + x) + color;
    type Fault = (&'static str, fn(usize, usize) -> bool, usize);
    let faults: [Fault; 4] = [
        ("no colour", |_, _| true, 1),
        ("no colour in the last rows of blocks", |_, y| y >= 48, 2),
        ("no colour in one block", |x, y| (16..32).contains(&x) && (32..48).contains(&y), 2),
        ("one gray block", |x, y| (72..80).contains(&x) && y < 8, 0),
    ];
    for (name, is_wrong, color) in faults {
        let mut wrong = samples.clone();
        for (x, y) in
            (0..HEIGHT).flat_map(|y| (0..WIDTH).map(move |x| (x, y))).filter(|(x, y)| is_wrong(*x, *y))
        {
            wrong[at(x, y, color)] = 128;
        }
        assert!(!shows(&file, &wrong), "{name}");
    }
    let moved = [&samples[3 * 8 * WIDTH..], &samples[..3 * 8 * WIDTH]].concat();
    assert!(!shows(&file, &moved), "rows of blocks in another order");
    let swapped: Vec<u8> = samples.chunks_exact(3).flat_map(|pixel| [pixel[0], pixel[2], pixel[1]]).collect();
    assert!(!shows(&file, &swapped), "colours in each other's place");
    let darker: Vec<u8> = samples.iter().map(|sample| sample.saturating_sub(12)).collect();
    assert!(!shows(&file, &darker), "all of it darker");
}

#[test]
fn encoded_output_is_verified() {
    let (file, samples) = drawing();
    let outline = Outline::read(&file, &LIMITS, &budget()).unwrap();
    for tag in 1..=8 {
        let exif = [b"II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0", &[tag, 0, 0, 0][..]].concat();
        let orientation = Orientation::from_exif(&exif);
        let picture = Picture { orientation, ..Picture::of(samples.clone(), &outline) };
        let written = encode(&picture, 90, &LIMITS, &budget()).unwrap();
        let size = Outline::read(&written, &LIMITS, &budget())
            .map(|outline| PictureSize { width: outline.width, height: outline.height });
        assert_eq!(size, Ok(picture.size()), "{tag}");
    }
}

#[test]
fn patterns_of_single_pixels_keep_their_colour() {
    let pixels: Vec<u8> =
        (0..64 * 64).flat_map(|at| if at % 2 == 0 { [255, 0, 0] } else { [0, 0, 255] }).collect();
    let picture =
        Picture { pixels, colors: ColorSpace::RGB, width: 64, height: 64, orientation: Orientation::UPRIGHT };
    let written = decode(&encode(&picture, 90, &LIMITS, &budget()).unwrap(), &LIMITS, &budget()).unwrap();
    let mean = |part: usize| {
        written.pixels.iter().skip(part).step_by(3).map(|one| u64::from(*one)).sum::<u64>() / 4096
    };
    // Half of each: neither bluer nor redder.
    assert!(mean(1).abs_diff(170) < 6 && mean(2).abs_diff(181) < 6, "{} {}", mean(1), mean(2));
}
