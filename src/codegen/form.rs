//! What a kernel's text depends on beside its program.

use super::reduce::RowsForm;

/// How a kernel runs through a program: everything that its text says and the program does not.
/// Extents, strides and addresses are no part of it; they are in [`Launch::params`].
///
/// [`Launch::params`]: super::Launch::params
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Form {
    /// Rows of elements: a program with reductions.
    Rows(RowsForm),
}

impl Form {
    /// The name of the kernel in its text.
    pub fn entry(&self) -> &'static str {
        match self {
            Form::Rows(form) => form.entry(),
        }
    }
}
