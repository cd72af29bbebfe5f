//! A container, such as a tuple of tensors: text is its repr, a page shows what is in it.

use super::Report;

/// What a container holds.
#[derive(Debug, Clone, PartialEq)]
pub struct Group {
    /// The container as text.
    pub text: String,
    /// Where each part stands, `[0]` or `['w']`, and what it looks like.
    pub entries: Vec<(String, Report)>,
    /// How many parts were left out.
    pub more: usize,
}
