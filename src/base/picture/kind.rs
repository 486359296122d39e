//! Detects unsupported picture formats by their first bytes, whatever the file is called.

/// An unsupported picture format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnsupportedFormat {
    /// A phone's photo.
    Heic,
    /// The newer format in the same container.
    Avif,
    /// Common on websites.
    WebP,
    /// Few colours, often animated.
    Gif,
    /// Uncompressed, from Windows.
    Bmp,
    /// A scanner's.
    Tiff,
}

impl UnsupportedFormat {
    /// The format of a file with these first bytes; `None` when it is none of these.
    pub fn of(beginning: &[u8]) -> Option<Self> {
        let is = |at: usize, mark: &[u8]| beginning.get(at..at + mark.len()) == Some(mark);
        let brand = beginning.get(8..12).filter(|_| is(4, b"ftyp"));
        match brand {
            Some(b"avif" | b"avis") => return Some(Self::Avif),
            // The common container: the brands that follow tell the two formats apart.
            Some(b"mif1" | b"msf1") if beginning.chunks_exact(4).take(16).any(|brand| brand == b"avif") => {
                return Some(Self::Avif);
            }
            Some(b"heic" | b"heix" | b"heim" | b"heis" | b"hevc" | b"hevx" | b"mif1" | b"msf1") => {
                return Some(Self::Heic);
            }
            _ => {}
        }
        match () {
            () if is(0, b"RIFF") && is(8, b"WEBP") => Some(Self::WebP),
            () if is(0, b"GIF87a") || is(0, b"GIF89a") => Some(Self::Gif),
            () if is(0, b"BM") && is(6, &[0; 4]) => Some(Self::Bmp),
            () if is(0, b"II*\0") || is(0, b"MM\0*") => Some(Self::Tiff),
            () => None,
        }
    }

    /// What it is and what to do, to follow "This file" or its name.
    pub fn words(self) -> String {
        let name = match self {
            Self::Heic => {
                return "is a HEIC photo. Please choose a JPG instead: on an iPhone take a screenshot of the photo, \
                    or choose “Most Compatible” under Settings, Camera, Formats and take it again."
                    .into();
            }
            Self::Avif => "an AVIF",
            Self::WebP => "a WebP",
            Self::Gif => "a GIF",
            Self::Bmp => "a BMP",
            Self::Tiff => "a TIFF",
        };
        format!("is {name} picture. Please save it as a JPG or PNG, or take a screenshot of it.")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_bytes_tell_the_format() {
        let table: [(&[u8], Option<UnsupportedFormat>); 14] = [
            (b"RIFF\x92\x03\0\0WEBPVP8 ", Some(UnsupportedFormat::WebP)),
            (b"RIFF\x92\x03\0\0WAVEfmt ", None),
            (b"GIF89a", Some(UnsupportedFormat::Gif)),
            (b"GIF87a", Some(UnsupportedFormat::Gif)),
            (b"BM\x36\x10\0\0\0\0\0\0", Some(UnsupportedFormat::Bmp)),
            (b"BMW, a letter", None),
            (b"II*\0\x08\0\0\0", Some(UnsupportedFormat::Tiff)),
            (b"MM\0*\0\0\0\x08", Some(UnsupportedFormat::Tiff)),
            (b"\0\0\0\x20ftypavif\0\0\0\0avifmif1", Some(UnsupportedFormat::Avif)),
            (b"\0\0\0\x20ftypmif1\0\0\0\0mif1avif", Some(UnsupportedFormat::Avif)),
            (b"\0\0\0\x18ftypheic\0\0\0\0mif1heic", Some(UnsupportedFormat::Heic)),
            (b"\0\0\0\x18ftypmif1\0\0\0\0mif1heic", Some(UnsupportedFormat::Heic)),
            (b"\0\0\0\x18ftypmp42", None),
            (b"", None),
        ];
        for (beginning, expected) in table {
            assert_eq!(UnsupportedFormat::of(beginning), expected, "{}", String::from_utf8_lossy(beginning));
        }
    }
}
