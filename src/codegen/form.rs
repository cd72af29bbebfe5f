//! What a kernel's text depends on beside its program.

use super::map::MapForm;
use super::reduce::RowsForm;

/// How a kernel runs through a program: everything that its text says and the program does not.
/// Extents, strides and addresses are no part of it; they are in [`Launch::params`].
///
/// [`Launch::params`]: super::Launch::params
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Form {
    /// Every point by itself: a program without reductions.
    Map(MapForm),
    /// Rows of elements: a program with reductions.
    Rows(RowsForm),
}

impl Form {
    /// The name of the kernel in the text that [`render`](super::render) gives.
    pub fn entry(&self) -> &'static str {
        match self {
            Form::Map(form) => form.entry(),
            Form::Rows(form) => form.entry(),
        }
    }
}
