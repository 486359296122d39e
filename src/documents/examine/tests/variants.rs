//! Encoding variants of JPEG and PNG: the same picture is stored, or an accurate message returned. The files were made
//! with libjpeg's `cjpeg` and `convert` from one small drawing.

use std::collections::BTreeMap;
use std::path::Path;

use png::{BitDepth, ColorType as PngColor};

use super::make::{chunk, exif, png, with_chunks};
use super::{LIMITS, rewritten};
use crate::base::picture::PictureProblem;
use crate::base::picture::kind::UnsupportedFormat;
use crate::documents::examine::{FileRefusal, look_into};

/// A file of the folder beside this one.
pub fn file(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/documents/examine/tests/files");
    std::fs::read(folder.join(name)).unwrap()
}

/// All files with this ending.
fn files(ending: &str) -> BTreeMap<String, Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/documents/examine/tests/files");
    let names =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name.ends_with(ending)).map(|name| (name.clone(), file(&name))).collect()
}

/// A JPEG decoded by the fallback decoder, as means of squares of a fifth of its height.
fn means(jpeg: &[u8]) -> Vec<f64> {
    let mut decoder = jpeg_decoder::Decoder::new(jpeg);
    let pixels = decoder.decode().unwrap();
    let info = decoder.info().unwrap();
    let width = usize::from(info.width);
    let height = usize::from(info.height);
    let components = pixels.len() / width / height;
    let side = height / 5;
    let mut means = Vec::new();
    for (top, left) in (0..5).flat_map(|row| (0..width / side).map(move |column| (row * side, column * side)))
    {
        for color in 0..3 {
            let places = (0..side * side).map(|at| (top + at / side) * width + left + at % side);
            let sum: f64 = places.map(|at| f64::from(pixels[at * components + color % components])).sum();
            means.push(sum / (side * side) as f64);
        }
    }
    means
}

fn furthest(one: &[f64], other: &[f64]) -> f64 {
    assert_eq!(one.len(), other.len());
    one.iter().zip(other).map(|(one, other)| (one - other).abs()).fold(0.0, f64::max)
}

#[test]
fn every_jpeg_variant_is_stored_as_the_same_picture() {
    let drawing = means(&file("444-one.jpg"));
    let mut count = 0;
    for (name, bytes) in files(".jpg") {
        if ["arithmetic", "webp", "gray", "three"].iter().any(|other| name.starts_with(other)) {
            continue;
        }
        let stored = means(&rewritten(&name, &bytes));
        assert!(furthest(&drawing, &stored) < 12.0, "{name}: {}", furthest(&drawing, &stored));
        count += 1;
    }
    assert_eq!(count, 43);
    for name in ["three-scans-420.jpg", "gray-2x2.jpg"] {
        let stored = means(&rewritten(name, &file(name)));
        assert!(furthest(&means(&file(name)), &stored) < 6.0, "{name}");
    }
}

#[test]
fn arithmetic_coding_is_named_in_the_message() {
    for name in ["arithmetic.jpg", "arithmetic-passes.jpg"] {
        let refusal = look_into(&file(name), &LIMITS).unwrap_err();
        assert_eq!(refusal, FileRefusal::Picture(PictureProblem::Arithmetic), "{name}");
        assert_eq!(
            refusal.words(),
            "This JPG is packed with arithmetic coding, which hardly any program reads. Please open it and save it \
            again as a JPG or PNG, or take a screenshot of it, and upload that."
        );
    }
}

#[test]
fn a_truncated_picture_is_refused_and_one_without_its_end_marker_is_accepted() {
    let cut = Err(FileRefusal::Picture(PictureProblem::CutShort));
    for name in ["420-one.jpg", "444-apart.jpg", "420-passes.jpg", "interlaced-rgb.png", "on-its-side.png"] {
        let whole = file(name);
        for length in (40..whole.len() - 16).step_by(7) {
            assert_eq!(look_into(&whole[..length], &LIMITS).map(|_| ()), cut, "{name} of {length} bytes");
        }
    }
    for (name, mark) in [("420-one.jpg", 2), ("444-apart.jpg", 2), ("on-its-side.png", 12)] {
        let whole = file(name);
        let without = &whole[..whole.len() - mark];
        assert_eq!(rewritten(name, without), rewritten(name, &whole), "{name}");
    }
    // It is not known whether another pass would follow.
    let passes = file("420-passes.jpg");
    assert_eq!(look_into(&passes[..passes.len() - 2], &LIMITS).map(|_| ()), cut);
}

