//! Which argument of a call an error is about, where whoever raised it did not know the call.

use std::borrow::Cow;
use std::cmp::Ordering;

use smallvec::{SmallVec, smallvec};

use super::builtins::Call;
use super::compile::{Code, Parameters};
use super::value::Value;
use crate::diag::{Diagnostic, ErrorKind, Fault, Source, Span};
use crate::dtype::{DType, Kind};
use crate::syntax::ast::{Arg, Expr, ExprKind, Ident, StmtKind};
use crate::syntax::parse_range;

/// How the names of parameters for axes begin, and those for indices.
const AXES: &[&str] = &["axis", "axes", "dim"];
const INDICES: &[&str] = &["ind"];

/// Lines that are followed from what went wrong to a parameter that it is made of.
const MAKERS: usize = 3;

/// The place that a fault of a built-in function's call is about: where the function put it, or the arguments that the
/// fault names, or the one that stands alone between the parentheses, or the function's usual one, or all of the call.
#[cold]
pub fn place(call: &Call<'_>, fault: &Fault) -> Span {
    if let Some(place) = call.marked() {
        return place;
    }
    let inner = fault.inner.as_deref();
    let is_of_the_call = inner.is_none_or(|inner| inner.span == Span::default());
    if !is_of_the_call || !is_of_values(fault.kind) {
        return call.span();
    }
    let about: SmallVec<[&str; 2]> =
        inner.iter().flat_map(|inner| inner.about.iter().map(|name| &**name)).collect();
    let given: Vec<(&str, Span)> = call.places().collect();
    let only = || {
        let others = call.rest().iter().chain(call.extra()).map(|argument| argument.span);
        let all = given.iter().map(|(_, place)| *place).chain(others);
        // The receiver of a method stands in front of the parentheses.
        let mut inside = all.filter(|place| place.range().start > call.span().range().start);
        let only = inside.next().filter(|_| inside.next().is_none());
        only.filter(|_| may_be_any(&about, fault.kind))
    };
    let usual = || {
        let builtin = call.function.builtin;
        if builtin.is_elementwise() {
            return odd_operand(call, fault.kind);
        }
        let named = given.iter().find(|(name, _)| *name == builtin.about);
        match call.rest() {
            [first, ..] if call.function.signature().has_starred(builtin.about) => {
                Some(call.rest().iter().fold(first.span, |all, one| all.to(one.span)))
            }
            _ => named.map(|(_, place)| *place),
        }
    };
    let found = among(&about, (fault.kind, &fault.message), &given);
    found.or_else(only).or_else(usual).unwrap_or(call.span())
}

/// The one of two operands that an elementwise function can't take beside the other: what it has no loop for is of the
/// higher kind, what does not fit is a Python number.
fn odd_operand(call: &Call<'_>, kind: ErrorKind) -> Option<Span> {
    let operands = [call.value(0usize), call.value(1usize)];
    let [a, b] = match kind {
        ErrorKind::Type => operands.map(|value| match value {
            Value::Tensor(tensor) => Some(tensor.dtype().kind()),
            value => value.number().map(|number| number.dtype(DType::F32).kind()),
        }),
        ErrorKind::Overflow => operands.map(|value| value.number().map(|_| Kind::Signed)),
        _ => return None,
    };
    match a.cmp(&b) {
        Ordering::Less => Some(call.span_of(1usize)),
        Ordering::Greater => Some(call.span_of(0usize)),
        Ordering::Equal => None,
    }
}

/// Whether an error may be about any argument: it is about no parameter that is left out, or that the receiver is for.
/// An axis that is left out is still one of the array.
fn may_be_any(about: &[&str], kind: ErrorKind) -> bool {
    about.is_empty() || kind == ErrorKind::Axis
}

/// Whether such an error is about what a function was given, rather than about the world around it.
fn is_of_values(kind: ErrorKind) -> bool {
    use ErrorKind::{Attribute, Lookup, Overflow, Type, Value};
    [Attribute, Lookup, Overflow, Type, Value].into_iter().any(|of_values| kind.is_a(of_values))
}

