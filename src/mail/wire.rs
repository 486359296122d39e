//! The connection under lettre's, until it is encrypted and after.
//!
//! lettre 0.11 reads ahead and keeps what it read when STARTTLS turns the connection into an
//! encrypted one: answers that somebody on the way appends to the plain "220 ready" are then
//! believed as if the server had given them under TLS, a "250 taken" for an e-mail that nobody took
//! among them (response injection, as in CVE-2021-38084). A [`LineStream`] hands out one line at a time,
//! so that nothing can be read ahead: what was appended meets the TLS handshake, and ends it.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use lettre::transport::smtp::client::AsyncTokioStream;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

/// Read from the socket at once, at most.
const MAX: usize = 1024;

/// A TCP connection that never hands out more than one line at a time.
#[derive(Debug)]
pub(super) struct LineStream(pub(super) TcpStream);

impl AsyncTokioStream for LineStream {
    fn peer_addr(&self) -> io::Result<SocketAddr> {
        self.0.peer_addr()
    }
}

impl AsyncRead for LineStream {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let stream = &mut self.get_mut().0;
        let mut bytes = [0; MAX];
        let mut ahead = ReadBuf::new(&mut bytes[..buffer.remaining().min(MAX)]);
        let waiting = ready!(stream.poll_peek(context, &mut ahead))?;
        let line = ahead.filled().iter().position(|byte| *byte == b'\n').map_or(waiting, |end| end + 1);
        let mut taken = ReadBuf::new(&mut bytes[..line]);
        ready!(Pin::new(stream).poll_read(context, &mut taken))?;
        buffer.put_slice(taken.filled());
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for LineStream {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.get_mut().0).poll_write(context, bytes)
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().0).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().0).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;

    use super::*;

    #[tokio::test]
    async fn one_line_is_handed_out_at_a_time_and_nothing_is_lost() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let mut wire = LineStream(TcpStream::connect(listener.local_addr().unwrap()).await.unwrap());
        let (mut server, _) = listener.accept().await.unwrap();
        let long = "x".repeat(3 * MAX);
        server.write_all(format!("220 ready\r\n250 more\n\n{long}\r\nend").as_bytes()).await.unwrap();
        drop(server);
        let mut pieces = Vec::new();
        let mut buffer = [0; 8192];
        loop {
            match wire.read(&mut buffer).await.unwrap() {
                0 => break,
                count => pieces.push(String::from_utf8(buffer[..count].to_vec()).unwrap()),
            }
        }
        assert_eq!(pieces[..3], ["220 ready\r\n", "250 more\n", "\n"]);
        assert!(pieces.iter().all(|piece| piece.find('\n').is_none_or(|at| at + 1 == piece.len())));
        assert_eq!(pieces[3..].concat(), format!("{long}\r\nend"));
    }
}
