//! The states of a message, and their transitions.

use crate::base::closed_set::{ClosedSet, closed_set};
use crate::base::error::{Error, Result};

closed_set! {
    /// The state of a visitor's message, in the order in which it passes through them.
    pub enum MessageStatus {
        /// Not read yet.
        New = "new",
        /// Read.
        Open = "open",
        /// It was answered.
        Replied = "replied",
        /// Nothing more is to be done.
        Closed = "closed",
        /// Unsolicited advertising.
        Spam = "spam",
    }
}

closed_set! {
    /// What the office marks a message as with one click, and can undo; the audit trail has the same word.
    pub enum Mark {
        /// Read.
        Read = "read",
        /// It counts as new again.
        Unread = "unread",
    }
}

impl MessageStatus {
    /// The state of a message in this state once it is marked; repeating a mark changes nothing.
    ///
    /// # Errors
    /// [`Error::Conflict`] once the message is past being read.
    pub fn mark(self, mark: Mark) -> Result<Self> {
        let is = match self {
            Self::New | Self::Open => {
                return Ok(match mark {
                    Mark::Read => Self::Open,
                    Mark::Unread => Self::New,
                });
            }
            Self::Replied => "has been answered",
            Self::Closed => "is closed",
            Self::Spam => "is marked as spam",
        };
        let mark = mark.as_str();
        Err(Error::Conflict(format!("This message {is} and can no longer be marked as {mark}.")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_new_and_open_messages_are_marked() {
        use MessageStatus::{Closed, New, Open, Replied, Spam};
        let table = [
            (New, Some(Open), Some(New)),
            (Open, Some(Open), Some(New)),
            (Replied, None, None),
            (Closed, None, None),
            (Spam, None, None),
        ];
        assert_eq!(table.map(|(status, ..)| status), MessageStatus::ALL);
        for (status, read, unread) in table {
            assert_eq!(status.mark(Mark::Read).ok(), read, "{status:?}");
            assert_eq!(status.mark(Mark::Unread).ok(), unread, "{status:?}");
        }
        let refusal = Replied.mark(Mark::Unread).unwrap_err().to_string();
        assert_eq!(refusal, "This message has been answered and can no longer be marked as unread.");
    }
}
