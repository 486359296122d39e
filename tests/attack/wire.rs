//! Below HTTP: requests that two parsers would split differently, slow connections, and very many idle ones.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::task::JoinSet;

use crate::support::TIMEOUT;
use crate::table::{Plan, Row};
use crate::target::Target;

pub async fn attack(plan: Plan) -> Vec<Row> {
    let target = Target::open().await;
    vec![smuggled(plan, &target).await, forms(plan, &target).await, idle(plan).await, slow(plan).await]
}

/// Says something and returns everything that is answered until the connection ends.
pub async fn exchange(to: SocketAddr, words: &[u8]) -> String {
    let mut stream = TcpStream::connect(to).await.unwrap();
    // It may hang up before it has heard all of it.
    let _ = stream.write_all(words).await;
    let mut answer = Vec::new();
    let ended = tokio::time::timeout(TIMEOUT, stream.read_to_end(&mut answer)).await;
    assert!(ended.is_ok(), "the connection stays open");
    String::from_utf8_lossy(&answer).into_owned()
}

/// One request whose end is in doubt, with another one in its body.
async fn smuggled(plan: Plan, target: &Target) -> Row {
    let mut row = Row::new("requests within requests");
    let hidden = "GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n";
    let doubts = [
        "content-length: 12\r\ntransfer-encoding: chunked\r\n",
        "transfer-encoding: chunked\r\ncontent-length: 5\r\n",
        "content-length: 5\r\ncontent-length: 6\r\n",
        "content-length: 5, 6\r\n",
        "content-length: +5\r\n",
        "content-length: -5\r\n",
        "content-length: 0x5\r\n",
        "content-length: 5 \r\ncontent-length: 7\r\n",
        "content-length : 5\r\n",
        "content-length\t: 5\r\n",
        "transfer-encoding: xchunked\r\n",
        "transfer-encoding: chunked, identity\r\n",
        "transfer-encoding : chunked\r\n",
        "transfer-encoding: identity\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n",
        "transfer-encoding:\x0bchunked\r\n",
        "x: y\r\n transfer-encoding: chunked\r\n",
        "x\r\ny: transfer-encoding: chunked\r\n",
        "content-length: 99999999999999999999999\r\n",
    ];
    for doubt in plan.some(doubts.to_vec(), 3) {
        for method in ["POST", "GET", "DELETE"] {
            for path in ["/api/contact", "/api/students/documents", "/"] {
                let head =
                    format!("{method} {path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n");
                let words = format!("{head}{doubt}\r\n0\r\n\r\n{hidden}");
                let answer = exchange(target.address(), words.as_bytes()).await;
                let count = answer.matches("HTTP/1.1 ").count();
                // It may be refused, or be the last of its connection; what is in it is never a request.
                let is_refused = count <= 1;
                row.tried(is_refused, || format!("{method} {path} {doubt:?}: {answer}"));
            }
        }
    }
    // Line ends and chunks that only some readers take.
    for words in [
        "GET /healthz HTTP/1.1\nhost: x\n\nGET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n",
        "POST /api/contact HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n5;a=\"\n\"\r\nhello\r\n0\r\n\r\nGET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n",
        "POST /api/contact HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nffffffffffffffff1\r\nx",
        "POST /api/contact HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n-1\r\nx\r\n0\r\n\r\n",
        "POST /api/contact HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n5\nhello\n0\n\n",
    ] {
        let answer = exchange(target.address(), words.as_bytes()).await;
        // Each request that is answered is one that was sent.
        let (asked, answered) = (words.matches("HTTP/1.1").count(), answer.matches("HTTP/1.1 ").count());
        row.tried(answered <= asked, || format!("{words:?}: {answer}"));
    }
    row.check(target.is_well().await, || "the server is not well".into());
    row
}

