//! Pictures: refused ones, results of valid ones, and removal of everything else.

use std::time::Duration;

use jpeg_encoder::{ColorType, Encoder, SamplingFactor};
use png::{BitDepth, ColorType as PngColor};
use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::bytestream::ZCursor;

use super::make::{chunk, claimed_png, exif, jpeg, packed, png, quarters, small_png, with_chunks};
use super::{LIMITS, assert_refused, rewritten};
use crate::base::budget::DecodeLimits;
use crate::base::picture::PictureProblem;
use crate::base::picture::kind::UnsupportedFormat;
use crate::documents::examine::{FileRefusal, look_into};

const DAMAGED: FileRefusal = FileRefusal::Picture(PictureProblem::Damaged);
const CUT: FileRefusal = FileRefusal::Picture(PictureProblem::CutShort);

fn many(pixels: u64) -> FileRefusal {
    FileRefusal::Picture(PictureProblem::TooManyPixels(pixels))
}

const HTML: &[u8] = b"<html><script>alert(document.domain)</script>";

#[test]
fn incomplete_or_invalid_pictures_are_refused() {
    let photo = jpeg(64, 48, |_| {});
    let drawing = small_png();
    let patched = |at: usize, size: [u8; 4]| {
        let mut bytes = photo.clone();
        let frame = bytes.windows(2).position(|two| two == b"\xFF\xC0").unwrap();
        bytes[frame + at..frame + at + 4].copy_from_slice(&size);
        bytes
    };
    let headed = |head: &[u8]| [head, HTML].concat();
    let huge = packed(&vec![0; 8 * 1024 * 1024]);
    assert_refused(vec![
        ("a web page", HTML.to_vec(), FileRefusal::UnsupportedFormat),
        ("nothing", Vec::new(), FileRefusal::UnsupportedFormat),
        ("a moving picture", b"GIF89a".to_vec(), FileRefusal::OtherPicture(UnsupportedFormat::Gif)),
        (
            "a drawing with scripts",
            b"<svg xmlns='http://www.w3.org/2000/svg'/>".to_vec(),
            FileRefusal::UnsupportedFormat,
        ),
        ("the head of a PNG", headed(b"\x89PNG\r\n\x1a\n"), DAMAGED),
        ("the head of a JPEG", headed(b"\xFF\xD8\xFF\xE0\0\x10JFIF\0"), CUT),
        ("a JPEG's beginning", headed(&photo[..photo.len() / 2]), CUT),
        ("half a JPEG", photo[..photo.len() / 2].to_vec(), CUT),
        ("half a PNG", drawing[..drawing.len() / 2].to_vec(), CUT),
        ("2^31 pixels a side", claimed_png(1 << 31, 1 << 31, &huge), many(1 << 62)),
        (
            "2^31 - 1 pixels a side",
            claimed_png(i32::MAX as u32, i32::MAX as u32, &huge),
            many(4_611_686_014_132_420_609),
        ),
        ("30,000 by 30,000", claimed_png(30_000, 30_000, &huge), many(900_000_000)),
        ("one long row", claimed_png(20_000_000, 1, &huge), many(20_000_000)),
        ("a JPEG of 65,535 by 65,535", patched(5, [255; 4]), many(4_294_836_225)),
        ("a JPEG of no height", patched(5, [0, 0, 0, 64]), DAMAGED),
    ]);
}

#[test]
fn nothing_but_the_picture_is_left() {
    let photo = jpeg(64, 48, |encoder| encoder.add_app_segment(1, exif(1)).unwrap());
    let texts = [chunk(*b"tEXt", b"Comment\0<script>"), chunk(*b"eXIf", &exif(1)[6..])].concat();
    for (name, bytes) in [
        ("a photo with a place", photo.clone()),
        ("a photo with a page behind", [&photo, HTML].concat()),
        ("a photo with another one behind", [photo.clone(), photo].concat()),
        ("a drawing with texts", with_chunks(&small_png(), &texts)),
        ("a drawing with a page behind", [&small_png(), HTML].concat()),
        ("a drawing with an archive behind", [&small_png()[..], b"PK\x03\x04 GPS script"].concat()),
    ] {
        let stored = rewritten(name, &bytes);
        for traitor in [&b"Exif"[..], b"eXIf", b"GPS", b"SpyCamera", b"script", b"Comment", b"PK\x03\x04"] {
            let is_left = stored.windows(traitor.len()).any(|window| window == traitor);
            assert!(!is_left, "{name} still has {}", String::from_utf8_lossy(traitor));
        }
        assert_eq!(
            stored.windows(2).filter(|two| two == b"\xFF\xD9").count(),
            usize::from(stored[0] == 0xFF),
            "{name}"
        );
    }
}

