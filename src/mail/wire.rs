//! TCP stream for lettre that prevents response injection before STARTTLS.
//!
//! lettre 0.11 reads ahead and keeps the buffer across STARTTLS: replies that an attacker appends to the plain "220
//! ready" are then trusted as if sent under TLS, for example a "250" for an email that was never accepted (response
//! injection, as in CVE-2021-38084). A [`LineStream`] returns one line at a time, so nothing is read ahead, and
//! appended bytes make the TLS handshake fail.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use lettre::transport::smtp::client::AsyncTokioStream;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

/// Maximum bytes per read.
const MAX: usize = 1024;

/// A TCP stream that never returns more than one line per read.
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
    async fn reads_return_one_line_at_a_time_and_lose_nothing() {
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
