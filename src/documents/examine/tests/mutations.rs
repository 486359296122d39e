//! Good files, corrupted at random from a seed: whatever comes of it, it is an answer and in time.

use std::time::Duration;

use super::make::{exif, jpeg, object_stream, packed, pdf, small_png, stream};
use super::scripts::ways;
use super::variants::file;
use crate::base::budget::DecodeLimits;
use crate::documents::examine::{ExaminedFile, look_into};
use crate::tests::fuzz::{for_rounds, spoil};

fn good_files() -> Vec<Vec<u8>> {
    let text = stream("/Filter /FlateDecode", &packed(b"BT (a) Tj ET"));
    let mut files = vec![
        jpeg(48, 32, |encoder| encoder.add_app_segment(1, exif(6)).unwrap()),
        jpeg(48, 32, |encoder| encoder.set_progressive(true)),
        file("uneven-apart.jpg"),
        file("420-passes.jpg"),
        small_png(),
        file("interlaced-palette4.png"),
        pdf("/Lang (en)", &[&text, &object_stream("<< /A [1 2 (x)] >>")]),
        include_bytes!("files/lzw.pdf").to_vec(),
        include_bytes!("files/packed-objects-with-predictor.pdf").to_vec(),
        include_bytes!("files/script-rc4.pdf").to_vec(),
        include_bytes!("files/signed.pdf").to_vec(),
    ];
    files.extend(ways().into_iter().map(|(_, bytes)| bytes).step_by(9));
    files
}

#[test]
fn corrupted_files_are_answered_in_time_and_memory() {
    let files = good_files();
    let limits = DecodeLimits {
        memory_bytes: 16 * 1024 * 1024,
        time: Duration::from_secs(5),
        stored_bytes: 1024 * 1024,
    };
    for_rounds("documents", 1_000, |random| {
        for file in &files {
            let mut bytes = file.clone();
            spoil(&mut bytes, &[b"/JavaScript", b"endobj", b"\xFF\xDA", b"IDAT"], random);
            if let Ok(ExaminedFile { rewritten: stored, .. }) = look_into(&bytes, &limits) {
                assert!(look_into(&stored, &limits).is_ok(), "what is stored is good");
            }
        }
    });
}
