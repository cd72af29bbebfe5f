//! All tables of functions, and what they are about.
//!
//! A table stands once in the program because only functions of this file name it, and none of them is copied to where
//! it is called.

use super::{
    Builtin, allocator, arithmetic, bins, broadcast, contexts, convert, create, cuda, edit, fills,
    gradient, join, linalg, logic, manager, math, memory, nn, order, pad, pick, pressure, printing,
    python, random, ranges, reduce, select, shape, standard, stats, types, ufunc,
};

pub type Table = &'static [Builtin];

pub const LINEAR_ALGEBRA: &str = "linear algebra";
pub const RANDOM_NUMBERS: &str = "random numbers";

/// The library's, in the order of help.
const LIBRARY: &[Table] = &[
    create::BUILTINS,
    ranges::BUILTINS,
    random::BUILTINS,
    fills::BUILTINS,
    math::OPERATIONS,
    math::COMPOSITIONS,
    math::PARTS,
    math::TESTS,
    arithmetic::OPERATIONS,
    arithmetic::COMPOSITIONS,
    arithmetic::OTHERS,
    logic::COMPARISONS,
    logic::LOGIC,
    ufunc::BUILTINS,
    ufunc::AT,
    reduce::BUILTINS,
    stats::BUILTINS,
    bins::BUILTINS,
    order::BUILTINS,
    select::BUILTINS,
    gradient::BUILTINS,
    broadcast::BUILTINS,
    shape::BUILTINS,
    join::BUILTINS,
    edit::BUILTINS,
    pad::BUILTINS,
    pick::BUILTINS,
    linalg::BUILTINS,
    nn::ACTIVATIONS,
    nn::BUILTINS,
    convert::BUILTINS,
    convert::TYPES,
    types::BUILTINS,
    printing::BUILTINS,
    cuda::DEVICES,
    cuda::KERNELS,
    memory::BUILTINS,
    allocator::BUILTINS,
    manager::BUILTINS,
    pressure::BUILTINS,
    contexts::BUILTINS,
];

/// What each table of the library is about. One that is not here is listed at the end.
const TOPICS: &[(&str, &[Table])] = &[
    ("making tensors", &[create::BUILTINS, ranges::BUILTINS]),
    (RANDOM_NUMBERS, &[random::BUILTINS, fills::BUILTINS]),
    ("arithmetic", &[arithmetic::OPERATIONS, arithmetic::COMPOSITIONS, arithmetic::OTHERS]),
    ("functions of one number", &[math::OPERATIONS, math::COMPOSITIONS, math::PARTS, math::TESTS]),
    ("comparisons and logic", &[logic::COMPARISONS, logic::LOGIC]),
    ("reductions and statistics", &[reduce::BUILTINS, stats::BUILTINS, bins::BUILTINS]),
    ("sorting and searching", &[order::BUILTINS, select::BUILTINS]),
    ("shape and layout", &[shape::BUILTINS, broadcast::BUILTINS, pad::BUILTINS]),
    ("joining, splitting, editing", &[join::BUILTINS, edit::BUILTINS]),
    ("picking elements", &[pick::BUILTINS]),
    (LINEAR_ALGEBRA, &[linalg::BUILTINS]),
    ("neural networks", &[nn::ACTIVATIONS, nn::BUILTINS]),
    ("types and conversion", &[convert::BUILTINS, convert::TYPES, types::BUILTINS]),
    ("ufuncs", &[ufunc::BUILTINS, ufunc::AT]),
    ("printing", &[printing::BUILTINS]),
    ("devices and streams", &[cuda::DEVICES, cuda::KERNELS]),
    ("memory", &[memory::BUILTINS, allocator::BUILTINS, manager::BUILTINS, pressure::BUILTINS]),
];

/// Tables of functions that only compute: what they give is all that anybody sees of them.
const PURE: &[Table] = &[
    create::BUILTINS,
    ranges::BUILTINS,
    arithmetic::OPERATIONS,
    arithmetic::COMPOSITIONS,
    arithmetic::OTHERS,
    math::OPERATIONS,
    math::COMPOSITIONS,
    math::PARTS,
    math::TESTS,
    logic::COMPARISONS,
    logic::LOGIC,
    reduce::BUILTINS,
    stats::BUILTINS,
    bins::BUILTINS,
    order::BUILTINS,
    select::BUILTINS,
    broadcast::BUILTINS,
    shape::BUILTINS,
    pad::BUILTINS,
    join::BUILTINS,
    linalg::BUILTINS,
    nn::ACTIVATIONS,
];

/// The library's tables, in the order of help.
#[inline(never)]
pub fn library() -> &'static [Table] {
    LIBRARY
}

/// Those of Python's own functions and methods.
#[inline(never)]
pub fn python() -> &'static [Table] {
    python::TABLES
}

/// Those of Python's modules.
#[inline(never)]
pub fn modules() -> &'static [Table] {
    standard::TABLES
}

/// Tables of the library by what they are about. One that is not here is listed at the end.
#[inline(never)]
pub fn topics() -> &'static [(&'static str, &'static [Table])] {
    TOPICS
}

/// Tables of functions that only compute: what they give is all that anybody sees of them.
#[inline(never)]
pub fn pure() -> &'static [Table] {
    PURE
}
