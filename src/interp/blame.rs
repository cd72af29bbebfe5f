//! Which argument of a call an error is about, where whoever raised it did not know the call.

use super::compile::{Code, Parameters};
use super::value::Value;
use crate::diag::{Diagnostic, ErrorKind, Fault, Source, Span};
use crate::syntax::ast::{Arg, Expr, ExprKind, StmtKind};
use crate::syntax::parse_range;

/// How the names of parameters for axes begin.
const AXES: [&str; 3] = ["axis", "axes", "dim"];

/// Where the argument of a built-in function's call stands that a fault is about.
pub fn argument_of<'a>(
    fault: &Fault,
    given: impl Iterator<Item = (&'a str, Span)>,
) -> Option<Span> {
    let about = fault.inner.as_ref().and_then(|inner| inner.about.as_deref());
    among(about, (fault.kind, &fault.message), &given.collect::<Vec<_>>())
}

/// Of the arguments with their parameters the one that an error is `about`, or that names an axis which is not there: the
/// one that the message begins with (`axis2: axis 9 is …`), or the only one given whose parameter is for axes.
fn among(
    about: Option<&str>,
    (kind, message): (ErrorKind, &str),
    given: &[(&str, Span)],
) -> Option<Span> {
    let find = |name: &str| given.iter().find(|(parameter, _)| *parameter == name);
    let mut axes = given.iter().filter(|(parameter, _)| is_for_axes(parameter));
    let named = message.split_once(": axis ").map(|(name, _)| name);
    let found = match (about.and_then(find), kind) {
        (None, ErrorKind::Axis) => named.and_then(find).or_else(|| match axes.next() {
            only if axes.next().is_none() => only,
            _ => None,
        }),
        (found, _) => found,
    };
    found.map(|(_, place)| *place)
}

fn is_for_axes(parameter: &str) -> bool {
    AXES.iter().any(|name| parameter.starts_with(name))
}

/// Where the argument of a call stands that went wrong inside the library's function `code`: what stands where the error
/// is, or the condition under which it is raised there, has one of its parameters only, or the error is about an axis.
///
/// `text` holds the call, and `named` knows what its names hold.
pub fn argument(
    code: &Code,
    error: &Diagnostic,
    (text, call): (&Source, Span),
    named: impl Fn(&str) -> Option<Value>,
) -> Option<Span> {
    let about = subject(code, error);
    // Programs catch errors in loops: the call is read again only where that may tell something.
    if !(about.is_some() || error.kind == ErrorKind::Axis) || !text.slice(call).ends_with(')') {
        return None;
    }
    let module = parse_range(text, call.range()).ok()?;
    let [stmt] = &module.body[..] else { return None };
    let StmtKind::Expr(expr) = &stmt.node else { return None };
    let ExprKind::Call { callee, args } = &expr.node else { return None };
    let given = given(args, receivers(code, callee, named), &code.parameters);
    among(about, (error.kind, &error.message), &given)
}

/// The parameter that an error inside the library's function `code` is about, if there is one only: of those that stand
/// where it is, or in the condition under which it is raised, the one that the message names or the only one.
pub fn subject<'a>(code: &'a Code, error: &Diagnostic) -> Option<&'a str> {
    if error.kind == ErrorKind::KeyboardInterrupt {
        return None;
    }
    let source = code.source.as_ref()?;
    let (before, after) = source.text.split_at(error.span.range().start);
    let (before, start) = before.split_at(before.rfind('\n').map_or(0, |at| at + 1));
    let text = match start.trim_start().starts_with("raise ") || after.starts_with("raise ") {
        true => guard(before, depth(&source.text[before.len()..]))?,
        false => match source.slice(error.span).split_once('=') {
            // `axis=axis`
            Some((name, value)) if !name.contains(' ') => value.into(),
            _ => source.slice(error.span).into(),
        },
    };
    let has = |text: &str, name: &str| words(text).any(|word| word == name);
    let names = code.parameters.names.iter().map(|name| &**name);
    let all: Vec<&str> = names.filter(|name| *name != "self" && has(&text, name)).collect();
    // A short name may be a word.
    let mut told = all.iter().filter(|name| name.len() > 1 && has(&error.message, name));
    match (&all[..], told.next(), told.next()) {
        ([only], ..) => Some(only),
        (_, Some(named), None) => Some(named),
        _ => None,
    }
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
    if let Some("self" | "cls" | "ufunc") = first {
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
