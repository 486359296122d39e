//! The states of a message, and their transitions.

use crate::base::closed_set::{ClosedSet, closed_set};

closed_set! {
    /// The state of a visitor's message, in the order in which it passes through them.
    pub enum MessageStatus {
        /// Not read yet.
        New = "new",
        /// Read, not answered.
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

closed_set! {
    /// Decision of the office about a message.
    pub enum MessageVerb {
        /// Send a reply.
        Reply = "reply",
        /// Enter the visitor's answer.
        Answer = "answer",
        /// Close it.
        Close = "close",
        /// Reopen a closed one.
        Reopen = "reopen",
        /// Mark it as spam.
        Spam = "spam",
        /// Mark it as no spam.
        NotSpam = "not_spam",
        /// Undo one of these.
        Undo = "undo",
    }
}

impl MessageVerb {
    /// The action in the audit trail.
    pub fn action(self) -> &'static str {
        match self {
            Self::Reply => "answer",
            Self::Answer => "record answer",
            Self::Spam => "mark spam",
            Self::NotSpam => "unmark spam",
            Self::Close | Self::Reopen | Self::Undo => self.as_str(),
        }
    }
}

impl MessageStatus {
    /// The state of a message in this state once it is marked; repeating a mark changes nothing.
    ///
    /// # Errors
    /// A sentence once the message is past being read.
    pub fn mark(self, mark: Mark) -> Result<Self, String> {
        match (self, mark) {
            (Self::New | Self::Open, Mark::Read) => Ok(Self::Open),
            (Self::New | Self::Open, Mark::Unread) => Ok(Self::New),
            _ => {
                let state = self.in_words();
                let mark = mark.as_str();
                Err(format!("This message {state} and can no longer be marked as {mark}."))
            }
        }
    }

    /// The state after a decision; `None` if it is in that state already.
    ///
    /// # Errors
    /// A sentence if the state does not allow the decision.
    pub fn after(self, verb: MessageVerb) -> Result<Option<Self>, String> {
        use MessageStatus::{Closed, New, Open, Replied, Spam};
        match (verb, self) {
            (MessageVerb::Reply, New | Open | Replied | Closed) => Ok(Some(Replied)),
            (MessageVerb::Answer, New | Open | Replied | Closed) => Ok(Some(Open)),
            (MessageVerb::Close, New | Open | Replied) => Ok(Some(Closed)),
            (MessageVerb::Reopen, Closed) | (MessageVerb::NotSpam, Spam) => Ok(Some(Open)),
            (MessageVerb::Spam, New | Open | Replied | Closed) => Ok(Some(Spam)),
            (MessageVerb::Close, Closed)
            | (MessageVerb::Reopen | MessageVerb::NotSpam, Open)
            | (MessageVerb::Spam, Spam) => Ok(None),
            (MessageVerb::Reply | MessageVerb::Answer | MessageVerb::Close, Spam) => {
                Err("This message is marked as spam. Choose Not Spam first.".to_owned())
            }
            (MessageVerb::Reopen | MessageVerb::NotSpam | MessageVerb::Undo, _) => {
                Err(format!("This message {}.", self.in_words()))
            }
        }
    }

    /// The state as the end of a sentence.
    pub(super) fn in_words(self) -> &'static str {
        match self {
            Self::New => "is new",
            Self::Open => "is open",
            Self::Replied => "has been answered",
            Self::Closed => "is closed",
            Self::Spam => "is marked as spam",
        }
    }
}

#[cfg(test)]
mod tests {
    use MessageStatus::{Closed, New, Open, Replied, Spam};

    use super::*;

    #[test]
    fn only_new_and_open_messages_are_marked() {
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
        let refusal = Replied.mark(Mark::Unread).unwrap_err();
        assert_eq!(refusal, "This message has been answered and can no longer be marked as unread.");
    }

    #[test]
    fn each_verb_fits_its_states_and_no_other() {
        // Columns: the states in their order; "same" is repeated without effect, "no" is refused.
        let table = [
            (MessageVerb::Reply, ["replied", "replied", "replied", "replied", "no"]),
            (MessageVerb::Answer, ["open", "open", "open", "open", "no"]),
            (MessageVerb::Close, ["closed", "closed", "closed", "same", "no"]),
            (MessageVerb::Reopen, ["no", "same", "no", "open", "no"]),
            (MessageVerb::Spam, ["spam", "spam", "spam", "spam", "same"]),
            (MessageVerb::NotSpam, ["no", "same", "no", "no", "open"]),
            (MessageVerb::Undo, ["no", "no", "no", "no", "no"]),
        ];
        assert_eq!(table.map(|(verb, _)| verb), MessageVerb::ALL);
        for (verb, expected) in table {
            let found = MessageStatus::ALL.iter().map(|status| match status.after(verb) {
                Ok(Some(to)) => to.as_str(),
                Ok(None) => "same",
                Err(_) => "no",
            });
            assert_eq!(found.collect::<Vec<_>>(), expected, "{verb:?}");
        }
    }
}
