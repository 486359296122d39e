//! Where a request ends: if two readers disagree about it, a second request can be smuggled past a proxy.

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::support::{School, TIMEOUT};

/// Would be answered with 200 if it were taken for a request of its own.
const SMUGGLED: &str = "GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n";

#[tokio::test]
async fn a_request_whose_length_is_in_doubt_is_the_last_of_its_connection() {
    let school = School::open().await;
    let address = school.url("").replace("http://", "");
    for headers in [
        "content-length: 12\r\ntransfer-encoding: chunked\r\n",
        "transfer-encoding: chunked\r\ncontent-length: 5\r\n",
        "content-length: 5\r\ncontent-length: 6\r\n",
        "content-length: 5, 6\r\n",
        "content-length: +5\r\n",
        "content-length : 5\r\n",
        "transfer-encoding: xchunked\r\n",
        "transfer-encoding: chunked, identity\r\n",
        "transfer-encoding : chunked\r\n",
    ] {
        let head = "POST /api/contact HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n";
        let mut stream = TcpStream::connect(&address).await.unwrap();
        // An empty body, however its length is read.
        let request = format!("{head}{headers}\r\n0\r\n\r\n{SMUGGLED}");
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        let ended = tokio::time::timeout(TIMEOUT, stream.read_to_end(&mut answer)).await;
        ended.expect(headers).unwrap_or(0);
        let answer = String::from_utf8_lossy(&answer);
        assert!(answer.starts_with("HTTP/1.1 400 "), "{headers}: {answer}");
        assert_eq!(answer.matches("HTTP/1.1 ").count(), 1, "{headers}: {answer}");
    }
}
