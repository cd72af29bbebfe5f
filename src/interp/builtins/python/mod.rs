//! Python's own functions and the methods of its types.

mod bytes;
mod classes;
mod complex;
mod containers;
mod cut;
mod dataclasses;
mod dicts;
mod extremes;
mod generators;
mod groups;
mod hidden;
mod inspect;
pub(super) mod iterators;
mod kinship;
mod letters;
mod numbers;
mod numeric;
mod operators;
mod output;
pub mod quick;
mod sequences;
mod sets;
mod show;
mod sort;
mod substitute;
mod text;

pub use bytes::of_tensor as bytes_of_tensor;
pub use complex::complex_of;
pub use dicts::fromkeys;
pub use hidden::HIDDEN;
pub use inspect::help_text;
pub use iterators::stopped;
pub use numbers::{abs, float_of, float_to_int};
pub use numeric::parse_int;
pub use operators::go_together;
pub use output::exit;
pub use sequences::entries_of;
pub use show::HIDDEN as SHOWN;

use super::Builtin;

/// The tables of this folder, in the order of help.
pub const TABLES: &[&[Builtin]] = &[
    numbers::BUILTINS,
    complex::BUILTINS,
    bytes::BUILTINS,
    bytes::OF_INTS,
    bytes::OF_BOOLS,
    sequences::BUILTINS,
    iterators::BUILTINS,
    sets::CONSTRUCTORS,
    inspect::BUILTINS,
    classes::BUILTINS,
    classes::METHODS,
    groups::BUILTINS,
    dataclasses::BUILTINS,
    output::BUILTINS,
    show::BUILTINS,
    numeric::BUILTINS,
    numeric::OF_INTS,
    numeric::OF_BOOLS,
    text::BUILTINS,
    cut::BUILTINS,
    containers::LISTS,
    dicts::DICTS,
    hidden::OF_CONTAINERS,
    dicts::VIEWS,
    sets::SETS,
    sets::OF_SETS,
    sets::OF_FROZENSETS,
    generators::BUILTINS,
    operators::ARITHMETIC[0],
    operators::ARITHMETIC[1],
    operators::ARITHMETIC[2],
    operators::BITS[0],
    operators::BITS[1],
    operators::OF_DICTS,
    operators::AUGMENTED,
    operators::OF_SETS[0],
    operators::OF_SETS[1],
    operators::OF_SEQUENCES[0],
    operators::OF_SEQUENCES[1],
    operators::OF_SEQUENCES[2],
    operators::OF_SEQUENCES[3],
    operators::OF_CONTAINERS[0],
    operators::OF_CONTAINERS[1],
    operators::OF_CONTAINERS[2],
    operators::COMPARISONS[0],
    operators::COMPARISONS[1],
    operators::COMPARISONS[2],
    operators::COMPARISONS[3],
    operators::COMPARISONS[4],
    operators::COMPARISONS[5],
    operators::COMPARISONS[6],
    operators::COMPARISONS[7],
    operators::COMPARISONS[8],
    operators::COMPARISONS[9],
    operators::COMPARISONS[10],
    operators::COMPARISONS[11],
    operators::COMPARISONS[12],
    operators::COMPARISONS[13],
    operators::COMPARISONS[14],
    operators::COMPARISONS[15],
    operators::COMPARISONS[16],
    operators::OF_ITERATORS[0],
    operators::OF_ITERATORS[1],
    operators::OF_ITERATORS[2],
    operators::OF_RANGES,
    operators::OF_VIEWS[0],
    operators::OF_VIEWS[1],
    operators::OF_VIEWS[2],
    operators::BACKWARDS,
    operators::CALLED,
    operators::ROUNDED[0],
    operators::ROUNDED[1],
    operators::ROUNDED[2],
    operators::FORMATTED,
    operators::OF_COMPLEX,
];
