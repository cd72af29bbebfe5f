//! What can stand on the left of `=`, and after `del`. An assignment is first read as an
//! expression; here it is judged.

use nom::Err;

use super::ast::{Expr, ExprKind};
use super::input::{Problem, refuse, refuse_with_hint};

type Judged = Result<(), Err<Problem>>;

/// A target of `=`: a name, an attribute, a subscript, or a tuple or list of targets of which one
/// may be starred.
pub fn assignable(target: &Expr) -> Judged {
    whole(target, Some("to compare, write `==`"))
}

/// A target of `for` and of `as`: what is a target of `=`.
pub fn bindable(target: &Expr) -> Judged {
    whole(target, None)
}

fn whole(target: &Expr, hint: Option<&str>) -> Judged {
    match &target.node {
        ExprKind::Starred(_) => Err(refuse_with_hint(
            target.span,
            "a starred target must be in a list or tuple",
            "with a comma it is one: `*x, = …`",
        )),
        _ => part(target, hint),
    }
}

fn part(target: &Expr, hint: Option<&str>) -> Judged {
    match &target.node {
        ExprKind::Name(_) | ExprKind::Attribute { .. } | ExprKind::Subscript { .. } => Ok(()),
        ExprKind::Tuple(items) | ExprKind::List(items) => {
            let mut stars = items.iter().filter(|item| matches!(item.node, ExprKind::Starred(_)));
            if let (Some(_), Some(second)) = (stars.next(), stars.next()) {
                return Err(refuse(second.span, "multiple starred expressions in assignment"));
            }
            items.iter().try_for_each(|item| part(item, hint))
        }
        ExprKind::Starred(value) if !matches!(value.node, ExprKind::Starred(_)) => {
            part(value, hint)
        }
        _ => {
            let message = format!("cannot assign to {} here", described(target));
            Err(match hint {
                Some(hint) => refuse_with_hint(target.span, message, hint),
                None => refuse(target.span, message),
            })
        }
    }
}

/// The target of `+=` and its like: one place.
pub fn augmentable(target: &Expr) -> Judged {
    match &target.node {
        ExprKind::Name(_) | ExprKind::Attribute { .. } | ExprKind::Subscript { .. } => Ok(()),
        _ => Err(refuse(
            target.span,
            format!("{} is an illegal expression for augmented assignment", described(target)),
        )),
    }
}

/// A target of `del`: a place, or a tuple or list of them.
pub fn deletable(target: &Expr) -> Judged {
    match &target.node {
        ExprKind::Name(_) | ExprKind::Attribute { .. } | ExprKind::Subscript { .. } => Ok(()),
        ExprKind::Tuple(items) | ExprKind::List(items) => items.iter().try_for_each(deletable),
        _ => Err(refuse(target.span, format!("cannot delete {}", described(target)))),
    }
}

/// `*x` is no value by itself.
pub fn no_lone_star(value: &Expr) -> Judged {
    match &value.node {
        ExprKind::Starred(_) => Err(refuse_with_hint(
            value.span,
            "a starred expression cannot stand alone",
            "a tuple of it is `*x,`, with a comma",
        )),
        _ => Ok(()),
    }
}

/// Python's words for a kind of expression.
pub fn described(expr: &Expr) -> &'static str {
    match &expr.node {
        ExprKind::None => "`None`",
        ExprKind::Ellipsis => "an ellipsis",
        ExprKind::Bool(true) => "`True`",
        ExprKind::Bool(false) => "`False`",
        ExprKind::Int(_)
        | ExprKind::BigInt(_)
        | ExprKind::Float(_)
        | ExprKind::Imaginary(_)
        | ExprKind::Str(_)
        | ExprKind::Bytes(_) => "a literal",
        ExprKind::FString(_) => "an f-string",
        ExprKind::Name(_) => "a name",
        ExprKind::Tuple(_) => "a tuple",
        ExprKind::List(_) => "a list",
        ExprKind::Dict(_) => "a dict",
        ExprKind::Starred(_) => "a starred expression",
        ExprKind::Unary { .. } | ExprKind::Binary { .. } | ExprKind::Logical { .. } => {
            "an expression"
        }
        ExprKind::Compare { .. } => "a comparison",
        ExprKind::Conditional { .. } => "a conditional expression",
        ExprKind::Attribute { .. } => "an attribute",
        ExprKind::Call { .. } => "a function call",
        ExprKind::Subscript { .. } => "a subscript",
        ExprKind::Slice { .. } => "a slice",
        ExprKind::Set(_) => "a set",
        ExprKind::Named { .. } => "a named expression",
        ExprKind::Lambda(_) => "a lambda",
        ExprKind::Comprehension(_) => "a comprehension",
        ExprKind::Yield(_) | ExprKind::YieldFrom(_) => "a yield expression",
    }
}
