//! Plain and TLS streams as one type (hyper is compiled once for both), with byte counters.

use std::io::{IoSlice, Result};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio_rustls::server::TlsStream;

use super::activity::Activity;

/// A TCP stream that counts its bytes; written bytes count when the kernel accepts them.
pub(super) struct CountedSocket {
    tcp: TcpStream,
    activity: Arc<Activity>,
}

impl CountedSocket {
    pub fn new(tcp: TcpStream, activity: Arc<Activity>) -> Self {
        Self { tcp, activity }
    }

    fn note(&self, written: Poll<Result<usize>>) -> Poll<Result<usize>> {
        match &written {
            Poll::Ready(Ok(bytes)) => self.activity.write(*bytes),
            Poll::Ready(Err(_)) => {}
            Poll::Pending => self.activity.block(),
        }
        written
    }
}

impl Drop for CountedSocket {
    fn drop(&mut self) {
        // Data for a client that does not read must not stay in the kernel for minutes.
        if self.activity.is_blocked() {
            let _ = self.tcp.set_zero_linger();
        }
    }
}

impl AsyncRead for CountedSocket {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<Result<()>> {
        Pin::new(&mut self.tcp).poll_read(context, buffer)
    }
}

impl AsyncWrite for CountedSocket {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<Result<usize>> {
        let written = Pin::new(&mut self.tcp).poll_write(context, bytes);
        self.note(written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[IoSlice<'_>],
    ) -> Poll<Result<usize>> {
        let written = Pin::new(&mut self.tcp).poll_write_vectored(context, pieces);
        self.note(written)
    }

    fn is_write_vectored(&self) -> bool {
        self.tcp.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<()>> {
        Pin::new(&mut self.tcp).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<()>> {
        Pin::new(&mut self.tcp).poll_shutdown(context)
    }
}

enum Layer {
    Plain(CountedSocket),
    Tls(Box<TlsStream<CountedSocket>>),
}

/// A connection after its TLS handshake, if any.
pub(super) struct Stream {
    layer: Layer,
    activity: Arc<Activity>,
}

impl Stream {
    pub fn plain(wire: CountedSocket) -> Self {
        Self { activity: wire.activity.clone(), layer: Layer::Plain(wire) }
    }

    pub fn tls(stream: TlsStream<CountedSocket>) -> Self {
        Self { activity: stream.get_ref().0.activity.clone(), layer: Layer::Tls(Box::new(stream)) }
    }
}

impl AsyncRead for Stream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<Result<()>> {
        let before = buffer.filled().len();
        let read = ready!(match &mut self.layer {
            Layer::Plain(stream) => Pin::new(stream).poll_read(context, buffer),
            Layer::Tls(stream) => Pin::new(stream).poll_read(context, buffer),
        });
        if buffer.filled().len() > before {
            self.activity.note_received();
        }
        Poll::Ready(read)
    }
}

impl AsyncWrite for Stream {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<Result<usize>> {
        match &mut self.layer {
            Layer::Plain(stream) => Pin::new(stream).poll_write(context, bytes),
            Layer::Tls(stream) => Pin::new(stream).poll_write(context, bytes),
        }
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[IoSlice<'_>],
    ) -> Poll<Result<usize>> {
        match &mut self.layer {
            Layer::Plain(stream) => Pin::new(stream).poll_write_vectored(context, pieces),
            Layer::Tls(stream) => Pin::new(stream).poll_write_vectored(context, pieces),
        }
    }

    fn is_write_vectored(&self) -> bool {
        match &self.layer {
            Layer::Plain(stream) => stream.is_write_vectored(),
            Layer::Tls(stream) => stream.is_write_vectored(),
        }
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<()>> {
        match &mut self.layer {
            Layer::Plain(stream) => Pin::new(stream).poll_flush(context),
            Layer::Tls(stream) => Pin::new(stream).poll_flush(context),
        }
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<()>> {
        match &mut self.layer {
            Layer::Plain(stream) => Pin::new(stream).poll_shutdown(context),
            Layer::Tls(stream) => Pin::new(stream).poll_shutdown(context),
        }
    }
}