/// Uploads whose boundary is broken, over a connection.
async fn forms(plan: Plan, target: &Target) -> Row {
    let mut row = Row::new("forms with a broken boundary");
    let (student, _) = target.student("amara").await;
    let file = "content-disposition: form-data; name=\"document\"; filename=\"a.pdf\"\r\n\r\n%PDF-1.7";
    let (much, long) = (format!("--b\r\n{file}\r\n").repeat(3_000), "b".repeat(10_000));
    let forms = [
        ("multipart/form-data", format!("--b\r\n{file}\r\n--b--\r\n")),
        ("multipart/form-data; boundary=", format!("--\r\n{file}\r\n----\r\n")),
        ("multipart/form-data; boundary=\"b", format!("--b\r\n{file}\r\n--b--\r\n")),
        ("multipart/form-data; boundary=b", format!("--c\r\n{file}\r\n--c--\r\n")),
        ("multipart/form-data; boundary=b", format!("--b\r\n{file}")),
        ("multipart/form-data; boundary=b", format!("--b\r\n{file}\r\n--b")),
        ("multipart/form-data; boundary=b", format!("{much}--b--\r\n")),
        (
            "multipart/form-data; boundary=b",
            format!("--b\r\n{}\r\n\r\nx\r\n--b--\r\n", "x: y\r\n".repeat(5_000)),
        ),
        (
            "multipart/form-data; boundary=b",
            format!(
                "--b\r\ncontent-disposition: form-data; name=\"{long}\"; filename=\"{long}\"\r\n\r\nx\r\n--b--"
            ),
        ),
        ("multipart/mixed; boundary=b", format!("--b\r\n{file}\r\n--b--\r\n")),
        ("multipart/form-data; boundary=b; boundary=c", format!("--c\r\n{file}\r\n--c--\r\n")),
        ("multipart/form-data; boundary=b", String::new()),
    ];
    for (kind, body) in plan.some(forms.to_vec(), 2) {
        let request = student
            .request("POST", "/api/students/documents")
            .header("content-type", kind)
            .body(body.clone());
        let answer = student.send(request).await;
        let expected = matches!(answer.status.as_u16(), 400 | 413 | 415);
        row.tried(expected, || format!("{kind} {:.80}: {} {}", body, answer.status, answer.text()));
    }
    let left = std::fs::read_dir(target.path().join("tmp")).unwrap().count();
    row.check(left == 0, || format!("{left} files are left behind"));
    row.check(target.count("select count(*) from student_documents") == 0, || "one was taken".into());
    row
}

async fn connect(from: u32, to: SocketAddr) -> std::io::Result<TcpStream> {
    let socket = TcpSocket::new_v4()?;
    let from = Ipv4Addr::from_bits(Ipv4Addr::new(127, 4, 0, 1).to_bits() + from);
    socket.bind(SocketAddr::from((from, 0)))?;
    socket.connect(to).await
}

/// More idle connections than the server takes, from many addresses, while visitors come.
async fn idle(plan: Plan) -> Row {
    let mut row = Row::new("thousands of idle connections, and a visitor beside them");
    let target = Target::limited().await;
    let (to, count) = (target.address(), plan.pick(4_000, 1_100));
    let mut held = Vec::new();
    for number in 0..count {
        // Beyond a limit the server ends the oldest, or refuses: both are allowed.
        if let Ok(mut stream) = connect(number % 40, to).await {
            let half = b"GET /healthz HTTP/1.1\r\nhost: x\r\n";
            let whole = b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n";
            let _ = stream.write_all(if number % 2 == 0 { half } else { whole }).await;
            held.push(stream);
        }
        if number % 50 == 0 {
            let answer = exchange_from(200 + number % 20, to).await;
            row.tried(answer.starts_with("HTTP/1.1 200"), || format!("the visitor is answered {answer:?}"));
        }
    }
    row.check(target.is_well().await, || "the server is not well".into());
    row.noted(format!("{count} connections from 40 addresses"))
}

async fn exchange_from(from: u32, to: SocketAddr) -> String {
    let asked = async {
        let mut stream = connect(from, to).await?;
        stream.write_all(b"GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").await?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await?;
        std::io::Result::Ok(answer)
    };
    match tokio::time::timeout(TIMEOUT, asked).await {
        Ok(Ok(answer)) => answer,
        Ok(Err(error)) => error.to_string(),
        Err(_) => "nothing".into(),
    }
}

/// Headers and bodies that come byte by byte: each connection is ended, whatever it says in between.
async fn slow(plan: Plan) -> Row {
    let mut row = Row::new("headers and bodies that drip");
    let target = Target::limited().await;
    let to = target.address();
    let beginnings = [
        "",
        "GET / HTTP/1.1\r\nhost: x\r\n",
        "POST /api/contact HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 5000\r\n\r\n{",
        "POST /api/contact HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n1\r\n{\r\n",
    ];
    // A silent one is ended after five seconds, the others later: the short form waits for that one alone.
    let beginnings = plan.pick(&beginnings[..], &beginnings[..1]);
    let mut drips = JoinSet::new();
    for number in 0..plan.pick(200, 20) {
        let beginning = beginnings[number as usize % beginnings.len()];
        drips.spawn(async move {
            let Ok(mut stream) = connect(number % 20, to).await else { return None };
            let _ = stream.write_all(beginning.as_bytes()).await;
            let mut answer = [0; 1024];
            let drip = async {
                loop {
                    match tokio::time::timeout(Duration::from_millis(500), stream.read(&mut answer)).await {
                        // It was ended, or answered and ended.
                        Ok(Ok(0) | Err(_)) => return,
                        Ok(Ok(_)) => {}
                        Err(_) if beginning.is_empty() => {}
                        Err(_) => drop(stream.write_all(b"x").await),
                    }
                }
            };
            tokio::time::timeout(TIMEOUT, drip).await.err().map(|_| beginning)
        });
    }
    while let Some(outcome) = drips.join_next().await {
        let open = outcome.unwrap();
        row.tried(open.is_none(), || format!("a connection that began with {open:?} stays open"));
    }
    row.check(target.is_well().await, || "the server is not well".into());
    row
}
