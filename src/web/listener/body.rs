//! Request bodies with a time limit, and response bodies in pieces.
//!
//! The timer is only set when a body is not available at once.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes, HttpBody};
use axum::http::{HeaderMap, header};
use hyper::body::{Frame, Incoming, SizeHint};
use tokio::time::{Instant, Sleep};

use super::activity::Activity;
use super::timeouts::Timeouts;

/// Size of the pieces handed to HTTP/2: data that the client has no window for is then counted here instead of being
/// buffered there.
const PIECE: usize = 16 * 1024;

/// The body did not arrive in time.
#[derive(Debug, thiserror::Error)]
#[error("the body took too long to arrive")]
pub struct TooSlow;

impl TooSlow {
    /// Whether this is the cause of a read error.
    pub fn is_cause_of(error: &(dyn std::error::Error + 'static)) -> bool {
        let mut cause = Some(error);
        while let Some(error) = cause {
            if error.is::<Self>() {
                return true;
            }
            cause = error.source();
        }
        false
    }
}

/// Whether a request uploads a file, which may take longer than other bodies.
pub fn is_upload(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).map_or(&b""[..], |value| value.as_bytes());
    kind.get(..10).is_some_and(|start| start.eq_ignore_ascii_case(b"multipart/"))
}

/// The body of a request.
pub(super) struct RequestBody {
    incoming: Incoming,
    activity: Arc<Activity>,
    timeouts: Timeouts,
    is_upload: bool,
    is_awaited: bool,
    /// Bytes received since the timer was set.
    bytes: u64,
    /// Set when data is awaited for the first time.
    timer: Option<Pin<Box<Sleep>>>,
}

impl RequestBody {
    pub fn new(incoming: Incoming, headers: &HeaderMap, activity: Arc<Activity>, timeouts: Timeouts) -> Self {
        let is_upload = is_upload(headers);
        Self { incoming, activity, timeouts, is_upload, is_awaited: false, bytes: 0, timer: None }
    }

    fn await_more(&mut self, is_awaited: bool) {
        match (self.is_awaited, is_awaited) {
            (false, true) => self.activity.await_body(),
            (true, false) => self.activity.body_came(),
            _ => {}
        }
        self.is_awaited = is_awaited;
    }

    /// Ready when the body is too slow.
    fn poll_limit(&mut self, context: &mut Context<'_>) -> Poll<()> {
        let time = if self.is_upload { self.timeouts.window } else { self.timeouts.body };
        let timer = self.timer.get_or_insert_with(|| {
            self.bytes = 0;
            Box::pin(tokio::time::sleep(time))
        });
        while timer.as_mut().poll(context).is_ready() {
            if !self.is_upload || !self.timeouts.is_enough(self.bytes, time) {
                return Poll::Ready(());
            }
            self.bytes = 0;
            timer.as_mut().reset(Instant::now() + time);
        }
        Poll::Pending
    }
}

impl HttpBody for RequestBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        match Pin::new(&mut self.incoming).poll_frame(context) {
            Poll::Pending => {
                self.await_more(true);
                self.poll_limit(context).map(|()| {
                    self.await_more(false);
                    Some(Err(axum::Error::new(TooSlow)))
                })
            }
            Poll::Ready(frame) => {
                self.await_more(false);
                if let Some(Ok(Some(data))) = frame.as_ref().map(|frame| frame.as_ref().map(Frame::data_ref))
                {
                    self.bytes += data.len() as u64;
                    self.activity.move_bytes(data.len());
                }
                Poll::Ready(frame.map(|frame| frame.map_err(axum::Error::new)))
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        self.incoming.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.incoming.size_hint()
    }
}

impl Drop for RequestBody {
    fn drop(&mut self) {
        self.await_more(false);
    }
}

/// A running request, until the last piece of its response was handed to hyper.
pub(super) struct ActiveRequest(Arc<Activity>);

impl ActiveRequest {
    pub fn begin(activity: Arc<Activity>) -> Self {
        activity.begin();
        Self(activity)
    }
}

impl Drop for ActiveRequest {
    fn drop(&mut self) {
        self.0.end();
    }
}

/// The body of a response.
pub(super) struct ResponseBody {
    body: Body,
    running: ActiveRequest,
    /// Whether it is split into pieces.
    is_cut: bool,
    rest: Bytes,
    /// Whether a piece was handed over and the next one not requested yet.
    is_waiting: bool,
}

impl ResponseBody {
    pub fn new(body: Body, running: ActiveRequest, is_cut: bool) -> Self {
        Self { body, running, is_cut, rest: Bytes::new(), is_waiting: false }
    }

    fn wait(&mut self, is_waiting: bool) {
        match (self.is_waiting, is_waiting) {
            (false, true) => self.running.0.hand_on(),
            (true, false) => self.running.0.was_taken(),
            _ => {}
        }
        self.is_waiting = is_waiting;
    }

    fn piece(&mut self, mut data: Bytes) -> Frame<Bytes> {
        if self.is_cut && data.len() > PIECE {
            self.rest = data.split_off(PIECE);
        }
        self.running.0.move_bytes(data.len());
        self.wait(true);
        Frame::data(data)
    }
}

impl HttpBody for ResponseBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        self.wait(false);
        if !self.rest.is_empty() {
            let rest = std::mem::take(&mut self.rest);
            return Poll::Ready(Some(Ok(self.piece(rest))));
        }
        Pin::new(&mut self.body).poll_frame(context).map_ok(|frame| match frame.into_data() {
            Ok(data) => self.piece(data),
            Err(trailers) => trailers,
        })
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for ResponseBody {
    fn drop(&mut self) {
        self.wait(false);
    }
}