#[test]
fn a_picture_of_another_format_is_named_in_the_message() {
    let refusal = look_into(&file("webp-called.jpg"), &LIMITS).unwrap_err();
    assert_eq!(refusal, FileRefusal::OtherPicture(UnsupportedFormat::WebP));
    assert_eq!(
        refusal.words(),
        "This file is a WebP picture. Please save it as a JPG or PNG, or take a screenshot of it."
    );
}

/// Width, height and the samples of a PNG, one number per pixel.
fn grid(bytes: &[u8]) -> (usize, usize, Vec<u64>) {
    let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
    let mut samples = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut samples).unwrap();
    let width = reader.info().width as usize;
    let height = reader.info().height as usize;
    let bits = reader.info().bits_per_pixel();
    let stride = samples.len() / height;
    let pixel = |x: usize, y: usize| {
        (x * bits..(x + 1) * bits)
            .fold(0, |pixel, bit| pixel << 1 | u64::from(samples[y * stride + bit / 8] >> (7 - bit % 8) & 1))
    };
    let pixels = (0..width * height).map(|at| pixel(at % width, at / width)).collect();
    (width, height, pixels)
}

#[test]
fn a_png_is_stored_upright_for_every_orientation() {
    // EXIF orientations as explicit transformations.
    type Turn = fn(usize, usize, usize, usize) -> (usize, usize);
    let turns: [Turn; 8] = [
        |x, y, _, _| (x, y),
        |x, y, w, _| (w - 1 - x, y),
        |x, y, w, h| (w - 1 - x, h - 1 - y),
        |x, y, _, h| (x, h - 1 - y),
        |x, y, _, _| (y, x),
        |x, y, _, h| (h - 1 - y, x),
        |x, y, w, h| (h - 1 - y, w - 1 - x),
        |x, y, w, _| (y, w - 1 - x),
    ];
    let drawn = |color, depth, bytes: usize| {
        let samples: Vec<u8> = (0..bytes).map(|at| (at * 7 % 251) as u8).collect();
        png(31, color, depth, &samples)
    };
    let mut drawings = files(".png");
    drawings.retain(|name, _| name.starts_with("interlaced"));
    assert_eq!(drawings.len(), 4);
    drawings.insert("gray of 2 bits".into(), drawn(PngColor::Grayscale, BitDepth::Two, 31 * 8));
    drawings.insert("gray of 16 bits".into(), drawn(PngColor::Grayscale, BitDepth::Sixteen, 31 * 62));
    drawings.insert("colours".into(), drawn(PngColor::Rgb, BitDepth::Eight, 31 * 93));
    drawings.insert("colours of 16 bits".into(), drawn(PngColor::Rgb, BitDepth::Sixteen, 31 * 186));
    for (name, drawing) in drawings {
        let (width, height, pixels) = grid(&drawing);
        for (tag, turn) in (1..).zip(turns) {
            let turned = with_chunks(&drawing, &chunk(*b"eXIf", &exif(tag)[6..]));
            let (seen_width, seen_height, seen) = grid(&rewritten(&name, &turned));
            let expected_size = if tag < 5 { (width, height) } else { (height, width) };
            assert_eq!((seen_width, seen_height), expected_size, "{name}, {tag}");
            for (at, pixel) in pixels.iter().enumerate() {
                let (x, y) = turn(at % width, at / width, width, height);
                assert_eq!(seen[y * seen_width + x], *pixel, "{name}, {tag}");
            }
        }
    }
    let (width, height, _) = grid(&rewritten("on its side", &file("on-its-side.png")));
    assert_eq!((width, height), (96, 160));
}
