//! Connections that send little or nothing, and what they can hold up.

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::support::{School, TIMEOUT};

/// Sends the beginning of a request and waits for the end of the connection.
async fn cut_off(school: &School, beginning: &str) -> Vec<u8> {
    let address = school.url("").replace("http://", "");
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(beginning.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    let ended = tokio::time::timeout(TIMEOUT, stream.read_to_end(&mut answer)).await;
    ended.expect("the connection stays open").unwrap_or(0);
    answer
}

#[tokio::test]
async fn silence_and_half_a_header_are_cut_off() {
    let school = School::open().await;
    let (silent, half) =
        tokio::join!(cut_off(&school, ""), cut_off(&school, "GET / HTTP/1.1\r\nhost: x\r\n"));
    assert!(silent.is_empty());
    assert!(half.is_empty() || half.starts_with(b"HTTP/1.1 408"), "{}", String::from_utf8_lossy(&half));
}

#[tokio::test]
async fn one_connection_too_many_ends_the_one_that_was_idle_for_longest() {
    let school = School::open_with(|config| config.server.max_connections = 2).await;
    let address = school.url("").replace("http://", "");
    let ask = b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n";
    let mut kept = Vec::new();
    for _ in 0..3 {
        let mut stream = TcpStream::connect(&address).await.unwrap();
        stream.write_all(ask).await.unwrap();
        let mut answer = [0; 15];
        stream.read_exact(&mut answer).await.unwrap();
        assert_eq!(&answer, b"HTTP/1.1 200 OK");
        kept.push(stream);
    }
    let mut rest = Vec::new();
    let ended = tokio::time::timeout(TIMEOUT, kept[0].read_to_end(&mut rest)).await;
    ended.expect("the oldest stays open").unwrap();
    let mut answer = [0; 15];
    kept[1].write_all(ask).await.unwrap();
    while !answer.starts_with(b"HTTP/1.1 200 OK") {
        answer.rotate_left(1);
        answer[14] = kept[1].read_u8().await.unwrap();
    }
}
