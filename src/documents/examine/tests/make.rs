//! Generated test files: valid ones, and parts of invalid ones.

use std::io::Write;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use jpeg_encoder::{ColorType, Encoder};

/// The samples of a picture whose four quarters are red, green, blue and white.
pub fn quarters(width: usize, height: usize) -> Vec<u8> {
    let color = |at: usize| match (2 * (at % width) >= width, 2 * (at / width) >= height) {
        (false, false) => [255, 0, 0],
        (true, false) => [0, 255, 0],
        (false, true) => [0, 0, 255],
        (true, true) => [255, 255, 255],
    };
    (0..width * height).flat_map(color).collect()
}

/// A JPEG of the quarters; `shape` customizes the encoder.
pub fn jpeg(width: u16, height: u16, shape: impl FnOnce(&mut Encoder<&mut Vec<u8>>)) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, 95);
    shape(&mut encoder);
    encoder.encode(&quarters(width.into(), height.into()), width, height, ColorType::Rgb).unwrap();
    bytes
}

/// An EXIF segment with an orientation, a camera and a location.
pub fn exif(orientation: u8) -> Vec<u8> {
    let mut exif = b"Exif\0\0MM\0*\0\0\0\x08\0\x03".to_vec();
    exif.extend(b"\x01\x10\0\x02\0\0\0\x0c\0\0\0\x32");
    exif.extend([1, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0]);
    exif.extend(b"\x88\x25\0\x04\0\0\0\x01\0\0\0\x3e");
    exif.extend(b"\0\0\0\0SpyCamera 3\0\0\x01\0\x01\0\x02\0\0\0\x02N\0\0\0\0\0\0\0GPS 43.65N 79.38W");
    exif
}

/// A PNG of these samples.
pub fn png(side: u32, color: png::ColorType, depth: png::BitDepth, samples: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, side, side);
    encoder.set_color(color);
    encoder.set_depth(depth);
    if color == png::ColorType::Indexed {
        encoder.set_palette(&[255, 0, 0, 0, 0, 255][..]);
        encoder.set_trns(&[255, 9][..]);
    }
    encoder.write_header().unwrap().write_image_data(samples).unwrap();
    bytes
}

pub fn small_png() -> Vec<u8> {
    png(16, png::ColorType::Rgb, png::BitDepth::Eight, &quarters(16, 16))
}

/// A PNG chunk with length and checksum.
pub fn chunk(name: [u8; 4], content: &[u8]) -> Vec<u8> {
    let mut sum = flate2::Crc::new();
    sum.update(&name);
    sum.update(content);
    let length = u32::try_from(content.len()).unwrap().to_be_bytes();
    [&length, &name[..], content, &sum.sum().to_be_bytes()].concat()
}

/// A PNG that claims this size but has little data.
pub fn claimed_png(width: u32, height: u32, content: &[u8]) -> Vec<u8> {
    let header = [&width.to_be_bytes()[..], &height.to_be_bytes(), &[8, 2, 0, 0, 0]].concat();
    let mark = b"\x89PNG\r\n\x1a\n".to_vec();
    [mark, chunk(*b"IHDR", &header), chunk(*b"IDAT", content), chunk(*b"IEND", b"")].concat()
}

/// Inserts chunks after the header of a PNG.
pub fn with_chunks(png: &[u8], chunks: &[u8]) -> Vec<u8> {
    [&png[..33], chunks, &png[33..]].concat()
}

pub fn packed(content: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

/// The three objects of a page, its text and its font.
pub const PAGE: [&str; 5] = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R \
     /Resources << /Font << /F1 5 0 R >> >> >>",
    "<< /Length 40 >>\nstream\nBT /F1 24 Tf 72 720 Td (Transcript) Tj ET\nendstream",
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
];

/// A PDF of these objects, numbered from 1, with xref table and trailer.
pub fn pdf_of<T: AsRef<[u8]>>(objects: &[T], trailer: &str) -> Vec<u8> {
    let mut bytes = b"%PDF-1.7\n%\xE2\xE3\xCF\xD3\n".to_vec();
    let mut table = format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1);
    for (number, object) in (1..).zip(objects) {
        table += &format!("{:010} 00000 n \n", bytes.len());
        bytes.extend(format!("{number} 0 obj\n").into_bytes());
        bytes.extend(object.as_ref());
        bytes.extend(b"\nendobj\n");
    }
    let start = bytes.len();
    let size = objects.len() + 1;
    let end =
        format!("{table}trailer\n<< /Size {size} /Root 1 0 R {trailer} >>\nstartxref\n{start}\n%%EOF\n");
    bytes.extend(end.into_bytes());
    bytes
}

/// A page, and a catalog with additional entries; `more` are objects from 6 on.
pub fn pdf(catalog: &str, more: &[&[u8]]) -> Vec<u8> {
    let first = format!("<< /Type /Catalog /Pages 2 0 R {catalog} >>");
    let mut objects: Vec<Vec<u8>> = PAGE.iter().map(|object| object.as_bytes().to_vec()).collect();
    objects[0] = first.into_bytes();
    objects.extend(more.iter().map(|object| object.to_vec()));
    pdf_of(&objects, "")
}

pub fn stream(entries: &str, content: &[u8]) -> Vec<u8> {
    let head = format!("<< {entries} /Length {} >>\nstream\n", content.len());
    [head.as_bytes(), content, b"\nendstream"].concat()
}

/// An object stream that holds one object, as number 7.
pub fn object_stream(object: &str) -> Vec<u8> {
    stream("/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode", &packed(format!("7 0 {object}").as_bytes()))
}