/// Width, height, and the colours of the two upper corners.
fn upper_corners(jpeg: &[u8]) -> (usize, usize, [&'static str; 2]) {
    let mut decoder = JpegDecoder::new(ZCursor::new(jpeg));
    let pixels = decoder.decode().unwrap();
    let (width, height) = decoder.dimensions().unwrap();
    let name = |x: usize| match pixels[3 * (4 * width + x)..][..3]
        .iter()
        .map(|part| *part > 127)
        .collect::<Vec<_>>()[..]
    {
        [true, false, false] => "red",
        [false, true, false] => "green",
        [false, false, true] => "blue",
        _ => "white",
    };
    (width, height, [name(4), name(width - 5)])
}

#[test]
fn a_photo_is_upright_whichever_way_the_camera_was_held() {
    // Red, green, blue and white are stored at the top left, top right, bottom left, bottom right.
    let seen = [
        ["red", "green"],
        ["green", "red"],
        ["white", "blue"],
        ["blue", "white"],
        ["red", "blue"],
        ["blue", "red"],
        ["white", "green"],
        ["green", "white"],
    ];
    for (orientation, corners) in (1..).zip(seen) {
        let photo = jpeg(64, 32, |encoder| encoder.add_app_segment(1, exif(orientation)).unwrap());
        let stored = rewritten("a photo", &photo);
        let (width, height) = if orientation < 5 { (64, 32) } else { (32, 64) };
        assert_eq!(upper_corners(&stored), (width, height, corners), "{orientation}");
        assert_eq!(upper_corners(&rewritten("once more", &stored)), (width, height, corners), "stays");
    }
}

#[test]
fn every_kind_of_jpeg_is_taken() {
    let progressive = jpeg(64, 32, |encoder| encoder.set_progressive(true));
    let full = jpeg(64, 32, |encoder| encoder.set_sampling_factor(SamplingFactor::F_1_1));
    let restarted = jpeg(64, 32, |encoder| encoder.set_restart_interval(2));
    for (name, bytes) in [("progressive", progressive), ("4:4:4", full), ("restarts", restarted)] {
        assert_eq!(upper_corners(&rewritten(name, &bytes)), (64, 32, ["red", "green"]), "{name}");
    }
    let encoded = |samples: &[u8], color| {
        let mut bytes = Vec::new();
        Encoder::new(&mut bytes, 90).encode(samples, 32, 32, color).unwrap();
        bytes
    };
    let gray = rewritten("gray", &encoded(&[200; 32 * 32], ColorType::Luma));
    assert_eq!(upper_corners(&gray), (32, 32, ["white", "white"]));
    let red: Vec<u8> = [0, 255, 255, 0].repeat(32 * 32);
    for color in [ColorType::Cmyk, ColorType::CmykAsYcck] {
        let stored = rewritten("of a printer's colors", &encoded(&red, color));
        assert_eq!(upper_corners(&stored), (32, 32, ["red", "red"]), "{color:?}");
    }
}

#[test]
fn every_kind_of_png_keeps_its_samples() {
    let decoded = |bytes: &[u8]| {
        let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
        let mut samples = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut samples).unwrap();
        let info = reader.info();
        (info.color_type, info.bit_depth, info.palette.clone(), info.trns.clone(), samples)
    };
    for (color, depth, bytes) in [
        (PngColor::Rgb, BitDepth::Eight, 32 * 32 * 3),
        (PngColor::Rgba, BitDepth::Sixteen, 32 * 32 * 8),
        (PngColor::Grayscale, BitDepth::Sixteen, 32 * 32 * 2),
        (PngColor::GrayscaleAlpha, BitDepth::Eight, 32 * 32 * 2),
        (PngColor::Grayscale, BitDepth::One, 32 * 4),
        (PngColor::Indexed, BitDepth::One, 32 * 4),
        (PngColor::Indexed, BitDepth::Four, 32 * 16),
    ] {
        let ones = color == PngColor::Indexed && depth != BitDepth::One;
        let samples: Vec<u8> = (0..bytes).map(|at| if ones { 0x11 } else { (at * 7 % 256) as u8 }).collect();
        let file = png(32, color, depth, &samples);
        let stored = rewritten("a drawing", &file);
        assert_eq!(decoded(&stored), decoded(&file), "{color:?} {depth:?}");
    }
}