/// Of the arguments with their parameters those that an error is `about`, if they stand side by side; or the one that names
/// an axis which is not there: the one that the message begins with (`axis2: axis 9 is …`), or the only one given whose
/// parameter is for axes; so of an index that is none.
fn among(
    about: &[&str],
    (kind, message): (ErrorKind, &str),
    given: &[(&str, Span)],
) -> Option<Span> {
    let is_meant = |(name, _): &(&str, Span)| about.contains(name);
    if let Some(first) = given.iter().position(is_meant) {
        let count = given.iter().filter(|one| is_meant(one)).count();
        let together = &given[first..given.len().min(first + count)];
        let last = together.last().filter(|_| together.iter().all(is_meant));
        return last.map(|(_, last)| given[first].1.to(*last));
    }
    let beginnings = match kind {
        ErrorKind::Axis => AXES,
        ErrorKind::Index => INDICES,
        _ => return None,
    };
    let named = message.split_once(": axis ").map(|(name, _)| name);
    let named = named.and_then(|named| given.iter().find(|(parameter, _)| *parameter == named));
    let mut all = given.iter().filter(|(name, _)| begins_with_one_of(name, beginnings));
    let found = named.or_else(|| all.next().filter(|_| all.next().is_none()));
    found.map(|(_, place)| *place)
}

fn is_for_axes(parameter: &str) -> bool {
    begins_with_one_of(parameter, AXES)
}

fn begins_with_one_of(parameter: &str, beginnings: &[&str]) -> bool {
    beginnings.iter().any(|beginning| parameter.starts_with(beginning))
}

/// Where the arguments of a call stand that went wrong inside the library's function `code`: those whose parameters stand
/// where the error is, or in the condition under which it is raised there, or that for an axis; else the only one.
///
/// `text` holds the call, and `named` knows what its names hold.
pub fn argument(
    code: &Code,
    error: &Diagnostic,
    (text, call): (&Source, Span),
    named: impl Fn(&str) -> Option<Value>,
) -> Option<Span> {
    if !is_of_values(error.kind) || !text.slice(call).ends_with(')') {
        return None;
    }
    let about = subjects(code, error);
    let module = parse_range(text, call.range()).ok()?;
    let [stmt] = &module.body[..] else { return None };
    let StmtKind::Expr(expr) = &stmt.node else { return None };
    let ExprKind::Call { callee, args } = &expr.node else { return None };
    let given = given(args, receivers(code, callee, named), &code.parameters);
    let only = || match &args[..] {
        _ if !may_be_any(&about, error.kind) => None,
        [Arg::Positional(value)] => Some(value.span),
        [Arg::Keyword { name, value }] => Some(name.span.to(value.span)),
        _ => None,
    };
    among(&about, (error.kind, &error.message), &given).or_else(only)
}

/// The parameters that an error inside the library's function `code` is about: those that stand where it is, or in the
/// condition under which it is raised; of several the one that the message names, if it names one only.
pub fn subjects<'a>(code: &'a Code, error: &Diagnostic) -> SmallVec<[&'a str; 2]> {
    let Some(source) = code.source.as_ref().filter(|_| is_of_values(error.kind)) else {
        return SmallVec::new();
    };
    let (before, after) = source.text.split_at(error.span.range().start);
    let (before, start) = before.split_at(before.rfind('\n').map_or(0, |at| at + 1));
    let is_raised = start.trim_start().starts_with("raise ") || after.starts_with("raise ");
    let mut text: Cow<'_, str> = match is_raised {
        true => guard(before, depth(&source.text[before.len()..])).unwrap_or_default().into(),
        false => match source.slice(error.span).split_once('=') {
            // `axis=axis`
            Some((name, value)) if !name.contains(' ') => value.into(),
            _ => source.slice(error.span).into(),
        },
    };
    let mut all = named(&code.parameters.names, &text);
    // `f(x.ndim, axis)` went wrong about the axis.
    if !is_raised && all.iter().any(|name| stands_bare(&text, name)) {
        all.retain(|name| stands_bare(&text, name));
    }
    if error.kind == ErrorKind::Axis && all.iter().any(|name| is_for_axes(name)) {
        all.retain(|name| is_for_axes(name));
    }
    // A short name may be a word.
    let mut told = all.iter().filter(|name| name.len() > 1 && has(&error.message, name));
    match (told.next(), told.next()) {
        (Some(named), None) => return smallvec![*named],
        _ if !all.is_empty() => return all,
        _ => {}
    }
    let line_end = after.find('\n').unwrap_or(after.len());
    let up_to_here = &source.text[..error.span.range().start + line_end];
    for _ in 0..MAKERS {
        let Some(maker) = made_of(up_to_here, &text) else { break };
        let mut all = named(&code.parameters.names, maker);
        if all.iter().any(|name| stands_bare(maker, name)) {
            all.retain(|name| stands_bare(maker, name));
        }
        if !all.is_empty() {
            return all;
        }
        text = maker.into();
    }
    SmallVec::new()
}

