//! Which argument of a call an error is about, where whoever raised it did not know the call.

use super::compile::{Code, Parameters};
use super::value::Value;
use crate::diag::{Diagnostic, ErrorKind, Source, Span};
use crate::syntax::ast::{Arg, Expr, ExprKind, StmtKind};
use crate::syntax::parse_range;

/// How the names of parameters for axes begin.
const AXES: [&str; 3] = ["axis", "axes", "dim"];

/// Where the argument stands that names an axis which is not there: the one that the message begins with
/// (`axis2: axis 9 is …`), or the only one given whose parameter is for axes.
pub fn axis_argument<'a>(
    (kind, message): (ErrorKind, &str),
    given: impl Iterator<Item = (&'a str, Span)>,
) -> Option<Span> {
    if kind != ErrorKind::Axis {
        return None;
    }
    let named = message.split_once(": axis ").map(|(name, _)| name);
    let (mut only, mut count) = (None, 0);
    for (parameter, place) in given {
        if named == Some(parameter) {
            return Some(place);
        }
        if AXES.iter().any(|name| parameter.starts_with(name)) {
            only = Some(place);
            count += 1;
        }
    }
    only.filter(|_| count == 1)
}

/// Where the argument of a call stands that went wrong at `place` inside the library's function `code`: what
/// stands there is one of its parameters, or the error is about an axis.
///
/// `text` holds the call, and `named` knows what its names hold.
pub fn argument(
    code: &Code,
    place: Span,
    error: &Diagnostic,
    (text, call): (&Source, Span),
    named: impl Fn(&str) -> Option<Value>,
) -> Option<Span> {
    let inside = code.source.as_ref()?.slice(place);
    // `axis`, or `axis=axis`.
    let name = inside.split_once('=').map_or(inside, |(_, value)| value).trim();
    let is_parameter = code.parameters.names.iter().any(|parameter| **parameter == *name);
    // Programs catch errors in loops: the call is read again only where that may tell something.
    if !(is_parameter || error.kind == ErrorKind::Axis) || !text.slice(call).ends_with(')') {
        return None;
    }
    let module = parse_range(text, call.range()).ok()?;
    let [stmt] = &module.body[..] else { return None };
    let StmtKind::Expr(expr) = &stmt.node else { return None };
    let ExprKind::Call { callee, args } = &expr.node else { return None };
    let given = given(args, receivers(code, callee, named), &code.parameters);
    let by_name = given.iter().find(|(parameter, _)| *parameter == name).map(|(_, place)| *place);
    by_name.or_else(|| axis_argument((error.kind, &error.message), given.into_iter()))
}

/// How many parameters are for what stands in front of the call's parentheses; none where that is not known.
fn receivers(code: &Code, callee: &Expr, named: impl Fn(&str) -> Option<Value>) -> Option<usize> {
    if code.parameters.names.first().is_some_and(|first| matches!(&**first, "self" | "cls")) {
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
