//! Python's own functions and the methods of its types.

mod containers;
mod inspect;
mod numbers;
mod output;
mod sequences;
mod substitute;
mod text;

pub use inspect::help_text;
pub use sequences::entries_of;

use super::Builtin;

/// The tables of this folder, in the order of help.
pub const TABLES: &[&[Builtin]] = &[
    numbers::BUILTINS,
    sequences::BUILTINS,
    inspect::BUILTINS,
    output::BUILTINS,
    text::BUILTINS,
    containers::LISTS,
    containers::DICTS,
];
