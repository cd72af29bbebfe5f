//! The functions by what they are about, for a page that lists them all.

use super::tables::{self, LINEAR_ALGEBRA, RANDOM_NUMBERS, Table};
use super::{Builtin, Function, Homes};
use crate::interp::library;
use crate::interp::value::{Module, Type};

/// Whether a call of a function on tensors and numbers does nothing but compute its value.
pub fn is_pure(function: &Function) -> bool {
    let is_row = |row: &Builtin| row.signature == function.builtin.signature;
    let is_listed = || tables::pure().iter().any(|table| table.iter().any(is_row));
    let for_tensors = || function.for_tensors.as_deref().is_some_and(is_pure);
    !function.in_place && (is_listed() || for_tensors())
}

/// Every function under its topic, each once, by the name that a program calls it by; `x.name` is a
/// method of tensors, `str.name` one of texts.
pub fn topics() -> Vec<(&'static str, Vec<String>)> {
    let is_one = |table: Table, other: Table| {
        let signatures = |table: Table| table.iter().map(|row| row.signature);
        signatures(table).eq(signatures(other))
    };
    let topic_of = |table: Table| {
        let mut tables = tables::topics().iter().flat_map(|(_, tables)| tables.iter());
        tables.any(|other| is_one(table, other))
    };
    let others: Vec<Table> =
        tables::library().iter().copied().filter(|table| !topic_of(table)).collect();
    let python = tables::python();
    let mut topics: Vec<(&str, Vec<String>)> = Vec::new();
    for (topic, tables) in tables::topics() {
        topics.push((topic, names(tables.iter().flat_map(|table| table.iter()), |_| true)));
    }
    let rows = || python.iter().flat_map(|table| table.iter());
    topics.push(("Python's functions", names(rows(), |row| row.method_of.is_none())));
    topics.push(("Python's methods", names(rows(), |row| row.method_of.is_some())));
    let modules = tables::modules().iter().flat_map(|table| table.iter());
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
