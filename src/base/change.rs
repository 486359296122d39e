//! A value before and after a change.

/// A value before and after a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Change<T> {
    /// Value before it.
    pub before: T,
    /// Value after it.
    pub after: T,
}
