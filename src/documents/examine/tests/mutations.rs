//! Good files, spoilt at random from a seed: whatever comes of it, it is an answer and in time.

use std::time::Duration;

use super::make::{exif, jpeg, object_stream, packed, pdf, small_png, stream};
use super::variants::file;
use crate::base::budget::Limits;
use crate::documents::examine::{Examined, look_into};
use crate::tests::fuzz::{for_rounds, spoil};

fn good_files() -> Vec<Vec<u8>> {
    let text = stream("/Filter /FlateDecode", &packed(b"BT (a) Tj ET"));
    vec![
        jpeg(48, 32, |encoder| encoder.add_app_segment(1, exif(6)).unwrap()),
        jpeg(48, 32, |encoder| encoder.set_progressive(true)),
        file("uneven-apart.jpg"),
        file("420-passes.jpg"),
        small_png(),
        file("interlaced-palette4.png"),
        pdf("/Lang (en)", &[&text, &object_stream("<< /A [1 2 (x)] >>")]),
    ]
}

#[test]
fn spoilt_files_are_answered_in_time_and_memory() {
    let files = good_files();
    let limits =
        Limits { memory_bytes: 16 * 1024 * 1024, time: Duration::from_secs(5), stored_bytes: 1024 * 1024 };
    for_rounds("documents", 1_000, |random| {
        for file in &files {
            let mut bytes = file.clone();
            spoil(&mut bytes, &[b"/JavaScript", b"endobj", b"\xFF\xDA", b"IDAT"], random);
            if let Ok(Examined { rewritten: Some(stored), .. }) = look_into(&bytes, &limits) {
                assert!(look_into(&stored, &limits).is_ok(), "what is stored is good");
            }
        }
    });
}
