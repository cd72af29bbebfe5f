//! Python's own functions and the methods of its types.

mod classes;
mod containers;
mod dataclasses;
mod dicts;
mod generators;
mod inspect;
mod iterators;
mod numbers;
mod output;
mod quick;
mod sequences;
mod sets;
mod substitute;
mod text;

pub use dataclasses::HIDDEN;
pub use inspect::help_text;
pub use sequences::entries_of;

use super::Builtin;

/// The tables of this folder, in the order of help.
pub const TABLES: &[&[Builtin]] = &[
    numbers::BUILTINS,
    sequences::BUILTINS,
    iterators::BUILTINS,
    sets::CONSTRUCTORS,
    inspect::BUILTINS,
    classes::BUILTINS,
    classes::METHODS,
    dataclasses::BUILTINS,
    output::BUILTINS,
    text::BUILTINS,
    containers::LISTS,
    dicts::DICTS,
    dicts::VIEWS,
    sets::SETS,
    sets::OF_SETS,
    sets::OF_FROZENSETS,
    generators::BUILTINS,
];