/// The names that stand in a text.
fn named<'a>(names: &'a [Ident], text: &str) -> SmallVec<[&'a str; 2]> {
    names.iter().map(|name| &**name).filter(|name| *name != "self" && has(text, name)).collect()
}

/// Whether a name stands in a text for itself, not for what it has: `x`, and not only `x.ndim`.
fn stands_bare(text: &str, name: &str) -> bool {
    let is_part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || "_.".contains(c));
    text.match_indices(name).any(|(at, _)| {
        let behind = &text[at + name.len()..];
        !is_part(text[..at].chars().next_back()) && !is_part(behind.chars().next())
    })
}

/// What the first name of a text is made of, by the last line that gives it a value: `asarray(a)` where `x.ndim` went wrong
/// and `x = asarray(a)` stands above, or `sizes` where `for x in sizes` does.
fn made_of<'a>(up_to_here: &'a str, text: &str) -> Option<&'a str> {
    let name = words(text).find(|word| !matches!(*word, "" | "if" | "elif" | "not"))?;
    let (assigned, drawn) = (format!("{name} = "), format!("for {name} in "));
    let mut lines = up_to_here.lines().rev().take_while(|line| !line.starts_with("def "));
    lines.find_map(|line| {
        let of_loop = || line.split_once(&drawn).map(|(_, of)| of);
        line.trim_start().strip_prefix(&assigned).or_else(of_loop).filter(|maker| *maker != text)
    })
}

fn has(text: &str, name: &str) -> bool {
    words(text).any(|word| word == name)
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
}

/// The conditions under which the line that stands so deep behind `before` is reached: that of the `if` around it, and
/// of an `else` all.
fn guard(before: &str, deep: usize) -> Option<String> {
    let lines = before.lines().rev().filter(|line| !line.trim().is_empty());
    let mut around = lines.skip_while(|line| depth(line) >= deep);
    let header = around.next()?;
    let mut conditions = header.trim_start().to_string();
    if conditions == "else:" {
        let mut beside = around.filter(|line| depth(line) == depth(header)).map(str::trim_start);
        loop {
            let line = beside.next()?;
            conditions.push_str(line);
            match line.split_once(' ') {
                Some(("elif", _)) => {}
                Some(("if", _)) => return Some(conditions),
                _ => return None,
            }
        }
    }
    (conditions.starts_with("if ") || conditions.starts_with("elif ")).then_some(conditions)
}

fn depth(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// How many parameters are for what stands in front of the call's parentheses; none where that is not known.
fn receivers(code: &Code, callee: &Expr, named: impl Fn(&str) -> Option<Value>) -> Option<usize> {
    let first = code.parameters.names.first().map(|name| &**name);
    // The library's own functions hand a ufunc on; its methods have it in front.
    let is_own = matches!(&callee.node, ExprKind::Name(name) if name.starts_with('_'));
    if matches!(first, Some("self" | "cls")) || first == Some("ufunc") && !is_own {
        return Some(1);
    }
    let ExprKind::Attribute { value, .. } = &callee.node else { return Some(0) };
    let mut root: &Expr = value;
    while let ExprKind::Attribute { value, .. } = &root.node {
        root = value;
    }
    match &root.node {
        ExprKind::Name(name) => Some(usize::from(!matches!(named(name)?, Value::Module(_)))),
        _ => Some(1),
    }
}

/// Arguments with the parameters that they are for; those by position up to where something is unpacked.
fn given<'a>(
    args: &'a [Arg],
    receivers: Option<usize>,
    parameters: &'a Parameters,
) -> Vec<(&'a str, Span)> {
    let names = parameters.names.iter().map(|name| &**name).take(parameters.positional);
    let listed = args.iter().map_while(|arg| match arg {
        Arg::Positional(value) => Some(value.span),
        _ => None,
    });
    let mut given: Vec<_> = match receivers {
        Some(receivers) => names.skip(receivers).zip(listed).collect(),
        None => Vec::new(),
    };
    given.extend(args.iter().filter_map(|arg| match arg {
        Arg::Keyword { name, value } => Some((&*name.node, name.span.to(value.span))),
        _ => None,
    }));
    given
}
