//! Forms with a file, whole and corrupted, that arrive in pieces of any size: what is taken is what was sent,
//! and what is refused leaves nothing behind.

use axum::body::{Body, Bytes};
use axum::extract::FromRequest;
use axum::http::{Request, StatusCode};
use axum::response::IntoResponse;
use fastrand::Rng;

use super::*;
use crate::tests::fuzz::{for_rounds, spoil};

/// Maximum file size in these tests.
const ROOM: u64 = 4096;
const BOUNDARY: &str = "----formboundary7MA4YWxk";
const WORDS: [&[u8]; 14] = [
    b"\r\n",
    b"\r\n\r\n",
    b"------formboundary7MA4YWxk",
    b"------formboundary7MA4YWxk--",
    b"Content-Disposition: form-data",
    b"; name=\"document\"",
    b"; filename=\"../../x\"",
    b"; filename*=UTF-8''%2e%2e%2fx",
    b"\0",
    b"\n",
    b"--",
    b"Content-Type: multipart/mixed; boundary=x",
    b"Content-Transfer-Encoding: base64",
    b"Content-Length: 99999999999",
];

struct Sent {
    name: &'static str,
    content: Vec<u8>,
}

fn form(sent: &Sent) -> Vec<u8> {
    let Sent { name, content } = sent;
    let head = format!(
        "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"documentType\"\r\n\r\ntranscript\r\n\
         --{BOUNDARY}\r\nContent-Disposition: form-data; name=\"document\"; filename=\"{name}\"\r\n\
         Content-Type: application/pdf\r\n\r\n"
    );
    [head.as_bytes(), content, format!("\r\n--{BOUNDARY}--\r\n").as_bytes()].concat()
}

/// A body that arrives in pieces.
fn body(bytes: &[u8], random: &mut Rng) -> Body {
    let mut pieces = Vec::new();
    let mut rest = bytes;
    while !rest.is_empty() {
        let (piece, other) = rest.split_at(random.usize(1..200).min(rest.len()));
        pieces.push(Ok::<_, std::io::Error>(Bytes::copy_from_slice(piece)));
        rest = other;
    }
    Body::new(Pieces(pieces.into_iter()))
}

struct Pieces(std::vec::IntoIter<std::io::Result<Bytes>>);

impl hyper::body::Body for Pieces {
    type Data = Bytes;
    type Error = std::io::Error;

    fn poll_frame(
        mut self: std::pin::Pin<&mut Self>,
        _: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<std::io::Result<hyper::body::Frame<Bytes>>>> {
        std::task::Poll::Ready(self.0.next().map(|piece| piece.map(hyper::body::Frame::data)))
    }
}

async fn taken(bytes: &[u8], boundary: &str, folder: &DataDir, random: &mut Rng) -> Result<ReceivedUpload> {
    let kind = format!("multipart/form-data; boundary={boundary}");
    let request = Request::post("/").header("content-type", kind).body(body(bytes, random)).unwrap();
    let form = Multipart::from_request(request, &()).await;
    let form = form.map_err(|_| Error::UnsupportedType("no form".into()))?;
    receive(form, folder, &Keys::default(), &Reservation::of(ROOM)).await
}

#[test]
fn corrupted_forms_are_received_as_sent_or_refused_and_leave_nothing() {
    let root = tempfile::tempdir().unwrap();
    let folder = DataDir::new(root.path());
    folder.make().unwrap();
    let left = || std::fs::read_dir(folder.tmp()).unwrap().count();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    for_rounds("forms with a file", 300, |random| {
        // Content that resembles the end of the form.
        let mut content: Vec<u8> = (0..random.usize(1..600)).map(|_| random.u8(..)).collect();
        for part in [&b"\r\n--"[..], b"\r\n------formboundary7MA4YWx_", b"--\r\n"] {
            let at = random.usize(..=content.len());
            content.splice(at..at, part.iter().copied());
        }
        let name = random.choice([
            "a.pdf",
            "Relev\u{e9} d'\u{c9}cole.pdf",
            "..%2F..%2Fx",
            "\u{202e}fdp.exe",
            "a;b=c.pdf",
        ]);
        let sent = Sent { name: name.unwrap(), content };
        let whole = form(&sent);
        let received = runtime.block_on(taken(&whole, BOUNDARY, &folder, random)).unwrap();
        assert_eq!(received.file.read().unwrap(), sent.content);
        assert_eq!((received.name.as_str(), received.document_type), (sent.name, DocumentType::Transcript));
        assert_eq!(left(), 1);
        drop(received);

        let mut bytes = whole;
        spoil(&mut bytes, &WORDS, random);
        let boundary = random.choice([BOUNDARY, BOUNDARY, BOUNDARY, "----other", "\"", "x y", "--"]).unwrap();
        match runtime.block_on(taken(&bytes, boundary, &folder, random)) {
            Ok(received) => {
                let stored = received.file.read().unwrap();
                let is_part = bytes.windows(stored.len()).any(|part| part == stored);
                assert!(is_part && stored.len() as u64 <= ROOM, "a file is a part of what was sent");
            }
            Err(refusal) => {
                let status = refusal.into_response().status();
                let expected = [
                    StatusCode::BAD_REQUEST,
                    StatusCode::PAYLOAD_TOO_LARGE,
                    StatusCode::UNSUPPORTED_MEDIA_TYPE,
                ];
                assert!(expected.contains(&status), "{status}");
            }
        }
        assert_eq!(left(), 0, "nothing is left behind");
    });
}

#[test]
fn percent_encoded_names_are_decoded() {
    for (sent, name) in [
        ("%22a%22.pdf", "\"a\".pdf"),
        ("100%.pdf", "100%.pdf"),
        ("a%20b.pdf", "a%20b.pdf"),
        ("two%0D%0Alines.pdf", "two\r\nlines.pdf"),
        ("", ""),
    ] {
        assert_eq!(typed_name(sent), name);
    }
}
