//! `itertools`: lazy iterators over iterators.

mod combine;
mod groups;
mod walk;

use std::rc::Rc;

use super::super::{Argument, Builtin, Call, Run};
use crate::diag::Fault;
use crate::interp::object::iterator::{Items, Iter};
use crate::interp::value::{Module, Value};

const fn tool(signature: &'static str, run: Run, doc: &'static str) -> Builtin {
    super::of(Module::Itertools, signature, run, doc)
}

pub const BUILTINS: &[Builtin] = &[
    tool("count(start=0, step=1)", walk::count, "Numbers without end."),
    tool("cycle(iterable, /)", walk::cycle, "The items again and again."),
    tool("repeat(object, times=...)", walk::repeat, "One value again and again, or so many times."),
    tool(
        "accumulate(iterable, func=None, *, initial=None)",
        walk::accumulate,
        "Running totals, or what a function of two makes of them.",
    ),
    tool("chain(*iterables)", walk::chain, "The items of one after those of the other."),
    tool("chain.from_iterable(iterable, /)", walk::chain_from, "The items of the items."),
    tool("compress(data, selectors)", walk::compress, "The items whose selectors are true."),
    tool(
        "dropwhile(predicate, iterable, /)",
        walk::dropwhile,
        "What follows the items that satisfy a predicate.",
    ),
    tool(
        "takewhile(predicate, iterable, /)",
        walk::takewhile,
        "The items as long as they satisfy a predicate.",
    ),
    tool(
        "filterfalse(function, iterable, /)",
        walk::filterfalse,
        "The items of which a function says that they are false.",
    ),
    tool(
        "islice(iterable, start, stop=..., step=None, /)",
        walk::islice,
        "Some of the items, as a slice has them.",
    ),
    tool("pairwise(iterable, /)", walk::pairwise, "Each item with the next one."),
    tool(
        "starmap(function, iterable, /)",
        walk::starmap,
        "What a function makes of the items' parts.",
    ),
    tool(
        "zip_longest(*iterables, fillvalue=None)",
        walk::zip_longest,
        "As `zip`, up to the end of the longest.",
    ),
    tool(
        "groupby(iterable, key=None)",
        groups::groupby,
        "Runs of items with equal keys: each key with an iterator over its run.",
    ),
    tool("tee(iterable, n=2, /)", groups::tee, "Several iterators over the items of one."),
    tool("product(*iterables, repeat=1)", combine::product, "All tuples with an item of each."),
    tool(
        "permutations(iterable, r=None)",
        combine::permutations,
        "All orders of so many of the items.",
    ),
    tool(
        "combinations(iterable, r)",
        combine::combinations,
        "All choices of so many of the items.",
    ),
    tool(
        "combinations_with_replacement(iterable, r)",
        combine::with_replacement,
        "As `combinations`, each item as often as one likes.",
    ),
];

/// An iterator over an argument.
fn of(call: &Call<'_>, position: usize) -> Result<Rc<Iter>, Fault> {
    let iter = call.evaluator.iter(call.value(position));
    iter.map_err(|error| call.fault_at(position, error))
}

/// The items of each argument behind the `*`.
fn parts(call: &Call<'_>) -> Result<Vec<Items>, Fault> {
    let part = |argument: &Argument| {
        let part = call.evaluator.items(&argument.value);
        part.map_err(|error| call.fault_of(argument, error.into()))
    };
    call.rest().iter().map(part).collect()
}

fn look_at(iter: &Rc<Iter>, look: &mut dyn FnMut(&Value)) {
    look(&Value::Iterator(iter.clone()));
}
