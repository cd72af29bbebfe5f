//! The modules of Python's library that numeric programs use, a file each.

mod cmath;
mod collections;
mod copying;
mod files;
mod functools;
mod garbage;
mod itertools;
mod json;
mod math;
mod operator;
mod os;
mod path;
mod random;
#[cfg(feature = "regex")]
mod re;
#[cfg(not(feature = "regex"))]
#[path = "no_re.rs"]
mod re;
mod sorted_places;
mod system;
mod time;
mod typing;

pub use json::HIDDEN;
pub use operator::item_of;
pub use os::ENVIRONMENT;
pub use random::Twister;
pub use re::HIDDEN as PATTERNS;
pub use sorted_places::HIDDEN as SORTED_PLACES;
pub use time::{OFFSET as OFFSET_OF_TIME, PARTS as PARTS_OF_TIME};
pub use typing::{alias_of, class_of_form, members_of, union_of};

use super::{Builtin, Homes, Run};
use crate::interp::value::{Module, Value};

/// The tables of this folder, in the order of help.
pub const TABLES: &[&[Builtin]] = &[
    math::REAL,
    math::PARTS,
    math::INTEGERS,
    cmath::BUILTINS,
    random::BUILTINS,
    random::METHODS,
    operator::BINARY,
    operator::COMPARISONS,
    operator::IN_PLACE,
    operator::OTHERS,
    operator::GETTERS,
    os::BUILTINS,
    path::BUILTINS,
    time::BUILTINS,
    json::BUILTINS,
    itertools::BUILTINS,
    functools::BUILTINS,
    collections::COUNTER,
    collections::DEQUE,
    collections::DICTS,
    files::BUILTINS,
    system::BUILTINS,
    garbage::BUILTINS,
    copying::BUILTINS,
    typing::BUILTINS,
];

/// What `__future__` holds: all of it is the language as it is, but for `annotations`.
const FEATURES: [&str; 9] = [
    "absolute_import",
    "annotations",
    "division",
    "generator_stop",
    "generators",
    "nested_scopes",
    "print_function",
    "unicode_literals",
    "with_statement",
];

/// What modules hold beside functions.
pub fn constants() -> Vec<(Module, &'static str, Value)> {
    let mut constants = math::constants();
    constants.extend(cmath::constants());
    constants.extend(os::constants());
    constants.extend(system::constants());
    constants.extend(typing::constants());
    constants.extend(FEATURES.map(|name| (Module::Future, name, Value::str(name))));
    constants
}

/// A type of a module, called.
const fn class(module: Module, signature: &'static str, run: Run, doc: &'static str) -> Builtin {
    Builtin::new(signature, run).homes(Homes::of(module).and(Homes::CLASS)).doc(doc)
}

/// A function of a module.
const fn of(module: Module, signature: &'static str, run: Run, doc: &'static str) -> Builtin {
    Builtin::new(signature, run).homes(Homes::of(module)).doc(doc)
}
