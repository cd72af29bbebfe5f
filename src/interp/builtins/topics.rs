//! The functions by what they are about, for a page that lists them all.

use super::{
    Builtin, Function, Homes, TABLES, allocator, arithmetic, bins, broadcast, convert, create,
    cuda, edit, fills, join, linalg, logic, manager, math, memory, nn, order, pad, pick, pressure,
    printing, python, random, ranges, reduce, shape, standard, stats, types, ufunc,
};
use crate::interp::library;
use crate::interp::value::{Module, Type};

type Table = &'static [Builtin];

const LINEAR_ALGEBRA: &str = "linear algebra";
const RANDOM_NUMBERS: &str = "random numbers";

/// What each table of the library is about. One that is not here is listed at the end.
const TOPICS: &[(&str, &[Table])] = &[
    ("making tensors", &[create::BUILTINS, ranges::BUILTINS]),
    (RANDOM_NUMBERS, &[random::BUILTINS, fills::BUILTINS]),
    ("arithmetic", &[arithmetic::OPERATIONS, arithmetic::COMPOSITIONS, arithmetic::OTHERS]),
    ("functions of one number", &[math::OPERATIONS, math::COMPOSITIONS, math::PARTS, math::TESTS]),
    ("comparisons and logic", &[logic::COMPARISONS, logic::LOGIC]),
    ("reductions and statistics", &[reduce::BUILTINS, stats::BUILTINS, bins::BUILTINS]),
    ("sorting and searching", &[order::BUILTINS]),
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
    broadcast::BUILTINS,
    shape::BUILTINS,
    pad::BUILTINS,
    join::BUILTINS,
    linalg::BUILTINS,
    nn::ACTIVATIONS,
];

/// Whether a call of a function on tensors and numbers does nothing but compute its value.
pub fn is_pure(function: &Function) -> bool {
    let is_row = |row: &Builtin| row.signature == function.builtin.signature;
    let is_listed = || PURE.iter().any(|table| table.iter().any(is_row));
    let for_tensors = || function.for_tensors.as_deref().is_some_and(is_pure);
    !function.in_place && (is_listed() || for_tensors())
}

/// Every function under its topic, each once, by the name that a program calls it by; `x.name` is a
/// method of tensors, `str.name` one of texts.
pub fn topics() -> Vec<(&'static str, Vec<String>)> {
    let is_in = |table: &Table, tables: &[Table]| {
        tables.iter().any(|other| std::ptr::eq(other.as_ptr(), table.as_ptr()))
    };
    let known: Vec<Table> = TOPICS.iter().flat_map(|(_, tables)| tables.iter().copied()).collect();
    let others: Vec<Table> = TABLES.iter().copied().filter(|table| !is_in(table, &known)).collect();
    let python = python::TABLES.to_vec();
    let mut topics: Vec<(&str, Vec<String>)> = Vec::new();
    for (topic, tables) in TOPICS {
        topics.push((topic, names(tables.iter().flat_map(|table| table.iter()), |_| true)));
    }
    let rows = || python.iter().flat_map(|table| table.iter());
    topics.push(("Python's functions", names(rows(), |row| row.method_of.is_none())));
    topics.push(("Python's methods", names(rows(), |row| row.method_of.is_some())));
    let modules = standard::TABLES.iter().flat_map(|table| table.iter());
    let mut of_modules = names(modules, |_| true);
    for module in Module::ALL {
        for (topic, names) in library::names_of(*module) {
            let topic = match module {
                Module::Linalg => LINEAR_ALGEBRA,
                Module::Fft => "Fourier transforms",
                Module::Random => RANDOM_NUMBERS,
                _ => topic,
            };
            let names = names.iter().map(|name| written(*module, name));
            match topics.iter_mut().find(|(known, _)| *known == topic) {
                Some((_, known)) => known.extend(names),
                None if topic.is_empty() => of_modules.extend(names),
                None => topics.push((topic, names.collect())),
            }
        }
    }
    of_modules.sort();
    of_modules.dedup();
    topics.push(("modules of Python", of_modules));
    topics.push(("more", names(others.iter().flat_map(|table| table.iter()), |_| true)));
    topics.retain(|(_, names)| !names.is_empty());
    topics
}

fn names(
    rows: impl Iterator<Item = &'static Builtin>,
    is_asked: impl Fn(&Builtin) -> bool,
) -> Vec<String> {
    let mut names: Vec<String> = rows.filter(|row| is_asked(row)).map(called).collect();
    names.sort();
    names.dedup();
    names
}

/// How a program names what a module's text gives it.
fn written(module: Module, name: &str) -> String {
    match module {
        Module::Linalg => format!("linalg.{name}"),
        Module::Fft => format!("fft.{name}"),
        Module::Numpy => name.to_owned(),
        Module::Random => format!("random.{name}"),
        _ => format!("{}.{name}", module.name()),
    }
}

/// How a program names a function.
fn called(row: &Builtin) -> String {
    let name = row.name;
    let modules = [
        // As programs call them after `import numpy as np`.
        (Homes::LINALG, "linalg"),
        (Homes::RANDOM, "random"),
        (Homes::CUDA, "cuda"),
        (Homes::FUNCTIONAL, "nn.functional"),
        (Homes::NN, "nn"),
        (Homes::QUALIFIED, "np"),
        (Homes::TORCH, "torch"),
    ];
    if row.homes.holds(Homes::LIBRARY.and(Homes::PYTHON).and(Homes::CONSTRUCTOR)) {
        return name.to_owned();
    }
    if let Some((_, module)) = modules.iter().find(|(home, _)| row.homes.holds(*home)) {
        return format!("{module}.{name}");
    }
    if let Some(module) = Module::ALL.iter().find(|module| row.homes.holds(Homes::of(**module))) {
        return format!("{}.{name}", module.name());
    }
    match row.method_of {
        Some(Type::Tensor) => format!("x.{name}"),
        Some(of) => format!("{}.{name}", of.name()),
        None => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interp::builtins::all;

    #[test]
    fn every_function_is_listed_once() {
        let listed: Vec<String> = topics().into_iter().flat_map(|(_, names)| names).collect();
        let mut wanted: Vec<String> = all().map(called).collect();
        for module in Module::ALL {
            let names = library::names_of(*module).into_iter().flat_map(|(_, names)| names);
            wanted.extend(names.map(|name| written(*module, &name)));
        }
        for name in &wanted {
            assert!(listed.contains(name), "{name}");
        }
        wanted.sort();
        wanted.dedup();
        assert!(listed.len() >= wanted.len() && listed.len() < wanted.len() + wanted.len() / 20);
    }
}