#[test]
fn data_beside_the_picture_takes_neither_time_nor_memory() {
    let bomb = packed(&vec![0; 50_000_000]);
    let profile = [b"icc\0\0", &bomb[..]].concat();
    let text = [b"Comment\0\0", &bomb[..]].concat();
    let chunks = |name: [u8; 4], content: &[u8], count: usize| chunk(name, content).repeat(count);
    let control = chunk(*b"acTL", &[0, 0, 0, 2, 0, 0, 0, 0]);
    for (name, extra) in [
        ("profiles", chunks(*b"iCCP", &profile, 100)),
        ("texts", chunks(*b"zTXt", &text, 100)),
        ("tiny chunks", chunks(*b"teSt", b"", 100_000)),
        ("one picture after the other", control),
    ] {
        let limits = DecodeLimits { time: Duration::from_secs(5), ..LIMITS };
        let examined = look_into(&with_chunks(&small_png(), &extra), &limits);
        let stored = examined.unwrap_or_else(|refusal| panic!("{name}: {refusal:?}")).rewritten;
        assert!(stored.len() < 1_000, "{name}");
    }
}

#[test]
fn work_stops_when_the_time_is_used_up() {
    let scans = progressive_with_scans(5_000);
    assert_eq!(
        look_into(&scans, &LIMITS).map(|_| ()),
        Err(FileRefusal::Picture(PictureProblem::Unusual)),
        "too many scans"
    );
    let side = 2_000;
    let large = png(side, PngColor::Rgb, BitDepth::Eight, &quarters(2_000, 2_000));
    let photo = jpeg(2_000, 2_000, |_| {});
    for (name, bytes) in [("a PNG", large), ("a JPEG", photo)] {
        // A zero budget, which no machine can meet.
        let limits = DecodeLimits { time: Duration::ZERO, ..LIMITS };
        assert_eq!(look_into(&bytes, &limits).map(|_| ()), Err(FileRefusal::TooSlow), "{name}");
    }
}

/// A progressive JPEG with a repeated last scan.
fn progressive_with_scans(count: usize) -> Vec<u8> {
    let photo = jpeg(512, 512, |encoder| encoder.set_progressive(true));
    let last = photo.windows(2).rposition(|two| two == b"\xFF\xDA").unwrap();
    let end = photo.len() - 2;
    [&photo[..last], &photo[last..end].repeat(count), &photo[end..]].concat()
}

#[test]
fn a_result_too_large_to_store_is_refused() {
    let noise: Vec<u8> = {
        let mut random = fastrand::Rng::with_seed(1);
        (0..300 * 300 * 3).map(|_| random.u8(..)).collect()
    };
    let limits = DecodeLimits { stored_bytes: 10_000, ..LIMITS };
    let drawing = png(300, PngColor::Rgb, BitDepth::Eight, &noise);
    assert_eq!(look_into(&drawing, &limits).map(|_| ()), Err(FileRefusal::TooLarge));
    let mut photo = Vec::new();
    Encoder::new(&mut photo, 90).encode(&noise, 300, 300, ColorType::Rgb).unwrap();
    assert_eq!(look_into(&photo, &limits).map(|_| ()), Err(FileRefusal::TooLarge));
}
